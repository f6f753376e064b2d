//! Settings, starting with the desktop, and whether everything works.

use afterword_agent::config::Described;
use afterword_agent::doctor::{Check, doctor};
use jiff::Timestamp;
use tauri::{AppHandle, Manager};
use tauri_plugin_autostart::ManagerExt;

use super::{Answer, ask, change};
use crate::exchange::ToTray;
use crate::failure::Failure;
use crate::window::host::Host;

/// Lists every setting with what it holds.
#[tauri::command]
pub(crate) async fn settings(app: AppHandle) -> Answer<Vec<Described>> {
    ask(&app, |agent| agent.settings()).await
}

/// Changes a setting; without values it goes back to its default.
#[tauri::command]
pub(crate) async fn set_setting(app: AppHandle, key: String, values: Vec<String>) -> Answer<()> {
    change(&app, move |agent| agent.change_setting(&key, &values)).await?;
    app.state::<Host>().say(&ToTray::Restart);
    Ok(())
}

/// Whether the program starts with the desktop.
#[tauri::command]
pub(crate) fn autostart(app: AppHandle) -> Answer<bool> {
    app.autolaunch().is_enabled().map_err(Failure::of_system)
}

/// Makes the program start with the desktop, or not.
#[tauri::command]
pub(crate) fn set_autostart(app: AppHandle, on: bool) -> Answer<()> {
    let autostart = app.autolaunch();
    let done = if on { autostart.enable() } else { autostart.disable() };
    done.map_err(Failure::of_system)
}

/// Looks whether everything works.
#[tauri::command]
pub(crate) async fn doctor_checks(app: AppHandle) -> Answer<Vec<Check>> {
    ask(&app, |agent| Ok(doctor(agent.environment(), Timestamp::now()))).await
}
