//! A note's text, read without losing a byte and changed only where a change was asked for.
//!
//! [`Note::parse`] never fails: what cannot be read is in [`Note::front_matter_error`], and such a note is never written to.
//! [`Note::print`] gives back exactly what was parsed: byte order mark, line endings, order, comments and unknown
//! properties included. Changes replace the lines of one property, or the text between generated markers, and are
//! checked by reading the result before they count.

use std::ops::Range;

use gray_matter::Pod;

use crate::block::{self, Block};
use crate::error::EditError;
use crate::front_matter::{self, Fences, FrontMatter, Property};
pub use crate::yaml::Value;

/// What is wrong with a note's front matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontMatterError {
    /// The line in the file, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
}

/// A markdown note.
#[derive(Debug, Clone)]
pub struct Note {
    text: String,
    front_matter: Option<FrontMatter>,
    body: usize,
    fault: Option<FrontMatterError>,
}

impl Note {
    /// Reads a note. Never fails; see [`Note::front_matter_error`].
    pub fn parse(text: String) -> Self {
        match front_matter::find_fences(&text) {
            Fences::None => Self { body: 0, front_matter: None, fault: None, text },
            Fences::Unclosed => {
                let fault = FrontMatterError { line: 1, what: "the front matter is never closed".to_owned() };
                Self { body: text.len(), front_matter: None, fault: Some(fault), text }
            }
            Fences::Found { yaml, body } => {
                let (front_matter, fault) = front_matter::parse_front_matter(&text, yaml);
                let fault = fault.map(|fault| FrontMatterError { line: fault.line, what: fault.what });
                Self { body, front_matter: Some(front_matter), fault, text }
            }
        }
    }

    /// The note's whole text, byte for byte what was parsed where nothing was changed.
    pub fn print(&self) -> &str {
        &self.text
    }

    /// What keeps the front matter from being read; such a note cannot be changed.
    pub fn front_matter_error(&self) -> Option<&FrontMatterError> {
        self.fault.as_ref()
    }

    /// What follows the front matter; the whole text where there is none.
    pub fn body(&self) -> &str {
        &self.text[self.body..]
    }

    /// The names of the properties in the note's order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.front_matter
            .iter()
            .flat_map(|front| front.properties.iter().map(|property| property.name.as_str()))
    }

    /// A property's value; `None` where the note does not have the property.
    pub fn value(&self, name: &str) -> Option<Value> {
        self.raw_value(name).map(front_matter::value_of)
    }

    /// A property's text; `None` where it is missing, empty or of another type.
    pub fn text_of(&self, name: &str) -> Option<&str> {
        match self.raw_value(name) {
            Some(Pod::String(text)) if !text.is_empty() => Some(text),
            _ => None,
        }
    }

    /// A property's list; a single text counts as a list of one.
    pub fn list_of(&self, name: &str) -> Vec<String> {
        match self.value(name) {
            Some(Value::List(items)) => items,
            Some(Value::Text(text)) if !text.is_empty() => vec![text],
            _ => Vec::new(),
        }
    }

    /// The line break the note uses: that of its first line.
    pub fn newline(&self) -> &'static str {
        newline_of(&self.text)
    }

    /// Sets a property, or adds it as the last one. Only the lines of that property change; a comment behind a value
    /// stays.
    pub fn set(&mut self, name: &str, value: &Value) -> Result<(), EditError> {
        let refused = |reason| EditError { property: name.to_owned(), reason };
        let front = self.readable_front_matter(name)?;
        if front.values.get(name).is_some_and(|pod| reads_as(pod, value)) {
            return Ok(());
        }
        if !name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') || name.is_empty() {
            return Err(refused("not a name Afterword writes"));
        }
        let newline = newline_of(&self.text);
        let (span, lines) = match front.properties.iter().find(|property| property.name == name) {
            Some(property) => {
                let comment =
                    self.comment_behind(property).ok_or_else(|| refused("its value has comments inside"))?;
                let mut lines = value.render_property(name, newline);
                if !comment.is_empty() {
                    let first = lines.find(newline).unwrap_or(lines.len());
                    lines.insert_str(first, comment);
                }
                (property.span.clone(), lines)
            }
            None => {
                let end = front.yaml.end;
                (end..end, value.render_property(name, newline))
            }
        };
        self.replace_checked(name, span, &lines, value)
    }

    /// Adds items to a property that is a list, behind the ones it has, in the form the list already has.
    pub fn append(&mut self, name: &str, items: &[String]) -> Result<(), EditError> {
        let refused = |reason| EditError { property: name.to_owned(), reason };
        let front = self.readable_front_matter(name)?;
        let mut all = match front.values.get(name).map(front_matter::value_of) {
            None | Some(Value::Empty) => Vec::new(),
            Some(Value::List(items)) => items,
            Some(Value::Text(text)) => vec![text],
            Some(_) => return Err(refused("not a list of texts")),
        };
        all.extend_from_slice(items);
        let property = front.properties.iter().find(|property| property.name == name);
        let Some((property, indent)) =
            property.and_then(|property| Some((property, self.list_indent(property)?)))
        else {
            return self.set(name, &Value::List(all));
        };
        let newline = newline_of(&self.text);
        let lines: String = items
            .iter()
            .map(|item| format!("{indent}- {}{newline}", crate::yaml::render_scalar(item)))
            .collect();
        let end = property.span.end;
        self.replace_checked(name, end..end, &lines, &Value::List(all))
    }

    /// A generated block of the body.
    pub fn block(&self, name: &str) -> Block<'_> {
        block::find(self.body(), name)
    }

    /// Replaces what stands inside a generated block and writes its new hash into the marker. Returns whether it
    /// did: not if the block is missing, damaged or edited by a person.
    pub fn set_block(&mut self, name: &str, content: &str) -> bool {
        let Block::Intact { span, .. } = self.block(name) else { return false };
        self.write_block(span, name, content);
        true
    }

    /// As [`Note::set_block`], for a block that a person edited: what is proposed to them instead.
    pub(crate) fn set_edited_block(&mut self, name: &str, content: &str) -> bool {
        let Block::Edited { span, .. } = self.block(name) else { return false };
        self.write_block(span, name, content);
        true
    }

    fn write_block(&mut self, span: Range<usize>, name: &str, content: &str) {
        let lines = block::render(name, content, self.newline());
        let span = span.start + self.body..span.end + self.body;
        self.text.replace_range(span, lines.trim_end());
    }

    /// The lesson itself: the body up to the heading over the evidence, without blank lines around it.
    pub fn lesson_text(&self) -> &str {
        let body = self.body();
        body[..evidence_heading_start(body)].trim()
    }

    /// What stands below that heading; empty where there is none.
    pub fn evidence(&self) -> &str {
        let body = self.body();
        let own = &body[evidence_heading_start(body)..];
        own.strip_prefix(HEADING).unwrap_or(own)
    }

    /// Puts other words in the place of [`Note::lesson_text`]; evidence and properties stay.
    pub(crate) fn set_lesson_text(&mut self, words: &str) {
        let newline = self.newline();
        let lines = words.trim().lines().collect::<Vec<_>>().join(newline);
        let end = evidence_heading_start(self.body());
        let gap = if self.body().len() > end { newline } else { "" };
        let lines = format!("{newline}{lines}{newline}{gap}");
        self.text.replace_range(self.body..self.body + end, &lines);
    }

    /// Inserts lines into the body; all else stays.
    pub(crate) fn insert_in_body(&mut self, at: usize, lines: &str) {
        self.text.insert_str(self.body + at, lines);
    }

    /// Replaces a part of the body; all else stays.
    pub(crate) fn replace_in_body(&mut self, span: Range<usize>, text: &str) {
        self.text.replace_range(span.start + self.body..span.end + self.body, text);
    }

    fn raw_value(&self, name: &str) -> Option<&Pod> {
        self.front_matter.as_ref()?.values.get(name)
    }

    fn readable_front_matter(&self, name: &str) -> Result<&FrontMatter, EditError> {
        match (&self.front_matter, &self.fault) {
            (Some(front), None) => Ok(front),
            _ => Err(EditError { property: name.to_owned(), reason: "the front matter cannot be read" }),
        }
    }

    /// The comment behind a one-line value, with the blanks before it; `None` where comments stand among the lines of
    /// a longer value and would be lost.
    fn comment_behind(&self, property: &Property) -> Option<&str> {
        let lines = self.text[property.span.clone()].trim_end_matches(['\n', '\r']);
        if lines.contains('\n') {
            let has_comment = lines.contains(" #") || lines.contains("\n#") || lines.contains("\t#");
            return (!has_comment).then_some("");
        }
        let line_end = property.span.start + lines.len();
        // An empty value is reported where the next thing starts.
        let after_colon = property.span.start + lines.find(':').map_or(0, |colon| colon + 1);
        let from =
            property.scalar_at.filter(|at| (after_colon..line_end).contains(at)).unwrap_or(after_colon);
        let rest = self.text.get(from..line_end)?;
        let after_value = match rest.chars().next() {
            Some('"') => quoted_length(rest, '"'),
            Some('\'') => quoted_length(rest, '\''),
            _ => 0,
        };
        let comment = rest[after_value..].find(" #").or_else(|| rest[after_value..].find("\t#"));
        let Some(comment) = comment.map(|at| at + after_value) else { return Some("") };
        let blanks = rest[..comment].trim_end().len();
        Some(&rest[blanks..])
    }

    /// The indentation of a list written one item a line; `None` for other forms.
    fn list_indent(&self, property: &Property) -> Option<&str> {
        let lines = &self.text[property.span.clone()];
        if !lines.ends_with('\n') {
            return None;
        }
        let last = lines.lines().skip(1).last()?;
        let indent = &last[..last.len() - last.trim_start_matches(' ').len()];
        last[indent.len()..].starts_with("- ").then_some(indent)
    }

    /// Puts `lines` at `span` and keeps the result only if it reads as intended and nothing else changed.
    fn replace_checked(
        &mut self,
        name: &str,
        span: Range<usize>,
        lines: &str,
        value: &Value,
    ) -> Result<(), EditError> {
        let refused = |reason| EditError { property: name.to_owned(), reason };
        let mut text = self.text.clone();
        text.replace_range(span, lines);
        let changed = Self::parse(text);
        let (Some(before), Some(after)) = (&self.front_matter, &changed.front_matter) else {
            return Err(refused("the front matter would not be read any more"));
        };
        if changed.fault.is_some() || changed.body() != self.body() {
            return Err(refused("the front matter would not be read any more"));
        }
        let others_stand =
            before.values.iter().all(|(key, pod)| key == name || after.values.get(key) == Some(pod));
        let none_appeared = after.values.keys().all(|key| key == name || before.values.contains_key(key));
        let as_intended = after.values.get(name).is_some_and(|pod| reads_as(pod, value));
        if !(others_stand && none_appeared && as_intended) {
            return Err(refused("other properties would change with it"));
        }
        *self = changed;
        Ok(())
    }
}

fn reads_as(pod: &Pod, value: &Value) -> bool {
    match (pod, value) {
        (Pod::String(text), Value::Date(date)) => *text == date.to_string(),
        _ => front_matter::value_of(pod) == *value,
    }
}

fn quoted_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' if quote == '"' => escaped = true,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// The heading over the evidence.
pub(crate) const HEADING: &str = "## Evidence";

/// Where the heading over the evidence starts in a body; its end where there is none. The heading is the last one above
/// the generated block, so that a person may use the same heading among their own words.
fn evidence_heading_start(body: &str) -> usize {
    let block = body.find("%% afterword:begin evidence").unwrap_or(body.len());
    let above = &body[..block];
    let heading = above.match_indices(HEADING).map(|(at, _)| at);
    let heading = heading.filter(|at| *at == 0 || above[..*at].ends_with('\n')).last();
    heading.unwrap_or(if block < body.len() { block } else { body.len() })
}

/// The line break of a text: that of its first line, `\n` where it has none.
pub(crate) fn newline_of(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heading_of_a_person_is_among_their_words() {
        let note = Note::parse(
            "---\nstatus: active\n---\nMine.\n\n## Evidence\n\nOf my own.\n\n## Evidence\n\n\
             %% afterword:begin evidence %%\nfound\n%% afterword:end evidence %%\n"
                .to_owned(),
        );
        assert_eq!(note.lesson_text(), "Mine.\n\n## Evidence\n\nOf my own.");
        assert_eq!(note.evidence().trim().lines().nth(1), Some("found"));
        assert_eq!(Note::parse("Only words.\n".to_owned()).evidence(), "");
    }

    #[test]
    fn a_change_in_the_wrong_place_is_taken_back() {
        let text = "---\nstatus: inbox\ntags: [a]\n---\nbody\n";
        let value = Value::Text("active".to_owned());
        // Over the next property's line, into the body, with a property beside it, and with another value.
        for (span, lines) in [
            (4..28, "status: active\n"),
            (4..32, "status: active\n"),
            (4..18, "status: active\nx: 1\n"),
            (4..18, "status: no\n"),
        ] {
            let mut note = Note::parse(text.to_owned());
            assert!(note.replace_checked("status", span, lines, &value).is_err(), "{lines}");
            assert_eq!(note.print(), text);
        }
    }
}
