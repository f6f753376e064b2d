//! The parts of a schedule in words: how often, which days, at what times.

use jiff::ToSpan;
use jiff::civil::{Date, Time, Weekday};

use super::iso::{self, DateWithTime};
use super::{DEFAULT_TIME, InvalidWords, conflicting_parts};

/// A stretch of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeUnit {
    Minute,
    Hour,
    Day,
    Week,
    Month,
}

/// A day as people name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NamedDay {
    /// So many days from today.
    FromToday(i64),
    /// That date.
    At(Date),
    /// That day of the week, the next one to come.
    Next(Weekday),
    /// That day of that month, the next one to come.
    Yearly(i8, i8),
}

impl NamedDay {
    pub(super) fn date_from(self, today: Date) -> Option<Date> {
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
    pub(super) every: Option<(u32, TimeUnit)>,
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
    pub(super) date: Option<NamedDay>,
    pub(super) offset: Option<(u32, TimeUnit)>,
    pub(super) zone: Option<String>,
    /// The day from which on it repeats.
    pub(super) first_day: Option<NamedDay>,
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

    fn add_weekday(&mut self, day: Weekday) {
        if !self.weekdays.contains(&day) {
            self.weekdays.push(day);
            self.weekdays.sort_by_key(|day| day.to_sunday_zero_offset());
        }
    }

    fn set_start(&mut self, day: NamedDay) -> Result<(), InvalidWords> {
        match self.date.replace(day) {
            None => Ok(()),
            Some(_) => Err(conflicting_parts("one date is enough")),
        }
    }
}

const WORKDAYS: [Weekday; 5] =
    [Weekday::Monday, Weekday::Tuesday, Weekday::Wednesday, Weekday::Thursday, Weekday::Friday];

/// No schedule takes more words.
const MAX_WORDS: usize = 40;

/// Reads words into parts.
pub(super) fn parse_parts(text: &str) -> Result<ScheduleParts, InvalidWords> {
    let tokens: Vec<&str> = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';')).collect();
    let tokens: Vec<&str> = tokens.into_iter().filter(|token| !token.is_empty()).collect();
    if tokens.is_empty() {
        return Err(conflicting_parts("nothing was said"));
    }
    if tokens.len() > MAX_WORDS {
        return Err(conflicting_parts("that is too long for a schedule"));
    }
    let mut words = WordParser { tokens: &tokens, parts: ScheduleParts::default() };
    while !words.tokens.is_empty() {
        words.parse_clause()?;
    }
    Ok(words.parts)
}

struct WordParser<'a> {
    tokens: &'a [&'a str],
    parts: ScheduleParts,
}

impl WordParser<'_> {
    fn peek(&self, ahead: usize) -> String {
        self.tokens.get(ahead).map(|token| token.trim_end_matches('.').to_lowercase()).unwrap_or_default()
    }

    fn skip(&mut self, count: usize) {
        self.tokens = self.tokens.get(count..).unwrap_or_default();
    }

    fn unknown_word(&self) -> InvalidWords {
        let word = self.tokens.first().copied().unwrap_or("(nothing)");
        InvalidWords::Word { word: word.chars().take(60).collect() }
    }

    fn parse_clause(&mut self) -> Result<(), InvalidWords> {
        if self.parse_moment()? {
            return Ok(());
        }
        let word = self.peek(0);
        match word.as_str() {
            "and" | "on" | "the" | "of" | "a" | "each" | "every" | "all" | "time" | "o'clock" | "once" => {
                self.skip(1);
                if matches!(word.as_str(), "each" | "every" | "all") {
                    return self.parse_every();
                }
                if word == "once" {
                    // "once a day", "once an hour": the article says that it repeats.
                    if matches!(self.peek(0).as_str(), "a" | "an" | "per") {
                        self.skip(1);
                        return self.parse_every();
                    }
                }
                Ok(())
            }
            "now" | "immediately" => self.consume(1, |parts| parts.at_once = true),
            "right" if self.peek(1) == "now" => self.consume(2, |parts| parts.at_once = true),
            "at" if self.peek(1) == "once" => self.consume(2, |parts| parts.at_once = true),
            "at" => {
                self.skip(1);
                self.parse_time()
            }
            "in" if self.peek(1) == "the" => {
                self.skip(2);
                self.parse_part_of_day()
            }
            "in" if self.peek(1).contains('/') || self.peek(1) == "utc" => {
                self.skip(1);
                self.parse_zone()
            }
            "in" => {
                self.skip(1);
                let (number, unit) = self.parse_duration()?;
                self.parts.offset = Some((number, unit));
                Ok(())
            }
            "between" | "from" => {
                self.skip(1);
                self.parse_between()
            }
            "next" => {
                self.skip(1);
                if let Some(day) = parse_weekday(&self.peek(0)) {
                    return self.consume(1, |parts| parts.add_weekday(day));
                }
                let unit = parse_unit(&self.peek(0)).ok_or_else(|| self.unknown_word())?;
                self.skip(1);
                self.parts.offset = Some((1, unit));
                Ok(())
            }
            "today" => self.parse_date(1, NamedDay::FromToday(0)),
            "tomorrow" => self.parse_date(1, NamedDay::FromToday(1)),
            "tonight" => {
                self.parts.times.push(Time::constant(20, 0, 0, 0));
                self.parse_date(1, NamedDay::FromToday(0))
            }
            "hourly" => self.consume(1, |parts| parts.every = Some((1, TimeUnit::Hour))),
            "daily" => self.consume(1, |parts| parts.every = Some((1, TimeUnit::Day))),
            "weekly" => self.consume(1, |parts| parts.every = Some((1, TimeUnit::Week))),
            "monthly" => self.consume(1, |parts| parts.every = Some((1, TimeUnit::Month))),
            "starting" | "beginning" => self.parse_starting(),
            "fortnightly" | "fortnight" => self.consume(1, |parts| parts.every = Some((2, TimeUnit::Week))),
            "weekdays" | "workdays" | "weekday" | "workday" => self.parse_workdays(),
            "weekends" | "weekend" => self.parse_weekend(),
            "utc" => self.parse_zone(),
            _ => self.parse_bare(&word),
        }
    }

    /// A date with its time in one word, perhaps after "at".
    fn parse_moment(&mut self) -> Result<bool, InvalidWords> {
        let after_at = usize::from(self.peek(0) == "at");
        let token = self.tokens.get(after_at).copied().unwrap_or_default();
        let Some(moment) = iso::parse_date_time(token.trim_end_matches('.')) else { return Ok(false) };
        self.skip(after_at + 1);
        match self.parts.moment.replace(moment) {
            None => Ok(true),
            Some(_) => Err(conflicting_parts("one date is enough")),
        }
    }

    /// What stands without a word before it: a day, a date, a time, a zone.
    fn parse_bare(&mut self, word: &str) -> Result<(), InvalidWords> {
        if let Some(day) = parse_weekday(word) {
            let plural = word.ends_with("days");
            return self.consume(1, |parts| {
                parts.add_weekday(day);
                parts.again |= plural;
                parts.plural |= plural;
            });
        }
        if let Some(date) = iso::parse_date(word) {
            return self.parse_date(1, NamedDay::At(date));
        }
        if let (Some(month), Some(day)) = (parse_month(word), parse_ordinal(&self.peek(1))) {
            return self.parse_day_of_month(2, month, day);
        }
        if let Some(day) = parse_ordinal(word) {
            let of = usize::from(self.peek(1) == "of");
            if let Some(month) = parse_month(&self.peek(1 + of)) {
                return self.parse_day_of_month(2 + of, month, day);
            }
            if word.ends_with(|c: char| c.is_ascii_alphabetic()) && parse_clock(word).is_none() {
                return self.consume(1, |parts| parts.month_days.push(day));
            }
        }
        if word.contains('/') && !word.contains(['[', ':']) {
            return self.parse_zone();
        }
        if matches!(word, "morning" | "noon" | "midday" | "afternoon" | "evening" | "night" | "midnight") {
            return self.parse_part_of_day();
        }
        if self.parts.times.is_empty()
            && !word.contains([':', '.'])
            && parse_clock(word).is_none_or(|_| is_digits(word))
        {
            return Err(self.unknown_word());
        }
        self.parse_time()
    }

    /// A day of a month, with its year where one follows.
    fn parse_day_of_month(&mut self, count: usize, month: i8, day: i8) -> Result<(), InvalidWords> {
        let Some(year) = parse_year(&self.peek(count)) else {
            return self.parse_date(count, NamedDay::Yearly(month, day));
        };
        let date = Date::new(year, month, day).map_err(|_| conflicting_parts("there is no such date"))?;
        self.parse_date(count + 1, NamedDay::At(date))
    }

    fn parse_every(&mut self) -> Result<(), InvalidWords> {
        self.parts.again = true;
        self.parts.everies += 1;
        let word = self.peek(0);
        if self.parse_every_other()? {
            return Ok(());
        }
        if let Some(unit) = parse_unit(&word) {
            return self.consume(1, |parts| parts.every = Some((1, unit)));
        }
        if word == "half" && matches!(self.peek(1).as_str(), "hour" | "an") {
            let count = if self.peek(1) == "an" { 3 } else { 2 };
            return self.consume(count, |parts| parts.every = Some((30, TimeUnit::Minute)));
        }
        if word == "quarter" && self.peek(1) == "hour" {
            return self.consume(2, |parts| parts.every = Some((15, TimeUnit::Minute)));
        }
        if parse_number(&word).is_some() && parse_unit(&self.peek(1)).is_some() {
            let (number, unit) = self.parse_duration()?;
            self.parts.every = Some((number, unit));
        }
        // What follows are days or a part of the day, read as everywhere else.
        Ok(())
    }

    /// "every other day", "every third week", "every 10th day", "every other monday".
    fn parse_every_other(&mut self) -> Result<bool, InvalidWords> {
        let (word, next) = (self.peek(0), self.peek(1));
        let number = match word.as_str() {
            "other" | "second" => Some(2),
            "third" => Some(3),
            "fourth" => Some(4),
            word if !is_digits(word) && parse_unit(&next).is_some() => {
                parse_ordinal(word).and_then(|day| u32::try_from(day).ok())
            }
            _ => None,
        };
        let Some(number) = number else { return Ok(false) };
        if let Some(unit) = parse_unit(&next) {
            self.skip(2);
            self.parts.every = Some((number, unit));
            return Ok(true);
        }
        let is_weekly = parse_weekday(&next).is_some() || matches!(next.as_str(), "weekend" | "weekends");
        match (number, is_weekly) {
            (2, true) => self.skip(1),
            (_, true) => {
                let say = format!("that can be read in two ways; say \"every {number} weeks on {next}\"");
                return Err(conflicting_parts(&say));
            }
            _ if matches!(next.as_str(), "weekday" | "weekdays" | "workday" | "workdays") => {
                return Err(conflicting_parts(
                    "that can be read in two ways; name the days, as in \"every monday, wednesday and friday\"",
                ));
            }
            _ => return Err(self.unknown_word()),
        }
        if !self.parts.weekdays.is_empty() {
            return Err(conflicting_parts("\"every other\" goes with all days of the week or none"));
        }
        self.parts.every = Some((2, TimeUnit::Week));
        self.parts.other_weekday = true;
        Ok(true)
    }

    /// The day from which on it repeats: a day of the week, today, tomorrow, or a date.
    fn parse_starting(&mut self) -> Result<(), InvalidWords> {
        self.skip(1);
        if matches!(self.peek(0).as_str(), "on" | "from" | "next") {
            self.skip(1);
        }
        let unknown = self.unknown_word();
        let day = if let Some(day) = parse_weekday(&self.peek(0)) {
            self.skip(1);
            Some(NamedDay::Next(day))
        } else {
            let other = self.parts.date.take();
            self.parse_clause()?;
            std::mem::replace(&mut self.parts.date, other)
        };
        match self.parts.first_day.replace(day.ok_or(unknown)?) {
            None => Ok(()),
            Some(_) => Err(conflicting_parts("one date is enough")),
        }
    }

    fn parse_duration(&mut self) -> Result<(u32, TimeUnit), InvalidWords> {
        let word = self.peek(0);
        if word == "half" && matches!(self.peek(1).as_str(), "a" | "an") {
            let half = match parse_unit(&self.peek(2)) {
                Some(TimeUnit::Hour) => (30, TimeUnit::Minute),
                Some(TimeUnit::Day) => (12, TimeUnit::Hour),
                _ => return Err(self.unknown_word()),
            };
            self.skip(3);
            return Ok(half);
        }
        let number = parse_number(&word).ok_or_else(|| self.unknown_word())?;
        self.skip(1);
        let unit = parse_unit(&self.peek(0)).ok_or_else(|| self.unknown_word())?;
        self.skip(1);
        Ok((number, unit))
    }

    fn parse_time(&mut self) -> Result<(), InvalidWords> {
        let word = self.peek(0);
        if matches!(word.as_str(), "noon" | "midnight" | "midday") {
            return self.parse_part_of_day();
        }
        let half = self.peek(1);
        let halved = matches!(half.as_str(), "am" | "pm" | "a.m" | "p.m");
        let joined = if halved { format!("{word}{}", half.replace('.', "")) } else { word };
        let time = parse_clock(&joined).ok_or_else(|| self.unknown_word())?;
        self.consume(if halved { 2 } else { 1 }, |parts| parts.times.push(time))
    }

    fn parse_part_of_day(&mut self) -> Result<(), InvalidWords> {
        let time = match self.peek(0).as_str() {
            "morning" | "mornings" => DEFAULT_TIME,
            "noon" | "midday" => Time::constant(12, 0, 0, 0),
            "afternoon" | "afternoons" => Time::constant(15, 0, 0, 0),
            "evening" | "evenings" => Time::constant(18, 0, 0, 0),
            "night" | "nights" => Time::constant(22, 0, 0, 0),
            "midnight" => Time::midnight(),
            _ => return Err(self.unknown_word()),
        };
        self.consume(1, |parts| parts.times.push(time))
    }

    fn parse_between(&mut self) -> Result<(), InvalidWords> {
        let hour = |words: &mut Self| {
            let time = parse_clock(&words.peek(0)).ok_or_else(|| words.unknown_word())?;
            words.skip(1);
            if time.minute() == 0 {
                Ok(time.hour())
            } else {
                Err(conflicting_parts("\"between\" takes whole hours"))
            }
        };
        let first = hour(self)?;
        if !matches!(self.peek(0).as_str(), "and" | "to" | "until" | "till") {
            return Err(self.unknown_word());
        }
        self.skip(1);
        let last = hour(self)?;
        if first >= last {
            return Err(conflicting_parts("\"between\" takes the earlier hour first"));
        }
        self.parts.between = Some((first, last));
        Ok(())
    }

    fn parse_zone(&mut self) -> Result<(), InvalidWords> {
        let token = self.tokens.first().copied().unwrap_or_default();
        let name = if token.eq_ignore_ascii_case("utc") { "UTC" } else { token };
        self.consume(1, |parts| parts.zone = Some(name.to_owned()))
    }

    fn parse_workdays(&mut self) -> Result<(), InvalidWords> {
        self.consume(1, |parts| {
            parts.again = true;
            WORKDAYS.into_iter().for_each(|day| parts.add_weekday(day));
        })
    }

    fn parse_weekend(&mut self) -> Result<(), InvalidWords> {
        self.consume(1, |parts| {
            parts.again = true;
            [Weekday::Saturday, Weekday::Sunday].into_iter().for_each(|day| parts.add_weekday(day));
        })
    }

    fn parse_date(&mut self, count: usize, day: NamedDay) -> Result<(), InvalidWords> {
        self.skip(count);
        self.parts.set_start(day)
    }

    #[expect(clippy::unnecessary_wraps, reason = "every clause answers alike")]
    fn consume(&mut self, count: usize, change: impl FnOnce(&mut ScheduleParts)) -> Result<(), InvalidWords> {
        self.skip(count);
        change(&mut self.parts);
        Ok(())
    }
}

fn is_digits(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_digit())
}

/// `2`, `two`, `a`.
fn parse_number(word: &str) -> Option<u32> {
    const NUMBERS: [&str; 12] =
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    if matches!(word, "a" | "an") {
        return Some(1);
    }
    let named = NUMBERS.iter().position(|number| *number == word).and_then(|at| u32::try_from(at + 1).ok());
    named.or_else(|| word.parse().ok())
}

fn parse_unit(word: &str) -> Option<TimeUnit> {
    Some(match word {
        "minute" | "minutes" | "min" | "mins" => TimeUnit::Minute,
        "hour" | "hours" | "hrs" => TimeUnit::Hour,
        "day" | "days" => TimeUnit::Day,
        "week" | "weeks" => TimeUnit::Week,
        "month" | "months" => TimeUnit::Month,
        _ => return None,
    })
}

fn parse_weekday(word: &str) -> Option<Weekday> {
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

fn parse_month(word: &str) -> Option<i8> {
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
fn parse_year(word: &str) -> Option<i16> {
    word.parse().ok().filter(|year| (2000..3000).contains(year) && word.len() == 4)
}

/// `1st`, `15`: a day of the month.
fn parse_ordinal(word: &str) -> Option<i8> {
    let number = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ending = word.get(number.len()..)?;
    if !matches!(ending, "" | "st" | "nd" | "rd" | "th") {
        return None;
    }
    number.parse().ok().filter(|day| (1..=31).contains(day))
}

/// `9`, `9:30`, `9.30`, `21h`, `9am`, `12:15pm`.
fn parse_clock(word: &str) -> Option<Time> {
    let (number, half) = match word {
        word if word.ends_with("am") => (word.strip_suffix("am")?, Some(0)),
        word if word.ends_with("pm") => (word.strip_suffix("pm")?, Some(12)),
        word => (word.strip_suffix('h').unwrap_or(word), None),
    };
    let (hour, minute) = number.split_once([':', '.', 'h']).unwrap_or((number, "0"));
    if !is_digits(hour) || !is_digits(minute) || (number.len() != hour.len() && minute.len() != 2) {
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
