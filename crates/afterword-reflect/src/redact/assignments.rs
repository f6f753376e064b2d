//! Values that only the name beside them gives away: `.env` lines, flags, code, YAML, JSON, TOML, XML and headers.
//!
//! Here precision comes first. The name must end in a secret word, and the plainer the way the value is written, the
//! more the value itself must look like one (see [`Form`]).

use std::ops::Range;

use super::names::{self, NameKind};
use super::scan::Finding;
use super::values;

/// Longest name, in bytes, that is judged at all.
const LONGEST_NAME: usize = 80;
/// Longest stretch of blanks between a name, its sign and its value.
const LONGEST_GAP: usize = 40;
/// Longest value, in bytes; session tokens of clouds reach about two thousand.
const LONGEST_VALUE: usize = 4096;

/// How a value stands beside its name, from certain to doubtful.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `NAME=value` without blanks, or `--name=value`: nothing but a value can stand there.
    Environment,
    /// A string literal after a sign.
    Quoted,
    /// The rest of a line, or up to a `;` or `&` after a tight `=`.
    Alone,
    /// Anything else without quotes: it may be code or prose.
    Loose,
}

/// The sign between a name and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Equals { tight: bool },
    Colon,
    Tag,
    Comma,
    Word,
    Blank,
}

/// What was read around one word of a name.
#[derive(Debug)]
pub(super) struct Assignment {
    /// Where the name ends.
    pub(super) name_end: usize,
    /// How far the text was read.
    pub(super) read_to: usize,
    /// The value, if the name announces a secret and the value is one.
    pub(super) secret: Option<Finding>,
}

/// Reads the assignment to the name around `word`.
pub(super) fn at(text: &str, word: Range<usize>) -> Assignment {
    let name = name_around(text, word);
    let name_end = name.end;
    let value = value_of(text, name);
    Assignment {
        name_end,
        read_to: value.as_ref().map_or(name_end, |value| value.range.end),
        secret: value.and_then(|value| judge(text, &value)),
    }
}

/// A value beside a secret name.
#[derive(Debug)]
struct Value<'t> {
    name: &'t str,
    kind: NameKind,
    form: Form,
    range: Range<usize>,
}

fn name_around(text: &str, word: Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    let in_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b'_' | b'-');
    let left = bytes[..word.start].iter().rev().take(LONGEST_NAME).take_while(in_name).count();
    let right = bytes[word.end..].iter().take(LONGEST_NAME).take_while(in_name).count();
    let mut start = word.start - left;
    // The letter of an escape is not part of the name: `\nTOKEN=…` inside a quoted string.
    if start > 0
        && bytes[start - 1] == b'\\'
        && start < word.start
        && matches!(bytes[start], b'n' | b'r' | b't')
    {
        start += 1;
    }
    start..word.end + right
}

fn value_of(text: &str, name_range: Range<usize>) -> Option<Value<'_>> {
    let name = &text[name_range.clone()];
    // After `://` stands a user, whose password is the business of `addresses`.
    if name.len() > LONGEST_NAME || text[..name_range.start].ends_with("://") {
        return None;
    }
    let flag = name.starts_with("--");
    let kind = judge_name(text, &name_range)?;
    let name = name.trim_matches('-');
    let bytes = text.as_bytes();

    let mut at = name_range.end;
    let closers =
        count(&bytes[at..], 5, |byte| matches!(byte, b'"' | b'\'' | b'`' | b'*' | b'\\' | b']' | b')'));
    // A literal backslash-n ends the name as a line break does.
    let closed = &text[at..at + closers];
    at += closers;
    at += count(&bytes[at..], 1, |byte| matches!(byte, b'?' | b'!'));
    let (sign, after_sign) = sign_at(text, at, name_range.start, closed, flag)?;
    at = after_sign;
    if sign == Sign::Colon
        && let Some(literal) = literal_after_type(text, at)
    {
        at = literal;
    }
    at += count(&bytes[at..], 3, |byte| byte == b'*');
    at += count(&bytes[at..], LONGEST_GAP, is_blank);

    if let Some(range) = quoted_value(text, at) {
        let form = match sign {
            Sign::Equals { tight: true } if names::is_environment_name(name) || flag => Form::Environment,
            Sign::Comma => Form::Loose,
            _ => Form::Quoted,
        };
        return Some(Value { name, kind, form, range });
    }
    if sign == Sign::Comma {
        return None;
    }
    let range = bare_value(text, at, sign == Sign::Tag);
    if sign == Sign::Tag && !text[range.end..].starts_with("</") {
        return None;
    }
    let form = match sign {
        Sign::Equals { tight: true } if names::is_environment_name(name) || flag => Form::Environment,
        Sign::Blank => Form::Environment,
        Sign::Equals { tight: true } if ends_tight_value(&bytes[range.end..]) => Form::Alone,
        Sign::Colon if ends_line(&bytes[range.end..]) => Form::Alone,
        Sign::Tag => Form::Alone,
        _ => Form::Loose,
    };
    Some(Value { name, kind, form, range })
}

/// Judges the name; a lone `key` takes the word before it along (`API key: …`).
fn judge_name(text: &str, name_range: &Range<usize>) -> Option<NameKind> {
    let name = &text[name_range.clone()];
    if !name.eq_ignore_ascii_case("key") {
        return names::judge(name);
    }
    let before = text[..name_range.start].strip_suffix(' ')?;
    let length = before.bytes().rev().take(12).take_while(u8::is_ascii_alphabetic).count();
    names::judge(&format!("{}_key", before[before.len() - length..].to_ascii_lowercase()))
}

/// Reads the sign after a name and returns it with the place behind it.
fn sign_at(text: &str, at: usize, name_start: usize, closed: &str, flag: bool) -> Option<(Sign, usize)> {
    let bytes = text.as_bytes();
    let blanks = count(&bytes[at..], LONGEST_GAP, is_blank);
    let rest = &bytes[at + blanks..];
    let sign_start = at + blanks;
    let quoted = closed.contains(['"', '\'', '`']);
    match rest {
        [b':', b'=', ..] | [b'=', b'>', ..] => Some((Sign::Equals { tight: false }, sign_start + 2)),
        [b':', b':', ..] => None,
        [b':', ..] => Some((Sign::Colon, sign_start + 1)),
        [b'=', ..] => {
            let length = count(rest, 3, |byte| byte == b'=');
            let after = sign_start + length;
            let tight = blanks == 0 && length == 1 && !bytes.get(after).copied().is_some_and(is_blank);
            Some((Sign::Equals { tight }, after))
        }
        [b'>', ..] if blanks == 0 && name_start > 0 && bytes[name_start - 1] == b'<' => {
            Some((Sign::Tag, sign_start + 1))
        }
        [b',', ..] if quoted => Some((Sign::Comma, sign_start + 1)),
        _ if blanks > 0 && flag && closed.is_empty() => Some((Sign::Blank, sign_start)),
        _ if blanks > 0 => ["is now ", "is: ", "is ", "was ", "to "]
            .iter()
            .find(|word| text[sign_start..].starts_with(**word))
            .map(|word| (Sign::Word, sign_start + word.len())),
        _ => None,
    }
}

/// Skips a type between a colon and a literal: `const KEY: &str = "…"`, `token: string = '…'`.
fn literal_after_type(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let length = count(&bytes[at..], LONGEST_GAP, |byte| {
        byte.is_ascii_alphanumeric()
            || matches!(
                byte,
                b' ' | b'&' | b'\'' | b'_' | b'.' | b'<' | b'>' | b'|' | b'[' | b']' | b':' | b'?'
            )
    });
    let equals = at + length;
    if length == 0 || bytes.get(equals) != Some(&b'=') || bytes.get(equals + 1) == Some(&b'=') {
        return None;
    }
    let literal = equals + 1 + count(&bytes[equals + 1..], LONGEST_GAP, is_blank);
    matches!(bytes.get(literal), Some(b'"' | b'\'' | b'`')).then_some(literal)
}

/// The inside of a string literal that starts here, quotes escaped or not.
fn quoted_value(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut open = at;
    // b"", r"", f"", u""
    if matches!(bytes.get(open), Some(b'b' | b'r' | b'f' | b'u'))
        && matches!(bytes.get(open + 1), Some(b'"' | b'\''))
    {
        open += 1;
    }
    let escapes = count(&bytes[open..], 4, |byte| byte == b'\\');
    open += escapes;
    let quote = *bytes.get(open).filter(|byte| matches!(byte, b'"' | b'\'' | b'`'))?;
    let start = open + 1;
    let mut backslashes = 0;
    for (offset, byte) in bytes[start..].iter().enumerate().take(LONGEST_VALUE) {
        match *byte {
            b'\n' => return None,
            b'\\' => backslashes += 1,
            // The string ends at its quote under as many backslashes as it began, or fewer when the outer one ends.
            byte if byte == quote && backslashes <= escapes => {
                return Some(start..start + offset - backslashes);
            }
            _ => backslashes = 0,
        }
    }
    None
}

/// A value without quotes: up to a blank, a quote, or a sign that ends it in code, data or a URL.
fn bare_value(text: &str, at: usize, in_tag: bool) -> Range<usize> {
    let bytes = text.as_bytes();
    let stops = |byte: u8| {
        byte.is_ascii_whitespace()
            || byte.is_ascii_control()
            || matches!(byte, b'"' | b'\'' | b'`' | b'\\' | b'|')
            || if in_tag { byte == b'<' } else { matches!(byte, b',' | b';') }
    };
    let mut end = at + count(&bytes[at..], LONGEST_VALUE, |byte| !stops(byte));
    let value = &text[at..floor(text, end)];
    // In a query string the next parameter follows an ampersand.
    if let Some(ampersand) = value.find('&').filter(|found| value[*found..].contains('=')) {
        end = at + ampersand;
    } else {
        end = at + value.trim_end_matches([')', ']', '}', '.', ':', '>', '*', '…']).len();
    }
    at..end
}

fn judge(text: &str, Value { name, kind, form, range }: &Value<'_>) -> Option<Finding> {
    let (kind, form) = (*kind, *form);
    let value = &text[range.clone()];
    let found = || Some(Finding::by_name(kind.rule(), range.clone()));
    // A string that holds an assignment of its own (`-e "TOKEN=…"`): that one is judged, and its name survives.
    if value.split_once('=').is_some_and(|(inner, _)| names::judge(inner).is_some()) {
        return None;
    }
    if kind == NameKind::WordList {
        let words = value
            .split(' ')
            .filter(|word| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase()));
        return if words.count() >= 12 { found() } else { None };
    }
    if value.contains(char::is_whitespace) {
        let passphrase = form == Form::Environment
            && kind == NameKind::Password
            && value.split(' ').count() >= 3
            && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b' ')
            && value.len() >= 16;
        return if passphrase { found() } else { None };
    }
    if values::is_stand_in(value)
        || values::is_reference(value)
        || values::is_location(value)
        || values::is_number(value)
    {
        return None;
    }
    let quoted =
        text.as_bytes()[..range.start].last().is_some_and(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    if !quoted {
        let called = text[range.end..].starts_with(['(', '[', '{']);
        let own_word =
            values::is_identifier(value) && names::judge(value).is_some() && form != Form::Environment;
        if called || own_word || values::is_expression(value) {
            return None;
        }
    }
    let password = kind == NameKind::Password;
    let number = value.len() >= 6 && value.bytes().all(|byte| byte.is_ascii_digit());
    let chosen = password && (values::mixes_digits(value) || values::mixes_signs(value));
    let accepted = match form {
        Form::Environment => {
            values::looks_generated(value)
                || values::mixes_digits(value)
                || chosen
                || password && (number || is_plain_password(name, value))
        }
        Form::Quoted => values::looks_generated(value) || chosen || password && number,
        Form::Alone => values::looks_generated(value) || chosen,
        Form::Loose => {
            value.len() >= 8 && values::looks_generated(value) && !name.eq_ignore_ascii_case("pass")
        }
    };
    if accepted { found() } else { None }
}

/// Tells whether letters alone are a password: in the spelling of an environment variable, long, and no name of a product.
fn is_plain_password(name: &str, value: &str) -> bool {
    let common = ["password", "postgres", "minioadmin", "rootroot", "administrator"];
    names::is_environment_name(name)
        && value.len() >= 8
        && value.bytes().all(|byte| byte.is_ascii_lowercase())
        && !common.contains(&value)
        && !name.to_ascii_lowercase().contains(value)
}

fn ends_tight_value(rest: &[u8]) -> bool {
    matches!(rest, [] | [b';' | b'&' | b'"' | b'\'' | b'`' | b'\\' | b'|', ..])
        || rest[0].is_ascii_whitespace()
}

fn ends_line(rest: &[u8]) -> bool {
    let rest = &rest[count(rest, LONGEST_GAP, |byte| is_blank(byte) || byte == b'.')..];
    matches!(rest, [] | [b'\n' | b'\r' | b'#', ..] | [b'\\', b'n' | b'r', ..])
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

fn count(bytes: &[u8], most: usize, wanted: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take(most).take_while(|byte| wanted(**byte)).count()
}

/// The last place at or before `at` where a character starts.
fn floor(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at)
}
