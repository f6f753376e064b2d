//! `afterword review [list | show | approve | edit | reject | archive | skip | supersede | undo | answers | rejections]`

mod edit;
mod show;
mod walk;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use afterword_app::review::{
    Answer, Decision, EditedWords, QueueFilter, RecordedAnswer, Rejection, ReviewItem, UndoReport, Verdict,
};
use afterword_app::{App, Error, review};
use afterword_core::LessonScope;
use jiff::Zoned;
use serde::Serialize;

use crate::arguments::{Review, ReviewEdit, ReviewList};
use crate::failure::{Failure, chain};
use crate::output::{BOLD, DIM, Output, plain};

#[derive(Serialize)]
struct ListView<'a> {
    version: u32,
    items: &'a [ReviewItem],
}

#[derive(Serialize)]
struct DecisionsView<'a> {
    version: u32,
    decisions: Vec<&'a Decision>,
    failures: Vec<FailureView<'a>>,
}

#[derive(Serialize)]
struct ArchivedView<'a> {
    version: u32,
    /// They were put away, not brought back.
    archived: bool,
    /// How many.
    notes: usize,
    failures: Vec<FailureView<'a>>,
}

#[derive(Serialize)]
struct FailureView<'a> {
    note: &'a str,
    message: String,
}

#[derive(Serialize)]
struct UndoneView<'a> {
    version: u32,
    undone: &'a UndoReport,
}

#[derive(Serialize)]
struct AnswersView<'a> {
    version: u32,
    answers: &'a [RecordedAnswer],
}

#[derive(Serialize)]
struct RejectionsView<'a> {
    version: u32,
    rejections: &'a [Rejection],
}

pub(crate) fn run(command: Option<Review>, output: &mut Output) -> Result<ExitCode, Failure> {
    let (app, now) = (super::app()?, Zoned::now());
    let everything = ReviewList { project: None, place: None, limit: None };
    match command {
        None if !output.json && std::io::stdin().is_terminal() && std::io::stderr().is_terminal() => {
            walk::run(&app, output)
        }
        None => list(&app, &everything, &now, output),
        Some(Review::List(arguments)) => list(&app, &arguments, &now, output),
        Some(Review::Show { note }) => show::run(&app, &note, &now, output),
        Some(Review::Approve { notes, both: false }) => all(&app, &notes, &Answer::approve(), &now, output),
        Some(Review::Approve { notes, both: true }) => {
            all(&app, &notes, &Answer::KeepBoth(EditedWords::default()), &now, output)
        }
        Some(Review::Skip { notes }) => all(&app, &notes, &Answer::Skip, &now, output),
        Some(Review::Reject(arguments)) => {
            let scope = if arguments.everywhere { LessonScope::Everywhere } else { LessonScope::Project };
            let answer = Answer::Reject { reason: arguments.reason, scope };
            all(&app, &arguments.notes, &answer, &now, output)
        }
        Some(Review::Archive { notes, back }) => archive(&app, &notes, back, &now, output),
        Some(Review::Edit(arguments)) => {
            let decision = review::edit(&app, &arguments.note, &edited_words(&app, &arguments, &now)?, &now);
            report(&[arguments.note], vec![decision], output)
        }
        Some(Review::Supersede { note, old }) => {
            let decision = review::supersede(&app, &note, &old, &EditedWords::default(), &now);
            report(&[note], vec![decision], output)
        }
        Some(Review::Undo { id }) => undo(&app, id, &now, output),
        Some(Review::Answers { only }) => answers(&app, only, output),
        Some(Review::Rejections) => rejections(&app, output),
    }
}

fn list(app: &App, arguments: &ReviewList, now: &Zoned, output: &mut Output) -> Result<ExitCode, Failure> {
    take_up(app, now, output)?;
    let filter =
        QueueFilter { project: arguments.project.clone(), waits: arguments.place, limit: arguments.limit };
    let items = review::review_queue(app, &filter, now)?;
    if output.json {
        output.print_json(&ListView { version: 1, items: &items })?;
        return Ok(ExitCode::SUCCESS);
    }
    for item in &items {
        show::line(item, output)?;
    }
    if items.is_empty() {
        let _ = writeln!(output.talk(), "nothing waits for an answer");
    }
    Ok(ExitCode::SUCCESS)
}

/// Puts active lessons away, or brings them back; each stands for itself.
fn archive(
    app: &App,
    notes: &[String],
    back: bool,
    now: &Zoned,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    let mut failures = Vec::new();
    for note in notes {
        match review::archive_lesson(app, note, !back, now) {
            Ok(()) if output.json => {}
            Ok(()) => {
                let done = if back { "back" } else { "archived" };
                writeln!(output.data(), "{done}: {}", plain(note))?;
            }
            Err(error) => failures.push(FailureView { note, message: chain(&error) }),
        }
    }
    for failure in &failures {
        output.error(&format!("{}: {}", plain(failure.note), failure.message));
    }
    let is_whole = failures.is_empty();
    if output.json {
        let archived = notes.len() - failures.len();
        output.print_json(&ArchivedView { version: 1, archived: !back, notes: archived, failures })?;
    }
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Carries out what was answered in an editor, so that it is not asked again.
fn take_up(app: &App, now: &Zoned, output: &mut Output) -> Result<(), Failure> {
    let taken = review::take_up_reviews(app, now)?;
    if !output.json {
        for decision in &taken.decisions {
            let _ = writeln!(
                output.talk(),
                "{} in the note: {}",
                decision_word(decision),
                plain(&decision.title)
            );
        }
    }
    for problem in &taken.problems {
        output.warning(&plain(problem));
    }
    Ok(())
}

fn edited_words(app: &App, arguments: &ReviewEdit, now: &Zoned) -> Result<EditedWords, Failure> {
    if arguments.title.is_some() || arguments.body.is_some() {
        return Ok(EditedWords { title: arguments.title.clone(), body: arguments.body.clone() });
    }
    let item = review::review_item(app, &arguments.note, now)?;
    let unchanged = || Failure::Usage {
        argument: "edit",
        problem: "nothing was changed; `review approve` keeps the lesson as it is".to_owned(),
    };
    edit::edit_in_editor(&item)?.ok_or_else(unchanged)
}

fn all(
    app: &App,
    notes: &[String],
    answer: &Answer,
    now: &Zoned,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    let decided = review::answer_all(app, notes, answer, now)?;
    report(notes, decided, output)
}

/// Tells what was decided; what failed ends the command with a failure once the rest is done.
fn report(
    notes: &[String],
    decided: Vec<Result<Decision, Error>>,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    if output.json {
        let failures = notes.iter().zip(&decided).filter_map(|(note, decided)| {
            let error = decided.as_ref().err()?;
            Some(FailureView { note, message: chain(error) })
        });
        let decisions = decided.iter().flatten().collect();
        output.print_json(&DecisionsView { version: 1, decisions, failures: failures.collect() })?;
    }
    let mut code = ExitCode::SUCCESS;
    for decided in decided {
        match decided {
            Ok(decision) if !output.json => print_decision(&decision, output)?,
            Ok(_) => {}
            Err(error) => code = Failure::App(error).report(output),
        }
    }
    Ok(code)
}

fn print_decision(decision: &Decision, output: &mut Output) -> Result<(), Failure> {
    let (done, id) = (decision_word(decision), decision.id);
    let out = output.data();
    writeln!(
        out,
        "{done} ({id}): {BOLD}{}{BOLD:#}  {DIM}{}{DIM:#}",
        plain(&decision.title),
        plain(&decision.path)
    )?;
    Ok(())
}

fn decision_word(decision: &Decision) -> &'static str {
    match decision.verdict {
        Verdict::Approve => "kept",
        Verdict::Edit => "kept in your words",
        Verdict::Reject => "rejected",
        Verdict::Skip => "left for later",
        Verdict::Archive => "archived",
        Verdict::Supersede => "kept in the place of another",
    }
}

fn undo(app: &App, id: Option<i64>, now: &Zoned, output: &mut Output) -> Result<ExitCode, Failure> {
    let undone = review::undo_decision(app, id, now)?;
    if output.json {
        output.print_json(&UndoneView { version: 1, undone: &undone })?;
        return Ok(ExitCode::SUCCESS);
    }
    let path = undone.path.as_deref().unwrap_or("its note is gone");
    let title = plain(&undone.title);
    writeln!(
        output.data(),
        "taken back ({}): {BOLD}{title}{BOLD:#}  {DIM}{}{DIM:#}",
        undone.id,
        plain(path)
    )?;
    if undone.kept_changes {
        let _ = writeln!(output.talk(), "the note was changed since; its text stays as it is");
    }
    Ok(ExitCode::SUCCESS)
}

fn answers(app: &App, only: Option<Verdict>, output: &mut Output) -> Result<ExitCode, Failure> {
    let answers = review::list_answers(app, only)?;
    if output.json {
        output.print_json(&AnswersView { version: 1, answers: &answers })?;
        return Ok(ExitCode::SUCCESS);
    }
    for one in &answers {
        let place = one.superseded.as_deref().map(|old| format!(" in place of {}", plain(old)));
        let reason = if one.reason.is_empty() { String::new() } else { format!(": {}", plain(&one.reason)) };
        writeln!(
            output.data(),
            "{:>5}  {:<9}  {BOLD}{}{BOLD:#}{}{DIM}{reason}{DIM:#}",
            one.id,
            one.verdict.as_str(),
            plain(&one.title),
            place.unwrap_or_default()
        )?;
    }
    if answers.is_empty() {
        let _ = writeln!(output.talk(), "there is no answer that could be taken back");
    }
    Ok(ExitCode::SUCCESS)
}

fn rejections(app: &App, output: &mut Output) -> Result<ExitCode, Failure> {
    let rejections = review::rejections(app)?;
    if output.json {
        output.print_json(&RejectionsView { version: 1, rejections: &rejections })?;
        return Ok(ExitCode::SUCCESS);
    }
    for one in &rejections {
        let id = one.id.map_or("-".to_owned(), |id| id.to_string());
        let place = one.project.as_deref().unwrap_or("everywhere");
        let reason = if one.reason.is_empty() { String::new() } else { format!(": {}", plain(&one.reason)) };
        let out = output.data();
        writeln!(out, "{id:>5}  {BOLD}{}{BOLD:#}  {DIM}{}{DIM:#}{reason}", plain(&one.title), plain(place))?;
    }
    if rejections.is_empty() {
        let _ = writeln!(output.talk(), "no rejection holds");
    }
    Ok(ExitCode::SUCCESS)
}
