//! The transcript around a piece of evidence, read back to show what led to it.

use std::path::{Path, PathBuf};

use afterword_core::hidden::escape_hidden;
use afterword_core::{Role, SessionId};
use afterword_store::Store;
use afterword_transcript::event::Event;

use super::item::{EvidenceItem, ExcerptEntry};
use crate::excluded::place_of;
use crate::log::OrLog;
use crate::redaction::Redaction;
use crate::{App, excluded};

/// Lines read before and after the evidence; most entries of a transcript are calls and their results.
const AROUND: u64 = 6;
/// Turns shown before and after it.
const TURNS: usize = 3;
/// Characters of a turn.
const LONGEST: usize = 600;

/// Where a session's own transcript is, while it is there.
pub(super) fn of_session(store: Option<&Store>, session: &SessionId) -> Option<PathBuf> {
    let files = store?.sessions().of_session(session).ok_or_log("looking for a session's transcript")?;
    let own = files.into_iter().find(|file| !file.sidechain)?;
    own.path.is_file().then_some(own.path)
}

/// What was said and done around a piece of evidence, in order. Nothing where the transcript has other words there
/// now: it was written anew.
pub(super) fn excerpt_around(
    app: &App,
    path: &Path,
    evidence: &EvidenceItem,
    redaction: &Redaction,
) -> Vec<ExcerptEntry> {
    let Ok(excluded) = excluded::excluded_lines(app, path) else { return Vec::new() };
    let Ok(excerpts) = afterword_transcript::read_excerpt(path, evidence.line, AROUND) else {
        return Vec::new();
    };
    let is_entry = |event: &Event| place_of(event).uuid == evidence.uuid;
    let there = excerpts.iter().find(|excerpt| excerpt.line == evidence.line);
    let fits = there.is_some_and(|there| evidence.uuid.is_empty() || there.events.iter().any(is_entry));
    if !fits {
        return Vec::new();
    }
    let mut turns = Vec::new();
    for excerpt in excerpts {
        let is_evidence = excerpt.line == evidence.line;
        for event in excerpt.events.into_iter().filter(|event| !excluded.contains(event)) {
            if let Some((role, text)) = excerpt_entry(redaction.event(event).0) {
                turns.push(ExcerptEntry { line: excerpt.line, role, text: cut(&text), is_evidence });
            }
        }
    }
    let first = turns.iter().position(|turn| turn.is_evidence).unwrap_or(0);
    let last = turns.iter().rposition(|turn| turn.is_evidence).unwrap_or(0);
    let end = (last + TURNS + 1).min(turns.len());
    turns.drain(first.saturating_sub(TURNS)..end).collect()
}

fn excerpt_entry(event: Event) -> Option<(Role, String)> {
    let (role, text) = match event {
        Event::User(utterance) => (Role::User, utterance.text),
        Event::Agent { text, .. } => (Role::Assistant, text),
        Event::Call(call) => (Role::Tool, format!("{}: {}", call.name, call.summary)),
        Event::Outcome(outcome) => (Role::Tool, outcome.error),
        Event::Interrupt { .. } => (Role::User, "[interrupted]".to_owned()),
        Event::Repeat(_) | Event::Rewind(_) | Event::Undelivered(_) | Event::Compaction { .. } => {
            return None;
        }
    };
    (!text.trim().is_empty()).then_some((role, text))
}

fn cut(text: &str) -> String {
    let text = &*escape_hidden(text);
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
        None => text.to_owned(),
    }
}
