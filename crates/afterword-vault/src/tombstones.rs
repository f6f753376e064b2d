//! Lessons that a person deleted, remembered in the vault itself, so that no other machine brings them back.
//!
//! One line each in `_archive/Deleted.md`: the sort of lesson, the day, and its key as a block id. Nothing of what the lesson
//! said is kept: it may have been deleted for what it said. Taking a line out lets the lesson be learned again.

use std::collections::BTreeSet;

use afterword_core::ContentKey;
use jiff::Zoned;

use crate::facts::Facts;
use crate::hash::ContentHash;
use crate::ideas;
use crate::index::VaultIndex;
use crate::note::Note;
use crate::path::VaultPath;
use crate::plan::{Action, Plan, Subject};
use crate::properties::NoteKind;

/// The list of deleted lessons.
pub const DELETED: &str = "Afterword/_archive/Deleted.md";
const START: &str = "---\ntitle: Deleted lessons\nkind: deleted\n---\n\nLessons you deleted, so that no machine that shares this vault learns them again. Take a line out to allow it.\n";

/// Whether a note is the list of deleted lessons.
pub(crate) fn is_list(note: &Note) -> bool {
    note.text_of("kind") == Some(NoteKind::Deleted.as_str())
}

/// The keys in the list.
pub(crate) fn keys(note: &Note) -> BTreeSet<ContentKey> {
    let id = |line: &str| line.split_whitespace().next_back()?.strip_prefix("^gone-").map(str::to_owned);
    let is_key = |id: &String| id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    note.body().lines().filter_map(id).filter(is_key).map(ContentKey).collect()
}

/// Plans the lines of lessons that a person deleted; those that are there again, or listed already, get none.
pub fn remember_deleted<'a>(
    index: &VaultIndex,
    deleted: impl Iterator<Item = &'a Facts>,
    now: &Zoned,
) -> Plan {
    let known = index.tombstones();
    let path = index.deleted_list().map_or_else(|| VaultPath::fixed(DELETED), |entry| entry.path.clone());
    let mut plan = Plan::default();
    if index.is_out_of_sight(&path) {
        return plan;
    }
    let mut seen = BTreeSet::new();
    let line = |facts: &'a Facts| {
        let key = facts
            .key
            .as_ref()
            .filter(|key| key.0.len() == 32 && key.0.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        let is_new = !known.contains(key) && index.by_key(key).is_none() && seen.insert(key.clone());
        let kind = facts.kind.map_or("lesson", NoteKind::as_str);
        is_new.then(|| format!("- {kind}, deleted {} ^gone-{}", now.date(), key.0))
    };
    let lines: Vec<String> = deleted.filter_map(line).collect();
    if lines.is_empty() {
        return plan;
    }
    let (mut note, before): (Note, Option<ContentHash>) = match index.deleted_list() {
        Some(entry) => (entry.note.clone(), Some(entry.hash.clone())),
        None => (Note::parse(START.to_owned()), None),
    };
    let added = lines.len();
    ideas::append(&mut note, &lines);
    let content = note.print().to_owned();
    plan.actions.push(Action {
        path,
        before,
        content,
        subject: Subject::Deleted { count: added },
        keys: Vec::new(),
    });
    plan
}
