//! Going through the queue on a terminal, one key an answer.

use std::io::{self, Write};
use std::process::ExitCode;

use afterword_app::review::{Decision, EditedWords, QueueFilter, ReviewItem};
use afterword_app::{App, Error, review};
use afterword_core::LessonScope;
use console::{Key, Term};
use jiff::Zoned;

use super::{decision_word, edit, show};
use crate::failure::{Failure, chain};
use crate::output::{BOLD, DIM, Output, plain};

const KEYS: &str =
    "a keep  e edit  r reject  s later  1-3 keep in its place  v what led to it  u undo  q quit";
/// One key more where keeping a lesson ends another.
const KEEP_BOTH: &str = "  b keep both";

/// What a key asks for.
enum Step {
    /// On to the next lesson.
    Next,
    /// The same lesson again.
    Stay,
    /// Back to the lesson that the last answer was about.
    Back,
    Quit,
}

pub(super) fn run(app: &App, output: &mut Output) -> Result<ExitCode, Failure> {
    let term = Term::stderr();
    super::take_up(app, &Zoned::now(), output)?;
    let queue = review::review_queue(app, &QueueFilter::default(), &Zoned::now())?;
    let mut answered: Vec<(usize, i64)> = Vec::new();
    let mut at = 0;
    while let Some(item) = queue.get(at) {
        let talk = output.talk();
        writeln!(talk, "\n{DIM}{} of {}{DIM:#}", at + 1, queue.len())?;
        show::print_item(item, talk)?;
        match answer(app, item, &term, at, &mut answered, output)? {
            Step::Next => at += 1,
            Step::Back => at = answered.pop().map_or(at, |(before, _)| before),
            Step::Stay => {}
            Step::Quit => break,
        }
    }
    let left = queue.len().saturating_sub(at);
    let what =
        if queue.is_empty() { "nothing waits for an answer".to_owned() } else { format!("{left} left") };
    let _ = writeln!(output.talk(), "{what}");
    Ok(ExitCode::SUCCESS)
}

/// Asks until a key makes sense.
fn answer(
    app: &App,
    item: &ReviewItem,
    term: &Term,
    at: usize,
    answered: &mut Vec<(usize, i64)>,
    output: &mut Output,
) -> Result<Step, Failure> {
    loop {
        let keep_both = if item.may_supersede.is_some() { KEEP_BOTH } else { "" };
        writeln!(output.talk(), "\n{DIM}{KEYS}{keep_both}{DIM:#}")?;
        let (note, now) = (item.id.to_string(), Zoned::now());
        let decided = match key(term)? {
            'a' => review::approve(app, &note, &now),
            'b' if item.may_supersede.is_some() => review::keep_both(app, &note, &now),
            's' => review::skip(app, &note, &now),
            'r' => review::reject(app, &note, &reason(term, output)?, LessonScope::Project, &now),
            'e' => match edit::edit_in_editor(item)? {
                Some(words) => review::edit(app, &note, &words, &now),
                None => continue,
            },
            number @ '1'..='9' => {
                let similar = number.to_digit(10).and_then(|number| item.similar.get(number as usize - 1));
                let Some(similar) = similar else { continue };
                review::supersede(app, &note, &similar.id.to_string(), &EditedWords::default(), &now)
            }
            'v' => {
                show::print_item(&review::review_item(app, &note, &now)?, output.talk())?;
                continue;
            }
            'u' => return undo(app, answered, &now, output),
            'q' => return Ok(Step::Quit),
            _ => continue,
        };
        return print_decided(decided, at, answered, output);
    }
}

fn undo(app: &App, answered: &mut [(usize, i64)], now: &Zoned, output: &mut Output) -> Result<Step, Failure> {
    let Some((_, id)) = answered.last() else {
        writeln!(output.talk(), "nothing was answered yet")?;
        return Ok(Step::Stay);
    };
    let undone = review::undo_decision(app, Some(*id), now)?;
    writeln!(output.talk(), "taken back: {BOLD}{}{BOLD:#}", plain(&undone.title))?;
    Ok(Step::Back)
}

fn print_decided(
    decided: Result<Decision, Error>,
    at: usize,
    answered: &mut Vec<(usize, i64)>,
    output: &mut Output,
) -> Result<Step, Failure> {
    match decided {
        Ok(decision) => {
            writeln!(
                output.talk(),
                "{}: {BOLD}{}{BOLD:#}",
                decision_word(&decision),
                plain(&decision.title)
            )?;
            answered.push((at, decision.id));
            Ok(Step::Next)
        }
        // The note was answered or changed elsewhere meanwhile; the rest of the queue still waits.
        Err(error) => {
            output.error(&chain(&error));
            Ok(Step::Next)
        }
    }
}

fn reason(term: &Term, output: &mut Output) -> io::Result<String> {
    write!(output.talk(), "why, in a few words (or nothing): ")?;
    output.talk().flush()?;
    term.read_line()
}

/// The key that was pressed; escape and the end of input quit.
fn key(term: &Term) -> io::Result<char> {
    match term.read_key() {
        Ok(Key::Char(c)) => Ok(c.to_ascii_lowercase()),
        Ok(Key::Escape | Key::CtrlC) => Ok('q'),
        Ok(Key::ArrowRight | Key::Tab) => Ok('s'),
        Ok(_) => Ok('?'),
        Err(error) if matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::Interrupted) => {
            Ok('q')
        }
        Err(error) => Err(error),
    }
}
