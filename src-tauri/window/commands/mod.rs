//! What the window may ask of the program: one thin function for each use case, nothing more.

pub(crate) mod activity;
pub(crate) mod checks;
pub(crate) mod conflicts;
pub(crate) mod connections;
pub(crate) mod exchange;
pub(crate) mod keys;
pub(crate) mod lessons;
pub(crate) mod projects;
pub(crate) mod review;
pub(crate) mod sessions;
pub(crate) mod settings;
pub(crate) mod setup;
pub(crate) mod tasks;

use std::path::PathBuf;

use afterword_app::overview::Overview;
use afterword_app::{App, Error, ErrorKind, log, overview};
use serde::Serialize;
use tauri::{AppHandle, Manager, Wry};
use tauri_plugin_dialog::{DialogExt, FileDialogBuilder, FilePath};

use super::follow_up;
use super::host::{self, Host};
use crate::context::RequestContext;
use crate::exchange::{AgentStatus, ToTray};
use crate::failure::Failure;

/// What every command answers with.
pub(crate) type Answer<T> = Result<T, Failure>;

/// Does the work where it may block: reading a vault takes a while, and the window must not wait for it.
pub(crate) async fn ask<T: Send + 'static>(
    app: &AppHandle,
    work: impl FnOnce(App) -> Result<T, Error> + Send + 'static,
) -> Answer<T> {
    let asking = app.clone();
    let done =
        tauri::async_runtime::spawn_blocking(move || asking.state::<RequestContext>().app().and_then(work));
    done.await.map_err(Failure::of_system)?.map_err(|error| {
        match error.kind() {
            ErrorKind::External | ErrorKind::Bug => tracing::warn!("{}", error.chain_with_hints()),
            _ => tracing::debug!("{}", error.chain()),
        }
        let failure = Failure::from(error);
        match app.state::<RequestContext>().app() {
            Ok(app) => failure.with_log(&log::directory(app.paths())),
            Err(_) => failure,
        }
    })
}

/// The same for work that changes something: the tray and the window look again afterwards, and a window
/// that is closed meanwhile waits for it.
pub(crate) async fn change<T: Send + 'static>(
    app: &AppHandle,
    work: impl FnOnce(App) -> Result<T, Error> + Send + 'static,
) -> Answer<T> {
    let changing = host::guard_change(app);
    let done = ask(app, move |app| {
        let done = work(app);
        drop(changing);
        done
    })
    .await;
    app.state::<Host>().send(&ToTray::Changed);
    done
}

/// The same for answers to lessons: what follows from them waits until the person stops answering.
pub(crate) async fn answering<T: Send + 'static>(
    app: &AppHandle,
    work: impl FnOnce(App) -> Result<T, Error> + Send + 'static,
) -> Answer<T> {
    let changing = host::guard_change(app);
    let done = ask(app, work).await;
    follow_up::schedule(app, changing);
    done
}

/// Lets the person name a file or a folder, in a dialog of the system's; `None` where they name none.
pub(crate) async fn pick(
    app: &AppHandle,
    dialog: impl FnOnce(FileDialogBuilder<Wry>) -> Option<FilePath> + Send + 'static,
) -> Answer<Option<PathBuf>> {
    let app = app.clone();
    let picked = tauri::async_runtime::spawn_blocking(move || dialog(app.dialog().file()));
    let picked = picked.await.map_err(Failure::of_system)?;
    picked.map(|path| path.into_path().map_err(Failure::of_system)).transpose()
}

/// Facts about the running program.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub(crate) struct About {
    version: &'static str,
}

/// Tells which version is running.
#[tauri::command]
pub(crate) fn about() -> About {
    About { version: env!("CARGO_PKG_VERSION") }
}

/// How things stand, and whether this program does the work.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "Overview"))]
pub(crate) struct OverviewView {
    #[serde(flatten)]
    overview: Overview,
    /// This program works itself; otherwise another one does, and this one only shows.
    works_here: bool,
    /// The desktop shows the tray's icon; where it does not, the program ends with its window.
    in_tray: bool,
}

/// Tells how things stand.
#[tauri::command]
pub(crate) async fn overview(app: AppHandle) -> Answer<OverviewView> {
    let host = app.clone();
    ask(&app, move |app| {
        let AgentStatus { doing, works_here, in_tray } = host.state::<Host>().agent_status();
        Ok(OverviewView { overview: overview::overview(&app, &doing), works_here, in_tray })
    })
    .await
}

/// Tells, once, the page that the window was opened for.
#[tauri::command]
pub(crate) fn route(app: AppHandle) -> String {
    app.state::<Host>().route()
}

/// Ends the program, the work in the background with it.
#[tauri::command]
pub(crate) fn quit(app: AppHandle) {
    app.state::<Host>().send(&ToTray::Quit);
}
