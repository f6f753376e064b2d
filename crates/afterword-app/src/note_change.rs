//! What became of a note, as whoever asked for the work is told.

use afterword_core::Kind;

/// What about a note changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase", tag = "what")]
pub enum NoteChangeKind {
    /// It is new.
    Lesson {
        /// What sort of lesson.
        kind: Kind,
    },
    /// There is more evidence for it.
    Evidence,
    /// A person changed what would grow; what would be written is put beside it.
    Proposal,
    /// The ledger of ideas has new lines.
    Ideas,
    /// A web page worth keeping.
    Reference,
    /// A project's overview lists what is new.
    Overview,
}

/// What became of one note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteChange {
    /// What changed.
    pub what: NoteChangeKind,
    /// What it says, in a sentence; for an overview the project's name.
    pub title: String,
    /// The file, below the vault's root.
    pub path: String,
    /// It is new and waits for the user: in the review folder or the inbox.
    pub waits: Option<WaitingPlace>,
    /// Why it was not written after all: the user's text stands, or the file system refused.
    pub refused: Option<String>,
}

/// Where a note waits for the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum WaitingPlace {
    /// For review.
    Review,
    /// In the inbox.
    Inbox,
}

impl WaitingPlace {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Review, Self::Inbox];

    /// The word, the same in JSON and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Review => "review",
            Self::Inbox => "inbox",
        }
    }
}
