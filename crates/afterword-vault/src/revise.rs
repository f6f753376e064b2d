//! One note changed by a decision: its text is replaced where it lies, then the file moves.
//!
//! The two steps are each atomic, and a crash between them leaves one note with its new properties in its old folder:
//! never two, never none. Doing the same again ends what was begun.

use crate::disk::{Disk, WriteOutcome};
use crate::error::VaultError;
use crate::hash::ContentHash;
use crate::path::VaultPath;

/// A change to one note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    /// Where the note is.
    pub path: VaultPath,
    /// What its file must hash to.
    pub before: ContentHash,
    /// Its whole new content.
    pub content: String,
    /// Where it goes; its own path where it stays. The name must be free.
    pub to: VaultPath,
}

/// How a revision ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RevisionOutcome {
    /// The note is changed and in its place.
    Done {
        /// What it hashes to.
        hash: ContentHash,
    },
    /// The file is not what the revision was made on, or its new name is taken. A new scan tells what is to be done.
    ChangedMeanwhile,
}

pub(crate) fn revise(disk: &Disk, revision: &Revision) -> Result<RevisionOutcome, VaultError> {
    let bytes = revision.content.as_bytes();
    let hash = ContentHash::of(bytes);
    // Before anything is changed: without the folder the note would be answered, and stay where it waits.
    if let Some(folder) = revision.to.parent() {
        disk.create_dir(&folder)?;
    }
    if disk.replace(&revision.path, &revision.before, bytes)? == WriteOutcome::Changed {
        let there = disk.read(&revision.path)?;
        if there.is_none_or(|there| there != bytes) {
            return Ok(RevisionOutcome::ChangedMeanwhile);
        }
    }
    if revision.to != revision.path
        && disk.rename(&revision.path, &revision.to, &hash)? == WriteOutcome::Changed
    {
        return Ok(RevisionOutcome::ChangedMeanwhile);
    }
    // The new name first: a file system without a journal loses a file that has neither.
    for path in [&revision.to, &revision.path] {
        if let Some(folder) = path.parent() {
            disk.flush(&folder)?;
        }
    }
    Ok(RevisionOutcome::Done { hash })
}
