//! The time at which tests play.

use jiff::{Timestamp, Zoned};

/// The time at which a test asks for something, a few days after its sessions.
pub fn now() -> Zoned {
    "2026-03-10T12:00:00+00:00[UTC]".parse().unwrap()
}

/// A time of the day the sessions are of, as `09:30:00`, or a whole time, as `2026-03-02T09:30:00Z`.
pub fn at(time: &str) -> Timestamp {
    if time.contains('T') { time.parse().unwrap() } else { format!("2026-03-01T{time}Z").parse().unwrap() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_the_day_and_a_whole_one() {
        assert_eq!(at("09:30:00"), at("2026-03-01T09:30:00Z"));
        assert!(at("2026-03-02T09:30:00Z") < now().timestamp());
    }
}
