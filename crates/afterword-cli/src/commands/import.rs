//! `afterword import`

use std::io::Write;
use std::process::ExitCode;

use afterword_app::exchange::{self, ImportPlan, ImportSource};
use jiff::Zoned;
use serde::Serialize;

use super::install::ask;
use crate::arguments::{Import, ImportFrom};
use crate::failure::Failure;
use crate::output::{ATTENTION, BOLD, DIM, GOOD, Output, plain};
use crate::wording::count;

/// Notes shown before the rest is only counted.
const SHOWN: usize = 40;

#[derive(Serialize)]
struct ImportView<'a> {
    version: u32,
    /// Everything that is new was written.
    written: bool,
    #[serde(flatten)]
    imported: &'a ImportPlan,
}

pub(crate) fn run(arguments: &Import, output: &mut Output) -> Result<ExitCode, Failure> {
    let app = super::app()?;
    let source = match &arguments.from {
        ImportFrom::ClaudeMemory => ImportSource::ClaudeMemory,
        ImportFrom::ClaudeMd { files, project } => {
            ImportSource::Rules { files: files.clone(), project: project.clone() }
        }
        ImportFrom::Notes { folder, project } => {
            ImportSource::Notes { folder: folder.clone(), project: project.clone() }
        }
    };
    let now = Zoned::now();
    let planned = exchange::plan_import(&app, &source, &now)?;
    for problem in &planned.problems {
        output.warning(&plain(problem));
    }
    let nothing = planned.new.is_empty();
    if !output.json {
        show(&planned, output)?;
    }
    let consent = &arguments.consent;
    let agreed = !nothing && !consent.dry_run && (consent.yes || (!output.json && ask(output)?));
    let done = if agreed { exchange::import(&app, &planned, &now)? } else { planned };
    let is_whole = done.refused.is_empty();
    if output.json {
        output.print_json(&ImportView { version: 1, written: agreed && is_whole, imported: &done })?;
    } else if is_whole {
        super::print_end(nothing, agreed, consent, "Imported.", output);
    }
    for problem in &done.refused {
        output.warning(&plain(problem));
    }
    if !is_whole {
        let (written, refused) = (count(done.new.len(), "note"), done.refused.len());
        output.error(&format!("{written} imported, {refused} could not be written"));
        output.hint("mend what is in the way and import again: what is there is not written twice");
    }
    let unanswered = !nothing && !agreed && !consent.dry_run;
    Ok(if unanswered || !is_whole { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn show(planned: &ImportPlan, output: &mut Output) -> Result<(), Failure> {
    let out = output.data();
    for note in planned.new.iter().take(SHOWN) {
        let (style, sign) = if note.waits { (ATTENTION, '?') } else { (GOOD, '+') };
        writeln!(out, "{style}{sign}{style:#} {}", plain(&note.title))?;
        writeln!(out, "  {DIM}{} → {}{DIM:#}", note.kind.as_str(), plain(&note.path))?;
    }
    if let Some(more) = planned.new.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        writeln!(out, "{DIM}and {more} more{DIM:#}")?;
    }
    let waiting = planned.new.iter().filter(|note| note.waits).count();
    let saved = planned.new.len() - waiting;
    let (known, deleted) = (planned.known, planned.deleted);
    writeln!(
        out,
        "{BOLD}{saved}{BOLD:#} to save, {BOLD}{waiting}{BOLD:#} to review; {known} there already, {deleted} deleted before"
    )?;
    Ok(())
}
