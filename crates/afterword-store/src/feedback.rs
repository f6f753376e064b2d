//! Table `feedback`: what came of lessons that were given to sessions.

use afterword_core::{NoteId, SessionId};
use jiff::Timestamp;
use rusqlite::params;
use serde::{Deserialize, Serialize};

use crate::values::{millis, parse_column, time};
use crate::{Store, StoreError};

/// What came of a lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FeedbackKind {
    /// The agent went by it.
    Applied,
    /// It made a difference for the better.
    Helped,
    /// It did not matter to the session.
    Ignored,
    /// The session went against it, or it was wrong.
    Contradicted,
}

impl FeedbackKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Applied, Self::Helped, Self::Ignored, Self::Contradicted];

    /// The word, the same in SQL, JSON and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::Helped => "helped",
            Self::Ignored => "ignored",
            Self::Contradicted => "contradicted",
        }
    }

    /// Reads the word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == text)
    }
}

/// A row: one word on one lesson.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedbackRow {
    /// The lesson's note.
    pub note: NoteId,
    /// The session it was given to.
    pub session: Option<SessionId>,
    /// What came of it.
    pub worth: FeedbackKind,
    /// Who says so: `person`, `agent` or `session`.
    pub source: String,
    /// Why; may be empty.
    pub reason: String,
    /// When.
    pub at: Timestamp,
}

/// A lesson that sessions were given and that the person had to say again in them all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RepeatedFeedback {
    /// The lesson's note.
    pub note: NoteId,
    /// In how many sessions.
    pub sessions: u64,
    /// When that was seen last.
    pub last: Timestamp,
}

/// Reads and writes of the table.
#[derive(Debug, Clone, Copy)]
pub struct Feedback<'a> {
    pub(crate) store: &'a Store,
}

impl Feedback<'_> {
    /// Remembers one.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn add(&self, row: &FeedbackRow) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("remember what came of a lesson", e);
        let sql = "INSERT INTO feedback (note_id, session_id, verdict, source, reason, at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let done = self.store.connection.execute(
            sql,
            params![
                row.note.to_string(),
                row.session.as_ref().map(SessionId::as_str),
                row.worth.as_str(),
                row.source,
                row.reason,
                millis(row.at),
            ],
        );
        done.map(drop).map_err(wrap)
    }

    /// All of it, without sessions and reasons: note, what came of it, when.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn all(&self) -> Result<Vec<(NoteId, FeedbackKind, Timestamp)>, StoreError> {
        let wrap = |e| self.store.error("read what came of lessons", e);
        let sql = "SELECT note_id, verdict, at FROM feedback ORDER BY id";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement
            .query_map((), |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, time(row, 2)?)))
            .map_err(wrap)?;
        let rows: Vec<(String, String, Timestamp)> = rows.collect::<Result<_, _>>().map_err(wrap)?;
        let known = rows
            .into_iter()
            .filter_map(|(note, worth, at)| Some((NoteId::parse(&note)?, FeedbackKind::parse(&worth)?, at)));
        Ok(known.collect())
    }

    /// What came of one lesson, the first first.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn of_note(&self, note: NoteId) -> Result<Vec<FeedbackRow>, StoreError> {
        let wrap = |e| self.store.error("read what came of a lesson", e);
        let sql =
            "SELECT session_id, verdict, source, reason, at FROM feedback WHERE note_id = ?1 ORDER BY at, id";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement
            .query_map([note.to_string()], |row| {
                let session: Option<String> = row.get("session_id")?;
                Ok(FeedbackRow {
                    note,
                    session: session.as_deref().and_then(SessionId::parse),
                    worth: parse_column(row, "verdict", FeedbackKind::parse)?,
                    source: row.get("source")?,
                    reason: row.get("reason")?,
                    at: time(row, 4)?,
                })
            })
            .map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }

    /// What the signals of a session say of the lessons it was given.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn of_session(&self, session: &SessionId) -> Result<Vec<(NoteId, FeedbackKind)>, StoreError> {
        let wrap = |e| self.store.error("read what came of a session's lessons", e);
        let sql =
            "SELECT note_id, verdict FROM feedback WHERE session_id = ?1 AND source = 'session' ORDER BY id";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement
            .query_map([session.as_str()], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))
            .map_err(wrap)?;
        let rows: Vec<(String, String)> = rows.collect::<Result<_, _>>().map_err(wrap)?;
        let known = rows
            .into_iter()
            .filter_map(|(note, worth)| Some((NoteId::parse(&note)?, FeedbackKind::parse(&worth)?)));
        Ok(known.collect())
    }

    /// The lessons that the person had to say again in sessions that had been given them, as the sessions themselves show.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn restated_lessons(&self) -> Result<Vec<RepeatedFeedback>, StoreError> {
        let wrap = |e| self.store.error("read which lessons were said again", e);
        let sql = "SELECT note_id, COUNT(DISTINCT session_id), MAX(at) FROM feedback
            WHERE verdict = 'ignored' AND source = 'session' GROUP BY note_id ORDER BY note_id";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement
            .query_map((), |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?, time(row, 2)?)))
            .map_err(wrap)?;
        let rows: Vec<(String, i64, Timestamp)> = rows.collect::<Result<_, _>>().map_err(wrap)?;
        let known = rows.into_iter().filter_map(|(note, sessions, last)| {
            Some(RepeatedFeedback { note: NoteId::parse(&note)?, sessions: sessions.unsigned_abs(), last })
        });
        Ok(known.collect())
    }

    /// Forgets what a source said of a session's lessons: it is about to say it anew.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn retract(&self, session: &SessionId, source: &str) -> Result<usize, StoreError> {
        let wrap = |e| self.store.error("take back what came of lessons", e);
        let sql = "DELETE FROM feedback WHERE session_id = ?1 AND source = ?2";
        self.store.connection.execute(sql, params![session.as_str(), source]).map_err(wrap)
    }

    /// Deletes what a session said. Says how many rows.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn forget_session(&self, session: &SessionId) -> Result<usize, StoreError> {
        let wrap = |e| self.store.error("forget what came of lessons in a session", e);
        self.store
            .connection
            .execute("DELETE FROM feedback WHERE session_id = ?1", [session.as_str()])
            .map_err(wrap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_kept_until_its_session_is_forgotten() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let at: Timestamp = "2026-03-01T10:00:00Z".parse().unwrap();
        let note = NoteId::new(at);
        for worth in [FeedbackKind::ALL.as_slice(), &[FeedbackKind::Helped]].concat() {
            let session = SessionId::parse("one");
            let row =
                FeedbackRow { note, session, worth, source: "person".into(), reason: String::new(), at };
            store.feedback().add(&row).unwrap();
        }
        let all = store.feedback().all().unwrap();
        assert_eq!((all.len(), all[0]), (5, (note, FeedbackKind::Applied, at)));
        assert_eq!(store.feedback().retract(&SessionId::parse("one").unwrap(), "session").unwrap(), 0);
        let helped = all.iter().filter(|(_, worth, _)| *worth == FeedbackKind::Helped);
        assert_eq!(helped.count(), 2);
        let of_note = store.feedback().of_note(note).unwrap();
        assert_eq!(
            (of_note.len(), of_note[1].worth, &of_note[1].session),
            (5, FeedbackKind::Helped, &SessionId::parse("one"))
        );
        assert_eq!(
            store.feedback().of_note(NoteId::new("2026-03-02T10:00:00Z".parse().unwrap())).unwrap(),
            []
        );
        assert_eq!(store.feedback().forget_session(&SessionId::parse("one").unwrap()).unwrap(), 5);
    }
}
