//! What a session's own signals say of the lessons it was given: a lesson the person had to say again was ignored, one they
//! went against was contradicted.

use afterword_core::SessionId;
use afterword_store::{ComparisonOutcome, FeedbackKind, FeedbackRow, Store, StoreError};
use jiff::Timestamp;

/// Who says so.
const SOURCE: &str = "session";

/// Remembers what a session's lessons, compared with what is known, say of those it was given. Call it once the
/// comparisons are kept. Doing it again changes
/// nothing.
pub(crate) fn record_signals(store: &Store, session: &SessionId, at: Timestamp) -> Result<(), StoreError> {
    store.feedback().retract(session, SOURCE)?;
    let given = store.injections().of_session(session)?;
    let shown: Vec<&str> = given
        .iter()
        .flat_map(|injection| &injection.lessons)
        .filter(|lesson| lesson.shown)
        .map(|lesson| lesson.note.as_str())
        .collect();
    // Of all readings of the session: what was compared once is known the next time, and not compared again.
    for one in store.comparisons().of_session(session)? {
        let Some(note) = one.note.filter(|note| shown.contains(&note.to_string().as_str())) else {
            continue;
        };
        let (worth, why) = match one.verdict {
            ComparisonOutcome::Same => {
                (FeedbackKind::Ignored, "it was given, and the person had to say it again")
            }
            ComparisonOutcome::Contradicts => {
                (FeedbackKind::Contradicted, "it was given, and the person went against it")
            }
            ComparisonOutcome::Rejected => continue,
        };
        store.feedback().add(&FeedbackRow {
            note,
            session: Some(session.clone()),
            worth,
            source: SOURCE.to_owned(),
            reason: format!("{why}: {}", one.title),
            at,
        })?;
    }
    Ok(())
}
