//! Why a connection cannot be kept or used.

use afterword_sign_in::SignInError;
use thiserror::Error;

use super::ErrorKind;

/// Why a connection cannot be kept or used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConnectionError {
    /// No connection is called that.
    #[error("there is no connection `{name}`")]
    NoSuch {
        /// What was asked for.
        name: String,
    },
    /// A connection cannot be kept or used.
    #[error("connection `{name}`: {problem}")]
    Unfit {
        /// What it is called.
        name: String,
        /// Why not.
        problem: String,
    },
    /// The address of a connection has a place for a secret, and none is kept.
    #[error(
        "connection `{name}`: the secret of its address is not in the keyring; `afterword connections secret {name}` asks for it"
    )]
    NoAddressSecret {
        /// What it is called.
        name: String,
    },
    /// Signing in to a connection, or asking it in, did not work.
    #[error("connection `{name}`: {source}")]
    SignIn {
        /// What it is called.
        name: String,
        /// Why.
        source: SignInError,
    },
    /// The person has to sign in to a connection.
    #[error("the connection `{name}` has to be signed in to")]
    SignInNeeded {
        /// What it is called.
        name: String,
    },
}

impl ConnectionError {
    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::NoSuch { .. } => ErrorKind::NotFound,
            Self::Unfit { .. } => ErrorKind::Invalid,
            Self::SignIn { .. } => ErrorKind::External,
            Self::SignInNeeded { .. } | Self::NoAddressSecret { .. } => ErrorKind::Precondition,
        }
    }

    pub(super) fn hint(&self) -> Option<String> {
        match self {
            Self::NoSuch { .. } => Some("`afterword connections` lists them".to_owned()),
            Self::SignInNeeded { name } => Some(format!("`afterword connections connect {name}` signs in")),
            Self::Unfit { .. } | Self::SignIn { .. } | Self::NoAddressSecret { .. } => None,
        }
    }
}
