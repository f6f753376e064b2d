//! When a person is told something: what belongs together is told together, at most once a minute, never in quiet hours, and
//! never what they turned off.
//!
//! Pure: news goes in, the time is an argument, and what to show comes out. It shows nothing itself. Start at
//! [`Notices::add`].

use std::path::PathBuf;
use std::time::Duration;

use jiff::civil::Time;
use jiff::{Timestamp, Zoned};

/// The shortest time between two notices.
const PAUSE: Duration = Duration::from_secs(60);
/// How long news waits for what comes with it: a session that was reflected and the lessons it put up are one notice.
const GATHERED: Duration = Duration::from_secs(2);
/// Things named in a notice; of more only the number is told.
const NAMED: usize = 3;
/// The longest title or text of one thing, in characters.
const LONGEST: usize = 120;
/// The same of a failure, which may name a path.
const LONGEST_FAILURE: usize = 400;

/// What a notice is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NoticeKind {
    /// Something waits for the person to go on.
    Waiting,
    /// A session could not be reflected.
    Failed,
    /// A task's run failed for good.
    TaskFailed,
    /// A task waits until there is money for it again.
    TaskPostponed,
    /// A task reported something.
    TaskReported,
    /// A task is done for good.
    TaskFinished,
    /// An open session that idles wants the person.
    LeftOpen,
    /// A lesson was given and had to be said again: more can be done for it.
    SaidAgain,
    /// Lessons were put up for review.
    Review,
    /// A session was reflected.
    Completed,
}

/// Something to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct News {
    /// What it is about.
    pub kind: NoticeKind,
    /// The thing it is about, in a few words; may come from a transcript.
    pub what: String,
    /// The window's page that shows it (`review/ID`).
    pub route: String,
    /// How many there are of this kind by now, where that is known; at least this one.
    pub count: usize,
    /// Of what failed, where what went before is written down.
    pub log: Option<PathBuf>,
}

/// A notice to be shown now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Its heading.
    pub title: String,
    /// Its text: plain, without control characters.
    pub body: String,
    /// The page that a click opens: the thing that is named first, among its like.
    pub route: String,
}

/// What a person wants to be told, and when not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NoticeRules {
    /// That a session was reflected and something learned.
    pub completed: bool,
    /// That work failed.
    pub failed: bool,
    /// That lessons wait for review.
    pub review: bool,
    /// That something waits for the person.
    pub waiting: bool,
    /// That a task reported something, or is done.
    pub reported: bool,
    /// That an open session was left with something undone.
    pub left_open: bool,
    /// The hours in which nothing is shown; they may pass midnight.
    pub quiet: Option<QuietHours>,
}

impl NoticeRules {
    fn allows(&self, kind: NoticeKind) -> bool {
        match kind {
            NoticeKind::Waiting => self.waiting,
            NoticeKind::Failed | NoticeKind::TaskFailed | NoticeKind::TaskPostponed => self.failed,
            NoticeKind::TaskReported | NoticeKind::TaskFinished => self.reported,
            NoticeKind::LeftOpen => self.left_open,
            NoticeKind::Review | NoticeKind::SaidAgain => self.review,
            NoticeKind::Completed => self.completed,
        }
    }
}

/// Hours of a day, by the clock on the wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuietHours {
    from: Time,
    until: Time,
}

impl QuietHours {
    /// Reads `22:00-07:00`.
    pub fn parse(text: &str) -> Option<Self> {
        let (from, until) = text.split_once('-')?;
        let time = |text: &str| Time::strptime("%H:%M", text.trim()).ok();
        let hours = Self { from: time(from)?, until: time(until)? };
        (hours.from != hours.until).then_some(hours)
    }

    /// How long they last from this time on; nothing outside them.
    fn remaining(self, time: Time) -> Duration {
        const DAY: i64 = 86_400;
        if !self.covers(time) {
            return Duration::ZERO;
        }
        let seconds = time.duration_until(self.until).as_secs().rem_euclid(DAY);
        Duration::from_secs(seconds.unsigned_abs() + 1)
    }

    fn covers(self, time: Time) -> bool {
        if self.from < self.until {
            (self.from..self.until).contains(&time)
        } else {
            time >= self.from || time < self.until
        }
    }
}

/// News that waits to be told.
#[derive(Debug, Clone, Default)]
pub struct Notices {
    pending: Vec<News>,
    /// When the first of them came.
    since: Option<Timestamp>,
    shown_at: Option<Timestamp>,
}

impl Notices {
    /// Takes news in; what the person turned off is not kept. What has the same page is told once.
    pub fn add(&mut self, news: News, now: &Zoned, rules: &NoticeRules) {
        let is_known = self.pending.iter().any(|known| known.kind == news.kind && known.route == news.route);
        if rules.allows(news.kind) && !is_known {
            if self.pending.is_empty() {
                self.since = Some(now.timestamp());
            }
            self.pending.push(news);
        }
    }

    /// What to show now, if anything: one notice for all that waits.
    pub fn due(&mut self, now: &Zoned, rules: &NoticeRules) -> Option<Notice> {
        if !self.pause(now).is_zero() || rules.quiet.is_some_and(|quiet| quiet.covers(now.time())) {
            return None;
        }
        self.pending.retain(|news| rules.allows(news.kind));
        let mut news = std::mem::take(&mut self.pending);
        news.sort_by_key(|one| one.kind);
        let notice = merge_news(&news)?;
        self.shown_at = Some(now.timestamp());
        Some(notice)
    }

    /// How long until [`Notices::due`] may have something to show; `None` when nothing waits.
    pub fn wait(&self, now: &Zoned, rules: &NoticeRules) -> Option<Duration> {
        if self.pending.is_empty() {
            return None;
        }
        let quiet = rules.quiet.map(|quiet| quiet.remaining(now.time())).unwrap_or_default();
        Some(self.pause(now).max(quiet))
    }

    /// How long it is too soon for a notice, quiet hours aside.
    fn pause(&self, now: &Zoned) -> Duration {
        let left = |at: Option<Timestamp>, pause: Duration| {
            // A time in the future comes from a clock that was set back since: it holds nothing up.
            let since = Duration::try_from(now.timestamp().duration_since(at?)).ok()?;
            pause.checked_sub(since)
        };
        let gathers = left(self.since, GATHERED).unwrap_or_default();
        left(self.shown_at, PAUSE).unwrap_or_default().max(gathers)
    }
}

/// One notice for all of it; the most urgent sort gives the heading, and its first the page.
fn merge_news(news: &[News]) -> Option<Notice> {
    let first = news.first()?;
    let alike: Vec<&News> = news.iter().take_while(|one| one.kind == first.kind).collect();
    let count = alike.iter().map(|one| one.count).fold(alike.len(), usize::max);
    let title = heading(first.kind, count);
    let mut lines: Vec<String> = alike.iter().take(NAMED).map(|one| plain(&one.what, LONGEST)).collect();
    if count > lines.len() {
        lines.push(format!("and {} more", count - lines.len()));
    }
    for others in news[alike.len()..].chunk_by(|one, other| one.kind == other.kind) {
        lines.push(heading(others[0].kind, others.len()));
    }
    if let Some(log) = alike.iter().find_map(|one| one.log.as_ref()) {
        lines.push(plain(&format!("What went before: {}", log.display()), LONGEST_FAILURE));
    }
    Some(Notice { title, body: lines.join("\n"), route: first.route.clone() })
}

/// What failed right after the person asked for it; it is shown at once.
pub fn notice_of_failure(title: &str, message: &str, route: &str) -> Notice {
    Notice { title: title.to_owned(), body: plain(message, LONGEST_FAILURE), route: route.to_owned() }
}

fn heading(kind: NoticeKind, count: usize) -> String {
    match (kind, count) {
        (NoticeKind::Waiting, 1) => "A task waits for your answer".to_owned(),
        (NoticeKind::Waiting, many) => format!("{many} tasks wait for your answers"),
        (NoticeKind::Failed, 1) => "A session could not be reflected".to_owned(),
        (NoticeKind::Failed, many) => format!("{many} sessions could not be reflected"),
        (NoticeKind::TaskFailed, 1) => "A task failed".to_owned(),
        (NoticeKind::TaskFailed, many) => format!("{many} tasks failed"),
        (NoticeKind::TaskPostponed, 1) => "Today's money is spent: a task waits".to_owned(),
        (NoticeKind::TaskPostponed, many) => format!("Today's money is spent: {many} tasks wait"),
        (NoticeKind::TaskReported, 1) => "A task has something to say".to_owned(),
        (NoticeKind::TaskReported, many) => format!("{many} tasks have something to say"),
        (NoticeKind::TaskFinished, 1) => "A task is done".to_owned(),
        (NoticeKind::TaskFinished, many) => format!("{many} tasks are done"),
        (NoticeKind::LeftOpen, 1) => "A session waits with something open".to_owned(),
        (NoticeKind::LeftOpen, many) => format!("{many} sessions wait with something open"),
        (NoticeKind::SaidAgain, 1) => {
            "You said again what your sessions were given: bind it, or export it".to_owned()
        }
        (NoticeKind::SaidAgain, many) => {
            format!("You said {many} lessons again that your sessions were given: bind or export them")
        }
        (NoticeKind::Review, 1) => "A lesson to review".to_owned(),
        (NoticeKind::Review, many) => format!("{many} lessons to review"),
        (NoticeKind::Completed, 1) => "A session was reflected".to_owned(),
        (NoticeKind::Completed, many) => format!("{many} sessions were reflected"),
    }
}

/// A line that no notification server can take for markup (the Desktop Notifications Specification allows some in the body) and
/// that deceives nobody.
fn plain(text: &str, longest: usize) -> String {
    let line = afterword_vault::plain::one_line(text, longest);
    line.replace('&', "＆").replace('<', "‹").replace('>', "›")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    fn news(kind: NoticeKind, number: usize) -> News {
        News { kind, what: format!("thing {number}"), route: format!("page/{number}"), count: 1, log: None }
    }

    fn at(time: &str) -> Zoned {
        format!("2026-03-01T{time}[UTC]").parse().unwrap()
    }

    #[test]
    fn a_click_opens_what_is_named_first() {
        let (mut notices, rules) = (Notices::default(), Config::default().notices);
        notices.add(news(NoticeKind::Review, 1), &at("10:00"), &rules);
        assert_eq!(notices.due(&at("10:00:01"), &rules), None, "it waits for what comes with it");
        let one = notices.due(&at("10:00:02"), &rules).unwrap();
        assert_eq!(
            (one.title.as_str(), one.body.as_str(), one.route.as_str()),
            ("A lesson to review", "thing 1", "page/1")
        );
        (1..=5).for_each(|number| notices.add(news(NoticeKind::Review, number), &at("10:00:30"), &rules));
        notices.add(news(NoticeKind::Completed, 9), &at("10:00:31"), &rules);
        let many = notices.due(&at("10:01:02"), &rules).unwrap();
        assert_eq!(many.title, "5 lessons to review");
        assert_eq!(many.body, "thing 1\nthing 2\nthing 3\nand 2 more\nA session was reflected");
        assert_eq!(many.route, "page/1");
        assert_eq!(notices.due(&at("10:05"), &rules), None);
    }

    #[test]
    fn what_failed_names_the_log_once() {
        let (mut notices, rules) = (Notices::default(), Config::default().notices);
        for number in 1..=2 {
            let failed = News { log: Some("/state/logs".into()), ..news(NoticeKind::Failed, number) };
            notices.add(failed, &at("10:00"), &rules);
        }
        let notice = notices.due(&at("10:01"), &rules).unwrap();
        assert_eq!(notice.body, "thing 1\nthing 2\nWhat went before: /state/logs");
    }

    #[test]
    fn the_lessons_of_one_session_are_told_as_many_as_they_are() {
        let (mut notices, rules) = (Notices::default(), Config::default().notices);
        notices.add(News { count: 3, ..news(NoticeKind::Review, 1) }, &at("10:00"), &rules);
        let notice = notices.due(&at("10:01"), &rules).unwrap();
        assert_eq!(notice.title, "3 lessons to review");
        assert_eq!((notice.body.as_str(), notice.route.as_str()), ("thing 1\nand 2 more", "page/1"));
    }

    #[test]
    fn at_most_one_a_minute_and_nothing_is_lost() {
        let (mut notices, rules) = (Notices::default(), Config::default().notices);
        notices.add(news(NoticeKind::Failed, 1), &at("09:59:58"), &rules);
        assert!(notices.due(&at("10:00:00"), &rules).is_some());
        notices.add(news(NoticeKind::Failed, 2), &at("10:00:10"), &rules);
        notices.add(news(NoticeKind::Waiting, 3), &at("10:00:10"), &rules);
        assert_eq!(notices.due(&at("10:00:59"), &rules), None);
        assert_eq!(notices.wait(&at("10:00:59"), &rules), Some(Duration::from_secs(1)));
        let later = notices.due(&at("10:01:00"), &rules).unwrap();
        assert_eq!((later.title.as_str(), later.route.as_str()), ("A task waits for your answer", "page/3"));
        assert_eq!(later.body, "thing 3\nA session could not be reflected");
        notices.add(news(NoticeKind::Failed, 4), &at("10:01:01"), &rules);
        assert!(notices.due(&at("09:00:00"), &rules).is_some(), "a clock set back holds nothing up");
    }

    #[test]
    fn quiet_hours_pass_midnight_and_end() {
        let rules = NoticeRules { quiet: QuietHours::parse("22:00-07:00"), ..Config::default().notices };
        let mut notices = Notices::default();
        notices.add(news(NoticeKind::Review, 1), &at("21:00"), &rules);
        for quiet in ["22:00", "23:59", "00:00", "06:59"] {
            assert_eq!(notices.due(&at(quiet), &rules), None, "{quiet}");
        }
        assert_eq!(notices.wait(&at("23:00"), &rules), Some(Duration::from_secs(8 * 3600 + 1)));
        assert_eq!(notices.wait(&at("12:00"), &rules), Some(Duration::ZERO));
        assert!(notices.due(&at("07:00"), &rules).is_some());
        let day = QuietHours::parse("12:30-13:00").unwrap();
        assert!(day.covers(Time::constant(12, 45, 0, 0)) && !day.covers(Time::constant(13, 0, 0, 0)));
        for wrong in ["", "22-7", "25:00-07:00", "08:00-08:00", "22:00"] {
            assert_eq!(QuietHours::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_was_turned_off_is_not_told_also_when_it_waited() {
        let all = Config::default().notices;
        let none = NoticeRules { review: false, ..all };
        let mut notices = Notices::default();
        notices.add(news(NoticeKind::Review, 1), &at("09:00"), &none);
        assert_eq!(notices.wait(&at("10:00"), &none), None);
        notices.add(news(NoticeKind::Review, 1), &at("09:00"), &all);
        assert_eq!(notices.due(&at("10:00"), &none), None);
    }

    #[test]
    fn failure_is_shown_without_markup_too() {
        let message = "/notes/<b>mine</b>&lt;\u{1b}[31m\u{202e} is not there any more";
        let notice = notice_of_failure("The vault could not be opened", message, "settings");
        assert!(!notice.body.contains(['<', '>', '&', '\u{1b}', '\u{202e}']), "{}", notice.body);
        assert!(notice.body.ends_with("is not there any more"), "{}", notice.body);
    }

    #[test]
    fn words_of_a_transcript_are_words() {
        let (mut notices, rules) = (Notices::default(), Config::default().notices);
        let what = "<a href=\"x\">click</a>\n\u{1b}[31m&lt;b&gt; \u{202e}".to_owned();
        let news = News { kind: NoticeKind::Review, what, route: "review/1".to_owned(), count: 1, log: None };
        notices.add(news, &at("09:00"), &rules);
        let body = notices.due(&at("10:00"), &rules).unwrap().body;
        assert!(!body.contains(['<', '>', '&', '\n', '\u{1b}', '\u{202e}']), "{body}");
    }
}
