//! Word that a reflection ended, for whoever works on in its project.

use afterword_core::{Job, SessionId, Trigger};
use jiff::Timestamp;

use super::{CompletedJob, ReflectionResult, WorkEnd, Worker};
use afterword_app::injection::{self, FinishedReflection};
use afterword_app::note_change::{NoteChange, NoteChangeKind, WaitingPlace};
use afterword_app::queue::ReflectionPayload;
use afterword_app::session_location::session_location;
use afterword_app::{Error, sessions};

/// Leaves word of a reflection that is done, or that failed for good. Of a session that is passed over there is none.
///
/// # Errors
/// [`Error::Io`].
pub(super) fn write_finished(
    worker: &Worker,
    job: &Job,
    session: Option<&SessionId>,
    end: &WorkEnd,
    at: Timestamp,
) -> Result<(), Error> {
    let Some(session) = session else { return Ok(()) };
    let (saved, waiting, failure) = match end {
        WorkEnd::Completed(completed) if reason_to_skip(completed) => return Ok(()),
        WorkEnd::Completed(completed) => {
            let lessons = || completed.notes.iter().filter(|note| is_lesson(note));
            let waits = lessons().filter(|note| note.waits == Some(WaitingPlace::Review)).count();
            (lessons().filter(|note| note.waits.is_none()).count(), waits, None)
        }
        WorkEnd::Failed { reason, again_at: None } => (0, 0, Some(reason.clone())),
        _ => return Ok(()),
    };
    // What cannot be understood any more was told with the job.
    let Ok(payload) = serde_json::from_str::<ReflectionPayload>(&job.payload) else { return Ok(()) };
    let named =
        || sessions::find(worker.app.claude(), &worker.app.environment().working_directory, session.as_str());
    let Some(path) = payload.transcript.or_else(|| named().ok().map(|found| found.path)) else {
        return Ok(());
    };
    // A transcript that is gone belongs to no project.
    let Ok(Some(place)) = session_location(&path, &worker.app.config().folders) else { return Ok(()) };
    let finished = FinishedReflection {
        session: session.clone(),
        project: place.project,
        at,
        was_asked_for: payload.trigger == Trigger::Manual,
        saved,
        waiting,
        failure,
    };
    injection::write_finished_reflection(&worker.app, &finished)
}

fn is_lesson(note: &NoteChange) -> bool {
    matches!(note.what, NoteChangeKind::Lesson { .. }) && note.refused.is_none()
}

fn reason_to_skip(completed: &CompletedJob) -> bool {
    serde_json::from_str(&completed.result).is_ok_and(|result: ReflectionResult| result.passed_over.is_some())
}
