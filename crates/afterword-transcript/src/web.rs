//! What a session fetched from the web: pages and searches that came back well.
//!
//! The shapes are those of the client's own program (2.1.197): `toolUseResult` holds `url`, `code`, `codeText`, `result`,
//! `bytes` and `durationMs` for WebFetch, and `query`, `results` and `durationSeconds` for WebSearch. Everything else is
//! passed over unread. Start at [`web_results`].

use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::Path;

use jiff::Timestamp;
use memchr::memmem::Finder;
use serde::Deserialize;

use crate::entry::{Entry, Header};
use crate::error::TranscriptError;
use crate::line_entries::{Piece, read_entries};
use crate::lines::{Body, LineReader};
use crate::scan::DEFAULT_LINE_CAP;

/// Longest text kept of one page or search, in bytes; longer ones keep their beginning.
pub const MAX_WEB_TEXT: usize = 256 * 1024;

/// A page or a search that a session saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebFetch {
    /// Line in the file, counted from 1 where the reading began at the file's start.
    pub line: u64,
    /// When the client wrote it.
    pub time: Option<Timestamp>,
    /// Where it came from.
    pub source: WebSource,
    /// What it said.
    pub text: String,
}

/// Where a page or a search came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebSource {
    /// A page, answered with a code from 200 to 299.
    Page {
        /// Its address.
        url: String,
    },
    /// A search.
    Search {
        /// What was looked for.
        query: String,
        /// The addresses that came back.
        urls: Vec<String>,
    },
}

#[derive(Deserialize)]
#[serde(untagged)]
enum ToolUseResult {
    Fetch { url: String, code: u16, result: String },
    Search { query: String, results: Vec<SearchPart> },
    Other(serde::de::IgnoredAny),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum SearchPart {
    Hits { content: Vec<SearchHit> },
    Said(String),
    Other(serde::de::IgnoredAny),
}

#[derive(Deserialize)]
struct SearchHit {
    #[serde(default)]
    title: String,
    url: String,
}

/// Gives everything fetched that stands behind the first `from` bytes, in file order; says up to which byte whole lines
/// were read.
///
/// # Errors
/// [`TranscriptError::Open`] and [`TranscriptError::Read`]. Lines that cannot be understood are passed over.
pub fn web_results(path: &Path, from: u64, sink: &mut dyn FnMut(WebFetch)) -> Result<u64, TranscriptError> {
    let mut file =
        File::open(path).map_err(|source| TranscriptError::Open { path: path.to_owned(), source })?;
    let read = |source| TranscriptError::Read { path: path.to_owned(), offset: from, source };
    file.seek(SeekFrom::Start(from)).map_err(read)?;
    let mut lines = LineReader::new(&mut file, DEFAULT_LINE_CAP, from, 0);
    let (finder, mut header) = (WebFinder::new(), Header::default());
    let mut end = from;
    while let Some(line) = lines.next_line().map_err(read)? {
        let Body::Whole(bytes) = line.body else { continue };
        end = line.offset + line.length + 1;
        if !finder.is_likely_in(bytes) {
            continue;
        }
        read_entries(&line, &mut header, |piece| {
            if let Piece::Entry(entry) = piece {
                finder.find(entry, line.number).into_iter().for_each(&mut *sink);
            }
        });
    }
    Ok(end)
}

/// Finds in an entry what was fetched.
pub(crate) struct WebFinder {
    durations: [Finder<'static>; 2],
}

impl WebFinder {
    pub(crate) fn new() -> Self {
        Self { durations: [Finder::new(b"\"durationMs\""), Finder::new(b"\"durationSeconds\"")] }
    }

    fn is_likely_in(&self, bytes: &[u8]) -> bool {
        self.durations.iter().any(|duration| duration.find(bytes).is_some())
    }

    pub(crate) fn find(&self, entry: &Entry<'_>, line: u64) -> Option<WebFetch> {
        let result = entry.result.text();
        if self.is_likely_in(result.as_bytes()) { parse_fetch(result, entry, line) } else { None }
    }
}

fn parse_fetch(result: &str, entry: &Entry<'_>, line: u64) -> Option<WebFetch> {
    let (source, text) = match serde_json::from_str(result).ok()? {
        ToolUseResult::Fetch { url, code, result, .. } if (200..300).contains(&code) => {
            (WebSource::Page { url }, result)
        }
        ToolUseResult::Search { query, results, .. } => parse_search(query, results),
        ToolUseResult::Fetch { .. } | ToolUseResult::Other(_) => return None,
    };
    let text = truncate(text);
    let time = entry.timestamp.decode().parse().ok();
    (!text.trim().is_empty()).then_some(WebFetch { line, time, source, text })
}

fn truncate(mut text: String) -> String {
    let end = (0..=MAX_WEB_TEXT.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    text.truncate(end.unwrap_or(0));
    text
}

fn parse_search(query: String, results: Vec<SearchPart>) -> (WebSource, String) {
    let (mut urls, mut text) = (Vec::new(), String::new());
    for part in results {
        match part {
            SearchPart::Hits { content } => {
                for hit in content {
                    let title = if hit.title.is_empty() { &hit.url } else { &hit.title };
                    text.push_str(&format!("- {title}: {}\n", hit.url));
                    urls.push(hit.url);
                }
            }
            SearchPart::Said(said) => {
                text.push_str(&said);
                text.push('\n');
            }
            SearchPart::Other(_) => {}
        }
    }
    (WebSource::Search { query, urls }, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str], from: u64) -> (Vec<WebFetch>, u64) {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("one.jsonl");
        std::fs::write(&path, lines.join("\n") + "\n").unwrap();
        let mut found = Vec::new();
        let end = web_results(&path, from, &mut |one| found.push(one)).unwrap();
        (found, end)
    }

    const PAGE: &str = r#"{"type":"user","timestamp":"2026-03-01T10:00:00.000Z","toolUseResult":{"bytes":9,"code":200,"codeText":"OK","result":"The page.","durationMs":12.5,"url":"https://a.example/x"}}"#;

    #[test]
    fn pages_and_searches_that_came_back_well() {
        let missing = PAGE.replace("200", "404");
        let search = r#"{"type":"user","toolUseResult":{"query":"rust notify","results":[{"tool_use_id":"t","content":[{"title":"notify","url":"https://docs.rs/notify"}]},"It watches files."],"durationSeconds":1.5,"searchCount":1}}"#;
        let bash =
            r#"{"type":"user","toolUseResult":{"stdout":"\"durationMs\"","stderr":"","interrupted":false}}"#;
        let (found, _) = read(&[PAGE, &missing, bash, "{\"toolUseResult\" broken \"durationMs\"", search], 0);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].source, WebSource::Page { url: "https://a.example/x".into() });
        assert_eq!((found[0].line, found[0].text.as_str()), (1, "The page."));
        let urls = vec!["https://docs.rs/notify".to_owned()];
        assert_eq!(found[1].source, WebSource::Search { query: "rust notify".into(), urls });
        assert_eq!(found[1].text, "- notify: https://docs.rs/notify\nIt watches files.\n");
    }

    #[test]
    fn what_stands_behind_another_entry_in_its_line_is_found() {
        let (found, _) = read(&[&format!("{{\"type\":\"summary\"}}{PAGE}{PAGE}")], 0);
        assert_eq!(found.iter().map(|one| one.line).collect::<Vec<_>>(), [1, 1]);
    }

    #[test]
    fn what_was_read_is_not_given_again() {
        let line = PAGE.len() as u64 + 1;
        let (found, end) = read(&[PAGE, PAGE], line);
        assert_eq!((found.len(), end), (1, 2 * line));
        let (found, _) = read(&[PAGE, PAGE], end);
        assert_eq!(found, []);
    }
}
