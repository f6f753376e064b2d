//! Words in the person's name that somebody else may have written: they are at most asked about, however often they come.
//!
//! Owns what becomes of what was found in them. The transcript says which they are ([`Authorship::Doubtful`]); the miner holds
//! back what one session says, and this holds back what several sessions would make of it.

use std::collections::HashSet;

use afterword_core::{Candidate, Confidence, Evidence, Role, Signal};
use afterword_reflect::builtin::Mined;
use afterword_transcript::event::{Authorship, Event};

/// The lines of a session with words that may be somebody else's.
#[derive(Debug, Default)]
pub(super) struct UnprovenLines(HashSet<u64>);

impl UnprovenLines {
    /// Takes the next event of the session. Who wrote what waited in a queue its delivery says, if there is one.
    pub(super) fn push(&mut self, event: &Event) {
        match event {
            Event::User(said) => {
                self.note(
                    said.authorship,
                    [&said.place].into_iter().chain(&said.also).map(|place| place.line),
                );
            }
            Event::Undelivered(one) => self.note(Authorship::Doubtful, [one.of].into_iter()),
            Event::Repeat(again) => self.note(again.authorship, [again.of, again.place.line].into_iter()),
            _ => {}
        }
    }

    fn note(&mut self, authorship: Authorship, lines: impl Iterator<Item = u64>) {
        for line in lines {
            match authorship {
                Authorship::Doubtful => self.0.insert(line),
                Authorship::Person => self.0.remove(&line),
            };
        }
    }

    /// Takes back what would count or end something without being asked about. Nothing of it is remembered for later sessions:
    /// whoever forges a sentence can forge it three times.
    pub(super) fn hold_back(&self, found: &mut Mined) {
        if self.0.is_empty() {
            return;
        }
        found.observations.retain(|seen| !self.contains(&seen.evidence));
        found.told_before.retain(|earlier| !self.0.contains(&earlier.line));
        found.revisions.retain(|one| !self.is_unproven(&one.candidate));
        self.mark(&mut found.candidates);
    }

    /// Marks candidates that rest on such words, whatever an engine made of them.
    pub(super) fn mark(&self, candidates: &mut [Candidate]) {
        for candidate in candidates.iter_mut().filter(|candidate| self.is_unproven(candidate)) {
            candidate.signal = Signal::Unproven;
            candidate.confidence = candidate.confidence.max(Confidence::Medium);
        }
    }

    fn is_unproven(&self, candidate: &Candidate) -> bool {
        candidate.evidence.iter().any(|piece| self.contains(piece))
    }

    fn contains(&self, piece: &Evidence) -> bool {
        piece.role == Role::User && self.0.contains(&piece.line)
    }
}
