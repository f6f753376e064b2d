//! Where a candidate goes: saved, asked about, or put by for a batch review.

use serde::{Deserialize, Serialize};

use crate::{Confidence, Kind};

/// Whether Afterword asks about candidates of medium confidence (`review.mode`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReviewMode {
    /// Ask.
    #[default]
    Interactive,
    /// Save without asking.
    Silent,
}

/// Where a candidate goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Destination {
    /// A note in its folder, `status: active`.
    Saved,
    /// The review queue.
    Review,
    /// `_inbox/`, for batch review.
    Inbox,
    /// `Ideas.md` and the incubator.
    Ideas,
}

/// The routing rule: ideas go to the ledger; of the rest HIGH is saved, MEDIUM asked about (or saved in silent
/// mode), LOW put into the inbox.
pub fn route(kind: Kind, confidence: Confidence, mode: ReviewMode) -> Destination {
    match (kind, confidence, mode) {
        (Kind::Idea, _, _) => Destination::Ideas,
        (_, Confidence::High, _) | (_, Confidence::Medium, ReviewMode::Silent) => Destination::Saved,
        (_, Confidence::Medium, ReviewMode::Interactive) => Destination::Review,
        (_, Confidence::Low, _) => Destination::Inbox,
    }
}
