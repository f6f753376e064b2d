//! Values that only the name beside them gives away: `.env` lines, flags, code, YAML, JSON, TOML, XML and headers.
//!
//! Here precision comes first. The name must end in a secret word, and the plainer the way the value is written, the
//! more the value itself must look like one (see [`Form`]).

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::blocks;
use super::finding::Finding;
use super::names::{self, NameKind};
use super::signs::{
    LONGEST_GAP, LONGEST_NAME, Sign, after_login, count, in_connection_string, is_blank, is_short_flag,
    sign_at,
};
use super::values;
use super::views;

/// What a program's dump puts around a value: `Some("…")`, PHP's `string(13) "…"`.
static WRAPPER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"\A(?:Some\(|\s{0,40}string\([0-9]{1,4}\)[ \t])"#).expect("a fixed pattern")
});

/// What stands between a name and a literal that is not beside it: `NAME⏎  = "…"`, `name{"…"}`, `env.NAME || "…"`,
/// `"name": { "value": "…"`.
static BEYOND: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r#"\A(?:[ \t]*\r?\n[ \t]+=[ \t]*|\{\s{0,40}|[ \t]*(?:\|\||\?\?|or)\s{1,40}"#,
        r#"|[ \t]*#[ \t]*=>[ \t]*|[ \t]{0,4}:?=[ \t]{0,4}(?:\[\]byte|String::from|Buffer\.from|bytes|bytearray|[A-Z][A-Za-z]{2,20}::new)\("#,
        r#"|[ \t]{0,4}[:=]\s{0,4}\{\s{0,40}["']?(?:value|default|defaultValue)["']?[ \t]{0,4}[:=][ \t]{0,4})["'`]"#,
    ))
    .expect("a fixed pattern")
});

/// What YAML puts before a value: a name to refer to it by, or one of the types it knows.
static ANCHOR: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\A[ \t]+(?:&[A-Za-z0-9_-]{1,40}|!!(?:str|binary))(?:[ \t]+&[A-Za-z0-9_-]{1,40})?[ \t]")
        .expect("a fixed pattern")
});

/// How a value stands beside its name, from certain to doubtful.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A place where a grammar knows nothing but a password: `login jane password …`, `IDENTIFIED BY '…'`.
    Given,
    /// `NAME=value` without blanks, or `--name=value`: nothing but a value can stand there.
    Environment,
    /// A short block of words below its name: `password: |`.
    Block,
    /// A string literal after a sign.
    Quoted,
    /// The rest of a line, or up to a `;` or `&` after a tight `=`.
    Alone,
    /// Anything else without quotes: it may be code or prose.
    Loose,
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
        let (values, read_to) = blocks::values_around(text, &name_range);
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
    if let Some(beyond) = BEYOND.find(&text[at..]) {
        let range = quoted_value(text, at + beyond.end() - 1)?;
        return Some(Value { name, kind, form: Form::Quoted, range });
    }
    if bytes.get(at + 1) != Some(&b'=') {
        at += count(&bytes[at..], 1, |byte| matches!(byte, b'?' | b'!'));
    }
    let (sign, after_sign) = sign_at(text, at, name_range, closed, kind)?;
    at = value_start(text, after_sign, sign);
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
        let range = bare_value(text, at, false);
        let cell = sign == Sign::Comma
            && closed.is_empty()
            && matches!(bytes.get(range.end), None | Some(b',' | b'\n' | b'\r'));
        return (cell && !range.is_empty()).then_some(Value { name, kind, form: Form::Alone, range });
    }
    let mut range = bare_value(text, at, sign == Sign::Tag);
    if sign == Sign::Tag && bytes.get(at) == Some(&b'{') {
        range.end = at + count(&bytes[at..], 400, |byte| !matches!(byte, b'<' | b'\n'));
        range.end = text.floor_char_boundary(range.end);
    }
    let tail = text[range.end..].trim_start();
    if sign == Sign::Tag && !tail.starts_with("</") && !tail.starts_with("]]>") {
        return None;
    }
    let form = bare_form(text, name_range, &range, kind, sign);
    Some(Value { name, kind, form, range })
}

/// Where the value begins behind its sign: after blanks, what sets it in bold, a type, an anchor or a call around it.
fn value_start(text: &str, mut at: usize, sign: Sign) -> usize {
    let bytes = text.as_bytes();
    if sign == Sign::Colon {
        at = literal_after_type(text, at).unwrap_or(at);
        at += ANCHOR.find(&text[at..]).map_or(0, |anchor| anchor.end());
    }
    at += count(&bytes[at..], 3, |byte| byte == b'*');
    at += count(&bytes[at..], LONGEST_GAP, is_blank);
    // Set in bold: `password: **…**`.
    at += count(&bytes[at..], 3, |byte| byte == b'*');
    if matches!(sign, Sign::Blank | Sign::Comma | Sign::Colon | Sign::Equals { .. }) {
        at = on_next_line(text, at, sign);
    }
    at += WRAPPER.find(&text[at..]).map_or(0, |wrapper| wrapper.end());
    if sign == Sign::Tag {
        at += count(&bytes[at..], LONGEST_GAP, |byte| byte.is_ascii_whitespace());
        if text[at..].starts_with("<![CDATA[") {
            at += "<![CDATA[".len();
        }
    }
    at
}

/// What the sign before a value without quotes, and what stands around the two, make it.
fn bare_form(text: &str, name: &Range<usize>, value: &Range<usize>, kind: NameKind, sign: Sign) -> Form {
    let rest = &text.as_bytes()[value.end..];
    let is_option = text[name.clone()].starts_with("--");
    let is_variable = names::is_environment_name(text[name.clone()].trim_matches('-'));
    match sign {
        Sign::Blank if after_login(text, name.start) => Form::Given,
        Sign::Equals { tight: true }
            if kind == NameKind::Password && in_connection_string(text, name.start) =>
        {
            Form::Given
        }
        Sign::Blank if is_short_flag(text, name.start) => Form::Loose,
        Sign::Blank => Form::Environment,
        Sign::Equals { tight: true } if is_variable || is_option => Form::Environment,
        Sign::Equals { .. } | Sign::Assign
            if is_variable && ends_line(rest) && !is_type_name(&text[value.clone()]) =>
        {
            Form::Environment
        }
        Sign::Equals { tight: true } if ends_tight_value(rest) => Form::Alone,
        Sign::Equals { tight: false } | Sign::Assign if ends_line(rest) => Form::Alone,
        Sign::Colon if ends_line(rest) || begins_header(text, name.start) => Form::Alone,
        Sign::Word if !text[..value.start].ends_with("to ") => Form::Alone,
        Sign::Bar if ends_cell(rest) => Form::Alone,
        Sign::Tag => Form::Alone,
        Sign::Equals { tight: true } | Sign::Colon if in_dump(text, name, value.end) => Form::Alone,
        _ => Form::Loose,
    }
}

/// Tells whether a command is given a header from here on: `-H "apikey: …"`.
fn begins_header(text: &str, at: usize) -> bool {
    let before = text[..at].strip_suffix(['"', '\'']).unwrap_or(&text[..at]);
    let before = before.strip_suffix('\\').unwrap_or(before).trim_end_matches([' ', '=']);
    before.ends_with(" -H") || before.ends_with("--header")
}

/// Tells whether a name and its value stand in the dump of an object: `User(name=anna, password=…)`, `{User:anna Password:…}`.
fn in_dump(text: &str, name: &Range<usize>, end: usize) -> bool {
    let before = &text[views::line_start(text, name.start, 200)..name.start];
    let Some(open) = before.rfind(['(', '{']) else { return false };
    let rest = &text[end..];
    let closed = rest.starts_with([')', '}']) || rest.starts_with(", ") && rest[2..].contains('=');
    let spaced =
        rest.starts_with(' ') && rest[1..].split([' ', '\n']).next().is_some_and(|next| next.contains(':'));
    // A type's name before the bracket, as no call of a function has it; Go writes the bracket alone.
    let typed = before[..open].rsplit(|sign: char| !sign.is_ascii_alphanumeric()).next();
    let typed = typed.is_some_and(|word| word.starts_with(|first: char| first.is_ascii_uppercase()));
    let colon = text[name.end..].starts_with(':');
    if colon {
        (spaced || closed) && text.as_bytes()[name.start].is_ascii_uppercase()
    } else {
        typed && closed
    }
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
    let after = text[name_range.end..].trim_start_matches(' ');
    if after.starts_with('=') && !after.starts_with("==") && line.to_ascii_lowercase().contains("using ") {
        return Some(NameKind::Issued("key"));
    }
    let length = before.bytes().rev().take(12).take_while(u8::is_ascii_alphabetic).count();
    names::judge(&format!("{}_key", before[before.len() - length..].to_ascii_lowercase()))
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
    match kind {
        NameKind::UserAndPassword => {
            let base64 = value.ends_with('=') && values::looks_generated(value);
            let token =
                form == Form::Quoted && value.len() >= 24 && (base64 || values::is_surely_issued(value));
            return if token || values::is_user_and_password(value) { found() } else { None };
        }
        NameKind::WordList => return if is_word_list(value) { found() } else { None },
        _ => {}
    }
    // Jenkins keeps its secrets enciphered and in braces.
    let enciphered = value.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).filter(|_| !quoted);
    if let Some(inner) =
        enciphered.filter(|inner| text[range.end..].starts_with("</") && !inner.contains(['{', '$']))
    {
        return if inner.len() >= 16 && values::looks_generated(inner) { found() } else { None };
    }
    if value.contains(char::is_whitespace) {
        return if kind == NameKind::Password && is_passphrase(form, value) { found() } else { None };
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
        let own_word = values::is_identifier(value)
            && names::judge(value).is_some()
            && !matches!(form, Form::Environment | Form::Given);
        if called || own_word || values::is_expression(value) {
            return None;
        }
    }
    let password = kind == NameKind::Password;
    if let NameKind::Perhaps(_) = kind {
        return if form != Form::Loose && values::is_surely_issued(value) { found() } else { None };
    }
    if values::is_uuid(value) {
        return if password || form != Form::Loose || is_second_literal(text, range.start) {
            found()
        } else {
            None
        };
    }
    if !quoted && form == Form::Alone && value.split('-').next().is_some_and(values::is_numbered_word) {
        return None;
    }
    if is_secret(name, kind, form, value) { found() } else { None }
}

fn is_word_list(value: &str) -> bool {
    let words =
        value.split(' ').filter(|word| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase()));
    words.count() >= 12
}

/// Tells whether words with blanks between them are a password.
fn is_passphrase(form: Form, value: &str) -> bool {
    form == Form::Block
        || form == Form::Environment
            && value.split(' ').count() >= 3
            && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b' ')
            && value.len() >= 16
}

/// Tells whether a value is as secret as its name promises; the less its form says, the more its characters have to.
fn is_secret(name: &str, kind: NameKind, form: Form, value: &str) -> bool {
    let password = kind == NameKind::Password;
    let number = value.len() >= 6 && value.bytes().all(|byte| byte.is_ascii_digit());
    let chosen = password && (values::mixes_digits(value) || values::mixes_signs(value))
        || form == Form::Quoted && matches!(kind, NameKind::Issued(_)) && reads_as_chosen(value);
    match form {
        Form::Given | Form::Block if password => value.len() >= 3,
        Form::Environment => {
            values::looks_random(value)
                || values::mixes_digits(value)
                || chosen
                || password && (number || is_plain_password(name, value))
        }
        Form::Quoted | Form::Given | Form::Block => {
            values::looks_random(value) || chosen || password && number
        }
        Form::Alone => values::looks_generated(value) || chosen || password && values::looks_random(value),
        Form::Loose => {
            value.len() >= 8 && values::looks_generated(value) && !name.eq_ignore_ascii_case("pass")
        }
    }
}

/// Tells whether a literal follows another one after a comma: `get("api_token", "…")`.
fn is_second_literal(text: &str, start: usize) -> bool {
    let before = text[..start].trim_end_matches(['"', '\'']).trim_end();
    before.strip_suffix(',').is_some_and(|first| first.trim_end().ends_with(['"', '\'']))
}

/// Tells whether a value has letters, digits and several signs that stand in no address, path or sentence.
fn reads_as_chosen(value: &str) -> bool {
    let signs = value.bytes().filter(|byte| b"!#$%^&*~".contains(byte)).count();
    value.len() >= 10
        && values::mixes_digits(value)
        && signs >= 2
        && !value.contains(['@', '/', '{', '(', '='])
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
    let rest = &rest[count(rest, LONGEST_GAP, |byte| is_blank(byte) || matches!(byte, b'.' | b'*'))..];
    matches!(rest, [] | [b'\n' | b'\r' | b'#', ..] | [b'\\', b'n' | b'r', ..])
}
