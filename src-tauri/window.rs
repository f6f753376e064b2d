//! The window: made when it is wanted, destroyed when it is closed, so that no webview stays in memory.

use std::sync::PoisonError;

use tauri::{AppHandle, Emitter, Manager, WebviewUrl, WebviewWindowBuilder};

use crate::desk::Desk;

/// The window's label, as the capabilities name it.
pub(crate) const LABEL: &str = "main";
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

/// Tells the open window, if there is one, that something changed.
pub(crate) fn tell<P: serde::Serialize + Clone>(app: &AppHandle, event: &str, payload: P) {
    if let Some(window) = app.get_webview_window(LABEL) {
        // A window that closes this moment needs no news.
        let _ = window.emit(event, payload);
    }
}
