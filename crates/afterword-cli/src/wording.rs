//! Words for values: kinds, counts, times, sizes, paths.

use std::path::Path;

use afterword_app::SkipReason;
use afterword_core::{Confidence, Kind, Signal};
use jiff::civil::Date;
use jiff::{Span, Timestamp, Zoned};

use crate::failure::Failure;
use crate::output::plain;

/// A path, safe for a terminal.
pub(crate) fn path(path: &Path) -> String {
    plain(&path.to_string_lossy())
}

/// `1 note`, `3 notes`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{}{plural}", group_digits(number as u64, noun))
}

fn group_digits(number: u64, noun: &str) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    format!("{text} {noun}")
}

/// `entries` and other nouns with a plural of their own.
pub(crate) fn entries(number: u64) -> String {
    group_digits(number, if number == 1 { "entry" } else { "entries" })
}

/// `1 fix`, `3 fixes`.
pub(crate) fn kinds(number: usize, kind: Kind) -> String {
    let (one, more) = match kind {
        Kind::Preference => ("preference", "preferences"),
        Kind::Workflow => ("workflow", "workflows"),
        Kind::Fix => ("fix", "fixes"),
        Kind::Idea => ("idea", "ideas"),
    };
    group_digits(number as u64, if number == 1 { one } else { more })
}

/// The heading over notes of a kind.
pub(crate) fn heading(kind: Kind) -> &'static str {
    match kind {
        Kind::Preference => "Preferences",
        Kind::Workflow => "Workflows",
        Kind::Fix => "Fixes and workarounds",
        Kind::Idea => "Ideas",
    }
}

/// The word for a confidence.
pub(crate) fn confidence(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::High => "high",
        Confidence::Medium => "medium",
        Confidence::Low => "low",
    }
}

/// The word for a signal.
pub(crate) fn signal(signal: Signal) -> &'static str {
    match signal {
        Signal::StandingRule => "standing rule",
        Signal::Correction => "correction",
        Signal::DesignLock => "design lock",
        Signal::RepeatedPattern => "repeated pattern",
        Signal::ErrorResolved => "error resolved",
        Signal::Approval => "approval",
        Signal::FollowUp => "follow-up",
        Signal::Implied => "implied",
        Signal::Saved => "saved",
        Signal::Unproven => "perhaps not your words",
    }
}

/// A size, as in `1.4 MB`.
pub(crate) fn bytes(bytes: u64) -> String {
    indicatif::DecimalBytes(bytes).to_string()
}

/// Why a line was skipped.
pub(crate) fn skip_reason(reason: SkipReason) -> &'static str {
    match reason {
        SkipReason::TooLong => "too long",
        SkipReason::NotUtf8 => "not UTF-8",
        SkipReason::Truncated => "cut off",
        SkipReason::NotJson => "not JSON",
        SkipReason::NotAnObject => "no JSON object",
        SkipReason::Nul => "zero bytes",
        SkipReason::Comment => "a comment",
    }
}

/// How long ago, as in `3 hours`.
pub(crate) fn age(then: Timestamp, now: Timestamp) -> String {
    let seconds = usize::try_from(now.as_second() - then.as_second()).unwrap_or(0);
    match seconds {
        0..60 => "less than a minute".to_owned(),
        60..3_600 => count(seconds / 60, "minute"),
        3_600..172_800 => count(seconds / 3_600, "hour"),
        _ => count(seconds / 86_400, "day"),
    }
}

/// Till when something waits: `until 14:30, in 5 minutes`, or for an agent where its time is past.
pub(crate) fn until(at: Timestamp, now: Timestamp) -> String {
    if at <= now {
        return "for an agent that works on it".to_owned();
    }
    format!("until {}, in {}", local(at, "local"), age(now, at))
}

/// A time in a zone, or in the user's own.
pub(crate) fn local(at: Timestamp, zone: &str) -> String {
    let zone = jiff::tz::TimeZone::get(zone).unwrap_or_else(|_| jiff::tz::TimeZone::system());
    at.to_zoned(zone).strftime("%a %Y-%m-%d %H:%M %Z").to_string()
}

/// The first part of a session's id, which tells most sessions apart.
pub(crate) fn short(session: &str) -> &str {
    session.get(..8).unwrap_or(session)
}

/// A time given as an age (`7d`, `12h`, `90m`, `2w`) or as a day.
pub(crate) fn parse_since(text: &str, now: &Zoned) -> Result<Timestamp, Failure> {
    if let Ok(day) = text.parse::<Date>()
        && let Ok(start) = day.to_zoned(now.time_zone().clone())
    {
        return Ok(start.timestamp());
    }
    let problem = || Failure::Usage {
        argument: "--since",
        problem: format!("`{}` is no time; write `7d`, `12h`, `2w` or a day like `2026-03-01`", plain(text)),
    };
    let split = text.find(|c: char| !c.is_ascii_digit()).ok_or_else(problem)?;
    let (number, unit) = text.split_at(split);
    let number: i64 = number.parse().map_err(|_| problem())?;
    let span = match unit.trim() {
        "m" | "min" => Span::new().try_minutes(number),
        "h" => Span::new().try_hours(number),
        "d" => Span::new().try_days(number),
        "w" => Span::new().try_weeks(number),
        _ => return Err(problem()),
    };
    let start = span.and_then(|span| now.checked_sub(span)).map_err(|_| problem())?;
    Ok(start.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_and_days_are_understood() {
        let now: Zoned = "2026-03-10T12:00:00+01:00[Europe/Paris]".parse().unwrap();
        let check = |text: &str, expected: &str| {
            assert_eq!(parse_since(text, &now).unwrap(), expected.parse::<Timestamp>().unwrap(), "{text}");
        };
        check("7d", "2026-03-03T11:00:00Z");
        check("2w", "2026-02-24T11:00:00Z");
        check("12h", "2026-03-09T23:00:00Z");
        check("90m", "2026-03-10T09:30:00Z");
        check("2026-03-01", "2026-02-28T23:00:00Z");
        for bad in ["", "d", "7", "7y", "-3d", "yesterday", "99999999999999999999d", "9999999999d"] {
            assert!(parse_since(bad, &now).is_err(), "{bad}");
        }
    }

    #[test]
    fn counts_read_well() {
        assert_eq!(count(1, "note"), "1 note");
        assert_eq!(count(12_345, "note"), "12,345 notes");
        assert_eq!(entries(1), "1 entry");
        assert_eq!(entries(1_000_000), "1,000,000 entries");
    }
}
