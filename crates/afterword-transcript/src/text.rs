//! Making text fit: bounds, terminal codes, one line.
//!
//! It owns no meaning. Every function leaves the words it keeps as they stand in the entry. What is cut or made one line
//! goes through a [`Shortener`]: half a secret, or one without the lines it stood in, may no longer look like one.

use std::borrow::Cow;

/// Stands, on a line of its own, where the middle of a long text was left out.
pub const ELISION: &str = "[…]";

/// Takes the secrets out of a text; `None` where there are none.
pub type Cleaning<'s> = &'s dyn Fn(&str) -> Option<String>;

/// How far beyond a cut a text is looked at for secrets, in bytes; no secret is much longer.
const MARGIN: usize = 4 * 1024;

/// Makes text fit, and takes secrets out of it before.
#[derive(Clone, Copy, Default)]
pub(crate) struct Shortener<'s> {
    cleaning: Option<Cleaning<'s>>,
}

impl<'s> Shortener<'s> {
    pub(crate) fn new(cleaning: Option<Cleaning<'s>>) -> Self {
        Self { cleaning }
    }

    /// A text without its secrets.
    pub(crate) fn clean<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.cleaning.and_then(|cleaning| cleaning(text)).map_or(Cow::Borrowed(text), Cow::Owned)
    }

    /// So much of a text is needed for a head of `max` bytes.
    pub(crate) fn needed(&self, max: usize) -> usize {
        if self.cleaning.is_some() { max + MARGIN } else { max }
    }

    /// Keeps a text's head where it is longer than `max` bytes.
    pub(crate) fn head(&self, text: &str, max: usize) -> String {
        let window = head(text, self.needed(max));
        let beyond = window.len().saturating_sub(max);
        if beyond == 0 {
            return window.to_owned();
        }
        let clean = self.clean(window);
        // What the window cut in two stands in its last bytes, and these are never kept.
        head(&clean, max.min(clean.len().saturating_sub(beyond))).to_owned()
    }

    /// Keeps a text's tail where it is longer than `max` bytes.
    fn tail(&self, text: &str, max: usize) -> String {
        let window = tail(text, self.needed(max));
        let beyond = window.len().saturating_sub(max);
        let clean = self.clean(window);
        tail(&clean, max.min(clean.len().saturating_sub(beyond))).to_owned()
    }

    /// Keeps a text's head and tail where it is longer than `max` bytes.
    pub(crate) fn ends(&self, text: &str, max: usize) -> String {
        if text.len() <= max {
            return text.to_owned();
        }
        let half = max.saturating_sub(ELISION.len() + 2) / 2;
        format!("{}\n{ELISION}\n{}", self.head(text, half), self.tail(text, half))
    }

    /// One line: white space collapsed, the end cut off where it is longer than `max` bytes.
    pub(crate) fn one_line(&self, text: &str, max: usize) -> String {
        if text.len() > max || text.contains('\n') {
            return one_line(&self.clean(head(text, self.needed(MARGIN))), max);
        }
        one_line(text, max)
    }
}

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

/// Keeps a text's head where it is longer than `max` bytes.
pub(crate) fn head(text: &str, max: usize) -> &str {
    &text[..text.floor_char_boundary(max)]
}

/// Keeps a text's tail where it is longer than `max` bytes.
fn tail(text: &str, max: usize) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(max))..]
}

fn one_line(text: &str, max: usize) -> String {
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
