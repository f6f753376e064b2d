//! Reading given lines of a transcript back, as they stand, to show as evidence.
//!
//! It owns no meaning: an excerpt is the file's own text. Start at [`read_excerpt`].

use std::fs::{self, File};
use std::path::Path;

use crate::error::TranscriptError;
use crate::event::Event;
use crate::lines::{Body, LineReader};
use crate::scan::{DEFAULT_LINE_CAP, events_of_line};

/// Longest line given back whole, in bytes; of longer ones the head.
pub const MAX_LINE: usize = 64 * 1024;

/// A line of a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// Counted from 1.
    pub line: u64,
    /// As it stands in the file; bytes that are not UTF-8 replaced.
    pub text: String,
    /// Only the head is given.
    pub cut: bool,
    /// What it says, read by itself: without its neighbours a result's call, for one, is not known.
    pub events: Vec<Event>,
}

/// Reads line `line` (counted from 1) with up to `around` lines before and after it.
///
/// # Errors
/// [`TranscriptError::Open`], [`TranscriptError::Read`], and [`TranscriptError::NotAFile`]. A line the file does not have gives nothing.
pub fn read_excerpt(path: &Path, line: u64, around: u64) -> Result<Vec<Excerpt>, TranscriptError> {
    let first = line.saturating_sub(around).max(1);
    let last = line.saturating_add(around);
    read_matching_lines(path, &|number| (first..=last).contains(&number), last)
}

/// Reads the given lines, in file order.
///
/// # Errors
/// As [`read_excerpt`].
pub fn read_lines(path: &Path, wanted: &[u64]) -> Result<Vec<Excerpt>, TranscriptError> {
    let last = wanted.iter().copied().max().unwrap_or(0);
    read_matching_lines(path, &|number| wanted.contains(&number), last)
}

fn read_matching_lines(
    path: &Path,
    wanted: &dyn Fn(u64) -> bool,
    last: u64,
) -> Result<Vec<Excerpt>, TranscriptError> {
    let failed = |source| TranscriptError::Open { path: path.to_owned(), source };
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(TranscriptError::NotAFile { path: path.to_owned() });
    }
    let mut lines = LineReader::new(File::open(path).map_err(failed)?, DEFAULT_LINE_CAP, 0, 0);
    let mut excerpts = Vec::new();
    loop {
        let offset = lines.offset();
        let line = match lines.next_line() {
            Ok(Some(line)) if line.number <= last => line,
            Ok(_) => return Ok(excerpts),
            Err(source) => return Err(TranscriptError::Read { path: path.to_owned(), offset, source }),
        };
        if !wanted(line.number) {
            continue;
        }
        let bytes = match line.body {
            Body::Whole(bytes) | Body::Unended(bytes) => bytes,
            Body::TooLong { .. } => &[],
        };
        let head = &bytes[..bytes.len().min(MAX_LINE)];
        excerpts.push(Excerpt {
            line: line.number,
            text: String::from_utf8_lossy(head).into_owned(),
            cut: line.length > head.len() as u64,
            events: std::str::from_utf8(bytes)
                .map(|text| events_of_line(line.number, text))
                .unwrap_or_default(),
        });
    }
}
