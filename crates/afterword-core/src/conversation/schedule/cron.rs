//! Cron expressions: the next time one comes due.
//!
//! The `croner` crate walks the calendar and knows time zones. It takes lists of times (`0 9,17 * * *`) for work that
//! follows real time; here they are taken apart, so that they keep to the day like single times.

use croner::Cron;
use croner::parser::{CronParser, Seconds, Year};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use super::{InvalidSchedule, describe, round_up_to_second};

/// Between expressions that hold beside each other: `0 9 * * 1-5 | 30 17 * * 1-5`.
pub(super) const ALTERNATIVE: char = '|';
/// More fixed times a day than this are taken for work that follows real time.
const MAX_FIXED_TIMES: usize = 96;
/// No expression of use is longer; keeps hostile ones from taking long.
const MAX_EXPRESSION_BYTES: usize = 200;

/// The first time after `now` at which `expression` comes due in `zone`; none when it never does.
pub(super) fn next_after(
    expression: &str,
    zone: &TimeZone,
    now: Timestamp,
) -> Result<Option<Timestamp>, InvalidSchedule> {
    let from = round_up_to_second(now).to_zoned(zone.clone());
    let mut earliest: Option<Timestamp> = None;
    for one in expression.split(ALTERNATIVE).flat_map(split_fixed_times) {
        let next = next_occurrence(&parse(&one, expression)?, &from);
        earliest = [earliest, next].into_iter().flatten().min();
    }
    Ok(earliest)
}

/// The expression in English words, fit for the middle of a sentence.
pub(super) fn describe(expression: &str) -> String {
    describe::usual(expression).unwrap_or_else(|| {
        expression.split(ALTERNATIVE).map(|one| describe_one(one.trim())).collect::<Vec<_>>().join(" and ")
    })
}

fn describe_one(expression: &str) -> String {
    let words = parse(expression, expression).map(|cron| cron.describe());
    let words = words.unwrap_or_else(|_| "at times that cannot be read".to_owned());
    let words = words.replace(',', ", ").replace("  ", " ");
    let words = words.trim_end_matches('.');
    // The name of a day or a month stays as it is.
    let lower = |capital: &str, small: &str| words.strip_prefix(capital).map(|rest| format!("{small}{rest}"));
    lower("At ", "at ").or_else(|| lower("Every ", "every ")).unwrap_or_else(|| words.to_owned())
}

fn next_occurrence(cron: &Cron, from: &Zoned) -> Option<Timestamp> {
    // What never comes due is an error of the search's limit.
    cron.find_next_occurrence(from, false).ok().map(|next| next.timestamp())
}

fn parse(one: &str, whole: &str) -> Result<Cron, InvalidSchedule> {
    let bad = |problem: String| InvalidSchedule::Expression { expression: whole.to_owned(), problem };
    if whole.len() > MAX_EXPRESSION_BYTES {
        return Err(bad("it is too long".to_owned()));
    }
    // The parser takes an empty place for no value at all, and the search for a time that fits none goes on for minutes.
    if one.split_whitespace().any(|field| field.split(',').any(str::is_empty)) {
        return Err(bad("a list has an empty place beside a comma".to_owned()));
    }
    let parser = CronParser::builder().seconds(Seconds::Disallowed).year(Year::Disallowed).build();
    parser.parse(one).map_err(|error| bad(error.to_string()))
}

/// The expressions with one fixed time each that `expression` stands for; itself when its times are not fixed.
fn split_fixed_times(expression: &str) -> Vec<String> {
    let whole = || vec![expression.to_owned()];
    let fields: Vec<&str> = expression.split_whitespace().collect();
    let [minute, hour, rest @ ..] = fields.as_slice() else { return whole() };
    let (Some(minutes), Some(hours)) = (field_values(minute, 59), field_values(hour, 23)) else {
        return whole();
    };
    if minutes.len() * hours.len() > MAX_FIXED_TIMES {
        return whole();
    }
    let rest = rest.join(" ");
    let pairs = hours.iter().flat_map(|hour| minutes.iter().map(move |minute| (minute, hour)));
    pairs.map(|(minute, hour)| format!("{minute} {hour} {rest}")).collect()
}

/// The values that a field without `*` names, when they can be read.
pub(super) fn field_values(field: &str, most: u8) -> Option<Vec<u8>> {
    let mut found = Vec::new();
    for part in field.split(',') {
        let (range, step) = part.split_once('/').map_or((part, None), |(range, step)| (range, Some(step)));
        let number = |text: &str| text.parse::<u8>().ok().filter(|value| *value <= most);
        match (range.split_once('-'), step) {
            (Some((first, last)), step) => {
                let step = step.map_or(Some(1), number).filter(|step| *step > 0)?;
                found.extend((number(first)?..=number(last)?).step_by(usize::from(step)));
            }
            (None, None) => found.push(number(range)?),
            (None, Some(_)) => return None,
        }
    }
    found.sort_unstable();
    found.dedup();
    (!found.is_empty()).then_some(found)
}
