//! The ideas that sessions put off for later, as the ledger and the incubator have them.

mod background;
mod research;

use std::collections::HashMap;

use afterword_core::ConversationId;
use afterword_vault::research::is_researched;
use afterword_vault::{NoteKind, html, ideas};
use serde::Serialize;

use crate::lessons::{LessonLine, line};
use crate::{Agent, Error};
pub use research::Researched;

/// An idea.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Idea {
    /// What is known of its page.
    #[serde(flatten)]
    pub line: LessonLine,
    /// The user ticked its line in the ledger.
    pub done: bool,
    /// Its page has what a model said of it.
    pub researched: bool,
    /// The conversation in which it is being researched.
    pub research: Option<ConversationId>,
    /// Its text as safe HTML.
    pub html: String,
}

impl Agent {
    /// Lists the ideas, open ones first, the latest first.
    ///
    /// # Errors
    /// [`Error::NoVault`], or what the vault said.
    pub fn ideas(&self) -> Result<Vec<Idea>, Error> {
        let index = self.open_vault()?.scan()?;
        let ticked: HashMap<String, bool> = index
            .ideas()
            .map(|ledger| ideas::lines(&ledger.note))
            .unwrap_or_default()
            .into_iter()
            .map(|line| (line.block_id, line.done))
            .collect();
        let under_way = self.ideas_under_way()?;
        let mut list: Vec<Idea> = index
            .notes()
            .filter(|entry| entry.properties.kind == Some(NoteKind::Idea))
            .map(|entry| {
                let key = entry.properties.key.as_ref().map(ideas::block_id);
                let body = entry.note.body();
                let words = &body[..body.find("\n## Evidence").unwrap_or(body.len())];
                let line = line(entry);
                Idea {
                    researched: is_researched(entry),
                    research: under_way.get(&line.id).copied(),
                    line,
                    done: key.and_then(|key| ticked.get(&key).copied()).unwrap_or(false),
                    html: html::html(words),
                }
            })
            .collect();
        list.sort_by(|one, other| {
            (one.done, other.line.created, &one.line.path).cmp(&(
                other.done,
                one.line.created,
                &other.line.path,
            ))
        });
        Ok(list)
    }
}
