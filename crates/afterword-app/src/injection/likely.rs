//! Rules that likely took the place of others and wait for the person's answer: until then a session is given the newer one, and never both.
//!
//! The index says which there may be; the newer note's own file has the last word, as ever.

use std::collections::HashMap;
use std::path::Path;

use afterword_core::NoteId;
use afterword_store::{SearchIndex, StoreError};
use afterword_vault::likely_replacement::{last_stated_on, likely_replaced};
use afterword_vault::{Note, Properties, Vault, VaultPath};
use jiff::civil::Date;

use super::LARGEST;
use super::choose::ChosenLesson;

/// Why the newer one is given.
const NEWER: &str = "you said it later; it likely takes the place of another, until you answer in review";
/// Why the older one is not.
pub(super) const REPLACED_REASON: &str =
    "what you said later likely takes its place and is given instead, until you answer in review";

/// Rules that wait, by the places of the notes they likely take the place of.
#[derive(Debug, Default)]
pub(super) struct LikelyChanges(HashMap<String, PendingRule>);

/// A rule that waits.
#[derive(Debug)]
pub(super) struct PendingRule {
    id: String,
    pub(super) path: String,
    title: String,
    said: Option<Date>,
}

impl LikelyChanges {
    /// Those of a project, and of none.
    pub(super) fn of(vault: &Path, index: &SearchIndex, project: &str) -> Result<Self, StoreError> {
        let mut changes: HashMap<String, PendingRule> = HashMap::new();
        for change in index.likely_changes(project)? {
            let Some((older, newer)) = read(vault, &change.newer, &change.id) else { continue };
            // Of several, the last word.
            let is_later =
                changes.get(&older).is_none_or(|known| (known.said, &known.id) < (newer.said, &newer.id));
            if is_later {
                changes.insert(older, newer);
            }
        }
        Ok(Self(changes))
    }

    /// What is given in the place of the note at `older`, which was said last on that day.
    pub(super) fn newer_than(&self, older: &str, said: Option<Date>) -> Option<&PendingRule> {
        self.0.get(older).filter(|newer| newer.said >= said)
    }

    /// What may be given in the place of the note at `older`.
    pub(super) fn of_older(&self, older: &str) -> Option<&PendingRule> {
        self.0.get(older)
    }
}

impl PendingRule {
    /// It is called by the person's own words, and nothing else of it is given.
    pub(super) fn lesson(&self, text: String) -> ChosenLesson {
        ChosenLesson {
            note: self.id.clone(),
            path: self.path.clone(),
            title: self.title.clone(),
            reason: NEWER,
            text: Some(text),
            is_report: false,
        }
    }

    pub(super) fn title(&self) -> &str {
        &self.title
    }
}

fn read(vault: &Path, path: &str, id: &str) -> Option<(String, PendingRule)> {
    let place = VaultPath::parse(path)?;
    let note = Note::parse(Vault::text_at(vault, &place, LARGEST).ok()??);
    let properties = Properties::of(&note);
    if properties.id.is_none() || properties.id != NoteId::parse(id) {
        return None;
    }
    let older = likely_replaced(&place, &note)?;
    let newer = PendingRule {
        id: id.to_owned(),
        path: path.to_owned(),
        said: last_stated_on(&properties),
        title: properties.title.unwrap_or_default(),
    };
    Some((older.as_str().to_owned(), newer))
}
