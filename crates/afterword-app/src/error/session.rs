//! Why a session cannot be found, read or restored.

use std::path::PathBuf;

use serde::Serialize;
use thiserror::Error;

use super::ErrorKind;

/// Why a session cannot be found, read or restored.
#[derive(Debug, Error, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SessionError {
    /// No session is called that.
    #[error("no session starts with `{argument}`")]
    NoSuch {
        /// What was asked for.
        argument: String,
    },
    /// No session has asked what it is to be given.
    #[error("no session has asked for lessons yet")]
    NoneAsked,
    /// More than one session starts with that.
    #[error("`{argument}` is the start of {count} sessions")]
    Ambiguous {
        /// What was asked for.
        argument: String,
        /// How many it fits.
        count: usize,
        /// Some of those it fits.
        sessions: Vec<String>,
    },
    /// There is no copy of such a session.
    #[error("no session that starts with `{argument}` is in the archive")]
    NotArchived {
        /// What was asked for.
        argument: String,
    },
    /// Another transcript is where one would be restored.
    #[error("{}: another transcript is there", path.display())]
    OtherTranscript {
        /// The transcript.
        path: PathBuf,
    },
    /// The path is not a transcript.
    #[error("{}: {problem}", path.display())]
    NotATranscript {
        /// The path.
        path: PathBuf,
        /// Why not.
        problem: &'static str,
    },
    /// The transcript lies elsewhere than Claude Code keeps its own.
    #[error("{}: no transcript of Claude Code's own folder, so nothing of it is written", path.display())]
    Foreign {
        /// The path.
        path: PathBuf,
    },
    /// The session's project is one the user excludes.
    #[error("{}: its project is excluded by `privacy.exclude` ({project})", path.display())]
    Excluded {
        /// The transcript.
        path: PathBuf,
        /// The project.
        project: String,
    },
    /// The session is one that Afterword started itself.
    #[error("{}: a session that Afterword started itself", path.display())]
    Own {
        /// The transcript.
        path: PathBuf,
    },
}

impl SessionError {
    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::NotATranscript { .. } | Self::Foreign { .. } => ErrorKind::Invalid,
            Self::NoneAsked | Self::Excluded { .. } | Self::Own { .. } => ErrorKind::Precondition,
            Self::NoSuch { .. } | Self::NotArchived { .. } => ErrorKind::NotFound,
            Self::Ambiguous { .. } | Self::OtherTranscript { .. } => ErrorKind::Conflict,
        }
    }

    pub(super) fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NoSuch { .. } => "`afterword sessions` lists them",
            Self::NoneAsked => {
                "connect Claude Code with `afterword install claude-code`, then start a session"
            }
            Self::Ambiguous { sessions, .. } => {
                return Some(format!("give more of the id; it fits {}", sessions.join(", ")));
            }
            Self::NotArchived { .. } => {
                "`afterword sessions archive` says what is kept; `afterword config set archive.sessions true` \
                 keeps a copy of every session from now on"
            }
            Self::OtherTranscript { .. } => "give `--to DIR` to restore it elsewhere",
            Self::Foreign { .. } => {
                "look at it with `--dry-run` or `afterword inspect PATH`; \
                 `afterword reflect PATH --foreign` takes what it holds for your own sessions' words"
            }
            Self::Excluded { .. } => "change `privacy.exclude` with `afterword config set`",
            Self::NotATranscript { .. } | Self::Own { .. } => return None,
        };
        Some(hint.to_owned())
    }
}
