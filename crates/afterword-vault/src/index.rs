//! What a vault holds: Afterword's notes by id, by key and by path, and what could not be read.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use afterword_core::{ContentKey, NoteId};

use crate::hash::ContentHash;
use crate::layout;
use crate::note_entry::{NoteEntry, Problem};
use crate::path::VaultPath;
use crate::properties::{NoteKind, Status};
use crate::sync_tools::{self, SyncTool};
use crate::tombstones;

/// The result of a scan.
#[derive(Debug, Clone, Default)]
pub struct VaultIndex {
    notes: BTreeMap<VaultPath, Arc<NoteEntry>>,
    by_id: HashMap<NoteId, Vec<VaultPath>>,
    by_key: HashMap<ContentKey, Vec<VaultPath>>,
    names: BTreeSet<String>,
    problems: Vec<Problem>,
    pending: BTreeSet<VaultPath>,
    copies: Vec<ConflictCopy>,
    marked: Vec<(VaultPath, ContentHash, String)>,
    tombstones: BTreeSet<ContentKey>,
}

/// A copy that a sync tool laid beside a note because both sides had changed.
#[derive(Debug, Clone)]
pub struct ConflictCopy {
    /// The note it is a copy of.
    pub of: VaultPath,
    /// What made it.
    pub tool: SyncTool,
    /// The copy.
    pub entry: Arc<NoteEntry>,
}

impl VaultIndex {
    /// All notes, by path.
    pub fn notes(&self) -> impl Iterator<Item = &NoteEntry> {
        self.notes.values().map(|entry| &**entry)
    }

    /// The note at a path.
    pub fn at(&self, path: &VaultPath) -> Option<&NoteEntry> {
        self.notes.get(path).map(|entry| &**entry)
    }

    /// The note with an id. Of several, the one that counts most: active before retired, then the shortest path, then the first.
    pub fn by_id(&self, id: NoteId) -> Option<&NoteEntry> {
        self.by_id.get(&id).and_then(|paths| paths.first()).and_then(|path| self.at(path))
    }

    /// The note of a lesson. Of several, the one that counts most, as for ids.
    pub fn by_key(&self, key: &ContentKey) -> Option<&NoteEntry> {
        self.by_key.get(key).and_then(|paths| paths.first()).and_then(|path| self.at(path))
    }

    /// The ledger of ideas: `Ideas.md`, or wherever the user moved it.
    pub fn ideas(&self) -> Option<&NoteEntry> {
        let usual = self.at(&VaultPath::constant(layout::IDEAS));
        usual.or_else(|| self.notes().find(|entry| entry.properties.kind == Some(NoteKind::Ideas)))
    }

    /// The conflict copies that lie beside notes; they are no notes of their own.
    pub fn copies(&self) -> &[ConflictCopy] {
        &self.copies
    }

    /// Notes that exist but are not on this machine, or not yet: placeholders, files without content.
    pub fn pending(&self) -> impl Iterator<Item = &VaultPath> {
        self.pending.iter()
    }

    /// Whether a file has the name that could not be read, or is not here: it is not deleted.
    pub(crate) fn is_unavailable(&self, path: &VaultPath) -> bool {
        self.pending.contains(path) || self.problems.iter().any(|problem| problem.path == *path)
    }

    /// Files in which git left conflict markers.
    pub(crate) fn git_conflicts(&self) -> &[(VaultPath, ContentHash, String)] {
        &self.marked
    }

    pub(crate) fn add_marked(&mut self, path: VaultPath, hash: ContentHash, text: String) {
        self.add_problem(path.clone(), 0, "git left conflict markers in it");
        self.marked.push((path, hash, text));
    }

    /// The lessons that a person deleted, as the vault remembers them.
    pub fn tombstones(&self) -> &BTreeSet<ContentKey> {
        &self.tombstones
    }

    /// The list of deleted lessons.
    pub(crate) fn deleted_list(&self) -> Option<&NoteEntry> {
        let usual = self.at(&VaultPath::constant(tombstones::DELETED_LIST));
        let list = |entry: &&NoteEntry| entry.properties.kind == Some(NoteKind::Deleted);
        usual.filter(list).or_else(|| self.notes().find(list))
    }

    /// Pairs of notes that count or wait and carry one id or one key: the one that stays, and the other.
    pub(crate) fn duplicate_pairs(&self) -> Vec<(&NoteEntry, &NoteEntry)> {
        let several = self.by_id.values().chain(self.by_key.values()).filter(|paths| paths.len() > 1);
        let mut pairs = BTreeMap::new();
        for paths in several {
            let counts = |path: &&VaultPath| {
                self.notes.get(*path).is_some_and(|entry| {
                    !matches!(
                        entry.properties.effective_status(),
                        Some(Status::Archived | Status::Superseded)
                    )
                })
            };
            let mut counting = paths.iter().filter(counts);
            if let Some(first) = counting.next() {
                for other in counting {
                    pairs.insert(other, first);
                }
            }
        }
        let pair = |(other, first): (&VaultPath, &VaultPath)| Some((self.at(first)?, self.at(other)?));
        pairs.into_iter().filter_map(pair).collect()
    }

    /// What could not be read.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Whether a file or folder of that name is there, or would be the same on a system that ignores case.
    pub(crate) fn is_taken(&self, path: &VaultPath) -> bool {
        self.names.contains(&path.collision_key())
    }

    pub(crate) fn add_name(&mut self, path: &VaultPath) {
        self.names.insert(path.collision_key());
    }

    pub(crate) fn add_problem(&mut self, path: VaultPath, line: usize, what: impl Into<String>) {
        self.problems.push(Problem { path, line, what: what.into() });
    }

    pub(crate) fn add_pending(&mut self, path: VaultPath) {
        self.pending.insert(path);
    }

    pub(crate) fn add_note(&mut self, entry: Arc<NoteEntry>) {
        self.notes.insert(entry.path.clone(), entry);
    }

    /// Sets conflict copies apart and puts everything in an order that does not depend on how the file system lists
    /// its folders.
    pub(crate) fn sort(&mut self) {
        let copies: Vec<(VaultPath, VaultPath, SyncTool)> = self
            .notes
            .values()
            .filter_map(|entry| self.original_of(entry).map(|(of, tool)| (entry.path.clone(), of, tool)))
            .collect();
        for (path, of, tool) in copies {
            if let Some(entry) = self.notes.remove(&path) {
                self.copies.push(ConflictCopy { of, tool, entry });
            }
        }
        for (path, entry) in &self.notes {
            if entry.properties.kind == Some(NoteKind::Deleted) {
                self.tombstones.extend(tombstones::keys(&entry.note));
            }
            if let Some(id) = entry.properties.id {
                self.by_id.entry(id).or_default().push(path.clone());
            }
            if let Some(key) = &entry.properties.key {
                self.by_key.entry(key.clone()).or_default().push(path.clone());
            }
        }
        let notes = &self.notes;
        let weight = |path: &VaultPath| {
            let retired = notes.get(path).is_some_and(|entry| {
                matches!(entry.properties.effective_status(), Some(Status::Archived | Status::Superseded))
            });
            (retired, path.as_str().len(), path.clone())
        };
        let several = |paths: &&mut Vec<VaultPath>| paths.len() > 1;
        self.by_id.values_mut().filter(several).for_each(|paths| paths.sort_by_key(weight));
        self.by_key.values_mut().filter(several).for_each(|paths| paths.sort_by_key(weight));
        self.problems.sort_by(|one, other| (&one.path, one.line).cmp(&(&other.path, other.line)));
    }

    /// The note that `entry` is a conflict copy of. A copy without its original is a note: the original was deleted on
    /// one side and changed on the other.
    fn original_of(&self, entry: &NoteEntry) -> Option<(VaultPath, SyncTool)> {
        let name = entry.path.name();
        if !name.contains(['-', '(', ' ']) {
            return None;
        }
        sync_tools::originals_of(name).into_iter().find_map(|(tool, name)| {
            let path = entry.path.beside(&name);
            let is_here = || self.is_unavailable(&path);
            let Some(original) = self.notes.get(&path) else {
                return (tool.is_certain() && is_here()).then_some((path, tool));
            };
            let (one, other) = (&original.properties, &entry.properties);
            let is_same = (one.id.is_some() && one.id == other.id)
                || (one.key.is_some() && one.key == other.key)
                || (matches!(one.kind, Some(NoteKind::Ideas | NoteKind::Deleted)) && other.kind == one.kind);
            (tool.is_certain() || is_same).then_some((path, tool))
        })
    }
}
