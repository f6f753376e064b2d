//! What a lesson is for and what it is against: to tell "use A, never B" from "use B, never A", which vectors cannot.
//!
//! English, and no grammar: a negator takes the words that follow it in its clause, up to a preposition. Two texts pull
//! in opposite directions when the first thing one is against is what the other is for, or when one has a word whose
//! opposite the other has. In doubt a word is neither wanted nor unwanted.

use std::collections::HashMap;

use crate::stop_words::is_stop_word;

const NEGATORS: [&str; 27] = [
    "not",
    "never",
    "no",
    "dont",
    "don't",
    "doesn't",
    "doesnt",
    "isn't",
    "isnt",
    "aren't",
    "without",
    "avoid",
    "stop",
    "cannot",
    "can't",
    "cant",
    "mustn't",
    "shouldn't",
    "shouldnt",
    "won't",
    "instead",
    "rather",
    "nor",
    "neither",
    "didn't",
    "unlike",
    "ignore",
];
/// After a negator: it negates nothing ("no more than three", "not only").
const HARMLESS: [&str; 6] = ["more", "less", "only", "longer", "later", "matter"];
/// What follows one of these is a circumstance: it is neither asked for nor refused.
const PREPOSITIONS: [&str; 22] = [
    "in", "on", "at", "for", "by", "from", "of", "to", "into", "with", "when", "while", "that", "which",
    "if", "where", "as", "outside", "inside", "during", "under", "behind",
];
/// What follows one of these is a condition.
const CONDITIONS: [&str; 7] = ["before", "until", "unless", "only", "after", "because", "since"];
/// These make a clause say something about its subject instead of asking for it.
const STATES: [&str; 11] = [
    "allowed",
    "forbidden",
    "permitted",
    "limits",
    "missing",
    "lacked",
    "lacks",
    "may",
    "fine",
    "frozen",
    "banned",
];
/// Words of which a text about the same thing has one or the other.
const OPPOSITES: [(&str, &str); 15] = [
    ("always", "never"),
    ("on", "off"),
    ("enable", "disable"),
    ("enabled", "disabled"),
    ("raise", "lower"),
    ("increase", "decrease"),
    ("more", "fewer"),
    ("first", "last"),
    ("short", "long"),
    ("tabs", "spaces"),
    ("allow", "forbid"),
    ("upper", "lower"),
    ("start", "stop"),
    ("merge", "rebase"),
    ("public", "private"),
];
/// Words that a negator takes at most.
const REACH: usize = 3;
/// The shortest stem that is compared.
const SHORTEST: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sign {
    Wanted,
    Neither,
    Unwanted,
}

/// What a text is for and against.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Polarity {
    words: HashMap<String, Sign>,
    /// For each negator the words it takes, the nearest first.
    against: Vec<Vec<String>>,
    /// Which halves of [`OPPOSITES`] it has.
    halves: Vec<(bool, bool)>,
}

impl Polarity {
    pub(crate) fn of(text: &str) -> Self {
        let lower = text.to_lowercase().replace('’', "'");
        let ends_clause =
            |c: char| matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '(' | ')' | '\n' | '—' | '–');
        let mut polarity = Self::default();
        for clause in lower.split(ends_clause) {
            let words: Vec<&str> = clause
                .split(|c: char| !(c.is_alphanumeric() || c == '\''))
                .filter(|word| !word.is_empty())
                .collect();
            polarity.clause(&words);
        }
        let all: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).collect();
        let has = |word: &str| all.contains(&word);
        polarity.halves = OPPOSITES.iter().map(|(one, other)| (has(one), has(other))).collect();
        polarity
    }

    fn clause(&mut self, words: &[&str]) {
        let is_state = words.iter().any(|word| STATES.contains(word))
            || words.windows(2).any(|pair| pair == ["not", "be"]);
        let is_double =
            words.contains(&"without") && words.iter().any(|word| is_negator(word) && *word != "without");
        let prefers = words.contains(&"prefer");
        let mut taken: Option<Vec<String>> = None;
        let mut circumstance = is_state;
        for (at, word) in words.iter().enumerate() {
            let negates = is_negator(word) || (prefers && *word == "over");
            let is_harmless = words.get(at + 1).is_some_and(|next| HARMLESS.contains(next));
            // "I would rather see a table" is for it; "rather than a table" is not.
            let is_wish = *word == "rather" && words.get(at + 1) != Some(&"than");
            let undone = is_harmless || is_wish || is_state || (is_double && *word == "without");
            if negates && !undone {
                self.against.extend(taken.replace(Vec::new()));
                circumstance = false;
                continue;
            }
            let begun = taken.as_ref().is_some_and(|taken| !taken.is_empty());
            circumstance |= CONDITIONS.contains(word) || (begun && PREPOSITIONS.contains(word));
            if is_stop_word(word) || PREPOSITIONS.contains(word) || word.chars().count() < SHORTEST || negates
            {
                continue;
            }
            let stem = stem(word);
            let sign = match &mut taken {
                _ if circumstance || is_double => Sign::Neither,
                Some(taken) if taken.len() < REACH => {
                    taken.push(stem.clone());
                    Sign::Unwanted
                }
                Some(_) => Sign::Neither,
                None => Sign::Wanted,
            };
            let known = self.words.entry(stem).or_insert(sign);
            *known = sign.max(*known);
        }
        self.against.extend(taken);
    }

    /// Whether the two, being about the same thing, pull in opposite directions.
    pub(crate) fn opposes(&self, other: &Self) -> bool {
        let turned = |one: &Self, other: &Self| {
            one.against.iter().any(|against| {
                let shared = against.iter().find_map(|word| other.words.get(word));
                shared == Some(&Sign::Wanted)
            })
        };
        let has_opposite = self.halves.iter().zip(&other.halves).any(|(one, other)| {
            matches!((one, other), ((true, false), (false, true)) | ((false, true), (true, false)))
        });
        turned(self, other)
            || turned(other, self)
            || (has_opposite && self.against.is_empty() == other.against.is_empty())
    }
}

fn is_negator(word: &str) -> bool {
    NEGATORS.contains(&word)
}

/// A word without its commonest endings: enough for `squash`, `squashed` and `squashing` to be one.
fn stem(word: &str) -> String {
    let word = word.trim_end_matches("'s").trim_matches('\'');
    for ending in ["ings", "ing", "ed", "es", "s", "e"] {
        if let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.chars().count() >= SHORTEST) {
            return stem.to_owned();
        }
    }
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposites_are_told_from_other_words_for_the_same() {
        let check = |one: &str, other: &str, expected: bool| {
            assert_eq!(Polarity::of(one).opposes(&Polarity::of(other)), expected, "{one} | {other}");
            assert_eq!(Polarity::of(other).opposes(&Polarity::of(one)), expected, "{other} | {one}");
        };
        check("Use pnpm, never npm.", "Use npm, not pnpm.", true);
        check("Never squash commits.", "Always squash the commits", true);
        check("Don’t mock the database", "mock the database", true);
        check("Ask before you push.", "push without asking", true);
        check("Flags are off in production", "Flags are on in production", true);
        check("Use pnpm, never npm.", "install with pnpm instead of npm", false);
        check("Never squash commits.", "no squashing of commits, keep them", false);
        check("Ask before you push.", "don't push anything without asking me", false);
        check("Three points at most", "no more than three points", false);
        check("I would rather see the table sorted", "show the table sorted", false);
        check("", "anything", false);
    }
}
