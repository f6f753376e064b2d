//! Schedules in plain words, English or German: `every weekday at 9`, `morgen um 15 Uhr`, `every 2 hours`.
//!
//! Words are read into parts (how often, which days, at what times), in any order, and the parts are put together. What
//! is not understood is an error that names the word: a schedule is never guessed. Start at [`parse`].

mod german;
mod iso;
mod parts;

use std::num::{NonZeroU16, NonZeroU32};

use jiff::civil::{Date, DateTime, Time, Weekday};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, Zoned};
use thiserror::Error;

use super::{CalendarUnit, Interval, InvalidSchedule, Schedule, cron, find_time_zone, round_up_to_second};
use iso::DateWithTime;
use parts::{ScheduleParts, TimeUnit};

/// Words that are no schedule.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InvalidWords {
    /// A word is not understood.
    #[error("`{word}` is not understood in a schedule; {EXAMPLES}")]
    Word {
        /// The word.
        word: String,
    },
    /// The words do not go together.
    #[error("{problem}; {EXAMPLES}")]
    Together {
        /// Why not.
        problem: String,
    },
    /// They make a schedule that cannot be kept.
    #[error(transparent)]
    Schedule(#[from] InvalidSchedule),
}

const EXAMPLES: &str =
    "say for example \"every weekday at 9\", \"every 2 days\", \"tomorrow at 15:00\" or \"0 9 * * 1-5\"";

/// More days, weeks or months than this between two times are taken for a slip.
const MAX_INTERVAL: u32 = 1000;

/// The time of day where none is said.
const DEFAULT_TIME: Time = Time::constant(9, 0, 0, 0);

/// Reads a schedule: plain words, a cron expression, or a time. Times are meant in the zone with the name
/// `zone`, unless the words name another.
///
/// # Errors
/// [`InvalidWords`] for what is not understood, does not go together, or never comes due after `now`.
pub fn parse(words: &str, zone: &str, now: Timestamp) -> Result<Schedule, InvalidWords> {
    let words = words.trim();
    if let Some(moment) = iso::parse_date_time(words) {
        return once_at(moment, zone, now);
    }
    if looks_like_cron(words) {
        return Ok(Schedule::cron(words, zone, now)?);
    }
    let english = german::translate_to_english(words);
    let parts = parts::parse_parts(english.as_deref().unwrap_or(words))?;
    let zone = parts.zone.clone().unwrap_or_else(|| zone.to_owned());
    if let Some(moment) = parts.moment {
        return if parts.is_only_a_moment() {
            once_at(moment, &zone, now)
        } else {
            Err(conflicting_parts("a date with its time goes with nothing else"))
        };
    }
    let local = now.to_zoned(find_time_zone(&zone)?);
    if parts.at_once {
        return if parts.is_only_at_once() {
            Ok(Schedule::Immediate)
        } else {
            Err(conflicting_parts("\"now\" goes with nothing else"))
        };
    }
    if parts.repeats() { repeating_schedule(&parts, &zone, now) } else { single_schedule(&parts, &local) }
}

/// Work that is due at one moment, which is still to come.
fn once_at(moment: DateWithTime, zone: &str, now: Timestamp) -> Result<Schedule, InvalidWords> {
    let run_at = match moment {
        DateWithTime::Exact(run_at) => run_at,
        DateWithTime::Local(time) => to_zoned(time, &find_time_zone(zone)?)?.timestamp(),
    };
    if run_at < now { Err(conflicting_parts("that time is past")) } else { Ok(Schedule::Once { run_at }) }
}

fn conflicting_parts(problem: &str) -> InvalidWords {
    InvalidWords::Together { problem: problem.to_owned() }
}

fn looks_like_cron(words: &str) -> bool {
    if words.starts_with('@') {
        return true;
    }
    let allowed = |c: char| c.is_ascii_digit() || matches!(c, '*' | ',' | '-' | '/');
    words.split(cron::ALTERNATIVE).all(|one| {
        let fields: Vec<&str> = one.split_whitespace().collect();
        fields.len() == 5 && fields.iter().take(3).all(|field| field.chars().all(allowed))
    })
}

fn repeating_schedule(parts: &ScheduleParts, zone: &str, now: Timestamp) -> Result<Schedule, InvalidWords> {
    let (number, unit) = parts.every.unwrap_or((1, TimeUnit::Day));
    let within_the_day = matches!(unit, TimeUnit::Minute | TimeUnit::Hour);
    check_repeating(parts, within_the_day)?;
    if !within_the_day && (number != 1 || parts.first_day.is_some()) {
        return interval_schedule(parts, number, unit, zone, now);
    }
    if within_the_day && !fits_cron(number, unit) && parts.has_no_days_or_hours() {
        return elapsed_schedule(number, unit, now);
    }
    let times = cron_minutes_and_hours(parts, number, unit)?;
    let (day_of_month, weekdays) = cron_days(parts, unit)?;
    let expressions =
        times.iter().map(|(minute, hour)| format!("{minute} {hour} {day_of_month} * {weekdays}"));
    Ok(Schedule::cron(&expressions.collect::<Vec<_>>().join(&format!(" {} ", cron::ALTERNATIVE)), zone, now)?)
}

/// Refuses what cannot be said of work that repeats.
fn check_repeating(parts: &ScheduleParts, within_the_day: bool) -> Result<(), InvalidWords> {
    if parts.offset.is_some() || parts.date.is_some() {
        return Err(conflicting_parts("a date and \"every\" do not go together"));
    }
    if parts.every.is_none()
        && parts.first_day.is_none()
        && parts.weekdays.is_empty()
        && parts.month_days.is_empty()
        && parts.times.is_empty()
    {
        return Err(conflicting_parts("\"every\" what is not said"));
    }
    if within_the_day && !parts.times.is_empty() {
        return Err(conflicting_parts("\"at\" a time does not go with every few minutes or hours"));
    }
    if !within_the_day && parts.between.is_some() {
        return Err(conflicting_parts("\"between\" goes with every few minutes or hours"));
    }
    if within_the_day && parts.first_day.is_some() {
        return Err(conflicting_parts("\"starting\" goes with days, weeks and months"));
    }
    Ok(())
}

/// The minute and the hour of each time of a day, as cron has them.
fn cron_minutes_and_hours(
    parts: &ScheduleParts,
    number: u32,
    unit: TimeUnit,
) -> Result<Vec<(String, String)>, InvalidWords> {
    let hours = match (parts.between, unit) {
        // The last hour is when it ends: what repeats within the hours is due then once more.
        (Some((first, last)), TimeUnit::Minute) if last - first == 1 => first.to_string(),
        (Some((first, last)), TimeUnit::Minute) => format!("{first}-{}", last - 1),
        (Some((first, last)), _) => format!("{first}-{last}"),
        (None, _) => "*".to_owned(),
    };
    Ok(match unit {
        TimeUnit::Minute => {
            let end = parts.between.map(|(_, last)| ("0".to_owned(), last.to_string()));
            [(cron_step(number, 60, "minutes")?, hours)].into_iter().chain(end).collect()
        }
        TimeUnit::Hour => {
            check_divides(number, 24, "hours")?;
            let step = if number == 1 { String::new() } else { format!("/{number}") };
            vec![("0".to_owned(), format!("{hours}{step}"))]
        }
        TimeUnit::Day | TimeUnit::Week | TimeUnit::Month => cron_times(&parts.times),
    })
}

/// The days of the month and those of the week, as cron has them.
fn cron_days(parts: &ScheduleParts, unit: TimeUnit) -> Result<(String, String), InvalidWords> {
    let month_days: Vec<String> = parts.month_days.iter().map(ToString::to_string).collect();
    let mut days: Vec<String> = parts.weekdays.iter().map(|day| weekday_number(*day).to_string()).collect();
    if unit == TimeUnit::Week && days.is_empty() {
        days.push("1".to_owned());
    }
    let day_of_month = match (unit, month_days.is_empty()) {
        (_, false) => month_days.join(","),
        (TimeUnit::Month, true) => "1".to_owned(),
        (_, true) => "*".to_owned(),
    };
    if day_of_month != "*" && !days.is_empty() {
        return Err(conflicting_parts("days of the week and of the month do not go together"));
    }
    let weekdays = match days.join(",").as_str() {
        "" | "0,1,2,3,4,5,6" => "*".to_owned(),
        "1,2,3,4,5" => "1-5".to_owned(),
        list => list.to_owned(),
    };
    Ok((day_of_month, weekdays))
}

/// Every so many days, weeks or months, counted from the day that was said, or else from the first one that is due.
fn interval_schedule(
    parts: &ScheduleParts,
    number: u32,
    unit: TimeUnit,
    zone: &str,
    now: Timestamp,
) -> Result<Schedule, InvalidWords> {
    if parts.says_every_twice() {
        return Err(conflicting_parts("say \"every\" once where days, weeks or months are counted"));
    }
    let every = u16::try_from(number.min(MAX_INTERVAL + 1)).ok().and_then(NonZeroU16::new);
    let Some(every) = every.filter(|_| number <= MAX_INTERVAL) else {
        return Err(conflicting_parts(&format!(
            "1 to {MAX_INTERVAL} days, weeks or months can lie between two times"
        )));
    };
    let today = now.to_zoned(find_time_zone(zone)?).date();
    let said = match parts.first_day {
        Some(day) => Some(day.date_from(today).ok_or_else(|| conflicting_parts("there is no such date"))?),
        None => None,
    };
    let (unit, days) = interval_days(parts, number, unit, said)?;
    let mut times = if parts.times.is_empty() { vec![DEFAULT_TIME] } else { parts.times.clone() };
    times.sort_unstable();
    times.dedup();
    let first_day = said.unwrap_or(today);
    let interval = Interval { every, unit, days, times, first_day, time_zone: zone.to_owned() };
    let words = interval.describe();
    let after = if said.is_some() { Timestamp::MIN } else { now };
    let counted = interval.counted_from_first(after)?.map(Schedule::Interval);
    match counted {
        Some(schedule) if schedule.next_after(now)?.is_some() => Ok(schedule),
        _ => Err(InvalidSchedule::Never { expression: words }.into()),
    }
}

/// What is counted, and the days of the week or the month that were said, or else follow from the first day.
fn interval_days(
    parts: &ScheduleParts,
    number: u32,
    unit: TimeUnit,
    first_day: Option<Date>,
) -> Result<(CalendarUnit, Vec<i8>), InvalidWords> {
    let weekdays: Vec<i8> = parts.weekdays.iter().map(|day| weekday_number(*day)).collect();
    let month_days = parts.month_days.clone();
    let single_days = unit == TimeUnit::Day && number == 1;
    match (unit, weekdays.is_empty(), month_days.is_empty()) {
        (_, false, false) => Err(conflicting_parts("days of the week and of the month do not go together")),
        (TimeUnit::Week, false, true) => Ok((CalendarUnit::Weeks, weekdays)),
        (TimeUnit::Day, false, true) if single_days => Ok((CalendarUnit::Weeks, weekdays)),
        (TimeUnit::Month, true, false) => Ok((CalendarUnit::Months, month_days)),
        (TimeUnit::Day, true, false) if single_days => Ok((CalendarUnit::Months, month_days)),
        (TimeUnit::Week, true, true) => {
            let day = first_day.map_or(Weekday::Monday, Date::weekday);
            Ok((CalendarUnit::Weeks, vec![weekday_number(day)]))
        }
        (TimeUnit::Month, true, true) => Ok((CalendarUnit::Months, vec![first_day.map_or(1, Date::day)])),
        (_, true, true) => Ok((CalendarUnit::Days, Vec::new())),
        _ => Err(conflicting_parts(
            "days of the week go with every so many weeks, and days of the month with every so many months",
        )),
    }
}

/// Every so many minutes or hours from `now` on.
fn elapsed_schedule(number: u32, unit: TimeUnit, now: Timestamp) -> Result<Schedule, InvalidWords> {
    let most = MAX_INTERVAL * 24 * 60;
    let minutes =
        number.checked_mul(if unit == TimeUnit::Hour { 60 } else { 1 }).filter(|minutes| *minutes <= most);
    match minutes.and_then(NonZeroU32::new) {
        Some(minutes) => Ok(Schedule::Elapsed { minutes, from: round_up_to_second(now) }),
        None => Err(conflicting_parts(&format!("1 minute to {MAX_INTERVAL} days can lie between two times"))),
    }
}

/// Cron starts anew with every hour and every day: only what fits into one a whole number of times is regular.
fn fits_cron(number: u32, unit: TimeUnit) -> bool {
    let of = if unit == TimeUnit::Minute { 60 } else { 24 };
    number > 0 && number < of && u32::is_multiple_of(of, number)
}

fn cron_step(number: u32, of: u32, what: &str) -> Result<String, InvalidWords> {
    check_divides(number, of, what)?;
    Ok(if number == 1 { "*".to_owned() } else { format!("*/{number}") })
}

/// Where days or hours are named, too, nothing but cron can keep it.
fn check_divides(number: u32, of: u32, what: &str) -> Result<(), InvalidWords> {
    if number > 0 && number < of && of.is_multiple_of(number) {
        return Ok(());
    }
    let fitting: Vec<String> = (1..of).filter(|n| of.is_multiple_of(*n)).map(|n| n.to_string()).collect();
    Err(conflicting_parts(&format!(
        "every {number} {what} is not regular; take one of {}",
        fitting.join(", ")
    )))
}

/// Minute and hour fields for times of day: one pair for all that share their minute, in the order of the day.
fn cron_times(times: &[Time]) -> Vec<(String, String)> {
    let mut times = if times.is_empty() { vec![DEFAULT_TIME] } else { times.to_vec() };
    times.sort_unstable();
    times.dedup();
    let mut of_minute: Vec<(i8, Vec<String>)> = Vec::new();
    for time in times {
        let hour = time.hour().to_string();
        match of_minute.iter_mut().find(|(minute, _)| *minute == time.minute()) {
            Some((_, hours)) => hours.push(hour),
            None => of_minute.push((time.minute(), vec![hour])),
        }
    }
    of_minute.into_iter().map(|(minute, hours)| (minute.to_string(), hours.join(","))).collect()
}

fn weekday_number(day: Weekday) -> i8 {
    day.to_sunday_zero_offset()
}

fn single_schedule(parts: &ScheduleParts, now: &Zoned) -> Result<Schedule, InvalidWords> {
    if parts.first_day.is_some() {
        return Err(conflicting_parts("\"starting\" goes with \"every\""));
    }
    if let Some((number, unit)) = parts.offset {
        if parts.date.is_some() || !parts.weekdays.is_empty() || !parts.month_days.is_empty() {
            return Err(conflicting_parts("\"in\" some time and a date do not go together"));
        }
        return schedule_from_now(number, unit, &parts.times, now);
    }
    if parts.between.is_some() {
        return Err(conflicting_parts("\"between\" goes with \"every\""));
    }
    let time = match parts.times.as_slice() {
        [] => None,
        [time] => Some(*time),
        _ => return Err(conflicting_parts("several times go with \"every\"")),
    };
    let today = now.date();
    let day = match (parts.date, parts.weekdays.as_slice(), parts.month_days.as_slice()) {
        (Some(date), [], []) => {
            Some(date.date_from(today).ok_or_else(|| conflicting_parts("there is no such date"))?)
        }
        (None, [day], []) => {
            Some(today.nth_weekday(1, *day).map_err(|_| conflicting_parts("there is no such day"))?)
        }
        (None, [], []) => None,
        _ => return Err(conflicting_parts("one date is enough, or say \"every\"")),
    };
    let at = match (day, time) {
        (Some(day), time) => to_zoned(day.to_datetime(time.unwrap_or(DEFAULT_TIME)), now.time_zone())?,
        (None, Some(time)) => {
            let at = to_zoned(today.to_datetime(time), now.time_zone())?;
            if at > *now { at } else { to_zoned(next_day(today)?.to_datetime(time), now.time_zone())? }
        }
        (None, None) => return Err(conflicting_parts("there is no time in it")),
    };
    if at < *now {
        return Err(conflicting_parts("that time is past"));
    }
    Ok(Schedule::Once { run_at: at.timestamp() })
}

fn schedule_from_now(
    number: u32,
    unit: TimeUnit,
    times: &[Time],
    now: &Zoned,
) -> Result<Schedule, InvalidWords> {
    let number = i64::from(number);
    let far = |_| conflicting_parts("that is too far ahead");
    let span: Span = match unit {
        TimeUnit::Minute => Span::new().try_minutes(number),
        TimeUnit::Hour => Span::new().try_hours(number),
        TimeUnit::Day => Span::new().try_days(number),
        TimeUnit::Week => Span::new().try_weeks(number),
        TimeUnit::Month => Span::new().try_months(number),
    }
    .map_err(far)?;
    let at = now.checked_add(span).map_err(far)?;
    let at = match times {
        [] => at,
        [time] if !matches!(unit, TimeUnit::Minute | TimeUnit::Hour) => {
            to_zoned(at.date().to_datetime(*time), now.time_zone())?
        }
        _ => return Err(conflicting_parts("a time of day does not go with it")),
    };
    Ok(Schedule::Once { run_at: at.timestamp() })
}

fn next_day(day: Date) -> Result<Date, InvalidWords> {
    day.tomorrow().map_err(|_| conflicting_parts("there is no such date"))
}

/// A time in a gap becomes the moment after it, one that comes twice the first.
fn to_zoned(at: DateTime, zone: &TimeZone) -> Result<Zoned, InvalidWords> {
    zone.to_ambiguous_zoned(at).compatible().map_err(|_| conflicting_parts("there is no such time"))
}

#[cfg(test)]
mod tests;
