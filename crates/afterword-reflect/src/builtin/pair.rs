//! What a new rule does to an older one: whether it takes its place.
//!
//! Likeness of sentences is not sameness of rules. Two rules that are alike usually hold side by side. That one ends the other is taken
//! from a sign of it ([`turn`]): another number for the same thing, words that tell of a change ("no longer", "these days", "we moved
//! to"), or that one is for what the other is against; or it is weighed ([`likely`]), by weights learnt from made-up pairs
//! (`training/pairs`, printed for the training by `examples/pairs.rs`).

use std::collections::BTreeSet;

use super::cues;
use super::features::Features;
use super::models::Models;
use super::ngrams::is_unspaced;

/// How close a clause is to a rule that it only says again.
const RESTATED: f32 = 0.75;
/// Letters of a word that are compared, so that "commit" and "commits" are one.
const STEM: usize = 5;
/// Families of cues that are weighed, of the clause.
const CUES: [(&str, &str); 14] = [
    ("cue.turn", "turn"),
    ("cue.withdraw", "withdraw"),
    ("cue.from_now", "from_now"),
    ("cue.momentary", "momentary"),
    ("cue.once", "once"),
    ("cue.repeat", "repeat"),
    ("cue.permission", "permission"),
    ("cue.instead", "instead"),
    ("cue.always", "always"),
    ("cue.all", "all"),
    ("cue.order", "order"),
    ("cue.report", "report"),
    ("cue.question", "question"),
    ("cue.later", "later"),
];

/// The longest message, in bytes, that is read for what its rule is about.
const LONGEST_SAID: usize = 400;

/// Two rules of one project, and what was measured of them.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    /// What was said later, in the person's words.
    pub newer: &'a str,
    /// All that was said with it, as far as that is known.
    pub said: &'a str,
    /// What was said before.
    pub older: &'a str,
    /// How close the rules are in meaning, 0 to 1.
    pub closeness: f32,
    /// Whether one is for what the other is against.
    pub opposed: bool,
}

/// By what a rule was seen to end another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// It has another number for the same thing.
    Number,
    /// It was said with words of a change.
    Change,
    /// It is for what the other is against, or against what it is for, and was said with words of a change.
    Opposite,
}

/// Whether the newer rule ends the older one, and by what that is seen.
pub fn turn(pair: &Rules<'_>) -> Option<Turn> {
    let (newer, older) = (Words::of(pair.newer), Words::of(pair.older));
    if pair.newer.trim().is_empty() || pair.older.trim().is_empty() || is_narrower(pair) {
        return None;
    }
    // A long message speaks of more than its rule.
    let said = if pair.said.len() <= LONGEST_SAID { pair.said } else { pair.newer };
    let around = Words::of(said);
    let both = newer.telling.union(&around.telling).filter(|word| older.telling.contains(*word)).count();
    let language = cues::language_of(pair.newer);
    // How close two texts are is known of English only.
    let close = if language == 0 { pair.closeness } else { 0.0 };
    let changes = [pair.newer, said].iter().any(|text| cues::present(text, language).has("turn"));
    let other_number =
        !newer.numbers.is_empty() && !older.numbers.is_empty() && newer.numbers.is_disjoint(&older.numbers);
    let from_now = cues::present(pair.newer, language).has("from_now");
    let near = both > 0 && (close >= 0.35 || language != 0) || close >= 0.5 || from_now && close >= 0.32;
    if other_number && near {
        return Some(Turn::Number);
    }
    if changes && pair.opposed && close >= 0.35 {
        return Some(Turn::Opposite);
    }
    let near = if language == 0 {
        both >= 2 && close >= 0.3 || both == 1 && close >= 0.4 || close >= 0.6
    } else {
        both >= 2
    };
    (changes && near).then_some(Turn::Change)
}

/// A rule for a folder, a case or this once, beside one that holds in general: an exception, which ends nothing.
fn is_narrower(pair: &Rules<'_>) -> bool {
    let language = cues::language_of(pair.newer);
    let folder = |text: &str| {
        text.split_whitespace().any(|word| word.contains('/') && word.chars().any(char::is_alphabetic))
    };
    let cues = cues::present(pair.newer, language);
    let for_now = cues.has("momentary") && !cues.has("from_now");
    for_now || folder(pair.newer) && !folder(pair.older) && !cues.has("turn")
}

/// A clause of a later message beside an earlier rule of the same project.
#[derive(Debug, Clone, Copy)]
pub struct Pair<'a> {
    /// The clause, in the person's words.
    pub clause: &'a str,
    /// How likely the clause changes some rule, read without the earlier one: 0 to 1.
    pub changes: f32,
    /// The message it stands in.
    pub said: &'a str,
    /// The earlier rule, in a sentence.
    pub older: &'a str,
    /// How close clause and rule are in meaning, 0 to 1.
    pub closeness: f32,
    /// Whether one is for what the other is against.
    pub opposed: bool,
    /// How close the words come in which they differ, 0 to 1.
    pub rivalry: f32,
}

/// How likely the clause ends the rule or takes its place: 0 to 1.
pub fn likely(pair: &Pair<'_>) -> f32 {
    // What is said of one folder is an exception to what is said of all.
    let folder = has_folder(pair.clause) && !has_folder(pair.older);
    let language = cues::language_of(pair.said);
    if folder && !cues::present(pair.said, language).has("turn") {
        return 0.0;
    }
    // The same rule said again ends nothing.
    let again = pair.closeness >= RESTATED && !pair.opposed;
    let turns = cues::present(pair.clause, language).has_any(&["turn", "withdraw"]);
    if again && !turns && Words::of(pair.clause).numbers == Words::of(pair.older).numbers {
        return 0.0;
    }
    Models::shipped().pairs.probability(&features(pair))
}

/// The numbers that are weighed.
#[expect(clippy::cast_precision_loss, reason = "counts of words are small")]
pub fn features(pair: &Pair<'_>) -> Features {
    let mut features = Features::default();
    let (newer, older, said) = (Words::of(pair.clause), Words::of(pair.older), Words::of(pair.said));
    let language = cues::language_of(pair.said);
    let shared = newer.telling.intersection(&older.telling).count();
    let around = said.telling.intersection(&older.telling).count();
    let share = |of: usize, all: usize| if all == 0 { 0.0 } else { of as f32 / all as f32 };
    let changes = log_odds(pair.changes);
    features.put("changes", changes);
    features.put("closeness", pair.closeness);
    features.put("closeness.high", (pair.closeness - 0.5).max(0.0));
    features.put("shared.one", f32::from(u8::from(shared > 0)));
    features.put("shared.two", f32::from(u8::from(shared > 1)));
    features.put("shared.older", share(shared, older.telling.len()));
    features.put("shared.newer", share(shared, newer.telling.len()));
    features.put("around.one", f32::from(u8::from(around > 0)));
    features.put("around.older", share(around, older.telling.len()));
    let both = !newer.numbers.is_empty() && !older.numbers.is_empty();
    let other_number = both && newer.numbers.is_disjoint(&older.numbers);
    features.flag("number.other", other_number);
    features.flag("number.same", both && !other_number);
    features.put("number.close", f32::from(u8::from(other_number)) * pair.closeness);
    features.flag("opposed", pair.opposed);
    features.put("rivalry", pair.rivalry);
    features.put("rivalry.high", (pair.rivalry - 0.5).max(0.0));
    features.put("rivalry.close", pair.rivalry * pair.closeness);
    let here = cues::present(pair.clause, language);
    for (name, family) in CUES {
        features.flag(name, here.has(family));
    }
    let around = cues::present(pair.said, language);
    features.flag("said.turn", around.has("turn"));
    features.flag("said.momentary", around.has("momentary"));
    features.flag("asks", pair.clause.trim_end().ends_with(['?', '？']));
    features.flag("folder", has_folder(pair.clause) && !has_folder(pair.older));
    features.put("words", (pair.clause.split_whitespace().count().max(1) as f32).ln());
    // How close two texts are is known of English best.
    features.flag("foreign", language != 0);
    features.put("foreign.shared", f32::from(u8::from(language != 0)) * share(shared, older.telling.len()));
    features.put("changes.shared", changes.max(0.0) * share(shared, older.telling.len()));
    features.put("changes.close", changes.max(0.0) * pair.closeness);
    features
}

fn has_folder(text: &str) -> bool {
    text.split_whitespace().any(|word| word.contains('/') && word.chars().any(char::is_alphabetic))
}

/// Beyond four to one hundred and fifty either way a clause model only repeats itself.
fn log_odds(likely: f32) -> f32 {
    (likely / (1.0 - likely).max(f32::EPSILON)).max(f32::EPSILON).ln().clamp(-5.0, 5.0)
}

/// The words of a rule that tell what it is about, and its numbers.
#[derive(Default)]
struct Words {
    telling: BTreeSet<String>,
    numbers: BTreeSet<String>,
}

impl Words {
    fn of(text: &str) -> Self {
        let mut words = Self::default();
        let lower = text.to_lowercase();
        for word in lower
            .split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '’'))
            .filter(|word| !word.is_empty())
        {
            let plain: String = word.chars().filter(|c| c.is_alphanumeric()).collect();
            if word.starts_with(|c: char| c.is_ascii_digit()) {
                words.numbers.insert(plain);
            } else if word.chars().any(is_unspaced) {
                let letters: Vec<char> = word.chars().collect();
                words.telling.extend(letters.windows(2).map(|two| two.iter().collect()));
            } else if plain.chars().count() > 2
                && !cues::is_common(&plain)
                && !SAID_OF_ANY.contains(&plain.as_str())
            {
                words.telling.insert(plain.chars().take(STEM).collect());
            }
        }
        words
    }
}

/// Words of English rules that tell nothing of what they are about.
const SAID_OF_ANY: [&str; 40] = [
    "say",
    "says",
    "tell",
    "stop",
    "thing",
    "things",
    "time",
    "always",
    "never",
    "every",
    "only",
    "must",
    "use",
    "make",
    "sure",
    "want",
    "keep",
    "put",
    "new",
    "file",
    "files",
    "code",
    "here",
    "now",
    "one",
    "also",
    "like",
    "please",
    "everywhere",
    "everything",
    "anything",
    "project",
    "repo",
    "again",
    "other",
    "more",
    "ever",
    "any",
    "than",
    "need",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(older: &str, said: &str, closeness: f32, expected: Option<Turn>) {
        assert_eq!(turn(&Rules { newer: said, said, older, closeness, opposed: false }), expected);
    }

    #[test]
    fn another_number_for_the_same_ends_the_first() {
        check("Retries: at most 3 per request", "make that 5 retries per request", 0.6, Some(Turn::Number));
        check("请求超时设成 8 秒", "请求超时改成 20 秒", 0.0, Some(Turn::Number));
        check("Lines of at most 90 characters", "at most 3 arguments for a function", 0.3, None);
    }

    #[test]
    fn words_of_a_change_about_the_same_end_it() {
        let older = "Write the changelog by hand with every release";
        check(older, "we no longer write the changelog by hand, towncrier does", 0.5, Some(Turn::Change));
        check(older, "the changelog has a section for every release", 0.6, None);
        check(
            "Immer Tabs zum Einrücken",
            "zum Einrücken jetzt doch keine Tabs, vier Leerzeichen",
            0.0,
            Some(Turn::Change),
        );
    }

    #[test]
    fn an_exception_ends_nothing() {
        check(
            "No raw SQL, go through the ORM",
            "in scripts/import.py raw SQL is fine for the ORM tables",
            0.6,
            None,
        );
        check("Always squash when you merge", "merge without squash this time instead", 0.6, None);
    }
}
