//! The working directories that the lines of a transcript name: for who needs to know where before what.

use std::io::{self, Read};

use memchr::memmem::Finder;
use serde::Deserialize;

use crate::lines::{Body, LineReader};
use crate::scan::DEFAULT_LINE_CAP;

/// Size of one read: as a rule the first entries name a directory, and no more is wanted.
const CHUNK: usize = 16 * 1024;

#[derive(Deserialize)]
struct Entry {
    cwd: Option<String>,
}

/// The directories that lines name, in file order, each with its line's number, counted from 1. A line that cannot be understood
/// names none.
pub struct Directories<R> {
    lines: LineReader<R>,
    key: Finder<'static>,
    passed: u64,
}

impl<R: Read> Directories<R> {
    /// Reads from a transcript's beginning.
    pub fn new(source: R) -> Self {
        let lines = LineReader::new(source, DEFAULT_LINE_CAP, 0, 0).with_chunk_size(CHUNK);
        Self { lines, key: Finder::new(b"\"cwd\""), passed: 0 }
    }

    /// Lines read so far. What stands behind the last line break counts where it is a whole entry that names a directory.
    pub fn lines_read(&self) -> u64 {
        self.passed
    }
}

impl<R: Read> Iterator for Directories<R> {
    type Item = io::Result<(u64, String)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = match self.lines.next_line().transpose()? {
                Ok(line) => line,
                Err(error) => return Some(Err(error)),
            };
            let (bytes, is_whole) = match line.body {
                Body::Whole(bytes) => (bytes, true),
                Body::Unended(bytes) => (bytes, false),
                Body::TooLong { ended } => (&[][..], ended),
            };
            let entry = self.key.find(bytes).and_then(|_| serde_json::from_slice::<Entry>(bytes).ok());
            if !is_whole && entry.is_none() {
                return None;
            }
            self.passed = line.number;
            let named = entry.and_then(|entry| entry.cwd).filter(|cwd| !cwd.is_empty());
            if let Some(directory) = named {
                return Some(Ok((line.number, directory)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directories_in(text: &str) -> (Vec<(u64, String)>, u64) {
        let mut directories = Directories::new(text.as_bytes());
        let found = directories.by_ref().collect::<io::Result<_>>().unwrap();
        (found, directories.lines_read())
    }

    #[test]
    fn each_is_given_with_its_line_and_broken_lines_name_none() {
        let text = "{\"type\":\"summary\"}\n{\"cwd\" broken\n{\"cwd\":\"/a\"}\n{\"message\":{\"cwd\":\"/deep\"}}\n{\"cwd\":\"\"}\n";
        assert_eq!(directories_in(text), (vec![(3, "/a".to_owned())], 5));
    }

    #[test]
    fn line_that_is_still_written_is_not_passed() {
        let whole = "{\"cwd\":\"/a\"}\n";
        assert_eq!(directories_in(&format!("{whole}{{\"cwd\":\"/b")), (vec![(1, "/a".to_owned())], 1));
        assert_eq!(directories_in(&format!("{whole}{{\"cwd\":\"/b\"}}")).1, 2);
    }
}
