//! A lesson's life: when it was learned, said again, answered, given to sessions, and what came of it.
//!
//! Told by what the database has; a lesson of another machine has no more than the day in its note. Reads only.

use afterword_core::{NoteId, SessionId};
use afterword_store::{ComparisonOutcome, DecisionRow, FeedbackKind, Store, Verdict};
use jiff::{Timestamp, Zoned};
use serde::Serialize;

use crate::{App, Error, injection, note};

/// Sessions it was given to that are named at most: the latest.
const MOST_GIVEN: u32 = 50;

/// What happened to a lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum LessonStep {
    /// It was learned.
    Learned,
    /// A session said it again.
    Repeated,
    /// A session said the contrary.
    Contradicted,
    /// The person approved it.
    Approved,
    /// The person put it in other words.
    Edited,
    /// The person rejected it.
    Rejected,
    /// The person postponed it.
    Postponed,
    /// The person archived it without an answer.
    Archived,
    /// It took the place of another one.
    Replaced,
    /// Another one took its place.
    Superseded,
    /// A session was given it.
    Given,
    /// A session did as it says.
    Applied,
    /// It was of use.
    Helped,
    /// It did not matter to a session that was given it.
    Ignored,
    /// A session went against it, or it was wrong.
    Refuted,
}

/// One thing that happened to a lesson.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct LessonEvent {
    /// When.
    pub at: Timestamp,
    /// What.
    pub what: LessonStep,
    /// The session it happened in.
    pub session: Option<SessionId>,
    /// The person's or the program's reason; empty where there is none.
    pub reason: String,
    /// It was taken back.
    pub undone: bool,
}

/// What happened to a lesson, the first first.
///
/// # Errors
/// [`NoteError::NoSuch`](crate::error::NoteError::NoSuch), [`NoteError::Ambiguous`](crate::error::NoteError::Ambiguous), [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), or [`Error::Vault`] or [`Error::Store`].
pub fn lesson_history(app: &App, argument: &str, now: &Zoned) -> Result<Vec<LessonEvent>, Error> {
    let index = app.open_vault()?.scan()?;
    let entry = note::find(&index, argument)?;
    let id = note::id_of(entry)?;
    let store = app.existing_store()?;
    let day = entry.properties.created.and_then(|day| day.to_zoned(now.time_zone().clone()).ok());
    let mut events = Vec::new();
    if let Some(learned) = learned_at(app, store.as_ref(), id)?.or_else(|| day.map(|day| day.timestamp())) {
        let session = entry.properties.session.as_deref().and_then(SessionId::parse);
        events.push(LessonEvent { session, ..event(learned, LessonStep::Learned) });
    }
    if let Some(store) = &store {
        injection::absorb_records(app, store)?;
        events.extend(comparison_events(store, id)?);
        events.extend(decision_events(store, id)?);
        let given = store.injections().sessions_given(id, MOST_GIVEN)?.into_iter();
        events.extend(
            given.map(|(session, at)| LessonEvent { session: Some(session), ..event(at, LessonStep::Given) }),
        );
        events.extend(store.feedback().of_note(id)?.into_iter().map(|row| LessonEvent {
            session: row.session,
            reason: row.reason,
            ..event(row.at, step_of(row.worth))
        }));
    }
    events.sort_by_key(|one| one.at);
    Ok(events)
}

fn event(at: Timestamp, what: LessonStep) -> LessonEvent {
    LessonEvent { at, what, session: None, reason: String::new(), undone: false }
}

fn learned_at(app: &App, store: Option<&Store>, id: NoteId) -> Result<Option<Timestamp>, Error> {
    let Some(store) = store else { return Ok(None) };
    Ok(store.written_notes(&app.vault_root()).first_written_at_of(id)?)
}

/// What sessions said about the same.
fn comparison_events(store: &Store, id: NoteId) -> Result<Vec<LessonEvent>, Error> {
    let rows = store.comparisons().with_note(id)?.into_iter();
    Ok(rows
        .filter_map(|row| {
            let what = match row.verdict {
                ComparisonOutcome::Same => LessonStep::Repeated,
                ComparisonOutcome::Contradicts => LessonStep::Contradicted,
                ComparisonOutcome::Rejected => return None,
            };
            Some(LessonEvent { session: Some(row.session), ..event(row.at, what) })
        })
        .collect())
}

fn decision_events(store: &Store, id: NoteId) -> Result<Vec<LessonEvent>, Error> {
    let of = |row: DecisionRow| {
        let decision = row.decision;
        let what = match decision.verdict {
            _ if decision.note == Some(id) => match decision.verdict {
                Verdict::Approve => LessonStep::Approved,
                Verdict::Edit => LessonStep::Edited,
                Verdict::Reject => LessonStep::Rejected,
                Verdict::Skip => LessonStep::Postponed,
                Verdict::Archive => LessonStep::Archived,
                Verdict::Supersede => LessonStep::Replaced,
            },
            Verdict::Supersede if decision.superseded == Some(id) => LessonStep::Superseded,
            _ => return None,
        };
        let undone = row.undone_at.is_some();
        Some(LessonEvent { reason: decision.reason, undone, ..event(decision.decided_at, what) })
    };
    Ok(store.decisions().history_of_note(id)?.into_iter().filter_map(of).collect())
}

fn step_of(worth: FeedbackKind) -> LessonStep {
    match worth {
        FeedbackKind::Applied => LessonStep::Applied,
        FeedbackKind::Helped => LessonStep::Helped,
        FeedbackKind::Ignored => LessonStep::Ignored,
        FeedbackKind::Contradicted => LessonStep::Refuted,
    }
}
