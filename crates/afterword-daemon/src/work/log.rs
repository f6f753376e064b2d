//! What a reflection leaves in the log of its job: what was done, the list of its steps, and a note for the next one.

use std::fmt::Write as _;

use afterword_core::Confidence;
use serde::Serialize;

use afterword_app::note_change::WaitingPlace;
use afterword_app::reflect::progress::Step;
use afterword_app::reflect::{Reflection, SessionReflection};
use afterword_app::web_cache::WebResultCounts;

/// One step of a job, as its to-do list has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct TodoItem {
    /// What was to be done.
    pub(super) task: String,
    /// Whether it was.
    pub(super) status: TodoStatus,
}

/// Where a step stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TodoStatus {
    /// Still to be done.
    Pending,
    /// Being done.
    Doing,
    /// Done.
    Done,
}

pub(super) fn done_item(task: impl Into<String>) -> TodoItem {
    TodoItem { task: task.into(), status: TodoStatus::Done }
}

pub(super) fn pending(task: impl Into<String>) -> TodoItem {
    TodoItem { task: task.into(), status: TodoStatus::Pending }
}

pub(super) fn doing(task: impl Into<String>) -> TodoItem {
    TodoItem { task: task.into(), status: TodoStatus::Doing }
}

/// The steps of a reflection that is under way, as far as a step of it tells.
pub(super) fn todo_at(step: &Step<'_>) -> Vec<TodoItem> {
    const WRITE: &str = "write what is found";
    match step {
        Step::Planned { bytes, .. } => vec![pending(format!("read {bytes} bytes")), pending(WRITE)],
        Step::Reading { bytes, .. } => vec![doing(format!("read {bytes} bytes")), pending(WRITE)],
        Step::Failed { bytes, .. } => vec![pending(format!("read {bytes} bytes")), pending(WRITE)],
        Step::Mined { session, .. } => {
            let write = format!("write {} lessons and ideas", session.candidates.len());
            vec![done_item(format!("read {} entries", session.entries)), pending(write)]
        }
        Step::Writing { lessons } => {
            vec![done_item("read the session"), doing(format!("write {lessons} lessons and ideas"))]
        }
    }
}

/// A to-do list as a log keeps it.
pub(super) fn json(items: &[TodoItem]) -> String {
    serde_json::to_string(items).unwrap_or_else(|_| "[]".to_owned())
}

/// The steps of a reflection; what waits for the user is still to be done.
pub(super) fn todo(reflection: &Reflection) -> Vec<TodoItem> {
    let mut items: Vec<_> =
        reflection.sessions.iter().map(|one| done_item(format!("read {} entries", one.entries))).collect();
    for note in &reflection.notes {
        match (&note.refused, note.waits) {
            (Some(_), _) => items.push(pending(format!("write {}", note.path))),
            (None, Some(WaitingPlace::Review)) => {
                items.push(done_item(format!("write {}", note.path)));
                items.push(pending(format!("review \"{}\"", note.title)));
            }
            (None, _) => items.push(done_item(format!("write {}", note.path))),
        }
    }
    items
}

/// What was read and found, in words, secrets already taken out.
pub(super) fn transcript(reflection: &Reflection, previous: Option<&str>) -> String {
    let mut text = String::new();
    if let Some(previous) = previous {
        let _ = writeln!(text, "the last reflection said: {previous}");
    }
    for session in &reflection.sessions {
        write_session(&mut text, session);
    }
    for note in &reflection.notes {
        let end = match (&note.refused, note.waits) {
            (Some(why), _) => format!("not written: {why}"),
            (None, Some(WaitingPlace::Review)) => "written, waits for review".to_owned(),
            (None, Some(WaitingPlace::Inbox)) => "written to the inbox".to_owned(),
            (None, None) => "written".to_owned(),
        };
        let _ = writeln!(text, "{}: {end}", note.path);
    }
    if reflection.known > 0 {
        let _ = writeln!(text, "{} of them were known already", reflection.known);
    }
    let curated = reflection.sessions.first().map(|session| session.pages).unwrap_or_default();
    if curated != WebResultCounts::default() {
        let (kept, dropped) = (curated.kept, curated.dropped);
        let _ = writeln!(text, "of its web results {kept} were filed and {dropped} dropped");
    }
    text
}

fn write_session(text: &mut String, session: &SessionReflection) {
    let _ = writeln!(text, "read {} entries of {} with the engine's rules", session.entries, session.session);
    if let Some(advice) = &session.advice {
        let _ = writeln!(text, "{} was asked about what they found", advice.by);
        if let Some(unread) = &advice.unread {
            let _ =
                writeln!(text, "it was not asked about all of it, and what was found there stays: {unread}");
        }
        for (title, why) in &advice.dropped {
            let _ = writeln!(text, "dropped of its answer: {title}: {why}");
        }
    }
    if session.skipped.total > 0 {
        let _ = writeln!(text, "{} lines could not be read", session.skipped.total);
    }
    for candidate in &session.candidates {
        let confidence = match candidate.confidence {
            Confidence::High => "high",
            Confidence::Medium => "medium",
            Confidence::Low => "low",
        };
        let _ = writeln!(text, "found ({confidence}): {}: {}", candidate.title, candidate.rationale);
    }
}

/// What the next reflection should know.
pub(super) fn handoff_note(reflection: &Reflection) -> String {
    let session = reflection.sessions.first();
    let written = reflection.notes.iter().filter(|note| note.refused.is_none()).count();
    let waits = reflection.notes.iter().filter(|note| note.waits == Some(WaitingPlace::Review)).count();
    let mut text = format!(
        "Read up to {} ({} entries), found {}, changed {written} notes; {waits} wait for review.",
        session.and_then(|one| one.last_activity).map_or("its end".to_owned(), |at| at.to_string()),
        session.map_or(0, |one| one.entries),
        session.map_or(0, |one| one.candidates.len()),
    );
    if let Some(title) = session.and_then(|one| one.title.as_deref()) {
        let _ = write!(text, " It was about: {title}");
    }
    if let Some(advice) = session.and_then(|one| one.advice.as_ref()).filter(|one| !one.handoff.is_empty()) {
        let _ = write!(text, " {} says: {}", advice.by, advice.handoff);
    }
    text
}
