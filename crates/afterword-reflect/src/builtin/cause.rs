//! The sentence in which the agent names a cause.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use regex::{Regex, RegexBuilder};

use super::language::{Language, normalise};
use super::phrase::{flat, statement};
use super::topic::Topic;
use super::words::{head, sentences};

/// From this score on a sentence says clearly what caused a failure.
pub const CLEAR: i64 = 3;

/// The sentence of a remark that names its cause best.
pub fn sentence<'t>(text: &'t str, language: &Language) -> &'t str {
    sentences(text)
        .into_iter()
        .filter(|sentence| {
            (28..600).contains(&sentence.len())
                && !sentence.starts_with(['|', '#'])
                && !sentence.ends_with(':')
        })
        .enumerate()
        .max_by_key(|(index, sentence)| {
            let names = score(sentence, language) - i64::from(is_remedy(sentence, language)) * CLEAR;
            (names, -i64::try_from(*index).unwrap_or(0))
        })
        .map_or_else(|| head(text, 200), |(_, sentence)| sentence)
}

/// How well a sentence of the agent names a cause; nothing or less where it names none.
pub fn score(sentence: &str, language: &Language) -> i64 {
    let present = language.cause.present(&normalise(sentence));
    let score = |name: &str| match name.trim_start_matches("cause.") {
        "is_cause" | "root" => 5,
        "missing" | "because" => 4,
        "nature" | "explains" => 3,
        "confirmed" | "negation" | "failure" => 2,
        "found" | "sees" | "fix_is" => 1,
        "announces_work" | "sums_up" | "supposes" => -6,
        "guess" => -2,
        _ => 0,
    };
    let families: i64 =
        language.cause.names().zip(present).filter(|(_, there)| *there).map(|(name, _)| score(name)).sum();
    // "This is the actual root cause" names none, nor does a path alone.
    let outside = sentence.split('`').step_by(2).flat_map(str::split_whitespace);
    let says = outside.filter(|word| word.chars().any(char::is_alphabetic)).count() >= 3;
    let names = says && (Topic::of(sentence).len() >= 4 || sentence.contains('`'));
    families - i64::from(!names) * 8 - i64::from(names_none(sentence)) * 12
        + i64::from(sentence.contains('`')) * 2
        + i64::from(sentence.len() > 60)
        - i64::from(sentence.ends_with('?')) * 6
}

/// Whether a sentence says what would mend a failure and nothing of its cause: "The fix is to add it to the list".
pub fn is_remedy(sentence: &str, language: &Language) -> bool {
    static REMEDY: OnceLock<Regex> = OnceLock::new();
    const BEGINS: &str = r"(?i)^[\W\d]*(?:(?:so|now|and|then|yes|for \w+(?: \w+)?)[\s,]+)*(?:(?:(?:the|a|an) )?(?:(?:simplest|real|right|correct|proper|cleanest|best|easiest|safest) )?(?:(?:fix|solution|workaround|approach)(?: here)? (?:(?:is|was)(?: (?:just|simply|only))? to\b|(?:is|was) (?:simple|straightforward|easy)\b|would\b|should\b|could\b)|(?:fix|solution|workaround)(?: for [^:]{1,40})?:)|(?:we|you|it) (?:(?:just|only|also) )?(?:need|have) to\b|(?:the |an? )?[`\w./()-]+(?: [`\w./()-]+){0,2} needs? to (?:be )?\w+|return (?:the|an?|nil|null|early|`|[\w.]+\())";
    let remedy = REMEDY
        .get_or_init(|| Regex::new(BEGINS).expect("the pattern is checked by the tests of this module"));
    let says = ["cause.because", "cause.is_cause", "cause.root", "cause.explains"];
    remedy.is_match(&flat(sentence)) && !says.iter().any(|family| has(sentence, family, language))
}

/// Whether a sentence tells of work, of advice, of somebody else's failure or of nothing at all, whatever its words.
fn names_none(sentence: &str) -> bool {
    static NONE: OnceLock<Vec<(Regex, Option<Regex>)>> = OnceLock::new();
    let none = NONE.get_or_init(|| {
        let patterns: BTreeMap<String, String> = toml::from_str(include_str!("../../languages/causes.toml"))
            .expect("the shipped file is checked by the tests of this module");
        let compiled = |pattern: &String| {
            let pattern = RegexBuilder::new(pattern).case_insensitive(true).build();
            pattern.expect("the patterns are checked by the tests of this module")
        };
        let families = patterns.iter().filter(|(name, _)| !name.ends_with("_unless"));
        families
            .map(|(name, pattern)| (compiled(pattern), patterns.get(&format!("{name}_unless")).map(compiled)))
            .collect()
    });
    let plain = flat(sentence);
    none.iter().any(|(pattern, unless)| {
        pattern.is_match(&plain) && !unless.as_ref().is_some_and(|unless| unless.is_match(&plain))
    })
}

/// The sentence of a remark that says what would mend it.
pub fn remedy<'t>(text: &'t str, cause: &str, language: &Language) -> Option<&'t str> {
    let says = |sentence: &&str| {
        *sentence != cause && sentence.len() > 40 && !sentence.ends_with(['?', ':']) && !names_none(sentence)
    };
    sentences(text)
        .into_iter()
        .filter(says)
        .find(|sentence| has(sentence, "cause.fix_is", language) && !has(sentence, ANNOUNCES, language))
}

const ANNOUNCES: &str = "cause.announces_work";

/// The sentence of a cause and what its paragraph says after it, without what the agent would do next; code blocks stay in
/// the evidence.
pub fn explanation(text: &str, cause: &str, language: &Language) -> String {
    let paragraph = text.split("\n\n").find(|paragraph| paragraph.contains(cause)).unwrap_or(cause);
    let rest = paragraph.find(cause).map_or(cause, |from| &paragraph[from..]);
    let rest = rest.split("```").next().unwrap_or(rest);
    let after = sentences(rest)
        .into_iter()
        .skip(1)
        .filter(|sentence| !has(sentence, ANNOUNCES, language) && !sentence.trim_end().ends_with(':'));
    let all: Vec<String> = std::iter::once(ended(&statement(cause)))
        .chain(after.map(|sentence| ended(&flat(sentence))))
        .collect();
    all.join(" ")
}

/// A sentence with the mark it ends with.
fn ended(sentence: &str) -> String {
    if sentence.ends_with(['.', '!', '?']) { sentence.to_owned() } else { format!("{sentence}.") }
}

/// Whether words tell of something that fails or is not there.
pub fn tells_of_failure(words: &str, language: &Language) -> bool {
    ["cause.failure", "cause.missing", "cause.is_cause"].iter().any(|family| has(words, family, language))
}

fn has(sentence: &str, family: &str, language: &Language) -> bool {
    language.cause.has(family, &normalise(sentence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_no_cause_is_known() {
        let none = [
            "Prefixed `ctx` with an underscore since it's no longer used.",
            "2. `src/drift.ts:22-29` — Replaced the helper since it ignored the version",
            "All lint and unit tests pass, the error is gone",
            "This ensures the log is kept even when the upload fails",
            "The new output will reveal the root cause on the next run.",
            "The one failing test is pre-existing and unrelated to our change",
            "Looking at the failing jobs, I can see the issue",
            "I found the problem!",
            "`queue` → `logging` (for logging)",
            "**Integration tests** (`queue_test.go`) - call the worker without a database.",
            "// Get only lines that are not empty because of the header",
            "If that still fails due to the proxy, try another mirror.",
            "My new parser skips the first line because it counts from one",
            "The remaining issue: the queue is locked",
            "I can see 3 conflict regions because of the rename",
            "return nil, fmt.Errorf(\"no queue: %w\", err)",
            "queue.rs:146 - the lock is never released because of the early return",
            "1. **queue.rs:146** - never released",
            "The issue is likely **not** the cache of the parser.",
            "`close()` of the queue (queue.rs:12) — Same change as #2.",
        ];
        for sentence in none {
            assert!(names_none(sentence), "{sentence}");
        }
        let some = [
            "I found the issue - on line 12 the path has an incorrect delimiter",
            "`readAll` is case-sensitive, so \"On\" doesn't match \"on\"",
            "The pre-existing failure of the upload test requires `S3_URL`",
            "The timeout was never passed on because `newClient` ignores its options",
            "The tests failed because the fixture still has the old column",
            "The issue is not the parser but the cache in front of it",
            "No `-d` flag, so `psql` connects to a database named after the user",
        ];
        for sentence in some {
            assert!(!names_none(sentence), "{sentence}");
        }
    }

    #[test]
    fn what_would_mend_it_is_told_from_its_cause() {
        let english = Language::english();
        for remedy in [
            "The fix is to add `cache/` to the list of what is left out.",
            "So the simplest solution would be to read the file twice",
            "We need to pass `--locked` to both calls",
            "Return the error of `open` instead of nothing",
        ] {
            assert!(is_remedy(remedy, english), "{remedy}");
        }
        for cause in [
            "The queue needs a lock because two workers write to it",
            "The problem is that the fix is never called",
            "`open` returns an error where the file is empty",
        ] {
            assert!(!is_remedy(cause, english), "{cause}");
        }
        let remark = "The fix is to add `cache/` to the list. The list is read before `cache/` is created, so it is missing there.";
        assert!(sentence(remark, english).starts_with("The list is read"));
    }

    #[test]
    fn an_explanation_ends_each_sentence_once_and_leaves_out_what_comes_next() {
        let english = Language::english();
        let text = "The cache is never cleared - it's a stub!\nThe values are old for that reason:\n- one\n\nLet me fix it.";
        let cause = "The cache is never cleared - it's a stub!";
        assert_eq!(explanation(text, cause, english), "The cache is never cleared - it's a stub! one.");
    }
}
