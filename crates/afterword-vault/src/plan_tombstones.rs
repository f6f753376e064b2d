//! Plans the list of deleted lessons in the vault, where other machines that share it see them (`tombstones.rs` reads it).

use std::collections::BTreeSet;

use jiff::Zoned;

use crate::hash::ContentHash;
use crate::ideas;
use crate::index::VaultIndex;
use crate::note::Note;
use crate::note_facts::NoteFacts;
use crate::path::VaultPath;
use crate::plan::{Action, Plan, Subject};
use crate::properties::NoteKind;
use crate::tombstones::DELETED_LIST;

const LIST_START: &str = "---\ntitle: Deleted lessons\nkind: deleted\n---\n\nLessons you deleted, so that no machine that shares this vault learns them again. Take a line out to allow it.\n";

/// Plans the lines of lessons that a person deleted; those that are there again, or listed already, get none.
pub fn plan_tombstones<'a>(
    index: &VaultIndex,
    deleted: impl Iterator<Item = &'a NoteFacts>,
    now: &Zoned,
) -> Plan {
    let known = index.tombstones();
    let path =
        index.deleted_list().map_or_else(|| VaultPath::constant(DELETED_LIST), |entry| entry.path.clone());
    let mut plan = Plan::default();
    if index.is_unavailable(&path) {
        return plan;
    }
    let mut seen = BTreeSet::new();
    let line = |facts: &'a NoteFacts| {
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
        None => (Note::parse(LIST_START.to_owned()), None),
    };
    let added = lines.len();
    ideas::append_lines(&mut note, &lines);
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
