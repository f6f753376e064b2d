//! Table `comparisons`: what a candidate turned out to be beside what was known, so that it can be explained.

use afterword_core::{ContentKey, Kind, NoteId, ProjectKey, SessionId};
use jiff::Timestamp;
use rusqlite::{Row, params};

use crate::values::{millis, parse_column, read_count, time};
use crate::{Store, StoreError};

/// What a candidate turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ComparisonOutcome {
    /// A note says it already; its evidence grows.
    Same,
    /// A note says the opposite; superseding it is offered.
    Contradicts,
    /// A person rejected one that means the same; it is not offered.
    Rejected,
}

impl ComparisonOutcome {
    const ALL: [Self; 3] = [Self::Same, Self::Contradicts, Self::Rejected];

    /// The word, the same in SQL and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Contradicts => "contradicts",
            Self::Rejected => "rejected",
        }
    }

    /// Reads the word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == text)
    }
}

/// A row: one candidate of one session, and the note it was compared with.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The session it was found in.
    pub session: SessionId,
    /// The candidate.
    pub candidate: ContentKey,
    /// The session's project.
    pub project: Option<ProjectKey>,
    /// What sort of note it would have become.
    pub kind: Kind,
    /// Its title, redacted.
    pub title: String,
    /// What it turned out to be.
    pub verdict: ComparisonOutcome,
    /// The note it was compared with.
    pub note: Option<NoteId>,
    /// Where that note was, below the vault.
    pub note_path: String,
    /// That note's title.
    pub note_title: String,
    /// How close the two are in meaning, from 0 to 1.
    pub closeness: f64,
    /// Why, in a sentence.
    pub reason: String,
    /// When they were compared.
    pub at: Timestamp,
}

/// A wish that a session said although there was a note that says it, and what the session had been given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepeatedWish {
    /// The note.
    pub note: NoteId,
    /// When the session began.
    pub at: Timestamp,
    /// The session had been given the note; none where nobody wrote down what it was given.
    pub given: Option<bool>,
}

/// Reads and writes of the table.
#[derive(Debug, Clone, Copy)]
pub struct Comparisons<'a> {
    pub(crate) store: &'a Store,
}

impl Comparisons<'_> {
    /// Remembers what was found, in place of what was found of the same candidates in the same sessions before.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn add(&self, compared: &[Comparison]) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("remember a comparison", e);
        let sql =
            "INSERT OR REPLACE INTO comparisons (session_id, candidate_key, project, kind, title, verdict,
                note_id, note_path, note_title, closeness, reason, compared_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        for one in compared {
            statement
                .execute(params![
                    one.session.as_str(),
                    one.candidate.0,
                    one.project.as_ref().map(ProjectKey::as_str),
                    one.kind.as_str(),
                    one.title,
                    one.verdict.as_str(),
                    one.note.map(|note| note.to_string()),
                    one.note_path,
                    one.note_title,
                    one.closeness,
                    one.reason,
                    millis(one.at),
                ])
                .map_err(wrap)?;
        }
        Ok(())
    }

    /// What was found of a session's candidates, by title.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn of_session(&self, session: &SessionId) -> Result<Vec<Comparison>, StoreError> {
        self.list("SELECT * FROM comparisons WHERE session_id = ?1 ORDER BY title", [session.as_str()])
    }

    /// What was compared with a note, the latest first.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn with_note(&self, note: NoteId) -> Result<Vec<Comparison>, StoreError> {
        let sql = "SELECT * FROM comparisons WHERE note_id = ?1 ORDER BY compared_at DESC, candidate_key";
        self.list(sql, [note.to_string()])
    }

    /// The wishes that sessions said although there was a note when they began, each once a session.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn repeated_wishes(&self, vault: &str) -> Result<Vec<RepeatedWish>, StoreError> {
        let wrap = |e| self.store.error("look for repeated wishes", e);
        let sql = "SELECT c.note_id, min(s.first_entry_at) AS began,
                EXISTS (SELECT 1 FROM injections i WHERE i.session_id = c.session_id),
                EXISTS (SELECT 1 FROM injections i JOIN injected g ON g.injection = i.id
                    WHERE i.session_id = c.session_id AND g.note_id = c.note_id AND g.shown = 1)
            FROM comparisons c JOIN sessions s ON s.session_id = c.session_id AND s.sidechain = 0
            WHERE c.verdict = 'same' AND s.first_entry_at >= (SELECT min(coalesce(w.first_written_at, w.written_at))
                FROM written_notes w WHERE w.note_id = c.note_id AND w.vault = ?1)
            GROUP BY c.session_id, c.note_id ORDER BY began, c.note_id";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map([vault], |row| {
            let is_known: bool = row.get(2)?;
            let is_given: bool = row.get(3)?;
            Ok((row.get::<_, String>(0)?, time(row, 1)?, is_known.then_some(is_given)))
        });
        let rows: Vec<_> = rows.map_err(wrap)?.collect::<Result<_, _>>().map_err(wrap)?;
        let repeated = rows.into_iter();
        Ok(repeated
            .filter_map(|(note, at, given)| Some(RepeatedWish { note: NoteId::parse(&note)?, at, given }))
            .collect())
    }

    /// How many reflected sessions began when there was a note already: in them a wish can be repeated.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn sessions_that_could_repeat(&self, vault: &str) -> Result<u64, StoreError> {
        let wrap = |e| self.store.error("count sessions since the first note", e);
        let sql = "SELECT count(DISTINCT session_id) FROM sessions WHERE outcome = 'reflected' AND sidechain = 0
            AND first_entry_at >= (SELECT min(coalesce(first_written_at, written_at)) FROM written_notes WHERE vault = ?1)";
        self.store.connection.query_row(sql, [vault], |row| read_count(row, 0)).map_err(wrap)
    }

    /// Deletes what was found of a session's candidates. Says how many rows.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn forget_session(&self, session: &SessionId) -> Result<usize, StoreError> {
        let wrap = |e| self.store.error("forget a session's comparisons", e);
        self.store
            .connection
            .execute("DELETE FROM comparisons WHERE session_id = ?1", [session.as_str()])
            .map_err(wrap)
    }

    fn list(&self, sql: &str, values: impl rusqlite::Params) -> Result<Vec<Comparison>, StoreError> {
        let wrap = |e| self.store.error("read the comparisons", e);
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map(values, read).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<Comparison> {
    let at = row.as_ref().column_index("compared_at")?;
    Ok(Comparison {
        session: parse_column(row, "session_id", SessionId::parse)?,
        candidate: ContentKey(row.get("candidate_key")?),
        project: row.get::<_, Option<String>>("project")?.map(|text| ProjectKey::from_cwd(&text)),
        kind: parse_column(row, "kind", Kind::parse)?,
        title: row.get("title")?,
        verdict: parse_column(row, "verdict", ComparisonOutcome::parse)?,
        note: row.get::<_, Option<String>>("note_id")?.and_then(|text| NoteId::parse(&text)),
        note_path: row.get("note_path")?,
        note_title: row.get("note_title")?,
        closeness: row.get("closeness")?,
        reason: row.get("reason")?,
        at: time(row, at)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_candidate_compared_again_replaces_what_was_found() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let at: Timestamp = "2026-03-01T10:00:00Z".parse().unwrap();
        let session = SessionId::parse("one").unwrap();
        let note = NoteId::new(at);
        let row = |key: &str, verdict| Comparison {
            session: session.clone(),
            candidate: ContentKey(key.into()),
            project: Some(ProjectKey::from_cwd("/home/ada/engine")),
            kind: Kind::Fix,
            title: format!("Title of {key}"),
            verdict,
            note: Some(note),
            note_path: "Afterword/Fixes/a.md".into(),
            note_title: "A".into(),
            closeness: 0.75,
            reason: "the words mean the same".into(),
            at,
        };
        let rows: Vec<_> =
            ComparisonOutcome::ALL.into_iter().zip(["a", "b", "c"]).map(|(v, k)| row(k, v)).collect();
        store.comparisons().add(&rows).unwrap();
        assert_eq!(store.comparisons().of_session(&session).unwrap(), rows);
        assert_eq!(store.comparisons().with_note(note).unwrap().len(), 3);
        store.comparisons().add(&[Comparison { closeness: 0.5, ..rows[1].clone() }]).unwrap();
        let [first, again, _] = &store.comparisons().of_session(&session).unwrap()[..] else { panic!() };
        assert_eq!(first, &rows[0]);
        assert_eq!((again.closeness, again.verdict), (0.5, rows[1].verdict));
        assert_eq!(store.comparisons().forget_session(&session).unwrap(), 3);
    }
}
