//! Why lessons are not written to a file.

use std::path::PathBuf;

use serde::Serialize;
use thiserror::Error;

use super::ErrorKind;

/// Why lessons are not written to a file.
#[derive(Debug, Error, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ExportError {
    /// The file is a link, which is not followed.
    #[error("{}: nothing was exported: it is a link to {}", path.display(), target.display())]
    Link {
        /// The link.
        path: PathBuf,
        /// Where it leads.
        target: PathBuf,
    },
    /// A folder on the way to the file is a link, which is not followed.
    #[error("{}: nothing was exported: the folder {} is a link in a repository, which leads it to {}", path.display(), folder.display(), target.display())]
    LinkedFolder {
        /// The file.
        path: PathBuf,
        /// The link.
        folder: PathBuf,
        /// Where the file would lie.
        target: PathBuf,
    },
    /// The file lies where Afterword keeps its own.
    #[error("{}: nothing was exported: Afterword keeps its own files there", path.display())]
    OwnFiles {
        /// The file.
        path: PathBuf,
    },
    /// The file lies in what Git keeps of a repository.
    #[error("{}: nothing was exported: it lies in a repository's `.git`", path.display())]
    GitDirectory {
        /// The file.
        path: PathBuf,
    },
    /// Instructions go into a file that no agent reads as such.
    #[error("{}: nothing was exported: no agent reads a file of this name as instructions", path.display())]
    NotInstructions {
        /// The file.
        path: PathBuf,
    },
    /// The file is there and holds something else.
    #[error("{}: nothing was exported: the file is there already and is no export that Afterword would know again", path.display())]
    NotAnExport {
        /// The file.
        path: PathBuf,
    },
    /// The file is an earlier export that a person changed.
    #[error("{}: nothing was exported: this earlier export was changed since", path.display())]
    Edited {
        /// The file.
        path: PathBuf,
    },
    /// What would be exported is not what was shown.
    #[error("nothing was exported: your lessons changed since this was shown")]
    OtherLessons,
    /// The file is not what the export was planned on.
    #[error("{}: not exported: the file changed since the export was shown, and was left as it is", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

impl ExportError {
    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::NotAnExport { .. } | Self::Edited { .. } | Self::OtherLessons | Self::Changed { .. } => {
                ErrorKind::Conflict
            }
            Self::Link { .. }
            | Self::LinkedFolder { .. }
            | Self::OwnFiles { .. }
            | Self::GitDirectory { .. }
            | Self::NotInstructions { .. } => ErrorKind::Invalid,
        }
    }

    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::Link { .. } => "name the file that it leads to",
            Self::LinkedFolder { .. } => "name the file by where it would lie, if that is what you want",
            Self::OwnFiles { .. } | Self::GitDirectory { .. } => "name a file elsewhere",
            Self::NotInstructions { .. } => "name a markdown file, as `CLAUDE.md` or `AGENTS.md`",
            Self::NotAnExport { .. } => {
                "name another file; if this is an export of an earlier Afterword, which had no mark of its own, delete it and export again"
            }
            Self::Edited { .. } => "name another file, or delete this one and export again",
            Self::OtherLessons | Self::Changed { .. } => "export again to see what it would become now",
        }
    }
}
