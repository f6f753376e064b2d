//! What a clause does: states a lasting rule, carries something else worth keeping, puts something off, or nothing of it.
//!
//! Each is a linear model over the clause's words and its circumstances (`ngrams`), learnt from made-up moments in nine languages
//! by `training/clauses.py` into `models/clauses.bin`.

use afterword_transcript::event::Origin;

use super::clause::Clause;
use super::cues;
use super::language::{Language, normalise};
use super::linear::{Heads, SizeError};
use super::moment::Moment;
use super::ngrams::{Row, add_words};
use super::words::head;

/// How likely a clause does what, each 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Act {
    /// It states a lasting rule, plainly enough to be saved without asking.
    pub rule: f32,
    /// It carries something worth keeping of any sort but an idea.
    pub lasting: f32,
    /// It puts something off for later.
    pub idea: f32,
}

/// Beyond four to one hundred and fifty either way a clause model only repeats itself.
const MOST: f32 = 5.0;

impl Act {
    /// How likely each is, as log-odds: rule, lasting, idea.
    pub fn log_odds(&self) -> [f32; 3] {
        [self.rule, self.lasting, self.idea].map(|p| (p / (1.0 - p)).ln().clamp(-MOST, MOST))
    }
}

/// The three models.
#[derive(Debug)]
pub struct ActModel(Heads<3>);

impl ActModel {
    /// Reads the weights.
    ///
    /// # Errors
    /// When there are too few or too many bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, SizeError> {
        Heads::parse(bytes).map(Self)
    }

    /// How likely a clause with these features does what.
    pub fn act(&self, row: &[u32]) -> Act {
        let [rule, lasting, idea] = self.0.likely(row);
        Act { rule, lasting, idea }
    }
}

/// The circumstances of a message, the same for all its clauses.
#[derive(Debug)]
pub struct Circumstances {
    names: Vec<&'static str>,
    /// The language of the message, by its place in [`cues::LANGUAGES`].
    pub language: usize,
}

impl Circumstances {
    /// How a message came, and what its clauses have in common. How the agent took it is not asked: agents promise to keep to what
    /// was meant for now just as readily.
    pub fn of(moment: &Moment) -> Self {
        let mut names = Vec::new();
        // Made-up moments do not tell whether a message was typed, queued or a session's first, so neither is that asked here.
        match moment.utterance.origin {
            Origin::Rejection { .. } | Origin::PlanFeedback { .. } => names.push("came:rejection"),
            Origin::Answer { free_text: true, .. } => names.push("came:answer-own"),
            Origin::Answer { .. } => names.push("came:answer"),
            Origin::Prompt | Origin::Queued | Origin::CommandArguments { .. } | Origin::Shell => {}
        }
        if moment.before.as_ref().is_some_and(|said| said.text.trim_end().ends_with(['?', '？'])) {
            names.push("before:asks");
        }
        Self { names, language: cues::language_of(&moment.own) }
    }
}

fn present(families: &'static super::language::Families, text: &str) -> Vec<String> {
    families
        .names()
        .zip(families.present(text))
        .filter(|(_, there)| *there)
        .map(|(name, _)| name.to_owned())
        .collect()
}

/// The first words of a clause, as far as a phrase of three reaches; of a script without spaces the first letters.
fn start_of(text: &str) -> &str {
    let unspaced = text.chars().take(8).any(super::ngrams::is_unspaced);
    if unspaced {
        return head(text, 18);
    }
    let end = text.match_indices(char::is_whitespace).nth(2).map_or(text.len(), |(at, _)| at);
    &text[..end]
}

/// The features of a clause among the clauses of its message.
pub fn row(
    all: &[Clause<'_>],
    index: usize,
    circumstances: &Circumstances,
    language: &'static Language,
) -> Vec<u32> {
    let clause = all[index];
    let mut row = Row::default();
    add_words(&mut row, "w", clause.text);
    for family in present(&language.person, &normalise(clause.text)) {
        row.add_in("has", &family);
    }
    let here: Vec<&str> = cues::present(clause.text, circumstances.language).names().collect();
    for (at, cue) in here.iter().enumerate() {
        row.add_in("cue", cue);
        for other in &here[at + 1..] {
            row.add(&format!("cue:{cue}+{other}"));
        }
    }
    if here.is_empty() {
        row.add_in("cue", "none");
    }
    // "Never …", "From now on …": how a clause begins says most.
    for cue in cues::present(start_of(clause.text), circumstances.language).names() {
        row.add_in("starts", cue);
    }
    let asks = clause.text.ends_with(['?', '？']);
    row.add_in("clause", if asks { "asks" } else { "states" });
    if clause.listed {
        row.add_in("clause", "listed");
    }
    if clause.partial {
        row.add_in("clause", "partial");
    }
    let whole: Vec<usize> = (0..all.len()).filter(|at| !all[*at].partial).collect();
    let letters = clause.text.chars().count();
    row.add_in("letters", &(letters.max(1).ilog2()).to_string());
    if clause.text.contains('`') {
        row.add_in("clause", "code");
    }
    for name in &circumstances.names {
        row.add(name);
    }
    // What the rest of the message is like: a rule among rules, an errand among errands.
    let from = clause.start;
    let to = clause.start + clause.text.len();
    let before = whole.iter().rev().map(|at| all[*at]).find(|other| other.start + other.text.len() <= from);
    let after = whole.iter().map(|at| all[*at]).find(|other| other.start >= to);
    for (group, neighbour) in [("before", before), ("after", after)] {
        for cue in
            neighbour.iter().flat_map(|other| cues::present(other.text, circumstances.language).names())
        {
            row.add_in(group, cue);
        }
    }
    row.finish()
}
