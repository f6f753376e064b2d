//! Making text fit: bounds, terminal codes, one line.
//!
//! It owns no meaning. Every function leaves the words it keeps as they stand in the entry. What is cut or made one line
//! goes through a [`Shortener`]: half a secret, or one without the lines it stood in, may no longer look like one.

use std::borrow::Cow;

/// Stands, on a line of its own, where the middle of a long text was left out.
pub const ELISION: &str = "[…]";

/// Takes the secrets out of a text; `None` where there are none.
pub type Redactor<'s> = &'s dyn Fn(&str) -> Option<String>;

/// How far beyond a cut a text is looked at for secrets, in bytes. What has no blank for longer is not looked at to its end, and left out.
const MARGIN: usize = 4 * 1024;

/// Stands for what was left out because no end of it was seen: it may be a key.
const UNREAD: &str = "[redacted: unread]";

/// Makes text fit, and takes secrets out of it before.
#[derive(Clone, Copy, Default)]
pub(crate) struct Shortener<'s> {
    cleaning: Option<Redactor<'s>>,
}

impl<'s> Shortener<'s> {
    pub(crate) fn new(cleaning: Option<Redactor<'s>>) -> Self {
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
        let unread = self.uncertain_bytes(window.bytes().rev());
        if unread > 0 {
            let clean = self.clean(&window[..window.len() - unread]);
            return format!("{}{UNREAD}", head(&clean, max.saturating_sub(UNREAD.len())));
        }
        let clean = self.clean(window);
        // What the window cut in two stands in its last bytes, and these are never kept.
        head(&clean, max.min(clean.len().saturating_sub(beyond))).to_owned()
    }

    /// How many bytes from the edge of a window have no blank among them, where a secret may be cut in two that reaches into what is
    /// kept.
    fn uncertain_bytes(&self, from_edge: impl Iterator<Item = u8>) -> usize {
        let run = from_edge.take_while(u8::is_ascii_graphic).count();
        if self.cleaning.is_some() && run > MARGIN { run } else { 0 }
    }

    /// Keeps a text's tail where it is longer than `max` bytes.
    fn tail(&self, text: &str, max: usize) -> String {
        let window = tail(text, self.needed(max));
        let beyond = window.len().saturating_sub(max);
        let unread = self.uncertain_bytes(window.bytes());
        if unread > 0 && beyond > 0 {
            let clean = self.clean(&window[unread..]);
            return format!("{UNREAD}{}", tail(&clean, max.saturating_sub(UNREAD.len())));
        }
        let clean = self.clean(window);
        tail(&clean, max.min(clean.len().saturating_sub(beyond))).to_owned()
    }

    /// Keeps a text's head and tail where it is longer than `max` bytes.
    pub(crate) fn head_and_tail(&self, text: &str, max: usize) -> String {
        if text.len() <= max {
            return text.to_owned();
        }
        let half = max.saturating_sub(ELISION.len() + 2) / 2;
        format!("{}\n{ELISION}\n{}", self.head(text, half), self.tail(text, half))
    }

    /// One line: white space collapsed, the end cut off where it is longer than `max` bytes.
    pub(crate) fn one_line(&self, text: &str, max: usize) -> String {
        if text.len() > max || text.contains('\n') {
            return one_line(&self.clean(&self.head(text, self.needed(MARGIN))), max);
        }
        one_line(text, max)
    }
}

/// Removes terminal escape sequences and control characters except line breaks and tabs.
pub(crate) fn strip_control(text: &str) -> Cow<'_, str> {
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
            '\u{1b}' => skip_escape_sequence(&mut chars),
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

fn skip_escape_sequence(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Knows a token by its name before it, and by its end.
    fn cleaning(text: &str) -> Option<String> {
        let (before, rest) = text.split_once("TOKEN=")?;
        let (token, after) = rest.split_once(' ').unwrap_or((rest, ""));
        token.ends_with('!').then(|| format!("{before}TOKEN=[redacted: token] {after}"))
    }

    #[test]
    fn secret_that_is_longer_than_what_is_looked_at_leaves_nothing() {
        let cleaning: Redactor<'_> = &cleaning;
        let shortener = Shortener::new(Some(cleaning));
        let secret = format!("{}!", "sEcr3t".repeat(3 * MARGIN));
        for (before, after) in
            [("", ""), ("export ", " && make"), (&"word ".repeat(40), &"word ".repeat(2000))]
        {
            let text = format!("{before}TOKEN={secret} {after}");
            for max in [100, 300, 1000, 5000] {
                for kept in [
                    shortener.head(&text, max),
                    shortener.tail(&text, max),
                    shortener.head_and_tail(&text, max),
                    shortener.one_line(&text, max),
                ] {
                    assert!(!kept.contains("sEcr3t"), "{max}: {kept}");
                    assert!(kept.len() <= max.max(text.len().min(2 * MARGIN)), "{max}: {}", kept.len());
                }
            }
        }
    }

    #[test]
    fn words_around_a_cut_stay() {
        let shortener = Shortener::new(Some(&cleaning));
        let text = format!("first {} last", "word ".repeat(4000));
        assert!(shortener.head(&text, 300).starts_with("first word"));
        assert!(shortener.tail(&text, 300).ends_with("word  last"));
        let japanese = "日本語の文章です".repeat(2000);
        assert!(shortener.head(&japanese, 300).len() > 290, "no key has such letters");
        assert_eq!(Shortener::default().head(&"x".repeat(9000), 300).len(), 300);
    }
}
