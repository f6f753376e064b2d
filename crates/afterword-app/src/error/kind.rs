//! What sort of failure each error is.

use afterword_claude_code::ClaudeCodeError;
use afterword_vault::VaultError;

use super::keyring;
use crate::Error;

/// What sort of failure it is; every face shows the same failure the same way by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "FailureCode"))]
#[serde(rename_all = "lowercase")]
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
            Self::Config(error) => error.kind(),
            Self::Session(error) => error.kind(),
            Self::Review(error) => error.kind(),
            Self::EngineCall(error) => error.kind(),
            Self::Agent(error) => error.kind(),
            Self::Conversation(error) => error.kind(),
            Self::Connection(error) => error.kind(),
            Self::Project(error) => error.kind(),
            Self::VaultSetup(error) => error.kind(),
            Self::Note(error) => error.kind(),
            Self::Attempt(error) => error.kind(),
            Self::SearchModel(error) => error.kind(),
            Self::Install(error) => error.kind(),
            Self::Export(error) => error.kind(),
            Self::Keyring(error) => keyring::kind(error),
            Self::NotUnicode { .. }
            | Self::ClaudeCode(
                ClaudeCodeError::ForeignSettings { .. } | ClaudeCodeError::NotUnicode { .. },
            ) => ErrorKind::Invalid,
            Self::NoHome
            | Self::ClaudeCode(ClaudeCodeError::NoHome)
            | Self::Vault(VaultError::NotAVault { .. }) => ErrorKind::Precondition,
            Self::Cancelled { .. } | Self::ClaudeCode(ClaudeCodeError::ChangedMeanwhile { .. }) => {
                ErrorKind::Conflict
            }
            Self::Transcript(_)
            | Self::Vault(_)
            | Self::Store(_)
            | Self::Queue(_)
            | Self::Client(_)
            | Self::ClaudeCode(ClaudeCodeError::Io { .. })
            | Self::Io { .. } => ErrorKind::External,
        }
    }
}
