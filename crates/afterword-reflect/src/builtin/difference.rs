//! In what two rules differ that are worded alike: sentences that are close in meaning may want the opposite of each other, or want the
//! same of different things.
//!
//! Only what is all but literally the same is told apart here. Where the words around the difference differ, too, it is another wording.

use super::ngrams::is_unspaced;
use super::swap::{LANGUAGES, is_place, is_said_of_any, tells, tokens};

/// What two rules differ in, as far as their words alone show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// Nothing, or more than words alone can judge.
    None,
    /// One thing stands where another stood, for the same purpose, so that only one of the rules can hold.
    OneThing,
    /// They speak of different things or of different places, and hold side by side.
    Apart,
    /// Two things have traded places: "tabs over spaces" and "spaces over tabs".
    Exchanged,
}

/// Words that stand before a thing which a rule wants or refuses.
const BEFORE_THINGS: [&str; 20] = [
    "use", "using", "prefer", "over", "with", "via", "from", "to", "by", "as", "in", "into", "on", "for",
    "under", "at", "than", "of", "mit", "auf",
];
/// Before these even a common word is a name: "use go", "use just".
const BEFORE_NAMES: [&str; 5] = ["use", "using", "prefer", "over", "via"];
/// Words of every rule, which say nothing of what it is about.
const FRAME: [&str; 5] = ["instead", "rather", "repository", "codebase", "prefer"];
/// Words by which a rule is for or against something; whether two are opposed by them is not judged here.
const POLARITY: [&str; 14] = [
    "always", "never", "not", "no", "don't", "do", "must", "only", "avoid", "immer", "nie", "niemals",
    "nicht", "kein",
];
const SKIPPED: [&str; 8] = ["the", "a", "an", "our", "your", "please", "der", "die"];

/// What the newer of two rules has in other words than the older one.
pub fn difference(newer: &str, older: &str) -> Difference {
    if newer.chars().chain(older.chars()).any(is_unspaced) {
        return Difference::None;
    }
    let words = |text: &str| -> Vec<String> {
        tokens(text).into_iter().filter(|word| !SKIPPED.contains(&word.as_str())).collect()
    };
    let (new, old) = (words(newer), words(older));
    let Some(replaced) = replaced(&old, &new) else { return Difference::None };
    match replaced.as_slice() {
        [] => Difference::None,
        [one, other] if is_exchange(&old, &new, *one, *other) => Difference::Exchanged,
        _ if replaced.iter().any(|(at, in_new)| is_polarity(&old[*at]) || is_polarity(&new[*in_new])) => {
            Difference::None
        }
        _ => of_things(&old, &new, &replaced),
    }
}

/// The same where every replaced word is the name of a thing.
fn of_things(old: &[String], new: &[String], replaced: &[(usize, usize)]) -> Difference {
    let is_content = |at: usize| {
        let word = old[at].as_str();
        tells(word) && !is_said_of_any(word) && !FRAME.contains(&word)
    };
    let shares = (0..old.len()).any(|at| !replaced.iter().any(|(other, _)| *other == at) && is_content(at));
    if !shares {
        // Nothing is left of what either rule is about.
        return Difference::Apart;
    }
    let is_thing = |(at, in_new): &(usize, usize)| {
        let before = old[..*at].iter().rev().find(|word| !is_count(word));
        is_language(&old[*at]) && is_language(&new[*in_new])
            || before.is_some_and(|word| BEFORE_THINGS.contains(&word.as_str()))
    };
    if !replaced.iter().all(is_thing) {
        return Difference::None;
    }
    let forbids =
        ["never", "not", "no", "don't", "avoid"].iter().any(|word| old.iter().any(|one| one == word));
    match replaced {
        [(at, in_new)] if is_language(&old[*at]) && is_language(&new[*in_new]) => Difference::OneThing,
        [(at, _)] if !forbids && !is_place(old, *at) => Difference::OneThing,
        _ => Difference::Apart,
    }
}

fn is_language(word: &str) -> bool {
    LANGUAGES.contains(&word)
}

fn is_polarity(word: &str) -> bool {
    POLARITY.contains(&word)
}

/// Whether each of two words stands where the other stood, in a sentence that puts one before the other.
fn is_exchange(old: &[String], new: &[String], one: (usize, usize), other: (usize, usize)) -> bool {
    const PUTS_FIRST: [&str; 19] = [
        "over", "than", "instead", "rather", "to", "before", "after", "into", "not", "never", "always", "no",
        "avoid", "statt", "vor", "als", "nie", "immer", "nicht",
    ];
    let between = &old[one.0 + 1..other.0];
    old[one.0] == new[other.1]
        && old[other.0] == new[one.1]
        && !is_polarity(&old[one.0])
        && between.iter().any(|word| PUTS_FIRST.contains(&word.as_str()))
}

/// The words of which the one stands where the other stood, by their places in both, if nothing else of weight differs.
fn replaced(old: &[String], new: &[String]) -> Option<Vec<(usize, usize)>> {
    let mut replaced = Vec::new();
    for step in aligned(old, new) {
        match step {
            (Some(at), Some(in_new)) if is_same(&old[at], &new[in_new]) => {}
            (Some(at), Some(in_new)) => {
                let named = |words: &[String], at: usize| {
                    tells(&words[at])
                        || at
                            .checked_sub(1)
                            .is_some_and(|before| BEFORE_NAMES.contains(&words[before].as_str()))
                };
                let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
                let polar = is_polarity(&old[at]) && is_polarity(&new[in_new]);
                if is_number(&old[at])
                    || is_number(&new[in_new])
                    || !(polar || named(old, at) && named(new, in_new))
                {
                    return None;
                }
                replaced.push((at, in_new));
            }
            (Some(at), None) if weighs(&old[at]) || is_polarity(&old[at]) => return None,
            (None, Some(at)) if weighs(&new[at]) || is_polarity(&new[at]) => return None,
            _ => {}
        }
    }
    Some(replaced)
}

/// The words of two sentences one beside the other, with as little put in, left out and replaced as can be.
fn aligned(old: &[String], new: &[String]) -> Vec<(Option<usize>, Option<usize>)> {
    const PUT_IN: u32 = 2;
    const REPLACED: u32 = 2;
    let alone = |word: &String| if weighs(word) { PUT_IN } else { 1 };
    let beside = |one: &String, other: &String| match is_same(one, other) {
        true => 0,
        false if weighs(one) == weighs(other) => REPLACED,
        false => REPLACED + 1,
    };
    let mut costs = vec![vec![0; new.len() + 1]; old.len() + 1];
    for at in 0..old.len() {
        costs[at + 1][0] = costs[at][0] + alone(&old[at]);
    }
    for at in 0..new.len() {
        costs[0][at + 1] = costs[0][at] + alone(&new[at]);
    }
    for (row, one) in old.iter().enumerate() {
        for (column, other) in new.iter().enumerate() {
            costs[row + 1][column + 1] = (costs[row][column] + beside(one, other))
                .min(costs[row][column + 1] + alone(one))
                .min(costs[row + 1][column] + alone(other));
        }
    }
    let (mut row, mut column) = (old.len(), new.len());
    let mut steps = Vec::new();
    while row > 0 || column > 0 {
        let cost = costs[row][column];
        if row > 0
            && column > 0
            && cost == costs[row - 1][column - 1] + beside(&old[row - 1], &new[column - 1])
        {
            (row, column) = (row - 1, column - 1);
            steps.push((Some(row), Some(column)));
        } else if row > 0 && cost == costs[row - 1][column] + alone(&old[row - 1]) {
            row -= 1;
            steps.push((Some(row), None));
        } else {
            column -= 1;
            steps.push((None, Some(column)));
        }
    }
    steps.reverse();
    steps
}

/// Whether a word that only one of two sentences has makes them speak of something else; "two" in "two spaces" does not.
fn weighs(word: &str) -> bool {
    tells(word) && !is_count(word)
}

fn is_count(word: &str) -> bool {
    ["one", "two", "three", "four", "five", "six", "eight", "zwei", "vier"].contains(&word)
}

/// "Commit" and "commits".
fn is_same(one: &str, other: &str) -> bool {
    const STEM: usize = 5;
    let is_long = one.chars().count() >= STEM && other.chars().count() >= STEM;
    one == other || is_long && one.chars().take(STEM).eq(other.chars().take(STEM))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expected: Difference, pairs: &[(&str, &str)]) {
        for (one, other) in pairs {
            assert_eq!(difference(one, other), expected, "{one} / {other}");
            assert_eq!(difference(other, one), expected, "{other} / {one}");
        }
    }

    #[test]
    fn things_that_traded_places_are_a_reversal() {
        check(
            Difference::Exchanged,
            &[
                ("Always use spaces over tabs", "Always use tabs over spaces"),
                ("Never yarn, always bun", "Never bun, always yarn"),
                ("never use yarn here, always use bun", "Never use bun here, always use yarn"),
                ("Use npm, not pnpm", "use pnpm, not npm please"),
                ("Run the tests before the linter", "run the linter before the tests"),
                ("Nimm immer Leerzeichen statt Tabs", "Nimm immer Tabs statt Leerzeichen"),
            ],
        );
        check(
            Difference::None,
            &[
                ("Use vitest and playwright for tests", "Use playwright and vitest for tests"),
                ("Always use bun, never yarn", "Never use yarn, always bun"),
            ],
        );
    }

    #[test]
    fn another_thing_for_the_same_purpose_takes_the_place() {
        check(
            Difference::OneThing,
            &[
                ("Always answer in German", "always answer in English"),
                ("Comments are always in German here", "comments are always in English here"),
                ("Antworte immer auf Deutsch", "Antworte immer auf Englisch"),
                ("Always branch from main", "Always branch from develop"),
                ("Always indent with tabs", "Always indent with two spaces"),
                ("Always write tests with jest", "always write the tests with vitest"),
            ],
        );
    }

    #[test]
    fn rules_of_different_things_hold_side_by_side() {
        let rules = [
            "Never use make in this repository, always use just instead",
            "Never use go in this repository, always use rust instead",
            "Never use at in this repository, always use cron instead",
            "Never use rest in this repository, always use grpc instead",
        ];
        for (at, one) in rules.iter().enumerate() {
            let others = rules[at + 1..].iter();
            check(Difference::Apart, &others.map(|other| (*one, *other)).collect::<Vec<_>>());
        }
        check(
            Difference::Apart,
            &[
                ("Never edit files in vendor/", "never edit files in dist/"),
                ("Always use eslint", "Always use prettier"),
                ("Never push to main", "never push to develop"),
            ],
        );
    }

    #[test]
    fn other_words_for_the_same_are_no_difference() {
        check(
            Difference::None,
            &[
                ("Never edit a merged migration", "Never touch a merged migration"),
                ("Always add a test for a fix", "Always write a test for a fix"),
                ("Run the tests before every commit", "Run tests before each commit"),
                ("Keep functions short", "Keep functions small"),
                ("Always squash commits before merging", "Never squash commits before merging"),
                ("Lines of at most 90 characters", "Lines of at most 120 characters"),
                ("提交之前一定要先跑测试", "提交之前一定要先跑检查"),
            ],
        );
    }
}
