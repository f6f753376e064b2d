//! The address of a server whose secret is a part of it: `{secret}` stands in its place, and the secret itself in the keyring.

use afterword_core::Secret;
use afterword_platform::keyring::Keyring;
use afterword_store::StoredConnection;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::stored_tokens::{GivenSecret, StoredTokens};
use super::{ConnectionSettings, Connections, settings};
use crate::Error;
use crate::error::{ConnectionError, UnfitConnection};

/// What stands in the place of the secret.
const PLACE: &str = "{secret}";

/// Whether an address has a place for a secret.
pub(super) fn has_place(url: &str) -> bool {
    url.contains(PLACE)
}

/// The secret decides about what is asked, never about who: its place is behind the host.
///
/// # Errors
/// What is wrong with the address.
pub(super) fn check_place(url: &str) -> Result<(), UnfitConnection> {
    let behind_host = url.split_once("://").and_then(|(_, rest)| rest.find(['/', '?']).map(|at| &rest[at..]));
    let places = url.matches(PLACE).count();
    if places == 0 || (places == 1 && behind_host.is_some_and(has_place)) {
        return Ok(());
    }
    Err(UnfitConnection::SecretPlace)
}

/// The address with the secret from the keyring; as it is where it has no place for one.
///
/// # Errors
/// [`ConnectionError::NoAddressSecret`] where none is kept, and [`Error::Keyring`].
pub(super) fn with_secret(row: &StoredConnection, url: &str) -> Result<String, Error> {
    if !has_place(url) {
        return Ok(url.to_owned());
    }
    let kept = StoredTokens { name: &row.name, server: url, keyring: Keyring::default() };
    let secret = kept.given_secret(GivenSecret::Address)?;
    let secret = secret.ok_or_else(|| ConnectionError::NoAddressSecret { name: row.name.clone() })?;
    Ok(url.replace(PLACE, &percent_encoded(secret.reveal())))
}

/// What stands for itself in an address: RFC 3986 calls it unreserved.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A text as a part of an address.
fn percent_encoded(text: &str) -> String {
    utf8_percent_encode(text, UNRESERVED).to_string()
}

/// [`Connections::set_address_secret`].
pub(super) fn set_address_secret(
    connections: &Connections,
    name: &str,
    secret: &Secret,
) -> Result<(), Error> {
    let server = super::signing_in::remote(connections, name)?;
    if !has_place(&server) {
        let problem = UnfitConnection::NoSecretPlace;
        return Err(ConnectionError::Unfit { name: name.to_owned(), problem }.into());
    }
    StoredTokens { name, server: &server, keyring: Keyring::default() }
        .save_given_secret(GivenSecret::Address, secret)
}

/// Forgets it, where the address has a place for one.
pub(super) fn forget_address_secret(row: &StoredConnection) -> Result<(), Error> {
    match settings(row)? {
        ConnectionSettings::Http { url, .. } if has_place(&url) => {
            StoredTokens { name: &row.name, server: &url, keyring: Keyring::default() }
                .delete_given_secret(GivenSecret::Address)
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn place_is_behind_the_host_and_the_secret_cannot_leave_it() {
        assert!(check_place("https://example.org/mcp").is_ok());
        assert!(check_place("https://example.org/{secret}/mcp").is_ok());
        assert!(check_place("https://example.org?key={secret}").is_ok());
        for wrong in [
            "https://{secret}/mcp",
            "https://{secret}.example.org/mcp",
            "https://a.org/{secret}?k={secret}",
            "{secret}",
        ] {
            assert!(check_place(wrong).is_err(), "{wrong}");
        }
        assert_eq!(percent_encoded("aZ9-._~"), "aZ9-._~");
        assert_eq!(percent_encoded("a/../b?c#d&e=f %é"), "a%2F..%2Fb%3Fc%23d%26e%3Df%20%25%C3%A9");
    }
}
