//! Taking a decision back: notes get the text and the place they had, and what was decided holds no more.

use afterword_core::NoteId;
use afterword_store::{ComparisonOutcome, DecidedNote, DecisionId, DecisionRow, Store, StoreError, Verdict};
use afterword_vault::{ContentHash, NoteEntry, Status, VaultPath, layout};
use jiff::Zoned;
use serde::Serialize;

use super::decide::AnswerSession;
use crate::error::ReviewError;
use crate::review::decide;
use crate::{App, Error};

/// What taking a decision back did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct UndoReport {
    /// The decision's number.
    pub id: i64,
    /// What had been decided.
    pub verdict: Verdict,
    /// The lesson's title.
    pub title: String,
    /// Where its note is now; none where a person has deleted it.
    pub path: Option<String>,
    /// A person has changed the note since the decision, so their text stays and only its status went back.
    pub kept_changes: bool,
}

/// Takes a decision back; without a number the last one that stands.
///
/// # Errors
/// [`ReviewError::NoSuchDecision`], [`ReviewError::NoAnswerToUndo`], or [`Error::Vault`] or [`Error::Store`].
pub fn undo_decision(app: &App, id: Option<i64>, now: &Zoned) -> Result<UndoReport, Error> {
    let app = &app.with_temporary_scan_cache();
    let mut deciding = decide::open_answer_session(app)?;
    let last = || deciding.session.store.decisions().last_undoable();
    let id = match id {
        Some(id) => id,
        None => last()?.first().ok_or(ReviewError::NoAnswerToUndo)?.id.0,
    };
    let undone = UndoSession { deciding: &mut deciding }.undo(id, now)?;
    deciding.follow_up(app, now)?;
    Ok(undone)
}

/// Takes many decisions back, in the order given, with one look at the vault; each stands for itself. Overviews and the search
/// index still have to follow, by [`decide::follow_up`].
///
/// # Errors
/// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), [`Error::Vault`] or [`Error::Store`], which keep all of them from being taken back.
pub fn undo_without_follow_up(
    app: &App,
    ids: &[i64],
    now: &Zoned,
) -> Result<Vec<Result<UndoReport, Error>>, Error> {
    let mut deciding = decide::open_answer_session(app)?;
    let mut undoing = UndoSession { deciding: &mut deciding };
    Ok(ids.iter().map(|id| undoing.undo(*id, now)).collect())
}

/// The decisions of the answer that was given last and stands, the latest first: one, or those of all lessons it was given to.
///
/// # Errors
/// [`ReviewError::NoAnswerToUndo`] or [`Error::Store`].
pub fn last_answer(app: &App) -> Result<Vec<i64>, Error> {
    let last = app.store()?.decisions().last_undoable()?;
    if last.is_empty() {
        Err(ReviewError::NoAnswerToUndo.into())
    } else {
        Ok(last.iter().map(|row| row.id.0).collect())
    }
}

/// Taking decisions back.
struct UndoSession<'a> {
    deciding: &'a mut AnswerSession,
}

impl UndoSession<'_> {
    fn undo(&mut self, id: i64, now: &Zoned) -> Result<UndoReport, Error> {
        let row = self.deciding.session.store.decisions().get(DecisionId(id))?;
        let row = row.filter(|row| row.undone_at.is_none()).ok_or(ReviewError::NoSuchDecision { id })?;
        self.undo_row(&row, now)
    }

    fn undo_row(&mut self, row: &DecisionRow, now: &Zoned) -> Result<UndoReport, Error> {
        let notes = self.deciding.session.store.decided_notes().of(row.id)?;
        let here: Vec<_> =
            notes.into_iter().filter(|note| note.vault == self.deciding.session.root).collect();
        let mut undone = UndoReport {
            id: row.id.0,
            verdict: row.decision.verdict,
            title: row.decision.title.clone(),
            path: None,
            kept_changes: false,
        };
        let ids = [row.decision.note, row.decision.superseded];
        if ids.iter().flatten().any(|id| self.deciding.changed.contains(id)) {
            self.deciding.session.rescan()?;
            self.deciding.changed.clear();
        }
        for (position, id) in ids.into_iter().enumerate() {
            let Some(id) = id else { continue };
            if self.deciding.session.index.by_id(id).is_none() {
                continue;
            }
            let (path, kept) = if row.decision.verdict == Verdict::Skip {
                (self.deciding.session.index.by_id(id).map(|entry| entry.path.clone()), false)
            } else {
                // A rule that was taken back stands alone: nothing took its place.
                let counted = row.decision.verdict == Verdict::Supersede && row.decision.superseded.is_none();
                let (path, kept) = self.put_back(id, here.get(position), counted || position > 0)?;
                (Some(path), kept)
            };
            if position == 0 {
                undone.path = path.map(|path| path.to_string());
            }
            undone.kept_changes |= kept;
            self.deciding.changed.insert(id);
            if position == 0 && row.decision.superseded.is_some() {
                self.deciding.session.rescan()?;
            }
        }
        self.deciding.session.store.in_transaction(|store| {
            self.offer_again(store, row)?;
            store.decisions().undo(row.id, now.timestamp())
        })?;
        Ok(undone)
    }

    /// Lets the sessions be read again in which something was kept away because of a rejection.
    fn offer_again(&self, store: &Store, row: &DecisionRow) -> Result<(), StoreError> {
        let Some(note) = row.decision.note.filter(|_| row.decision.verdict == Verdict::Reject) else {
            return Ok(());
        };
        for kept_away in store.comparisons().with_note(note)? {
            if kept_away.verdict == ComparisonOutcome::Rejected {
                store.sessions().mark_unread(&kept_away.session)?;
            }
        }
        Ok(())
    }

    /// Gives a note back what it was; says whether changes of a person's were kept.
    fn put_back(
        &self,
        id: NoteId,
        before: Option<&DecidedNote>,
        was_superseded: bool,
    ) -> Result<(VaultPath, bool), Error> {
        let place = before.and_then(|note| VaultPath::parse(&note.path_before));
        let is_untouched = |entry: &NoteEntry, note: &&DecidedNote| {
            ContentHash::parse(&note.hash_after).as_ref() == Some(&entry.hash)
        };
        let kept = self
            .deciding
            .session
            .index
            .by_id(id)
            .is_some_and(|entry| before.is_none_or(|note| !is_untouched(entry, &note)));
        let path = self.deciding.session.revise(id, &mut Vec::new(), |editor, entry| {
            let exact = before.filter(|note| is_untouched(entry, note));
            if let (Some(note), Some(place)) = (exact, &place) {
                // Where a person moved it since, it stays.
                let moved = entry.path.as_str() != note.path_after;
                let to = if moved { &entry.path } else { place };
                return Ok(editor.restore(entry, note.content_before.clone(), to));
            }
            if was_superseded {
                return editor.reactivate(entry);
            }
            if place.as_ref().is_some_and(|place| !waits_at(place)) {
                return editor.set_status(entry, Status::Active);
            }
            let to = place.clone().or_else(|| {
                let folder = match entry.properties.confidence {
                    Some(afterword_core::Confidence::Low) => layout::INBOX,
                    _ => layout::REVIEW,
                };
                VaultPath::parse(&format!("{folder}/{}", entry.path.name()))
            });
            editor.reopen(entry, to.as_ref().unwrap_or(&entry.path))
        })?;
        Ok((path, kept))
    }
}

/// Notes at this place wait for an answer.
fn waits_at(place: &VaultPath) -> bool {
    place.is_below(layout::REVIEW) || place.is_below(layout::INBOX)
}
