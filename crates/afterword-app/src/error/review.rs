//! Why a lesson cannot be answered, or an answer not be taken back.

use afterword_vault::EditError;
use serde::Serialize;
use thiserror::Error;

use super::ErrorKind;

/// Why a lesson cannot be answered, or an answer not be taken back.
#[derive(Debug, Error, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ReviewError {
    /// The note is no preference, workflow or fix.
    #[error("{path}: no lesson, so there is nothing to review")]
    NotALesson {
        /// The note, below the vault.
        path: String,
    },
    /// The lesson was answered before.
    #[error("{path}: does not wait for an answer, its status is {status}")]
    NotWaiting {
        /// The note, below the vault.
        path: String,
        /// Its status.
        status: &'static str,
    },
    /// A model asks to keep a lesson that a model saved, or whose words may be somebody else's.
    #[serde(skip)]
    #[error("{path}: perhaps not in the user's words, so only the user can keep it")]
    PersonAnswers {
        /// The note, below the vault.
        path: String,
    },
    /// A model gives words for a lesson that the person did not say in the session.
    #[serde(skip)]
    #[error("the user did not say this in this session, as whole sentences in these words")]
    NotSaid,
    /// The lesson does not count, so nothing can take its place.
    #[error("{path}: does not count, so nothing can take its place")]
    NotActive {
        /// The note, below the vault.
        path: String,
    },
    /// The note's front matter cannot be changed without touching more.
    #[error("{path}: {source}")]
    Unchangeable {
        /// The note, below the vault.
        path: String,
        /// The property and why.
        #[serde(rename = "detail", serialize_with = "super::problem::as_text")]
        #[cfg_attr(feature = "contract", ts(rename = "detail", as = "String"))]
        source: EditError,
    },
    /// Somebody kept editing the note.
    #[error("{path}: it kept changing while it was written")]
    Changing {
        /// The note, below the vault.
        path: String,
    },
    /// No answer was given, or all were taken back.
    #[error("there is no answer to take back")]
    NoAnswerToUndo,
    /// No decision of that number stands.
    #[error("there is no decision {id} that could be undone")]
    NoSuchDecision {
        /// The number.
        id: i64,
    },
}

impl ReviewError {
    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::NotALesson { .. } => ErrorKind::Invalid,
            Self::PersonAnswers { .. } | Self::NotSaid => ErrorKind::Precondition,
            Self::NoAnswerToUndo | Self::NoSuchDecision { .. } => ErrorKind::NotFound,
            Self::NotWaiting { .. }
            | Self::NotActive { .. }
            | Self::Unchangeable { .. }
            | Self::Changing { .. } => ErrorKind::Conflict,
        }
    }

    pub(super) fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::PersonAnswers { .. } => {
                "the user answers it in the window, in its note, or with `afterword review`"
            }
            Self::NotSaid => {
                "ask the user to type the new title or text, and give it as they typed it; or they change it \
                 with `afterword review edit`, in the window or in its note"
            }
            Self::NotWaiting { .. } => {
                "`afterword review undo` takes the last answer back, `undo ID` an earlier one"
            }
            Self::Unchangeable { .. } => {
                "set `status` and `review` in the note yourself, or mend its front matter"
            }
            Self::NoAnswerToUndo => "`afterword review list` shows what waits",
            Self::NoSuchDecision { .. } => "`afterword review answers` lists those that can be taken back",
            Self::NotALesson { .. } | Self::NotActive { .. } | Self::Changing { .. } => return None,
        })
    }
}
