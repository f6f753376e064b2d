//! The signs of a session's outcome, each with what it weighs and why.

use super::memory::Memory;
use super::weight;

/// Calls that are a good deal of work; fewer answer a question or go back to a branch.
const MANY_CALLS: u32 = 4;

/// One sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutcomeSign {
    /// What it weighs: above 0 for success, below for failure.
    pub weight: i32,
    /// What was seen, in a sentence.
    pub what: String,
    /// Where in the transcript.
    pub line: u64,
}

/// All signs of a session, the weightiest first.
pub(super) fn of(memory: &Memory) -> Vec<OutcomeSign> {
    let seen = [
        spoken_sign(memory),
        checks(memory),
        commit(memory),
        reverted(memory),
        interruption(memory),
        open_error(memory),
    ];
    let mut signs: Vec<OutcomeSign> = seen.into_iter().flatten().collect();
    if !signs.is_empty() {
        signs.extend(unfinished(memory));
    }
    signs.sort_by_key(|sign| std::cmp::Reverse(sign.weight.abs()));
    signs
}

fn spoken_sign(memory: &Memory) -> Option<OutcomeSign> {
    let last = memory.reaction.as_ref()?;
    let sign = |weight, says| {
        let quote: String = last.words.chars().take(120).collect();
        OutcomeSign {
            weight,
            what: format!("the person's last words say that {says}: \"{quote}\""),
            line: last.line,
        }
    };
    match (last.pleased, last.displeased) {
        (true, _) => Some(sign(weight::PLEASED, "it works")),
        // What was done after the objection may have met it; checks and commits tell whether it did.
        (_, true) if memory.last_act > last.at && !has_failed(memory) && mended_after(memory, last.at) => {
            None
        }
        (_, true) => Some(sign(weight::DISPLEASED, "it does not")),
        _ => None,
    }
}

/// Something was checked or committed after a moment.
fn mended_after(memory: &Memory, at: u64) -> bool {
    memory.checks.iter().any(|check| check.passed_last && check.at > at)
        || memory.committed.as_ref().is_some_and(|commit| commit.at > at)
}

fn has_failed(memory: &Memory) -> bool {
    memory.open_checks().next().is_some()
}

fn checks(memory: &Memory) -> Option<OutcomeSign> {
    if let Some(check) = memory.open_checks().max_by_key(|check| check.at) {
        let what = format!("`{}` failed when it ran last", check.name);
        return Some(OutcomeSign { weight: weight::FAILED, what, line: check.line });
    }
    let check = memory.checks.iter().filter(|check| check.passed_last).max_by_key(|check| check.at)?;
    if memory.last_edit > check.at {
        let what = format!("`{}` passed, but files were changed after it", check.name);
        return Some(OutcomeSign { weight: weight::PASSED_BEFORE_EDITS, what, line: check.line });
    }
    Some(OutcomeSign {
        weight: weight::PASSED,
        what: format!("`{}` passed when it ran last", check.name),
        line: check.line,
    })
}

fn commit(memory: &Memory) -> Option<OutcomeSign> {
    let commit = memory.committed.as_ref().filter(|commit| commit.at > memory.last_edit)?;
    Some(OutcomeSign { weight: weight::COMMITTED, what: commit.what.clone(), line: commit.line })
}

fn reverted(memory: &Memory) -> Option<OutcomeSign> {
    let reverted = memory.reverted.as_ref().filter(|reverted| {
        reverted.at > memory.last_edit
            && memory.committed.as_ref().is_none_or(|commit| commit.at < reverted.at)
    })?;
    let what = format!("the work was thrown away: `{}`", reverted.what);
    Some(OutcomeSign { weight: weight::REVERTED, what, line: reverted.line })
}

fn interruption(memory: &Memory) -> Option<OutcomeSign> {
    let stopped = memory.stopped.as_ref().filter(|stopped| stopped.at >= memory.last_act)?;
    let said_more = memory.reaction.as_ref().is_some_and(|last| last.at > stopped.at && last.pleased);
    let what = format!("{}, and nothing was done after it", stopped.what);
    (!said_more).then_some(OutcomeSign { weight: weight::STOPPED, what, line: stopped.line })
}

/// The person asked for more after all that tells, and a good deal was done for it.
fn unfinished(memory: &Memory) -> Option<OutcomeSign> {
    let last = memory.reaction.as_ref().filter(|last| !last.pleased && !last.displeased)?;
    let is_checked = memory.checks.iter().any(|check| check.at > last.at)
        || memory.committed.as_ref().is_some_and(|commit| commit.at > last.at);
    let what = "the person asked for more, and nothing tells how that ended".to_owned();
    (!is_checked && memory.calls_since >= MANY_CALLS).then_some(OutcomeSign {
        weight: weight::UNFINISHED,
        what,
        line: last.line,
    })
}

fn open_error(memory: &Memory) -> Option<OutcomeSign> {
    let failed = memory.failed.as_ref()?;
    let what = format!("the last command failed: {}", failed.what);
    Some(OutcomeSign { weight: weight::OPEN_ERROR, what, line: failed.line })
}
