//! Writes property values as YAML that no text can break out of.
//!
//! A value that is not one plain word is always double-quoted on a single line: in that style YAML has no syntax
//! but `\` and `"`, and everything that is not printable is escaped. So no value can end its line, let alone the
//! front matter.

use jiff::civil::Date;

use crate::plain::is_removed;

/// A property's value in one of the types Obsidian knows (text, list, checkbox, date), or empty.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nothing after the colon.
    Empty,
    /// A text.
    Text(String),
    /// A list of texts.
    List(Vec<String>),
    /// A checkbox.
    Flag(bool),
    /// A date without time.
    Date(Date),
    /// A number; read from notes, never written.
    Number(f64),
    /// Something nested, which Obsidian does not show and Afterword does not touch.
    Nested,
}

impl Value {
    /// The property's lines, each ended by `newline`.
    pub(crate) fn render_property(&self, name: &str, newline: &str) -> String {
        match self {
            Self::Empty | Self::Nested => format!("{name}:{newline}"),
            Self::Text(text) => format!("{name}: {}{newline}", render_scalar(text)),
            Self::Flag(flag) => format!("{name}: {flag}{newline}"),
            Self::Date(date) => format!("{name}: {date}{newline}"),
            Self::Number(number) => format!("{name}: {number}{newline}"),
            Self::List(items) if items.is_empty() => format!("{name}: []{newline}"),
            Self::List(items) => {
                let lines = items.iter().map(|item| format!("  - {}{newline}", render_scalar(item)));
                format!("{name}:{newline}{}", lines.collect::<String>())
            }
        }
    }
}

/// One text as a YAML scalar on one line.
pub(crate) fn render_scalar(text: &str) -> String {
    if is_plain_word(text) {
        return text.to_owned();
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            _ if is_removed(c) => {
                let code = u32::from(c);
                quoted.push_str(&if code > 0xffff {
                    format!("\\U{code:08X}")
                } else {
                    format!("\\u{code:04X}")
                });
            }
            _ => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Whether YAML of any version reads the text as itself without quotes: a UUID, or a word of lower-case letters,
/// digits and dashes that means nothing else.
fn is_plain_word(text: &str) -> bool {
    const MEANS_SOMETHING: [&str; 12] =
        ["y", "n", "yes", "no", "true", "false", "on", "off", "null", "nan", "inf", "infinity"];
    let word = text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        && !text.ends_with('-');
    (word && text.len() <= 64 && !MEANS_SOMETHING.contains(&text)) || is_uuid(text)
}

fn is_uuid(text: &str) -> bool {
    let lengths = text.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12]) && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}
