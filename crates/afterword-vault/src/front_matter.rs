//! Finds the front matter of a note and where each property's lines are.
//!
//! `gray_matter` gives the values. It gives no positions, keeps no order and recurses into whatever it is handed, so
//! the same YAML is first walked event by event: that yields each property's place, the line of the first error, and
//! refuses what a note has no use for and an attacker has (deep nesting, aliases that multiply).

use std::collections::HashMap;
use std::ops::Range;

use gray_matter::engine::YAML;
use gray_matter::{Matter, Pod};
use yaml_rust2::parser::{Event, Parser};

use crate::simple_yaml;
use crate::yaml::Value;

/// The most YAML that is read, in bytes: a few hundred times what a note has.
const MAX_BYTES: usize = 256 * 1024;
/// The deepest nesting that is read. Obsidian's properties have none.
const MAX_DEPTH: usize = 16;

/// One property and its place in the note's text.
#[derive(Debug, Clone)]
pub(crate) struct Property {
    pub(crate) name: String,
    /// From the start of its line to the end of its last line with content, line break included.
    pub(crate) span: Range<usize>,
    /// Where its value starts, if the value is a scalar.
    pub(crate) scalar_at: Option<usize>,
}

/// What stands between the fences.
#[derive(Debug, Clone, Default)]
pub(crate) struct FrontMatter {
    /// The YAML, fences excluded.
    pub(crate) yaml: Range<usize>,
    /// The properties in the note's order; empty if the YAML could not be read.
    pub(crate) properties: Vec<Property>,
    pub(crate) values: HashMap<String, Pod>,
}

/// Something about a note that keeps Afterword from using it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Counted from 1.
    pub(crate) line: usize,
    pub(crate) what: String,
}

/// Where the front matter of a note is.
pub(crate) enum Fences {
    /// The text does not start with a `---` line.
    None,
    /// It does, but no second one follows.
    Unclosed,
    /// The YAML between the fences, and where the body starts.
    Found { yaml: Range<usize>, body: usize },
}

/// Finds the fences as Obsidian and `gray_matter` do: `---` lines, the first at the very start (a byte order mark
/// aside), trailing blanks allowed.
pub(crate) fn find_fences(text: &str) -> Fences {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut position = start;
    let mut yaml_start = None;
    for line in text[start..].split_inclusive('\n') {
        let is_fence = line.trim_end() == "---";
        match yaml_start {
            None if is_fence && line.ends_with('\n') => yaml_start = Some(position + line.len()),
            None => return Fences::None,
            Some(yaml_start) if is_fence => {
                return Fences::Found { yaml: yaml_start..position, body: position + line.len() };
            }
            Some(_) => {}
        }
        position += line.len();
    }
    if yaml_start.is_some() { Fences::Unclosed } else { Fences::None }
}

/// Reads the properties of the YAML at `range`.
pub(crate) fn parse_front_matter(text: &str, range: Range<usize>) -> (FrontMatter, Option<Fault>) {
    if range.len() <= MAX_BYTES
        && let Some((properties, values)) = simple_yaml::parse_simple_yaml(&text[range.clone()], range.start)
    {
        return (FrontMatter { yaml: range, properties, values }, None);
    }
    parse_yaml(text, range)
}

/// The same by a YAML parser.
pub(crate) fn parse_yaml(text: &str, range: Range<usize>) -> (FrontMatter, Option<Fault>) {
    let empty = FrontMatter { yaml: range.clone(), ..FrontMatter::default() };
    let yaml = &text[range.clone()];
    let line_offset = text[..range.start].matches('\n').count();
    let fault = |line: usize, what: String| Some(Fault { line: line + line_offset, what });
    if yaml.len() > MAX_BYTES {
        return (empty, fault(1, "the front matter is too long to be one".to_owned()));
    }
    let mut properties = match locate_properties(yaml) {
        Ok(properties) => properties,
        Err((line, what)) => return (empty, fault(line, what)),
    };
    let values = match parse_values(yaml) {
        Ok(values) => values,
        Err(what) => return (empty, fault(1, what)),
    };
    for property in &mut properties {
        property.span = property.span.start + range.start..property.span.end + range.start;
        property.scalar_at = property.scalar_at.map(|at| at + range.start);
    }
    (FrontMatter { yaml: range, properties, values }, None)
}

fn parse_values(yaml: &str) -> Result<HashMap<String, Pod>, String> {
    // Only the front matter goes in: gray_matter copies its input and looks for excerpts in the body.
    let document = format!("---\n{yaml}\n---\n");
    match Matter::<YAML>::new().parse::<Pod>(&document) {
        Ok(parsed) => match parsed.data {
            Some(Pod::Hash(values)) => Ok(values),
            None | Some(Pod::Null) => Ok(HashMap::new()),
            Some(_) => Err("the front matter is not a list of properties".to_owned()),
        },
        Err(error) => Err(error.to_string()),
    }
}

/// Walks the YAML and returns the top-level properties with spans in bytes, or the line and reason of the first fault.
fn locate_properties(yaml: &str) -> Result<Vec<Property>, (usize, String)> {
    let mut walk = PropertyLocator::new(yaml);
    let mut parser = Parser::new_from_str(yaml);
    loop {
        let (event, marker) =
            parser.next_token().map_err(|error| (error.marker().line(), error.info().to_owned()))?;
        if event == Event::StreamEnd {
            return Ok(walk.finish());
        }
        let line = marker.line().max(1);
        walk.event(&event, marker.index()).map_err(|what| (line, what.to_owned()))?;
    }
}

struct PropertyLocator<'a> {
    yaml: &'a str,
    /// Byte position of each character the parser counts, found as its marks advance.
    characters: std::str::CharIndices<'a>,
    seen: (usize, usize),
    depth: usize,
    documents: usize,
    expects_key: bool,
    found: Vec<Property>,
}

impl<'a> PropertyLocator<'a> {
    fn new(yaml: &'a str) -> Self {
        Self {
            yaml,
            characters: yaml.char_indices(),
            seen: (0, 0),
            depth: 0,
            documents: 0,
            expects_key: true,
            found: Vec::new(),
        }
    }

    fn event(&mut self, event: &Event, index: usize) -> Result<(), &'static str> {
        match event {
            Event::DocumentStart => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err("the front matter holds a second document");
                }
            }
            Event::Alias(_) => return Err("aliases are not read in front matter"),
            Event::MappingStart(anchor, _) | Event::SequenceStart(anchor, _) => {
                self.refuse_anchor(*anchor)?;
                if self.depth == 0 && matches!(event, Event::SequenceStart(..)) {
                    return Err("the front matter is not a list of properties");
                }
                if self.depth == 1 && self.expects_key {
                    return Err("a property's name is not a text");
                }
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    return Err("the front matter is nested too deeply");
                }
            }
            Event::MappingEnd | Event::SequenceEnd => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 1 {
                    self.expects_key = true;
                }
            }
            Event::Scalar(text, _, anchor, _) => {
                self.refuse_anchor(*anchor)?;
                match self.depth {
                    // An empty document is a scalar without text.
                    0 if text.is_empty() => {}
                    0 => return Err("the front matter is not a list of properties"),
                    1 if self.expects_key => return self.key(text, index),
                    1 => self.scalar(index),
                    _ => {}
                }
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
        }
        Ok(())
    }

    fn refuse_anchor(&self, anchor: usize) -> Result<(), &'static str> {
        if anchor == 0 { Ok(()) } else { Err("anchors are not read in front matter") }
    }

    fn key(&mut self, name: &str, index: usize) -> Result<(), &'static str> {
        let at = self.byte_of(index);
        if !(at == 0 || self.yaml[..at].ends_with('\n')) {
            return Err("a property does not start its line");
        }
        self.expects_key = false;
        if self.found.iter().any(|property| property.name == name) {
            return Err("a property is there twice");
        }
        self.found.push(Property { name: name.to_owned(), span: at..at, scalar_at: None });
        Ok(())
    }

    fn scalar(&mut self, index: usize) {
        let at = self.byte_of(index);
        self.expects_key = true;
        if let Some(property) = self.found.last_mut() {
            property.scalar_at = Some(at);
        }
    }

    /// The byte position of the parser's character `index`; marks only advance.
    fn byte_of(&mut self, index: usize) -> usize {
        while self.seen.0 < index {
            self.characters.next();
            self.seen = (self.seen.0 + 1, self.characters.offset());
        }
        self.seen.1.min(self.yaml.len())
    }

    /// Gives each property the lines up to the next one, trailing blank and comment lines excluded.
    fn finish(mut self) -> Vec<Property> {
        for position in 0..self.found.len() {
            let start = self.found[position].span.start;
            let end = self.found.get(position + 1).map_or(self.yaml.len(), |next| next.span.start);
            let mut last = start;
            let mut line_end = start;
            for line in self.yaml[start..end].split_inclusive('\n') {
                line_end += line.len();
                // A comment at the margin cannot be part of a value; an indented one may be (block text).
                let is_comment = line.starts_with('#') && last > start;
                if !line.trim().is_empty() && !is_comment {
                    last = line_end;
                }
            }
            self.found[position].span.end = last;
        }
        self.found
    }
}

/// A value as Afterword sees it.
pub(crate) fn value_of(pod: &Pod) -> Value {
    match pod {
        Pod::Null => Value::Empty,
        Pod::String(text) => Value::Text(text.clone()),
        Pod::Integer(number) => Value::Number(*number as f64),
        Pod::Float(number) => Value::Number(*number),
        Pod::Boolean(flag) => Value::Flag(*flag),
        Pod::Hash(_) => Value::Nested,
        Pod::Array(items) => {
            let texts = items.iter().map(|item| match item {
                Pod::String(text) => Some(text.clone()),
                Pod::Integer(number) => Some(number.to_string()),
                Pod::Boolean(flag) => Some(flag.to_string()),
                Pod::Float(number) => Some(number.to_string()),
                Pod::Null | Pod::Array(_) | Pod::Hash(_) => None,
            });
            texts.collect::<Option<Vec<_>>>().map_or(Value::Nested, Value::List)
        }
    }
}
