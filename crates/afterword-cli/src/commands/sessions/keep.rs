//! `afterword sessions export | restore | archive`

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use afterword_app::archive::ArchiveStatus;
use afterword_app::{archive, session_export};
use afterword_claude_code::resume_command;
use afterword_core::SessionId;
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::arguments::{ExportSession, RestoreSession};
use crate::failure::Failure;
use crate::output::{BOLD, DIM, Output, plain};
use crate::progress::IndexBar;
use crate::wording::{bytes, count, path};

#[derive(Serialize)]
struct RestoredView<'a> {
    version: u32,
    session_id: &'a str,
    files: Vec<FileView>,
}

#[derive(Serialize)]
struct FileView {
    path: PathBuf,
    bytes: u64,
    was_there: bool,
}

#[derive(Serialize)]
struct ArchiveView {
    version: u32,
    #[serde(flatten)]
    status: ArchiveStatus,
}

pub(super) fn export(arguments: &ExportSession, output: &mut Output) -> Result<ExitCode, Failure> {
    let document = session_export::export_session(
        &super::super::app()?,
        &arguments.session,
        arguments.format,
        &TimeZone::system(),
    )?;
    match &arguments.output {
        None => write!(output.data(), "{}", document.text)?,
        Some(to) => {
            let to = if to.is_dir() { to.join(&document.name) } else { to.clone() };
            let mut file =
                std::fs::File::options().write(true).create_new(true).open(&to).map_err(|error| {
                    Failure::Usage { argument: "--output", problem: format!("{}: {error}", path(&to)) }
                })?;
            file.write_all(document.text.as_bytes())?;
            writeln!(output.data(), "{}", path(&to))?;
        }
    }
    if document.redacted > 0 {
        let _ = writeln!(output.talk(), "{} taken out", count(document.redacted, "secret"));
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn restore(arguments: &RestoreSession, output: &mut Output) -> Result<ExitCode, Failure> {
    let restored =
        archive::restore_session(&super::super::app()?, &arguments.session, arguments.to.as_deref())?;
    if output.json {
        let files = restored.files.into_iter().map(|file| FileView {
            path: file.path,
            bytes: file.bytes,
            was_there: file.was_there,
        });
        output.print_json(&RestoredView {
            version: 1,
            session_id: &restored.session,
            files: files.collect(),
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    for file in &restored.files {
        let was_there = if file.was_there { "  (was there)" } else { "" };
        writeln!(output.data(), "{}{DIM}{was_there}{DIM:#}", path(&file.path))?;
    }
    if arguments.to.is_none()
        && let Some(session) = SessionId::parse(&restored.session)
    {
        output.hint(&format!("`{}` goes on with it", resume_command(&session)));
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn archive(output: &mut Output) -> Result<ExitCode, Failure> {
    let app = super::super::app()?;
    let mut bar = IndexBar::new();
    let done = archive::archive_sessions(&app, &mut bar)?;
    bar.clear();
    match &done {
        None => output.warning("the agent is copying sessions just now"),
        Some(done) => {
            for problem in &done.problems {
                output.warning(&plain(problem));
            }
        }
    }
    let status = archive::archive_status(&app)?;
    if output.json {
        output.print_json(&ArchiveView { version: 1, status })?;
        return Ok(ExitCode::SUCCESS);
    }
    let out = output.data();
    let state = if status.wanted { "every session is copied" } else { "sessions are not copied" };
    writeln!(out, "{BOLD}Archive{BOLD:#}   {state}")?;
    writeln!(out, "{BOLD}Sessions{BOLD:#}  {}", status.sessions)?;
    let limit = match status.limit {
        u64::MAX => "without a limit".to_owned(),
        limit => format!("of {} at most", bytes(limit).trim()),
    };
    let (compressed, whole) = (bytes(status.compressed), bytes(status.bytes));
    writeln!(out, "{BOLD}Size{BOLD:#}      {} {limit}, for {}", compressed.trim(), whole.trim())?;
    if !status.wanted {
        output.hint("`afterword config set archive.sessions true` keeps a copy of every session");
    }
    Ok(ExitCode::SUCCESS)
}
