//! Taking secrets out of everything that leaves a reflection: shown, written or remembered.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use afterword_core::{Candidate, Evidence};
use afterword_reflect::outcome::{OutcomeSign, SessionOutcome};
use afterword_reflect::redact::{KnownSecrets, RedactError, Redacted, Redactor};
use afterword_transcript::Report;
use afterword_transcript::event::{Event, Origin};

use crate::Error;

/// The rules in force: the built-in ones and the user's own.
#[derive(Debug, Default)]
pub struct Redaction {
    redactor: Redactor,
    /// Values that were recognised in the session being read: they are removed wherever they stand again.
    known: Mutex<KnownSecrets>,
    /// What was taken out of texts before they were cut, since the last event.
    before_cutting: AtomicUsize,
}

impl Clone for Redaction {
    /// The same rules; what one session gave away is not known to the other.
    fn clone(&self) -> Self {
        Self { redactor: self.redactor.clone(), ..Self::default() }
    }
}

impl Redaction {
    /// Adds the user's own patterns (`privacy.redact_extra`); the error says which one is no regular expression.
    pub(crate) fn new(extra: &[String]) -> Result<Self, String> {
        let redactor = Redactor::new(extra).map_err(|RedactError::Pattern { pattern, source, .. }| {
            // The engine's message draws the pattern over several lines; the last one says what is wrong.
            let message = source.to_string();
            let reason = message.lines().last().unwrap_or_default().trim_start_matches("error: ");
            format!("cannot use the pattern \"{pattern}\": {reason}")
        })?;
        Ok(Self { redactor, ..Self::default() })
    }

    pub fn text(&self, text: &str) -> String {
        self.redact(text).text.into_owned()
    }

    /// Forgets the values of the session read before.
    pub(crate) fn begin_session(&self) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = KnownSecrets::default();
    }

    /// How many values of the session are known. Where it grew, a text redacted before may hold one that was not known then.
    pub(crate) fn known_values(&self) -> usize {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// What `read` makes of a session, made once more from the start where a secret came to light on the way, as what was made above it may
    /// hold that one, or half of it where words were cut; and whether it was made again. `read` hears whether it is, and says how
    /// many values were known when it made the first of it.
    pub(crate) fn read_with_all_known<T>(
        &self,
        mut read: impl FnMut(bool) -> Result<(T, usize), Error>,
    ) -> Result<(T, bool), Error> {
        let (made, known_at_first) = read(false)?;
        let is_again = self.known_values() > known_at_first;
        Ok((if is_again { read(true)?.0 } else { made }, is_again))
    }

    /// A text that is about to be cut, without its secrets; `None` where it has none. They count for the next event.
    pub(crate) fn redact_before_cut(&self, text: &str) -> Option<String> {
        let redacted = self.redact(text);
        self.before_cutting.fetch_add(redacted.removed.len(), Ordering::Relaxed);
        (!redacted.removed.is_empty()).then(|| redacted.text.into_owned())
    }

    fn redact<'t>(&self, text: &'t str) -> Redacted<'t> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        self.redactor.redact_with(text, &mut known)
    }

    /// An event without its secrets, and how many were taken out of it. What is mined from it, words counted one by one
    /// included, never saw them.
    pub(crate) fn event(&self, mut event: Event) -> (Event, usize) {
        let mut removed = self.before_cutting.swap(0, Ordering::Relaxed);
        let mut clean = |text: &mut String, pasted: Option<&mut Vec<Range<usize>>>| {
            let redacted = self.redact(text);
            if redacted.removed.is_empty() {
                return;
            }
            removed += redacted.removed.len();
            if let Some(pasted) = pasted {
                for range in pasted {
                    *range = redacted_position(&redacted, text.len(), range.start)
                        ..redacted_position(&redacted, text.len(), range.end);
                }
            }
            *text = redacted.text.into_owned();
        };
        match &mut event {
            Event::User(utterance) => {
                clean(&mut utterance.text, Some(&mut utterance.pasted));
                if let Origin::Answer { question, options, .. } = &mut utterance.origin {
                    clean(question, None);
                    for (label, description) in options {
                        clean(label, None);
                        clean(description, None);
                    }
                }
            }
            Event::Repeat(repeat) => {
                if let Some((text, pasted)) = &mut repeat.edited {
                    clean(text, Some(pasted));
                }
            }
            Event::Agent { text, .. } => clean(text, None),
            Event::Call(call) => {
                clean(&mut call.name, None);
                clean(&mut call.summary, None);
                clean(&mut call.input, None);
            }
            Event::Outcome(outcome) => clean(&mut outcome.error, None),
            Event::Interrupt { .. } | Event::Compaction { .. } | Event::Rewind(_) | Event::Undelivered(_) => {
            }
        }
        (event, removed)
    }

    /// What was read of a session, to be shown: its names and places without secrets.
    pub(crate) fn report(&self, mut report: Report) -> Report {
        let Report { title, first_cwd, last_cwd, git_branch, .. } = &mut report;
        for text in [title, first_cwd, last_cwd, git_branch].into_iter().flatten() {
            *text = self.text(text);
        }
        report
    }

    /// How a session ended, without secrets.
    pub(crate) fn outcome(&self, outcome: SessionOutcome) -> SessionOutcome {
        let texts = |texts: Vec<String>| texts.iter().map(|text| self.text(text)).collect();
        let sign = |sign: OutcomeSign| OutcomeSign { what: self.text(&sign.what), ..sign };
        SessionOutcome {
            task: self.text(&outcome.task),
            worked: texts(outcome.worked),
            did_not_work: texts(outcome.did_not_work),
            next: self.text(&outcome.next),
            signs: outcome.signs.into_iter().map(sign).collect(),
            ..outcome
        }
    }

    /// A candidate without its secrets.
    pub(crate) fn candidate(&self, candidate: Candidate) -> Candidate {
        let evidence = |evidence: Evidence| Evidence { quote: self.text(&evidence.quote), ..evidence };
        Candidate {
            title: self.text(&candidate.title),
            body: self.text(&candidate.body),
            rationale: self.text(&candidate.rationale),
            evidence: candidate.evidence.into_iter().map(evidence).collect(),
            ..candidate
        }
    }
}

/// Where a position of the original text stands in the redacted one; inside a secret, where its replacement begins.
fn redacted_position(redacted: &Redacted<'_>, original: usize, position: usize) -> usize {
    let lost: usize = redacted.removed.iter().map(|removal| removal.range_in_original.len()).sum();
    let gained = redacted.text.len() + lost - original;
    // Every replacement is "[redacted: " and the rule's name and "]"; twelve bytes and the name.
    let grown = |rule: &str| rule.len() + 12;
    debug_assert_eq!(gained, redacted.removed.iter().map(|removal| grown(removal.rule)).sum::<usize>());
    let mut place = position;
    for removal in &redacted.removed {
        let range = &removal.range_in_original;
        if range.end <= position {
            place = place + grown(removal.rule) - range.len();
        } else if range.start < position {
            place -= position - range.start;
        }
    }
    place.min(redacted.text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_follow_their_words() {
        let redaction = Redaction::default();
        let secret = format!("ghp_{}", "a1B2c3D4e5".repeat(4));
        let text = format!("token {} then the paste", &secret[..40]);
        let redacted = redaction.redactor.redact(&text);
        assert_eq!(redacted.removed.len(), 1, "{}", redacted.text);
        let start = redacted_position(&redacted, text.len(), text.find("the paste").unwrap());
        assert_eq!(&redacted.text[start..], "the paste");
        assert_eq!(redacted_position(&redacted, text.len(), 3), 3);
    }
}
