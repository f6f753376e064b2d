//! The program that stays: the tray icon, the agent in the background, notifications. It makes no webview.

mod background;
mod foreground;
mod graphics;
mod icon;
mod notify;
mod window;

use tauri::{AppHandle, Context, Manager, RunEvent};

use crate::TRAY_ONLY;
use crate::context::RequestContext;
use crate::display;
use crate::exchange::{ToTray, ToWindow};

/// Runs until the person quits.
///
/// # Errors
/// [`tauri::Error`]: there is no display, or the tray or a plugin cannot be begun.
pub(crate) fn run(context: Context) -> tauri::Result<()> {
    let program = window::Window::of_process(handle);
    #[cfg(target_os = "linux")]
    graphics::leave();
    // Panels show it beside the icon, in the place of the program's file name.
    #[cfg(target_os = "linux")]
    glib::set_application_name("Afterword");
    display::open()?;
    let app = tauri::Builder::default()
        // First, so that a second start ends before it does anything.
        .plugin(tauri_plugin_single_instance::init(|app, arguments, _folder| {
            if !arguments.iter().any(|argument| argument == TRAY_ONLY) {
                window::open(app, "");
            }
        }))
        .plugin(tauri_plugin_notification::init())
        .setup(move |app| {
            // The window's program has the place in the Dock.
            #[cfg(target_os = "macos")]
            app.set_activation_policy(tauri::ActivationPolicy::Accessory);
            app.manage(RequestContext::of_process());
            app.manage(background::Background::default());
            app.manage(foreground::Foreground::default());
            app.manage(notify::PendingNotices::default());
            app.manage(program);
            start(app.handle());
            notify::listen(app.handle())?;
            Ok(())
        })
        .build(context)?;
    app.run(|app, event| match event {
        // There is no window here that could be the last one.
        RunEvent::ExitRequested { code: None, api, .. } => api.prevent_exit(),
        // Opened once more in the Finder, or from the Dock.
        #[cfg(target_os = "macos")]
        RunEvent::Reopen { .. } => window::open(app, ""),
        RunEvent::Exit => {
            window::close(app);
            background::stop(app);
        }
        _ => {}
    });
    Ok(())
}

fn start(app: &AppHandle) {
    let tray_only = std::env::args().any(|argument| argument == TRAY_ONLY);
    // It takes longest, so it begins first.
    if !tray_only {
        window::open(app, "");
    }
    let has_tray = icon::show(app);
    background::start(app);
    // Without a tray the window is the only way in.
    if tray_only && !(has_tray && display::shows_tray()) {
        window::open(app, "");
    }
}

/// Does what the window says.
fn handle(app: &AppHandle, words: ToTray) {
    match words {
        // `window` has seen to this.
        ToTray::Came => {}
        ToTray::Changed => background::refresh(app),
        ToTray::Restart => background::restart(app),
        ToTray::Begin => background::start(app),
        ToTray::Pause { paused } => background::pause(app, paused),
        ToTray::Reflect { number } => {
            let app = app.clone();
            tauri::async_runtime::spawn(async move {
                let outcome = foreground::reflect_all(&app, background::refresh).await;
                window::send(&app, ToWindow::Reflected { number, outcome });
            });
        }
        ToTray::Quit => app.exit(0),
        ToTray::StopReflecting => foreground::stop_reflecting(app),
    }
}
