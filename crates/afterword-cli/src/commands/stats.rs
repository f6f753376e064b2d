//! `afterword stats [--days N]`

use std::io::Write;
use std::process::ExitCode;

use afterword_app::checks::figures::CheckFigures;
use afterword_app::feedback::RestatedLesson;
use afterword_app::usefulness::{
    self, IdleLesson, InjectionFigures, LessonCounts, RepeatedWishes, Usefulness,
};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use serde::Serialize;

use crate::arguments::Stats;
use crate::failure::Failure;
use crate::output::{ATTENTION, BOLD, DIM, Output, plain};
use crate::wording::count;

/// Lessons shown before the rest is only counted.
const SHOWN: usize = 10;
/// What is said where nothing was written down yet.
const UNKNOWN: &str = "not known yet";

#[derive(Serialize)]
struct StatsView<'a> {
    version: u32,
    #[serde(flatten)]
    useful: &'a Usefulness,
}

pub(crate) fn run(arguments: &Stats, output: &mut Output) -> Result<ExitCode, Failure> {
    let useful = usefulness::usefulness(&super::app()?, arguments.days, &Zoned::now())?;
    if output.json {
        output.print_json(&StatsView { version: 1, useful: &useful })?;
        return Ok(ExitCode::SUCCESS);
    }
    let lines = [
        ("Lessons", lessons(useful.lessons)),
        ("Repeated", repeated_phrase(useful.repeated)),
        ("Checks", checks(&useful.checks)),
        ("Given", given_phrase(useful.given)),
    ];
    for (name, text) in lines {
        writeln!(output.data(), "{BOLD}{name:<11}{BOLD:#} {text}")?;
    }
    for one in &useful.said_again {
        print_restated_lessons(one, output)?;
    }
    let days = count(useful.days as usize, "day");
    let title = format!("Not given for {days}");
    idle(&title, useful.never_given.as_deref(), output)?;
    let title = format!("Given, and of no use for {days}");
    idle(&title, useful.never_used.as_deref(), output)?;
    Ok(ExitCode::SUCCESS)
}

/// A lesson that giving alone does not help, and what else does.
pub(super) fn print_restated_lessons(one: &RestatedLesson, output: &mut Output) -> std::io::Result<()> {
    let sessions = count(usize::try_from(one.sessions).unwrap_or(usize::MAX), "session");
    let out = output.data();
    writeln!(out, "{ATTENTION}Said again{ATTENTION:#}  {}: {sessions} had been given it", plain(&one.title))?;
    for (command, what) in one.offers() {
        writeln!(out, "            {DIM}{command}{DIM:#}: {what}")?;
    }
    Ok(())
}

fn lessons(counts: LessonCounts) -> String {
    let LessonCounts { active, to_review, inbox, expired } = counts;
    let expired = match expired {
        0 => String::new(),
        expired => format!(", {expired} archived because nobody answered"),
    };
    format!("{active} active, {to_review} to review, {inbox} in the inbox{expired}")
}

fn repeated_phrase(repeated: Option<RepeatedWishes>) -> String {
    let Some(RepeatedWishes { wishes, given, not_given, unknown, sessions }) = repeated else {
        return format!("{UNKNOWN}: no session began since the first lesson");
    };
    let sessions = count(usize::try_from(sessions).unwrap_or(usize::MAX), "session");
    let wishes = match wishes {
        0 => return format!("nothing that was known, in {sessions}"),
        1 => "1 wish that was known".to_owned(),
        many => format!("{many} wishes that were known"),
    };
    let unknown = match unknown {
        0 => String::new(),
        unknown => format!(", {unknown} {UNKNOWN}"),
    };
    format!("{wishes}, in {sessions}: {given} had been given in time, {not_given} not{unknown}")
}

fn checks(figures: &CheckFigures) -> String {
    let CheckFigures { binding, held, sessions, lifted, since } = figures;
    let bind = match binding {
        1 => "1 lesson binds".to_owned(),
        many => format!("{many} lessons bind"),
    };
    let Some(since) = since else { return format!("{bind}; whether they hold is {UNKNOWN}") };
    let held = match held {
        1 => "held once".to_owned(),
        many => format!("held {many} times"),
    };
    format!("{bind}; {held} in {}, lifted in {lifted}{}", count(*sessions, "session"), since_day(*since))
}

fn given_phrase(given: Option<InjectionFigures>) -> String {
    let Some(InjectionFigures { sessions, with_nothing, bytes, tokens, since }) = given else {
        return format!("{UNKNOWN}: no session asked; `afterword install claude-code` has them ask");
    };
    let since = since.map(since_day).unwrap_or_default();
    let nothing = match with_nothing {
        0 => String::new(),
        nothing => format!(", nothing to {nothing}"),
    };
    let amount = match bytes {
        _ if sessions == 0 => String::new(),
        Some(bytes) => format!(
            ": {} bytes a session, {} at most (about {} tokens)",
            bytes.average, bytes.most, tokens.average
        ),
        None => format!(
            ": about {} tokens a session, {} at most; bytes are {UNKNOWN}",
            tokens.average, tokens.most
        ),
    };
    format!("to {}{nothing}{amount}{since}", count(sessions, "session"))
}

fn idle(title: &str, lessons: Option<&[IdleLesson]>, output: &mut Output) -> Result<(), Failure> {
    let out = output.data();
    let Some(lessons) = lessons else {
        writeln!(out, "{BOLD}{title}:{BOLD:#} {UNKNOWN}")?;
        return Ok(());
    };
    writeln!(out, "{BOLD}{title}:{BOLD:#} {}", count(lessons.len(), "lesson"))?;
    for lesson in lessons.iter().take(SHOWN) {
        let last = match lesson.last_given {
            Some(at) => format!("last given {}", day(at)),
            None => "never given".to_owned(),
        };
        writeln!(out, "  {}  {DIM}{last}  {}{DIM:#}", plain(&lesson.title), plain(&lesson.path))?;
    }
    if let Some(more) = lessons.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        writeln!(out, "  {DIM}and {more} more{DIM:#}")?;
    }
    if !lessons.is_empty() {
        let ids: Vec<String> = lessons.iter().take(SHOWN).map(|lesson| lesson.id.to_string()).collect();
        output.hint(&format!("put them away with `afterword review archive {}`", ids.join(" ")));
    }
    Ok(())
}

fn since_day(at: Timestamp) -> String {
    format!(", since {}", day(at))
}

fn day(at: Timestamp) -> String {
    at.to_zoned(TimeZone::system()).date().to_string()
}
