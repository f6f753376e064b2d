//! The index over what was said and done in sessions: a database of its own, made from the transcripts and thrown away at any doubt.
//!
//! It holds the words of each row of a session (FTS5, without their text) and, in blocks of rows that the caller has packed, what
//! is shown of them. It knows nothing of transcripts, redaction or compression: callers bring finished rows and take blocks
//! back. Nothing in it is the only copy of anything, so a file that is damaged or of another schema is deleted and begun anew.
//!
//! Start reading at [`SessionIndex::open`]; the module `write` changes it, `read` asks it.

mod read;
mod schema;
#[cfg(test)]
mod tests;
mod write;

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rusqlite::Connection;

use crate::StoreError;
use crate::database::Database;
use crate::index_file::IndexFormat;

pub use read::{FileOwner, RowFilter, RowHit, Term};

/// Rows of a block at most. A row's number is its block's number times this, and its place in the block.
pub const BLOCK_ROWS: usize = 64;

/// KiB of pages that a connection keeps at most.
const CACHE: i64 = 16 * 1024;

const FORMAT: IndexFormat =
    IndexFormat { version: schema::VERSION, tables: schema::TABLES, page: None, cache: CACHE };

/// An open index over sessions.
#[derive(Debug)]
pub struct SessionIndex {
    connection: Database,
    path: PathBuf,
}

/// A file whose rows are indexed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexedSession {
    /// Its path: what tells files apart.
    pub path: String,
    /// The session; for a sub-agent's file its parent's. Empty for a file of many sessions.
    pub session: String,
    /// The sub-agent; empty in a session's own file.
    pub agent: String,
    /// The project; empty where no entry told it.
    pub project: String,
    /// The directory that the session began in.
    pub directory: String,
    /// The title; empty where there is none.
    pub title: String,
    /// The first words of the person, cut.
    pub first_words: String,
    /// The first entry's time.
    pub started_at: Option<Timestamp>,
    /// The last entry's time.
    pub ended_at: Option<Timestamp>,
    /// Bytes, when it was read.
    pub size: u64,
    /// Its time of change then, in nanoseconds since 1970.
    pub mtime_ns: i64,
    /// The last line that was read.
    pub last_line: u64,
    /// What tells whether it still begins with what was read, in the caller's own form.
    pub head: Vec<u8>,
    /// Rows in the index.
    pub rows: u64,
}

/// Rows that are indexed together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowBlock {
    /// The words of each row; [`BLOCK_ROWS`] at most.
    pub words: Vec<RowWords>,
    /// What is shown of them, packed by the caller.
    pub texts: Vec<u8>,
    /// What some of them mean.
    pub vectors: Vec<RowVector>,
}

/// What a row means, as a vector in the caller's own form; all of an index are of one length.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowVector {
    /// The row's place in its block.
    pub place: u8,
    /// The vector's bytes.
    pub bytes: Vec<u8>,
}

/// The words of a row, by whose they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowWords {
    /// The person's.
    pub person: String,
    /// The model's.
    pub agent: String,
    /// What tools were told, and what failed.
    pub tools: String,
}

impl SessionIndex {
    /// Opens the index at `path`, and makes it where there is none or what is there cannot be used.
    ///
    /// # Errors
    /// [`StoreError`]: the file cannot be made or read, or the database is locked, damaged or full.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { connection: FORMAT.open(path)?, path: path.to_owned() })
    }

    /// Opens the index at `path` when there is one that can be used.
    ///
    /// # Errors
    /// [`StoreError`]: the file cannot be made or read, or the database is locked, damaged or full; a damaged file is no error, it counts as none.
    pub fn open_existing(path: &Path) -> Result<Option<Self>, StoreError> {
        Ok(FORMAT.open_existing(path)?.map(|connection| Self { connection, path: path.to_owned() }))
    }

    /// Where the index is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn sql<T>(
        &self,
        action: &'static str,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        work(&self.connection).map_err(|e| StoreError::from_sql(&self.path, action, e))
    }
}
