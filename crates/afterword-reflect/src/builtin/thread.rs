//! Threads: moments in a row that belong to one lesson.
//!
//! People make a point in several messages, and the agent's answers lie between them. Weighed alone each would become a
//! note of its own; a thread becomes one.

use std::collections::HashSet;

use super::features::Features;
use super::language::normalise;
use super::moment::Moment;
use super::reading::{ReadClause, Reading};
use super::topic::Topic;

/// Most moments in one thread; a longer row is a conversation, not a point. Cross-validated: of 8, a lesson in three is lost in
/// its neighbour.
const LONGEST: usize = 3;
/// Most tool calls between neighbours of one conversation; after more work than that the talk is of something else.
const TALK: u32 = 6;
/// How many other moments may lie between two of one thread when both are about the same.
const APART: usize = 3;
/// How much of the shorter text's content words the other must share to be about the same.
const SAME: f32 = 0.3;

/// A moment with what the models make of it.
#[derive(Debug)]
pub struct Weighed {
    /// The moment.
    pub moment: Moment,
    /// It, clause by clause.
    pub reading: Reading,
    /// The rules it states plainly, each by the clause that says it.
    pub rules: Vec<ReadClause>,
    /// What it puts off for later, each by the clause that says it.
    pub put_off: Vec<ReadClause>,
    /// What of it was weighed.
    pub features: Features,
    /// How likely it carries a preference or a workflow.
    pub preference: f32,
    /// How likely it carries an idea.
    pub idea: f32,
    /// How likely it carries a fix.
    pub fix: f32,
    /// It says a rule outright.
    pub rule: bool,
    /// It answers what to work on next, which is a task and no lesson.
    pub errand: bool,
    /// It picks one of the options the agent offered.
    pub choice: bool,
}

impl Weighed {
    /// Whether it states at most one rule or idea, so that what the agent said before and after is about that.
    pub fn says_one_thing(&self) -> bool {
        self.rules.len() + self.put_off.len() <= 1
    }
}

/// Moments that belong to one lesson, by their index in the session.
#[derive(Debug, PartialEq, Eq)]
pub struct Thread {
    /// In order; at least one.
    pub members: Vec<usize>,
}

/// The entries that are the session's own.
pub(super) fn own_entries(weighed: &[Weighed]) -> HashSet<&str> {
    let places = weighed.iter().map(|item| &item.moment.utterance.place);
    places.map(|place| place.uuid.as_str()).filter(|uuid| !uuid.is_empty()).collect()
}

/// Gathers the moments that pass `admits` into threads: neighbours belong together, and so do moments about the same
/// that are a few messages apart, or that only `continues` what was said.
pub fn gather(
    weighed: &[Weighed],
    admits: impl Fn(&Weighed) -> bool,
    continues: impl Fn(&Weighed) -> bool,
) -> Vec<Thread> {
    let mut threads: Vec<Thread> = Vec::new();
    for (index, item) in weighed.iter().enumerate().filter(|(_, item)| admits(item)) {
        match threads.last_mut() {
            Some(thread)
                if thread.members.len() < LONGEST
                    && (belongs(weighed, thread, index, item)
                        || is_near(thread, index) && continues(item)) =>
            {
                thread.members.push(index);
            }
            _ => threads.push(Thread { members: vec![index] }),
        }
    }
    threads
}

fn is_near(thread: &Thread, index: usize) -> bool {
    thread.members.last().is_some_and(|last| index - last <= APART + 1)
}

fn belongs(weighed: &[Weighed], thread: &Thread, index: usize, item: &Weighed) -> bool {
    let Some(last) = thread.members.last() else { return true };
    if item.choice {
        // Every question the agent puts is decided by itself.
        return false;
    }
    if item.rule || thread.members.iter().any(|member| weighed[*member].rule) {
        // A rule stands for itself; mixed with what was talked about around it, it would be lost.
        return false;
    }
    if index - last == 1 && item.moment.lead.calls <= TALK {
        return true;
    }
    let topic = Topic::of(&item.moment.own);
    let alike = |member: &usize| {
        let other = Topic::of(&weighed[*member].moment.own);
        topic.covered_by(&other).max(other.covered_by(&topic)) >= SAME && topic.len().min(other.len()) >= 3
    };
    is_near(thread, index) && thread.members.iter().any(alike)
}

/// "Let's bump it to a follow-up": what is put off was said before.
pub fn puts_off_something_said(words: &str) -> bool {
    let lower = normalise(words);
    let mut start =
        lower.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).take(5);
    let pushed = start.any(|word| {
        ["bump", "push", "leave", "move", "put", "do", "park", "postpone", "defer"].contains(&word)
    });
    pushed && start.next().is_some_and(|word| ["it", "that", "this", "them", "those"].contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_off_by_a_pronoun_was_said_before() {
        assert!(puts_off_something_said("let's push it to a later release"));
        assert!(puts_off_something_said("ok, leave that for later"));
        assert!(!puts_off_something_said("let's do gift cards another time"));
    }
}
