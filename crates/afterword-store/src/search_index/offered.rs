//! Asking the index what a session may be given: no words, no vectors, only what matters most in a project.

use rusqlite::{OptionalExtension, Row, params};

use super::SearchIndex;
use crate::StoreError;

/// A note that a session may be given.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedNote {
    /// Where it is, relative to the vault's root.
    pub path: String,
    /// Its id; empty where it has none.
    pub id: String,
    /// What sort of note it is.
    pub kind: String,
    /// Its title.
    pub title: String,
    /// Its project; empty where it has none.
    pub project: String,
    /// Every session is to start with it.
    pub always_load: bool,
    /// How much it matters among the notes of its project.
    pub weight: f64,
}

const COLUMNS: &str = "path, id, kind, title, project, always_load, weight";

/// Few notes are always loaded, and few likely replace another. Without the hints SQLite reads every active note to find
/// them, and a session waits for it.
const ALWAYS_LOADED: &str = "FROM note INDEXED BY note_by_load
    WHERE always_load = 1 AND status = 'active' AND project IN (?1, '') ORDER BY weight DESC, path LIMIT ?2";
const WEIGHTIEST: &str = "FROM note WHERE status = 'active' AND project = ?1 AND weight > 0
    ORDER BY weight DESC, path LIMIT ?2";
const LIKELY_CHANGES: &str = "SELECT path, id, may_supersede FROM note INDEXED BY note_by_older
    WHERE may_supersede <> '' AND project IN (?1, '') ORDER BY path";

impl SearchIndex {
    /// What people call the project in a directory; `None` where nothing was learned in it.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn project_name(&self, directory: &str) -> Result<Option<String>, StoreError> {
        self.sql("look a project up", |connection| {
            let mut select = connection.prepare_cached("SELECT name FROM project WHERE path = ?1")?;
            select.query_row([directory], |row| row.get(0)).optional()
        })
    }

    /// All directories in which something was learned, with what people call their projects.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn projects(&self) -> Result<Vec<(String, String)>, StoreError> {
        self.sql("read the projects", |connection| {
            let mut select = connection.prepare_cached("SELECT path, name FROM project ORDER BY path")?;
            select.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })
    }

    /// The notes that every session of a project is to start with, those of no project among them.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn always_loaded(&self, project: &str, most: usize) -> Result<Vec<OfferedNote>, StoreError> {
        self.sql("read what is always loaded", |connection| {
            let mut select = connection.prepare_cached(&format!("SELECT {COLUMNS} {ALWAYS_LOADED}"))?;
            select.query_map(params![project, limit(most)], read)?.collect()
        })
    }

    /// The active lessons of a project (the empty name means none) that matter most.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn top_lessons(&self, project: &str, most: usize) -> Result<Vec<OfferedNote>, StoreError> {
        self.sql("read what matters most", |connection| {
            let mut select = connection.prepare_cached(&format!("SELECT {COLUMNS} {WEIGHTIEST}"))?;
            select.query_map(params![project, limit(most)], read)?.collect()
        })
    }
}

/// A note that waits for an answer and likely takes the place of another until then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LikelyChange {
    /// Where the newer note is, relative to the vault's root.
    pub newer: String,
    /// Its id.
    pub id: String,
    /// Where the older note is.
    pub older: String,
}

impl SearchIndex {
    /// The notes of a project, and of none, that likely take the place of others.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn likely_changes(&self, project: &str) -> Result<Vec<LikelyChange>, StoreError> {
        self.sql("read which rules likely changed", |connection| {
            let mut select = connection.prepare_cached(LIKELY_CHANGES)?;
            let change =
                |row: &Row<'_>| Ok(LikelyChange { newer: row.get(0)?, id: row.get(1)?, older: row.get(2)? });
            select.query_map([project], change)?.collect()
        })
    }
}

fn limit(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

fn read(row: &Row<'_>) -> rusqlite::Result<OfferedNote> {
    Ok(OfferedNote {
        path: row.get(0)?,
        id: row.get(1)?,
        kind: row.get(2)?,
        title: row.get(3)?,
        project: row.get(4)?,
        always_load: row.get(5)?,
        weight: row.get(6)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What SQLite does for a query, in its own words.
    fn plan(index: &SearchIndex, sql: &str) -> String {
        let steps = index.sql("explain a query", |connection| {
            let mut explain = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
            let unbound = vec![rusqlite::types::Null; explain.parameter_count()];
            explain
                .query_map(rusqlite::params_from_iter(unbound), |row| row.get::<_, String>(3))?
                .collect::<rusqlite::Result<Vec<_>>>()
        });
        steps.unwrap().join("; ")
    }

    #[test]
    fn no_more_notes_are_read_than_are_offered() {
        let home = tempfile::tempdir().unwrap();
        let index = SearchIndex::open(&home.path().join("index.db")).unwrap();
        let always = plan(&index, &format!("SELECT {COLUMNS} {ALWAYS_LOADED}"));
        assert!(always.starts_with("SEARCH note USING INDEX note_by_load (project=?)"), "{always}");
        let changes = plan(&index, LIKELY_CHANGES);
        assert!(changes.contains("USING INDEX note_by_older"), "{changes}");
        let weightiest = format!("SELECT {COLUMNS} {WEIGHTIEST}");
        let weightiest = plan(&index, &weightiest);
        assert_eq!(
            weightiest,
            "SEARCH note USING INDEX note_by_weight (status=? AND project=? AND weight>?)"
        );
    }
}
