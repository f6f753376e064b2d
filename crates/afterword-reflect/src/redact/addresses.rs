//! Passwords inside addresses, `scheme://user:password@host`: the user and the host stay readable.

use std::ops::Range;

use super::scan::Finding;
use super::values;

/// Longest part between `://` and the host, in bytes.
pub(super) const LONGEST_USER_PART: usize = 1024;

/// Schemes of services whose tools accept a password that is not percent-encoded.
const LENIENT_SCHEMES: &[&str] = &[
    "postgres",
    "postgresql",
    "mysql",
    "mariadb",
    "mongodb",
    "mongodb+srv",
    "redis",
    "rediss",
    "amqp",
    "amqps",
    "mssql",
    "clickhouse",
    "cockroachdb",
];

/// Finds the password after a `://`.
pub(super) fn at(text: &str, separator: Range<usize>) -> Option<Finding> {
    let bytes = text.as_bytes();
    let scheme_length = bytes[..separator.start]
        .iter()
        .rev()
        .take(30)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        .count();
    if scheme_length < 2 {
        return None;
    }
    let scheme = &text[separator.start - scheme_length..separator.start];
    let start = separator.end;
    let until = |stops: fn(u8) -> bool| {
        let length = bytes[start..].iter().take(LONGEST_USER_PART).take_while(|byte| !stops(**byte)).count();
        text.floor_char_boundary(start + length)
    };
    let authority = &text[start..until(|byte| ends_address(byte) || matches!(byte, b'/' | b'?' | b'#'))];
    if let Some((user_part, host)) = authority.rsplit_once('@') {
        return starts_host(host).then(|| within(user_part, start)).flatten();
    }
    let lenient = LENIENT_SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known));
    let (user, tail) = authority.split_once(':')?;
    let is_port = tail.bytes().all(|byte| byte.is_ascii_digit());
    if !lenient || is_port || user.contains('.') {
        return None;
    }
    let (user_part, host) = text[start..until(ends_address)].rsplit_once('@')?;
    starts_host(host).then(|| within(user_part, start)).flatten()
}

fn within(user_part: &str, start: usize) -> Option<Finding> {
    let Some((user, password)) = user_part.split_once(':') else {
        // A token in the place of the user, as in `https://<token>@host`.
        let token =
            user_part.len() >= 20 && values::looks_generated(user_part) && !values::is_reference(user_part);
        return token.then(|| Finding::new("url-token", start..start + user_part.len()));
    };
    let upper = |word: &str| word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    let template = upper(user) && upper(password) && !user.is_empty();
    if password.is_empty() || template || is_template(password) {
        return None;
    }
    let password_start = start + user.len() + 1;
    Some(Finding::new("url-password", password_start..password_start + password.len()))
}

/// Tells whether a password is only marked as one; in this place ordinary words are passwords too.
fn is_template(password: &str) -> bool {
    values::is_filler(password)
        || password.starts_with(['<', '[', '{', '('])
        || ["...", "…", "***", "xxxx", "%s"].iter().any(|mark| password.contains(mark))
        || values::is_reference(password)
}

fn starts_host(host: &str) -> bool {
    host.starts_with(|first: char| first.is_alphanumeric() || matches!(first, '[' | '_' | '$' | '{' | '-'))
}

fn ends_address(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || byte.is_ascii_control()
        || matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\' | b'|')
}
