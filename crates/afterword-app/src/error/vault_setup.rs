//! Why there is no vault to work with.

use std::path::PathBuf;

use serde::Serialize;
use thiserror::Error;

use super::ErrorKind;

/// Why there is no vault to work with.
#[derive(Debug, Error, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
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
    /// The folder named as the vault was never set up as one.
    #[error("no vault is set up in {}", path.display())]
    NotSetUp {
        /// The folder.
        path: PathBuf,
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
            Self::NotChosen | Self::NotSetUp { .. } => ErrorKind::Precondition,
            Self::OtherChosen { .. } => ErrorKind::Conflict,
        }
    }

    pub(super) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NotChosen => {
                Some("choose one with `afterword init --vault DIR`, or look first with `--dry-run`")
            }
            Self::NotSetUp { .. } | Self::OtherChosen { .. } => Some(
                "to set up another one, run `afterword config set vault.path`, which forgets where the one before is, then \
                 `afterword init --vault DIR`",
            ),
            Self::Unfit { .. } => None,
        }
    }
}
