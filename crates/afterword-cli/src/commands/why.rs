//! `afterword why [SESSION]`

use std::io::Write;
use std::process::ExitCode;

use afterword_app::why;
use afterword_app::why::Explanation;
use serde::Serialize;

use crate::arguments::Why;
use crate::failure::Failure;
use crate::output::{ATTENTION, BOLD, DIM, GOOD, Output, plain};
use crate::wording::local;

#[derive(Serialize)]
struct WhyView<'a> {
    version: u32,
    session_id: &'a str,
    given: Vec<InjectionView<'a>>,
    compared: Vec<ComparedView<'a>>,
}

#[derive(Serialize)]
struct InjectionView<'a> {
    at: String,
    moment: &'a str,
    project: &'a str,
    tokens: u64,
    silence: &'a str,
    lessons: Vec<LessonView<'a>>,
}

#[derive(Serialize)]
struct LessonView<'a> {
    id: &'a str,
    path: &'a str,
    title: &'a str,
    shown: bool,
    reason: &'a str,
}

#[derive(Serialize)]
struct ComparedView<'a> {
    title: &'a str,
    verdict: &'static str,
    note_id: Option<String>,
    note_path: &'a str,
    note_title: &'a str,
    closeness: f64,
    reason: &'a str,
}

pub(crate) fn run(arguments: &Why, output: &mut Output) -> Result<ExitCode, Failure> {
    let why = why::explain(&super::app()?, arguments.session.as_deref())?;
    if output.json {
        output.print_json(&view(&why))?;
        return Ok(ExitCode::SUCCESS);
    }
    let out = output.data();
    writeln!(out, "{BOLD}Session{BOLD:#} {}", plain(why.session.as_str()))?;
    for given in &why.given {
        let project = if given.project.is_empty() { "no known project" } else { &given.project };
        let (at, moment) = (local(given.at, "local"), plain(&given.moment));
        writeln!(
            out,
            "\n{BOLD}{moment}{BOLD:#}  {DIM}{at}  {}  {} tokens{DIM:#}",
            plain(project),
            given.tokens
        )?;
        if !given.silence.is_empty() {
            writeln!(out, "  {ATTENTION}nothing given:{ATTENTION:#} {}", plain(&given.silence))?;
        }
        for lesson in &given.lessons {
            let (mark, style) = if lesson.shown { ("given", GOOD) } else { ("not  ", DIM) };
            let (title, reason) = (plain(&lesson.title), plain(&lesson.reason));
            writeln!(out, "  {style}{mark}{style:#} {title}  {DIM}{reason}{DIM:#}")?;
        }
    }
    if why.given.is_empty() {
        writeln!(out, "\nIt was never asked what this session is to be given: no hook told of its start.")?;
    }
    for one in &why.compared {
        let (verdict, close) = (one.verdict.as_str(), one.closeness);
        writeln!(out, "\n{BOLD}{verdict}{BOLD:#} {}", plain(&one.title))?;
        writeln!(out, "  {}, {close:.2} close: {}", plain(&one.reason), plain(&one.note_title))?;
        writeln!(out, "  {DIM}{}{DIM:#}", plain(&one.note_path))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn view(why: &Explanation) -> WhyView<'_> {
    let given = why.given.iter().map(|given| InjectionView {
        at: given.at.to_string(),
        moment: &given.moment,
        project: &given.project,
        tokens: given.tokens,
        silence: &given.silence,
        lessons: given
            .lessons
            .iter()
            .map(|one| LessonView {
                id: &one.note,
                path: &one.path,
                title: &one.title,
                shown: one.shown,
                reason: &one.reason,
            })
            .collect(),
    });
    let compared = why.compared.iter().map(|one| ComparedView {
        title: &one.title,
        verdict: one.verdict.as_str(),
        note_id: one.note.map(|note| note.to_string()),
        note_path: &one.note_path,
        note_title: &one.note_title,
        closeness: (one.closeness * 10_000.0).round() / 10_000.0,
        reason: &one.reason,
    });
    WhyView {
        version: 1,
        session_id: why.session.as_str(),
        given: given.collect(),
        compared: compared.collect(),
    }
}
