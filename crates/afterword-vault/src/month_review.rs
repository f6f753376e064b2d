//! The review of a month, on request: what was learned, what became of it, what still waits, with links.
//!
//! One note a month in `Reviews/`, written anew between its markers whenever it is asked for; what a person writes around
//! them, or changes between them, stays.

use std::collections::BTreeMap;

use afterword_core::Kind;
use jiff::Zoned;
use jiff::civil::Date;

use crate::block::{self, Block};
use crate::hash::ContentHash;
use crate::index::VaultIndex;
use crate::note::Note;
use crate::note_entry::NoteEntry;
use crate::path::VaultPath;
use crate::plan::{Action, Plan, Subject};
use crate::properties::{NoteKind, ReviewAnswer, Status};
use crate::yaml::Value;
use crate::{ideas, layout, markdown, render};

pub(crate) const MONTH: &str = "month";

/// Plans the review of the month that `day` lies in.
pub fn plan_month_review(index: &VaultIndex, day: Date, now: &Zoned) -> Plan {
    let name = format!("{:04}-{:02}", day.year(), day.month());
    let key = ContentHash::of(format!("month\n{name}").as_bytes()).into_key();
    let content = render_month(index, day);
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
            let Some(id) = render::derive_note_id(&key, jiff::Timestamp::UNIX_EPOCH) else { return plan };
            let properties = [
                ("title", Value::Text(format!("Review of {name}"))),
                ("kind", Value::Text(NoteKind::Month.as_str().to_owned())),
                ("tags", Value::List(vec!["afterword".to_owned()])),
                ("created", Value::Date(now.date())),
                ("id", Value::Text(id.to_string())),
                ("key", Value::Text(key.0.clone())),
            ];
            let block = block::render(MONTH, &content, "\n");
            (usual, None, Note::parse(format!("{}\n{block}", render::render_front_matter(&properties))))
        }
    };
    let content = note.print().to_owned();
    plan.actions.push(Action { path, before, content, subject, keys: vec![key] });
    plan
}

fn render_month(index: &VaultIndex, day: Date) -> String {
    let is_lesson = |entry: &&NoteEntry| {
        matches!(entry.properties.kind, Some(NoteKind::Preference | NoteKind::Workflow | NoteKind::Fix))
    };
    let lessons: Vec<&NoteEntry> = index.notes().filter(is_lesson).collect();
    let created = |entry: &NoteEntry| is_in_month(entry.properties.created, day);
    let of_month: Vec<&NoteEntry> = lessons.iter().copied().filter(|entry| created(entry)).collect();
    let learned: Vec<&NoteEntry> =
        of_month.iter().copied().filter(|entry| has_status(entry, Status::Active)).collect();
    let mut sections =
        vec![format!("{} learned this month.", count_phrase(learned.len(), "lesson was", "lessons were"))];
    for (kind, heading) in [
        (Kind::Preference, "New preferences"),
        (Kind::Workflow, "New workflows"),
        (Kind::Fix, "New fixes and workarounds"),
    ] {
        let of_kind = learned.iter().filter(|entry| entry.properties.kind == Some(NoteKind::from(kind)));
        sections.extend(render_section(heading, of_kind.copied()));
    }
    let seen_again = lessons.into_iter().filter(|entry| {
        is_in_month(entry.properties.updated, day) && !created(entry) && has_status(entry, Status::Active)
    });
    sections.extend(render_section("Seen again", seen_again));
    let mut add = |heading: &str, status: Status, answer: Option<ReviewAnswer>| {
        let entries = of_month.iter().copied().filter(|entry| has_status(entry, status));
        let entries = entries.filter(|entry| answer.is_none() || entry.properties.review == answer);
        sections.extend(render_section(heading, entries));
    };
    add("Replaced", Status::Superseded, None);
    add("Turned down", Status::Archived, Some(ReviewAnswer::Reject));
    add("Waiting for your answer", Status::Inbox, None);
    let pages = index.notes().filter(|entry| entry.properties.kind == Some(NoteKind::Idea) && created(entry));
    sections.extend(render_section("New ideas", pages));
    sections.extend(index.ideas().map(render_idea_counts));
    sections.extend(render_projects(&learned));
    sections.join("\n\n")
}

fn is_in_month(date: Option<Date>, day: Date) -> bool {
    date.is_some_and(|date| date.year() == day.year() && date.month() == day.month())
}

fn has_status(entry: &NoteEntry, status: Status) -> bool {
    entry.properties.effective_status() == Some(status)
}

/// How many ideas of the ledger are open, and how many are done.
fn render_idea_counts(ledger: &NoteEntry) -> String {
    let lines = ideas::parse_ideas(&ledger.note);
    let done = lines.iter().filter(|line| line.done).count();
    format!("{} still open, {done} done.", count_phrase(lines.len() - done, "idea is", "ideas are"))
}

/// How many lessons were learned in each project; `None` where none was.
fn render_projects(learned: &[&NoteEntry]) -> Option<String> {
    let mut projects: BTreeMap<&str, usize> = BTreeMap::new();
    for project in learned.iter().filter_map(|entry| entry.properties.project.as_deref()) {
        *projects.entry(project).or_default() += 1;
    }
    let rows: Vec<String> = projects
        .iter()
        .map(|(project, count)| format!("- {}: {count}", markdown::escaped_line(project, 80)))
        .collect();
    (!rows.is_empty()).then(|| format!("## By project\n\n{}", rows.join("\n")))
}

fn count_phrase(count: usize, one: &str, more: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {more}") }
}

fn render_section<'a>(heading: &str, entries: impl Iterator<Item = &'a NoteEntry>) -> Option<String> {
    let mut lines: Vec<String> = entries
        .map(|entry| {
            let title = entry.properties.title.as_deref().unwrap_or(entry.path.name());
            format!("- {}", markdown::wikilink(entry.path.link_target(), title))
        })
        .collect();
    lines.sort();
    (!lines.is_empty()).then(|| format!("## {heading} ({})\n\n{}", lines.len(), lines.join("\n")))
}
