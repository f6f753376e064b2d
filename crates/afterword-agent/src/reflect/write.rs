//! A batch of mined sessions into the vault, and then into the database.

use std::collections::{HashMap, HashSet};

use afterword_core::{ContentKey, Destination, ProjectKey, SessionId, route};
use afterword_store::{Outcome as Dealt, SessionFile, Store, StoreError, WrittenNote, census::Seen};
use afterword_vault::{
    Applied, ContentHash, Done, Lesson, Outcome, Plan, Project, Subject, Vault, VaultPath, Written, plan,
};
use jiff::{Timestamp, Zoned};

use super::mine::{Mined, Passed};
use super::{Changed, NoteChange, SessionFailure, Waiting};
use crate::lock::ApplyLock;
use crate::naming::ProjectNames;
use crate::{Agent, Error};

/// How often a plan is made again because somebody edited a note between the scan and the write.
const TRIES: usize = 4;

/// What writing a batch did.
#[derive(Default)]
pub(super) struct BatchWritten {
    pub(super) notes: Vec<NoteChange>,
    pub(super) known: usize,
    pub(super) failures: Vec<SessionFailure>,
}

impl Agent {
    /// Opens the vault that the settings name.
    pub(super) fn open_vault(&self) -> Result<Vault, Error> {
        let root = self.config.vault.as_ref().ok_or(Error::NoVault)?;
        Ok(Vault::open(root)?)
    }

    /// A vault that was moved keeps what is known of it.
    pub(super) fn recognise(&self, vault: &Vault, store: &Store) -> Result<(), Error> {
        let root = vault.root().to_string_lossy();
        if store.is_new_vault(&root)? {
            let index = vault.scan()?;
            let mut notes = index.notes().filter_map(|entry| entry.properties.id);
            store.in_transaction(|store| store.adopt_vault(&root, &mut notes))?;
        }
        Ok(())
    }

    /// Plans and writes the notes of a batch and remembers them; the sessions whose notes were all written are
    /// remembered as reflected.
    pub(super) fn write(
        &self,
        vault: &Vault,
        store: &Store,
        mined: &[Mined],
        passed: &[Passed],
        now: &Zoned,
    ) -> Result<BatchWritten, Error> {
        let _lock = ApplyLock::take(&self.paths.apply_lock())?;
        let mut names = ProjectNames::known(store.projects().names()?);
        let lessons: Vec<Lesson> = mined.iter().flat_map(|one| self.lessons(one, &mut names, now)).collect();
        let sessions: HashMap<&ContentKey, &SessionId> =
            lessons.iter().map(|lesson| (&lesson.key, &lesson.session)).collect();
        let root = vault.root().to_string_lossy().into_owned();

        let mut written = BatchWritten::default();
        let mut open = HashSet::new();
        let mut failed = HashMap::new();
        for attempt in 1..=TRIES {
            let index = vault.scan()?;
            let known = known_notes(&store.written_notes(&root).all()?);
            let plan = plan(&index, &lessons, &known, now);
            let applied = vault.apply(&plan);
            let changed_meanwhile =
                applied.done.iter().any(|done| matches!(done.outcome, Outcome::ChangedMeanwhile));
            store.in_transaction(|store| remember_notes(store, &root, &applied, &sessions, now))?;
            if changed_meanwhile && attempt < TRIES {
                written.notes.extend(applied.done.into_iter().filter_map(done_only));
                continue;
            }
            open = open_keys(&plan, &applied);
            written.known = plan.kept.len();
            failed = failures(&plan, &applied);
            written.notes.extend(applied.done.into_iter().filter_map(note_change));
            break;
        }
        store.in_transaction(|store| {
            for (project, name) in names.take_new() {
                store.projects().add(&project, &name)?;
            }
            for one in mined {
                let keys = lessons.iter().filter(|lesson| lesson.session == one.reflection.session);
                if let Some(key) = keys.map(|lesson| &lesson.key).find(|key| open.contains(*key)) {
                    let problem =
                        failed.remove(key).unwrap_or("a note kept changing while it was written".to_owned());
                    let transcript = one.selected.path.clone();
                    written
                        .failures
                        .push(SessionFailure { transcript, error: Error::NotWritten { problem } });
                    continue;
                }
                remember_session(store, one, &root, now.timestamp())?;
            }
            for one in passed {
                store.sessions().put(&one.row(now.timestamp()))?;
            }
            Ok::<_, StoreError>(())
        })?;
        Ok(written)
    }

    fn lessons(&self, mined: &Mined, names: &mut ProjectNames, now: &Zoned) -> Vec<Lesson> {
        let session = &mined.reflection;
        let project = session.project.as_ref().map(|key| Project { key: key.clone(), name: names.name(key) });
        let lesson = |candidate: &afterword_core::Candidate| {
            let said = candidate.evidence.first().and_then(|evidence| mined.said_at.line(evidence.line));
            Lesson::new(
                candidate.clone(),
                session.session.clone(),
                project.clone(),
                route(candidate.kind, candidate.confidence, self.config.review_mode),
                said.or(session.last_activity).unwrap_or_else(|| now.timestamp()),
                session.transcript.to_string_lossy().into_owned(),
            )
        };
        session.candidates.iter().map(lesson).collect()
    }
}

fn known_notes(rows: &[WrittenNote]) -> HashMap<ContentKey, Written> {
    let known = rows.iter().filter_map(|row| {
        let path = VaultPath::parse(&row.path)?;
        let content_hash = ContentHash::parse(&row.content_hash)?;
        Some((row.key.clone(), Written { id: row.note, path, content_hash }))
    });
    known.collect()
}

fn remember_notes(
    store: &Store,
    root: &str,
    applied: &Applied,
    sessions: &HashMap<&ContentKey, &SessionId>,
    now: &Zoned,
) -> Result<(), StoreError> {
    for record in &applied.records {
        store.written_notes(root).put(&WrittenNote {
            key: record.key.clone(),
            note: record.written.id,
            path: record.written.path.to_string(),
            content_hash: record.written.content_hash.to_string(),
            session: sessions.get(&record.key).map(|session| (*session).clone()),
            at: now.timestamp(),
        })?;
    }
    Ok(())
}

fn remember_session(store: &Store, mined: &Mined, root: &str, at: Timestamp) -> Result<(), StoreError> {
    let (session, report) = (&mined.reflection, &mined.report);
    store.observations().replace(&session.session, &mined.observations)?;
    store.sessions().put(&SessionFile {
        path: mined.selected.path.clone(),
        session: session.session.clone(),
        sidechain: false,
        project: session.project.clone(),
        fingerprint: mined.selected.fingerprint,
        outcome: Dealt::Reflected,
        at,
        engine: mined.engine.to_string(),
        engine_version: mined.engine.version().to_owned(),
        vault: root.to_owned(),
        first_entry_at: report.started,
        last_entry_at: report.last_activity,
        entries: report.entries,
        skipped_lines: report.skipped.total,
        candidates: session.candidates.len() as u64,
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

/// The keys of lessons that are not settled, because a write of theirs did not end well.
fn open_keys(plan: &Plan, applied: &Applied) -> HashSet<ContentKey> {
    let open = plan.actions.iter().zip(&applied.done).filter(|(_, done)| !done.outcome.is_done());
    open.flat_map(|(action, _)| action.keys.iter().cloned()).collect()
}

/// What the vault said, by the keys it concerns.
fn failures(plan: &Plan, applied: &Applied) -> HashMap<ContentKey, String> {
    let mut failures = HashMap::new();
    for (action, done) in plan.actions.iter().zip(&applied.done) {
        if let Outcome::Failed(error) = &done.outcome {
            failures.extend(action.keys.iter().map(|key| (key.clone(), error.to_string())));
        }
    }
    failures
}

fn done_only(done: Done) -> Option<NoteChange> {
    note_change(done).filter(|note| note.refused.is_none())
}

fn note_change(done: Done) -> Option<NoteChange> {
    let (what, title, waits) = match done.subject {
        Subject::Lesson { kind, title, destination } => {
            let waits = match destination {
                Destination::Review => Some(Waiting::Review),
                Destination::Inbox => Some(Waiting::Inbox),
                Destination::Saved | Destination::Ideas => None,
            };
            (Changed::Lesson { kind }, title, waits)
        }
        Subject::Evidence { title, .. } => (Changed::Evidence, title, None),
        Subject::Ideas { .. } => (Changed::Ideas, "Ideas".to_owned(), None),
        Subject::Overview { project } => (Changed::Overview, project, None),
    };
    let refused = match done.outcome {
        Outcome::Written { .. } => None,
        Outcome::AlreadyThere { .. } => return None,
        Outcome::ChangedMeanwhile => Some("it was changed meanwhile".to_owned()),
        Outcome::Failed(error) => Some(error.to_string()),
    };
    Some(NoteChange { what, title, path: done.path.to_string(), waits, refused })
}

impl Passed {
    fn row(&self, at: Timestamp) -> SessionFile {
        SessionFile {
            path: self.selected.path.clone(),
            session: self.selected.session.clone(),
            sidechain: false,
            project: Some(ProjectKey::clone(&self.project)),
            fingerprint: self.selected.fingerprint,
            outcome: self.outcome,
            at,
            engine: String::new(),
            engine_version: String::new(),
            vault: String::new(),
            first_entry_at: None,
            last_entry_at: None,
            entries: 0,
            skipped_lines: 0,
            candidates: 0,
        }
    }
}
