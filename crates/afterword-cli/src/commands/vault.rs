//! `afterword vault conflicts | decide | month | link`

use std::io::Write;
use std::process::ExitCode;

use afterword_app::vault_sync;
use afterword_app::vault_sync::conflicts::{ConflictItem, VersionChoice};
use jiff::Zoned;
use serde::Serialize;

use crate::arguments::Vault;
use crate::failure::Failure;
use crate::output::{BOLD, DIM, Output, plain};

#[derive(Serialize)]
struct ConflictsView {
    version: u32,
    conflicts: Vec<ConflictItem>,
}

#[derive(Serialize)]
struct DecidedView {
    version: u32,
    decided: bool,
}

#[derive(Serialize)]
struct NoteView {
    version: u32,
    path: String,
    link: Option<String>,
}

pub(crate) fn run(command: &Vault, output: &mut Output) -> Result<ExitCode, Failure> {
    let app = super::app()?;
    match command {
        Vault::Conflicts => conflicts(vault_sync::conflicts(&app)?, output),
        Vault::Decide { note, which } => {
            let now = Zoned::now();
            let decided = match (which.here, which.there, which.both) {
                (true, ..) => vault_sync::decide_conflict(&app, note, VersionChoice::Here, &now)?,
                (_, true, _) => vault_sync::decide_conflict(&app, note, VersionChoice::There, &now)?,
                (_, _, true) => vault_sync::decide_conflict(&app, note, VersionChoice::Both, &now)?,
                _ => vault_sync::join_conflict(&app, note, &now)?,
            };
            if output.json {
                output.print_json(&DecidedView { version: 1, decided })?;
            } else if decided {
                let _ = writeln!(output.talk(), "Done. A version that was not chosen is in `_archive`.");
            } else {
                output.hint("the versions differ in what people wrote: give `--here`, `--there` or `--both`");
            }
            Ok(if decided { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        Vault::Month { month } => {
            let now = Zoned::now();
            let day = month.map_or_else(|| now.date(), crate::arguments::Month::first_day);
            let note = vault_sync::month(&app, day, &now)?;
            print(&note.path, note.link, output)
        }
        Vault::Link { note } => {
            let note = vault_sync::note_link(&app, note)?;
            print(&note.path, note.link, output)
        }
    }
}

fn print(path: &str, link: Option<String>, output: &mut Output) -> Result<ExitCode, Failure> {
    if output.json {
        output.print_json(&NoteView { version: 1, path: path.to_owned(), link })?;
    } else {
        writeln!(output.data(), "{}", plain(path))?;
        if let Some(link) = link {
            writeln!(output.data(), "{link}")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn conflicts(conflicts: Vec<ConflictItem>, output: &mut Output) -> Result<ExitCode, Failure> {
    if output.json {
        output.print_json(&ConflictsView { version: 1, conflicts })?;
        return Ok(ExitCode::SUCCESS);
    }
    if conflicts.is_empty() {
        let _ = writeln!(output.talk(), "Every note has one version.");
    }
    for conflict in conflicts {
        let out = output.data();
        writeln!(out, "{BOLD}{}{BOLD:#}", plain(&conflict.path))?;
        let copy = conflict.copy.as_deref().unwrap_or("both versions are in the file");
        let tool = conflict.tool.map(|tool| format!("  ({tool})")).unwrap_or_default();
        writeln!(out, "  {DIM}{}{tool}{DIM:#}", plain(copy))?;
        if conflict.can_be_joined {
            writeln!(out, "  {DIM}can be joined: `afterword vault decide` alone does{DIM:#}")?;
            continue;
        }
        let difference = similar::TextDiff::from_lines(&conflict.here, &conflict.there);
        for hunk in difference.unified_diff().context_radius(1).iter_hunks() {
            for line in hunk.iter_changes() {
                let sign = match line.tag() {
                    similar::ChangeTag::Delete => "here ",
                    similar::ChangeTag::Insert => "there",
                    similar::ChangeTag::Equal => "     ",
                };
                writeln!(out, "  {DIM}{sign}{DIM:#} {}", plain(line.value().trim_end_matches(['\r', '\n'])))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
