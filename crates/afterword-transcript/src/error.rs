//! What can keep a transcript from being read at all. One bad line is never an error, it is in the report.

use std::io;
use std::path::PathBuf;

/// Why a transcript could not be read.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    /// The file could not be opened or looked at.
    #[error("cannot open {path}")]
    Open {
        /// The transcript.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Reading stopped in the middle.
    #[error("cannot read {path} after byte {offset}")]
    Read {
        /// The transcript.
        path: PathBuf,
        /// Bytes read before.
        offset: u64,
        /// What the system said.
        source: io::Error,
    },
    /// A directory, a socket, a pipe or a device is no transcript.
    #[error("{path} is not a regular file")]
    NotAFile {
        /// What was to be read.
        path: PathBuf,
    },
}
