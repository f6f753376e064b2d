//! The window: made when it is wanted, destroyed when it is closed, so that no webview stays in memory.

use std::sync::PoisonError;

use tauri::{AppHandle, Emitter, Manager, WebviewUrl, WebviewWindowBuilder};

use crate::desk::Desk;

/// The window's label, as the capabilities name it.
pub(crate) const LABEL: &str = "main";
/// How long after the last window its network process is needed: the page's own end takes its time.
#[cfg(target_os = "linux")]
const REST: std::time::Duration = std::time::Duration::from_secs(1);
/// Tells an open window to go to another page; its payload is the page.
const GO: &str = "go";

/// Brings the window to the front, making it where there is none. `route` is the page to go to (`review/ID`,
/// `settings`); empty for wherever the window is.
#[expect(clippy::print_stderr, reason = "there is no window to show the problem in")]
pub(crate) fn open(app: &AppHandle, route: &str) {
    if let Some(window) = app.get_webview_window(LABEL) {
        let shown = window.unminimize().and_then(|()| window.show()).and_then(|()| window.set_focus());
        let gone = if route.is_empty() { Ok(()) } else { window.emit(GO, route) };
        if let Err(error) = shown.and(gone) {
            eprintln!("afterword-desktop: the window does not come to the front: {error}");
        }
        return;
    }
    if let Some(desk) = app.try_state::<Desk>() {
        route.clone_into(&mut desk.route.lock().unwrap_or_else(PoisonError::into_inner));
    }
    let app = app.clone();
    // Building a window inside a menu's or a plugin's event would wait for the loop that runs that event.
    tauri::async_runtime::spawn(async move {
        let built = WebviewWindowBuilder::new(&app, LABEL, WebviewUrl::default())
            .title("Afterword")
            .inner_size(1120.0, 760.0)
            .min_inner_size(640.0, 440.0)
            .build();
        if let Err(error) = built {
            eprintln!("afterword-desktop: the window does not open: {error}");
        }
    });
}

/// Gives back what the last window leaves: WebKitGTK keeps its network process, some 35 MiB, for as long as the program runs,
/// and starts another one by itself when a page needs it.
#[cfg(target_os = "linux")]
pub(crate) fn end_network(app: &AppHandle) {
    use rustix::process::{Pid, Signal, kill_process};

    let app = app.clone();
    tauri::async_runtime::spawn_blocking(move || {
        std::thread::sleep(REST);
        if app.get_webview_window(LABEL).is_some() {
            return;
        }
        let own = std::process::id().to_string();
        for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
            let Some(id) = process.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
            let is_network = std::fs::read_link(process.path().join("exe"))
                .is_ok_and(|exe| exe.file_name().is_some_and(|name| name == "WebKitNetworkProcess"));
            // Its fourth field, the second after the name in parentheses, is the parent.
            let parent = std::fs::read_to_string(process.path().join("stat"))
                .ok()
                .and_then(|stat| stat.rsplit(')').next()?.split_whitespace().nth(1).map(str::to_owned));
            if is_network
                && parent.as_deref() == Some(own.as_str())
                && let Some(id) = Pid::from_raw(id)
            {
                // It may have ended by itself.
                let _ = kill_process(id, Signal::TERM);
            }
        }
    });
}

/// Tells the open window, if there is one, that something changed.
pub(crate) fn tell<P: serde::Serialize + Clone>(app: &AppHandle, event: &str, payload: P) {
    if let Some(window) = app.get_webview_window(LABEL) {
        // A window that closes this moment needs no news.
        let _ = window.emit(event, payload);
    }
}
