//! The sign between a name and its value: `=`, `:`, a tag's end, a table's bar, a word, a blank.
//!
//! Owns which of them say that a value follows, and where it begins. Whether it is a secret is judged in `assignments`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::addresses::LENIENT_SCHEMES;
use super::names::{self, NameKind};
use super::views;

/// Longest name, in bytes, that is judged at all.
pub(super) const LONGEST_NAME: usize = 120;
/// Longest stretch of blanks between a name, its sign and its value.
pub(super) const LONGEST_GAP: usize = 80;

/// The sign between a name and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Equals {
        tight: bool,
    },
    /// `?=`, `:=` and the like.
    Assign,
    /// `==`, which asks rather than says.
    Comparison,
    Colon,
    Tag,
    Comma,
    /// The bar of a table.
    Bar,
    Word,
    Blank,
    /// A blank before a literal, as SQL has it.
    Literal,
}

/// A type between a name and its sign, as Go has it.
static TYPED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"\A[*\[\]A-Za-z.]{1,30}[ \t]*=[ \t]*(?:["`])"#).expect("a fixed pattern"));

/// Reads the sign after a name and returns it with the place behind it.
pub(super) fn sign_at(
    text: &str,
    at: usize,
    name: &Range<usize>,
    closed: &str,
    kind: NameKind,
) -> Option<(Sign, usize)> {
    let bytes = text.as_bytes();
    let flag = text[name.start..].starts_with("--");
    let blanks = count(&bytes[at..], LONGEST_GAP, is_blank);
    let rest = &bytes[at + blanks..];
    let sign_start = at + blanks;
    let quoted = closed.contains(['"', '\'', '`']);
    let in_tag = name.start > 0
        && bytes[..name.start]
            .iter()
            .rev()
            .take(40)
            .find(|byte| !(byte.is_ascii_alphanumeric() || **byte == b':'))
            == Some(&b'<');
    match rest {
        [b'?' | b':' | b'+' | b'.', b'=', ..] => Some((Sign::Assign, sign_start + 2)),
        [b':', b':', b':', b'=', ..] => Some((Sign::Assign, sign_start + 4)),
        [b'|', b'|', b'=', ..] | [b':', b':', b'=', ..] | [b'?', b'?', b'=', ..] => {
            Some((Sign::Assign, sign_start + 3))
        }
        [b'=', b'>', ..] => Some((Sign::Equals { tight: false }, sign_start + 2)),
        [b':', b':', ..] => None,
        [b':', ..] => Some((Sign::Colon, sign_start + 1)),
        [0xef, 0xbc, 0x9a, ..] => Some((Sign::Colon, sign_start + 3)),
        [b'=', b'=', ..] => Some((Sign::Comparison, sign_start + count(rest, 3, |byte| byte == b'='))),
        [b'=', ..] => {
            let after = sign_start + 1;
            let tight = blanks == 0 && !bytes.get(after).copied().is_some_and(is_blank);
            Some((Sign::Equals { tight }, after))
        }
        [b'>', ..] if blanks == 0 && in_tag => Some((Sign::Tag, sign_start + 1)),
        // Attributes before the tag ends: `<password encrypted="no">…</password>`.
        _ if blanks > 0 && in_tag => {
            let length = count(rest, 300, |byte| !matches!(byte, b'<' | b'>'));
            (rest.get(length) == Some(&b'>')).then_some((Sign::Tag, sign_start + length + 1))
        }
        [b'|', ..] if in_table(text, name.start) => Some((Sign::Bar, sign_start + 1)),
        // `PASSWORD('…')` of SQL.
        [b'(', b'\'' | b'"', ..] if blanks == 0 && text[name.clone()].eq_ignore_ascii_case("password") => {
            Some((Sign::Colon, sign_start + 1))
        }
        [b',', ..] if quoted => Some((Sign::Comma, sign_start + 1)),
        // A row of a table whose first cell is the name.
        [b',', ..] if blanks == 0 && views::line_start(text, name.start, 1) == name.start => {
            Some((Sign::Comma, sign_start + 1))
        }
        [b'\\', ..] if blanks > 0 && flag => Some((Sign::Blank, sign_start)),
        // `CREATE SECRET … (SECRET '…')`
        [b'\'' | b'"', ..]
            if blanks > 0
                && closed.is_empty()
                && matches!(kind, NameKind::Issued(_))
                && !flag
                && names::is_environment_name(&text[name.clone()]) =>
        {
            Some((Sign::Literal, sign_start))
        }
        [b'\'' | b'"', ..] if blanks > 0 && closed.is_empty() && kind == NameKind::Password && !flag => {
            let sure = names::is_environment_name(&text[name.clone()]) || before_is_with(text, name.start);
            Some((if sure { Sign::Literal } else { Sign::Colon }, sign_start))
        }
        _ if blanks > 0
            && closed.is_empty()
            && (flag
                || is_short_flag(text, name.start)
                || is_setting(text, name.start)
                || after_login(text, name.start)) =>
        {
            Some((Sign::Blank, sign_start))
        }
        // `var token string = "…"`
        _ if blanks > 0 && TYPED.is_match(&text[sign_start..]) && declares(text, name.start) => TYPED
            .find(&text[sign_start..])
            .map(|typed| (Sign::Equals { tight: false }, sign_start + typed.end() - 1)),
        _ if blanks > 0 => ["is now ", "is: ", "is ", "was ", "to "]
            .iter()
            .find(|word| text[sign_start..].starts_with(**word))
            .map(|word| (Sign::Word, sign_start + word.len())),
        _ => None,
    }
}

/// Tells whether a name is an option with one dash: `-storagekey …`.
pub(super) fn is_short_flag(text: &str, name_start: usize) -> bool {
    let name = &text[name_start..];
    name.starts_with('-')
        && name[1..].starts_with(|first: char| first.is_ascii_alphabetic())
        && text[..name_start].ends_with([' ', '\t', '\n'])
}

/// Tells whether a name is declared here.
fn declares(text: &str, name_start: usize) -> bool {
    let before = &text[views::line_start(text, name_start, 40)..name_start];
    matches!(before.split_whitespace().next_back(), Some("var" | "const" | "let" | "val"))
}

/// Tells whether the line before a name begins a table's row.
fn in_table(text: &str, name_start: usize) -> bool {
    text[views::line_start(text, name_start, 400)..name_start].contains('|')
}

/// Tells whether a name has more than one word, so that `set token …` stays a sentence.
fn names_a_variable(text: &str, name_start: usize) -> bool {
    let name = &text.as_bytes()[name_start..];
    name[..count(name, LONGEST_NAME, |byte| byte.is_ascii_alphanumeric() || byte == b'_')].contains(&b'_')
}

/// Tells whether SQL gives a role its password here: `WITH PASSWORD '…'`, `with encrypted password '…'`.
fn before_is_with(text: &str, name_start: usize) -> bool {
    let before = &text[views::line_start(text, name_start, 40)..name_start];
    before.split_whitespace().next_back().is_some_and(|word| {
        ["with", "encrypted", "unencrypted"].iter().any(|known| word.eq_ignore_ascii_case(known))
    })
}

/// Tells whether the word before a name is one that sets it to what follows: `setenv NAME value`, `set -gx NAME value`.
fn is_setting(text: &str, name_start: usize) -> bool {
    // A line of redis.conf.
    if ["requirepass", "masterauth"].iter().any(|name| text[name_start..].starts_with(name)) {
        return true;
    }
    let before = &text[views::line_start(text, name_start, 200)..name_start];
    let before = before.rsplit([';', '&']).next().unwrap_or_default().trim_start();
    if before.len() > 120 || !text[..name_start].ends_with([' ', '\t', '\'', '"', ':', '.']) {
        return false;
    }
    let mut words = before.split_whitespace();
    let first = words.next().unwrap_or_default().trim_start_matches(['$', '#', '>']);
    let second = words.next().unwrap_or_default();
    let verb = if first.is_empty() { second } else { first };
    match verb {
        "setenv" | "setx" | "ENV" | "env" | "SetEnv" | "proxy_set_header" | "fastcgi_param"
        | "uwsgi_param" => true,
        "set" => before.contains(" -") || before.trim_end() == "set" && names_a_variable(text, name_start),
        "npm" | "pnpm" | "yarn" | "git" | "aws" | "poetry" | "dotnet" | "gh" | "heroku" | "fly"
        | "gcloud" | "composer" | "pip" | "bundle" => {
            before.contains(" set") || before.contains(" config") || before.contains(" add")
        }
        _ => false,
    }
}

/// Tells whether a line of `.netrc` names a user just before: `login jane password …`.
pub(super) fn after_login(text: &str, name_start: usize) -> bool {
    let before = &text[text.floor_char_boundary(name_start.saturating_sub(200))..name_start];
    let words: Vec<&str> = before.split_whitespace().collect();
    let user = words.len() >= 2 && ["login", "user", "account"].contains(&words[words.len() - 2]);
    let host =
        |pair: &[&str]| pair[0] == "machine" && (pair[1].contains(['.', ':']) || pair[1] == "localhost");
    user && (words.windows(2).any(host) || words.contains(&"default"))
}

/// Tells whether a parameter of a connection to a database begins here: `Server=db;Uid=app;Pwd=…`, `jdbc:…?password=…`.
pub(super) fn in_connection_string(text: &str, name_start: usize) -> bool {
    const PLACES: &[&str] =
        &["server", "data source", "datasource", "host", "hostname", "provider", "driver"];
    let before = &text[views::line_start(text, name_start, 400)..name_start];
    let before = before.rsplit(['"', '\'', '`']).next().unwrap_or_default();
    let Some(sign) = before.trim_end().chars().next_back() else { return false };
    if sign == ';' && before.split(';').any(|part| names_one_of(part, PLACES)) {
        return true;
    }
    let address = before.rsplit([' ', '\t', '<', '>']).next().unwrap_or_default();
    matches!(sign, '?' | '&' | ',' | '(' | ';')
        && (address.contains("jdbc:")
            || address
                .split_once("://")
                .is_some_and(|(scheme, _)| LENIENT_SCHEMES.iter().any(|known| scheme.ends_with(known))))
}

/// Tells whether a part `name=value` has one of the names.
fn names_one_of(part: &str, names: &[&str]) -> bool {
    part.split_once('=').is_some_and(|(name, _)| {
        let name = name.trim();
        names.iter().any(|known| {
            name.len() >= known.len()
                && name.is_char_boundary(name.len() - known.len())
                && name[name.len() - known.len()..].eq_ignore_ascii_case(known)
        })
    })
}

pub(super) fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

pub(super) fn count(bytes: &[u8], most: usize, wanted: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take(most).take_while(|byte| wanted(**byte)).count()
}
