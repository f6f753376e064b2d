//! Durable marks: how far a transcript has been read, and whether it is still the same file.
//!
//! A mark is small, serialisable, and needs nothing of the file kept. It stands before anything that was not
//! read whole, so that reading on from it loses nothing. Start at [`Mark`].

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Bytes at the start of a file that tell it from another one: the first entry's ids and time are in them.
const HEAD: u64 = 1024;
/// Bytes right before the mark that must still be there; they hold the last entry's uuid and time.
const TAIL: u64 = 256;

/// How far a transcript has been read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Byte offset to read on from.
    pub offset: u64,
    /// Line breaks before the offset.
    pub breaks: u64,
    /// FNV-1a of the first bytes (1024, or fewer where the offset is lower).
    pub head: u64,
    /// FNV-1a of the 256 bytes before the offset, or fewer.
    pub tail: u64,
    /// The file's size when the mark was made.
    pub size: u64,
    /// The file's modification time when the mark was made.
    pub modified: Option<Timestamp>,
}

impl Mark {
    /// Makes a mark for an open file; moves the file's position.
    pub(crate) fn create(file: &mut File, offset: u64, breaks: u64, metadata: &Metadata) -> io::Result<Self> {
        let head = fingerprint(file, 0, HEAD.min(offset))?;
        let tail = fingerprint(file, offset.saturating_sub(TAIL), TAIL.min(offset))?;
        Ok(Self { offset, breaks, head, tail, size: metadata.len(), modified: modified(metadata) })
    }

    /// Whether a file's size and time say that nothing was written since (as the directory has them).
    pub fn matches(&self, size: u64, modified: Option<Timestamp>) -> bool {
        self.size == size && self.modified.is_some() && self.modified == modified
    }

    /// [`Mark::matches`] with what the system says now.
    pub(crate) fn is_current(&self, metadata: &Metadata) -> bool {
        self.matches(metadata.len(), modified(metadata))
    }

    /// Whether what was read is still what the file begins with; moves the file's position.
    pub(crate) fn is_prefix_of(&self, file: &mut File, metadata: &Metadata) -> io::Result<bool> {
        Ok(metadata.len() >= self.offset
            && fingerprint(file, 0, HEAD.min(self.offset))? == self.head
            && fingerprint(file, self.offset.saturating_sub(TAIL), TAIL.min(self.offset))? == self.tail)
    }
}

/// A file's modification time, where the system and its calendar have one.
fn modified(metadata: &Metadata) -> Option<Timestamp> {
    Timestamp::try_from(metadata.modified().ok()?).ok()
}

/// FNV-1a (64 bit) over part of a file: stable over versions and machines, and no defence against malice, which
/// would gain nothing here.
fn fingerprint(file: &mut File, from: u64, length: u64) -> io::Result<u64> {
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(fnv(&bytes))
}

pub(crate) fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(SEED, |hash, byte| fnv_step(hash, *byte))
}

/// Where FNV-1a starts.
pub(crate) const SEED: u64 = 0xcbf2_9ce4_8422_2325;

pub(crate) fn fnv_step(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
}
