//! The program of one window: the page, and what it may ask. It is started by the tray's program and ends with its window.

mod commands;
mod follow_up;
mod host;
mod size;

use std::time::Duration;

use afterword_app::log::{self, LogFile};
use tauri::{
    AppHandle, Context, Emitter, Manager, RunEvent, WebviewUrl, WebviewWindowBuilder, WindowEvent,
    generate_handler,
};

use self::host::Host;
use crate::TRAY_ONLY;
use crate::context::RequestContext;
use crate::display;
use crate::exchange::{ToTray, ToWindow};

/// The window's label, as the capabilities name it.
const LABEL: &str = "main";
/// Tells the page to go to another one; its payload is that page.
const GO: &str = "go";
/// Tells the page that something changed.
const CHANGED: &str = "changed";
/// Tells the page how far the reflection is that it watches.
const PROGRESS: &str = "progress";
/// How long a closed window waits for what it was asked to write; reading a large vault takes a few seconds.
const LAST_WORK: Duration = Duration::from_secs(20);

/// Every command of the page, handed to the macro `$take`.
macro_rules! commands {
    ($take:ident) => {
        $take![
            commands::about,
            commands::overview,
            commands::route,
            commands::quit,
            commands::review::queue,
            commands::review::item,
            commands::review::answer,
            commands::review::answers,
            commands::review::undo,
            commands::conflicts::conflicts,
            commands::conflicts::resolve_conflict,
            commands::checks::binding,
            commands::checks::bind,
            commands::checks::unbind,
            commands::lessons::lessons,
            commands::lessons::lesson,
            commands::lessons::archive,
            commands::lessons::archive_many,
            commands::lessons::lesson_history,
            commands::lessons::usefulness,
            commands::lessons::ideas,
            commands::lessons::research_idea,
            commands::lessons::mark_idea,
            commands::lessons::stats,
            commands::lessons::spend,
            commands::exchange::write_lesson,
            commands::exchange::plan_export,
            commands::exchange::write_export,
            commands::exchange::plan_import,
            commands::exchange::write_import,
            commands::exchange::choose_file,
            commands::exchange::pick_file,
            commands::lessons::open_note,
            commands::lessons::open_in_obsidian,
            commands::lessons::open_vault,
            commands::lessons::open_link,
            commands::sessions::sessions,
            commands::sessions::find,
            commands::sessions::timeline,
            commands::sessions::session_events,
            commands::sessions::tool_result,
            commands::sessions::session_text,
            commands::sessions::export_session,
            commands::sessions::resume_session,
            commands::sessions::restore_session,
            commands::sessions::learned,
            commands::sessions::given,
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
            commands::tasks::task_needs,
            commands::tasks::mute_task,
            commands::tasks::new_task,
            commands::tasks::say_in_task,
            commands::tasks::move_task,
            commands::tasks::reschedule_task,
            commands::tasks::limit_task,
            commands::connections::connections,
            commands::connections::connect,
            commands::connections::disconnect,
            commands::connections::add_connection,
            commands::connections::remove_connection,
            commands::projects::projects,
            commands::projects::plan_projects,
            commands::projects::change_projects,
            commands::projects::undo_projects,
            commands::keys::keys,
            commands::keys::set_key,
            commands::keys::delete_key,
            commands::settings::settings,
            commands::settings::set_setting,
            commands::settings::add_to_setting,
            commands::settings::engine_offer,
            commands::settings::try_engine,
            commands::settings::use_claude_code,
            commands::settings::autostart,
            commands::settings::set_autostart,
            commands::settings::doctor_checks,
            commands::setup::setup,
            commands::setup::pick_folder,
            commands::setup::choose_vault,
            commands::setup::begin,
            commands::setup::hooks,
            commands::setup::set_hooks,
        ]
    };
}

// After the macro, which it takes.
#[cfg(test)]
#[cfg(feature = "contract")]
mod contract;

/// Runs until the window is closed, or the tray's program is gone. `route` is the page to begin with (`review/ID`, `settings`); empty
/// for the first one.
///
/// # Errors
/// [`tauri::Error`]: there is no display, or the window cannot be made.
pub(crate) fn run(context: Context, route: String) -> tauri::Result<()> {
    display::open()?;
    let app = tauri::Builder::default()
        .plugin(
            tauri_plugin_autostart::Builder::new()
                .arg(TRAY_ONLY)
                .app_name(if afterword_app::IS_FOR_DEVELOPMENT { "Afterword-dev" } else { "Afterword" })
                .build(),
        )
        .plugin(tauri_plugin_dialog::init())
        .invoke_handler(commands!(generate_handler))
        .setup(move |app| {
            app.manage(RequestContext::of_process().with_scan_cache());
            app.manage(Host::new(route));
            follow_up::start(app.handle());
            if let Ok(app) = app.state::<RequestContext>().app() {
                // Without a log the window works all the same; `afterword doctor` says what is wrong with the folder.
                drop(log::start(&app, LogFile::Window));
            }
            host::listen(app.handle());
            let size = size::last(app.handle());
            WebviewWindowBuilder::new(app, LABEL, WebviewUrl::default())
                .title("Afterword")
                .inner_size(size.width, size.height)
                .maximized(size.maximized)
                .min_inner_size(640.0, 440.0)
                .zoom_hotkeys_enabled(true)
                .build()?;
            Ok(())
        })
        .build(context)?;
    app.run(|app, event| match event {
        RunEvent::WindowEvent { event: WindowEvent::CloseRequested { .. }, .. } => size::save(app),
        RunEvent::Exit => app.state::<Host>().finish(LAST_WORK),
        _ => {}
    });
    Ok(())
}

/// Does what the tray says.
#[expect(clippy::print_stderr, reason = "there is no other place to show the problem in")]
fn deliver(app: &AppHandle, words: ToWindow) {
    let done = match words {
        ToWindow::Come { route } => show(app, &route),
        ToWindow::Changed => app.emit(CHANGED, ()),
        ToWindow::Standing { standing } => {
            app.state::<Host>().set(standing);
            app.emit(CHANGED, ())
        }
        ToWindow::Progress { progress } => app.emit(PROGRESS, progress),
        ToWindow::Reflected { number, outcome } => {
            app.state::<Host>().finish_reflection(number, outcome);
            Ok(())
        }
    };
    if let Err(error) = done {
        tracing::error!("the window does not follow: {error}");
        eprintln!("afterword-desktop: the window does not follow: {error}");
    }
}

fn show(app: &AppHandle, route: &str) -> tauri::Result<()> {
    // Without its window it is about to end; the tray starts another one.
    let Some(window) = app.get_webview_window(LABEL) else { return Ok(()) };
    if !route.is_empty() {
        window.emit(GO, route)?;
    }
    app.state::<Host>().send(&ToTray::Came);
    window.unminimize()?;
    window.show()?;
    window.set_focus()
}
