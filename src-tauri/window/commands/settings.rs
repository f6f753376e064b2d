//! Settings, starting with the desktop, and whether everything works.

use afterword_app::doctor::doctor;
use afterword_app::engine_preview::{EngineOffer, EngineTrial};
use afterword_app::health::Check;
use afterword_app::settings::SettingDescription;
use afterword_app::{App, EngineCallError, EngineName, NoProgress};
use jiff::{Timestamp, Zoned};
use tauri::{AppHandle, Manager};
use tauri_plugin_autostart::ManagerExt;

use super::{Answer, ask, change};
use crate::exchange::ToTray;
use crate::failure::Failure;
use crate::window::host::Host;
use afterword_app::engine_preview;
use afterword_app::settings;

/// Lists every setting with what it holds.
#[tauri::command]
pub(crate) async fn settings(app: AppHandle) -> Answer<Vec<SettingDescription>> {
    ask(&app, |app| settings::settings(&app)).await
}

/// Changes a setting; without values it goes back to its default.
#[tauri::command]
pub(crate) async fn set_setting(app: AppHandle, key: String, values: Vec<String>) -> Answer<()> {
    change(&app, move |app| settings::change_setting(app.environment(), &key, &values)).await?;
    app.state::<Host>().send(&ToTray::Restart);
    Ok(())
}

/// Adds items to a setting that is a list.
#[tauri::command]
pub(crate) async fn add_to_setting(app: AppHandle, key: String, items: Vec<String>) -> Answer<()> {
    change(&app, move |app| settings::add_to_setting(&app, &key, &items)).await?;
    app.state::<Host>().send(&ToTray::Restart);
    Ok(())
}

/// What the person's own Claude Code would take and cost, by their own sessions.
#[tauri::command]
pub(crate) async fn engine_offer(app: AppHandle) -> Answer<EngineOffer> {
    ask(&app, |app| engine_preview::engine_offer(&app, EngineName::ClaudeCode, &mut NoProgress)).await
}

/// Asks an engine a test question, as the settings are now.
#[tauri::command]
pub(crate) async fn try_engine(app: AppHandle, engine: String) -> Answer<EngineTrial> {
    ask(&app, move |app| {
        let engine = EngineName::parse(&engine).ok_or(EngineCallError::SendsNothing)?;
        engine_preview::try_engine(&app, engine, &Zoned::now())
    })
    .await
}

/// Takes the person's own Claude Code into use, once it has answered a test question.
#[tauri::command]
pub(crate) async fn use_claude_code(app: AppHandle, daily_usd: f64) -> Answer<Option<EngineTrial>> {
    let take = move |app: App| {
        engine_preview::use_engine(&app, EngineName::ClaudeCode, None, Some(daily_usd), &Zoned::now())
    };
    let tried = change(&app, take).await?;
    app.state::<Host>().send(&ToTray::Restart);
    Ok(tried)
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
    ask(&app, |app| Ok(doctor(app.environment(), Timestamp::now()))).await
}
