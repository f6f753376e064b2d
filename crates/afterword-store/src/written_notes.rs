//! Table `written_notes`: which note carries which lesson, as the vault left it.
//!
//! The vault's notes carry their keys themselves; this table adds what they cannot say: the exact content written
//! (so that a person's edit is told from our own) and notes that a person has deleted.

use std::collections::HashMap;

use afterword_core::{ContentKey, NoteId, SessionId};
use jiff::Timestamp;
use rusqlite::types::Type;
use rusqlite::{OptionalExtension, Row, params};

use crate::values::{maybe_time, millis, time};
use crate::{Store, StoreError};

/// A row: a note as it was last written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenNote {
    /// What it says.
    pub key: ContentKey,
    /// The note.
    pub note: NoteId,
    /// Where it was written, below the vault; a person may have moved it since.
    pub path: String,
    /// Hash of the content written, as the vault computes it.
    pub content_hash: String,
    /// The session that taught it; none for notes no session made.
    pub session: Option<SessionId>,
    /// When it was written.
    pub at: Timestamp,
}

/// Reads and writes of the table, for one vault.
#[derive(Debug, Clone, Copy)]
pub struct WrittenNotes<'a> {
    pub(crate) store: &'a Store,
    pub(crate) vault: &'a str,
}

impl WrittenNotes<'_> {
    /// Every row of the vault, by key.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn all(&self) -> Result<Vec<WrittenNote>, StoreError> {
        let wrap = |e| self.store.error("read the written notes", e);
        let sql = "SELECT content_key, note_id, path, content_hash, session_id, written_at
            FROM written_notes WHERE vault = ?1 ORDER BY content_key";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map([self.vault], read).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }

    /// The row of one lesson.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn get(&self, key: &ContentKey) -> Result<Option<WrittenNote>, StoreError> {
        let wrap = |e| self.store.error("read a written note", e);
        let sql = "SELECT content_key, note_id, path, content_hash, session_id, written_at
            FROM written_notes WHERE vault = ?1 AND content_key = ?2";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.query_row(params![self.vault, key.0], read).optional().map_err(wrap)
    }

    /// Writes a row, in place of the one the key had.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn put(&self, note: &WrittenNote) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("remember a written note", e);
        let sql = "INSERT OR REPLACE INTO written_notes
            (vault, content_key, note_id, path, content_hash, session_id, written_at, first_written_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, coalesce((SELECT first_written_at FROM written_notes
                WHERE vault = ?1 AND content_key = ?2 AND note_id = ?3), ?7))";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let done = statement.execute(params![
            self.vault,
            note.key.0,
            note.note.to_string(),
            note.path,
            note.content_hash,
            note.session.as_ref().map(SessionId::as_str),
            millis(note.at),
        ]);
        done.map(drop).map_err(wrap)
    }

    /// When each note was first written.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn first_written_at(&self) -> Result<HashMap<NoteId, Timestamp>, StoreError> {
        let wrap = |e| self.store.error("read when notes were first written", e);
        let sql = "SELECT note_id, min(coalesce(first_written_at, written_at)) FROM written_notes
            WHERE vault = ?1 GROUP BY note_id";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows =
            statement.query_map([self.vault], |row| Ok((read_note(row, 0)?, time(row, 1)?))).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }

    /// When one note was first written; `None` where that is not known.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn first_written_at_of(&self, note: NoteId) -> Result<Option<Timestamp>, StoreError> {
        let wrap = |e| self.store.error("read when a note was first written", e);
        let sql = "SELECT min(coalesce(first_written_at, written_at)) FROM written_notes
            WHERE vault = ?1 AND note_id = ?2";
        let values = [self.vault, &note.to_string()];
        self.store.connection.query_row(sql, values, |row| maybe_time(row, 0)).map_err(wrap)
    }

    /// Notes that a note was changed and moved by a decision. What a person changed before stays theirs: the hash is
    /// only taken on where the file had the one that was written.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn record_revision(
        &self,
        note: NoteId,
        old_hash: &str,
        path: &str,
        content_hash: &str,
    ) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("remember a changed note", e);
        let sql = "UPDATE written_notes SET path = ?4,
                content_hash = CASE content_hash WHEN ?3 THEN ?5 ELSE content_hash END
            WHERE vault = ?1 AND note_id = ?2";
        let values = params![self.vault, note.to_string(), old_hash, path, content_hash];
        self.store.connection.execute(sql, values).map(drop).map_err(wrap)
    }

    /// Takes what is known of the vault that one of `notes` was written to for this vault, when nothing was
    /// written there yet: it is that vault, moved. Says whether it did. Call it within a transaction.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn adopt_vault(&self, notes: &mut dyn Iterator<Item = NoteId>) -> Result<bool, StoreError> {
        let wrap = |e| self.store.error("take over what is known of a moved vault", e);
        let sql = "SELECT vault FROM written_notes WHERE note_id = ?1 LIMIT 1";
        let mut find = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        for note in notes {
            let vault = find.query_row([note.to_string()], |row| row.get::<_, String>(0)).optional();
            if let Some(old) = vault.map_err(wrap)? {
                for sql in [
                    "UPDATE written_notes SET vault = ?1 WHERE vault = ?2",
                    "UPDATE sessions SET vault = ?1 WHERE vault = ?2",
                ] {
                    self.store.connection.execute(sql, [self.vault, &old]).map_err(wrap)?;
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether notes were written to another vault and none to this one: it may be new, or that one moved.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn is_new_vault(&self) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM written_notes WHERE vault <> ?1)
            AND NOT EXISTS (SELECT 1 FROM written_notes WHERE vault = ?1)";
        let wrap = |e| self.store.error("look for a moved vault", e);
        self.store.connection.query_row(sql, [self.vault], |row| row.get(0)).map_err(wrap)
    }
}

fn malformed(column: usize, value: &str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, format!("`{value}` is not expected").into())
}

fn read_note(row: &Row<'_>, column: usize) -> rusqlite::Result<NoteId> {
    let note: String = row.get(column)?;
    NoteId::parse(&note).ok_or_else(|| malformed(column, &note))
}

fn read(row: &Row<'_>) -> rusqlite::Result<WrittenNote> {
    let session: Option<String> = row.get(4)?;
    Ok(WrittenNote {
        key: ContentKey(row.get(0)?),
        note: read_note(row, 1)?,
        path: row.get(2)?,
        content_hash: row.get(3)?,
        session: session
            .map(|text| SessionId::parse(&text).ok_or_else(|| malformed(4, &text)))
            .transpose()?,
        at: time(row, 5)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(key: &str) -> WrittenNote {
        let at: Timestamp = "2026-03-01T10:00:00Z".parse().unwrap();
        WrittenNote {
            key: ContentKey(key.into()),
            note: NoteId::new(at),
            path: "Afterword/Preferences/no-amend.md".into(),
            content_hash: "h1".into(),
            session: SessionId::parse("one"),
            at,
        }
    }

    /// "Deleted stays deleted" rests on these rows: one that cannot be read is said, and never passed over.
    #[test]
    fn row_that_cannot_be_read_is_an_error() {
        for (column, value) in
            [("note_id", "torn"), ("session_id", ""), ("written_at", "9223372036854775807")]
        {
            let home = tempfile::tempdir().unwrap();
            let store = Store::open(&home.path().join("afterword.db")).unwrap();
            let notes = store.written_notes("/vault");
            notes.put(&note("k1")).unwrap();
            notes.put(&note("k2")).unwrap();
            let sql = format!("UPDATE written_notes SET {column} = ?1 WHERE content_key = 'k2'");
            store.connection.execute(&sql, [value]).unwrap();
            let error = notes.all().unwrap_err().to_string();
            assert!(error.contains("read the written notes"), "{column}: {error}");
            assert!(notes.get(&ContentKey("k2".into())).is_err(), "{column}");
        }
    }

    #[test]
    fn row_comes_back_and_is_replaced() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let mut written = note("k1");
        store.written_notes("/vault").put(&written).unwrap();
        assert_eq!(store.written_notes("/vault").all().unwrap(), [written.clone()]);
        assert_eq!(store.written_notes("/vault").get(&written.key).unwrap(), Some(written.clone()));
        assert_eq!(store.written_notes("/other").get(&written.key).unwrap(), None);
        written.content_hash = "h2".into();
        written.session = None;
        store.written_notes("/vault").put(&written).unwrap();
        assert_eq!(store.written_notes("/vault").all().unwrap(), [written]);
    }

    #[test]
    fn note_was_first_written_once_however_often_it_grew() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let mut written = note("k1");
        let first = written.at;
        store.written_notes("/vault").put(&written).unwrap();
        written.at = "2026-05-01T10:00:00Z".parse().unwrap();
        store.written_notes("/vault").put(&written).unwrap();
        assert_eq!(store.written_notes("/vault").all().unwrap()[0].at, written.at);
        let known = store.written_notes("/vault").first_written_at().unwrap();
        assert_eq!(known, HashMap::from([(written.note, first)]));
        // Another note with the same words is new.
        written.note = NoteId::new(written.at);
        store.written_notes("/vault").put(&written).unwrap();
        assert_eq!(store.written_notes("/vault").first_written_at().unwrap()[&written.note], written.at);
        assert_eq!(
            store.written_notes("/vault").first_written_at_of(written.note).unwrap(),
            Some(written.at)
        );
        assert_eq!(store.written_notes("/other").first_written_at_of(written.note).unwrap(), None);
    }

    #[test]
    fn another_vault_starts_empty_and_a_moved_one_keeps_its_rows() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let (one, two) = (note("k1"), note("k2"));
        store.written_notes("/old").put(&one).unwrap();
        store.written_notes("/old").put(&two).unwrap();

        let stranger = NoteId::new("2020-01-01T00:00:00Z".parse().unwrap());
        assert!(!store.written_notes("/old").is_new_vault().unwrap());
        assert!(store.written_notes("/new").is_new_vault().unwrap());
        assert!(!store.written_notes("/new").adopt_vault(&mut [stranger].into_iter()).unwrap());
        assert_eq!(store.written_notes("/new").all().unwrap(), []);

        assert!(store.written_notes("/new").adopt_vault(&mut [stranger, two.note].into_iter()).unwrap());
        assert_eq!(store.written_notes("/new").all().unwrap(), [one, two]);
        assert_eq!(store.written_notes("/old").all().unwrap(), []);
        assert!(!store.written_notes("/new").is_new_vault().unwrap());
    }
}
