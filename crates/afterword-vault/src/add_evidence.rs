//! Adds new evidence to a note that says the same already, if the person has left its evidence alone. Where they edited it,
//! what a later session said can still be proposed to them.

use jiff::civil::Date;

use crate::block::Block;
use crate::error::EditRefused;
use crate::lesson::Lesson;
use crate::note::{Note, Value};
use crate::properties::Properties;
use crate::render;

/// The most pieces of evidence a note collects; more of the same convinces nobody.
const MAX_PIECES: usize = 12;

/// What came of an attempt to add evidence.
pub(crate) enum EvidenceUpdate {
    /// The note has all of it, or enough.
    Unchanged,
    /// A person changed the evidence; it is theirs now.
    EditedByPerson,
    /// The note with this many pieces more.
    Added(Box<Note>, usize),
}

/// Adds the evidence of `lesson`, learned on `date`, to `note`.
pub(crate) fn add_evidence(note: &Note, lesson: &Lesson, date: Date) -> EvidenceUpdate {
    let Block::Intact { inner, .. } = note.block(render::EVIDENCE) else {
        return EvidenceUpdate::EditedByPerson;
    };
    if note.value(render::EVIDENCE).is_none() {
        return EvidenceUpdate::EditedByPerson;
    }
    let (content, references) = extended_evidence(note, inner, lesson, date);
    if references.is_empty() {
        return EvidenceUpdate::Unchanged;
    }
    let mut grown = note.clone();
    if grown.append(render::EVIDENCE, &references).is_err() || !grown.set_block(render::EVIDENCE, &content) {
        return EvidenceUpdate::EditedByPerson;
    }
    update_date(&mut grown, date);
    EvidenceUpdate::Added(Box::new(grown), references.len())
}

/// What is proposed for a note whose evidence a person edited: their text with what `lesson` adds to it. `None` where the
/// lesson is of a session that the note had evidence of, which they may have taken out.
pub(crate) fn propose_evidence(note: &Note, lesson: &Lesson, date: Date) -> Option<Note> {
    let Block::Edited { inner, .. } = note.block(render::EVIDENCE) else { return None };
    let known = note.list_of(render::EVIDENCE);
    let is_of_session = |reference: &String| reference.starts_with(lesson.session.as_str());
    if known.is_empty() || known.iter().any(is_of_session) {
        return None;
    }
    let (content, references) = extended_evidence(note, inner, lesson, date);
    let mut proposed = note.clone();
    let is_new = !references.is_empty()
        && proposed.append(render::EVIDENCE, &references).is_ok()
        && proposed.set_edited_block(render::EVIDENCE, &content);
    update_date(&mut proposed, date);
    is_new.then_some(proposed)
}

/// Writes anew why a note's lesson was found and what it rests on: all of it where it rests on the lesson's session alone,
/// else what is new beside what other sessions said.
///
/// # Errors
/// [`EditRefused`] when the front matter cannot be changed without touching more, or a person changed the block.
pub(crate) fn rewrite_evidence(note: &mut Note, lesson: &Lesson, date: Date) -> Result<(), EditRefused> {
    let refused = EditRefused { property: render::EVIDENCE.to_owned(), reason: "a person changed its block" };
    let Block::Intact { inner, .. } = note.block(render::EVIDENCE) else { return Err(refused) };
    let known = note.list_of(render::EVIDENCE);
    let own = format!("{}/", lesson.session);
    if known.iter().all(|reference| reference.starts_with(&own)) {
        let pieces = lesson.candidate.evidence.iter();
        let references = pieces.map(|piece| render::reference(piece, &lesson.session)).collect();
        note.set(render::EVIDENCE, &Value::List(references))?;
        note.set_block(render::EVIDENCE, &render::render_evidence(lesson, date));
        return Ok(());
    }
    let (content, references) = extended_evidence(note, inner, lesson, date);
    let rest = match content.split_once("\n\n") {
        Some((why, rest)) if why.starts_with("Why: ") => rest,
        _ => &content,
    };
    let content = format!("{}\n\n{rest}", render::render_reason(lesson));
    if !references.is_empty() {
        note.append(render::EVIDENCE, &references)?;
    }
    note.set_block(render::EVIDENCE, &content);
    Ok(())
}

/// The evidence with what `lesson` adds to it, and the references of that.
fn extended_evidence(note: &Note, inner: &str, lesson: &Lesson, date: Date) -> (String, Vec<String>) {
    let own = format!("{}/", lesson.session);
    let mut known = note.list_of(render::EVIDENCE);
    let mut content = inner.trim().replace("\r\n", "\n");
    let mut references = Vec::new();
    for evidence in &lesson.candidate.evidence {
        let reference = render::reference(evidence, &lesson.session);
        let is_known =
            known.iter().any(|other| render::entry_identity(other) == render::entry_identity(&reference));
        // The same words of another session are another telling. Entries without an id are named by their line, which a rewritten
        // transcript shifts: there the words decide.
        let is_retold = render::is_by_line(&reference) || known.iter().any(|other| other.starts_with(&own));
        let is_quoted = is_retold && content.contains(&render::render_quotation(evidence));
        if is_known || is_quoted || known.len() >= MAX_PIECES {
            continue;
        }
        if !content.is_empty() {
            content.push_str("\n\n");
        }
        content.push_str(&render::render_piece(evidence, &lesson.session, date));
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
