//! When to look at the vault again: soon after a change, not in the midst of a storm, and never for nothing.
//!
//! A pure state machine: time comes in. One save is looked at after [`QUIET`]; while changes keep coming, a look is made
//! after [`LONGEST`] at the latest; and looks that take long are followed by a pause as long, so that a storm of ten
//! thousand files never takes more than half of one processor.

use std::time::{Duration, Instant};

/// So long nothing must change before a look: an editor writes a file in several steps.
const QUIET: Duration = Duration::from_millis(120);
/// So long changes may go on before a look is made all the same: an edit is to be found within a second.
const LONGEST: Duration = Duration::from_millis(400);

/// What is waited for.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    first: Option<Instant>,
    last: Option<Instant>,
    not_before: Option<Instant>,
}

impl Pace {
    /// Something changed.
    pub(crate) fn changed(&mut self, at: Instant) {
        self.first.get_or_insert(at);
        self.last = Some(at);
    }

    /// When the next look is due; `None` when nothing changed.
    pub(crate) fn due(&self) -> Option<Instant> {
        let due = (self.last? + QUIET).min(self.first? + LONGEST);
        Some(self.not_before.map_or(due, |not_before| due.max(not_before)))
    }

    /// A look begins: what changes from now on is looked at again.
    pub(crate) fn scan_started(&mut self) {
        self.first = None;
        self.last = None;
    }

    /// A look began at one time and ended at another.
    pub(crate) fn scan_finished(&mut self, began: Instant, ended: Instant) {
        let took = ended.duration_since(began);
        self.not_before = (took > LONGEST).then(|| ended + took);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_save_is_looked_at_soon_and_only_once() {
        let start = Instant::now();
        let after = |milliseconds| start + Duration::from_millis(milliseconds);
        let mut pace = Pace::default();
        assert_eq!(pace.due(), None, "idle costs nothing");
        pace.changed(after(0));
        pace.changed(after(30));
        assert_eq!(pace.due(), Some(after(150)));
        pace.scan_started();
        pace.scan_finished(after(150), after(160));
        assert_eq!(pace.due(), None);
    }

    #[test]
    fn a_storm_is_looked_at_in_steps() {
        let start = Instant::now();
        let after = |milliseconds| start + Duration::from_millis(milliseconds);
        let mut pace = Pace::default();
        for step in 0..100 {
            pace.changed(after(step * 50));
        }
        assert_eq!(pace.due(), Some(after(400)), "not put off for ever");
        pace.scan_started();
        pace.scan_finished(after(400), after(1400));
        pace.changed(after(1410));
        assert_eq!(
            pace.due(),
            Some(after(2400)),
            "a look that took a second is followed by a second's pause"
        );
    }
}
