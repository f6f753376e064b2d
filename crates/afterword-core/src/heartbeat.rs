//! When an open session that idles is looked at: the heartbeat's rule, with time as an argument. Start at [`next_heartbeat`].

use std::time::Duration;

use jiff::Timestamp;

use crate::job::saturating_add;

/// The times that heartbeats go by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeartbeatRules {
    /// A session idles for so long before it is looked at.
    pub idle: Duration,
    /// When there was nothing to say, it is looked at again after so long.
    pub again: Duration,
    /// A session that idles for longer than this was left for good.
    pub left: Duration,
}

impl Default for HeartbeatRules {
    fn default() -> Self {
        let minutes = |minutes: u64| Duration::from_secs(minutes * 60);
        Self { idle: minutes(4), again: minutes(30), left: minutes(12 * 60) }
    }
}

/// A heartbeat that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompletedHeartbeat {
    /// When it ended.
    pub at: Timestamp,
    /// It had nothing to say (`HEARTBEAT_CONTINUE`).
    pub continued: bool,
}

/// When a session that is not over is to be looked at next; `None` until something happens in it.
pub fn next_heartbeat(
    last_activity: Timestamp,
    last: Option<CompletedHeartbeat>,
    rules: &HeartbeatRules,
) -> Option<Timestamp> {
    let idle = saturating_add(last_activity, rules.idle);
    let at = match last.filter(|beat| beat.at >= last_activity) {
        None => idle,
        Some(beat) if beat.continued => saturating_add(beat.at, rules.again).max(idle),
        Some(_) => return None,
    };
    (at <= saturating_add(last_activity, rules.left.max(rules.idle))).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        format!("2026-03-01T{text}Z").parse().unwrap()
    }

    #[test]
    fn one_that_spoke_is_enough_and_one_that_was_silent_comes_again() {
        let next = |last| next_heartbeat(at("10:00:00"), last, &HeartbeatRules::default());
        let beat = |time, continued| Some(CompletedHeartbeat { at: at(time), continued });
        assert_eq!(next(None), Some(at("10:04:00")));
        assert_eq!(next(beat("09:30:00", false)), Some(at("10:04:00")), "something happened since");
        assert_eq!(next(beat("10:04:01", false)), None);
        assert_eq!(next(beat("10:04:01", true)), Some(at("10:34:01")));
        assert_eq!(next(beat("21:40:00", true)), None, "left for good");
    }
}
