//! Where the browser comes back to: a port of this machine that is open while somebody signs in (RFC 8252, section 7.3).
//!
//! Whatever else knocks there, a page in the browser or another program, is turned away and changes nothing: only the
//! redirect with the right `state` counts.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use url::Url;

use crate::SignInError;

/// The path of the redirect.
const PATH: &str = "/callback";
/// Between two looks for the browser.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);
/// How long one request may take to arrive.
const REQUEST_LIMIT: Duration = Duration::from_secs(5);
/// Longest request line and headers, in bytes. Codes are short, headers of browsers are not.
const MOST: u64 = 64 * 1024;
/// Browsers open connections ahead of need; so many are heard at once.
const AT_ONCE: usize = 16;

/// An open port.
#[derive(Debug)]
pub(crate) struct Redirect {
    listener: TcpListener,
    port: u16,
}

impl Redirect {
    /// Opens a port on this machine alone: this one, or one that the system chooses.
    pub(crate) fn open(port: Option<u16>) -> Result<Self, SignInError> {
        let error = |source| SignInError::Port { source };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port.unwrap_or(0))).map_err(error)?;
        listener.set_nonblocking(true).map_err(error)?;
        let port = listener.local_addr().map_err(error)?.port();
        Ok(Self { listener, port })
    }

    /// Its address, as the authorization server is told.
    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}{PATH}", self.port)
    }

    /// Waits for the browser; gives the address it came to.
    pub(crate) fn wait(
        &self,
        state: &str,
        limit: Duration,
        stop: &dyn Fn() -> bool,
    ) -> Result<String, SignInError> {
        let (clock, open) = (Instant::now(), Arc::new(AtomicUsize::new(0)));
        let (came, coming) = mpsc::channel();
        loop {
            if stop() {
                return Err(SignInError::Cancelled);
            }
            if clock.elapsed() >= limit {
                return Err(SignInError::TooLong { limit });
            }
            if let Ok((stream, _)) = self.listener.accept()
                && open.load(Ordering::Relaxed) < AT_ONCE
            {
                let (state, came, open, port) =
                    (state.to_owned(), came.clone(), Arc::clone(&open), self.port);
                open.fetch_add(1, Ordering::Relaxed);
                std::thread::spawn(move || {
                    if let Some(end) = read_redirect(stream, &state, port) {
                        // Whoever waits may have given up.
                        let _ = came.send(end);
                    }
                    open.fetch_sub(1, Ordering::Relaxed);
                });
            }
            match coming.recv_timeout(BETWEEN_LOOKS) {
                Ok(end) => return end,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
        }
    }
}

/// Hears one request; `None` for one that is not the redirect.
fn read_redirect(mut stream: TcpStream, state: &str, port: u16) -> Option<Result<String, SignInError>> {
    let (target, host) = request(&stream)?;
    let heard = check_target(&target, &host, state, port);
    let (status, words) = match &heard {
        Some(Ok(_)) => ("200 OK", "You are signed in. You can close this page and go back to Afterword."),
        Some(Err(_)) => {
            ("200 OK", "The sign-in was refused. You can close this page; Afterword tells you more.")
        }
        None => ("404 Not Found", "There is nothing here."),
    };
    let page = format!(
        "<!doctype html><meta charset=utf-8><meta name=referrer content=no-referrer><title>Afterword</title><p>{words}</p>"
    );
    // The person may have closed the page already.
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {}\r\ncache-control: no-store\r\n\
         content-security-policy: default-src 'none'\r\nconnection: close\r\n\r\n{page}",
        page.len()
    );
    heard
}

/// What a request to `target` says, if it is the redirect that is waited for.
fn check_target(target: &str, host: &str, state: &str, port: u16) -> Option<Result<String, SignInError>> {
    // A page elsewhere can have its own name point to this machine.
    if host != format!("127.0.0.1:{port}") {
        return None;
    }
    let address = format!("http://{host}{target}");
    let url = Url::parse(&address).ok().filter(|url| url.path() == PATH)?;
    let value =
        |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    if value("state").as_deref() != Some(state) {
        return None;
    }
    if let Some(error) = value("error") {
        let words = value("error_description").map_or(error.clone(), |words| format!("{error}: {words}"));
        let problem: String = words.chars().filter(|c| !c.is_control()).take(300).collect();
        return Some(Err(SignInError::Refused { problem }));
    }
    value("code").map(|_| Ok(address))
}

/// The target and the host of a request.
fn request(stream: &TcpStream) -> Option<(String, String)> {
    // A listener's manner is handed on to its connections on some systems.
    stream.set_nonblocking(false).ok()?;
    stream.set_read_timeout(Some(REQUEST_LIMIT)).ok()?;
    stream.set_write_timeout(Some(REQUEST_LIMIT)).ok()?;
    let clock = Instant::now();
    let mut reader = BufReader::new(stream.take(MOST));
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace();
    if words.next() != Some("GET") {
        return None;
    }
    let target = words.next().filter(|target| target.starts_with('/'))?.to_owned();
    let mut host = None;
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header).ok()? == 0 || clock.elapsed() > REQUEST_LIMIT {
            return None;
        }
        let header = header.trim();
        if header.is_empty() {
            return Some((target, host?));
        }
        if let Some((name, value)) = header.split_once(':')
            && name.eq_ignore_ascii_case("host")
        {
            host = Some(value.trim().to_ascii_lowercase());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_redirect_counts() {
        let check = |target: &str, host: &str, expected: Option<bool>| {
            let heard = check_target(target, host, "s-1", 80);
            assert_eq!(heard.map(|end| end.is_ok()), expected, "{target} {host}");
        };
        check("/callback?code=c&state=s-1", "127.0.0.1:80", Some(true));
        check("/callback?state=s-1&iss=x&code=c", "127.0.0.1:80", Some(true));
        check("/callback?error=access_denied&state=s-1", "127.0.0.1:80", Some(false));
        check("/callback?error=access_denied&state=s-2", "127.0.0.1:80", None);
        check("/callback?code=c&state=s-2", "127.0.0.1:80", None);
        check("/callback?code=c", "127.0.0.1:80", None);
        check("/callback?state=s-1", "127.0.0.1:80", None);
        check("/favicon.ico", "127.0.0.1:80", None);
        check("/callback/../x?code=c&state=s-1", "127.0.0.1:80", None);
        check("/callback?code=c&state=s-1", "evil.example.org:80", None);
        check("/callback?code=c&state=s-1", "127.0.0.1:81", None);
    }

    #[test]
    fn strangers_do_not_end_the_wait() {
        let redirect = Redirect::open(None).unwrap();
        let port = redirect.port;
        let knock = std::thread::spawn(move || {
            let say = |text: &str| {
                let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
                stream.write_all(text.as_bytes()).unwrap();
                let mut answer = String::new();
                let _ = stream.read_to_string(&mut answer);
                answer
            };
            // One that says nothing, as browsers have them ready.
            let silent = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
            assert!(say("POST /callback?code=c&state=right HTTP/1.1\r\n\r\n").is_empty());
            let host = format!("host: 127.0.0.1:{port}\r\n\r\n");
            assert!(
                say(&format!("GET /callback?code=c&state=wrong HTTP/1.1\r\n{host}"))
                    .starts_with("HTTP/1.1 404")
            );
            let said = say(&format!("GET /callback?code=c&state=right HTTP/1.1\r\n{host}"));
            drop(silent);
            said
        });
        let address = redirect.wait("right", Duration::from_secs(30), &|| false).unwrap();
        assert!(address.ends_with("/callback?code=c&state=right"), "{address}");
        assert!(knock.join().unwrap().contains("You are signed in"));
    }

    #[test]
    fn wait_ends_when_cancelled_and_when_time_is_over() {
        let redirect = Redirect::open(None).unwrap();
        let cancelled = redirect.wait("s", Duration::from_secs(30), &|| true);
        assert!(matches!(cancelled, Err(SignInError::Cancelled)));
        let over = redirect.wait("s", Duration::ZERO, &|| false);
        assert!(matches!(over, Err(SignInError::TooLong { .. })));
    }
}
