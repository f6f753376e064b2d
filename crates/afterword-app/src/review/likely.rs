//! The rule that a waiting one likely takes the place of: sessions are given the newer one until the person answers, and keeping that ends
//! the older.

use afterword_core::NoteId;
use afterword_vault::{NoteEntry, Status, VaultIndex, likely_replacement};

/// The active note that the property of a waiting one names.
pub(super) fn older_of<'i>(index: &'i VaultIndex, entry: &NoteEntry) -> Option<(NoteId, &'i NoteEntry)> {
    let older = index.at(&likely_replacement::superseded_path(&entry.properties)?)?;
    let id = older.properties.id.filter(|id| Some(*id) != entry.properties.id)?;
    (older.properties.effective_status() == Some(Status::Active)).then_some((id, older))
}
