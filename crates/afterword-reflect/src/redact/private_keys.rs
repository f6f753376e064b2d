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

/// Lines of a body: base64, the headers of old PEM and PGP, and whatever a listing, a diff or a string literal
/// puts before and after each line.
static BODY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r#"\A(?:(?:\s|\\[nr]|["'+,|>]|[0-9]{1,5}(?:→|\t|:))*"#,
        r"(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|Encryption|Key-Derivation|Argon2-[A-Za-z]+): [^\n\\]{0,120}|=?[A-Za-z0-9+/]{16,}=*))+",
        r"(?:(?:\s|\\[nr])*=?[A-Za-z0-9+/]{1,76}={0,2}(?:[\s\\]|\z))?",
    ))
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
        let body = BODY.find(&text[body_start..])?;
        return Some(Finding::by_sight("private-key", body_start..body_start + body.end()));
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
    let body = BODY.find(&text[body_start..])?;
    has_body(body.as_str()).then(|| Finding::by_sight("private-key", start..body_start + body.end()))
}

/// Walks back from an end mark over lines of base64; a key with its beginning is found from there.
fn from_end(text: &str, end_mark: usize, end: usize) -> Option<Finding> {
    let least = text.floor_char_boundary(end_mark.saturating_sub(LONGEST_TAIL));
    let before = &text[least..end_mark];
    let mut start = before.len();
    // A line starts after a line break or after an escaped one.
    let line_start = |text: &str| match text.rfind(['\n', '\\']) {
        Some(at) if text[at..].starts_with('\n') => at + 1,
        Some(at) => text.len().min(at + 2),
        None => 0,
    };
    let mut rest = before;
    loop {
        let trimmed = rest
            .trim_end_matches(['\n', '\r', ' ', '"', '+', ','])
            .trim_end_matches("\\n")
            .trim_end_matches("\\r");
        let at = line_start(trimmed);
        let line = trimmed[at..].trim_start_matches(|lead: char| {
            lead.is_whitespace()
                || lead.is_ascii_digit() && trimmed[at..].contains('→')
                || matches!(lead, '→' | '"' | '+' | '>')
        });
        let base64 = !line.is_empty()
            && line.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='));
        let last_line = start == before.len();
        if !base64 || line.len() < LEAST_BODY && !last_line {
            break;
        }
        start = at + (trimmed[at..].len() - line.len());
        if at == 0 {
            break;
        }
        rest = &before[..at];
    }
    has_body(&before[start..]).then(|| Finding::by_sight("private-key", least + start..end))
}

fn has_body(between: &str) -> bool {
    between
        .split(|character: char| !(character.is_ascii_alphanumeric() || matches!(character, '+' | '/' | '=')))
        .any(|piece| piece.len() >= LEAST_BODY)
}
