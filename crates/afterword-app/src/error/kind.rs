//! What sort of failure each error is.

use afterword_platform::keyring::KeyringError;
use afterword_reflect::engine::EngineError;
use afterword_vault::VaultError;

use super::project::ProjectError;
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
            | Self::BadConversation { .. }
            | Self::BadConnection { .. }
            | Self::BadSchedule { .. }
            | Self::SendsNothing
            | Self::UnknownKey { .. }
            | Self::Keyring(KeyringError::BadName { .. } | KeyringError::BadKey { .. })
            | Self::Project(ProjectError::Unfit { .. } | ProjectError::BadName { .. })
            | Self::UnknownEngine { .. } => ErrorKind::Invalid,
            Self::NoHome
            | Self::NoClient
            | Self::NoModel
            | Self::NoSearchModel
            | Self::NoKey { .. }
            | Self::SignInNeeded { .. }
            | Self::Keyring(KeyringError::NoKeyring { .. } | KeyringError::Locked { .. })
            | Self::BudgetSpent { .. }
            | Self::NotReplied { .. }
            | Self::ProjectBudgetSpent { .. }
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
            | Self::NoSuchConversation { .. }
            | Self::NoSuchConnection { .. }
            | Self::NoSuchJob { .. }
            | Self::NoSuchProject { .. }
            | Self::Project(ProjectError::Unknown { .. } | ProjectError::NothingToUndo)
            | Self::NoSuchNote { .. }
            | Self::NoSuchDecision { .. }
            | Self::NothingToUndo => ErrorKind::NotFound,
            Self::OtherVault { .. }
            | Self::AmbiguousConversation { .. }
            | Self::ConversationClosed { .. }
            | Self::ConversationRefused { .. }
            | Self::Project(ProjectError::NameTaken { .. })
            | Self::JobNotOver { .. }
            | Self::AgentRunning { .. }
            | Self::AmbiguousSession { .. }
            | Self::OtherTranscript { .. }
            | Self::AmbiguousNote { .. }
            | Self::NotWaiting { .. }
            | Self::ChangedMeanwhile { .. }
            | Self::CalledOff { .. }
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
            | Self::SignIn { .. }
            | Self::NotWatched { .. }
            | Self::NotWritten { .. }
            | Self::Keyring(_)
            | Self::Io { .. } => ErrorKind::External,
        }
    }
}
