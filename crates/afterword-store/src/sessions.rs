//! Table `sessions`: one row a transcript file, saying what was done with it and at which size and time.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use afterword_core::{ProjectKey, SessionId};
use jiff::Timestamp;
use rusqlite::types::Type;
use rusqlite::{OptionalExtension, Row, named_params};

use crate::values::{count, maybe_time, millis, read_count, time};
use crate::{Store, StoreError};

/// What tells a changed file from an unchanged one without opening it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint {
    /// Bytes.
    pub size: u64,
    /// Last modification, in nanoseconds since 1970.
    pub mtime_ns: i64,
}

/// What was done with a transcript file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TranscriptOutcome {
    /// It was read and mined.
    Reflected,
    /// Its project is excluded by the user; only the head was read, to learn the project.
    Excluded,
    /// Afterword started the session itself.
    Own,
}

impl TranscriptOutcome {
    fn as_str(self) -> &'static str {
        match self {
            Self::Reflected => "reflected",
            Self::Excluded => "excluded",
            Self::Own => "own",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        [Self::Reflected, Self::Excluded, Self::Own].into_iter().find(|outcome| outcome.as_str() == text)
    }
}

/// A row: a transcript file and what was done with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFile {
    /// The transcript file, absolute.
    pub path: PathBuf,
    /// The session it belongs to; for a sub-agent's file its parent's.
    pub session: SessionId,
    /// The file is a sub-agent's.
    pub sidechain: bool,
    /// The project, when an entry told it.
    pub project: Option<ProjectKey>,
    /// The file as it was when it was dealt with.
    pub fingerprint: Fingerprint,
    /// What was done.
    pub outcome: TranscriptOutcome,
    /// When that was.
    pub at: Timestamp,
    /// The engine that mined it; empty where none did.
    pub engine: String,
    /// That engine's version; empty where none mined.
    pub engine_version: String,
    /// Root of the vault that its notes went to; empty where none did.
    pub vault: String,
    /// Time of the first entry that has one.
    pub first_entry_at: Option<Timestamp>,
    /// Time of the last entry that has one.
    pub last_entry_at: Option<Timestamp>,
    /// Entries read.
    pub entries: u64,
    /// Lines that could not be read.
    pub skipped_lines: u64,
    /// Candidates found in the session (0 in the row of a sub-agent's file).
    pub candidates: u64,
    /// Files it worked on that tell its repository, below its directory, with `/`.
    pub files: Vec<String>,
}

impl SessionFile {
    /// What of it a rescan needs to know.
    pub fn reflected(&self) -> ReflectedFile {
        ReflectedFile {
            fingerprint: self.fingerprint,
            outcome: self.outcome,
            project: self.project.clone(),
            engine: self.engine.clone(),
            vault: self.vault.clone(),
            entries: self.entries,
            candidates: self.candidates,
        }
    }
}

/// What a rescan needs to know of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReflectedFile {
    /// The file as it was when it was dealt with.
    pub fingerprint: Fingerprint,
    /// What was done.
    pub outcome: TranscriptOutcome,
    /// The project, when an entry told it.
    pub project: Option<ProjectKey>,
    /// The engine that mined it; empty where none did.
    pub engine: String,
    /// Root of the vault that its notes went to; empty where none did.
    pub vault: String,
    /// Entries read.
    pub entries: u64,
    /// Candidates found.
    pub candidates: u64,
}

/// Reads and writes of the table.
#[derive(Debug, Clone, Copy)]
pub struct Sessions<'a> {
    pub(crate) store: &'a Store,
}

impl Sessions<'_> {
    /// What is known of every file, in one query.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn all_by_path(&self) -> Result<HashMap<PathBuf, ReflectedFile>, StoreError> {
        let wrap = |e| self.store.error("read what was reflected", e);
        let sql = "SELECT path, size, mtime_ns, outcome, project, engine, vault, entries, candidates
            FROM sessions";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map((), |row| {
            let known = ReflectedFile {
                fingerprint: Fingerprint { size: read_count(row, 1)?, mtime_ns: row.get(2)? },
                outcome: outcome(row, 3)?,
                project: project(row, 4)?,
                engine: row.get(5)?,
                vault: row.get(6)?,
                entries: read_count(row, 7)?,
                candidates: read_count(row, 8)?,
            };
            Ok((PathBuf::from(row.get::<_, String>(0)?), known))
        });
        rows.map_err(wrap)?.collect::<Result<_, _>>().map_err(wrap)
    }

    /// The files that tell a repository, of every project.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn files(&self) -> Result<HashMap<ProjectKey, BTreeSet<String>>, StoreError> {
        let wrap = |e| self.store.error("read what sessions worked on", e);
        let sql = "SELECT project, files FROM sessions WHERE project IS NOT NULL AND files != ''";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map((), |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)));
        let mut files: HashMap<ProjectKey, BTreeSet<String>> = HashMap::new();
        for row in rows.map_err(wrap)? {
            let (project, own) = row.map_err(wrap)?;
            files.entry(ProjectKey::from_cwd(&project)).or_default().extend(lines(&own));
        }
        Ok(files)
    }

    /// The rows of one session, its own file first.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn of_session(&self, session: &SessionId) -> Result<Vec<SessionFile>, StoreError> {
        let wrap = |e| self.store.error("read a session", e);
        let sql = "SELECT * FROM sessions WHERE session_id = ?1 ORDER BY sidechain, path";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map([session.as_str()], read).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }

    /// The row of one file.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn get(&self, path: &Path) -> Result<Option<SessionFile>, StoreError> {
        let wrap = |e| self.store.error("read a session", e);
        let sql = "SELECT * FROM sessions WHERE path = ?1";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.query_row([text(path)?], read).optional().map_err(wrap)
    }

    /// Notes that a file changed without anything in it that has to be reflected.
    ///
    /// # Errors
    /// [`StoreError::NameNotText`] for a path that is no Unicode, otherwise [`StoreError`] for a database that is locked, damaged or full.
    pub fn set_fingerprint(&self, path: &Path, to: Fingerprint) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("remember a session", e);
        let sql = "UPDATE sessions SET size = ?2, mtime_ns = ?3 WHERE path = ?1";
        let values = rusqlite::params![text(path)?, count(to.size), to.mtime_ns];
        self.store.connection.execute(sql, values).map(drop).map_err(wrap)
    }

    /// Lets a file's row stand under another path, in place of the one that this had.
    ///
    /// # Errors
    /// [`StoreError::NameNotText`] for a path that is no Unicode, otherwise [`StoreError`] for a database that is locked, damaged or full.
    pub fn rename(&self, before: &Path, now: &Path) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("remember a session", e);
        let sql = "UPDATE OR REPLACE sessions SET path = ?2 WHERE path = ?1";
        let values = [text(before)?, text(now)?];
        self.store.connection.execute(sql, values).map(drop).map_err(wrap)
    }

    /// Lets a session's own transcript count as changed, so that it is read again. Says how many files.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn mark_unread(&self, session: &SessionId) -> Result<usize, StoreError> {
        let wrap = |e| self.store.error("let a session be read again", e);
        // No file has this size and time; what was reflected of it stays.
        let sql =
            "UPDATE sessions SET size = 0, mtime_ns = -1 WHERE session_id = ?1 AND outcome = 'reflected'";
        self.store.connection.execute(sql, [session.as_str()]).map_err(wrap)
    }

    /// Writes a row, in place of the one the file had.
    ///
    /// # Errors
    /// [`StoreError::NameNotText`] for a path that is no Unicode, otherwise [`StoreError`] for a database that is locked, damaged or full.
    pub fn put(&self, file: &SessionFile) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("remember a session", e);
        let sql = "INSERT OR REPLACE INTO sessions (path, session_id, sidechain, project, size, mtime_ns, outcome,
                dealt_with_at, engine, engine_version, vault, first_entry_at, last_entry_at, entries, skipped_lines, candidates,
                files)
            VALUES (:path, :session, :sidechain, :project, :size, :mtime_ns, :outcome,
                :at, :engine, :engine_version, :vault, :first, :last, :entries, :skipped, :candidates, :files)";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let done = statement.execute(named_params! {
            ":path": text(&file.path)?,
            ":session": file.session.as_str(),
            ":sidechain": file.sidechain,
            ":project": file.project.as_ref().map(ProjectKey::as_str),
            ":size": count(file.fingerprint.size),
            ":mtime_ns": file.fingerprint.mtime_ns,
            ":outcome": file.outcome.as_str(),
            ":at": millis(file.at),
            ":engine": file.engine,
            ":engine_version": file.engine_version,
            ":vault": file.vault,
            ":first": file.first_entry_at.map(millis),
            ":last": file.last_entry_at.map(millis),
            ":entries": count(file.entries),
            ":skipped": count(file.skipped_lines),
            ":candidates": count(file.candidates),
            ":files": file.files.join("\n"),
        });
        done.map(drop).map_err(wrap)
    }
}

/// A path as it is known by. On Windows `/` separates as `\` does, and people, settings and programs write either.
pub(crate) fn text(path: &Path) -> Result<Cow<'_, str>, StoreError> {
    let text = path.to_str().ok_or_else(|| StoreError::NameNotText { path: path.to_owned() })?;
    Ok(if cfg!(windows) { text.replace('/', "\\").into() } else { text.into() })
}

fn read(row: &Row<'_>) -> rusqlite::Result<SessionFile> {
    let session: String = row.get(1)?;
    let session = SessionId::parse(&session).ok_or_else(|| malformed(1, &session))?;
    Ok(SessionFile {
        path: PathBuf::from(row.get::<_, String>(0)?),
        session,
        sidechain: row.get(2)?,
        project: project(row, 3)?,
        fingerprint: Fingerprint { size: read_count(row, 4)?, mtime_ns: row.get(5)? },
        outcome: outcome(row, 6)?,
        at: time(row, 7)?,
        engine: row.get(8)?,
        engine_version: row.get(9)?,
        vault: row.get(10)?,
        first_entry_at: maybe_time(row, 11)?,
        last_entry_at: maybe_time(row, 12)?,
        entries: read_count(row, 13)?,
        skipped_lines: read_count(row, 14)?,
        candidates: read_count(row, 15)?,
        files: lines(&row.get::<_, String>(16)?).collect(),
    })
}

fn lines(text: &str) -> impl Iterator<Item = String> {
    text.lines().map(str::to_owned)
}

fn project(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<ProjectKey>> {
    Ok(row.get::<_, Option<String>>(column)?.map(|text| ProjectKey::from_cwd(&text)))
}

fn outcome(row: &Row<'_>, column: usize) -> rusqlite::Result<TranscriptOutcome> {
    let text: String = row.get(column)?;
    TranscriptOutcome::parse(&text).ok_or_else(|| malformed(column, &text))
}

fn malformed(column: usize, value: &str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, format!("`{value}` is not expected").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, sidechain: bool) -> SessionFile {
        SessionFile {
            path: PathBuf::from(path),
            session: SessionId::parse("0198c1b2-0000-7000-8000-000000000001").unwrap(),
            sidechain,
            project: Some(ProjectKey::from_cwd("/home/ada/engine")),
            fingerprint: Fingerprint { size: 4096, mtime_ns: 1_700_000_000_123_456_789 },
            outcome: TranscriptOutcome::Reflected,
            at: "2026-03-01T10:00:00.25Z".parse().unwrap(),
            engine: "builtin".into(),
            engine_version: "1".into(),
            vault: "/vault".into(),
            first_entry_at: Some("2026-03-01T09:00:00Z".parse().unwrap()),
            last_entry_at: None,
            entries: 812,
            skipped_lines: 2,
            candidates: 5,
            files: vec!["crates/lathe/src/cut.rs".into(), "crates/lathe/src/feed.rs".into()],
        }
    }

    #[test]
    fn row_comes_back_as_it_went_in() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let (own, agent) = (file("/c/p/one.jsonl", false), file("/c/p/a/agent.jsonl", true));
        store.sessions().put(&agent).unwrap();
        store.sessions().put(&own).unwrap();
        assert_eq!(store.sessions().of_session(&own.session).unwrap(), [own.clone(), agent]);
        assert_eq!(store.sessions().get(&own.path).unwrap(), Some(own.clone()));
        let files = HashMap::from([(own.project.unwrap(), own.files.into_iter().collect())]);
        assert_eq!(store.sessions().files().unwrap(), files);
    }

    #[test]
    fn later_row_replaces_the_earlier() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let mut row = file("/c/p/one.jsonl", false);
        store.sessions().put(&row).unwrap();
        row.fingerprint.size = 8192;
        row.outcome = TranscriptOutcome::Excluded;
        store.sessions().put(&row).unwrap();
        let known = store.sessions().all_by_path().unwrap();
        assert_eq!(known.len(), 1);
        assert_eq!(known[&row.path].fingerprint, row.fingerprint);
        assert_eq!(known[&row.path].outcome, TranscriptOutcome::Excluded);
    }

    #[test]
    fn renamed_row_stands_where_its_file_is() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let (one, other) = (file("/c/p/one.jsonl", false), file("/d/p/one.jsonl", false));
        store.sessions().put(&one).unwrap();
        for _ in 0..2 {
            store.sessions().rename(&one.path, &other.path).unwrap();
            assert_eq!(store.sessions().of_session(&one.session).unwrap(), std::slice::from_ref(&other));
            store.sessions().put(&one).unwrap();
        }
    }

    #[cfg(windows)]
    #[test]
    fn path_is_the_same_with_either_separator() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let row = file("C:/c/projects/one.jsonl", false);
        store.sessions().put(&row).unwrap();
        assert!(store.sessions().get(Path::new(r"C:\c\projects\one.jsonl")).unwrap().is_some());
        store.sessions().put(&file(r"C:\c\projects\one.jsonl", false)).unwrap();
        assert_eq!(store.sessions().all_by_path().unwrap().len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn path_that_is_no_text_is_refused_not_bent() {
        use std::os::unix::ffi::OsStringExt;
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let mut row = file("/x", false);
        row.path = PathBuf::from(std::ffi::OsString::from_vec(b"/c/\xff.jsonl".to_vec()));
        assert!(matches!(store.sessions().put(&row), Err(StoreError::NameNotText { .. })));
    }
}
