//! Lessons that a person deleted, remembered in the vault itself, so that no other machine brings them back.
//!
//! One line each in `_archive/Deleted.md`: the sort of lesson, the day, and its key as a block id. Nothing of what the lesson
//! said is kept: it may have been deleted for what it said. Taking a line out lets the lesson be learned again.

use std::collections::BTreeSet;

use afterword_core::ContentKey;

use crate::note::Note;
use crate::properties::NoteKind;

/// The list of deleted lessons.
pub const DELETED_LIST: &str = "Afterword/_archive/Deleted.md";

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
