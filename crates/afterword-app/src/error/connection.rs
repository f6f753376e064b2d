//! Why a connection cannot be kept or used.

use afterword_sign_in::SignInError;
use serde::Serialize;
use thiserror::Error;

use super::{ErrorKind, UnfitConnection};

/// Why a connection cannot be kept or used.
#[derive(Debug, Error, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
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
        #[serde(rename = "because", serialize_with = "super::problem::as_unfit_connection")]
        #[cfg_attr(feature = "contract", ts(rename = "because", as = "super::Problem<'static>"))]
        problem: UnfitConnection,
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
        #[serde(rename = "because", serialize_with = "super::problem::as_sign_in_problem")]
        #[cfg_attr(feature = "contract", ts(rename = "because", as = "super::Problem<'static>"))]
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

/// What a person is told of signing in that did not work.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum SignInProblem<'e> {
    /// The server's address cannot be used.
    Address {
        /// The address.
        url: &'e str,
    },
    /// Nobody answers there, or not in time.
    Unreachable {
        /// The address.
        url: &'e str,
        /// In the system's words.
        detail: &'e str,
    },
    /// The server says nowhere how to sign in.
    NoSignIn {
        /// The address.
        url: &'e str,
    },
    /// It does not take us.
    Refused {
        /// In the server's words.
        detail: &'e str,
    },
    /// What was kept is worth nothing any more.
    RunOut,
    /// An answer cannot be used.
    Answer {
        /// What is wrong with it, in English.
        detail: &'e str,
    },
    /// The redirect cannot be waited for.
    Port,
    /// The person did not come back.
    TooLong {
        /// How long was waited.
        minutes: u64,
    },
    /// The person cancelled it.
    Cancelled,
}

impl<'e> SignInProblem<'e> {
    pub(super) fn of(error: &'e SignInError) -> Self {
        match error {
            SignInError::Address { url, .. } => Self::Address { url },
            SignInError::Unreachable { url, problem } => Self::Unreachable { url, detail: problem },
            SignInError::NoSignIn { url, .. } => Self::NoSignIn { url },
            SignInError::Refused { problem } => Self::Refused { detail: problem },
            SignInError::RunOut { .. } => Self::RunOut,
            SignInError::Answer { problem } => Self::Answer { detail: problem },
            SignInError::Port { .. } => Self::Port,
            SignInError::TooLong { limit } => Self::TooLong { minutes: limit.as_secs() / 60 },
            SignInError::Cancelled => Self::Cancelled,
        }
    }
}
