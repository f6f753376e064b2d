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

use super::{BadSchedule, CalendarUnit, Interval, Schedule, cron, time_zone_named, whole_second};
use iso::DateWithTime;
use parts::{ScheduleParts, Unit};

/// Words that are no schedule.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadWords {
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
    Schedule(#[from] BadSchedule),
}

const EXAMPLES: &str =
    "say for example \"every weekday at 9\", \"every 2 days\", \"tomorrow at 15:00\" or \"0 9 * * 1-5\"";

/// More days, weeks or months than this between two times are taken for a slip.
const LONGEST_INTERVAL: u32 = 1000;

/// The time of day where none is said.
const MORNING: Time = Time::constant(9, 0, 0, 0);

/// Reads a schedule: plain words, a cron expression, or a time. Times are meant in the zone with the name
/// `zone`, unless the words name another.
///
/// # Errors
/// [`BadWords`] for what is not understood, does not go together, or never comes due after `now`.
pub fn parse(words: &str, zone: &str, now: Timestamp) -> Result<Schedule, BadWords> {
    let words = words.trim();
    if let Some(moment) = iso::read(words) {
        return at_moment(moment, zone, now);
    }
    if looks_like_cron(words) {
        return Ok(Schedule::cron(words, zone, now)?);
    }
    let english = german::translated_to_english(words);
    let parts = parts::read(english.as_deref().unwrap_or(words))?;
    let zone = parts.zone.clone().unwrap_or_else(|| zone.to_owned());
    if let Some(moment) = parts.moment {
        return if parts.is_only_a_moment() {
            at_moment(moment, &zone, now)
        } else {
            Err(together("a date with its time goes with nothing else"))
        };
    }
    let local = now.to_zoned(time_zone_named(&zone)?);
    if parts.at_once {
        return if parts.is_only_at_once() {
            Ok(Schedule::Immediate)
        } else {
            Err(together("\"now\" goes with nothing else"))
        };
    }
    if parts.repeats() { repeating(&parts, &zone, now) } else { once(&parts, &local) }
}

/// Work that is due at one moment, which is still to come.
fn at_moment(moment: DateWithTime, zone: &str, now: Timestamp) -> Result<Schedule, BadWords> {
    let run_at = match moment {
        DateWithTime::Exact(run_at) => run_at,
        DateWithTime::Local(time) => zoned(time, &time_zone_named(zone)?)?.timestamp(),
    };
    if run_at < now { Err(together("that time is past")) } else { Ok(Schedule::Once { run_at }) }
}

fn together(problem: &str) -> BadWords {
    BadWords::Together { problem: problem.to_owned() }
}

fn looks_like_cron(words: &str) -> bool {
    if words.starts_with('@') {
        return true;
    }
    let allowed = |c: char| c.is_ascii_digit() || matches!(c, '*' | ',' | '-' | '/');
    words.split(cron::OR).all(|one| {
        let fields: Vec<&str> = one.split_whitespace().collect();
        fields.len() == 5 && fields.iter().take(3).all(|field| field.chars().all(allowed))
    })
}

fn repeating(parts: &ScheduleParts, zone: &str, now: Timestamp) -> Result<Schedule, BadWords> {
    if parts.offset.is_some() || parts.date.is_some() {
        return Err(together("a date and \"every\" do not go together"));
    }
    if parts.every.is_none()
        && parts.first_day.is_none()
        && parts.weekdays.is_empty()
        && parts.month_days.is_empty()
        && parts.times.is_empty()
    {
        return Err(together("\"every\" what is not said"));
    }
    let (number, unit) = parts.every.unwrap_or((1, Unit::Day));
    let within_the_day = matches!(unit, Unit::Minute | Unit::Hour);
    if within_the_day && !parts.times.is_empty() {
        return Err(together("\"at\" a time does not go with every few minutes or hours"));
    }
    if !within_the_day && parts.between.is_some() {
        return Err(together("\"between\" goes with every few minutes or hours"));
    }
    if within_the_day && parts.first_day.is_some() {
        return Err(together("\"starting\" goes with days, weeks and months"));
    }
    if !within_the_day && (number != 1 || parts.first_day.is_some()) {
        return interval(parts, number, unit, zone, now);
    }
    if within_the_day && !is_regular(number, unit) && parts.has_no_days_or_hours() {
        return elapsed(number, unit, now);
    }
    let hours = match (parts.between, unit) {
        // The last hour is when it ends: what repeats within the hours is due then once more.
        (Some((first, last)), Unit::Minute) if last - first == 1 => first.to_string(),
        (Some((first, last)), Unit::Minute) => format!("{first}-{}", last - 1),
        (Some((first, last)), _) => format!("{first}-{last}"),
        (None, _) => "*".to_owned(),
    };
    let times = match unit {
        Unit::Minute => {
            let end = parts.between.map(|(_, last)| ("0".to_owned(), last.to_string()));
            [(every(number, 60, "minutes")?, hours)].into_iter().chain(end).collect()
        }
        Unit::Hour => {
            check_divides(number, 24, "hours")?;
            let step = if number == 1 { String::new() } else { format!("/{number}") };
            vec![("0".to_owned(), format!("{hours}{step}"))]
        }
        Unit::Day | Unit::Week | Unit::Month => times(&parts.times),
    };
    let month_days: Vec<String> = parts.month_days.iter().map(ToString::to_string).collect();
    let mut days: Vec<String> = parts.weekdays.iter().map(|day| weekday_number(*day).to_string()).collect();
    if unit == Unit::Week && days.is_empty() {
        days.push("1".to_owned());
    }
    let day_of_month = match (unit, month_days.is_empty()) {
        (_, false) => month_days.join(","),
        (Unit::Month, true) => "1".to_owned(),
        (_, true) => "*".to_owned(),
    };
    if day_of_month != "*" && !days.is_empty() {
        return Err(together("days of the week and of the month do not go together"));
    }
    let days = match days.join(",").as_str() {
        "" | "0,1,2,3,4,5,6" => "*".to_owned(),
        "1,2,3,4,5" => "1-5".to_owned(),
        list => list.to_owned(),
    };
    let expressions = times.iter().map(|(minute, hour)| format!("{minute} {hour} {day_of_month} * {days}"));
    Ok(Schedule::cron(&expressions.collect::<Vec<_>>().join(&format!(" {} ", cron::OR)), zone, now)?)
}

/// Every so many days, weeks or months, counted from the day that was said, or else from the first one that is due.
fn interval(
    parts: &ScheduleParts,
    number: u32,
    unit: Unit,
    zone: &str,
    now: Timestamp,
) -> Result<Schedule, BadWords> {
    if parts.says_every_twice() {
        return Err(together("say \"every\" once where days, weeks or months are counted"));
    }
    let every = u16::try_from(number.min(LONGEST_INTERVAL + 1)).ok().and_then(NonZeroU16::new);
    let Some(every) = every.filter(|_| number <= LONGEST_INTERVAL) else {
        return Err(together(&format!(
            "1 to {LONGEST_INTERVAL} days, weeks or months can lie between two times"
        )));
    };
    let today = now.to_zoned(time_zone_named(zone)?).date();
    let said = match parts.first_day {
        Some(day) => Some(day.on(today).ok_or_else(|| together("there is no such date"))?),
        None => None,
    };
    let (unit, days) = interval_days(parts, number, unit, said)?;
    let mut times = if parts.times.is_empty() { vec![MORNING] } else { parts.times.clone() };
    times.sort_unstable();
    times.dedup();
    let first_day = said.unwrap_or(today);
    let interval = Interval { every, unit, days, times, first_day, time_zone: zone.to_owned() };
    let words = interval.words();
    let after = if said.is_some() { Timestamp::MIN } else { now };
    let counted = interval.counted_from_first(after)?.map(Schedule::Interval);
    match counted {
        Some(schedule) if schedule.next_after(now)?.is_some() => Ok(schedule),
        _ => Err(BadSchedule::Never { expression: words }.into()),
    }
}

/// What is counted, and the days of the week or the month that were said, or else follow from the first day.
fn interval_days(
    parts: &ScheduleParts,
    number: u32,
    unit: Unit,
    first_day: Option<Date>,
) -> Result<(CalendarUnit, Vec<i8>), BadWords> {
    let weekdays: Vec<i8> = parts.weekdays.iter().map(|day| weekday_number(*day)).collect();
    let month_days = parts.month_days.clone();
    let single_days = unit == Unit::Day && number == 1;
    match (unit, weekdays.is_empty(), month_days.is_empty()) {
        (_, false, false) => Err(together("days of the week and of the month do not go together")),
        (Unit::Week, false, true) => Ok((CalendarUnit::Weeks, weekdays)),
        (Unit::Day, false, true) if single_days => Ok((CalendarUnit::Weeks, weekdays)),
        (Unit::Month, true, false) => Ok((CalendarUnit::Months, month_days)),
        (Unit::Day, true, false) if single_days => Ok((CalendarUnit::Months, month_days)),
        (Unit::Week, true, true) => {
            let day = first_day.map_or(Weekday::Monday, Date::weekday);
            Ok((CalendarUnit::Weeks, vec![weekday_number(day)]))
        }
        (Unit::Month, true, true) => Ok((CalendarUnit::Months, vec![first_day.map_or(1, Date::day)])),
        (_, true, true) => Ok((CalendarUnit::Days, Vec::new())),
        _ => Err(together(
            "days of the week go with every so many weeks, and days of the month with every so many months",
        )),
    }
}

/// Every so many minutes or hours from `now` on.
fn elapsed(number: u32, unit: Unit, now: Timestamp) -> Result<Schedule, BadWords> {
    let most = LONGEST_INTERVAL * 24 * 60;
    let minutes =
        number.checked_mul(if unit == Unit::Hour { 60 } else { 1 }).filter(|minutes| *minutes <= most);
    match minutes.and_then(NonZeroU32::new) {
        Some(minutes) => Ok(Schedule::Elapsed { minutes, from: whole_second(now) }),
        None => Err(together(&format!("1 minute to {LONGEST_INTERVAL} days can lie between two times"))),
    }
}

/// Cron starts anew with every hour and every day: only what fits into one a whole number of times is regular.
fn is_regular(number: u32, unit: Unit) -> bool {
    let of = if unit == Unit::Minute { 60 } else { 24 };
    number > 0 && number < of && u32::is_multiple_of(of, number)
}

fn every(number: u32, of: u32, what: &str) -> Result<String, BadWords> {
    check_divides(number, of, what)?;
    Ok(if number == 1 { "*".to_owned() } else { format!("*/{number}") })
}

/// Where days or hours are named, too, nothing but cron can keep it.
fn check_divides(number: u32, of: u32, what: &str) -> Result<(), BadWords> {
    if number > 0 && number < of && of.is_multiple_of(number) {
        return Ok(());
    }
    let fitting: Vec<String> = (1..of).filter(|n| of.is_multiple_of(*n)).map(|n| n.to_string()).collect();
    Err(together(&format!("every {number} {what} is not regular; take one of {}", fitting.join(", "))))
}

/// Minute and hour fields for times of day: one pair for all that share their minute, in the order of the day.
fn times(times: &[Time]) -> Vec<(String, String)> {
    let mut times = if times.is_empty() { vec![MORNING] } else { times.to_vec() };
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

fn once(parts: &ScheduleParts, now: &Zoned) -> Result<Schedule, BadWords> {
    if parts.first_day.is_some() {
        return Err(together("\"starting\" goes with \"every\""));
    }
    if let Some((number, unit)) = parts.offset {
        if parts.date.is_some() || !parts.weekdays.is_empty() || !parts.month_days.is_empty() {
            return Err(together("\"in\" some time and a date do not go together"));
        }
        return offset(number, unit, &parts.times, now);
    }
    if parts.between.is_some() {
        return Err(together("\"between\" goes with \"every\""));
    }
    let time = match parts.times.as_slice() {
        [] => None,
        [time] => Some(*time),
        _ => return Err(together("several times go with \"every\"")),
    };
    let today = now.date();
    let day = match (parts.date, parts.weekdays.as_slice(), parts.month_days.as_slice()) {
        (Some(date), [], []) => Some(date.on(today).ok_or_else(|| together("there is no such date"))?),
        (None, [day], []) => Some(today.nth_weekday(1, *day).map_err(|_| together("there is no such day"))?),
        (None, [], []) => None,
        _ => return Err(together("one date is enough, or say \"every\"")),
    };
    let at = match (day, time) {
        (Some(day), time) => zoned(day.to_datetime(time.unwrap_or(MORNING)), now.time_zone())?,
        (None, Some(time)) => {
            let at = zoned(today.to_datetime(time), now.time_zone())?;
            if at > *now { at } else { zoned(next_day(today)?.to_datetime(time), now.time_zone())? }
        }
        (None, None) => return Err(together("there is no time in it")),
    };
    if at < *now {
        return Err(together("that time is past"));
    }
    Ok(Schedule::Once { run_at: at.timestamp() })
}

fn offset(number: u32, unit: Unit, times: &[Time], now: &Zoned) -> Result<Schedule, BadWords> {
    let number = i64::from(number);
    let far = |_| together("that is too far ahead");
    let span: Span = match unit {
        Unit::Minute => Span::new().try_minutes(number),
        Unit::Hour => Span::new().try_hours(number),
        Unit::Day => Span::new().try_days(number),
        Unit::Week => Span::new().try_weeks(number),
        Unit::Month => Span::new().try_months(number),
    }
    .map_err(far)?;
    let at = now.checked_add(span).map_err(far)?;
    let at = match times {
        [] => at,
        [time] if !matches!(unit, Unit::Minute | Unit::Hour) => {
            zoned(at.date().to_datetime(*time), now.time_zone())?
        }
        _ => return Err(together("a time of day does not go with it")),
    };
    Ok(Schedule::Once { run_at: at.timestamp() })
}

fn next_day(day: Date) -> Result<Date, BadWords> {
    day.tomorrow().map_err(|_| together("there is no such date"))
}

/// A time in a gap becomes the moment after it, one that comes twice the first.
fn zoned(at: DateTime, zone: &TimeZone) -> Result<Zoned, BadWords> {
    zone.to_ambiguous_zoned(at).compatible().map_err(|_| together("there is no such time"))
}

#[cfg(test)]
mod tests;
