//! Values that only the name beside them gives away: `.env` lines, flags, code, YAML, JSON, TOML, XML and headers.
//!
//! Here precision comes first. The name must end in a secret word, and the plainer the way the value is written, the
//! more the value itself must look like one (see [`Form`]).

use std::ops::Range;

use super::blocks;
use super::names::{self, NameKind};
use super::scan::Finding;
use super::values;
use super::views;

/// Longest name, in bytes, that is judged at all.
const LONGEST_NAME: usize = 120;
/// Longest stretch of blanks between a name, its sign and its value.
const LONGEST_GAP: usize = 80;

/// How a value stands beside its name, from certain to doubtful.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A place where a grammar knows nothing but a password: `login jane password …`, `IDENTIFIED BY '…'`.
    Given,
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

/// What was read around one word of a name.
#[derive(Debug)]
pub(super) struct Assignment {
    /// Where the name ends.
    pub(super) name_end: usize,
    /// How far the text was read.
    pub(super) read_to: usize,
    /// The values, if the name announces secrets and they are some.
    pub(super) secrets: Vec<Finding>,
}

/// Reads the assignment to the name around `word`.
pub(super) fn at(text: &str, word: Range<usize>) -> Assignment {
    let name_range = name_around(text, word);
    let mut assignment =
        Assignment { name_end: name_range.end, read_to: name_range.end, secrets: Vec::new() };
    let Some((name, kind)) = judged_name(text, &name_range) else { return assignment };
    if let Some(value) = value_of(text, &name_range, name, kind) {
        assignment.read_to = value.range.end;
        assignment.secrets.extend(judge(text, &value));
    }
    if assignment.secrets.is_empty() {
        let (values, read_to) = blocks::around(text, &name_range);
        assignment.read_to = assignment.read_to.max(read_to);
        let found =
            values.into_iter().filter_map(|(range, form)| judge(text, &Value { name, kind, form, range }));
        assignment.secrets.extend(found);
    }
    assignment
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

/// The name without its dashes and what it promises; `None` where it promises nothing.
fn judged_name<'t>(text: &'t str, name_range: &Range<usize>) -> Option<(&'t str, NameKind)> {
    let name = &text[name_range.clone()];
    // After `://` stands a user, whose password is the business of `addresses`.
    if name.len() > LONGEST_NAME || text[..name_range.start].ends_with("://") {
        return None;
    }
    Some((name.trim_matches('-'), judge_name(text, name_range)?))
}

fn value_of<'t>(
    text: &'t str,
    name_range: &Range<usize>,
    name: &'t str,
    kind: NameKind,
) -> Option<Value<'t>> {
    let flag = text[name_range.clone()].starts_with("--");
    let bytes = text.as_bytes();

    let mut at = name_range.end;
    let closers =
        count(&bytes[at..], 6, |byte| matches!(byte, b'"' | b'\'' | b'`' | b'*' | b'\\' | b']' | b')'));
    // A literal backslash-n ends the name as a line break does.
    let closed = &text[at..at + closers];
    at += closers;
    if bytes.get(at + 1) != Some(&b'=') {
        at += count(&bytes[at..], 1, |byte| matches!(byte, b'?' | b'!'));
    }
    let (sign, after_sign) = sign_at(text, at, name_range, closed, kind)?;
    at = after_sign;
    if sign == Sign::Colon
        && let Some(literal) = literal_after_type(text, at)
    {
        at = literal;
    }
    at += count(&bytes[at..], 3, |byte| byte == b'*');
    at += count(&bytes[at..], LONGEST_GAP, is_blank);
    if sign == Sign::Blank
        || sign == Sign::Comma
        || sign == Sign::Colon
        || matches!(sign, Sign::Equals { .. })
    {
        at = on_next_line(text, at, sign);
    }
    if sign == Sign::Tag && text[at..].starts_with("<![CDATA[") {
        at += "<![CDATA[".len();
    }
    let upper = names::is_environment_name(name);

    if let Some(range) = quoted_value(text, at) {
        let form = match sign {
            Sign::Literal => Form::Given,
            Sign::Equals { tight: true } | Sign::Assign | Sign::Blank if upper || flag => Form::Environment,
            Sign::Comma if !upper => Form::Loose,
            _ => Form::Quoted,
        };
        return Some(Value { name, kind, form, range });
    }
    if matches!(sign, Sign::Comma | Sign::Literal) {
        return None;
    }
    let mut range = bare_value(text, at, sign == Sign::Tag);
    if sign == Sign::Tag && bytes.get(at) == Some(&b'{') {
        range.end = at + count(&bytes[at..], 400, |byte| !matches!(byte, b'<' | b'\n'));
        range.end = text.floor_char_boundary(range.end);
    }
    if sign == Sign::Tag && !text[range.end..].starts_with("</") && !text[range.end..].starts_with("]]>") {
        return None;
    }
    let rest = &bytes[range.end..];
    let form = match sign {
        Sign::Blank if after_login(text, name_range.start) => Form::Given,
        Sign::Blank => Form::Environment,
        Sign::Equals { tight: true } if upper || flag => Form::Environment,
        Sign::Equals { .. } | Sign::Assign
            if upper && ends_line(rest) && !is_type_name(&text[range.clone()]) =>
        {
            Form::Environment
        }
        Sign::Equals { tight: true } if ends_tight_value(rest) => Form::Alone,
        Sign::Equals { tight: false } | Sign::Assign if ends_line(rest) => Form::Alone,
        Sign::Colon if ends_line(rest) => Form::Alone,
        Sign::Word if !text[..range.start].ends_with("to ") => Form::Alone,
        Sign::Bar if ends_cell(rest) => Form::Alone,
        Sign::Tag => Form::Alone,
        _ => Form::Loose,
    };
    Some(Value { name, kind, form, range })
}

/// Tells whether a value is a name of parts as C gives them to types: `rc4_key_st`.
fn is_type_name(value: &str) -> bool {
    values::is_identifier(value) && value.contains('_') && value.len() < 24
}

/// Where a value begins that stands in the next line: a literal under its name, or what follows a `\` at a line's end.
/// In a string literal both are written out: `\n`, `\\\n`.
fn on_next_line(text: &str, at: usize, sign: Sign) -> usize {
    let bytes = text.as_bytes();
    let (continued, length) = match &bytes[at..] {
        [b'\\', b'\n', ..] => (true, 2),
        [b'\\', b'\r', b'\n', ..] => (true, 3),
        [b'\\', b'\\', b'\\', b'n', ..] => (true, 4),
        [b'\\', b'\\', b'n', ..] => (true, 3),
        [b'\n', ..] => (false, 1),
        [b'\r', b'\n', ..] | [b'\\', b'n', ..] => (false, 2),
        _ => return at,
    };
    let next = at + length + count(&bytes[at + length..], LONGEST_GAP, is_blank);
    let literal = sign != Sign::Blank && matches!(&bytes[next..], [b'"' | b'\'', ..] | [b'\\', b'"', ..]);
    if continued || literal { next } else { at }
}

/// Tells whether a line of `.netrc` names a user just before: `login jane password …`.
fn after_login(text: &str, name_start: usize) -> bool {
    let before = &text[text.floor_char_boundary(name_start.saturating_sub(200))..name_start];
    let words: Vec<&str> = before.split_whitespace().collect();
    let user = words.len() >= 2 && ["login", "user", "account"].contains(&words[words.len() - 2]);
    let host =
        |pair: &[&str]| pair[0] == "machine" && (pair[1].contains(['.', ':']) || pair[1] == "localhost");
    user && (words.windows(2).any(host) || words.contains(&"default"))
}

/// Judges the name; a lone `key` takes the word before it along (`API key: …`).
fn judge_name(text: &str, name_range: &Range<usize>) -> Option<NameKind> {
    let name = &text[name_range.clone()];
    // The kind of a resource: `arn:aws:secretsmanager:…:secret:name`.
    let resource = &text[views::line_start(text, name_range.start, 120)..name_range.start];
    if resource.ends_with(':') && resource.contains("arn:") {
        return None;
    }
    let parameter = text[..name_range.start].ends_with(['?', '&']) && text[name_range.end..].starts_with('=');
    if parameter && name.eq_ignore_ascii_case("auth") {
        return Some(NameKind::Issued("token"));
    }
    if !name.eq_ignore_ascii_case("key") {
        return names::judge(name);
    }
    // A parameter of an address: `?key=…`.
    if parameter {
        return Some(NameKind::Issued("key"));
    }
    let before = text[..name_range.start].strip_suffix(' ')?;
    // A line of a log: `using the mail service, Key=…`.
    let line = &text[views::line_start(text, name_range.start, 80)..name_range.start];
    if text[name_range.end..].starts_with('=') && line.to_ascii_lowercase().contains("using ") {
        return Some(NameKind::Issued("key"));
    }
    let length = before.bytes().rev().take(12).take_while(u8::is_ascii_alphabetic).count();
    names::judge(&format!("{}_key", before[before.len() - length..].to_ascii_lowercase()))
}

/// Reads the sign after a name and returns it with the place behind it.
fn sign_at(
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
        [b'?' | b':' | b'+', b'=', ..] => Some((Sign::Assign, sign_start + 2)),
        [b'|', b'|', b'=', ..] | [b':', b':', b'=', ..] => Some((Sign::Assign, sign_start + 3)),
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
        [b'\\', ..] if blanks > 0 && flag => Some((Sign::Blank, sign_start)),
        [b'\'' | b'"', ..] if blanks > 0 && closed.is_empty() && kind == NameKind::Password && !flag => {
            let sure = names::is_environment_name(&text[name.clone()]) || before_is_with(text, name.start);
            Some((if sure { Sign::Literal } else { Sign::Colon }, sign_start))
        }
        _ if blanks > 0
            && closed.is_empty()
            && (flag || is_setting(text, name.start) || after_login(text, name.start)) =>
        {
            Some((Sign::Blank, sign_start))
        }
        _ if blanks > 0 => ["is now ", "is: ", "is ", "was ", "to "]
            .iter()
            .find(|word| text[sign_start..].starts_with(**word))
            .map(|word| (Sign::Word, sign_start + word.len())),
        _ => None,
    }
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
        "setenv" | "setx" | "ENV" | "env" => true,
        "set" => before.contains(" -") || before.trim_end() == "set" && names_a_variable(text, name_start),
        "npm" | "pnpm" | "yarn" | "git" | "aws" | "poetry" | "dotnet" | "gh" | "heroku" | "fly"
        | "gcloud" | "composer" | "pip" | "bundle" => {
            before.contains(" set") || before.contains(" config") || before.contains(" add")
        }
        _ => false,
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
    // What ends in a sign of base64 is a value and no type.
    if values::looks_generated(text[at..equals].trim()) {
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
    if matches!(bytes.get(open), Some(b'b' | b'r' | b'f' | b'u' | b'N' | b'E' | b'L'))
        && matches!(bytes.get(open + 1), Some(b'"' | b'\''))
    {
        open += 1;
    }
    let escapes = count(&bytes[open..], 4, |byte| byte == b'\\');
    open += escapes;
    let quote = *bytes.get(open).filter(|byte| matches!(byte, b'"' | b'\'' | b'`'))?;
    let start = open + 1;
    let mut backslashes = 0;
    for (offset, byte) in bytes[start..].iter().enumerate() {
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
    // The text was cut inside the literal.
    (!text[start..].is_empty()).then_some(start..text.len())
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
    let parameter = |at: usize| {
        let name = count(&bytes[at..], LONGEST_NAME, |byte| {
            byte.is_ascii_alphanumeric() || b"_-.%[]".contains(&byte)
        });
        name > 0 && bytes.get(at + name) == Some(&b'=')
    };
    let mut end = at;
    while bytes.get(end).is_some_and(|byte| !stops(*byte)) {
        // In a query string the next parameter follows an ampersand.
        if bytes[end] == b'&' && parameter(end + 1) {
            return at..end;
        }
        end += 1;
    }
    end = at + text[at..end].trim_end_matches([')', ']', '}', '.', ':', '>', '*', '…']).len();
    at..end
}

fn judge(text: &str, Value { name, kind, form, range }: &Value<'_>) -> Option<Finding> {
    let (kind, form) = (*kind, *form);
    let quoted =
        text.as_bytes()[..range.start].last().is_some_and(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    let value = &text[range.clone()];
    let found = || {
        let end = if quoted { range.end } else { views::wrapped_end(text, range.start, range.end) };
        Some(Finding::by_name(kind.rule(), range.start..end))
    };
    // A string that holds an assignment of its own (`-e "TOKEN=…"`): that one is judged, and its name survives.
    if value.split_once('=').is_some_and(|(inner, _)| names::judge(inner).is_some()) {
        return None;
    }
    if kind == NameKind::UserAndPassword {
        return if values::is_user_and_password(value) { found() } else { None };
    }
    if kind == NameKind::WordList {
        let words = value
            .split(' ')
            .filter(|word| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase()));
        return if words.count() >= 12 { found() } else { None };
    }
    // Jenkins keeps its secrets enciphered and in braces.
    let enciphered = value.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).filter(|_| !quoted);
    if let Some(inner) =
        enciphered.filter(|inner| text[range.end..].starts_with("</") && !inner.contains(['{', '$']))
    {
        return if inner.len() >= 16 && values::looks_generated(inner) { found() } else { None };
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
    if !quoted {
        let called = text[range.end..].starts_with(['(', '[', '{']);
        let own_word =
            values::is_identifier(value) && names::judge(value).is_some() && form != Form::Environment;
        if called || own_word || values::is_expression(value) {
            return None;
        }
    }
    let password = kind == NameKind::Password;
    if let NameKind::Perhaps(_) = kind {
        return if form != Form::Loose && values::is_surely_issued(value) { found() } else { None };
    }
    if values::is_uuid(value) {
        return if password || form != Form::Loose { found() } else { None };
    }
    if !quoted && form == Form::Alone && value.split('-').next().is_some_and(values::is_numbered_word) {
        return None;
    }
    let number = value.len() >= 6 && value.bytes().all(|byte| byte.is_ascii_digit());
    let chosen = password && (values::mixes_digits(value) || values::mixes_signs(value));
    let accepted = match form {
        Form::Given if password => value.len() >= 3,
        Form::Environment => {
            values::looks_random(value)
                || values::mixes_digits(value)
                || chosen
                || password && (number || is_plain_password(name, value))
        }
        Form::Quoted | Form::Given => values::looks_random(value) || chosen || password && number,
        Form::Alone => values::looks_generated(value) || chosen || password && values::looks_random(value),
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

fn ends_cell(rest: &[u8]) -> bool {
    let rest = &rest[count(rest, LONGEST_GAP, |byte| is_blank(byte) || byte == b'`')..];
    matches!(rest, [] | [b'|' | b'\n' | b'\r', ..])
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
