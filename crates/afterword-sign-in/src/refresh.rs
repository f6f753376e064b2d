//! Fresh tokens for old ones, and taking them back.

use jiff::Timestamp;
use rmcp::transport::auth::{
    AuthorizationMetadata, CredentialStore, InMemoryCredentialStore, OAuthClientConfig,
};
use url::Url;
use url::form_urlencoded::Serializer;

use crate::flow::{discover_server, runtime};
use crate::http::{is_here, send_form};
use crate::{SignInError, Token, Tokens};

/// Brings new tokens for the tool server at `server`. The old ones may be worth nothing afterwards: one at a time may do this
/// for the same tokens, and what comes back has to be kept.
///
/// # Errors
/// [`SignInError::RunOut`] when the person has to sign in again, and what [`SignInError::may_pass`] says may pass.
pub fn refresh(server: &str, tokens: &Tokens, now: Timestamp) -> Result<Tokens, SignInError> {
    let Some(old) = &tokens.refresh else {
        return Err(SignInError::RunOut { problem: "there is nothing to renew it with".to_owned() });
    };
    let wrap = |error| SignInError::of(error, server);
    let kept = InMemoryCredentialStore::new();
    runtime()?.block_on(async {
        let (mut manager, metadata) = discover_server(server, &kept, None).await?;
        kept.save(tokens.to_credentials()?).await.map_err(wrap)?;
        // A refresh token goes to the authorization server that gave it, whoever the tool server names today.
        let is_known = is_of(tokens, &metadata, server);
        if !is_known || !manager.initialize_from_store().await.map_err(wrap)? {
            return Err(SignInError::RunOut {
                problem: "its authorization server is another one now".to_owned(),
            });
        }
        let mut client = OAuthClientConfig::new(tokens.client.clone(), server);
        if let Some(secret) = &tokens.client_secret {
            client = client.with_client_secret(secret.reveal());
        }
        manager.configure_client(client).map_err(wrap)?;
        manager.refresh_token().await.map_err(wrap)?;
        let fresh = kept.load().await.map_err(wrap)?;
        let fresh = fresh.ok_or_else(|| SignInError::Answer { problem: "there is no token".to_owned() })?;
        let mut fresh = Tokens::read(&fresh, tokens.client_secret.clone(), now)?;
        fresh.refresh = fresh.refresh.or_else(|| Some(old.clone()));
        Ok(fresh)
    })
}

/// Whether the authorization server that is named today is the one that gave the tokens. One that never named itself is known by
/// where it stands: beside the tool server.
fn is_of(tokens: &Tokens, named: &AuthorizationMetadata, server: &str) -> bool {
    let origin = |address: &str| Url::parse(address).map(|address| address.origin());
    match (&tokens.issuer, &named.issuer) {
        (Some(gave), Some(named)) => gave == named,
        (None, None) => {
            matches!((origin(server), origin(&named.token_endpoint)), (Ok(one), Ok(other)) if one == other)
        }
        _ => false,
    }
}

/// Asks the authorization server to take the tokens back (RFC 7009); says whether it did. Many servers cannot.
///
/// # Errors
/// [`SignInError`] when the server is not reached.
pub fn revoke(server: &str, tokens: &Tokens) -> Result<bool, SignInError> {
    let kept = InMemoryCredentialStore::new();
    let (_, metadata) = runtime()?.block_on(discover_server(server, &kept, None))?;
    // Whoever it names today gets only what it gave.
    if !is_of(tokens, &metadata, server) {
        return Ok(false);
    }
    let Some(address) = metadata.additional_fields.get("revocation_endpoint").and_then(|one| one.as_str())
    else {
        return Ok(false);
    };
    let both = [(tokens.refresh.as_ref(), "refresh_token"), (Some(&tokens.access), "access_token")];
    let mut taken_back = true;
    for (token, kind) in both {
        let Some(token) = token else { continue };
        let mut form = Serializer::new(String::new());
        form.append_pair("token", token.reveal()).append_pair("token_type_hint", kind);
        form.append_pair("client_id", &tokens.client);
        if let Some(secret) = tokens.client_secret.as_ref().map(Token::reveal) {
            form.append_pair("client_secret", secret);
        }
        taken_back &= send_form(address, is_here(server), form.finish())? == 200;
    }
    Ok(taken_back)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(gave: Option<&str>, named: Option<&str>, endpoint: &str, expected: bool) {
        let tokens = Tokens {
            access: Token::new("aaa"),
            refresh: None,
            client: "us".into(),
            client_secret: None,
            scopes: Vec::new(),
            issuer: gave.map(str::to_owned),
            received_at: "2026-03-02T08:00:00Z".parse().unwrap(),
            lifetime: None,
        };
        let mut metadata = AuthorizationMetadata::default();
        metadata.issuer = named.map(str::to_owned);
        metadata.token_endpoint = endpoint.to_owned();
        assert_eq!(is_of(&tokens, &metadata, "https://tools.example.org/mcp"), expected);
    }

    #[test]
    fn tokens_go_back_to_the_server_that_gave_them_alone() {
        let (own, other) = ("https://login.example.org", "https://elsewhere.example.net");
        let (beside, away) = ("https://tools.example.org/token", "https://elsewhere.example.net/token");
        check(Some(own), Some(own), away, true);
        check(Some(own), Some(other), away, false);
        check(Some(own), None, away, false);
        check(Some(own), None, beside, false);
        check(None, Some(other), away, false);
        check(None, None, beside, true);
        check(None, None, away, false);
    }
}
