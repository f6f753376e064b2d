//! Table `census`: entry types, client versions and the like seen in transcripts, each with where it was first seen.

use jiff::Timestamp;
use rusqlite::{Row, params};

use crate::values::{millis, time};
use crate::{Store, StoreError};

/// A row: a value seen in transcripts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CensusEntry {
    /// What sort of value it is (`type`, `version`).
    pub field: String,
    /// The value.
    pub value: String,
    /// This program knows what it means.
    pub known: bool,
    /// When it was first met.
    pub first_seen_at: Timestamp,
    /// The transcript it was first met in.
    pub first_seen_in: String,
}

/// Reads and writes of the table.
#[derive(Debug, Clone, Copy)]
pub struct Census<'a> {
    pub(crate) store: &'a Store,
}

impl Census<'_> {
    /// Adds what was not seen before; of the rest only `known` is brought up to date.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn add(&self, seen: &[CensusEntry]) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("remember what transcripts hold", e);
        let sql = "INSERT INTO census (field, value, known, first_seen_at, first_seen_in) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (field, value) DO UPDATE SET known = excluded.known WHERE known <> excluded.known";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        for row in seen {
            let values =
                params![row.field, row.value, row.known, millis(row.first_seen_at), row.first_seen_in];
            statement.execute(values).map_err(wrap)?;
        }
        Ok(())
    }

    /// What this program does not know the meaning of, in the order it was met.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn unknown(&self) -> Result<Vec<CensusEntry>, StoreError> {
        let wrap = |e| self.store.error("read what transcripts hold", e);
        let sql = "SELECT field, value, known, first_seen_at, first_seen_in FROM census
            WHERE known = 0 ORDER BY first_seen_at, field, value";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map((), read).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<CensusEntry> {
    Ok(CensusEntry {
        field: row.get(0)?,
        value: row.get(1)?,
        known: row.get(2)?,
        first_seen_at: time(row, 3)?,
        first_seen_in: row.get(4)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_meeting_stays_and_knowledge_grows() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let seen = |value: &str, known, first_seen_in: &str| CensusEntry {
            field: "type".into(),
            value: value.into(),
            known,
            first_seen_at: "2026-03-01T10:00:00Z".parse().unwrap(),
            first_seen_in: first_seen_in.into(),
        };
        store.census().add(&[seen("user", true, "a"), seen("hologram", false, "a")]).unwrap();
        store.census().add(&[seen("hologram", false, "b"), seen("dream", false, "b")]).unwrap();
        let unknown = store.census().unknown().unwrap();
        assert_eq!(unknown, [seen("dream", false, "b"), seen("hologram", false, "a")]);
        store.census().add(&[seen("hologram", true, "c")]).unwrap();
        assert_eq!(store.census().unknown().unwrap(), [seen("dream", false, "b")]);
    }
}
