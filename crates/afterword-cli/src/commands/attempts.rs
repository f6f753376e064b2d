//! `afterword attempts list | search TASK | summary | prompt TASK | store TASK`, `afterword summary`

use std::io::Write;
use std::process::ExitCode;

use afterword_app::attempts::{
    Attempt, AttemptHit, AttemptHits, AttemptOutcome, AttemptQuery, AttemptSummary, NewAttempt, Pattern,
    prompt,
};
use afterword_app::searching::SearchMode;
use afterword_app::{App, attempts, current_session, environment_of_process};
use afterword_core::{ProjectKey, SessionId};
use jiff::Zoned;
use serde::Serialize;

use crate::arguments::{AttemptSelection, Attempts, StoreAttempt, SummarySelection};
use crate::failure::Failure;
use crate::output::{ATTENTION, BAD, BOLD, DIM, GOOD, Output, plain};
use crate::wording::local;

#[derive(Serialize)]
struct ListView<'a> {
    version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<SearchMode>,
    attempts: Vec<AttemptView<'a>>,
}

#[derive(Serialize)]
struct AttemptView<'a> {
    id: &'a str,
    session_id: &'a str,
    project: &'a str,
    created_at: String,
    task: &'a str,
    number: u32,
    outcome: AttemptOutcome,
    worked: &'a [String],
    did_not_work: &'a [String],
    next_strategy: &'a str,
    tags: &'a [String],
    related: &'a [String],
    source: &'a str,
    because: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
}

#[derive(Serialize)]
struct SummaryView<'a> {
    version: u32,
    total: u64,
    success_rate: f64,
    common_failures: Vec<PatternView<'a>>,
    effective_strategies: Vec<PatternView<'a>>,
    recent: Vec<AttemptView<'a>>,
}

#[derive(Serialize)]
struct PatternView<'a> {
    text: &'a str,
    count: usize,
}

pub(crate) fn run(command: Attempts, output: &mut Output) -> Result<ExitCode, Failure> {
    match command {
        Attempts::List(wanted) => find(None, &wanted, output),
        Attempts::Search { task, .. } if task.trim().is_empty() => {
            Err(Failure::Usage { argument: "TASK", problem: "is empty".to_owned() })
        }
        Attempts::Search { task, wanted } => find(Some(task), &wanted, output),
        Attempts::Summary(of) => summary(&of, output),
        Attempts::Prompt { task, project } => print_prompt(task, project, output),
        Attempts::Store(arguments) => store(arguments, output),
    }
}

fn find(task: Option<String>, wanted: &AttemptSelection, output: &mut Output) -> Result<ExitCode, Failure> {
    let query = AttemptQuery {
        session: wanted.session.as_deref().map(session).transpose()?,
        project: wanted.project.clone(),
        task,
        tags: wanted.tag.clone(),
        outcomes: wanted.outcome.clone(),
        limit: wanted.limit,
        asking: None,
    };
    let found = attempts::search_attempts(&super::app()?, &query, &Zoned::now())?;
    print(&found, output)?;
    Ok(ExitCode::SUCCESS)
}

fn print(found: &AttemptHits, output: &mut Output) -> Result<(), Failure> {
    if found.text_only.is_some() {
        output.warning("searched by words alone: the embedding model is broken");
    }
    if output.json {
        let attempts = found.hits.iter().map(|hit| view(&hit.attempt, hit.score)).collect();
        output.print_json(&ListView { version: 1, mode: found.mode, attempts })?;
        return Ok(());
    }
    for AttemptHit { attempt, score } in &found.hits {
        let score = score.map(|score| format!("{score:.2}  ")).unwrap_or_default();
        write_attempt(&score, attempt, output)?;
    }
    if found.hits.is_empty() {
        let _ = writeln!(output.talk(), "nothing found");
    }
    Ok(())
}

fn write_attempt(score: &str, attempt: &Attempt, output: &mut Output) -> Result<(), Failure> {
    let style = match attempt.outcome {
        AttemptOutcome::Success => GOOD,
        AttemptOutcome::Partial => ATTENTION,
        AttemptOutcome::Failure => BAD,
    };
    let (outcome, number) = (attempt.outcome.as_str(), attempt.number);
    let out = output.data();
    writeln!(out, "{score}{style}{outcome}{style:#}  {BOLD}{}{BOLD:#}", plain(&attempt.task))?;
    let project = plain(attempt.project.as_str());
    let tags = plain(&attempt.tags.join(", "));
    writeln!(
        out,
        "      {DIM}attempt {number}  {}  {project}  {tags}{DIM:#}",
        local(attempt.created_at, "local")
    )?;
    for (mark, texts) in [("+", &attempt.worked), ("-", &attempt.did_not_work)] {
        for text in texts {
            writeln!(out, "      {mark} {}", plain(text))?;
        }
    }
    if !attempt.next_strategy.is_empty() {
        writeln!(out, "      next: {}", plain(&attempt.next_strategy))?;
    }
    for reason in &attempt.because {
        writeln!(out, "      {DIM}judged so because {}{DIM:#}", plain(reason))?;
    }
    Ok(())
}

/// `afterword summary`
pub(crate) fn summary(of: &SummarySelection, output: &mut Output) -> Result<ExitCode, Failure> {
    let session = of.session.as_deref().map(session).transpose()?;
    let summary = attempts::attempts_summary(&super::app()?, of.project.as_deref(), session.as_ref())?;
    if output.json {
        output.print_json(&summary_view(&summary))?;
        return Ok(ExitCode::SUCCESS);
    }
    let percent = (summary.success_rate * 100.0).round();
    writeln!(output.data(), "{BOLD}{} attempts{BOLD:#}, {percent}% succeeded", summary.total)?;
    let sections =
        [("What failed", &summary.common_failures), ("What worked", &summary.effective_strategies)];
    for (heading, patterns) in sections.into_iter().filter(|(_, patterns)| !patterns.is_empty()) {
        writeln!(output.data(), "\n{BOLD}{heading}{BOLD:#}")?;
        for pattern in patterns {
            writeln!(output.data(), "  {}x {}", pattern.count, plain(&pattern.text))?;
        }
    }
    if !summary.recent.is_empty() {
        writeln!(output.data(), "\n{BOLD}Latest{BOLD:#}")?;
    }
    for attempt in &summary.recent {
        write_attempt("", attempt, output)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print_prompt(task: String, project: Option<String>, output: &mut Output) -> Result<ExitCode, Failure> {
    let environment = environment_of_process();
    let here = environment.working_directory.to_string_lossy().into_owned();
    let app = App::new(environment)?;
    let query = AttemptQuery {
        project: Some(project.unwrap_or(here)),
        task: Some(task),
        limit: app.config().attempts.past_lessons,
        ..AttemptQuery::default()
    };
    let hits = attempts::search_attempts(&app, &query, &Zoned::now())?.hits;
    let attempts: Vec<Attempt> = hits.into_iter().map(|hit| hit.attempt).collect();
    for line in prompt(&attempts).lines() {
        writeln!(output.data(), "{}", line_for_model(line))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A line fit for a terminal that keeps what it is indented by.
fn line_for_model(line: &str) -> String {
    let text = line.trim_start();
    format!("{}{}", &line[..line.len() - text.len()], plain(text))
}

fn store(arguments: StoreAttempt, output: &mut Output) -> Result<ExitCode, Failure> {
    let environment = environment_of_process();
    let directory = environment.working_directory.clone();
    let project = arguments
        .project
        .as_deref()
        .map_or(directory.clone(), |project| environment.project_directory(project));
    let app = App::new(environment)?;
    let session = match &arguments.session {
        Some(text) => session(text)?,
        None => {
            let here = current_session::current_session(&app, &directory)?.map(|here| here.session);
            let problem = "is needed: no session of this directory is known".to_owned();
            here.ok_or(Failure::Usage { argument: "--session", problem })?
        }
    };
    let new = NewAttempt {
        session,
        project: ProjectKey::from_cwd(&project.to_string_lossy()),
        task: arguments.task,
        number: arguments.number,
        outcome: arguments.outcome,
        worked: arguments.worked,
        did_not_work: arguments.failed,
        next_strategy: arguments.next,
        tags: arguments.tag,
        related: Vec::new(),
        because: Vec::new(),
    };
    let stored = attempts::store_attempt(&app, new, &Zoned::now())?;
    if output.json {
        output.print_json(&view(&stored, None))?;
    } else {
        write_attempt("", &stored, output)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn session(text: &str) -> Result<SessionId, Failure> {
    let problem = || "must be 1 to 128 of the characters A-Z a-z 0-9 - _ .".to_owned();
    SessionId::parse(text).ok_or_else(|| Failure::Usage { argument: "--session", problem: problem() })
}

fn view(attempt: &Attempt, score: Option<f32>) -> AttemptView<'_> {
    AttemptView {
        id: &attempt.id,
        session_id: attempt.session.as_str(),
        project: attempt.project.as_str(),
        created_at: attempt.created_at.to_string(),
        task: &attempt.task,
        number: attempt.number,
        outcome: attempt.outcome,
        worked: &attempt.worked,
        did_not_work: &attempt.did_not_work,
        next_strategy: &attempt.next_strategy,
        tags: &attempt.tags,
        related: &attempt.related,
        source: &attempt.source,
        because: &attempt.because,
        score: score.map(|score| (f64::from(score) * 10_000.0).round() / 10_000.0),
    }
}

fn summary_view(summary: &AttemptSummary) -> SummaryView<'_> {
    fn patterns(patterns: &[Pattern]) -> Vec<PatternView<'_>> {
        patterns.iter().map(|one| PatternView { text: &one.text, count: one.count }).collect()
    }
    SummaryView {
        version: 1,
        total: summary.total,
        success_rate: (summary.success_rate * 10_000.0).round() / 10_000.0,
        common_failures: patterns(&summary.common_failures),
        effective_strategies: patterns(&summary.effective_strategies),
        recent: summary.recent.iter().map(|attempt| view(attempt, None)).collect(),
    }
}
