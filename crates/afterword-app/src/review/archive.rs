//! Archiving a lesson that counts: it is kept where it is, but does not count any more. No rejection: the same may be learned
//! again.

use afterword_core::NoteId;
use afterword_store::{DecisionId, Verdict};
use afterword_vault::{ReviewAnswer, Status};
use jiff::Zoned;

use crate::note;
use crate::review::undo;
use crate::vault_session::VaultSession;
use crate::{App, Error};

/// Archives a lesson, or brings an archived one back; one that was rejected comes back by taking the rejection back.
///
/// # Errors
/// [`NoteError::NoSuch`](crate::error::NoteError::NoSuch), [`ReviewError::Unchangeable`](crate::error::ReviewError::Unchangeable), [`ReviewError::Changing`](crate::error::ReviewError::Changing), or [`Error::Vault`] or [`Error::Store`].
pub fn archive_lesson(app: &App, argument: &str, archived: bool, now: &Zoned) -> Result<(), Error> {
    let mut session = VaultSession::begin(app)?;
    let entry = note::find(&session.index, argument)?;
    let id: NoteId = note::id_of(entry)?;
    if !archived && entry.properties.review == Some(ReviewAnswer::Reject) {
        let rejected = |row: &afterword_store::DecisionRow| row.decision.verdict == Verdict::Reject;
        let decision: Option<DecisionId> =
            session.store.decisions().of_note(id)?.into_iter().find(rejected).map(|row| row.id);
        if let Some(DecisionId(decision)) = decision {
            drop(session);
            return undo::undo_decision(app, Some(decision), now).map(drop);
        }
    }
    let status = status_of(archived);
    session.revise(id, &mut Vec::new(), |editor, entry| editor.set_status(entry, status))?;
    session.renew_overviews_or_log(now)
}

/// Archives lessons, or brings archived ones back, with one look at the vault; what was done before one that cannot be changed stays.
///
/// # Errors
/// As [`archive_lesson`].
pub fn archive_lessons(app: &App, notes: &[String], archived: bool, now: &Zoned) -> Result<(), Error> {
    let mut session = VaultSession::begin(app)?;
    let status = status_of(archived);
    let revise = |argument: &String| {
        let id = note::id_of(note::find(&session.index, argument)?)?;
        session.revise(id, &mut Vec::new(), |editor, entry| editor.set_status(entry, status))
    };
    let done = notes.iter().try_for_each(|argument| revise(argument).map(drop));
    session.renew_overviews_or_log(now)?;
    done
}

fn status_of(archived: bool) -> Status {
    if archived { Status::Archived } else { Status::Active }
}
