//! What can go wrong in a use case: a kind for programs, a message for people, hints as data.

mod hints;
mod kind;
pub mod obstacle;
pub mod project;

use std::io;
use std::path::PathBuf;

use afterword_claude_code::ClaudeCodeError;
use afterword_claude_code::client::ClientError;
use afterword_core::causes::chain;
use afterword_core::conversation::{BadWords, ConversationError};
use afterword_core::{JobStatus, SessionId};
use afterword_platform::keyring::KeyringError;
use afterword_platform::lock::LockError;
use afterword_platform::paths::NoHome;
use afterword_platform::program::Translocated;
use afterword_recall::ModelError;
use afterword_reflect::engine::EngineError;
use afterword_sign_in::SignInError;
use afterword_store::{QueueError, StoreError};
use afterword_transcript::error::TranscriptError;
use afterword_vault::{EditRefused, VaultError};
use thiserror::Error;

use crate::EngineName;

pub use kind::ErrorKind;
use obstacle::Obstacle;
pub use project::ProjectError;

/// What can go wrong in a use case.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The configuration file holds something that cannot be used.
    #[error("{}:{line}: {problem}", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The key concerned; empty where the file is no TOML.
        key: String,
        /// What is wrong, with the key.
        problem: String,
        /// What to do about it, where the problem does not say it.
        advice: Option<String>,
    },
    /// A key given to `config get` or `config set` does not exist.
    #[error("there is no setting `{key}`")]
    UnknownSetting {
        /// The key.
        key: String,
        /// A key that may have been meant.
        meant: Option<String>,
    },
    /// A value given to `config set` cannot be used.
    #[error("`{key}`: {problem}")]
    BadSetting {
        /// The key.
        key: String,
        /// What is wrong with the value.
        problem: String,
    },
    /// No home directory is known, so there is no place for configuration and state.
    #[error("no home directory is known")]
    NoHome,
    /// No vault was chosen yet.
    #[error("no vault is set up")]
    NoVault,
    /// Notes cannot be written to the folder chosen as the vault.
    #[error("{}: {problem}", path.display())]
    BadVault {
        /// The folder.
        path: PathBuf,
        /// Why not.
        problem: &'static str,
    },
    /// Another vault is set up already.
    #[error("a vault is set up already: {}", path.display())]
    OtherVault {
        /// The vault that is set up.
        path: PathBuf,
    },
    /// No session is called that.
    #[error("no session starts with `{argument}`")]
    NoSuchSession {
        /// What was asked for.
        argument: String,
    },
    /// No session has asked what it is to be given.
    #[error("no session has asked for lessons yet")]
    NoSessionAsked,
    /// More than one session starts with that.
    #[error("`{argument}` is the start of {count} sessions")]
    AmbiguousSession {
        /// What was asked for.
        argument: String,
        /// How many it fits.
        count: usize,
        /// Some of those it fits.
        sessions: Vec<String>,
    },
    /// There is no copy of such a session.
    #[error("no session that starts with `{argument}` is in the archive")]
    NotArchived {
        /// What was asked for.
        argument: String,
    },
    /// Another transcript is where one would be restored.
    #[error("{}: another transcript is there", path.display())]
    OtherTranscript {
        /// The transcript.
        path: PathBuf,
    },
    /// The path is not a transcript.
    #[error("{}: {problem}", path.display())]
    NotATranscript {
        /// The path.
        path: PathBuf,
        /// Why not.
        problem: &'static str,
    },
    /// The transcript lies elsewhere than Claude Code keeps its own.
    #[error("{}: no transcript of Claude Code's own folder, so nothing of it is written", path.display())]
    ForeignTranscript {
        /// The path.
        path: PathBuf,
    },
    /// The session's project is one the user excludes.
    #[error("{}: its project is excluded by `privacy.exclude` ({project})", path.display())]
    Excluded {
        /// The transcript.
        path: PathBuf,
        /// The project.
        project: String,
    },
    /// The session is one that Afterword started itself.
    #[error("{}: a session that Afterword started itself", path.display())]
    OwnSession {
        /// The transcript.
        path: PathBuf,
    },
    /// Whoever wanted the session reflected no longer does; nothing of it was written.
    #[error("{}: cancelled", path.display())]
    CalledOff {
        /// The transcript.
        path: PathBuf,
    },
    /// Notes of the session could not be written; it will be reflected again.
    #[error("its notes could not be written: {problem}")]
    NotWritten {
        /// Why.
        problem: String,
        /// What of the machine stands in the way, if anything does.
        obstacle: Option<Obstacle>,
    },
    /// An attempt makes no sense.
    #[error("it is no attempt to remember: {problem}")]
    BadAttempt {
        /// Why not.
        problem: &'static str,
    },
    /// No note is called that.
    #[error("there is no note `{argument}`")]
    NoSuchNote {
        /// What was asked for.
        argument: String,
    },
    /// More than one note is called that.
    #[error("`{argument}` is the name of {count} notes")]
    AmbiguousNote {
        /// What was asked for.
        argument: String,
        /// How many it fits.
        count: usize,
        /// Some of those it fits.
        notes: Vec<String>,
    },
    /// The note is no preference, workflow or fix.
    #[error("{path}: no lesson, so there is nothing to review")]
    NotALesson {
        /// The note, below the vault.
        path: String,
    },
    /// The lesson was answered before.
    #[error("{path}: does not wait for an answer, its status is {status}")]
    NotWaiting {
        /// The note, below the vault.
        path: String,
        /// Its status.
        status: &'static str,
    },
    /// A model asks to keep a lesson that a model saved, or whose words may be somebody else's.
    #[error("{path}: perhaps not in the user's words, so only the user can keep it")]
    PersonAnswers {
        /// The note, below the vault.
        path: String,
    },
    /// A model gives words for a lesson that the person did not say in the session.
    #[error("the user did not say this in this session, as whole sentences in these words")]
    NotSaid,
    /// The lesson does not count, so nothing can take its place.
    #[error("{path}: does not count, so nothing can take its place")]
    NotActive {
        /// The note, below the vault.
        path: String,
    },
    /// The note's front matter cannot be changed without touching more.
    #[error("{path}: {source}")]
    NoteUnchangeable {
        /// The note, below the vault.
        path: String,
        /// The property and why.
        source: EditRefused,
    },
    /// Somebody kept editing the note.
    #[error("{path}: it kept changing while it was written")]
    NoteChanging {
        /// The note, below the vault.
        path: String,
    },
    /// No answer was given, or all were taken back.
    #[error("there is no answer to take back")]
    NoAnswerToUndo,
    /// No decision of that number stands.
    #[error("there is no decision {id} that could be undone")]
    NoSuchDecision {
        /// The number.
        id: i64,
    },
    /// No session is known of that project.
    #[error("no session of a project `{project}` is known")]
    NoSuchProject {
        /// What was asked for.
        project: String,
    },
    /// No job, or more than one, has an id that starts so.
    #[error("no single job has an id that starts with `{job}`")]
    NoSuchJob {
        /// What was asked for.
        job: String,
    },
    /// A job that is to be tried again did not fail and was not called off.
    #[error("job {job} is {status}")]
    JobNotOver {
        /// The job.
        job: String,
        /// Where it stands.
        status: JobStatus,
    },
    /// An agent works in this state directory already.
    #[error("{}: an agent is at work here already{}", state.display(), process(*.pid))]
    AgentRunning {
        /// The state directory.
        state: PathBuf,
        /// Its process, where it left its number.
        pid: Option<u32>,
    },
    /// The system refused to watch files; looking again and again takes its place.
    #[error("{}: cannot be watched: {problem}", path.display())]
    NotWatched {
        /// The directory.
        path: PathBuf,
        /// Why.
        problem: String,
    },
    /// No conversation is called that.
    #[error("there is no conversation `{argument}`")]
    NoSuchConversation {
        /// What was asked for.
        argument: String,
    },
    /// More than one conversation is called that.
    #[error("`{argument}` fits {count} conversations")]
    AmbiguousConversation {
        /// What was asked for.
        argument: String,
        /// How many it fits.
        count: usize,
        /// Some of those it fits.
        conversations: Vec<String>,
    },
    /// A conversation, or what was said in one, cannot be kept.
    #[error("{problem}")]
    BadConversation {
        /// Why not.
        problem: String,
    },
    /// An agent asks for more than the person allowed a conversation's runs.
    #[error("{problem}: only you can allow more, not an agent in your name")]
    PersonWidens {
        /// What goes beyond what is allowed.
        problem: String,
    },
    /// The conversation is over.
    #[error("\"{title}\" is archived")]
    ConversationClosed {
        /// What people call it.
        title: String,
    },
    /// The conversation's rules refuse.
    #[error("\"{title}\": {source}")]
    ConversationRefused {
        /// What people call it.
        title: String,
        /// Why.
        source: ConversationError,
    },
    /// A schedule in words is not understood.
    #[error("\"{words}\": {source}")]
    BadSchedule {
        /// As they were given.
        words: String,
        /// Why not.
        source: BadWords,
    },
    /// No connection is called that.
    #[error("there is no connection `{name}`")]
    NoSuchConnection {
        /// What was asked for.
        name: String,
    },
    /// A connection cannot be kept or used.
    #[error("connection `{name}`: {problem}")]
    BadConnection {
        /// What it is called.
        name: String,
        /// Why not.
        problem: String,
    },
    /// Signing in to a connection, or asking it in, did not work.
    #[error("connection `{name}`: {source}")]
    SignIn {
        /// What it is called.
        name: String,
        /// Why.
        source: SignInError,
    },
    /// The person has to sign in to a connection.
    #[error("the connection `{name}` has to be signed in to")]
    SignInNeeded {
        /// What it is called.
        name: String,
    },
    /// The engine is this program; there is nothing to show.
    #[error("the built-in engine sends nothing")]
    SendsNothing,
    /// The folder chosen with `recall.model` holds no model that can be used.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// There is no model that could make vectors.
    #[error("the search model inside this program is broken")]
    NoSearchModel,
    /// Which model is to be asked is not set.
    #[error("no model is set")]
    NoModel,
    /// The engine needs a key, and none is kept.
    #[error("{engine} needs a key for {host}, and none is kept")]
    NoKey {
        /// The engine.
        engine: EngineName,
        /// Where the key would be sent.
        host: String,
    },
    /// No engine takes a key under this name.
    #[error("there is no engine `{name}` that takes a key")]
    UnknownKey {
        /// The name.
        name: String,
    },
    /// The keyring.
    #[error(transparent)]
    Keyring(#[from] KeyringError),
    /// An engine gave nothing usable.
    #[error("{engine}: {source}")]
    Asked {
        /// The engine.
        engine: EngineName,
        /// Why.
        source: Box<EngineError>,
    },
    /// The idea's page has what a model said of it.
    #[error("{path} has been researched")]
    AlreadyResearched {
        /// The page.
        path: String,
    },
    /// An engine gave nothing usable about a session.
    #[error("{engine}, session {session}: {source}")]
    Engine {
        /// The engine.
        engine: EngineName,
        /// The session.
        session: SessionId,
        /// Why.
        source: Box<EngineError>,
    },
    /// Claude Code is not installed, or not where it is looked for.
    #[error("Claude Code was not found")]
    NoClient,
    /// Claude Code could not do what it was asked.
    #[error(transparent)]
    Client(ClientError),
    /// Today's money for a project is spent.
    #[error("{project}: today's {most:.2} dollars for it are spent ({spent:.2})")]
    ProjectBudgetSpent {
        /// The project.
        project: String,
        /// What was spent.
        spent: f64,
        /// `budget.per_project_usd`.
        most: f64,
    },
    /// Today's money is spent.
    #[error("today's {most:.2} dollars of `{limit}` are spent ({spent:.2})")]
    BudgetSpent {
        /// The setting.
        limit: &'static str,
        /// What was spent.
        spent: f64,
        /// What may be.
        most: f64,
    },
    /// What was said in a conversation is kept, and nobody is paid to reply to it now.
    #[error("what you said is kept, but Claude cannot reply today: {because}")]
    NotReplied {
        /// Why.
        because: Box<Error>,
    },
    /// There is no such engine.
    #[error("there is no engine `{name}`")]
    UnknownEngine {
        /// What was asked for.
        name: String,
    },
    /// A settings file of Claude Code holds something that cannot be changed safely.
    #[error("{}:{line}: {problem}", path.display())]
    ForeignSettings {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// A lesson that was given makes no note.
    #[error("the lesson cannot be saved: {problem}")]
    UnusableLesson {
        /// Why not.
        problem: &'static str,
    },
    /// A command of the system failed.
    #[error("`{command}` failed: {problem}")]
    CommandFailed {
        /// The command.
        command: String,
        /// What it said.
        problem: String,
    },
    /// A file is no longer what a plan was made on.
    #[error("{}: changed in the meantime; nothing was written to it", path.display())]
    ChangedMeanwhile {
        /// The file.
        path: PathBuf,
    },
    /// A path that has to stand in a text file is not Unicode.
    #[error("{}: the path is not valid Unicode", path.display())]
    NotUnicode {
        /// The path.
        path: PathBuf,
    },
    /// The path of the program is gone once it ends.
    #[error(transparent)]
    Translocated(#[from] Translocated),
    /// What a person wants of projects cannot be done.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// A transcript could not be read.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    /// The vault refused.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// The database refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The queue refused.
    #[error(transparent)]
    Queue(QueueError),
    /// The file system refused.
    #[error("{}: could not {action}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What was tried, as a verb phrase.
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
}

impl From<QueueError> for Error {
    fn from(error: QueueError) -> Self {
        match error {
            QueueError::Store(error) => Self::Store(error),
            other => Self::Queue(other),
        }
    }
}

fn process(pid: Option<u32>) -> String {
    pid.map(|pid| format!(" (process {pid})")).unwrap_or_default()
}

impl From<NoHome> for Error {
    fn from(NoHome: NoHome) -> Self {
        Self::NoHome
    }
}

impl From<LockError> for Error {
    fn from(LockError { path, action, source }: LockError) -> Self {
        Self::Io { path, action, source }
    }
}

impl Error {
    /// The error and what caused it, on one line.
    pub fn chain(&self) -> String {
        chain(self)
    }

    /// As [`Error::chain`], and what to do about it, on one line.
    pub fn chain_with_hints(&self) -> String {
        [vec![self.chain()], self.hints()].concat().join("; ")
    }

    /// It concerns more than one session: going on with the next makes no sense.
    pub fn stops_everything(&self) -> bool {
        matches!(self, Self::Store(_) | Self::Vault(_))
    }
}

impl From<ClaudeCodeError> for Error {
    fn from(error: ClaudeCodeError) -> Self {
        match error {
            ClaudeCodeError::ForeignSettings { path, line, problem } => {
                Self::ForeignSettings { path, line, problem }
            }
            ClaudeCodeError::ChangedMeanwhile { path } => Self::ChangedMeanwhile { path },
            ClaudeCodeError::NotUnicode { path } => Self::NotUnicode { path },
            ClaudeCodeError::Io { path, action, source } => Self::Io { path, action, source },
            ClaudeCodeError::NoHome => Self::NoHome,
        }
    }
}
