//! What becomes of a small model's answer: it can add to what the built-in engine found, and takes nothing away.
//!
//! Models of a few hundred million parameters take errands for rules and copy the instructions' examples. So what was found
//! stays, as it is rated and with the text it has; a likely one may get a better title, in words it rests on. What only the
//! model found was seen once by somebody who may be wrong: it goes to the inbox, whatever the model says of it.

use std::collections::BTreeSet;

use afterword_core::{Candidate, Confidence, Role};

use super::check::AcceptedLesson;
use super::grounds::{SupportingWords, negates};
use super::line::Line;
use super::merge::Merged;

/// What was found, and what a small model adds to it.
pub(super) fn supplemented(found: Vec<Candidate>, lessons: Vec<AcceptedLesson>) -> Merged {
    let mut candidates = found;
    let mut worded = vec![false; candidates.len()];
    let mut merged = Merged::default();
    let mut added: Vec<Candidate> = Vec::new();
    for lesson in lessons {
        let is_same = |known: &Candidate| is_about_the_same(known, &lesson.candidate);
        if let Some(at) = candidates.iter().position(is_same) {
            if !worded[at] && is_better_title(&candidates[at], &lesson.candidate.title) {
                candidates[at].title.clone_from(&lesson.candidate.title);
                worded[at] = true;
            }
        } else if lesson.is_grounded && !added.iter().any(is_same) {
            added.push(Candidate { confidence: Confidence::Low, ..lesson.candidate });
        } else {
            let why = "it has nothing to do with what it quotes, or was said before".to_owned();
            merged.dropped.push((lesson.candidate.title, why));
        }
    }
    candidates.extend(added);
    merged.candidates = candidates;
    merged.candidates.sort_by_key(|candidate| candidate.confidence);
    merged
}

/// Whether a text says something of a session: half of its words were said there, and it does not say the same again and again.
pub(super) fn is_of_session(text: &str, lines: &[Line]) -> bool {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let different: BTreeSet<&String> = words.iter().collect();
    different.len() * 2 >= words.len() && SupportingWords::of_lines(lines).state_directly(text)
}

/// Both rest on the same message.
fn is_about_the_same(one: &Candidate, other: &Candidate) -> bool {
    one.evidence
        .iter()
        .any(|piece| other.evidence.iter().any(|known| (known.line, known.role) == (piece.line, piece.role)))
}

/// Whether a title may stand in place of the rules': of what is not certain, and with half of its words in common both ways, and no "not" more or less.
fn is_better_title(known: &Candidate, title: &str) -> bool {
    let own = known.evidence.iter().any(|piece| piece.role == Role::User);
    own && known.confidence != Confidence::High
        && SupportingWords::of_found(known).state_directly(title)
        && SupportingWords::of_text(title).state_directly(&known.title)
        && negates(title) == negates(&known.title)
}
