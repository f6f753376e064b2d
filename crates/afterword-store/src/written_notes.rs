//! Table `written_notes`: which note carries which lesson, as the vault left it.
//!
//! The vault's notes carry their keys themselves; this table adds what they cannot say: the exact content written
//! (so that a person's edit is told from our own) and notes that a person has deleted.

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
    /// What SQLite said.
    pub fn all(&self) -> Result<Vec<WrittenNote>, StoreError> {
        let wrap = |e| self.store.error("read the written notes", e);
        let sql = "SELECT content_key, note_id, path, content_hash, session_id, written_at
            FROM written_notes WHERE vault = ?1 ORDER BY content_key";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map([self.vault], read).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }

    /// Writes a row, in place of the one the key had.
    ///
    /// # Errors
    /// What SQLite said.
    pub fn put(&self, note: &WrittenNote) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("remember a written note", e);
        let sql = "INSERT OR REPLACE INTO written_notes
            (vault, content_key, note_id, path, content_hash, session_id, written_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
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

    /// Takes over the rows of the vault that one of `notes` was written to, when this vault has none itself: it is
    /// that vault, moved. Says whether it did.
    ///
    /// # Errors
    /// What SQLite said.
    pub fn adopt(&self, notes: &mut dyn Iterator<Item = NoteId>) -> Result<bool, StoreError> {
        let wrap = |e| self.store.error("look for a moved vault", e);
        let connection = &self.store.connection;
        let count =
            |sql| -> rusqlite::Result<bool> { connection.query_row(sql, [self.vault], |row| row.get(0)) };
        let own = count("SELECT EXISTS (SELECT 1 FROM written_notes WHERE vault = ?1)").map_err(wrap)?;
        let others = count("SELECT EXISTS (SELECT 1 FROM written_notes WHERE vault <> ?1)").map_err(wrap)?;
        if own || !others {
            return Ok(false);
        }
        let sql = "SELECT vault FROM written_notes WHERE note_id = ?1 LIMIT 1";
        let mut find = connection.prepare_cached(sql).map_err(wrap)?;
        for note in notes {
            let vault = find.query_row([note.to_string()], |row| row.get::<_, String>(0)).optional();
            if let Some(old) = vault.map_err(wrap)? {
                let sql = "UPDATE written_notes SET vault = ?1 WHERE vault = ?2";
                return connection.execute(sql, [self.vault, &old]).map(|_| true).map_err(wrap);
            }
        }
        Ok(false)
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

    #[test]
    fn row_comes_back_and_is_replaced() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let mut written = note("k1");
        store.written_notes("/vault").put(&written).unwrap();
        assert_eq!(store.written_notes("/vault").all().unwrap(), [written.clone()]);
        written.content_hash = "h2".into();
        written.session = None;
        store.written_notes("/vault").put(&written).unwrap();
        assert_eq!(store.written_notes("/vault").all().unwrap(), [written]);
    }

    #[test]
    fn another_vault_starts_empty_and_a_moved_one_keeps_its_rows() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let (one, two) = (note("k1"), note("k2"));
        store.written_notes("/old").put(&one).unwrap();
        store.written_notes("/old").put(&two).unwrap();

        let stranger = NoteId::new("2020-01-01T00:00:00Z".parse().unwrap());
        let new = store.written_notes("/new");
        assert!(!new.adopt(&mut [stranger].into_iter()).unwrap());
        assert_eq!(new.all().unwrap(), []);

        assert!(new.adopt(&mut [stranger, two.note].into_iter()).unwrap());
        assert_eq!(new.all().unwrap(), [one, two]);
        assert_eq!(store.written_notes("/old").all().unwrap(), []);
        assert!(!new.adopt(&mut [stranger].into_iter()).unwrap());
    }
}
