//! One process at a time plans and applies: between looking at the vault and telling the database nobody else writes.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::files::{create_private_directory, open_private_file};

/// Why a lock could not be taken.
#[derive(Debug, Error)]
#[error("{}: could not {action}", .path.display())]
pub struct LockError {
    /// The lock's file.
    pub path: PathBuf,
    /// What was tried.
    pub action: &'static str,
    /// What the file system said.
    pub source: io::Error,
}

/// Held until dropped; the system lets go of it when the process dies.
#[derive(Debug)]
pub struct ApplyLock {
    _file: File,
}

impl ApplyLock {
    /// Waits until no other process holds it.
    ///
    /// # Errors
    /// [`LockError`] where the file system has no such lock.
    pub fn take(path: &Path) -> Result<Self, LockError> {
        let error = |action| move |source| LockError { path: path.to_owned(), action, source };
        if let Some(directory) = path.parent() {
            create_private_directory(directory).map_err(error("make the state directory"))?;
        }
        let file = open_private_file(path).map_err(error("open the lock"))?;
        file.lock().map_err(error("take the lock"))?;
        Ok(Self { _file: file })
    }
}
