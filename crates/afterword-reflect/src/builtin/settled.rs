//! What was settled, as one sentence: "Which naming do you prefer? → snake case" is "Naming: snake case".

use std::sync::OnceLock;

use regex::Regex;

use super::phrase::{capitalise, flat, instruction};
use super::question::{answered, is_bare_yes};
use super::topic::Topic;
use super::words::{pattern, sentences};

/// From how many words on an answer says by itself what was settled.
pub(super) const SAYS_ITSELF: usize = 4;
/// From so many characters on an answer is told without its question.
const LONG_ANSWER: usize = 70;

/// A question and its answer in one sentence; both, with an arrow between, where no other wording is known to be faithful. An answer in words
/// of the person's own may stand alone.
pub(super) fn settled(question: &str, answer: &str, in_own_words: bool) -> String {
    let question = flat(question);
    let asked = counted().replace(&question, "");
    // "Want me to change it? (We could either …)": what stands behind it is no part of the question.
    let asked =
        asked.split_once("? (").map_or_else(|| asked.trim().to_owned(), |(asked, _)| format!("{asked}?"));
    let asked = asked.as_str();
    let answer = answer.replace("(Recommended)", "");
    let answer = answer.trim();
    subject(asked)
        .and_then(|subject| of_subject(&subject, answer))
        .or_else(|| of_offer(asked, answer))
        .or_else(|| is_rule(answer).then(|| instruction(answer)))
        .or_else(|| told_by_itself(answer).filter(|_| in_own_words))
        .or_else(|| answered(asked, answer))
        .or_else(|| asks_which_alone(asked).then(|| instruction(answer)))
        .unwrap_or_else(|| format!("{} → {answer}", capitalise(asked)))
}

/// "Which one?", "what do you prefer?": asks about what stood before it, and says nothing of that.
fn asks_which_alone(question: &str) -> bool {
    static WHICH: OnceLock<Regex> = OnceLock::new();
    let which = WHICH.get_or_init(|| {
        pattern(r"(?i)^(?:so,? )?(?:which(?: one| of (?:them|these|those))?(?: (?:do|would) you (?:prefer|like|want))?|what do you (?:prefer|want|think)|your (?:choice|call|pick)|what would you like)\?$")
    });
    which.is_match(question.trim())
}

/// The first sentences of an answer that needs no question to be understood, and is too long to stand behind one.
fn told_by_itself(answer: &str) -> Option<String> {
    static LEANS: OnceLock<Regex> = OnceLock::new();
    let leans = LEANS.get_or_init(|| {
        pattern(r"(?i)^\W*(?:it|this|that|those|these|here|yes|yeah|yep|no|nope|both|neither|same)\b")
    });
    static SENTENCE: OnceLock<Regex> = OnceLock::new();
    let sentence = SENTENCE.get_or_init(|| {
        pattern(r"(?i)\b(?:i|we|you(?:['’]re)?|they|there|will|should|must|don['’]?t|needs?|can)\b")
    });
    if !sentence.is_match(answer)
        || leans.is_match(answer)
        || answer.chars().count() <= LONG_ANSWER
        || Topic::of(answer).len() < SAYS_ITSELF
    {
        return None;
    }
    let mut told = String::new();
    for sentence in sentences(answer) {
        if told.chars().count() > LONG_ANSWER {
            break;
        }
        if !told.contains(sentence) {
            told.push_str(sentence);
            told.push(' ');
        }
    }
    Some(instruction(told.trim_end()))
}

/// "Always keep a copy" needs no question to be understood.
fn is_rule(answer: &str) -> bool {
    let first = answer.split_whitespace().next().unwrap_or_default().to_lowercase();
    matches!(first.as_str(), "always" | "never" | "only") && answer.split_whitespace().count() >= SAYS_ITSELF
}

/// "What should the default port be?" asks for the default port.
fn subject(question: &str) -> Option<String> {
    static SUBJECT: OnceLock<[Regex; 3]> = OnceLock::new();
    let patterns = SUBJECT.get_or_init(|| {
        [
            r"(?i)^what (?:should|would you like|do you want) (?:the |our |your )?(?P<of>[^,;?]{3,70}?)(?: to)? be\?$",
            r"(?i)^(?:which|what) (?P<of>[^,;?]{3,60}?) (?:do|would) you (?:prefer|want|like)(?: (?:me )?to (?:use|take|follow))?\?$",
            r"(?i)^(?:which|what) (?P<of>[^,;?]{3,60}?) (?:should|shall) (?:we|i) (?:use|take|choose|go with|follow)(?: here)?\?$",
        ]
        .map(pattern)
    });
    static WHEN: OnceLock<Regex> = OnceLock::new();
    let when = WHEN.get_or_init(|| {
        pattern(r"(?i)^(?:what (?:should happen|happens|should we do|do we do) (?P<of>(?:when|if) [^?]{5,90})|(?P<first>(?:when|if) [^?]{5,90}), what (?:should happen|happens|should we do))\?$")
    });
    if let Some(found) = when.captures(question) {
        return Some(found.name("of").or(found.name("first"))?.as_str().to_owned());
    }
    let found = patterns.iter().find_map(|pattern| pattern.captures(question))?;
    Some(found["of"].to_owned())
}

/// The answer under what it is an answer to; under "approach" or "option" it must say itself what it is.
fn of_subject(subject: &str, answer: &str) -> Option<String> {
    const GENERIC: [&str; 9] =
        ["approach", "option", "way", "one", "solution", "design", "direction", "path", "alternative"];
    let last = subject.rsplit(' ').next().unwrap_or_default().to_lowercase();
    if GENERIC.contains(&last.trim_end_matches('s')) {
        return (answer.split_whitespace().count() >= SAYS_ITSELF).then(|| instruction(answer));
    }
    Some(format!("{}: {answer}", capitalise(subject)))
}

/// What an offer came to: "Want me to drop the cache? → Yes" or "→ Or better: keep it, and clear it at night".
fn of_offer(question: &str, answer: &str) -> Option<String> {
    static OFFER: OnceLock<Regex> = OnceLock::new();
    static BETTER: OnceLock<Regex> = OnceLock::new();
    let offer = OFFER.get_or_init(|| {
        pattern(r"(?i)^(?:(?:do you )?want me to|would you like me to|would you like to|should (?:i|we)|shall (?:i|we)|or should we|are you ok(?:ay)?(?: with)?|how should (?:i|we) (?:\w+)|what would you like to do)\b\s*(?P<to>[^?]*)\?$")
    });
    let better = BETTER.get_or_init(|| pattern(r"(?i)^(?:or )?better(?: yet)?[:,]?\s+"));
    let found = offer.captures(question)?;
    let offered = found["to"].trim();
    if is_bare_yes(answer) && !offered.contains(" or ") && offered.split_whitespace().count() >= 3 {
        return Some(capitalise(offered));
    }
    let said = better.replace(answer, "");
    (said.split_whitespace().count() > SAYS_ITSELF).then(|| instruction(&said))
}

/// The number of a question among others: "2. Where to?".
fn counted() -> &'static Regex {
    static COUNTED: OnceLock<Regex> = OnceLock::new();
    COUNTED.get_or_init(|| pattern(r"^(?:\(?\d{1,2}[.)]|[A-Za-z][.)]|Q\d*:)\s+"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_and_its_answer_become_one_sentence() {
        let check = |question: &str, answer: &str, expected: &str| {
            assert_eq!(settled(question, answer, true), expected, "{question} {answer}");
        };
        check("What should the default page size be?", "50 rows", "Default page size: 50 rows");
        check("Which date format do you prefer?", "ISO, always", "Date format: ISO, always");
        check("Which database should we use?", "SQLite", "Database: SQLite");
        check("What should happen when a feed is empty?", "Skip it", "When a feed is empty: Skip it");
        check("When a feed is empty, what happens?", "Skip it", "When a feed is empty: Skip it");
        check(
            "Which approach do you prefer?",
            "Read the feed once and keep it",
            "Read the feed once and keep it",
        );
        check("Which approach do you prefer?", "Combination", "Which approach do you prefer? → Combination");
        check("Want me to drop the old cache?", "Yes, please", "Drop the old cache");
        check(
            "Want me to drop the old cache?",
            "Or better: clear it every night at two",
            "Clear it every night at two",
        );
        check(
            "Want me to go on? (We could keep it as well)",
            "Clear it every night at two",
            "Clear it every night at two",
        );
        check("Or ask each time, or keep it?", "Always keep a copy", "Always keep a copy");
        let long = "we keep one list a room, as two of them share a switch and nobody finds it otherwise";
        assert_eq!(
            settled("Where do the lists go?", long, true),
            "We keep one list a room, as two of them share a switch and nobody finds it otherwise"
        );
        assert!(settled("Where do the lists go?", long, false).starts_with("Where do the lists go? → "));
        check("3. Where do the keys go?", "A file for each", "Where do the keys go? → A file for each");
    }
}
