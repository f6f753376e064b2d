//! The operating system's keyring: the only place where keys are kept, by name.
//!
//! Secret Service on Linux, the Keychain on macOS, the Credential Manager on Windows. Where there is none, that is said;
//! there is no file instead. It does not own what keys are for, and no key it gives out is ever shown, logged or stored.
//! Start reading at [`Keyring::get`].

mod error;

use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use afterword_core::Secret;
use keyring_core::api::CredentialStore;
use keyring_core::{Entry, Error as Refusal};

pub use error::KeyringError;

/// What all keys are filed under.
const SERVICE: &str = if crate::IS_FOR_DEVELOPMENT { "afterword-dev" } else { "afterword" };
/// Longest name and longest key, in bytes. Windows keeps 2,560.
const LONGEST_NAME: usize = 200;
const LONGEST_KEY: usize = 2_500;
/// As long as a locked keyring is waited for, which may be asking a person for its password.
const LIMIT: Duration = Duration::from_secs(60);
const HURRY: Duration = Duration::from_secs(3);

/// The keyring of the user.
#[derive(Debug, Clone, Copy)]
pub struct Keyring {
    limit: Duration,
}

impl Default for Keyring {
    fn default() -> Self {
        Self { limit: LIMIT }
    }
}

impl Keyring {
    /// The same, for a key that is not needed: nobody waits for a person to unlock it.
    #[must_use]
    pub fn without_prompt() -> Self {
        Self { limit: HURRY }
    }

    /// The key that is kept under a name.
    ///
    /// # Errors
    /// [`KeyringError`]: there is no keyring, it stays locked, or it refuses.
    pub fn get(self, name: &str) -> Result<Option<Secret>, KeyringError> {
        self.with_timeout(name, |entry| match entry.get_password() {
            Ok(key) => Ok(Some(Secret::new(&key))),
            Err(Refusal::NoEntry) => Ok(None),
            Err(refusal) => Err(refusal),
        })
    }

    /// Keeps a key under a name, in the place of one that is there.
    ///
    /// # Errors
    /// [`KeyringError`], also for a key that is empty, too long, or of more than one line.
    pub fn set(self, name: &str, key: &Secret) -> Result<(), KeyringError> {
        let text = key.reveal().to_owned();
        if text.is_empty() || text.len() > LONGEST_KEY || text.contains(char::is_control) {
            return Err(KeyringError::BadKey { name: name.to_owned() });
        }
        self.with_timeout(name, move |entry| entry.set_password(&text))
    }

    /// Removes the key under a name; false where there was none.
    ///
    /// # Errors
    /// [`KeyringError`]: there is no keyring, it stays locked, or it refuses.
    pub fn delete(self, name: &str) -> Result<bool, KeyringError> {
        self.with_timeout(name, |entry| match entry.delete_credential() {
            Ok(()) => Ok(true),
            Err(Refusal::NoEntry) => Ok(false),
            Err(refusal) => Err(refusal),
        })
    }

    /// Asks in a thread of its own: a keyring that shows a dialog answers when the person does, or never.
    fn with_timeout<T: Send + 'static>(
        self,
        name: &str,
        ask: impl FnOnce(&Entry) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, KeyringError> {
        if name.is_empty() || name.len() > LONGEST_NAME || name.contains(char::is_control) {
            return Err(KeyringError::BadName { name: name.to_owned() });
        }
        let (answer, answered) = mpsc::channel();
        let owned = name.to_owned();
        std::thread::spawn(move || {
            // Opened anew each time: one that came up after this program is found.
            let result = match store() {
                Err(refusal) => Err(KeyringError::unavailable(&refusal)),
                Ok(store) => store
                    .build(SERVICE, &owned, None)
                    .and_then(|entry| ask(&entry))
                    .map_err(|refusal| KeyringError::failed(&owned, &refusal)),
            };
            // Whoever asked may have gone.
            let _ = answer.send(result);
        });
        let too_long = || KeyringError::TooLong { name: name.to_owned(), limit: self.limit };
        answered.recv_timeout(self.limit).map_err(|_| too_long())?
    }
}

#[cfg(target_os = "macos")]
fn store() -> Result<Arc<CredentialStore>, Refusal> {
    Ok(apple_native_keyring_store::keychain::Store::new()?)
}

#[cfg(windows)]
fn store() -> Result<Arc<CredentialStore>, Refusal> {
    Ok(windows_native_keyring_store::Store::new()?)
}

#[cfg(all(unix, not(target_os = "macos")))]
fn store() -> Result<Arc<CredentialStore>, Refusal> {
    Ok(zbus_secret_service_keyring_store::Store::new()?)
}
