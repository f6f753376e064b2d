//! Why somebody is not signed in. No error holds a token.

use std::time::Duration;

use afterword_core::error_chain;
use rmcp::transport::auth::AuthError;
use thiserror::Error;

/// Longest part shown of what a server complained, in characters.
const COMPLAINT: usize = 300;

/// Why somebody is not signed in.
#[derive(Debug, Error)]
pub enum SignInError {
    /// The server's address cannot be used.
    #[error("`{url}` cannot be used: {problem}")]
    Address {
        /// The address.
        url: String,
        /// Why.
        problem: String,
    },
    /// Nobody answers there, or not in time.
    #[error("{url} cannot be reached: {problem}")]
    Unreachable {
        /// The address.
        url: String,
        /// In the system's words.
        problem: String,
    },
    /// The server says nowhere how to sign in.
    #[error("{url} does not say how to sign in: {problem}")]
    NoSignIn {
        /// The address.
        url: String,
        /// What was missing.
        problem: String,
    },
    /// It does not take us: the person said no, or the server did.
    #[error("the sign-in was refused: {problem}")]
    Refused {
        /// In the server's words.
        problem: String,
    },
    /// What was kept is worth nothing any more: the person has to sign in again.
    #[error("the sign-in is no longer valid: {problem}")]
    RunOut {
        /// In the server's words.
        problem: String,
    },
    /// An answer cannot be used.
    #[error("the authorization server's answer cannot be used: {problem}")]
    Answer {
        /// What is wrong with it.
        problem: String,
    },
    /// The redirect cannot be waited for.
    #[error("no port of this machine can be opened for the sign-in: {source}")]
    Port {
        /// What the system said.
        source: std::io::Error,
    },
    /// The person did not come back.
    #[error("nobody signed in within {} minutes", .limit.as_secs() / 60)]
    TooLong {
        /// How long was waited.
        limit: Duration,
    },
    /// The person cancelled it.
    #[error("the sign-in was cancelled")]
    Cancelled,
}

impl SignInError {
    /// Reads the library's words, while signing in to the server at `url`.
    pub(crate) fn of(error: AuthError, url: &str) -> Self {
        let problem = chain(&error);
        let url = url.to_owned();
        match error {
            AuthError::DiscoveryRequestFailed { .. } => Self::Unreachable { url, problem },
            AuthError::NoAuthorizationSupport
            | AuthError::MetadataError(_)
            | AuthError::ProtectedResourceMetadataInvalid { .. }
            | AuthError::AuthorizationServersUnavailable { .. }
            | AuthError::PkceUnsupported => Self::NoSignIn { url, problem },
            AuthError::UrlError(_) => Self::Address { url, problem },
            AuthError::AuthorizationRequired
            | AuthError::TokenRefreshRejected(_)
            | AuthError::TokenExpired => Self::RunOut { problem },
            // The authorization server forgot us.
            AuthError::TokenRefreshFailed(said)
                if said.contains("invalid_client") || said.contains("unauthorized_client") =>
            {
                Self::RunOut { problem }
            }
            AuthError::TokenRefreshFailed(_) => Self::Unreachable { url, problem },
            AuthError::AuthorizationFailed(_)
            | AuthError::TokenExchangeFailed(_)
            | AuthError::RegistrationFailed(_)
            | AuthError::InvalidScope(_) => Self::Refused { problem },
            _ => Self::Answer { problem },
        }
    }

    /// Whether trying again later may help without the person.
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::Unreachable { .. })
    }
}

/// An error and what brought it about, in one line of bounded length.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let text = error_chain::error_chain(error);
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(COMPLAINT).collect();
    line.trim().to_owned()
}
