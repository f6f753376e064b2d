//! What can go wrong in a use case: a kind for programs, a message for people, hints as data.

mod agent;
mod config;
mod connection;
mod conversation;
mod engine_call;
mod hints;
mod kind;
pub mod obstacle;
pub mod project;
mod review;
mod session;

use std::io;
use std::path::PathBuf;

use afterword_claude_code::ClaudeCodeError;
use afterword_claude_code::client::ClientError;
use afterword_core::causes::chain;
use afterword_platform::keyring::KeyringError;
use afterword_platform::lock::LockError;
use afterword_platform::paths::NoHome;
use afterword_platform::program::Translocated;
use afterword_recall::ModelError;
use afterword_store::{QueueError, StoreError};
use afterword_transcript::error::TranscriptError;
use afterword_vault::VaultError;
use thiserror::Error;

pub use agent::AgentError;
pub use config::ConfigError;
pub use connection::ConnectionError;
pub use conversation::ConversationsError;
pub use engine_call::EngineCallError;
pub use kind::ErrorKind;
use obstacle::Obstacle;
pub use project::ProjectError;
pub use review::ReviewError;
pub use session::SessionError;

/// What can go wrong in a use case.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
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
    /// Whoever wanted the session reflected no longer does; nothing of it was written.
    #[error("{}: cancelled", path.display())]
    Cancelled {
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
    /// No session is known of that project.
    #[error("no session of a project `{project}` is known")]
    NoSuchProject {
        /// What was asked for.
        project: String,
    },
    /// The folder chosen with `recall.model` holds no model that can be used.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// There is no model that could make vectors.
    #[error("the search model inside this program is broken")]
    NoSearchModel,
    /// The keyring.
    #[error(transparent)]
    Keyring(#[from] KeyringError),
    /// Claude Code could not do what it was asked.
    #[error(transparent)]
    Client(ClientError),
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
    /// A setting cannot be read or written.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A session cannot be found, read or restored.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// A lesson cannot be answered.
    #[error(transparent)]
    Review(#[from] ReviewError),
    /// An engine is not asked, or gave nothing usable.
    #[error(transparent)]
    EngineCall(#[from] EngineCallError),
    /// The agent, or a job of its queue, is not as it is wanted.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// A conversation cannot be kept, changed or gone on with.
    #[error(transparent)]
    Conversation(#[from] ConversationsError),
    /// A connection cannot be kept or used.
    #[error(transparent)]
    Connection(#[from] ConnectionError),
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
