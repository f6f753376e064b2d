//! Tables `injections` and `injected`: what sessions were given of what is known, and why the rest was left out.

use std::collections::{HashMap, HashSet};

use afterword_core::{NoteId, SessionId};
use jiff::Timestamp;
use rusqlite::{Row, params};
use serde::Serialize;

use crate::values::{count, maybe_time, millis, parse_column, read_count, time};
use crate::{Store, StoreError};

/// One time a session was given lessons, or nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct Injection {
    /// The session.
    pub session: SessionId,
    /// Its project's name; empty where it has none that is known.
    pub project: String,
    /// When in the session's life: `startup`, `resume`, `clear`, `compact`, `fork` or `prompt`.
    pub moment: String,
    /// When.
    pub at: Timestamp,
    /// Tokens given, estimated.
    pub tokens: u64,
    /// Bytes given; none where they were not counted.
    pub bytes: Option<u64>,
    /// Why nothing was given; empty where something was.
    pub silence: String,
    /// The lessons thought of, in their order.
    pub lessons: Vec<InjectedLesson>,
}

/// What one session was given, all times together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InjectionSum {
    /// Tokens, estimated.
    pub tokens: u64,
    /// Bytes; none where they were not counted every time.
    pub bytes: Option<u64>,
}

/// A lesson that was thought of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct InjectedLesson {
    /// Its note's id; empty where it has none.
    pub note: String,
    /// Its note, below the vault.
    pub path: String,
    /// Its title.
    pub title: String,
    /// It was given.
    pub shown: bool,
    /// Why it was given, or not.
    pub reason: String,
}

/// Reads and writes of the tables.
#[derive(Debug, Clone, Copy)]
pub struct Injections<'a> {
    pub(crate) store: &'a Store,
}

impl Injections<'_> {
    /// Remembers one; the same session and time again changes nothing.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn add(&self, injection: &Injection) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("remember what a session was given", e);
        let connection = &self.store.connection;
        let known: bool = connection
            .query_row(
                "SELECT EXISTS (SELECT 1 FROM injections WHERE session_id = ?1 AND at = ?2 AND moment = ?3)",
                params![injection.session.as_str(), millis(injection.at), injection.moment],
                |row| row.get(0),
            )
            .map_err(wrap)?;
        if known {
            return Ok(());
        }
        let sql = "INSERT INTO injections (session_id, project, moment, at, tokens, silence, bytes)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING id";
        let id: i64 = connection
            .query_row(
                sql,
                params![
                    injection.session.as_str(),
                    injection.project,
                    injection.moment,
                    millis(injection.at),
                    count(injection.tokens),
                    injection.silence,
                    injection.bytes.map(count),
                ],
                |row| row.get(0),
            )
            .map_err(wrap)?;
        let sql = "INSERT INTO injected (injection, position, note_id, path, title, shown, reason)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let mut insert = connection.prepare_cached(sql).map_err(wrap)?;
        for (position, one) in (0_i64..).zip(&injection.lessons) {
            insert
                .execute(params![id, position, one.note, one.path, one.title, one.shown, one.reason])
                .map_err(wrap)?;
        }
        Ok(())
    }

    /// What a session was given, the first first.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn of_session(&self, session: &SessionId) -> Result<Vec<Injection>, StoreError> {
        self.list("WHERE session_id = ?1 ORDER BY at, id", params![session.as_str()])
    }

    /// The sessions that were given a note, and when each was first, the latest first; at most so many.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn sessions_given(&self, note: NoteId, most: u32) -> Result<Vec<(SessionId, Timestamp)>, StoreError> {
        let wrap = |e| self.store.error("read which sessions were given a lesson", e);
        let sql =
            "SELECT i.session_id, min(i.at) AS first FROM injections i JOIN injected g ON g.injection = i.id
            WHERE g.note_id = ?1 AND g.shown = 1 GROUP BY i.session_id ORDER BY first DESC LIMIT ?2";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement
            .query_map(params![note.to_string(), most], |row| {
                Ok((parse_column(row, "session_id", SessionId::parse)?, time(row, 1)?))
            })
            .map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }

    /// The session that was last given something or nothing.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn latest_session(&self) -> Result<Option<SessionId>, StoreError> {
        Ok(self.list("ORDER BY at DESC, id DESC LIMIT 1", [])?.pop().map(|one| one.session))
    }

    /// How often lessons were given, and to how many sessions: by note.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn counts_by_lesson(&self) -> Result<Vec<(NoteId, u64)>, StoreError> {
        let wrap = |e| self.store.error("count what sessions were given", e);
        let sql = "SELECT note_id, count(DISTINCT session_id) FROM injected
            JOIN injections ON injections.id = injection WHERE shown = 1 GROUP BY note_id";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map((), |row| Ok((row.get::<_, String>(0)?, read_count(row, 1)?)));
        let rows: Vec<(String, u64)> = rows.map_err(wrap)?.collect::<Result<_, _>>().map_err(wrap)?;
        Ok(rows.into_iter().filter_map(|(id, count)| Some((NoteId::parse(&id)?, count))).collect())
    }

    /// How many lessons were given in all, each counted once a session.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn lessons_given(&self) -> Result<u64, StoreError> {
        let wrap = |e| self.store.error("count what sessions were given", e);
        let sql = "SELECT count(*) FROM (SELECT DISTINCT session_id, note_id FROM injected
            JOIN injections ON injections.id = injection WHERE shown = 1 AND note_id <> '')";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.query_row((), |row| read_count(row, 0)).map_err(wrap)
    }

    /// When lessons were given since then, each counted once a session, the first time it was.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn lessons_given_since(&self, since: Timestamp) -> Result<Vec<Timestamp>, StoreError> {
        let wrap = |e| self.store.error("read when sessions were given lessons", e);
        let sql = "SELECT min(at) AS first FROM injected JOIN injections ON injections.id = injection
            WHERE shown = 1 AND note_id <> '' GROUP BY session_id, note_id HAVING first >= ?1 ORDER BY first";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map([millis(since)], |row| time(row, 0));
        rows.map_err(wrap)?.collect::<Result<_, _>>().map_err(wrap)
    }

    /// What each session was given that was given anything or nothing; the former first.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn sums_by_session(&self) -> Result<Vec<InjectionSum>, StoreError> {
        let wrap = |e| self.store.error("add up what sessions were given", e);
        let sql = "SELECT sum(tokens), CASE WHEN count(bytes) = count(*) THEN sum(bytes) END FROM injections
            GROUP BY session_id ORDER BY 1 DESC";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map((), |row| {
            let bytes = row.get::<_, Option<i64>>(1)?.map(|bytes| u64::try_from(bytes).unwrap_or(0));
            Ok(InjectionSum { tokens: read_count(row, 0)?, bytes })
        });
        rows.map_err(wrap)?.collect::<Result<_, _>>().map_err(wrap)
    }

    /// Since when it is known what sessions are given; `None` where nothing is.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn first_at(&self) -> Result<Option<Timestamp>, StoreError> {
        let wrap = |e| self.store.error("look since when it is known what sessions are given", e);
        let sql = "SELECT min(at) FROM injections";
        self.store.connection.query_row(sql, (), |row| maybe_time(row, 0)).map_err(wrap)
    }

    /// When each lesson was given last.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn last_given_at(&self) -> Result<HashMap<NoteId, Timestamp>, StoreError> {
        let wrap = |e| self.store.error("look when lessons were given last", e);
        let sql = "SELECT note_id, max(at) FROM injected JOIN injections ON injections.id = injection
            WHERE shown = 1 GROUP BY note_id";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map((), |row| Ok((row.get::<_, String>(0)?, time(row, 1)?)));
        let rows: Vec<(String, Timestamp)> = rows.map_err(wrap)?.collect::<Result<_, _>>().map_err(wrap)?;
        Ok(rows.into_iter().filter_map(|(note, at)| Some((NoteId::parse(&note)?, at))).collect())
    }

    /// The names of the projects whose sessions asked for lessons since then.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn projects_since(&self, since: Timestamp) -> Result<HashSet<String>, StoreError> {
        let wrap = |e| self.store.error("look which projects were given lessons", e);
        let sql = "SELECT DISTINCT project FROM injections WHERE at >= ?1";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map([millis(since)], |row| row.get(0));
        rows.map_err(wrap)?.collect::<Result<_, _>>().map_err(wrap)
    }

    /// Deletes what a session was given. Says how many rows.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn forget_session(&self, session: &SessionId) -> Result<usize, StoreError> {
        let wrap = |e| self.store.error("forget what a session was given", e);
        self.store
            .connection
            .execute("DELETE FROM injections WHERE session_id = ?1", [session.as_str()])
            .map_err(wrap)
    }

    fn list(&self, rest: &str, values: impl rusqlite::Params) -> Result<Vec<Injection>, StoreError> {
        let wrap = |e| self.store.error("read what sessions were given", e);
        let sql = format!("SELECT * FROM injections {rest}");
        let mut statement = self.store.connection.prepare_cached(&sql).map_err(wrap)?;
        let rows = statement.query_map(values, |row| Ok((row.get("id")?, read(row)?))).map_err(wrap)?;
        let rows: Vec<(i64, Injection)> = rows.collect::<Result<_, _>>().map_err(wrap)?;
        let mut found = Vec::new();
        for (id, mut injection) in rows {
            injection.lessons = self.lessons(id)?;
            found.push(injection);
        }
        Ok(found)
    }

    fn lessons(&self, injection: i64) -> Result<Vec<InjectedLesson>, StoreError> {
        let wrap = |e| self.store.error("read what sessions were given", e);
        let sql =
            "SELECT note_id, path, title, shown, reason FROM injected WHERE injection = ?1 ORDER BY position";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map([injection], |row| {
            Ok(InjectedLesson {
                note: row.get(0)?,
                path: row.get(1)?,
                title: row.get(2)?,
                shown: row.get(3)?,
                reason: row.get(4)?,
            })
        });
        rows.map_err(wrap)?.collect::<Result<_, _>>().map_err(wrap)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<Injection> {
    let column = |name: &str| row.as_ref().column_index(name);
    Ok(Injection {
        session: parse_column(row, "session_id", SessionId::parse)?,
        project: row.get("project")?,
        moment: row.get("moment")?,
        at: time(row, column("at")?)?,
        tokens: read_count(row, column("tokens")?)?,
        bytes: row.get::<_, Option<i64>>("bytes")?.map(|bytes| u64::try_from(bytes).unwrap_or(0)),
        silence: row.get("silence")?,
        lessons: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_session_was_given_comes_back_and_counts_once() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let note = NoteId::new("2026-03-01T10:00:00Z".parse().unwrap());
        let lesson = |shown| InjectedLesson {
            note: note.to_string(),
            path: "Afterword/Fixes/a.md".into(),
            title: "A".into(),
            shown,
            reason: "of this project".into(),
        };
        let injection = |session: &str, at: &str, shown: bool| Injection {
            session: SessionId::parse(session).unwrap(),
            project: "shop".into(),
            moment: "startup".into(),
            at: at.parse().unwrap(),
            tokens: 40,
            bytes: shown.then_some(160),
            silence: String::new(),
            lessons: vec![lesson(shown)],
        };
        let first = injection("one", "2026-03-01T10:00:00Z", true);
        let second = injection("two", "2026-03-01T11:00:00Z", false);
        for one in [&first, &first, &second] {
            store.injections().add(one).unwrap();
        }
        assert_eq!(store.injections().of_session(&first.session).unwrap(), std::slice::from_ref(&first));
        assert_eq!(store.injections().latest_session().unwrap(), Some(second.session.clone()));
        assert_eq!(store.injections().counts_by_lesson().unwrap(), [(note, 1)]);
        let again = injection("three", "2026-03-02T10:00:00Z", true);
        let later = Injection { at: "2026-03-02T11:00:00Z".parse().unwrap(), ..again.clone() };
        for one in [&later, &again] {
            store.injections().add(one).unwrap();
        }
        let given = |most| store.injections().sessions_given(note, most).unwrap();
        let latest = (again.session.clone(), again.at);
        assert_eq!(
            given(9),
            [latest.clone(), (first.session.clone(), first.at)],
            "each once, the latest first"
        );
        assert_eq!(given(1), [latest]);
        assert_eq!(store.injections().forget_session(&again.session).unwrap(), 2);
        let sum = |bytes| InjectionSum { tokens: 40, bytes };
        let mut sums = store.injections().sums_by_session().unwrap();
        sums.sort_by_key(|one| one.bytes);
        assert_eq!(sums, [sum(None), sum(Some(160))]);
        assert_eq!(store.injections().first_at().unwrap(), Some(first.at));
        assert_eq!(store.injections().last_given_at().unwrap(), HashMap::from([(note, first.at)]));
        let asked = |since: Timestamp| store.injections().projects_since(since).unwrap();
        assert_eq!((asked(second.at).len(), asked("2026-03-02T00:00:00Z".parse().unwrap()).len()), (1, 0));
        assert_eq!(store.injections().forget_session(&first.session).unwrap(), 1);
        assert_eq!(store.injections().counts_by_lesson().unwrap(), []);
    }
}
