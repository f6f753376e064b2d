//! Signing in to a remote server, and out again.

use std::time::Duration;

use afterword_core::Secret;
use afterword_core::UserId;
use afterword_platform::keyring::Keyring;
use afterword_sign_in::{Admission, RegisteredClient, SignIn, SignInTerms, Token, ask_in, revoke};
use afterword_store::StoredConnection;
use jiff::Zoned;
use serde::Serialize;

use super::stored_tokens::{GivenSecret, StoredTokens};
use super::{ConnectionSettings, Connections, address, settings};
use crate::Error;
use crate::connections::admission;
use crate::error::{ConnectionError, UnfitConnection};

/// A sign-in that waits for the person in their browser.
#[derive(Debug)]
pub struct PendingSignIn {
    connections: Connections,
    name: String,
    server: String,
    sign_in: SignIn,
}

/// What the person says of a sign-in.
#[derive(Debug, Clone, Default)]
pub struct SignInOptions {
    /// The secret of the client they registered; it is kept for the next time.
    pub client_secret: Option<Secret>,
    /// Scopes that are wanted besides those the server names and those that were granted before.
    pub scopes: Vec<String>,
}

/// What signing out led to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SignOutReport {
    /// The connection.
    pub connection: String,
    /// Somebody was signed in.
    pub was_signed_in: bool,
    /// The server took the tokens back; else they are only forgotten here.
    pub taken_back: bool,
}

/// [`Connections::begin_sign_in`].
pub(super) fn begin_sign_in(
    connections: Connections,
    name: &str,
    wishes: SignInOptions,
) -> Result<PendingSignIn, Error> {
    let server = remote(&connections, name)?;
    if address::has_place(&server) {
        let problem = UnfitConnection::LetInByAddress;
        return Err(ConnectionError::Unfit { name: name.to_owned(), problem }.into());
    }
    let wrap = |source| ConnectionError::SignIn { name: name.to_owned(), source };
    let kept = StoredTokens { name, server: &server, keyring: Keyring::default() };
    let client = registered_client(&connections, name, &kept, wishes.client_secret)?;
    let granted = if row(&connections, name)?.signed_in_at.is_some() { kept.read()? } else { None };
    let terms = SignInTerms { client, granted, wanted: wishes.scopes };
    let sign_in = SignIn::begin(&server, &terms).map_err(wrap)?;
    Ok(PendingSignIn { connections, name: name.to_owned(), server, sign_in })
}

/// [`Connections::sign_out`].
pub(super) fn sign_out(connections: &Connections, name: &str, now: &Zoned) -> Result<SignOutReport, Error> {
    let server = remote(connections, name)?;
    let _one_at_a_time = admission::lock_sign_in(&connections.app, name)?;
    let kept = StoredTokens { name, server: &server, keyring: Keyring::default() };
    let tokens = kept.read()?;
    // A server that is away keeps nobody signed in here.
    let was_signed_in = tokens.is_some();
    let taken_back = tokens.is_some_and(|tokens| revoke(&server, &tokens).unwrap_or(false));
    kept.delete()?;
    connections.store.connections().signed_out(&UserId::default(), name, now.timestamp())?;
    Ok(SignOutReport { connection: name.to_owned(), was_signed_in, taken_back })
}

/// The client that the person registered, with its secret: the one given now, or the one kept before.
fn registered_client(
    connections: &Connections,
    name: &str,
    kept: &StoredTokens<'_>,
    given: Option<Secret>,
) -> Result<Option<RegisteredClient>, Error> {
    let ConnectionSettings::Http { client: Some(client), .. } = settings(&row(connections, name)?)? else {
        let problem = UnfitConnection::NoOwnClient;
        return if given.is_none() {
            Ok(None)
        } else {
            Err(ConnectionError::Unfit { name: name.to_owned(), problem }.into())
        };
    };
    if let Some(secret) = &given {
        kept.save_given_secret(GivenSecret::Client, secret)?;
    }
    let secret = kept.given_secret(GivenSecret::Client)?.map(|secret| Token::new(secret.reveal()));
    Ok(Some(RegisteredClient { id: client.id, secret, port: client.callback_port }))
}

/// Forgets the secret of a client that the person registered.
pub(super) fn forget_client_secret(row: &StoredConnection) -> Result<(), Error> {
    let ConnectionSettings::Http { url, client: Some(_) } = settings(row)? else { return Ok(()) };
    StoredTokens { name: &row.name, server: &url, keyring: Keyring::default() }
        .delete_given_secret(GivenSecret::Client)
}

fn row(connections: &Connections, name: &str) -> Result<StoredConnection, Error> {
    let row = connections.store.connections().get(&UserId::default(), name)?;
    row.ok_or_else(|| ConnectionError::NoSuch { name: name.to_owned() }.into())
}

pub(super) fn remote(connections: &Connections, name: &str) -> Result<String, Error> {
    match settings(&row(connections, name)?)? {
        ConnectionSettings::Http { url, .. } => Ok(url),
        ConnectionSettings::Stdio { .. } => {
            Err(ConnectionError::Unfit { name: name.to_owned(), problem: UnfitConnection::IsAProgram }.into())
        }
    }
}

impl PendingSignIn {
    /// The page where the person signs in.
    pub fn address(&self) -> &str {
        self.sign_in.address()
    }

    /// Waits until the person has signed in, and keeps what that brought in the keyring. `now` is when the waiting begins;
    /// `stop` ends it. Gives the connection's name, and when that was.
    ///
    /// # Errors
    /// [`ConnectionError::SignIn`] when it failed or nobody came within `limit`; [`Error::Keyring`] or [`Error::Store`].
    pub(crate) fn finish(
        self,
        limit: Duration,
        stop: &dyn Fn() -> bool,
        now: &Zoned,
    ) -> Result<(String, Zoned), Error> {
        let clock = std::time::Instant::now();
        let Self { connections, name, server, sign_in } = self;
        let wrap = |source| ConnectionError::SignIn { name: name.clone(), source };
        let tokens = sign_in.finish(limit, stop, now.timestamp()).map_err(wrap)?;
        if ask_in(&server, Some(&tokens.access)).map_err(wrap)? != Admission::Granted {
            let problem = UnfitConnection::TokensRefused;
            return Err(ConnectionError::Unfit { name, problem }.into());
        }
        let now = now.checked_add(clock.elapsed()).unwrap_or_else(|_| now.clone());
        {
            let _one_at_a_time = admission::lock_sign_in(&connections.app, &name)?;
            // It may have been removed, or lead elsewhere, by now.
            if remote(&connections, &name)? != server {
                let problem = UnfitConnection::AddressChanged;
                return Err(ConnectionError::Unfit { name, problem }.into());
            }
            StoredTokens { name: &name, server: &server, keyring: Keyring::default() }.save(&tokens)?;
            connections.store.connections().signed_in(&UserId::default(), &name, now.timestamp())?;
        }
        Ok((name, now))
    }
}

// Faces wait for a sign-in in a thread of its own.
const _: fn() = || {
    fn is_sent<T: Send + 'static>() {}
    is_sent::<PendingSignIn>();
};
