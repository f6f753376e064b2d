//! The same text with what only a terminal reads taken out, and the way back to where things stand.
//!
//! Owns colour codes: `token: ␛[32mabc␛[0m` is read as `token: abc`, and what is found there is named in the
//! positions of the text as it was.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// A control sequence of a terminal, as a byte or written out in a string literal.
static CONTROL_SEQUENCE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:\x1b|\\u001[bB]|\\x1[bB]|\\033|\\e)\[[0-9;?]*[A-Za-z]").expect("a fixed pattern")
});

/// A text without control sequences.
pub(super) struct WithoutControls {
    pub(super) text: String,
    /// For each sequence taken out: where it stood in the new text, and how many bytes were taken out up to there.
    cuts: Vec<(usize, usize)>,
}

impl WithoutControls {
    /// Takes the control sequences out; `None` where there is none.
    pub(super) fn of(text: &str) -> Option<Self> {
        let mut cuts = Vec::new();
        let mut plain = String::new();
        let mut copied = 0;
        let mut removed = 0;
        for sequence in CONTROL_SEQUENCE.find_iter(text) {
            plain.push_str(&text[copied..sequence.start()]);
            copied = sequence.end();
            removed += sequence.len();
            cuts.push((plain.len(), removed));
        }
        if cuts.is_empty() {
            return None;
        }
        plain.push_str(&text[copied..]);
        Some(Self { text: plain, cuts })
    }

    /// Where a stretch of the new text stands in the original; sequences at its edges stay outside.
    pub(super) fn original(&self, range: &Range<usize>) -> Range<usize> {
        let removed = |count: usize| count.checked_sub(1).map_or(0, |last| self.cuts[last].1);
        let before_start = self.cuts.partition_point(|(at, _)| *at <= range.start);
        let before_end = self.cuts.partition_point(|(at, _)| *at < range.end);
        range.start + removed(before_start)..range.end + removed(before_end)
    }
}

/// Where the line begins that `at` stands in, or a place `most` bytes before it in a longer line.
pub(super) fn line_start(text: &str, at: usize, most: usize) -> usize {
    let least = text.floor_char_boundary(at.saturating_sub(most));
    text[least..at].rfind('\n').map_or(least, |found| least + found + 1)
}

/// How far a token goes on in the next lines, where a terminal or a mail broke it: lines that hold nothing but a part of it.
///
/// A part must itself look like one and, but for the last, fill its line as far as the first did.
pub(super) fn wrapped_end(text: &str, start: usize, end: usize) -> usize {
    let in_token = |byte: u8| byte.is_ascii_alphanumeric() || b"_-+/=.%~".contains(&byte);
    if !matches!(text.as_bytes().get(end), Some(b'\n' | b'\r' | b'\\')) {
        return end;
    }
    let width = end - line_start(text, start, 400);
    if end - start < 8 || width < 30 {
        return end;
    }
    let bytes = text.as_bytes();
    let mut reached = end;
    loop {
        let mut at = reached;
        if bytes.get(at) == Some(&b'\\') {
            at += 1;
        }
        if bytes.get(at) == Some(&b'\r') {
            at += 1;
        }
        if bytes.get(at) != Some(&b'\n') {
            return reached;
        }
        at += 1;
        at +=
            bytes[at..].iter().take(40).take_while(|byte| matches!(byte, b' ' | b'\t' | b'>' | b'|')).count();
        let length = bytes[at..].iter().take_while(|byte| in_token(**byte)).count();
        let part = &text[at..at + length];
        let closes = match bytes.get(at + length) {
            None | Some(b'\n' | b'\r' | b'"' | b'\'' | b'`' | b',' | b'\\') => true,
            Some(_) => false,
        };
        let odd = super::values::looks_generated(part) && !super::values::reads_as_identifier(part);
        if !closes
            || length < 6
            || length > width + 8
            || !odd
            || part.contains('=') && !part.trim_end_matches('=').bytes().all(|byte| byte != b'=')
        {
            return reached;
        }
        reached = at + length;
        if length + 8 < width.min(end - start) {
            return reached;
        }
    }
}
