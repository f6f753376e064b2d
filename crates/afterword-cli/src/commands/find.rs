//! `afterword find QUERY [--project PROJECT] [--since TIME] [--only-me] [--limit N]`

use std::io::Write;
use std::process::ExitCode;

use afterword_app::rows::Voice;
use afterword_app::session_search::{
    self, FindRequest, FindResult, FoundLine, FoundSession, SessionSource, SnippetPiece,
};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use serde::Serialize;

use crate::arguments::Find;
use crate::failure::Failure;
use crate::output::{ATTENTION, BOLD, DIM, Output, plain};
use crate::progress::IndexBar;
use crate::wording::{count, parse_since};

/// Lines of each session that are shown.
const LINES: usize = 3;

#[derive(Serialize)]
struct FindView<'a> {
    version: u32,
    query: &'a str,
    /// No line has all the words.
    some_words: bool,
    results: Vec<SessionView<'a>>,
}

#[derive(Serialize)]
struct SessionView<'a> {
    session_id: &'a str,
    project: &'a str,
    title: &'a str,
    first_words: &'a str,
    started: Option<Timestamp>,
    last_activity: Option<Timestamp>,
    place: SessionSource,
    score: f64,
    lines: Vec<LineView<'a>>,
    more_lines: usize,
}

#[derive(Serialize)]
struct LineView<'a> {
    line: u64,
    #[serde(skip_serializing_if = "str::is_empty")]
    subagent: &'a str,
    time: Option<Timestamp>,
    voice: Voice,
    /// It has none of the words, and means something like it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    by_meaning: bool,
    snippet: String,
}

pub(crate) fn run(arguments: &Find, output: &mut Output) -> Result<ExitCode, Failure> {
    if arguments.query.trim().is_empty() {
        return Err(Failure::Usage { argument: "QUERY", problem: "is empty".to_owned() });
    }
    let since = arguments.since.as_deref().map(|text| parse_since(text, &Zoned::now())).transpose()?;
    let app = super::app()?;
    let mut bar = IndexBar::new();
    let indexed = session_search::index_sessions(&app, &mut bar)?;
    bar.clear();
    match &indexed {
        None => output.warning("the agent is indexing sessions just now; what it has so far was searched"),
        Some(indexed) => {
            for problem in &indexed.problems {
                output.warning(&plain(problem));
            }
        }
    }
    let request = FindRequest {
        query: arguments.query.clone(),
        project: arguments.project.clone(),
        only_person: arguments.only_me,
        since,
        limit: arguments.limit,
        lines: LINES,
        is_typing: false,
    };
    let found = session_search::find(&app, &request, Timestamp::now())?;
    if output.json {
        let results = found.sessions.iter().map(view).collect();
        let (query, some_words) = (arguments.query.as_str(), found.has_some_words);
        output.print_json(&FindView { version: 1, query, some_words, results })?;
        return Ok(ExitCode::SUCCESS);
    }
    show(&found, output)?;
    Ok(ExitCode::SUCCESS)
}

fn show(found: &FindResult, output: &mut Output) -> Result<(), Failure> {
    let zone = TimeZone::system();
    if found.has_some_words {
        output.warning("no line has all of these words; these have some of them, or mean something like it");
    }
    for session in &found.sessions {
        let when = session.ended_at.map(|at| at.to_zoned(zone.clone()).strftime("%Y-%m-%d").to_string());
        let title = if session.title.is_empty() { &session.first_words } else { &session.title };
        let project = session.project.rsplit(['/', '\\']).next().unwrap_or_default();
        let place = match session.place {
            SessionSource::Transcript => "",
            SessionSource::Archive => "  (a copy is left)",
            SessionSource::Prompts => "  (only what you typed is left)",
        };
        let out = output.data();
        writeln!(out, "{BOLD}{}{BOLD:#}", plain(if title.is_empty() { "without a title" } else { title }))?;
        let facts = [when.as_deref().unwrap_or_default(), project, &session.session];
        let facts: Vec<_> = facts.into_iter().filter(|fact| !fact.is_empty()).map(plain).collect();
        writeln!(out, "  {DIM}{}{place}{DIM:#}", facts.join("  "))?;
        for line in &session.lines {
            let who =
                if line.sidechain || !line.agent.is_empty() { "sub-agent" } else { speaker(line.voice) };
            let close = if line.by_meaning { "  (close in meaning)" } else { "" };
            writeln!(
                out,
                "  {DIM}{:>6}  {who:<9}{DIM:#}  {}{DIM}{close}{DIM:#}",
                line.line,
                highlight(&line.snippet)
            )?;
        }
        if session.more > 0 {
            writeln!(out, "  {DIM}        and in {}{DIM:#}", count(session.more, "further line"))?;
        }
        writeln!(out)?;
    }
    if found.sessions.is_empty() {
        let _ = writeln!(output.talk(), "nothing found in {}", count(found.files, "transcript"));
    }
    Ok(())
}

fn speaker(voice: Voice) -> &'static str {
    match voice {
        Voice::User => "you",
        Voice::Agent => "Claude",
        Voice::Call => "tool",
        Voice::Trouble => "failed",
        Voice::Client => "",
    }
}

fn highlight(snippet: &[SnippetPiece]) -> String {
    let piece = |piece: &SnippetPiece| match piece.is_match {
        true => format!("{ATTENTION}{}{ATTENTION:#}", plain(&piece.text)),
        // The blank at its end stands before the next word.
        false => {
            let blank = if piece.text.ends_with(' ') { " " } else { "" };
            format!("{}{blank}", plain(&piece.text))
        }
    };
    snippet.iter().map(piece).collect()
}

fn view(session: &FoundSession) -> SessionView<'_> {
    SessionView {
        session_id: &session.session,
        project: &session.project,
        title: &session.title,
        first_words: &session.first_words,
        started: session.started_at,
        last_activity: session.ended_at,
        place: session.place,
        score: session.score,
        lines: session.lines.iter().map(line).collect(),
        more_lines: session.more,
    }
}

fn line(line: &FoundLine) -> LineView<'_> {
    LineView {
        line: line.line,
        subagent: &line.agent,
        time: line.time,
        voice: line.voice,
        by_meaning: line.by_meaning,
        snippet: line.snippet.iter().map(|piece| piece.text.as_str()).collect(),
    }
}
