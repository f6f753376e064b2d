//! A JSON file of another program, changed in place: what is not ours keeps its bytes.

use std::path::{Path, PathBuf};

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstNode, CstObject, CstRootNode};

use crate::ClaudeCodeError;

/// Some editors put it first, and it has to stay.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Strict JSON, as Claude Code reads it.
const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_extended_string_escapes: false,
    allow_non_finite_numbers: false,
};

/// One parsed file.
pub(super) struct Document {
    path: PathBuf,
    marked: bool,
    root: CstRootNode,
}

impl Document {
    /// Parses the file's text; a file that is not there, or has nothing but JSON's own white space, counts as an empty
    /// object.
    pub(super) fn parse(path: &Path, text: Option<&str>) -> Result<Self, ClaudeCodeError> {
        let text = text.unwrap_or("{}\n");
        let (marked, text) = match text.strip_prefix(BYTE_ORDER_MARK) {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let refuse =
            |line, problem: String| ClaudeCodeError::ForeignSettings { path: path.to_owned(), line, problem };
        if !text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')) {
            // Also bounds how deep it is nested, and its messages are the clearer ones.
            let value: serde_json::Value = serde_json::from_str(text)
                .map_err(|error| refuse(error.line(), format!("not valid JSON: {error}")))?;
            if !value.is_object() {
                return Err(refuse(1, "not a JSON object".to_owned()));
            }
        }
        let root = CstRootNode::parse(text, &STRICT)
            .map_err(|error| refuse(error.line_display(), format!("not valid JSON: {}", error.kind())))?;
        Ok(Self { path: path.to_owned(), marked, root })
    }

    /// The outermost object.
    pub(super) fn object(&self) -> CstObject {
        self.root.object_value_or_set()
    }

    /// The object called `name` in `parent`, if there is one.
    pub(super) fn object_in(
        &self,
        parent: &CstObject,
        name: &str,
    ) -> Result<Option<CstObject>, ClaudeCodeError> {
        let Some(node) = self.value_in(parent, name)? else { return Ok(None) };
        node.as_object().map(Some).ok_or_else(|| self.unexpected(name, "an object"))
    }

    /// The object called `name` in `parent`, made where there is none.
    pub(super) fn ensure_object(&self, parent: &CstObject, name: &str) -> Result<CstObject, ClaudeCodeError> {
        Ok(match self.object_in(parent, name)? {
            Some(object) => object,
            None => parent.object_value_or_set(name),
        })
    }

    /// The list called `name` in `parent`, if there is one.
    pub(super) fn list_in(
        &self,
        parent: &CstObject,
        name: &str,
    ) -> Result<Option<CstArray>, ClaudeCodeError> {
        let Some(node) = self.value_in(parent, name)? else { return Ok(None) };
        node.as_array().map(Some).ok_or_else(|| self.unexpected(name, "a list"))
    }

    /// The text called `name` in `parent`; `None` for anything else.
    pub(super) fn text_in(parent: &CstObject, name: &str) -> Option<String> {
        parent.get(name)?.value()?.as_string_lit()?.decoded_value().ok()
    }

    /// The file's text as it is now.
    pub(super) fn to_text(&self) -> String {
        let text = self.root.to_string();
        if self.marked { format!("{BYTE_ORDER_MARK}{text}") } else { text }
    }

    /// A name that stands twice is refused: programs disagree about which one counts.
    fn value_in(&self, parent: &CstObject, name: &str) -> Result<Option<CstNode>, ClaudeCodeError> {
        let mut found = parent
            .properties()
            .into_iter()
            .filter(|property| property.decoded_name().as_deref() == Some(name));
        let first = found.next();
        if found.next().is_some() {
            return Err(self.refuse(name, format!("`{name}` stands in it twice")));
        }
        Ok(first.and_then(|property| property.value()))
    }

    fn unexpected(&self, name: &str, wanted: &str) -> ClaudeCodeError {
        self.refuse(name, format!("`{name}` is not {wanted}"))
    }

    /// With the line where `name` stands first.
    fn refuse(&self, name: &str, problem: String) -> ClaudeCodeError {
        let text = self.root.to_string();
        let at = text.find(&format!("\"{name}\"")).unwrap_or(0);
        let line = 1 + text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count();
        ClaudeCodeError::ForeignSettings { path: self.path.clone(), line, problem }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_json_calls_blank_is_an_empty_file() {
        let parse = |text: &str| Document::parse(Path::new("settings.json"), Some(text));
        for blank in ["", " \r\n\t", "\u{feff}\n"] {
            let document = parse(blank).unwrap();
            document.ensure_object(&document.object(), "hooks").unwrap();
            let text = document.to_text();
            let json: serde_json::Value =
                serde_json::from_str(text.trim_start_matches(BYTE_ORDER_MARK)).unwrap();
            assert!(json["hooks"].is_object(), "{text:?}");
        }
        for other in ["\u{b}", "\u{a0}", "\u{2028}\n", "\u{feff}\u{feff}"] {
            assert!(matches!(parse(other), Err(ClaudeCodeError::ForeignSettings { .. })), "{other:?}");
        }
    }
}
