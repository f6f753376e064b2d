//! An open connection, and which file it is open on.
//!
//! SQLite keeps its log and its shared memory by the database's name. Where a database was moved aside, or another put in its place,
//! while this process has it open, a second connection would take the shared memory of the first for its own and cut it, and
//! the process would die of that (`SIGBUS`): locks of a process do not hold within it. So none is opened before the last one on the
//! file that was there is closed.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use crate::{Store, StoreError};

/// What tells one file from another that has its name.
#[cfg(unix)]
type FileIdentity = (u64, u64);
/// Windows lets nobody move a database that is open.
#[cfg(not(unix))]
type FileIdentity = ();

/// The databases this process has open, one entry a connection.
static OPEN: Mutex<Vec<(PathBuf, FileIdentity)>> = Mutex::new(Vec::new());

/// A connection to a database of ours.
#[derive(Debug)]
pub(crate) struct Database {
    // Closed before it is forgotten that it was open.
    connection: Connection,
    place: Place,
}

impl Database {
    /// Opens the database at `path` with `open`, which may make its file. No other is opened meanwhile.
    ///
    /// # Errors
    /// [`StoreError::Moved`] while this process has another file open that was at `path`, and those of `open`.
    pub(crate) fn open(
        path: &Path,
        open: impl FnOnce() -> Result<Connection, StoreError>,
    ) -> Result<Self, StoreError> {
        let mut all = open_databases();
        let moved = || StoreError::Moved { path: path.to_owned() };
        let others: Vec<FileIdentity> =
            all.iter().filter(|(other, _)| other == path).map(|(_, identity)| *identity).collect();
        let before = identity(path);
        if others.iter().any(|other| Some(*other) != before) {
            return Err(moved());
        }
        let connection = open()?;
        let now =
            identity(path).filter(|now| before.is_none_or(|before| before == *now)).ok_or_else(moved)?;
        all.push((path.to_owned(), now));
        Ok(Self { connection, place: Place { path: path.to_owned(), identity: now } })
    }

    pub(crate) fn as_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

/// Whether the file that a store was opened on is still at its place. Who goes on with one that is not works on what nobody else sees; it
/// has to be closed before another can be opened.
pub fn is_in_place(store: &Store) -> bool {
    let place = &store.connection.place;
    identity(&place.path) == Some(place.identity)
}

impl Deref for Database {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

/// An entry of [`OPEN`], taken out with the connection.
#[derive(Debug)]
struct Place {
    path: PathBuf,
    identity: FileIdentity,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut all = open_databases();
        let own = all.iter().position(|(path, identity)| *path == self.path && *identity == self.identity);
        if let Some(own) = own {
            all.swap_remove(own);
        }
    }
}

fn open_databases() -> MutexGuard<'static, Vec<(PathBuf, FileIdentity)>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Which file is at a path; `None` where there is none. It is asked for by name, because no other handle of it may be opened.
#[cfg(unix)]
fn identity(path: &Path) -> Option<FileIdentity> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<FileIdentity> {
    path.is_file().then_some(())
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use crate::{Store, StoreError, is_in_place};

    #[test]
    fn no_other_file_is_opened_in_the_place_of_one_that_is_open() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("afterword.db");
        let store = Store::open(&path).unwrap();
        assert!(is_in_place(&store) && Store::open(&path).is_ok());
        std::fs::rename(&path, home.path().join("aside.db")).unwrap();
        assert!(!is_in_place(&store));
        let error = Store::open(&path).unwrap_err();
        assert!(matches!(error, StoreError::Moved { .. }), "{error:?}");
        assert!(!path.exists(), "nothing is made in its place");
        // What is open goes on with its own file.
        store.projects().names().unwrap();

        // Another program made one there in the meantime.
        std::fs::write(&path, "").unwrap();
        assert!(!is_in_place(&store));
        assert!(matches!(Store::open(&path).unwrap_err(), StoreError::Moved { .. }));
        drop(store);
        assert!(is_in_place(&Store::open(&path).unwrap()));
    }
}
