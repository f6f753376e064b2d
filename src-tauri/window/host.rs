//! The tray's program, seen from the window: what it says is kept or shown, and it is told what was asked of it.

use std::collections::BTreeMap;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tauri::{AppHandle, Manager};

use crate::exchange::{self, AgentStatus, ReflectionView, ToTray};
use crate::failure::Failure;

/// How long the page waits to hear how things stand; the agent may just be starting.
const FIRST_WORDS: Duration = Duration::from_secs(10);
/// How long a window may take to end that nobody speaks to any more.
const LAST: Duration = Duration::from_secs(30);

/// What became of a reflection, as the page is told it.
pub(crate) type Outcome = Result<ReflectionView, Failure>;

/// What is known of the tray's program, and what it was asked.
#[derive(Debug)]
pub(crate) struct Host {
    known: Mutex<HostState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct HostState {
    /// The page the window begins with, until it was asked for.
    route: String,
    standing: Option<AgentStatus>,
    /// Who waits for which reflection.
    waiting: BTreeMap<u64, Sender<Outcome>>,
    last_number: u64,
    /// Use cases under way that change something.
    changing: usize,
}

/// Something is being changed; the window's end waits for it.
#[derive(Debug)]
pub(crate) struct ChangeGuard(AppHandle);

impl Drop for ChangeGuard {
    fn drop(&mut self) {
        let host = self.0.state::<Host>();
        host.state().changing -= 1;
        host.changed.notify_all();
    }
}

impl Host {
    pub(crate) fn new(route: String) -> Self {
        Self { known: Mutex::new(HostState { route, ..HostState::default() }), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, HostState> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the tray's program. Where it is gone this one is about to end as well.
    pub(crate) fn send(&self, words: &ToTray) {
        // The end of that program is told by its pipe.
        let _ = exchange::write(&mut std::io::stdout().lock(), words);
    }

    /// The page to begin with, once.
    pub(crate) fn route(&self) -> String {
        std::mem::take(&mut self.state().route)
    }

    /// How things stand, as far as it was said; waits for the first time.
    pub(crate) fn agent_status(&self) -> AgentStatus {
        let unknown = |known: &mut HostState| known.standing.is_none();
        let waited = self.changed.wait_timeout_while(self.state(), FIRST_WORDS, unknown);
        let (known, _) = waited.unwrap_or_else(PoisonError::into_inner);
        known.standing.clone().unwrap_or_default()
    }

    pub(crate) fn set(&self, standing: AgentStatus) {
        self.state().standing = Some(standing);
        self.changed.notify_all();
    }

    /// Has all reflected that changed; `None` where nobody answers.
    pub(crate) fn reflect(&self) -> Option<Outcome> {
        let (done, outcome) = channel();
        let number = {
            let mut known = self.state();
            known.last_number += 1;
            let number = known.last_number;
            known.waiting.insert(number, done);
            number
        };
        self.send(&ToTray::Reflect { number });
        outcome.recv().ok()
    }

    pub(crate) fn finish_reflection(&self, number: u64, outcome: Outcome) {
        if let Some(waiting) = self.state().waiting.remove(&number) {
            // The page may have gone on.
            let _ = waiting.send(outcome);
        }
    }

    /// Waits, but not for ever, until what was begun is done.
    pub(crate) fn finish(&self, patience: Duration) {
        let busy = |known: &mut HostState| known.changing > 0;
        drop(self.changed.wait_timeout_while(self.state(), patience, busy));
    }
}

/// Notes that something is being changed, until what it gives is dropped.
pub(crate) fn guard_change(app: &AppHandle) -> ChangeGuard {
    app.state::<Host>().state().changing += 1;
    ChangeGuard(app.clone())
}

/// Listens to the tray's program from here on, and ends the window's with it.
pub(crate) fn listen(app: &AppHandle) {
    let app = app.clone();
    std::thread::spawn(move || {
        exchange::read(std::io::stdin(), |words| super::deliver(&app, words));
        app.exit(0);
        std::thread::sleep(LAST);
        // The window hangs, and whoever could end it is gone.
        std::process::exit(1);
    });
}
