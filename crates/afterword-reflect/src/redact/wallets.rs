//! What restores a wallet: phrases of twelve and more words of BIP 39, and keys in base 58 without a prefix.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::finding::Finding;

/// The words, in the file beside this one with their source.
static WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    include_str!("bip39.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(str::split_whitespace)
        .collect()
});

/// The shortest phrase of BIP 39.
const FEWEST: usize = 12;

/// The shortest phrase in bytes: twelve words of three letters, parted by one blank each.
const SHORTEST: usize = 47;

/// For each byte whether it can stand in a phrase, or in the list or literal that holds one.
const IN_PHRASE: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(byte as u8, b'a'..=b'z' | b'0'..=b'9' | b' ' | b'\n' | b'\r' | b'\t' | b',' | b'"' | b'\'' | b'-' | b'.' | b')' | b':');
        byte += 1;
    }
    table
};

/// Adds phrases: words of the list beside each other, parted by blanks, commas, quotes or numbers of a list.
pub(super) fn phrases(text: &str, findings: &mut Vec<Finding>) {
    let bytes = text.as_bytes();
    let mut start = 0;
    while let Some(window) = bytes.get(start..start + SHORTEST) {
        if let Some(foreign) = window.iter().rposition(|byte| !IN_PHRASE[usize::from(*byte)]) {
            start += foreign + 1;
            continue;
        }
        let length = bytes[start..].iter().take_while(|byte| IN_PHRASE[usize::from(**byte)]).count();
        phrases_within(text, start..start + length, findings);
        start += length;
    }
}

fn phrases_within(text: &str, stretch: Range<usize>, findings: &mut Vec<Finding>) {
    let bytes = &text.as_bytes()[..stretch.end];
    let mut at = stretch.start;
    // The words of the run that could be a phrase so far; their shape is asked first, as it is cheap.
    let mut run: Vec<(usize, usize)> = Vec::new();
    let mut close = |run: &mut Vec<(usize, usize)>| {
        if run.len() >= FEWEST {
            let mut rest = run.as_slice();
            while rest.len() >= FEWEST {
                let known =
                    rest.iter().take_while(|(start, end)| WORDS.contains(&text[*start..*end])).count();
                let different: HashSet<&str> =
                    rest[..known].iter().map(|(start, end)| &text[*start..*end]).collect();
                if known >= FEWEST && different.len() >= FEWEST / 2 + 2 {
                    findings.push(Finding::new("seed-phrase", rest[0].0..rest[known - 1].1));
                }
                rest = &rest[rest.len().min(known + 1)..];
            }
        }
        run.clear();
    };
    while at < bytes.len() {
        if bytes[at].is_ascii_lowercase() {
            let length = bytes[at..].iter().take(9).take_while(|byte| byte.is_ascii_lowercase()).count();
            let next = bytes.get(at + length).copied().unwrap_or(b' ');
            if (3..=8).contains(&length) && !next.is_ascii_alphanumeric() {
                run.push((at, at + length));
                at += length;
            } else {
                close(&mut run);
                at += length;
                while at < bytes.len() && bytes[at].is_ascii_alphanumeric() {
                    at += 1;
                }
            }
        } else if matches!(bytes[at], b' ' | b'\n' | b'\r' | b'\t' | b',' | b'"' | b'\'' | b'-') {
            at += 1;
        } else if bytes[at].is_ascii_digit() {
            // The number of a list: `7. word`.
            let digits = bytes[at..].iter().take(3).take_while(|byte| byte.is_ascii_digit()).count();
            if digits <= 2 && matches!(bytes.get(at + digits), Some(b'.' | b')' | b':')) {
                at += digits + 1;
            } else {
                close(&mut run);
                at += digits;
            }
        } else {
            close(&mut run);
            at += 1;
            while at < bytes.len() && bytes[at].is_ascii_alphabetic() {
                at += 1;
            }
        }
    }
    close(&mut run);
}

/// Length of the shorter kind of key in wallet import format.
const KEY: usize = 51;

/// Adds Bitcoin keys in wallet import format: 51 or 52 characters of base 58 that begin with 5, K or L (c and 9 on test nets).
pub(super) fn keys(text: &str, findings: &mut Vec<Finding>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    // Every run of this length covers one of these places.
    while let Some(byte) = bytes.get(at + KEY - 1) {
        if !byte.is_ascii_alphanumeric() {
            at += KEY;
            continue;
        }
        let back = bytes[..at + KEY - 1].iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let start = at + KEY - 1 - back;
        let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let run = &bytes[start..start + length];
        let first = run[0];
        let shape = length == 52 && matches!(first, b'K' | b'L' | b'c')
            || length == 51 && matches!(first, b'5' | b'9');
        let base58 = !run.iter().any(|byte| matches!(byte, b'0' | b'O' | b'I' | b'l'));
        let mixed = run.iter().any(u8::is_ascii_digit)
            && run.iter().any(u8::is_ascii_lowercase)
            && run.iter().any(u8::is_ascii_uppercase);
        let edges = !matches!(bytes[..start].last(), Some(b'/' | b'+' | b'_' | b'-'))
            && !matches!(bytes.get(start + length), Some(b'/' | b'+' | b'=' | b'_' | b'-'));
        if shape && base58 && mixed && edges {
            findings.push(Finding::new("wallet-key", start..start + length));
        }
        at = start + length;
    }
}
