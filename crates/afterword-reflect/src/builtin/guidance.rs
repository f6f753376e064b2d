//! Whether a lesson says by itself what to do: what a session is given it reads without the session it was learned in.
//!
//! Learnt from made-up titles in nine languages and from judged ones of real sessions, by `training/train.py` into `models/titles.bin`.

use std::sync::LazyLock;

use regex::Regex;

use afterword_transcript::event::{Authorship, EntryLocation, Origin, Utterance};

use super::act::{Act, Circumstances, row};
use super::clause::clauses;
use super::cues;
use super::language::Language;
use super::models::Models;
use super::moment::Moment;
use super::outright::{Form, STATED, is_question, stated};
use super::reading::Reading;
use super::words::pattern;

/// How much what the clauses say counts beside what the title does.
const CLAUSES: f32 = 0.5;

/// How likely a question with its answer, or an order for good, tells what to go by, at least.
const DECIDED: f32 = 0.3;

/// How likely a title, read alone, tells a later session what to go by: 0 to 1. A question never does, nor what was cut out of the
/// middle of brackets.
pub fn guidance(title: &str) -> f32 {
    if is_question(title.trim_end()) || is_cut(title) {
        return 0.0;
    }
    let moment = alone(title);
    let models = Models::shipped();
    let all = clauses(&moment.own);
    if all.is_empty() {
        return 0.0;
    }
    let features = row(&all, 0, &Circumstances::of(&moment), Language::english());
    let [by_itself] = models.titles.likely(&features);
    let rule = Reading::of(&moment, Language::english(), models).most().rule;
    let log_odds =
        |likely: f32| (likely / (1.0 - likely).max(f32::EPSILON)).max(f32::EPSILON).ln().clamp(-5.0, 5.0);
    let likely = 1.0 / (1.0 + (-log_odds(by_itself) - CLAUSES * log_odds(rule)).exp());
    if title.contains("? → ") || orders_for_good(title) { likely.max(DECIDED) } else { likely }
}

/// "Always oil a hinge before you hang it": says what to do each time, with what, whatever the nouns are.
fn orders_for_good(title: &str) -> bool {
    static ORDERS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"^(?:Always|Never) (?P<verb>[a-z-]+) (?:an?|any|the|your|our|each|every|to|in|on|with|for|[\w`./-]{4,})\b.* \S+ \S",
        )
    });
    const NO_ORDER: [&str; 10] = ["have", "had", "been", "was", "mind", "seen", "heard", "got", "the", "in"];
    ORDERS
        .captures(title)
        .is_some_and(|found| !NO_ORDER.contains(&&found["verb"]) && !found["verb"].ends_with("ed"))
}

/// Whether words say themselves that they hold for good: "always", "from now on".
pub fn says_for_good(title: &str) -> bool {
    let language = cues::language_of(title);
    let cues = cues::present(title, language);
    let form = Form { text: title, after: "", partial: false, joined: false };
    let first = title.split_whitespace().next().unwrap_or_default().to_lowercase();
    let of_all = matches!(first.as_str(), "every" | "each" | "all");
    (cues.has_any(&["from_now", "always"]) || of_all || stated(form, language) >= STATED)
        && !cues.has("momentary")
}

/// Whether a bracket is closed that was not opened. One that stays open is cut at the end, where less is lost.
pub(super) fn is_cut(title: &str) -> bool {
    let mut open = 0_i32;
    // "b) the short one" counts its points.
    let counted = title.find(')').is_some_and(|at| at <= 2 && !title.starts_with('('));
    title.chars().skip(if counted { 3 } else { 0 }).any(|c| {
        open += match c {
            '(' | '（' => 1,
            ')' | '）' => -1,
            _ => 0,
        };
        open < 0
    })
}

/// What the clauses of a sentence do, at most, read without what stood around it.
pub(super) fn alone_does(sentence: &str) -> Act {
    Reading::of(&alone(sentence), Language::english(), Models::shipped()).most()
}

/// How likely a sentence, read alone, changes some rule: 0 to 1.
pub fn alone_changes(sentence: &str) -> f32 {
    let reading = Reading::of(&alone(sentence), Language::english(), Models::shipped());
    reading.clauses.iter().map(|clause| clause.changes).fold(0.0, f32::max)
}

/// A sentence as a message of its own, with nothing around it.
pub fn alone(sentence: &str) -> Moment {
    Moment {
        own: sentence.to_owned(),
        utterance: Utterance {
            place: EntryLocation { line: 1, uuid: String::new(), time: None, sidechain: false },
            also: Vec::new(),
            origin: Origin::Prompt,
            authorship: Authorship::Person,
            text: sentence.to_owned(),
            attachment: false,
            pasted: Vec::new(),
        },
        index: 0,
        ordinal: 0,
        before: None,
        reply: None,
        lead: super::moment::Activity::default(),
        follow: super::moment::Activity::default(),
        next_words: None,
        rejected: None,
    }
}
