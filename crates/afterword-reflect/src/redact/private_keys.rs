//! Private keys in PEM, OpenSSH, PGP and PuTTY frames: whole, cut off at either end, or with escaped line breaks.
//!
//! The frame is removed with the key. A frame that is only mentioned, without a body, stays.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memchr_iter;
use regex::Regex;

use super::finding::Finding;

/// Fewest base64 characters in one piece that make a body; the shortest line of a real key has far more.
const LEAST_BODY: usize = 16;

/// Longest line of a body, in bytes: a whole key without line breaks.
const LONGEST_LINE: usize = 8 << 10;

/// Length of a full line in PEM and in OpenSSH's own frame.
const FULL_LINES: [usize; 2] = [64, 70];

/// Fewest full lines that are taken for a body without a frame.
const LEAST_LINES: usize = 3;

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
    if let Some(head) = BARE_HEADS.iter().find(|head| rest.starts_with(**head)) {
        let before = if head.starts_with('M') { 0 } else { 6 - usize::from(head.starts_with("BO")) };
        return without_frame(text, mark.start, before);
    }
    if rest.starts_with("Private-Lines:") {
        let body_start = mark.end
            + text[mark.end..].bytes().take(8).take_while(|byte| matches!(byte, b' ' | b'0'..=b'9')).count();
        let body = body_length(&text[body_start..])?;
        return Some(Finding::by_shape("private-key", body_start..body_start + body));
    }
    let end = END.find(rest)?;
    from_end(text, mark.start, mark.start + end.end())
}

/// How a key in PKCS#1, PKCS#8 or SEC 1 goes on behind its length, or begins where that is short. Certificates and
/// public keys go on otherwise.
#[rustfmt::skip]
pub(super) const BARE_HEADS: &[&str] = &[
    "IBAAKC", "IBAAKB", "IBAAJB", "IBADANBgkqhkiG9w0BAQEF", "BOBgkqhkiG9w0BBQ0w", "MHcCAQEE", "MIGkAgEB", "MIHcAgEB",
    "MHQCAQEE", "MIGHAgEAM", "MIGTAgEAM", "MIG2AgEAM", "MIHuAgEAM", "MC4CAQAwBQYDK2V", "MFECAQEwBQYDK2V",
    "MFMCAQEwBQYDK2V", "MEcCAQAwBQYDK2V",
];

/// Finds the body that begins here, with as many characters before.
fn without_frame(text: &str, head: usize, before: usize) -> Option<Finding> {
    let start = head.checked_sub(before)?;
    let opens = before == 0 || text.as_bytes()[start..].starts_with(b"MI");
    let inside = text.as_bytes()[..start]
        .last()
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || b"+/".contains(byte));
    let escaped = text.as_bytes()[..start].ends_with(b"\\n");
    if !opens || inside && !escaped || !text.is_char_boundary(start) {
        return None;
    }
    let length = body_length(&text[start..])?;
    Some(Finding::by_shape("private-key", start..start + length))
}

/// Adds bodies that lost their frame and their first line too: full lines of base64, as PEM and OpenSSH break them.
pub(super) fn bare_lines(text: &str, findings: &mut Vec<Finding>) {
    let mut run: Vec<&str> = Vec::new();
    let offset = |line: &str| line.as_ptr() as usize - text.as_ptr() as usize;
    let mut close = |run: &mut Vec<&str>, last: Option<&str>| {
        // A body of 64 characters a line is PEM, of 70 OpenSSH; hashes are hexadecimal, and a certificate begins so.
        let mixed = |line: &&str| {
            line.bytes().any(|byte| byte.is_ascii_digit())
                && line.bytes().any(|byte| byte.is_ascii_uppercase())
                && line.bytes().any(|byte| (b'g'..=b'z').contains(&byte))
        };
        let public = run.first().is_some_and(|first| {
            first.starts_with("MII")
                && (first[6..].starts_with("CC")
                    || first[6..].starts_with("jAN")
                    || first[5..].starts_with("jAN"))
                || first.starts_with("LS0tLS1CRUdJTiBDRVJU")
                || first.starts_with("AAAA")
        });
        if run.len() >= LEAST_LINES && run.iter().all(mixed) && !public {
            let end = last.or(run.last().copied()).map_or(0, |line| offset(line) + line.len());
            findings.push(Finding::by_shape("private-key", offset(run[0])..end));
        }
        run.clear();
    };
    let mut before = "";
    let mut line_start = 0;
    for line_end in memchr_iter(b'\n', text.as_bytes()).chain([text.len()]) {
        let line = &text[line_start..line_end];
        line_start = line_end + 1;
        // Most lines are too short or too long to be full, and follow none.
        if run.is_empty() && !(64..200).contains(&line.len()) {
            before = line;
            continue;
        }
        let mut body = line.trim_matches([' ', '\t', '\r', '"', '\'', ',', '>', '|']);
        // In a difference or a sum of literals a plus stands beside the line; in base64 it belongs to it.
        if !FULL_LINES.contains(&body.len()) {
            body = body.trim_matches(['+', ' ', '"', '\'']);
        }
        let base64 = !body.is_empty() && body.bytes().all(in_base64);
        let full = base64 && FULL_LINES.contains(&body.len());
        // What a frame holds is judged by the frame.
        let follows = run.first().map_or(!before.contains("-----BEGIN"), |first| first.len() == body.len());
        if full && follows {
            run.push(body);
        } else {
            let last = (base64 && run.first().is_some_and(|first| body.len() < first.len())).then_some(body);
            close(&mut run, last);
        }
        before = if full && run.is_empty() { before } else { line };
    }
    close(&mut run, None);
}

fn from_begin(text: &str, start: usize, body_start: usize) -> Option<Finding> {
    // The next frame mark tells whether this key is whole.
    let next = text[body_start..].find("-----").map(|at| body_start + at);
    let whole = next.and_then(|next| Some(next..next + END.find(&text[next..])?.end()));
    if let Some(end) = whole
        && has_body(&text[body_start..end.start])
    {
        return Some(Finding::by_shape("private-key", start..end.end));
    }
    let body = body_length(&text[body_start..])?;
    Some(Finding::by_shape("private-key", start..body_start + body))
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
    let mut start = end_mark;
    let mut rest = &text[..end_mark];
    loop {
        let line = last_line(rest);
        let base64 = !line.is_empty() && line.bytes().all(in_base64);
        // Only the last line of a body is short.
        if !base64 || line.len() < LEAST_BODY && start < end_mark {
            break;
        }
        rest = &rest[..rest.rfind(line).unwrap_or_default()];
        start = rest.len();
    }
    has_body(&text[start..end_mark]).then(|| Finding::by_shape("private-key", start..end))
}

/// The last line of a text without the line break after it and what a listing or a literal puts around it.
fn last_line(text: &str) -> &str {
    let text = text
        .trim_end_matches(['\n', '\r', ' ', '"', '+', ','])
        .trim_end_matches("\\n")
        .trim_end_matches("\\r");
    let least = text.floor_char_boundary(text.len().saturating_sub(LONGEST_LINE));
    let line = match text[least..].rfind(['\n', '\\']).map(|at| least + at) {
        Some(at) if text[at..].starts_with("\\n") || text[at..].starts_with("\\r") => &text[at + 2..],
        Some(at) => &text[at + 1..],
        None => &text[least..],
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
