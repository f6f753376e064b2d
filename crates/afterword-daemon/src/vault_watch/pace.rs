//! When to look at the vault again, and when to do what follows from it: soon after a change, not in the midst of a storm, and never for
//! nothing.
//!
//! A pure state machine: time comes in. One save is looked at after a moment of quiet; while changes keep coming, a look is made
//! after a longer while at the latest; and work that takes long is followed by a pause as long, so that a storm of ten
//! thousand files never takes more than half of one processor.

use std::time::{Duration, Instant};

/// So long nothing must change before a look: an editor writes a file in several steps.
const QUIET: Duration = Duration::from_millis(120);
/// So long changes may go on before a look is made all the same: an edit is to be found within a second.
const LONGEST: Duration = Duration::from_millis(400);
/// So long nothing must change before the look is followed up: who answers one lesson after the other does not wait for overviews
/// that list each of them.
const QUIET_TO_FOLLOW: Duration = Duration::from_millis(700);
/// So long changes may go on before they are followed up all the same.
const LONGEST_TO_FOLLOW: Duration = Duration::from_secs(10);

/// What is waited for.
#[derive(Debug)]
pub(crate) struct Pace {
    quiet: Duration,
    longest: Duration,
    /// Work that takes longer is followed by a pause.
    long: Duration,
    first: Option<Instant>,
    last: Option<Instant>,
    not_before: Option<Instant>,
}

impl Pace {
    /// When to look.
    pub(crate) fn of_looks() -> Self {
        Self::new(QUIET, LONGEST, LONGEST)
    }

    /// When to do what follows from what the looks found.
    pub(crate) fn of_follow_up() -> Self {
        Self::new(QUIET_TO_FOLLOW, LONGEST_TO_FOLLOW, Duration::ZERO)
    }

    fn new(quiet: Duration, longest: Duration, long: Duration) -> Self {
        Self { quiet, longest, long, first: None, last: None, not_before: None }
    }

    /// Something changed.
    pub(crate) fn changed(&mut self, at: Instant) {
        self.first.get_or_insert(at);
        self.last = Some(at);
    }

    /// When the work is due; `None` when nothing changed.
    pub(crate) fn due(&self) -> Option<Instant> {
        let due = (self.last? + self.quiet).min(self.first? + self.longest);
        Some(self.not_before.map_or(due, |not_before| due.max(not_before)))
    }

    /// The work begins: what changes from now on makes it due again.
    pub(crate) fn started(&mut self) {
        self.first = None;
        self.last = None;
    }

    /// It began at one time and ended at another.
    pub(crate) fn finished(&mut self, began: Instant, ended: Instant) {
        let took = ended.duration_since(began);
        self.not_before = (took > self.long).then(|| ended + took);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_save_is_looked_at_soon_and_only_once() {
        let start = Instant::now();
        let after = |milliseconds| start + Duration::from_millis(milliseconds);
        let mut pace = Pace::of_looks();
        assert_eq!(pace.due(), None, "idle costs nothing");
        pace.changed(after(0));
        pace.changed(after(30));
        assert_eq!(pace.due(), Some(after(150)));
        pace.started();
        pace.finished(after(150), after(160));
        assert_eq!(pace.due(), None);
    }

    #[test]
    fn a_storm_is_looked_at_in_steps() {
        let start = Instant::now();
        let after = |milliseconds| start + Duration::from_millis(milliseconds);
        let mut pace = Pace::of_looks();
        for step in 0..100 {
            pace.changed(after(step * 50));
        }
        assert_eq!(pace.due(), Some(after(400)), "not put off for ever");
        pace.started();
        pace.finished(after(400), after(1400));
        pace.changed(after(1410));
        assert_eq!(
            pace.due(),
            Some(after(2400)),
            "a look that took a second is followed by a second's pause"
        );
    }

    #[test]
    fn answers_one_after_the_other_are_followed_up_once_they_rest() {
        let start = Instant::now();
        let after = |milliseconds| start + Duration::from_millis(milliseconds);
        let mut pace = Pace::of_follow_up();
        for answer in 0..10 {
            pace.changed(after(answer * 300));
            assert!(pace.due() > Some(after(answer * 300 + 300)), "not before the next answer");
        }
        assert_eq!(pace.due(), Some(after(3400)));
        (10..100).for_each(|answer| pace.changed(after(answer * 300)));
        assert_eq!(pace.due(), Some(after(10_000)), "not put off for ever");
        pace.started();
        pace.finished(after(10_000), after(13_000));
        pace.changed(after(13_100));
        assert_eq!(pace.due(), Some(after(16_000)), "three seconds of work are followed by a pause as long");
    }
}
