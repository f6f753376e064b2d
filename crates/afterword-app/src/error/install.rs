//! Why Afterword cannot be connected to Claude Code, or started with the desktop.

use std::path::PathBuf;

use afterword_platform::program::Translocated;
use thiserror::Error;

use super::ErrorKind;

/// Why Afterword cannot be connected to Claude Code, or started with the desktop.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum InstallError {
    /// A settings file of Claude Code holds something that cannot be changed safely.
    #[error("{}:{line}: {problem}", path.display())]
    ForeignSettings {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// A file is no longer what a plan was made on.
    #[error("{}: changed in the meantime; nothing was written to it", path.display())]
    ChangedMeanwhile {
        /// The file.
        path: PathBuf,
    },
    /// A command of the system failed.
    #[error("`{command}` failed: {problem}")]
    CommandFailed {
        /// The command.
        command: String,
        /// What it said.
        problem: String,
    },
    /// The path of the program is gone once it ends.
    #[error(transparent)]
    Translocated(#[from] Translocated),
}

impl InstallError {
    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::ForeignSettings { .. } => ErrorKind::Invalid,
            Self::Translocated(_) => ErrorKind::Precondition,
            Self::ChangedMeanwhile { .. } => ErrorKind::Conflict,
            Self::CommandFailed { .. } => ErrorKind::External,
        }
    }

    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::ForeignSettings { .. } => "mend the file and run this again; nothing was changed",
            Self::ChangedMeanwhile { .. } => "run this again",
            Self::CommandFailed { .. } => {
                "the file was changed; run the command yourself, or begin with `afterword run`"
            }
            Self::Translocated(_) => {
                "move Afterword into the Applications folder and start it from there, then try again"
            }
        }
    }
}
