//! The answers that can be taken back: the person's own, and rules that took the place of others because of what was said later.

use afterword_core::NoteId;
use afterword_core::hidden::escape_hidden;
use afterword_store::Verdict;
use afterword_vault::VaultIndex;
use jiff::Timestamp;
use serde::Serialize;

use crate::{App, Error, note};

/// An answer that stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct RecordedAnswer {
    /// Its number, by which it is taken back.
    pub id: i64,
    /// The lesson's note; none where it is gone.
    pub note: Option<NoteId>,
    /// What was decided.
    pub verdict: Verdict,
    /// The lesson's title.
    pub title: String,
    /// The title of the lesson whose place it took; none where it took none, or its note is gone.
    pub superseded: Option<String>,
    /// Why; empty where nothing was said.
    pub reason: String,
    /// When.
    pub at: Timestamp,
    /// The lesson's note, below the vault's root; none where it is gone.
    pub path: Option<String>,
}

/// The answers that stand, the latest first; only those of one verdict where it is given.
///
/// # Errors
/// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), or [`Error::Vault`] or [`Error::Store`].
pub fn list_answers(app: &App, verdict: Option<Verdict>) -> Result<Vec<RecordedAnswer>, Error> {
    let index = app.open_vault()?.scan()?;
    let Some(store) = app.existing_store()? else { return Ok(Vec::new()) };
    let rows = store.decisions().all(verdict)?.into_iter().filter(|row| row.undone_at.is_none());
    let entry = |id: Option<NoteId>| by_id(&index, id);
    let answers = rows.map(|row| RecordedAnswer {
        id: row.id.0,
        note: row.decision.note.filter(|id| index.by_id(*id).is_some()),
        verdict: row.decision.verdict,
        superseded: entry(row.decision.superseded)
            .map(|entry| escape_hidden(&note::title_of(entry)).into_owned()),
        path: entry(row.decision.note).map(|entry| entry.path.to_string()),
        title: escape_hidden(&row.decision.title).into_owned(),
        reason: escape_hidden(&row.decision.reason).into_owned(),
        at: row.decision.decided_at,
    });
    Ok(answers.collect())
}

fn by_id(index: &VaultIndex, id: Option<NoteId>) -> Option<&afterword_vault::NoteEntry> {
    id.and_then(|id| index.by_id(id))
}
