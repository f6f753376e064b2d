//! What a refusal of the keyring is to a use case.

use afterword_platform::keyring::KeyringError;

use serde::Serialize;

use super::ErrorKind;

/// What a person is told of it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum KeyringProblem<'e> {
    /// The operating system offers none.
    NoKeyring,
    /// It is locked and was not unlocked.
    Locked,
    /// It did not answer; it may be asking for its password.
    TooLong {
        /// What it was allowed.
        seconds: u64,
    },
    /// It does not do it.
    Refused {
        /// In the system's words.
        detail: &'e str,
    },
    /// No key can have this name.
    BadName {
        /// The name.
        name: &'e str,
    },
    /// What was given is no key.
    BadKey,
}

impl<'e> KeyringProblem<'e> {
    pub(super) fn of(error: &'e KeyringError) -> Self {
        match error {
            KeyringError::NoKeyring { .. } => Self::NoKeyring,
            KeyringError::Locked { .. } => Self::Locked,
            KeyringError::TooLong { limit, .. } => Self::TooLong { seconds: limit.as_secs() },
            KeyringError::Refused { problem, .. } => Self::Refused { detail: problem },
            KeyringError::BadName { name } => Self::BadName { name },
            KeyringError::BadKey { .. } => Self::BadKey,
        }
    }
}

pub(super) fn kind(error: &KeyringError) -> ErrorKind {
    match error {
        KeyringError::BadName { .. } | KeyringError::BadKey { .. } => ErrorKind::Invalid,
        KeyringError::NoKeyring { .. } | KeyringError::Locked { .. } => ErrorKind::Precondition,
        KeyringError::TooLong { .. } | KeyringError::Refused { .. } => ErrorKind::External,
    }
}

pub(super) fn hint(error: &KeyringError) -> Option<&'static str> {
    match error {
        KeyringError::NoKeyring { .. } if cfg!(any(target_os = "macos", windows)) => {
            Some("keys are kept in the system's keyring and nowhere else")
        }
        KeyringError::NoKeyring { .. } => Some(
            "install and unlock one that speaks Secret Service (GNOME Keyring, KWallet, KeePassXC); keys are kept nowhere else",
        ),
        KeyringError::Locked { .. } | KeyringError::TooLong { .. } => {
            Some("unlock the keyring, and try again")
        }
        KeyringError::Refused { .. } | KeyringError::BadName { .. } | KeyringError::BadKey { .. } => None,
    }
}
