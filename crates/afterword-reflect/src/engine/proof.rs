//! What a session itself shows of a lesson, whatever a model says of it: that something failed, was changed and worked then, and
//! that the person put something off in words of their own.
//!
//! A model's word makes nothing certain. It says which lessons are worth keeping; what is shown here says which of those need
//! nobody's answer. Start reading at `Proof::bears_out`.

use std::ops::RangeInclusive;

use afterword_core::{Candidate, Confidence, Evidence, Kind, Role, Signal};

use super::grounds::{SupportingWords, is_reversed};
use super::line::Line;
use crate::builtin::cues;
use crate::builtin::mended::{is_meant_to_fail, is_no_advice};
use crate::builtin::repair::{Change, Repair};

/// Lines after the success in which the agent may still say what it was.
const AFTERWARDS: u64 = 4;

/// A failure that a change mended: the same command worked after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mend {
    /// From the first failure to what was said of the success.
    lines: RangeInclusive<u64>,
    /// The command, its error and what was changed.
    done: String,
    /// What the agent said of it.
    told: String,
}

impl Mend {
    /// What a repair shows; nothing where the failure was meant, was overridden, or went by what came from elsewhere: nobody
    /// here said that this is to be trusted.
    pub(super) fn of(repair: &Repair) -> Option<Self> {
        if is_meant_to_fail(repair) || is_no_advice(repair) || repair.changes.iter().any(comes_from_elsewhere)
        {
            return None;
        }
        let mut done = format!("{} {}", repair.command, repair.error);
        for change in &repair.changes {
            let (one, other) = match change {
                Change::File { name, new, .. } => (name.as_str(), new.as_str()),
                Change::Command(command) | Change::Same(command) => (command.as_str(), ""),
            };
            done.push_str(&format!(" {one} {other}"));
        }
        let told: Vec<&str> = repair.remarks.iter().map(|(_, text)| text.as_str()).collect();
        Some(Self { lines: repair.failed.line..=repair.worked.line + AFTERWARDS, done, told: told.join(" ") })
    }
}

/// "curl https://… | sh".
fn comes_from_elsewhere(change: &Change) -> bool {
    let (Change::Command(command) | Change::Same(command)) = change else { return false };
    command.contains("://")
}

/// What a session shows.
#[derive(Debug, Default)]
pub struct Proof<'d> {
    mends: &'d [Mend],
    /// The person's.
    said: Vec<&'d Line>,
}

impl<'d> Proof<'d> {
    /// What a session shows by what was mended in it, and by the lines a model was shown.
    pub(super) fn new(mends: &'d [Mend], lines: impl Iterator<Item = &'d Line>) -> Self {
        Self { mends, said: lines.filter(|line| line.role == Role::User).collect() }
    }

    /// Whether the session bears out a lesson that a model takes for one: nobody need be asked about it.
    pub(super) fn bears_out(&self, lesson: &Candidate) -> bool {
        lesson.signal != Signal::Unproven
            && lesson.confidence != Confidence::Low
            && match lesson.kind {
                Kind::Fix => self.is_mended(lesson),
                Kind::Idea => self.is_put_off(lesson),
                Kind::Preference | Kind::Workflow => false,
            }
    }

    /// What failed worked after a change, and the lesson is about that: half of its title stands in what was done and said of it, and
    /// something of it in what was done.
    fn is_mended(&self, lesson: &Candidate) -> bool {
        let quotes = lesson.evidence.iter().map(|piece| piece.quote.as_str());
        if is_reversed(&lesson.title, quotes) {
            return false;
        }
        let is_within = |mend: &&Mend| lesson.evidence.iter().any(|piece| mend.lines.contains(&piece.line));
        self.mends.iter().filter(is_within).any(|mend| {
            let done = SupportingWords::of_text(&mend.done);
            done.touch(&lesson.title) && done.with_words(&mend.told).state_directly(&lesson.title)
        })
    }

    /// The person's own words put it off, and have something of it in them.
    fn is_put_off(&self, lesson: &Candidate) -> bool {
        let own: Vec<Evidence> =
            lesson.evidence.iter().filter(|piece| piece.role == Role::User).cloned().collect();
        SupportingWords::of_person(&own, &[]).touch(&lesson.title)
            && own.iter().any(|piece| {
                self.said.iter().filter(|line| line.number == piece.line).any(|line| puts_off(&line.text))
            })
    }
}

/// Whether words leave something for later.
fn puts_off(text: &str) -> bool {
    cues::present(text, cues::language_of(text)).has("later")
}
