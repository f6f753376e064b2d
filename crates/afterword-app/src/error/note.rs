//! Why a note cannot be found, made or written.

use afterword_vault::VaultError;
use serde::Serialize;
use thiserror::Error;

use super::ErrorKind;
use super::obstacle::Obstacle;

/// Why a note cannot be found, made or written.
#[derive(Debug, Clone, Error, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum NoteError {
    /// No note is called that.
    #[error("there is no note `{argument}`")]
    NoSuch {
        /// What was asked for.
        argument: String,
    },
    /// More than one note is called that.
    #[error("`{argument}` is the name of {count} notes")]
    Ambiguous {
        /// What was asked for.
        argument: String,
        /// How many it fits.
        count: usize,
        /// Some of those it fits.
        notes: Vec<String>,
    },
    /// A lesson that was given makes no note.
    #[error("the lesson cannot be saved: {problem}")]
    Unusable {
        /// Why not.
        problem: &'static str,
    },
    /// Notes of a session could not be written; it will be reflected again.
    #[error("its notes could not be written: {problem}")]
    NotWritten {
        /// Why.
        problem: String,
        /// What of the machine stands in the way, if anything does.
        obstacle: Option<Obstacle>,
    },
}

impl NoteError {
    pub(crate) fn not_written(problem: impl Into<String>) -> Self {
        Self::NotWritten { problem: problem.into(), obstacle: None }
    }

    /// The vault did not take it.
    pub(crate) fn refused(error: &VaultError) -> Self {
        Self::NotWritten { problem: error.to_string(), obstacle: Obstacle::of_vault(error) }
    }

    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::Unusable { .. } => ErrorKind::Invalid,
            Self::NoSuch { .. } => ErrorKind::NotFound,
            Self::Ambiguous { .. } => ErrorKind::Conflict,
            Self::NotWritten { .. } => ErrorKind::External,
        }
    }

    pub(super) fn hint(&self) -> Option<String> {
        match self {
            Self::NoSuch { .. } => Some(
                "`afterword search WORDS` finds lessons, `afterword review list` shows what waits and `afterword ideas list` the ideas; a note is named by its id, its path or its file's name"
                    .to_owned(),
            ),
            Self::Ambiguous { notes, .. } => Some(format!("give its path or its id; it fits {}", notes.join(", "))),
            Self::NotWritten { obstacle, .. } => obstacle.and_then(|obstacle| obstacle.hint(None)),
            Self::Unusable { .. } => None,
        }
    }
}
