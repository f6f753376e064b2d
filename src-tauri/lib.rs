//! The desktop shell: the tray icon, the window, notifications, and what the window may ask.
//!
//! Owns: the tray's icon and menu, the window's life, the system's notifications, starting with the desktop, and one thin layer
//! of commands. Holds no rule of any kind: everything it shows or changes is a use case of the agent. Start reading at [`run`].

mod background;
mod commands;
mod desk;
mod failure;
mod foreground;
mod notify;
mod tray;
mod window;

use std::process::ExitCode;

use tauri::{AppHandle, Manager, RunEvent, generate_context, generate_handler};
use tauri_plugin_autostart::MacosLauncher;

use crate::desk::Desk;

/// Starts without a window: what the desktop starts by itself says this.
const TRAY_ONLY: &str = "--tray";

/// Runs until the person quits; closing the window keeps the tray.
#[must_use]
#[expect(clippy::print_stderr, reason = "the program's last word when it cannot start")]
pub fn run() -> ExitCode {
    if no_display() {
        eprintln!(
            "afterword-desktop: there is no display here; `afterword run` does the same work without one"
        );
        return ExitCode::FAILURE;
    }
    let app = tauri::Builder::default()
        // First, so that a second start ends before it does anything.
        .plugin(tauri_plugin_single_instance::init(|app, arguments, _folder| {
            if !arguments.iter().any(|argument| argument == TRAY_ONLY) {
                window::open(app, "");
            }
        }))
        .plugin(tauri_plugin_autostart::init(MacosLauncher::LaunchAgent, Some(vec![TRAY_ONLY])))
        .plugin(tauri_plugin_notification::init())
        .plugin(tauri_plugin_opener::Builder::new().open_js_links_on_click(false).build())
        .plugin(tauri_plugin_dialog::init())
        .invoke_handler(generate_handler![
            commands::about,
            commands::overview,
            commands::route,
            commands::review::queue,
            commands::review::item,
            commands::review::answer,
            commands::review::undo,
            commands::conflicts::conflicts,
            commands::conflicts::resolve_conflict,
            commands::lessons::lessons,
            commands::lessons::lesson,
            commands::lessons::archive,
            commands::lessons::ideas,
            commands::lessons::stats,
            commands::lessons::open_note,
            commands::lessons::open_in_obsidian,
            commands::lessons::open_vault,
            commands::lessons::open_link,
            commands::sessions::sessions,
            commands::sessions::timeline,
            commands::sessions::learned,
            commands::sessions::surroundings,
            commands::sessions::reflect,
            commands::sessions::reflect_all,
            commands::sessions::stop_reflecting,
            commands::activity::activity,
            commands::activity::job_log,
            commands::activity::cancel_job,
            commands::activity::retry_job,
            commands::activity::pause,
            commands::tasks::tasks,
            commands::tasks::task,
            commands::tasks::plan_task,
            commands::tasks::new_task,
            commands::tasks::say_in_task,
            commands::tasks::move_task,
            commands::keys::keys,
            commands::keys::set_key,
            commands::keys::delete_key,
            commands::settings::settings,
            commands::settings::set_setting,
            commands::settings::autostart,
            commands::settings::set_autostart,
            commands::settings::doctor_checks,
            commands::setup::setup,
            commands::setup::pick_folder,
            commands::setup::choose_vault,
            commands::setup::begin,
            commands::setup::hooks,
            commands::setup::set_hooks,
        ])
        .setup(|app| {
            app.manage(Desk::of_process());
            app.manage(background::Background::default());
            app.manage(foreground::Foreground::default());
            app.manage(notify::Pending::default());
            notify::listen(app.handle())?;
            start(app.handle());
            Ok(())
        })
        .build(generate_context!());
    match app {
        Ok(app) => {
            app.run(|app, event| match event {
                // The last window was closed: the tray stays.
                RunEvent::ExitRequested { code: None, api, .. } => {
                    api.prevent_exit();
                    #[cfg(target_os = "linux")]
                    window::end_network(app);
                }
                RunEvent::Exit => background::stop(app),
                _ => {}
            });
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("afterword-desktop: {error}");
            ExitCode::FAILURE
        }
    }
}

fn start(app: &AppHandle) {
    let has_tray = tray::show(app);
    background::start(app);
    // Without a tray the window is the only way in.
    if !has_tray || !std::env::args().any(|argument| argument == TRAY_ONLY) {
        window::open(app, "");
    }
}

/// GTK gives up with a panic where it finds no display.
fn no_display() -> bool {
    let unset = |name| std::env::var_os(name).is_none_or(|value| value.is_empty());
    cfg!(all(unix, not(target_os = "macos"))) && unset("DISPLAY") && unset("WAYLAND_DISPLAY")
}
