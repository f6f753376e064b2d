//! Why a value of a setting cannot be used.

use std::path::PathBuf;

use serde::Serialize;
use thiserror::Error;

/// Why a value of a setting cannot be used, as what follows the setting's name.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum SettingProblem {
    /// The file is no TOML.
    #[error("not valid TOML: {detail}")]
    Syntax {
        /// What is wrong, in English.
        detail: String,
    },
    /// It is a setting, and the file has a section of its name.
    #[error("is a setting, not a section")]
    NotASection,
    /// It is a section, and the file gives it a value.
    #[error("is a section, not a setting")]
    NotASetting,
    /// There is no such setting.
    #[error("does not exist")]
    Unknown,
    /// A setting of the list that no field belongs to: a mistake of ours, which must not change another setting.
    #[error("is not read by this version")]
    Unread,
    /// The file uses the section's name for something else.
    #[error("the file uses `{section}` for something else")]
    SectionTaken {
        /// The section.
        section: String,
    },
    /// It is no text.
    #[error("must be a text in quotes, not {found}")]
    NotText {
        /// What it is, with its article, in English.
        found: String,
    },
    /// It is no list of texts.
    #[error("must be a list of texts in quotes, like [\"one\", \"two\"]")]
    NotAList,
    /// It is none of the words it is chosen from.
    #[error("must be {}, not \"{found}\"", one_of(choices))]
    NoChoice {
        /// Those there are.
        choices: Vec<String>,
        /// What was given.
        found: String,
    },
    /// It is no truth value.
    #[error("must be true or false, not {found}")]
    NotASwitch {
        /// What it is, with its article, in English.
        found: String,
    },
    /// It is not the whole of a path.
    #[error("must be an absolute path, not \"{found}\"")]
    NotAbsolute {
        /// What was given.
        found: String,
    },
    /// It is no span of hours.
    #[error("must be hours as \"22:00-07:00\", not \"{found}\"")]
    NotHours {
        /// What was given.
        found: String,
    },
    /// It is no amount of money.
    #[error("must be a number of US dollars, from 0 to 10000")]
    NotDollars,
    /// It is no whole number.
    #[error("must be a whole number, from 0 to 100000")]
    NotWhole,
    /// It is no number of days.
    #[error("must be a whole number of days, from 1 to 36500")]
    NotDays,
    /// It is no number of minutes.
    #[error("must be a number of minutes, from 0.01 to 525600")]
    NotMinutes,
    /// It takes one value and got none or several.
    #[error("it takes one value")]
    NotOneValue,
    /// A pattern for folders cannot be used.
    #[error("cannot use the pattern \"{pattern}\": {detail}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// Why not, in English.
        detail: String,
    },
    /// A line of folders and projects cannot be used.
    #[error("cannot use \"{line}\": {detail}")]
    ProjectFolder {
        /// The line.
        line: String,
        /// Why not, in English.
        detail: String,
    },
    /// A regular expression cannot be used.
    #[error("{detail}")]
    Expression {
        /// Why not, in English.
        detail: String,
    },
    /// There is no such folder.
    #[error("there is no such folder")]
    NoFolder,
    /// This is no folder.
    #[error("this is not a folder")]
    NotAFolder,
    /// Of several folders one cannot be used.
    #[error("{}: {problem}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why not.
        #[serde(rename = "because", serialize_with = "super::problem::as_setting_problem")]
        #[cfg_attr(feature = "contract", ts(rename = "because", as = "super::Problem<'static>"))]
        problem: Box<SettingProblem>,
    },
    /// The folder of transcripts was named where the one that holds it is meant.
    #[error("name the folder that holds `projects`, not `projects` itself")]
    ProjectsFolder,
    /// Of two directories one lies in the other.
    #[error("{detail}; name only one of them")]
    Nested {
        /// Which lies in which, in English.
        detail: String,
    },
    /// There is no such file.
    #[error("there is no such file")]
    NoFile,
    /// The file is no program.
    #[error("this is not a program")]
    NotAProgram,
    /// It is no address.
    #[error("this is no address; it begins with https://, or with http:// on this machine")]
    NoAddress,
    /// Another machine would be spoken to without encryption.
    #[error("use https:// here: {danger}, and http:// is accepted for this machine only")]
    Unencrypted {
        /// What could come of it, in English.
        danger: &'static str,
    },
    /// The address names no host.
    #[error("`{address}` names no host")]
    NoHost {
        /// The address.
        address: String,
    },
    /// The folder holds no model that can be used.
    #[error("{detail}")]
    Model {
        /// Why not and what to do, in English.
        detail: String,
    },
}

impl SettingProblem {
    /// Of one folder of several.
    pub(crate) fn of_folder(self, path: impl Into<PathBuf>) -> Self {
        Self::Folder { path: path.into(), problem: Box::new(self) }
    }
}

fn one_of(choices: &[String]) -> String {
    choices.iter().map(|choice| format!("\"{choice}\"")).collect::<Vec<_>>().join(" or ")
}
