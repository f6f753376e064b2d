//! Asking the index: hits of words, all vectors in a row, and the notes behind them.

use std::collections::HashMap;

use rusqlite::types::FromSql;
use rusqlite::{Connection, OptionalExtension};

use super::{BLOCK, IndexModel, SearchIndex, Slot, TextHit};
use crate::StoreError;

/// A note that was found, without its words' forms and its vector.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundNote {
    /// Where it is, relative to the vault's root.
    pub path: String,
    /// Its id; empty where it has none.
    pub id: String,
    /// What sort of note it is.
    pub kind: String,
    /// Its title.
    pub title: String,
    /// Where it is in its life.
    pub status: String,
    /// How what it tells of ended; empty where it tells of no attempt.
    pub outcome: String,
    /// Its project; empty where it has none.
    pub project: String,
    /// The session it tells of; empty where it tells of none.
    pub session: String,
    /// Its tags.
    pub tags: Vec<String>,
    /// How much it proved its worth, beside what it says of itself; 0 where nothing is known.
    pub bonus: f64,
    /// Its text.
    pub body: String,
}

impl SearchIndex {
    /// What the vectors were made with; `None` in an index never filled.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn index_model(&self) -> Result<Option<IndexModel>, StoreError> {
        self.sql("read what the index was made with", |connection| {
            let Some(model) = value(connection, "model")? else { return Ok(None) };
            let dimensions = dimensions(connection)?;
            // Only its length: the counts themselves are many pages.
            let mut select = connection
                .prepare_cached("SELECT length(value) / 4 FROM make WHERE name = 'token_counts'")?;
            let vocabulary: Option<i64> = select.query_row((), |row| row.get(0)).optional()?;
            let vocabulary = vocabulary.and_then(|tokens| usize::try_from(tokens).ok()).unwrap_or(0);
            Ok(Some(IndexModel { model, dimensions, vocabulary }))
        })
    }

    /// The state of the vault that the index was filled from; `None` where it was not told.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn stamp(&self) -> Result<Option<i64>, StoreError> {
        self.sql("read the vault's state", |connection| value(connection, "stamp"))
    }

    /// How many notes are indexed.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn count(&self) -> Result<usize, StoreError> {
        let count = self.sql("count the notes", |connection| value::<i64>(connection, "notes"))?;
        Ok(count.and_then(|count| usize::try_from(count).ok()).unwrap_or(0))
    }

    /// How many of what is indexed are attempts.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn attempts(&self) -> Result<u64, StoreError> {
        let count = self.sql("count the attempts", |connection| {
            let sql = "SELECT count(*) FROM note WHERE session <> '' AND outcome <> ''";
            connection.prepare_cached(sql)?.query_row((), |row| row.get::<_, i64>(0))
        })?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    /// In how many notes each of the model's tokens occurs.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn token_counts(&self) -> Result<Vec<u32>, StoreError> {
        self.sql("read the tokens' counts", token_counts)
    }

    /// The state of the attempts that the index was filled from; `None` where it was not told.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn attempts_stamp(&self) -> Result<Option<i64>, StoreError> {
        self.sql("read the attempts' state", |connection| value(connection, "attempts"))
    }

    /// The hash of each indexed file, by path.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn hashes(&self) -> Result<HashMap<String, String>, StoreError> {
        self.sql("list the notes", |connection| {
            let mut select = connection.prepare("SELECT path, hash FROM note")?;
            select.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })
    }

    /// In how many notes a word occurs, in any of its forms.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn occurrences(&self, word: &str) -> Result<usize, StoreError> {
        let count: i64 = self.sql("count a word", |connection| {
            let mut count = connection.prepare_cached("SELECT count(*) FROM words WHERE words MATCH ?1")?;
            count.query_row([quote_word(word)], |row| row.get(0))
        })?;
        Ok(usize::try_from(count).unwrap_or(0))
    }

    /// Notes in which a word occurs, in any of its forms; at most `most`, in no order that matters.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn notes_with(&self, word: &str, most: usize) -> Result<Vec<Slot>, StoreError> {
        self.sql("look a word up", |connection| {
            let mut select =
                connection.prepare_cached("SELECT rowid FROM words WHERE words MATCH ?1 LIMIT ?2")?;
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            select.query_map((quote_word(word), most), |row| row.get(0))?.collect()
        })
    }

    /// Asks several things of one state of the index, whatever is written meanwhile; also, what is asked together is not
    /// locked for one by one.
    ///
    /// # Errors
    /// [`StoreError`] as `ask` gave it, or where the index is locked or damaged.
    pub fn in_read_transaction<T>(
        &self,
        ask: impl FnOnce() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let begin = |sql| self.sql("read the index", |connection| connection.execute_batch(sql));
        begin("BEGIN")?;
        let answer = ask();
        // Nothing was written that could be lost.
        begin("COMMIT")?;
        answer
    }

    /// The notes in which any of `words` occurs, best first, without those kept out.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn text_hits(
        &self,
        words: &[String],
        excluded: &[bool],
        limit: usize,
    ) -> Result<Vec<TextHit>, StoreError> {
        if words.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        let query = words.iter().map(|word| quote_word(word)).collect::<Vec<_>>().join(" OR ");
        let mut hits = self.sql("search the words", |connection| {
            // A word in the title says more than one in the text; parts of identifiers say less.
            let mut select = connection.prepare_cached(
                "SELECT rowid, bm25(words, 2.0, 1.0, 1.0, 0.5, 0.7) FROM words WHERE words MATCH ?1",
            )?;
            let mut rows = select.query([query])?;
            let mut hits = Vec::new();
            while let Some(row) = rows.next()? {
                let slot: Slot = row.get(0)?;
                if !excluded.get(slot as usize).copied().unwrap_or(false) {
                    hits.push(TextHit { slot, bm25: -row.get::<_, f64>(1)? });
                }
            }
            Ok(hits)
        })?;
        let best_first =
            |one: &TextHit, other: &TextHit| other.bm25.total_cmp(&one.bm25).then(one.slot.cmp(&other.slot));
        if hits.len() > limit {
            hits.select_nth_unstable_by(limit - 1, best_first);
            hits.truncate(limit);
        }
        hits.sort_unstable_by(best_first);
        Ok(hits)
    }

    /// Shows every vector with its note's slot; a note without one has only zeros.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn vectors(&self, mut show: impl FnMut(Slot, &[u8])) -> Result<(), StoreError> {
        self.sql("read the vectors", |connection| {
            let dimensions = dimensions(connection)?.max(1);
            let mut select = connection.prepare_cached("SELECT block, rows FROM vectors ORDER BY block")?;
            let mut rows = select.query(())?;
            while let Some(row) = rows.next()? {
                let first = row.get::<_, u32>(0)?.saturating_mul(BLOCK);
                let block = row.get_ref(1)?.as_blob().unwrap_or_default();
                for (slot, vector) in (first..).zip(block.chunks_exact(dimensions)) {
                    show(slot, vector);
                }
            }
            Ok(())
        })
    }

    /// Where the notes with an id are, relative to the vault's root.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn paths_of(&self, id: &str) -> Result<Vec<String>, StoreError> {
        self.sql("look a note up", |connection| {
            let mut select = connection.prepare_cached("SELECT path FROM note WHERE id = ?1")?;
            select.query_map([id], |row| row.get(0))?.collect()
        })
    }

    /// The model's tokens of a note; `None` where there is no such note.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn tokens_of(&self, slot: Slot) -> Result<Option<Vec<u16>>, StoreError> {
        self.sql("read a note's tokens", |connection| {
            let mut select = connection.prepare_cached("SELECT tokens FROM note WHERE slot = ?1")?;
            select
                .query_row([slot], |row| Ok(tokens(row.get_ref(0)?.as_blob().unwrap_or_default())))
                .optional()
        })
    }

    /// A note; `None` where there is no such note.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn note(&self, slot: Slot) -> Result<Option<FoundNote>, StoreError> {
        self.sql("read a note", |connection| {
            let mut select = connection.prepare_cached(
                "SELECT path, id, kind, title, status, outcome, project, session, tags, bonus, body FROM note
                 WHERE slot = ?1",
            )?;
            let note = |row: &rusqlite::Row<'_>| {
                Ok(FoundNote {
                    path: row.get(0)?,
                    id: row.get(1)?,
                    kind: row.get(2)?,
                    title: row.get(3)?,
                    status: row.get(4)?,
                    outcome: row.get(5)?,
                    project: row.get(6)?,
                    session: row.get(7)?,
                    tags: row.get::<_, String>(8)?.lines().map(str::to_owned).collect(),
                    bonus: row.get(9)?,
                    body: row.get(10)?,
                })
            };
            select.query_row([slot], note).optional()
        })
    }
}

/// A word as a string of FTS5's query language: nothing in it is an operator.
fn quote_word(word: &str) -> String {
    format!("\"{}\"", word.replace('"', "\"\"").replace('\0', ""))
}

pub(super) fn tokens(bytes: &[u8]) -> Vec<u16> {
    bytes.as_chunks::<2>().0.iter().map(|pair| u16::from_le_bytes(*pair)).collect()
}

pub(super) fn token_counts(connection: &Connection) -> rusqlite::Result<Vec<u32>> {
    let bytes: Vec<u8> = value(connection, "token_counts")?.unwrap_or_default();
    Ok(bytes.as_chunks::<4>().0.iter().map(|four| u32::from_le_bytes(*four)).collect())
}

pub(super) fn dimensions(connection: &Connection) -> rusqlite::Result<usize> {
    let dimensions: Option<i64> = value(connection, "dimensions")?;
    Ok(dimensions.and_then(|number| usize::try_from(number).ok()).unwrap_or(0))
}

pub(super) fn value<T: FromSql>(connection: &Connection, name: &str) -> rusqlite::Result<Option<T>> {
    let mut select = connection.prepare_cached("SELECT value FROM make WHERE name = ?1")?;
    select.query_row([name], |row| row.get(0)).optional()
}
