//! Why a setting cannot be read or written.

use std::path::PathBuf;

use serde::Serialize;
use thiserror::Error;

use super::{ErrorKind, SettingProblem};

/// Why a setting cannot be read or written.
#[derive(Debug, Error, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ConfigError {
    /// The configuration file holds something that cannot be used.
    #[error("{}:{line}: {}{problem}", path.display(), quoted(key))]
    Unusable {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The key concerned; empty where the file is no TOML.
        key: String,
        /// What is wrong.
        #[serde(rename = "because", serialize_with = "super::problem::as_setting_problem")]
        #[cfg_attr(feature = "contract", ts(rename = "because", as = "super::Problem<'static>"))]
        problem: Box<SettingProblem>,
        /// What to do about it, where the problem does not say it.
        advice: Option<String>,
    },
    /// A key given to `config get` or `config set` does not exist.
    #[error("there is no setting `{key}`")]
    Unknown {
        /// The key.
        key: String,
        /// A key that may have been meant.
        meant: Option<String>,
    },
    /// A value given to `config set` cannot be used.
    #[error("`{key}`: {problem}")]
    BadValue {
        /// The key.
        key: String,
        /// What is wrong with the value.
        #[serde(rename = "because", serialize_with = "super::problem::as_setting_problem")]
        #[cfg_attr(feature = "contract", ts(rename = "because", as = "super::Problem<'static>"))]
        problem: Box<SettingProblem>,
    },
}

impl ConfigError {
    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::Unusable { .. } | Self::Unknown { .. } | Self::BadValue { .. } => ErrorKind::Invalid,
        }
    }

    pub(super) fn hint(&self) -> Option<String> {
        match self {
            Self::Unusable { advice: None, key, .. } if key.is_empty() => Some(
                "correct that line in an editor, or move the file away: every setting has a default"
                    .to_owned(),
            ),
            Self::Unusable { advice, .. } => advice.clone(),
            Self::Unknown { meant: Some(key), .. } => Some(format!("did you mean `{key}`?")),
            Self::Unknown { .. } => Some("`afterword config show` lists every setting".to_owned()),
            Self::BadValue { .. } => None,
        }
    }
}

/// The key before what is wrong with it; nothing where the file is no TOML.
fn quoted(key: &str) -> String {
    if key.is_empty() { String::new() } else { format!("`{key}` ") }
}
