//! Private keys in PEM, OpenSSH, PGP and PuTTY frames: whole, cut off at either end, or with escaped line breaks.
//!
//! The frame is removed with the key. A frame that is only mentioned, without a body, stays.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::scan::Finding;

/// Fewest base64 characters in one piece that make a body; the shortest line of a real key has far more.
const LEAST_BODY: usize = 16;

/// Longest stretch looked back over for the body of a key whose beginning is lost, in bytes.
const LONGEST_TAIL: usize = 16 << 10;

static BEGIN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\A-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----").expect("a fixed pattern")
});
static END: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\A-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----").expect("a fixed pattern")
});

/// Full lines of a body: base64, the headers of old PEM and PGP, and whatever a listing, a diff or a string literal
/// puts before and after each line.
static BODY: LazyLock<Regex> = LazyLock::new(|| {
    const BETWEEN: &str = r#"(?:\s|\\[nr]|["'+,|>]|[0-9]{1,5}(?:→|\t|:))*"#;
    const HEADER: &str = r"(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|Encryption|Key-Derivation|Argon2-[A-Za-z]+): [^\n\\]{0,120}";
    let body = format!(
        r"\A(?:{BETWEEN}{HEADER})*{BETWEEN}[A-Za-z0-9+/]{{16,}}=*(?:{BETWEEN}[A-Za-z0-9+/]{{60,}}=*)*"
    );
    Regex::new(&body).expect("a fixed pattern")
});

/// Short lines that end a body: alone on their line, the check sum of PGP among them.
static LAST_LINE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"\A["'+, ]*(?:\\n|\r?\n)(?:[ \t"'+>]|[0-9]{1,5}(?:→|\t|:))*(?<line>=?[A-Za-z0-9+/]{1,76}={0,2})[ \t]*(?:\r?\n|\\n|["']|\z)"#,
    )
    .expect("a fixed pattern")
});

/// Finds the private key whose frame starts or ends here.
pub(super) fn at(text: &str, mark: Range<usize>) -> Option<Finding> {
    let rest = &text[mark.start..];
    if rest.starts_with("-----BEGIN") {
        let begin = BEGIN.find(rest)?;
        return from_begin(text, mark.start, mark.start + begin.end());
    }
    if rest.starts_with("Private-Lines:") {
        let body_start = mark.end
            + text[mark.end..].bytes().take(8).take_while(|byte| matches!(byte, b' ' | b'0'..=b'9')).count();
        let body = body_length(&text[body_start..])?;
        return Some(Finding::by_sight("private-key", body_start..body_start + body));
    }
    let end = END.find(rest)?;
    from_end(text, mark.start, mark.start + end.end())
}

fn from_begin(text: &str, start: usize, body_start: usize) -> Option<Finding> {
    // The next frame mark tells whether this key is whole.
    let next = text[body_start..].find("-----").map(|at| body_start + at);
    let whole = next.and_then(|next| Some(next..next + END.find(&text[next..])?.end()));
    if let Some(end) = whole
        && has_body(&text[body_start..end.start])
    {
        return Some(Finding::by_sight("private-key", start..end.end));
    }
    let body = body_length(&text[body_start..])?;
    Some(Finding::by_sight("private-key", start..body_start + body))
}

/// The length of the body that a text begins with.
fn body_length(text: &str) -> Option<usize> {
    let mut length = BODY.find(text)?.end();
    // One short line, and one check sum.
    for _ in 0..2 {
        if let Some(line) = LAST_LINE.captures(&text[length..]).and_then(|captures| captures.name("line")) {
            length += line.end();
        }
    }
    Some(length)
}

/// Walks back from an end mark over lines of base64; a key with its beginning is found from there.
fn from_end(text: &str, end_mark: usize, end: usize) -> Option<Finding> {
    let least = text.floor_char_boundary(end_mark.saturating_sub(LONGEST_TAIL));
    let mut start = end_mark;
    let mut rest = &text[least..end_mark];
    loop {
        let line = last_line(rest);
        let base64 = !line.is_empty() && line.bytes().all(in_base64);
        // Only the last line of a body is short.
        if !base64 || line.len() < LEAST_BODY && start < end_mark {
            break;
        }
        rest = &rest[..rest.rfind(line).unwrap_or_default()];
        start = least + rest.len();
    }
    has_body(&text[start..end_mark]).then(|| Finding::by_sight("private-key", start..end))
}

/// The last line of a text without the line break after it and what a listing or a literal puts around it.
fn last_line(text: &str) -> &str {
    let text = text
        .trim_end_matches(['\n', '\r', ' ', '"', '+', ','])
        .trim_end_matches("\\n")
        .trim_end_matches("\\r");
    let line = match text.rfind(['\n', '\\']) {
        Some(at) if text[at..].starts_with("\\n") || text[at..].starts_with("\\r") => &text[at + 2..],
        Some(at) => &text[at + 1..],
        None => text,
    };
    let listed = line.split_once('→').map_or(line, |(_, listed)| listed);
    listed.trim_start_matches([' ', '\t', '"', '>', '+'])
}

fn in_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

fn has_body(between: &str) -> bool {
    between
        .split(|character: char| !u8::try_from(character).is_ok_and(in_base64))
        .any(|piece| piece.len() >= LEAST_BODY)
}
