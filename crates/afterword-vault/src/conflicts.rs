//! Two versions of one note in the vault: what joins them, and what is left to a person.
//!
//! [`find_conflicts`] is pure and finds three sorts: conflict copies that sync tools lay beside a note, files in which git left
//! its markers, and two notes that carry one lesson because two machines wrote it. Where `merge` can join
//! the versions, [`Conflict::merge`] does; otherwise both stay until a person says which counts ([`Conflict::decide`]). A
//! version that was not chosen goes to the archive.

use jiff::Zoned;
use serde::{Deserialize, Serialize};

use crate::disk::WriteOutcome;
use crate::error::VaultError;
use crate::git_conflict;
use crate::hash::ContentHash;
use crate::index::VaultIndex;
use crate::merge_versions;
use crate::note::{Note, Value};
use crate::note_editor::NoteEditor;
use crate::note_entry::NoteEntry;
use crate::note_facts::{self, TextMark};
use crate::path::{self, VaultPath};
use crate::properties::Status;
use crate::revise::{Revision, RevisionOutcome};
use crate::sync_tools::SyncTool;
use crate::vault::Vault;
use crate::write_history::LastWrite;
use crate::{layout, render};

/// Two versions of one note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The note.
    pub path: VaultPath,
    /// The other version's file; `None` where both are in the note's own (git).
    pub copy: Option<VaultPath>,
    /// What made it; `None` where two machines wrote one lesson.
    pub tool: Option<SyncTool>,
    /// The note's version.
    pub here: String,
    /// The other version.
    pub there: String,
    /// The note with both, where they can be joined.
    pub joined: Option<String>,
    hash: ContentHash,
    copy_hash: Option<ContentHash>,
    supersede: Option<Revision>,
    /// The words of the other version took the place of the note's: an editor that has the note open may save the old
    /// ones again, so the other is kept in the archive.
    words_came_over: bool,
}

/// Which version counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VersionChoice {
    /// The note as it is; the other goes to the archive.
    Here,
    /// The other; the note as it was goes to the archive.
    There,
    /// Both, as two notes: the other gets an id of its own.
    Both,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConflictOutcome {
    /// There is one version now.
    Done,
    /// A person has to decide.
    Open,
    /// A file is not what it was; looking again tells what is to be done.
    ChangedMeanwhile,
}

/// Finds the conflicts in a vault. `became` tells whether words of the first mark are known to have become those of the
/// second; a [`Snapshot`](crate::Snapshot) knows, for what this machine saw.
pub fn find_conflicts(index: &VaultIndex, became: &dyn Fn(TextMark, TextMark) -> bool) -> Vec<Conflict> {
    let copies = index.copies().iter().filter_map(|copy| {
        let original = index.at(&copy.of)?;
        Some(copy_conflict(original, &copy.entry, copy.tool, became))
    });
    let marked =
        index.git_conflicts().iter().filter_map(|(path, hash, text)| git_conflict(path, hash, text, became));
    let mut found: Vec<Conflict> = copies.chain(marked).collect();
    for (first, second) in index.duplicate_pairs() {
        found.push(duplicate_conflict(index, first, second, became));
    }
    found
}

fn copy_conflict(
    original: &NoteEntry,
    copy: &NoteEntry,
    tool: SyncTool,
    became: &dyn Fn(TextMark, TextMark) -> bool,
) -> Conflict {
    let joined = merge_versions::merge_versions(&original.note, &copy.note, became);
    Conflict {
        path: original.path.clone(),
        copy: Some(copy.path.clone()),
        tool: Some(tool),
        here: original.note.print().to_owned(),
        there: copy.note.print().to_owned(),
        joined: joined.map(|note| note.print().to_owned()),
        hash: original.hash.clone(),
        copy_hash: Some(copy.hash.clone()),
        supersede: None,
        words_came_over: note_facts::mark_of(&original.note) != note_facts::mark_of(&copy.note),
    }
}

fn git_conflict(
    path: &VaultPath,
    hash: &ContentHash,
    text: &str,
    became: &dyn Fn(TextMark, TextMark) -> bool,
) -> Option<Conflict> {
    let sides = git_conflict::parse_conflict(text)?;
    let (ours, theirs) = (Note::parse(sides.ours.clone()), Note::parse(sides.theirs.clone()));
    let base = sides.base.map(|base| crate::note_facts::mark_of(&Note::parse(base)));
    let became = |from: TextMark, to: TextMark| base == Some(from) || became(from, to);
    let joined = merge_versions::merge_versions(&ours, &theirs, &became);
    Some(Conflict {
        path: path.clone(),
        copy: None,
        tool: Some(SyncTool::Git),
        here: sides.ours,
        there: sides.theirs,
        joined: joined.map(|note| note.print().to_owned()),
        hash: hash.clone(),
        copy_hash: None,
        supersede: None,
        words_came_over: false,
    })
}

/// Two notes that carry one lesson: the first by path stays, on every machine alike, and the other is superseded by it.
fn duplicate_conflict(
    index: &VaultIndex,
    first: &NoteEntry,
    second: &NoteEntry,
    became: &dyn Fn(TextMark, TextMark) -> bool,
) -> Conflict {
    let supersede = NoteEditor::new(index).mark_superseded(second, &first.path).ok();
    // A person who copies a note to make another of it gives it a name of their own.
    let is_machines = |entry: &NoteEntry| {
        is_slug_name(&path::slug(entry.properties.title.as_deref().unwrap_or_default()), &stem(&entry.path))
    };
    let can = supersede.is_some() && is_machines(first) && is_machines(second);
    let joined = merge_versions::merge_versions(&first.note, &second.note, became).filter(|_| can);
    Conflict {
        path: first.path.clone(),
        copy: Some(second.path.clone()),
        tool: None,
        here: first.note.print().to_owned(),
        there: second.note.print().to_owned(),
        joined: joined.map(|note| note.print().to_owned()),
        hash: first.hash.clone(),
        copy_hash: Some(second.hash.clone()),
        supersede,
        words_came_over: false,
    }
}

impl Conflict {
    /// What is to be remembered of the note once the conflict is settled: joining is no edit of a person's.
    pub fn written_after_merge(&self, before: &LastWrite) -> Option<LastWrite> {
        let joined = ContentHash::of(self.joined.as_ref()?.as_bytes());
        let was_ours =
            before.content_hash == self.hash || Some(&before.content_hash) == self.copy_hash.as_ref();
        let content_hash = if was_ours { joined } else { before.content_hash.clone() };
        Some(LastWrite { id: before.id, path: self.path.clone(), content_hash })
    }

    /// Joins the versions where that can be done without a person.
    ///
    /// # Errors
    /// [`VaultError::Io`].
    pub fn merge(&self, vault: &Vault, now: &Zoned) -> Result<ConflictOutcome, VaultError> {
        let Some(joined) = &self.joined else { return Ok(ConflictOutcome::Open) };
        if self.words_came_over {
            archive_version(vault, &self.path, &self.there, now)?;
        }
        if replace_note(vault, &self.path, &self.hash, joined)? == ConflictOutcome::ChangedMeanwhile {
            return Ok(ConflictOutcome::ChangedMeanwhile);
        }
        if let Some(revision) = &self.supersede {
            let revised = vault.revise(revision)?;
            return Ok(if matches!(revised, RevisionOutcome::Done { .. }) {
                ConflictOutcome::Done
            } else {
                ConflictOutcome::ChangedMeanwhile
            });
        }
        remove_copy(vault, self)
    }

    /// Does what a person decided. What was not chosen is kept in the archive.
    ///
    /// # Errors
    /// [`VaultError::Io`].
    pub fn decide(
        &self,
        vault: &Vault,
        choice: VersionChoice,
        now: &Zoned,
    ) -> Result<ConflictOutcome, VaultError> {
        let (kept, other) = match choice {
            VersionChoice::Here => (&self.here, &self.there),
            VersionChoice::There => (&self.there, &self.here),
            VersionChoice::Both => return self.keep_both(vault, now),
        };
        archive_version(vault, &self.path, other, now)?;
        match replace_note(vault, &self.path, &self.hash, kept)? {
            ConflictOutcome::Done => remove_copy(vault, self),
            end => Ok(end),
        }
    }

    fn keep_both(&self, vault: &Vault, now: &Zoned) -> Result<ConflictOutcome, VaultError> {
        let mut note = Note::parse(self.there.clone());
        let key = ContentHash::of(self.there.as_bytes()).into_key();
        if let Some(id) = render::derive_note_id(&key, now.timestamp()) {
            // A version without readable front matter has no id to change.
            let _ = note.set("id", &Value::Text(id.to_string()));
            let _ = note.set("key", &Value::Text(key.0));
        }
        let folder = self.path.parent().unwrap_or_else(|| VaultPath::constant(layout::HOME));
        write_beside(vault, &folder, &stem(&self.path), note.print())?;
        match replace_note(vault, &self.path, &self.hash, &self.here)? {
            ConflictOutcome::Done => remove_copy(vault, self),
            end => Ok(end),
        }
    }
}

fn archive_version(vault: &Vault, of: &VaultPath, text: &str, now: &Zoned) -> Result<(), VaultError> {
    let mut note = Note::parse(text.to_owned());
    // A version without readable front matter is kept as it is.
    let _ = note.set("status", &Value::Text(Status::Archived.as_str().to_owned()));
    let name = format!("{} version of {}", stem(of), now.date());
    write_beside(vault, &VaultPath::constant(layout::ARCHIVE), &name, note.print())
}

/// Puts a text under the first free name; a text that is there already is not put there again.
fn write_beside(vault: &Vault, folder: &VaultPath, stem: &str, text: &str) -> Result<(), VaultError> {
    let numbered = (2_u64..1000).map(|number| format!("{stem}-v{number}.md"));
    for name in std::iter::once(format!("{stem}-v1.md")).chain(numbered) {
        let path = folder.join(&name);
        let is_there = vault.disk().read(&path)?.is_some_and(|there| there == text.as_bytes());
        if is_there || vault.disk().create(&path, text.as_bytes())? == WriteOutcome::Written {
            return vault.disk().flush(folder);
        }
    }
    Ok(())
}

fn replace_note(
    vault: &Vault,
    path: &VaultPath,
    before: &ContentHash,
    text: &str,
) -> Result<ConflictOutcome, VaultError> {
    if ContentHash::of(text.as_bytes()) == *before {
        return Ok(ConflictOutcome::Done);
    }
    let end = vault.disk().replace(path, before, text.as_bytes())?;
    if end == WriteOutcome::Changed && vault.disk().read(path)?.is_none_or(|there| there != text.as_bytes()) {
        return Ok(ConflictOutcome::ChangedMeanwhile);
    }
    if let Some(folder) = path.parent() {
        vault.disk().flush(&folder)?;
    }
    Ok(ConflictOutcome::Done)
}

fn remove_copy(vault: &Vault, conflict: &Conflict) -> Result<ConflictOutcome, VaultError> {
    let (Some(copy), Some(hash)) = (&conflict.copy, &conflict.copy_hash) else {
        return Ok(ConflictOutcome::Done);
    };
    let end = vault.disk().remove(copy, hash)?;
    Ok(if end == WriteOutcome::Written { ConflictOutcome::Done } else { ConflictOutcome::ChangedMeanwhile })
}

/// Whether a file has the name this program makes of a title: `slug`, or `slug-2`.
fn is_slug_name(slug: &str, stem: &str) -> bool {
    let number = stem.strip_prefix(slug).map(|rest| rest.strip_prefix('-').unwrap_or(rest));
    number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn stem(path: &VaultPath) -> String {
    let name = path.name();
    name.get(..name.len().saturating_sub(3)).unwrap_or(name).to_owned()
}
