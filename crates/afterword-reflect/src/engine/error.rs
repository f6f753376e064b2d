//! Why a model gave nothing usable.

use std::fmt;
use std::time::Duration;

use thiserror::Error;

use super::Usage;
use afterword_claude_code::client::ClientError;

/// A limit of money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpendLimit {
    /// What all calls of a day may cost.
    Daily,
    /// What the calls about one project may cost a day.
    PerProject,
    /// What one job may cost.
    PerJob,
    /// What tasks may cost a day.
    Tasks,
}

impl SpendLimit {
    /// The setting that holds it.
    pub fn setting(self) -> &'static str {
        match self {
            Self::Daily => "budget.daily_usd",
            Self::PerProject => "budget.per_project_usd",
            Self::PerJob => "budget.per_job_usd",
            Self::Tasks => "tasks.daily_usd",
        }
    }
}

impl fmt::Display for SpendLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.setting())
    }
}

/// Why a model gave nothing usable.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The address cannot be used.
    #[error("{url}: {problem}")]
    Address {
        /// The address.
        url: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// Nobody answered.
    #[error("{url}: not reached: {problem}")]
    Unreachable {
        /// The address.
        url: String,
        /// What the connection said.
        problem: String,
    },
    /// It took too long.
    #[error("{url}: no answer within {} s", .limit.as_secs())]
    TooLong {
        /// The address.
        url: String,
        /// What it was allowed.
        limit: Duration,
    },
    /// The key is missing, wrong, or may not do this.
    #[error("{url}: the key was refused ({status}); set it with `afterword config set-key`")]
    Key {
        /// The address.
        url: String,
        /// The status of the answer.
        status: u16,
    },
    /// It is overloaded or its limits are reached, and stayed so.
    #[error("{url}: busy ({status}); try again in {} s", .again_after.as_secs())]
    Busy {
        /// The address.
        url: String,
        /// The status of the answer: 429, 529 or another 5xx.
        status: u16,
        /// When to try again, as it said or as is usual.
        again_after: Duration,
    },
    /// It did not take the request.
    #[error("{url}: refused with {status}: {problem}")]
    Request {
        /// The address.
        url: String,
        /// The status of the answer.
        status: u16,
        /// In its own words, cut.
        problem: String,
    },
    /// The model would not answer.
    #[error("the model declined to answer: {reason}")]
    Declined {
        /// In its own words, cut.
        reason: String,
        /// What it cost.
        usage: Usage,
    },
    /// The answer was cut off at the token limit.
    #[error("the answer was cut off after {} tokens", usage.output_tokens)]
    CutOff {
        /// What it cost.
        usage: Usage,
    },
    /// The model has not read all that it was sent, or had no room to answer.
    #[error("{url}: its context is too small: {problem}; {advice}")]
    SmallContext {
        /// The address.
        url: String,
        /// What happened.
        problem: String,
        /// What to do about it.
        advice: &'static str,
        /// What it cost.
        usage: Usage,
    },
    /// What came is not what the contract asks for, twice.
    #[error("the answer cannot be used: {problem}")]
    Invalid {
        /// What is wrong.
        problem: String,
        /// What the last call cost.
        usage: Usage,
    },
    /// The budget does not allow the call.
    #[error("{limit} leaves no room for the next call: {} spent, and it may cost {}", dollars(*.spent), dollars(*.next))]
    Budget {
        /// Which one.
        limit: SpendLimit,
        /// US dollars spent.
        spent: f64,
        /// US dollars the next call may cost.
        next: f64,
    },
    /// Nobody knows what the model costs, and a budget is to be kept.
    #[error(
        "no price is known for {model}; set engine.usd_per_million_in and engine.usd_per_million_out, or the budgets to 0 for no limit"
    )]
    NoPrice {
        /// The model.
        model: String,
    },
    /// What was spent cannot be read or written down.
    #[error("the ledger cannot be used: {problem}")]
    SpendRecord {
        /// What the database said.
        problem: String,
    },
    /// Claude Code.
    #[error(transparent)]
    Client(#[from] ClientError),
}

impl EngineError {
    /// What the call cost all the same.
    pub fn usage(&self) -> Usage {
        match self {
            Self::Declined { usage, .. }
            | Self::CutOff { usage }
            | Self::SmallContext { usage, .. }
            | Self::Invalid { usage, .. } => usage.clone(),
            Self::Client(error) => super::claude_code::usage(error.cost()),
            _ => Usage::default(),
        }
    }

    /// Nothing is wrong with what was asked: the engine cannot be asked now, or not for this money.
    pub fn is_about_the_engine(&self) -> bool {
        match self {
            Self::Unreachable { .. }
            | Self::Busy { .. }
            | Self::Key { .. }
            | Self::Budget { .. }
            | Self::NoPrice { .. }
            | Self::Address { .. } => true,
            Self::Client(error) => error.is_about_the_client(),
            _ => false,
        }
    }

    /// The call was ended because this process ends; nothing was wrong with it.
    pub fn is_stopped(&self) -> bool {
        matches!(self, Self::Client(ClientError::Interrupted { .. }))
    }

    /// The call was ended because it became dearer than it may.
    pub fn is_over_its_limit(&self) -> bool {
        matches!(self, Self::Client(ClientError::TooExpensive { .. }))
    }

    /// An answer, or a part of one, was paid for: another try may cost as much.
    pub fn was_paid_for(&self) -> bool {
        self.is_over_its_limit() || self.usage().output_tokens > 0
    }

    /// Trying again cannot help before somebody changes something.
    pub fn is_lasting(&self) -> bool {
        match self {
            Self::Address { .. } | Self::Key { .. } | Self::Request { .. } | Self::NoPrice { .. } => true,
            Self::Client(error) => error.is_lasting(),
            _ => false,
        }
    }
}

/// With four digits behind the point; what is less than those say with six.
fn dollars(usd: f64) -> String {
    if usd > 0.0 && usd < 0.0001 { format!("${usd:.6}") } else { format!("${usd:.4}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "May cost $0.00" reads as if the budget was wrong: a call of a fraction of a cent says what it costs.
    #[test]
    fn call_that_costs_little_is_not_said_to_cost_nothing() {
        let words = |spent, next| EngineError::Budget { limit: SpendLimit::Daily, spent, next }.to_string();
        assert!(
            words(0.999, 0.0031).ends_with("$0.9990 spent, and it may cost $0.0031"),
            "{}",
            words(0.999, 0.0031)
        );
        let little = words(1.0, 0.000_012);
        assert!(little.ends_with("$1.0000 spent, and it may cost $0.000012"), "{little}");
        assert!(words(0.0, 0.0).ends_with("$0.0000 spent, and it may cost $0.0000"));
    }
}
