//! Adds new evidence to a note that says the same already, if the person has left its evidence alone. Where they edited it,
//! what a later session said can still be proposed to them.

use afterword_core::Signal;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::block::Block;
use crate::error::EditError;
use crate::lesson::Lesson;
use crate::note::{Note, Value};
use crate::properties::Properties;
use crate::render;

/// What came of an attempt to add evidence.
pub(crate) enum EvidenceUpdate {
    /// The note has all of it, or enough.
    Unchanged,
    /// A person changed the evidence; it is theirs now.
    EditedByPerson,
    /// The note with this many pieces more.
    Added(Box<Note>, usize),
}

/// Adds the evidence of `lesson` to `note`; days are those of `zone`.
pub(crate) fn add_evidence(note: &Note, lesson: &Lesson, zone: &TimeZone) -> EvidenceUpdate {
    let Block::Intact { inner, .. } = note.block(render::EVIDENCE) else {
        return EvidenceUpdate::EditedByPerson;
    };
    if note.value(render::EVIDENCE).is_none() {
        return EvidenceUpdate::EditedByPerson;
    }
    let (content, references) = extended_evidence(note, inner, lesson, zone);
    if references.is_empty() {
        return EvidenceUpdate::Unchanged;
    }
    let content = recounted(content, lesson);
    let mut grown = note.clone();
    if grown.append(render::EVIDENCE, &references).is_err() || !grown.set_block(render::EVIDENCE, &content) {
        return EvidenceUpdate::EditedByPerson;
    }
    update_date(&mut grown, lesson.date(zone));
    EvidenceUpdate::Added(Box::new(grown), references.len())
}

/// What is proposed for a note whose evidence a person edited: their text with what `lesson` adds to it. `None` where the
/// lesson is of a session that the note had evidence of, which they may have taken out.
pub(crate) fn propose_evidence(note: &Note, lesson: &Lesson, zone: &TimeZone) -> Option<Note> {
    let Block::Edited { inner, .. } = note.block(render::EVIDENCE) else { return None };
    let known = note.list_of(render::EVIDENCE);
    let is_of_session = |reference: &String| reference.starts_with(lesson.session.as_str());
    if known.is_empty() || known.iter().any(is_of_session) {
        return None;
    }
    let (content, references) = extended_evidence(note, inner, lesson, zone);
    let mut proposed = note.clone();
    let is_new = !references.is_empty()
        && proposed.append(render::EVIDENCE, &references).is_ok()
        && proposed.set_edited_block(render::EVIDENCE, &content);
    update_date(&mut proposed, lesson.date(zone));
    is_new.then_some(proposed)
}

/// Writes anew why a note's lesson was found and what it rests on: all of it where it rests on the lesson's session alone,
/// else what is new beside what other sessions said.
///
/// # Errors
/// [`EditError`] when the front matter cannot be changed without touching more, or a person changed the block.
pub(crate) fn rewrite_evidence(note: &mut Note, lesson: &Lesson, zone: &TimeZone) -> Result<(), EditError> {
    let refused = EditError { property: render::EVIDENCE.to_owned(), reason: "a person changed its block" };
    let Block::Intact { inner, .. } = note.block(render::EVIDENCE) else { return Err(refused) };
    let known = note.list_of(render::EVIDENCE);
    let of_lesson = |reference: &String| {
        let session = reference.split_once('/').map_or("", |(session, _)| session);
        lesson.all_evidence(zone).any(|(_, known, _)| known.as_str() == session)
    };
    if known.iter().all(of_lesson) {
        note.set(render::EVIDENCE, &Value::List(render::references(lesson, zone)))?;
        note.set_block(render::EVIDENCE, &render::render_evidence(lesson, zone));
        return Ok(());
    }
    let (content, references) = extended_evidence(note, inner, lesson, zone);
    let content = with_reason_of(lesson, split_reason(&content).1);
    if !references.is_empty() {
        note.append(render::EVIDENCE, &references)?;
    }
    note.set_block(render::EVIDENCE, &content);
    Ok(())
}

/// Evidence whose reason counts how often something was asked for, with the count of now.
fn recounted(content: String, lesson: &Lesson) -> String {
    let counts = |why: &str| why.contains(": Asked for in ");
    match split_reason(&content) {
        (Some(why), rest) if lesson.candidate.signal == Signal::RepeatedPattern && counts(why) => {
            with_reason_of(lesson, rest)
        }
        _ => content,
    }
}

/// The line that says why a lesson was found, and the evidence below it.
fn split_reason(content: &str) -> (Option<&str>, &str) {
    match content.split_once("\n\n") {
        Some((why, rest)) if why.starts_with("Why: ") => (Some(why), rest),
        _ => (None, content),
    }
}

fn with_reason_of(lesson: &Lesson, evidence: &str) -> String {
    format!("{}\n\n{evidence}", render::render_reason(lesson))
}

/// The evidence with what `lesson` adds to it, and the references of that.
fn extended_evidence(note: &Note, inner: &str, lesson: &Lesson, zone: &TimeZone) -> (String, Vec<String>) {
    let mut known = note.list_of(render::EVIDENCE);
    let mut content = inner.trim().replace("\r\n", "\n");
    let mut references = Vec::new();
    for (evidence, session, date) in lesson.all_evidence(zone) {
        let own = format!("{session}/");
        let reference = render::reference(evidence, session);
        let is_known =
            known.iter().any(|other| render::entry_identity(other) == render::entry_identity(&reference));
        // The same words of another session are another telling. Entries without an id are named by their line, which a rewritten
        // transcript shifts: there the words decide.
        let is_retold = render::is_by_line(&reference) || known.iter().any(|other| other.starts_with(&own));
        let is_quoted = is_retold && content.contains(&render::render_quotation(evidence));
        if is_known || is_quoted || known.len() >= render::MAX_PIECES {
            continue;
        }
        if !content.is_empty() {
            content.push_str("\n\n");
        }
        content.push_str(&render::render_piece(evidence, session, date));
        known.push(reference.clone());
        references.push(reference);
    }
    (content, references)
}

fn update_date(note: &mut Note, date: Date) {
    if Properties::of(note).updated.is_some_and(|updated| updated < date) {
        // A date the person wrote in a form of their own stays.
        let _ = note.set("updated", &Value::Date(date));
    }
}
