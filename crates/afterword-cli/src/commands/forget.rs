//! `afterword forget session|project WHAT`

use std::io::Write;
use std::process::ExitCode;

use afterword_app::forget::{self, ForgetReport};
use afterword_core::SessionId;
use jiff::Timestamp;
use serde::Serialize;

use crate::arguments::Forget;
use crate::failure::Failure;
use crate::output::{ATTENTION, Output, plain};
use crate::wording::count;

#[derive(Serialize)]
struct ForgottenView<'a> {
    version: u32,
    sessions: Vec<&'a str>,
    removed: &'a [String],
    kept: &'a [String],
    rows: usize,
}

pub(crate) fn run(what: &Forget, output: &mut Output) -> Result<ExitCode, Failure> {
    let (app, now) = (super::app()?, Timestamp::now());
    let forgotten = match what {
        Forget::Session { session } => forget::forget_session(&app, session, now)?,
        Forget::Project { project } => forget::forget_project(&app, project, now)?,
    };
    if output.json {
        output.print_json(&view(&forgotten))?;
        return Ok(ExitCode::SUCCESS);
    }
    let sessions = count(forgotten.sessions.len(), "session");
    let (notes, rows) = (count(forgotten.removed.len(), "note"), count(forgotten.rows, "row"));
    writeln!(output.data(), "forgot {sessions}: removed {notes} and {rows} of the database")?;
    for path in &forgotten.removed {
        writeln!(output.data(), "  {}", plain(path))?;
    }
    for path in &forgotten.kept {
        writeln!(output.data(), "  {ATTENTION}kept{ATTENTION:#} {}", plain(path))?;
    }
    if !forgotten.kept.is_empty() {
        output.hint(
            "those kept were changed by you, or rest on other sessions too; delete them in your editor",
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn view(forgotten: &ForgetReport) -> ForgottenView<'_> {
    ForgottenView {
        version: 1,
        sessions: forgotten.sessions.iter().map(SessionId::as_str).collect(),
        removed: &forgotten.removed,
        kept: &forgotten.kept,
        rows: forgotten.rows,
    }
}
