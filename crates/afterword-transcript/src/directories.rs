//! The working directories that the entries of a transcript name: for who needs to know where before what.

use std::collections::VecDeque;
use std::io::{self, Read};

use crate::entry::Header;
use crate::line_entries::{Piece, read_entries};
use crate::lines::{Body, LineReader};
use crate::scan::DEFAULT_LINE_CAP;

/// Size of one read: as a rule the first entries name a directory, and no more is wanted.
const CHUNK: usize = 16 * 1024;

/// A directory that an entry names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedDirectory {
    /// The line, counted from 1.
    pub line: u64,
    /// The entry is the first thing in its line. In front of another stands what was written before it, maybe elsewhere.
    pub begins_line: bool,
    /// The directory.
    pub directory: String,
}

/// The directories that entries name, in file order: the same entries that a scan sees. What is no entry names none.
pub struct Directories<R> {
    lines: LineReader<R>,
    header: Header,
    /// Named by the line read last and not given yet.
    named: VecDeque<NamedDirectory>,
    passed: u64,
}

impl<R: Read> Directories<R> {
    /// Reads from a transcript's beginning.
    pub fn new(source: R) -> Self {
        let lines = LineReader::new(source, DEFAULT_LINE_CAP, 0, 0).with_chunk_size(CHUNK);
        Self { lines, header: Header::default(), named: VecDeque::new(), passed: 0 }
    }

    /// Lines read so far. What stands behind the last line break counts where it is whole and names a directory.
    pub fn lines_read(&self) -> u64 {
        self.passed
    }

    /// Reads a line; false at the end.
    fn read_line(&mut self) -> io::Result<bool> {
        let Some(line) = self.lines.next_line()? else { return Ok(false) };
        let (mut begins_line, mut is_unfinished) = (true, false);
        read_entries(&line, &mut self.header, |piece| {
            match piece {
                Piece::Entry(entry) if !entry.cwd.is_empty() => self.named.push_back(NamedDirectory {
                    line: line.number,
                    begins_line,
                    directory: entry.cwd.decode().into_owned(),
                }),
                Piece::Entry(_) | Piece::Skipped(..) => {}
                Piece::Unfinished(_) => is_unfinished = true,
            }
            begins_line = false;
        });
        let is_whole = !matches!(line.body, Body::Unended(_) | Body::TooLong { ended: false });
        if is_unfinished || (!is_whole && self.named.is_empty()) {
            self.named.clear();
            return Ok(false);
        }
        self.passed = line.number;
        Ok(true)
    }
}

impl<R: Read> Iterator for Directories<R> {
    type Item = io::Result<NamedDirectory>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(named) = self.named.pop_front() {
                return Some(Ok(named));
            }
            match self.read_line() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directories_in(text: &str) -> (Vec<(u64, String)>, u64) {
        let mut directories = Directories::new(text.as_bytes());
        let found = directories.by_ref().map(|named| named.map(|named| (named.line, named.directory)));
        let found = found.collect::<io::Result<_>>().unwrap();
        (found, directories.lines_read())
    }

    /// What a scan takes as an entry names its directory here, too, in whatever shape it stands in the file.
    #[test]
    fn entries_that_a_scan_sees_name_theirs() {
        let check = |text: &str, expected: &[(u64, &str)]| {
            let expected =
                expected.iter().map(|(line, name)| (*line, (*name).to_owned())).collect::<Vec<_>>();
            assert_eq!(directories_in(text).0, expected, "{text}");
        };
        check("{\"cwd\":\"/a\"}{\"cwd\":\"/b\"}\n", &[(1, "/a"), (1, "/b")]);
        check("{\"type\":\"summary\"} {\"cwd\":\"/b\"}\n", &[(1, "/b")]);
        check("{\"uuid\":\"cut of{\"type\":\"user\",\"uuid\":\"u\",\"cwd\":\"/b\"}\n", &[(1, "/b")]);
        check("{\"cwd\":\"/a\",\"cwd\":\"/b\"}\n", &[(1, "/b")]);
        check("{\"cwd\":\"/a\",\"text\":\"\\ud83d\"}\n", &[(1, "/a")]);
        check("{\"c\\u0077d\":\"/a\"}\n", &[(1, "/a")]);
        check("\u{feff}{\"cwd\":\"/a\"}\n", &[(1, "/a")]);
    }

    #[test]
    fn entry_behind_another_does_not_begin_its_line() {
        let text = "{\"cwd\":\"/a\"}{\"cwd\":\"/b\"}\n{\"type\":\"summary\"}{\"cwd\":\"/c\"}\n";
        let begins = Directories::new(text.as_bytes()).map(|named| named.unwrap().begins_line);
        assert_eq!(begins.collect::<Vec<_>>(), [true, false, false]);
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
