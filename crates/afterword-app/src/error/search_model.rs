//! Why no vectors can be made.

use afterword_recall::ModelError;
use thiserror::Error;

use super::ErrorKind;

/// Why no vectors can be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SearchModelError {
    /// The folder chosen with `recall.model` holds no model that can be used.
    #[error(transparent)]
    Unusable(#[from] ModelError),
    /// There is no model that could make vectors.
    #[error("the search model inside this program is broken")]
    Broken,
}

impl SearchModelError {
    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::Unusable(_) => ErrorKind::Invalid,
            Self::Broken => ErrorKind::Precondition,
        }
    }

    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::Unusable(error) => error.hint(),
            Self::Broken => "install Afterword anew, or choose a folder with `recall.model`",
        }
    }
}
