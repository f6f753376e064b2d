//! The first run: what is there, the vault, joining Claude Code.

use std::path::PathBuf;

use afterword_app::init::{InitReport, change_vault};
use afterword_app::install::{self, Direction, Scope};
use afterword_app::setup::{self, SetupScan};
use serde::Serialize;
use tauri::{AppHandle, Manager};
use tauri_plugin_dialog::FileDialogBuilder;

use super::{Answer, ask, change, pick};
use crate::command;
use crate::desktop_error::DesktopError;
use crate::exchange::ToTray;
use crate::window::host::Host;

/// A vault that was set up.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "ChosenVault"))]
pub(crate) struct VaultView {
    vault: PathBuf,
    in_obsidian: bool,
    installed: usize,
}

impl From<InitReport> for VaultView {
    fn from(done: InitReport) -> Self {
        Self { vault: done.vault, in_obsidian: done.in_obsidian, installed: done.installed.len() }
    }
}

/// How Afterword would join Claude Code.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "Hooks"))]
pub(crate) struct HooksView {
    /// The command is there to be started.
    possible: bool,
    installed: bool,
    files: Vec<FileView>,
}

impl HooksView {
    fn impossible() -> Self {
        Self { possible: false, installed: false, files: Vec::new() }
    }
}

/// A file before and after.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "HookFile"))]
pub(crate) struct FileView {
    path: PathBuf,
    before: Option<String>,
    after: Option<String>,
}

/// Looks around.
#[tauri::command]
pub(crate) async fn setup(app: AppHandle) -> Answer<SetupScan> {
    ask(&app, |app| setup::scan_setup(&app)).await
}

/// Lets the person pick a folder.
#[tauri::command]
pub(crate) async fn pick_folder(app: AppHandle) -> Answer<Option<PathBuf>> {
    pick(&app, FileDialogBuilder::blocking_pick_folder).await
}

/// Makes a folder the vault.
#[tauri::command]
pub(crate) async fn choose_vault(app: AppHandle, folder: PathBuf) -> Answer<VaultView> {
    change(&app, move |app| Ok(change_vault(app.environment(), &folder)?.into())).await
}

/// The first run is over: the work in the background begins.
#[tauri::command]
pub(crate) fn begin(app: AppHandle) {
    app.state::<Host>().send(&ToTray::Begin);
}

/// Shows what joining Claude Code would change.
#[tauri::command]
pub(crate) async fn hooks(app: AppHandle) -> Answer<HooksView> {
    let Some(command) = command::path() else { return Ok(HooksView::impossible()) };
    ask(&app, move |app| {
        let program = install::program(&app, command)?;
        if !program.exists() {
            return Ok(HooksView::impossible());
        }
        let plan = install::plan(&app, Direction::Install, &Scope::User, program.path())?;
        let files = plan.changes().iter().map(|change| FileView {
            path: change.path.clone(),
            before: change.before.clone(),
            after: change.after.clone(),
        });
        Ok(HooksView { possible: true, installed: plan.changes().is_empty(), files: files.collect() })
    })
    .await
}

/// Joins Claude Code, or leaves it as it was before.
#[tauri::command]
pub(crate) async fn set_hooks(app: AppHandle, on: bool) -> Answer<()> {
    let command = command::path().filter(|command| command.is_file());
    let command = command.ok_or(DesktopError::NoCommand)?;
    let direction = if on { Direction::Install } else { Direction::Uninstall };
    change(&app, move |app| {
        let program = install::program(&app, command)?;
        if on {
            install::put_in_place(&program)?;
        }
        Ok(install::plan(&app, direction, &Scope::User, program.path())?.apply()?)
    })
    .await
}
