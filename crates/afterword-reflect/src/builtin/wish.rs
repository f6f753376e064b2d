//! Whether a sentence says outright how something is to be: "I want …", "it should …", "let's …", "we need to …". What the models
//! take for a lesson by what stands around it is surer where its own words decide.

use std::sync::LazyLock;

use regex::Regex;

use super::words::pattern;

/// Whether the sentence decides, wishes or corrects, in its own words, something that outlasts the next step.
pub(super) fn decides_outright(sentence: &str) -> bool {
    static DECIDES: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"\b(?:i|we)(?:'d| would)? (?:really |also |just |still |only )*(?:want|need|like|rather|prefer|expect(?:ed)?|meant|mean)\b|\b(?:should|must|needs? to|has to|have to|supposed to|ought to)\b|\blet'?s\b|\b(?:better|best) (?:not )?to\b|\b(?:don'?t|do not|no need to|instead|rather than)\b",
        )
    });
    static NEVER: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bnever\b"));
    let lower = sentence.to_lowercase().replace('’', "'");
    let rules_out = || NEVER.is_match(&lower) && !says_what_happened(&lower);
    (DECIDES.is_match(&lower) || rules_out())
        && !is_question(&lower)
        && !is_step(&lower)
        && !is_wondering(&lower)
}

/// "The hook never actually worked", "it is defined, but never called": tells what happened. "A tag is never moved" is a rule.
pub(super) fn says_what_happened(lower: &str) -> bool {
    const RULES: [&str; 9] = ["should", "must", "are", "is", "be", "get", "gets", "shall", "will"];
    const BETWEEN: [&str; 4] = ["actually", "really", "even", "just"];
    let words: Vec<&str> = lower.split_whitespace().collect();
    words.iter().enumerate().skip(1).any(|(at, word)| {
        let rules = words[at.saturating_sub(2)..at].iter().any(|before| RULES.contains(before));
        let mut after = words[at + 1..].iter().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
        let verb = after.find(|word| !BETWEEN.contains(word)).unwrap_or_default();
        matches!(*word, "never" | "always") && verb.ends_with("ed") && !verb.ends_with("need") && !rules
    })
}

/// "Can we do this in the hook": asks, with or without its mark.
fn is_question(lower: &str) -> bool {
    static ASKS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"^(?:(?:and|but|so|ok|okay|hm+|ah|oh|well|yes|no|also|then|wait)[,.]* )*(?:can|could|should|shall|would|will|do|does|did|is|are|isn'?t|aren'?t|was|were|have|has|what|which|why|how|who|where|when)\b(?:n'?t)? (?:we|i|you|it|this|that|they|the|there|not|a|an|my|our|your)\b",
        )
    });
    lower.trim_end().ends_with(['?', '？']) || ASKS.is_match(lower)
}

/// "Let's commit that": the next step of the work.
fn is_step(lower: &str) -> bool {
    static STEP: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"\b(?:let'?s|(?:need|want|like)(?: you)? to|you should|please|we should|have to) (?:now |just |first |then |also |quickly |please )*(?:commit|push|merge|rebase|continue|proceed|go on|start|try|test|check|look|see|run|pop|comment|reply|open|close|write|create|make sure|verify|investigate|debug|find|fix|review|discuss|think|handle|finish|move on|update|build|deploy|restart|rerun|re-run|wait|read|figure|add|generate|extend|modify|improve|implement|understand|know)\b",
        )
    });
    STEP.is_match(lower)
}

/// "I'd imagine it should be there": supposes.
fn is_wondering(lower: &str) -> bool {
    static WONDERS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"\b(?:i wonder|wondering|i'?d imagine|i guess|i suppose|maybe|perhaps|might|not sure|no idea|i don'?t (?:know|see|think|get|understand)|seems|confused|curious)\b",
        )
    });
    WONDERS.is_match(lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_decide() {
        for text in [
            "I want the lamps sorted by room, so that we don't carry two lists",
            "we need to leave the old lamps out of the count, they drown the rest",
            "let's have one list per room",
            "the list should hold the lamps of every room",
            "I meant putting it on the shelf, not in the shop",
            "it's better not to store any names here",
            "a lamp is never moved by hand",
            "never move the lamp by hand",
        ] {
            assert!(decides_outright(text), "{text}");
        }
    }

    #[test]
    fn questions_steps_and_guesses_decide_nothing() {
        for text in [
            "can we do this in the lamp or should we do it in the switch",
            "should the lamp be on?",
            "let's commit that",
            "I'd like to add a lamp to the hall",
            "I'd imagine the lamp should be on",
            "maybe we should dim it",
            "the lamp is on",
            "the dimmer never actually worked, it is a weird thing",
            "the dimmer is wired in the hall but never used by anybody",
        ] {
            assert!(!decides_outright(text), "{text}");
        }
    }
}
