//! Afterword's own memory: a SQLite database in the state directory.
//!
//! It keeps what cannot be read back from the vault or the transcripts: which files were reflected and how far,
//! which note carries which lesson, weak observations that wait to become patterns, the runs done, the queue of jobs
//! and what people decided. It knows nothing of markdown, of transcripts' content or of engines; callers hand it
//! finished rows.
//!
//! Start reading at [`Store::open`]; each table has a module of its own with its row type, reads and writes.

pub mod attempts;
pub mod census;
pub mod comparisons;
pub mod connections;
pub mod conversation_runs;
pub mod conversations;
mod database;
pub mod decided_notes;
pub mod decisions;
pub mod early_ends;
pub mod engine_calls;
mod error;
pub mod feedback;
pub mod followed_sessions;
pub mod forgotten_sessions;
mod index_file;
pub mod injections;
pub mod job_logs;
pub mod jobs;
pub mod messages;
pub mod metrics;
pub mod observations;
mod open;
pub mod projects;
pub mod runs;
mod schema;
pub mod search_index;
pub mod session_index;
pub mod sessions;
pub mod timeline;
mod values;
pub mod written_notes;

use std::path::{Path, PathBuf};

use afterword_core::QueueRules;

pub use attempts::{Attempt, AttemptFilter, AttemptOutcome, Attempts};
pub use census::Census;
pub use comparisons::{Comparison, ComparisonOutcome, Comparisons, RepeatedWish};
pub use connections::{Connection as StoredConnection, Connections};
pub use conversation_runs::{ConversationRun, ConversationRunOutcome, ConversationRuns, RunCost};
pub use conversations::{Conversations, LostRun};
pub use database::is_in_place;
pub use decided_notes::{DecidedNote, DecidedNotes};
pub use decisions::{Decision, DecisionId, DecisionRow, Decisions, Scope, Verdict};
pub use early_ends::EarlyEnds;
pub use engine_calls::{
    AnsweredCalls, CallLimits, EngineCall, EngineCalls, INTERRUPTED_CALL, NewCall, Purpose, SpendSum,
};
pub use error::StoreError;
pub use feedback::{Feedback, FeedbackKind, FeedbackRow, RepeatedFeedback};
pub use followed_sessions::{FollowedSession, FollowedSessions};
pub use forgotten_sessions::ForgottenSessions;
pub use injections::{InjectedLesson, Injection, InjectionSum, Injections};
pub use job_logs::{JobLog, JobLogs, RunOutcome};
pub use jobs::{Claim, Claims, DuplicatePolicy, EnqueueOutcome, Jobs, NewJob, QueueError};
pub use messages::Messages;
pub use metrics::{Metric, Metrics};
pub use observations::{Observation, Observations};
pub use projects::Projects;
pub use runs::{Run, Runs};
pub use search_index::{
    Bonus, IndexModel, IndexWriter, IndexedNote, NextVectors, NoteFilter, SearchIndex, Slot, TextHit,
};
pub use session_index::{
    BLOCK_ROWS, FileOwner, IndexedSession, RowBlock, RowFilter, RowHit, RowVector, RowWords, SessionIndex,
    Term,
};
pub use sessions::{Fingerprint, ReflectedFile, SessionFile, Sessions, TranscriptOutcome};
pub use timeline::{Timeline, TimelineEntry, TimelineEvent};
pub use written_notes::{WrittenNote, WrittenNotes};

/// An open database. One process may hold several; SQLite orders their writes.
#[derive(Debug)]
pub struct Store {
    connection: database::Database,
    path: PathBuf,
}

impl Store {
    /// Opens the database at `path`, makes it (and its directory, for the user alone) where there is none, and
    /// brings its schema up to date.
    ///
    /// # Errors
    /// [`StoreError::Newer`] for the database of a newer Afterword, [`StoreError::Damaged`] for a file that is no
    /// database, [`StoreError::Moved`] while this process has one open that was there before, and otherwise [`StoreError`] for a file that cannot be made or read, and a database that is locked, damaged or full.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let connection = open::open(path)?;
        Ok(Self { connection, path: path.to_owned() })
    }

    /// Opens the database at `path` when there is one.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn open_existing(path: &Path) -> Result<Option<Self>, StoreError> {
        match path.try_exists() {
            Ok(true) => Self::open(path).map(Some),
            Ok(false) => Ok(None),
            Err(source) => Err(StoreError::Io { path: path.to_owned(), action: "look for", source }),
        }
    }

    /// Where the database is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The transcript files and how far each was reflected.
    pub fn sessions(&self) -> Sessions<'_> {
        Sessions { store: self }
    }

    /// The notes written to the vault with this root, by what they say.
    pub fn written_notes<'a>(&'a self, vault: &'a str) -> WrittenNotes<'a> {
        WrittenNotes { store: self, vault }
    }

    /// What people call each project.
    pub fn projects(&self) -> Projects<'_> {
        Projects { store: self }
    }

    /// Weak patterns counted over a project's sessions.
    pub fn observations(&self) -> Observations<'_> {
        Observations { store: self }
    }

    /// What was asked of paid engines.
    pub fn engine_calls(&self) -> EngineCalls<'_> {
        EngineCalls { store: self }
    }

    /// Reflections done.
    pub fn runs(&self) -> Runs<'_> {
        Runs { store: self }
    }

    /// Entry types and client versions seen in transcripts.
    pub fn census(&self) -> Census<'_> {
        Census { store: self }
    }

    /// The queue, under the rules that hold unless changed.
    pub fn jobs(&self) -> Jobs<'_> {
        Jobs { store: self, rules: QueueRules::default() }
    }

    /// What each job did.
    pub fn job_logs(&self) -> JobLogs<'_> {
        JobLogs { store: self }
    }

    /// Conversations, and when their work is due.
    pub fn conversations(&self) -> Conversations<'_> {
        Conversations { store: self }
    }

    /// What was said in conversations.
    pub fn messages(&self) -> Messages<'_> {
        Messages { store: self }
    }

    /// Runs of conversations' Claude sessions.
    pub fn conversation_runs(&self) -> ConversationRuns<'_> {
        ConversationRuns { store: self }
    }

    /// The tool servers that conversations may use.
    pub fn connections(&self) -> Connections<'_> {
        Connections { store: self }
    }

    /// What people decided about candidates.
    pub fn decisions(&self) -> Decisions<'_> {
        Decisions { store: self }
    }

    /// The notes that decisions changed, as they were.
    pub fn decided_notes(&self) -> DecidedNotes<'_> {
        DecidedNotes { store: self }
    }

    /// What candidates turned out to be beside what was known.
    pub fn comparisons(&self) -> Comparisons<'_> {
        Comparisons { store: self }
    }

    /// What sessions were given of what is known.
    pub fn injections(&self) -> Injections<'_> {
        Injections { store: self }
    }

    /// Attempts at tasks.
    pub fn attempts(&self) -> Attempts<'_> {
        Attempts { store: self }
    }

    /// What came of lessons that sessions were given.
    pub fn feedback(&self) -> Feedback<'_> {
        Feedback { store: self }
    }

    /// Counters.
    pub fn metrics(&self) -> Metrics<'_> {
        Metrics { store: self }
    }

    /// Where each session stands.
    pub fn followed_sessions(&self) -> FollowedSessions<'_> {
        FollowedSessions { store: self }
    }

    /// Ends of sessions whose transcripts are still to be written.
    pub fn early_ends(&self) -> EarlyEnds<'_> {
        EarlyEnds { store: self }
    }

    /// Sessions that a person wants forgotten.
    pub fn forgotten_sessions(&self) -> ForgottenSessions<'_> {
        ForgottenSessions { store: self }
    }

    /// What happened to each session.
    pub fn timeline(&self) -> Timeline<'_> {
        Timeline { store: self }
    }

    /// Runs `work` in one write transaction: all of it is kept, or nothing.
    ///
    /// # Errors
    /// What `work` returned (then nothing is kept), or [`StoreError`] when the transaction cannot begin or end.
    pub fn in_transaction<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, E>,
    ) -> Result<T, E> {
        self.connection.execute_batch("BEGIN IMMEDIATE").map_err(|e| self.error("begin a change", e))?;
        match work(self) {
            Ok(value) => {
                if let Err(e) = self.connection.execute_batch("COMMIT") {
                    // A failed COMMIT leaves the transaction open; undoing it is all that is left to do.
                    let _ = self.connection.execute_batch("ROLLBACK");
                    return Err(self.error("keep a change", e).into());
                }
                Ok(value)
            }
            Err(e) => {
                // The work's own error is the one to report.
                let _ = self.connection.execute_batch("ROLLBACK");
                Err(e)
            }
        }
    }

    /// Asks SQLite to check the whole file; returns what it found wrong, nothing when it is sound.
    ///
    /// # Errors
    /// [`StoreError`] when the check itself cannot run.
    pub fn check(&self) -> Result<Vec<String>, StoreError> {
        let wrap = |e| self.error("check", e);
        let mut statement = self.connection.prepare("PRAGMA quick_check(20)").map_err(wrap)?;
        let lines = statement.query_map((), |row| row.get::<_, String>(0)).map_err(wrap)?;
        let found: Vec<String> = lines.collect::<Result<_, _>>().map_err(wrap)?;
        Ok(if found == ["ok"] { Vec::new() } else { found })
    }

    pub(crate) fn error(&self, action: &'static str, source: rusqlite::Error) -> StoreError {
        StoreError::from_sql(&self.path, action, source)
    }
}
