//! Writing to the terminal: data to stdout, the rest to stderr, nothing that came from a transcript unfiltered.

use std::io::{self, Write};

use afterword_core::hidden::{escape_hidden, is_hidden};
use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use serde::Serialize;

/// Marks headings.
pub(crate) const BOLD: Style = Style::new().bold();
/// Marks what matters less.
pub(crate) const DIM: Style = Style::new().dimmed();
/// Marks what is good or sure.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// Marks what wants attention.
pub(crate) const ATTENTION: Style = AnsiColor::Yellow.on_default();
/// Marks errors.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();

/// Both streams; colour only on a terminal, and not with `NO_COLOR`.
pub(crate) struct Output {
    /// Data is wanted as JSON.
    pub(crate) json: bool,
    out: AutoStream<io::Stdout>,
    err: AutoStream<io::Stderr>,
}

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        Self { json, out: AutoStream::auto(io::stdout()), err: AutoStream::auto(io::stderr()) }
    }

    /// stdout.
    pub(crate) fn data(&mut self) -> &mut impl Write {
        &mut self.out
    }

    /// stderr.
    pub(crate) fn talk(&mut self) -> &mut impl Write {
        &mut self.err
    }

    /// Prints one JSON value and a line break.
    pub(crate) fn print_json(&mut self, value: &impl Serialize) -> io::Result<()> {
        let text = serde_json::to_string(value).map_err(io::Error::other)?;
        // Past the colour filter: JSON has no colour, and what looks like one is data.
        let mut out = io::stdout().lock();
        out.write_all(escape_controls(&text).as_bytes())?;
        out.write_all(b"\n")?;
        out.flush()
    }

    /// Tells an error. A closed stderr is nobody's loss.
    pub(crate) fn error(&mut self, text: &str) {
        let _ = writeln!(self.err, "{BAD}error:{BAD:#} {text}");
    }

    /// Tells something that is wrong but did not stop the command.
    pub(crate) fn warning(&mut self, text: &str) {
        let _ = writeln!(self.err, "{ATTENTION}warning:{ATTENTION:#} {text}");
    }

    /// Tells what can be done.
    pub(crate) fn hint(&mut self, text: &str) {
        let _ = writeln!(self.err, "{GOOD}hint:{GOOD:#} {}", plain(text));
    }
}

/// Foreign text fit for a terminal: on one line, with hidden characters written out, those of escape sequences too.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' | '\r' => {
                if !plain.ends_with(' ') {
                    plain.push(' ');
                }
            }
            _ => plain.push(c),
        }
    }
    escape_hidden(plain.trim_end()).into_owned()
}

/// JSON text with everything escaped that a terminal could take for a command. Such characters stand only inside
/// JSON strings, where the escape means the same character.
fn escape_controls(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        if is_hidden(c) || is_selector(c) {
            // JSON escapes what is beyond the basic plane in two halves.
            for half in c.encode_utf16(&mut [0; 2]) {
                escaped.push_str(&format!("\\u{half:04x}"));
            }
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// Joiners and variation selectors, which are hidden where they join or vary nothing.
fn is_selector(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_cannot_command_the_terminal() {
        let check = |text: &str, expected: &str| assert_eq!(plain(text), expected, "{text:?}");
        check("\u{1b}[31mred\u{1b}[0m", "\\u{1b}[31mred\\u{1b}[0m");
        check("\u{1b}]0;title\u{7}rest", "\\u{1b}]0;title\\u{7}rest");
        check("a\u{9b}31mb", "a\\u{9b}31mb");
        check("two\nlines\tand\rmore", "two lines and more");
        check("back\u{8}space \u{202e}drawkcab", "back\\u{8}space \\u{202e}drawkcab");
        check("naïve 日本 ok", "naïve 日本 ok");
    }

    #[test]
    fn json_stays_the_same_value() {
        let value = "a\u{9b}b\u{202e}c\u{7f}\u{1b}\"\\ \u{e0041}x\u{200d}";
        let escaped = escape_controls(&serde_json::to_string(value).unwrap());
        assert!(!escaped.chars().any(|c| is_hidden(c) || is_selector(c)), "{escaped:?}");
        assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), value);
    }
}
