//! Schedules against a walk over every minute, in zones whose clocks change.

use std::num::NonZeroU16;

use jiff::civil::{Date, DateTime, Time, Weekday};
use jiff::tz::AmbiguousOffset;
use jiff::{ToSpan, Zoned};
use proptest::prelude::*;

use super::*;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn next(expression: &str, zone: &str, now: &str) -> String {
    let schedule = Schedule::cron(expression, zone, at(now)).unwrap();
    schedule.next_after(at(now)).unwrap().unwrap().to_string()
}

#[test]
fn list_with_an_empty_place_is_refused() {
    for expression in [", 5 * * *", "0 9 * * ,", "0,,30 9 * * *", "0 9, * * *"] {
        let refused = Schedule::cron(expression, "UTC", at("2026-03-06T08:00:00Z")).unwrap_err();
        assert!(refused.to_string().contains("empty place"), "{expression}: {refused}");
    }
}

#[test]
fn known_days() {
    let check = |expression: &str, zone: &str, now: &str, expected: &str| {
        assert_eq!(next(expression, zone, now), expected, "{expression} in {zone} after {now}");
    };
    check("0 9 * * 1-5", "Europe/Berlin", "2026-03-06T08:00:00Z", "2026-03-09T08:00:00Z");
    check("0 9 * * 1-5", "Europe/Berlin", "2026-03-06T07:59:59.9Z", "2026-03-06T08:00:00Z");
    check("0 9 * * *", "America/New_York", "2026-03-07T14:00:00Z", "2026-03-08T13:00:00Z");
    check("0 9 29 2 *", "UTC", "2026-03-01T00:00:00Z", "2028-02-29T09:00:00Z");
    // Germany's clocks went from 2:00 to 3:00 on 2026-03-29, and go from 3:00 to 2:00 on 2026-10-25.
    check("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z");
    check("30 2 * * *", "Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z");
    check("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z");
    check("30 2 * * *", "Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z");
    check("0 * * * *", "Europe/Berlin", "2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z");
    // Lord Howe Island moves by half an hour: 2:00 becomes 2:30 on 2026-10-04.
    check("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00:00Z", "2026-10-03T15:30:00Z");
}

#[test]
fn what_cannot_be_kept_is_refused() {
    let now = at("2026-03-06T08:00:00Z");
    let check = |expression: &str, zone: &str, expected: &str| {
        let error = Schedule::cron(expression, zone, now).unwrap_err().to_string();
        assert!(error.contains(expected), "{expression}: {error}");
    };
    check("0 9 * *", "UTC", "no cron expression");
    check("0 9 * * * *", "UTC", "no cron expression");
    check("61 9 * * *", "UTC", "no cron expression");
    check("0 9 30 2 *", "UTC", "never comes due");
    check("0 9 * * *", "Mars/Olympus", "no time zone");
    check(&"0,".repeat(500), "UTC", "no cron expression");
}

#[test]
fn stored_form() {
    let now = at("2026-03-06T08:00:00Z");
    let cron = Schedule::cron("0  9 * * 1-5", "Europe/Berlin", now).unwrap();
    let text = serde_json::to_string(&cron).unwrap();
    assert_eq!(text, r#"{"type":"cron","cron_expression":"0 9 * * 1-5","time_zone":"Europe/Berlin"}"#);
    let interval = Schedule::Interval(Interval {
        every: NonZeroU16::new(2).unwrap(),
        unit: CalendarUnit::Weeks,
        days: vec![1, 4],
        times: vec![Time::constant(9, 0, 0, 0)],
        first_day: Date::constant(2026, 3, 9),
        time_zone: "Europe/Berlin".to_owned(),
    });
    let text = serde_json::to_string(&interval).unwrap();
    assert_eq!(
        text,
        r#"{"type":"interval","every":2,"unit":"weeks","days":[1,4],"times":["09:00:00"],"first_day":"2026-03-09","time_zone":"Europe/Berlin"}"#
    );
    assert_eq!(serde_json::from_str::<Schedule>(&text).unwrap(), interval);
    let elapsed = Schedule::Elapsed { minutes: NonZeroU32::new(90).unwrap(), from: now };
    let text = serde_json::to_string(&elapsed).unwrap();
    assert_eq!(text, r#"{"type":"elapsed","minutes":90,"from":"2026-03-06T08:00:00Z"}"#);
    assert_eq!(serde_json::from_str::<Schedule>(&text).unwrap(), elapsed);
    let old = r#"{"type":"scheduled","run_at":"2026-03-06T08:00:00Z"}"#;
    assert_eq!(serde_json::from_str::<Schedule>(old).unwrap(), Schedule::Once { run_at: now });
    assert_eq!(serde_json::to_string(&Schedule::Immediate).unwrap(), r#"{"type":"immediate"}"#);
}

#[test]
fn once_and_at_once_come_due_once() {
    let now = at("2026-03-06T08:00:00Z");
    let once = Schedule::Once { run_at: at("2026-03-07T08:00:00Z") };
    assert_eq!(once.preview(now, 5).unwrap(), [at("2026-03-07T08:00:00Z")]);
    assert_eq!(Schedule::Immediate.preview(now, 5).unwrap(), [now]);
    let daily = Schedule::cron("0 9 * * *", "UTC", now).unwrap();
    assert_eq!(daily.preview(now, 3).unwrap().len(), 3);
}

#[test]
fn words_are_those_of_the_persons_clock() {
    let now = at("2026-03-06T08:00:00Z");
    let check = |schedule: &Schedule, zone: &str, expected: &str| {
        assert_eq!(schedule.describe(&find_time_zone(zone).unwrap()), expected);
    };
    let once = Schedule::Once { run_at: at("2027-01-01T13:30:00Z") };
    check(&once, "Europe/Berlin", "once, on Friday, 1 January 2027 at 14:30 (Europe/Berlin)");
    check(&once, "UTC", "once, on Friday, 1 January 2027 at 13:30 (UTC)");
    let odd = Schedule::Once { run_at: at("2027-01-01T23:59:07.4Z") };
    check(&odd, "Asia/Tokyo", "once, on Saturday, 2 January 2027 at 08:59:07 (Asia/Tokyo)");
    let cron = |expression| Schedule::cron(expression, "Asia/Tokyo", now).unwrap();
    check(&cron("0 * * * *"), "UTC", "every hour (Asia/Tokyo; cron 0 * * * *)");
    check(&cron("0 9 * * *"), "UTC", "every day at 09:00 (Asia/Tokyo; cron 0 9 * * *)");
    let every = cron("* * * * *").describe(&jiff::tz::TimeZone::UTC);
    assert!(every.starts_with("every minute ("), "{every}");
    check(&Schedule::Immediate, "UTC", "at once");
}

/// A schedule as a walk over minutes understands it.
#[derive(Debug, Clone)]
struct Plain {
    minutes: Vec<i8>,
    hours: Vec<i8>,
    /// By number, Sunday is 0.
    days: Vec<i8>,
}

const ALL_MINUTES: std::ops::Range<i8> = 0..60;
const ALL_HOURS: std::ops::Range<i8> = 0..24;

impl Plain {
    fn expression(&self) -> String {
        let field = |values: &[i8], all: usize| {
            let list: Vec<String> = values.iter().map(ToString::to_string).collect();
            if values.len() == all { "*".to_owned() } else { list.join(",") }
        };
        let (minutes, hours) = (field(&self.minutes, 60), field(&self.hours, 24));
        format!("{minutes} {hours} * * {}", field(&self.days, 7))
    }

    fn is_fixed(&self) -> bool {
        self.minutes.len() < 60 && self.hours.len() < 24
    }

    fn fits(&self, time: DateTime) -> bool {
        self.minutes.contains(&time.minute())
            && self.hours.contains(&time.hour())
            && self.days.contains(&Weekday::to_sunday_zero_offset(time.weekday()))
    }

    /// Every due time in `[from, to)`, minute by minute on the real time line.
    fn walk(&self, zone: &TimeZone, from: Timestamp, to: Timestamp) -> Vec<Timestamp> {
        let mut due = Vec::new();
        let mut before: Option<Zoned> = None;
        let mut now = from;
        while now < to {
            let local = now.to_zoned(zone.clone());
            if let Some(before) = &before
                && self.is_fixed()
                && local.datetime() > before.datetime() + 1.minute()
            {
                // The clock jumped: what was due in between is due now.
                let mut skipped = before.datetime() + 1.minute();
                let mut missed = false;
                while skipped < local.datetime() {
                    missed |= self.fits(skipped);
                    skipped += 1.minute();
                }
                if missed && !self.fits(local.datetime()) {
                    due.push(now);
                }
            }
            let second_pass = match zone.to_ambiguous_timestamp(local.datetime()).offset() {
                AmbiguousOffset::Fold { after, .. } => local.offset() == after,
                _ => false,
            };
            if self.fits(local.datetime()) && !(second_pass && self.is_fixed()) {
                due.push(now);
            }
            before = Some(local);
            now += 1.minute();
        }
        due
    }
}

/// Zones and a time shortly before one of their clock changes: an hour, half an hour, at midnight, on the southern half.
const CHANGES: [(&str, &str); 10] = [
    ("Europe/Berlin", "2026-03-28T20:00:00Z"),
    ("Europe/Berlin", "2026-10-24T20:00:00Z"),
    ("America/New_York", "2026-03-08T02:00:00Z"),
    ("America/New_York", "2026-11-01T00:00:00Z"),
    ("Australia/Lord_Howe", "2026-04-04T08:00:00Z"),
    ("Australia/Lord_Howe", "2026-10-03T09:00:00Z"),
    ("America/Santiago", "2026-09-05T20:00:00Z"),
    ("America/Santiago", "2026-04-04T20:00:00Z"),
    ("Africa/Cairo", "2026-04-23T15:00:00Z"),
    ("Asia/Kolkata", "2026-03-28T20:00:00Z"),
];

fn values(all: std::ops::Range<i8>, some: std::ops::Range<usize>) -> impl Strategy<Value = Vec<i8>> {
    let list: Vec<i8> = all.collect();
    prop_oneof![
        1 => Just(list.clone()),
        3 => proptest::sample::subsequence(list, some),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn agrees_with_a_walk_over_minutes(
        change in 0..CHANGES.len(),
        offset in 0i64..600,
        minutes in values(ALL_MINUTES, 1..4),
        hours in prop_oneof![values(ALL_HOURS, 1..4), Just(vec![0, 1, 2, 3])],
        days in values(0..7, 1..7),
    ) {
        let (zone, start) = CHANGES[change];
        let plain = Plain { minutes, hours, days };
        let from = at(start) + offset.minutes();
        let to = from + 40.hours();
        // The walk begins a minute earlier, so that it sees a jump that ends at `from`.
        let walked: Vec<Timestamp> = plain
            .walk(&TimeZone::get(zone).unwrap(), from - 1.minute(), to)
            .into_iter()
            .filter(|due| *due > from)
            .collect();
        let schedule = Schedule::Cron { cron_expression: plain.expression(), time_zone: zone.to_owned() };
        let mut reckoned = Vec::new();
        let mut now = from;
        while let Some(next) = schedule.next_after(now).unwrap().filter(|next| *next < to) {
            prop_assert!(next > now);
            reckoned.push(next);
            now = next;
        }
        prop_assert_eq!(reckoned, walked, "{} in {}", plain.expression(), zone);
    }
}

/// The moment at which the clock on the wall first shows `at` or later, found by watching it for two days.
fn first_shown(at: DateTime, zone: &TimeZone) -> Timestamp {
    let mut moment = (at - 1.day()).to_zoned(zone.clone()).unwrap().timestamp();
    while moment.to_zoned(zone.clone()).datetime() < at {
        moment += 1.minute();
    }
    moment
}

/// The day is one of those that are due, said without arithmetic of intervals: by counting every day, week and month on the way.
fn is_due(interval: &Interval, date: Date) -> bool {
    let (mut days, mut weeks, mut months) = (0, 0, 0);
    let mut day = interval.first_day;
    while day < date {
        day = day.tomorrow().unwrap();
        days += 1;
        weeks += i32::from(day.weekday() == Weekday::Monday);
        months += i32::from(day.day() == 1);
    }
    let every = i32::from(interval.every.get());
    match interval.unit {
        CalendarUnit::Days => days % every == 0,
        CalendarUnit::Weeks => {
            weeks % every == 0 && interval.days.contains(&date.weekday().to_sunday_zero_offset())
        }
        CalendarUnit::Months => months % every == 0 && interval.days.contains(&date.day()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn intervals_agree_with_a_count_of_every_day(
        change in 0..CHANGES.len(),
        unit in 0..3usize,
        every in 1u16..6,
        weekdays in proptest::sample::subsequence((0..7).collect::<Vec<i8>>(), 1..4),
        month_days in proptest::sample::subsequence((1..32).collect::<Vec<i8>>(), 1..4),
        times in proptest::collection::btree_set((0i8..24, 0i8..60), 1..4),
        days_before in 0i32..400,
        minutes in 0i64..3000,
    ) {
        let (zone_name, start) = CHANGES[change];
        let zone = TimeZone::get(zone_name).unwrap();
        let now = at(start) - 24.hours() + minutes.minutes();
        let today = now.to_zoned(zone.clone()).date();
        let (unit, days) = [
            (CalendarUnit::Days, Vec::new()),
            (CalendarUnit::Weeks, weekdays),
            (CalendarUnit::Months, month_days),
        ][unit].clone();
        let interval = Interval {
            every: NonZeroU16::new(every).unwrap(),
            unit,
            days,
            times: times.iter().map(|(hour, minute)| Time::constant(*hour, *minute, 0, 0)).collect(),
            first_day: today - days_before.days(),
            time_zone: zone_name.to_owned(),
        };
        let until = today + 45.days();
        let mut expected = std::collections::BTreeSet::new();
        let mut date = (today - 1.day()).max(interval.first_day);
        while date < until {
            if is_due(&interval, date) {
                expected.extend(interval.times.iter().map(|time| first_shown(date.to_datetime(*time), &zone)));
            }
            date = date.tomorrow().unwrap();
        }
        expected.retain(|due| *due > now);
        let schedule = Schedule::Interval(interval.clone());
        let mut reckoned = Vec::new();
        let mut last = now;
        while reckoned.len() < expected.len() {
            last = schedule.next_after(last).unwrap().unwrap();
            reckoned.push(last);
        }
        prop_assert_eq!(reckoned, expected.into_iter().collect::<Vec<_>>(), "{:?}", interval);
    }

    #[test]
    fn elapsed_time_is_counted_from_its_start(minutes in 1u32..100_000, from in 0i64..10_000_000, now in -10_000_000i64..100_000_000) {
        let epoch = at("2026-03-06T08:00:00Z");
        let (from, now) = (epoch + from.seconds(), epoch + now.milliseconds());
        let schedule = Schedule::Elapsed { minutes: NonZeroU32::new(minutes).unwrap(), from };
        let next = schedule.next_after(now).unwrap().unwrap();
        prop_assert!(next > now && next >= from);
        prop_assert_eq!((next.as_second() - from.as_second()) % (i64::from(minutes) * 60), 0);
        prop_assert!(next == from || next.as_second() - i64::from(minutes) * 60 <= now.as_second());
    }
}
