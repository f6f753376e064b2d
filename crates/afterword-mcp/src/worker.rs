//! Work in the background of the server, for when no agent runs: somebody has to do what was asked for.

use afterword_app::agent_lock;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use afterword_app::log::OrLog;
use afterword_app::{App, Environment};
use afterword_daemon::work::Worker;
use jiff::Zoned;

/// So often the queue is looked at. Asking costs less than a millisecond.
const LOOK: Duration = Duration::from_millis(250);

/// A thread that works the queue while no agent does.
pub(crate) struct Background {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Background {
    pub(crate) fn start(environment: Environment) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let work = move || {
            while !stopped.load(Ordering::Relaxed) {
                if !work_one(&environment) {
                    thread::park_timeout(LOOK);
                }
            }
        };
        // Without a thread the queue waits for an agent, as it does without this server.
        let thread = thread::Builder::new()
            .name("work".to_owned())
            .spawn(work)
            .ok_or_log("starting the queue's worker");
        Self { stop, thread }
    }

    /// Ends when the job at hand is done: the client may be gone, what it asked for is not.
    pub(crate) fn stop(mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // Its panic was said where it happened.
            let _ = thread.join();
        }
    }
}

/// Does one job, where one waits and nobody else is there to do it.
fn work_one(environment: &Environment) -> bool {
    let Ok(app) = App::new(environment.clone()) else { return false };
    if !app.paths().database().exists() || !matches!(agent_lock::running_agent(app.paths()), Ok(None)) {
        return false;
    }
    match Worker::new(&app).and_then(|worker| worker.work_once(&Zoned::now())) {
        Ok(done) => done.is_some(),
        failed => {
            failed.or_log("working the queue");
            false
        }
    }
}
