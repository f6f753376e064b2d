//! A failure as the window gets it: a word from a closed list, a sentence with what to do about it, and the error as a value, which the
//! window says in its own language.

use afterword_app::{Error, ErrorKind};
use serde::{Deserialize, Serialize};

use crate::desktop_error::DesktopError;

/// Why a command did not do what it was asked.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub(crate) struct Failure {
    code: ErrorKind,
    /// In English, for where there are no other words.
    message: String,
    hint: Option<String>,
    /// Which error it is, and its facts; `None` for those that the window has no words for.
    #[cfg_attr(feature = "contract", ts(as = "Option<AnyProblem>"))]
    problem: Option<serde_json::Value>,
}

/// An error of the program or of this app.
#[cfg(feature = "contract")]
#[derive(ts_rs::TS)]
#[ts(untagged, rename = "FailureProblem")]
#[expect(dead_code, reason = "it only says what the page is sent")]
enum AnyProblem {
    Program(afterword_app::error::Problem<'static>),
    Desktop(OwnProblem),
}

/// An error of this app, beside those of the program.
#[derive(Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "DesktopProblem"))]
#[serde(tag = "about", rename_all = "kebab-case")]
enum OwnProblem {
    Desktop(DesktopError),
}

impl Failure {
    /// A part of this program ended as it should not.
    pub(crate) fn of_system(message: impl std::fmt::Display) -> Self {
        Self { code: ErrorKind::External, message: message.to_string(), hint: None, problem: None }
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
        Self { code: error.kind(), message: error.chain(), hint, problem: error.problem_value() }
    }
}

impl From<DesktopError> for Failure {
    fn from(error: DesktopError) -> Self {
        let (code, message, hint) = (error.kind(), error.to_string(), error.hint());
        let problem = serde_json::to_value(OwnProblem::Desktop(error)).ok();
        Self { code, message, hint, problem }
    }
}
