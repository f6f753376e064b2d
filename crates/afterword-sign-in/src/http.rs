//! The one place that sends: requests of the protocol's library, and the question whether a server lets somebody in.
//!
//! Only https, but for servers on this machine that were named by the person as such. A token goes to the address it was
//! given for and is never sent along a redirect.

use std::net::IpAddr;
use std::time::Duration;

use rmcp::transport::auth::{
    OAuthHttpClient, OAuthHttpClientError, OAuthHttpClientFuture, OAuthHttpRedirectPolicy, OAuthHttpRequest,
};
use ureq::http::{Request, Response, Uri};

use crate::{SignInError, Token};

/// How long one request may take.
const LIMIT: Duration = Duration::from_secs(30);
/// Longest answer read, in bytes.
const MOST: u64 = 1 << 20;
/// Redirects followed where the protocol lets them be.
const REDIRECTS: u32 = 5;
/// What a server is asked to see whether it lets somebody in: it changes nothing there.
const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

/// Whether a server lets somebody in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Admission {
    /// It does; what it thinks of the question itself makes no difference.
    Granted,
    /// It wants a sign-in, or one that allows more, and says how in this header (`WWW-Authenticate`), where it has one.
    Refused(Option<String>),
}

/// Asks a tool server whether it lets somebody in who has this token, or none.
///
/// # Errors
/// [`SignInError::Address`] and [`SignInError::Unreachable`].
pub fn ask_in(server: &str, token: Option<&Token>) -> Result<Admission, SignInError> {
    let may_be_here = is_here(server);
    check(server, may_be_here)?;
    let mut request = Request::post(server)
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream");
    if let Some(token) = token {
        request = request.header("authorization", format!("Bearer {}", token.reveal()));
    }
    let unfit = |_| SignInError::Address { url: server.to_owned(), problem: "it is no address".to_owned() };
    let request = request.body(PING.as_bytes().to_vec()).map_err(unfit)?;
    let failed =
        |error: ureq::Error| SignInError::Unreachable { url: server.to_owned(), problem: error.to_string() };
    // The answer's body is never read: it may be a stream without an end.
    let response = agent(server, 0, LIMIT).run(request).map_err(failed)?;
    let challenges = response.headers().get_all("www-authenticate").iter();
    // A header that is no text says nothing of how to sign in.
    let said: Vec<&str> = challenges.filter_map(|value| value.to_str().ok()).collect();
    let challenge = (!said.is_empty()).then(|| said.join(", "));
    let refused = match response.status().as_u16() {
        401 => true,
        403 => challenge.as_ref().is_some_and(|challenge| challenge.contains("insufficient_scope")),
        _ => false,
    };
    Ok(if refused { Admission::Refused(challenge) } else { Admission::Granted })
}

/// Sends a form and says with which status it was answered.
pub(crate) fn send_form(url: &str, may_be_here: bool, form: String) -> Result<u16, SignInError> {
    check(url, may_be_here)?;
    let unfit = |_| SignInError::Address { url: url.to_owned(), problem: "it is no address".to_owned() };
    let request = Request::post(url).header("content-type", "application/x-www-form-urlencoded");
    let request = request.body(form.into_bytes()).map_err(unfit)?;
    let failed =
        |error: ureq::Error| SignInError::Unreachable { url: url.to_owned(), problem: error.to_string() };
    Ok(agent(url, 0, LIMIT).run(request).map_err(failed)?.status().as_u16())
}

/// Sends what the protocol's library wants sent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sender {
    /// The tool server is on this machine, so its authorization server may be as well.
    pub(crate) may_be_here: bool,
}

impl OAuthHttpClient for Sender {
    fn execute(&self, asked: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        let may_be_here = self.may_be_here;
        // Whoever waits for this waits in a thread of their own.
        Box::pin(async move { send(asked, may_be_here) })
    }
}

fn send(asked: OAuthHttpRequest, may_be_here: bool) -> Result<Response<Vec<u8>>, OAuthHttpClientError> {
    let url = asked.request.uri().to_string();
    check(&url, may_be_here)?;
    let redirects = match asked.redirect_policy {
        // Only what carries no token and no code is followed at all.
        OAuthHttpRedirectPolicy::Follow => REDIRECTS,
        _ => 0,
    };
    let limit = asked.timeout.map_or(LIMIT, |wanted| wanted.min(LIMIT));
    let response = agent(&url, redirects, limit).run(asked.request)?;
    let (parts, mut body) = response.into_parts();
    let bytes = body.with_config().limit(MOST).read_to_vec()?;
    Ok(Response::from_parts(parts, bytes))
}

fn agent(url: &str, redirects: u32, limit: Duration) -> ureq::Agent {
    let here = is_here(url);
    ureq::Agent::config_builder()
        .timeout_global(Some(limit))
        .http_status_as_error(false)
        .https_only(!here)
        .max_redirects(redirects)
        .proxy(if here { None } else { ureq::Proxy::try_from_env() })
        .build()
        .into()
}

/// Lets only https through, and plain http to this machine where the person named a server here.
fn check(url: &str, may_be_here: bool) -> Result<(), SignInError> {
    let is_https = url.get(..8).is_some_and(|start| start.eq_ignore_ascii_case("https://"));
    if may_be_here && is_here(url) || is_https && !is_here(url) {
        return Ok(());
    }
    let problem =
        "only https keeps a sign-in private, and nobody elsewhere may lead to this machine".to_owned();
    Err(SignInError::Address { url: url.to_owned(), problem })
}

/// Whether an address is on this machine.
pub(crate) fn is_here(url: &str) -> bool {
    let host = url.parse::<Uri>().ok().and_then(|uri| uri.host().map(str::to_ascii_lowercase));
    let host = host.unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare == "localhost" || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_go_nowhere_they_could_be_read() {
        let check = |url: &str, may_be_here, expected| {
            assert_eq!(check(url, may_be_here).is_ok(), expected, "{url} {may_be_here}");
        };
        check("https://login.example.org/token", false, true);
        check("HTTPS://login.example.org/token", false, true);
        check("http://login.example.org/token", false, false);
        check("http://login.example.org/token", true, false);
        check("http://127.0.0.1:99/token", true, true);
        check("http://[::1]:99/token", true, true);
        check("http://localhost/token", true, true);
        check("http://127.0.0.1:99/token", false, false);
        check("https://127.0.0.1:99/token", false, false);
        check("http://127.0.0.1.example.org/token", true, false);
        check("ftp://example.org", true, false);
        check("", true, false);
    }
}
