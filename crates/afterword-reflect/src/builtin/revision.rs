//! What a person says in passing that may change a rule they gave before: "the single printers are sold, duplex is the default".
//!
//! Read alone such words are rarely more than a remark. Whether they change a rule is seen beside the rules that hold (`pair`), which
//! the miner does not know: every clause that may do so is told with the note it would become.

use std::cell::LazyCell;
use std::sync::LazyLock;

use afterword_core::{Candidate, Confidence, Kind, KnownReason, Signal};
use afterword_transcript::event::{Authorship, Origin};

use regex::Regex;

use super::agreement::{only_agrees, speaks_of_a_rule};
use super::choice;
use super::cues;
use super::exception::allows_in_a_case;
use super::foreign::{foreign_words, is_foreign, rules_a_quotation};
use super::moment::Moment;
use super::ngrams::words;
use super::pair::{names_a_rule, tells_of_change};
use super::passing::only_objects;
use super::phrase::flat;
use super::plain::{evidence_of, is_own};
use super::reading::{ReadClause, Reading};
use super::reasons::sentence;
use super::redone::Redone;
use super::thread::Weighed;
use super::whole::complete;
use super::wording;
use super::words::{pattern, sentences};

/// How likely a clause must change some rule to be looked at beside those that hold.
pub const LEAST: f32 = 0.08;
/// How likely a clause is a rule to be looked at for that.
const RULE: f32 = 0.36;
/// How likely what was decided between options for good changes some rule.
const DECIDED: f32 = 0.6;
/// Fewer words (with their two marks) say nothing without what they answer.
const FEWEST: usize = 7;

/// A clause that may change a rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Revision {
    /// The lesson it is if it does.
    pub candidate: Candidate,
    /// The clause.
    pub clause: String,
    /// How likely it changes some rule: 0 to 1.
    pub changes: f32,
    /// The message it stands in.
    pub said: String,
    /// What the agent had said last, where the clause points to something it does not name: "ok, then strip them".
    pub answers: Option<String>,
    /// What was offered and not picked, where it was decided for good.
    pub refused: Vec<String>,
    /// Words that went from the agent's work once this was said, where it speaks of what came instead or of a change.
    pub undone: Vec<String>,
    /// It allows something in one place or case, and may be an exception to a rule.
    pub excepts: bool,
}

/// The clauses of a message that may change a rule.
pub(super) fn revisions(item: &Weighed) -> Vec<Revision> {
    let moment = &item.moment;
    let has = |name: &str| item.features.get(name) > 0.0;
    if matches!(moment.utterance.origin, Origin::Shell) || has("words.pasted") {
        return Vec::new();
    }
    let proven = moment.utterance.authorship == Authorship::Person;
    let foreign = foreign_words(&moment.own, item.reading.language);
    let may_change = item.reading.clauses.iter().filter(|clause| {
        let text = clause.text(&moment.own);
        // What is a rule by itself may stand in the place of another without a word of that.
        (clause.changes >= LEAST || clause.rule_unpromised() >= RULE || allows_in_a_case(text))
            && is_own(text, item)
            && !text.ends_with(['?', '？'])
            && words(text).len() >= FEWEST
            && !is_meant_there(clause, &item.reading, &moment.own)
            && (!is_foreign(clause.start..clause.start + clause.length, &foreign) || rules_a_quotation(text))
    });
    // A label is the agent's wording: worded as a rule it ends nothing that the person said. "pnpm" is a choice of theirs.
    let is_label = matches!(moment.utterance.origin, Origin::Answer { free_text: false, .. });
    let is_ruled_by_agent = is_label && speaks_of_a_rule(&moment.own);
    let candidate = |text: &str| {
        let wording = wording::of_rule(moment, text, true);
        let agrees = only_agrees(text) && moment.rejected.is_none() && !choice::picks_for_good(moment);
        let of_agent = wording.is_of_agent || agrees || is_ruled_by_agent;
        Candidate {
            kind: Kind::Preference,
            confidence: if proven && !of_agent { Confidence::High } else { Confidence::Medium },
            signal: if of_agent { Signal::Approval } else { Signal::StandingRule },
            title: wording::of_revision(text),
            body: wording.body,
            rationale: sentence(KnownReason::ChangesBefore.words()),
            evidence: evidence_of(moment, text, true),
        }
    };
    // What was picked says nothing without what it was picked for.
    let decision = choice::decision(moment).filter(|_| choice::decides_for_good(moment));
    let decision = decision.map(|decision| Revision {
        clause: decision.clone(),
        changes: DECIDED,
        answers: None,
        refused: choice::refused(moment),
        undone: Vec::new(),
        excepts: false,
        candidate: Candidate { title: wording::of_revision(&decision), ..candidate(&moment.own) },
        said: moment.own.clone(),
    });
    let redone = LazyCell::new(|| Redone::after(moment));
    let undoes = |clause: &ReadClause, text: &str| {
        clause.rule_unpromised() >= RULE
            && !cues::present(text, item.reading.language).is_for_now()
            && (moment.rejected.is_some() && !only_objects(text)
                || redone.came_as(text)
                || redone.came_as(&moment.own)
                || tells_of_change(text))
    };
    let said = may_change.map(|clause| {
        let whole =
            with_what_holds(complete(*clause, &item.reading, &moment.own), &item.reading, &moment.own);
        let text = clause.text(&moment.own);
        // What only ends something may end what the agent had spoken of, which no rule need be.
        let is_rule = clause.rule_unpromised() >= RULE || names_a_rule(text);
        Revision {
            candidate: candidate(whole.text(&moment.own)),
            clause: text.to_owned(),
            changes: clause.changes,
            said: moment.own.clone(),
            answers: (is_rule && points_to_what_was_said(text)).then(|| last_said(moment)).flatten(),
            refused: Vec::new(),
            undone: if undoes(clause, text) { redone.gone.clone() } else { Vec::new() },
            excepts: allows_in_a_case(text),
        }
    });
    said.chain(decision).collect()
}

/// "For the poster make it red after all. Only there": the next sentence says that it holds for one thing.
fn is_meant_there(clause: &ReadClause, reading: &Reading, own: &str) -> bool {
    static THERE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:but |and )?(?:only|just) (?:there|for (?:that|this|it)|in (?:that|this) (?:one|case)|(?:this|that) (?:once|time|one))[.!]*$",
        )
    });
    let sentence = reading.sentence_with(clause);
    let next = reading.sentence_from(sentence.start + sentence.length);
    next.is_some_and(|next| THERE.is_match(next.text(own)))
}

/// Whether words point to something they do not name.
fn points_to_what_was_said(text: &str) -> bool {
    static POINTS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:that|it|them|they|those|these|this)\b(?: (?:now|then|any ?more|like|before|after|for|by|with|from|as|again)\b|[,.;!]|$)|^(?:(?:no|ok|okay|so|then|and|but|yes)[,.]? )*(?:rather|instead|only|three|four|five|six|\d+)\b",
        )
    });
    POINTS.is_match(text)
}

/// The last sentence of the agent before a message, where it is short enough to be about one thing.
fn last_said(moment: &Moment) -> Option<String> {
    let said = flat(&moment.before.as_ref()?.text);
    let last = sentences(&said).last()?.trim_end_matches(['.', '?', '!', ':']).trim().to_owned();
    (!last.is_empty() && last.len() <= LAST).then_some(last)
}

/// Longest sentence of the agent, in bytes, that tells what is pointed to.
const LAST: usize = 200;

/// Longest sentence, in bytes, that only says what holds in place of what was taken back.
const INSTEAD: usize = 90;

/// "Forget the bit on paper sizes. Letter instead, everywhere": what is taken back, with what holds in its place.
fn with_what_holds(clause: ReadClause, reading: &Reading, own: &str) -> ReadClause {
    let text = clause.text(own);
    let withdraws = cues::present(text, reading.language).has("withdraw");
    let end = clause.start + clause.length;
    let sentence = reading.sentence_with(&clause);
    let next = reading.sentence_from(sentence.start + sentence.length);
    let cues = next.map(|next| cues::present(next.text(own), reading.language));
    let holds =
        cues.is_some_and(|cues| cues.has_any(&["repeat", "from_now", "instead"]) && !cues.has("momentary"));
    match next {
        Some(next)
            if withdraws && holds && next.length <= INSTEAD && !next.text(own).ends_with(['?', '？']) =>
        {
            ReadClause { length: (next.start + next.length).max(end) - clause.start, ..clause }
        }
        _ => clause,
    }
}
