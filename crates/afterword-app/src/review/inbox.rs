//! The inbox empties itself: what nobody answered for long goes to the archive.
//!
//! It is counted from when a lesson began to wait, not from its session. A note is left where it is that a person changed, moved,
//! answered, put off lately or linked to, and one that this machine did not write. The same may be learned again: it is no
//! rejection.

use std::collections::HashMap;

use afterword_core::{JobStatus, JobType, NoteId};
use afterword_store::jobs::{DuplicatePolicy, NewJob};
use afterword_store::{Store, WrittenNote};
use afterword_vault::{NoteEditor, NoteEntry, RevisionOutcome, Vault, VaultPath, layout};
use jiff::{SignedDuration, Timestamp, Zoned};
use serde::Serialize;

use super::queue;
use crate::error::ReviewError;
use crate::note;
use crate::vault_session::VaultSession;
use crate::{App, Error, indexing};

/// The maintenance task's name.
pub const INBOX: &str = "inbox";
/// A task that failed is not tried again for so long.
const AGAIN: SignedDuration = SignedDuration::from_hours(24);

/// What left the inbox, as it is kept with the job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExpiredLessons {
    /// The same in a sentence.
    pub summary: String,
    /// The notes that left.
    pub archived: Vec<ExpiredLesson>,
}

/// A lesson that left the inbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExpiredLesson {
    /// Its title.
    pub title: String,
    /// Its note now, below the vault's root.
    pub path: String,
}

/// Since when each lesson waits that this machine wrote: since its note was written, or an answer was taken back.
pub(crate) fn waiting_since(app: &App, store: Option<&Store>) -> Result<HashMap<NoteId, Timestamp>, Error> {
    let Some(store) = store else { return Ok(HashMap::new()) };
    let mut since = store.written_notes(&app.vault_root()).first_written_at()?;
    for row in store.decisions().all(None)? {
        let (Some(note), Some(undone)) = (row.decision.note, row.undone_at) else { continue };
        since.entry(note).and_modify(|at| *at = undone.max(*at));
    }
    Ok(since)
}

/// Queues the task where something is due to leave the inbox.
pub fn queue_inbox_expiry(app: &App, store: &Store, now: Timestamp) -> Result<(), Error> {
    let Ok(vault) = app.open_vault() else { return Ok(()) };
    let last = store.jobs().last_job_about(JobType::Maintenance, INBOX)?;
    let is_enough = last.is_some_and(|job| match job.status {
        JobStatus::Queued | JobStatus::Running => true,
        JobStatus::Failed | JobStatus::Cancelled => {
            now.duration_since(job.completed_at.unwrap_or(job.queued_at)) < AGAIN
        }
        JobStatus::Completed => false,
    });
    if is_enough || unanswered_notes(app, store, &vault, now)?.is_empty() {
        return Ok(());
    }
    let job = NewJob::about(JobType::Maintenance, INBOX, DuplicatePolicy::ReportExisting, now);
    store.jobs().enqueue(&job, now)?;
    Ok(())
}

/// Moves to the archive what nobody answered in time.
pub fn archive_unanswered(app: &App, now: &Zoned) -> Result<ExpiredLessons, Error> {
    let days = app.config.inbox_days;
    let mut session = VaultSession::begin(app)?;
    let mut archived = Vec::new();
    for entry in unanswered_notes(app, &session.store, &session.vault, now.timestamp())? {
        let refused = |source| ReviewError::Unchangeable { path: entry.path.to_string(), source };
        let revision = NoteEditor::new(&session.index).expire(&entry, now.date(), days).map_err(refused)?;
        // Who changes it at this moment keeps it.
        if let RevisionOutcome::Done { .. } = session.write_revision(note::id_of(&entry)?, &revision)? {
            archived.push(ExpiredLesson { title: note::title_of(&entry), path: revision.to.to_string() });
        }
    }
    if !archived.is_empty() {
        session.renew_overviews_or_log(now)?;
        drop(session);
        indexing::index_changes(app);
    }
    let summary = match archived.len() {
        1 => format!("1 lesson that nobody answered for {days} days went to the archive."),
        many => format!("{many} lessons that nobody answered for {days} days went to the archive."),
    };
    Ok(ExpiredLessons { summary, archived })
}

/// The notes in the inbox that are as they were written, and that nobody answered for long.
fn unanswered_notes(
    app: &App,
    store: &Store,
    vault: &Vault,
    now: Timestamp,
) -> Result<Vec<NoteEntry>, Error> {
    let days = i64::try_from(app.config.inbox_days).unwrap_or(0);
    let before = now.checked_sub(SignedDuration::from_hours(24 * days)).unwrap_or(Timestamp::MIN);
    if days == 0 {
        return Ok(Vec::new());
    }
    let answered = last_answers(store)?;
    let mut found = Vec::new();
    for written in latest_per_note(store.written_notes(&vault.root().to_string_lossy()).all()?) {
        let touched = answered.get(&written.note).copied().unwrap_or(Timestamp::MIN).max(written.at);
        let path = VaultPath::parse(&written.path).filter(|path| path.is_below(layout::INBOX));
        let Some(path) = path.filter(|_| touched <= before) else { continue };
        let entry = vault.note(&path)?.filter(|entry| is_as_written(entry, &written));
        found.extend(entry.filter(queue::is_waiting));
    }
    if !found.is_empty() {
        let linked = vault.link_targets()?;
        found.retain(|entry| !linked.has(&entry.path));
    }
    Ok(found)
}

/// The row of each note that was written last.
fn latest_per_note(rows: Vec<WrittenNote>) -> Vec<WrittenNote> {
    let mut by_note: HashMap<NoteId, WrittenNote> = HashMap::new();
    for row in rows {
        match by_note.get(&row.note) {
            Some(known) if known.at >= row.at => {}
            _ => drop(by_note.insert(row.note, row)),
        }
    }
    let mut latest: Vec<_> = by_note.into_values().collect();
    latest.sort_by(|one, other| one.path.cmp(&other.path));
    latest
}

/// When a person last answered each lesson, or took an answer back.
fn last_answers(store: &Store) -> Result<HashMap<NoteId, Timestamp>, Error> {
    let mut answered: HashMap<NoteId, Timestamp> = HashMap::new();
    for row in store.decisions().all(None)? {
        let Some(note) = row.decision.note else { continue };
        let at = answered.entry(note).or_insert(Timestamp::MIN);
        *at = row.decision.decided_at.max(row.undone_at.unwrap_or(Timestamp::MIN)).max(*at);
    }
    Ok(answered)
}

/// Nobody but Afterword wrote the note, and it was not moved.
fn is_as_written(entry: &NoteEntry, written: &WrittenNote) -> bool {
    entry.properties.id == Some(written.note)
        && entry.hash.as_str() == written.content_hash
        && entry.properties.review.is_none()
}
