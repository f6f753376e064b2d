//! Credentials in HTTP headers: `Authorization`, bare bearer tokens, cookies.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::finding::Finding;
use super::values;
use super::views;

/// What follows the word Authorization: sign, scheme, credential.
static AUTHORIZATION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r#"\A["'`\\\]*]{0,4}[ \t]{0,4}(?:[:=,]|=>|[ \t]["'])[ \t]{0,4}(?:[bf]?["'`\\]{1,3})?"#,
        r"(?:(?<scheme>(?i:bearer|basic|token|apikey|api-key|api-token|access-token|accesskey|x-api-key|bot|key|jwt|ssws|splunk|genietoken|oauth|zoho-oauthtoken|klaviyo-api-key|apitoken|private|discogs|snipcart|pve[a-z]*token))[ \t]+)?",
        r"(?<credential>[A-Za-z0-9._~+/=:%@-]{6,})",
    ))
    .expect("a fixed pattern")
});

/// Schemes whose credential is many parts, of which the whole line is removed.
static PARTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r#"\A["'`\\\]*]{0,4}[ \t]{0,4}(?:[:=,]|=>)[ \t]{0,4}(?:[bf]?["'`\\]{1,3})?"#,
        r"(?i:negotiate|ntlm|digest|aws4-hmac-sha256|aws4-ecdsa-p256-sha256|hawk|signature|sharedkey(?:lite)?|oauth|hmac-sha256|acs3-hmac-sha256|tc3-hmac-sha256|dpop|scram-sha-256|mac)[ \t]+",
        r"(?<credential>[^\n\r`|]{6,})",
    ))
    .expect("a fixed pattern")
});

static BEARER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"\A["':\\]{0,3}[ \t]{1,4}["'`]?(?<credential>[A-Za-z0-9._~+/=-]{16,})"#)
        .expect("a fixed pattern")
});

static COOKIES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"\A["'`\\*]{0,3}[ \t]{0,4}(?:[:=]|[ \t])[ \t]{0,4}["'`\\]{0,3}"#).expect("a fixed pattern")
});

const COOKIE_ATTRIBUTES: &[&str] =
    &["path", "domain", "expires", "max-age", "samesite", "priority", "version", "comment"];

/// Parts of the names of cookies that sign a person in.
const SESSION_WORDS: &[&str] = &[
    "sess", "sid", "auth", "token", "jwt", "csrf", "xsrf", "remember", "login", "secret", "identity", "sso",
];

/// Finds the credential of an Authorization header, and tells how far it read.
pub(super) fn authorization(text: &str, word: Range<usize>) -> (Option<Finding>, usize) {
    // What a server asks for; only Kerberos answers in it.
    let asks = text[word.clone()].to_ascii_lowercase().ends_with("authenticate");
    if asks && text[word.end..].trim_start_matches([':', ' ']).to_ascii_lowercase().starts_with("digest") {
        return (None, word.end);
    }
    let (parts, read_to) = credential_of_parts(text, word.end);
    let found = parts.or_else(|| credential(text, word));
    let read_to = found.as_ref().map_or(read_to, |finding| read_to.max(finding.range.end));
    (found, read_to)
}

/// Finds a credential of one part, with its scheme or alone.
fn credential(text: &str, word: Range<usize>) -> Option<Finding> {
    let captures = AUTHORIZATION.captures(&text[word.end..])?;
    let credential = captures.name("credential")?;
    let range = word.end + credential.start()..word.end + credential.end();
    let value = credential.as_str();
    if !may_be_credential(text, &range) {
        return None;
    }
    let found = match captures.name("scheme").map(|scheme| scheme.as_str().to_ascii_lowercase()) {
        Some(scheme) if scheme == "basic" => {
            value.ends_with('=') && value.len() % 4 == 0
                || values::mixes_digits(value)
                || values::looks_generated(value)
                || has_odd_capitals(value)
        }
        Some(_) => values::looks_generated(value) || values::mixes_digits(value),
        None => value.len() >= 16 && values::looks_generated(value),
    };
    let end = views::wrapped_end(text, range.start, range.end);
    found.then(|| Finding::new("authorization", range.start..end))
}

/// Finds what follows a scheme like Digest: to the end of the line, or of the literal that holds the header.
fn credential_of_parts(text: &str, at: usize) -> (Option<Finding>, usize) {
    let Some(credential) = PARTS.captures(&text[at..]).and_then(|captures| captures.name("credential"))
    else {
        return (None, at);
    };
    let read_to = at + credential.end();
    let start = at + credential.start();
    // The quote that opened before the header's name closes it; within it, parts are quoted with the other one.
    let line = super::views::line_start(text, at, 200);
    let opener = text[line..start].rfind(['\'', '"']).map(|found| text.as_bytes()[line + found]);
    let value = credential.as_str();
    let parts_quoted = value.contains("=\"") || value.contains("=\\\"");
    let end = match opener {
        Some(b'\'') => value.find('\''),
        Some(b'"') if !parts_quoted => value.find(['"', '\\']),
        _ => None,
    };
    let value = value[..end.unwrap_or(value.len())].trim_end();
    let secret = value.len() >= 6
        && !value.starts_with(['<', '$', '{', '['])
        && (values::looks_generated(value) || values::is_user_and_password(value))
        && (value.contains('=') || !value.contains(' '));
    (secret.then(|| Finding::new("authorization", start..start + value.len())), read_to)
}

/// Finds the token after the word Bearer, header or not.
pub(super) fn bearer(text: &str, word: Range<usize>) -> Option<Finding> {
    let credential = BEARER.captures(&text[word.end..])?.name("credential")?;
    let range = word.end + credential.start()..word.end + credential.end();
    let value = credential.as_str().trim_end_matches('.');
    let range = range.start..range.start + value.len();
    let end = views::wrapped_end(text, range.start, range.end);
    (may_be_credential(text, &range) && !values::is_location(value) && values::looks_generated(value))
        .then(|| Finding::new("authorization", range.start..end))
}

fn may_be_credential(text: &str, range: &Range<usize>) -> bool {
    let value = &text[range.clone()];
    !values::is_stand_in(value)
        && !values::is_reference(value)
        && !text[range.end..].starts_with(['(', '[', '{', '<', '$'])
        && !values::is_expression(value)
}

/// Tells whether capitals stand inside words, as base64 without digits has them.
fn has_odd_capitals(value: &str) -> bool {
    value.len() >= 8
        && value
            .as_bytes()
            .windows(2)
            .any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
}

/// Finds the values of the cookies in a `Cookie` or `Set-Cookie` header that sign a person in, and where the header ends.
pub(super) fn cookies(text: &str, word: Range<usize>) -> (Vec<Finding>, usize) {
    let Some(opening) = COOKIES.find(&text[word.end..]) else {
        return (Vec::new(), word.end);
    };
    let start = word.end + opening.end();
    let ends = |byte: u8| byte.is_ascii_control() || matches!(byte, b'"' | b'\'' | b'`' | b'\\');
    let length = text.as_bytes()[start..].iter().take_while(|byte| !ends(**byte)).count();
    let header = &text[start..text.floor_char_boundary(start + length)];
    let mut findings = Vec::new();
    let mut at = start;
    for pair in header.split_inclusive(';') {
        let pair_start = at;
        at += pair.len();
        let Some((name, value)) = pair.trim_end_matches(';').split_once('=') else {
            continue;
        };
        let value = value.split([' ', ',']).next().unwrap_or_default();
        let value_start = pair_start
            + name.len()
            + '='.len_utf8()
            + (pair[name.len() + 1..].len() - pair[name.len() + 1..].trim_start().len());
        let name = name.trim().to_ascii_lowercase();
        if name.contains(char::is_whitespace)
            || COOKIE_ATTRIBUTES.contains(&name.as_str())
            || value.is_empty()
        {
            continue;
        }
        let signs_in = SESSION_WORDS.iter().any(|part| name.contains(part));
        let secret = if signs_in {
            value.len() >= 6 && (values::mixes_digits(value) || values::looks_generated(value))
        } else {
            value.len() >= 16 && values::looks_generated(value)
        };
        if secret
            && !values::is_stand_in(value)
            && !values::is_reference(value)
            && !values::is_expression(value)
        {
            findings.push(Finding::new("cookie", value_start..value_start + value.len()));
        }
    }
    (findings, at)
}
