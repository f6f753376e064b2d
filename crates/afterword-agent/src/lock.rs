//! One process at a time plans and applies: between looking at the vault and telling the database nobody else writes.

use std::fs::File;
use std::path::Path;

use crate::Error;
use crate::files::{create_private_directory, open_private_file};

/// Held until dropped; the system lets go of it when the process dies.
#[derive(Debug)]
pub(crate) struct ApplyLock {
    _file: File,
}

impl ApplyLock {
    /// Waits until no other process holds it.
    pub(crate) fn take(path: &Path) -> Result<Self, Error> {
        let error = |action| move |source| Error::Io { path: path.to_owned(), action, source };
        if let Some(directory) = path.parent() {
            create_private_directory(directory).map_err(error("make the state directory"))?;
        }
        let file = open_private_file(path).map_err(error("open the lock"))?;
        file.lock().map_err(error("take the lock"))?;
        Ok(Self { _file: file })
    }
}
