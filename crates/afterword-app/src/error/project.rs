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
        #[serde(rename = "because", serialize_with = "super::problem::as_unfit_project")]
        #[cfg_attr(feature = "contract", ts(rename = "because", as = "super::Problem<'static>"))]
        problem: UnfitProject,
    },
    /// A project cannot have this name.
    #[error("`{name}` can be no project's name: {problem}")]
    BadName {
        /// The name.
        name: String,
        /// Why not.
        #[serde(rename = "because", serialize_with = "super::problem::as_project_name_problem")]
        #[cfg_attr(feature = "contract", ts(rename = "because", as = "super::Problem<'static>"))]
        problem: ProjectNameProblem,
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

/// Why projects cannot be joined or split as a person wishes.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum UnfitProject {
    /// Both are the same project.
    #[error("`{project}` is one project already")]
    OneAlready {
        /// The project.
        project: String,
    },
    /// The folder counts as another project.
    #[error("`{folder}` counts as `{own}`, not as `{project}`")]
    OfAnother {
        /// The folder.
        folder: String,
        /// What it counts as.
        own: String,
        /// What it was to be split from.
        project: String,
    },
    /// The project has no folder here.
    #[error("`{project}` has no folder on this machine")]
    NoFolder {
        /// The project.
        project: String,
    },
    /// The folder is none of the project's.
    #[error("`{folder}` is no folder of `{project}`; its folders are {}", folders.join(", "))]
    NotItsFolder {
        /// The folder.
        folder: String,
        /// The project.
        project: String,
        /// The folders it has.
        folders: Vec<String>,
    },
    /// Nothing would be left of the project.
    #[error("`{project}` has no other folder than `{folder}`")]
    OnlyFolder {
        /// The project.
        project: String,
        /// The folder.
        folder: String,
    },
}

/// Why no project can be called something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum ProjectNameProblem {
    /// It has nothing to show.
    #[error("its project has no name")]
    Empty,
    /// It could not be read back from a line of the settings.
    #[error("the name has ` = `, a line break, or a space at its end")]
    Form,
    /// It is too long.
    #[error("the name is longer than {most} characters")]
    TooLong {
        /// How many characters a name may have.
        most: usize,
    },
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
