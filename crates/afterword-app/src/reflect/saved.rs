//! What became of one lesson that was to be saved.

use serde::Serialize;

/// What saving did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SaveReport {
    /// What became of it.
    pub outcome: SaveOutcome,
    /// The note, below the vault's root; none where the user deleted it.
    pub path: Option<String>,
}

/// What became of a lesson to be saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum SaveOutcome {
    /// It is a note now, and counts.
    Saved,
    /// It is a note now, and waits for the person's answer.
    Waits,
    /// There is a note that says it.
    Known,
    /// The user rejected one that means the same.
    Rejected,
    /// The user deleted the note that said it, and it stays deleted.
    Deleted,
}
