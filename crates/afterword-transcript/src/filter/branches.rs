//! What the person took back: going back to an earlier place of the conversation and typing on from there.
//!
//! It owns how that looks in a file, which only grows. Entries form a tree by `parentUuid`; after going back, the next
//! prompt has the same parent as the one it stands for. Other entries have brothers without anybody going back
//! (parallel calls and their results, progress, resumed turns), so only prompts are compared with prompts. Memory is
//! bounded. Start at [`Branches::add_prompt`].

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use crate::entry::Entry;

/// Most prompts remembered, in two generations.
const MAX_PROMPTS: usize = 50_000;

/// The places prompts were typed at.
#[derive(Default)]
pub(super) struct Branches {
    /// Keyed at random, so that no file can be made to collide.
    hasher: RandomState,
    /// By parent: the line of the first prompt typed there.
    young: HashMap<u64, u64>,
    old: HashMap<u64, u64>,
    /// An entry with a parent was read: the file has a tree, and an entry without one begins it.
    has_tree: bool,
}

impl Branches {
    /// Takes in any entry.
    pub(super) fn add_entry(&mut self, entry: &Entry<'_>) {
        self.has_tree |= !entry.parent_uuid.is_empty() && !entry.is_sidechain;
    }

    /// Takes in a prompt of the main conversation. Where one was typed at the same place before, gives that one's line:
    /// from there on everything was taken back.
    pub(super) fn add_prompt(&mut self, line: u64, entry: &Entry<'_>) -> Option<u64> {
        let key = if !entry.parent_uuid.is_empty() {
            self.hasher.hash_one(("after", entry.parent_uuid.decode()))
        } else if entry.is_root && !entry.session_id.is_empty() {
            self.hasher.hash_one(("first", entry.session_id.decode()))
        } else {
            return None;
        };
        if let Some(first) = self.young.get(&key).or_else(|| self.old.get(&key)) {
            return self.has_tree.then_some(*first);
        }
        self.young.insert(key, line);
        if self.young.len() >= MAX_PROMPTS {
            self.old = std::mem::take(&mut self.young);
        }
        None
    }
}
