//! How a session ended, judged from its own signals: what the last checks said, what became of the work, and the person's
//! last words about it.
//!
//! It is a sum of signs, each with a reason that can be shown ([`OutcomeSign`]). Nothing counts merely because nothing went wrong: a
//! session without a sign has no outcome. Nothing here is learnt, and no model is asked. Start at [`OutcomeJudge`]; the numbers
//! are in `weight`, what they were tried on in `docs/quality.md`, "Outcomes".

mod checks;
mod memory;
mod signs;
mod words;

use afterword_transcript::event::Event;

use memory::Memory;
pub use signs::OutcomeSign;

/// What a sign weighs. From [`SUCCESS`] on the task is done, from [`FAILURE`] down it is not.
mod weight {
    /// The person's last words say that it works.
    pub(super) const PLEASED: i32 = 3;
    /// The person's last words say that it does not.
    pub(super) const DISPLEASED: i32 = -4;
    /// All checks passed when they ran last.
    pub(super) const PASSED: i32 = 2;
    /// Files were changed after that, so it says less.
    pub(super) const PASSED_BEFORE_EDITS: i32 = 1;
    /// A check failed when it ran last.
    pub(super) const FAILED: i32 = -3;
    /// The work was committed, and not changed since.
    pub(super) const COMMITTED: i32 = 2;
    /// The work was thrown away, and nothing put in its place.
    pub(super) const REVERTED: i32 = -3;
    /// The person stopped the agent, and nothing came after it.
    pub(super) const STOPPED: i32 = -2;
    /// The person asked for more after all that tells.
    pub(super) const UNFINISHED: i32 = -1;
    /// The last command failed, and nothing came after it.
    pub(super) const OPEN_ERROR: i32 = -1;
}
/// The sum from which a task is done.
const SUCCESS: i32 = 2;
/// The sum down from which it is not.
const FAILURE: i32 = -2;

/// How a task ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ended {
    /// It is done.
    Success,
    /// A part of it is, or signs stand against each other.
    Partial,
    /// It is not.
    Failure,
}

/// What came of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionOutcome {
    /// What the person wanted: their first words that ask for something.
    pub task: String,
    /// They only told the agent to go on: what they went on with is not in them.
    pub task_is_thin: bool,
    /// How it ended.
    pub ended: Ended,
    /// What worked.
    pub worked: Vec<String>,
    /// What did not.
    pub did_not_work: Vec<String>,
    /// What to begin with next time.
    pub next: String,
    /// Why it is judged so, the weightiest first.
    pub signs: Vec<OutcomeSign>,
}

impl SessionOutcome {
    /// The outcome of a session of which its own signals tell nothing.
    pub fn without_signs(task: String, ended: Ended) -> Self {
        let (worked, did_not_work, signs) = (Vec::new(), Vec::new(), Vec::new());
        let next = match ended {
            Ended::Success => "Continue with this approach",
            Ended::Partial | Ended::Failure => "Begin with what was left",
        };
        Self { task, task_is_thin: false, ended, worked, did_not_work, next: next.to_owned(), signs }
    }
}

/// Judges a session from its events, taken one at a time in file order. Memory does not grow with the session.
#[derive(Debug, Default)]
pub struct OutcomeJudge {
    memory: Memory,
}

impl OutcomeJudge {
    /// Takes the next event.
    pub fn push(&mut self, event: &Event) {
        self.memory.push(event);
    }

    /// What came of the session; `None` where nobody asked for anything, nothing was done, or nothing tells.
    pub fn finish(self) -> Option<SessionOutcome> {
        let task = self.memory.task()?;
        let signs = signs::of(&self.memory);
        if signs.is_empty() || !self.memory.has_worked() {
            return None;
        }
        let ended = ended(&signs);
        Some(SessionOutcome {
            worked: words::worked(&self.memory),
            did_not_work: words::did_not_work(&self.memory),
            next: words::next(&self.memory, ended),
            task,
            task_is_thin: self.memory.task_is_thin,
            ended,
            signs,
        })
    }
}

fn ended(signs: &[OutcomeSign]) -> Ended {
    let sum: i32 = signs.iter().map(|sign| sign.weight).sum();
    match sum {
        SUCCESS.. => Ended::Success,
        ..=FAILURE => Ended::Failure,
        _ => Ended::Partial,
    }
}

#[cfg(test)]
mod tests;
