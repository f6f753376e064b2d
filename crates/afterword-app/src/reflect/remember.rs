//! What the database is told of sessions once their notes are written.

use std::collections::HashSet;

use afterword_core::SessionState;
use afterword_store::{
    SessionFile, Store, StoreError, TimelineEntry, TimelineEvent, TranscriptOutcome, census::CensusEntry,
};
use jiff::Timestamp;

use super::mine::{MinedSession, SkippedSession};
use crate::engine::version_in_place_of;

/// Remembers that a session was reflected, what was too weak for a lesson, and what its entries are made of.
pub(super) fn session(
    store: &Store,
    mined: &MinedSession,
    root: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    let (session, report) = (&mined.reflection, &mined.report);
    store.observations().replace(&session.session, &mined.observations)?;
    store.sessions().put(&SessionFile {
        path: mined.selected.path.clone(),
        session: session.session.clone(),
        sidechain: false,
        project: session.project.clone(),
        fingerprint: mined.selected.fingerprint,
        outcome: TranscriptOutcome::Reflected,
        at,
        engine: mined.engine.to_string(),
        engine_version: version_in_place_of(mined.engine, mined.in_place_of),
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
    store.forgotten_sessions().remove(&mined.selected.session)?;
    store.timeline().add(&TimelineEntry {
        session: mined.selected.session.clone(),
        at,
        what: TimelineEvent::Came(SessionState::Reflected),
        detail: Some(format!("{entries} entries read, {found} found")),
    })?;
    let first_seen_in = mined.selected.path.to_string_lossy();
    let seen = |field: &str, value: &str, known| CensusEntry {
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
pub(super) fn remember_skipped(
    store: &Store,
    passed: &SkippedSession,
    at: Timestamp,
) -> Result<(), StoreError> {
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
