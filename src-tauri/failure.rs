//! A failure as the window gets it: a word from a closed list, a sentence, and what to do about it.

use afterword_app::{Error, ErrorKind};
use serde::{Deserialize, Serialize};

/// Why a command did not do what it was asked.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub(crate) struct Failure {
    code: Code,
    message: String,
    hint: Option<String>,
}

/// What sort of failure it is.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "FailureCode"))]
#[serde(rename_all = "lowercase")]
enum Code {
    Invalid,
    Precondition,
    NotFound,
    Conflict,
    External,
    Bug,
}

impl Failure {
    /// It cannot be done while something else is.
    pub(crate) fn busy(message: &str) -> Self {
        Self { code: Code::Conflict, message: message.to_owned(), hint: None }
    }

    /// What the person wrote cannot be read.
    pub(crate) fn invalid(message: String, hint: String) -> Self {
        Self { code: Code::Invalid, message, hint: Some(hint) }
    }

    /// The system refused what is no use case: opening a file, starting with the desktop.
    pub(crate) fn of_system(message: impl std::fmt::Display) -> Self {
        Self { code: Code::External, message: message.to_string(), hint: None }
    }

    /// Where nothing else is known to do about it, the log is where to look.
    #[must_use]
    pub(crate) fn with_log(mut self, directory: &std::path::Path) -> Self {
        if matches!(self.code, Code::External | Code::Bug) && self.hint.is_none() {
            self.hint = Some(format!("What went before is in the log: {}", directory.display()));
        }
        self
    }

    /// What went wrong, in a sentence.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let code = match error.kind() {
            ErrorKind::Invalid => Code::Invalid,
            ErrorKind::Precondition => Code::Precondition,
            ErrorKind::NotFound => Code::NotFound,
            ErrorKind::Conflict => Code::Conflict,
            ErrorKind::External => Code::External,
            ErrorKind::Bug => Code::Bug,
        };
        let hint = error.hints().into_iter().next();
        Self { code, message: error.chain(), hint }
    }
}
