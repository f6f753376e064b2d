//! Things of one kind, of which a project has one at a time: a rule that asks for another one takes the place of the rule that asked for
//! the first.
//!
//! What is of a kind is data (`languages/kinds.toml`). A rule asks for what it names, but for what stands behind "not" or "instead of".

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::ngrams::is_unspaced;
use super::words::{REFUSED_WITHIN, is_refused, pattern};

#[derive(Deserialize)]
struct Source {
    things: BTreeMap<String, Vec<String>>,
    beside: BTreeMap<String, Vec<String>>,
    values: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    answers: BTreeMap<String, Vec<String>>,
}

/// A phrase that names a thing or a value.
struct Phrase {
    words: Vec<String>,
    /// An ordinary word, too.
    ordinary: bool,
    kind: usize,
    /// Which of its kind.
    which: usize,
    sort: Sort,
}

/// What a kind is one of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// Tells by its name what it is for.
    Thing,
    /// Says nothing without what it is a value of.
    Value,
    /// How much the agent says.
    Answers,
}

/// All phrases, so that those which may begin with a word are found without looking at the others.
#[derive(Default)]
struct Phrases {
    by_word: HashMap<String, Vec<Phrase>>,
    /// Those of which only the beginning of the first word is known.
    begun: Vec<Phrase>,
    /// Those of a script without spaces, which stand anywhere in a word.
    unspaced: Vec<Phrase>,
}

impl Phrases {
    fn that_may_begin<'p>(&'p self, word: &'p str) -> impl Iterator<Item = &'p Phrase> {
        let plain = word.trim_matches('`');
        let other = (plain != word).then(|| self.by_word.get(plain)).flatten();
        let known = self.by_word.get(word).into_iter().chain(other).flatten();
        let unspaced = self.unspaced.iter().filter(move |_| word.chars().any(is_unspaced));
        known.chain(&self.begun).chain(unspaced)
    }
}

static PHRASES: LazyLock<Phrases> = LazyLock::new(|| {
    let source: Source = toml::from_str(include_str!("../../languages/kinds.toml"))
        .expect("the shipped kinds are checked by the tests of this module");
    let of = |names: &str, kind, which, sort| -> Vec<Phrase> {
        let phrase = |name: &str| Phrase {
            words: tokens(name.trim_start_matches('~')),
            ordinary: name.starts_with('~'),
            kind,
            which,
            sort,
        };
        names.split('|').map(phrase).collect()
    };
    let mut all = Vec::new();
    let mut kind = 0;
    let beside = source.beside.values().map(|names| (names, Sort::Value));
    for (names, sort) in source.things.values().map(|names| (names, Sort::Thing)).chain(beside) {
        all.extend(names.iter().enumerate().flat_map(|(which, names)| of(names, kind, which, sort)));
        kind += 1;
    }
    let answers = std::iter::once((&source.answers, Sort::Answers));
    for (values, sort) in source.values.values().map(|values| (values, Sort::Value)).chain(answers) {
        for (which, names) in values.values().enumerate() {
            all.extend(names.iter().flat_map(|name| of(name, kind, which, sort)));
        }
        kind += 1;
    }
    let mut phrases = Phrases::default();
    for phrase in all {
        let first = phrase.words[0].clone();
        if first.ends_with('*') {
            phrases.begun.push(phrase);
        } else if first.chars().any(is_unspaced) {
            phrases.unspaced.push(phrase);
        } else {
            phrases.by_word.entry(first).or_default().push(phrase);
        }
    }
    phrases
});

/// "Never use any in TypeScript": where a rule holds, and not what is to be written in it.
fn is_where_it_holds(words: &[String], at: usize) -> bool {
    const WRITTEN_IN: [&str; 16] = [
        "write",
        "written",
        "rewrite",
        "rewritten",
        "port",
        "ported",
        "implement",
        "implemented",
        "build",
        "built",
        "coded",
        "is",
        "are",
        "be",
        "done",
        "made",
    ];
    let before = at.checked_sub(1).map_or("", |before| words[before].as_str());
    matches!(before, "in" | "for") && !words[..at].iter().any(|word| WRITTEN_IN.contains(&word.as_str()))
}

fn is_programming(one: &Named) -> bool {
    static KIND: LazyLock<Option<usize>> =
        LazyLock::new(|| named(&tokens("python")).first().map(|python| python.kind));
    Some(one.kind) == *KIND
}

/// Whether words name something of a kind (`None` where they do not), and whether that is a programming language, in which a rule may hold.
pub(super) fn names_of_a_kind(words: &str) -> Option<bool> {
    let words = tokens(words);
    named(&words).first().map(is_programming)
}

/// What a rule names.
struct Named {
    kind: usize,
    which: usize,
    sort: Sort,
    /// Where, in words; how many.
    at: usize,
    count: usize,
    /// It is what the rule is against.
    refused: bool,
}

/// Whether the newer rule asks for another thing of a kind than the older one, where both are about the same.
pub(super) fn takes_the_place(newer: &str, older: &str) -> bool {
    let new = tokens(newer);
    let of_new = named(&new);
    // Most words name nothing of a kind.
    if of_new.iter().all(|one| one.refused) {
        return false;
    }
    let old = tokens(older);
    let of_old = named(&old);
    if !of_old.iter().any(|other| of_new.iter().any(|one| one.kind == other.kind))
        || LIMITED.is_match(newer)
        || BESIDE.is_match(newer)
    {
        return false;
    }
    let wants = |all: &[Named], kind: usize, which: usize| {
        all.iter().any(|one| one.kind == kind && one.which == which && !one.refused)
    };
    let is_place = |one: &Named| is_programming(one) && is_where_it_holds(&new, one.at);
    of_new.iter().filter(|one| !one.refused && !is_place(one)).any(|one| {
        of_old.iter().any(|other| {
            one.kind == other.kind
                && one.which != other.which
                && !other.refused
                && !wants(&of_new, other.kind, other.which)
                && !wants(&of_old, one.kind, one.which)
                && is_about_the_same((&new, &of_new), (&old, &of_old), one, newer)
        })
    })
}

/// Whether two rules are about the same, beside the things they name: they share a word of what they are about, or the newer one names
/// nothing else; of things it is enough that the newer one names no other place.
fn is_about_the_same(
    (new, of_new): (&[String], &[Named]),
    (old, of_old): (&[String], &[Named]),
    one: &Named,
    said: &str,
) -> bool {
    let rest = |words: &[String], named: &[Named]| -> Vec<String> {
        let is_named = |at: usize| named.iter().any(|one| (one.at..one.at + one.count).contains(&at));
        let left = words.iter().enumerate().filter(|(at, _)| !is_named(*at)).map(|(_, word)| word.as_str());
        super::pair::telling(&left.collect::<Vec<_>>().join(" "))
    };
    // What a rule is about stands before its reason.
    let is_asked_for = asks_for(new, one);
    let (of_newer, of_older) = (new, old);
    let (new, old) = (rest(until_reason(new), of_new), rest(until_reason(old), of_old));
    let shares = share_a_subject((&new, of_newer), (&old, of_older));
    match one.sort {
        Sort::Thing => shares || is_asked_for,
        Sort::Value => shares || new.is_empty() || old.is_empty() || UNIVERSAL.is_match(said),
        Sort::Answers => !new.iter().chain(&old).any(|word| WRITTEN.contains(&word.as_str())),
    }
}

/// The words of a rule up to the reason it gives: "maple, always, i like the smell".
fn until_reason(words: &[String]) -> &[String] {
    const REASONS: [&str; 8] = ["because", "since", "otherwise", "cause", "so", "weil", "porque", "parce"];
    let reason = words.iter().enumerate().skip(2).position(|(at, word)| {
        REASONS.contains(&word.as_str()) || word == "i" && words.get(at + 1).is_some()
    });
    reason.map_or(words, |at| &words[..at + 2])
}

/// "Anything new is written in …": said of all that a rule may be about.
static UNIVERSAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:anything|everything)(?: new| else)?\b|\ball (?:our |the |new )?(?:code|files|scripts|modules|text|texts)\b|一律|统一|全部|都用|都存|すべて",
    )
});

/// Whether the newer rule keeps the same somewhere else than the older one: "lids go into the drawer now" after "lids go on the shelf".
pub(super) fn moves(newer: &str, older: &str) -> bool {
    static PLACE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:go|goes|belongs?|lives?|put|placed|stays?|sits?|stored?|saved?|kept|written)(?: flat| only| always| together| all)? (?:in|into|under|to|on|next to|inside|beside|at) (?:the |our |a |its |their )?(?P<place>[\w./<>-]+)",
        )
    });
    let place = |text: &str| PLACE.captures(text).map(|found| found["place"].to_lowercase());
    let (Some(to), Some(from)) = (place(newer), place(older)) else { return false };
    let rest = |text: &str, place: &str| super::pair::telling(&text.to_lowercase().replace(place, " "));
    let (new, old) = (rest(newer, &to), rest(older, &from));
    to != from && !LIMITED.is_match(newer) && share_a_subject((&new, &tokens(newer)), (&old, &tokens(older)))
}

/// Whether two rules, each by what tells what it is about and by all its words, are about the same.
fn share_a_subject((new, of_newer): (&[String], &[String]), (old, of_older): (&[String], &[String])) -> bool {
    new.iter().any(|word| old.contains(word) && !is_of_another_sort(of_newer, of_older, word))
}

/// "Unit tests" beside "integration tests": what both rules are about is told apart by the word before it.
fn is_of_another_sort(words: &[String], others: &[String], shared: &str) -> bool {
    let before = |words: &[String]| -> Option<Vec<String>> {
        let at = words.iter().position(|word| word.starts_with(shared))?;
        let before = words.get(at.checked_sub(1)?)?;
        let telling = super::pair::telling(before);
        (!telling.is_empty() && named(std::slice::from_ref(before)).is_empty()).then_some(telling)
    };
    matches!((before(words), before(others)), (Some(one), Some(other)) if one != other)
}

/// Whether both rules say how the same is always done, each in its own way: "always ship by van" after "always ship by rail".
pub(super) fn does_otherwise(newer: &str, older: &str) -> bool {
    static ALWAYS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\balways (?P<does>[a-z]{3,}(?: [\w-]+){0,2}?) (?:by|with|via|over|through|from|on|in)\b",
        )
    });
    const GENERAL: [&str; 22] = [
        "use", "make", "add", "write", "run", "put", "keep", "ask", "check", "show", "tell", "give", "set",
        "have", "get", "start", "end", "include", "test", "work", "commit", "begin",
    ];
    let does = |text: &str| ALWAYS.captures(text).map(|found| found["does"].to_lowercase());
    newer.to_lowercase().contains("always")
        && does(newer).is_some_and(|what| {
            let verb = what.split(' ').next().unwrap_or_default();
            !GENERAL.contains(&verb) && does(older).as_ref() == Some(&what)
        })
}

/// Whether words ask for what they name, and do not only say something of it: "with Vitest", "Vitest for all of them".
fn asks_for(words: &[String], named: &Named) -> bool {
    const AFTER: [&str; 22] = [
        "now",
        "from",
        "for",
        "instead",
        "please",
        "always",
        "everywhere",
        "then",
        "it",
        "is",
        "as",
        "and",
        "only",
        "wherever",
        "in",
        "again",
        "business",
        "throughout",
        "rather",
        "over",
        "not",
        "that",
    ];
    let next = words.get(named.at + named.count);
    next.is_none_or(|next| AFTER.contains(&next.as_str()))
        || named.at.checked_sub(1).is_some_and(|before| BEFORE_NAMES.contains(&words[before].as_str()))
}

/// What is written beside answers, by its first letters.
const WRITTEN: [&str; 20] = [
    "commi", "messa", "comme", "name", "names", "title", "doc", "docs", "docst", "chang", "readm", "test",
    "tests", "funct", "descr", "pull", "error", "log", "logs", "ident",
];

/// "With yarn too", "we also want …": beside what there is, and not in its place.
static BESIDE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)\b(?:we|you|they|it|is|are|has|have|should|must|can|will|to) also\b|\balso (?:have|has|want|need|works?|runs?)\b",
        r"|\S (?:too|as well)\s*(?:[.,;!)]|$)|\S (?:in addition|auch|ebenfalls|zusätzlich|también|además|aussi|également|também|тоже|также)\b",
    ))
});

/// "This one has to be …", "for the docs site we use …", "the docs site is built with …": said of one thing or one place.
static LIMITED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)\b(?:this|that) (?:one|time|file|case|script|page)\b(?: has| needs| can| must| is|$|[,.;])",
        r"|\b(?:for|in|on|under|inside) (?:the |our |my )(?:[\w-]+ ){0,2}(?:site|app|service|package|module|folder|directory|script|page|demo|prototype|sandbox|docs|crate|plugin|frontend|backend|side)\b",
        r"|^(?:and |but |so |ok,? )*the (?:[\w-]+ )?(?:site|app|service|package|module|folder|directory|script|page|demo|prototype|sandbox|docs|crate|plugin|frontend|backend)\b",
        r"|\b(?:nur|solo|seulement|somente|только) (?:dies\w*|est[ea]|cette?|ess[ea]|этот|эту)\b",
    ))
});

fn named(words: &[String]) -> Vec<Named> {
    let mut found = Vec::new();
    for at in 0..words.len() {
        for phrase in PHRASES.that_may_begin(&words[at]) {
            let Some(here) = words.get(at..at + phrase.words.len()) else { continue };
            let is_used = !phrase.ordinary || is_used_as_a_name(words, at);
            if is_used && here.iter().zip(&phrase.words).all(|(word, known)| is_word(word, known)) {
                let refused = is_refused(words, at) || refuses_within(&words[at], &phrase.words[0]);
                found.push(Named {
                    kind: phrase.kind,
                    which: phrase.which,
                    sort: phrase.sort,
                    at,
                    count: phrase.words.len(),
                    refused,
                });
            }
        }
    }
    found
}

/// Words behind which a name stands.
const BEFORE_NAMES: [&str; 28] = [
    "use", "uses", "using", "used", "with", "via", "to", "by", "on", "from", "run", "runs", "through",
    "prefer", "over", "than", "in", "got", "get", "install", "of", "not", "is", "are", "mit", "con", "avec",
    "com",
];

/// Whether an ordinary word stands where a name is used: "with make", "uses signals", "run black over it".
fn is_used_as_a_name(words: &[String], at: usize) -> bool {
    words[at].starts_with('`')
        || at.checked_sub(1).is_some_and(|before| BEFORE_NAMES.contains(&words[before].as_str()))
}

/// Whether a word is a known one: the same, or what begins with it.
fn is_word(word: &str, known: &str) -> bool {
    match known.strip_suffix('*') {
        Some(start) => word.starts_with(start),
        // A text without spaces is one word.
        None if known.chars().any(is_unspaced) => word.contains(known),
        None => word.trim_matches('`') == known || word == known,
    }
}

/// The same within a word of a script without spaces.
fn refuses_within(word: &str, known: &str) -> bool {
    const BEFORE: [char; 5] = ['不', '别', '勿', '禁', '没'];
    const AFTER: [&str; 7] = ["ではなく", "じゃなく", "はやめ", "は使わ", "말고", "대신", "쓰지"];
    let Some((before, after)) = word.split_once(known).filter(|_| known.chars().any(is_unspaced)) else {
        return false;
    };
    before.chars().rev().take(REFUSED_WITHIN).any(|c| BEFORE.contains(&c))
        || AFTER.iter().any(|mark| after.starts_with(mark))
}

/// The words of a text in lower case; a name in backticks keeps them.
fn tokens(text: &str) -> Vec<String> {
    let lower = text.to_lowercase().replace('’', "'");
    let is_part =
        |c: char| c.is_alphanumeric() || matches!(c, '\'' | '-' | '_' | '.' | ':' | '`' | '*' | '#' | '+');
    let words = lower.split(|c: char| !is_part(c)).map(|word| word.trim_matches(['.', '-', '\'', ':']));
    let words = words.filter(|word| word.chars().any(char::is_alphanumeric));
    words.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_thing_of_a_kind_takes_the_place_of_the_first() {
        for (newer, older) in [
            ("the whole suite runs under vitest now", "tests are written with mocha"),
            ("every chart gets drawn in altair from now on", "charts with seaborn, please"),
            ("new targets go into the justfile", "all commands live in the Makefile"),
            ("write the labels in Dutch again", "labels in English, always"),
            ("die Etiketten bitte wieder deutsch", "Etiketten immer auf Englisch"),
            ("四个空格，不要制表符", "用制表符缩进"),
            ("two sentences are enough from here on", "always explain in detail what you did"),
            ("dates go through Temporal now", "use moment for dates"),
            ("new tools are in C++ from today", "tools are in Rust"),
            ("anything new is written in Kotlin from today", "java for all of this game's scripts"),
        ] {
            assert!(takes_the_place(newer, older), "{newer}");
        }
    }

    #[test]
    fn another_place_or_way_takes_the_place_of_the_first() {
        assert!(moves("from now on lids go into the drawer", "lids go on the shelf, please"));
        assert!(!moves("from now on lids go into the drawer", "spoons go on the shelf"));
        assert!(!moves("oak lids go into the drawer now", "steel lids go on the shelf"));
        assert!(!does_otherwise("always sort lids by size", "always sort spoons by age"));
        assert!(does_otherwise("always ship over land", "always ship by rail, it is cheaper"));
        assert!(!does_otherwise("always run it with the fan on", "always run the saw with care"));
    }

    #[test]
    fn what_holds_beside_it_is_left() {
        for (newer, older) in [
            ("never use macros in Rust", "indent Python with tabs, always"),
            ("answers in German", "labels in English"),
            ("error messages in German", "commit messages in English"),
            ("use vitest, not mocha", "never use vitest"),
            ("this one has to be toml", "settings are yaml files"),
            ("for the docs site we use vite", "bundle with webpack"),
            ("vitest and mocha both have to pass", "tests run with mocha"),
            ("don't use npm", "use pnpm"),
            ("c, and all scripts run at night", "scripts are python"),
            ("make sure it runs from now on", "new targets go into the justfile"),
            ("commit messages in one line", "explain in detail what you did"),
            ("for the moment leave it", "use luxon for dates"),
            ("the CLI keeps its state in sqlite", "tests run against postgres"),
            ("the guide also has to work for people with npm", "use pnpm"),
            ("from now on the plugin is tested with mocha too", "the whole suite runs under vitest"),
            ("vitest snapshots are never updated by hand", "end every mocha run with a report"),
        ] {
            assert!(!takes_the_place(newer, older), "{newer}");
        }
    }
}
