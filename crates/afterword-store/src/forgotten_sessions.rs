//! Table `forgotten_sessions`: sessions that a person wants forgotten, and deleting what is known of them.

use std::collections::HashSet;

use afterword_core::{ProjectKey, SessionId};
use jiff::Timestamp;
use rusqlite::params;

use crate::values::{millis, parse_column};
use crate::{Store, StoreError};

/// Reads and writes of the table.
#[derive(Debug, Clone, Copy)]
pub struct ForgottenSessions<'a> {
    pub(crate) store: &'a Store,
}

impl ForgottenSessions<'_> {
    /// Every session that is forgotten.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn all(&self) -> Result<HashSet<SessionId>, StoreError> {
        let wrap = |e| self.store.error("read which sessions are forgotten", e);
        let sql = "SELECT session_id FROM forgotten_sessions";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows =
            statement.query_map((), |row| parse_column(row, "session_id", SessionId::parse)).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }

    /// Whether a session is forgotten.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn contains(&self, session: &SessionId) -> Result<bool, StoreError> {
        let wrap = |e| self.store.error("read which sessions are forgotten", e);
        let sql = "SELECT EXISTS (SELECT 1 FROM forgotten_sessions WHERE session_id = ?1)";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.query_row([session.as_str()], |row| row.get(0)).map_err(wrap)
    }

    /// Leaves nothing of what was deleted in SQLite's log beside the database. While somebody reads, the log stays until the next
    /// time.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn truncate_log(&self) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("empty the log of the database", e);
        self.store.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").map_err(wrap)
    }

    /// Lets a session be known again.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn remove(&self, session: &SessionId) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("let a session be known again", e);
        let sql = "DELETE FROM forgotten_sessions WHERE session_id = ?1";
        self.store.connection.execute(sql, [session.as_str()]).map(drop).map_err(wrap)
    }

    /// Deletes every row about a session but those of other tables' logs of decisions on notes that are kept, and
    /// remembers that it is forgotten. Says how many rows. Call it within a transaction.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn forget(&self, session: &SessionId, now: Timestamp) -> Result<usize, StoreError> {
        let store = self.store;
        let wrap = |e| store.error("forget a session", e);
        let mut rows = 0;
        for sql in [
            "DELETE FROM sessions WHERE session_id = ?1",
            "DELETE FROM observations WHERE session_id = ?1",
            "DELETE FROM written_notes WHERE session_id = ?1",
            "DELETE FROM jobs WHERE subject = ?1 AND status <> 'running'",
        ] {
            rows += store.connection.execute(sql, [session.as_str()]).map_err(wrap)?;
        }
        rows += store.followed_sessions().forget_session(session)?;
        rows += store.early_ends().remove(session)?;
        rows += store.timeline().forget_session(session)?;
        rows += store.job_logs().forget_session(session)?;
        rows += store.decisions().forget_session(session)?;
        rows += store.comparisons().forget_session(session)?;
        rows += store.injections().forget_session(session)?;
        rows += store.feedback().forget_session(session)?;
        rows += store.attempts().forget_session(session)?;
        store.engine_calls().forget_session(session)?;
        let sql = "INSERT OR REPLACE INTO forgotten_sessions (session_id, forgotten_at) VALUES (?1, ?2)";
        store.connection.execute(sql, params![session.as_str(), millis(now)]).map_err(wrap)?;
        Ok(rows)
    }

    /// Deletes every row about a project that is not about one of its sessions. Says how many rows. Call it within a
    /// transaction.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn forget_project(&self, project: &ProjectKey) -> Result<usize, StoreError> {
        let store = self.store;
        let wrap = |e| store.error("forget a project", e);
        let mut rows = 0;
        for sql in ["DELETE FROM observations WHERE project = ?1", "DELETE FROM projects WHERE project = ?1"]
        {
            rows += store.connection.execute(sql, [project.as_str()]).map_err(wrap)?;
        }
        rows += store.job_logs().forget_project(project)?;
        rows += store.decisions().forget_project(project)?;
        rows += store.metrics().forget_project(project)?;
        rows += store.attempts().forget_project(project)?;
        store.engine_calls().forget_project(project)?;
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_is_forgotten_until_it_may_be_known_again() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let session = SessionId::parse("5f0a").unwrap();
        let now = "2026-03-01T10:00:00Z".parse().unwrap();
        assert!(!store.forgotten_sessions().contains(&session).unwrap());
        store.forgotten_sessions().forget(&session, now).unwrap();
        assert!(store.forgotten_sessions().contains(&session).unwrap());
        assert_eq!(store.forgotten_sessions().all().unwrap(), HashSet::from([session.clone()]));
        store.forgotten_sessions().remove(&session).unwrap();
        assert!(!store.forgotten_sessions().contains(&session).unwrap());
    }

    /// A table that names sessions and is not cleared would keep what was to be forgotten.
    #[test]
    fn every_table_that_names_sessions_is_known_here() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let sql = "SELECT m.name FROM pragma_table_list AS m JOIN pragma_table_info(m.name) AS c
            WHERE m.schema = 'main' AND c.name = 'session_id' ORDER BY m.name";
        let mut statement = store.connection.prepare(sql).unwrap();
        let tables: Vec<String> =
            statement.query_map((), |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
        let known = [
            "attempts",
            "comparisons",
            "decisions",
            "early_ends",
            "engine_calls",
            "feedback",
            "followed_sessions",
            "forgotten_sessions",
            "injections",
            "job_logs",
            "observations",
            "session_timeline",
            "sessions",
            "written_notes",
        ];
        assert_eq!(tables, known);
    }
}
