//! Table `written_notes`: which note carries which lesson, as the vault left it.
//!
//! The vault's notes carry their keys themselves; this table adds what they cannot say: the exact content written
//! (so that a person's edit is told from our own) and notes that a person has deleted.

use std::path::PathBuf;

use afterword_core::{ContentKey, NoteId, SessionId};
use jiff::Timestamp;
use rusqlite::types::Type;
use rusqlite::{OptionalExtension, Row, params};

use crate::values::{millis, time};
use crate::{Store, StoreError};

/// A row: a note as it was last written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenNote {
    /// What it says.
    pub key: ContentKey,
    /// The note.
    pub note: NoteId,
    /// Where it was written, relative to the vault; a person may have moved it since.
    pub path: PathBuf,
    /// Hash of the content written, as the vault computes it.
    pub content_hash: String,
    /// The session that taught it; none for notes no session made.
    pub session: Option<SessionId>,
    /// When it was written.
    pub at: Timestamp,
}

/// Reads and writes of the table.
#[derive(Debug, Clone, Copy)]
pub struct WrittenNotes<'a> {
    pub(crate) store: &'a Store,
}

impl WrittenNotes<'_> {
    /// The note that was written for `key`.
    ///
    /// # Errors
    /// What SQLite said.
    pub fn get(&self, key: &ContentKey) -> Result<Option<WrittenNote>, StoreError> {
        let wrap = |e| self.store.error("read a written note", e);
        let sql = "SELECT content_key, note_id, path, content_hash, session_id, written_at
            FROM written_notes WHERE content_key = ?1";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.query_row([&key.0], read).optional().map_err(wrap)
    }

    /// Every row, by key.
    ///
    /// # Errors
    /// What SQLite said.
    pub fn all(&self) -> Result<Vec<WrittenNote>, StoreError> {
        let wrap = |e| self.store.error("read the written notes", e);
        let sql = "SELECT content_key, note_id, path, content_hash, session_id, written_at
            FROM written_notes ORDER BY content_key";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map((), read).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }

    /// Writes a row, in place of the one the key had.
    ///
    /// # Errors
    /// [`StoreError::NameNotText`] for a path that is no Unicode, otherwise what SQLite said.
    pub fn put(&self, note: &WrittenNote) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("remember a written note", e);
        let path = note.path.to_str().ok_or_else(|| StoreError::NameNotText { path: note.path.clone() })?;
        let sql = "INSERT OR REPLACE INTO written_notes
            (content_key, note_id, path, content_hash, session_id, written_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let done = statement.execute(params![
            note.key.0,
            note.note.to_string(),
            path,
            note.content_hash,
            note.session.as_ref().map(SessionId::as_str),
            millis(note.at),
        ]);
        done.map(drop).map_err(wrap)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<WrittenNote> {
    let malformed = |column, value: &str| {
        rusqlite::Error::FromSqlConversionFailure(
            column,
            Type::Text,
            format!("`{value}` is not expected").into(),
        )
    };
    let note: String = row.get(1)?;
    let session: Option<String> = row.get(4)?;
    Ok(WrittenNote {
        key: ContentKey(row.get(0)?),
        note: NoteId::parse(&note).ok_or_else(|| malformed(1, &note))?,
        path: PathBuf::from(row.get::<_, String>(2)?),
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

    #[test]
    fn row_comes_back_and_is_replaced() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let at: Timestamp = "2026-03-01T10:00:00Z".parse().unwrap();
        let mut note = WrittenNote {
            key: ContentKey("k1".into()),
            note: NoteId::new(at),
            path: PathBuf::from("Afterword/Preferences/no-amend.md"),
            content_hash: "h1".into(),
            session: SessionId::parse("one"),
            at,
        };
        store.written_notes().put(&note).unwrap();
        assert_eq!(store.written_notes().get(&note.key).unwrap(), Some(note.clone()));
        note.content_hash = "h2".into();
        note.session = None;
        store.written_notes().put(&note).unwrap();
        assert_eq!(store.written_notes().all().unwrap(), [note]);
        assert_eq!(store.written_notes().get(&ContentKey("k2".into())).unwrap(), None);
    }
}
