//! What Afterword wrote before, as the caller remembers it.

use afterword_core::{ContentKey, NoteId};
use serde::{Deserialize, Serialize};

use crate::hash::ContentHash;
use crate::path::VaultPath;

/// One lesson that was written once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastWrite {
    /// The note's id.
    pub id: NoteId,
    /// Where it was written; the user may have moved it since.
    pub path: VaultPath,
    /// What was written; a note that hashes otherwise was changed by a person.
    pub content_hash: ContentHash,
}

/// What to remember after a plan was applied: the newest record of a key replaces older ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WriteRecord {
    /// The lesson's key.
    pub key: ContentKey,
    /// Its note.
    pub written: LastWrite,
}

/// The memory of what was written. Without it, a note that a person deleted would come back.
pub trait WriteHistory {
    /// What was last written for a key.
    fn by_key(&self, key: &ContentKey) -> Option<LastWrite>;
}

/// The history of a vault that nothing was written to yet.
#[derive(Debug, Clone, Copy, Default)]
pub struct EmptyHistory;

impl WriteHistory for EmptyHistory {
    fn by_key(&self, _key: &ContentKey) -> Option<LastWrite> {
        None
    }
}

impl<S: std::hash::BuildHasher> WriteHistory for std::collections::HashMap<ContentKey, LastWrite, S> {
    fn by_key(&self, key: &ContentKey) -> Option<LastWrite> {
        self.get(key).cloned()
    }
}
