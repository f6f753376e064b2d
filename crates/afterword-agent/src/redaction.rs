//! Taking secrets out of everything that leaves a reflection: shown, written or remembered.

use afterword_core::{Candidate, Evidence};
use afterword_reflect::redact::{RedactError, Redactor};

/// The rules in force: the built-in ones and the user's own.
#[derive(Debug, Clone, Default)]
pub(crate) struct Redaction {
    redactor: Redactor,
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
        Ok(Self { redactor })
    }

    pub(crate) fn text(&self, text: &str) -> String {
        self.redactor.redact(text).text.into_owned()
    }

    /// A candidate without its secrets, and how many were taken out of it.
    pub(crate) fn candidate(&self, candidate: Candidate) -> (Candidate, usize) {
        let mut removed = 0;
        let mut clean = |text: String| {
            let redacted = self.redactor.redact(&text);
            removed += redacted.removed.len();
            redacted.text.into_owned()
        };
        let Candidate { kind, confidence, signal, title, body, rationale, evidence } = candidate;
        let candidate = Candidate {
            kind,
            confidence,
            signal,
            title: clean(title),
            body: clean(body),
            rationale: clean(rationale),
            evidence: evidence
                .into_iter()
                .map(|Evidence { uuid, line, role, quote }| Evidence {
                    uuid,
                    line,
                    role,
                    quote: clean(quote),
                })
                .collect(),
        };
        (candidate, removed)
    }
}
