//! Reflecting: sessions are read and mined, what was found is redacted and routed, notes are planned and written, and
//! the database is told, in that order.
//!
//! Notes are written before the database hears of them, and a batch at a time. A crash in between leaves notes that
//! the database does not know; they carry their keys, so the next plan finds them and writes none twice, and the
//! sessions of that batch are read again.

mod counts;
mod mine;
mod patterns;
mod select;
mod write;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use afterword_core::{Candidate, Kind, ProjectKey, SessionId};
use afterword_store::Run;
use afterword_transcript::report::Skipped;
use jiff::{Timestamp, Zoned};

pub use counts::EventCounts;

use crate::progress::{Progress, Step};
use crate::{Agent, EngineName, Error};
use mine::{Mining, Outcome, Passed};
use patterns::Patterns;
use select::Selected;
pub(crate) use select::is_current;

/// Sessions whose notes are planned and written together. Each batch scans the vault once and is what a crash can
/// cost; a first run over a thousand sessions scans some thirty times.
const BATCH: usize = 32;

/// Which sessions to reflect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// One, by id, by the start of its id, or by its transcript's path; also when nothing changed in it.
    One(String),
    /// Those that changed since they were last reflected; with a time, only those active since then.
    Changed {
        /// The time.
        since: Option<Timestamp>,
    },
}

/// What to reflect, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReflectRequest {
    /// Which sessions.
    pub target: Target,
    /// The engine; `None` for the one the settings name.
    pub engine: Option<EngineName>,
    /// Look only: nothing is written, neither to the vault nor to the state directory.
    pub dry_run: bool,
}

/// What one session held.
#[derive(Debug, Clone)]
pub struct SessionReflection {
    /// The session.
    pub session: SessionId,
    /// Its transcript.
    pub transcript: PathBuf,
    /// Its project, when an entry told it.
    pub project: Option<ProjectKey>,
    /// Its title, where the client or the person gave one.
    pub title: Option<String>,
    /// Time of its first entry.
    pub started: Option<Timestamp>,
    /// Time of its last entry.
    pub last_activity: Option<Timestamp>,
    /// Entries read.
    pub entries: u64,
    /// Lines that could not be read.
    pub skipped: Skipped,
    /// What it may teach, secrets taken out; the surest first.
    pub candidates: Vec<Candidate>,
    /// Secrets taken out of the candidates.
    pub redacted: usize,
}

/// A session that could not be reflected.
#[derive(Debug)]
pub struct SessionFailure {
    /// Its transcript.
    pub transcript: PathBuf,
    /// Why.
    pub error: Error,
}

/// What about a note changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase", tag = "what")]
pub enum Changed {
    /// It is new.
    Lesson {
        /// What sort of lesson.
        kind: Kind,
    },
    /// There is more evidence for it.
    Evidence,
    /// The ledger of ideas has new lines.
    Ideas,
    /// A project's overview lists what is new.
    Overview,
}

/// What became of one note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteChange {
    /// What changed.
    pub what: Changed,
    /// What it says, in a sentence; for an overview the project's name.
    pub title: String,
    /// The file, below the vault's root.
    pub path: String,
    /// It is new and waits for the user: in the review folder or the inbox.
    pub waits: Option<Waiting>,
    /// Why it was not written after all: the user's text stands, or the file system refused.
    pub refused: Option<String>,
}

/// Where a note waits for the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Waiting {
    /// For review.
    Review,
    /// In the inbox.
    Inbox,
}

/// What a reflection did.
#[derive(Debug)]
pub struct Reflection {
    /// The engine that mined.
    pub engine: EngineName,
    /// Nothing was written.
    pub dry_run: bool,
    /// The sessions read, oldest first.
    pub sessions: Vec<SessionReflection>,
    /// Sessions that could not be read or written.
    pub failures: Vec<SessionFailure>,
    /// Sessions passed over because nothing changed in them.
    pub unchanged: usize,
    /// Sessions passed over because the user excludes their project.
    pub excluded: usize,
    /// Sessions passed over because Afterword started them.
    pub own: usize,
    /// The vault's root; none in a dry run.
    pub vault: Option<PathBuf>,
    /// What became of the notes, by path.
    pub notes: Vec<NoteChange>,
    /// Lessons that were known already, with nothing to add.
    pub known: usize,
    /// Bytes of transcripts read.
    pub bytes: u64,
    /// How long it took.
    pub duration: Duration,
}

impl Agent {
    /// Reflects.
    ///
    /// # Errors
    /// [`Error::NoVault`] before a vault was chosen (a dry run needs none), whatever is wrong with a session that was
    /// asked for by name, and what keeps the vault or the database from being used at all. A session that fails among
    /// many is in [`Reflection::failures`].
    pub fn reflect(
        &self,
        request: &ReflectRequest,
        now: &Zoned,
        progress: &mut dyn Progress,
    ) -> Result<Reflection, Error> {
        let clock = Instant::now();
        let engine = request.engine.unwrap_or(self.config.engine);
        let vault = if request.dry_run { None } else { Some(self.open_vault()?) };
        let store = if request.dry_run { self.existing_store()? } else { Some(self.store()?) };
        if let (Some(vault), Some(store)) = (&vault, &store) {
            self.recognise(vault, store)?;
        }
        let selection = self.select(&request.target, engine, store.as_ref())?;
        progress.step(&Step::Planned { sessions: selection.chosen.len(), bytes: selection.bytes() });

        let mut reflection = Reflection {
            engine,
            dry_run: request.dry_run,
            sessions: Vec::new(),
            failures: Vec::new(),
            unchanged: selection.unchanged,
            excluded: selection.excluded,
            own: selection.own,
            vault: vault.as_ref().map(|vault| vault.root().to_owned()),
            notes: Vec::new(),
            known: 0,
            bytes: 0,
            duration: Duration::ZERO,
        };
        let mut mining =
            Mining { patterns: Patterns::new(store.as_ref()), redaction: self.redaction(), engine };
        for batch in selection.chosen.chunks(BATCH) {
            let read = self.read_batch(batch, &mut mining, request, progress, &mut reflection)?;
            if let (Some(vault), Some(store)) = (&vault, &store) {
                let lessons = read.mined.iter().map(|one| one.reflection.candidates.len()).sum();
                progress.step(&Step::Writing { lessons });
                let written = self.write(vault, store, &read.mined, &read.passed, now)?;
                reflection.notes.extend(written.notes);
                reflection.known += written.known;
                reflection.failures.extend(written.failures);
            }
            reflection.sessions.extend(read.mined.into_iter().map(|one| one.reflection));
        }
        reflection.notes.sort_by(|one, other| one.path.cmp(&other.path));
        reflection.duration = clock.elapsed();
        if let Some(store) = store.filter(|_| !request.dry_run) {
            store.runs().add(&run_of(&reflection, now))?;
        }
        Ok(reflection)
    }

    fn read_batch(
        &self,
        batch: &[Selected],
        mining: &mut Mining<'_>,
        request: &ReflectRequest,
        progress: &mut dyn Progress,
        reflection: &mut Reflection,
    ) -> Result<BatchRead, Error> {
        let by_name = matches!(request.target, Target::One(_));
        let mut read = BatchRead::default();
        for selected in batch {
            let bytes = selected.fingerprint.size;
            progress.step(&Step::Reading { transcript: &selected.path, bytes });
            match self.mine(selected, mining) {
                Ok(Outcome::Mined(one)) => {
                    reflection.bytes += one.report.bytes;
                    progress.step(&Step::Mined { session: &one.reflection, bytes });
                    read.mined.push(*one);
                }
                // The command has nothing else to do than the session that was asked for by name.
                Ok(Outcome::Passed(one)) if by_name => return Err(one.into_error()),
                Ok(Outcome::Passed(one)) => {
                    match one.outcome {
                        afterword_store::Outcome::Own => reflection.own += 1,
                        _ => reflection.excluded += 1,
                    }
                    read.passed.push(one);
                }
                Err(error) if by_name || error.stops_everything() => return Err(error),
                Err(error) => {
                    progress.step(&Step::Failed { transcript: &selected.path, bytes, error: &error });
                    reflection.failures.push(SessionFailure { transcript: selected.path.clone(), error });
                }
            }
        }
        Ok(read)
    }
}

/// What the sessions of a batch held.
#[derive(Default)]
struct BatchRead {
    mined: Vec<mine::Mined>,
    passed: Vec<Passed>,
}

fn run_of(reflection: &Reflection, now: &Zoned) -> Run {
    let written = || reflection.notes.iter().filter(|note| note.refused.is_none());
    let created = written().filter(|note| matches!(note.what, Changed::Lesson { .. })).count() as u64;
    Run {
        started_at: now.timestamp(),
        duration: reflection.duration,
        trigger: "manual".to_owned(),
        engine: reflection.engine.to_string(),
        sessions: reflection.sessions.len() as u64,
        failed: reflection.failures.len() as u64,
        bytes: reflection.bytes,
        candidates: reflection.sessions.iter().map(|session| session.candidates.len() as u64).sum(),
        notes_created: created,
        notes_changed: written().count() as u64 - created,
    }
}
