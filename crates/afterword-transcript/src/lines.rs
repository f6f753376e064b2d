//! Splits a stream into lines with bounded memory.
//!
//! It owns the buffer and the counting of lines and bytes; it knows nothing of JSON. A line is handed out as it
//! stands in the buffer, without its line break. One over the cap is passed without being held. Start at [`LineReader`].

use std::io::{self, Read};

/// Size of one read. Large enough that system calls do not show, small enough to stay in the processor's cache.
const CHUNK: usize = 128 * 1024;

/// A piece of the stream.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line<'b> {
    /// Counted from 1.
    pub(crate) number: u64,
    /// Byte offset of its start in the file.
    pub(crate) offset: u64,
    /// Its length in the file without the line break.
    pub(crate) length: u64,
    pub(crate) body: Body<'b>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Body<'b> {
    /// A whole line.
    Whole(&'b [u8]),
    /// What stands after the last line break: a whole line without a break, or one still being written.
    Unended(&'b [u8]),
    /// Longer than the cap; its bytes were not kept. `ended` says whether its line break was seen.
    TooLong { ended: bool },
}

/// Reads lines from a stream.
pub(crate) struct LineReader<R> {
    source: R,
    buffer: Vec<u8>,
    /// What is in the buffer and not handed out.
    start: usize,
    end: usize,
    cap: usize,
    /// Size of one read.
    chunk: usize,
    number: u64,
    offset: u64,
    finished: bool,
}

impl<R: Read> LineReader<R> {
    /// Reads from a stream that stands at byte `offset`, `breaks` line breaks into its file.
    pub(crate) fn new(source: R, cap: usize, offset: u64, breaks: u64) -> Self {
        let cap = cap.max(1);
        Self {
            source,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            cap,
            chunk: CHUNK,
            number: breaks,
            offset,
            finished: false,
        }
    }

    /// The same, read in pieces of this size.
    pub(crate) fn with_chunk_size(self, bytes: usize) -> Self {
        Self { chunk: bytes, ..self }
    }

    /// Bytes of the file passed so far.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// The next line; `None` at the end.
    pub(crate) fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        let mut searched = 0;
        loop {
            let held = &self.buffer[self.start..self.end];
            if let Some(found) = memchr::memchr(b'\n', &held[searched..]) {
                let length = searched + found;
                let from = self.start;
                self.start += length + 1;
                return Ok(Some(self.take_line(from, length, true)));
            }
            searched = held.len();
            if searched > self.cap {
                return self.skip_long_line().map(Some);
            }
            if !self.finished && self.fill_buffer()? {
                continue;
            }
            if searched == 0 {
                return Ok(None);
            }
            let from = self.start;
            self.start = self.end;
            return Ok(Some(self.take_line(from, searched, false)));
        }
    }

    fn take_line(&mut self, from: usize, length: usize, ended: bool) -> Line<'_> {
        let offset = self.offset;
        self.offset += length as u64 + u64::from(ended);
        self.number += 1;
        let bytes = &self.buffer[from..from + length];
        let body = match (length > self.cap, ended) {
            (true, _) => Body::TooLong { ended },
            (false, true) => Body::Whole(bytes),
            (false, false) => Body::Unended(bytes),
        };
        Line { number: self.number, offset, length: length as u64, body }
    }

    /// Reads more behind what is held; false at the end of the stream.
    fn fill_buffer(&mut self) -> io::Result<bool> {
        if self.start > 0 && (self.start == self.end || self.end + self.chunk > self.buffer.len()) {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.end + self.chunk > self.buffer.len() {
            // Doubling keeps the copying of a line that grows over many reads linear.
            self.buffer.resize((self.end * 2).max(self.end + self.chunk).max(2 * self.chunk), 0);
        } else if self.start == self.end && self.buffer.len() > 16 * self.chunk {
            // A giant line has passed; its memory goes with it.
            self.buffer = vec![0; 2 * self.chunk];
            (self.start, self.end) = (0, 0);
        }
        let count = self.read_some()?;
        self.finished = count == 0;
        self.end += count;
        Ok(count > 0)
    }

    fn read_some(&mut self) -> io::Result<usize> {
        loop {
            let room = (self.end + self.chunk).min(self.buffer.len());
            match self.source.read(&mut self.buffer[self.end..room]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => return other,
            }
        }
    }

    /// Passes the rest of a line that is over the cap.
    fn skip_long_line(&mut self) -> io::Result<Line<'_>> {
        let offset = self.offset;
        let mut length = 0_u64;
        let ended = loop {
            let held = &self.buffer[self.start..self.end];
            if let Some(found) = memchr::memchr(b'\n', held) {
                length += found as u64;
                self.start += found + 1;
                break true;
            }
            length += held.len() as u64;
            (self.start, self.end) = (0, 0);
            let count = self.read_some()?;
            self.end = count;
            if count == 0 {
                self.finished = true;
                break false;
            }
        };
        self.offset += length + u64::from(ended);
        self.number += 1;
        Ok(Line { number: self.number, offset, length, body: Body::TooLong { ended } })
    }
}
