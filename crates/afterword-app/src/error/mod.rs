//! What can go wrong in a use case: a kind for programs, a message for people, hints as data.

mod agent;
mod attempt;
mod config;
mod connection;
mod conversation;
mod engine_call;
mod engine_problem;
mod export;
mod hints;
mod install;
mod keyring;
mod kind;
mod machine;
mod note;
pub mod obstacle;
mod problem;
pub mod project;
mod review;
mod search_model;
mod session;
mod setting;
mod unfit_connection;
mod unfit_conversation;
mod vault_setup;

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use afterword_claude_code::ClaudeCodeError;
use afterword_claude_code::client::ClientError;
use afterword_core::error_chain::error_chain;
use afterword_platform::keyring::KeyringError;
use afterword_platform::lock::LockError;
use afterword_platform::paths::NoHome;
use afterword_platform::program::TranslocatedProgram;
use afterword_recall::ModelError;
use afterword_store::{QueueError, StoreError};
use afterword_transcript::error::TranscriptError;
use afterword_vault::VaultError;
use thiserror::Error;

pub use agent::AgentError;
pub use attempt::AttemptError;
pub use config::ConfigError;
pub use connection::ConnectionError;
pub use conversation::ConversationsError;
pub use engine_call::EngineCallError;
pub use export::ExportError;
pub(crate) use hints::replace_database_advice;
pub use install::InstallError;
pub use kind::ErrorKind;
pub use note::NoteError;
use obstacle::Obstacle;
pub use problem::Problem;
pub use project::{ProjectError, ProjectNameProblem, UnfitProject};
pub use review::ReviewError;
pub use search_model::SearchModelError;
pub use session::SessionError;
pub use setting::SettingProblem;
pub use unfit_connection::UnfitConnection;
pub use unfit_conversation::UnfitConversation;
pub use vault_setup::VaultSetupError;

/// What can go wrong in a use case.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// No home directory is known, so there is no place for configuration and state.
    #[error("no home directory is known")]
    NoHome,
    /// Whoever wanted the session reflected no longer does; nothing of it was written.
    #[error("{}: cancelled", path.display())]
    Cancelled {
        /// The transcript.
        path: PathBuf,
    },
    /// The keyring.
    #[error(transparent)]
    Keyring(#[from] KeyringError),
    /// Claude Code's files, or ours beside them, cannot be read or changed.
    #[error(transparent)]
    ClaudeCode(#[from] ClaudeCodeError),
    /// Claude Code could not do what it was asked.
    #[error(transparent)]
    Client(ClientError),
    /// A path that has to stand in a text file is not Unicode.
    #[error("{}: the path is not valid Unicode", path.display())]
    NotUnicode {
        /// The path.
        path: PathBuf,
    },
    /// There is no vault to work with.
    #[error(transparent)]
    VaultSetup(#[from] VaultSetupError),
    /// Afterword cannot be started by Claude Code or with the desktop.
    #[error(transparent)]
    Install(#[from] InstallError),
    /// Lessons are not written to a file.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// A setting cannot be read or written.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A session cannot be found, read or restored.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// A note cannot be found, made or written.
    #[error(transparent)]
    Note(#[from] NoteError),
    /// A lesson cannot be answered.
    #[error(transparent)]
    Review(#[from] ReviewError),
    /// An attempt is not remembered.
    #[error(transparent)]
    Attempt(#[from] AttemptError),
    /// No vectors can be made.
    #[error(transparent)]
    SearchModel(#[from] SearchModelError),
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

impl From<ModelError> for Error {
    fn from(error: ModelError) -> Self {
        SearchModelError::from(error).into()
    }
}

impl From<TranslocatedProgram> for Error {
    fn from(error: TranslocatedProgram) -> Self {
        InstallError::from(error).into()
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
        error_chain(self)
    }

    /// As [`Error::chain`], and what to do about it, on one line.
    pub fn chain_with_hints(&self) -> String {
        [vec![self.chain()], self.hints()].concat().join("; ")
    }

    /// What sort of failure it is.
    pub fn kind(&self) -> ErrorKind {
        kind::kind(self)
    }

    /// The error as a value, for a face that says it in a language of its own; `None` where nobody who looks at a window meets it.
    pub fn problem(&self) -> Option<Problem<'_>> {
        problem::problem(self)
    }

    /// The same as the JSON that reaches a window; `None` also where a path in it is no text.
    pub fn problem_value(&self) -> Option<serde_json::Value> {
        serde_json::to_value(self.problem()?).ok()
    }

    /// What the user can do about it, one sentence each; may be none.
    pub fn hints(&self) -> Vec<String> {
        hints::hints(self)
    }

    /// What of the machine stands in the way; `None` for every other error.
    pub fn obstacle(&self) -> Option<Obstacle> {
        obstacle::obstacle(self)
    }

    /// No other session can be asked about either: more than the money for this one, or for its project, is missing.
    pub(crate) fn stops_asking(&self) -> bool {
        obstacle::stops_asking(self)
    }

    /// How long to leave it alone at least: an engine may say so itself, and money comes back slowly.
    pub fn min_wait(&self) -> Duration {
        obstacle::min_wait(self)
    }

    /// How long to leave alone what failed after it was paid for.
    pub fn rest_after_paying(&self) -> Duration {
        obstacle::rest_after_paying(self)
    }

    /// It concerns more than one session: going on with the next makes no sense.
    pub fn stops_everything(&self) -> bool {
        matches!(self, Self::Store(_) | Self::Vault(_))
    }
}
