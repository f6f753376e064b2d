//! The best of many, as they come by.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use afterword_store::Slot;

/// The notes with the highest keys, at most so many; of equal keys the later slot, which changed last.
pub(crate) struct TopNotes<K> {
    most: usize,
    heap: BinaryHeap<Reverse<(K, Slot)>>,
}

impl<K: Ord + Copy> TopNotes<K> {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, heap: BinaryHeap::new() }
    }

    /// Whether a note of this key could still be among them.
    pub(crate) fn has_room_for(&self, key: K) -> bool {
        self.heap.len() < self.most || self.heap.peek().is_some_and(|Reverse((worst, _))| key >= *worst)
    }

    pub(crate) fn put(&mut self, key: K, slot: Slot) {
        self.heap.push(Reverse((key, slot)));
        if self.heap.len() > self.most {
            self.heap.pop();
        }
    }

    /// Those that were kept, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (K, Slot)> {
        self.heap.iter().map(|Reverse(one)| *one)
    }
}
