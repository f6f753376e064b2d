//! Changing the index: notes in, notes out, all in one transaction.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, OptionalExtension, params};

use super::{BLOCK, IndexedNote, Make, SearchIndex, Slot};
use crate::StoreError;

impl SearchIndex {
    /// Takes out every note and remembers what vectors are going to be made with.
    ///
    /// # Errors
    /// What SQLite said.
    pub fn clear(&self, make: &Make) -> Result<(), StoreError> {
        self.change("empty the index", |connection| {
            connection.execute_batch(
                "DELETE FROM note; DELETE FROM vectors; DELETE FROM make;
                 INSERT INTO words (words) VALUES ('delete-all');",
            )?;
            let mut insert = connection.prepare("INSERT INTO make VALUES (?1, ?2)")?;
            insert.execute(params!["model", make.model])?;
            insert.execute(params!["dimensions", size(make.dimensions)])?;
            insert.execute(params!["token_counts", vec![0_u8; make.vocabulary * 4]])?;
            insert.execute(params!["notes", 0])?;
            Ok(())
        })
    }

    /// Puts notes in, in place of those with the same path, and takes notes out.
    ///
    /// # Errors
    /// What SQLite said; then nothing has changed.
    pub fn update(&self, changed: &[IndexedNote], removed: &[String]) -> Result<(), StoreError> {
        self.change("update the index", |connection| {
            let mut change = Change::begin(connection)?;
            for path in removed.iter().chain(changed.iter().map(|note| &note.path)) {
                change.remove(path)?;
            }
            for note in changed {
                change.add(note)?;
            }
            change.end()
        })
    }

    /// Remembers the state of the vault that the index was filled from.
    ///
    /// # Errors
    /// What SQLite said.
    pub fn set_stamp(&self, stamp: i64) -> Result<(), StoreError> {
        self.sql("remember the vault's state", |connection| {
            connection.execute("INSERT OR REPLACE INTO make VALUES ('stamp', ?1)", [stamp]).map(drop)
        })
    }

    /// Remembers what people call each project, so that a directory is recognised without the database.
    ///
    /// # Errors
    /// What SQLite said.
    pub fn set_projects(&self, names: &[(String, String)]) -> Result<(), StoreError> {
        self.change("remember the projects", |connection| {
            connection.execute("DELETE FROM project", ())?;
            let mut insert = connection.prepare("INSERT OR REPLACE INTO project VALUES (?1, ?2)")?;
            names.iter().try_for_each(|(path, name)| insert.execute(params![path, name]).map(drop))
        })
    }

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
}

/// One transaction's worth: counts and vectors are written once, at its end.
struct Change<'a> {
    connection: &'a Connection,
    dimensions: usize,
    token_counts: Vec<u32>,
    notes: i64,
    vectors: BTreeMap<Slot, Option<Vec<i8>>>,
}

impl<'a> Change<'a> {
    fn begin(connection: &'a Connection) -> rusqlite::Result<Self> {
        Ok(Self {
            connection,
            dimensions: super::read::dimensions(connection)?,
            token_counts: super::read::token_counts(connection)?,
            notes: super::read::value(connection, "notes")?.unwrap_or(0),
            vectors: BTreeMap::new(),
        })
    }

    fn remove(&mut self, path: &str) -> rusqlite::Result<()> {
        let mut find = self.connection.prepare_cached("SELECT slot, tokens FROM note WHERE path = ?1")?;
        let found: Option<(Slot, Vec<u8>)> =
            find.query_row([path], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        let Some((slot, tokens)) = found else { return Ok(()) };
        self.connection.prepare_cached("DELETE FROM note WHERE slot = ?1")?.execute([slot])?;
        self.connection.prepare_cached("DELETE FROM words WHERE rowid = ?1")?.execute([slot])?;
        self.vectors.insert(slot, None);
        self.notes -= 1;
        for token in super::read::tokens(&tokens).into_iter().collect::<BTreeSet<_>>() {
            if let Some(count) = self.token_counts.get_mut(usize::from(token)) {
                *count = count.saturating_sub(1);
            }
        }
        Ok(())
    }

    fn add(&mut self, note: &IndexedNote) -> rusqlite::Result<()> {
        let tokens: Vec<u8> = note.tokens.iter().flat_map(|token| token.to_le_bytes()).collect();
        self.connection
            .prepare_cached(
                "INSERT INTO note (path, hash, id, kind, title, status, project, always_load, weight, tokens, body)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            )?
            .execute(params![
                note.path,
                note.hash,
                note.id,
                note.kind,
                note.title,
                note.status,
                note.project,
                note.always_load,
                note.weight,
                tokens,
                note.body
            ])?;
        let slot = Slot::try_from(self.connection.last_insert_rowid()).unwrap_or(Slot::MAX);
        self.connection
            .prepare_cached(
                "INSERT INTO words (rowid, title, body, tags, project, parts)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![slot, note.title, note.body, note.tags, note.project, note.parts])?;
        // A vector of the wrong size would shift all that follow it.
        let vector = note.vector.clone().filter(|vector| vector.len() == self.dimensions);
        self.vectors.insert(slot, vector);
        self.notes += 1;
        for token in note.tokens.iter().collect::<BTreeSet<_>>() {
            if let Some(count) = self.token_counts.get_mut(usize::from(*token)) {
                *count += 1;
            }
        }
        Ok(())
    }

    fn end(self) -> rusqlite::Result<()> {
        let mut blocks: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
        for (slot, vector) in &self.vectors {
            let number = slot / BLOCK;
            if let Entry::Vacant(place) = blocks.entry(number) {
                let mut find = self.connection.prepare_cached("SELECT rows FROM vectors WHERE block = ?1")?;
                let found: Option<Vec<u8>> = find.query_row([number], |row| row.get(0)).optional()?;
                let mut rows = found.unwrap_or_default();
                rows.resize(BLOCK as usize * self.dimensions, 0);
                place.insert(rows);
            }
            let start = (slot % BLOCK) as usize * self.dimensions;
            let Some(row) =
                blocks.get_mut(&number).and_then(|rows| rows.get_mut(start..start + self.dimensions))
            else {
                continue;
            };
            match vector {
                Some(vector) => {
                    row.iter_mut().zip(vector).for_each(|(byte, value)| *byte = value.cast_unsigned());
                }
                None => row.fill(0),
            }
        }
        for (number, rows) in blocks {
            let mut write =
                self.connection.prepare_cached("INSERT OR REPLACE INTO vectors VALUES (?1, ?2)")?;
            write.execute(params![number, rows])?;
        }
        let counts: Vec<u8> = self.token_counts.iter().flat_map(|count| count.to_le_bytes()).collect();
        let mut write = self.connection.prepare_cached("INSERT OR REPLACE INTO make VALUES (?1, ?2)")?;
        write.execute(params!["token_counts", counts])?;
        write.execute(params!["notes", self.notes])?;
        Ok(())
    }
}

fn size(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
