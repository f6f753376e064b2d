//! What a parser found: a stretch of text that holds a secret.

use std::ops::Range;

/// A stretch of text that holds a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The kind of secret.
    pub(crate) rule: &'static str,
    /// Where it stands, in bytes.
    pub(crate) range: Range<usize>,
    /// Of two findings at one place the lower rank names the kind: what is known by sight beats what a name hints at.
    pub(crate) rank: u8,
}

impl Finding {
    pub(crate) fn new(rule: &'static str, range: Range<usize>) -> Self {
        Self { rule, range, rank: 1 }
    }

    pub(crate) fn by_shape(rule: &'static str, range: Range<usize>) -> Self {
        Self { rule, range, rank: 0 }
    }

    pub(crate) fn by_name(rule: &'static str, range: Range<usize>) -> Self {
        Self { rule, range, rank: 2 }
    }
}
