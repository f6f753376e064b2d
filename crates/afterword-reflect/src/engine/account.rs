//! What a model says of a session as a whole: what it was about, and how it ended with the words that show it.

use super::check::evidence_of;
use super::contract::{AccountAnswer, Outcome, Quoted};
use super::grounds::SupportingWords;
use super::line::Line;
use crate::builtin::phrase::flat;
use crate::builtin::words::head;
use crate::outcome::Ended;

/// Longest title and reason, in bytes.
const TITLE: usize = 140;
const BECAUSE: usize = 200;

/// What may be believed of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Account {
    /// What the person wanted done; empty where nothing believable was said.
    pub title: String,
    /// How it ended.
    pub ended: Option<Ending>,
}

/// How a session ended, and what shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// How.
    pub ended: Ended,
    /// Why, in a few words.
    pub because: String,
    /// The line of the words that show it.
    pub line: u64,
}

impl Account {
    /// A title has to name something that the person spoke of, and an end has to rest on words that were shown.
    pub(super) fn of(answer: &AccountAnswer, lines: &[Line]) -> Self {
        let title = head(&flat(&answer.title), TITLE).trim().to_owned();
        let says = title.chars().filter(|c| c.is_alphanumeric()).count() >= 8;
        let is_grounded = says && SupportingWords::of_words(lines).touch(&title);
        Self { title: if is_grounded { title } else { String::new() }, ended: ending_of(answer, lines) }
    }

    /// Joins what is said of a later part of the same session: it began with the earlier one, and ended with the later.
    pub(super) fn merged_with(self, later: Self) -> Self {
        let title = if self.title.is_empty() { later.title } else { self.title };
        Self { title, ended: later.ended }
    }
}

fn ending_of(answer: &AccountAnswer, lines: &[Line]) -> Option<Ending> {
    let ended = match answer.outcome {
        Outcome::Success => Ended::Success,
        Outcome::Partial => Ended::Partial,
        Outcome::Failure => Ended::Failure,
        Outcome::Unclear => return None,
    };
    let shown = evidence_of(&Quoted { line: answer.line, quote: answer.quote.clone() }, lines)?;
    let because = head(&flat(&answer.because), BECAUSE).trim().to_owned();
    (!because.is_empty()).then_some(Ending { ended, because, line: shown.line })
}
