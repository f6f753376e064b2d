//! The file of an index: a database that holds the only copy of nothing. One that is damaged or of another schema is deleted and begun
//! anew, without migrations.

use std::fs::{self, File};
use std::path::Path;

use afterword_platform::files::{create_private_directory, remove_if_there};
use rusqlite::Connection;

use crate::StoreError;
use crate::database::Database;
use crate::open::{io_error, lock_beside, open_plain, sibling};

/// What the name of the file ends with that is locked while an index is opened, and by one alone while it is made.
const MAKING: &str = ".making";

/// What the file of an index looks like.
pub(crate) struct IndexFormat {
    /// The schema's number.
    pub(crate) version: i64,
    /// The statements that make the tables.
    pub(crate) tables: &'static str,
    /// Bytes of a page; SQLite's own where it does not matter.
    pub(crate) page: Option<u32>,
    /// KiB of pages that a connection keeps at most.
    pub(crate) cache: i64,
}

impl IndexFormat {
    /// Opens the index at `path`, and makes it where there is none or what is there cannot be used.
    ///
    /// Only one process makes it at a time, and under another name: what is at `path` is whole, or an index of before.
    pub(crate) fn open(&self, path: &Path) -> Result<Database, StoreError> {
        if let Some(connection) = self.open_existing(path)? {
            return Ok(connection);
        }
        if let Some(directory) = path.parent() {
            create_private_directory(directory).map_err(io_error(directory, "make the directory"))?;
        }
        let _making = lock_beside(path, MAKING, File::lock)?;
        if let Some(connection) = self.look_at(path)? {
            return Ok(connection);
        }
        let new = sibling(path, ".new");
        remove(&new)?;
        self.make(&new)?;
        remove(path)?;
        fs::rename(&new, path).map_err(io_error(path, "put the index in its place"))?;
        self.look_at(path)?.ok_or_else(|| StoreError::Moved { path: path.to_owned() })
    }

    /// Makes an empty index at `path`, and closes it.
    fn make(&self, path: &Path) -> Result<(), StoreError> {
        let connection = open_plain(path, self.page)?;
        let made = connection.execute_batch(self.tables);
        made.and_then(|()| connection.pragma_update(None, "user_version", self.version))
            .map_err(|e| StoreError::from_sql(path, "make the index", e))
    }

    /// Opens the index at `path` when there is one that can be used. A damaged file counts as none.
    pub(crate) fn open_existing(&self, path: &Path) -> Result<Option<Database>, StoreError> {
        if !path.try_exists().map_err(io_error(path, "look for"))? {
            return Ok(None);
        }
        // Where it cannot be locked, opening it says why.
        let _making = lock_beside(path, MAKING, File::lock_shared).ok();
        self.look_at(path)
    }

    /// As [`open_existing`](Self::open_existing), for who keeps others from putting a new index in its place.
    fn look_at(&self, path: &Path) -> Result<Option<Database>, StoreError> {
        if !path.try_exists().map_err(io_error(path, "look for"))? {
            return Ok(None);
        }
        match open_plain(path, None).and_then(|connection| self.accept(path, connection)) {
            Err(StoreError::Damaged { .. }) => Ok(None),
            opened => opened,
        }
    }

    /// An opened file, where its schema is this one.
    pub(crate) fn accept(&self, path: &Path, connection: Database) -> Result<Option<Database>, StoreError> {
        self.set_cache(&connection).map_err(|e| StoreError::from_sql(path, "open the index", e))?;
        let is_current = self
            .is_current(&connection)
            .map_err(|e| StoreError::from_sql(path, "read the schema's number", e))?;
        Ok(is_current.then_some(connection))
    }

    fn is_current(&self, connection: &Connection) -> rusqlite::Result<bool> {
        let version: i64 = connection.query_row("PRAGMA user_version", (), |row| row.get(0))?;
        Ok(version == self.version)
    }

    fn set_cache(&self, connection: &Connection) -> rusqlite::Result<()> {
        connection.pragma_update(None, "cache_size", -self.cache)
    }
}

/// Removes an index and what SQLite keeps beside it.
fn remove(path: &Path) -> Result<(), StoreError> {
    for suffix in ["", "-wal", "-shm"] {
        let file = sibling(path, suffix);
        remove_if_there(&file).map_err(io_error(&file, "remove"))?;
    }
    Ok(())
}
