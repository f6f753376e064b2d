//! Every so many days, weeks or months: the next time one comes due.
//!
//! Cron cannot say it, as its days start anew with every month. The rhythm is counted from a first day, on the calendar
//! of the time zone: it holds over months, years and clock changes, however long nobody looked.

use std::num::NonZeroU16;

use jiff::civil::{Date, DateTime, Time, Weekday};
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{SignedDuration, Span, Timestamp, ToSpan, Unit};
use serde::{Deserialize, Serialize};

use super::{InvalidSchedule, find_time_zone};
use crate::listing::join_with_and;

/// Periods without a fitting day that are passed over in search of one: 29 February comes every eighth year at the latest.
const MAX_EMPTY_PERIODS: i64 = 100;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum CalendarUnit {
    /// Days.
    Days,
    /// Weeks, which begin on Monday.
    Weeks,
    /// Months of the calendar.
    Months,
}

/// Every so many days, weeks or months, at fixed times of day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct Interval {
    /// So many of the unit lie between two rounds.
    pub every: NonZeroU16,
    /// What is counted.
    pub unit: CalendarUnit,
    /// The days of the week (Sunday is 0) or of the month on which it is due; empty where days are counted. A month that
    /// lacks the day is passed over.
    pub days: Vec<i8>,
    /// The times of day.
    pub times: Vec<Time>,
    /// The day it is counted from; nothing is due before.
    pub first_day: Date,
    /// The time zone it is meant in, by its IANA name.
    pub time_zone: String,
}

impl Interval {
    /// The same, counted from the first day on which it is due after `after`; none when there is no such day.
    ///
    /// # Errors
    /// [`InvalidSchedule::TimeZone`].
    pub(super) fn counted_from_first(self, after: Timestamp) -> Result<Option<Self>, InvalidSchedule> {
        let single = Self { every: NonZeroU16::MIN, ..self.clone() };
        let first = single.next_due(after)?;
        Ok(first.map(|(first_day, _)| Self { first_day, ..self }))
    }

    /// The first time after `now` at which it comes due.
    ///
    /// # Errors
    /// [`InvalidSchedule::TimeZone`].
    pub(super) fn next_after(&self, now: Timestamp) -> Result<Option<Timestamp>, InvalidSchedule> {
        Ok(self.next_due(now)?.map(|(_, at)| at))
    }

    fn next_due(&self, now: Timestamp) -> Result<Option<(Date, Timestamp)>, InvalidSchedule> {
        let zone = find_time_zone(&self.time_zone)?;
        let today = now.to_zoned(zone.clone()).date();
        // What fell into a gap around midnight is due on the day after its own.
        let from = today.yesterday().unwrap_or(today).max(self.first_day);
        let mut times = self.times.clone();
        times.sort_unstable();
        let due = self.dates_from(from).flat_map(|date| times.iter().map(move |time| (date, *time)));
        let mut due =
            due.filter_map(|(date, time)| Some((date, first_instant(date.to_datetime(time), &zone)?)));
        Ok(due.find(|(_, at)| *at > now))
    }

    /// Its days from `from` on, in order.
    fn dates_from(&self, from: Date) -> impl Iterator<Item = Date> {
        let passed = self.periods_before(from);
        let periods =
            (passed..passed.saturating_add(MAX_EMPTY_PERIODS)).map_while(|number| self.period_start(number));
        periods.flat_map(|first| self.days_in(first)).filter(move |date| *date >= from)
    }

    /// The first day of the period it is counted from.
    fn first_period(&self) -> Date {
        let day = self.first_day;
        match self.unit {
            CalendarUnit::Days => day,
            CalendarUnit::Weeks => {
                let since_monday = i64::from(day.weekday().to_monday_zero_offset());
                day.checked_sub(since_monday.days()).unwrap_or(day)
            }
            CalendarUnit::Months => day.first_of_month(),
        }
    }

    /// How many rounds are over when the one with `date`, or the one before it, begins.
    fn periods_before(&self, date: Date) -> i64 {
        let unit = match self.unit {
            CalendarUnit::Days => Unit::Day,
            CalendarUnit::Weeks => Unit::Week,
            CalendarUnit::Months => Unit::Month,
        };
        let passed = self.first_period().until((unit, date)).map_or(0, |span| match self.unit {
            CalendarUnit::Days => i64::from(span.get_days()),
            CalendarUnit::Weeks => i64::from(span.get_weeks()),
            CalendarUnit::Months => i64::from(span.get_months()),
        });
        passed / i64::from(self.every.get())
    }

    /// The first day of the period with this number in which it is due.
    fn period_start(&self, number: i64) -> Option<Date> {
        let units = number.checked_mul(i64::from(self.every.get()))?;
        let span = match self.unit {
            CalendarUnit::Days => Span::new().try_days(units),
            CalendarUnit::Weeks => Span::new().try_weeks(units),
            CalendarUnit::Months => Span::new().try_months(units),
        };
        self.first_period().checked_add(span.ok()?).ok()
    }

    /// Its days in the period that begins then, in order.
    fn days_in(&self, first: Date) -> Vec<Date> {
        let day = |day: i8| match self.unit {
            CalendarUnit::Days => Some(first),
            CalendarUnit::Weeks => {
                let weekday = Weekday::from_sunday_zero_offset(day).ok()?;
                first.checked_add(i64::from(weekday.to_monday_zero_offset()).days()).ok()
            }
            CalendarUnit::Months => Date::new(first.year(), first.month(), day).ok(),
        };
        if self.unit == CalendarUnit::Days {
            return vec![first];
        }
        let mut days: Vec<Date> = self.days.iter().filter_map(|number| day(*number)).collect();
        days.sort_unstable();
        days
    }

    /// It in English words.
    pub(super) fn describe(&self) -> String {
        let (one, many) = match self.unit {
            CalendarUnit::Days => ("day", "days"),
            CalendarUnit::Weeks => ("week", "weeks"),
            CalendarUnit::Months => ("month", "months"),
        };
        let every = describe_every(u32::from(self.every.get()), one, many);
        let times = join_with_and(self.times.iter().map(|time| time.strftime("%H:%M").to_string()));
        let first_day = self.first_day.strftime("%A, %-d %B %Y");
        format!("{every}{} at {times}, counted from {first_day} ({})", self.describe_days(), self.time_zone)
    }

    fn describe_days(&self) -> String {
        match self.unit {
            CalendarUnit::Days => String::new(),
            CalendarUnit::Weeks => {
                // Any week will do to name its days.
                let monday = Date::constant(2024, 1, 1);
                format!(
                    " on {}",
                    join_with_and(self.days_in(monday).iter().map(|day| day.strftime("%A").to_string()))
                )
            }
            CalendarUnit::Months => {
                format!(" on day {}", join_with_and(self.days.iter().map(ToString::to_string)))
            }
        }
    }
}

/// `every day`, `every 2 days`.
pub(super) fn describe_every(number: u32, one: &str, many: &str) -> String {
    if number == 1 { format!("every {one}") } else { format!("every {number} {many}") }
}

/// When the clock of `zone` shows `at` first; what it jumps over is due as it jumps.
fn first_instant(at: DateTime, zone: &TimeZone) -> Option<Timestamp> {
    let ambiguous = zone.to_ambiguous_timestamp(at);
    match ambiguous.offset() {
        AmbiguousOffset::Gap { before, .. } => {
            let behind_jump = before.to_timestamp(at).ok()?.checked_add(SignedDuration::from_secs(1)).ok()?;
            zone.preceding(behind_jump).next().map(|jump| jump.timestamp())
        }
        _ => ambiguous.compatible().ok(),
    }
}
