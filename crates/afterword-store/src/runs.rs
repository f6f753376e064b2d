//! Table `runs`: reflections done, with counts and durations.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, params};
use std::time::Duration;

use crate::values::{count, millis, read_count, time};
use crate::{Store, StoreError};

/// A row: one reflection over one or more sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// When it began.
    pub started_at: Timestamp,
    /// How long it took.
    pub duration: Duration,
    /// What started it, by the name of its [`afterword_core::Trigger`].
    pub trigger: String,
    /// The engine.
    pub engine: String,
    /// Sessions reflected.
    pub sessions: u64,
    /// Sessions that could not be.
    pub failed: u64,
    /// Bytes of transcripts read.
    pub bytes: u64,
    /// Candidates found.
    pub candidates: u64,
    /// Notes made.
    pub notes_created: u64,
    /// Notes changed.
    pub notes_changed: u64,
}

/// Reads and writes of the table.
#[derive(Debug, Clone, Copy)]
pub struct Runs<'a> {
    pub(crate) store: &'a Store,
}

impl Runs<'_> {
    /// Adds a run.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn add(&self, run: &Run) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("remember a run", e);
        let sql =
            "INSERT INTO runs (started_at, duration_ms, trigger, engine, sessions, failed, bytes, candidates,
                notes_created, notes_changed)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let done = statement.execute(params![
            millis(run.started_at),
            i64::try_from(run.duration.as_millis()).unwrap_or(i64::MAX),
            run.trigger,
            run.engine,
            count(run.sessions),
            count(run.failed),
            count(run.bytes),
            count(run.candidates),
            count(run.notes_created),
            count(run.notes_changed),
        ]);
        done.map(drop).map_err(wrap)
    }

    /// The latest run that reflected at least one session.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn last_success(&self) -> Result<Option<Run>, StoreError> {
        let wrap = |e| self.store.error("read the runs", e);
        let sql = "SELECT started_at, duration_ms, trigger, engine, sessions, failed, bytes, candidates,
                notes_created, notes_changed
            FROM runs WHERE sessions > 0 ORDER BY started_at DESC, id DESC LIMIT 1";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.query_row((), read).optional().map_err(wrap)
    }

    /// The latest runs of a trigger that reflected at least one session, the latest first.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn latest_of(&self, trigger: &str, most: u32) -> Result<Vec<Run>, StoreError> {
        let wrap = |e| self.store.error("read the runs", e);
        let sql = "SELECT started_at, duration_ms, trigger, engine, sessions, failed, bytes, candidates,
                notes_created, notes_changed
            FROM runs WHERE sessions > 0 AND trigger = ?1 ORDER BY started_at DESC, id DESC LIMIT ?2";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map((trigger, most), read).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }

    /// The latest run of each trigger that reflected at least one session.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn last_successes(&self) -> Result<Vec<Run>, StoreError> {
        let wrap = |e| self.store.error("read the runs", e);
        // SQLite takes the other columns from the row that has the maximum.
        let sql = "SELECT max(started_at), duration_ms, trigger, engine, sessions, failed, bytes, candidates,
                notes_created, notes_changed
            FROM runs WHERE sessions > 0 GROUP BY trigger ORDER BY trigger";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map((), read).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<Run> {
    Ok(Run {
        started_at: time(row, 0)?,
        duration: Duration::from_millis(read_count(row, 1)?),
        trigger: row.get(2)?,
        engine: row.get(3)?,
        sessions: read_count(row, 4)?,
        failed: read_count(row, 5)?,
        bytes: read_count(row, 6)?,
        candidates: read_count(row, 7)?,
        notes_created: read_count(row, 8)?,
        notes_changed: read_count(row, 9)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(started_at: &str, sessions: u64, failed: u64) -> Run {
        Run {
            started_at: started_at.parse().unwrap(),
            duration: Duration::from_millis(1500),
            trigger: "manual".into(),
            engine: "builtin".into(),
            sessions,
            failed,
            bytes: 1 << 40,
            candidates: 7,
            notes_created: 3,
            notes_changed: 1,
        }
    }

    #[test]
    fn last_success_passes_over_runs_that_reflected_nothing() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        assert_eq!(store.runs().last_success().unwrap(), None);
        let good = run("2026-03-01T10:00:00Z", 4, 1);
        store.runs().add(&run("2026-02-01T10:00:00Z", 9, 0)).unwrap();
        store.runs().add(&good).unwrap();
        store.runs().add(&run("2026-03-02T10:00:00Z", 0, 4)).unwrap();
        assert_eq!(store.runs().last_success().unwrap(), Some(good.clone()));
        assert_eq!(store.runs().latest_of("manual", 1).unwrap(), [good]);
        assert_eq!(store.runs().latest_of("idle", 9).unwrap(), []);
    }
}
