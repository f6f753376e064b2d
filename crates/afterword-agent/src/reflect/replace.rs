//! The last word wins: a rule that was certainly replaced by another stops counting as soon as both have notes. It is a decision like
//! a person's own, so that review shows it and takes it back.

use afterword_core::Signal;
use afterword_store::{Store, Verdict};
use afterword_vault::{Ledger, NoteEntry, Status, Vault, VaultIndex};
use jiff::Zoned;

use super::written_before;
use crate::Error;
use crate::comparing::{Matched, Promoted, Replaced};
use crate::review::{Notes, note, remember};

/// Why, as review tells it.
const REASON: &str = "what you said later takes its place";

/// Marks the notes that others took the place of. Call it with the lock held.
pub(super) fn replace(vault: &Vault, store: &Store, replaced: &[Replaced], now: &Zoned) -> Result<(), Error> {
    let root = vault.root().to_string_lossy();
    for one in replaced {
        let index = vault.scan()?;
        // What was joined to another note, or deleted meanwhile, has none.
        let (Some(newer), Some(older)) = (find(&index, &one.newer), find(&index, &one.older)) else {
            continue;
        };
        let (new, old) = (note::id_of(newer)?, note::id_of(older)?);
        if new == old || !counts(newer) || !counts(older) {
            continue;
        }
        let mut changed = Vec::new();
        let notes = Notes { vault, store, root: &root, index: &index };
        let path =
            notes.revise(new, &mut changed, |answering, entry| answering.replacing(entry, &[&older.path]))?;
        notes.revise(old, &mut changed, |answering, entry| answering.superseded(entry, &path))?;
        let scope = note::scope_of(store, newer)?;
        let row = note::decision(newer, Verdict::Supersede, scope, REASON, Some(old), now.timestamp());
        remember(store, &row, &changed)?;
    }
    Ok(())
}

fn find<'a>(index: &'a VaultIndex, matched: &Matched) -> Option<&'a NoteEntry> {
    match matched {
        Matched::Note(id) => index.by_id(*id),
        Matched::Lesson(key) => index.by_key(key),
    }
}

fn counts(entry: &NoteEntry) -> bool {
    entry.properties.standing() == Some(Status::Active)
}

/// Lets notes count that waited and were said again, and calls notes that say little what came again. Call it with the lock held.
pub(super) fn promote(vault: &Vault, store: &Store, promoted: &[Promoted]) -> Result<(), Error> {
    let root = vault.root().to_string_lossy();
    let ledger = written_before(store, &root)?;
    for one in promoted {
        let index = vault.scan()?;
        let Some(entry) = index.by_id(one.note) else { continue };
        if !matches!(entry.properties.standing(), Some(Status::Inbox | Status::Active)) {
            continue;
        }
        // A note that a person wrote in keeps the title it has.
        let key = entry.properties.key.as_ref().and_then(|key| ledger.by_key(key));
        let untouched = key.is_some_and(|written| written.content_hash == entry.hash);
        let title = one.title.as_deref().filter(|_| untouched);
        if title.is_none() && counts(entry) {
            continue;
        }
        let signal = one.again.then_some(Signal::RepeatedPattern);
        let mut changed = Vec::new();
        let notes = Notes { vault, store, root: &root, index: &index };
        notes.revise(one.note, &mut changed, |answering, entry| answering.promoted(entry, title, signal))?;
    }
    Ok(())
}
