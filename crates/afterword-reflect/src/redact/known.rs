//! Values that were recognised once, so that they are removed wherever they stand again.
//!
//! Owns which values are remembered: only those that cannot be a word. They live in memory, for one session, and are
//! never shown.

use std::collections::BTreeMap;
use std::fmt;

use aho_corasick::{AhoCorasick, MatchKind};

use super::finding::Finding;
use super::values;

/// The secrets met in one session.
///
/// Fill it with [`Redactor::learn`](super::Redactor::learn) from every text of the session before the first is shown,
/// or let [`Redactor::redact_with`](super::Redactor::redact_with) fill it as it goes.
#[derive(Clone, Default)]
pub struct KnownSecrets {
    rules: BTreeMap<String, &'static str>,
    /// Built when a value is added, as that is rare.
    search: Option<(AhoCorasick, Vec<(usize, &'static str)>)>,
}

impl fmt::Debug for KnownSecrets {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("KnownSecrets").field("count", &self.rules.len()).finish()
    }
}

/// A value this long is searched for inside words too.
const LONG: usize = 16;

impl KnownSecrets {
    /// Tells whether nothing was remembered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// How many values are remembered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Remembers what the findings removed from a text, where that is distinctive.
    pub(super) fn remember(&mut self, text: &str, findings: &[Finding]) {
        let before = self.rules.len();
        for finding in findings {
            let value = text[finding.range.clone()].trim_matches(['"', '\'', '`', ' ', '\n', '\r']);
            if is_distinctive(finding.rule, value) && !self.rules.contains_key(value) {
                self.rules.insert(value.to_owned(), finding.rule);
            }
        }
        if self.rules.len() > before {
            let rows = self.rules.iter().map(|(value, rule)| (value.len(), *rule)).collect();
            self.search = AhoCorasick::builder()
                .match_kind(MatchKind::LeftmostLongest)
                .build(self.rules.keys())
                .ok()
                .map(|search| (search, rows));
        }
    }

    /// Adds every place where a remembered value stands.
    pub(super) fn find(&self, text: &str, findings: &mut Vec<Finding>) {
        let Some((search, rows)) = &self.search else { return };
        for hit in search.find_iter(text) {
            let (length, rule) = rows[hit.pattern().as_usize()];
            let in_word =
                |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
            let bytes = text.as_bytes();
            // The letter of an escape is no part of a word: `\nhunter2`.
            let escaped = hit.start() > 1 && bytes[hit.start() - 2] == b'\\';
            let whole = (!in_word(bytes[..hit.start()].last()) || escaped) && !in_word(bytes.get(hit.end()));
            if length >= LONG || whole {
                findings.push(Finding::by_name(rule, hit.range()));
            }
        }
    }
}

/// Tells whether a removed value is no word, number, version or path that could stand elsewhere for itself.
fn is_distinctive(rule: &str, value: &str) -> bool {
    if rule == "custom" || rule == super::scan::UNREAD || value.len() < 6 || value.contains("[redacted") {
        return false;
    }
    if value.contains('\n') {
        return value.len() >= 64;
    }
    let digits = value.bytes().all(|byte| byte.is_ascii_digit());
    let chosen = values::mixes_digits(value) || values::mixes_signs(value) || values::looks_generated(value);
    !digits
        && (chosen || value.len() >= LONG)
        && !values::is_version(value)
        && !values::is_numbered_word(value)
        && !values::is_stand_in(value)
        && !values::is_reference(value)
}
