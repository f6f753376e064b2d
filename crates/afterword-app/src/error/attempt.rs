//! Why an attempt is not remembered.

use thiserror::Error;

use super::ErrorKind;

/// Why an attempt is not remembered.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AttemptError {
    /// It makes no sense as it stands.
    #[error("it is no attempt to remember: {problem}")]
    Unfit {
        /// Why not.
        problem: &'static str,
    },
}

impl AttemptError {
    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::Unfit { .. } => ErrorKind::Invalid,
        }
    }
}
