//! What is saved by name beside what is known: the same wish makes no second note, and what was rejected is not offered again.

use afterword_core::NoteId;
use afterword_recall::Meaning;
use afterword_store::Store;
use afterword_vault::{Lesson, VaultIndex};
use jiff::Timestamp;

use super::{Comparing, Match, MatchRelation, rules, text_of};
use crate::Error;
use crate::search_model::embedded_model;

/// What a lesson that is to be saved was found to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KnownLesson {
    /// A note says the same.
    Same(NoteId),
    /// A person refused one that means the same.
    Rejected(NoteId),
}

/// The note that says what a lesson says, or was rejected for saying it. Fixes are told apart by their words alone: two that are worded
/// alike often mend two things.
pub(crate) fn known_lesson(
    index: &VaultIndex,
    store: &Store,
    lesson: &Lesson,
    at: Timestamp,
) -> Result<Option<KnownLesson>, Error> {
    let Some(model) = embedded_model().filter(|_| rules(lesson.candidate.kind)) else { return Ok(None) };
    let meaning = Meaning::of(model, &text_of(lesson));
    let compared = Comparing::new(index, store, model)?.compare_lesson(lesson, &meaning, at);
    Ok(match compared {
        Some((_, Match::Note(note), MatchRelation::Same)) => Some(KnownLesson::Same(note)),
        Some((_, Match::Note(note), MatchRelation::Rejected)) => Some(KnownLesson::Rejected(note)),
        _ => None,
    })
}
