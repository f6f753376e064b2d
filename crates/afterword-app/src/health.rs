//! What `doctor` says of one thing: how it is, and what to do where it is not as it should be.

use serde::Serialize;

use crate::Error;

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "CheckVerdict"))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// As it should be.
    Ok,
    /// It works, but something wants attention.
    Warn,
    /// Something does not work.
    Fail,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct Check {
    /// What was looked at.
    pub name: &'static str,
    /// How it ended.
    pub verdict: Verdict,
    /// What was found.
    pub message: String,
    /// What to do.
    pub advice: Option<String>,
    /// The error that was found, as a value: for a face with words of its own.
    #[cfg_attr(feature = "contract", ts(as = "Option<crate::error::Problem<'static>>"))]
    pub because: Option<serde_json::Value>,
}

impl Check {
    pub(crate) fn ok(name: &'static str, message: impl Into<String>) -> Self {
        Self { name, verdict: Verdict::Ok, message: message.into(), advice: None, because: None }
    }

    pub(crate) fn warn(name: &'static str, message: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            name,
            verdict: Verdict::Warn,
            message: message.into(),
            advice: Some(advice.into()),
            because: None,
        }
    }

    pub(crate) fn fail(name: &'static str, message: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            name,
            verdict: Verdict::Fail,
            message: message.into(),
            advice: Some(advice.into()),
            because: None,
        }
    }

    pub(crate) fn error(name: &'static str, error: &Error) -> Self {
        let advice = error.hints().into_iter().next();
        Self { name, verdict: Verdict::Fail, message: error.chain(), advice, because: error.problem_value() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_check_says_what_caused_it() {
        let source = std::io::Error::other("the disk is on fire");
        let error = Error::Io { path: "/state".into(), action: "open the database", source };
        let check = Check::error("state", &error);
        assert!(check.message.contains("open the database"), "{}", check.message);
        assert!(check.message.ends_with("the disk is on fire"), "{}", check.message);
        assert_eq!(check.because.unwrap()["path"], "/state");
    }
}
