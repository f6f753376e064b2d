//! The parts of a schedule in words: how often, which days, at what times.

use jiff::ToSpan;
use jiff::civil::{Date, Time, Weekday};

use super::iso::{self, DateWithTime};
use super::{BadWords, MORNING, together};

/// A stretch of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Minute,
    Hour,
    Day,
    Week,
    Month,
}

/// A day as people name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Day {
    /// So many days from today.
    FromToday(i64),
    /// That date.
    At(Date),
    /// That day of the week, the next one to come.
    Next(Weekday),
    /// That day of that month, the next one to come.
    Yearly(i8, i8),
}

impl Day {
    pub(super) fn on(self, today: Date) -> Option<Date> {
        match self {
            Self::FromToday(days) => today.checked_add(days.days()).ok(),
            Self::At(date) => Some(date),
            Self::Next(day) => today.nth_weekday(1, day).ok(),
            Self::Yearly(month, day) => {
                let years = today.year()..=today.year().saturating_add(8);
                let mut dates = years.filter_map(|year| Date::new(year, month, day).ok());
                dates.find(|date| *date >= today)
            }
        }
    }
}

/// What was said.
#[derive(Debug, Default)]
pub(super) struct ScheduleParts {
    pub(super) at_once: bool,
    pub(super) every: Option<(u32, Unit)>,
    /// "every" was said, or a plural that means it.
    pub(super) again: bool,
    /// How often "every" was said.
    everies: usize,
    /// "every other" was said of a day of the week.
    other_weekday: bool,
    /// Days of the week were named in the plural, which says "every" of its own.
    plural: bool,
    pub(super) weekdays: Vec<Weekday>,
    pub(super) month_days: Vec<i8>,
    pub(super) times: Vec<Time>,
    /// First and last hour.
    pub(super) between: Option<(i8, i8)>,
    pub(super) date: Option<Day>,
    pub(super) offset: Option<(u32, Unit)>,
    pub(super) zone: Option<String>,
    /// The day from which on it repeats.
    pub(super) first_day: Option<Day>,
    /// A date with its time in one word.
    pub(super) moment: Option<DateWithTime>,
}

impl ScheduleParts {
    pub(super) fn repeats(&self) -> bool {
        self.again || self.every.is_some()
    }

    pub(super) fn is_only_at_once(&self) -> bool {
        self.at_once && self.moment.is_none() && !self.has_days_or_times()
    }

    /// It is a date with its time, and at most a time zone that both are read in.
    pub(super) fn is_only_a_moment(&self) -> bool {
        let has_zone_twice = self.zone.is_some() && matches!(self.moment, Some(DateWithTime::Exact(_)));
        !self.at_once && !has_zone_twice && !self.has_days_or_times()
    }

    /// Nothing limits what repeats within the day to some days or hours.
    pub(super) fn has_no_days_or_hours(&self) -> bool {
        self.weekdays.is_empty() && self.month_days.is_empty() && self.between.is_none()
    }

    /// What is said once for one thing and once for another: "every monday and every other tuesday".
    pub(super) fn says_every_twice(&self) -> bool {
        self.everies > 1 || (self.other_weekday && self.plural)
    }

    fn has_days_or_times(&self) -> bool {
        let dated = self.date.is_some() || self.offset.is_some() || self.between.is_some();
        let dated = dated || self.first_day.is_some();
        let listed = !(self.weekdays.is_empty() && self.month_days.is_empty() && self.times.is_empty());
        self.repeats() || dated || listed
    }

    fn day(&mut self, day: Weekday) {
        if !self.weekdays.contains(&day) {
            self.weekdays.push(day);
            self.weekdays.sort_by_key(|day| day.to_sunday_zero_offset());
        }
    }

    fn dated(&mut self, day: Day) -> Result<(), BadWords> {
        match self.date.replace(day) {
            None => Ok(()),
            Some(_) => Err(together("one date is enough")),
        }
    }
}

const WORKDAYS: [Weekday; 5] =
    [Weekday::Monday, Weekday::Tuesday, Weekday::Wednesday, Weekday::Thursday, Weekday::Friday];

/// No schedule takes more words.
const MOST_WORDS: usize = 40;

/// Reads words into parts.
pub(super) fn read(text: &str) -> Result<ScheduleParts, BadWords> {
    let tokens: Vec<&str> = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';')).collect();
    let tokens: Vec<&str> = tokens.into_iter().filter(|token| !token.is_empty()).collect();
    if tokens.is_empty() {
        return Err(together("nothing was said"));
    }
    if tokens.len() > MOST_WORDS {
        return Err(together("that is too long for a schedule"));
    }
    let mut words = Words { tokens: &tokens, parts: ScheduleParts::default() };
    while !words.tokens.is_empty() {
        words.clause()?;
    }
    Ok(words.parts)
}

struct Words<'a> {
    tokens: &'a [&'a str],
    parts: ScheduleParts,
}

impl Words<'_> {
    fn peek(&self, ahead: usize) -> String {
        self.tokens.get(ahead).map(|token| token.trim_end_matches('.').to_lowercase()).unwrap_or_default()
    }

    fn skip(&mut self, count: usize) {
        self.tokens = self.tokens.get(count..).unwrap_or_default();
    }

    fn unknown(&self) -> BadWords {
        let word = self.tokens.first().copied().unwrap_or("(nothing)");
        BadWords::Word { word: word.chars().take(60).collect() }
    }

    fn clause(&mut self) -> Result<(), BadWords> {
        if self.moment()? {
            return Ok(());
        }
        let word = self.peek(0);
        match word.as_str() {
            "and" | "on" | "the" | "of" | "a" | "each" | "every" | "all" | "time" | "o'clock" | "once" => {
                self.skip(1);
                if matches!(word.as_str(), "each" | "every" | "all") {
                    return self.every();
                }
                if word == "once" {
                    // "once a day", "once an hour": the article says that it repeats.
                    if matches!(self.peek(0).as_str(), "a" | "an" | "per") {
                        self.skip(1);
                        return self.every();
                    }
                }
                Ok(())
            }
            "now" | "immediately" => self.take(1, |parts| parts.at_once = true),
            "right" if self.peek(1) == "now" => self.take(2, |parts| parts.at_once = true),
            "at" if self.peek(1) == "once" => self.take(2, |parts| parts.at_once = true),
            "at" => {
                self.skip(1);
                self.time()
            }
            "in" if self.peek(1) == "the" => {
                self.skip(2);
                self.part_of_day()
            }
            "in" if self.peek(1).contains('/') || self.peek(1) == "utc" => {
                self.skip(1);
                self.zone()
            }
            "in" => {
                self.skip(1);
                let (number, unit) = self.stretch()?;
                self.parts.offset = Some((number, unit));
                Ok(())
            }
            "between" | "from" => {
                self.skip(1);
                self.between()
            }
            "next" => {
                self.skip(1);
                if let Some(day) = weekday(&self.peek(0)) {
                    return self.take(1, |parts| parts.day(day));
                }
                let unit = unit(&self.peek(0)).ok_or_else(|| self.unknown())?;
                self.skip(1);
                self.parts.offset = Some((1, unit));
                Ok(())
            }
            "today" => self.date(1, Day::FromToday(0)),
            "tomorrow" => self.date(1, Day::FromToday(1)),
            "tonight" => {
                self.parts.times.push(Time::constant(20, 0, 0, 0));
                self.date(1, Day::FromToday(0))
            }
            "hourly" => self.take(1, |parts| parts.every = Some((1, Unit::Hour))),
            "daily" => self.take(1, |parts| parts.every = Some((1, Unit::Day))),
            "weekly" => self.take(1, |parts| parts.every = Some((1, Unit::Week))),
            "monthly" => self.take(1, |parts| parts.every = Some((1, Unit::Month))),
            "starting" | "beginning" => self.starting(),
            "fortnightly" | "fortnight" => self.take(1, |parts| parts.every = Some((2, Unit::Week))),
            "weekdays" | "workdays" | "weekday" | "workday" => self.workdays(),
            "weekends" | "weekend" => self.weekend(),
            "utc" => self.zone(),
            _ => self.bare(&word),
        }
    }

    /// A date with its time in one word, perhaps after "at".
    fn moment(&mut self) -> Result<bool, BadWords> {
        let after_at = usize::from(self.peek(0) == "at");
        let token = self.tokens.get(after_at).copied().unwrap_or_default();
        let Some(moment) = iso::read(token.trim_end_matches('.')) else { return Ok(false) };
        self.skip(after_at + 1);
        match self.parts.moment.replace(moment) {
            None => Ok(true),
            Some(_) => Err(together("one date is enough")),
        }
    }

    /// What stands without a word before it: a day, a date, a time, a zone.
    fn bare(&mut self, word: &str) -> Result<(), BadWords> {
        if let Some(day) = weekday(word) {
            let plural = word.ends_with("days");
            return self.take(1, |parts| {
                parts.day(day);
                parts.again |= plural;
                parts.plural |= plural;
            });
        }
        if let Some(date) = iso::date(word) {
            return self.date(1, Day::At(date));
        }
        if let (Some(month), Some(day)) = (month(word), ordinal(&self.peek(1))) {
            return self.day_of_month(2, month, day);
        }
        if let Some(day) = ordinal(word) {
            let of = usize::from(self.peek(1) == "of");
            if let Some(month) = month(&self.peek(1 + of)) {
                return self.day_of_month(2 + of, month, day);
            }
            if word.ends_with(|c: char| c.is_ascii_alphabetic()) && clock(word).is_none() {
                return self.take(1, |parts| parts.month_days.push(day));
            }
        }
        if word.contains('/') && !word.contains(['[', ':']) {
            return self.zone();
        }
        if matches!(word, "morning" | "noon" | "midday" | "afternoon" | "evening" | "night" | "midnight") {
            return self.part_of_day();
        }
        if self.parts.times.is_empty()
            && !word.contains([':', '.'])
            && clock(word).is_none_or(|_| digits(word))
        {
            return Err(self.unknown());
        }
        self.time()
    }

    /// A day of a month, with its year where one follows.
    fn day_of_month(&mut self, count: usize, month: i8, day: i8) -> Result<(), BadWords> {
        let Some(year) = year(&self.peek(count)) else { return self.date(count, Day::Yearly(month, day)) };
        let date = Date::new(year, month, day).map_err(|_| together("there is no such date"))?;
        self.date(count + 1, Day::At(date))
    }

    fn every(&mut self) -> Result<(), BadWords> {
        self.parts.again = true;
        self.parts.everies += 1;
        let word = self.peek(0);
        if self.every_other()? {
            return Ok(());
        }
        if let Some(unit) = unit(&word) {
            return self.take(1, |parts| parts.every = Some((1, unit)));
        }
        if word == "half" && matches!(self.peek(1).as_str(), "hour" | "an") {
            let count = if self.peek(1) == "an" { 3 } else { 2 };
            return self.take(count, |parts| parts.every = Some((30, Unit::Minute)));
        }
        if word == "quarter" && self.peek(1) == "hour" {
            return self.take(2, |parts| parts.every = Some((15, Unit::Minute)));
        }
        if number(&word).is_some() && unit(&self.peek(1)).is_some() {
            let (number, unit) = self.stretch()?;
            self.parts.every = Some((number, unit));
        }
        // What follows are days or a part of the day, read as everywhere else.
        Ok(())
    }

    /// "every other day", "every third week", "every 10th day", "every other monday".
    fn every_other(&mut self) -> Result<bool, BadWords> {
        let (word, next) = (self.peek(0), self.peek(1));
        let number = match word.as_str() {
            "other" | "second" => Some(2),
            "third" => Some(3),
            "fourth" => Some(4),
            word if !digits(word) && unit(&next).is_some() => {
                ordinal(word).and_then(|day| u32::try_from(day).ok())
            }
            _ => None,
        };
        let Some(number) = number else { return Ok(false) };
        if let Some(unit) = unit(&next) {
            self.skip(2);
            self.parts.every = Some((number, unit));
            return Ok(true);
        }
        let is_weekly = weekday(&next).is_some() || matches!(next.as_str(), "weekend" | "weekends");
        match (number, is_weekly) {
            (2, true) => self.skip(1),
            (_, true) => {
                let say = format!("that can be read in two ways; say \"every {number} weeks on {next}\"");
                return Err(together(&say));
            }
            _ if matches!(next.as_str(), "weekday" | "weekdays" | "workday" | "workdays") => {
                return Err(together(
                    "that can be read in two ways; name the days, as in \"every monday, wednesday and friday\"",
                ));
            }
            _ => return Err(self.unknown()),
        }
        if !self.parts.weekdays.is_empty() {
            return Err(together("\"every other\" goes with all days of the week or none"));
        }
        self.parts.every = Some((2, Unit::Week));
        self.parts.other_weekday = true;
        Ok(true)
    }

    /// The day from which on it repeats: a day of the week, today, tomorrow, or a date.
    fn starting(&mut self) -> Result<(), BadWords> {
        self.skip(1);
        if matches!(self.peek(0).as_str(), "on" | "from" | "next") {
            self.skip(1);
        }
        let unknown = self.unknown();
        let day = if let Some(day) = weekday(&self.peek(0)) {
            self.skip(1);
            Some(Day::Next(day))
        } else {
            let other = self.parts.date.take();
            self.clause()?;
            std::mem::replace(&mut self.parts.date, other)
        };
        match self.parts.first_day.replace(day.ok_or(unknown)?) {
            None => Ok(()),
            Some(_) => Err(together("one date is enough")),
        }
    }

    fn stretch(&mut self) -> Result<(u32, Unit), BadWords> {
        let word = self.peek(0);
        if word == "half" && matches!(self.peek(1).as_str(), "a" | "an") {
            let half = match unit(&self.peek(2)) {
                Some(Unit::Hour) => (30, Unit::Minute),
                Some(Unit::Day) => (12, Unit::Hour),
                _ => return Err(self.unknown()),
            };
            self.skip(3);
            return Ok(half);
        }
        let number = number(&word).ok_or_else(|| self.unknown())?;
        self.skip(1);
        let unit = unit(&self.peek(0)).ok_or_else(|| self.unknown())?;
        self.skip(1);
        Ok((number, unit))
    }

    fn time(&mut self) -> Result<(), BadWords> {
        let word = self.peek(0);
        if matches!(word.as_str(), "noon" | "midnight" | "midday") {
            return self.part_of_day();
        }
        let half = self.peek(1);
        let halved = matches!(half.as_str(), "am" | "pm" | "a.m" | "p.m");
        let joined = if halved { format!("{word}{}", half.replace('.', "")) } else { word };
        let time = clock(&joined).ok_or_else(|| self.unknown())?;
        self.take(if halved { 2 } else { 1 }, |parts| parts.times.push(time))
    }

    fn part_of_day(&mut self) -> Result<(), BadWords> {
        let time = match self.peek(0).as_str() {
            "morning" | "mornings" => MORNING,
            "noon" | "midday" => Time::constant(12, 0, 0, 0),
            "afternoon" | "afternoons" => Time::constant(15, 0, 0, 0),
            "evening" | "evenings" => Time::constant(18, 0, 0, 0),
            "night" | "nights" => Time::constant(22, 0, 0, 0),
            "midnight" => Time::midnight(),
            _ => return Err(self.unknown()),
        };
        self.take(1, |parts| parts.times.push(time))
    }

    fn between(&mut self) -> Result<(), BadWords> {
        let hour = |words: &mut Self| {
            let time = clock(&words.peek(0)).ok_or_else(|| words.unknown())?;
            words.skip(1);
            if time.minute() == 0 { Ok(time.hour()) } else { Err(together("\"between\" takes whole hours")) }
        };
        let first = hour(self)?;
        if !matches!(self.peek(0).as_str(), "and" | "to" | "until" | "till") {
            return Err(self.unknown());
        }
        self.skip(1);
        let last = hour(self)?;
        if first >= last {
            return Err(together("\"between\" takes the earlier hour first"));
        }
        self.parts.between = Some((first, last));
        Ok(())
    }

    fn zone(&mut self) -> Result<(), BadWords> {
        let token = self.tokens.first().copied().unwrap_or_default();
        let name = if token.eq_ignore_ascii_case("utc") { "UTC" } else { token };
        self.take(1, |parts| parts.zone = Some(name.to_owned()))
    }

    fn workdays(&mut self) -> Result<(), BadWords> {
        self.take(1, |parts| {
            parts.again = true;
            WORKDAYS.into_iter().for_each(|day| parts.day(day));
        })
    }

    fn weekend(&mut self) -> Result<(), BadWords> {
        self.take(1, |parts| {
            parts.again = true;
            [Weekday::Saturday, Weekday::Sunday].into_iter().for_each(|day| parts.day(day));
        })
    }

    fn date(&mut self, count: usize, day: Day) -> Result<(), BadWords> {
        self.skip(count);
        self.parts.dated(day)
    }

    #[expect(clippy::unnecessary_wraps, reason = "every clause answers alike")]
    fn take(&mut self, count: usize, change: impl FnOnce(&mut ScheduleParts)) -> Result<(), BadWords> {
        self.skip(count);
        change(&mut self.parts);
        Ok(())
    }
}

fn digits(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_digit())
}

/// `2`, `two`, `a`.
fn number(word: &str) -> Option<u32> {
    const NUMBERS: [&str; 12] =
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    if matches!(word, "a" | "an") {
        return Some(1);
    }
    let named = NUMBERS.iter().position(|number| *number == word).and_then(|at| u32::try_from(at + 1).ok());
    named.or_else(|| word.parse().ok())
}

fn unit(word: &str) -> Option<Unit> {
    Some(match word {
        "minute" | "minutes" | "min" | "mins" => Unit::Minute,
        "hour" | "hours" | "hrs" => Unit::Hour,
        "day" | "days" => Unit::Day,
        "week" | "weeks" => Unit::Week,
        "month" | "months" => Unit::Month,
        _ => return None,
    })
}

fn weekday(word: &str) -> Option<Weekday> {
    Some(match word {
        "monday" | "mondays" | "mon" => Weekday::Monday,
        "tuesday" | "tuesdays" | "tue" | "tues" => Weekday::Tuesday,
        "wednesday" | "wednesdays" | "wed" => Weekday::Wednesday,
        "thursday" | "thursdays" | "thu" | "thurs" => Weekday::Thursday,
        "friday" | "fridays" | "fri" => Weekday::Friday,
        "saturday" | "saturdays" | "sat" => Weekday::Saturday,
        "sunday" | "sundays" | "sun" => Weekday::Sunday,
        _ => return None,
    })
}

fn month(word: &str) -> Option<i8> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let at =
        MONTHS.iter().position(|month| *month == word || (word.len() == 3 && month.starts_with(word)))?;
    i8::try_from(at + 1).ok()
}

/// `2027`: a year that is no time of day.
fn year(word: &str) -> Option<i16> {
    word.parse().ok().filter(|year| (2000..3000).contains(year) && word.len() == 4)
}

/// `1st`, `15`: a day of the month.
fn ordinal(word: &str) -> Option<i8> {
    let number = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ending = word.get(number.len()..)?;
    if !matches!(ending, "" | "st" | "nd" | "rd" | "th") {
        return None;
    }
    number.parse().ok().filter(|day| (1..=31).contains(day))
}

/// `9`, `9:30`, `9.30`, `21h`, `9am`, `12:15pm`.
fn clock(word: &str) -> Option<Time> {
    let (number, half) = match word {
        word if word.ends_with("am") => (word.strip_suffix("am")?, Some(0)),
        word if word.ends_with("pm") => (word.strip_suffix("pm")?, Some(12)),
        word => (word.strip_suffix('h').unwrap_or(word), None),
    };
    let (hour, minute) = number.split_once([':', '.', 'h']).unwrap_or((number, "0"));
    if !digits(hour) || !digits(minute) || (number.len() != hour.len() && minute.len() != 2) {
        return None;
    }
    let (hour, minute): (i8, i8) = (hour.parse().ok()?, minute.parse().ok()?);
    let hour = match half {
        Some(half) if (1..=12).contains(&hour) => hour % 12 + half,
        Some(_) => return None,
        None => hour,
    };
    Time::new(hour, minute, 0, 0).ok()
}
