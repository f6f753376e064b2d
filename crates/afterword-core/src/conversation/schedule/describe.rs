//! Cron expressions in the words a person would use, as far as their form is a usual one.

use super::cron::{ALTERNATIVE, field_values};
use crate::listing::join_with_and;

const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
/// More fixed times than this are no list that one reads.
const MOST_TIMES: usize = 6;

/// When within its days an expression is due.
enum Times {
    /// At these times of day, as `09:00`.
    Fixed(Vec<String>),
    /// Again and again, in words.
    Repeated(String),
}

/// The expression in words; none where its form is unusual.
pub(super) fn usual(expression: &str) -> Option<String> {
    let mut parts: Vec<(String, Times)> = Vec::new();
    for one in expression.split(ALTERNATIVE) {
        let fields: Vec<&str> = one.split_whitespace().collect();
        let [minute, hour, day, "*", weekday] = fields.as_slice() else { return None };
        let (days, times) = (days(day, weekday)?, times(minute, hour)?);
        match (parts.last_mut(), times) {
            (Some((known, Times::Fixed(before))), Times::Fixed(more)) if *known == days => {
                before.extend(more);
            }
            (_, times) => parts.push((days, times)),
        }
    }
    let told = parts.into_iter().map(|(days, times)| match times {
        Times::Fixed(times) => format!("{days} at {}", join_with_and(times)),
        Times::Repeated(often) if days == "every day" => often,
        Times::Repeated(often) => format!("{often}, {days}"),
    });
    Some(told.collect::<Vec<_>>().join(" and "))
}

fn days(day: &str, weekday: &str) -> Option<String> {
    Some(match (day, weekday) {
        ("*", "*") => "every day".to_owned(),
        ("*", "1-5") => "every weekday".to_owned(),
        ("*", list) => {
            let names: Vec<&str> =
                field_values(list, 6)?.into_iter().map(|one| WEEKDAYS[usize::from(one)]).collect();
            format!("every {}", join_with_and(names))
        }
        (list, "*") => {
            let named: Vec<String> = field_values(list, 31)?.into_iter().map(ordinal).collect();
            format!("on the {} of every month", join_with_and(named))
        }
        _ => return None,
    })
}

fn times(minute: &str, hour: &str) -> Option<Times> {
    if let (Some(minutes), Some(hours)) = (field_values(minute, 59), field_values(hour, 23))
        && !hour.contains('-')
        && minutes.len() * hours.len() <= MOST_TIMES
    {
        let times =
            hours.iter().flat_map(|hour| minutes.iter().map(move |minute| format!("{hour:02}:{minute:02}")));
        return Some(Times::Fixed(times.collect()));
    }
    let (hours, step) = hour.split_once('/').map_or((hour, None), |(hours, step)| (hours, Some(step)));
    let often = match (minute, step) {
        ("*", None) => "every minute".to_owned(),
        ("0", None) => "every hour".to_owned(),
        ("0", Some(step)) => format!("every {} hours", step.parse::<u8>().ok()?),
        (minute, None) => format!("every {} minutes", minute.strip_prefix("*/")?.parse::<u8>().ok()?),
        _ => return None,
    };
    let within = match hours.split_once('-') {
        None if hours == "*" => String::new(),
        // One hour, and all its minutes.
        None if minute != "0" => between(hours.parse().ok()?, hours.parse::<u8>().ok()? + 1),
        Some((first, last)) if minute == "0" => between(first.parse().ok()?, last.parse().ok()?),
        Some((first, last)) => between(first.parse().ok()?, last.parse::<u8>().ok()? + 1),
        None => return None,
    };
    Some(Times::Repeated(format!("{often}{within}")))
}

fn between(first: u8, last: u8) -> String {
    format!(" between {first:02}:00 and {last:02}:00")
}

fn ordinal(number: u8) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expression: &str, expected: &str) {
        assert_eq!(usual(expression).as_deref(), Some(expected), "{expression}");
    }

    #[test]
    fn usual_forms_are_told_as_a_person_would() {
        check("0 9 * * *", "every day at 09:00");
        check("0 9 * * 1-5 | 30 17 * * 1-5", "every weekday at 09:00 and 17:30");
        check("30 8 * * 1,4", "every Monday and Thursday at 08:30");
        check("0 10 * * 0,6", "every Sunday and Saturday at 10:00");
        check("0 9,17 * * *", "every day at 09:00 and 17:00");
        check("0 9 1 * *", "on the 1st of every month at 09:00");
        check("30 10 2,11,23 * *", "on the 2nd, 11th and 23rd of every month at 10:30");
        check("30 8 * * 1-5 | 0 12 * * 6", "every weekday at 08:30 and every Saturday at 12:00");
    }

    #[test]
    fn what_comes_again_and_again_says_between_when() {
        check("* * * * *", "every minute");
        check("0 * * * *", "every hour");
        check("0 */2 * * *", "every 2 hours");
        check("*/15 * * * *", "every 15 minutes");
        check("*/30 * * * 1-5", "every 30 minutes, every weekday");
        check("0 8-18/2 * * *", "every 2 hours between 08:00 and 18:00");
        check("*/5 9-16 * * 1-5", "every 5 minutes between 09:00 and 17:00, every weekday");
        check("*/15 9 * * *", "every 15 minutes between 09:00 and 10:00");
    }

    #[test]
    fn unusual_forms_are_left_to_others() {
        for expression in [
            "0 9 * 4 *",
            "0 9 13 * 5",
            "*/5 8-18 * * MON-FRI",
            "@daily",
            "0 9 L * *",
            "5 * * * *",
            "nonsense",
        ] {
            assert_eq!(usual(expression), None, "{expression}");
        }
    }
}
