//! Changing the index: files with their rows come, grow and go.

use rusqlite::{Connection, OptionalExtension, params};

use super::{BLOCK_ROWS, IndexedSession, RowBlock, RowVector, SessionIndex};
use crate::StoreError;
use crate::values::{count, millis};

impl SessionIndex {
    /// Notes under which rules the index is made; what was indexed under others is removed. Says whether that was so.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn begin(&self, rules: &str) -> Result<bool, StoreError> {
        self.in_change("begin the index", |connection| {
            let mut find = connection.prepare_cached("SELECT value FROM make WHERE name = 'rules'")?;
            let found: Option<String> = find.query_row((), |row| row.get(0)).optional()?;
            if found.as_deref() == Some(rules) {
                return Ok(false);
            }
            connection.execute_batch(
                "INSERT INTO words (words) VALUES ('delete-all'); DELETE FROM block; DELETE FROM file;",
            )?;
            connection.execute("INSERT OR REPLACE INTO make VALUES ('rules', ?1)", [rules])?;
            Ok(true)
        })
    }

    /// Puts a file with its rows in the place of what was indexed of it.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn put(&self, file: &IndexedSession, blocks: &[RowBlock]) -> Result<(), StoreError> {
        self.in_change("index a session", |connection| {
            take_out(connection, &file.path)?;
            add_blocks(connection, put_file(connection, file)?, blocks)
        })
    }

    /// Adds rows to a file that grew, and notes what is known of it now.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn append(&self, file: &IndexedSession, blocks: &[RowBlock]) -> Result<(), StoreError> {
        self.in_change("index what a session grew by", |connection| {
            add_blocks(connection, put_file(connection, file)?, blocks)
        })
    }

    /// Removes a file and its rows; says whether it was there.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn remove(&self, path: &str) -> Result<bool, StoreError> {
        self.in_change("remove a session from the index", |connection| take_out(connection, path))
    }

    /// Removes all files of a session and their rows; says how many files.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn remove_session(&self, session: &str) -> Result<usize, StoreError> {
        self.in_change("remove a session from the index", |connection| {
            let mut select = connection.prepare_cached("SELECT path FROM file WHERE session = ?1")?;
            let paths: Vec<String> =
                select.query_map([session], |row| row.get(0))?.collect::<Result<_, _>>()?;
            for path in &paths {
                take_out(connection, path)?;
            }
            Ok(paths.len())
        })
    }

    /// Leaves nothing in the file of what was taken out of the index; the file is as small as it gets.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn compact(&self) -> Result<(), StoreError> {
        self.sql("compact the index", |connection| {
            connection.execute_batch(
                "INSERT INTO words (words) VALUES ('optimize'); VACUUM; PRAGMA wal_checkpoint(TRUNCATE);",
            )
        })
    }

    fn in_change<T>(
        &self,
        action: &'static str,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        self.sql(action, |connection| {
            connection.execute_batch("BEGIN IMMEDIATE")?;
            let done = work(connection).and_then(|value| {
                connection.execute_batch("COMMIT")?;
                Ok(value)
            });
            if done.is_err() {
                // The work's own error is the one to report.
                let _ = connection.execute_batch("ROLLBACK");
            }
            done
        })
    }
}

fn put_file(connection: &Connection, file: &IndexedSession) -> rusqlite::Result<i64> {
    let sql = "INSERT INTO file (path, session, agent, project, directory, title, first_words, started_at, ended_at,
            size, mtime_ns, last_line, head, rows)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
        ON CONFLICT (path) DO UPDATE SET session = ?2, agent = ?3, project = ?4, directory = ?5, title = ?6,
            first_words = ?7, started_at = ?8, ended_at = ?9, size = ?10, mtime_ns = ?11, last_line = ?12, head = ?13,
            rows = ?14
        RETURNING number";
    connection.prepare_cached(sql)?.query_row(
        params![
            file.path,
            file.session,
            file.agent,
            file.project,
            file.directory,
            file.title,
            file.first_words,
            file.started_at.map(millis),
            file.ended_at.map(millis),
            count(file.size),
            file.mtime_ns,
            count(file.last_line),
            file.head,
            count(file.rows),
        ],
        |row| row.get(0),
    )
}

fn add_blocks(connection: &Connection, file: i64, blocks: &[RowBlock]) -> rusqlite::Result<()> {
    let mut add_block = connection.prepare_cached("INSERT INTO block (file, texts) VALUES (?1, ?2)")?;
    let mut add_meaning = connection.prepare_cached("INSERT INTO meaning (block, rows) VALUES (?1, ?2)")?;
    let mut add_row = connection
        .prepare_cached("INSERT INTO words (rowid, person, agent, tools) VALUES (?1, ?2, ?3, ?4)")?;
    for block in blocks {
        debug_assert!(block.words.len() <= BLOCK_ROWS, "a block has {} rows", block.words.len());
        add_block.execute(params![file, block.texts])?;
        let number = connection.last_insert_rowid();
        if !block.vectors.is_empty() {
            let row = |vector: &RowVector| [&[vector.place], &vector.bytes[..]].concat();
            let rows: Vec<u8> = block.vectors.iter().flat_map(row).collect();
            add_meaning.execute(params![number, rows])?;
        }
        let first = first_row(number);
        for (row, words) in (first..).zip(block.words.iter().take(BLOCK_ROWS)) {
            add_row.execute(params![row, words.person, words.agent, words.tools])?;
        }
    }
    Ok(())
}

/// Takes a file out; says whether it was there.
fn take_out(connection: &Connection, path: &str) -> rusqlite::Result<bool> {
    let mut find = connection.prepare_cached("SELECT number FROM file WHERE path = ?1")?;
    let Some(file): Option<i64> = find.query_row([path], |row| row.get(0)).optional()? else {
        return Ok(false);
    };
    let mut select = connection.prepare_cached("SELECT number FROM block WHERE file = ?1")?;
    let blocks: Vec<i64> = select.query_map([file], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut delete = connection.prepare_cached("DELETE FROM words WHERE rowid >= ?1 AND rowid < ?2")?;
    for block in blocks {
        delete.execute([first_row(block), first_row(block + 1)])?;
    }
    connection.prepare_cached("DELETE FROM file WHERE number = ?1")?.execute([file])?;
    Ok(true)
}

pub(super) fn first_row(block: i64) -> i64 {
    block.saturating_mul(i64::try_from(BLOCK_ROWS).unwrap_or(i64::MAX))
}
