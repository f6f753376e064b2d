//! What a person is told of the vault, the databases, files and what the system says of them: the errors of the rooms below, by
//! what can be told apart and be mended.

use std::path::Path;

use afterword_claude_code::ClaudeCodeError;
use afterword_core::error_chain::error_chain;
use afterword_store::StoreError;
use afterword_transcript::error::TranscriptError;
use afterword_vault::VaultError;
use serde::Serialize;

use super::InstallError;
use super::obstacle::Obstacle;
use crate::Error;

/// What of the machine does not work.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum MachineProblem<'e> {
    /// The vault is not there.
    NoVault {
        /// Where it was.
        path: &'e Path,
    },
    /// A link would lead out of the vault.
    LeavesVault {
        /// The file, below the vault.
        path: String,
    },
    /// No space is left.
    Full {
        /// The file or folder.
        path: String,
    },
    /// The place can only be read.
    ReadOnly {
        /// The file or folder.
        path: String,
    },
    /// The system refuses access.
    Denied {
        /// The file or folder.
        path: String,
    },
    /// A file could not be read or written for another reason.
    File {
        /// The file or folder.
        path: String,
        /// What happened, in English.
        detail: String,
    },
    /// The transcript of a session is no longer there.
    NoTranscript {
        /// Where it was.
        path: &'e Path,
    },
    /// A newer program wrote the database.
    NewerDatabase {
        /// The database.
        path: &'e Path,
    },
    /// The database is damaged.
    DamagedDatabase {
        /// The database.
        path: &'e Path,
    },
    /// The database was moved while it was open.
    MovedDatabase,
    /// Another process keeps the database locked.
    BusyDatabase,
    /// The database refused for another reason.
    Database {
        /// What happened, in English.
        detail: String,
    },
    /// A settings file of Claude Code cannot be changed safely.
    ForeignSettings {
        /// The file.
        path: &'e Path,
        /// The line, from 1.
        line: usize,
        /// What is wrong, in English.
        detail: &'e str,
    },
    /// A file was changed by somebody else meanwhile.
    ChangedMeanwhile {
        /// The file.
        path: &'e Path,
    },
    /// The program has to be moved before it can be started by others.
    Translocated,
    /// Whoever wanted it no longer does.
    Cancelled,
}

impl<'e> MachineProblem<'e> {
    /// The view of an error; `None` for one of which there is none.
    pub(super) fn of(error: &'e Error) -> Option<Self> {
        Some(match error {
            Error::Vault(error) => Self::of_vault(error),
            Error::Store(error) => Self::of_store(error),
            Error::Transcript(error) => Self::of_transcript(error),
            Error::ClaudeCode(ClaudeCodeError::ForeignSettings { path, line, problem }) => {
                Self::ForeignSettings { path, line: *line, detail: problem }
            }
            Error::ClaudeCode(ClaudeCodeError::ChangedMeanwhile { path }) => Self::ChangedMeanwhile { path },
            Error::ClaudeCode(ClaudeCodeError::Io { path, source, .. }) | Error::Io { path, source, .. } => {
                Self::of_io(path.display().to_string(), source)
            }
            Error::Install(InstallError::Translocated(_)) => Self::Translocated,
            Error::Cancelled { .. } => Self::Cancelled,
            _ => return None,
        })
    }

    fn of_vault(error: &'e VaultError) -> Self {
        match error {
            VaultError::NotAVault { path } => Self::NoVault { path },
            VaultError::LeavesVault { path } => Self::LeavesVault { path: path.to_string() },
            VaultError::Io { path, source } => Self::of_io(path.to_string(), source),
            VaultError::Root { path, source } => Self::of_io(path.display().to_string(), source),
        }
    }

    fn of_store(error: &'e StoreError) -> Self {
        let text = |path: &Path| path.display().to_string();
        match error {
            StoreError::Newer { path, .. } => Self::NewerDatabase { path },
            StoreError::Damaged { path, .. } => Self::DamagedDatabase { path },
            StoreError::Moved { .. } => Self::MovedDatabase,
            StoreError::Busy { .. } => Self::BusyDatabase,
            StoreError::Full { path, .. } => Self::Full { path: text(path) },
            StoreError::ReadOnly { path, .. } => Self::ReadOnly { path: text(path) },
            StoreError::Io { path, source, .. } => Self::of_io(text(path), source),
            other => Self::Database { detail: error_chain(other) },
        }
    }

    fn of_transcript(error: &'e TranscriptError) -> Self {
        match error {
            TranscriptError::Open { path, source } if source.kind() == std::io::ErrorKind::NotFound => {
                Self::NoTranscript { path }
            }
            TranscriptError::Open { path, source } | TranscriptError::Read { path, source, .. } => {
                Self::of_io(path.display().to_string(), source)
            }
            TranscriptError::NotAFile { path } => {
                Self::File { path: path.display().to_string(), detail: "not a regular file".to_owned() }
            }
        }
    }

    fn of_io(path: String, source: &std::io::Error) -> Self {
        match Obstacle::of_io(source) {
            Some(Obstacle::Full) => Self::Full { path },
            Some(Obstacle::ReadOnly) => Self::ReadOnly { path },
            Some(Obstacle::Denied) => Self::Denied { path },
            Some(Obstacle::Unusable | Obstacle::Engine) | None => {
                Self::File { path, detail: source.to_string() }
            }
        }
    }
}
