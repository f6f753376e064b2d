//! Sessions, and reflecting them.

use std::path::PathBuf;

use afterword_agent::lessons::LessonLine;
use afterword_agent::queue::Enqueued;
use afterword_agent::reading::{SessionReading, Surroundings};
use afterword_agent::sessions::{ListRequest, Listed, State};
use afterword_agent::why::Injection;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use tauri::{AppHandle, Manager};

use super::{Answer, ask, change};
use crate::exchange::ToTray;
use crate::window::host::{Host, Outcome};

/// Rows before and after the one that was asked for.
const AROUND: usize = 5;

/// A session in the list.
#[derive(Debug, Serialize)]
pub(crate) struct SessionView {
    session: String,
    transcript: PathBuf,
    project: Option<String>,
    state: State,
    live: bool,
    bytes: u64,
    modified: Timestamp,
    entries: Option<u64>,
    candidates: Option<u64>,
}

impl From<Listed> for SessionView {
    fn from(listed: Listed) -> Self {
        Self {
            session: listed.session.to_string(),
            transcript: listed.transcript,
            project: listed.project.map(|project| project.as_str().to_owned()),
            state: listed.state,
            live: false,
            bytes: listed.bytes,
            modified: listed.modified,
            entries: listed.reflected.map(|(entries, _)| entries),
            candidates: listed.reflected.map(|(_, candidates)| candidates),
        }
    }
}

/// Lists the sessions.
#[tauri::command]
pub(crate) async fn sessions(app: AppHandle) -> Answer<Vec<SessionView>> {
    ask(&app, |agent| {
        let live = agent.live_sessions()?;
        let listed = agent.sessions(&ListRequest::default())?;
        let view = |listed: Listed| SessionView {
            live: live.contains(&listed.session),
            ..SessionView::from(listed)
        };
        Ok(listed.into_iter().map(view).collect())
    })
    .await
}

/// Reads one; where it is long, around this line.
#[tauri::command]
pub(crate) async fn timeline(app: AppHandle, session: String, line: Option<u64>) -> Answer<SessionReading> {
    ask(&app, move |agent| agent.read_session_at(&session, line)).await
}

/// Lists what was learned from one.
#[tauri::command]
pub(crate) async fn learned(app: AppHandle, session: String) -> Answer<Vec<LessonLine>> {
    ask(&app, move |agent| agent.lessons_of_session(&session)).await
}

/// What a session was given, and what not, each with its reason; the first first.
#[tauri::command]
pub(crate) async fn given(app: AppHandle, session: String) -> Answer<Vec<Injection>> {
    ask(&app, move |agent| Ok(agent.why(Some(&session))?.given)).await
}

/// Shows what was said around an entry.
#[tauri::command]
pub(crate) async fn surroundings(
    app: AppHandle,
    session: String,
    uuid: String,
    line: u64,
) -> Answer<Surroundings> {
    ask(&app, move |agent| agent.surroundings(&session, &uuid, line, AROUND)).await
}

/// What became of an order.
#[derive(Debug, Serialize)]
pub(crate) struct OrderedView {
    outcome: &'static str,
    words: String,
}

/// Puts a session into the queue; `again` reflects it also where nothing changed.
#[tauri::command]
pub(crate) async fn reflect(app: AppHandle, session: String, again: bool) -> Answer<OrderedView> {
    change(&app, move |agent| {
        let ordered = agent.order_reflection(&session, again, Timestamp::now())?;
        Ok(match ordered {
            Enqueued::Queued(_) => OrderedView { outcome: "queued", words: "It is in the queue.".to_owned() },
            Enqueued::AlreadyRunning(_) => {
                OrderedView { outcome: "running", words: "A reflection is under way already.".to_owned() }
            }
            Enqueued::Refused(limit) => OrderedView { outcome: "refused", words: limit.to_string() },
        })
    })
    .await
}

/// Reflects all that changed, while the window looks on.
#[tauri::command]
pub(crate) async fn reflect_all(app: AppHandle) -> Outcome {
    let asking = app.clone();
    let done = tauri::async_runtime::spawn_blocking(move || asking.state::<Host>().reflect()).await;
    done.ok().flatten().unwrap_or(Err(Value::Null))
}

/// Stops after the session at hand; what was read is kept.
#[tauri::command]
pub(crate) fn stop_reflecting(app: AppHandle) {
    app.state::<Host>().say(&ToTray::StopReflecting);
}
