//! Fresh tokens for old ones, and taking them back.

use jiff::Timestamp;
use rmcp::transport::auth::{CredentialStore, InMemoryCredentialStore, OAuthClientConfig};
use url::form_urlencoded::Serializer;

use crate::flow::{discovered, runtime};
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
        let mut manager = discovered(server, &kept, None).await?;
        kept.save(tokens.stored()?).await.map_err(wrap)?;
        // A refresh token goes to the authorization server that gave it, whoever the tool server names today.
        if !manager.initialize_from_store().await.map_err(wrap)? {
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

/// Asks the authorization server to take the tokens back (RFC 7009); says whether it did. Many servers cannot.
///
/// # Errors
/// [`SignInError`] when the server is not reached.
pub fn revoke(server: &str, tokens: &Tokens) -> Result<bool, SignInError> {
    let kept = InMemoryCredentialStore::new();
    let found = runtime()?.block_on(async {
        let manager = discovered(server, &kept, None).await?;
        manager.resolve_metadata().await.map_err(|error| SignInError::of(error, server))
    })?;
    // Whoever it names today gets only what it gave.
    if found.metadata.issuer != tokens.issuer {
        return Ok(false);
    }
    let Some(address) =
        found.metadata.additional_fields.get("revocation_endpoint").and_then(|one| one.as_str())
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
