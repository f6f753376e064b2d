//! Dates and times as ISO 8601 and RFC 9557 write them: read exactly, or not at all.

use jiff::civil::{Date, DateTime};
use jiff::{Timestamp, Zoned};

/// A date with its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DateWithTime {
    /// One instant, as an offset or a time zone is named.
    Exact(Timestamp),
    /// By the clock on the wall, wherever that is.
    Local(DateTime),
}

/// Reads a date with its time; nothing for a date alone, and for what is no such text from its first to its last character.
pub(super) fn parse_date_time(text: &str) -> Option<DateWithTime> {
    // Dates alone are read by the same parsers, as midnight.
    let clock = text.split('[').next().unwrap_or_default();
    if !clock.contains(':') && !clock.contains(['T', 't']) {
        return None;
    }
    // A leap second would be read as the one before it.
    if names_leap_second(clock) {
        return None;
    }
    let (moment, nanosecond) = if text.contains('[') {
        let zoned: Zoned = text.parse().ok()?;
        (DateWithTime::Exact(zoned.timestamp()), zoned.subsec_nanosecond())
    } else if let Ok(at) = text.parse::<Timestamp>() {
        (DateWithTime::Exact(at), at.subsec_nanosecond())
    } else {
        let local: DateTime = text.parse().ok()?;
        (DateWithTime::Local(local), local.subsec_nanosecond())
    };
    // Schedules know nothing finer than a second; `.000` is what programs write.
    (nanosecond == 0).then_some(moment)
}

/// The second is written as 60: `23:59:60Z`, `235960`.
fn names_leap_second(clock: &str) -> bool {
    let time = clock.split_once(['T', 't', ' ']).map_or(clock, |(_, time)| time);
    let time = time.split(['Z', 'z', '+', '-']).next().unwrap_or_default();
    time.replace(':', "").get(4..6) == Some("60")
}

/// Reads a date alone: `2027-01-01`, `20270101`.
pub(super) fn parse_date(text: &str) -> Option<Date> {
    let is_plain = text.chars().all(|c| c.is_ascii_digit() || c == '-');
    text.parse().ok().filter(|_| is_plain)
}
