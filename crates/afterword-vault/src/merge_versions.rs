//! Two versions of one note made one, where nothing of either is lost and nobody has to decide.
//!
//! What the program writes is joined: evidence is collected from both sides, lists are united, the later date counts. What a
//! person wrote is never mixed: either both sides have the same words, or one side's words are known to have become the
//! other's, or the versions are left to the person.

use std::collections::BTreeSet;

use crate::block::Block;
use crate::ideas;
use crate::month_review::MONTH;
use crate::note::{Note, Value};
use crate::note_facts::{TextMark, mark_of, normalize, text_outside_blocks};
use crate::overview::OVERVIEW;
use crate::properties::NoteKind;
use crate::references::CONTENT;
use crate::render::{self, EVIDENCE};
use crate::tombstones;

/// The most pieces of evidence that joining two versions leads to.
const MAX_PIECES: usize = 24;

/// Joins two versions of a note: `one` with what `other` adds to it; `None` where a person has to decide.
///
/// `became` tells whether the words of the first mark are known to have become those of the second.
pub(crate) fn merge_versions(
    one: &Note,
    other: &Note,
    became: &dyn Fn(TextMark, TextMark) -> bool,
) -> Option<Note> {
    if one.front_matter_error().is_some() || other.front_matter_error().is_some() {
        return (normalize(one.print()) == normalize(other.print())).then(|| one.clone());
    }
    if normalize(one.print()) == normalize(other.print()) {
        return Some(one.clone());
    }
    let (mark, other_mark) = (mark_of(one), mark_of(other));
    if mark != other_mark && became(mark, other_mark) && !became(other_mark, mark) {
        return merge_by_age(other, one, true);
    }
    let older = mark != other_mark && became(other_mark, mark);
    let is_list = is_list_note(one) && is_list_note(other);
    if is_list && !older { merge_lists(one, other) } else { merge_by_age(one, other, older) }
}

/// Joins where the words of `one` count: because they are the same, or because those of `other` are `older`.
fn merge_by_age(one: &Note, other: &Note, older: bool) -> Option<Note> {
    if !older && text_outside_blocks(one) != text_outside_blocks(other) {
        return None;
    }
    let mut joined = one.clone();
    merge_properties(&mut joined, other, older)?;
    for name in [EVIDENCE, OVERVIEW, CONTENT, MONTH] {
        merge_block(&mut joined, other, name, older)?;
    }
    let comments = |note: &Note| {
        let head = note.print().len() - note.body().len();
        let lines = note.print()[..head].lines().map(str::trim).filter(|line| line.contains('#'));
        lines.map(str::to_owned).collect::<BTreeSet<_>>()
    };
    (older || comments(&joined).is_superset(&comments(other))).then_some(joined)
}

fn merge_properties(joined: &mut Note, other: &Note, older: bool) -> Option<()> {
    let names: Vec<String> = other.names().map(str::to_owned).collect();
    for name in names {
        let (here, there) = (joined.value(&name), other.value(&name)?);
        if here.as_ref() == Some(&there) || there == Value::Empty {
            continue;
        }
        let grows = matches!(name.as_str(), "evidence" | "updated" | "fetched_at" | "also_at");
        if older && !grows {
            continue;
        }
        let (here, there) = match (here, there) {
            (Some(Value::List(_)), Value::List(there)) => {
                let known = joined.list_of(&name);
                let is_known = |item: &String| match name.as_str() {
                    EVIDENCE => known
                        .iter()
                        .any(|known| render::entry_identity(known) == render::entry_identity(item)),
                    _ => known.contains(item),
                };
                let new: Vec<String> = there.into_iter().filter(|item| !is_known(item)).collect();
                if !new.is_empty() {
                    joined.append(&name, &new).ok()?;
                }
                continue;
            }
            (here, there) => (here, there),
        };
        let wins = match here {
            None | Some(Value::Empty) => true,
            Some(here) => prefers_other(&name, &here, &there)?,
        };
        if wins {
            // A date reads as text; it is written back as a date.
            let date = match &there {
                Value::Text(text) if matches!(name.as_str(), "updated" | "created") => {
                    text.parse().ok().map(Value::Date)
                }
                _ => None,
            };
            joined.set(&name, &date.unwrap_or(there)).ok()?;
        }
    }
    Some(())
}

/// Whether a property's other value counts; `None` where a person has to decide.
fn prefers_other(name: &str, here: &Value, there: &Value) -> Option<bool> {
    let (Value::Text(here), Value::Text(there)) = (here, there) else { return None };
    let rank = |order: &[&str], word: &str| order.iter().position(|known| *known == word);
    match name {
        "updated" | "fetched_at" => Some(there > here),
        // Two machines that made one note gave it two ids: the smaller one stays, on both.
        "created" | "id" => Some(there < here),
        // Answered on one side only.
        "status" if here == "inbox" => Some(true),
        "status" if there == "inbox" => Some(false),
        "confidence" => {
            Some(rank(&["low", "medium", "high"], there)? > rank(&["low", "medium", "high"], here)?)
        }
        "text_mark" => Some(false),
        _ => None,
    }
}

fn merge_block(joined: &mut Note, other: &Note, name: &str, older: bool) -> Option<()> {
    let (here, there) = match (joined.block(name), other.block(name)) {
        (Block::Intact { inner: here, .. }, Block::Intact { inner: there, .. }) => {
            (normalize(here), normalize(there))
        }
        // What a person made of a block is compared with the rest of their words.
        (Block::Absent, Block::Absent) => return Some(()),
        _ if older => return Some(()),
        (Block::Edited { .. }, Block::Edited { .. }) | (Block::Damaged, Block::Damaged) => return Some(()),
        _ => return None,
    };
    // Overviews are written anew from the notes they list.
    if here == there || there.is_empty() || matches!(name, OVERVIEW | MONTH) {
        return Some(());
    }
    if name == CONTENT {
        let newer = other.text_of("text_mark").is_some()
            && other.text_of("fetched_at") == joined.text_of("fetched_at");
        if newer && joined.text_of("text_mark") != other.text_of("text_mark") {
            let mark = Value::Text(other.text_of("text_mark")?.to_owned());
            joined.set("text_mark", &mark).ok()?;
            joined.set_block(CONTENT, &there);
        }
        return Some(());
    }
    let mut content = here.clone();
    let mut count = split_pieces(&here)?.len();
    for piece in split_pieces(&there)?.into_iter().filter(|piece| !here.contains(quoted_words(piece))) {
        if piece.starts_with("Why: ") && here.starts_with("Why: ") {
            continue;
        }
        count += 1;
        if count > MAX_PIECES {
            return None;
        }
        content = format!("{content}\n\n{piece}");
    }
    if content != here {
        joined.set_block(EVIDENCE, &content);
    }
    Some(())
}

/// The pieces of an evidence block: each ends with the line that says who said it, why it was found stands alone.
/// `None` where something else stands in it.
fn split_pieces(content: &str) -> Option<Vec<&str>> {
    let mut pieces = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in content.split_inclusive('\n') {
        at += line.len();
        let is_end =
            (line.contains(" · session `") && line.contains(" · line ")) || line.starts_with("Why: ");
        if is_end {
            pieces.push(content[start..at].trim());
            start = at;
        }
    }
    content[start..].trim().is_empty().then_some(pieces)
}

/// The quoted words of a piece, without the line that says who said them.
fn quoted_words(piece: &str) -> &str {
    piece.rsplit_once("\n\n").map_or(piece, |(words, _)| words)
}

/// The ledger of ideas and the list of deleted lessons: their lines are known by their block ids.
fn is_list_note(note: &Note) -> bool {
    note.text_of("kind") == Some(NoteKind::Ideas.as_str()) || tombstones::is_list(note)
}

fn merge_lists(one: &Note, other: &Note) -> Option<Note> {
    let without = |note: &Note| {
        let lines = note.body().lines().filter(|line| block_id(line).is_none());
        normalize(&lines.map(str::trim_end).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n"))
    };
    if without(one) != without(other) {
        return None;
    }
    let mut joined = one.clone();
    merge_properties(&mut joined, other, false)?;
    let mut new = Vec::new();
    for line in other.body().lines() {
        let Some(id) = block_id(line) else { continue };
        let Some(here) = one.body().lines().find(|line| block_id(line) == Some(id)) else {
            new.push(line.trim_end().to_owned());
            continue;
        };
        match (here.trim_end(), line.trim_end()) {
            (here, there) if here == there => {}
            // Ticked on one side only: it is done.
            (here, there) if here.replacen("[ ]", "[x]", 1) == there => {
                let at = joined.body().find(here)?;
                joined.replace_in_body(at..at + here.len(), there);
            }
            (here, there) if there.replacen("[ ]", "[x]", 1) == here => {}
            _ => return None,
        }
    }
    ideas::add_idea_lines(&mut joined, &new);
    Some(joined)
}

fn block_id(line: &str) -> Option<&str> {
    let id = line.split_whitespace().next_back()?.strip_prefix('^')?;
    (id.starts_with("idea-") || id.starts_with("gone-")).then_some(id)
}
