//! What sort of failure each error is.

use afterword_platform::keyring::KeyringError;
use afterword_reflect::engine::EngineError;
use afterword_vault::VaultError;

use crate::Error;

/// What sort of failure it is; every face shows the same failure the same way by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// What was asked for makes no sense as it stands.
    Invalid,
    /// Something has to be set up first.
    Precondition,
    /// It is not there.
    NotFound,
    /// It collides with something else, or means several things.
    Conflict,
    /// The file system, the database or another program refused.
    External,
    /// A mistake in this program.
    Bug,
}

impl Error {
    /// What sort of failure it is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Conversation(error) => error.kind(),
            Self::Connection(error) => error.kind(),
            Self::Project(error) => error.kind(),
            Self::Config { .. }
            | Self::UnknownSetting { .. }
            | Self::BadSetting { .. }
            | Self::NotATranscript { .. }
            | Self::ForeignTranscript { .. }
            | Self::BadVault { .. }
            | Self::Model(_)
            | Self::NotALesson { .. }
            | Self::ForeignSettings { .. }
            | Self::NotUnicode { .. }
            | Self::UnusableLesson { .. }
            | Self::BadAttempt { .. }
            | Self::SendsNothing
            | Self::UnknownKey { .. }
            | Self::Keyring(KeyringError::BadName { .. } | KeyringError::BadKey { .. })
            | Self::UnknownEngine { .. } => ErrorKind::Invalid,
            Self::NoHome
            | Self::Translocated(_)
            | Self::NoClient
            | Self::NoModel
            | Self::NoSearchModel
            | Self::NoKey { .. }
            | Self::Keyring(KeyringError::NoKeyring { .. } | KeyringError::Locked { .. })
            | Self::NoVault
            | Self::NoSessionAsked
            | Self::Excluded { .. }
            | Self::PersonAnswers { .. }
            | Self::NotSaid
            | Self::OwnSession { .. } => ErrorKind::Precondition,
            Self::AlreadyResearched { .. } => ErrorKind::Conflict,
            Self::Asked { source, .. } | Self::Engine { source, .. } => match **source {
                EngineError::Budget { .. } | EngineError::NoPrice { .. } => ErrorKind::Precondition,
                _ => ErrorKind::External,
            },
            Self::NoSuchSession { .. }
            | Self::NotArchived { .. }
            | Self::NoSuchJob { .. }
            | Self::NoSuchProject { .. }
            | Self::NoSuchNote { .. }
            | Self::NoAnswerToUndo
            | Self::NoSuchDecision { .. } => ErrorKind::NotFound,
            Self::OtherVault { .. }
            | Self::JobNotOver { .. }
            | Self::AgentRunning { .. }
            | Self::AmbiguousSession { .. }
            | Self::OtherTranscript { .. }
            | Self::AmbiguousNote { .. }
            | Self::NotWaiting { .. }
            | Self::ChangedMeanwhile { .. }
            | Self::Cancelled { .. }
            | Self::NotActive { .. }
            | Self::NoteUnchangeable { .. }
            | Self::NoteChanging { .. } => ErrorKind::Conflict,
            Self::Vault(VaultError::NotAVault { .. }) => ErrorKind::Precondition,
            Self::CommandFailed { .. }
            | Self::Transcript(_)
            | Self::Vault(_)
            | Self::Store(_)
            | Self::Queue(_)
            | Self::Client(_)
            | Self::NotWatched { .. }
            | Self::NotWritten { .. }
            | Self::Keyring(_)
            | Self::Io { .. } => ErrorKind::External,
        }
    }
}
