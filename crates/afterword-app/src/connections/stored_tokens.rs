//! The tokens of a connection in the system's keyring, one by one, and nowhere else.
//!
//! Each part has an entry of its own, filed under the connection and the host it is sent to. Long ones are cut: Windows
//! keeps 2,560 bytes an entry, two for each character.

use afterword_core::Secret;
use afterword_platform::keyring::Keyring;
use afterword_reflect::engine::host;
use afterword_sign_in::{Token, Tokens};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::error::{ConnectionError, UnfitConnection};

/// Characters of a token that one entry holds.
const PIECE: usize = 1_200;
/// So many pieces a token has at most.
const MOST_PIECES: usize = 16;

/// A secret that the person gave by hand; it stays when they sign out, as they would have to look it up again.
#[derive(Debug, Clone, Copy)]
pub(super) enum GivenSecret {
    /// Of the client that the person registered.
    Client,
    /// The one that is a part of the server's address.
    Address,
}

impl GivenSecret {
    fn entry(self) -> &'static str {
        match self {
            Self::Client => "own-client-secret",
            Self::Address => "address-secret",
        }
    }

    fn unusable(self) -> UnfitConnection {
        match self {
            Self::Client => UnfitConnection::ClientSecret,
            Self::Address => UnfitConnection::AddressSecret,
        }
    }
}

/// Where the tokens of one connection are.
pub(super) struct StoredTokens<'a> {
    pub(super) name: &'a str,
    pub(super) server: &'a str,
    pub(super) keyring: Keyring,
}

/// What is no secret, and what belongs to which tokens.
#[derive(Serialize, Deserialize)]
struct Particulars {
    server: String,
    client: String,
    scopes: Vec<String>,
    issuer: Option<String>,
    received_at: Timestamp,
    lifetime: Option<u64>,
    /// How many pieces each part has.
    access: usize,
    refresh: usize,
    client_secret: usize,
}

impl StoredTokens<'_> {
    /// The tokens, where they are whole and were given for this server.
    pub(super) fn read(&self) -> Result<Option<Tokens>, Error> {
        let Some(text) = self.keyring.get(&self.entry("particulars", 1))? else { return Ok(None) };
        let Ok(known) = serde_json::from_str::<Particulars>(text.reveal()) else { return Ok(None) };
        if known.server != self.server {
            return Ok(None);
        }
        let Some(access) = self.read_pieces("access", known.access)? else { return Ok(None) };
        Ok(Some(Tokens {
            access,
            refresh: self.read_pieces("refresh", known.refresh)?,
            client: known.client,
            client_secret: self.read_pieces("client-secret", known.client_secret)?,
            scopes: known.scopes,
            issuer: known.issuer,
            received_at: known.received_at,
            lifetime: known.lifetime,
        }))
    }

    /// Keeps tokens in the place of those that are there. The one that brings new ones comes first: whatever happens in
    /// between, the person need not sign in again.
    pub(super) fn save(&self, tokens: &Tokens) -> Result<(), Error> {
        let known = Particulars {
            refresh: self.cut("refresh", tokens.refresh.as_ref())?,
            client_secret: self.cut("client-secret", tokens.client_secret.as_ref())?,
            access: self.cut("access", Some(&tokens.access))?,
            server: self.server.to_owned(),
            client: tokens.client.clone(),
            scopes: tokens.scopes.clone(),
            issuer: tokens.issuer.clone(),
            received_at: tokens.received_at,
            lifetime: tokens.lifetime,
        };
        let unfit =
            |error: serde_json::Error| self.unfit(UnfitConnection::Unreadable { detail: error.to_string() });
        let text = serde_json::to_string(&known).map_err(unfit)?;
        Ok(self.keyring.set(&self.entry("particulars", 1), &Secret::new(&text))?)
    }

    /// Removes them.
    pub(super) fn delete(&self) -> Result<(), Error> {
        self.keyring.delete(&self.entry("particulars", 1))?;
        for part in ["access", "refresh", "client-secret"] {
            self.delete_from(part, 1)?;
        }
        Ok(())
    }

    /// A secret that the person gave.
    pub(super) fn given_secret(&self, which: GivenSecret) -> Result<Option<Secret>, Error> {
        Ok(self.keyring.get(&self.entry(which.entry(), 1))?)
    }

    /// Keeps it.
    pub(super) fn save_given_secret(&self, which: GivenSecret, secret: &Secret) -> Result<(), Error> {
        let text = secret.reveal().trim();
        if text.is_empty() || text.len() > PIECE || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(self.unfit(which.unusable()));
        }
        Ok(self.keyring.set(&self.entry(which.entry(), 1), &Secret::new(text))?)
    }

    /// Removes it.
    pub(super) fn delete_given_secret(&self, which: GivenSecret) -> Result<(), Error> {
        self.keyring.delete(&self.entry(which.entry(), 1))?;
        Ok(())
    }

    fn read_pieces(&self, part: &str, pieces: usize) -> Result<Option<Token>, Error> {
        let mut whole = String::new();
        for number in 1..=pieces.min(MOST_PIECES) {
            let Some(piece) = self.keyring.get(&self.entry(part, number))? else { return Ok(None) };
            whole.push_str(piece.reveal());
        }
        Ok((!whole.is_empty()).then(|| Token::new(&whole)))
    }

    fn cut(&self, part: &str, token: Option<&Token>) -> Result<usize, Error> {
        let text = token.map(Token::reveal).unwrap_or_default();
        // RFC 6749, appendix A: tokens are visible ASCII.
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) || text.len() > PIECE * MOST_PIECES {
            return Err(self.unfit(UnfitConnection::TokenTooLong));
        }
        let pieces = text.len().div_ceil(PIECE);
        for number in 1..=pieces {
            let piece = &text[(number - 1) * PIECE..text.len().min(number * PIECE)];
            self.keyring.set(&self.entry(part, number), &Secret::new(piece))?;
        }
        self.delete_from(part, pieces + 1)?;
        Ok(pieces)
    }

    fn delete_from(&self, part: &str, first: usize) -> Result<(), Error> {
        for number in first..=MOST_PIECES {
            if !self.keyring.delete(&self.entry(part, number))? {
                break;
            }
        }
        Ok(())
    }

    fn entry(&self, part: &str, number: usize) -> String {
        let host = host(self.server).unwrap_or_default();
        format!("connection {} {host} {part} {number}", self.name)
    }

    fn unfit(&self, problem: UnfitConnection) -> Error {
        ConnectionError::Unfit { name: self.name.to_owned(), problem }.into()
    }
}
