//! What the vault was at a look: every file's stamp, every note's facts. Two of them tell what happened in between.
//!
//! [`Snapshot::take`] reads only files whose stamp changed since the snapshot before, so that a look at a vault of fifty
//! thousand notes costs fifty thousand questions to the file system and no reading. A snapshot can be kept in a file
//! and thrown away at any time: without one, everything is read once.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use afterword_core::NoteId;
use serde::{Deserialize, Serialize};

use crate::error::VaultError;
use crate::note_facts::{NoteFacts, TextMark};
use crate::path::VaultPath;
use crate::properties::Status;
use crate::scan::{ScannedFile, read_files};
use crate::sync_tools;
use crate::vault::Vault;
use crate::walk::{self, FileStamp, MarkdownFile};

/// The form of the file; another one is not read.
const VERSION: u32 = 2;
/// How many notes that are gone are remembered, so that one that comes back is known.
const MAX_MISSING: usize = 2_000;

/// What the vault was at a look.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    version: u32,
    files: BTreeMap<VaultPath, SnapshotFile>,
    /// Notes that exist but could not be read at the look: not here yet, or broken. What was known of them stays.
    out_of_sight: BTreeSet<VaultPath>,
    /// git left conflict markers in a file.
    has_marks: bool,
    /// Notes that were there once, with where they were; the newest last.
    gone: Vec<(VaultPath, Arc<NoteFacts>)>,
    /// Which of the notes are conflict copies; follows from the others.
    #[serde(skip)]
    copies: HashSet<VaultPath>,
}

/// What was seen of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SnapshotFile {
    pub(crate) stamp: FileStamp,
    /// When it was looked at, in nanoseconds since 1970.
    at: i64,
    /// `None` for a file that is no note of ours.
    pub(crate) facts: Option<Arc<NoteFacts>>,
}

impl Snapshot {
    /// The notes, by path.
    pub fn notes(&self) -> impl Iterator<Item = (&VaultPath, &NoteFacts)> {
        self.files.iter().filter_map(|(path, seen)| Some((path, seen.facts.as_deref()?)))
    }

    /// What is known of the note at a path.
    pub fn at(&self, path: &VaultPath) -> Option<&NoteFacts> {
        self.files.get(path)?.facts.as_deref()
    }

    /// Whether words of the first mark are known to have become those of the second, in any note.
    pub fn changed_between(&self, from: TextMark, to: TextMark) -> bool {
        self.notes().any(|(_, facts)| facts.changed_between(from, to))
    }

    /// Afterword's notes, conflict copies and people's own notes aside: what is searched and counted.
    pub fn own_notes(&self) -> impl Iterator<Item = (&VaultPath, &NoteFacts)> {
        self.notes().filter(|(path, facts)| facts.is_ours(path) && !self.copies.contains(*path))
    }

    /// Whether project overviews made of the two would list other notes, or list them otherwise.
    pub fn has_same_overviews(&self, other: &Self) -> bool {
        self.overview_entries().eq(other.overview_entries())
    }

    fn overview_entries(&self) -> impl Iterator<Item = (&VaultPath, TextMark)> {
        self.notes().filter_map(|(path, facts)| Some((path, facts.listed?)))
    }

    /// Whether the vault may hold two versions of one note; only a scan is sure.
    pub fn may_conflict(&self) -> bool {
        let mut ids = HashSet::new();
        let counts = |facts: &NoteFacts| !matches!(facts.status, Some(Status::Archived | Status::Superseded));
        self.has_marks
            || self.notes().any(|(_, facts)| counts(facts) && facts.id.is_some_and(|id| !ids.insert(id)))
            || !self.copies.is_empty()
    }

    /// The conflict copies, found anew. Names alone that people give as well say nothing: what such a file is a copy of has
    /// something in common with it, which is quickly ruled out for nearly all notes.
    fn find_copies(&self) -> HashSet<VaultPath> {
        let (mut ids, mut keys) = (HashMap::new(), HashMap::new());
        for (_, facts) in self.notes() {
            facts.id.iter().for_each(|id| *ids.entry(id).or_insert(0_usize) += 1);
            facts.key.iter().for_each(|key| *keys.entry(key).or_insert(0_usize) += 1);
        }
        let is_alone = |facts: &NoteFacts| {
            facts.id.as_ref().is_none_or(|id| ids[id] == 1)
                && facts.key.as_ref().is_none_or(|key| keys[key] == 1)
                && facts.ideas.is_empty()
        };
        self.notes()
            .filter(|(path, facts)| !is_alone(facts) || sync_tools::is_certainly_named(path.name()))
            .filter(|(path, facts)| self.is_copy(path, facts))
            .map(|(path, _)| path.clone())
            .collect()
    }

    fn is_copy(&self, path: &VaultPath, facts: &NoteFacts) -> bool {
        sync_tools::originals_of(path.name()).into_iter().any(|(tool, name)| {
            self.at(&path.beside(&name)).is_some_and(|original| {
                tool.is_certain()
                    || (original.id.is_some() && original.id == facts.id)
                    || (original.key.is_some() && original.key == facts.key)
                    || (original.kind == facts.kind && !facts.ideas.is_empty())
            })
        })
    }

    /// Whether nothing was ever seen.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.gone.is_empty()
    }

    /// Notes that were there at an earlier look, with where they were last.
    pub fn missing_notes(&self) -> impl Iterator<Item = (&VaultPath, &NoteFacts)> {
        self.gone.iter().map(|(path, facts)| (path, &**facts))
    }

    /// Reads a snapshot that was kept; `None` where there is none, or none that can be used.
    pub fn load(path: &Path) -> Option<Self> {
        let snapshot: Self = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
        let copies = snapshot.find_copies();
        (snapshot.version == VERSION).then_some(Self { copies, ..snapshot })
    }

    /// The form in which a snapshot is kept.
    ///
    /// # Errors
    /// [`serde_json::Error`], though nothing of a snapshot is known that it refuses.
    pub fn to_bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(self)
    }

    /// Looks at the vault: what did not change since `before` is taken over from it.
    ///
    /// # Errors
    /// [`VaultError`] when the vault's folder cannot be read, or is no vault at this moment: a disk that is not there must
    /// not look like a person who deleted everything.
    pub fn take(vault: &Vault, before: &Self) -> Result<Self, VaultError> {
        let now = walk::now();
        let walked = walk::walk(vault.root())?;
        if !vault.exists() {
            return Err(VaultError::NotAVault { path: vault.root().to_owned() });
        }
        let is_known = |found: &&MarkdownFile| {
            let seen = before.files.get(&found.path);
            seen.is_some_and(|seen| seen.stamp.is_unchanged_since(seen.at, found.stamp))
        };
        let (known, new): (Vec<&MarkdownFile>, Vec<&MarkdownFile>) = walked.files.iter().partition(is_known);
        let taken_over = known
            .iter()
            .filter_map(|found| Some((found.path.clone(), before.files.get(&found.path)?.clone())));
        let mut after = Snapshot { version: VERSION, files: taken_over.collect(), ..Snapshot::default() };
        after.out_of_sight.extend(walked.pending);
        after.out_of_sight.extend(walked.problems.into_iter().map(|problem| problem.path));
        let here: HashSet<&VaultPath> = walked.files.iter().map(|found| &found.path).collect();
        let left: HashMap<NoteId, &NoteFacts> =
            if new.is_empty() { HashMap::new() } else { before.departed_notes(&here) };
        for (found, look) in new.iter().zip(read_files(&new)) {
            let facts = match look {
                ScannedFile::Foreign => None,
                ScannedFile::Note(entry) => {
                    let id = entry.properties.id;
                    let here = before.at(&entry.path).filter(|facts| id.is_none() || facts.id == id);
                    Some(Arc::new(NoteFacts::of(&entry, here.or_else(|| left.get(&id?).copied()))))
                }
                look @ (ScannedFile::Pending
                | ScannedFile::Marked { .. }
                | ScannedFile::Unreadable { .. }) => {
                    after.has_marks |= matches!(look, ScannedFile::Marked { .. });
                    after.out_of_sight.insert(found.path.clone());
                    continue;
                }
            };
            after.files.insert(found.path.clone(), SnapshotFile { stamp: found.stamp, at: now, facts });
        }
        // What is out of sight is not gone: what was known of it stays known, and is read when it is back.
        for path in &after.out_of_sight {
            if let Some(seen) = before.files.get(path) {
                let stamp = FileStamp { size: 0, modified: 0, changed: 0 };
                after.files.insert(path.clone(), SnapshotFile { stamp, ..seen.clone() });
            }
        }
        after.copies = after.find_copies();
        after.forget_overwritten_states(before, new.iter().map(|found| &found.path));
        after.gone = missing_notes(before, &after);
        Ok(after)
    }

    /// Where a sync tool laid a note's words beside it as a copy and put others in their place, the others did not come
    /// from them: two people wrote at the same time.
    fn forget_overwritten_states<'a>(
        &mut self,
        before: &Self,
        looked_at: impl Iterator<Item = &'a VaultPath>,
    ) {
        let changed = looked_at.filter_map(|path| {
            let (was, is) = (before.at(path)?, self.at(path)?.words);
            (!was.states.contains(&is)).then(|| (path.clone(), was.words))
        });
        let mut replaced: HashMap<VaultPath, TextMark> = changed.collect();
        if replaced.is_empty() {
            return;
        }
        let copied: HashSet<TextMark> =
            self.copies.iter().filter_map(|path| Some(self.at(path)?.words)).collect();
        replaced.retain(|_, was| copied.contains(was));
        for (path, was) in replaced {
            if let Some(facts) = self.files.get_mut(&path).and_then(|seen| seen.facts.as_mut()) {
                Arc::make_mut(facts).states.retain(|state| *state != was);
            }
        }
    }

    /// What is known of notes that are not where they were: gone, or moved. A copy of one that is still there is
    /// another note, with no past of its own.
    fn departed_notes(&self, here: &HashSet<&VaultPath>) -> HashMap<NoteId, &NoteFacts> {
        let left = self.missing_notes().chain(self.notes()).filter(|(path, _)| !here.contains(path));
        left.filter_map(|(_, facts)| Some((facts.id?, facts))).collect()
    }
}

fn missing_notes(before: &Snapshot, after: &Snapshot) -> Vec<(VaultPath, Arc<NoteFacts>)> {
    let left: Vec<_> = before
        .files
        .iter()
        .filter_map(|(path, seen)| Some((path, seen.facts.as_ref().filter(|facts| facts.id.is_some())?)))
        .filter(|(path, _)| after.at(path).is_none())
        .collect();
    if left.is_empty() && before.gone.is_empty() {
        return Vec::new();
    }
    let ids: HashSet<_> = after.notes().filter_map(|(_, facts)| facts.id).collect();
    let known = before.gone.iter().map(|(path, facts)| (path, facts));
    let is_back = |facts: &NoteFacts| facts.id.is_some_and(|id| ids.contains(&id));
    let gone = known.chain(left).filter(|(_, facts)| !is_back(facts));
    let mut gone: Vec<_> = gone.map(|(path, facts)| (path.clone(), Arc::clone(facts))).collect();
    let surplus = gone.len().saturating_sub(MAX_MISSING);
    gone.drain(..surplus);
    gone
}
