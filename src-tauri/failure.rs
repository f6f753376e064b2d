//! A failure as the window gets it: a word from a closed list, a sentence, and what to do about it.

use afterword_app::{Error, ErrorKind};
use serde::{Deserialize, Serialize};

/// Why a command did not do what it was asked.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub(crate) struct Failure {
    code: ErrorKind,
    message: String,
    hint: Option<String>,
}

impl Failure {
    /// It cannot be done while something else is.
    pub(crate) fn busy(message: &str) -> Self {
        Self { code: ErrorKind::Conflict, message: message.to_owned(), hint: None }
    }

    /// What the person wrote cannot be read.
    pub(crate) fn invalid(message: String, hint: String) -> Self {
        Self { code: ErrorKind::Invalid, message, hint: Some(hint) }
    }

    /// The system refused what is no use case: opening a file, starting with the desktop.
    pub(crate) fn of_system(message: impl std::fmt::Display) -> Self {
        Self { code: ErrorKind::External, message: message.to_string(), hint: None }
    }

    /// Where nothing else is known to do about it, the log is where to look.
    #[must_use]
    pub(crate) fn with_log(mut self, directory: &std::path::Path) -> Self {
        if matches!(self.code, ErrorKind::External | ErrorKind::Bug) && self.hint.is_none() {
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
        let hint = error.hints().into_iter().next();
        Self { code: error.kind(), message: error.chain(), hint }
    }
}
