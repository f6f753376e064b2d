//! Schedules: when a conversation's work is due.
//!
//! A cron expression in a time zone, every so many days, weeks or months, every so many minutes, once, or at once.
//! Daylight saving is cron's way (Vixie): work at fixed times runs once on every day, at the first moment after a gap and
//! on the first pass of a repeated hour; work that repeats within the hour or the day follows real time. It keeps no clock: `now` is an argument. Plain words are read in [`words`]. Start
//! reading at [`Schedule::next_after`].

mod cron;
mod describe;
mod interval;
pub mod words;

use std::num::NonZeroU32;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use interval::describe_every;
pub use interval::{CalendarUnit, Interval};
pub use words::InvalidWords;

/// When work is due.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Schedule {
    /// Again and again.
    Cron {
        /// Five fields: minute, hour, day of the month, month, day of the week.
        cron_expression: String,
        /// The time zone it is meant in, by its IANA name.
        time_zone: String,
    },
    /// Again and again, every so many days, weeks or months.
    Interval(Interval),
    /// Again and again in real time, whatever clocks show.
    Elapsed {
        /// So many minutes lie between two times.
        minutes: NonZeroU32,
        /// What it is counted from.
        from: Timestamp,
    },
    /// Once, at that time.
    #[serde(alias = "scheduled")]
    Once {
        /// The time.
        run_at: Timestamp,
    },
    /// At once, and then until it is done.
    Immediate,
}

/// A schedule that cannot be kept.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InvalidSchedule {
    /// The expression is no cron expression.
    #[error("`{expression}` is no cron expression: {problem}")]
    Expression {
        /// As it was given.
        expression: String,
        /// What is wrong.
        problem: String,
    },
    /// The expression never comes due.
    #[error("`{expression}` never comes due")]
    Never {
        /// As it was given.
        expression: String,
    },
    /// There is no such time zone.
    #[error("there is no time zone `{name}`")]
    TimeZone {
        /// As it was given.
        name: String,
    },
}

impl Schedule {
    /// Work that repeats by a cron expression in the time zone with this IANA name.
    ///
    /// # Errors
    /// [`InvalidSchedule`] when either cannot be used, or the expression never comes due after `now`.
    pub fn cron(expression: &str, time_zone: &str, now: Timestamp) -> Result<Self, InvalidSchedule> {
        let schedule = Self::Cron {
            cron_expression: expression.split_whitespace().collect::<Vec<_>>().join(" "),
            time_zone: time_zone.to_owned(),
        };
        match schedule.next_after(now)? {
            Some(_) => Ok(schedule),
            None => Err(InvalidSchedule::Never { expression: expression.to_owned() }),
        }
    }

    /// When work made or started at `now` is due first.
    ///
    /// # Errors
    /// [`InvalidSchedule`] for an expression or zone that cannot be used.
    pub fn first_run(&self, now: Timestamp) -> Result<Option<Timestamp>, InvalidSchedule> {
        match self {
            Self::Cron { .. } | Self::Interval(_) | Self::Elapsed { .. } => self.next_after(now),
            Self::Once { run_at } => Ok(Some(*run_at)),
            Self::Immediate => Ok(Some(now)),
        }
    }

    /// The first time after `now` at which it repeats; none when it does not. As it counts from `now` and not from the
    /// last run, everything missed comes down to the one run that was due.
    ///
    /// # Errors
    /// [`InvalidSchedule`] for an expression or zone that cannot be used.
    pub fn next_after(&self, now: Timestamp) -> Result<Option<Timestamp>, InvalidSchedule> {
        match self {
            Self::Cron { cron_expression, time_zone } => {
                cron::next_after(cron_expression, &find_time_zone(time_zone)?, now)
            }
            Self::Interval(interval) => interval.next_after(now),
            Self::Elapsed { minutes, from } => Ok(next_multiple(*minutes, *from, now)),
            Self::Once { .. } | Self::Immediate => Ok(None),
        }
    }

    /// The next times from `now` on, at most `most`.
    ///
    /// # Errors
    /// [`InvalidSchedule`] for an expression or zone that cannot be used.
    pub fn preview(&self, now: Timestamp, most: usize) -> Result<Vec<Timestamp>, InvalidSchedule> {
        let mut times: Vec<Timestamp> = self.first_run(now)?.into_iter().take(most).collect();
        while let Some(last) = times.last().copied().filter(|_| times.len() < most) {
            match self.next_after(last)? {
                Some(next) => times.push(next),
                None => break,
            }
        }
        Ok(times)
    }

    /// It comes due again and again.
    pub fn repeats(&self) -> bool {
        matches!(self, Self::Cron { .. } | Self::Interval(_) | Self::Elapsed { .. })
    }

    /// The schedule in English words; a single time as the clock in `zone` shows it.
    pub fn describe(&self, zone: &TimeZone) -> String {
        match self {
            Self::Cron { cron_expression, time_zone } => {
                format!("{} ({time_zone}; cron {cron_expression})", cron::describe(cron_expression))
            }
            Self::Interval(interval) => interval.describe(),
            Self::Elapsed { minutes, from } => {
                let from = from.to_zoned(zone.clone());
                let from = from.strftime("counted from %A, %-d %B %Y at %H:%M (%Q)");
                match minutes.get() {
                    hours if hours % 60 == 0 => {
                        format!("{}, {from}", describe_every(hours / 60, "hour", "hours"))
                    }
                    minutes => format!("{}, {from}", describe_every(minutes, "minute", "minutes")),
                }
            }
            Self::Once { run_at } => {
                let at = run_at.round(jiff::Unit::Second).unwrap_or(*run_at).to_zoned(zone.clone());
                let seconds = if at.second() == 0 { "" } else { ":%S" };
                at.strftime(&format!("once, on %A, %-d %B %Y at %H:%M{seconds} (%Q)")).to_string()
            }
            Self::Immediate => "at once".to_owned(),
        }
    }

    /// The time zone its times are read in.
    pub fn time_zone(&self) -> Option<&str> {
        match self {
            Self::Cron { time_zone, .. } | Self::Interval(Interval { time_zone, .. }) => Some(time_zone),
            Self::Elapsed { .. } | Self::Once { .. } | Self::Immediate => None,
        }
    }
}

/// The first time after `now` that lies a whole number of such stretches behind `from`.
fn next_multiple(minutes: NonZeroU32, from: Timestamp, now: Timestamp) -> Option<Timestamp> {
    let (first, stretch) = (round_up_to_second(from).as_second(), i64::from(minutes.get()).checked_mul(60)?);
    let passed = round_up_to_second(now).as_second().checked_sub(first)?.div_euclid(stretch);
    let number = passed.checked_add(1)?.max(0);
    Timestamp::from_second(number.checked_mul(stretch)?.checked_add(first)?).ok()
}

/// The time zone with this IANA name.
///
/// # Errors
/// [`InvalidSchedule::TimeZone`] when there is none.
pub fn find_time_zone(name: &str) -> Result<TimeZone, InvalidSchedule> {
    TimeZone::get(name).map_err(|_| InvalidSchedule::TimeZone { name: name.to_owned() })
}

/// The first time from `at` on that is a whole second: schedules know nothing finer.
pub(crate) fn round_up_to_second(at: Timestamp) -> Timestamp {
    let over = i64::from(at.subsec_nanosecond());
    if over == 0 { at } else { at.checked_sub(SignedDuration::from_nanos(over)).unwrap_or(at) }
}

#[cfg(test)]
mod tests;
