//! Why a setting cannot be read or written.

use std::path::PathBuf;

use thiserror::Error;

use super::ErrorKind;

/// Why a setting cannot be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The configuration file holds something that cannot be used.
    #[error("{}:{line}: {problem}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The key concerned; empty where the file is no TOML.
        key: String,
        /// What is wrong, with the key.
        problem: String,
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
        problem: String,
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
