//! One list from what the built-in engine found and what a model made of it.
//!
//! What the model drops is gone, what it keeps takes its words, and what it was not shown, or did not answer for, stays as it
//! was rated. What the rules were certain of stays certain unless it is dropped, and what both found keeps the rules' evidence
//! first, by which it is known again. Words of a model that have little to do with what they rest on do not take the
//! place of the rules'.

use afterword_core::{Candidate, Confidence, Evidence, Kind, Role, Signal};

use super::check::{AcceptedLesson, begun_with, split_rule};
use super::contract::{CandidateAnswer, CandidateVerdict};
use super::grounds::{BODY, SupportingWords, TITLE, is_opposite, is_reversed};
use super::proof::Proof;

/// Words of a sentence at least; "2" picks an option.
const SENTENCE: usize = 4;

/// What a model made of one part of a session.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PartReading {
    /// The candidates it was shown, by their index; it knows them by their place here, from 1.
    pub shown: Vec<usize>,
    /// What is to become of them.
    pub answers: Vec<CandidateAnswer>,
    /// Lessons that may be believed.
    pub lessons: Vec<AcceptedLesson>,
}

/// What a model said of a lesson besides its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelRemark {
    /// The lesson, by its title and the line of its first evidence.
    pub title: String,
    /// The line.
    pub line: u64,
    /// It is said to hold everywhere.
    pub everywhere: bool,
    /// The known lesson that is said to say the same: an index.
    pub same_as: Option<usize>,
    /// The known lesson that is said no longer to hold: an index.
    pub replaces: Option<usize>,
}

/// What came of joining.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Merged {
    /// The certain ones first.
    pub candidates: Vec<Candidate>,
    /// What was left out, and why.
    pub dropped: Vec<(String, String)>,
    /// What was said of some of them besides.
    pub remarks: Vec<ModelRemark>,
}

/// Joins what was found with what a model made of it. What it takes for a lesson is certain where the session itself shows as much.
pub fn merged(found: Vec<Candidate>, readings: Vec<PartReading>, proof: &Proof<'_>) -> Merged {
    let mut joining = Merger {
        slots: found
            .into_iter()
            .map(|candidate| Slot { candidate: Some(candidate), reworded: false, affirmed: false })
            .collect(),
        merged: Merged::default(),
    };
    for reading in readings {
        joining.take(reading);
    }
    let Merger { mut slots, mut merged } = joining;
    for slot in slots.iter_mut().filter(|slot| slot.affirmed) {
        let borne_out = slot.candidate.as_mut().filter(|candidate| proof.bears_out(candidate));
        borne_out.into_iter().for_each(|candidate| candidate.confidence = Confidence::High);
    }
    merged.candidates = slots.into_iter().filter_map(|slot| slot.candidate).collect();
    merged.candidates.sort_by_key(|candidate| candidate.confidence);
    merged
}

struct Slot {
    candidate: Option<Candidate>,
    reworded: bool,
    /// The model takes it for a lesson.
    affirmed: bool,
}

struct Merger {
    slots: Vec<Slot>,
    merged: Merged,
}

impl Merger {
    fn take(&mut self, reading: PartReading) {
        let slot_of = |n: usize| n.checked_sub(1).and_then(|at| reading.shown.get(at)).copied();
        // Before any is worded anew: what is dropped does not take the words of another.
        for answer in reading.answers.iter().filter(|answer| answer.verdict == CandidateVerdict::Drop) {
            let has_lesson = reading.lessons.iter().any(|lesson| lesson.n == answer.n);
            if let Some(at) = slot_of(answer.n).filter(|_| !has_lesson) {
                self.drop(at, &format!("the model dropped it: {}", answer.why));
            }
        }
        let kept: Vec<usize> = reading
            .answers
            .iter()
            .filter(|answer| answer.verdict == CandidateVerdict::Keep)
            .map(|answer| answer.n)
            .collect();
        let own =
            |lesson: &AcceptedLesson| slot_of(lesson.n).filter(|at| self.may_refine(*at, &lesson.candidate));
        let worded: Vec<usize> = reading.lessons.iter().filter_map(own).collect();
        // What is to stay, or to go into another, or has words of its own, takes no other lesson's.
        let is_answered = |at: usize| {
            let mut verdicts =
                reading.answers.iter().filter(|answer| answer.verdict != CandidateVerdict::Reword);
            worded.contains(&at) || verdicts.any(|answer| slot_of(answer.n) == Some(at))
        };
        kept.iter().filter_map(|n| slot_of(*n)).for_each(|at| self.confirm(at));
        for lesson in reading.lessons {
            let of = slot_of(lesson.n);
            let named = of.filter(|at| self.may_refine(*at, &lesson.candidate));
            if let (Some(at), None) = (of, named) {
                self.say_better(at, &lesson);
            }
            let same = || {
                (0..self.slots.len()).filter(|at| !is_answered(*at)).find(|at| {
                    self.may_refine(*at, &lesson.candidate) && self.is_same(*at, &lesson.candidate)
                })
            };
            match named.or_else(same) {
                Some(at) => self.reword(at, lesson),
                None if !lesson.is_grounded => {
                    let why = "its title has nothing to do with what it quotes".to_owned();
                    self.merged.dropped.push((lesson.candidate.title, why));
                }
                None => {
                    self.remark(&lesson, &lesson.candidate);
                    let mut candidate = lesson.candidate;
                    if !lesson.has_grounded_body {
                        candidate.body = quoted(&candidate.evidence);
                    }
                    self.slots.push(Slot { candidate: Some(candidate), reworded: true, affirmed: true });
                }
            }
        }
        for answer in reading.answers.iter().filter(|answer| answer.verdict == CandidateVerdict::Merge) {
            if let (Some(at), Some(with)) = (slot_of(answer.n), slot_of(answer.with)) {
                self.join(at, with, &answer.why);
            }
        }
    }

    /// A lesson may be about a candidate only if the two rest on a common line, and each candidate has one wording.
    fn may_refine(&self, at: usize, lesson: &Candidate) -> bool {
        let slot = &self.slots[at];
        let shares = |known: &Candidate| {
            known.evidence.iter().any(|piece| lesson.evidence.iter().any(|other| other.line == piece.line))
        };
        !slot.reworded && slot.candidate.as_ref().is_some_and(shares)
    }

    fn is_same(&self, at: usize, lesson: &Candidate) -> bool {
        // One message may hold several rules.
        let is_about = |known: &Candidate| SupportingWords::of_found(known).carry(&lesson.title, TITLE);
        self.slots[at].candidate.as_ref().is_some_and(|known| is_same(known, lesson) && is_about(known))
    }

    /// What both take for a lesson is likely at least.
    fn confirm(&mut self, at: usize) {
        self.slots[at].affirmed = true;
        if let Some(candidate) = &mut self.slots[at].candidate {
            candidate.confidence = candidate.confidence.min(Confidence::Medium);
        }
    }

    /// The lesson for a candidate rests on other lines: it is one of its own, and what is not certain goes for it.
    fn say_better(&mut self, at: usize, lesson: &AcceptedLesson) {
        let is_open = |known: &Candidate| {
            known.confidence != Confidence::High && known.kind == lesson.candidate.kind && lesson.is_grounded
        };
        if !self.slots[at].reworded && self.slots[at].candidate.as_ref().is_some_and(is_open) {
            self.drop(at, &format!("the model says it by other lines: “{}”", lesson.candidate.title));
        }
    }

    fn drop(&mut self, at: usize, why: &str) {
        if let Some(candidate) = self.slots[at].candidate.take() {
            self.merged.dropped.push((candidate.title, why.trim_end_matches([':', ' ']).to_owned()));
        }
    }

    fn reword(&mut self, at: usize, lesson: AcceptedLesson) {
        let Some(mut candidate) = self.slots[at].candidate.take() else { return };
        let better = lesson.candidate.clone();
        let is_certain = candidate.confidence == Confidence::High;
        let all = [candidate.evidence.clone(), better.evidence.clone()].concat();
        // What is certain takes only words about the same.
        let said =
            if is_certain { SupportingWords::of_found(&candidate) } else { SupportingWords::of(&all, &[]) };
        // Once it was checked against what was picked with it, too. What is saved unasked has to be said outright in other words, too.
        let is_carried = |title: &str| {
            let rests = if is_certain {
                let is_outright = is_said(title, &all) || lesson.own_words.state_directly(title);
                said.state_directly(title) || said.carry(title, TITLE) && is_outright
            } else {
                better.confidence != Confidence::Low || said.carry(title, TITLE)
            };
            rests && !is_opposite(title, better.kind, &all)
        };
        // What a title adds after its rule may be the model's own; the rule stands by itself then.
        let rule = split_rule(&better.title);
        let (whole, part) = (Some((better.title.as_str(), "")), rule);
        let title = [whole, part].into_iter().flatten().find(|(title, _)| is_carried(title));
        if let Some((title, rest)) = title {
            title.clone_into(&mut candidate.title);
            // The rules' text goes with the rules' title.
            let is_grounded = lesson.has_grounded_body || said.carry(&better.body, BODY);
            candidate.body = match (is_grounded, rest) {
                (false, _) => quoted(&better.evidence),
                (true, "") => better.body.clone(),
                (true, rest) => begun_with(rest, &better.body),
            };
            if !is_certain {
                candidate.confidence = better.confidence;
            }
            // A wish rests on the person's words; what was certain stays what it is.
            if !is_certain && candidate.kind != better.kind {
                (candidate.kind, candidate.signal) = (better.kind, better.signal);
                candidate.evidence.sort_by_key(|piece| piece.role != Role::User && better.kind != Kind::Fix);
            }
        }
        if !better.rationale.is_empty() {
            candidate.rationale = format!("{} The model: {}", candidate.rationale, better.rationale);
        }
        // One message may hold several lessons: what is quoted of it for this one is added to what the rules quoted.
        let is_known = |known: &Evidence, piece: &Evidence| {
            known.line == piece.line && (known.role != Role::User || known.quote.contains(&piece.quote))
        };
        for piece in better.evidence {
            if !candidate.evidence.iter().any(|known| is_known(known, &piece)) {
                candidate.evidence.push(piece);
            }
        }
        self.remark(&lesson, &candidate);
        self.slots[at] = Slot { candidate: Some(candidate), reworded: true, affirmed: true };
    }

    fn remark(&mut self, lesson: &AcceptedLesson, candidate: &Candidate) {
        if lesson.everywhere || lesson.same_as.is_some() || lesson.replaces.is_some() {
            self.merged.remarks.push(ModelRemark {
                title: candidate.title.clone(),
                line: candidate.evidence.first().map_or(0, |piece| piece.line),
                everywhere: lesson.everywhere,
                same_as: lesson.same_as,
                replaces: lesson.replaces,
            });
        }
    }

    /// The one goes into the other, which takes its evidence, and its certainty where both are of a kind. What the person's words
    /// made certain is certain in no others: where the other is worded otherwise, it takes the words of the one.
    fn join(&mut self, at: usize, with: usize, why: &str) {
        if at == with || self.slots[with].candidate.is_none() {
            return;
        }
        let Some(mut one) = self.slots[at].candidate.take() else { return };
        if let Some(other) = &mut self.slots[with].candidate {
            // Words of the agent that the person took stay for them to look at.
            if one.kind == other.kind && other.signal != Signal::Approval {
                let is_lent = one.confidence == Confidence::High && other.confidence != Confidence::High;
                other.confidence = other.confidence.min(one.confidence);
                if is_lent && !is_said(&other.title, &one.evidence) {
                    (other.title, other.body) = (one.title.clone(), one.body);
                    other.signal = one.signal;
                    std::mem::swap(&mut other.evidence, &mut one.evidence);
                }
            }
            for piece in one.evidence {
                if !other.evidence.iter().any(|known| known.line == piece.line) {
                    other.evidence.push(piece);
                }
            }
            let why = format!("the model merged it with “{}”: {why}", other.title);
            self.merged.dropped.push((one.title, why.trim_end_matches([':', ' ']).to_owned()));
        }
    }
}

/// Whether a title stands in what the person is quoted with, so that it may be saved unasked.
fn is_said(title: &str, evidence: &[Evidence]) -> bool {
    let quotes = evidence.iter().filter(|piece| piece.role == Role::User).map(|piece| piece.quote.as_str());
    SupportingWords::of_person(evidence, &[]).state_directly(title) && !is_reversed(title, quotes)
}

/// What a lesson quotes, in place of words that rest on nothing that was said: the first quotation that is a sentence. The rest
/// stands below as evidence.
fn quoted(evidence: &[Evidence]) -> String {
    let is_sentence = |piece: &&Evidence| piece.quote.split_whitespace().count() >= SENTENCE;
    let piece = evidence.iter().find(is_sentence).or(evidence.first());
    piece.map(|piece| format!("> {}", piece.quote.trim().replace('\n', "\n> "))).unwrap_or_default()
}

/// Both are of a kind and rest on the same words of the person, or of the agent where it is a fix.
fn is_same(one: &Candidate, other: &Candidate) -> bool {
    let lines = |candidate: &Candidate, role: Role| -> Vec<u64> {
        candidate.evidence.iter().filter(|piece| piece.role == role).map(|piece| piece.line).collect()
    };
    one.kind == other.kind
        && [Role::User, Role::Assistant].into_iter().any(|role| {
            let needed = role == Role::User || one.kind == Kind::Fix;
            needed && lines(one, role).iter().any(|line| lines(other, role).contains(line))
        })
}
