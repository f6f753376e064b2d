//! Times of entries, read without the calendar where they are written as clients do.
//!
//! It owns the one form clients write, `2026-02-07T00:57:22.513Z`; every other form is the calendar library's.

use jiff::Timestamp;

use crate::json::Raw;

/// A time as written; such texts sort as the times do.
pub(crate) type Moment = [u8; 24];

/// An entry's time, for comparing.
pub(crate) fn moment(raw: Raw<'_>) -> Option<Moment> {
    if let Ok(moment) = Moment::try_from(raw.0.as_bytes())
        && is_plain(&moment)
    {
        return Some(moment);
    }
    if raw.is_empty() || raw.0.len() > 64 * 6 {
        return None;
    }
    let time = time(&raw.decode())?;
    Moment::try_from(format!("{time:.3}").as_bytes()).ok()
}

/// Whether a time is written as clients do, in UTC with milliseconds.
fn is_plain(moment: &Moment) -> bool {
    let form = b"0000-00-00T00:00:00.000Z";
    moment
        .iter()
        .zip(form)
        .all(|(byte, form)| if *form == b'0' { byte.is_ascii_digit() } else { byte == form })
}

/// The time a moment stands for.
pub(crate) fn timestamp(moment: Moment) -> Option<Timestamp> {
    time(std::str::from_utf8(&moment).ok()?)
}

/// Reads an entry's time. The form clients write is read by hand, every other one by the calendar library.
pub(crate) fn time(text: &str) -> Option<Timestamp> {
    if text.len() > 64 {
        return None;
    }
    let Some(moment) = Moment::try_from(text.as_bytes()).ok().filter(is_plain) else {
        return text.parse().ok();
    };
    let number = |range: std::ops::Range<usize>| {
        moment[range].iter().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'))
    };
    let (year, month, day) = (number(0..4), number(5..7), number(8..10));
    let (hour, minute, second) = (number(11..13), number(14..16), number(17..19));
    if !(1..=12).contains(&month) || !(1..=28).contains(&day) || hour > 23 || minute > 59 || second > 59 {
        return text.parse().ok();
    }
    // Days since 1970 in the proleptic Gregorian calendar, counting years from March.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = year * 365 + year.div_euclid(4) - year.div_euclid(100)
        + year.div_euclid(400)
        + (153 * month + 2) / 5
        + day
        - 1
        - 719_468;
    Timestamp::from_millisecond((((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + number(20..23))
        .ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_clients_form_is_read_as_the_calendar_library_reads_it(milliseconds in -62_135_596_800_000_i64..253_402_207_200_000) {
            let expected = Timestamp::from_millisecond(milliseconds).expect("in range");
            let text = format!("{expected:.3}");
            prop_assert_eq!(time(&text), Some(expected));
            prop_assert_eq!(timestamp(moment(Raw(&text)).expect("it is a time")), Some(expected));
        }
    }

    #[test]
    fn other_forms_are_read_and_no_times_are_not() {
        let noon = "2026-02-28T12:00:00.000Z".parse().ok();
        for text in ["2026-02-28T12:00:00Z", "2026-02-28T14:00:00+02:00", "2026-02-28 12:00:00.000000Z"] {
            assert_eq!(time(text), noon, "{text}");
            assert_eq!(moment(Raw(text)).and_then(timestamp), noon, "{text}");
        }
        for text in [
            "",
            "yesterday",
            "2026-02-31T12:00:00.000Z",
            "2026-13-01T12:00:00.000Z",
            "2026-02-28T25:00:00.000Z",
        ] {
            assert_eq!(time(text), None, "{text}");
        }
    }
}
