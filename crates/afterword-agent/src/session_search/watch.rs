//! Keeping the index and the archive up to date in the background, without a busy core.
//!
//! The thread sleeps until a session changed, or a while passed; then it takes in what is new, resting as long as it works. What
//! fails is told, and tried again the next time.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::Pause;
use crate::{Agent, Error};

/// After the start: what a person waits for comes first.
const FIRST: Duration = Duration::from_secs(10);
/// After a change: more of them follow it.
const SETTLE: Duration = Duration::from_secs(20);
/// Without a change that was told.
const SURE: Duration = Duration::from_secs(300);
/// Work that is done between two rests, which are as long.
const AT_A_TIME: Duration = Duration::from_millis(50);

/// The thread. Dropping it stops it.
#[derive(Debug)]
pub(crate) struct SessionsWatch {
    signals: Sender<Signal>,
    thread: Option<JoinHandle<()>>,
}

enum Signal {
    Changed,
    Stop,
}

impl Agent {
    /// Keeps the index over sessions, and the archive, up to date until the watch is dropped. After each time `told` hears what
    /// failed, if anything: what is not copied is lost once Claude Code deletes it.
    pub(crate) fn watch_sessions(
        &self,
        told: impl Fn(Option<String>) + Send + 'static,
    ) -> Result<SessionsWatch, Error> {
        let (signals, came) = mpsc::channel();
        let agent = self.clone();
        let spawned = thread::Builder::new().name("afterword-sessions".to_owned());
        let thread = spawned.spawn(move || run(&agent, &came, &told)).map_err(|source| Error::Io {
            path: self.paths.state.clone(),
            action: "start the thread of the sessions' index",
            source,
        })?;
        Ok(SessionsWatch { signals, thread: Some(thread) })
    }
}

impl SessionsWatch {
    /// What tells the thread that a session changed.
    pub(crate) fn changed(&self) -> impl Fn() + Send + use<> {
        let signals = self.signals.clone();
        // A thread that is gone wants nothing.
        move || drop(signals.send(Signal::Changed))
    }
}

impl Drop for SessionsWatch {
    fn drop(&mut self) {
        let _ = self.signals.send(Signal::Stop);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn run(agent: &Agent, came: &Receiver<Signal>, told: &dyn Fn(Option<String>)) {
    let mut wait = FIRST;
    loop {
        match came.recv_timeout(wait) {
            Ok(Signal::Changed) => wait = SETTLE,
            Err(RecvTimeoutError::Timeout) => {
                let mut pause = Rests { came, worked_since: Instant::now(), is_stopped: false };
                let problem = take_in(agent, &mut pause).unwrap_or_else(|error| Some(error.to_string()));
                if pause.is_stopped {
                    return;
                }
                told(problem);
                wait = SURE;
            }
            Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// Copies and indexes what is new; gives the first that could not be copied.
fn take_in(agent: &Agent, pause: &mut Rests<'_>) -> Result<Option<String>, Error> {
    let agent = agent.with_settings_read_again()?;
    let archived = agent.archive_sessions(pause);
    // The one does not wait for the other.
    let indexed = agent.index_sessions(pause);
    let problem = archived?.and_then(|done| done.problems.into_iter().next());
    // A transcript that cannot be read is told by `doctor`.
    indexed.map(|_| problem)
}

/// Rests as long as it worked, and hears when to stop.
struct Rests<'c> {
    came: &'c Receiver<Signal>,
    worked_since: Instant,
    is_stopped: bool,
}

impl Pause for Rests<'_> {
    fn rest(&mut self) -> bool {
        let worked = self.worked_since.elapsed();
        if worked < AT_A_TIME || self.is_stopped {
            return !self.is_stopped;
        }
        let until = Instant::now() + worked;
        loop {
            match self.came.recv_timeout(until.saturating_duration_since(Instant::now())) {
                // What changed is looked at again by and by.
                Ok(Signal::Changed) => {}
                Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => self.is_stopped = true,
                Err(RecvTimeoutError::Timeout) => break,
            }
            if self.is_stopped {
                break;
            }
        }
        self.worked_since = Instant::now();
        !self.is_stopped
    }
}
