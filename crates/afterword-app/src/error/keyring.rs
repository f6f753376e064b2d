//! What a refusal of the keyring is to a use case.

use afterword_platform::keyring::KeyringError;

use super::ErrorKind;

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
