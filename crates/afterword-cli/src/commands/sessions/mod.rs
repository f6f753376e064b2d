//! `afterword sessions [--project PROJECT] [--since TIME] [--timeline SESSION]`, and what becomes of one: `keep`.

mod keep;

use std::io::Write;
use std::process::ExitCode;

use afterword_app::sessions::{self, ListRequest, ReflectionState, SessionEntry, TimelineEntry};
use afterword_core::SessionState;
use jiff::Zoned;
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::arguments::{Sessions, SessionsCommand};
use crate::failure::Failure;
use crate::output::{ATTENTION, BAD, DIM, GOOD, Output, plain};
use crate::wording::{bytes, parse_since};

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
    state: ReflectionState,
    bytes: u64,
    modified: String,
    /// Where the agent saw it stand last.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_state: Option<SessionState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_activity: Option<String>,
    entries: Option<u64>,
    candidates: Option<u64>,
}

#[derive(Serialize)]
struct TimelineView<'a> {
    version: u32,
    session_id: &'a str,
    timeline: Vec<EntryView<'a>>,
    /// The settings by which no hook runs in its project now.
    #[serde(skip_serializing_if = "Option::is_none")]
    hooks_off: Option<String>,
}

#[derive(Serialize)]
struct EntryView<'a> {
    at: String,
    what: &'a str,
    detail: Option<&'a str>,
}

pub(crate) fn run(arguments: &Sessions, output: &mut Output) -> Result<ExitCode, Failure> {
    match &arguments.command {
        Some(SessionsCommand::Export(wanted)) => return keep::export(wanted, output),
        Some(SessionsCommand::Restore(wanted)) => return keep::restore(wanted, output),
        Some(SessionsCommand::Archive) => return keep::archive(output),
        None => {}
    }
    if let Some(session) = &arguments.timeline {
        return timeline(session, output);
    }
    let since = arguments.since.as_deref().map(|text| parse_since(text, &Zoned::now())).transpose()?;
    let request = ListRequest { since, project: arguments.project.clone(), latest: None };
    let sessions = sessions::sessions(&super::app()?, &request)?;
    if output.json {
        output.print_json(&ListView { version: 1, sessions: sessions.iter().map(view).collect() })?;
        return Ok(ExitCode::SUCCESS);
    }
    let zone = TimeZone::system();
    for session in &sessions {
        let (style, state) = match session.state {
            ReflectionState::New => (GOOD, "new"),
            ReflectionState::Grown => (ATTENTION, "grown"),
            ReflectionState::Reflected => (DIM, "reflected"),
            ReflectionState::Excluded => (DIM, "excluded"),
            ReflectionState::Own => (DIM, "own"),
            ReflectionState::Forgotten => (DIM, "forgotten"),
        };
        // What the agent sees is told where it says more.
        let (style, state) = match session.followed.map(|followed| followed.state) {
            Some(SessionState::Reflected) | None => (style, state),
            Some(live @ (SessionState::Crashed | SessionState::Failed)) => (BAD, live.as_str()),
            Some(live) => (GOOD, live.as_str()),
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

fn timeline(argument: &str, output: &mut Output) -> Result<ExitCode, Failure> {
    let app = super::app()?;
    let (session, entries) = sessions::timeline(&app, argument)?;
    let hooks_off = sessions::hooks_off(&app, &session).map(|settings| settings.display().to_string());
    if output.json {
        let timeline = entries
            .iter()
            .map(|TimelineEntry { at, what, detail, .. }| EntryView {
                at: at.to_string(),
                what: what.as_str(),
                detail: detail.as_deref(),
            })
            .collect();
        output.print_json(&TimelineView { version: 1, session_id: session.as_str(), timeline, hooks_off })?;
        return Ok(ExitCode::SUCCESS);
    }
    let zone = TimeZone::system();
    for entry in &entries {
        let when = entry.at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M:%S").to_string();
        let detail = plain(entry.detail.as_deref().unwrap_or_default());
        writeln!(output.data(), "{when}  {:<10}  {DIM}{detail}{DIM:#}", entry.what.as_str())?;
    }
    if entries.is_empty() {
        let _ = writeln!(
            output.talk(),
            "nothing is known of {session}; an agent notes what happens while it runs"
        );
    }
    if let Some(settings) = hooks_off {
        output.warning(&plain(&format!(
            "Claude Code runs no hook in its folder, so that its sessions are given no lessons and no check binds: {settings} has `disableAllHooks`; take it out if you did not want that"
        )));
    }
    Ok(ExitCode::SUCCESS)
}

fn view(session: &SessionEntry) -> SessionView<'_> {
    SessionView {
        session_id: session.session.as_str(),
        transcript: session.transcript.to_string_lossy().into_owned(),
        project: session.project.as_ref().map_or("", |project| project.as_str()),
        state: session.state,
        bytes: session.bytes,
        modified: session.modified.to_string(),
        agent_state: session.followed.map(|followed| followed.state),
        last_activity: session.followed.map(|followed| followed.last_activity.to_string()),
        entries: session.reflected.map(|(entries, _)| entries),
        candidates: session.reflected.map(|(_, candidates)| candidates),
    }
}
