//! Which lines of the index are lessons. It searches nothing.

use afterword_store::NoteFilter;
use afterword_vault::{NoteKind, Status};

/// Takes the lessons with a status, and nothing else of the index.
pub(crate) fn lessons_with_status(status: Status) -> NoteFilter {
    let kinds = [NoteKind::Preference, NoteKind::Workflow, NoteKind::Fix];
    NoteFilter {
        statuses: vec![status.as_str().to_owned()],
        kinds: kinds.map(|kind| kind.as_str().to_owned()).to_vec(),
        ..NoteFilter::default()
    }
}
