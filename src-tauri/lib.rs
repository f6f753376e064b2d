//! The desktop shell: the tray icon, the window, notifications, and what the window may ask.
//!
//! Two programs started from one file. The tray's program stays: it hosts the agent, shows the icon and tells the news. The window's
//! program is started by it when a window is wanted, has the page and its commands, and ends with its window, so that nothing of a
//! webview stays in memory. Both ask the agent's use cases and hold no rule of any kind. Start reading at [`run`], then
//! `exchange.rs`.

mod command;
mod context;
mod desktop_error;
mod display;
mod exchange;
mod failure;
mod opening;
mod terminal;
mod tray;
mod window;

use std::process::ExitCode;

use tauri::{Context, generate_context};

/// Starts without a window: what the desktop starts by itself says this.
const TRAY_ONLY: &str = "--tray";
/// Starts the window's program, as the tray's program does; the page to show follows.
const WINDOW: &str = "--window";

const HELP: &str = "\
The tray icon and the window of Afterword.

Usage: afterword-desktop [--tray]

Options:
      --tray     Start in the tray, without the window
  -h, --help     Show this
  -V, --version  Show the version

The commands are those of `afterword`; see `afterword --help`.";

/// Runs the tray's program until the person quits, or the window's until it is closed.
#[must_use]
#[expect(
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "what was asked for, and the last word where it cannot start"
)]
pub fn run() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let first = arguments.next();
    let done = match first.as_deref() {
        Some("--help" | "-h") => {
            println!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Some("--version" | "-V") => {
            println!("afterword-desktop {}", env!("CARGO_PKG_VERSION"));
            return ExitCode::SUCCESS;
        }
        Some(WINDOW) => window::run(context(), arguments.next().unwrap_or_default()),
        None | Some(TRAY_ONLY) => tray::run(context()),
        Some(other) if other.starts_with("--") => {
            eprintln!("afterword-desktop: `{other}` is no option of it; see `afterword-desktop --help`");
            return ExitCode::from(2);
        }
        // What a desktop adds by itself, such as macOS's `-psn_…`.
        Some(_) => tray::run(context()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error}");
            eprintln!("afterword-desktop: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The page, the icons and `tauri.conf.json`. A build for development is another program to the desktop: it finds no instance of the
/// installed one.
fn context() -> Context {
    let mut context = generate_context!();
    if afterword_app::IS_FOR_DEVELOPMENT {
        context.config_mut().identifier.push_str(".dev");
    }
    context
}
