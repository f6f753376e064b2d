//! Why lessons are not written to a file.

use std::path::PathBuf;

use thiserror::Error;

use super::ErrorKind;

/// Why lessons are not written to a file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The file is a link, which is not followed.
    #[error("{}: a link to {}", path.display(), target.display())]
    Link {
        /// The link.
        path: PathBuf,
        /// Where it leads.
        target: PathBuf,
    },
    /// The file lies where Afterword keeps its own.
    #[error("{}: lies where Afterword keeps what it knows", path.display())]
    OwnFiles {
        /// The file.
        path: PathBuf,
    },
    /// The file lies in what Git keeps of a repository.
    #[error("{}: lies in a repository's `.git`", path.display())]
    GitDirectory {
        /// The file.
        path: PathBuf,
    },
    /// Instructions go into a file that no agent reads as such.
    #[error("{}: no file of instructions", path.display())]
    NotInstructions {
        /// The file.
        path: PathBuf,
    },
    /// The file is there and holds something else.
    #[error("{}: is there already, and no earlier export", path.display())]
    NotAnExport {
        /// The file.
        path: PathBuf,
    },
}

impl ExportError {
    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::NotAnExport { .. } => ErrorKind::Conflict,
            Self::Link { .. }
            | Self::OwnFiles { .. }
            | Self::GitDirectory { .. }
            | Self::NotInstructions { .. } => ErrorKind::Invalid,
        }
    }

    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::Link { .. } => "name the file that it leads to",
            Self::OwnFiles { .. } | Self::GitDirectory { .. } => "name a file elsewhere",
            Self::NotInstructions { .. } => "name a markdown file, as `CLAUDE.md` or `AGENTS.md`",
            Self::NotAnExport { .. } => "name another file, or move this one out of the way",
        }
    }
}
