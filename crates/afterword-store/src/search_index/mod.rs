//! The search index: a database of its own in the cache directory, made from the vault and the attempts and thrown away at any doubt.
//!
//! It holds what searching needs of each note: its words (FTS5), the model's tokens, and a vector. It knows nothing of
//! models, markdown or ranking: callers bring finished rows and get candidates back. Nothing in it is the only copy
//! of anything, so a file that is damaged or of another schema is deleted and begun anew.
//!
//! Start reading at [`SearchIndex::open`]; [`IndexWriter`] changes it, [`read`] asks it, [`NextVectors`] gives it
//! the vectors of another model.

mod facets;
pub mod next;
pub mod offered;
pub mod read;
mod schema;
#[cfg(test)]
mod tests;
mod write;

pub use write::Bonus;

use std::path::{Path, PathBuf};

use rusqlite::Connection;

pub use next::NextVectors;
pub use write::IndexWriter;

use crate::database::Database;
use crate::index_file::IndexFormat;
use crate::{StoreError, open};

/// Notes whose vectors, or facets, are kept together in one row of the database: few enough to change one cheaply, enough to read all of them
/// at the disk's speed.
const BLOCK: u32 = 512;

/// Bytes of a page: the vectors are read whole for a search, and larger pages are fewer reads.
const PAGE: u32 = 16 * 1024;
/// KiB of pages that a connection keeps at most. SQLite's own 2,000 are less than the vectors of 10,000 notes, so that every
/// search would drop what the next step needs.
const CACHE: i64 = 48 * 1024;

const FORMAT: IndexFormat =
    IndexFormat { version: schema::VERSION, tables: schema::TABLES, page: Some(PAGE), cache: CACHE };

/// An open search index.
#[derive(Debug)]
pub struct SearchIndex {
    connection: Database,
    path: PathBuf,
}

/// What the vectors were made with; an index of another make is no use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexModel {
    /// The model.
    pub model: String,
    /// Numbers in a vector.
    pub dimensions: usize,
    /// Tokens the model knows.
    pub vocabulary: usize,
}

/// A note as it is indexed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct IndexedNote {
    /// Where it is, relative to the vault's root: what tells notes apart.
    pub path: String,
    /// What its file hashes to.
    pub hash: String,
    /// Its id; empty where it has none.
    pub id: String,
    /// What sort of note it is.
    pub kind: String,
    /// Its title.
    pub title: String,
    /// Where it is in its life.
    pub status: String,
    /// How what it tells of ended; empty where it tells of no attempt.
    pub outcome: String,
    /// Its project; empty where it has none.
    pub project: String,
    /// The session it tells of; empty where it tells of none.
    pub session: String,
    /// Every session is to start with it.
    pub always_load: bool,
    /// Where the note is that it likely takes the place of, while it waits for an answer; empty where there is none.
    pub may_supersede: String,
    /// How much it matters among the notes of its project; more is better.
    pub weight: f64,
    /// Its tags.
    pub tags: Vec<String>,
    /// Its text.
    pub body: String,
    /// Parts of the identifiers in it, between blanks; found, but never shown.
    pub parts: String,
    /// The model's tokens of title and text; none without a model.
    pub tokens: Vec<u16>,
    /// The vector, scaled to whole numbers; `None` where there is none.
    pub vector: Option<Vec<i8>>,
}

/// The number a note has in the index, until it is indexed again.
pub type Slot = u32;

/// What of a note the words of a query reach, and how well.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextHit {
    /// The note.
    pub slot: Slot,
    /// BM25 over all fields; more is better.
    pub bm25: f64,
}

/// Which notes may be found. Empty lists mean any.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NoteFilter {
    /// Its status is one of these.
    pub statuses: Vec<String>,
    /// Its kind is one of these.
    pub kinds: Vec<String>,
    /// What it tells of ended in one of these ways.
    pub outcomes: Vec<String>,
    /// Its project is this, or ends with this after a `/`; case does not count.
    pub project: Option<String>,
    /// Its project is exactly one of these.
    pub projects: Vec<String>,
    /// It has one of these tags; case does not count.
    pub tags: Vec<String>,
    /// It tells of this session.
    pub session: Option<String>,
}

impl SearchIndex {
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

    /// Opens the index at `path` only to read it, and waits for nobody: for where milliseconds count.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read; an index that is not there or cannot be used is none.
    pub fn open_to_read(path: &Path) -> Result<Option<Self>, StoreError> {
        if !path.is_file() {
            return Ok(None);
        }
        let connection = FORMAT.accept(path, open::open_read_only(path)?)?;
        Ok(connection.map(|connection| Self { connection, path: path.to_owned() }))
    }

    /// Changes it.
    pub fn writer(&self) -> IndexWriter<'_> {
        IndexWriter { index: self }
    }

    /// The vectors of another model, which are made beside those in use.
    pub fn next_vectors(&self) -> NextVectors<'_> {
        NextVectors { index: self }
    }

    /// Where the index is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs `work` in one write transaction.
    fn change(
        &self,
        action: &'static str,
        work: impl FnOnce(&Connection) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        self.sql(action, |connection| {
            connection.execute_batch("BEGIN IMMEDIATE")?;
            match work(connection) {
                Ok(()) => connection.execute_batch("COMMIT"),
                Err(e) => {
                    // The work's own error is the one to report.
                    let _ = connection.execute_batch("ROLLBACK");
                    Err(e)
                }
            }
        })
    }

    fn sql<T>(
        &self,
        action: &'static str,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        work(&self.connection).map_err(|e| StoreError::from_sql(&self.path, action, e))
    }
}
