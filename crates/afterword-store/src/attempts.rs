//! Table `attempts`: tasks that were attempted, how they ended, and what to try next.

use std::collections::HashMap;

use afterword_core::{ProjectKey, SessionId};
use jiff::Timestamp;
use rusqlite::types::Value;
use rusqlite::{OptionalExtension, Row, params, params_from_iter};
use serde::{Deserialize, Serialize};

use crate::values::{count, millis, parse_column, read_count, time};
use crate::{Store, StoreError};

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum AttemptOutcome {
    /// The task is done.
    Success,
    /// A part of it is.
    Partial,
    /// It is not.
    Failure,
}

impl AttemptOutcome {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Success, Self::Partial, Self::Failure];

    /// The word, the same in SQL, JSON and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Partial => "partial",
            Self::Failure => "failure",
        }
    }

    /// Reads the word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == text)
    }
}

/// A row: one attempt at a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Its id (UUIDv7).
    pub id: String,
    /// The session it was made in.
    pub session: SessionId,
    /// The project: a directory, or the name a caller gave.
    pub project: ProjectKey,
    /// When it ended.
    pub created_at: Timestamp,
    /// What was to be done.
    pub task: String,
    /// Which attempt at it, counted from 1.
    pub number: u32,
    /// How it ended.
    pub outcome: AttemptOutcome,
    /// What worked.
    pub worked: Vec<String>,
    /// What did not.
    pub did_not_work: Vec<String>,
    /// What to try next.
    pub next_strategy: String,
    /// What it is about.
    pub tags: Vec<String>,
    /// Ids of what it concerns.
    pub related: Vec<String>,
    /// Who says so: `agent` where a caller stored it, `session` where it was judged from the session's own signals.
    pub source: String,
    /// Why the outcome was judged so, a sentence each; empty where a caller told of it.
    pub because: Vec<String>,
}

/// Which attempts to list. Empty lists mean any.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AttemptFilter {
    /// Only those of this session.
    pub session: Option<SessionId>,
    /// Only those of one of these projects.
    pub projects: Vec<ProjectKey>,
    /// Only those with one of these outcomes.
    pub outcomes: Vec<AttemptOutcome>,
    /// Only those with one of these tags.
    pub tags: Vec<String>,
    /// At most so many, the latest first.
    pub limit: usize,
}

/// Reads and writes of the table.
#[derive(Debug, Clone, Copy)]
pub struct Attempts<'a> {
    pub(crate) store: &'a Store,
}

impl Attempts<'_> {
    /// Remembers an attempt, in place of the one with its id.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn put(&self, attempt: &Attempt) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("remember an attempt", e);
        let sql = "INSERT OR REPLACE INTO attempts (id, session_id, project, created_at, task, attempt_number, outcome,
                what_worked, what_did_not_work, next_strategy, tags, related, source, because)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";
        let done = self.store.connection.execute(
            sql,
            params![
                attempt.id,
                attempt.session.as_str(),
                attempt.project.as_str(),
                millis(attempt.created_at),
                attempt.task,
                attempt.number,
                attempt.outcome.as_str(),
                list(&attempt.worked),
                list(&attempt.did_not_work),
                attempt.next_strategy,
                list(&attempt.tags),
                list(&attempt.related),
                attempt.source,
                list(&attempt.because),
            ],
        );
        done.map(drop).map_err(wrap)
    }

    /// Deletes the oldest attempts of the session and of the project beyond these numbers. Gives their ids.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn prune(
        &self,
        session: &SessionId,
        project: &ProjectKey,
        per_session: usize,
        per_project: usize,
    ) -> Result<Vec<String>, StoreError> {
        let wrap = |e| self.store.error("drop old attempts", e);
        let prune = |column: &str, value: &str, keep: usize| {
            let sql = format!(
                "DELETE FROM attempts WHERE {column} = ?1 AND id NOT IN
                    (SELECT id FROM attempts WHERE {column} = ?1 ORDER BY created_at DESC, id DESC LIMIT ?2)
                 RETURNING id"
            );
            let mut delete = self.store.connection.prepare_cached(&sql).map_err(wrap)?;
            let ids = delete.query_map(params![value, count(keep as u64)], |row| row.get(0)).map_err(wrap)?;
            ids.collect::<Result<Vec<String>, _>>().map_err(wrap)
        };
        let mut dropped = prune("session_id", session.as_str(), per_session)?;
        dropped.extend(prune("project", project.as_str(), per_project)?);
        Ok(dropped)
    }

    /// A number that changes whenever attempts are added, replaced or deleted.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn stamp(&self) -> Result<i64, StoreError> {
        let wrap = |e| self.store.error("look whether attempts changed", e);
        // Times are milliseconds, so the sum of a million of them stays far below the largest integer.
        let sql = "SELECT count(*) + coalesce(sum(created_at % 1000000000000), 0) FROM attempts";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.query_row((), |row| row.get(0)).map_err(wrap)
    }

    /// The attempt with an id.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn get(&self, id: &str) -> Result<Option<Attempt>, StoreError> {
        let wrap = |e| self.store.error("read an attempt", e);
        let sql = "SELECT * FROM attempts WHERE id = ?1";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.query_row([id], read).optional().map_err(wrap)
    }

    /// Attempts, the latest first.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn list(&self, filter: &AttemptFilter) -> Result<Vec<Attempt>, StoreError> {
        let wrap = |e| self.store.error("read the attempts", e);
        let (condition, mut values) = conditions(filter);
        values.push(Value::Integer(count(filter.limit as u64)));
        let sql = format!(
            "SELECT * FROM attempts WHERE {condition} ORDER BY created_at DESC, id DESC LIMIT ?{}",
            values.len()
        );
        let mut statement = self.store.connection.prepare_cached(&sql).map_err(wrap)?;
        let rows = statement.query_map(params_from_iter(values), read).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }

    /// How the latest attempt of each session ended.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn last_outcomes(&self) -> Result<HashMap<SessionId, AttemptOutcome>, StoreError> {
        let wrap = |e| self.store.error("read how sessions ended", e);
        // Of several rows of a session the last one stays.
        let sql = "SELECT session_id, outcome FROM attempts ORDER BY created_at, id";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let row = |row: &Row<'_>| {
            Ok((
                parse_column(row, "session_id", SessionId::parse)?,
                parse_column(row, "outcome", AttemptOutcome::parse)?,
            ))
        };
        statement.query_map((), row).map_err(wrap)?.collect::<Result<_, _>>().map_err(wrap)
    }

    /// How many there are.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn count(&self) -> Result<u64, StoreError> {
        self.count_rows("SELECT count(*) FROM attempts")
    }

    /// How many were judged from a session's own signals.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn count_judged(&self) -> Result<u64, StoreError> {
        self.count_rows("SELECT count(*) FROM attempts WHERE source = 'session'")
    }

    fn count_rows(&self, sql: &str) -> Result<u64, StoreError> {
        let wrap = |e| self.store.error("count the attempts", e);
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.query_row((), |row| read_count(row, 0)).map_err(wrap)
    }

    /// How many attempts succeeded, and how many there are: first of sessions that were given lessons, then of the others.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn success_with_and_without_lessons(&self) -> Result<[(u64, u64); 2], StoreError> {
        let wrap = |e| self.store.error("compare attempts with and without lessons", e);
        let sql = "SELECT given, sum(outcome = 'success'), count(*) FROM
                (SELECT outcome, EXISTS (SELECT 1 FROM injections JOIN injected ON injection = injections.id
                    WHERE injections.session_id = attempts.session_id AND shown = 1) AS given FROM attempts)
            GROUP BY given";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement
            .query_map((), |row| Ok((row.get::<_, bool>(0)?, (read_count(row, 1)?, read_count(row, 2)?))));
        let rows: Vec<(bool, (u64, u64))> = rows.map_err(wrap)?.collect::<Result<_, _>>().map_err(wrap)?;
        let of = |given| rows.iter().find(|(of, _)| *of == given).map_or((0, 0), |(_, counts)| *counts);
        Ok([of(true), of(false)])
    }

    /// How the attempts since then ended, the first first.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn outcomes_since(&self, since: Timestamp) -> Result<Vec<(Timestamp, AttemptOutcome)>, StoreError> {
        let wrap = |e| self.store.error("read how attempts ended", e);
        let sql = "SELECT created_at, outcome FROM attempts WHERE created_at >= ?1 ORDER BY created_at, id";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map([millis(since)], |row| {
            Ok((time(row, 0)?, parse_column(row, "outcome", AttemptOutcome::parse)?))
        });
        rows.map_err(wrap)?.collect::<Result<_, _>>().map_err(wrap)
    }

    /// How many attempts ended in each way; the filter's limit does not count.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn outcomes(&self, filter: &AttemptFilter) -> Result<Vec<(AttemptOutcome, u64)>, StoreError> {
        let wrap = |e| self.store.error("count the attempts", e);
        let (condition, values) = conditions(filter);
        let sql = format!("SELECT outcome, count(*) AS n FROM attempts WHERE {condition} GROUP BY outcome");
        let mut statement = self.store.connection.prepare_cached(&sql).map_err(wrap)?;
        let rows = statement.query_map(params_from_iter(values), |row| {
            Ok((parse_column(row, "outcome", AttemptOutcome::parse)?, read_count(row, 1)?))
        });
        rows.map_err(wrap)?.collect::<Result<_, _>>().map_err(wrap)
    }

    /// Deletes the attempts of a session. Says how many rows.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn forget_session(&self, session: &SessionId) -> Result<usize, StoreError> {
        let wrap = |e| self.store.error("forget a session's attempts", e);
        self.store
            .connection
            .execute("DELETE FROM attempts WHERE session_id = ?1", [session.as_str()])
            .map_err(wrap)
    }

    /// Deletes the attempts of a project. Says how many rows.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn forget_project(&self, project: &ProjectKey) -> Result<usize, StoreError> {
        let wrap = |e| self.store.error("forget a project's attempts", e);
        self.store
            .connection
            .execute("DELETE FROM attempts WHERE project = ?1", [project.as_str()])
            .map_err(wrap)
    }
}

/// The filter as a condition and its values.
fn conditions(filter: &AttemptFilter) -> (String, Vec<Value>) {
    let mut values: Vec<Value> = Vec::new();
    let mut conditions: Vec<String> = Vec::new();
    let mut one_of = |column: &str, texts: &mut dyn Iterator<Item = String>| {
        let places: Vec<String> = texts
            .map(|text| {
                values.push(Value::Text(text));
                format!("?{}", values.len())
            })
            .collect();
        if !places.is_empty() {
            conditions.push(column.replace('$', &places.join(", ")));
        }
    };
    one_of("session_id IN ($)", &mut filter.session.iter().map(|session| session.as_str().to_owned()));
    one_of("project IN ($)", &mut filter.projects.iter().map(|project| project.as_str().to_owned()));
    one_of("outcome IN ($)", &mut filter.outcomes.iter().map(|outcome| outcome.as_str().to_owned()));
    one_of(
        "EXISTS (SELECT 1 FROM json_each(tags) WHERE json_each.value IN ($))",
        &mut filter.tags.iter().map(|tag| tag.to_lowercase()),
    );
    let condition = if conditions.is_empty() { "1".to_owned() } else { conditions.join(" AND ") };
    (condition, values)
}

fn list(texts: &[String]) -> String {
    serde_json::Value::from(texts.to_vec()).to_string()
}

fn read(row: &Row<'_>) -> rusqlite::Result<Attempt> {
    let column = |name: &str| row.as_ref().column_index(name);
    let texts = |name: &str| parse_column(row, name, |text| serde_json::from_str::<Vec<String>>(text).ok());
    Ok(Attempt {
        id: row.get("id")?,
        session: parse_column(row, "session_id", SessionId::parse)?,
        project: ProjectKey::from_cwd(&row.get::<_, String>("project")?),
        created_at: time(row, column("created_at")?)?,
        task: row.get("task")?,
        number: row.get("attempt_number")?,
        outcome: parse_column(row, "outcome", AttemptOutcome::parse)?,
        worked: texts("what_worked")?,
        did_not_work: texts("what_did_not_work")?,
        next_strategy: row.get("next_strategy")?,
        tags: texts("tags")?,
        related: texts("related")?,
        source: row.get("source")?,
        because: texts("because")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(number: u32, session: &str, outcome: AttemptOutcome) -> Attempt {
        Attempt {
            id: format!("{session}-{number}"),
            session: SessionId::parse(session).unwrap(),
            project: ProjectKey::from_cwd("/home/ada/shop"),
            created_at: Timestamp::from_second(1_700_000_000 + i64::from(number)).unwrap(),
            task: "Parse the CSV file".into(),
            number,
            outcome,
            worked: vec!["csv-parse".into()],
            did_not_work: vec!["regex, \"quotes\"".into()],
            next_strategy: "Use a library".into(),
            tags: vec!["csv".into(), "parsing".into()],
            related: Vec::new(),
            source: "agent".into(),
            because: vec!["`cargo test` failed last".into()],
        }
    }

    #[test]
    fn session_ended_as_its_latest_attempt_did() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let (success, partial, failure) =
            (AttemptOutcome::Success, AttemptOutcome::Partial, AttemptOutcome::Failure);
        for (number, session, outcome) in [(2, "one", success), (1, "one", failure), (3, "two", partial)] {
            store.attempts().put(&attempt(number, session, outcome)).unwrap();
        }
        let session = |name| SessionId::parse(name).unwrap();
        let expected = [(session("one"), success), (session("two"), partial)];
        assert_eq!(store.attempts().last_outcomes().unwrap(), HashMap::from(expected));
    }

    #[test]
    fn attempts_come_back_filtered_and_the_oldest_are_dropped() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let attempts = store.attempts();
        for number in 0..25 {
            let outcome = AttemptOutcome::ALL[number as usize % 3];
            let attempt = attempt(number, "one", outcome);
            attempts.put(&attempt).unwrap();
            assert_eq!(attempts.get(&attempt.id).unwrap(), Some(attempt.clone()));
            attempts.prune(&attempt.session, &attempt.project, 20, 100).unwrap();
        }
        attempts.put(&attempt(99, "two", AttemptOutcome::Success)).unwrap();
        let all = AttemptFilter { limit: 1000, ..AttemptFilter::default() };
        let session = SessionId::parse("one");
        let of_one = attempts.list(&AttemptFilter { session: session.clone(), ..all.clone() }).unwrap();
        assert_eq!((of_one.len(), of_one[0].number), (20, 24));
        let outcomes = vec![AttemptOutcome::Success];
        assert!(attempts.list(&AttemptFilter { outcomes, ..all.clone() }).unwrap().len() < 10);
        let tagged =
            |tag: &str| attempts.list(&AttemptFilter { tags: vec![tag.into()], ..all.clone() }).unwrap();
        assert_eq!((tagged("CSV").len(), tagged("'; DROP TABLE attempts; --").len()), (21, 0));
        assert_eq!(attempts.list(&AttemptFilter::default()).unwrap(), [], "a limit of 0");
        let sum = |session: Option<SessionId>| {
            let filter = AttemptFilter { session, ..AttemptFilter::default() };
            attempts.outcomes(&filter).unwrap().iter().map(|(_, n)| n).sum::<u64>()
        };
        assert_eq!((sum(None), sum(session.clone())), (21, 20));
        let project = ProjectKey::from_cwd("/home/ada/shop");
        let before = attempts.stamp().unwrap();
        assert_eq!(attempts.prune(session.as_ref().unwrap(), &project, 20, 5).unwrap().len(), 16);
        assert_ne!(attempts.stamp().unwrap(), before);
        assert_eq!(attempts.list(&all).unwrap().len(), 5);
        assert_eq!(attempts.forget_session(session.as_ref().unwrap()).unwrap(), 4);
        assert_eq!(attempts.forget_project(&project).unwrap(), 1);
    }
}
