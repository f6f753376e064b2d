//! The running agent: it watches, schedules and works, inside whatever process hosts it.
//!
//! One thread does everything in turns, each fed with the time; jobs have threads of their own. The window, the tray and
//! `afterword run` hold a [`RunningAgent`]; it owns no window and prints nothing. Start at [`start`], then
//! `event_loop`.

mod control;
mod dispatch;
mod event;
mod event_loop;
mod pace;
#[cfg(test)]
mod tests;
mod watch;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use jiff::{Timestamp, Zoned};

pub use event::AgentEvent;

use crate::sessions_watch::{SessionsWatch, watch_sessions};
use crate::vault_watch::{VaultWatch, watch_vault};
use afterword_app::AgentState;
use afterword_app::agent_lock::AgentLock;
use afterword_app::agent_lock::WatchMode;
use afterword_app::{App, Error};
use control::{ControlCommand, Signal};
use event::Listeners;
use event_loop::EventLoop;

/// An agent at work. Dropping it stops it.
#[derive(Debug)]
pub struct RunningAgent {
    shared: Arc<Shared>,
    wishes: Sender<Signal>,
    thread: Option<JoinHandle<()>>,
    vault: Option<VaultWatch>,
    sessions: Option<SessionsWatch>,
}

/// What the agent's thread and its holders share.
#[derive(Debug)]
struct Shared {
    state: Mutex<AgentState>,
    watching: Mutex<WatchMode>,
    /// What of the vault could not be followed up, as its watch said last.
    vault_problem: LastProblem,
    /// What the index over sessions and the archive could not take in, the last time.
    sessions_problem: LastProblem,
    paused: AtomicBool,
    listeners: Listeners,
}

impl Shared {
    fn state(&self) -> AgentState {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What the watches said last.
    fn problem(&self) -> Option<String> {
        self.vault_problem.get().or_else(|| self.sessions_problem.get())
    }

    fn watching(&self) -> WatchMode {
        self.watching.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// What a watch said last that it could not do; `None` once it could.
#[derive(Debug, Default)]
struct LastProblem(Mutex<Option<String>>);

impl LastProblem {
    fn set(&self, problem: Option<String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = problem;
    }

    fn get(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Starts to watch, schedule and work, in threads of this process. `listener` is told of everything that happens, on
/// the agent's own thread, and must return soon.
///
/// # Errors
/// [`AgentError::AlreadyRunning`](afterword_app::AgentError::AlreadyRunning) when another process does so already, and [`Error::Io`]. A database or a
/// vault that cannot be used is no error here: the agent says so, and tries again.
pub fn start(
    app: &App,
    mut listener: impl FnMut(&AgentEvent) + Send + 'static,
) -> Result<RunningAgent, Error> {
    let lock = AgentLock::take(app.paths())?;
    let shared = Arc::new(Shared {
        state: Mutex::new(AgentState::Watching),
        watching: Mutex::new(WatchMode::Waiting),
        vault_problem: LastProblem::default(),
        sessions_problem: LastProblem::default(),
        paused: AtomicBool::new(false),
        listeners: Listeners::default(),
    });
    tracing::info!(version = env!("CARGO_PKG_VERSION"), vault = ?app.config().vault, engine = app.config().engine.as_str(), "the agent starts");
    let (wishes, signals) = mpsc::channel();
    let turns = EventLoop::new(app, Arc::clone(&shared), wishes.clone());
    let inner = Arc::clone(&shared);
    let (wake, state) = (wishes.clone(), Arc::clone(&shared));
    let sessions = watch_sessions(app, move |problem| {
        if state.sessions_problem.get() != problem {
            state.sessions_problem.set(problem);
            // A thread that is gone wants nothing.
            let _ = wake.send(Signal::Command(ControlCommand::Look));
        }
    })?;
    let session_changed = sessions.changed();
    let work = move || {
        // Held until the last job is done.
        let _lock = lock;
        turns.run(&signals, &Zoned::now, &mut |event| {
            if matches!(event, AgentEvent::SessionChanged { .. }) {
                session_changed();
            }
            event.log();
            inner.listeners.publish(event);
            listener(event);
        });
    };
    let spawned = thread::Builder::new().name("afterword".to_owned()).spawn(work);
    let thread = spawned.map_err(|source| Error::Io {
        path: app.paths().state.clone(),
        action: "start the agent's thread",
        source,
    })?;
    let wake = wishes.clone();
    let state = Arc::clone(&shared);
    let mut logged = Vec::new();
    let vault = watch_vault(app, move |news| {
        // The first becomes the agent's state, which is logged with it; what stays is said once.
        for problem in news.problems.iter().skip(1).filter(|problem| !logged.contains(*problem)) {
            tracing::warn!("following the vault: {problem}");
        }
        logged.clone_from(&news.problems);
        state.vault_problem.set(news.problems.first().cloned());
        // A thread that is gone wants nothing.
        let _ = wake.send(Signal::Command(ControlCommand::Look));
    })?;
    Ok(RunningAgent { shared, wishes, thread: Some(thread), vault: Some(vault), sessions: Some(sessions) })
}

impl RunningAgent {
    /// Stops reflecting until [`RunningAgent::resume`]; sessions are followed all the same. A reflection that runs is
    /// finished.
    pub fn pause(&self) {
        self.shared.paused.store(true, Ordering::Relaxed);
        self.send_command(ControlCommand::Look);
    }

    /// Goes on after [`RunningAgent::pause`].
    pub fn resume(&self) {
        self.shared.paused.store(false, Ordering::Relaxed);
        self.send_command(ControlCommand::Look);
    }

    /// Whether it is paused.
    pub fn is_paused(&self) -> bool {
        self.shared.paused.load(Ordering::Relaxed)
    }

    /// Reflects every session that holds something new, also one that is still active.
    pub fn reflect_now(&self) {
        self.send_command(ControlCommand::ReflectNow);
    }

    /// What it is doing.
    pub fn state(&self) -> AgentState {
        self.shared.state()
    }

    /// How it learns of changes.
    pub fn watching(&self) -> WatchMode {
        self.shared.watching()
    }

    /// Everything that happens from now on.
    pub fn subscribe(&self) -> Receiver<AgentEvent> {
        self.shared.listeners.add()
    }

    /// Stops it; a job that runs is finished first, for some seconds at most.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.vault = None;
        self.sessions = None;
        self.send_command(ControlCommand::Stop);
        if let Some(thread) = self.thread.take() {
            match thread.join() {
                Ok(()) => tracing::info!("the agent has stopped"),
                Err(_) => tracing::error!("the agent's thread ended by a panic"),
            }
        }
    }

    fn send_command(&self, wish: ControlCommand) {
        // A thread that is gone wants nothing.
        let _ = self.wishes.send(Signal::Command(wish));
    }
}

impl Drop for RunningAgent {
    fn drop(&mut self) {
        self.end();
    }
}

/// The time as it goes by; tests bring one of their own.
type Clock<'a> = &'a dyn Fn() -> Zoned;

fn timestamp(clock: Clock<'_>) -> Timestamp {
    clock().timestamp()
}
