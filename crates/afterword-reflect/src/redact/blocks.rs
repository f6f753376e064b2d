//! Values that do not follow their name on its line: pairs of `name` and `value`, YAML blocks, columns of a table,
//! the data of a Kubernetes Secret, lines of `.pgpass`.
//!
//! Owns where such a value stands. Whether it is a secret is judged where names are (`assignments`).

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::assignments::Form;
use super::finding::Finding;
use super::values;
use super::views;

/// What stands between a name that is itself a value and its value: `name: X⏎ value: …`, `key="X" value="…"`,
/// `<key>X</key><string>…`, `name="X">…<`.
static PAIR: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r#"\A(?:"#,
        // JSON, YAML, attributes, code
        r#"["'`\\]{0,4}[ \t]*(?:[,;]|/?>)?(?:\s|\\n){0,60}(?:["'\\]{0,4}(?i:type|kind|description|sensitive|secret|hidden|enabled|required|scope|scopes|label|id|source|category|visibility|protected|masked|target|comment|version)["'\\]{0,4}\s{0,8}[:=]\s{0,8}[^\n,{}]{0,80}(?:[,;]|\n|\\n)\s{0,60}){0,4}(?:-[ \t]+)?[{(]?["'\\]{0,4}(?i:secret_?|string_?|parameter_?|default_?|env_?)?(?i:value|val|default|content|body)["'\\]{0,4}\s{0,8}(?:[:=]|=>)\s{0,20}"#,
        // XML elements
        r#"|["']?[^<>\n]{0,80}</?[A-Za-z:.]{1,30}>\s{0,60}<(?:[A-Za-z]+:)?(?i:value|string|val|data)\b[^<>]{0,80}>\s{0,60}(?:<!\[CDATA\[)?"#,
        r#"|["'][^<>\n]{0,80}>\s{0,60}(?:<(?i:value|string)>\s{0,60})?(?:<!\[CDATA\[)?"#,
        r#")(?:"(?<double>[^"\n\\]{3,})"|'(?<single>[^'\n\\]{3,})'|\\"(?<escaped>[^"\n\\]{3,})\\"|(?<bare>[^\s"'`<>\\,;{}\[\]|]{3,}))"#,
    ))
    .expect("a fixed pattern")
});

/// The same the other way round, up to the name: `"value": "…", "name": "`.
static PAIR_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r#"(?i:value)["'\\]{0,4}\s{0,8}[:=]\s{0,8}["'\\]{0,4}(?<value>[^\s"'`<>\\,;{}]{3,})["'\\]{0,4}"#,
        r#"[ \t]*,?\s{0,60}(?:-[ \t]+)?["'\\]{0,4}(?i:name|key)["'\\]{0,4}\s{0,8}[:=]\s{0,8}["'\\]{0,4}\z"#,
    ))
    .expect("a fixed pattern")
});

/// The head of a YAML block: `: |`, `: >-`, `: |2+`.
static BLOCK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"\A["']?[ \t]*:[ \t]*(?:![^\s]{1,40}[ \t]+)?[|>][0-9]?[+-]?[0-9]?[ \t]*(?:#[^\n]*)?(?<break>\r?\n|\\n)"#)
        .expect("a fixed pattern")
});

/// How far back a value may stand before its name.
const BEFORE: usize = 300;

/// The values around a name, and how far the text was read.
pub(super) fn values_around(text: &str, name: &Range<usize>) -> (Vec<(Range<usize>, Form)>, usize) {
    let rest = &text[name.end..];
    if let Some(captures) = PAIR.captures(rest) {
        let value = ["double", "single", "escaped", "bare"].iter().find_map(|form| captures.name(form));
        if let Some(value) = value {
            let range = name.end + value.start()..name.end + value.end();
            let end = range.end;
            return (vec![(range, Form::Environment)], end);
        }
    }
    if let Some(head) = BLOCK.captures(rest).and_then(|captures| captures.name("break")) {
        let (lines, read_to) =
            indented_lines(text, name.start, name.end + head.end(), head.as_str() == "\\n");
        let is_phrase =
            lines.len() <= PHRASE_LINES && lines.iter().all(|line| reads_as_phrase(&text[line.clone()]));
        let form = match lines.len() {
            _ if is_phrase => Form::Block,
            1 => Form::Given,
            _ => Form::Quoted,
        };
        return (lines.into_iter().map(|line| (line, form)).collect(), read_to);
    }
    let rows = inserted_values(text, name);
    if !rows.0.is_empty() {
        return rows;
    }
    let columns = column_below(text, name);
    if !columns.0.is_empty() {
        return columns;
    }
    let least = text.floor_char_boundary(name.start.saturating_sub(BEFORE));
    let before = PAIR_BEFORE.captures(&text[least..name.start]).and_then(|captures| captures.name("value"));
    match before {
        Some(value) => (vec![(least + value.start()..least + value.end(), Form::Environment)], name.end),
        None => (Vec::new(), name.end),
    }
}

/// Lines of a YAML block that are one phrase, and words of one of them, at most.
const PHRASE_LINES: usize = 3;
const PHRASE_WORDS: usize = 8;

/// Words of sentences about a password, as translations hold them under its name.
const OF_SENTENCES: &[&str] = &[
    "the",
    "a",
    "an",
    "is",
    "are",
    "be",
    "must",
    "your",
    "you",
    "to",
    "of",
    "for",
    "and",
    "or",
    "at",
    "in",
    "with",
    "please",
    "enter",
    "new",
    "forgot",
    "reset",
    "change",
    "password",
    "passwords",
    "required",
    "invalid",
    "wrong",
    "das",
    "der",
    "die",
    "ein",
    "ist",
    "bitte",
    "passwort",
    "le",
    "la",
    "de",
    "el",
    "une",
    "un",
];

/// Whether a line is words that somebody could have chosen for a password: no sentence, nothing but letters, digits and blanks.
fn reads_as_phrase(line: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    let words = line.split(' ').filter(|word| !word.is_empty());
    line.chars().all(is_plain)
        && words.clone().count() <= PHRASE_WORDS
        && !words.into_iter().any(|word| OF_SENTENCES.contains(&word.to_lowercase().as_str()))
}

/// The lines of a YAML block without their indentation; a value folded over several is one stretch.
fn indented_lines(text: &str, name_start: usize, first: usize, escaped: bool) -> (Vec<Range<usize>>, usize) {
    let line_break = if escaped { "\\n" } else { "\n" };
    let least = text.floor_char_boundary(name_start.saturating_sub(400));
    let own_line =
        text[least..name_start].rfind(line_break).map_or(least, |at| least + at + line_break.len());
    let indentation = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let outer = indentation(&text[own_line..name_start]);
    let mut lines = Vec::new();
    let mut at = first;
    while at < text.len() {
        let end = text[at..].find(line_break).map_or(text.len(), |length| at + length);
        let line = text[at..end].trim_end();
        let inner = indentation(line);
        if line.len() > inner {
            if inner <= outer {
                break;
            }
            // The literal that holds an escaped block ends with it.
            let length = if escaped { line.find(['"', '\'']).unwrap_or(line.len()) } else { line.len() };
            if length > inner {
                lines.push(at + inner..at + length);
            }
        }
        at = end + line_break.len();
    }
    (lines, at.min(text.len()))
}

/// Longest head of a table, in bytes, on each side of a name in it.
const LONGEST_HEAD: usize = 1000;

/// The cells below a name in the head of a table: markdown, `psql`, CSV.
fn column_below(text: &str, name: &Range<usize>) -> (Vec<(Range<usize>, Form)>, usize) {
    let nothing = (Vec::new(), name.end);
    let start = views::line_start(text, name.start, LONGEST_HEAD);
    let rest = text.as_bytes()[name.end..].iter().take(LONGEST_HEAD);
    let Some(end) = rest.clone().position(|byte| *byte == b'\n').map(|length| name.end + length) else {
        return nothing;
    };
    let head = &text[start..end];
    let bar = head.contains('|');
    let delimiter = match head.bytes().find(|byte| b"|,;\t".contains(byte)) {
        Some(_) if bar => '|',
        Some(byte) => char::from(byte),
        None => return nothing,
    };
    let trimmed = |cell: &str| cell.trim_matches([' ', '"', '\'', '`', '*', '\r', '\t']).to_owned();
    let mut lines = text[end + 1..].split_inclusive('\n');
    let mut at = end + 1;
    if bar {
        let rule = lines.next().unwrap_or_default();
        if !rule.contains('-') || rule.trim().bytes().any(|byte| !b"|-+: ".contains(&byte)) {
            return nothing;
        }
        at += rule.len();
    } else {
        // The head of a CSV file is names and nothing else.
        let named = |cell: &str| {
            let cell = trimmed(cell);
            !cell.is_empty()
                && cell.len() <= 40
                && cell.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_- ".contains(&byte))
        };
        if !head.split(delimiter).all(named) {
            return nothing;
        }
    }
    let cells = head.split(delimiter).count();
    let column = text[start..name.start].matches(delimiter).count();
    if cells < 2 || trimmed(head.split(delimiter).nth(column).unwrap_or_default()).len() > name.len() + 12 {
        return nothing;
    }
    let mut values = Vec::new();
    for line in lines {
        if line.trim().is_empty() || line.split(delimiter).count() != cells {
            break;
        }
        let mut cell_start = at;
        for (index, cell) in line.split(delimiter).enumerate() {
            if index == column {
                let value = cell.trim_matches([' ', '"', '\'', '`', '\r', '\n', '\t']);
                let offset = cell.find(value).unwrap_or_default();
                if !value.is_empty() {
                    values.push((cell_start + offset..cell_start + offset + value.len(), Form::Quoted));
                }
            }
            cell_start += cell.len() + delimiter.len_utf8();
        }
        at += line.len();
    }
    (values, at)
}

static VALUES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"\A["'`\]]?[ \t]*(?:,[^()\n]{0,600})?\)\s*(?i:values)\s*\("#).expect("a fixed pattern")
});

/// The values of a column in `INSERT INTO … (name, password) VALUES (…), (…)`.
fn inserted_values(text: &str, name: &Range<usize>) -> (Vec<(Range<usize>, Form)>, usize) {
    let nothing = (Vec::new(), name.end);
    let Some(head) = VALUES.find(&text[name.end..]) else { return nothing };
    let least = text.floor_char_boundary(name.start.saturating_sub(600));
    let Some(open) = text[least..name.start].rfind('(') else { return nothing };
    let column = text[least + open..name.start].matches(',').count();
    let bytes = text.as_bytes();
    let mut values = Vec::new();
    let mut at = name.end + head.end();
    let mut index = 0;
    let mut in_row = true;
    while let Some(byte) = bytes.get(at) {
        match *byte {
            b'\'' if in_row => {
                let length = text[at + 1..].find(['\'', '\n']).unwrap_or(text.len() - at - 1);
                if index == column && length > 0 {
                    values.push((at + 1..at + 1 + length, Form::Quoted));
                }
                at += length + 1;
            }
            b',' if in_row => index += 1,
            b'(' => (in_row, index) = (true, 0),
            b')' => in_row = false,
            byte if !in_row && !byte.is_ascii_whitespace() && byte != b',' => break,
            _ => {}
        }
        at += 1;
    }
    (values, at.min(text.len()))
}

static DATA: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?:^|\n|[,{"])[ \t]*"?(?<field>data|stringData)"?[ \t]*:[ \t]*(?<open>\{|\r?\n)"#)
        .expect("a fixed pattern")
});
static DATUM: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"\A(?:[ \t\r\n]*#[^\n]*\n)*[ \t\r\n]*["']?(?<name>[A-Za-z0-9._-]{1,80})["']?[ \t]*:[ \t]*(?:[|>][+-]?[ \t]*\r?\n[ \t]+)?["']?(?<value>[^\s"',{}]{4,})["']?[ \t]*,?"#)
        .expect("a fixed pattern")
});

/// The values of a Kubernetes Secret whose `kind` stands here, and how far its document reaches.
pub(super) fn kubernetes(text: &str, kind: &Range<usize>) -> (Vec<Finding>, usize) {
    const AROUND: usize = 20_000;
    let least = text.floor_char_boundary(kind.start.saturating_sub(AROUND));
    let start = text[least..kind.start].rfind("\n---").map_or(least, |at| least + at);
    let most = text.ceil_char_boundary(text.len().min(kind.end + AROUND));
    let end = text[kind.end..most].find("\n---").map_or(most, |at| kind.end + at);
    let mut findings = Vec::new();
    for captures in DATA.captures_iter(&text[start..end]) {
        let (Some(field), Some(open)) = (captures.name("field"), captures.name("open")) else { continue };
        let in_base64 = field.as_str() == "data";
        let mut at = start + open.end();
        let line = text[..start + field.start()].rfind('\n').map_or(0, |at| at + 1);
        let outer =
            text[line..start + field.start()].bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        while let Some(datum) = DATUM.captures(&text[at..end]) {
            let (Some(name), Some(value), Some(whole)) =
                (datum.name("name"), datum.name("value"), datum.get(0))
            else {
                break;
            };
            let name_start = at + name.start();
            let line = text[..name_start].rfind('\n').map_or(0, |at| at + 1);
            let inner =
                text[line..name_start].bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            if open.as_str() != "{" && inner <= outer {
                break;
            }
            let range = at + value.start()..at + value.end();
            let text_value = value.as_str();
            let base64 = text_value.len() >= 8
                && text_value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
            let harmless = values::is_reference(text_value)
                || values::is_stand_in(text_value)
                || !in_base64
                    && (values::is_location(text_value)
                        || !values::mixes_digits(text_value) && !values::looks_generated(text_value));
            if !harmless && (base64 || !in_base64) {
                findings.push(Finding::by_name("kubernetes-secret", range));
            }
            at += whole.end();
        }
    }
    (findings, end)
}

static PASSWORD_FILE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"\A:(?:[0-9]{2,5}|\*):[^\s:"']{1,63}:[^\s:"']{1,63}:(?<password>[^\s"'`]{3,})"#)
        .expect("a fixed pattern")
});

/// The password of a line of `.pgpass`, `host:port:database:user:password`, whose port stands here.
pub(super) fn password_file(text: &str, port: &Range<usize>) -> Option<Finding> {
    let captures = PASSWORD_FILE.captures(&text[port.start..])?;
    let password = captures.name("password")?;
    let value = password.as_str();
    let host = text[..port.start]
        .bytes()
        .last()
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || b"*]_".contains(&byte));
    if !host || values::is_filler(value) || values::is_reference(value) || value.starts_with(['<', '[', '$'])
    {
        return None;
    }
    Some(Finding::new("password", port.start + password.start()..port.start + password.end()))
}
