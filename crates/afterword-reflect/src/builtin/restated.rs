//! What a correction comes to where its own words do not say it: a question, or a sentence that leans on what stood before.
//!
//! "Isn't that tried twice now?" says little next month; "you're right, only the helper should try again" says it. The agent's
//! sentence is the better title, and stays the agent's: such a lesson waits for the person.

use std::sync::LazyLock;

use regex::Regex;

use super::heading::{leans_on_context, points_back};
use super::language::{Language, normalise};
use super::phrase::{capitalise, statement, title};
use super::topic::Topic;
use super::words::{pattern, sentences};

/// Sentences of the answer that are looked at: later ones tell of the work.
const FIRST: usize = 4;
/// Letters of a sentence that says enough by itself, at least and at most.
const LETTERS: std::ops::RangeInclusive<usize> = 30..=220;
/// Words of substance it has, at least.
const WORDS: usize = 4;

/// The agent's sentence for what a heading only asks or points to, where the agent took the person's point.
pub(super) fn restated(heading: &str, reply: &str, language: &Language) -> Option<String> {
    let own = heading.split(" (on ").next().unwrap_or(heading);
    let asks = own.ends_with('?');
    // What was picked of an answered question has its question.
    if own.contains(" → ") || !asks && !leans_on_context(own) {
        return None;
    }
    let lower = normalise(own);
    let requests = ["can we", "could we", "can you", "could you"].iter().any(|words| lower.contains(words));
    let all = sentences(reply);
    let conceded =
        all.iter().take(2).any(|sentence| language.reply.has("reply.concedes", &normalise(sentence)));
    let says = |sentence: &str| {
        let told = conceded.then(|| conceded_point(sentence)).flatten();
        ordered(sentence).or_else(|| told.filter(|told| asks && !requests || wants(told)))
    };
    let found =
        all.into_iter().take(FIRST).find_map(|sentence| says(sentence).filter(|found| is_whole(found)))?;
    Some(title(&found))
}

/// "I'll move the check into the registry": what is done at the person's word, as an order.
fn ordered(sentence: &str) -> Option<String> {
    static DOES: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:i['’]ll|let me|let['’]s|we should|i should)\s+(?:just |simply |now |instead |also )?(?P<rest>(?:move|use|remove|add|make|rename|keep|put|drop|extract|revert|replace|switch|simplify|store|skip|stop|detect|merge|split|inline|delete|avoid)\b.+)$",
        )
    });
    let plain = statement(sentence);
    let rest =
        DOES.captures(&plain)?.name("rest")?.as_str().trim_end_matches(['.', ':', '!', ' ']).to_owned();
    Some(capitalise(&rest))
}

/// A statement of the agent's, without that it agrees; none where it only says what it will look at.
fn conceded_point(sentence: &str) -> Option<String> {
    static WORKS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:let me|let['’]s|i['’]ll|i will|i(?:['’]m| am) going to|i need to|i (?:can )?see|i (?:was|missed|forgot|should have|apologi[sz]e)|sorry|here['’]s|great|good|excellent|thinking|understood|got it|makes sense|option \d|i['’]d|i would|however)\b|✅",
        )
    });
    let plain = statement(sentence);
    let is_of_list = plain.starts_with(['`', '"', '“', '|', '-', '*']) && !wants(&plain);
    (!sentence.trim_end().ends_with([':', '?']) && !is_of_list && !WORKS.is_match(&plain)).then_some(plain)
}

/// Whether a sentence says what should be, and not only what is.
fn wants(sentence: &str) -> bool {
    static WANTS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:should(?:n['’]t)?|must(?:n['’]t)?|never|always|only|rather than|instead|no need|do(?:es)?n['’]t need|most important)\b",
        )
    });
    WANTS.is_match(sentence)
}

fn is_whole(sentence: &str) -> bool {
    LETTERS.contains(&sentence.chars().count())
        && Topic::of(sentence).len() >= WORDS
        && !points_back(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answer_says_what_a_question_comes_to() {
        let english = Language::english();
        let check = |heading: &str, reply: &str, expected: Option<&str>| {
            assert_eq!(restated(heading, reply, english).as_deref(), expected, "{reply}");
        };
        check(
            "Isn't that tried twice now?",
            "You're absolutely right! Only `Queue::send` should try again, its callers never need to.",
            Some("Only `Queue::send` should try again, its callers never need to"),
        );
        check(
            "That prefix says nothing",
            "I'll remove the \"Acme\" prefix from all the handlers.",
            Some("Remove the \"Acme\" prefix from all the handlers"),
        );
        check(
            "It's a made-up key",
            "Good point. I'd suggest that it should stand in a file of its own.",
            None,
        );
        check("Do we need both?", "Good point. Let me look at both of them side by side first.", None);
        check("Do we need both?", "Both are used: one by the window, the other by the command line.", None);
        check(
            "The handlers live in one folder per client",
            "You're right. Only the registry should know of handlers.",
            None,
        );
    }
}
