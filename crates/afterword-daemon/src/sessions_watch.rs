//! Keeping the index and the archive up to date in the background, without a busy core.
//!
//! The thread sleeps until a session changed, or a while passed; then it takes in what is new, resting as long as it works. What
//! fails is told, and tried again the next time.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use afterword_app::pause::Pause;
use afterword_app::session_search::index_sessions;
use afterword_app::{App, Error, archive};

/// After the start: what a person waits for comes first.
const FIRST_PAUSE: Duration = Duration::from_secs(10);
/// After the first change of several: more of them follow it.
const SETTLING_TIME: Duration = Duration::from_secs(20);
/// Without a change that was told, and after a failure.
const LONGEST_PAUSE: Duration = Duration::from_secs(300);
/// Work that is done between two rests, which are as long.
const WORK_SLICE: Duration = Duration::from_millis(50);

/// The thread. Dropping it stops it.
#[derive(Debug)]
pub(crate) struct SessionsWatch {
    signals: Sender<SessionsSignal>,
    thread: Option<JoinHandle<()>>,
}

enum SessionsSignal {
    Changed,
    Stop,
}

/// Keeps the index over sessions, and the archive, up to date until the watch is dropped. Each time `looked` is told what
/// failed; `None` when nothing did.
pub(crate) fn watch_sessions(
    app: &App,
    looked: impl Fn(Option<String>) + Send + 'static,
) -> Result<SessionsWatch, Error> {
    let (signals, came) = mpsc::channel();
    let own = app.clone();
    let spawned = thread::Builder::new().name("afterword-sessions".to_owned());
    let thread = spawned.spawn(move || run(&own, &came, &looked)).map_err(|source| Error::Io {
        path: app.paths().state.clone(),
        action: "start the thread of the sessions' index",
        source,
    })?;
    Ok(SessionsWatch { signals, thread: Some(thread) })
}

impl SessionsWatch {
    /// What tells the thread that a session changed.
    pub(crate) fn changed(&self) -> impl Fn() + Send + use<> {
        let signals = self.signals.clone();
        // A thread that is gone wants nothing.
        move || drop(signals.send(SessionsSignal::Changed))
    }
}

impl Drop for SessionsWatch {
    fn drop(&mut self) {
        // A thread that is gone has stopped.
        let _ = self.signals.send(SessionsSignal::Stop);
        if let Some(thread) = self.thread.take() {
            // Its panic was said where it happened.
            let _ = thread.join();
        }
    }
}

fn run(app: &App, came: &Receiver<SessionsSignal>, looked: &dyn Fn(Option<String>)) {
    let mut next = NextScan::after_start(Instant::now());
    loop {
        match came.recv_timeout(next.at.saturating_duration_since(Instant::now())) {
            Ok(SessionsSignal::Changed) => next.changed(Instant::now()),
            Err(RecvTimeoutError::Timeout) => {
                let mut pause = BackgroundPause::new(came);
                let problem = take_in(app, &mut pause).unwrap_or_else(|error| Some(error.chain_with_hints()));
                if pause.is_stopped {
                    return;
                }
                next = NextScan::after_work(Instant::now(), pause.has_changed && problem.is_none());
                looked(problem);
            }
            Ok(SessionsSignal::Stop) | Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// When to look next.
#[derive(Debug, Clone, Copy)]
struct NextScan {
    at: Instant,
    is_for_change: bool,
}

impl NextScan {
    fn after_start(now: Instant) -> Self {
        Self { at: now + FIRST_PAUSE, is_for_change: false }
    }

    fn after_work(now: Instant, has_changed: bool) -> Self {
        Self { at: now + if has_changed { SETTLING_TIME } else { LONGEST_PAUSE }, is_for_change: has_changed }
    }

    /// A session changed. Changes that follow put nothing off, else a session that is always at work would never be looked at.
    fn changed(&mut self, now: Instant) {
        if !self.is_for_change {
            *self = Self { at: self.at.min(now + SETTLING_TIME), is_for_change: true };
        }
    }
}

/// Copies and indexes what is new; gives the first session that could not be copied: it is lost once Claude Code deletes it.
fn take_in(app: &App, pause: &mut BackgroundPause<'_>) -> Result<Option<String>, Error> {
    let app = app.with_settings_read_again()?;
    let archived = archive::archive_sessions(&app, pause);
    // The one does not wait for the other.
    let indexed = index_sessions(&app, pause);
    let problem = archived?.and_then(|done| done.problems.into_iter().next());
    // A transcript that cannot be read is told by `doctor`.
    indexed.map(|_| problem)
}

/// Rests as long as it worked, and hears when to stop, and whether something changed meanwhile.
struct BackgroundPause<'c> {
    came: &'c Receiver<SessionsSignal>,
    worked_since: Instant,
    has_changed: bool,
    is_stopped: bool,
}

impl<'c> BackgroundPause<'c> {
    fn new(came: &'c Receiver<SessionsSignal>) -> Self {
        Self { came, worked_since: Instant::now(), has_changed: false, is_stopped: false }
    }
}

impl Pause for BackgroundPause<'_> {
    fn rest(&mut self) -> bool {
        let worked = self.worked_since.elapsed();
        if worked < WORK_SLICE || self.is_stopped {
            return !self.is_stopped;
        }
        let until = Instant::now() + worked;
        loop {
            match self.came.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(SessionsSignal::Changed) => self.has_changed = true,
                Ok(SessionsSignal::Stop) | Err(RecvTimeoutError::Disconnected) => self.is_stopped = true,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_that_go_on_do_not_put_the_look_off() {
        let start = Instant::now();
        let mut next = NextScan::after_work(start, false);
        assert_eq!(next.at, start + LONGEST_PAUSE);
        for second in 1..=60 {
            next.changed(start + Duration::from_secs(second));
        }
        assert_eq!(next.at, start + Duration::from_secs(1) + SETTLING_TIME, "from the first of them");
    }

    #[test]
    fn a_change_is_never_later_than_the_next_look_would_be() {
        let start = Instant::now();
        let mut next = NextScan::after_start(start);
        next.changed(start + Duration::from_secs(1));
        assert_eq!(next.at, start + FIRST_PAUSE);
    }

    #[test]
    fn a_change_during_a_rest_is_looked_at_soon() {
        let (signals, came) = mpsc::channel();
        let mut pause = BackgroundPause::new(&came);
        pause.worked_since = Instant::now().checked_sub(WORK_SLICE).unwrap();
        signals.send(SessionsSignal::Changed).unwrap();
        assert!(pause.rest());
        assert!(pause.has_changed);
        let now = Instant::now();
        assert_eq!(NextScan::after_work(now, pause.has_changed).at, now + SETTLING_TIME);
    }
}
