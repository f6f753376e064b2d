//! Adds new evidence to a note that says the same already, if the person has left its evidence alone.

use jiff::civil::Date;

use crate::block::Block;
use crate::lesson::Lesson;
use crate::note::{Note, Value};
use crate::properties::Properties;
use crate::render;

/// The most pieces of evidence a note collects; more of the same convinces nobody.
const MAX_PIECES: usize = 12;

/// What came of an attempt to add evidence.
pub(crate) enum Growth {
    /// The note has all of it, or enough.
    NothingNew,
    /// A person changed the evidence; it is theirs now.
    Theirs,
    /// The note with this many pieces more.
    Grown(Box<Note>, usize),
}

/// Adds the evidence of `lesson`, learned on `date`, to `note`.
pub(crate) fn grow(note: &Note, lesson: &Lesson, date: Date) -> Growth {
    let Block::Intact { inner, .. } = note.block(render::EVIDENCE) else { return Growth::Theirs };
    if note.value(render::EVIDENCE).is_none() {
        return Growth::Theirs;
    }
    let mut known = note.list_of(render::EVIDENCE);
    let mut content = inner.trim().replace("\r\n", "\n");
    let mut references = Vec::new();
    for evidence in &lesson.candidate.evidence {
        let reference = render::reference(evidence, &lesson.session);
        let is_known = known.iter().any(|other| render::identity(other) == render::identity(&reference));
        // Entries without an id are named by their line, which a rewritten transcript shifts: the words decide.
        let is_quoted = content.contains(&render::words(evidence));
        if is_known || is_quoted || known.len() >= MAX_PIECES {
            continue;
        }
        if !content.is_empty() {
            content.push_str("\n\n");
        }
        content.push_str(&render::piece(evidence, &lesson.session, date));
        known.push(reference.clone());
        references.push(reference);
    }
    if references.is_empty() {
        return Growth::NothingNew;
    }
    let mut grown = note.clone();
    if grown.append(render::EVIDENCE, &references).is_err() || !grown.set_block(render::EVIDENCE, &content) {
        return Growth::Theirs;
    }
    if Properties::of(note).updated.is_some_and(|updated| updated < date) {
        // A date the person wrote in a form of their own stays.
        let _ = grown.set("updated", &Value::Date(date));
    }
    Growth::Grown(Box::new(grown), references.len())
}
