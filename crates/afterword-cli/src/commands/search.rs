//! `afterword search QUERY [--limit N] [--project PROJECT] [--kind KIND] [--status STATUS] [--outcome OUTCOME] [--tag TAG]`

use std::io::Write;
use std::process::ExitCode;

use afterword_app::attempts::AttemptOutcome;
use afterword_app::searching::{self, Hit, HitKind, SearchMode, SearchRequest, Status, TextOnlyReason};
use serde::Serialize;

use crate::arguments::Search;
use crate::failure::Failure;
use crate::output::{BOLD, DIM, Output, plain};

#[derive(Serialize)]
struct SearchView<'a> {
    version: u32,
    query: &'a str,
    mode: SearchMode,
    results: Vec<HitView<'a>>,
}

#[derive(Serialize)]
struct HitView<'a> {
    id: &'a str,
    kind: &'static str,
    title: &'a str,
    path: &'a str,
    project: &'a str,
    status: Status,
    #[serde(skip_serializing_if = "str::is_empty")]
    outcome: &'static str,
    score: f64,
    snippet: &'a str,
}

pub(crate) fn run(arguments: &Search, output: &mut Output) -> Result<ExitCode, Failure> {
    if arguments.query.trim().is_empty() {
        return Err(Failure::Usage { argument: "QUERY", problem: "is empty".to_owned() });
    }
    let request = SearchRequest {
        query: arguments.query.clone(),
        limit: arguments.limit,
        project: arguments.project.clone(),
        kinds: arguments.kind.clone(),
        statuses: arguments.status.clone(),
        outcomes: arguments.outcome.clone(),
        tags: arguments.tag.clone(),
    };
    let found = searching::search(&super::app()?, &request)?;
    match found.text_only {
        Some(TextOnlyReason::NoModel) => {
            output.warning("searched by words alone: the embedding model is broken");
        }
        Some(TextOnlyReason::OtherModel) => {
            output.warning("searched by words alone: the index was made with another model");
            output.hint("run `afterword index rebuild`");
        }
        None => {}
    }
    if output.json {
        let results = found.hits.iter().map(view).collect();
        output.print_json(&SearchView { version: 1, query: &arguments.query, mode: found.mode, results })?;
        return Ok(ExitCode::SUCCESS);
    }
    for hit in &found.hits {
        let out = output.data();
        let project = if hit.project.is_empty() { "" } else { "  " };
        writeln!(out, "{:.2}  {BOLD}{}{BOLD:#}", hit.score, plain(&hit.title))?;
        writeln!(
            out,
            "      {DIM}{}{project}{}  {}{DIM:#}",
            hit.kind.map_or("", HitKind::as_str),
            plain(&hit.project),
            plain(&hit.path)
        )?;
        if !hit.body.starts_with(hit.title.trim_end_matches('…')) || hit.snippet.len() > hit.title.len() {
            writeln!(out, "      {}", plain(&hit.snippet))?;
        }
    }
    if found.hits.is_empty() {
        let _ = writeln!(output.talk(), "nothing found");
    }
    Ok(ExitCode::SUCCESS)
}

fn view(hit: &Hit) -> HitView<'_> {
    HitView {
        id: &hit.id,
        kind: hit.kind.map_or("", HitKind::as_str),
        title: &hit.title,
        path: &hit.path,
        project: &hit.project,
        status: hit.status,
        outcome: hit.outcome.map_or("", AttemptOutcome::as_str),
        score: (f64::from(hit.score) * 10_000.0).round() / 10_000.0,
        snippet: &hit.snippet,
    }
}
