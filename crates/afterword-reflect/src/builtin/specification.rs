//! What a person wants of the thing that is being built ("a poll never blocks"): as firm as a rule, and done with it.

use std::sync::LazyLock;

use regex::Regex;

use super::cues;
use super::reading::{ReadClause, Reading};
use super::topic::Topic;
use super::words::pattern;

/// Sentences of a first message from which on it is a description of what is to be built.
const DESCRIPTION: usize = 5;
/// How likely a sentence must state a rule to be one all the same.
const ALL_THE_SAME: f32 = 0.5;
/// Families of cues that say of a rule that it is meant for all work.
const FOR_ALL: [&str; 6] = ["from_now", "here", "we_habit", "ask_first", "remember", "prefer"];

/// Whether a clause of a session's first message only describes what that message orders.
pub(super) fn specifies(clause: &ReadClause, reading: &Reading, own: &str) -> bool {
    let text = clause.text(own);
    let for_all = cues::present(text, reading.language).has_any(&FOR_ALL);
    if asks_its_user(text)
        || says_what_is_read(text)
        || !for_all && (is_titled(own) || stands_between_steps(clause, reading, own))
    {
        return true;
    }
    if for_all || clause.listed || reading.language != 0 {
        return false;
    }
    if is_of_one_thing(text) && clause.start == 0 {
        return clause.act.rule < ALL_THE_SAME;
    }
    makes_sure_of_what_is_ordered(text, clause, reading, own) || is_one_of_many(clause, reading)
}

/// "Task: always show the hint twice", "story: …": the text of a ticket.
fn is_titled(own: &str) -> bool {
    static TITLED: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^\W*(?:task|(?:user )?story|ticket|feature(?: request)?|bug|todo|requirements?|acceptance criteria|spec)\s*(?:#?\d+)?\s*:",
        )
    });
    TITLED.is_match(own)
}

/// "Split the page in two. Keep every name. Then delete the old one": what stands between two steps of one piece of work is about it.
fn stands_between_steps(clause: &ReadClause, reading: &Reading, own: &str) -> bool {
    let end = clause.start + clause.length;
    let goes_on = |other: &ReadClause| {
        let lower = other.text(own).to_lowercase();
        !other.partial
            && other.start >= end
            && (lower.starts_with("then ") || lower.starts_with("afterwards"))
    };
    clause.start > 0 && reading.clauses.iter().any(goes_on)
}

/// "The app has to ask before it deletes anything": of the user, and not of the person who says it.
fn asks_its_user(text: &str) -> bool {
    static ASKS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^the (?:[\w-]+ ){0,2}[\w-]+ (?:must|should|has to|needs to|shall|will|may) (?:always |never |not )?ask\b",
        )
    });
    ASKS.is_match(text)
}

/// "The hint should read “Please wait”": the words of a thing.
fn says_what_is_read(text: &str) -> bool {
    static READS: LazyLock<Regex> =
        LazyLock::new(|| pattern(r#"(?i)\b(?:should|must|has to|needs to) (?:read|say|show):? ?["“„«]"#));
    READS.is_match(text)
}

/// "The side drawer must never hide the clock": a single thing both know, as the subject of an order.
fn is_of_one_thing(text: &str) -> bool {
    static ONE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?i)^the (?:[\w-]+ ){0,2}[\w-]*[^s\W] (?:must|should|has to|needs to|always|never|may)\b")
    });
    ONE.is_match(text)
}

/// "Poll the gate. Make sure a poll never blocks": of the thing that the sentence before orders.
fn makes_sure_of_what_is_ordered(text: &str, clause: &ReadClause, reading: &Reading, own: &str) -> bool {
    static SURE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:please |and |also )*(?:make sure|ensure|see to it)(?: that)? (?:an?|the|each|every) (?P<what>[\w-]+)\b",
        )
    });
    let Some(found) = SURE.captures(text) else { return false };
    let what = Topic::of(&found["what"]);
    let before =
        reading.clauses.iter().filter(|other| !other.partial && other.start + other.length <= clause.start);
    let ordered: Vec<Topic> = before.map(|other| Topic::of(other.text(own))).collect();
    what.words().any(|word| ordered.iter().any(|topic| topic.words().any(|known| known == word)))
}

/// One firm sentence among many that describe what is to be built.
fn is_one_of_many(clause: &ReadClause, reading: &Reading) -> bool {
    let whole = || reading.clauses.iter().filter(|other| !other.partial);
    let rules = whole().filter(|other| other.act.rule >= 0.3).count();
    clause.act.rule < ALL_THE_SAME && rules <= 1 && whole().count() >= DESCRIPTION
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::act::Act;

    fn clause(own: &str, text: &str, rule: f32) -> ReadClause {
        ReadClause {
            start: own.find(text).unwrap(),
            length: text.len(),
            listed: false,
            partial: false,
            joined: false,
            act: Act { rule, lasting: rule, idea: 0.0 },
            changes: 0.0,
        }
    }

    fn reads(sentences: &[(&str, f32)]) -> (String, Reading) {
        let own = sentences.iter().map(|(text, _)| *text).collect::<Vec<_>>().join(" ");
        let clauses = sentences.iter().map(|(text, rule)| clause(&own, text, *rule)).collect();
        (own, Reading { clauses, language: 0 })
    }

    #[test]
    fn what_the_ordered_thing_does_is_no_rule() {
        let (own, reading) =
            reads(&[("Poll the gate every minute.", 0.0), ("Make sure a poll never blocks.", 0.45)]);
        assert!(specifies(&reading.clauses[1], &reading, &own));
        let (own, reading) = reads(&[("The side drawer must never hide the clock", 0.4)]);
        assert!(specifies(&reading.clauses[0], &reading, &own));
        let (own, reading) = reads(&[("The gate has to ask before it opens.", 0.8)]);
        assert!(specifies(&reading.clauses[0], &reading, &own));
    }

    #[test]
    fn text_of_a_ticket_and_steps_are_no_rules() {
        let (own, reading) = reads(&[("Task: always show the hint twice", 0.8)]);
        assert!(specifies(&reading.clauses[0], &reading, &own));
        let (own, reading) = reads(&[
            ("Split the page in two.", 0.0),
            ("Keep every name.", 0.5),
            ("Then delete the old one.", 0.0),
        ]);
        assert!(specifies(&reading.clauses[1], &reading, &own));
    }

    #[test]
    fn rule_beside_an_order_stays_one() {
        let (own, reading) =
            reads(&[("Poll the gate every minute.", 0.0), ("Never commit a dump of its answers.", 0.45)]);
        assert!(!specifies(&reading.clauses[1], &reading, &own));
        let (own, reading) = reads(&[("The changelog must name every ticket from now on", 0.4)]);
        assert!(!specifies(&reading.clauses[0], &reading, &own));
    }

    #[test]
    fn one_firm_sentence_of_a_long_description_is_part_of_it() {
        let told = [
            ("I need a label printer page.", 0.0),
            ("Two columns.", 0.1),
            ("Oldest first.", 0.1),
            ("Never more than ten on a page.", 0.34),
            ("The button goes beside Save.", 0.1),
        ];
        let (own, reading) = reads(&told);
        assert!(specifies(&reading.clauses[3], &reading, &own));
        let (own, reading) = reads(&[told[0], ("Never more than ten on a page.", 0.8)]);
        assert!(!specifies(&reading.clauses[1], &reading, &own));
    }
}
