//! Why a conversation, or what was said in one, cannot be kept.

use serde::Serialize;
use thiserror::Error;

/// Why a conversation, or what was said in one, cannot be kept.
#[derive(Debug, Clone, PartialEq, Error, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum UnfitConversation {
    /// More tools or connections are named than a run may have.
    #[error("more than {most} tools or connections")]
    TooManyNamed {
        /// How many it may have.
        most: usize,
    },
    /// This is no tool.
    #[error("`{tool}` is no tool; say for example `Read` or `Bash(git log:*)`")]
    NoTool {
        /// What was named.
        tool: String,
    },
    /// No run may cost that.
    #[error("a run may cost from 0.01 to {most_usd} dollars")]
    Cost {
        /// What it may cost at most.
        most_usd: f64,
    },
    /// No run may take that long.
    #[error("a run may take from a second to a day")]
    Time,
    /// The directory it is to run in is none.
    #[error("{path} is no directory")]
    NoDirectory {
        /// The path.
        path: String,
    },
    /// The directory is one of Afterword's own.
    #[error("it cannot run where Afterword itself lets models work")]
    OwnDirectory,
    /// The directory it ran in is gone.
    #[error("its directory {path} is gone")]
    DirectoryGone {
        /// The path.
        path: String,
    },
    /// Nothing was said.
    #[error("nothing was said")]
    Nothing,
    /// What was said is too long.
    #[error("that is too long; {most} bytes are taken")]
    TooLong {
        /// How many bytes are taken.
        most: usize,
    },
    /// The last changes cannot be taken back.
    #[error("{detail}")]
    NotTakenBack {
        /// Why not, in English.
        detail: String,
    },
}
