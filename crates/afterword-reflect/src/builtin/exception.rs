//! What a person allows in one place or case of what a rule forbids: "in tests any is fine" beside "never use any".
//!
//! It ends nothing and says nothing alone, so it is looked for in passing and kept beside the rule it is an exception to.

use std::sync::LazyLock;

use regex::Regex;

use super::cues;
use super::ngrams::is_unspaced;
use super::pair::shared_things;
use super::swap::{tells, tokens};
use super::words::pattern;

/// Words that begin a place or a case.
const BEFORE_CASES: [&str; 43] = [
    "in",
    "inside",
    "within",
    "under",
    "for",
    "when",
    "during",
    "except",
    "unless",
    "im",
    "bei",
    "für",
    "unter",
    "wenn",
    "innerhalb",
    "außer",
    "en",
    "dentro",
    "para",
    "cuando",
    "salvo",
    "excepto",
    "dans",
    "sous",
    "pour",
    "quand",
    "sauf",
    "em",
    "no",
    "na",
    "nos",
    "nas",
    "quando",
    "exceto",
    "в",
    "во",
    "для",
    "при",
    "когда",
    "кроме",
    "внутри",
    "au",
    "aux",
];
/// The same in scripts without spaces, behind the case.
const BEHIND_CASES: [&str; 12] =
    ["里", "裡", "中", "时", "時", "では", "なら", "の場合", "에서", "에선", "일 때", "경우"];
/// What points at the work at hand, or at all of it: neither is a case.
const POINTS: [&str; 38] = [
    "codebase",
    "code",
    "repo",
    "repository",
    "project",
    "app",
    "general",
    "every",
    "everything",
    "projekt",
    "proyecto",
    "projet",
    "projeto",
    "проекте",
    "this",
    "that",
    "these",
    "those",
    "it",
    "now",
    "me",
    "you",
    "us",
    "diesem",
    "dieser",
    "dieses",
    "das",
    "jetzt",
    "este",
    "esta",
    "ese",
    "ce",
    "cet",
    "cette",
    "esse",
    "essa",
    "этом",
    "этой",
];
/// Before a word that may be a common one and still is the name of a thing: "never use any".
const BEFORE_NAMES: [&str; 9] =
    ["use", "using", "of", "nutze", "verwende", "usa", "usar", "utilise", "используй"];

static SO_THAT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i),? so (?:that )?(?:you|we|i|people|they|anyone|everyone|one) can\b"));

/// Whether a clause allows something for good in one place or case.
pub(super) fn allows_in_a_case(text: &str) -> bool {
    // "…, so you can copy it" says what for.
    let allowed = SO_THAT.split(text).next().unwrap_or(text);
    let cues = cues::present(allowed, cues::language_of(text));
    cues.has("permission")
        && !cues.has("momentary")
        && !text.trim_end().ends_with(['?', '？'])
        && names_a_case(text)
}

/// Whether a clause is an exception to a rule: it allows in one place or case what the rule forbids, or wants to be asked about, in general.
pub fn is_exception(clause: &str, rule: &str) -> bool {
    let of_rule = cues::present(rule, cues::language_of(rule));
    of_rule.has_any(&["forbid", "ask_first"])
        && !of_rule.has("permission")
        && allows_in_a_case(clause)
        && !names_all_of_it(clause, rule)
        && (shared_things(clause, rule) > 0 || names_its_thing(clause, rule))
}

/// "No need to ask for signs" beside "ask me before you hang a sign": its case is all that the rule is about.
fn names_all_of_it(clause: &str, rule: &str) -> bool {
    // What may stand behind it and narrows nothing.
    const AFTER: [&str; 9] = ["any", "anymore", "more", "now", "please", "then", "again", "from", "on"];
    let (clause, rule) = (tokens(clause), tokens(rule));
    let stem = |word: &String| word.trim_end_matches('s').to_owned();
    let of_rule: Vec<String> = rule.iter().map(stem).collect();
    let is_last = |at: usize| clause[at + 2..].iter().all(|next| AFTER.contains(&next.as_str()));
    clause.windows(2).enumerate().any(|(at, pair)| {
        BEFORE_CASES.contains(&pair[0].as_str())
            && tells(&pair[1])
            && of_rule.contains(&stem(&pair[1]))
            && is_last(at)
    })
}

fn names_a_case(text: &str) -> bool {
    if text.chars().any(is_unspaced) {
        return BEHIND_CASES.iter().any(|word| text.find(word).is_some_and(|at| at > 0));
    }
    let words = tokens(text);
    words.iter().enumerate().any(|(at, word)| {
        let next = words[at + 1..]
            .iter()
            .find(|word| !["the", "a", "an", "den", "der", "las", "los", "les"].contains(&word.as_str()));
        BEFORE_CASES.contains(&word.as_str())
            && next
                .is_some_and(|next| !POINTS.contains(&next.as_str()) && (tells(next) || next.contains('/')))
    })
}

/// Whether a clause has a word that the rule uses as a name, however common it is.
fn names_its_thing(clause: &str, rule: &str) -> bool {
    let (clause, rule) = (tokens(clause), tokens(rule));
    let mut things = rule.windows(2).filter(|pair| BEFORE_NAMES.contains(&pair[0].as_str()));
    things.any(|pair| clause.contains(&pair[1]) && !BEFORE_CASES.contains(&pair[1].as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exception_allows_in_one_case_what_a_rule_forbids() {
        for (clause, rule) in [
            ("In tests any is fine", "Never use any in TypeScript"),
            ("unwrap is fine in benches", "never unwrap outside tests"),
            ("for generated files you can skip the header", "Never write a file without the license header"),
            ("you may push without asking when the docs changed", "Ask me before you push"),
            ("no need to ask me for signs that hang inside", "Ask me before you hang a sign"),
            ("In Skripten kannst du print benutzen, das ist ok", "Benutze niemals print im Code"),
        ] {
            assert!(is_exception(clause, rule), "{clause} / {rule}");
        }
    }

    #[test]
    fn what_is_allowed_once_or_of_something_else_is_no_exception() {
        for (clause, rule) in [
            ("a label on each jar so you can find it in the dark", "Never write on a jar in pencil"),
            ("no need to check with me for signs any more", "Ask me before you hang a sign"),
            ("any is fine in this file for now", "Never use any in TypeScript"),
            ("the header is fine in this form", "Never use any in TypeScript"),
            ("tabs are fine in makefiles", "Never use any in TypeScript"),
            ("is any fine in tests?", "Never use any in TypeScript"),
            ("In tests never use any", "Never use any in TypeScript"),
            ("any is fine", "Never use any in TypeScript"),
            ("In tests any is fine", "Use any sparingly"),
        ] {
            assert!(!is_exception(clause, rule), "{clause} / {rule}");
        }
    }
}
