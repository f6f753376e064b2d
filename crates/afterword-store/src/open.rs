//! Opening: the file and its directory for the user alone, pragmas in one place, migrations under a lock.
//!
//! A database that is there is opened by nothing but SQLite. Its locks are POSIX locks, which belong to the process: closing any
//! other handle of the file drops all of them, and the next program that closes the database deletes its log under this one.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use afterword_platform::files::{create_private_directory, flush_names, remove_if_there};
use rusqlite::{Connection, OpenFlags};

use crate::database::Database;
use crate::{StoreError, schema};

/// How long a statement waits for another process's write before it gives up.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

pub(crate) fn open(path: &Path) -> Result<Database, StoreError> {
    let mut database = open_to_write(path)?;
    let wrap = |e| StoreError::from_sql(path, "open", e);
    if schema_version(&database, path)? == schema::latest_version() {
        set_pragmas(&database, Flushing::Always).map_err(wrap)?;
    } else {
        migrate(database.as_mut(), path)?;
    }
    Ok(database)
}

/// Opens a file of its own kind, without the store's schema; makes it, for the user alone, where there is none. It holds
/// nothing that cannot be made anew.
///
/// A file that is made gets pages of `page` bytes.
pub(crate) fn open_plain(path: &Path, page: Option<u32>) -> Result<Database, StoreError> {
    let database = open_to_write(path)?;
    let wrap = |e| StoreError::from_sql(path, "open", e);
    if let Some(page) = page {
        database.pragma_update(None, "page_size", page).map_err(wrap)?;
    }
    set_pragmas(&database, Flushing::Seldom).map_err(wrap)?;
    Ok(database)
}

/// Opens a file; makes it and its directory, for the user alone, where there is none.
fn open_to_write(path: &Path) -> Result<Database, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let wrap = |e| StoreError::from_sql(path, "open", e);
    if let Some(directory) = path.parent() {
        create_private_directory(directory).map_err(io_error(directory, "make the directory"))?;
    }
    Database::open(path, || {
        create_private_file(path).map_err(io_error(path, "make the database"))?;
        let connection = Connection::open_with_flags(path, flags).map_err(wrap)?;
        // SQLite is content to read what it cannot write.
        if connection.is_readonly("main").map_err(wrap)? {
            return Err(StoreError::ReadOnly { path: path.to_owned(), action: "open" });
        }
        Ok(connection)
    })
}

/// Opens a file that is there, to read it; a lock is not waited for.
pub(crate) fn open_read_only(path: &Path) -> Result<Database, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let wrap = |e| StoreError::from_sql(path, "open", e);
    let database = Database::open(path, || Connection::open_with_flags(path, flags).map_err(wrap))?;
    database.busy_timeout(Duration::ZERO).map_err(wrap)?;
    Ok(database)
}

/// What outlasts a power cut.
#[derive(Clone, Copy)]
enum Flushing {
    /// Every transaction that was committed.
    Always,
    /// A database that is whole; the last transactions may be missing, as all of it can be made anew.
    Seldom,
}

fn set_pragmas(connection: &Connection, flushing: Flushing) -> rusqlite::Result<()> {
    let synchronous = match flushing {
        Flushing::Always => "FULL",
        Flushing::Seldom => "NORMAL",
    };
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", synchronous)?;
    // What was deleted is not left in free pages: it may be what a person wants forgotten.
    connection.pragma_update(None, "secure_delete", true)?;
    connection.pragma_update(None, "foreign_keys", true)
}

fn schema_version(connection: &Connection, path: &Path) -> Result<usize, StoreError> {
    let read = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
    let version = connection
        .query_row("PRAGMA user_version", (), read)
        .map_err(|e| StoreError::from_sql(path, "read the schema's number", e))?;
    Ok(usize::try_from(version).unwrap_or(usize::MAX))
}

/// Runs all pending migrations in one transaction. The file lock closes two gaps: between reading the version and
/// beginning that transaction another process could run the same migrations, and SQLite does not wait for one that
/// switches a new database to WAL at the same moment.
fn migrate(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let _lock = lock_beside(path, ".migrating", File::lock)?;
    let (found, known) = (schema_version(connection, path)?, schema::latest_version());
    if found > known {
        return Err(StoreError::Newer { path: path.to_owned(), found, known });
    }
    set_pragmas(connection, Flushing::Always).map_err(|e| StoreError::from_sql(path, "open", e))?;
    if found > 0 && found < known {
        keep_copy(connection, path, found)?;
    }
    schema::migrations().to_latest(connection).map_err(|source| migration_error(path, source))
}

/// What SQLite refused while migrating has the same reasons as anywhere: a full disk, one that can only be read.
fn migration_error(path: &Path, source: rusqlite_migration::Error) -> StoreError {
    match source {
        rusqlite_migration::Error::RusqliteError { err, .. } => {
            StoreError::from_sql(path, "bring the database up to date", err)
        }
        source => StoreError::Migration { path: path.to_owned(), source },
    }
}

/// Writes `<database>.before-<version>`, whole and consistent, also while others write.
fn keep_copy(connection: &Connection, path: &Path, version: usize) -> Result<(), StoreError> {
    let copy = sibling(path, &format!(".before-{}", version + 1));
    remove_if_there(&copy).map_err(io_error(&copy, "replace"))?;
    // An empty file is taken by VACUUM INTO as its target, and keeps the mode it was made with.
    create_private_file(&copy).map_err(io_error(&copy, "make"))?;
    connection
        .execute("VACUUM INTO ?1", [copy.to_string_lossy()])
        .map(drop)
        .map_err(|e| StoreError::from_sql(&copy, "copy the database before changing its schema", e))
}

/// The file beside a database whose name goes on with `suffix`.
pub(crate) fn sibling(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

pub(crate) fn io_error<'a>(
    path: &'a Path,
    action: &'static str,
) -> impl FnOnce(io::Error) -> StoreError + use<'a> {
    move |source| StoreError::Io { path: path.to_owned(), action, source }
}

/// Locks the file beside a database whose name goes on with `suffix`, until it is dropped; `lock` says whether for one alone, and
/// waits for who has it.
pub(crate) fn lock_beside(
    path: &Path,
    suffix: &str,
    lock: impl FnOnce(&File) -> io::Result<()>,
) -> Result<File, StoreError> {
    let path = sibling(path, suffix);
    let file = open_private_file(&path).map_err(io_error(&path, "open"))?;
    lock(&file).map_err(io_error(&path, "lock"))?;
    Ok(file)
}

/// Makes an empty file for the user alone where there is none, and opens none that is there.
fn create_private_file(path: &Path) -> io::Result<()> {
    match private().create_new(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        created => created.map(drop).and_then(|()| path.parent().map_or(Ok(()), flush_names)),
    }
}

/// Opens a file that is no database, and makes it where there is none.
fn open_private_file(path: &Path) -> io::Result<File> {
    private().create(true).truncate(false).open(path)
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::*;
    use crate::Store;

    #[test]
    fn pragmas_hold_on_every_connection() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("state/afterword.db");
        for _ in 0..2 {
            let connection = open(&path).unwrap();
            let pragma = |name: &str| -> String {
                connection
                    .query_row(&format!("SELECT CAST({name} AS TEXT) FROM pragma_{name}"), (), |row| {
                        row.get(0)
                    })
                    .unwrap()
            };
            assert_eq!(pragma("journal_mode"), "wal");
            assert_eq!(pragma("synchronous"), "2", "FULL");
            assert_eq!(pragma("foreign_keys"), "1");
            let wait: i64 = connection.query_row("PRAGMA busy_timeout", (), |row| row.get(0)).unwrap();
            assert_eq!(wait, 5000);
        }
    }

    #[cfg(unix)]
    #[test]
    fn database_and_directory_are_for_the_user_alone() {
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("state/afterword.db");
        let store = Store::open(&path).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(path.parent().unwrap()), 0o700);
        assert_eq!(mode(&path), 0o600);
        assert_eq!(mode(&sibling(&path, "-wal")), 0o600);
        drop(store);
    }

    #[test]
    fn newer_database_is_refused_and_left_alone() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("afterword.db");
        drop(Store::open(&path).unwrap());
        let connection = Connection::open(&path).unwrap();
        connection.pragma_update(None, "user_version", 9_000).unwrap();
        drop(connection);
        let error = Store::open(&path).unwrap_err();
        assert!(matches!(error, StoreError::Newer { found: 9_000, .. }), "{error}");
        assert!(error.to_string().starts_with(&path.display().to_string()), "{error}");
        let version: i64 =
            Connection::open(&path).unwrap().query_row("PRAGMA user_version", (), |row| row.get(0)).unwrap();
        assert_eq!(version, 9_000);
    }

    #[test]
    fn file_that_is_no_database_is_named_and_kept() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("afterword.db");
        let text = "this is a text file, and long enough to have a header of its own\n".repeat(20);
        fs::write(&path, &text).unwrap();
        let error = Store::open(&path).unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }

    #[test]
    fn new_database_has_no_copy_beside_it() {
        let home = tempfile::tempdir().unwrap();
        open(&home.path().join("afterword.db")).unwrap();
        let names = fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let copies: Vec<_> = names.filter(|name| name.to_string_lossy().contains(".before-")).collect();
        assert!(copies.is_empty(), "{copies:?}");
    }

    #[test]
    fn migration_that_finds_no_space_says_so() {
        let full =
            rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_FULL), None);
        let refused = rusqlite_migration::Error::RusqliteError { query: String::new(), err: full };
        let error = migration_error(Path::new("afterword.db"), refused);
        assert!(matches!(error, StoreError::Full { .. }), "{error:?}");
        let other = migration_error(Path::new("afterword.db"), rusqlite_migration::Error::InvalidUserVersion);
        assert!(matches!(other, StoreError::Migration { .. }), "{other:?}");
    }

    #[test]
    fn copy_is_kept_before_a_migration() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("afterword.db");
        let connection = open(&path).unwrap();
        connection
            .execute_batch("CREATE TABLE marker (a INTEGER) STRICT; INSERT INTO marker VALUES (7)")
            .unwrap();
        keep_copy(&connection, &path, 1).unwrap();
        keep_copy(&connection, &path, 1).unwrap();
        let copy = Connection::open(sibling(&path, ".before-2")).unwrap();
        let value: i64 = copy.query_row("SELECT a FROM marker", (), |row| row.get(0)).unwrap();
        assert_eq!(value, 7);
    }

    /// Run by `many_processes_open_a_new_database_at_once` in processes of their own.
    #[test]
    #[ignore = "a part of another test"]
    fn opening_process() {
        let path =
            std::env::var_os("AFTERWORD_STORE_TEST").expect("set by the test that starts this process");
        let store = Store::open(Path::new(&path)).unwrap();
        store.check().unwrap();
    }

    /// Run by `reader_outside_takes_nothing_from_a_store_at_work` in processes of their own.
    #[test]
    #[ignore = "a part of another test"]
    fn reading_process() {
        let path =
            std::env::var_os("AFTERWORD_STORE_TEST").expect("set by the test that starts this process");
        #[cfg(unix)]
        {
            use rustix::process::{Flock, FlockType, fcntl_getlk};
            let file = File::open(&path).unwrap();
            let wanted = Flock::from(FlockType::WriteLock);
            assert!(fcntl_getlk(&file, &wanted).unwrap().is_some(), "nothing says that the file is in use");
        }
        let connection = Connection::open(Path::new(&path)).unwrap();
        let rows: i64 = connection.query_row("SELECT count(*) FROM marker", (), |row| row.get(0)).unwrap();
        println!("rows: {rows}.");
    }

    #[test]
    fn reader_outside_takes_nothing_from_a_store_at_work() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("state/afterword.db");
        let at_work = open(&path).unwrap();
        at_work.execute_batch("CREATE TABLE marker (a INTEGER) STRICT").unwrap();
        let read = || {
            let output = Command::new(std::env::current_exe().unwrap())
                .args(["--ignored", "--exact", "--nocapture", "open::tests::reading_process"])
                .env("AFTERWORD_STORE_TEST", &path)
                .output()
                .unwrap();
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(output.status.success(), "{text}");
            text
        };
        for round in 0..10 {
            at_work.execute("INSERT INTO marker VALUES (?1)", [round]).unwrap();
            // A part of the same process looks in and leaves, as `Agent::store` does all the time.
            let second = open(&path).unwrap();
            second.execute("INSERT INTO marker VALUES (?1)", [round]).unwrap();
            drop(second);
            assert!(read().contains(&format!("rows: {}.", 2 * (round + 1))));
            // The system's own client, where there is one: an older SQLite is easier to mislead.
            let outside = Command::new("sqlite3").arg(&path).arg("SELECT count(*) FROM marker").output();
            if let Ok(output) = outside {
                assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), (2 * (round + 1)).to_string());
            }
            assert!(sibling(&path, "-wal").exists(), "the log of a database in use was deleted");
        }
        let problems: String = at_work.query_row("PRAGMA integrity_check", (), |row| row.get(0)).unwrap();
        assert_eq!(problems, "ok");
        drop(at_work);
        let rows: i64 = Connection::open(&path)
            .unwrap()
            .query_row("SELECT count(*) FROM marker", (), |row| row.get(0))
            .unwrap();
        assert_eq!(rows, 20);
    }

    #[test]
    fn many_processes_open_a_new_database_at_once() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("state/afterword.db");
        let start = || {
            Command::new(std::env::current_exe().unwrap())
                .args(["--ignored", "--exact", "open::tests::opening_process"])
                .env("AFTERWORD_STORE_TEST", &path)
                .stdout(std::process::Stdio::piped())
                .stderr(std::process::Stdio::piped())
                .spawn()
                .unwrap()
        };
        let processes: Vec<_> = (0..8).map(|_| start()).collect();
        for process in processes {
            let output = process.wait_with_output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(output.status.success(), "{text}");
            assert!(text.contains("1 passed"), "the child must have run the test: {text}");
        }
        assert_eq!(schema_version(&open(&path).unwrap(), &path).unwrap(), schema::latest_version());
    }
}
