//! Asking the index: which files are in it, which rows have words, and what is shown of them.

use std::collections::HashMap;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row};

use super::{BLOCK_ROWS, IndexedSession, SessionIndex};
use crate::StoreError;
use crate::values::{maybe_time, read_count};

/// The columns of a file, in the order that [`file`] reads them in: looked up by name in each of thousands of rows, they took most of a search.
const FILE: &str =
    "SELECT number, path, session, agent, project, directory, title, first_words, started_at, ended_at, size,
    mtime_ns, last_line, head, rows FROM file";

/// How much a word counts among the person's, the model's and the tools' words.
const WEIGHTS: &str = "2.0, 1.0, 0.7";

/// Something that is looked for: words that stand one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The words; nothing in them is an operator.
    pub text: String,
    /// The last word may go on.
    pub is_prefix: bool,
}

/// Which rows may be found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowFilter {
    /// Only in files of these numbers, where there are any.
    pub files: Option<Vec<i64>>,
    /// Only what the person said.
    pub only_person: bool,
}

/// Whose rows a file has: what a search asks of every file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileOwner {
    /// The session; for a sub-agent's file its parent's. Empty for a file of many sessions.
    pub session: String,
    /// The sub-agent; empty in a session's own file.
    pub agent: String,
    /// The project; empty where no entry told it.
    pub project: String,
    /// The last entry's time.
    pub ended_at: Option<Timestamp>,
}

/// A row that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowHit {
    /// Its block.
    pub block: i64,
    /// Its place in the block.
    pub place: usize,
    /// The number of its file.
    pub file: i64,
    /// BM25; more is better.
    pub bm25: f64,
}

impl SessionIndex {
    /// The files in the index, by number.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn files(&self) -> Result<Vec<(i64, IndexedSession)>, StoreError> {
        self.sql("list the indexed sessions", |connection| {
            let mut select = connection.prepare_cached(&format!("{FILE} ORDER BY number"))?;
            select.query_map((), |row| Ok((row.get(0)?, file(row)?)))?.collect()
        })
    }

    /// How many files are in the index.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn count_files(&self) -> Result<usize, StoreError> {
        self.sql("count the indexed sessions", |connection| {
            let count: i64 = connection.query_row("SELECT count(*) FROM file", (), |row| row.get(0))?;
            Ok(usize::try_from(count).unwrap_or(0))
        })
    }

    /// Whose rows each file has, by its number.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn file_owners(&self) -> Result<HashMap<i64, FileOwner>, StoreError> {
        self.sql("list the owners of indexed files", |connection| {
            let sql = "SELECT number, session, agent, project, ended_at FROM file";
            let owner = |row: &Row<'_>| {
                let (session, agent, project) = (row.get(1)?, row.get(2)?, row.get(3)?);
                Ok((row.get(0)?, FileOwner { session, agent, project, ended_at: maybe_time(row, 4)? }))
            };
            connection.prepare_cached(sql)?.query_map((), owner)?.collect()
        })
    }

    /// A session's own file; `None` where it is not in the index.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn file_of_session(&self, session: &str) -> Result<Option<IndexedSession>, StoreError> {
        self.sql("look a session up", |connection| {
            let sql = format!("{FILE} WHERE session = ?1 AND agent = '' LIMIT 1");
            connection.prepare_cached(&sql)?.query_row([session], file).optional()
        })
    }

    /// The files of a session's sub-agents.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn subagents_of_session(&self, session: &str) -> Result<Vec<IndexedSession>, StoreError> {
        self.sql("look a session's sub-agents up", |connection| {
            let sql = format!("{FILE} WHERE session = ?1 AND agent <> '' ORDER BY number");
            connection.prepare_cached(&sql)?.query_map([session], file)?.collect()
        })
    }

    /// The rows in which all of `terms` occur, or any of them; the best of the `most` that came last, best first.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn hits(
        &self,
        terms: &[Term],
        all: bool,
        filter: &RowFilter,
        most: usize,
    ) -> Result<Vec<RowHit>, StoreError> {
        if terms.is_empty() || most == 0 {
            return Ok(Vec::new());
        }
        let query = expression(terms, all, filter.only_person);
        let files = filter.files.as_ref().map(|files| {
            let numbers: Vec<String> = files.iter().map(i64::to_string).collect();
            format!("AND block.file IN ({})", numbers.join(", "))
        });
        // The words first, in the order of their rows, so that no more are weighed than are wanted.
        let sql = format!(
            "SELECT words.rowid, block.file, bm25(words, {WEIGHTS})
             FROM words CROSS JOIN block ON block.number = words.rowid / {BLOCK_ROWS}
             WHERE words MATCH ?1 {}
             ORDER BY words.rowid DESC LIMIT ?2",
            files.unwrap_or_default()
        );
        let mut hits: Vec<RowHit> = self.sql("search the sessions", |connection| {
            let mut select = connection.prepare_cached(&sql)?;
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            select.query_map((query, most), read_hit)?.collect()
        })?;
        hits.sort_by(|one, other| other.bm25.total_cmp(&one.bm25));
        Ok(hits)
    }

    /// Shows the vector of every row that has one, in the order of the rows, with the number of its block and its place there;
    /// `bytes` is how long one is.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn vectors(&self, bytes: usize, mut show: impl FnMut(i64, usize, &[u8])) -> Result<(), StoreError> {
        self.sql("read what rows mean", |connection| {
            let mut select = connection.prepare_cached("SELECT block, rows FROM meaning ORDER BY block")?;
            let mut rows = select.query(())?;
            while let Some(row) = rows.next()? {
                let block = row.get(0)?;
                for one in row.get_ref(1)?.as_blob().unwrap_or_default().chunks_exact(bytes + 1) {
                    if let Some((place, vector)) = one.split_first() {
                        show(block, usize::from(*place), vector);
                    }
                }
            }
            Ok(())
        })
    }

    /// The number of the file that a block is of; `None` where there is no such block.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn file_of(&self, block: i64) -> Result<Option<i64>, StoreError> {
        self.sql("look a block's file up", |connection| {
            let mut select = connection.prepare_cached("SELECT file FROM block WHERE number = ?1")?;
            select.query_row([block], |row| row.get(0)).optional()
        })
    }

    /// What is shown of a block's rows, as it was packed.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn texts(&self, block: i64) -> Result<Option<Vec<u8>>, StoreError> {
        self.sql("read a block of rows", |connection| {
            let mut select = connection.prepare_cached("SELECT texts FROM block WHERE number = ?1")?;
            select.query_row([block], |row| row.get(0)).optional()
        })
    }

    /// Bytes of the index's pages.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn bytes(&self) -> Result<u64, StoreError> {
        self.sql("measure the index", |connection: &Connection| {
            let pages: i64 = connection.query_row("PRAGMA page_count", (), |row| row.get(0))?;
            let size: i64 = connection.query_row("PRAGMA page_size", (), |row| row.get(0))?;
            Ok(u64::try_from(pages.saturating_mul(size)).unwrap_or(0))
        })
    }
}

/// The terms in FTS5's language. Each is a string, so that nothing in it is an operator.
fn expression(terms: &[Term], all: bool, only_person: bool) -> String {
    let term = |term: &Term| {
        let text = term.text.replace('"', "\"\"").replace('\0', "");
        format!("\"{text}\"{}", if term.is_prefix { " *" } else { "" })
    };
    let joined = terms.iter().map(term).collect::<Vec<_>>().join(if all { " AND " } else { " OR " });
    if only_person { format!("{{person}} : ({joined})") } else { joined }
}

fn read_hit(row: &Row<'_>) -> rusqlite::Result<RowHit> {
    let number: i64 = row.get(0)?;
    let rows = i64::try_from(BLOCK_ROWS).unwrap_or(i64::MAX);
    Ok(RowHit {
        block: number / rows,
        place: usize::try_from(number % rows).unwrap_or(0),
        file: row.get(1)?,
        bm25: -row.get::<_, f64>(2)?,
    })
}

/// The row of [`FILE`].
fn file(row: &Row<'_>) -> rusqlite::Result<IndexedSession> {
    Ok(IndexedSession {
        path: row.get(1)?,
        session: row.get(2)?,
        agent: row.get(3)?,
        project: row.get(4)?,
        directory: row.get(5)?,
        title: row.get(6)?,
        first_words: row.get(7)?,
        started_at: maybe_time(row, 8)?,
        ended_at: maybe_time(row, 9)?,
        size: read_count(row, 10)?,
        mtime_ns: row.get(11)?,
        last_line: read_count(row, 12)?,
        head: row.get(13)?,
        rows: read_count(row, 14)?,
    })
}
