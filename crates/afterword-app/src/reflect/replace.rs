//! The last word wins: a rule that was certainly replaced by another stops counting as soon as both have notes. It is a decision like
//! a person's own, so that review shows it and takes it back.

use afterword_core::{NoteId, Signal};
use afterword_store::Verdict;
use afterword_vault::{NoteEntry, Status, VaultIndex, WriteHistory, likely_replacement};
use jiff::Zoned;

use crate::Error;
use crate::comparing::{Match, Promotion, Replacement, WithdrawnRule};
use crate::note;
use crate::vault_session::VaultSession;

/// Why, as review tells it.
const REASON: &str = "what you said later takes its place";

/// Marks the notes that others took the place of.
pub(super) fn replace(
    session: &mut VaultSession,
    replaced: &[Replacement],
    now: &Zoned,
) -> Result<(), Error> {
    for one in replaced {
        session.rescan()?;
        let index = &session.index;
        // What was joined to another note, or deleted meanwhile, has none.
        let (Some(newer), Some(older)) = (find(index, &one.newer), find(index, &one.older)) else {
            continue;
        };
        replace_stand_ins(session, newer, older, now)?;
    }
    Ok(())
}

/// Marks a note that another took the place of, where both count.
fn replace_stand_ins(
    session: &VaultSession,
    newer: &NoteEntry,
    older: &NoteEntry,
    now: &Zoned,
) -> Result<(), Error> {
    let (new, old) = (note::id_of(newer)?, note::id_of(older)?);
    if new == old || !counts(newer) || !counts(older) {
        return Ok(());
    }
    let mut changed = Vec::new();
    let path =
        session.revise(new, &mut changed, |editor, entry| editor.set_supersedes(entry, &[&older.path]))?;
    session.revise(old, &mut changed, |editor, entry| editor.mark_superseded(entry, &path))?;
    let scope = note::scope_of(&session.store, newer)?;
    let row = note::decision(newer, Verdict::Supersede, scope, REASON, Some(old), now.timestamp());
    session.record_decision(&row, &changed)?;
    Ok(())
}

/// Says in the note of each rule that waits which one it likely takes the place of: one that was said before.
pub(super) fn link_likely(session: &mut VaultSession, likely: &[Replacement]) -> Result<(), Error> {
    for one in likely {
        session.rescan()?;
        let index = &session.index;
        let (Some(newer), Some(older)) = (find(index, &one.newer), find(index, &one.older)) else {
            continue;
        };
        let said = |entry: &NoteEntry| entry.properties.id.and_then(NoteId::made_at);
        let is_later = said(newer).is_some_and(|newer| said(older).is_some_and(|older| newer > older));
        let waits = newer.properties.effective_status() == Some(Status::Inbox);
        if !is_later || !waits || !counts(older) {
            continue;
        }
        let id = note::id_of(newer)?;
        session.revise(id, &mut Vec::new(), |editor, entry| editor.set_may_supersede(entry, &older.path))?;
    }
    Ok(())
}

/// Says in the note of each exception which rule it is one to.
pub(super) fn link_exceptions(session: &mut VaultSession, excepted: &[Replacement]) -> Result<(), Error> {
    for one in excepted {
        session.rescan()?;
        let index = &session.index;
        let (Some(exception), Some(rule)) = (find(index, &one.newer), find(index, &one.older)) else {
            continue;
        };
        let id = note::id_of(exception)?;
        session.revise(id, &mut Vec::new(), |editor, entry| editor.set_exception_to(entry, &rule.path))?;
    }
    Ok(())
}

/// Archives the notes of rules that were taken back. Each is a decision of its own; one that the person undid is not made again.
pub(super) fn withdraw(
    session: &mut VaultSession,
    withdrawn: &[WithdrawnRule],
    now: &Zoned,
) -> Result<(), Error> {
    for one in withdrawn {
        session.rescan()?;
        let Some(entry) = find(&session.index, &one.rule).filter(|entry| counts(entry)) else { continue };
        let id = note::id_of(entry)?;
        let scope = note::scope_of(&session.store, entry)?;
        let reason = format!("you took it back: {}", one.words);
        let row = note::decision(entry, Verdict::Supersede, scope, &reason, None, now.timestamp());
        let decided = session.store.decisions().all(Some(Verdict::Supersede))?;
        let is_undone = decided.iter().any(|known| {
            known.undone_at.is_some() && known.decision.note == Some(id) && known.decision.reason == reason
        });
        if is_undone {
            continue;
        }
        let mut changed = Vec::new();
        session.revise(id, &mut changed, |editor, entry| editor.retract(entry, &one.words))?;
        session.record_decision(&row, &changed)?;
    }
    Ok(())
}

fn find<'a>(index: &'a VaultIndex, matched: &Match) -> Option<&'a NoteEntry> {
    match matched {
        Match::Note(id) => index.by_id(*id),
        Match::Lesson(key) => index.by_key(key),
    }
}

fn counts(entry: &NoteEntry) -> bool {
    entry.properties.effective_status() == Some(Status::Active)
}

/// Lets notes count that waited and were said again, and calls notes that say little what came again. What one of them likely took the
/// place of does not count any more.
pub(crate) fn promote(session: &mut VaultSession, promoted: &[Promotion], now: &Zoned) -> Result<(), Error> {
    let ledger = session.written_before()?;
    for one in promoted {
        session.rescan()?;
        let Some(entry) = session.index.by_id(one.note) else { continue };
        if !matches!(entry.properties.effective_status(), Some(Status::Inbox | Status::Active)) {
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
        let older = likely_replacement::superseded_path(&entry.properties).filter(|_| !counts(entry));
        let mut changed = Vec::new();
        session.revise(one.note, &mut changed, |editor, entry| editor.promote(entry, title, signal))?;
        let Some(older) = older else { continue };
        session.rescan()?;
        let index = &session.index;
        if let (Some(newer), Some(older)) = (index.by_id(one.note), index.at(&older)) {
            replace_stand_ins(session, newer, older, now)?;
        }
    }
    Ok(())
}
