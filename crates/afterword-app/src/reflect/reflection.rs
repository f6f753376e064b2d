//! What is asked of a reflection, and what it tells.

use std::path::PathBuf;
use std::time::Duration;

use afterword_core::{Candidate, ProjectKey, SessionId, Trigger};
use afterword_store::{Comparison, ComparisonOutcome};
use afterword_transcript::report::Skipped;
use jiff::Timestamp;

use crate::model_calls::Advice;
use crate::note_change::NoteChange;
use crate::web_cache::WebResultCounts;
use crate::{EngineName, Error};

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
    /// A transcript that lies elsewhere than Claude Code keeps its own is believed and written from, too. A dry run looks at any.
    pub foreign: bool,
    /// What made it start.
    pub trigger: Trigger,
}

impl ReflectRequest {
    /// As a person asks for it, with the engine of the settings.
    pub fn new(target: Target) -> Self {
        Self { target, engine: None, dry_run: false, foreign: false, trigger: Trigger::Manual }
    }
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
    /// What a model said besides; none where none was asked.
    pub advice: Option<Advice>,
    /// What became of the web pages it fetched.
    pub pages: WebResultCounts,
}

/// A session that could not be reflected.
#[derive(Debug)]
pub struct SessionFailure {
    /// Its transcript.
    pub transcript: PathBuf,
    /// Why.
    pub error: Error,
}

/// What a reflection did.
#[derive(Debug)]
pub struct Reflection {
    /// The engine that mined.
    pub engine: EngineName,
    /// The engine that would be asked besides, were it no dry run.
    pub not_asked: Option<EngineName>,
    /// Nothing was written.
    pub dry_run: bool,
    /// The sessions read, oldest first.
    pub sessions: Vec<SessionReflection>,
    /// Sessions that could not be read or written.
    pub failures: Vec<SessionFailure>,
    /// Answers given in notes that could not be carried out, and why.
    pub problems: Vec<String>,
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
    /// Lessons that the vault has already, with nothing to add.
    pub known: usize,
    /// Lessons whose notes the user deleted; they stay deleted.
    pub deleted: usize,
    /// Lessons that say the same as another or go against it, and those kept away because one like them was rejected.
    pub compared: Vec<Comparison>,
    /// Bytes of transcripts read.
    pub bytes: u64,
    /// How long it took.
    pub duration: Duration,
}

impl Reflection {
    /// Lessons that were not written because a person rejected one that means the same.
    pub fn count_rejected(&self) -> usize {
        self.compared.iter().filter(|one| one.verdict == ComparisonOutcome::Rejected).count()
    }
}
