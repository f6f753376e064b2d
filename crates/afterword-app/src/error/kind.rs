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

/// What sort of failure it is.
pub(super) fn kind(error: &Error) -> ErrorKind {
    match error {
        Error::Config(error) => error.kind(),
        Error::Session(error) => error.kind(),
        Error::Review(error) => error.kind(),
        Error::EngineCall(error) => error.kind(),
        Error::Agent(error) => error.kind(),
        Error::Conversation(error) => error.kind(),
        Error::Connection(error) => error.kind(),
        Error::Project(error) => error.kind(),
        Error::VaultSetup(error) => error.kind(),
        Error::Note(error) => error.kind(),
        Error::Attempt(error) => error.kind(),
        Error::SearchModel(error) => error.kind(),
        Error::Install(error) => error.kind(),
        Error::Export(error) => error.kind(),
        Error::Keyring(error) => keyring::kind(error),
        Error::NotUnicode { .. }
        | Error::ClaudeCode(ClaudeCodeError::ForeignSettings { .. } | ClaudeCodeError::NotUnicode { .. }) => {
            ErrorKind::Invalid
        }
        Error::NoHome
        | Error::ClaudeCode(ClaudeCodeError::NoHome)
        | Error::Vault(VaultError::NotAVault { .. }) => ErrorKind::Precondition,
        Error::Cancelled { .. } | Error::ClaudeCode(ClaudeCodeError::ChangedMeanwhile { .. }) => {
            ErrorKind::Conflict
        }
        Error::Transcript(_)
        | Error::Vault(_)
        | Error::Store(_)
        | Error::Queue(_)
        | Error::Client(_)
        | Error::ClaudeCode(ClaudeCodeError::Io { .. })
        | Error::Io { .. } => ErrorKind::External,
    }
}
