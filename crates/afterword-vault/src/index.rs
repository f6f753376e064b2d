//! What a vault holds: Afterword's notes by id, by key and by path, and what could not be read.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use afterword_core::{ContentKey, NoteId};
use serde::{Deserialize, Serialize};

use crate::hash::ContentHash;
use crate::layout;
use crate::note::Note;
use crate::path::VaultPath;
use crate::properties::{NoteKind, Properties};

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

/// The result of a scan.
#[derive(Debug, Clone, Default)]
pub struct VaultIndex {
    notes: BTreeMap<VaultPath, NoteEntry>,
    by_id: HashMap<NoteId, Vec<VaultPath>>,
    by_key: HashMap<ContentKey, Vec<VaultPath>>,
    names: BTreeSet<String>,
    problems: Vec<Problem>,
}

impl VaultIndex {
    /// All notes, by path.
    pub fn notes(&self) -> impl Iterator<Item = &NoteEntry> {
        self.notes.values()
    }

    /// The note at a path.
    pub fn at(&self, path: &VaultPath) -> Option<&NoteEntry> {
        self.notes.get(path)
    }

    /// The note with an id. Of several copies the first by path.
    pub fn by_id(&self, id: NoteId) -> Option<&NoteEntry> {
        self.by_id.get(&id).and_then(|paths| paths.first()).and_then(|path| self.notes.get(path))
    }

    /// The note of a lesson. Of several copies the first by path.
    pub fn by_key(&self, key: &ContentKey) -> Option<&NoteEntry> {
        self.by_key.get(key).and_then(|paths| paths.first()).and_then(|path| self.notes.get(path))
    }

    /// The ledger of ideas: `Ideas.md`, or wherever the user moved it.
    pub fn ideas(&self) -> Option<&NoteEntry> {
        let usual = self.notes.get(&VaultPath::fixed(layout::IDEAS));
        usual.or_else(|| self.notes.values().find(|entry| entry.properties.kind == Some(NoteKind::Ideas)))
    }

    /// What could not be read.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Whether a file or folder of that name is there, or would be the same on a system that ignores case.
    pub(crate) fn is_taken(&self, path: &VaultPath) -> bool {
        self.names.contains(&path.folded())
    }

    pub(crate) fn add_name(&mut self, path: &VaultPath) {
        self.names.insert(path.folded());
    }

    pub(crate) fn add_problem(&mut self, path: VaultPath, line: usize, what: impl Into<String>) {
        self.problems.push(Problem { path, line, what: what.into() });
    }

    pub(crate) fn add_note(&mut self, entry: NoteEntry) {
        if let Some(id) = entry.properties.id {
            self.by_id.entry(id).or_default().push(entry.path.clone());
        }
        if let Some(key) = &entry.properties.key {
            self.by_key.entry(key.clone()).or_default().push(entry.path.clone());
        }
        self.notes.insert(entry.path.clone(), entry);
    }

    /// Puts everything in an order that does not depend on how the file system lists its folders.
    pub(crate) fn settle(&mut self) {
        self.by_id.values_mut().for_each(|paths| paths.sort());
        self.by_key.values_mut().for_each(|paths| paths.sort());
        self.problems.sort_by(|one, other| (&one.path, one.line).cmp(&(&other.path, other.line)));
    }
}
