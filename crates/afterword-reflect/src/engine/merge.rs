//! One list from what the built-in engine found and what a model made of it.
//!
//! A model words a lesson better; the rules know for certain what was said outright. So nothing the rules were certain of is
//! lowered or lost, and what both found keeps the rules' evidence first, by which it is known again. A session's text may tell
//! the model what to say: what it alone is sure of is put up for review, and words of its own that have little to do with what
//! they rest on do not take the place of the rules'.

use std::collections::BTreeSet;

use afterword_core::{Candidate, Confidence, Evidence, Role, Signal};

/// Joins both. What the rules were not certain of and the model does not confirm becomes a single inference.
pub fn merged(found: Vec<Candidate>, proposed: Vec<Candidate>) -> Vec<Candidate> {
    let mut proposed: Vec<Option<Candidate>> = proposed.into_iter().map(Some).collect();
    let mut all = Vec::new();
    for mut candidate in found {
        let same =
            proposed.iter_mut().find(|other| other.as_ref().is_some_and(|other| is_same(&candidate, other)));
        match same.and_then(Option::take) {
            Some(better) => {
                candidate.confidence = candidate.confidence.min(better.confidence);
                let said = stems(candidate.evidence.iter().chain(&better.evidence));
                if is_grounded(&better.title, &said, TITLE) {
                    candidate.title = better.title;
                    if is_grounded(&better.body, &said, BODY) {
                        candidate.body = better.body;
                    }
                }
                candidate.rationale = format!("{} The model: {}", candidate.rationale, better.rationale);
                for piece in better.evidence {
                    if !candidate.evidence.iter().any(|known| known.line == piece.line) {
                        candidate.evidence.push(piece);
                    }
                }
            }
            // Patterns over many messages or sessions are not in what the model was shown.
            None if candidate.confidence == Confidence::Medium
                && candidate.signal != Signal::RepeatedPattern =>
            {
                candidate.confidence = Confidence::Low;
                candidate.rationale.push_str(" The model did not take it up.");
            }
            None => {}
        }
        all.push(candidate);
    }
    all.extend(
        proposed
            .into_iter()
            .flatten()
            .map(|alone| Candidate { confidence: alone.confidence.max(Confidence::Medium), ..alone }),
    );
    all.sort_by_key(|candidate| candidate.confidence);
    all
}

/// One word in so many has to stand in what was quoted.
const TITLE: usize = 3;
const BODY: usize = 4;
/// Shorter words say nothing of what a text is about; of longer ones only so many letters count, for their endings.
const STEM: usize = 4;

fn stems<'e>(evidence: impl Iterator<Item = &'e Evidence>) -> BTreeSet<String> {
    evidence.flat_map(|piece| stems_of(&piece.quote)).collect()
}

fn stems_of(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let stem = |word: &str| word.to_lowercase().chars().take(STEM).collect::<String>();
    words.map(stem).filter(|stem| stem.chars().count() == STEM).collect()
}

/// Whether one word in `of` at least is among those that were said.
fn is_grounded(wording: &str, said: &BTreeSet<String>, of: usize) -> bool {
    let stems = stems_of(wording);
    let known = stems.iter().filter(|stem| said.contains(*stem)).count();
    known > 0 && known * of >= stems.len()
}

/// Both are of a kind and rest on the same words of the person, or of the agent where it is a fix.
fn is_same(one: &Candidate, other: &Candidate) -> bool {
    let lines = |candidate: &Candidate, role: Role| -> Vec<u64> {
        candidate.evidence.iter().filter(|piece| piece.role == role).map(|piece| piece.line).collect()
    };
    one.kind == other.kind
        && [Role::User, Role::Assistant].into_iter().any(|role| {
            let needed = role == Role::User || one.kind == afterword_core::Kind::Fix;
            needed && lines(one, role).iter().any(|line| lines(other, role).contains(line))
        })
}
