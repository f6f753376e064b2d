//! Table `followed_sessions`: where each session stands, as the agent saw it last.

use std::path::{Path, PathBuf};

use afterword_core::{ProjectKey, SessionId, SessionState};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, named_params};

use crate::sessions::text;
use crate::values::{maybe_time, millis, parse_column, time};
use crate::{Store, StoreError};

/// A row: a session that is followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FollowedSession {
    /// Its transcript, absolute.
    pub transcript: PathBuf,
    /// The session.
    pub session: SessionId,
    /// Its project, when an entry or its client told it.
    pub project: Option<ProjectKey>,
    /// Where it stands.
    pub state: SessionState,
    /// Since when.
    pub since: Timestamp,
    /// When anything was written to it last.
    pub last_activity: Timestamp,
    /// When its client said that it ended.
    pub ended_at: Option<Timestamp>,
    /// When reflecting it failed last.
    pub failed_at: Option<Timestamp>,
    /// How many jobs failed one after the other.
    pub failures: u32,
}

/// Reads and writes of the table.
#[derive(Debug, Clone, Copy)]
pub struct FollowedSessions<'a> {
    pub(crate) store: &'a Store,
}

impl FollowedSessions<'_> {
    /// Writes a row, in place of the one the transcript had.
    ///
    /// # Errors
    /// [`StoreError::NameNotText`] for a path that is no Unicode, otherwise [`StoreError`] for a database that is locked, damaged or full.
    pub fn put(&self, one: &FollowedSession) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("remember where a session stands", e);
        let sql = "INSERT OR REPLACE INTO followed_sessions (transcript, session_id, project, state, since,
                last_activity, ended_at, failed_at, failures)
            VALUES (:transcript, :session, :project, :state, :since, :last, :ended, :failed, :failures)";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let done = statement.execute(named_params! {
            ":transcript": text(&one.transcript)?,
            ":session": one.session.as_str(),
            ":project": one.project.as_ref().map(ProjectKey::as_str),
            ":state": one.state.as_str(),
            ":since": millis(one.since),
            ":last": millis(one.last_activity),
            ":ended": one.ended_at.map(millis),
            ":failed": one.failed_at.map(millis),
            ":failures": one.failures,
        });
        done.map(drop).map_err(wrap)
    }

    /// Every session that is followed, in the order of their transcripts.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn all(&self) -> Result<Vec<FollowedSession>, StoreError> {
        let wrap = |e| self.store.error("read where the sessions stand", e);
        let sql = "SELECT * FROM followed_sessions ORDER BY transcript";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map((), read).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }

    /// The row of a transcript.
    ///
    /// # Errors
    /// [`StoreError::NameNotText`] for a path that is no Unicode, otherwise [`StoreError`] for a database that is locked, damaged or full.
    pub fn get(&self, transcript: &Path) -> Result<Option<FollowedSession>, StoreError> {
        let wrap = |e| self.store.error("read where a session stands", e);
        let sql = "SELECT * FROM followed_sessions WHERE transcript = ?1";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.query_row([text(transcript)?], read).optional().map_err(wrap)
    }

    /// Lets a row stand under another transcript, in place of the one that this had.
    ///
    /// # Errors
    /// [`StoreError::NameNotText`] for a path that is no Unicode, otherwise [`StoreError`] for a database that is locked, damaged or full.
    pub fn rename(&self, before: &Path, now: &Path) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("remember where a session stands", e);
        let sql = "UPDATE OR REPLACE followed_sessions SET transcript = ?2 WHERE transcript = ?1";
        let values = [text(before)?, text(now)?];
        self.store.connection.execute(sql, values).map(drop).map_err(wrap)
    }

    /// Stops following a transcript.
    ///
    /// # Errors
    /// [`StoreError::NameNotText`] for a path that is no Unicode, otherwise [`StoreError`] for a database that is locked, damaged or full.
    pub fn remove(&self, transcript: &Path) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("stop following a session", e);
        let sql = "DELETE FROM followed_sessions WHERE transcript = ?1";
        self.store.connection.execute(sql, [text(transcript)?]).map(drop).map_err(wrap)
    }

    /// Deletes what is known of where a session stands. Says how many rows.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn forget_session(&self, session: &SessionId) -> Result<usize, StoreError> {
        let wrap = |e| self.store.error("forget where a session stands", e);
        let sql = "DELETE FROM followed_sessions WHERE session_id = ?1";
        self.store.connection.execute(sql, [session.as_str()]).map_err(wrap)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<FollowedSession> {
    let column = |name: &str| row.as_ref().column_index(name);
    Ok(FollowedSession {
        transcript: PathBuf::from(row.get::<_, String>("transcript")?),
        session: parse_column(row, "session_id", SessionId::parse)?,
        project: row.get::<_, Option<String>>("project")?.map(|text| ProjectKey::from_cwd(&text)),
        state: parse_column(row, "state", SessionState::parse)?,
        since: time(row, column("since")?)?,
        last_activity: time(row, column("last_activity")?)?,
        ended_at: maybe_time(row, column("ended_at")?)?,
        failed_at: maybe_time(row, column("failed_at")?)?,
        failures: row.get("failures")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_replaced_and_read_back() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let one = FollowedSession {
            transcript: "/c/projects/-a/5f0a.jsonl".into(),
            session: SessionId::parse("5f0a").unwrap(),
            project: Some(ProjectKey::from_cwd("/a")),
            state: SessionState::Active,
            since: at("2026-03-01T10:00:00Z"),
            last_activity: at("2026-03-01T10:00:01Z"),
            ended_at: None,
            failed_at: None,
            failures: 0,
        };
        store.followed_sessions().put(&one).unwrap();
        assert_eq!(store.followed_sessions().get(&one.transcript).unwrap().as_ref(), Some(&one));
        assert_eq!(store.followed_sessions().get(Path::new("/c/projects/-a/other.jsonl")).unwrap(), None);
        let ended = FollowedSession {
            state: SessionState::Failed,
            ended_at: Some(at("2026-03-01T11:00:00Z")),
            failed_at: Some(at("2026-03-01T12:00:00Z")),
            failures: 2,
            ..one.clone()
        };
        store.followed_sessions().put(&ended).unwrap();
        let other = FollowedSession { transcript: "/c/projects/-b/5f0a.jsonl".into(), project: None, ..one };
        store.followed_sessions().put(&other).unwrap();
        assert_eq!(store.followed_sessions().all().unwrap(), [ended, other.clone()]);
        let renamed = FollowedSession { transcript: "/d/projects/-b/5f0a.jsonl".into(), ..other.clone() };
        store.followed_sessions().rename(&other.transcript, &renamed.transcript).unwrap();
        assert_eq!(store.followed_sessions().get(&renamed.transcript).unwrap(), Some(renamed.clone()));
        let other = renamed;
        store.followed_sessions().remove(&other.transcript).unwrap();
        assert_eq!(store.followed_sessions().forget_session(&other.session).unwrap(), 1);
        assert_eq!(store.followed_sessions().all().unwrap(), []);
    }
}
