//! The same figures week by week, with what engines cost, for the charts of [`crate::stats`].

use std::collections::BTreeMap;

use afterword_store::{AttemptOutcome, Store};
use jiff::civil::Date;
use jiff::{Timestamp, ToSpan, Zoned};
use serde::Serialize;

use super::figures::{CROSS_SESSION_READS, SEARCHES, SEARCHES_WITH_HITS};
use crate::Error;

/// What came of one week.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct WeekOfUse {
    /// Its Monday.
    pub monday: Date,
    /// Searches for lessons and attempts.
    pub searches: u64,
    /// Those that found something that fits.
    pub found: u64,
    /// Lessons and attempts that another session than their own came to read.
    pub reused: u64,
    /// Attempts whose end is known.
    pub attempts: u64,
    /// Those that succeeded.
    pub succeeded: u64,
    /// US dollars that engines cost.
    pub usd: f64,
}

/// What came of the weeks from `first` (a Monday) to now, the oldest first, in the user's own days.
pub(crate) fn weeks(store: Option<&Store>, first: Date, now: &Zoned) -> Result<Vec<WeekOfUse>, Error> {
    let mut weeks: BTreeMap<Date, WeekOfUse> = BTreeMap::new();
    let mut monday = first;
    while monday <= now.date() {
        weeks.insert(monday, WeekOfUse { monday, ..WeekOfUse::default() });
        monday = monday.saturating_add(7.days());
    }
    if let Some(store) = store {
        add(store, &mut weeks, first, now)?;
    }
    Ok(weeks.into_values().collect())
}

fn add(store: &Store, weeks: &mut BTreeMap<Date, WeekOfUse>, first: Date, now: &Zoned) -> Result<(), Error> {
    let zone = now.time_zone();
    let since = zone.to_timestamp(first.at(0, 0, 0, 0)).unwrap_or(Timestamp::UNIX_EPOCH);
    let day = |at: Timestamp| at.to_zoned(zone.clone()).date();
    let mut on = |day: Date, count: &dyn Fn(&mut WeekOfUse)| {
        if let Some((_, week)) = weeks.range_mut(..=day).next_back() {
            count(week);
        }
    };
    for (metric, field) in [
        (SEARCHES, (|week| &mut week.searches) as fn(&mut WeekOfUse) -> &mut u64),
        (SEARCHES_WITH_HITS, |week| &mut week.found),
        (CROSS_SESSION_READS, |week| &mut week.reused),
    ] {
        for (day, amount) in store.metrics().by_day(metric, (first, now.date()), None)? {
            on(day, &|week| *field(week) = field(week).saturating_add(amount));
        }
    }
    for at in store.injections().lessons_given_since(since)? {
        on(day(at), &|week| week.reused += 1);
    }
    for (at, outcome) in store.attempts().outcomes_since(since)? {
        on(day(at), &|week| {
            week.attempts += 1;
            week.succeeded += u64::from(outcome == AttemptOutcome::Success);
        });
    }
    for (at, usd) in store.engine_calls().costs_since(since)? {
        on(day(at), &|week| week.usd += usd);
    }
    Ok(())
}
