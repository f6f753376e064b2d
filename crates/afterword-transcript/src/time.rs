//! Times of entries, read without the calendar where they are written as clients do.
//!
//! It owns the one form clients write, `2026-02-07T00:57:22.513Z`; every other form is the calendar library's.

use jiff::Timestamp;

/// Longest text taken for a time, in bytes.
pub(crate) const MAX_TIME: usize = 64;

/// Reads an entry's time.
pub(crate) fn parse_time(text: &str) -> Option<Timestamp> {
    match text.as_bytes().try_into().ok().and_then(parse_client_time) {
        Some(milliseconds) => Timestamp::from_millisecond(milliseconds).ok(),
        None if text.len() <= MAX_TIME => text.parse().ok(),
        None => None,
    }
}

/// Milliseconds since 1970 of a time as clients write it. The last days of a month are left to the calendar.
fn parse_client_time(text: &[u8; 24]) -> Option<i64> {
    let separators = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':'), (19, b'.'), (23, b'Z')];
    if separators.iter().any(|(at, byte)| text[*at] != *byte) {
        return None;
    }
    let mut digits = true;
    let mut number = |from: usize, to: usize| {
        text[from..to].iter().fold(0, |sum, byte| {
            let digit = byte.wrapping_sub(b'0');
            digits &= digit < 10;
            sum * 10 + i64::from(digit)
        })
    };
    let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
    let (hour, minute, second, rest) = (number(11, 13), number(14, 16), number(17, 19), number(20, 23));
    let in_range =
        (1..=12).contains(&month) && (1..=28).contains(&day) && hour < 24 && minute < 60 && second < 60;
    if !digits || !in_range {
        return None;
    }
    // Days since 1970 in the proleptic Gregorian calendar, counting years from March.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let days = year * 365 + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468;
    Some((((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + rest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_clients_form_is_read_as_the_calendar_library_reads_it(
            milliseconds in -62_135_596_800_000_i64..253_402_207_200_000,
        ) {
            let expected = Timestamp::from_millisecond(milliseconds).expect("in range");
            prop_assert_eq!(parse_time(&format!("{expected:.3}")), Some(expected));
        }
    }

    #[test]
    fn other_forms_are_read_and_no_times_are_not() {
        let noon = "2026-02-28T12:00:00.000Z".parse().ok();
        for text in ["2026-02-28T12:00:00Z", "2026-02-28T14:00:00+02:00", "2026-02-28 12:00:00.000000Z"] {
            assert_eq!(parse_time(text), noon, "{text}");
        }
        for text in [
            "",
            "yesterday",
            "2026-02-31T12:00:00.000Z",
            "2026-13-01T12:00:00.000Z",
            "2026-02-28T25:00:00.000Z",
            "2026-02-2xT12:00:00.000Z",
        ] {
            assert_eq!(parse_time(text), None, "{text}");
        }
    }
}
