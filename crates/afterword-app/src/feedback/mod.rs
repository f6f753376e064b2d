//! What came of lessons that were given to sessions: told by people and agents, or seen in a session's own signals; and what
//! it makes a lesson worth.
//!
//! Nothing counts merely because nothing went wrong. What was said loses weight with time, and lessons that were given again
//! and again without ever helping sink. Start at [`give_feedback`].

mod bonus;
mod repeated_lessons;
mod signals;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use afterword_core::{NoteId, SessionId};
use afterword_store::{Bonus, FeedbackRow, SearchIndex};
use jiff::Timestamp;

use crate::log::OrLog;
use crate::note;
use crate::{App, Error};
pub use afterword_store::FeedbackKind;
pub use bonus::{LessonUsefulness, WeighedLesson, weighed_lessons};
pub(crate) use repeated_lessons::restated_lessons_in;
pub use repeated_lessons::{RestatedLesson, restated_lessons, restated_lessons_by};
pub(crate) use signals::record_signals;

/// The longest reason, in bytes.
const LONGEST_REASON: usize = 4 * 1024;

/// What puts a lesson before all others of its project, whatever they are: no two are further apart.
const COMES_FIRST: f64 = 40.0;

/// A word on a lesson.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFeedback {
    /// The lesson's note: its id, the start of it, or its path.
    pub note: String,
    /// What came of it.
    pub worth: FeedbackKind,
    /// The session it was given to, where that is known.
    pub session: Option<SessionId>,
    /// Who says so: `person` or `agent`.
    pub source: &'static str,
    /// Why; may be empty.
    pub reason: String,
}

/// Remembers what came of a lesson, and weighs it anew. Gives the note's id.
///
/// # Errors
/// [`NoteError::NoSuch`](crate::error::NoteError::NoSuch), [`NoteError::Ambiguous`](crate::error::NoteError::Ambiguous), [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), or [`Error::Vault`] or [`Error::Store`].
pub fn give_feedback(app: &App, given: &NewFeedback, now: Timestamp) -> Result<NoteId, Error> {
    let index = app.open_vault()?.scan()?;
    let id = note::id_of(note::find(&index, &given.note)?)?;
    let reason = app.redaction().text(given.reason.trim());
    let reason = reason[..reason.floor_char_boundary(LONGEST_REASON)].to_owned();
    let store = app.store()?;
    store.feedback().add(&FeedbackRow {
        note: id,
        session: given.session.clone(),
        worth: given.worth,
        source: given.source.to_owned(),
        reason,
        at: now,
    })?;
    weigh_lessons(app, Some(now))?;
    Ok(id)
}

/// As [`weigh_lessons`], for what was just written: what cannot be told now is told anew whenever it can.
pub(crate) fn weigh_changes(app: &App, now: Timestamp) {
    weigh_lessons(app, Some(now)).or_log("weighing the lessons");
}

/// Tells the index what lessons proved to be worth by now, or when the last word on one was said. Without an index
/// nothing is told: it is weighed when it is made.
pub(crate) fn weigh_lessons(app: &App, now: Option<Timestamp>) -> Result<(), Error> {
    let Some(index) = SearchIndex::open_existing(&app.paths.search_index())? else { return Ok(()) };
    let Some(store) = app.existing_store()? else { return Ok(()) };
    let newest = || store.feedback().all().map(|all| all.into_iter().map(|(.., at)| at).max());
    let now = match now {
        Some(now) => now,
        None => newest()?.unwrap_or_default(),
    };
    let worths = bonus::usefulness_by_lesson(app, now)?.into_iter();
    let mut bonuses: HashMap<String, Bonus> = worths
        .map(|(id, worth)| (id.to_string(), Bonus { found: worth.bonus, given: worth.bonus }))
        .collect();
    for id in repeated_lessons::most_needed_lessons(&store, now)? {
        bonuses.entry(id.to_string()).or_default().given += COMES_FIRST;
    }
    Ok(index.writer().set_bonuses(&bonuses)?)
}
