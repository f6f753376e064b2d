//! What the database is told once notes are written, and what it told the vault before.

use std::collections::{HashMap, HashSet};

use afterword_core::{ContentKey, SessionId, SessionState};
use afterword_store::{
    Happening, Outcome, SessionFile, Store, StoreError, TimelineEntry, WrittenNote, census::Seen,
};
use afterword_vault::{Applied, ContentHash, VaultPath, Written};
use jiff::Timestamp;

use super::mine::{Mined, SkippedSession};

/// What was written to the vault before, as its plan wants it.
///
/// Of a row whose path or hash cannot be read, the rest counts: its lesson is known, so that one that was deleted does not
/// come back, and its note is a person's, which is never written over. [`unreadable`] counts such rows.
pub(crate) fn written_before(store: &Store, root: &str) -> Result<HashMap<ContentKey, Written>, StoreError> {
    let unknown = VaultPath::parse("Afterword/unknown").expect("a plain path");
    let known = store.written_notes(root).all()?.into_iter().map(|row| {
        let path = VaultPath::parse(&row.path).unwrap_or_else(|| unknown.clone());
        // No note is empty.
        let content_hash = ContentHash::parse(&row.content_hash).unwrap_or_else(|| ContentHash::of(b""));
        (row.key, Written { id: row.note, path, content_hash })
    });
    Ok(known.collect())
}

/// How many rows about written notes have a path or a hash that cannot be read.
pub(crate) fn unreadable(store: &Store, root: &str) -> Result<usize, StoreError> {
    let is_unreadable = |row: &&WrittenNote| {
        VaultPath::parse(&row.path).is_none() || ContentHash::parse(&row.content_hash).is_none()
    };
    Ok(store.written_notes(root).all()?.iter().filter(is_unreadable).count())
}

/// Remembers the notes of a plan that were written, each with the session that taught it.
pub(crate) fn notes(
    store: &Store,
    root: &str,
    applied: &Applied,
    sessions: &HashMap<&ContentKey, &SessionId>,
    at: Timestamp,
) -> Result<(), StoreError> {
    for record in &applied.records {
        store.written_notes(root).put(&WrittenNote {
            key: record.key.clone(),
            note: record.written.id,
            path: record.written.path.to_string(),
            content_hash: record.written.content_hash.to_string(),
            session: sessions.get(&record.key).map(|session| (*session).clone()),
            at,
        })?;
    }
    Ok(())
}

/// Remembers that a session was reflected, what was too weak for a lesson, and what its entries are made of.
pub(super) fn session(store: &Store, mined: &Mined, root: &str, at: Timestamp) -> Result<(), StoreError> {
    let (session, report) = (&mined.reflection, &mined.report);
    store.observations().replace(&session.session, &mined.observations)?;
    store.sessions().put(&SessionFile {
        path: mined.selected.path.clone(),
        session: session.session.clone(),
        sidechain: false,
        project: session.project.clone(),
        fingerprint: mined.selected.fingerprint,
        outcome: Outcome::Reflected,
        at,
        engine: mined.engine.to_string(),
        engine_version: super::select::version(mined.engine, mined.in_place_of),
        vault: root.to_owned(),
        first_entry_at: report.started,
        last_entry_at: report.last_activity,
        entries: report.entries,
        skipped_lines: report.skipped.total,
        candidates: session.candidates.len() as u64,
        files: mined.files.clone(),
    })?;
    let (entries, found) = (report.entries, session.candidates.len());
    // Whoever asks for a session by name wants it known again; by themselves, forgotten ones are not read.
    store.forgotten().remove(&mined.selected.session)?;
    store.timeline().add(&TimelineEntry {
        session: mined.selected.session.clone(),
        at,
        what: Happening::Came(SessionState::Reflected),
        detail: Some(format!("{entries} entries read, {found} found")),
    })?;
    let first_seen_in = mined.selected.path.to_string_lossy();
    let seen = |field: &str, value: &str, known| Seen {
        field: field.to_owned(),
        value: value.to_owned(),
        known,
        first_seen_at: at,
        first_seen_in: first_seen_in.clone().into_owned(),
    };
    let unknown: HashSet<&str> = report.census.unknown_kinds().map(|(kind, _)| kind).collect();
    let types = report.census.kinds.keys().map(|kind| seen("type", kind, !unknown.contains(kind.as_str())));
    let versions = report.census.versions.keys().map(|version| seen("version", version, true));
    let blocks = report.census.unknown_blocks.keys().map(|block| seen("block", block, false));
    store.census().add(&types.chain(versions).chain(blocks).collect::<Vec<_>>())
}

/// Remembers that a session is not to be reflected.
pub(super) fn passed(store: &Store, passed: &SkippedSession, at: Timestamp) -> Result<(), StoreError> {
    store.sessions().put(&SessionFile {
        path: passed.selected.path.clone(),
        session: passed.selected.session.clone(),
        sidechain: false,
        project: Some(passed.project.clone()),
        fingerprint: passed.selected.fingerprint,
        outcome: passed.outcome,
        at,
        engine: String::new(),
        engine_version: String::new(),
        vault: String::new(),
        first_entry_at: None,
        last_entry_at: None,
        entries: 0,
        skipped_lines: 0,
        candidates: 0,
        files: Vec::new(),
    })
}
