//! Removal of secrets from text, before it is stored, logged, written to the vault or sent to an engine.
//!
//! Owns what counts as a secret and what stands in its place. It deliberately knows nothing of where the text came
//! from or goes to, does not hide user names or paths, and never asks a provider whether a token is live.
//! Start at [`Redactor::redact`]; `formats` and `gitleaks` hold the token formats that are known by sight,
//! `assignments` the values that only their name gives away, `blocks` and `commands` the places where they stand.
//!
//! Redact before cutting text short: half a token may no longer look like one. Who has the texts of a session at hand
//! learns all of them first ([`Redactor::learn`]) and then redacts each with what was learnt
//! ([`Redactor::redact_with`]): a value that one text gives away is then removed from all of them.

mod addresses;
mod assignments;
mod automaton;
mod blocks;
mod commands;
mod finding;
mod formats;
mod gitleaks;
mod headers;
mod keys_in_json;
mod known;
mod names;
mod private_keys;
mod prose;
mod scan;
mod shapes;
mod signs;
mod values;
mod views;
mod wallets;

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;
use regex::{Regex, RegexBuilder};
use thiserror::Error;

use finding::Finding;
pub use known::KnownSecrets;

/// The licences of the token formats that come from gitleaks and Betterleaks, for whoever has only the program.
pub const RULE_NOTICES: &str =
    concat!(include_str!("redact/gitleaks/LICENSE"), "\n", include_str!("redact/betterleaks/LICENSE"));

/// How often the text a pass left is looked at again, for secrets that only stand free once another is gone.
const MAX_PASSES: usize = 8;

/// Upper bound in bytes for one compiled user pattern; the regex crate's default is ten times that.
const EXTRA_PATTERN_SIZE: usize = 1 << 20;

/// Longest name of a kind, in bytes.
const LONGEST_RULE: usize = 60;

/// Every replacement starts with this, so that none is ever taken for a secret.
pub(crate) const MARK: &str = "[redacted: ";

/// Says why a redactor could not be built.
#[derive(Debug, Error)]
pub enum RedactError {
    /// A user's extra pattern is not a regular expression this program accepts.
    #[error("extra redaction pattern {index} ({pattern}) is not valid: {source}")]
    Pattern {
        /// Position in the list given, from 0.
        index: usize,
        /// The pattern as given.
        pattern: String,
        /// What the regex engine said.
        source: Box<regex::Error>,
    },
}

/// One removed secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removal {
    /// The kind of secret, as the replacement names it (`aws-access-key`, `password`, `custom` …).
    pub rule: &'static str,
    /// The bytes of the original text that were replaced.
    pub range_in_original: Range<usize>,
}

/// Text without its secrets, and what was taken out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted<'t> {
    /// The text; borrowed when nothing was removed.
    pub text: Cow<'t, str>,
    /// The removals in the order of the text, never overlapping.
    pub removed: Vec<Removal>,
}

/// Finds secrets and replaces each with `[redacted: <kind>]`.
///
/// Building the first one compiles the rules (some milliseconds); further ones share them.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    extra_patterns: Vec<Regex>,
}

impl Redactor {
    /// Builds a redactor that also removes what the user's own regular expressions match.
    ///
    /// A pattern with a capture group removes only its first group, one without removes the whole match.
    ///
    /// # Errors
    /// [`RedactError::Pattern`] for the first pattern that does not compile or compiles to something huge.
    pub fn new(extra_patterns: &[String]) -> Result<Self, RedactError> {
        let extra_patterns = extra_patterns
            .iter()
            .enumerate()
            .map(|(index, pattern)| {
                RegexBuilder::new(pattern).size_limit(EXTRA_PATTERN_SIZE).build().map_err(|source| {
                    RedactError::Pattern { index, pattern: pattern.clone(), source: Box::new(source) }
                })
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { extra_patterns })
    }

    /// Replaces every secret found in the text; text without one comes back borrowed.
    ///
    /// A value that is recognised in one place is removed from every place where it stands in this text. Redacting the
    /// result again changes nothing.
    #[must_use]
    pub fn redact<'t>(&self, text: &'t str) -> Redacted<'t> {
        self.redact_with(text, &mut KnownSecrets::default())
    }

    /// Remembers the secrets of a text without changing it.
    pub fn learn(&self, text: &str, known: &mut KnownSecrets) {
        // What is wanted is what it adds to `known`.
        let _ = self.redact_with(text, known);
    }

    /// Replaces every secret found in the text and every value that is known, and remembers what it found.
    #[must_use]
    pub fn redact_with<'t>(&self, text: &'t str, known: &mut KnownSecrets) -> Redacted<'t> {
        let mut removed = Vec::new();
        let mut current = Cow::Borrowed(text);
        for pass in 0.. {
            let mut findings = self.find(&current, known);
            if findings.is_empty() {
                break;
            }
            // Text made to need ever more passes is not read for ever: what still shows secrets is removed by the line,
            // and at last altogether.
            if pass >= MAX_PASSES {
                let whole = pass >= 2 * MAX_PASSES;
                findings = unread(&current, &findings, whole);
            }
            current = Cow::Owned(replace(&current, &findings));
            merge_into_original(&mut removed, findings);
        }
        Redacted { text: current, removed }
    }

    fn find(&self, text: &str, known: &mut KnownSecrets) -> Vec<Finding> {
        let marks = marks(text);
        let mut findings = match views::WithoutControls::of(text) {
            None => scan::built_in(text),
            Some(plain) => {
                let mut findings = scan::built_in(&plain.text);
                for finding in &mut findings {
                    finding.range = plain.original(&finding.range);
                }
                findings
            }
        };
        findings.retain_mut(|finding| settle(&mut finding.range, &marks));
        for pattern in &self.extra_patterns {
            for captures in pattern.captures_iter(text) {
                let Some(matched) = captures.get(1).or_else(|| captures.get(0)) else {
                    continue;
                };
                // A pattern may well match the words of a replacement; those stay.
                if !matched.is_empty() && met(&matched.range(), &marks).is_empty() {
                    findings.push(Finding::new("custom", matched.range()));
                }
            }
        }
        let mut findings = disjoint(findings);
        known.remember(text, &findings);
        if !known.is_empty() {
            known.find(text, &mut findings);
            findings.retain_mut(|finding| settle(&mut finding.range, &marks));
            findings = disjoint(findings);
        }
        findings
    }
}

/// The lines that the findings stand in, or the whole text, as findings of their own.
fn unread(text: &str, findings: &[Finding], whole: bool) -> Vec<Finding> {
    if whole {
        return vec![Finding::new(scan::UNREAD, 0..text.len())];
    }
    let lines = findings.iter().map(|finding| {
        let start = text[..finding.range.start].rfind('\n').map_or(0, |at| at + 1);
        let end =
            text[finding.range.end..].find('\n').map_or(text.len(), |length| finding.range.end + length);
        Finding::new(scan::UNREAD, start..end)
    });
    disjoint(lines.collect())
}

/// The replacements that already stand in a text, in order.
fn marks(text: &str) -> Vec<Range<usize>> {
    let in_rule = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-';
    memmem::find_iter(text.as_bytes(), MARK)
        .filter_map(|start| {
            let rule = &text.as_bytes()[start + MARK.len()..];
            let length = rule.iter().take(LONGEST_RULE).take_while(|byte| in_rule(byte)).count();
            (length > 0 && rule.get(length) == Some(&b']')).then(|| start..start + MARK.len() + length + 1)
        })
        .collect()
}

/// Widens a range to hold every replacement it meets whole; tells whether it holds anything else.
fn settle(range: &mut Range<usize>, marks: &[Range<usize>]) -> bool {
    let met = met(range, marks);
    let (Some(first), Some(last)) = (met.first(), met.last()) else {
        return true;
    };
    let inside_one = first.start <= range.start && range.end <= first.end;
    *range = range.start.min(first.start)..range.end.max(last.end);
    !inside_one
}

/// The replacements that a range overlaps.
fn met<'m>(range: &Range<usize>, marks: &'m [Range<usize>]) -> &'m [Range<usize>] {
    let first = marks.partition_point(|mark| mark.end <= range.start);
    let beyond = marks.partition_point(|mark| mark.start < range.end);
    &marks[first..beyond.max(first)]
}

/// Joins findings that overlap; the joined one is called after the first and, at one place, the longest.
fn disjoint(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by_key(|finding| (finding.range.start, std::cmp::Reverse(finding.range.end)));
    let mut joined: Vec<Finding> = Vec::with_capacity(findings.len());
    for finding in findings {
        match joined.last_mut() {
            Some(last) if finding.range.start < last.range.end => {
                if finding.rank < last.rank {
                    last.rule = finding.rule;
                    last.rank = finding.rank;
                }
                last.range.end = last.range.end.max(finding.range.end);
            }
            _ => joined.push(finding),
        }
    }
    joined
}

fn replace(text: &str, findings: &[Finding]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for finding in findings {
        out.push_str(&text[copied..finding.range.start]);
        out.push_str(MARK);
        out.push_str(finding.rule);
        out.push(']');
        copied = finding.range.end;
    }
    out.push_str(&text[copied..]);
    out
}

fn mark_len(rule: &str) -> usize {
    MARK.len() + rule.len() + 1
}

/// Adds findings made in already redacted text to the removals, in terms of the original text.
///
/// A finding that swallows earlier replacements swallows their removals too.
fn merge_into_original(removed: &mut Vec<Removal>, findings: Vec<Finding>) {
    let mut merged: Vec<Removal> = Vec::with_capacity(removed.len() + findings.len());
    let mut earlier = std::mem::take(removed).into_iter().peekable();
    // How far the redacted text runs ahead of the original at the current place.
    let (mut grown, mut shrunk) = (0, 0);
    for finding in findings {
        while let Some(removal) = earlier.next_if(|removal| {
            removal.range_in_original.start + grown - shrunk + mark_len(removal.rule) <= finding.range.start
        }) {
            grown += mark_len(removal.rule);
            shrunk += removal.range_in_original.len();
            merged.push(removal);
        }
        let start = finding.range.start + shrunk - grown;
        while let Some(removal) =
            earlier.next_if(|removal| removal.range_in_original.start + grown - shrunk < finding.range.end)
        {
            grown += mark_len(removal.rule);
            shrunk += removal.range_in_original.len();
        }
        let end = finding.range.end + shrunk - grown;
        merged.push(Removal { rule: finding.rule, range_in_original: start..end });
    }
    merged.extend(earlier);
    *removed = merged;
}

#[cfg(test)]
mod tests;
