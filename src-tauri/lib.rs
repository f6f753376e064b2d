//! The desktop shell: the tray icon, the window, notifications, and what the window may ask.
//!
//! Two programs started from one file. The tray's program stays: it hosts the agent, shows the icon and tells the news. The window's
//! program is started by it when a window is wanted, has the page and its commands, and ends with its window, so that nothing of a
//! webview stays in memory. Both ask the agent's use cases and hold no rule of any kind. Start reading at [`run`], then
//! `exchange.rs`.

mod desk;
mod exchange;
mod failure;
mod tray;
mod window;

use std::process::ExitCode;

use tauri::{Context, generate_context};

/// Starts without a window: what the desktop starts by itself says this.
const TRAY_ONLY: &str = "--tray";
/// Starts the window's program, as the tray's program does; the page to show follows.
const WINDOW: &str = "--window";

/// Runs the tray's program until the person quits, or the window's until it is closed.
#[must_use]
#[expect(clippy::print_stderr, reason = "the program's last word when it cannot start")]
pub fn run() -> ExitCode {
    if no_display() {
        eprintln!(
            "afterword-desktop: there is no display here; `afterword run` does the same work without one"
        );
        return ExitCode::FAILURE;
    }
    let mut arguments = std::env::args().skip(1);
    let done = match arguments.next() {
        Some(first) if first == WINDOW => window::run(context(), arguments.next().unwrap_or_default()),
        _ => tray::run(context()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("afterword-desktop: {error}");
            ExitCode::FAILURE
        }
    }
}

fn context() -> Context {
    generate_context!()
}

/// GTK gives up with a panic where it finds no display.
fn no_display() -> bool {
    let unset = |name| std::env::var_os(name).is_none_or(|value| value.is_empty());
    cfg!(all(unix, not(target_os = "macos"))) && unset("DISPLAY") && unset("WAYLAND_DISPLAY")
}
