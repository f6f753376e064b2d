//! Table `session_timeline`: what happened to each session, in its order.

use afterword_core::{SessionId, SessionState};
use jiff::Timestamp;
use rusqlite::{Row, params};

use crate::values::{millis, parse_column, time};
use crate::{Store, StoreError};

/// What happened to a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimelineEvent {
    /// It came to this state.
    Came(SessionState),
    /// Its client began, or went on with it.
    Began,
    /// Its conversation was compacted.
    Compacted,
    /// A heartbeat had something to say about it.
    Heartbeat,
}

impl TimelineEvent {
    /// Its name, the same in SQL, JSON and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Came(state) => state.as_str(),
            Self::Began => "began",
            Self::Compacted => "compacted",
            Self::Heartbeat => "heartbeat",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let others = [Self::Began, Self::Compacted, Self::Heartbeat];
        let other = others.into_iter().find(|one| one.as_str() == text);
        other.or_else(|| SessionState::parse(text).map(Self::Came))
    }
}

/// A row: one thing that happened to a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimelineEntry {
    /// The session.
    pub session: SessionId,
    /// When.
    pub at: Timestamp,
    /// What.
    pub what: TimelineEvent,
    /// More about it, redacted: why it failed, what the heartbeat says, what started the reflection.
    pub detail: Option<String>,
}

/// Reads and writes of the table.
#[derive(Debug, Clone, Copy)]
pub struct Timeline<'a> {
    pub(crate) store: &'a Store,
}

impl Timeline<'_> {
    /// Adds a row.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn add(&self, entry: &TimelineEntry) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("add to a session's timeline", e);
        let sql = "INSERT INTO session_timeline (session_id, at, what, detail) VALUES (?1, ?2, ?3, ?4)";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let values = params![entry.session.as_str(), millis(entry.at), entry.what.as_str(), entry.detail];
        statement.execute(values).map(drop).map_err(wrap)
    }

    /// What happened to a session, in its order: what was noticed late stands where it belongs.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn of_session(&self, session: &SessionId) -> Result<Vec<TimelineEntry>, StoreError> {
        let wrap = |e| self.store.error("read a session's timeline", e);
        let sql =
            "SELECT session_id, at, what, detail FROM session_timeline WHERE session_id = ?1 ORDER BY at, id";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map([session.as_str()], read).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }

    /// Deletes what happened before `before`. Says how many rows.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn prune(&self, before: Timestamp) -> Result<usize, StoreError> {
        let wrap = |e| self.store.error("clear out old timelines", e);
        let sql = "DELETE FROM session_timeline WHERE at < ?1";
        self.store.connection.execute(sql, [millis(before)]).map_err(wrap)
    }

    /// Deletes a session's timeline. Says how many rows.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn forget_session(&self, session: &SessionId) -> Result<usize, StoreError> {
        let wrap = |e| self.store.error("forget a session's timeline", e);
        let sql = "DELETE FROM session_timeline WHERE session_id = ?1";
        self.store.connection.execute(sql, [session.as_str()]).map_err(wrap)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<TimelineEntry> {
    Ok(TimelineEntry {
        session: parse_column(row, "session_id", SessionId::parse)?,
        at: time(row, 1)?,
        what: parse_column(row, "what", TimelineEvent::parse)?,
        detail: row.get(3)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_happening_is_kept_in_order_until_it_is_old_or_forgotten() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let session = SessionId::parse("5f0a").unwrap();
        let mut all: Vec<_> = SessionState::ALL.into_iter().map(TimelineEvent::Came).collect();
        all.extend([TimelineEvent::Began, TimelineEvent::Compacted, TimelineEvent::Heartbeat]);
        for (second, what) in all.iter().enumerate() {
            let at = Timestamp::from_second(1_772_359_200 + i64::try_from(second / 2).unwrap()).unwrap();
            let entry = TimelineEntry { session: session.clone(), at, what: *what, detail: None };
            store.timeline().add(&entry).unwrap();
        }
        let read = store.timeline().of_session(&session).unwrap();
        assert_eq!(read.iter().map(|entry| entry.what).collect::<Vec<_>>(), all);
        let late = TimelineEntry { detail: Some("noticed late".into()), ..read[0].clone() };
        store.timeline().add(&late).unwrap();
        assert_eq!(store.timeline().of_session(&session).unwrap()[2], late, "it stands where it belongs");
        assert_eq!(store.timeline().prune(read[2].at).unwrap(), 3);
        assert_eq!(store.timeline().forget_session(&session).unwrap(), all.len() - 2);
    }
}
