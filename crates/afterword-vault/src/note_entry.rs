//! One file of a vault as it was read: a note of Afterword's, or what is wrong with it.

use serde::{Deserialize, Serialize};

use crate::hash::ContentHash;
use crate::note::Note;
use crate::path::VaultPath;
use crate::properties::Properties;

/// A note of Afterword's, wherever in the vault the user keeps it.
#[derive(Debug, Clone)]
pub struct NoteEntry {
    /// Where it is.
    pub path: VaultPath,
    /// What its file hashes to.
    pub hash: ContentHash,
    /// Its text.
    pub note: Note,
    /// Its properties.
    pub properties: Properties,
}

impl NoteEntry {
    /// The note that a file at `path` with this text would be.
    pub fn with_content(path: VaultPath, content: String) -> Self {
        let hash = ContentHash::of(content.as_bytes());
        let note = Note::parse(content);
        let mut properties = Properties::of(&note);
        properties.apply_folder(&path);
        Self { path, hash, note, properties }
    }
}

/// Something in the vault that could not be read; it is left alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The file or folder.
    pub path: VaultPath,
    /// The line, counted from 1; 0 where the file as a whole is meant.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}
