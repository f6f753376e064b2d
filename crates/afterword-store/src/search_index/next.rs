//! Vectors of another model, made beside those in use and put in their place all at once.
//!
//! What is made stays in the index, so that who is stopped goes on where it was; who searches meanwhile finds the old
//! vectors, whole.

use std::collections::BTreeSet;

use rusqlite::{Connection, params};

use super::write::write_rows;
use super::{BLOCK, IndexModel, SearchIndex, Slot, read};
use crate::StoreError;

/// What a note says, for a model to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteText {
    /// The note.
    pub slot: Slot,
    /// Its title.
    pub title: String,
    /// Its text.
    pub body: String,
}

/// What another model makes of a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextVector {
    /// The note.
    pub slot: Slot,
    /// The model's tokens of title and text.
    pub tokens: Vec<u16>,
    /// The vector, scaled to whole numbers; `None` where there is none.
    pub vector: Option<Vec<i8>>,
}

/// The vectors of another model, which are made beside those in use.
#[derive(Debug, Clone, Copy)]
pub struct NextVectors<'a> {
    pub(super) index: &'a SearchIndex,
}

impl NextVectors<'_> {
    /// Begins to make vectors of this make, or goes on where it was begun; what was made for another is dropped.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn begin(&self, make: &IndexModel) -> Result<(), StoreError> {
        self.index.change("begin other vectors", |connection| {
            let begun: Option<String> = read::value(connection, "next")?;
            if begun.as_ref() == Some(&make.model) {
                return Ok(());
            }
            connection.execute("DELETE FROM next", ())?;
            connection.execute("INSERT OR REPLACE INTO make VALUES ('next', ?1)", [&make.model]).map(drop)
        })
    }

    /// Notes that the other vectors lack, at most `most`.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn missing(&self, most: usize) -> Result<Vec<NoteText>, StoreError> {
        self.index.sql("look for notes without the other vectors", |connection| {
            let mut select = connection.prepare_cached(
                "SELECT slot, title, body FROM note
                 WHERE NOT EXISTS (SELECT 1 FROM next WHERE next.slot = note.slot) LIMIT ?1",
            )?;
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            let text = |row: &rusqlite::Row<'_>| {
                Ok(NoteText { slot: row.get(0)?, title: row.get(1)?, body: row.get(2)? })
            };
            select.query_map([most], text)?.collect()
        })
    }

    /// Keeps what the other model makes of notes, where they are as they were read: `texts` and `vectors` go together.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn put(
        &self,
        make: &IndexModel,
        texts: &[NoteText],
        vectors: &[NextVector],
    ) -> Result<(), StoreError> {
        self.index.change("keep other vectors", |connection| {
            let begun: Option<String> = read::value(connection, "next")?;
            if begun.as_ref() != Some(&make.model) {
                return Ok(());
            }
            let mut insert = connection.prepare_cached(
                "INSERT OR REPLACE INTO next SELECT slot, ?4, ?5 FROM note WHERE slot = ?1 AND title = ?2 AND body = ?3",
            )?;
            for (text, next) in texts.iter().zip(vectors).filter(|(text, next)| text.slot == next.slot) {
                let tokens: Vec<u8> = next.tokens.iter().flat_map(|token| token.to_le_bytes()).collect();
                let fitting = next.vector.iter().filter(|vector| vector.len() == make.dimensions);
                let vector: Vec<u8> = fitting.flatten().map(|number| number.cast_unsigned()).collect();
                insert.execute(params![text.slot, text.title, text.body, tokens, vector])?;
            }
            Ok(())
        })
    }

    /// How many notes have other vectors, of how many.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn progress(&self) -> Result<(usize, usize), StoreError> {
        let made: i64 = self.index.sql("count other vectors", |connection| {
            connection.prepare_cached("SELECT count(*) FROM next")?.query_row((), |row| row.get(0))
        })?;
        Ok((usize::try_from(made).unwrap_or(0), self.index.count()?))
    }

    /// Puts the other vectors in the place of those in use, all at once. Says whether it did: not while a note lacks one,
    /// or when somebody began others.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read; then the old ones stay.
    pub fn adopt(&self, make: &IndexModel) -> Result<bool, StoreError> {
        let mut adopted = false;
        self.index.change("put other vectors in place", |connection| {
            adopted = adopt(connection, make)?;
            Ok(())
        })?;
        Ok(adopted)
    }

    /// Drops what was made of other vectors.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn discard(&self) -> Result<(), StoreError> {
        self.index.change("drop other vectors", |connection| {
            connection.execute("DELETE FROM next", ())?;
            connection.execute("DELETE FROM make WHERE name = 'next'", ()).map(drop)
        })
    }
}

fn adopt(connection: &Connection, make: &IndexModel) -> rusqlite::Result<bool> {
    let begun: Option<String> = read::value(connection, "next")?;
    let lacks = "SELECT EXISTS (SELECT 1 FROM note WHERE NOT EXISTS (SELECT 1 FROM next WHERE next.slot = note.slot))";
    if begun.as_ref() != Some(&make.model) || connection.query_row(lacks, (), |row| row.get(0))? {
        return Ok(false);
    }
    connection.execute_batch(
        "UPDATE note SET tokens = (SELECT tokens FROM next WHERE next.slot = note.slot);
         DELETE FROM vectors;",
    )?;
    let mut counts = vec![0_u32; make.vocabulary];
    let mut select = connection.prepare("SELECT slot, tokens, vector FROM next ORDER BY slot")?;
    let mut rows = select.query(())?;
    // One block after the other: all of them at once can be a lot of memory.
    let mut block: Vec<(Slot, Vec<u8>)> = Vec::new();
    while let Some(row) = rows.next()? {
        let (slot, tokens, vector): (Slot, Vec<u8>, Vec<u8>) = (row.get(0)?, row.get(1)?, row.get(2)?);
        for token in read::tokens(&tokens).into_iter().collect::<BTreeSet<_>>() {
            if let Some(count) = counts.get_mut(usize::from(token)) {
                *count += 1;
            }
        }
        if block.last().is_some_and(|(last, _)| last / BLOCK != slot / BLOCK) {
            write_rows(connection, "vectors", make.dimensions, block.drain(..))?;
        }
        block.push((slot, vector));
    }
    write_rows(connection, "vectors", make.dimensions, block.drain(..))?;
    let counts: Vec<u8> = counts.into_iter().flat_map(u32::to_le_bytes).collect();
    let dimensions = i64::try_from(make.dimensions).unwrap_or(0);
    let mut write = connection.prepare("INSERT OR REPLACE INTO make VALUES (?1, ?2)")?;
    write.execute(params!["model", make.model])?;
    write.execute(params!["dimensions", dimensions])?;
    write.execute(params!["token_counts", counts])?;
    connection.execute("DELETE FROM next", ())?;
    connection.execute("DELETE FROM make WHERE name = 'next'", ())?;
    Ok(true)
}
