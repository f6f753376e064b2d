//! What a person can do about an error.

use afterword_store::StoreError;
use afterword_vault::VaultError;

use super::keyring;
use crate::Error;

impl Error {
    /// What the user can do about it, one sentence each; may be none.
    pub fn hints(&self) -> Vec<String> {
        match self {
            Self::Conversation(error) => error.hints(),
            other => other.hint().into_iter().collect(),
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Config(error) => return error.hint(),
            Self::Session(error) => return error.hint(),
            Self::EngineCall(error) => return error.hint(),
            Self::Connection(error) => return error.hint(),
            Self::Note(error) => return error.hint(),
            Self::Project(error) => error.hint()?,
            Self::Review(error) => error.hint()?,
            Self::Agent(error) => error.hint()?,
            Self::VaultSetup(error) => error.hint()?,
            Self::Keyring(error) => keyring::hint(error)?,
            Self::Install(error) => error.hint(),
            Self::SearchModel(error) => error.hint(),
            Self::NoHome => "set AFTERWORD_HOME to a directory",
            Self::Vault(VaultError::NotAVault { .. }) => {
                "bring back the disk it is on; where the vault was moved, run `afterword init --vault DIR`; `afterword init` \
                 begins an empty one there"
            }
            Self::Store(StoreError::Newer { .. }) => "update this Afterword, or use another AFTERWORD_HOME",
            Self::Store(StoreError::Damaged { path, .. }) => {
                return Some(format!(
                    "move {} aside and run `afterword reflect --all`: the notes in the vault are not touched",
                    path.display()
                ));
            }
            Self::Store(StoreError::Busy { .. }) => "try again when the other Afterword is done",
            other => return other.obstacle_hint(),
        };
        Some(hint.to_owned())
    }
}
