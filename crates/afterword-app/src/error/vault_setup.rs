//! Why there is no vault to work with.

use std::path::PathBuf;

use thiserror::Error;

use super::ErrorKind;

/// Why there is no vault to work with.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VaultSetupError {
    /// No vault was chosen yet.
    #[error("no vault is set up")]
    NotChosen,
    /// Notes cannot be written to the folder chosen as the vault.
    #[error("{}: {problem}", path.display())]
    Unfit {
        /// The folder.
        path: PathBuf,
        /// Why not.
        problem: &'static str,
    },
    /// Another vault is set up already.
    #[error("a vault is set up already: {}", path.display())]
    OtherChosen {
        /// The vault that is set up.
        path: PathBuf,
    },
}

impl VaultSetupError {
    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::Unfit { .. } => ErrorKind::Invalid,
            Self::NotChosen => ErrorKind::Precondition,
            Self::OtherChosen { .. } => ErrorKind::Conflict,
        }
    }

    pub(super) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NotChosen => {
                Some("choose one with `afterword init --vault DIR`, or look first with `--dry-run`")
            }
            Self::OtherChosen { .. } => {
                Some("to use another one, run `afterword config set vault.path DIR`, then `afterword init`")
            }
            Self::Unfit { .. } => None,
        }
    }
}
