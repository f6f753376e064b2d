//! Rules and notes from elsewhere as notes of the vault.
//!
//! Pure: texts in, a [`Plan`] out. What is imported is known by its words, so importing again changes nothing, and what a
//! person deleted or archived since stays so.

use std::collections::{HashMap, HashSet};

use afterword_core::{ContentKey, Destination, Kind};
use jiff::Zoned;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde::{Deserialize, Serialize};

use crate::hash::ContentHash;
use crate::index::VaultIndex;
use crate::note::Note;
use crate::path::{self, VaultPath};
use crate::plan::{Action, NoWrite, Plan, Reason, Subject};
use crate::properties::{NoteKind, Status};
use crate::write_history::{LastWrite, WriteHistory, WriteRecord};
use crate::yaml::Value;
use crate::{layout, markdown, plain, render};

/// The longest title, in characters.
const TITLE_CHARS: usize = 160;
/// Shorter texts say nothing, in characters.
const MIN_CHARS: usize = 8;

/// Something that may become a note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Importable {
    /// One sentence.
    pub title: String,
    /// What it says, as markdown.
    pub body: String,
    /// What sort of lesson it looks like.
    pub kind: Kind,
    /// The project it belongs to; `None` where it holds everywhere.
    pub project: Option<String>,
    /// The file it comes from, as a person would name it.
    pub source: String,
    /// Put up for review rather than saved.
    pub waits: bool,
}

impl Importable {
    /// What makes two the same: the words, wherever they come from.
    pub fn key(&self) -> ContentKey {
        let words = afterword_core::normalised_words(&format!("{} {}", self.title, self.body));
        ContentHash::of(format!("import\n{words}").as_bytes()).into_key()
    }
}

/// The rules in a file of instructions: each item of its lists, with the heading it stands under deciding its kind. Code,
/// quotations, imports of other files and what Afterword exported there are passed by.
pub fn parse_rules(text: &str, source: &str, project: Option<&str>) -> Vec<Importable> {
    let text = crate::export::remove_block(text);
    let mut found = Vec::new();
    let (mut heading, mut in_heading) = (String::new(), false);
    // Text of the list items that are open, innermost last.
    let mut open: Vec<String> = Vec::new();
    for event in Parser::new_ext(&text, Options::empty()) {
        match event {
            Event::Start(Tag::Heading { .. }) => {
                heading.clear();
                in_heading = true;
            }
            Event::End(TagEnd::Heading(_)) => in_heading = false,
            Event::Start(Tag::Item) => open.push(String::new()),
            Event::End(TagEnd::Item) => {
                let item = open.pop().unwrap_or_default();
                found.extend(parse_rule(&item, &heading, source, project));
            }
            Event::Text(part) | Event::Code(part) if in_heading => heading.push_str(&part),
            Event::Text(part) => append(&mut open, &part),
            Event::Code(part) => append(&mut open, &format!("`{part}`")),
            Event::SoftBreak | Event::HardBreak => append(&mut open, " "),
            _ => {}
        }
    }
    found
}

fn append(open: &mut [String], text: &str) {
    if let Some(item) = open.last_mut() {
        item.push_str(text);
    }
}

fn parse_rule(text: &str, heading: &str, source: &str, project: Option<&str>) -> Option<Importable> {
    let text = plain::one_line(text, 2_000);
    let telling = text.chars().count() >= MIN_CHARS && text.contains(' ');
    // A link to another file alone is an index, not a rule.
    (telling && !text.starts_with('@')).then(|| Importable {
        title: plain::one_line(first_sentence(&text), TITLE_CHARS),
        kind: guess_kind(&format!("{heading} {text}")),
        body: text,
        project: project.map(str::to_owned),
        source: source.to_owned(),
        waits: false,
    })
}

/// A whole file as one note: its title is a property, its first heading, or its name.
pub fn parse_whole_note(text: &str, name: &str, source: &str, project: Option<&str>) -> Option<Importable> {
    let note = Note::parse(text.to_owned());
    let body = note.body().trim();
    let shows = |title: &&str| !plain::one_line(title, TITLE_CHARS).is_empty();
    let heading = body.lines().find_map(|line| line.strip_prefix("# ").map(str::trim)).filter(shows);
    let named = ["title", "name"].iter().find_map(|property| note.text_of(property).filter(shows));
    let title = named.or(heading).unwrap_or(name);
    let without_heading = heading.filter(|heading| *heading == title);
    let body = match without_heading {
        Some(heading) => body.replacen(&format!("# {heading}"), "", 1),
        None => body.to_owned(),
    };
    let body = body.trim().to_owned();
    let described = note.text_of("description").unwrap_or_default();
    let telling = body.chars().count() >= MIN_CHARS;
    telling.then(|| Importable {
        title: plain::one_line(title, TITLE_CHARS),
        kind: guess_kind(&format!("{title} {described} {}", note.text_of("type").unwrap_or_default())),
        body,
        project: project.map(str::to_owned),
        source: source.to_owned(),
        waits: true,
    })
}

/// What sort of lesson a text looks like; a person corrects it in the note where it is wrong.
fn guess_kind(text: &str) -> Kind {
    let text = text.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if has(&["workaround", "fix ", "fixed", "fails", "error", "bug", "crash", "troubleshoot", "gotcha"]) {
        Kind::Fix
    } else if has(&[
        "workflow",
        "how to",
        "steps",
        "deploy",
        "release",
        "process",
        "build command",
        "runbook",
    ]) {
        Kind::Workflow
    } else {
        Kind::Preference
    }
}

fn first_sentence(text: &str) -> &str {
    let end = text.match_indices(". ").map(|(at, _)| at + 1).find(|at| *at > 20);
    end.map_or(text, |end| &text[..end])
}

/// Plans the notes of what was found.
pub fn plan_import(
    index: &VaultIndex,
    found: &[Importable],
    history: &dyn WriteHistory,
    now: &Zoned,
) -> Plan {
    let mut plan = Plan::default();
    let (mut taken, mut planned) = (HashSet::new(), HashSet::new());
    // Where the search for a free name goes on, for each name that was wanted before.
    let mut next_numbers: HashMap<VaultPath, u64> = HashMap::new();
    for one in found {
        let key = one.key();
        let keep =
            |path: Option<&VaultPath>, reason| NoWrite { key: key.clone(), path: path.cloned(), reason };
        if planned.contains(&key) {
            plan.kept.push(keep(None, Reason::Repeated));
            continue;
        }
        let known = index.by_key(&key).or_else(|| index.by_id(history.by_key(&key)?.id));
        if let Some(entry) = known {
            plan.kept.push(keep(Some(&entry.path), Reason::Known));
            continue;
        }
        if history.by_key(&key).is_some() || index.tombstones().contains(&key) {
            plan.kept.push(keep(None, Reason::Deleted));
            continue;
        }
        let Some(id) = render::derive_note_id(&key, now.timestamp()) else { continue };
        let destination = if one.waits { Destination::Review } else { Destination::Saved };
        let slug = path::slug(&one.title);
        let place = |number: u64| {
            let slug = if number > 1 { format!("{slug}-{number}") } else { slug.clone() };
            layout::note_path(one.kind, destination, &slug)
        };
        let next = next_numbers.entry(place(1)).or_insert(1);
        let is_free = |path: &VaultPath| !index.is_taken(path) && !taken.contains(&path.collision_key());
        let free = (*next..).map(|number| (number, place(number))).find(|(_, path)| is_free(path));
        let Some((number, path)) = free else { continue };
        *next = number + 1;
        let content = render_imported(one, &key, id, now);
        let content_hash = ContentHash::of(content.as_bytes());
        taken.insert(path.collision_key());
        planned.insert(key.clone());
        plan.records.push(WriteRecord {
            key: key.clone(),
            written: LastWrite { id, path: path.clone(), content_hash },
        });
        let subject = Subject::Lesson { kind: one.kind, title: one.title.clone(), destination };
        plan.actions.push(Action { path, before: None, content, subject, keys: vec![key] });
    }
    plan
}

fn render_imported(found: &Importable, key: &ContentKey, id: afterword_core::NoteId, now: &Zoned) -> String {
    let word = |word: &str| Value::Text(word.to_owned());
    let status = if found.waits { Status::Inbox } else { Status::Active };
    let mut properties = vec![
        ("title", Value::Text(found.title.clone())),
        ("kind", word(NoteKind::from(found.kind).as_str())),
        ("status", word(status.as_str())),
    ];
    if found.waits {
        properties.push(("review", Value::Empty));
    }
    if let Some(project) = &found.project {
        properties.push(("project", Value::Text(plain::one_line(project, TITLE_CHARS))));
    }
    properties.push(("tags", Value::List(vec!["afterword".to_owned(), "imported".to_owned()])));
    properties.push(("created", Value::Date(now.date())));
    properties.push(("updated", Value::Date(now.date())));
    properties.push(("always_load", Value::Flag(false)));
    properties.push(("source", Value::Text(plain::one_line(&found.source, 400))));
    properties.push(("id", Value::Text(id.to_string())));
    properties.push(("key", Value::Text(key.0.clone())));
    format!("{}\n{}\n", render::render_front_matter(&properties), markdown::sanitize(&found.body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn note_without_words_in_its_title_has_the_name_of_its_file() {
        for front in ["# \n", "# \u{200b}\n", "---\ntitle: \"  \"\n---\n# \n"] {
            let found = parse_whole_note(
                &format!("{front}\nAlways run the linter before a commit.\n"),
                "linter",
                "a",
                None,
            );
            assert_eq!(found.map(|found| found.title).as_deref(), Some("linter"), "{front:?}");
        }
    }

    #[test]
    fn rules_are_the_items_of_lists() {
        let text = "# Project\n\nSome prose.\n\n## Workflow\n\n- Run `cargo test` before a commit. It is fast.\n  - nested rule of its own\n- @docs/more.md\n\n```\n- not a rule at all\n```\n\n> - quoted is still read\n\n<!-- afterword:begin 0123456789abcdef -->\n- exported by us before\n<!-- afterword:end -->\n";
        let titles: Vec<_> =
            parse_rules(text, "CLAUDE.md", None).into_iter().map(|one| (one.title, one.kind)).collect();
        assert!(
            titles.contains(&("Run `cargo test` before a commit.".to_owned(), Kind::Workflow)),
            "{titles:?}"
        );
        assert!(titles.iter().any(|(title, _)| title == "nested rule of its own"));
        assert!(
            titles.iter().all(|(title, _)| !title.contains("not a rule")
                && !title.contains("exported")
                && !title.contains('@')),
            "{titles:?}"
        );
    }

    #[test]
    fn thousands_of_one_title_are_planned_at_once() {
        let rules = |number| format!("- Always say the same thing here. And number {number} besides.\n");
        let found = parse_rules(&(0..4_000).map(rules).collect::<String>(), "CLAUDE.md", None);
        let (index, none) = (VaultIndex::default(), HashMap::new());
        let plan = plan_import(&index, &found, &none, &"2026-09-01T10:00:00[UTC]".parse().unwrap());
        let paths: Vec<_> = plan.actions.iter().map(|action| action.path.as_str()).collect();
        assert_eq!(paths.len(), 4_000);
        assert!(paths[0].ends_with("/always-say-the-same-thing-here.md"), "{}", paths[0]);
        assert!(paths[3_999].ends_with("/always-say-the-same-thing-here-4000.md"), "{}", paths[3_999]);
    }

    #[test]
    fn a_file_is_one_note_with_the_title_it_gives_itself() {
        let check = |text: &str, title: &str| {
            assert_eq!(parse_whole_note(text, "file", "x", None).unwrap().title, title);
        };
        check("---\nname: From the property\n---\nSome words here.", "From the property");
        check("# From the heading\n\nSome words here.", "From the heading");
        check("Some words here.", "file");
        assert_eq!(parse_whole_note("# Only a heading", "file", "x", None), None);
    }
}
