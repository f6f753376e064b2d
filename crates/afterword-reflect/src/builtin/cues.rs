//! Cues: phrases that tell whether words are meant for good or for now, in every language the engine reads.
//!
//! The phrases are data (`languages/cues/*.toml`), a file for each language with the same families. What a family means for a lesson
//! is learnt from all languages together, so that a language with few examples is read by what the others taught.

use std::collections::{BTreeMap, HashSet};
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use super::ngrams::{is_unspaced, words};

/// The languages, by the names of their files.
pub const LANGUAGES: [&str; 9] =
    ["english", "german", "spanish", "french", "portuguese", "russian", "chinese", "japanese", "korean"];
const SOURCES: [&str; 9] = [
    include_str!("../../languages/cues/english.toml"),
    include_str!("../../languages/cues/german.toml"),
    include_str!("../../languages/cues/spanish.toml"),
    include_str!("../../languages/cues/french.toml"),
    include_str!("../../languages/cues/portuguese.toml"),
    include_str!("../../languages/cues/russian.toml"),
    include_str!("../../languages/cues/chinese.toml"),
    include_str!("../../languages/cues/japanese.toml"),
    include_str!("../../languages/cues/korean.toml"),
];
/// The list in each file that names the commonest words instead of cues.
const COMMON: &str = "words";
/// The list in each file that names the words of short requests that say nothing of what is asked for.
const REQUESTS: &str = "requests";

/// Families of cues present in a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Present(u64);

impl Present {
    /// Whether a family is there.
    pub fn has(self, family: &str) -> bool {
        families().iter().position(|name| name == family).is_some_and(|at| self.0 >> at & 1 == 1)
    }

    /// Whether any of the families is there.
    pub fn has_any(self, names: &[&str]) -> bool {
        names.iter().any(|name| self.has(name))
    }

    /// Something is meant for the moment, and not from now on.
    pub fn is_for_now(self) -> bool {
        self.has("momentary") && !self.has("from_now")
    }

    /// The families that are there, in the order of their names.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        families()
            .iter()
            .enumerate()
            .filter(move |(at, _)| self.0 >> at & 1 == 1)
            .map(|(_, name)| name.as_str())
    }
}

struct Language {
    phrases: AhoCorasick,
    /// The family of each phrase.
    families: Vec<usize>,
    common: HashSet<String>,
    requests: HashSet<String>,
}

struct Cues {
    families: Vec<String>,
    languages: Vec<Language>,
}

fn cues() -> &'static Cues {
    static CUES: OnceLock<Cues> = OnceLock::new();
    CUES.get_or_init(|| {
        let files: Vec<BTreeMap<String, Vec<String>>> = SOURCES
            .iter()
            .map(|source| toml::from_str(source).expect("the shipped cues are checked by a test"))
            .collect();
        let families: Vec<String> =
            files[0].keys().filter(|name| ![COMMON, REQUESTS].contains(&name.as_str())).cloned().collect();
        let languages = files.iter().map(|file| language(file, &families)).collect();
        Cues { families, languages }
    })
}

fn families() -> &'static [String] {
    &cues().families
}

fn language(file: &BTreeMap<String, Vec<String>>, families: &[String]) -> Language {
    let mut phrases = Vec::new();
    let mut of = Vec::new();
    for (at, family) in families.iter().enumerate() {
        for phrase in file.get(family).into_iter().flatten() {
            phrases.push(pattern(phrase));
            of.push(at);
        }
    }
    let list = |name: &str| file.get(name).into_iter().flatten().cloned().collect();
    Language {
        phrases: AhoCorasick::new(phrases).expect("the shipped cues are checked by a test"),
        families: of,
        common: list(COMMON),
        requests: list(REQUESTS),
    }
}

/// A phrase as it stands in [`spaced`] text.
fn pattern(phrase: &str) -> String {
    let (phrase, is_open) = match phrase.strip_suffix('*') {
        Some(stem) => (stem, true),
        None => (phrase, false),
    };
    let (starts, ends) = (phrase.starts_with('^'), phrase.contains('`'));
    let mut row: Vec<String> = if ends {
        phrase.split_whitespace().map(str::to_owned).collect()
    } else {
        let all = words(phrase.trim_start_matches('^'));
        all[1..all.len() - 1].to_vec()
    };
    if starts {
        row.insert(0, "^".to_owned());
    }
    let joined = row.join(" ");
    if is_open { format!(" {joined}") } else { format!(" {joined} ") }
}

/// A text as its words with one space around each.
fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() + 16);
    spaced.push(' ');
    for word in words(text) {
        spaced.push_str(&word);
        spaced.push(' ');
    }
    spaced
}

/// Whether a word in lower case is among the commonest of any language, so that it tells nothing of what is spoken about.
pub fn is_common(word: &str) -> bool {
    cues().languages.iter().any(|language| language.common.contains(word))
}

/// Whether a word in lower case only makes a request of what stands beside it: "bitte", "faltou", "покажи".
pub fn only_requests(word: &str) -> bool {
    cues().languages.iter().any(|language| language.requests.contains(word))
}

/// The language of a text by its place in [`LANGUAGES`]: by script, else by its commonest words; English where nothing tells.
pub fn language_of(text: &str) -> usize {
    let (mut kana, mut han, mut hangul, mut cyrillic, mut latin) = (0, 0, 0, 0, 0);
    for c in text.chars().take(4000) {
        match u32::from(c) {
            0x3040..=0x30ff => kana += 1,
            0xac00..=0xd7af => hangul += 1,
            0x400..=0x4ff => cyrillic += 1,
            _ if is_unspaced(c) => han += 1,
            _ if c.is_alphabetic() => latin += 1,
            _ => {}
        }
    }
    // A letter of these scripts says as much as three Latin ones, and code among the words is Latin.
    if hangul > 0 && hangul >= kana + han && hangul * 6 >= latin {
        return 8;
    }
    if kana > 0 && (kana + han) * 6 >= latin {
        return 7;
    }
    if han > 0 && han * 6 >= latin {
        return 6;
    }
    if cyrillic > 0 && cyrillic * 3 >= latin {
        return 5;
    }
    let words = words(text);
    let count =
        |language: &Language| words.iter().filter(|word| language.common.contains(word.as_str())).count();
    let counts: Vec<usize> = cues().languages[..5].iter().map(count).collect();
    let best = counts.iter().copied().max().unwrap_or(0);
    // English is the language of code and of most names: another must be clearly ahead.
    if counts[0] + usize::from(best > 2) > best || best == 0 {
        return 0;
    }
    counts.iter().position(|count| *count == best).unwrap_or(0)
}

/// The families of cues in a text of a language.
pub fn present(text: &str, language: usize) -> Present {
    let language = &cues().languages[language];
    // "From tonight on" is not said of tonight.
    let mut spaced = spaced(text);
    for day in [" from tonight on ", " from tomorrow on "] {
        if spaced.contains(day) {
            spaced = spaced.replace(day, " from now on ");
        }
    }
    let mut present = 0;
    for found in language.phrases.find_overlapping_iter(&spaced) {
        present |= 1 << language.families[found.pattern().as_usize()];
    }
    Present(present)
}

/// Families that say when, where or how gladly, and not what.
const NO_MATTER: [&str; 7] = ["always", "from_now", "here", "all", "praise", "remember", "we_habit"];

/// The words of a text of a language that say what it is about, and not only when, where or how gladly.
pub fn matter(text: &str, language: usize) -> Vec<String> {
    uncovered(text, language, &NO_MATTER)
}

/// The words of a text of a language that no cue of these families covers, without the marks around them.
pub fn uncovered(text: &str, language: usize, covering: &[&str]) -> Vec<String> {
    let language = &cues().languages[language];
    let spaced = spaced(text);
    let found = language.phrases.find_overlapping_iter(&spaced);
    let covered: Vec<std::ops::Range<usize>> = found
        .filter(|found| {
            let family = language.families[found.pattern().as_usize()];
            covering.contains(&families()[family].as_str())
        })
        .map(|found| found.start()..found.end())
        .collect();
    let mut from = 0;
    let words = spaced.split(' ').map(|word| {
        let at = from;
        from += word.len() + 1;
        (at, word)
    });
    let is_covered =
        |at: usize, word: &str| covered.iter().any(|range| range.start <= at && at + word.len() <= range.end);
    words
        .filter(|(at, word)| !matches!(*word, "" | "^" | "$") && !is_covered(*at, word))
        .map(|(_, word)| word.to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_beside_cues_are_left() {
        let left = |text: &str| uncovered(text, 0, &["from_now", "praise"]).join(" ");
        assert_eq!(left("thanks, tabs from now on"), ", tabs");
        assert_eq!(left("Thanks."), "");
    }

    #[test]
    fn every_language_has_the_same_families() {
        let keys = |source: &str| {
            let file: BTreeMap<String, Vec<String>> = toml::from_str(source).unwrap();
            file.into_keys().collect::<Vec<_>>()
        };
        for (name, source) in LANGUAGES.iter().zip(SOURCES) {
            assert_eq!(keys(source), keys(SOURCES[0]), "{name}");
        }
        assert!(families().len() < 64);
    }

    #[test]
    fn languages_are_known_by_script_and_words() {
        let check = |text: &str, expected: &str| assert_eq!(LANGUAGES[language_of(text)], expected, "{text}");
        check("please fix the header", "english");
        check("ab jetzt keine Tabs mehr in diesem Projekt", "german");
        check("a partir de ahora usa siempre espacios en el código", "spanish");
        check("on n'utilise jamais de tabulations dans ce projet", "french");
        check("a gente não usa tabs neste projeto", "portuguese");
        check("в этом проекте не используй tabs", "russian");
        check("以后都用 pnpm install", "chinese");
        check("今後は tabs を使わないでください", "japanese");
        check("앞으로 tabs 쓰지 마세요", "korean");
        check("", "english");
    }

    #[test]
    fn cues_are_found_in_every_script() {
        let has = |text: &str, family: &str| present(text, language_of(text)).has(family);
        assert!(has("from now on, tabs", "from_now"));
        assert!(has("Don’t touch it", "forbid"));
        assert!(!has("a donut", "forbid"));
        assert!(has("以后都用空格", "from_now"));
        assert!(has("никогда не трогай", "always"));
        assert!(has("use tabs, not spaces", "instead"));
    }
}
