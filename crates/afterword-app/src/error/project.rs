//! What can be wrong with a person's wish about projects.

use serde::Serialize;
use thiserror::Error;

use super::ErrorKind;

/// Names of projects that an error tells, at most.
const MOST_LISTED: usize = 20;

/// Why a person's wish about projects cannot be carried out.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum ProjectError {
    /// No project is called that.
    #[error("there is no project `{argument}`; {}", there_are(known))]
    Unknown {
        /// What was asked for.
        argument: String,
        /// The names of those there are.
        known: Vec<String>,
    },
    /// No session is known of that project.
    #[error("no session of a project `{project}` is known")]
    NoSession {
        /// What was asked for.
        project: String,
    },
    /// It makes no sense for these projects.
    #[error("{problem}")]
    Unfit {
        /// Why not.
        problem: String,
    },
    /// A project cannot have this name.
    #[error("`{name}` can be no project's name: {problem}")]
    BadName {
        /// The name.
        name: String,
        /// Why not.
        problem: &'static str,
    },
    /// There is a project of that name already.
    #[error("there is a project `{name}` already")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// Nothing was joined or split, or it was taken back.
    #[error("no projects were joined or split that could be taken back")]
    NothingToUndo,
}

impl ProjectError {
    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::Unfit { .. } | Self::BadName { .. } => ErrorKind::Invalid,
            Self::Unknown { .. } | Self::NoSession { .. } | Self::NothingToUndo => ErrorKind::NotFound,
            Self::NameTaken { .. } => ErrorKind::Conflict,
        }
    }

    pub(super) fn hint(&self) -> Option<&'static str> {
        matches!(self, Self::NoSession { .. }).then_some("`afterword sessions` lists them")
    }
}

fn there_are(known: &[String]) -> String {
    match known {
        [] => "there is none yet".to_owned(),
        [one] => format!("there is `{one}`"),
        many => {
            let listed = many.iter().take(MOST_LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
            let more = many.len().saturating_sub(MOST_LISTED);
            if more == 0 {
                format!("there are {listed}")
            } else {
                format!("there are {listed} and {more} more")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_project_names_those_there_are() {
        let check = |known: usize, expected: &str| {
            let known = (0..known).map(|number| format!("p{number}")).collect();
            let error = ProjectError::Unknown { argument: "x".to_owned(), known };
            let message = error.to_string();
            assert!(
                message.starts_with("there is no project `x`; ") && message.ends_with(expected),
                "{message}"
            );
        };
        check(0, "there is none yet");
        check(1, "there is `p0`");
        check(3, "there are p0, p1, p2");
        check(22, "p18, p19 and 2 more");
    }
}
