//! What can go wrong in a vault, always with the path concerned.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::path::VaultPath;

/// A vault could not be opened, read or written.
#[derive(Debug, Error)]
pub enum VaultError {
    /// The folder holds no `Afterword` folder: never set up, moved away, or on a disk that is not there.
    #[error("no Afterword folder in {}", path.display())]
    NotAVault {
        /// The folder that was named as the vault.
        path: PathBuf,
    },
    /// Reading or writing failed.
    #[error("{path}: {source}")]
    Io {
        /// The file or folder, within the vault.
        path: VaultPath,
        /// What the system said.
        source: io::Error,
    },
    /// The vault's own folder could not be read or made.
    #[error("{}: {source}", path.display())]
    Root {
        /// The folder that was named as the vault.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A symbolic link on the way leads out of the vault; nothing is written through it.
    #[error("{path}: a symbolic link on the way leads out of the vault")]
    LeavesVault {
        /// The file that was to be read or written.
        path: VaultPath,
    },
}

impl VaultError {
    /// Wraps what the system said about `path`; recognises an attempt to leave the vault.
    pub(crate) fn from_io(path: &VaultPath, source: io::Error) -> Self {
        // cap-std reports an escape as a permission error that no system call made.
        if source.kind() == io::ErrorKind::PermissionDenied && source.raw_os_error().is_none() {
            return Self::LeavesVault { path: path.clone() };
        }
        Self::Io { path: path.clone(), source }
    }
}

/// A note's front matter cannot be changed without touching more than the property concerned.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("property `{property}` cannot be changed in place: {reason}")]
pub struct EditError {
    /// The property that was to change.
    pub property: String,
    /// Why not.
    pub reason: &'static str,
}
