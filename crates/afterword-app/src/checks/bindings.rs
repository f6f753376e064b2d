//! What binds: the checks a person said yes to, in one small file that a hook reads without a database.
//!
//! Each is kept with a hash of the lines that were agreed to. Lines that changed since bind nothing until they are agreed
//! to again. What was lifted, for a session or for good, stands beside them. A log beside the file has what was stopped and
//! what could not be asked.

use std::io::Read;
use std::path::PathBuf;

use afterword_core::{NoteId, SessionId};
use afterword_platform::files::{
    append_to_log, create_private_directory, open_regular_file, replace_file, rotated_path,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::log::OrLog;
use crate::{Error, Paths};

/// The format that is written; another is not read.
const VERSION: u32 = 1;
/// The largest file that is read, in bytes: some thousand checks.
const LARGEST: u64 = 4 << 20;
/// The log is begun anew at this size, in bytes; the one before is kept.
const LONGEST_LOG: u64 = 256 << 10;
/// Sessions for which something was lifted that are remembered.
const MOST_LIFTED: usize = 200;

/// Everything that binds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bindings {
    version: u32,
    /// The notes whose checks were agreed to.
    pub notes: Vec<BoundNote>,
    /// What was lifted for one session.
    #[serde(default, rename = "lifted")]
    pub session_lifts: Vec<SessionLift>,
    /// Checks that were lifted for good and still stand in their notes.
    #[serde(default, rename = "ended")]
    pub permanent_lifts: Vec<PermanentLift>,
}

/// A note whose checks were agreed to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoundNote {
    /// The note.
    pub id: NoteId,
    /// Its file below the vault, when it was seen last.
    pub path: String,
    /// The lesson.
    pub title: String,
    /// Its project's name; empty where it holds everywhere.
    pub project: String,
    /// The directories of that project on this machine.
    pub directories: Vec<String>,
    /// Its checks.
    pub checks: Vec<String>,
    /// When they were agreed to.
    pub agreed: Timestamp,
}

/// A note's checks, lifted for one session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionLift {
    /// The note.
    pub note: NoteId,
    /// The session.
    pub session: SessionId,
}

/// Checks that were lifted for good.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PermanentLift {
    /// The note.
    pub note: NoteId,
    /// Of their lines ([`hash`]).
    pub hash: String,
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckLogLine {
    /// When.
    pub at: Timestamp,
    /// `stopped`, or why a check was not asked.
    pub what: String,
    /// The session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// The note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<NoteId>,
}

/// Says that a check stopped something.
pub(super) const STOPPED_SOMETHING: &str = "stopped";

/// What is agreed to when these lines are.
pub fn hash(lines: &[String]) -> String {
    blake3::hash(lines.join("\n").as_bytes()).to_hex().to_string()
}

impl Bindings {
    /// Reads what binds; nothing where there is no such file.
    ///
    /// # Errors
    /// [`Error::Io`], and [`Error::Io`] for a file that makes no sense.
    pub fn read(paths: &Paths) -> Result<Self, Error> {
        let path = file(paths);
        let error = |source| Error::Io { path: path.clone(), action: "read what binds", source };
        let mut text = Vec::new();
        match open_regular_file(&path) {
            Ok(file) => file.take(LARGEST).read_to_end(&mut text).map_err(error)?,
            Err(missing) if missing.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(source) => return Err(error(source)),
        };
        let bound: Self = serde_json::from_slice(&text).map_err(|source| error(source.into()))?;
        if bound.version != VERSION {
            return Err(error(std::io::Error::other(format!("its format {} is not known", bound.version))));
        }
        Ok(bound)
    }

    /// Writes what binds, as a whole or not at all.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(&mut self, paths: &Paths) -> Result<(), Error> {
        let path = file(paths);
        let error = |source| Error::Io { path: path.clone(), action: "write what binds", source };
        self.version = VERSION;
        let beyond = self.session_lifts.len().saturating_sub(MOST_LIFTED);
        self.session_lifts.drain(..beyond);
        create_private_directory(&paths.state).map_err(error)?;
        let text = serde_json::to_vec_pretty(&self).map_err(|source| error(source.into()))?;
        replace_file(&path, &text).map_err(error)
    }

    /// The checks of a note that were agreed to.
    pub fn bound_note(&self, id: NoteId) -> Option<&BoundNote> {
        self.notes.iter().find(|note| note.id == id)
    }

    /// Whether a note's checks were lifted for a session.
    pub fn is_lifted(&self, note: NoteId, session: &SessionId) -> bool {
        self.session_lifts.iter().any(|one| one.note == note && one.session == *session)
    }
}

/// Adds to the log. What cannot be written is nobody's loss: `doctor` looks at the same folder.
pub(super) fn log(paths: &Paths, line: &CheckLogLine) {
    if let Ok(mut text) = serde_json::to_vec(line) {
        text.push(b'\n');
        append_to_log(&log_file(paths), &text, LONGEST_LOG).or_log("writing down what a check did");
    }
}

/// The log, the oldest line first; a line that makes no sense is passed over.
pub(super) fn read_log(paths: &Paths) -> Vec<CheckLogLine> {
    let path = log_file(paths);
    let mut all = Vec::new();
    for path in [rotated_path(&path), path] {
        let mut text = String::new();
        let read =
            open_regular_file(&path).and_then(|file| file.take(2 * LONGEST_LOG).read_to_string(&mut text));
        if read.is_ok() {
            all.extend(text.lines().filter_map(|line| serde_json::from_str::<CheckLogLine>(line).ok()));
        }
    }
    all
}

fn file(paths: &Paths) -> PathBuf {
    paths.state.join("checks.json")
}

fn log_file(paths: &Paths) -> PathBuf {
    paths.state.join("checks.log")
}
