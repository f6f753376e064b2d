//! Table `observations`: weak patterns, counted over a project's sessions until they are seen often enough.

use afterword_core::{Kind, ProjectKey, SessionId};
use jiff::Timestamp;
use rusqlite::types::Type;
use rusqlite::{Row, params};

use crate::values::{count, millis, read_count, time};
use crate::{Store, StoreError};

/// A row: something seen once in one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// The project it counts for.
    pub project: ProjectKey,
    /// The session it was seen in.
    pub session: SessionId,
    /// What it would become.
    pub kind: Kind,
    /// What makes two observations the same, as the engine words it.
    pub topic: String,
    /// The words, redacted.
    pub quote: String,
    /// The entry's uuid; empty where it has none.
    pub uuid: String,
    /// The entry's line, from 1.
    pub line: u64,
    /// When the entry was written, or when it was read where the entry does not say.
    pub seen_at: Timestamp,
}

/// Reads and writes of the table.
#[derive(Debug, Clone, Copy)]
pub struct Observations<'a> {
    pub(crate) store: &'a Store,
}

impl Observations<'_> {
    /// What was seen in a project, oldest first.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn of_project(&self, project: &ProjectKey) -> Result<Vec<Observation>, StoreError> {
        let wrap = |e| self.store.error("read observations", e);
        let sql = "SELECT project, session_id, kind, topic, quote, uuid, line, seen_at FROM observations
            WHERE project = ?1 ORDER BY seen_at, id";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map([project.as_str()], read).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }

    /// The projects in which anything was seen.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn projects(&self) -> Result<Vec<ProjectKey>, StoreError> {
        let wrap = |e| self.store.error("read which projects have observations", e);
        let sql = "SELECT DISTINCT project FROM observations ORDER BY project";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map((), |row| Ok(ProjectKey::from_cwd(&row.get::<_, String>(0)?)));
        rows.map_err(wrap)?.collect::<Result<_, _>>().map_err(wrap)
    }

    /// Puts `seen` in place of all that was seen in `session` before. What a forked session repeats stays with the
    /// session that was reflected first.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn replace(&self, session: &SessionId, seen: &[Observation]) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("remember observations", e);
        let connection = &self.store.connection;
        let mut delete =
            connection.prepare_cached("DELETE FROM observations WHERE session_id = ?1").map_err(wrap)?;
        delete.execute([session.as_str()]).map_err(wrap)?;
        let sql =
            "INSERT INTO observations (project, session_id, kind, topic, quote, uuid, line, anchor, seen_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING";
        let mut insert = connection.prepare_cached(sql).map_err(wrap)?;
        for row in seen {
            let anchor = match row.uuid.as_str() {
                "" => format!("{}:{}", row.session, row.line),
                uuid => uuid.to_owned(),
            };
            insert
                .execute(params![
                    row.project.as_str(),
                    row.session.as_str(),
                    row.kind.as_str(),
                    row.topic,
                    row.quote,
                    row.uuid,
                    count(row.line),
                    anchor,
                    millis(row.seen_at),
                ])
                .map_err(wrap)?;
        }
        Ok(())
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<Observation> {
    let text = |column: usize| row.get::<_, String>(column);
    let (session, kind) = (text(1)?, text(2)?);
    let malformed = |column, value: &str| {
        rusqlite::Error::FromSqlConversionFailure(
            column,
            Type::Text,
            format!("`{value}` is not expected").into(),
        )
    };
    Ok(Observation {
        project: ProjectKey::from_cwd(&text(0)?),
        session: SessionId::parse(&session).ok_or_else(|| malformed(1, &session))?,
        kind: Kind::parse(&kind).ok_or_else(|| malformed(2, &kind))?,
        topic: text(3)?,
        quote: text(4)?,
        uuid: text(5)?,
        line: read_count(row, 6)?,
        seen_at: time(row, 7)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROJECT: &str = "/home/ada/engine";

    fn observation(session: &str, topic: &str, uuid: &str, line: u64) -> Observation {
        Observation {
            project: ProjectKey::from_cwd(PROJECT),
            session: SessionId::parse(session).unwrap(),
            kind: Kind::Workflow,
            topic: topic.into(),
            quote: "run the linter first".into(),
            uuid: uuid.into(),
            line,
            seen_at: "2026-03-01T10:00:00Z".parse().unwrap(),
        }
    }

    fn all(store: &Store) -> Vec<Observation> {
        store.observations().of_project(&ProjectKey::from_cwd(PROJECT)).unwrap()
    }

    fn replace(store: &Store, session: &str, rows: &[Observation]) {
        store.observations().replace(&SessionId::parse(session).unwrap(), rows).unwrap();
    }

    #[test]
    fn counted_over_the_sessions_of_a_project() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let (one, two) = (observation("one", "lint", "u1", 3), observation("two", "lint", "", 9));
        replace(&store, "one", std::slice::from_ref(&one));
        replace(&store, "two", std::slice::from_ref(&two));
        assert_eq!(all(&store), [one, two]);
        assert_eq!(store.observations().of_project(&ProjectKey::from_cwd("/home/ada")).unwrap(), []);
    }

    #[test]
    fn mining_a_session_again_does_not_count_twice() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        replace(&store, "one", &[observation("one", "lint", "u1", 3), observation("one", "lint", "", 9)]);
        replace(
            &store,
            "one",
            &[observation("one", "lint", "u1", 3), observation("one", "format", "u2", 12)],
        );
        let topics: Vec<_> = all(&store).into_iter().map(|row| row.topic).collect();
        assert_eq!(topics, ["lint", "format"]);
    }

    #[test]
    fn entries_a_fork_repeats_count_once() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        replace(&store, "one", &[observation("one", "lint", "u1", 3)]);
        replace(
            &store,
            "fork",
            &[observation("fork", "lint", "u1", 3), observation("fork", "lint", "u7", 30)],
        );
        assert_eq!(all(&store).len(), 2);
    }
}
