//! What of the conversations waits for the person, in figures: for whoever shows it beside other things.

use afterword_core::{ConversationStatus, UserId};
use afterword_store::Store;
use jiff::Timestamp;

use crate::Error;

/// How many conversations have something to say to the person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TaskAttention {
    /// They ask the person.
    pub asking: usize,
    /// They reported something the person has not seen, and ask nothing.
    pub reported: usize,
    /// When the next work is due.
    pub next: Option<Timestamp>,
}

impl TaskAttention {
    /// How many there are that ask or reported.
    pub fn count(&self) -> usize {
        self.asking + self.reported
    }

    /// The same in words; empty where there is nothing to say.
    pub fn describe(&self) -> Vec<String> {
        let some = |count: usize, one: &str, more: &str| match count {
            0 => None,
            1 => Some(format!("1 task {one}")),
            many => Some(format!("{many} tasks {more}")),
        };
        let asking = some(self.asking, "asks you", "ask you");
        asking.into_iter().chain(some(self.reported, "has news", "have news")).collect()
    }
}

/// Looks what of the conversations waits for the person.
///
/// # Errors
/// [`Error::Store`].
pub fn task_attention(store: &Store) -> Result<TaskAttention, Error> {
    let mut attention = TaskAttention::default();
    for one in store.conversations().list(&UserId::default(), false)? {
        if one.status == ConversationStatus::WaitingInput {
            attention.asking += 1;
        } else if one.state.unseen > 0 {
            attention.reported += 1;
        }
        attention.next = [attention.next, one.next_run_at].into_iter().flatten().min();
    }
    Ok(attention)
}
