//! Tokens, as they come from a server and go to whoever keeps them.

use std::fmt;

use jiff::{SignedDuration, Timestamp};
use rmcp::transport::auth::{OAuthTokenResponse, StoredCredentials};
use serde_json::json;

use crate::SignInError;

/// A token or a client's secret. It is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Takes a token.
    pub fn new(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The token itself, for whoever keeps it or sends it where it belongs.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// What a sign-in brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tokens {
    /// What lets a client in.
    pub access: Token,
    /// What brings a new one.
    pub refresh: Option<Token>,
    /// What the authorization server calls us.
    pub client: String,
    /// The secret it gave us with that, if any.
    pub client_secret: Option<Token>,
    /// What it allows.
    pub scopes: Vec<String>,
    /// The authorization server that gave them.
    pub issuer: Option<String>,
    /// When they came.
    pub received_at: Timestamp,
    /// Seconds the access token holds from then on, where the server says.
    pub lifetime: Option<u64>,
}

impl Tokens {
    /// Whether the access token has run out at `at`. One without a known end never has.
    pub fn has_run_out(&self, at: Timestamp) -> bool {
        let Some(seconds) = self.lifetime.and_then(|seconds| i64::try_from(seconds).ok()) else {
            return false;
        };
        self.received_at.checked_add(SignedDuration::from_secs(seconds)).is_ok_and(|end| end <= at)
    }

    /// Reads what the protocol's library keeps.
    pub(crate) fn read(
        stored: &StoredCredentials,
        client_secret: Option<Token>,
        now: Timestamp,
    ) -> Result<Self, SignInError> {
        let unreadable = || SignInError::Answer { problem: "the answer has no token".to_owned() };
        let response = serde_json::to_value(&stored.token_response).map_err(|_| unreadable())?;
        let token = |name: &str| response[name].as_str().filter(|text| !text.is_empty()).map(Token::new);
        Ok(Self {
            access: token("access_token").ok_or_else(unreadable)?,
            refresh: token("refresh_token"),
            client: stored.client_id.clone(),
            client_secret,
            scopes: stored.granted_scopes.clone(),
            issuer: stored.issuer.clone(),
            received_at: now,
            lifetime: response["expires_in"].as_u64(),
        })
    }

    /// The same as the protocol's library keeps it.
    pub(crate) fn to_credentials(&self) -> Result<StoredCredentials, SignInError> {
        let response = json!({
            "access_token": self.access.reveal(),
            "token_type": "bearer",
            "refresh_token": self.refresh.as_ref().map(Token::reveal),
            "expires_in": self.lifetime,
        });
        let response: OAuthTokenResponse = serde_json::from_value(response).map_err(|_| {
            SignInError::Answer { problem: "the tokens that were kept cannot be read".to_owned() }
        })?;
        let received = u64::try_from(self.received_at.as_second()).ok();
        let stored =
            StoredCredentials::new(self.client.clone(), Some(response), self.scopes.clone(), received);
        Ok(stored.with_issuer(self.issuer.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(lifetime: Option<u64>) -> Tokens {
        Tokens {
            access: Token::new("aaa-hidden"),
            refresh: Some(Token::new("rrr-hidden")),
            client: "us".into(),
            client_secret: None,
            scopes: vec!["read".into()],
            issuer: Some("https://login.example.org".into()),
            received_at: "2026-03-02T08:00:00Z".parse().unwrap(),
            lifetime,
        }
    }

    #[test]
    fn run_out_when_their_time_is_over() {
        let check = |lifetime, at: &str, expected| {
            assert_eq!(tokens(lifetime).has_run_out(at.parse().unwrap()), expected, "{lifetime:?} {at}");
        };
        check(Some(60), "2026-03-02T08:00:59Z", false);
        check(Some(60), "2026-03-02T08:01:00Z", true);
        check(None, "2036-03-02T08:01:00Z", false);
        check(Some(u64::MAX), "2036-03-02T08:01:00Z", false);
    }

    #[test]
    fn survive_the_library_and_are_never_shown() {
        let before = tokens(Some(60));
        let after = Tokens::read(&before.to_credentials().unwrap(), None, before.received_at).unwrap();
        assert_eq!(after, before);
        assert!(!format!("{before:?}").contains("hidden"));
    }
}
