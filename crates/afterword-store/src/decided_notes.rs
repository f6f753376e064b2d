//! Table `decided_notes`: the notes a decision changed, as they were before it.
//!
//! The text is kept whole, so that undoing a decision gives back every byte. It goes when the decision is forgotten.

use rusqlite::params;

use crate::{DecisionId, Store, StoreError};

/// A row: one note, before and after a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecidedNote {
    /// The vault's root.
    pub vault: String,
    /// Where the note was, below the vault.
    pub path_before: String,
    /// Its whole text as it was.
    pub content_before: String,
    /// Where the decision put it.
    pub path_after: String,
    /// What its file hashed to then; another hash says that a person has changed it since.
    pub hash_after: String,
}

/// Reads and writes of the table.
#[derive(Debug, Clone, Copy)]
pub struct DecidedNotes<'a> {
    pub(crate) store: &'a Store,
}

impl DecidedNotes<'_> {
    /// Remembers the notes of a decision, in the order in which they were changed.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn add(&self, decision: DecisionId, notes: &[DecidedNote]) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("remember a decision's notes", e);
        let sql = "INSERT INTO decided_notes
            (decision, position, vault, path_before, content_before, path_after, hash_after)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        for (position, note) in (0_i64..).zip(notes) {
            statement
                .execute(params![
                    decision.0,
                    position,
                    note.vault,
                    note.path_before,
                    note.content_before,
                    note.path_after,
                    note.hash_after,
                ])
                .map_err(wrap)?;
        }
        Ok(())
    }

    /// The notes of a decision, in the order in which they were changed.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn of(&self, decision: DecisionId) -> Result<Vec<DecidedNote>, StoreError> {
        let wrap = |e| self.store.error("read a decision's notes", e);
        let sql = "SELECT vault, path_before, content_before, path_after, hash_after FROM decided_notes
            WHERE decision = ?1 ORDER BY position";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map([decision.0], |row| {
            Ok(DecidedNote {
                vault: row.get(0)?,
                path_before: row.get(1)?,
                content_before: row.get(2)?,
                path_after: row.get(3)?,
                hash_after: row.get(4)?,
            })
        });
        rows.map_err(wrap)?.collect::<Result<_, _>>().map_err(wrap)
    }
}
