//! One list from what the built-in engine found and what a model made of it.
//!
//! A model words a lesson better; the rules know for certain what was said outright. So nothing the rules were certain of is
//! lowered or lost, and what both found keeps the rules' evidence first, by which it is known again.

use afterword_core::{Candidate, Confidence, Role, Signal};

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
                (candidate.title, candidate.body) = (better.title, better.body);
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
    all.extend(proposed.into_iter().flatten());
    all.sort_by_key(|candidate| candidate.confidence);
    all
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
