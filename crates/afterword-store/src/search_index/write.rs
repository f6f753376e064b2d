//! Changing the index: notes in, notes out, all in one transaction.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use rusqlite::{Connection, OptionalExtension, params};

use super::facets::{self, Facets, Labels};
use super::{BLOCK, IndexModel, IndexedNote, SearchIndex, Slot};
use crate::StoreError;

/// What came of a note's lesson adds so much.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Bonus {
    /// To how well it matches what is searched for.
    pub found: f64,
    /// To how much it matters where a session is given lessons.
    pub given: f64,
}

/// Changes a search index.
#[derive(Debug, Clone, Copy)]
pub struct IndexWriter<'a> {
    pub(super) index: &'a SearchIndex,
}

impl IndexWriter<'_> {
    /// Takes out every note and remembers what vectors are going to be made with.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn clear(&self, make: &IndexModel) -> Result<(), StoreError> {
        self.index.change("empty the index", |connection| {
            connection.execute_batch(
                "DELETE FROM note; DELETE FROM vectors; DELETE FROM make; DELETE FROM facets;
                 DELETE FROM label; DELETE FROM tagged; DELETE FROM next;
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
    /// [`StoreError`]: the database is locked, damaged, full or can only be read; then nothing has changed.
    pub fn update(&self, changed: &[IndexedNote], removed: &[String]) -> Result<(), StoreError> {
        self.index.change("update the index", |connection| update(connection, changed, removed))
    }

    /// As [`IndexWriter::update`], where the index is of this make still; says whether it was, for the notes' tokens and
    /// vectors are worth nothing in another.
    ///
    /// # Errors
    /// As [`IndexWriter::update`].
    pub fn update_made_with(
        &self,
        make: &IndexModel,
        changed: &[IndexedNote],
        removed: &[String],
    ) -> Result<bool, StoreError> {
        let mut fits = false;
        self.index.change("update the index", |connection| {
            fits = super::read::value::<String>(connection, "model")?.as_ref() == Some(&make.model);
            if fits { update(connection, changed, removed) } else { Ok(()) }
        })?;
        Ok(fits)
    }

    /// Says anew how much notes matter beside what they say of themselves: by id; the bonus of all others is 0.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn set_bonuses(&self, bonuses: &HashMap<String, Bonus>) -> Result<(), StoreError> {
        self.index.change("weigh the notes", |connection| {
            let mut select = connection
                .prepare("SELECT slot, id, bonus, weight - base FROM note WHERE bonus <> 0 OR id <> ''")?;
            let known = select.query_map((), |row| {
                let was = Bonus { found: row.get(2)?, given: row.get(3)? };
                Ok((row.get::<_, Slot>(0)?, row.get::<_, String>(1)?, was))
            })?;
            let known: Vec<(Slot, String, Bonus)> = known.collect::<Result<_, _>>()?;
            let mut write =
                connection.prepare("UPDATE note SET bonus = ?2, weight = base + ?3 WHERE slot = ?1")?;
            for (slot, id, was) in known {
                let bonus = bonuses.get(&id).copied().unwrap_or_default();
                // Less than a hundredth changes no order; most notes are not written at all.
                if (bonus.found - was.found).abs() >= 0.01 || (bonus.given - was.given).abs() >= 0.01 {
                    write.execute(params![slot, bonus.found, bonus.given])?;
                }
            }
            Ok(())
        })
    }

    /// Remembers the state of the vault that the index was filled from.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn set_stamp(&self, stamp: i64) -> Result<(), StoreError> {
        self.index.sql("remember the vault's state", |connection| {
            connection.execute("INSERT OR REPLACE INTO make VALUES ('stamp', ?1)", [stamp]).map(drop)
        })
    }

    /// Remembers the state of the attempts that the index was filled from.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn set_attempts_stamp(&self, stamp: i64) -> Result<(), StoreError> {
        self.index.sql("remember the attempts' state", |connection| {
            connection.execute("INSERT OR REPLACE INTO make VALUES ('attempts', ?1)", [stamp]).map(drop)
        })
    }

    /// Remembers what people call each project, so that a directory is recognised without the database.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn set_projects(&self, names: &[(String, String)]) -> Result<(), StoreError> {
        self.index.change("remember the projects", |connection| {
            connection.execute("DELETE FROM project", ())?;
            let mut insert = connection.prepare("INSERT OR REPLACE INTO project VALUES (?1, ?2)")?;
            names.iter().try_for_each(|(path, name)| insert.execute(params![path, name]).map(drop))
        })
    }

    /// Leaves nothing in the file of notes that were taken out: full-text segments keep their words until they are merged.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn compact(&self) -> Result<(), StoreError> {
        self.index.sql("compact the index", |connection| {
            connection.execute_batch(
                "INSERT INTO words (words) VALUES ('optimize');
                 DELETE FROM label WHERE text NOT IN (SELECT status FROM note UNION SELECT kind FROM note
                   UNION SELECT outcome FROM note UNION SELECT project FROM note);
                 VACUUM; PRAGMA wal_checkpoint(TRUNCATE);",
            )
        })
    }
}

fn update(connection: &Connection, changed: &[IndexedNote], removed: &[String]) -> rusqlite::Result<()> {
    let mut change = Change::begin(connection)?;
    for path in removed.iter().chain(changed.iter().map(|note| &note.path)) {
        change.remove(path)?;
    }
    for note in changed {
        change.add(note)?;
    }
    change.end()
}

/// One transaction's worth: counts and vectors are written once, at its end.
struct Change<'a> {
    connection: &'a Connection,
    dimensions: usize,
    token_counts: Vec<u32>,
    notes: i64,
    vectors: BTreeMap<Slot, Option<Vec<i8>>>,
    facets: BTreeMap<Slot, Facets>,
    labels: Labels,
}

impl<'a> Change<'a> {
    fn begin(connection: &'a Connection) -> rusqlite::Result<Self> {
        Ok(Self {
            connection,
            dimensions: super::read::dimensions(connection)?,
            token_counts: super::read::token_counts(connection)?,
            notes: super::read::value(connection, "notes")?.unwrap_or(0),
            vectors: BTreeMap::new(),
            facets: BTreeMap::new(),
            labels: Labels::default(),
        })
    }

    fn remove(&mut self, path: &str) -> rusqlite::Result<()> {
        let mut find = self.connection.prepare_cached("SELECT slot, tokens FROM note WHERE path = ?1")?;
        let found: Option<(Slot, Vec<u8>)> =
            find.query_row([path], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        let Some((slot, tokens)) = found else { return Ok(()) };
        self.connection.prepare_cached("DELETE FROM note WHERE slot = ?1")?.execute([slot])?;
        self.connection.prepare_cached("DELETE FROM words WHERE rowid = ?1")?.execute([slot])?;
        self.connection.prepare_cached("DELETE FROM tagged WHERE slot = ?1")?.execute([slot])?;
        // Slots are given again.
        self.connection.prepare_cached("DELETE FROM next WHERE slot = ?1")?.execute([slot])?;
        self.vectors.insert(slot, None);
        self.facets.insert(slot, Facets::default());
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
                "INSERT INTO note (path, hash, id, kind, title, status, outcome, project, session, tags,
                    always_load, may_supersede, base, weight, tokens, body)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?13, ?14, ?15)",
            )?
            .execute(params![
                note.path,
                note.hash,
                note.id,
                note.kind,
                note.title,
                note.status,
                note.outcome,
                note.project,
                note.session,
                note.tags.join("\n"),
                note.always_load,
                note.may_supersede,
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
            .execute(params![slot, note.title, note.body, note.tags.join(" "), note.project, note.parts])?;
        // A vector of the wrong size would shift all that follow it.
        let vector = note.vector.clone().filter(|vector| vector.len() == self.dimensions);
        self.vectors.insert(slot, vector);
        let facets = Facets::of(note, &mut |text| self.labels.number(self.connection, text))?;
        self.facets.insert(slot, facets);
        for tag in &note.tags {
            self.connection
                .prepare_cached("INSERT OR IGNORE INTO tagged VALUES (?1, ?2)")?
                .execute(params![tag.to_lowercase(), slot])?;
        }
        self.notes += 1;
        for token in note.tokens.iter().collect::<BTreeSet<_>>() {
            if let Some(count) = self.token_counts.get_mut(usize::from(*token)) {
                *count += 1;
            }
        }
        Ok(())
    }

    fn end(self) -> rusqlite::Result<()> {
        let vectors = self.vectors.into_iter().map(|(slot, vector)| {
            let bytes = vector.unwrap_or_default().into_iter().map(i8::cast_unsigned);
            (slot, bytes.collect())
        });
        write_rows(self.connection, "vectors", self.dimensions, vectors)?;
        let facets = self.facets.iter().map(|(slot, facets)| (*slot, facets.to_bytes()));
        write_rows(self.connection, "facets", facets::SIZE, facets)?;
        let counts: Vec<u8> = self.token_counts.iter().flat_map(|count| count.to_le_bytes()).collect();
        let mut write = self.connection.prepare_cached("INSERT OR REPLACE INTO make VALUES (?1, ?2)")?;
        write.execute(params!["token_counts", counts])?;
        write.execute(params!["notes", self.notes])?;
        Ok(())
    }
}

/// Writes rows of `size` bytes into their blocks; an empty row is all zeros.
pub(super) fn write_rows(
    connection: &Connection,
    table: &'static str,
    size: usize,
    rows: impl Iterator<Item = (Slot, Vec<u8>)>,
) -> rusqlite::Result<()> {
    let mut blocks: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
    for (slot, row) in rows {
        let number = slot / BLOCK;
        if let Entry::Vacant(place) = blocks.entry(number) {
            let sql = format!("SELECT rows FROM {table} WHERE block = ?1");
            let mut find = connection.prepare_cached(&sql)?;
            let found: Option<Vec<u8>> = find.query_row([number], |row| row.get(0)).optional()?;
            let mut found = found.unwrap_or_default();
            found.resize(BLOCK as usize * size, 0);
            place.insert(found);
        }
        let start = (slot % BLOCK) as usize * size;
        let place = blocks.get_mut(&number).and_then(|block| block.get_mut(start..start + size));
        if let Some(place) = place {
            place.fill(0);
            place.iter_mut().zip(row).for_each(|(byte, value)| *byte = value);
        }
    }
    for (number, block) in blocks {
        let sql = format!("INSERT OR REPLACE INTO {table} VALUES (?1, ?2)");
        connection.prepare_cached(&sql)?.execute(params![number, block])?;
    }
    Ok(())
}

fn size(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
