//! What the agent promised to keep to: "from here on every jar gets a label" tells which of the person's words it took for a rule.
//!
//! The promise only points to the person's own words. What is saved is theirs, and what they did not say is no rule.

use std::sync::LazyLock;

use regex::Regex;

use super::pair::shared_things;
use super::words::{pattern, sentences};

/// Sentences of the answer that are looked at: later ones tell of the work.
const FIRST: usize = 3;
/// Things that a promise and the words it answers both name, at least.
const SHARED: usize = 2;

/// What an answer promises to go by from then on, from the first word of the promise in its sentence.
pub(super) fn promises(reply: &str) -> Vec<&str> {
    static PROMISES: LazyLock<Regex> = LazyLock::new(|| {
        pattern(concat!(
            r"(?i)\b(?:i|we)(?:['’]ll| will| won['’]t)\b.*\b(?:always|never|from (?:now|here) on(?:wards?)?|in (?:the )?future|going forward|every time|each time|whenever|any ?more|before (?:any|every|each|adding|i )|after (?:any|every|each)\b)",
            r"|\b(?:from (?:now|here) on(?:wards?)?|going forward|in (?:the )?future),? .*\b(?:will|i['’]ll|we['’]ll|carry|carries|gets?|goes|go|comes?)\b",
            r"|\b(?:ab jetzt|ab sofort|künftig|in zukunft|von nun an)\b|\b(?:a partir de ahora|en adelante|de ahora en más)\b|\b(?:désormais|dorénavant|à partir de maintenant|à l['’]avenir)\b|\b(?:a partir de agora|daqui (?:em|pra|para a) (?:diante|frente)|de agora em diante)\b|\b(?:впредь|отныне|с этого момента)\b|以后|今后|从现在起|从现在开始|今後は|これからは|앞으로는?",
        ))
    });
    let said = sentences(reply).into_iter().take(FIRST);
    said.filter(|sentence| !sentence.trim_end().ends_with(['?', '？']))
        .filter_map(|sentence| Some(&sentence[PROMISES.find(sentence)?.start()..]))
        .collect()
}

/// How well words are what a promise speaks of: the things both name; nothing where they are too few.
pub(super) fn kept_by(words: &str, promises: &[&str]) -> Option<usize> {
    let shared = promises.iter().map(|promise| shared_things(words, promise)).max()?;
    (shared >= SHARED).then_some(shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_promise_points_to_the_words_it_answers() {
        let reply = "Got it, from here on every jar will carry a label with its year. This shelf is done.";
        let promised = promises(reply);
        assert_eq!(promised.len(), 1);
        assert!(kept_by("a jar has its year on the label", &promised).is_some());
        assert!(kept_by("my aunt sends them back otherwise", &promised).is_none());
    }

    #[test]
    fn what_is_done_now_is_no_promise() {
        for reply in ["I'll label the jars now.", "The jars carry labels.", "Should I always label the jars?"]
        {
            assert!(promises(reply).is_empty(), "{reply}");
        }
        for reply in ["Verstanden, Etiketten kommen ab jetzt links.", "好的，以后标签都放左边。"]
        {
            assert_eq!(promises(reply).len(), 1, "{reply}");
        }
    }
}
