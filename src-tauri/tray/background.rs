//! The agent in the background: inside this program, or in another one that was there first. What it tells goes to the icon, to
//! the window and to the notifications.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use afterword_app::install;
use afterword_app::log::{self, LogFile};
use afterword_app::overview::{self, AgentActivity};
use afterword_app::{AgentError, AgentState, Error};
use afterword_daemon::run;
use afterword_daemon::{AgentEvent, RunningAgent};
use tauri::{AppHandle, Manager};

use super::{foreground, icon, notify, window};
use crate::command;
use crate::context::RequestContext;
use crate::display;
use crate::exchange::{AgentStatus, ToWindow};
use crate::opening;
use afterword_app::agent_lock;

/// The agent, where it is at work inside this program.
#[derive(Debug, Default)]
pub(crate) struct Background {
    running: Mutex<Option<RunningAgent>>,
    /// One look at a time: an older one must not show itself after a newer one.
    looking: Mutex<()>,
    /// A look is asked for and has not begun.
    is_asked: AtomicBool,
    /// One at a time draws the icon, and not before this.
    drawing: Mutex<Option<Instant>>,
    /// A drawing is asked for and has not begun.
    is_to_be_drawn: AtomicBool,
}

/// The icon is drawn anew after a rest so many times as long as it took: of a large vault, counting what waits takes a while.
const REST: u32 = 4;

impl Background {
    fn running(&self) -> MutexGuard<'_, Option<RunningAgent>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts the agent, unless another program has; before a vault was chosen there is nothing for it to do.
pub(crate) fn start(app: &AppHandle) {
    let app = app.clone();
    tauri::async_runtime::spawn_blocking(move || {
        let context = app.state::<RequestContext>();
        let mut running = app.state::<Background>().inner().running();
        // Settings that cannot be read are said by the window.
        let agent = context.app().ok().filter(|agent| agent.config().vault.is_some() && running.is_none());
        if let Some(agent) = agent {
            if matches!(agent_lock::running_agent(agent.paths()), Ok(None)) {
                // Without a log the agent works all the same; `afterword doctor` says what is wrong with the folder.
                drop(log::start(&agent, LogFile::Agent));
            }
            if let Some(command) = command::path() {
                install::renew_copy(&agent, command);
            }
            let listener = app.clone();
            *running = match run::start(&agent, move |event| on_event(&listener, event)) {
                Ok(agent) => Some(agent),
                // This program then looks on, and the window says so.
                Err(Error::Agent(AgentError::AlreadyRunning { .. })) => None,
                Err(error) => {
                    log::failure(&error);
                    None
                }
            };
        }
        drop(running);
        refresh(&app);
    });
}

/// Starts the agent anew, under the settings as they are now.
pub(crate) fn restart(app: &AppHandle) {
    let stopping = app.clone();
    tauri::async_runtime::spawn_blocking(move || {
        let running = stopping.state::<Background>().running().take();
        if let Some(running) = running {
            let paused = running.is_paused();
            running.stop();
            start(&stopping);
            if paused {
                pause(&stopping, true);
            }
        }
        refresh(&stopping);
    });
}

/// Stops the agent; a job that runs is finished first.
pub(crate) fn stop(app: &AppHandle) {
    foreground::stop_reflecting(app);
    drop(app.state::<Background>().running().take());
}

/// What is being done now, here or in the other program.
fn agent_status(app: &AppHandle) -> AgentStatus {
    let here = app.state::<Background>().running().as_ref().map(state);
    let elsewhere = || agent_lock::running_agent(app.state::<RequestContext>().app().ok()?.paths()).ok()?;
    let (works_here, state) = match here {
        Some(state) => (true, Some(state)),
        None => match elsewhere() {
            Some(card) => (false, card.map(|card| card.state)),
            None => (true, None),
        },
    };
    let mut doing = AgentActivity { reflecting: foreground::is_reflecting(app), ..AgentActivity::default() };
    match state {
        Some(AgentState::Reflecting) => doing.reflecting = true,
        Some(AgentState::Paused) => doing.paused = true,
        Some(AgentState::Error { message }) => doing.failure = Some(message),
        _ => {}
    }
    AgentStatus { doing, works_here, in_tray: display::shows_tray() }
}

/// What the agent does; what the person asked for counts before the agent has come to it.
fn state(running: &RunningAgent) -> AgentState {
    match running.state() {
        _ if running.is_paused() => AgentState::Paused,
        AgentState::Paused => AgentState::Watching,
        state => state,
    }
}

/// Looks how things stand, tells the window, and shows it in the tray.
pub(crate) fn refresh(app: &AppHandle) {
    if app.state::<Background>().is_asked.swap(true, Ordering::AcqRel) {
        return;
    }
    let app = app.clone();
    tauri::async_runtime::spawn_blocking(move || {
        let background = app.state::<Background>();
        let alone = background.looking.lock().unwrap_or_else(PoisonError::into_inner);
        // What changes from here on asks for another look.
        background.is_asked.store(false, Ordering::Release);
        window::send(&app, ToWindow::Standing { standing: agent_status(&app) });
        drop(alone);
        // Who waits to draw draws how things stand then.
        if !background.is_to_be_drawn.swap(true, Ordering::AcqRel) {
            update_tray(&app, &background);
        }
    });
}

fn update_tray(app: &AppHandle, background: &Background) {
    let mut not_before = background.drawing.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(rest) = not_before.and_then(|time| time.checked_duration_since(Instant::now())) {
        std::thread::sleep(rest);
    }
    background.is_to_be_drawn.store(false, Ordering::Release);
    let began = Instant::now();
    match app.state::<RequestContext>().app() {
        Ok(agent) => icon::set(app, &overview::overview(&agent, &agent_status(app).doing)),
        Err(error) => icon::set_broken(app, &error.chain()),
    }
    *not_before = Some(Instant::now() + began.elapsed() * REST);
}

/// Reflects what changed, as the tray's menu asks for it.
pub(crate) fn reflect_now(app: &AppHandle) {
    if let Some(running) = app.state::<Background>().running().as_ref() {
        running.reflect_now();
        return;
    }
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        // What went wrong is in the tray.
        let _ = foreground::reflect_all(&app, refresh).await;
    });
}

/// Pauses, or goes on.
pub(crate) fn pause(app: &AppHandle, paused: bool) {
    if let Some(running) = app.state::<Background>().running().as_ref() {
        if paused { running.pause() } else { running.resume() }
    }
    refresh(app);
}

/// Pauses where it goes on, and the other way round.
pub(crate) fn toggle_pause(app: &AppHandle) {
    let paused = app.state::<Background>().running().as_ref().is_some_and(RunningAgent::is_paused);
    pause(app, !paused);
}

/// Shows the vault in the file manager, or asks for one. Where the menu was used no window is open, so a notification says why it
/// could not be shown; a click on it opens the settings.
pub(crate) fn open_vault(app: &AppHandle) {
    let vault = app.state::<RequestContext>().app().ok().and_then(|agent| agent.config().vault.clone());
    let Some(vault) = vault else { return window::open(app, "settings") };
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        if let Err(failure) = opening::open_path(&vault).await
            && !notify::of_failure(&app, "The vault could not be opened", failure.message(), "settings")
        {
            window::open(&app, "settings");
        }
    });
}

/// Runs on the agent's own thread.
fn on_event(app: &AppHandle, event: &AgentEvent) {
    match event {
        // They come often; only an open window wants to know.
        AgentEvent::SessionChanged { .. } => window::send(app, ToWindow::Changed),
        _ => refresh(app),
    }
    notify::of(app, event);
}
