//! Why the agent, or a job of its queue, is not as it is wanted.

use std::path::PathBuf;

use afterword_core::JobStatus;
use serde::Serialize;
use thiserror::Error;

use super::ErrorKind;

/// Why the agent, or a job of its queue, is not as it is wanted.
#[derive(Debug, Error, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum AgentError {
    /// No job, or more than one, has an id that starts so.
    #[error("no single job has an id that starts with `{job}`")]
    NoSuchJob {
        /// What was asked for.
        job: String,
    },
    /// A job that is to be tried again did not fail and was not cancelled.
    #[error("job {job} is {status}")]
    JobNotOver {
        /// The job.
        job: String,
        /// Where it stands.
        status: JobStatus,
    },
    /// An agent works in this state directory already.
    #[serde(skip)]
    #[error("{}: an agent is at work here already{}", state.display(), process(*.pid))]
    AlreadyRunning {
        /// The state directory.
        state: PathBuf,
        /// Its process, where it left its number.
        pid: Option<u32>,
    },
    /// The system refused to watch files; looking again and again takes its place.
    #[serde(skip)]
    #[error("{}: cannot be watched: {problem}", path.display())]
    NotWatched {
        /// The directory.
        path: PathBuf,
        /// Why.
        problem: String,
    },
}

impl AgentError {
    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::NoSuchJob { .. } => ErrorKind::NotFound,
            Self::JobNotOver { .. } | Self::AlreadyRunning { .. } => ErrorKind::Conflict,
            Self::NotWatched { .. } => ErrorKind::External,
        }
    }

    pub(super) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NoSuchJob { .. } => Some("`afterword jobs` lists them"),
            Self::JobNotOver { .. } => Some("only one that failed or was cancelled can be tried again"),
            Self::AlreadyRunning { .. } => Some(
                "`afterword status` shows what it does; the tray app and `afterword run` are both agents",
            ),
            Self::NotWatched { .. } => None,
        }
    }
}

fn process(pid: Option<u32>) -> String {
    pid.map(|pid| format!(" (process {pid})")).unwrap_or_default()
}
