//! What can go wrong with the client.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use afterword_core::SessionId;
use thiserror::Error;

use super::Cost;

/// What can go wrong with the client.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ClientError {
    /// It cannot be started.
    #[error("{}: cannot be started", path.display())]
    Start {
        /// The program.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It lacks an option that is needed.
    #[error("{}: this Claude Code is too old, it has no `{option}`", path.display())]
    TooOld {
        /// The program.
        path: PathBuf,
        /// The option.
        option: &'static str,
    },
    /// It took longer than it may, and was ended.
    #[error("it took longer than {} s and was ended", .limit.as_secs())]
    TooLong {
        /// What it was allowed.
        limit: Duration,
        /// What it cost until then, as far as it was seen.
        cost: Cost,
    },
    /// Whoever follows it wanted it to stop.
    #[error("it was stopped")]
    Interrupted {
        /// What it cost until then, as far as it was seen.
        cost: Cost,
    },
    /// The session to go on with is no longer there.
    #[error("the session {session} is no longer there")]
    SessionGone {
        /// The session.
        session: SessionId,
    },
    /// It reached the money limit.
    #[error("it reached its limit of money")]
    TooExpensive {
        /// What it cost until then.
        cost: Cost,
    },
    /// It cannot ask its model now: nobody is signed in, a limit is reached, the service is overloaded.
    #[error("Claude Code cannot be asked now: {problem}")]
    Unavailable {
        /// In its own words.
        problem: String,
        /// What it cost until then.
        cost: Cost,
    },
    /// It said that it failed, or ended without an answer.
    #[error("Claude Code failed: {problem}")]
    Failed {
        /// In its own words, or how it ended.
        problem: String,
        /// What it cost until then.
        cost: Cost,
    },
}

impl ClientError {
    /// What the run cost all the same.
    pub fn cost(&self) -> Cost {
        match self {
            Self::TooExpensive { cost }
            | Self::Unavailable { cost, .. }
            | Self::Failed { cost, .. }
            | Self::TooLong { cost, .. }
            | Self::Interrupted { cost } => *cost,
            _ => Cost::default(),
        }
    }

    /// The same, of a run that was ended from outside and cost as much as was seen.
    pub(super) fn having_cost(self, seen: Cost) -> Self {
        match self {
            Self::TooLong { limit, .. } => Self::TooLong { limit, cost: seen },
            Self::Interrupted { .. } => Self::Interrupted { cost: seen },
            other => other,
        }
    }

    /// Nothing is wrong with what was asked: the client cannot be used.
    pub fn is_about_the_client(&self) -> bool {
        matches!(self, Self::Start { .. } | Self::TooOld { .. } | Self::Unavailable { .. })
    }

    /// Trying again cannot help before somebody changes something.
    pub fn is_lasting(&self) -> bool {
        matches!(self, Self::Start { .. } | Self::TooOld { .. } | Self::TooExpensive { .. })
    }
}
