//! The calls whose results are awaited.

use std::collections::VecDeque;

use super::questions;

/// Most calls remembered; the client runs at most some tens at once.
const MAX_CALLS: usize = 512;

/// A call of a tool whose result is awaited.
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) command: String,
    pub(super) asked: Vec<questions::Question>,
}

/// The last calls, oldest first. A result nearly always belongs to one of the newest.
#[derive(Default)]
pub(super) struct Calls(VecDeque<Call>);

impl Calls {
    pub(super) fn insert(&mut self, call: Call) {
        if self.0.len() == MAX_CALLS {
            self.0.pop_front();
        }
        self.0.push_back(call);
    }

    pub(super) fn get(&self, id: &str) -> Option<&Call> {
        self.0.iter().rev().find(|call| call.id == id)
    }
}
