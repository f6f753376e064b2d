//! Making text fit: bounds, terminal codes, one line.
//!
//! It owns no meaning. Every function leaves the words it keeps as they stand in the entry.

use std::borrow::Cow;

/// Stands, on a line of its own, where the middle of a long text was left out.
pub const ELISION: &str = "[…]";

/// Removes terminal escape sequences and control characters except line breaks and tabs.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    let odd = |b: u8| (b < b' ') & (b != b'\n') & (b != b'\t') | (b == 0x7f);
    // Whole blocks without an early exit: nearly all text is clean, and so the compiler can use wide registers.
    let clean = text
        .as_bytes()
        .chunks(64)
        .take_while(|chunk| !chunk.iter().fold(false, |any, b| any | odd(*b)))
        .count()
        * 64;
    let Some(first) = text.bytes().skip(clean).position(odd).map(|at| clean + at) else {
        return Cow::Borrowed(text);
    };
    let mut clean = String::with_capacity(text.len());
    clean.push_str(&text[..first]);
    let mut chars = text[first..].chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => escape_sequence(&mut chars),
            // A lone carriage return redraws a line; before a line feed it is Windows'.
            '\r' => {
                if chars.peek() != Some(&'\n') {
                    clean.push('\n');
                }
            }
            '\n' | '\t' => clean.push(c),
            c if u32::from(c) < 0x20 || c == '\u{7f}' => {}
            c => clean.push(c),
        }
    }
    Cow::Owned(clean)
}

fn escape_sequence(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match chars.next_if(|c| matches!(c, '[' | ']' | '(' | ')')) {
        // Control sequence: parameters, then one final byte.
        Some('[') => {
            while chars.next_if(|c| matches!(c, ' '..='?')).is_some() {}
            chars.next_if(|c| matches!(c, '@'..='~'));
        }
        // Operating system command: up to a bell or ESC \.
        Some(']') => {
            while let Some(c) = chars.next_if(|c| *c != '\n') {
                if c == '\u{7}' {
                    break;
                }
                if c == '\u{1b}' {
                    chars.next_if(|c| *c == '\\');
                    break;
                }
            }
        }
        // Character set: one byte.
        Some(_) => {
            chars.next();
        }
        None => {}
    }
}

/// Keeps a text's head and tail where it is longer than `max` bytes.
pub(crate) fn bound(text: &str, max: usize) -> String {
    if text.len() <= max {
        return text.to_owned();
    }
    let room = max.saturating_sub(ELISION.len() + 2);
    let head = text.floor_char_boundary(room / 2);
    let tail = text.ceil_char_boundary(text.len() - room / 2);
    format!("{}\n{ELISION}\n{}", &text[..head], &text[tail..])
}

/// Keeps a text's head where it is longer than `max` bytes.
pub(crate) fn head(text: &str, max: usize) -> &str {
    &text[..text.floor_char_boundary(max)]
}

/// One line: white space collapsed, the end cut off where it is longer than `max` bytes.
pub(crate) fn one_line(text: &str, max: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if line.len() + word.len() + 1 > max {
            line.push_str(if line.is_empty() { head(word, max) } else { " …" });
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}
