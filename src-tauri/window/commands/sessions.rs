//! Sessions, and reflecting them.

use std::path::{Path, PathBuf};

use afterword_app::lessons::LessonLine;
use afterword_app::queue::EnqueueOutcome;
use afterword_app::reading::{ResultText, SessionReading, Surroundings};
use afterword_app::session_search::{FindRequest, FindResult, SessionLine};
use afterword_app::sessions::TimelineEntry;
use afterword_app::why::Injection;
use afterword_app::{
    App, Error, ExportForm, archive, lessons, reading, replace_file, session_export, session_search,
    sessions, why,
};
use afterword_core::SessionId;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;
use tauri::{AppHandle, Manager, Wry};
use tauri_plugin_dialog::FileDialogBuilder;

use super::{Answer, ask, change, pick};
use crate::desktop_error::DesktopError;
use crate::exchange::{ReflectionView, ToTray};
use crate::failure::Failure;
use crate::terminal;
use crate::window::host::Host;

/// Rows before and after the one that was asked for.
const AROUND: usize = 5;

/// Sessions that a search lists at most, and lines of each.
const MOST_FOUND: usize = 40;
const LINES: usize = 3;

/// Asks about a session of Claude Code's own, by its id. Ids come from notes, too, which others may have written.
async fn ask_of<T: Send + 'static>(
    app: &AppHandle,
    session: String,
    work: impl FnOnce(&App, &str) -> Result<T, Error> + Send + 'static,
) -> Answer<T> {
    ask(app, move |app| {
        sessions::refuse_foreign(&app, &session)?;
        work(&app, &session)
    })
    .await
}

/// Lists the sessions; of Claude Code's own only the `latest` where that is a number.
#[tauri::command]
pub(crate) async fn sessions(app: AppHandle, latest: Option<usize>) -> Answer<Vec<SessionLine>> {
    ask(&app, move |app| session_search::session_lines(&app, latest)).await
}

/// Finds sessions by what was said and done in them, as the person types.
#[tauri::command]
pub(crate) async fn find(
    app: AppHandle,
    query: String,
    project: Option<String>,
    only_me: bool,
) -> Answer<FindResult> {
    let request = FindRequest {
        query,
        project,
        only_person: only_me,
        limit: MOST_FOUND,
        lines: LINES,
        is_typing: true,
        ..FindRequest::default()
    };
    ask(&app, move |app| session_search::find(&app, &request, Timestamp::now())).await
}

/// Reads one; where it is long, around this line.
#[tauri::command]
pub(crate) async fn timeline(
    app: AppHandle,
    session: String,
    agent: String,
    line: Option<u64>,
) -> Answer<SessionReading> {
    ask_of(&app, session, move |app, session| reading::read_subagent_at(app, session, &agent, line)).await
}

/// One thing that happened to a session.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub(crate) struct SessionEvent {
    at: Timestamp,
    /// Its name: a state it came to, `began`, `compacted` or `heartbeat`.
    what: &'static str,
    /// Why it failed, what the heartbeat says, what started the reflection.
    detail: Option<String>,
}

/// What happened to a session, the first first.
#[tauri::command]
pub(crate) async fn session_events(app: AppHandle, session: String) -> Answer<Vec<SessionEvent>> {
    ask_of(&app, session, |app, session| {
        let (_, entries) = sessions::timeline(app, session)?;
        let of =
            |one: TimelineEntry| SessionEvent { at: one.at, what: one.what.as_str(), detail: one.detail };
        Ok(entries.into_iter().map(of).collect())
    })
    .await
}

/// Reads what a tool answered.
#[tauri::command]
pub(crate) async fn tool_result(
    app: AppHandle,
    session: String,
    agent: String,
    call: String,
    line: u64,
) -> Answer<Option<ResultText>> {
    ask_of(&app, session, move |app, session| reading::tool_result(app, session, &agent, &call, line)).await
}

/// Writes a session down as markdown, to be copied.
#[tauri::command]
pub(crate) async fn session_text(app: AppHandle, session: String) -> Answer<String> {
    ask_of(&app, session, |app, session| {
        Ok(session_export::export_session(app, session, ExportForm::Markdown, &TimeZone::system())?.text)
    })
    .await
}

/// Writes a session down in a file that the person names; `null` where they name none.
#[tauri::command]
pub(crate) async fn export_session(app: AppHandle, session: String, html: bool) -> Answer<Option<PathBuf>> {
    let form = if html { ExportForm::Html } else { ExportForm::Markdown };
    let written = move |app: &App, session: &str| {
        session_export::export_session(app, session, form, &TimeZone::system())
    };
    let document = ask_of(&app, session, written).await?;
    let dialog = move |dialog: FileDialogBuilder<Wry>| {
        let dialog = dialog.set_file_name(&document.name);
        dialog.add_filter(form.ending(), &[form.ending()]).blocking_save_file()
    };
    let Some(path) = pick(&app, dialog).await? else { return Ok(None) };
    let written = tauri::async_runtime::spawn_blocking(move || {
        let failed = |error: std::io::Error| DesktopError::NotWritten {
            path: path.clone(),
            detail: error.to_string(),
        };
        replace_file(&path, document.text.as_bytes()).map_err(failed)?;
        Ok(Some(path))
    });
    written.await.map_err(Failure::of_system)?
}

/// Goes on with a session in a terminal.
#[tauri::command]
pub(crate) async fn resume_session(app: AppHandle, session: String) -> Answer<()> {
    let reading = ask_of(&app, session, reading::read_session).await?;
    let (Some(_), Some(directory), Some(session)) =
        (reading.resume, reading.directory, SessionId::parse(&reading.session))
    else {
        return Err(DesktopError::NothingToResume.into());
    };
    let opened = tauri::async_runtime::spawn_blocking(move || {
        terminal::resume_in_terminal(&session, Path::new(&directory))
    });
    opened.await.map_err(Failure::of_system)?
}

/// Puts a session's transcript back where Claude Code had it.
#[tauri::command]
pub(crate) async fn restore_session(app: AppHandle, session: String) -> Answer<()> {
    change(&app, move |app| archive::restore_session(&app, &session, None).map(drop)).await
}

/// Lists what was learned from one.
#[tauri::command]
pub(crate) async fn learned(app: AppHandle, session: String) -> Answer<Vec<LessonLine>> {
    ask(&app, move |app| lessons::lessons_of_session(&app, &session)).await
}

/// What a session was given, and what not, each with its reason; the first first.
#[tauri::command]
pub(crate) async fn given(app: AppHandle, session: String) -> Answer<Vec<Injection>> {
    ask_of(&app, session, |app, session| Ok(why::explain(app, Some(session))?.given)).await
}

/// Shows what was said around an entry.
#[tauri::command]
pub(crate) async fn surroundings(
    app: AppHandle,
    session: String,
    uuid: String,
    line: u64,
) -> Answer<Surroundings> {
    ask_of(&app, session, move |app, session| reading::surroundings(app, session, &uuid, line, AROUND)).await
}

/// What became of an order.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "Ordered"))]
pub(crate) struct OrderedView {
    outcome: OrderOutcome,
    words: String,
}

/// Whether it will be reflected.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum OrderOutcome {
    /// It is in the queue.
    Queued,
    /// It is being reflected already.
    Running,
    /// A limit of the queue is reached.
    Refused,
}

/// Puts a session into the queue; `again` reflects it also where nothing changed.
#[tauri::command]
pub(crate) async fn reflect(app: AppHandle, session: String, again: bool) -> Answer<OrderedView> {
    change(&app, move |app| {
        let ordered = reading::order_reflection(&app, &session, again, Timestamp::now())?;
        let (outcome, words) = match ordered {
            EnqueueOutcome::Queued(_) => (OrderOutcome::Queued, "It is in the queue.".to_owned()),
            EnqueueOutcome::AlreadyRunning(_) => {
                (OrderOutcome::Running, "A reflection is under way already.".to_owned())
            }
            EnqueueOutcome::Refused(limit) => (OrderOutcome::Refused, limit.to_string()),
        };
        Ok(OrderedView { outcome, words })
    })
    .await
}

/// Reflects all that changed, while the window looks on.
#[tauri::command]
pub(crate) async fn reflect_all(app: AppHandle) -> Answer<ReflectionView> {
    let asking = app.clone();
    let done = tauri::async_runtime::spawn_blocking(move || asking.state::<Host>().reflect()).await;
    done.map_err(Failure::of_system)?.ok_or(DesktopError::TrayGone)?
}

/// Stops after the session at hand; what was read is kept.
#[tauri::command]
pub(crate) fn stop_reflecting(app: AppHandle) {
    app.state::<Host>().send(&ToTray::StopReflecting);
}
