//! Threads: moments in a row that belong to one lesson.
//!
//! People make a point in several messages, and the agent's answers lie between them. Weighed alone each would become a
//! note of its own; a thread becomes one.

use super::moment::Moment;

/// Most moments in one thread; a longer row is a conversation, not a point.
const LONGEST: usize = 5;

/// A moment with what the models make of it.
#[derive(Debug)]
pub struct Weighed {
    /// The moment.
    pub moment: Moment,
    /// How likely it carries a preference or a workflow.
    pub preference: f32,
    /// How likely it carries an idea.
    pub idea: f32,
    /// How likely it carries a fix.
    pub fix: f32,
}

/// Moments that belong to one lesson, by their index in the session.
#[derive(Debug, PartialEq, Eq)]
pub struct Thread {
    /// In order; at least one.
    pub members: Vec<usize>,
}

/// Gathers the moments that pass `admits` into threads: neighbours belong together.
pub fn gather(weighed: &[Weighed], admits: impl Fn(&Weighed) -> bool) -> Vec<Thread> {
    let mut threads: Vec<Thread> = Vec::new();
    for (index, _) in weighed.iter().enumerate().filter(|(_, item)| admits(item)) {
        match threads.last_mut() {
            Some(thread) if thread.members.len() < LONGEST && thread.members.last().is_some_and(|last| index - last == 1) => {
                thread.members.push(index);
            }
            _ => threads.push(Thread { members: vec![index] }),
        }
    }
    threads
}
