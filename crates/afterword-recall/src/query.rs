//! A query as a person or a prompt has it, reduced to the words that are looked for.

use std::collections::HashSet;

use crate::identifiers;
use crate::stop_words::is_stop_word;

/// Characters of a query that are read: a pasted log says in its beginning what it is about.
const MOST_CHARS: usize = 4096;
/// Words that are looked for.
const MOST_WORDS: usize = 32;
/// The longest word that is looked for, in characters.
const LONGEST_WORD: usize = 64;

/// A query, reduced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    text: String,
    words: Vec<String>,
}

impl Query {
    /// Reduces a text to keywords: no stop words (unless there is nothing else), identifiers whole and in parts, each
    /// once, the first 32. There is no query language: every character that is no letter or digit only separates.
    pub fn new(text: &str) -> Self {
        let text: String = text.chars().take(MOST_CHARS).collect();
        let mut words = distinct(&text, |word| !is_stop_word(word) && word.chars().count() > 1);
        if words.is_empty() {
            words = distinct(&text, |_| true);
        }
        Self { text, words }
    }

    /// The text, as far as it is read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The words that are looked for, in lower case; none in a text without letters and digits.
    pub fn words(&self) -> &[String] {
        &self.words
    }
}

fn distinct(text: &str, counts: impl Fn(&str) -> bool) -> Vec<String> {
    let mut seen = HashSet::new();
    let whole = text.split(|c: char| !c.is_alphanumeric());
    let identifiers = identifiers::parts(text);
    whole
        .chain(identifiers.split(' '))
        .map(str::to_lowercase)
        .filter(|word| !word.is_empty() && word.chars().count() <= LONGEST_WORD && counts(word))
        .filter(|word| seen.insert(word.clone()))
        .take(MOST_WORDS)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_reduced_to_words() {
        let check =
            |text: &str, expected: &str| assert_eq!(Query::new(text).words().join(" "), expected, "{text}");
        check("How do I fix the flaky test?", "fix flaky test");
        check("why is it so", "why is it so");
        check("readTimeout in E0502", "readtimeout e0502 read timeout 0502");
        check("title:x* NEAR(\"a b\") OR -c ^d", "title near titlex");
        check("'; DROP TABLE note; --", "drop table note");
        check("\u{1f389} \u{202e}!?", "");
        check("", "");
        check("Über Straße", "über straße");
    }

    #[test]
    fn enormous_query_is_read_in_part() {
        let query = Query::new(&"word9 other ".repeat(10_000));
        assert!(query.text().chars().count() <= MOST_CHARS && query.words().len() <= MOST_WORDS);
        assert!(Query::new(&"x".repeat(100_000)).words().is_empty());
    }
}
