//! Project overviews: links to a project's notes by kind, between markers; the rest of the note is the user's.

use std::collections::{BTreeMap, BTreeSet};

use afterword_core::{ContentKey, NoteId};
use jiff::civil::Date;

use crate::hash::ContentHash;
use crate::layout;
use crate::path::VaultPath;
use crate::properties::{NoteKind, Properties, Status};
use crate::yaml::Value;
use crate::{block, markdown, plain, render};

/// The name of the generated block.
pub(crate) const OVERVIEW: &str = "overview";

/// What an overview shows of a note.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct OverviewLine {
    /// Newest first.
    newest: std::cmp::Reverse<Option<Date>>,
    title: String,
    path: VaultPath,
}

/// The notes of one project.
#[derive(Debug, Default)]
pub(crate) struct Overview {
    by_kind: BTreeMap<NoteKind, BTreeSet<OverviewLine>>,
    waiting: BTreeSet<OverviewLine>,
    weak: usize,
}

/// The key that an overview is known by.
pub(crate) fn key_of(project: &str) -> ContentKey {
    ContentHash::of(format!("project overview\n{project}").as_bytes()).into_key()
}

/// Everything that decides where and how a note stands in an overview, its path aside; `None` where it stands in none.
pub(crate) fn entry_key(path: &VaultPath, properties: &Properties) -> Option<String> {
    let project = properties.project.as_ref()?;
    let mut overview = Overview::default();
    overview.add(path, properties);
    (!overview.is_empty()).then(|| format!("{project}\n{overview:?}"))
}

impl Overview {
    /// Takes up a note if it has a place in an overview.
    pub(crate) fn add(&mut self, path: &VaultPath, properties: &Properties) {
        let Some(kind) = properties.kind.filter(|kind| layout::heading_of(*kind).is_some()) else { return };
        let title =
            properties.title.clone().unwrap_or_else(|| path.name().trim_end_matches(".md").to_owned());
        let line = OverviewLine { newest: std::cmp::Reverse(properties.created), title, path: path.clone() };
        match properties.effective_status() {
            Some(Status::Superseded | Status::Archived) => {}
            Some(Status::Inbox) if path.is_below(layout::INBOX) => self.weak += 1,
            Some(Status::Inbox) => {
                self.waiting.insert(line);
            }
            Some(Status::Active) | None => {
                self.by_kind.entry(kind).or_default().insert(line);
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by_kind.is_empty() && self.waiting.is_empty() && self.weak == 0
    }

    /// What stands between the markers.
    pub(crate) fn render_block(&self) -> String {
        let mut sections = Vec::new();
        if !self.waiting.is_empty() {
            sections.push(section("Waiting for your answer", &self.waiting));
        }
        for (kind, lines) in &self.by_kind {
            if let Some(heading) = layout::heading_of(*kind) {
                sections.push(section(heading, lines));
            }
        }
        match self.weak {
            0 => {}
            1 => sections.push("One lesson of low confidence is in the inbox.".to_owned()),
            weak => sections.push(format!("{weak} lessons of low confidence are in the inbox.")),
        }
        sections.join("\n\n")
    }

    /// A whole new overview.
    pub(crate) fn render_note(&self, project: &str, key: &ContentKey, id: NoteId, date: Date) -> String {
        let properties = [
            ("title", Value::Text(plain::one_line(project, 160))),
            ("kind", Value::Text(NoteKind::Project.as_str().to_owned())),
            ("project", Value::Text(project.to_owned())),
            ("tags", Value::List(vec!["afterword".to_owned()])),
            ("created", Value::Date(date)),
            ("id", Value::Text(id.to_string())),
            ("key", Value::Text(key.0.clone())),
        ];
        let block = block::render(OVERVIEW, &self.render_block(), "\n");
        format!("{}\n{block}", render::render_front_matter(&properties))
    }
}

fn section(heading: &str, lines: &BTreeSet<OverviewLine>) -> String {
    let links =
        lines.iter().map(|line| format!("- {}", markdown::wikilink(line.path.link_target(), &line.title)));
    format!("## {heading} ({})\n\n{}", lines.len(), links.collect::<Vec<_>>().join("\n"))
}
