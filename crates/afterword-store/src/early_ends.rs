//! Table `early_ends`: ends that clients told of sessions whose transcripts are still to be written.

use std::collections::HashMap;

use afterword_core::SessionId;
use jiff::Timestamp;
use rusqlite::params;

use crate::values::{millis, parse_column, time};
use crate::{Store, StoreError};

/// Reads and writes of the table.
#[derive(Debug, Clone, Copy)]
pub struct EarlyEnds<'a> {
    pub(crate) store: &'a Store,
}

impl EarlyEnds<'_> {
    /// Every session that ended so, and when.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn all(&self) -> Result<HashMap<SessionId, Timestamp>, StoreError> {
        let wrap = |e| self.store.error("read which sessions ended early", e);
        let sql = "SELECT session_id, at FROM early_ends";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let read =
            |row: &rusqlite::Row<'_>| Ok((parse_column(row, "session_id", SessionId::parse)?, time(row, 1)?));
        let rows = statement.query_map((), read).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }

    /// Remembers that a session ended, in place of an earlier end of it.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn put(&self, session: &SessionId, at: Timestamp) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("remember that a session ended", e);
        let sql = "INSERT OR REPLACE INTO early_ends (session_id, at) VALUES (?1, ?2)";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.execute(params![session.as_str(), millis(at)]).map(drop).map_err(wrap)
    }

    /// Deletes the end of a session: it is written where the session stands, or the session goes on. Says how many
    /// rows.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn remove(&self, session: &SessionId) -> Result<usize, StoreError> {
        let wrap = |e| self.store.error("forget that a session ended", e);
        let sql = "DELETE FROM early_ends WHERE session_id = ?1";
        self.store.connection.execute(sql, [session.as_str()]).map_err(wrap)
    }

    /// Deletes ends told before `before`: their transcripts never came. Says how many.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn prune(&self, before: Timestamp) -> Result<usize, StoreError> {
        let wrap = |e| self.store.error("forget old ends of sessions", e);
        let sql = "DELETE FROM early_ends WHERE at < ?1";
        self.store.connection.execute(sql, [millis(before)]).map_err(wrap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_kept_until_they_are_used_or_old() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let session = |id: &str| SessionId::parse(id).unwrap();
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let (early, late) = (at("2026-03-01T10:00:00Z"), at("2026-03-01T11:00:00Z"));
        for (id, at) in [("aa", early), ("aa", late), ("bb", early), ("cc", late)] {
            store.early_ends().put(&session(id), at).unwrap();
        }
        assert_eq!(store.early_ends().prune(late).unwrap(), 1);
        assert_eq!(store.early_ends().remove(&session("cc")).unwrap(), 1);
        assert_eq!(store.early_ends().all().unwrap(), HashMap::from([(session("aa"), late)]));
    }
}
