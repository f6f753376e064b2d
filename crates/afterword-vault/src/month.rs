//! The review of a month, on request: what was learned, what became of it, what still waits, with links.
//!
//! One note a month in `Reviews/`, written anew between its markers whenever it is asked for; what a person writes around
//! them, or changes between them, stays.

use std::collections::BTreeMap;

use afterword_core::Kind;
use jiff::Zoned;
use jiff::civil::Date;

use crate::block::{self, Block};
use crate::entry::NoteEntry;
use crate::hash::ContentHash;
use crate::index::VaultIndex;
use crate::note::Note;
use crate::path::VaultPath;
use crate::plan::{Action, Plan, Subject};
use crate::properties::{NoteKind, ReviewAnswer, Status};
use crate::yaml::Value;
use crate::{ideas, layout, markdown, render};

pub(crate) const MONTH: &str = "month";

/// Plans the review of the month that `day` lies in.
pub fn month(index: &VaultIndex, day: Date, now: &Zoned) -> Plan {
    let name = format!("{:04}-{:02}", day.year(), day.month());
    let key = ContentHash::of(format!("month\n{name}").as_bytes()).into_key();
    let content = content(index, day);
    let subject = Subject::Month { name: name.clone() };
    let mut plan = Plan::default();
    let usual = VaultPath::constant(layout::REVIEWS).join(&format!("{name}.md"));
    let (path, before, note) = match index.by_key(&key) {
        Some(entry) => {
            let Block::Intact { inner, .. } = entry.note.block(MONTH) else { return plan };
            if inner.trim().replace("\r\n", "\n") == content {
                return plan;
            }
            let mut note = entry.note.clone();
            note.set_block(MONTH, &content);
            (entry.path.clone(), Some(entry.hash.clone()), note)
        }
        None if index.is_taken(&usual) => return plan,
        None => {
            let Some(id) = render::id_of(&key, jiff::Timestamp::UNIX_EPOCH) else { return plan };
            let properties = [
                ("title", Value::Text(format!("Review of {name}"))),
                ("kind", Value::Text(NoteKind::Month.as_str().to_owned())),
                ("tags", Value::List(vec!["afterword".to_owned()])),
                ("created", Value::Date(now.date())),
                ("id", Value::Text(id.to_string())),
                ("key", Value::Text(key.0.clone())),
            ];
            let block = block::render(MONTH, &content, "\n");
            (usual, None, Note::parse(format!("{}\n{block}", render::front_matter(&properties))))
        }
    };
    let content = note.print().to_owned();
    plan.actions.push(Action { path, before, content, subject, keys: vec![key] });
    plan
}

fn content(index: &VaultIndex, day: Date) -> String {
    let in_month = |date: Option<Date>| {
        date.is_some_and(|date| date.year() == day.year() && date.month() == day.month())
    };
    let is_lesson = |entry: &&NoteEntry| {
        matches!(entry.properties.kind, Some(NoteKind::Preference | NoteKind::Workflow | NoteKind::Fix))
    };
    let lessons: Vec<&NoteEntry> = index.notes().filter(is_lesson).collect();
    let of_month = || lessons.iter().copied().filter(|entry| in_month(entry.properties.created));
    let mut sections = Vec::new();
    let learned: Vec<&NoteEntry> =
        of_month().filter(|entry| entry.properties.effective_status() == Some(Status::Active)).collect();
    sections
        .push(format!("{} learned this month.", count_phrase(learned.len(), "lesson was", "lessons were")));
    for (kind, heading) in [
        (Kind::Preference, "New preferences"),
        (Kind::Workflow, "New workflows"),
        (Kind::Fix, "New fixes and workarounds"),
    ] {
        let of_kind =
            learned.iter().copied().filter(|entry| entry.properties.kind == Some(NoteKind::from(kind)));
        sections.extend(section(heading, of_kind));
    }
    let seen_again = lessons.iter().copied().filter(|entry| {
        in_month(entry.properties.updated)
            && !in_month(entry.properties.created)
            && entry.properties.effective_status() == Some(Status::Active)
    });
    sections.extend(section("Seen again", seen_again));
    let superseded =
        of_month().filter(|entry| entry.properties.effective_status() == Some(Status::Superseded));
    sections.extend(section("Replaced", superseded));
    let rejected = of_month().filter(|entry| {
        entry.properties.review == Some(ReviewAnswer::Reject)
            && entry.properties.effective_status() == Some(Status::Archived)
    });
    sections.extend(section("Turned down", rejected));
    let waiting = of_month().filter(|entry| entry.properties.effective_status() == Some(Status::Inbox));
    sections.extend(section("Waiting for your answer", waiting));
    let pages = index
        .notes()
        .filter(|entry| entry.properties.kind == Some(NoteKind::Idea) && in_month(entry.properties.created));
    sections.extend(section("New ideas", pages));
    if let Some(ledger) = index.ideas() {
        let lines = ideas::lines(&ledger.note);
        let done = lines.iter().filter(|line| line.done).count();
        sections.push(format!(
            "{} still open, {done} done.",
            count_phrase(lines.len() - done, "idea is", "ideas are")
        ));
    }
    let mut projects: BTreeMap<&str, usize> = BTreeMap::new();
    for project in learned.iter().filter_map(|entry| entry.properties.project.as_deref()) {
        *projects.entry(project).or_default() += 1;
    }
    if !projects.is_empty() {
        let rows: String = projects
            .iter()
            .map(|(project, count)| format!("- {}: {count}\n", markdown::escaped_line(project, 80)))
            .collect();
        sections.push(format!("## By project\n\n{}", rows.trim_end()));
    }
    sections.join("\n\n")
}

fn count_phrase(count: usize, one: &str, more: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {more}") }
}

fn section<'a>(heading: &str, entries: impl Iterator<Item = &'a NoteEntry>) -> Option<String> {
    let mut lines: Vec<String> = entries
        .map(|entry| {
            let title = entry.properties.title.as_deref().unwrap_or(entry.path.name());
            format!("- {}", markdown::wikilink(entry.path.link_target(), title))
        })
        .collect();
    lines.sort();
    (!lines.is_empty()).then(|| format!("## {heading} ({})\n\n{}", lines.len(), lines.join("\n")))
}
