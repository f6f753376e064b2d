//! What a language's expressions are: families of patterns, read from `languages/*.toml`.
//!
//! The families carry no weights. What an expression means for a lesson is learnt (`models/`), so another language is a
//! file with the same keys and nothing else.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use regex::{RegexSet, RegexSetBuilder};
use serde::Deserialize;

/// The families of one language, compiled.
#[derive(Debug)]
pub struct Language {
    /// What the person says.
    pub person: Families,
    /// How the agent's last words set it up.
    pub before: Families,
    /// How the agent took it.
    pub reply: Families,
    /// How an agent announces a cause.
    pub cause: Families,
    /// What the person says of the work.
    pub outcome: Families,
}

/// Named families that a text is tested for in one pass.
#[derive(Debug)]
pub struct Families {
    names: Vec<String>,
    /// Patterns of fixed reach, and those that look some characters ahead (`.{0,40}`): together in one automaton the
    /// latter would multiply its states. Each set with the positions of its patterns among the names.
    sets: [(RegexSet, Vec<usize>); 2],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    person: BTreeMap<String, String>,
    before: BTreeMap<String, String>,
    reply: BTreeMap<String, String>,
    cause: BTreeMap<String, String>,
    outcome: BTreeMap<String, String>,
}

impl Language {
    /// English, compiled once a process.
    pub fn english() -> &'static Self {
        static ENGLISH: OnceLock<Language> = OnceLock::new();
        ENGLISH.get_or_init(|| {
            let source = include_str!("../../languages/english.toml");
            Self::parse(source).expect("the shipped language file is checked by a test")
        })
    }

    /// Reads a language file.
    ///
    /// # Errors
    /// When it is no TOML, lacks a group, or holds a pattern that is no regular expression.
    pub fn parse(source: &str) -> Result<Self, LanguageError> {
        let file: File = toml::from_str(source).map_err(|error| LanguageError::Toml(Box::new(error)))?;
        Ok(Self {
            person: Families::compile("person", file.person)?,
            before: Families::compile("before", file.before)?,
            reply: Families::compile("reply", file.reply)?,
            cause: Families::compile("cause", file.cause)?,
            outcome: Families::compile("outcome", file.outcome)?,
        })
    }
}

impl Families {
    fn compile(group: &str, patterns: BTreeMap<String, String>) -> Result<Self, LanguageError> {
        let sources: Vec<String> = patterns.values().map(|pattern| ascii_classes(pattern)).collect();
        let set = |reaches: bool| {
            let chosen: Vec<usize> =
                (0..sources.len()).filter(|index| sources[*index].contains(".{") == reaches).collect();
            RegexSetBuilder::new(chosen.iter().map(|index| &sources[*index]))
                .size_limit(64 << 20)
                .dfa_size_limit(32 << 20)
                .build()
                .map(|set| (set, chosen))
                .map_err(|error| LanguageError::Pattern { group: group.to_owned(), error: Box::new(error) })
        };
        let sets = [set(false)?, set(true)?];
        let names = patterns.into_keys().map(|name| format!("{group}.{name}")).collect();
        Ok(Self { names, sets })
    }

    /// The families' names with their group: `person.standing`.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Whether `text` holds an expression of the family of that name, group and all. `text` must be [`normalise`]d.
    pub fn has(&self, name: &str, text: &str) -> bool {
        self.names().zip(self.present(text)).any(|(known, there)| there && known == name)
    }

    /// For each family, whether `text` holds one of its expressions. `text` must be [`normalise`]d.
    pub fn present(&self, text: &str) -> Vec<bool> {
        let mut present = vec![false; self.names.len()];
        for (set, positions) in &self.sets {
            for found in &set.matches(text) {
                present[positions[found]] = true;
            }
        }
        present
    }
}

/// Brings a text into the form the patterns are written for: lower case, straight quotes.
pub fn normalise(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if c.is_ascii() => plain.push(c.to_ascii_lowercase()),
            '\u{2019}' | '\u{2018}' | '\u{02bc}' => plain.push('\''),
            '\u{201c}' | '\u{201d}' => plain.push('"'),
            c => plain.extend(c.to_lowercase()),
        }
    }
    plain
}

/// Makes the classes ASCII, which the patterns mean and which compiles in a tenth of the time.
fn ascii_classes(pattern: &str) -> String {
    pattern
        .replace(r"\b", r"(?-u:\b)")
        .replace(r"\w", "[0-9a-z_]")
        .replace(r"\W", "[^0-9a-z_]")
        .replace(r"\d", "[0-9]")
        .replace(r"\s", r"[ \t\r\n]")
}

/// Why a language file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LanguageError {
    /// It is not the TOML it should be.
    #[error("the language file cannot be read: {0}")]
    Toml(#[source] Box<toml::de::Error>),
    /// A pattern is no regular expression.
    #[error("a pattern of [{group}] is no regular expression: {error}")]
    Pattern {
        /// The group it stands in.
        group: String,
        /// What is wrong with it.
        #[source]
        error: Box<regex::Error>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_language_compiles_and_finds_its_expressions() {
        let english = Language::parse(include_str!("../../languages/english.toml")).unwrap();
        let check = |text: &str, expected: &str| {
            let present = english.person.present(&normalise(text));
            let found: Vec<_> = english
                .person
                .names()
                .zip(present)
                .filter(|(_, found)| *found)
                .map(|(name, _)| name)
                .collect();
            assert!(found.contains(&expected), "{text:?} should hold {expected}: {found:?}");
        };
        check("Always run the formatter", "person.standing");
        check("oh, please don\u{2019}t squash branches", "person.forbid");
        check("B, a file for each", "person.choice");
        check("let's do that in another PR", "person.put_off");
        check("isn't that what the helper does already?", "person.refuse");
    }
}
