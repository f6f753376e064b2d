//! Why a keyring does not give or take a key. No error holds one.

use std::time::Duration;

use keyring_core::Error as Refusal;
use thiserror::Error;

/// Why a keyring does not give or take a key.
#[derive(Debug, Error)]
pub enum KeyringError {
    /// The operating system offers none.
    #[error("there is no keyring: {problem}")]
    NoKeyring {
        /// In the system's words.
        problem: String,
    },
    /// It is locked and was not unlocked.
    #[error("the keyring is locked; the key `{name}` cannot be reached: {problem}")]
    Locked {
        /// The key's name.
        name: String,
        /// In the system's words.
        problem: String,
    },
    /// It did not answer; it may be asking for its password.
    #[error("the keyring did not answer about the key `{name}` within {} s", .limit.as_secs())]
    TooLong {
        /// The key's name.
        name: String,
        /// What it was allowed.
        limit: Duration,
    },
    /// It does not do it.
    #[error("the keyring refused about the key `{name}`: {problem}")]
    Refused {
        /// The key's name.
        name: String,
        /// In the system's words.
        problem: String,
    },
    /// No key can have this name.
    #[error("`{}` is no name for a key", name.escape_debug())]
    BadName {
        /// The name.
        name: String,
    },
    /// What was given is no key.
    #[error("what was given for `{name}` is no key: it must be one line of at most 2500 bytes")]
    BadKey {
        /// The key's name.
        name: String,
    },
}

impl KeyringError {
    pub(super) fn unavailable(refusal: &Refusal) -> Self {
        Self::NoKeyring { problem: system_message(refusal) }
    }

    pub(super) fn failed(name: &str, refusal: &Refusal) -> Self {
        let (name, problem) = (name.to_owned(), system_message(refusal));
        match refusal {
            Refusal::NoStorageAccess(_) => Self::Locked { name, problem },
            Refusal::NoDefaultStore => Self::NoKeyring { problem },
            _ => Self::Refused { name, problem },
        }
    }
}

/// What the system says; never what was kept.
fn system_message(refusal: &Refusal) -> String {
    match refusal {
        Refusal::BadEncoding(_) | Refusal::BadDataFormat(..) => "what is kept there is no text".to_owned(),
        Refusal::PlatformFailure(problem) | Refusal::NoStorageAccess(problem) => problem.to_string(),
        other => other.to_string(),
    }
}
