//! What can go wrong with the database, always with its path.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{ErrorCode, ffi};
use thiserror::Error;

/// What can go wrong with the database.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A newer Afterword wrote the database; opening it with this one could lose what it knows.
    #[error("{path}: written by a newer Afterword (schema {found}, this one knows up to {known})")]
    Newer {
        /// The database.
        path: PathBuf,
        /// Its schema's number.
        found: usize,
        /// The newest schema this program knows.
        known: usize,
    },
    /// The file is no database, or its pages are broken.
    #[error("{path}: damaged, or not a database")]
    Damaged {
        /// The database.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// The database was moved or deleted, or another was put in its place, while this process has it open.
    #[error("{path}: the database was moved or replaced while it was in use")]
    Moved {
        /// The database.
        path: PathBuf,
    },
    /// Another process kept the database locked for longer than the busy timeout.
    #[error("{path}: another process keeps the database locked")]
    Busy {
        /// The database.
        path: PathBuf,
    },
    /// No space is left for what was to be written.
    #[error("{path}: could not {action}: no space is left on the disk")]
    Full {
        /// The database.
        path: PathBuf,
        /// What was tried, as a verb phrase.
        action: &'static str,
    },
    /// The database, or the disk it is on, can only be read.
    #[error("{path}: could not {action}: it can only be read")]
    ReadOnly {
        /// The database.
        path: PathBuf,
        /// What was tried, as a verb phrase.
        action: &'static str,
    },
    /// SQLite refused a statement.
    #[error("{path}: could not {action}")]
    Sql {
        /// The database.
        path: PathBuf,
        /// What was tried, as a verb phrase.
        action: &'static str,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// A migration failed; the database is as it was.
    #[error("{path}: could not bring the database up to date")]
    Migration {
        /// The database.
        path: PathBuf,
        /// What failed.
        source: rusqlite_migration::Error,
    },
    /// The path is not Unicode text, so it cannot be kept in a text column without changing it.
    #[error("{path}: the path is not valid Unicode")]
    NameNotText {
        /// The path.
        path: PathBuf,
    },
    /// The file system refused.
    #[error("{path}: could not {action}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What was tried, as a verb phrase.
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
}

impl StoreError {
    pub(crate) fn from_sql(path: &Path, action: &'static str, source: rusqlite::Error) -> Self {
        let path = path.to_owned();
        // The shared memory beside the database is a file too; that it cannot grow is told as a failed read or write.
        if source.sqlite_error().is_some_and(|error| error.extended_code == ffi::SQLITE_IOERR_SHMSIZE) {
            return Self::Full { path, action };
        }
        match source.sqlite_error_code() {
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => Self::Damaged { path, source },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { path },
            Some(ErrorCode::DiskFull) => Self::Full { path, action },
            Some(ErrorCode::ReadOnly) => Self::ReadOnly { path, action },
            _ => Self::Sql { path, action, source },
        }
    }
}
