//! Plain words and the schedules they stand for.

use proptest::prelude::*;

use super::*;

/// A Thursday, 11:20 in Berlin.
const NOW: &str = "2026-03-05T10:20:00Z";

fn read(words: &str) -> Result<Schedule, InvalidWords> {
    parse(words, "Europe/Berlin", NOW.parse().unwrap())
}

#[test]
fn what_repeats() {
    let check = |words: &str, expected: &str| match read(words) {
        Ok(Schedule::Cron { cron_expression, time_zone }) => {
            assert_eq!(cron_expression, expected, "{words}");
            assert_eq!(time_zone, "Europe/Berlin", "{words}");
        }
        other => panic!("{words}: {other:?}"),
    };
    check("every weekday at 9", "0 9 * * 1-5");
    check("Every weekday at 9:00.", "0 9 * * 1-5");
    check("weekdays at 8.30", "30 8 * * 1-5");
    check("every 2 hours", "0 */2 * * *");
    check("every hour", "0 * * * *");
    check("hourly", "0 * * * *");
    check("every minute", "* * * * *");
    check("every 15 minutes", "*/15 * * * *");
    check("every quarter hour", "*/15 * * * *");
    check("every half an hour", "*/30 * * * *");
    check("every half hour on weekdays", "*/30 * * * 1-5");
    check("every 15 minutes between 9 and 17 on weekdays", "*/15 9-16 * * 1-5 | 0 17 * * 1-5");
    check("every 10 minutes from 22 to 23", "*/10 22 * * * | 0 23 * * *");
    check("every 2 hours from 8am to 6pm", "0 8-18/2 * * *");
    check("every monday and thursday 08:30", "30 8 * * 1,4");
    check("every mon, wed and fri at 7 pm", "0 19 * * 1,3,5");
    check("mondays at noon", "0 12 * * 1");
    check("every day at 7", "0 7 * * *");
    check("daily at 9 and 17", "0 9,17 * * *");
    check("every weekday at 9 and 17:30", "0 9 * * 1-5 | 30 17 * * 1-5");
    check("daily at 17:30, 9 and 18", "0 9,18 * * * | 30 17 * * *");
    check("every monday at 9:15 and at 9:45", "15 9 * * 1 | 45 9 * * 1");
    check("0 9 * * 1-5 | 30 17 * * 1-5", "0 9 * * 1-5 | 30 17 * * 1-5");
    check("every morning", "0 9 * * *");
    check("every evening", "0 18 * * *");
    check("every sunday night", "0 22 * * 0");
    check("every weekend at 10", "0 10 * * 0,6");
    check("weekly", "0 9 * * 1");
    check("weekly on friday at 16:00", "0 16 * * 5");
    check("once a day", "0 9 * * *");
    check("once a week on tuesday", "0 9 * * 2");
    check("every month", "0 9 1 * *");
    check("every month on the 15th at 8", "0 8 15 * *");
    check("on the 1st and 15th of every month at 10:30", "30 10 1,15 * *");
    check("every 1st at midnight", "0 0 1 * *");
    check("0 9 * * 1-5", "0 9 * * 1-5");
    check("*/5 8-18 * * MON-FRI", "*/5 8-18 * * MON-FRI");
    check("@daily", "@daily");
}

/// The next times by the clock of Berlin.
fn next_times(words: &str, most: usize) -> Vec<String> {
    let now: Timestamp = NOW.parse().unwrap();
    let schedule = read(words).unwrap_or_else(|problem| panic!("{words}: {problem}"));
    let times = schedule.preview(now, most).unwrap();
    let zone = find_time_zone("Europe/Berlin").unwrap();
    let shown = |at: &Timestamp| at.to_zoned(zone.clone()).strftime("%a %Y-%m-%d %H:%M").to_string();
    times.iter().map(shown).collect()
}

#[test]
fn every_so_many_days_weeks_and_months() {
    let check = |words: &str, expected: &[&str]| {
        assert_eq!(next_times(words, expected.len()), expected, "{words}");
    };
    check("every 2 days", &["Fri 2026-03-06 09:00", "Sun 2026-03-08 09:00", "Tue 2026-03-10 09:00"]);
    check("every other day at 18", &["Thu 2026-03-05 18:00", "Sat 2026-03-07 18:00"]);
    check("every second day at noon", &["Thu 2026-03-05 12:00", "Sat 2026-03-07 12:00"]);
    check(
        "every three days at 9 and 17:30",
        &["Thu 2026-03-05 17:30", "Sun 2026-03-08 09:00", "Sun 2026-03-08 17:30", "Wed 2026-03-11 09:00"],
    );
    check("every 10th day at 7", &["Fri 2026-03-06 07:00", "Mon 2026-03-16 07:00"]);
    check("every 2 weeks", &["Mon 2026-03-09 09:00", "Mon 2026-03-23 09:00", "Mon 2026-04-06 09:00"]);
    check("fortnightly on friday at 16:00", &["Fri 2026-03-06 16:00", "Fri 2026-03-20 16:00"]);
    check("every other friday at 16:00", &["Fri 2026-03-06 16:00", "Fri 2026-03-20 16:00"]);
    check("mondays every 2 weeks", &["Mon 2026-03-09 09:00", "Mon 2026-03-23 09:00"]);
    // The week counts from Monday: after this week's Friday comes the Tuesday of the week after next.
    check(
        "every 2 weeks on tuesday and friday at 8",
        &["Fri 2026-03-06 08:00", "Tue 2026-03-17 08:00", "Fri 2026-03-20 08:00", "Tue 2026-03-31 08:00"],
    );
    check(
        "every other weekend at 10",
        &["Sat 2026-03-07 10:00", "Sun 2026-03-08 10:00", "Sat 2026-03-21 10:00"],
    );
    check("every 3 months", &["Wed 2026-04-01 09:00", "Wed 2026-07-01 09:00", "Thu 2026-10-01 09:00"]);
    check(
        "every other month on the 31st at 8",
        &["Tue 2026-03-31 08:00", "Sun 2026-05-31 08:00", "Fri 2026-07-31 08:00"],
    );
    check("every 2 days starting monday at 9", &["Mon 2026-03-09 09:00", "Wed 2026-03-11 09:00"]);
    check("every day starting on 1 april", &["Wed 2026-04-01 09:00", "Thu 2026-04-02 09:00"]);
    check("every 2 weeks starting 2026-03-11", &["Wed 2026-03-11 09:00", "Wed 2026-03-25 09:00"]);
    check("every weekday at 9 starting tomorrow", &["Fri 2026-03-06 09:00", "Mon 2026-03-09 09:00"]);
    // A rhythm that began in the past goes on in it.
    check("every 2 weeks starting 2026-01-05", &["Mon 2026-03-16 09:00", "Mon 2026-03-30 09:00"]);
    check("every 2 days starting today at 9", &["Sat 2026-03-07 09:00", "Mon 2026-03-09 09:00"]);
    // 29 February, and half past two on the day whose clock jumps over it.
    check("every 12 months starting 29 february 2028", &["Tue 2028-02-29 09:00", "Sun 2032-02-29 09:00"]);
    check(
        "every 2 days starting 2026-03-27 at 2:30",
        &["Fri 2026-03-27 02:30", "Sun 2026-03-29 03:00", "Tue 2026-03-31 02:30"],
    );
}

#[test]
fn every_so_many_minutes_that_no_hour_or_day_is_made_of() {
    let check = |words: &str, expected: &[&str]| {
        assert_eq!(next_times(words, expected.len()), expected, "{words}");
    };
    check("every 90 minutes", &["Thu 2026-03-05 12:50", "Thu 2026-03-05 14:20"]);
    check("every 7 minutes", &["Thu 2026-03-05 11:27", "Thu 2026-03-05 11:34"]);
    check("every 36 hours", &["Fri 2026-03-06 23:20", "Sun 2026-03-08 11:20"]);
    // Real time: the clock jumps, and an hour more is shown.
    let over_the_change = next_times("every 144 hours", 5).pop();
    assert_eq!(over_the_change.as_deref(), Some("Sat 2026-04-04 12:20"));
}

#[test]
fn intervals_are_told_in_words() {
    let check = |words: &str, expected: &str| {
        assert_eq!(read(words).unwrap().describe(&find_time_zone("Europe/Berlin").unwrap()), expected);
    };
    check("every other day at 9", "every 2 days at 09:00, counted from Friday, 6 March 2026 (Europe/Berlin)");
    check(
        "every 2 weeks on sunday, monday and friday at 9 and 17:30",
        "every 2 weeks on Monday, Friday and Sunday at 09:00 and 17:30, counted from Friday, 6 March 2026 (Europe/Berlin)",
    );
    check(
        "every 3 months on the 1st and 15th",
        "every 3 months on day 1 and 15 at 09:00, counted from Sunday, 15 March 2026 (Europe/Berlin)",
    );
    check(
        "every 90 minutes",
        "every 90 minutes, counted from Thursday, 5 March 2026 at 11:20 (Europe/Berlin)",
    );
    check("every 36 hours", "every 36 hours, counted from Thursday, 5 March 2026 at 11:20 (Europe/Berlin)");
}

#[test]
fn what_happens_once() {
    let check = |words: &str, expected: &str| match read(words) {
        Ok(Schedule::Once { run_at }) => assert_eq!(run_at.to_string(), expected, "{words}"),
        other => panic!("{words}: {other:?}"),
    };
    check("tomorrow at 15:00", "2026-03-06T14:00:00Z");
    check("tomorrow", "2026-03-06T08:00:00Z");
    check("tomorrow morning", "2026-03-06T08:00:00Z");
    check("tomorrow in the evening", "2026-03-06T17:00:00Z");
    check("tonight", "2026-03-05T19:00:00Z");
    check("today at 3pm", "2026-03-05T14:00:00Z");
    check("at 15:00", "2026-03-05T14:00:00Z");
    check("at 9", "2026-03-06T08:00:00Z");
    check("at noon", "2026-03-05T11:00:00Z");
    check("in 2 hours", "2026-03-05T12:20:00Z");
    check("in an hour", "2026-03-05T11:20:00Z");
    check("in 3 days at 8:15", "2026-03-08T07:15:00Z");
    check("in a month", "2026-04-05T09:20:00Z");
    check("on friday at 10", "2026-03-06T09:00:00Z");
    check("next thursday", "2026-03-12T08:00:00Z");
    check("2026-04-01 at 10:00", "2026-04-01T08:00:00Z");
    check("on 3 april at 9am", "2026-04-03T07:00:00Z");
    check("march 1st", "2027-03-01T08:00:00Z");
    check("1 January 2027 at 14:30", "2027-01-01T13:30:00Z");
    check("January 1, 2027 at 14:30", "2027-01-01T13:30:00Z");
    check("on the 1st of january 2028", "2028-01-01T08:00:00Z");
    check("on the 3rd of april at 9", "2026-04-03T07:00:00Z");
    check("in half an hour", "2026-03-05T10:50:00Z");
    check("in half a day", "2026-03-05T22:20:00Z");
    check("2027-01-01T14:30:00.000Z", "2027-01-01T14:30:00Z");
    check("2026-04-01T10:00:00Z", "2026-04-01T10:00:00Z");
    check("2027-01-01T14:30", "2027-01-01T13:30:00Z");
    check("2027-01-01t14:30:15", "2027-01-01T13:30:15Z");
    check("2027-01-01 14:30", "2027-01-01T13:30:00Z");
    check("2027-01-01 14:30:15", "2027-01-01T13:30:15Z");
    check("2027-01-01T14:30+05:30", "2027-01-01T09:00:00Z");
    check("2027-01-01T14:30[America/New_York]", "2027-01-01T19:30:00Z");
    check("on 2027-01-01T14:30", "2027-01-01T13:30:00Z");
    check("at 2027-01-01T14:30 in America/New_York", "2027-01-01T19:30:00Z");
    check("20270101T1430", "2027-01-01T13:30:00Z");
    check("20270101", "2027-01-01T08:00:00Z");
    check("tomorrow at 9 in America/New_York", "2026-03-06T14:00:00Z");
    check("tomorrow at 9 utc", "2026-03-06T09:00:00Z");
    // The clocks go from 2:00 to 3:00: half past two is half past three.
    check("2026-03-29 at 2:30", "2026-03-29T01:30:00Z");
}

#[test]
fn at_once() {
    for words in ["now", "right now", "immediately", "at once"] {
        assert_eq!(read(words), Ok(Schedule::Immediate), "{words}");
    }
}

#[test]
fn german_words_mean_what_the_english_ones_do() {
    let check = |german: &str, english: &str| {
        let meant = read(english).unwrap_or_else(|problem| panic!("{english}: {problem}"));
        assert_eq!(read(german), Ok(meant), "{german}");
    };
    check("jeden Werktag um 9 und 17:30", "every weekday at 9 and 17:30");
    check("werktags um 8.30 Uhr", "weekdays at 8.30");
    check("täglich um 7", "daily at 7");
    check("alle 2 Stunden", "every 2 hours");
    check("alle zwei Stunden von 8 bis 18 Uhr", "every 2 hours from 8 to 18");
    check("alle 15 Minuten zwischen 9 und 17 Uhr", "every 15 minutes between 9 and 17");
    check("jede halbe Stunde", "every half hour");
    check("jede Viertelstunde", "every quarter hour");
    check("jeden Montag und Donnerstag um 9 Uhr 15", "every monday and thursday at 9:15");
    check("montags um 12 Uhr", "mondays at 12");
    check("jeden Morgen", "every morning");
    check("jeden zweiten Tag um 9", "every other day at 9");
    check("jeden 2. Tag", "every 2 days");
    check("alle drei Tage um 8:15", "every 3 days at 8:15");
    check("alle 2 Wochen am Montag um 9", "every 2 weeks on monday at 9");
    check("jeden zweiten Freitag um 16 Uhr", "every other friday at 16");
    check("alle zwei Tage ab Montag", "every 2 days starting monday");
    check("alle 2 Wochen ab 1. April um 9", "every 2 weeks starting 1 april at 9");
    check("alle 90 Minuten", "every 90 minutes");
    check("jeden Tag um Mitternacht", "every day at midnight");
    check("jeden Monat um 8 Uhr", "every month at 8");
    check("jeden Monat am 15. um 8", "every month on the 15th at 8");
    check("am 1. und 15. jeden Monat um 10:30", "on the 1st and 15th of every month at 10:30");
    check("jeden Tag um 9 und 17.", "every day at 9 and 17");
    check("morgen um 15 Uhr", "tomorrow at 15:00");
    check("morgen früh", "tomorrow morning");
    check("heute Abend", "today in the evening");
    check("um 9", "at 9");
    check("in einer halben Stunde", "in half an hour");
    check("in einer Viertelstunde", "in 15 minutes");
    check("in 3 Tagen um 8:15", "in 3 days at 8:15");
    check("in zwei Wochen", "in 2 weeks");
    check("am Freitag um 10 Uhr", "on friday at 10");
    check("nächsten Donnerstag", "next thursday");
    check("am 1. Januar 2027 um 14:30", "1 January 2027 at 14:30");
    check("am 3. April um 9 Uhr", "on 3 april at 9");
    check("um 9 Uhr, 3. April", "on 3 april at 9");
    check("morgen um 9 Uhr in America/New_York", "tomorrow at 9 in America/New_York");
    check("sofort", "now");
    check("jedes Wochenende um 10", "every weekend at 10");
    check("jeden Tag mittags", "every day at noon");
    check("jeden Tag nachmittags", "every day in the afternoon");
    for (german, english) in [
        ("Montag", "monday"),
        ("Dienstag", "tuesday"),
        ("Mittwoch", "wednesday"),
        ("Donnerstag", "thursday"),
        ("Freitag", "friday"),
        ("Samstag", "saturday"),
        ("Sonnabend", "saturday"),
        ("Sonntag", "sunday"),
    ] {
        check(&format!("jeden {german} um 9"), &format!("every {english} at 9"));
        check(&format!("{german}s um 9"), &format!("{english}s at 9"));
    }
    for (german, english) in [
        ("Januar", "january"),
        ("Februar", "february"),
        ("März", "march"),
        ("April", "april"),
        ("Mai", "may"),
        ("Juni", "june"),
        ("Juli", "july"),
        ("August", "august"),
        ("September", "september"),
        ("Oktober", "october"),
        ("November", "november"),
        ("Dezember", "december"),
    ] {
        check(&format!("am 3. {german} um 9"), &format!("on 3 {english} at 9"));
    }
    for (words, named) in [
        ("jeden Vollmond um 9", "`jeden`"),
        ("um halb neun", "`um`"),
        ("jeden dritten Montag", "every 3 weeks on monday"),
        ("alle 7 Minuten zwischen 9 und 17 Uhr", "take one of 1, 2, 3"),
        ("jeden Tag um 25 Uhr", "`25`"),
        ("jeden Tag um Viertel nach 9", "`jeden`"),
    ] {
        let problem = read(words).expect_err(words).to_string();
        assert!(problem.contains(named), "{words}: {problem}");
    }
    check("on april 3 at 9 am", "on 3 april at 9am");
}

#[test]
fn what_is_not_understood_is_not_guessed() {
    let check = |words: &str, expected: &str| {
        let problem = read(words).expect_err(words).to_string();
        assert!(problem.contains(expected), "{words}: {problem}");
    };
    check("", "nothing was said");
    check("soonish", "`soonish` is not understood");
    check("every full moon", "`full`");
    check("every 7 minutes on weekdays", "take one of 1, 2, 3, 4, 5, 6, 10");
    check("every 5 hours from 8 to 18", "take one of 1, 2, 3, 4, 6, 8, 12");
    check("every other weekday", "two ways");
    check("every third monday", "say \"every 3 weeks on monday\"");
    check("every second monday of the month", "`month`");
    check("every other", "`other`");
    check("every second", "`second`");
    check("every 0 days", "1 to 1000");
    check("every 1001 days", "1 to 1000");
    check("every 0 minutes", "1 minute to 1000 days");
    check("every 4000000000 hours", "1 minute to 1000 days");
    check("every 2 days on monday", "days of the week go with every so many weeks");
    check("every 2 weeks on the 15th", "days of the month with every so many months");
    check("every 2 months on friday", "days of the month with every so many months");
    check("every 2 weeks on monday and on the 3rd", "do not go together");
    check("every monday and every other tuesday", "\"every other\" goes with");
    check("every other tuesday and mondays", "say \"every\" once");
    check("every 2 days and every friday", "say \"every\" once");
    check("every 2 days between 9 and 17", "\"between\" goes with");
    check("every 2 days tomorrow", "do not go together");
    check("every 2 hours starting monday", "goes with days, weeks and months");
    check("starting monday", "goes with \"every\"");
    check("every day starting soon", "`soon`");
    check("every day starting at 9", "`at`");
    check("every day starting 30 february 2027", "no such date");
    check("every 2 days starting monday starting friday", "one date is enough");
    check("every day at 25:00", "`25:00`");
    check("every day at 13pm", "`13pm`");
    check("every day at 9:5", "`9:5`");
    check("every hour at 9 and 17:30", "does not go with");
    check("0 9 * * 1-5 | 30 17 * *", "not understood");
    check("now every day", "goes with nothing else");
    check("today at 9", "that time is past");
    check("2020-01-01", "past");
    check("2020-01-01T10:00:00Z", "past");
    check("2020-01-01T10:00", "past");
    check("2027-01-01T14:30 at 9", "goes with nothing else");
    check("2027-01-01T14:30Z in Europe/Berlin", "goes with nothing else");
    check("2027-01-01T14:30 every day", "goes with nothing else");
    check("2027-01-01[Europe/Berlin]", "not understood");
    check("2027-01-01[Atlantic/Faroe]", "not understood");
    check("2027-01-01T25:00", "not understood");
    check("2027-01-01T14:30:60Z", "not understood");
    check("2026-12-31T23:59:60Z", "not understood");
    check("2026-12-31 23:59:60", "not understood");
    check("20261231T235960", "not understood");
    check("2026-12-31T23:59:60+00:00[UTC]", "not understood");
    check("2027-01-01T14:30:15.5Z", "not understood");
    check("2027-01-01T14:30:15.000001", "not understood");
    check("30 february 2027", "no such date");
    check("1 january 2020", "past");
    check("in half a month", "`half` is not understood");
    check("2027-01-01T14:30+02:00[America/New_York]", "not understood");
    check("2027-W01-5", "not understood");
    check("tomorrow every day", "do not go together");
    check("now on monday", "\"now\" goes with nothing else");
    check("now at 9", "\"now\" goes with nothing else");
    check("every hour at 9", "does not go with");
    check("every monday on the 3rd", "do not go together");
    check("every day at 9 in Mars/Olympus", "no time zone");
    check("in 99999999999 days", "not understood");
    check("in 4000000000 days", "too far");
    check("at 9 at 10", "go with \"every\"");
    check("every", "what is not said");
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(words in "\\PC{0,80}") {
        let _ = read(&words);
    }

    #[test]
    fn any_words_are_read_or_refused(words in proptest::collection::vec(prop_oneof![
        Just("every"), Just("at"), Just("on"), Just("in"), Just("the"), Just("and"), Just("between"), Just("9"),
        Just("17:30"), Just("1st"), Just("31"), Just("monday"), Just("mondays"), Just("weekday"), Just("hours"), Just("month"),
        Just("february"), Just("tomorrow"), Just("utc"), Just("next"), Just("once"), Just("a"), Just("half"), Just("pm"),
        Just("other"), Just("starting"), Just("2"), Just("days"), Just("weeks"), Just("third"),
    ], 0..8)) {
        if let Ok(schedule) = read(&words.join(" ")) {
            let first = schedule.first_run(NOW.parse().unwrap()).unwrap();
            prop_assert!(first.is_some(), "{words:?}");
        }
    }
}

/// How a date with its time is written down, each with the instant that it means; the zone without one named is Berlin's.
fn written_forms(at: DateTime) -> Vec<(String, Option<Timestamp>)> {
    let zoned = |name: &str| Some(at.in_tz(name).unwrap().timestamp());
    let offset = |hours: i8| Some(jiff::tz::offset(hours).to_timestamp(at).unwrap());
    let minute = at.strftime("%Y-%m-%dT%H:%M").to_string();
    let second = at.strftime("%Y-%m-%dT%H:%M:%S").to_string();
    let whole_minute = at.with().second(0).build().unwrap();
    let of_minute = |name: &str| Some(whole_minute.in_tz(name).unwrap().timestamp());
    vec![
        (second.clone(), zoned("Europe/Berlin")),
        (second.replace('T', " "), zoned("Europe/Berlin")),
        (minute.clone(), of_minute("Europe/Berlin")),
        (minute.replace('T', " "), of_minute("Europe/Berlin")),
        (minute.replace('T', " at "), of_minute("Europe/Berlin")),
        (format!("on {minute}"), of_minute("Europe/Berlin")),
        (format!("{minute} in Asia/Tokyo"), of_minute("Asia/Tokyo")),
        (at.strftime("%Y%m%dT%H%M%S").to_string(), zoned("Europe/Berlin")),
        (format!("{second}Z"), offset(0)),
        (format!("{second}+00:00"), offset(0)),
        (format!("{second}-05:00"), offset(-5)),
        (format!("{second}+0300"), offset(3)),
        (format!("{minute}+09"), Some(jiff::tz::offset(9).to_timestamp(whole_minute).unwrap())),
        (format!("{second}[Asia/Tokyo]"), zoned("Asia/Tokyo")),
        (format!("{second}+09:00[Asia/Tokyo]"), zoned("Asia/Tokyo")),
        (format!("{second}.000Z"), offset(0)),
        (at.strftime("%-d %B %Y at %H:%M").to_string(), of_minute("Europe/Berlin")),
        // No such forms, or such that say two things, or more than a schedule can keep.
        (format!("{minute}:60"), None),
        (format!("{minute}:60Z"), None),
        (format!("{minute}:60+02:00"), None),
        (at.strftime("%Y%m%dT%H%M60").to_string(), None),
        (format!("{second}.25Z"), None),
        (format!("{second}+08:00[Asia/Tokyo]"), None),
        (format!("{second}Q"), None),
        (format!("{second} +08:00"), None),
        (format!("{minute} at 9"), None),
        (format!("{minute}:61"), None),
        (at.strftime("%Y-%m-%dT%H:%M pm").to_string(), None),
        (at.strftime("%m/%d/%Y %H:%M").to_string(), None),
        (at.strftime("%d.%m.%Y %H:%M").to_string(), None),
        (at.strftime("%Y-%jT%H:%M").to_string(), None),
        (at.strftime("%G-W%V-%uT%H:%M").to_string(), None),
    ]
}

const IN_GERMAN: [&str; 12] = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];
const DAYS: [(&str, &str); 7] = [
    ("sunday", "Sonntag"),
    ("monday", "Montag"),
    ("tuesday", "Dienstag"),
    ("wednesday", "Mittwoch"),
    ("thursday", "Donnerstag"),
    ("friday", "Freitag"),
    ("saturday", "Samstag"),
];

proptest! {
    /// Every time that is named on every day that is named, and none besides, in either language.
    #[test]
    fn several_times_a_day_are_those_that_were_said(
        times in proptest::collection::btree_set((0i8..24, 0i8..60), 1..5),
        days in proptest::sample::subsequence((0..7).collect::<Vec<usize>>(), 1..7),
    ) {
        let said = times.iter().map(|(hour, minute)| format!("{hour}:{minute:02}")).collect::<Vec<_>>();
        let named = |language: fn(usize) -> &'static str, and: &str| {
            days.iter().map(|day| language(*day)).collect::<Vec<_>>().join(and)
        };
        let english = format!("every {} at {}", named(|day| DAYS[day].0, " and "), said.join(" and "));
        let german = format!("jeden {} um {} Uhr", named(|day| DAYS[day].1, " und "), said.join(" und "));
        let now: Timestamp = NOW.parse().unwrap();
        let schedule = parse(&english, "UTC", now).unwrap();
        prop_assert_eq!(&parse(&german, "UTC", now).unwrap(), &schedule, "{}", german);
        let first = now.to_zoned(TimeZone::UTC).date().tomorrow().unwrap();
        let mut expected = Vec::new();
        for day in 0..7 {
            let date = first.checked_add(Span::new().days(day)).unwrap();
            if days.contains(&usize::try_from(date.weekday().to_sunday_zero_offset()).unwrap()) {
                let due = times.iter().map(|(hour, minute)| date.at(*hour, *minute, 0, 0).in_tz("UTC").unwrap().timestamp());
                expected.extend(due);
            }
        }
        let mut at = first.at(0, 0, 0, 0).in_tz("UTC").unwrap().timestamp() - jiff::SignedDuration::from_secs(1);
        let mut due = Vec::new();
        for _ in 0..expected.len() {
            at = schedule.next_after(at).unwrap().unwrap();
            due.push(at);
        }
        prop_assert_eq!(due, expected, "{}", english);
    }

    #[test]
    fn date_in_german_is_exact(day in 0i32..3000, hour in 0i8..24, minute in 0i8..60) {
        let date = jiff::civil::date(2026, 3, 7).checked_add(Span::new().days(day)).unwrap();
        let at = date.at(hour, minute, 0, 0);
        let month = IN_GERMAN[usize::try_from(date.month() - 1).unwrap()];
        let run_at = at.in_tz("Europe/Berlin").unwrap().timestamp();
        for text in [
            format!("am {}. {month} {} um {hour}:{minute:02}", date.day(), date.year()),
            format!("am {}. {month} {} um {hour} Uhr {minute}", date.day(), date.year()),
        ] {
            prop_assert_eq!(read(&text), Ok(Schedule::Once { run_at }), "{}", text);
        }
    }

    #[test]
    fn date_with_its_time_is_exact_or_refused(
        day in 0i32..3000, hour in 0i8..24, minute in 0i8..60, second in 0i8..60,
    ) {
        let first = jiff::civil::date(2026, 3, 7);
        let date = first.checked_add(Span::new().days(day)).unwrap();
        let at = date.at(hour, minute, second, 0);
        for (text, expected) in written_forms(at) {
            let run_at = match read(&text) {
                Ok(Schedule::Once { run_at }) => Some(run_at),
                Ok(other) => panic!("{text}: {other:?}"),
                Err(_) => None,
            };
            prop_assert_eq!(run_at, expected, "{}", text);
        }
    }
}
