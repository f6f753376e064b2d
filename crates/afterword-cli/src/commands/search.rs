//! `afterword search QUERY [--limit N] [--project PROJECT] [--kind KIND] [--status STATUS] [--outcome OUTCOME] [--tag TAG]`

use std::io::Write;
use std::process::ExitCode;

use afterword_app::searching::{self, Hit, SearchMode, SearchRequest, TextOnlyReason};
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
    kind: &'a str,
    title: &'a str,
    path: &'a str,
    project: &'a str,
    status: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    outcome: &'a str,
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
        let note = &hit.note;
        let out = output.data();
        let project = if note.project.is_empty() { "" } else { "  " };
        writeln!(out, "{:.2}  {BOLD}{}{BOLD:#}", hit.score, plain(&note.title))?;
        writeln!(
            out,
            "      {DIM}{}{project}{}  {}{DIM:#}",
            plain(&note.kind),
            plain(&note.project),
            plain(&note.path)
        )?;
        if !note.body.starts_with(note.title.trim_end_matches('…')) || hit.snippet.len() > note.title.len()
        {
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
        id: &hit.note.id,
        kind: &hit.note.kind,
        title: &hit.note.title,
        path: &hit.note.path,
        project: &hit.note.project,
        status: &hit.note.status,
        outcome: &hit.note.outcome,
        score: (f64::from(hit.score) * 10_000.0).round() / 10_000.0,
        snippet: &hit.snippet,
    }
}
