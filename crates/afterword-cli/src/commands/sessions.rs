//! `afterword sessions [--project PROJECT] [--since TIME]`

use std::io::Write;
use std::process::ExitCode;

use afterword_agent::sessions::{ListRequest, Listed, State};
use jiff::Zoned;
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::arguments::Sessions;
use crate::failure::Failure;
use crate::output::{ATTENTION, DIM, GOOD, Output, plain};
use crate::wording::{bytes, since};

#[derive(Serialize)]
struct ListView<'a> {
    version: u32,
    sessions: Vec<SessionView<'a>>,
}

#[derive(Serialize)]
struct SessionView<'a> {
    session_id: &'a str,
    transcript: String,
    project: &'a str,
    state: State,
    bytes: u64,
    modified: String,
    entries: Option<u64>,
    candidates: Option<u64>,
}

pub(crate) fn run(arguments: &Sessions, output: &mut Output) -> Result<ExitCode, Failure> {
    let since = arguments.since.as_deref().map(|text| since(text, &Zoned::now())).transpose()?;
    let request = ListRequest { since, project: arguments.project.clone() };
    let sessions = super::agent()?.sessions(&request)?;
    if output.json {
        output.print_json(&ListView { version: 1, sessions: sessions.iter().map(view).collect() })?;
        return Ok(ExitCode::SUCCESS);
    }
    let zone = TimeZone::system();
    for session in &sessions {
        let (style, state) = match session.state {
            State::New => (GOOD, "new"),
            State::Grown => (ATTENTION, "grown"),
            State::Reflected => (DIM, "reflected"),
            State::Excluded => (DIM, "excluded"),
            State::Own => (DIM, "own"),
        };
        let when = session.modified.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string();
        let project = session.project.as_ref().map_or("", |project| project.name());
        let (id, size) = (session.session.as_str(), bytes(session.bytes));
        writeln!(
            output.data(),
            "{id:<36}  {when}  {size:>9}  {style}{state:<9}{style:#}  {}",
            plain(project)
        )?;
    }
    if sessions.is_empty() {
        let _ = writeln!(output.talk(), "no sessions found");
    }
    Ok(ExitCode::SUCCESS)
}

fn view(session: &Listed) -> SessionView<'_> {
    SessionView {
        session_id: session.session.as_str(),
        transcript: session.transcript.to_string_lossy().into_owned(),
        project: session.project.as_ref().map_or("", |project| project.as_str()),
        state: session.state,
        bytes: session.bytes,
        modified: session.modified.to_string(),
        entries: session.reflected.map(|(entries, _)| entries),
        candidates: session.reflected.map(|(_, candidates)| candidates),
    }
}
