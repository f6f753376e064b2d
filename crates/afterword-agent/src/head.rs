//! The beginning of a transcript, for the project alone: what the user excludes is read no further than this.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use afterword_core::ProjectKey;
use serde::Deserialize;

use crate::Error;

/// Bytes after which the search for a working directory is given up. Real transcripts name one within the first ten
/// entries; those before it hold file snapshots of some kilobytes.
const LIMIT: u64 = 1 << 20;

#[derive(Deserialize)]
struct Entry {
    cwd: Option<String>,
}

/// The project of a session: the working directory of its first entry that has one.
pub(crate) fn first_project(path: &Path) -> Result<Option<ProjectKey>, Error> {
    let error = |source| Error::Io { path: path.to_owned(), action: "read the transcript", source };
    let mut reader = BufReader::new(File::open(path).map_err(error)?.take(LIMIT));
    let mut line = Vec::new();
    loop {
        line.clear();
        if reader.read_until(b'\n', &mut line).map_err(error)? == 0 {
            return Ok(None);
        }
        let entry = serde_json::from_slice::<Entry>(&line).ok();
        if let Some(cwd) = entry.and_then(|entry| entry.cwd).filter(|cwd| !cwd.is_empty()) {
            return Ok(Some(ProjectKey::from_cwd(&cwd)));
        }
    }
}
