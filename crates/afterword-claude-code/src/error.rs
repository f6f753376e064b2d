//! What can go wrong with Claude Code's files and ours beside them.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// What can go wrong.
#[derive(Debug, Error)]
pub enum ClaudeCodeError {
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
    /// A path that has to stand in a text file is not Unicode.
    #[error("{}: the path is not valid Unicode", path.display())]
    NotUnicode {
        /// The path.
        path: PathBuf,
    },
    /// No home directory is known, so there is no file of Claude Code to change.
    #[error("no home directory is known")]
    NoHome,
    /// The file system refused.
    #[error("{}: cannot {action}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What was to be done.
        action: &'static str,
        /// What the file system said.
        source: io::Error,
    },
}
