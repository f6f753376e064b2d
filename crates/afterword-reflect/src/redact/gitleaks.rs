//! Token formats of gitleaks and its successor Betterleaks, as data: what each issuer's tokens look like, and which word
//! tells when to look.
//!
//! Owns how these rules are asked: only around their keywords, and compiled when a keyword is first met. The rules
//! are in `gitleaks/rules.toml` and `betterleaks/rules.toml` with their source, licence and date; what is ours alone is
//! in `formats`.

use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::AhoCorasick;
use regex::bytes::{Regex, RegexBuilder};
use serde::Deserialize;

use super::automaton::WordAutomaton;
use super::finding::Finding;
use super::names;
use super::values;

const RULES: [&str; 2] = [include_str!("gitleaks/rules.toml"), include_str!("betterleaks/rules.toml")];

/// How far before its keyword a match may begin: the rules allow a name fifty characters before it, one twice that.
const BEFORE: usize = 110;
/// How far after its keyword a match is first looked for; one that touches this end is asked again with twice as much.
const AFTER: usize = 400;

#[derive(Deserialize)]
struct RuleSet {
    rules: Vec<RuleRow>,
}

#[derive(Deserialize)]
struct RuleRow {
    id: String,
    regex: String,
    keywords: Vec<String>,
    #[serde(default)]
    entropy: f64,
    #[serde(default)]
    group: usize,
}

struct Rule {
    id: &'static str,
    pattern: String,
    compiled: OnceLock<Option<Regex>>,
    /// Entropy in bits a character that a secret must exceed.
    entropy: f64,
    group: usize,
    /// The value itself says nothing; the name of a service beside it does.
    by_context: bool,
}

impl Rule {
    fn new(row: RuleRow) -> Self {
        Self {
            id: row.id.leak(),
            by_context: row.regex.contains(r"[\w.-]{0,50}?"),
            pattern: row.regex,
            compiled: OnceLock::new(),
            entropy: row.entropy,
            group: row.group,
        }
    }

    fn regex(&self) -> Option<&Regex> {
        let build = || RegexBuilder::new(&self.pattern).unicode(false).build().ok();
        self.compiled.get_or_init(build).as_ref()
    }

    /// Adds what the rule finds in a window of the text.
    fn find(&self, text: &str, window: Range<usize>, findings: &mut Vec<Finding>) {
        let Some(regex) = self.regex() else { return };
        let mut end = window.end;
        let mut at = window.start;
        loop {
            let haystack = &text.as_bytes()[..end];
            // A match needs not begin in the part of the window that was added, but in the window that was asked for.
            let Some(captures) = regex.captures_at(haystack, at) else { return };
            let Some(whole) = captures.get(0) else { return };
            if whole.end() == end && end < text.len() {
                end = text.len().min(end + (end - window.start));
                continue;
            }
            if whole.start() >= window.end {
                return;
            }
            let secret = if self.group > 0 {
                captures.get(self.group)
            } else {
                captures.iter().skip(1).flatten().find(|group| !group.is_empty())
            };
            let mut secret = secret.unwrap_or(whole).range();
            let stand_in = secret != whole.range() && is_stand_in(&haystack[secret.clone()]);
            // A group that only repeats a part of a token is not the token.
            if !self.by_context && secret.len() * 2 < whole.len() {
                secret = whole.range();
            }
            let secret = text.floor_char_boundary(secret.start)..text.ceil_char_boundary(secret.end);
            if !stand_in && self.accepts(text, &secret) {
                findings.push(Finding::new(self.id, secret.clone()));
            }
            at = if whole.end() > at { whole.end() } else { at + 1 };
            if at >= window.end {
                return;
            }
        }
    }

    fn accepts(&self, text: &str, range: &Range<usize>) -> bool {
        let secret = &text[range.clone()];
        if values::is_filler(secret) || values::entropy(secret) <= self.entropy {
            return false;
        }
        if self.by_context {
            return (values::looks_generated(secret)
                || values::is_uuid(secret)
                || is_hexadecimal_in_parts(secret))
                && !values::is_stand_in(secret)
                && !values::is_reference(secret)
                && !names::before_is_harmless(&text[..range.start]);
        }
        !values::reads_as_identifier(secret)
    }
}

/// Tells whether what a rule calls the secret is one character again and again, or a variable of a shell.
fn is_stand_in(group: &[u8]) -> bool {
    let same = !group.is_empty() && group.iter().all(|byte| Some(byte) == group.first());
    same || std::str::from_utf8(group)
        .is_ok_and(|group| values::is_filler(group) || values::is_reference(group))
}

/// Tells whether a value is long parts of hexadecimal digits: `0f3a9c1e:77b0d2e4`.
fn is_hexadecimal_in_parts(value: &str) -> bool {
    let hexadecimal = |part: &str| part.len() >= 8 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    value.contains(':') && value.split(':').all(hexadecimal)
}

struct Rules {
    keywords: WordAutomaton,
    /// For each keyword the rules it stands for.
    by_keyword: Vec<Vec<usize>>,
    rules: Vec<Rule>,
}

static SET: LazyLock<Rules> = LazyLock::new(|| {
    let sets = RULES.map(|rules| toml::from_str::<RuleSet>(rules).expect("the rules are tested").rules);
    let rows: Vec<RuleRow> = sets.into_iter().flatten().collect();
    let mut keywords: Vec<String> = Vec::new();
    let mut by_keyword: Vec<Vec<usize>> = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        for keyword in &row.keywords {
            match keywords.iter().position(|known| known == keyword) {
                Some(known) => by_keyword[known].push(index),
                None => {
                    keywords.push(keyword.clone());
                    by_keyword.push(vec![index]);
                }
            }
        }
    }
    let mut builder = AhoCorasick::builder();
    builder.ascii_case_insensitive(true);
    Rules {
        keywords: WordAutomaton::new(builder, keywords),
        by_keyword,
        rules: rows.into_iter().map(Rule::new).collect(),
    }
});

/// Adds every token the rules know.
pub(super) fn find(text: &str, findings: &mut Vec<Finding>) {
    let set = &*SET;
    // Windows that overlap are asked as one, so that many keywords beside each other cost no more than the text is long.
    let mut windows: Vec<Option<Range<usize>>> = Vec::new();
    for hit in set.keywords.for_text(text.len()).find_overlapping_iter(text) {
        if windows.is_empty() {
            windows.resize(set.rules.len(), None);
        }
        let window = hit.start().saturating_sub(BEFORE)..text.len().min(hit.end() + AFTER);
        for rule in &set.by_keyword[hit.pattern().as_usize()] {
            match &mut windows[*rule] {
                Some(open) if window.start <= open.end => open.end = open.end.max(window.end),
                slot => {
                    if let Some(closed) = slot.replace(window.clone()) {
                        set.rules[*rule].find(text, closed, findings);
                    }
                }
            }
        }
    }
    for (rule, window) in windows.into_iter().enumerate() {
        if let Some(window) = window {
            set.rules[rule].find(text, window, findings);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_compiles_and_says_when_to_look() {
        assert!(SET.rules.len() > 270, "the whole set was read");
        for rule in &SET.rules {
            assert!(rule.regex().is_some(), "{}", rule.id);
            assert!(rule.id.len() <= super::super::LONGEST_RULE, "{}", rule.id);
        }
        assert!(SET.by_keyword.iter().all(|rules| !rules.is_empty()));
        assert!(SET.by_keyword.len() > 150);
    }
}
