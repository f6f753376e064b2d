//! One JSON request and its answer: no redirects, a hard time limit, patience with a busy provider.
//!
//! It owns the only socket of this room. A key is sent to the address it was given for and nowhere else, and no error shows it.

use std::net::{IpAddr, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use serde_json::Value;
use ureq::http::{HeaderMap, StatusCode, Uri};

use super::{EngineError, Secret};

/// Longest answer read, in bytes.
const MOST: u64 = 4 << 20;
/// How often a busy provider is asked again within one call.
const AGAIN: u32 = 2;
/// How long to wait where it does not say.
const USUAL: Duration = Duration::from_secs(4);
/// Whoever wants to be asked again later than this is not waited for.
const PATIENCE: Duration = Duration::from_secs(30);
/// Longest part shown of what a provider complained, in bytes.
const COMPLAINT: usize = 300;

/// The host and port of an address, as a key is kept for; `None` where it has none.
pub fn host(url: &str) -> Option<String> {
    let uri = url.parse::<Uri>().ok()?;
    let authority = uri.authority()?;
    let port = authority.port_u16().map_or_else(String::new, |port| format!(":{port}"));
    Some(format!("{}{port}", authority.host().to_ascii_lowercase()))
}

/// Whether an address is on this machine.
pub fn is_local(url: &str) -> bool {
    let host = url.parse::<Uri>().ok().and_then(|uri| uri.host().map(str::to_owned)).unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare == "localhost" || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Whether anybody listens at an address of this machine; sends nothing.
///
/// # Errors
/// [`EngineError::Unreachable`].
pub fn is_listening(url: &str, limit: Duration) -> Result<(), EngineError> {
    let unreachable = |problem: String| EngineError::Unreachable { url: url.to_owned(), problem };
    let uri = url.parse::<Uri>().map_err(|error| unreachable(error.to_string()))?;
    let usual = if uri.scheme_str() == Some("https") { 443 } else { 80 };
    let bare = uri.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    let places = (bare, uri.port_u16().unwrap_or(usual)).to_socket_addrs();
    let mut problem = "no such address".to_owned();
    for place in places.map_err(|error| unreachable(error.to_string()))? {
        match TcpStream::connect_timeout(&place, limit) {
            Ok(_) => return Ok(()),
            Err(error) => problem = error.to_string(),
        }
    }
    Err(unreachable(problem))
}

/// An object with one more field, whose JSON stays as it is written: a [`Value`] sorts the fields of a schema, and models write an
/// answer in the order of its schema.
pub(super) fn with_field(object: &Value, name: &str, json: &str) -> String {
    let mut text = object.to_string();
    text.truncate(text.len() - 1);
    text.push_str(&format!(",\"{name}\":{json}}}"));
    text
}

/// Sends JSON and reads JSON; `key` is kept out of errors. 429, 529 and other 5xx are tried again as the provider says, within `limit`.
pub(super) fn post(
    url: &str,
    headers: &[(&str, &str)],
    key: Option<&Secret>,
    body: &str,
    limit: Duration,
) -> Result<Value, EngineError> {
    let is_safe = url.starts_with("https://") || url.starts_with("http://") && is_local(url);
    if !is_safe {
        let problem = "only https, or http on this machine, keeps what is sent private";
        return Err(EngineError::Address { url: url.to_owned(), problem });
    }
    let clock = Instant::now();
    let mut attempt = 0;
    loop {
        let left = limit.saturating_sub(clock.elapsed());
        let answer = try_once(url, headers, key, body, (left, limit));
        let seconds = clock.elapsed().as_secs();
        match &answer {
            Ok(_) => tracing::debug!(url, seconds, "a model answered"),
            Err(error) => tracing::warn!(seconds, attempt, "a model did not answer: {error}"),
        }
        match answer {
            Err(EngineError::Busy { again_after, .. })
                if attempt < AGAIN
                    && again_after <= PATIENCE
                    && again_after < limit.saturating_sub(clock.elapsed()) =>
            {
                attempt += 1;
                std::thread::sleep(again_after);
            }
            other => return other,
        }
    }
}

fn try_once(
    url: &str,
    headers: &[(&str, &str)],
    key: Option<&Secret>,
    body: &str,
    (left, limit): (Duration, Duration),
) -> Result<Value, EngineError> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(left.max(Duration::from_millis(1))))
        .http_status_as_error(false)
        .max_redirects(0)
        .proxy(if is_local(url) { None } else { ureq::Proxy::try_from_env() })
        .build()
        .into();
    let mut request = agent.post(url).header("content-type", "application/json");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let failed = |error: ureq::Error| match error {
        ureq::Error::Timeout(_) => EngineError::TooLong { url: url.to_owned(), limit },
        other => EngineError::Unreachable { url: url.to_owned(), problem: other.to_string() },
    };
    let mut response = request.send(body).map_err(failed)?;
    let status = response.status();
    let wait = retry_after(response.headers());
    let text =
        response.body_mut().with_config().limit(MOST).lossy_utf8(true).read_to_string().map_err(failed)?;
    if !status.is_success() {
        // Some providers repeat the key in their complaint.
        let text = key.map_or(text.clone(), |key| key.redact_from(&text));
        return Err(status_error(url, status, wait, &text));
    }
    serde_json::from_str(&text).map_err(|error| EngineError::Invalid {
        problem: format!("{url} did not answer with JSON: {error}"),
        usage: super::Usage::default(),
    })
}

fn status_error(url: &str, status: StatusCode, wait: Option<Duration>, text: &str) -> EngineError {
    let url = url.to_owned();
    match status.as_u16() {
        status @ (401 | 403) => EngineError::Key { url, status },
        status @ (408 | 429 | 500..=599) => {
            EngineError::Busy { url, status, again_after: wait.unwrap_or(USUAL) }
        }
        status => {
            let said = serde_json::from_str::<Value>(text).ok();
            let said = said.as_ref().and_then(|said| said["error"]["message"].as_str()).unwrap_or(text);
            let problem = crate::builtin::words::head(said.trim(), COMPLAINT).to_owned();
            EngineError::Request { url, status, problem }
        }
    }
}

/// Whole seconds; providers do not send dates here.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get("retry-after")?.to_str().ok()?.trim().parse::<f64>().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}
