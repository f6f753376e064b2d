//! The rejections that hold, from the database and from the notes that travel with the vault.

use std::collections::{HashMap, HashSet};

use afterword_core::{Kind, NoteId};
use afterword_store::{Scope, Store};
use afterword_vault::{NoteEntry, ReviewAnswer, Status, VaultIndex};
use jiff::Timestamp;
use serde::Serialize;

use crate::note;
use crate::{App, Error};

/// A rejection that holds: nothing that means the same is offered in its scope.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rejection {
    /// The decision's number, by which it can be undone; none where it was made on another machine and is not taken up
    /// yet.
    pub id: Option<i64>,
    /// The note that was rejected; none where a person deleted it.
    pub note: Option<NoteId>,
    /// What sort of lesson it was.
    pub kind: Kind,
    /// Its title.
    pub title: String,
    /// Why, in the person's words; may be empty.
    pub reason: String,
    /// The project it holds in; none for everywhere.
    pub project: Option<String>,
    /// When it was decided here.
    pub at: Option<Timestamp>,
    /// The note, below the vault's root; empty where it is gone.
    pub path: String,
    /// What it means: title and text.
    #[serde(skip)]
    pub(crate) text: String,
}

/// The rejections that hold, the latest first.
///
/// # Errors
/// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), or [`Error::Vault`] or [`Error::Store`].
pub fn rejections(app: &App) -> Result<Vec<Rejection>, Error> {
    let index = app.open_vault()?.scan()?;
    let store = app.existing_store()?;
    let mut rejections = active_rejections(&index, store.as_ref())?;
    rejections.sort_by_key(|rejection| std::cmp::Reverse((rejection.at, rejection.id)));
    Ok(rejections)
}

/// The rejections that hold: those decided here, and those of notes that another machine rejected.
pub(crate) fn active_rejections(index: &VaultIndex, store: Option<&Store>) -> Result<Vec<Rejection>, Error> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    if let Some(store) = store {
        let names: HashMap<_, _> = store.projects().names()?;
        for row in store.decisions().all(Some(afterword_store::Verdict::Reject))? {
            if row.undone_at.is_some() {
                continue;
            }
            let entry = row.decision.note.and_then(|id| index.by_id(id));
            seen.extend(row.decision.note);
            // Revived in the editor and not taken up yet: the person's later word counts.
            if entry.is_some_and(|entry| entry.properties.effective_status() == Some(Status::Active)) {
                continue;
            }
            let project = match &row.decision.scope {
                Scope::Global => None,
                // The note says it where the person has joined or split projects since.
                Scope::Project(key) => entry
                    .and_then(|entry| entry.properties.project.clone())
                    .or_else(|| names.get(key).cloned())
                    .or_else(|| Some(key.as_str().to_owned())),
            };
            found.push(Rejection {
                id: Some(row.id.0),
                note: row.decision.note,
                kind: row.decision.kind,
                title: row.decision.title,
                reason: row.decision.reason,
                project,
                at: Some(row.decision.decided_at),
                path: entry.map(|entry| entry.path.to_string()).unwrap_or_default(),
                text: row.decision.words.join(" "),
            });
        }
    }
    let elsewhere = index.notes().filter(|entry| is_rejected(entry));
    let elsewhere = elsewhere.filter(|entry| entry.properties.id.is_none_or(|id| !seen.contains(&id)));
    found.extend(elsewhere.filter_map(of_note));
    Ok(found)
}

fn is_rejected(entry: &NoteEntry) -> bool {
    entry.properties.effective_status() == Some(Status::Archived)
        && entry.properties.review == Some(ReviewAnswer::Reject)
}

fn of_note(entry: &NoteEntry) -> Option<Rejection> {
    let everywhere = entry.note.text_of("review_scope").is_some();
    Some(Rejection {
        id: None,
        note: entry.properties.id,
        kind: note::lesson_kind(entry)?,
        title: note::title_of(entry),
        reason: entry.note.text_of("review_reason").unwrap_or_default().to_owned(),
        project: entry.properties.project.clone().filter(|_| !everywhere),
        at: None,
        path: entry.path.to_string(),
        text: note::text_of(entry),
    })
}
