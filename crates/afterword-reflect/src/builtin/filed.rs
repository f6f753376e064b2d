//! Issues and to-dos the agent filed when it was asked to: each is an idea, and what it is called names it best.

use std::sync::LazyLock;

use afterword_core::{Candidate, Confidence, Kind, KnownReason, Role, Signal};
use afterword_transcript::event::Origin;
use regex::Regex;

use super::language::Language;
use super::moment::Moment;
use super::reasons::sentence;
use super::thread::Weighed;
use super::topic::Topic;
use super::wording;
use super::words::pattern;

/// Messages after the one that asked for it in which what is still to be settled is answered before the issue is filed.
const ANSWERED: usize = 2;
/// Words of such an answer, at most.
const SHORT: usize = 8;
/// Words of a message that asks for nothing else than that something be filed, at most.
const ASKED: usize = 60;

/// Names ideas by the issues that were filed for them, and adds those that were asked for without a word of what they are.
pub(super) fn name_ideas(candidates: &mut Vec<Candidate>, weighed: &[Weighed], language: &'static Language) {
    for (index, item) in weighed.iter().enumerate() {
        let mut filed = filed_after(weighed, index);
        if filed.is_empty() {
            continue;
        }
        let line = item.moment.utterance.place.line;
        let at = |candidate: &Candidate| candidate.evidence.first().is_some_and(|first| first.line == line);
        for idea in candidates.iter_mut().filter(|candidate| candidate.kind == Kind::Idea && at(candidate)) {
            if let Some(best) = nearest(&filed, &item.moment) {
                idea.title = filed.remove(best);
            }
        }
        if !asks_to_file(&item.moment) {
            continue;
        }
        candidates.retain(|candidate| {
            !(candidate.kind == Kind::Preference && candidate.confidence != Confidence::High && at(candidate))
        });
        candidates.extend(filed.into_iter().map(|title| idea(&item.moment, title, language)));
    }
}

/// Drops fixes of what was filed for later right after instead: its cause may be known, mended it is not.
pub(super) fn drop_unmended(candidates: &mut Vec<Candidate>, weighed: &[Weighed]) {
    let line = |index: usize| weighed[index].moment.utterance.place.line;
    for (index, item) in weighed.iter().enumerate() {
        let since = line(index.saturating_sub(ANSWERED));
        let titles: Vec<Topic> = item.moment.follow.filed.iter().map(|title| Topic::of(title)).collect();
        candidates.retain(|candidate| {
            let is_near =
                candidate.evidence.first().is_some_and(|first| (since..=line(index)).contains(&first.line));
            let is_proved = candidate.evidence.iter().any(|piece| piece.role == Role::Tool);
            let is_open = candidate.kind == Kind::Fix && is_near && !is_proved;
            !is_open || titles.iter().all(|title| !tells_of(candidate, title))
        });
    }
}

/// Whether much of a title stands in the sentence that a candidate rests on.
fn tells_of(candidate: &Candidate, title: &Topic) -> bool {
    candidate.evidence.first().is_some_and(|first| title.covered_by(&Topic::of(&first.quote)) >= 0.4)
}

/// What was filed after a message, also where short answers came between.
fn filed_after(weighed: &[Weighed], index: usize) -> Vec<String> {
    let mut filed = weighed[index].moment.follow.filed.clone();
    for item in weighed.iter().skip(index + 1).take(ANSWERED) {
        let moment = &item.moment;
        let answers = matches!(moment.utterance.origin, Origin::Answer { .. })
            || moment.own.split_whitespace().count() <= SHORT && !asks_to_file(moment);
        if !filed.is_empty() || !answers {
            break;
        }
        filed.clone_from(&moment.follow.filed);
    }
    filed
}

/// The title that shares most words with what was said.
fn nearest(filed: &[String], moment: &Moment) -> Option<usize> {
    let said = Topic::of(&moment.own);
    (0..filed.len()).max_by_key(|index| (said.shared(&Topic::of(&filed[*index])), std::cmp::Reverse(*index)))
}

/// "Add a todo for that", "let's open an issue": the person wants something written down for later.
fn asks_to_file(moment: &Moment) -> bool {
    static FILE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:add|create|open|file|make|write|log|put|capture|raise|track|need|todo|to-do)\b[^.?!]{0,60}\b(?:to-?dos?|issues?|tickets?|backlog|follow-?ups?)\b|\badd-todo\b",
        )
    });
    FILE.is_match(&moment.own) && moment.own.split_whitespace().count() <= ASKED
}

fn idea(moment: &Moment, title: String, language: &'static Language) -> Candidate {
    let mut evidence = vec![wording::spoken(&moment.utterance.place, &moment.own)];
    evidence.extend(moment.before.as_ref().map(wording::said));
    Candidate {
        kind: Kind::Idea,
        confidence: Confidence::Medium,
        signal: Signal::FollowUp,
        title,
        body: wording::of_idea(moment, language).body,
        rationale: sentence(KnownReason::Filed.words()),
        evidence,
    }
}
