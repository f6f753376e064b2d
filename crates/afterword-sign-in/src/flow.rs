//! A sign-in from the first question to the tokens.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use rmcp::transport::auth::{
    AuthorizationManager, AuthorizationMetadata, AuthorizationMetadataSource, CredentialStore,
    InMemoryCredentialStore, OAuthClientConfig,
};
use tokio::runtime::Runtime;
use url::Url;

use crate::http::{Sender, is_here};
use crate::redirect::Redirect;
use crate::terms::SignInTerms;
use crate::{Admission, SignInError, Token, Tokens, ask_in};

/// What authorization servers show the person.
const NAME: &str = "Afterword";

/// A sign-in that waits for the person in their browser.
pub struct SignIn {
    server: String,
    runtime: Runtime,
    manager: AuthorizationManager,
    kept: InMemoryCredentialStore,
    client_secret: Option<Token>,
    redirect: Redirect,
    address: String,
    state: String,
}

impl std::fmt::Debug for SignIn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SignIn").field("server", &self.server).finish_non_exhaustive()
    }
}

impl SignIn {
    /// Finds out how to sign in to the tool server at `server`, registers there unless the person has, and opens the port for
    /// the way back.
    ///
    /// # Errors
    /// [`SignInError`]: the server cannot be reached, wants no sign-in, says nowhere how, or does not take us.
    pub fn begin(server: &str, terms: &SignInTerms) -> Result<Self, SignInError> {
        let challenge = match ask_in(server, None)? {
            Admission::Refused(challenge) => challenge,
            Admission::Granted => {
                let problem = "it lets everybody in".to_owned();
                return Err(SignInError::NoSignIn { url: server.to_owned(), problem });
            }
        };
        let port = terms.client.as_ref().and_then(|client| client.port);
        let (runtime, redirect, kept) = (runtime()?, Redirect::open(port)?, InMemoryCredentialStore::new());
        let wrap = |error| SignInError::of(error, server);
        let (manager, client_secret, address) = runtime.block_on(async {
            let (mut manager, metadata) = discover_server(server, &kept, challenge.as_deref()).await?;
            let scopes = terms.scopes(manager.select_initial_scopes(&[]).await, metadata.issuer.as_deref());
            let scopes: Vec<&str> = scopes.iter().map(String::as_str).collect();
            let secret = match &terms.client {
                Some(client) => {
                    let secret = client.secret.clone();
                    let mut known = OAuthClientConfig::new(client.id.clone(), redirect.address());
                    if let Some(secret) = &secret {
                        known = known.with_client_secret(secret.reveal());
                    }
                    manager.configure_client(known).map_err(wrap)?;
                    secret
                }
                None => {
                    let client = manager.register_client(NAME, &redirect.address(), &scopes).await;
                    client.map_err(wrap)?.client_secret.as_deref().map(Token::new)
                }
            };
            let address = manager.get_authorization_url(&scopes).await.map_err(wrap)?;
            Ok::<_, SignInError>((manager, secret, address))
        })?;
        let unfit =
            || SignInError::Address { url: address.clone(), problem: "it is no page to open".to_owned() };
        let page = Url::parse(&address).map_err(|_| unfit())?;
        // A browser is opened with it: nothing else may be.
        if !(page.scheme() == "https" || page.scheme() == "http" && is_here(server) && is_here(&address)) {
            return Err(unfit());
        }
        let state = page.query_pairs().find(|(name, _)| name == "state").map(|(_, value)| value.into_owned());
        let state = state.ok_or_else(unfit)?;
        let server = server.to_owned();
        Ok(Self { server, runtime, manager, kept, client_secret, redirect, address, state })
    }

    /// The page where the person signs in. It holds no token; whoever opens it can sign in for this program only.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Waits until the person has signed in and gives what that brought. `now` is when the waiting begins, `stop` ends it.
    ///
    /// # Errors
    /// [`SignInError`]: the person or the server refused, nobody came within `limit`, or it was cancelled.
    pub fn finish(
        self,
        limit: Duration,
        stop: &dyn Fn() -> bool,
        now: Timestamp,
    ) -> Result<Tokens, SignInError> {
        let clock = Instant::now();
        let came_to = self.redirect.wait(&self.state, limit, stop)?;
        let wrap = |error| SignInError::of(error, &self.server);
        self.runtime.block_on(async {
            let callback =
                rmcp::transport::auth::AuthorizationCallback::from_redirect_url(&came_to).map_err(wrap)?;
            let issuer = callback.issuer.as_deref();
            let exchanged = self.manager.exchange_code_for_token_with_issuer(
                &callback.code,
                &callback.csrf_token,
                issuer,
            );
            exchanged.await.map_err(wrap)?;
            let kept = self.kept.load().await.map_err(wrap)?;
            let kept = kept.ok_or_else(|| SignInError::Answer { problem: "there is no token".to_owned() })?;
            let passed = SignedDuration::try_from(clock.elapsed()).unwrap_or_default();
            Tokens::read(&kept, self.client_secret.clone(), now.checked_add(passed).unwrap_or(now))
        })
    }
}

/// What waits for the library; its requests are made in the thread that waits.
pub(crate) fn runtime() -> Result<Runtime, SignInError> {
    let builder = tokio::runtime::Builder::new_current_thread().build();
    builder.map_err(|source| SignInError::Port { source })
}

/// The library's part for one server, which knows where its authorization server is, and what that says of itself.
pub(crate) async fn discover_server(
    server: &str,
    kept: &InMemoryCredentialStore,
    challenge: Option<&str>,
) -> Result<(AuthorizationManager, AuthorizationMetadata), SignInError> {
    let wrap = |error| SignInError::of(error, server);
    let sender = Arc::new(Sender { may_be_here: is_here(server) });
    let mut manager = AuthorizationManager::new_with_oauth_http_client(server, sender).await.map_err(wrap)?;
    manager.set_credential_store(kept.clone());
    let found = manager.resolve_metadata_from_challenge(challenge).await.map_err(wrap)?;
    // Guessing addresses would send codes and tokens where nobody said they belong.
    if found.source == AuthorizationMetadataSource::LegacyEndpointFallback {
        let problem = "there is no metadata of an authorization server".to_owned();
        return Err(SignInError::NoSignIn { url: server.to_owned(), problem });
    }
    manager.set_metadata(found.metadata.clone());
    Ok((manager, found.metadata))
}
