//! Being let in: before a run begins, every remote server its conversation names is asked whether it lets the run in.
//!
//! Tokens that run out before the run could end are renewed first, by one process at a time: a server that gives a new
//! refresh token for each takes the second use of an old one for theft. A server that wants a sign-in costs no model call.

use afterword_platform::keyring::Keyring;
use afterword_platform::lock::ApplyLock;
use afterword_sign_in::{Admission, SignInError, Token, Tokens, ask_in, refresh};
use afterword_store::StoredConnection;
use jiff::{SignedDuration, Timestamp};

use super::stored_tokens::StoredTokens;
use crate::error::ConnectionError;
use crate::{App, Error};

/// A run may take a little longer than it may take.
const MARGIN: SignedDuration = SignedDuration::from_secs(30);

/// The token that lets a run in to a remote server, for as long as the run may take; none where everybody is.
///
/// # Errors
/// [`ConnectionError::SignInNeeded`] where the person has to sign in; [`ConnectionError::SignIn`] for a server that is not reached; [`Error::Keyring`].
pub(super) fn token_for(
    app: &App,
    row: &StoredConnection,
    url: &str,
    most_seconds: u32,
    now: Timestamp,
) -> Result<Option<Token>, Error> {
    let until = SignedDuration::from_secs(i64::from(most_seconds)) + MARGIN;
    let until = now.checked_add(until).unwrap_or(now);
    TokenRequest { app, row, url, now, until }.token()
}

/// Held while a connection's tokens are renewed or changed.
pub(super) fn lock_sign_in(app: &App, name: &str) -> Result<ApplyLock, Error> {
    Ok(ApplyLock::take(&app.paths.sign_in_lock(name))?)
}

struct TokenRequest<'a> {
    app: &'a App,
    row: &'a StoredConnection,
    url: &'a str,
    now: Timestamp,
    until: Timestamp,
}

impl TokenRequest<'_> {
    /// The token that lets a run in; none where everybody is.
    fn token(&self) -> Result<Option<Token>, Error> {
        if self.row.signed_in_at.is_none() {
            return match self.ask(None)? {
                Admission::Granted => Ok(None),
                Admission::Refused(_) => Err(self.sign_in_needed()),
            };
        }
        let fresh = self.fresh_token(None)?;
        if self.ask(Some(&fresh))? == Admission::Granted {
            return Ok(Some(fresh));
        }
        // Taken back, or the server has forgotten it before its time.
        let fresh = self.fresh_token(Some(&fresh))?;
        match self.ask(Some(&fresh))? {
            Admission::Granted => Ok(Some(fresh)),
            Admission::Refused(_) => Err(self.sign_in_needed()),
        }
    }

    fn ask(&self, token: Option<&Token>) -> Result<Admission, Error> {
        ask_in(self.url, token).map_err(|source| self.wrap(source))
    }

    /// A token that is worth something until the run ends, and is not the one that was `refused`.
    fn fresh_token(&self, refused: Option<&Token>) -> Result<Token, Error> {
        let _one_at_a_time = lock_sign_in(self.app, &self.row.name)?;
        let kept = StoredTokens { name: &self.row.name, server: self.url, keyring: Keyring::default() };
        let Some(tokens) = kept.read()? else { return Err(self.sign_in_needed()) };
        let is_refused = refused.is_some_and(|refused| *refused == tokens.access);
        // Without a way to renew it, a token serves until its very end.
        let until = if tokens.refresh.is_some() { self.until } else { self.now };
        if !is_refused && !tokens.has_run_out(until) {
            return Ok(tokens.access);
        }
        match refresh(self.url, &tokens, self.now) {
            Ok(fresh) => self.store_tokens(&kept, fresh),
            Err(SignInError::RunOut { .. }) => {
                kept.delete()?;
                Err(self.sign_in_needed())
            }
            // It may do for this run all the same.
            Err(error) if error.may_pass() && !is_refused && !tokens.has_run_out(self.now) => {
                Ok(tokens.access)
            }
            Err(error) => Err(self.wrap(error)),
        }
    }

    fn store_tokens(&self, kept: &StoredTokens<'_>, fresh: Tokens) -> Result<Token, Error> {
        kept.save(&fresh)?;
        Ok(fresh.access)
    }

    fn sign_in_needed(&self) -> Error {
        ConnectionError::SignInNeeded { name: self.row.name.clone() }.into()
    }

    fn wrap(&self, source: SignInError) -> Error {
        ConnectionError::SignIn { name: self.row.name.clone(), source }.into()
    }
}
