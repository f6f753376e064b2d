//! `afterword index rebuild | status`

use std::io::Write;
use std::process::ExitCode;

use afterword_app::indexing;
use serde::Serialize;

use crate::arguments::Index;
use crate::failure::Failure;
use crate::output::{BOLD, Output, plain};
use crate::wording::{bytes, path};

#[derive(Serialize)]
struct RebuildView<'a> {
    version: u32,
    notes: usize,
    problems: &'a [String],
}

#[derive(Serialize)]
struct StatusView {
    version: u32,
    path: String,
    exists: bool,
    notes: usize,
    bytes: u64,
    model: Option<String>,
    model_fits: bool,
    current: Option<bool>,
}

pub(crate) fn run(command: &Index, output: &mut Output) -> Result<ExitCode, Failure> {
    match command {
        Index::Rebuild => rebuild(output),
        Index::Status => status(output),
    }
}

fn rebuild(output: &mut Output) -> Result<ExitCode, Failure> {
    let done = indexing::rebuild_index(&super::app()?)?;
    for problem in &done.problems {
        output.warning(&plain(problem));
    }
    if output.json {
        output.print_json(&RebuildView { version: 1, notes: done.notes, problems: &done.problems })?;
    } else {
        writeln!(output.data(), "{} notes indexed", done.notes)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn status(output: &mut Output) -> Result<ExitCode, Failure> {
    let status = indexing::index_status(&super::app()?)?;
    if output.json {
        output.print_json(&StatusView {
            version: 1,
            path: status.path.to_string_lossy().into_owned(),
            exists: status.exists,
            notes: status.notes,
            bytes: status.bytes,
            model: status.model,
            model_fits: status.model_fits,
            current: status.current,
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let state = match (status.exists, status.current) {
        (false, _) => "not made yet; the next search makes it",
        (true, Some(true)) => "up to date",
        (true, Some(false)) => "behind the vault; the next search brings it up to date",
        (true, None) => "no vault is set up",
    };
    let model = status.model.unwrap_or_else(|| "none".to_owned());
    let fits = if status.model_fits || !status.exists {
        ""
    } else {
        "  (not the one chosen: the agent changes that, or `afterword index rebuild`)"
    };
    let out = output.data();
    writeln!(out, "{BOLD}Index{BOLD:#}   {}", path(&status.path))?;
    writeln!(out, "{BOLD}State{BOLD:#}   {state}")?;
    writeln!(out, "{BOLD}Notes{BOLD:#}   {}  ({})", status.notes, bytes(status.bytes).trim())?;
    writeln!(out, "{BOLD}Model{BOLD:#}   {}{fits}", plain(&model))?;
    Ok(ExitCode::SUCCESS)
}
