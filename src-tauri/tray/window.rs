//! The window, seen from the tray: a process of its own, started when the window is wanted and ended with it. So a closed window
//! leaves nothing behind, and a page that brings its webview down takes nothing with it.

use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tauri::{AppHandle, Manager};

use super::graphics::Graphics;
use crate::WINDOW;
use crate::display;
use crate::exchange::{self, ToTray, ToWindow};

/// Lines that wait for a window which does not read; further ones are dropped, as a line only says that something changed.
const UNREAD: usize = 256;

/// The window's process.
#[derive(Debug)]
pub(crate) struct Window {
    /// This program, looked up while its file is certain to be there.
    program: std::io::Result<PathBuf>,
    graphics: Graphics,
    open: Mutex<OpenWindow>,
    /// Does what the window says.
    hear: fn(&AppHandle, ToTray),
}

#[derive(Debug, Default)]
struct OpenWindow {
    /// Where there is none there is no window.
    say: Option<SyncSender<ToWindow>>,
    /// The page it was asked to come with, until it came.
    asked: Option<String>,
}

impl Window {
    /// Takes what the window's process is started with from this one, as it was started itself; `hear` does what the window says.
    pub(crate) fn of_process(hear: fn(&AppHandle, ToTray)) -> Self {
        let (program, graphics) = (std::env::current_exe(), Graphics::of_process());
        Self { program, graphics, open: Mutex::default(), hear }
    }

    fn open(&self) -> MutexGuard<'_, OpenWindow> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Brings the window to the front, starting it where there is none. `route` is the page to go to (`review/ID`, `settings`); empty
/// for wherever the window is.
pub(crate) fn open(app: &AppHandle, route: &str) {
    let window = app.state::<Window>();
    let mut open = window.open();
    let Some(say) = &open.say else { return start(app, &window, &mut open, route) };
    // One that is about to end is started anew when it has.
    let _ = say.try_send(ToWindow::Come { route: route.to_owned() });
    open.asked = Some(route.to_owned());
}

/// Tells the open window, if there is one.
pub(crate) fn send(app: &AppHandle, words: ToWindow) {
    if let Some(say) = &app.state::<Window>().open().say {
        // One that is about to end needs no news.
        let _ = say.try_send(words);
    }
}

/// Lets the window go: it ends when nobody speaks to it any more.
pub(crate) fn close(app: &AppHandle) {
    app.state::<Window>().open().say = None;
}

#[expect(clippy::print_stderr, reason = "there is no window to show the problem in")]
fn start(app: &AppHandle, window: &Window, open: &mut OpenWindow, route: &str) {
    let started = window.program.as_ref().map_err(ToString::to_string).and_then(|program| {
        let mut command = Command::new(program);
        command.args([WINDOW, route]).stdin(Stdio::piped()).stdout(Stdio::piped());
        window.graphics.set_environment(&mut command);
        command.spawn().map_err(|error| error.to_string())
    });
    let mut child = match started {
        Ok(child) => child,
        Err(error) => {
            tracing::error!("the window does not open: {error}");
            eprintln!("afterword-desktop: the window does not open: {error}");
            return;
        }
    };
    let (say, heard) = sync_channel(UNREAD);
    let words = child.stdin.take();
    std::thread::spawn(move || send_messages(words, &heard));
    let listener = app.clone();
    std::thread::spawn(move || listen_to_window(&listener, child));
    *open = OpenWindow { say: Some(say), asked: None };
    (window.hear)(app, ToTray::Changed);
}

fn send_messages(to: Option<ChildStdin>, heard: &Receiver<ToWindow>) {
    let Some(mut to) = to else { return };
    while let Ok(words) = heard.recv() {
        if exchange::write(&mut to, &words).is_err() {
            return;
        }
    }
}

/// Listens to the window until it is gone.
fn listen_to_window(app: &AppHandle, mut child: Child) {
    if let Some(words) = child.stdout.take() {
        exchange::read(words, |words| match words {
            ToTray::Came => app.state::<Window>().open().asked = None,
            words => (app.state::<Window>().hear)(app, words),
        });
    }
    // It speaks no more; where it hangs nevertheless, it has lost its window.
    let _ = child.kill();
    let _ = child.wait();
    let window = app.state::<Window>();
    let mut open = window.open();
    let asked = open.asked.take();
    open.say = None;
    // It was closed in the moment it was asked to come.
    if let Some(route) = asked {
        start(app, &window, &mut open, &route);
    } else if !display::shows_tray() {
        // Nothing of it could be seen any more, or ended.
        app.exit(0);
    }
}
