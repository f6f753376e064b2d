//! `afterword projects [join|split|undo]`

use std::io::Write;
use std::process::ExitCode;

use afterword_app::projects::{self, ChangeKind, ListedProject, ProjectChange, ProjectChangeReport};
use jiff::Zoned;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::install::ask;
use crate::arguments::{Consent, Projects};
use crate::failure::Failure;
use crate::output::{BOLD, DIM, Output, plain};
use crate::wording::count;

/// Notes shown before the rest is only counted.
const SHOWN: usize = 20;

#[derive(Serialize)]
struct ListView<'a> {
    version: u32,
    projects: &'a [ListedProject],
}

#[derive(Serialize)]
struct ChangeView<'a> {
    version: u32,
    /// It was carried out.
    done: bool,
    #[serde(flatten)]
    change: &'a ProjectChange,
    /// Notes that could not be changed, and why.
    refused: &'a [String],
}

pub(crate) fn run(command: Option<&Projects>, output: &mut Output) -> Result<ExitCode, Failure> {
    let app = super::app()?;
    match command {
        None => list(&projects::projects(&app)?, output),
        Some(Projects::Join { into, from, consent }) => {
            change(&app, &projects::plan_join(&app, into, from)?, consent, output)
        }
        Some(Projects::Split { project, folder, name, consent }) => {
            change(&app, &projects::plan_split(&app, project, folder, name.as_deref())?, consent, output)
        }
        Some(Projects::Undo) => {
            let (change, changed) = projects::undo_projects(&app, &Zoned::now())?;
            if output.json {
                let refused = &changed.refused;
                output.print_json(&ChangeView { version: 1, done: true, change: &change, refused })?;
            } else {
                let (to, from) = (plain(&change.to), plain(&change.from));
                let verb = match change.kind {
                    ChangeKind::Join => "joined to",
                    ChangeKind::Split => "split from",
                };
                let (one, other) = match change.kind {
                    ChangeKind::Join => (&from, &to),
                    ChangeKind::Split => (&to, &from),
                };
                let notes = count(changed.notes, "note");
                writeln!(output.data(), "`{one}` is not {verb} `{other}` any more; {notes} changed back")?;
            }
            Ok(end(&changed, output))
        }
    }
}

fn list(projects: &[ListedProject], output: &mut Output) -> Result<ExitCode, Failure> {
    if output.json {
        output.print_json(&ListView { version: 1, projects })?;
        return Ok(ExitCode::SUCCESS);
    }
    let zone = TimeZone::system();
    for project in projects {
        let when = project.last_active.map(|at| at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M"));
        let when = when.map_or_else(|| "no session here".to_owned(), |when| when.to_string());
        let (sessions, lessons) = (count(project.sessions, "session"), count(project.lessons, "lesson"));
        let waiting = match project.waiting {
            0 => String::new(),
            waiting => format!(" ({waiting} waiting)"),
        };
        let name = plain(&project.name);
        let out = output.data();
        writeln!(out, "{BOLD}{name}{BOLD:#}  {sessions}, {lessons}{waiting}  {DIM}{when}{DIM:#}")?;
        for folder in &project.folders {
            let set = if project.in_settings.contains(folder) { "  (set by you)" } else { "" };
            writeln!(out, "  {DIM}{}{set}{DIM:#}", plain(folder))?;
        }
    }
    if projects.is_empty() {
        let _ = writeln!(output.talk(), "no projects known");
    }
    Ok(ExitCode::SUCCESS)
}

fn change(
    app: &afterword_app::App,
    planned: &ProjectChange,
    consent: &Consent,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    if !output.json {
        show(planned, output)?;
    }
    let agreed = !consent.dry_run && (consent.yes || (!output.json && ask(output)?));
    let changed = match agreed {
        true => projects::change_projects(app, planned, &Zoned::now())?,
        false => ProjectChangeReport::default(),
    };
    if output.json {
        let refused = &changed.refused;
        output.print_json(&ChangeView { version: 1, done: agreed, change: planned, refused })?;
    } else {
        let done = "Done; `afterword projects undo` takes it back.";
        super::print_end(false, agreed, consent, done, output);
    }
    let unanswered = !agreed && !consent.dry_run;
    Ok(if unanswered { ExitCode::FAILURE } else { end(&changed, output) })
}

fn show(planned: &ProjectChange, output: &mut Output) -> Result<(), Failure> {
    let (to, from) = (plain(&planned.to), plain(&planned.from));
    let out = output.data();
    match planned.kind {
        ChangeKind::Join => writeln!(out, "{BOLD}{from}{BOLD:#} counts as {BOLD}{to}{BOLD:#} from now on:")?,
        ChangeKind::Split => {
            writeln!(
                out,
                "{BOLD}{to}{BOLD:#} is a project of its own, no part of {BOLD}{from}{BOLD:#} any more:"
            )?;
        }
    }
    for folder in &planned.folders {
        writeln!(out, "  {} and what is below it", plain(folder))?;
    }
    for note in planned.notes.iter().take(SHOWN) {
        writeln!(out, "  {}  {DIM}{}{DIM:#}", plain(&note.title), plain(&note.path))?;
    }
    if let Some(more) = planned.notes.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        writeln!(out, "  {DIM}and {more} more{DIM:#}")?;
    }
    let folders = count(planned.folders.len(), "folder");
    let (sessions, notes) = (count(planned.sessions, "session"), count(planned.notes.len(), "note"));
    writeln!(out, "{folders}, {sessions}, {notes}")?;
    Ok(())
}

fn end(changed: &ProjectChangeReport, output: &mut Output) -> ExitCode {
    for problem in &changed.refused {
        output.warning(&plain(problem));
    }
    if changed.refused.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
