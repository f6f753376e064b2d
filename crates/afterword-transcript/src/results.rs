//! Reading back what a tool answered, for a person who asks for it: events only say how a call went.
//!
//! Start at [`read_tool_result`].

use std::fs::{self, File};
use std::path::Path;

use memchr::memmem::Finder;

use crate::entry::{Block, Content, Entry, Header};
use crate::error::TranscriptError;
use crate::line_entries::{Piece, read_entries};
use crate::lines::{Body, LineReader};
use crate::scan::DEFAULT_LINE_CAP;

/// An answer stands within so many lines of its call: other calls ran beside it, but not that many.
const MAX_LINES_TO_RESULT: u64 = 20_000;

/// What a tool answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolResult {
    /// Its line, counted from 1.
    pub line: u64,
    /// Its text, whole: secrets are looked for before anything is cut.
    pub text: String,
    /// It says that it failed.
    pub is_error: bool,
}

/// Finds the answer to a call that stands in line `from`; `None` where there is none.
///
/// # Errors
/// [`TranscriptError::Open`], [`TranscriptError::Read`], and [`TranscriptError::NotAFile`].
pub fn read_tool_result(path: &Path, call: &str, from: u64) -> Result<Option<ToolResult>, TranscriptError> {
    let failed = |source| TranscriptError::Open { path: path.to_owned(), source };
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(TranscriptError::NotAFile { path: path.to_owned() });
    }
    let names_call = Finder::new(call.as_bytes());
    let mut lines = LineReader::new(File::open(path).map_err(failed)?, DEFAULT_LINE_CAP, 0, 0);
    loop {
        let offset = lines.offset();
        let line = match lines.next_line() {
            Ok(Some(line)) if line.number <= from.saturating_add(MAX_LINES_TO_RESULT) => line,
            Ok(_) => return Ok(None),
            Err(source) => return Err(TranscriptError::Read { path: path.to_owned(), offset, source }),
        };
        let bytes = match line.body {
            Body::Whole(bytes) | Body::Unended(bytes) if line.number >= from => bytes,
            _ => continue,
        };
        if call.is_empty() || names_call.find(bytes).is_none() {
            continue;
        }
        let mut found = None;
        read_entries(&line, &mut Header::default(), |piece| {
            if let (Piece::Entry(entry), None) = (piece, &found) {
                found = result_of_entry(entry, call, line.number);
            }
        });
        if found.is_some() {
            return Ok(found);
        }
    }
}

fn result_of_entry(entry: &Entry<'_>, call: &str, line: u64) -> Option<ToolResult> {
    let Content::Blocks(blocks) = &entry.message.as_ref()?.content else { return None };
    blocks.iter().find_map(|block| match block {
        Block::ToolResult { call: answered, is_error, content } if answered.equals(call) => {
            Some(ToolResult { line, text: content_text(content), is_error: *is_error })
        }
        _ => None,
    })
}

fn content_text(content: &Content<'_>) -> String {
    match content {
        Content::Missing => String::new(),
        Content::Text(text) => text.decode().into_owned(),
        Content::Blocks(blocks) => blocks.iter().map(part_text).collect::<Vec<_>>().join("\n"),
    }
}

fn part_text(part: &Block<'_>) -> String {
    let kind = match part {
        Block::Text(text) => return text.decode().into_owned(),
        Block::Media(kind) | Block::Other(kind) => &*kind.decode(),
        Block::Thinking => "thinking",
        Block::ToolUse { .. } => "tool_use",
        Block::ToolResult { .. } => "tool_result",
    };
    format!("[{}]", if kind.is_empty() { "something else" } else { kind })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answer_of_a_call_is_found_behind_others() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("one.jsonl");
        let line = |call: &str, content: &str| {
            format!(
                "{{\"type\":\"user\",\"message\":{{\"content\":[{{\"type\":\"tool_result\",\"tool_use_id\":\"{call}\",\"content\":{content}}}]}}}}\n"
            )
        };
        let text = [
            "{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"tool_use\",\"id\":\"toolu_2\"}]}}\n".to_owned(),
            "broken toolu_2\n".to_owned(),
            line("toolu_1", "\"of another\""),
            line("toolu_2", "[{\"type\":\"text\",\"text\":\"two\"},{\"type\":\"image\"}]"),
            format!("{{\"type\":\"summary\"}}{}", line("toolu_4", "\"of the second entry\"")),
        ];
        fs::write(&path, text.concat()).unwrap();
        let check = |call: &str, from, expected: Option<(u64, &str)>| {
            let found = read_tool_result(&path, call, from).unwrap();
            assert_eq!(found.as_ref().map(|found| (found.line, found.text.as_str())), expected, "{call}");
        };
        check("toolu_2", 1, Some((4, "two\n[image]")));
        check("toolu_4", 1, Some((5, "of the second entry")));
        check("toolu_1", 1, Some((3, "of another")));
        check("toolu_1", 4, None);
        check("toolu_3", 1, None);
        check("", 1, None);
    }
}
