//! How soon what failed is tried again, and how often everything is looked at where the system does not tell of changes.

use std::time::Duration;

use afterword_core::schedule::Intervals;

use afterword_app::agent_lock::WatchMode;

/// The first wait after a failure; each further one is twice as long.
const FIRST: Duration = Duration::from_secs(2);
/// The longest one.
const LONGEST: Duration = Duration::from_secs(60);
/// The shortest time between two looks at everything while the system does not tell of changes.
const POLL: Duration = Duration::from_secs(2);
/// Looking at everything may take one part in so many of the time.
const SHARE: u32 = 100;

/// A vault that is not there is looked for so often.
pub(super) const OBSTACLE: Duration = Duration::from_secs(15);

/// The wait after `failures` in a row.
pub(super) fn after_failures(failures: u32) -> Duration {
    let doublings = 1_u32.checked_shl(failures.saturating_sub(1)).unwrap_or(u32::MAX);
    FIRST.checked_mul(doublings).map_or(LONGEST, |wait| wait.min(LONGEST))
}

/// The time between two rescans, the last of which took `took`.
pub(super) fn rescan_pause(watching: &WatchMode, took: Duration) -> Duration {
    match watching {
        WatchMode::Events => Intervals::RESCAN_WATCHED,
        // It appears with an event; should that be lost, this is soon enough.
        WatchMode::Waiting => Duration::from_secs(60),
        WatchMode::Polling { .. } => POLL.max(took.saturating_mul(SHARE)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_tried_again_later_and_later() {
        let seconds: Vec<_> = (1..=7).map(|failures| after_failures(failures).as_secs()).collect();
        assert_eq!(seconds, [2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(after_failures(u32::MAX), LONGEST);
    }

    #[test]
    fn polling_takes_a_hundredth_of_the_time_at_most() {
        let polling = WatchMode::Polling { reason: String::new() };
        let wait = |millis| rescan_pause(&polling, Duration::from_millis(millis));
        assert_eq!((wait(1), wait(100)), (Duration::from_secs(2), Duration::from_secs(10)));
    }
}
