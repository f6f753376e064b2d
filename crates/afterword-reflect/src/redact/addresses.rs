//! Passwords inside addresses, `scheme://user:password@host`: the user and the host stay readable.

use std::ops::Range;

use super::finding::Finding;
use super::values;

/// Schemes of services whose tools accept a password that is not percent-encoded.
pub(super) const LENIENT_SCHEMES: &[&str] = &[
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

/// Finds the password after a `://`, and tells how far it read.
pub(super) fn at(text: &str, separator: Range<usize>) -> (Option<Finding>, usize) {
    let bytes = text.as_bytes();
    let scheme_length = bytes[..separator.start]
        .iter()
        .rev()
        .take(30)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        .count();
    if scheme_length < 2 {
        return (None, separator.end);
    }
    let scheme = &text[separator.start - scheme_length..separator.start];
    let start = separator.end;
    let authority = until(text, start, |byte| ends_address(byte) || matches!(byte, b'/' | b'?' | b'#'));
    if let Some((user_part, host)) = authority.rsplit_once('@') {
        return (starts_host(host).then(|| within(user_part, start)).flatten(), start + authority.len());
    }
    let lenient = LENIENT_SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known));
    let plain = authority.split_once(':').filter(|(user, tail)| {
        lenient && !user.contains('.') && !tail.bytes().all(|byte| byte.is_ascii_digit())
    });
    if plain.is_none() {
        return (None, start + authority.len());
    }
    if text[start + authority.len()..].starts_with(' ')
        && let Some(secret) = in_literal(text, separator.start - scheme_length, start)
    {
        let read_to = secret.range.end;
        return (Some(secret), read_to);
    }
    let address = until(text, start, ends_address);
    let secret = address
        .rsplit_once('@')
        .filter(|(_, host)| starts_host(host))
        .and_then(|(user_part, _)| within(user_part, start));
    (secret, start + address.len())
}

/// The password of an address that a literal holds whole, with a blank in it: `"postgres://app:two words@host/db"`.
fn in_literal(text: &str, scheme: usize, start: usize) -> Option<Finding> {
    let quote = text[..scheme].chars().next_back().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let length = text[start..].bytes().take(200).take_while(|byte| !byte.is_ascii_control()).count();
    let line = &text[start..text.floor_char_boundary(start + length)];
    let literal = &line[..line.find(quote)?];
    let authority = literal.split(['/', '?', '#']).next().unwrap_or_default();
    let (user_part, host) = authority.rsplit_once('@')?;
    let (user, _) = user_part.split_once(':')?;
    (!user.contains(' ') && !host.contains(' ') && starts_host(host))
        .then(|| within(user_part, start))
        .flatten()
}

/// The text from `start` up to where `stops` first holds.
fn until(text: &str, start: usize, stops: impl Fn(u8) -> bool) -> &str {
    let bytes = &text.as_bytes()[start..];
    let length = bytes.iter().take_while(|byte| !stops(**byte)).count();
    &text[start..start + length]
}

fn within(user_part: &str, start: usize) -> Option<Finding> {
    let Some((user, password)) = user_part.split_once(':') else {
        // A token in the place of the user, as in `https://<token>@host`.
        let token =
            user_part.len() >= 20 && values::looks_generated(user_part) && !values::is_reference(user_part);
        return token.then(|| Finding::new("url-token", start..start + user_part.len()));
    };
    if (user, password) == ("username", "password") {
        return None;
    }
    let upper = |word: &str| word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    let template = upper(user) && upper(password) && !user.is_empty() || user.starts_with(['[', '<', '{']);
    // GitHub's way to have a token in the place of the user.
    if password == "x-oauth-basic" && user.len() >= 20 && !values::is_reference(user) {
        return Some(Finding::new("url-token", start..start + user.len()));
    }
    if password.is_empty() || template || is_template(password) {
        return None;
    }
    let password_start = start + user.len() + 1;
    Some(Finding::new("url-password", password_start..password_start + password.len()))
}

/// Tells whether a password is only marked as one; in this place ordinary words are passwords too.
fn is_template(password: &str) -> bool {
    values::is_filler(password)
        || asks_for_one(password)
        || password.starts_with(['<', '[', '{', '('])
        || ["...", "…", "***", "xxxx", "%s"].iter().any(|mark| password.contains(mark))
        || values::is_reference(password)
}

/// Tells whether a password says in capitals that one is to be put there: `REPLACE_WITH_PASSWORD`.
fn asks_for_one(password: &str) -> bool {
    const WORDS: &[&str] = &["REPLACE", "CHANGE", "INSERT", "ENTER", "YOUR", "PUT", "FILL"];
    password.contains('_')
        && password.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
        && password.split('_').any(|word| WORDS.contains(&word))
}

fn starts_host(host: &str) -> bool {
    host.starts_with(|first: char| first.is_alphanumeric() || matches!(first, '[' | '_' | '$' | '{' | '-'))
}

fn ends_address(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || byte.is_ascii_control()
        || matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\' | b'|')
}
