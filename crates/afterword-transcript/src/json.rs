//! A borrowing JSON reader that visits each byte of a line once.
//!
//! It owns the syntax: strings, escapes, brackets, where a value ends. It does not know what an entry is (see
//! `entry`), builds no tree, and never recurses, so that nesting of any depth costs no stack. It is strict about
//! structure at the levels it is asked to walk, and lenient inside the values it is asked to pass over: there
//! only strings and brackets are followed. Start reading at [`Reader`].

mod blocks;

use std::borrow::Cow;
use std::ops::Range;

/// Why a line is not the JSON it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct JsonError {
    /// Byte offset in the line.
    pub(crate) at: usize,
    /// The line ends before the value does.
    pub(crate) truncated: bool,
}

/// The inside of a JSON string as it stands in the file, escapes included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Raw<'a>(pub(crate) &'a str);

impl<'a> Raw<'a> {
    /// The decoded string. Lone surrogates become U+FFFD, as do escapes that JSON does not know.
    pub(crate) fn decode(self) -> Cow<'a, str> {
        match memchr::memchr(b'\\', self.0.as_bytes()) {
            None => Cow::Borrowed(self.0),
            Some(first) => Cow::Owned(decode_from(self.0, first)),
        }
    }

    /// Compares the decoded string.
    pub(crate) fn equals(self, text: &str) -> bool {
        // An escape takes more bytes than what it stands for.
        self.0 == text || (self.0.len() > text.len() && self.0.contains('\\') && self.decode() == text)
    }

    /// Where in `line` this was read.
    pub(crate) fn range_in(self, line: &str) -> Option<Range<usize>> {
        let start = self.0.as_ptr().addr().checked_sub(line.as_ptr().addr())?;
        (start + self.0.len() <= line.len()).then_some(start..start + self.0.len())
    }

    /// Whether the string is empty.
    pub(crate) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The decoded start of the string, at most this many bytes of it.
    pub(crate) fn head(self, bytes: usize) -> Cow<'a, str> {
        // An escape takes up to six bytes for one; usually there are few.
        let mut decoded = Cow::Borrowed("");
        for factor in [2, 6] {
            let end = escape_start(self.0, bytes.saturating_mul(factor));
            decoded = Raw(&self.0[..end]).decode();
            if end == self.0.len() || decoded.len() >= bytes {
                break;
            }
        }
        match decoded {
            Cow::Borrowed(text) => Cow::Borrowed(&text[..text.floor_char_boundary(bytes)]),
            Cow::Owned(mut text) => {
                text.truncate(text.floor_char_boundary(bytes));
                Cow::Owned(text)
            }
        }
    }

    /// The decoded end of the string, at most this many bytes of it.
    pub(crate) fn tail(self, bytes: usize) -> Cow<'a, str> {
        let mut decoded = Cow::Borrowed("");
        for factor in [2, 6] {
            let start = escape_start(self.0, self.0.len().saturating_sub(bytes.saturating_mul(factor)));
            decoded = Raw(&self.0[start..]).decode();
            if start == 0 || decoded.len() >= bytes {
                break;
            }
        }
        let from = |text: &str| text.ceil_char_boundary(text.len().saturating_sub(bytes));
        match decoded {
            Cow::Borrowed(text) => Cow::Borrowed(&text[from(text)..]),
            Cow::Owned(text) => Cow::Owned(text[from(&text)..].to_owned()),
        }
    }
}

/// The nearest position at or before `at` where neither a character nor an escape sequence is split.
fn escape_start(raw: &str, at: usize) -> usize {
    let bytes = raw.as_bytes();
    let mut at = at.min(bytes.len());
    while !raw.is_char_boundary(at) {
        at -= 1;
    }
    // A `\uXXXX` that began up to five bytes earlier, or a two-byte escape cut in its middle.
    for back in 1..=5 {
        let Some(start) = at.checked_sub(back) else { break };
        if bytes[start] == b'\\' {
            let mut run = start;
            while run > 0 && bytes[run - 1] == b'\\' {
                run -= 1;
            }
            let opens = (start - run).is_multiple_of(2);
            let length = if bytes.get(start + 1) == Some(&b'u') { 6 } else { 2 };
            if opens && start + length > at {
                return start;
            }
            break;
        }
    }
    at
}

fn decode_from(raw: &str, first: usize) -> String {
    let bytes = raw.as_bytes();
    let mut text = String::with_capacity(raw.len());
    text.push_str(&raw[..first]);
    let mut at = first;
    while at < bytes.len() {
        // `at` is on a backslash.
        let (decoded, length) = decode_escape(&raw[at..]);
        text.push(decoded);
        at += length;
        let next = memchr::memchr(b'\\', &bytes[at..]).map_or(bytes.len(), |found| at + found);
        text.push_str(&raw[at..next]);
        at = next;
    }
    text
}

/// Decodes the escape that `raw` begins with: the character and the raw bytes it takes.
fn decode_escape(raw: &str) -> (char, usize) {
    let simple = |c| (c, 2);
    match raw.as_bytes().get(1) {
        Some(b'n') => simple('\n'),
        Some(b't') => simple('\t'),
        Some(b'"') => simple('"'),
        Some(b'\\') => simple('\\'),
        Some(b'/') => simple('/'),
        Some(b'r') => simple('\r'),
        Some(b'b') => simple('\u{8}'),
        Some(b'f') => simple('\u{c}'),
        Some(b'u') => match decode_hex(raw, 2) {
            Some(high @ 0xD800..0xDC00) => {
                match raw.get(6..8).filter(|next| *next == "\\u").and(decode_hex(raw, 8)) {
                    Some(low @ 0xDC00..0xE000) => {
                        let code = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
                        (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12)
                    }
                    _ => (char::REPLACEMENT_CHARACTER, 6),
                }
            }
            Some(code) => (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 6),
            None => (char::REPLACEMENT_CHARACTER, 2),
        },
        // An unknown escape loses its backslash only; the character after it may be longer than a byte.
        _ => (char::REPLACEMENT_CHARACTER, 1),
    }
}

fn decode_hex(raw: &str, at: usize) -> Option<u32> {
    let digits = raw.get(at..at + 4)?;
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
}

/// What stands where a value is expected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum JsonValue<'a> {
    /// A string, already passed.
    Text(Raw<'a>),
    /// `{`, passed; read on with [`Reader::next_key`].
    Object,
    /// `[`, passed; read on with [`Reader::next_item`].
    Array,
    /// `true` or `false`, already passed.
    Flag(bool),
    /// A number as written, already passed.
    Number(&'a str),
    /// `null`, already passed.
    Null,
}

/// A place in a line, moving forward.
#[derive(Debug, Clone)]
pub(crate) struct Reader<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(line: &'a str, at: usize) -> Self {
        Self { line, at }
    }

    /// What is not read yet.
    pub(crate) fn rest(&self) -> &'a str {
        &self.line[self.at..]
    }

    /// Passes bytes that are known to be whole fields.
    pub(crate) fn advance(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Byte offset of what is read next.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    fn error<T>(&self) -> Result<T, JsonError> {
        Err(JsonError { at: self.at.min(self.line.len()), truncated: self.at >= self.line.len() })
    }

    fn peek(&self) -> Option<u8> {
        self.line.as_bytes().get(self.at).copied()
    }

    /// Passes white space; returns what stands after it.
    #[inline]
    pub(crate) fn skip_space(&mut self) -> Option<u8> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                other => return other,
            }
        }
    }

    /// Passes white space and one byte if it is `wanted`.
    pub(crate) fn skip_byte(&mut self, wanted: u8) -> bool {
        let found = self.skip_space() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// The next key of the object being walked, its colon passed; `None` after passing the closing brace.
    /// `first` says whether this is the object's first key, and is cleared.
    #[inline]
    pub(crate) fn next_key(&mut self, first: &mut bool) -> Result<Option<Raw<'a>>, JsonError> {
        // As clients write it: `,"key":` or `"key":`, no white space.
        let bytes = self.line.as_bytes();
        let comma = usize::from(!*first);
        if (*first || bytes.get(self.at) == Some(&b','))
            && bytes.get(self.at + comma) == Some(&b'"')
            && let Some(end) = blocks::string_end(bytes, self.at + comma + 1)
            && bytes.get(end + 1) == Some(&b':')
        {
            let key = Raw(&self.line[self.at + comma + 1..end]);
            self.at = end + 2;
            *first = false;
            return Ok(Some(key));
        }
        self.next_spaced_key(first)
    }

    /// [`Reader::next_key`] with white space, at the end, or where there is something wrong.
    #[cold]
    fn next_spaced_key(&mut self, first: &mut bool) -> Result<Option<Raw<'a>>, JsonError> {
        if self.skip_byte(b'}') {
            return Ok(None);
        }
        if !std::mem::take(first) && !self.skip_byte(b',') {
            return self.error();
        }
        if self.skip_space() != Some(b'"') {
            return self.error();
        }
        let key = self.read_string()?;
        if !self.skip_byte(b':') {
            return self.error();
        }
        Ok(Some(key))
    }

    /// Moves to the next item of the array being walked; false after passing the closing bracket.
    pub(crate) fn next_item(&mut self, first: &mut bool) -> Result<bool, JsonError> {
        if self.skip_byte(b']') {
            return Ok(false);
        }
        if !std::mem::take(first) && !self.skip_byte(b',') {
            return self.error();
        }
        Ok(true)
    }

    /// Reads a value's start; scalars are passed whole.
    pub(crate) fn next_value(&mut self) -> Result<JsonValue<'a>, JsonError> {
        match self.skip_space() {
            Some(b'"') => Ok(JsonValue::Text(self.read_string()?)),
            Some(b'{') => {
                self.at += 1;
                Ok(JsonValue::Object)
            }
            Some(b'[') => {
                self.at += 1;
                Ok(JsonValue::Array)
            }
            Some(b't') => self.read_literal("true", JsonValue::Flag(true)),
            Some(b'f') => self.read_literal("false", JsonValue::Flag(false)),
            Some(b'n') => self.read_literal("null", JsonValue::Null),
            Some(b'-' | b'0'..=b'9') => {
                let start = self.at;
                while matches!(self.peek(), Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')) {
                    self.at += 1;
                }
                Ok(JsonValue::Number(&self.line[start..self.at]))
            }
            _ => self.error(),
        }
    }

    fn read_literal(&mut self, word: &str, value: JsonValue<'a>) -> Result<JsonValue<'a>, JsonError> {
        if self.line.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(value);
        }
        let truncated = word.as_bytes().starts_with(&self.line.as_bytes()[self.at..]);
        Err(JsonError { at: self.at, truncated })
    }

    /// Passes the string that starts here.
    #[inline]
    fn read_string(&mut self) -> Result<Raw<'a>, JsonError> {
        let start = self.at + 1;
        match blocks::string_end(self.line.as_bytes(), start) {
            Some(end) => {
                self.at = end + 1;
                Ok(Raw(&self.line[start..end]))
            }
            None => {
                self.at = self.line.len();
                self.error()
            }
        }
    }

    /// Passes a whole value and returns it as it stands.
    pub(crate) fn skip_value(&mut self) -> Result<&'a str, JsonError> {
        let first = self.skip_space();
        let start = self.at;
        match first {
            Some(b'"') => {
                self.read_string()?;
            }
            Some(b'{' | b'[') => {
                self.at += 1;
                self.skip_container()?;
            }
            _ => {
                self.next_value()?;
            }
        }
        Ok(&self.line[start..self.at])
    }

    /// Passes a value; its text if it is a string.
    #[inline]
    pub(crate) fn read_text(&mut self) -> Result<Option<Raw<'a>>, JsonError> {
        if self.skip_space() == Some(b'"') {
            return self.read_string().map(Some);
        }
        self.skip_value().map(|_| None)
    }

    /// Passes the rest of the object or array whose opening bracket has just been passed.
    pub(crate) fn skip_container(&mut self) -> Result<(), JsonError> {
        match blocks::container_end(self.line.as_bytes(), self.at) {
            Some(end) => {
                self.at = end;
                Ok(())
            }
            None => {
                self.at = self.line.len();
                self.error()
            }
        }
    }
}
