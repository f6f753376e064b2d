//! What is believed of an answer: only what rests, word for word, on lines the model was shown.
//!
//! A session's text may tell a model what to answer, and models make things up. So every quotation is looked up, what has
//! none left is dropped, and a wish or an idea must rest on words of the person.

use afterword_core::{Candidate, Confidence, Evidence, Kind, Role, Signal};

use super::contract::{Proposed, Quoted};
use super::episodes::{Digest, Line};
use crate::builtin::phrase::{flat, title};
use crate::builtin::words::head;

/// Shorter quotations say nothing, in characters without blanks.
const SHORTEST: usize = 6;
/// Longest body and rationale, in bytes.
const BODY: usize = 2_000;
const RATIONALE: usize = 400;
/// Most pieces of evidence.
const EVIDENCE: usize = 8;

/// What was kept of an answer, and the titles of what was not, with the reason.
pub fn checked(proposed: Vec<Proposed>, digest: &Digest) -> (Vec<Candidate>, Vec<(String, &'static str)>) {
    let (mut kept, mut dropped) = (Vec::new(), Vec::new());
    for proposed in proposed {
        let name = head(&flat(&proposed.title), 120).to_owned();
        match candidate(proposed, digest) {
            Ok(candidate) => kept.push(candidate),
            Err(reason) => dropped.push((name, reason)),
        }
    }
    (kept, dropped)
}

fn candidate(proposed: Proposed, digest: &Digest) -> Result<Candidate, &'static str> {
    let mut evidence: Vec<Evidence> = Vec::new();
    for piece in proposed.evidence.iter().take(EVIDENCE).filter_map(|quoted| found(quoted, digest)) {
        if !evidence.contains(&piece) {
            evidence.push(piece);
        }
    }
    let spoken = evidence.iter().any(|piece| piece.role == Role::User);
    if evidence.is_empty() {
        return Err("nothing it quotes stands in the session");
    }
    if !spoken && proposed.kind != Kind::Fix {
        return Err("it rests on no words of the person");
    }
    evidence.sort_by_key(|piece| piece.role != Role::User && proposed.kind != Kind::Fix);
    let title = title(&proposed.title);
    let body = head(proposed.body.trim(), BODY).to_owned();
    if title.chars().filter(|c| c.is_alphanumeric()).count() < 8 || body.is_empty() {
        return Err("its title or body says nothing");
    }
    let explicit = matches!(proposed.signal, Signal::StandingRule | Signal::Correction | Signal::DesignLock);
    let confidence = match proposed.confidence {
        Confidence::High if !(spoken && explicit) => Confidence::Medium,
        confidence => confidence,
    };
    Ok(Candidate {
        kind: proposed.kind,
        confidence,
        signal: proposed.signal,
        title,
        body,
        rationale: head(&flat(&proposed.rationale), RATIONALE).to_owned(),
        evidence,
    })
}

/// Whether a quotation stands in a line that was shown.
pub(super) fn rests_on(quoted: &Quoted, digest: &Digest) -> bool {
    found(quoted, digest).is_some()
}

/// The quotation as it stands in a line that was shown: the one that was named, or else another.
fn found(quoted: &Quoted, digest: &Digest) -> Option<Evidence> {
    let wanted = squeezed(&quoted.quote);
    if wanted.chars().filter(|c| !c.is_whitespace()).count() < SHORTEST {
        return None;
    }
    let named = digest.lines().filter(|line| line.number == quoted.line);
    let others = digest.lines().filter(|line| line.number != quoted.line);
    named.chain(others).find_map(|line| Some(evidence(line, verbatim(&line.text, &wanted)?)))
}

fn evidence(line: &Line, quote: String) -> Evidence {
    Evidence { uuid: line.uuid.clone(), line: line.number, role: line.role, quote }
}

/// The stretch of a text that reads as `wanted` when white space is folded; never across what was left out of it.
fn verbatim(text: &str, wanted: &str) -> Option<String> {
    text.split("[…]").find_map(|part| {
        let starts = part.char_indices().filter(|(_, c)| wanted.starts_with(*c));
        starts.map(|(start, _)| &part[start..]).find_map(|rest| {
            let mut expected = wanted.chars();
            let mut next = expected.next();
            let mut blank = false;
            for (at, c) in rest.char_indices() {
                let Some(want) = next else { return Some(rest[..at].trim_end().to_owned()) };
                if c.is_whitespace() {
                    if want == ' ' {
                        next = expected.next();
                    } else if !blank {
                        return None;
                    }
                    blank = true;
                } else if c == want {
                    blank = false;
                    next = expected.next();
                } else {
                    return None;
                }
            }
            next.is_none().then(|| rest.trim_end().to_owned())
        })
    })
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
