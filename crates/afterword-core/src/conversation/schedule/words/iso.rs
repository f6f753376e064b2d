//! Dates and times as ISO 8601 and RFC 9557 write them: read exactly, or not at all.

use jiff::civil::{Date, DateTime};
use jiff::{Timestamp, Zoned};

/// A date with its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    /// One instant, as an offset or a time zone is named.
    Exact(Timestamp),
    /// By the clock on the wall, wherever that is.
    Local(DateTime),
}

/// Reads a date with its time; nothing for a date alone, and for what is no such text from its first to its last character.
pub(super) fn read(text: &str) -> Option<Moment> {
    // Dates alone are read by the same parsers, as midnight.
    let clock = text.split('[').next().unwrap_or_default();
    if !clock.contains(':') && !clock.contains(['T', 't']) {
        return None;
    }
    let (moment, second) = if text.contains('[') {
        let zoned: Zoned = text.parse().ok()?;
        (Moment::Exact(zoned.timestamp()), zoned.second())
    } else if let Ok(at) = text.parse::<Timestamp>() {
        (Moment::Exact(at), at.to_zoned(jiff::tz::TimeZone::UTC).second())
    } else {
        let local: DateTime = text.parse().ok()?;
        (Moment::Local(local), local.second())
    };
    // A leap second would be read as the one before it.
    (second != 59 || text.contains("59")).then_some(moment)
}

/// Reads a date alone: `2027-01-01`, `20270101`.
pub(super) fn date(text: &str) -> Option<Date> {
    let is_plain = text.chars().all(|c| c.is_ascii_digit() || c == '-');
    text.parse().ok().filter(|_| is_plain)
}
