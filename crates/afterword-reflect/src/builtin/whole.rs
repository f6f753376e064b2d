//! A rule with the words it needs to be understood: the rest of its sentence, the sentence it points back to, what narrows it.

use std::sync::LazyLock;

use regex::Regex;

use super::clause::narrows;
use super::cues;
use super::extent::means_all;
use super::ngrams::{is_unspaced, words};
use super::reading::{ReadClause, Reading};
use super::words::pattern;

/// How long a rule may become with what it points back to, in bytes.
const LONGEST: usize = 240;
/// How long a sentence may be that a rule hangs on for what it names, in bytes.
const NAMED: usize = 90;
/// Most words (with their two marks and the comma) that end a sentence and belong to the part before them.
const TAIL: usize = 4;
/// Most words of an item that only says from when on: "nothing else, from now on".
const MARK: usize = 8;
/// Beginnings that point back to the sentence before.
const POINTS_BACK: [&str; 24] = [
    "that one ",
    "we do that for",
    "we do it like",
    "do that for",
    "that goes for",
    "same goes for",
    "goes for",
    "applies to",
    "gilt für",
    "vale para",
    "ça vaut pour",
    "that's",
    "thats",
    "that is",
    "this is",
    "i do that",
    "i'll do that",
    "das ist",
    "so ist",
    "c'est",
    "eso es",
    "isso é",
    "это",
    "それ",
];

pub(super) fn points_back(text: &str) -> bool {
    static LEANS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"\b(?:(?:more|less|longer|shorter|bigger|smaller|higher|lower|older|newer) than (?:that|this)|(?:(?:has|have|needs?) to|must|should) be like (?:that|this)|(?:are|is|gets?) (?:called|named|done|written|made|built|laid out) (?:like|as) (?:that|this)|(?:must|has to|have to|should|needs to) (?:have|get) one)\b",
        )
    });
    let lower = text.to_lowercase().replace('’', "'");
    let lower = ["and ", "but ", "so "].iter().find_map(|word| lower.strip_prefix(word)).unwrap_or(&lower);
    // "Under 40 lines, nothing longer than that" and "like this: …" point to their own sentence.
    let points_out = |found: regex::Match<'_>| {
        !lower[..found.start()].contains(|c: char| matches!(c, ',' | ':') || c.is_ascii_digit())
            && !lower[found.end()..].trim_start().starts_with(':')
    };
    POINTS_BACK.iter().any(|start| lower.starts_with(start)) || LEANS.find(lower).is_some_and(points_out)
}

/// Rules with the words they need to be understood. What only points back to another rule is none of its own.
pub(super) fn completed(found: &[ReadClause], reading: &Reading, own: &str) -> Vec<ReadClause> {
    let of = |clause: &ReadClause| {
        // "…, no exceptions, from here on" takes two steps.
        let whole = complete(complete(*clause, reading, own), reading, own);
        let holds_another = found.iter().any(|other| other != clause && whole.holds(other));
        (whole == *clause || !holds_another).then(|| narrowed(whole, reading, own))
    };
    let completed: Vec<ReadClause> = found.iter().filter_map(of).collect();
    let completed = in_sequence(completed, reading, own);
    // "Every time, also on test" belongs to the rule before it.
    let is_held = |clause: &ReadClause| {
        completed.iter().any(|other| other.length > clause.length && other.holds(clause))
    };
    completed.iter().filter(|clause| !is_held(clause)).copied().collect()
}

/// "Before a release, switch to main, pull, then tag": steps of one sentence are one rule.
fn in_sequence(rules: Vec<ReadClause>, reading: &Reading, own: &str) -> Vec<ReadClause> {
    static THEN: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i), (?:and )?(?:then|dann|luego|después|puis|ensuite|depois|потом|затем)\b|[，、](?:然后|それから)",
        )
    });
    static WHEN: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:before|after|when|whenever|if|once|bevor|nachdem|wenn|antes|cuando|avant|quand|перед|когда)\b",
        )
    });
    let whole = |rule: ReadClause| match reading.sentence_of(&rule) {
        Some(sentence)
            if rule.partial
                && sentence.length <= LONGEST
                && (rule.start == sentence.start || WHEN.is_match(sentence.text(own)))
                && THEN.is_match(sentence.text(own)) =>
        {
            ReadClause { start: sentence.start, length: sentence.length, partial: false, ..rule }
        }
        _ => rule,
    };
    let mut joined: Vec<ReadClause> = Vec::new();
    for rule in rules.into_iter().map(whole) {
        match joined.iter_mut().find(|known| known.start == rule.start && known.length == rule.length) {
            Some(known) if rule.act.rule > known.act.rule => *known = rule,
            Some(_) => {}
            None => joined.push(rule),
        }
    }
    joined
}

/// A rule with the short sentence after it that narrows it.
fn narrowed(clause: ReadClause, reading: &Reading, own: &str) -> ReadClause {
    let end = clause.start + clause.length;
    // "…, kebab-case": the word that ends its sentence.
    let sentence = reading.sentence_of(&clause).filter(|_| clause.partial);
    let whole_end = sentence.map(|sentence| sentence.start + sentence.length).filter(|whole_end| {
        *whole_end > end && words(own.get(end..*whole_end).unwrap_or_default()).len() <= TAIL
    });
    let end = whole_end.unwrap_or(end);
    let clause = ReadClause { length: end - clause.start, ..clause };
    let next = reading.clauses.iter().find(|other| !other.partial && !other.listed && other.start >= end);
    match next.filter(|next| narrows(next.text(own))) {
        Some(next) => ReadClause { length: next.start + next.length - clause.start, ..clause },
        None => clause,
    }
}

/// A rule with the words it needs to be understood: "…, from now on" with the rest of its sentence, "that's my limit for functions" with
/// the sentence before.
pub(super) fn complete(clause: ReadClause, reading: &Reading, own: &str) -> ReadClause {
    let text = clause.text(own);
    let end = clause.start + clause.length;
    let marks_time =
        clause.listed && words(text).len() <= MARK && cues::present(text, reading.language).has("from_now");
    let names_nothing = marks_time
        || clause.partial && means_all(text, reading.language)
        || clause.partial && takes_up(text)
        || (clause.partial || clause.listed)
            && !text.contains('`')
            && !(clause.listed && text.chars().any(is_unspaced))
            && !words(text).iter().any(|word| word.chars().count() > 3 && !cues::is_common(word));
    let sentence = reading.sentence_of(&clause).filter(|_| clause.partial);
    if let Some(sentence) = sentence
        && sentence.length <= LONGEST
        && own.get(end..).is_some_and(gives_a_reason_before)
    {
        return ReadClause { start: sentence.start, length: sentence.length, partial: false, ..clause };
    }
    let begins = sentence.is_none_or(|sentence| sentence.start == clause.start);
    let leans = begins && !clause.listed && reading.language == 0 && leans_on_what_was_named(text);
    let end = sentence.filter(|_| leans).map_or(end, |sentence| sentence.start + sentence.length);
    let points_back = points_back(text) || leans;
    if !names_nothing && !points_back {
        return clause;
    }
    let whole = |other: &&ReadClause| !other.partial && other.listed == (names_nothing && clause.listed);
    let before = reading.clauses.iter().filter(whole).rfind(|other| {
        if names_nothing && clause.listed {
            other.start < clause.start && other.length > clause.length
        } else if names_nothing || points_back && clause.partial && other.holds(&clause) {
            other.start < clause.start && end <= other.start + other.length
        } else {
            other.start + other.length <= clause.start
        }
    });
    match before {
        Some(before) if leans && before.length > NAMED => clause,
        Some(before) if end - before.start <= LONGEST => {
            ReadClause { start: before.start, length: end - before.start, partial: false, ..clause }
        }
        _ => clause,
    }
}

/// "The kiln is new, so we fire at 900 from now on": what was taken for the rule is why it holds.
fn gives_a_reason_before(after: &str) -> bool {
    static SO: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?i)^,? (?:and )?so (?:it|we|you|i|the|they|from|use|no|please|all|any|every)\b")
    });
    SO.is_match(after)
}

/// "I don't want them anywhere", "every shelf, every time": whole sentences that hang on what the one before them named.
fn leans_on_what_was_named(text: &str) -> bool {
    static THEM: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:(?:and|but|so|no|please|i|we|you|just|always|never|don['’]?t|do not|really|ever|want|need|like|use|let['’]?s|have|put|keep|make|write|to|see) )+(?:them|those|these|any of (?:them|those|these))\b",
        )
    });
    static HOW_FAR: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:(?:also|even|and|in|on|for|across) )*(?:every|each|any|all) (?:single )?[\w-]+(?:,? (?:and )?(?:(?:(?:in|on|for|also|even|across) )*(?:every|each|any|all) (?:single )?[\w-]+|always|no exceptions?))+[.!]*$|^(?:also|same|even) for \S+(?: \S+){0,5}$",
        )
    });
    THEM.is_match(text) || HOW_FAR.is_match(text)
}

/// "…, and let's make that the tool for all plots": what was named before in the sentence.
fn takes_up(part: &str) -> bool {
    static TAKES_UP: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:and |so |then |please |let'?s |we'?ll |we )*(?:make|call|use|keep|take|consider) (?:that|it|this|those|them)\b",
        )
    });
    TAKES_UP.is_match(part)
}

#[cfg(test)]
mod tests {
    use super::super::guidance::alone;
    use super::super::language::Language;
    use super::super::models::Models;
    use super::*;

    fn whole(said: &str) -> Vec<String> {
        let reading = Reading::of(&alone(said), Language::english(), Models::shipped());
        let found = reading.sentences(said, |act| act.rule, 0.3);
        completed(&found, &reading, said).iter().map(|clause| clause.text(said).to_owned()).collect()
    }

    #[test]
    fn a_rule_takes_along_what_it_hangs_on() {
        for said in [
            "lose the glitter. i don't want them anywhere, not on the lids, not on the boxes",
            "sand it first! every board, every time",
            "the new kiln is hot, so we fire at 900 now, for all of them",
        ] {
            assert_eq!(whole(said), [said]);
        }
        assert_eq!(
            whole("lose the glitter. we never put glitter on lids here"),
            ["we never put glitter on lids here"]
        );
    }
}
