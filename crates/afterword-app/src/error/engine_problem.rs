//! What a person is told of an engine that gave nothing usable: the errors of the engines and of Claude Code, without what they cost.

use std::path::Path;

use afterword_claude_code::client::ClientError;
use afterword_reflect::engine::{EngineError, is_local};
use serde::Serialize;

/// Why an engine gave nothing usable.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum EngineProblem<'e> {
    /// The address cannot be used.
    Address {
        /// The address.
        url: &'e str,
    },
    /// Nobody answered.
    Unreachable {
        /// The address.
        url: &'e str,
        /// It is on this machine.
        local: bool,
        /// What the connection said, in English.
        detail: &'e str,
    },
    /// It took too long.
    TooLong {
        /// The address.
        url: &'e str,
        /// What it was allowed.
        seconds: u64,
    },
    /// The key is missing, wrong, or may not do this.
    Key {
        /// The address.
        url: &'e str,
        /// The status of the answer.
        status: u16,
    },
    /// It is overloaded or its limits are reached.
    Busy {
        /// The address.
        url: &'e str,
        /// The status of the answer.
        status: u16,
        /// When to try again.
        seconds: u64,
    },
    /// It did not take the request.
    Request {
        /// The address.
        url: &'e str,
        /// The status of the answer.
        status: u16,
        /// In its own words.
        detail: &'e str,
    },
    /// The model would not answer.
    Declined {
        /// In its own words.
        detail: &'e str,
    },
    /// The answer was cut off at the token limit.
    CutOff {
        /// Tokens until then.
        tokens: u64,
    },
    /// The model has not read all that it was sent, or had no room to answer.
    SmallContext {
        /// The address.
        url: &'e str,
    },
    /// What came is not what the contract asks for, twice.
    Invalid {
        /// What is wrong, in English.
        detail: &'e str,
    },
    /// The budget does not allow the call.
    Budget {
        /// The setting of the limit.
        limit: &'static str,
        /// US dollars spent.
        spent: f64,
        /// US dollars the next call may cost.
        next: f64,
    },
    /// Nobody knows what the model costs.
    NoPrice {
        /// The model.
        model: &'e str,
    },
    /// Something else.
    Other {
        /// What, in English.
        detail: String,
    },
}

impl<'e> EngineProblem<'e> {
    pub(super) fn of(error: &'e EngineError) -> Self {
        match error {
            EngineError::Address { url, .. } => Self::Address { url },
            EngineError::Unreachable { url, problem } => {
                Self::Unreachable { url, local: is_local(url), detail: problem }
            }
            EngineError::TooLong { url, limit } => Self::TooLong { url, seconds: limit.as_secs() },
            EngineError::Key { url, status } => Self::Key { url, status: *status },
            EngineError::Busy { url, status, again_after } => {
                Self::Busy { url, status: *status, seconds: again_after.as_secs() }
            }
            EngineError::Request { url, status, problem } => {
                Self::Request { url, status: *status, detail: problem }
            }
            EngineError::Declined { reason, .. } => Self::Declined { detail: reason },
            EngineError::CutOff { usage } => Self::CutOff { tokens: usage.output_tokens },
            EngineError::SmallContext { url, .. } => Self::SmallContext { url },
            EngineError::Invalid { problem, .. } => Self::Invalid { detail: problem },
            EngineError::Budget { limit, spent, next } => {
                Self::Budget { limit: limit.setting(), spent: *spent, next: *next }
            }
            EngineError::NoPrice { model } => Self::NoPrice { model },
            other => Self::Other { detail: other.to_string() },
        }
    }
}

/// Why Claude Code did not do what it was asked.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum ClientProblem<'e> {
    /// It cannot be started.
    Start {
        /// The program.
        path: &'e Path,
        /// What the system said.
        detail: String,
    },
    /// It lacks an option that is needed.
    TooOld {
        /// The program.
        path: &'e Path,
        /// The option.
        option: &'static str,
    },
    /// It took longer than it may, and was ended.
    TooLong {
        /// What it was allowed.
        seconds: u64,
    },
    /// The session to go on with is no longer there.
    SessionGone,
    /// It reached the money limit.
    TooExpensive,
    /// It cannot ask its model now.
    Unavailable {
        /// In its own words.
        detail: &'e str,
    },
    /// It said that it failed, or ended without an answer.
    Failed {
        /// In its own words, or how it ended.
        detail: &'e str,
    },
    /// Something else.
    Other {
        /// What, in English.
        detail: String,
    },
}

impl<'e> ClientProblem<'e> {
    pub(super) fn of(error: &'e ClientError) -> Self {
        match error {
            ClientError::Start { path, source } => Self::Start { path, detail: source.to_string() },
            ClientError::TooOld { path, option } => Self::TooOld { path, option },
            ClientError::TooLong { limit, .. } => Self::TooLong { seconds: limit.as_secs() },
            ClientError::SessionGone { .. } => Self::SessionGone,
            ClientError::TooExpensive { .. } => Self::TooExpensive,
            ClientError::Unavailable { problem, .. } => Self::Unavailable { detail: problem },
            ClientError::Failed { problem, .. } => Self::Failed { detail: problem },
            other => Self::Other { detail: other.to_string() },
        }
    }
}
