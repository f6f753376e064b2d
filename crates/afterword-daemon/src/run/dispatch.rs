//! Handing jobs to threads: claimed by the agent's own, done by one each.

use std::collections::HashMap;
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use afterword_core::{Job, JobId, JobType, SessionId, WorkerId};
use afterword_platform::process;
use afterword_store::Store;
use jiff::Zoned;

use super::control::Signal;
use crate::work::Worker;
use afterword_app::{App, Error};

/// How long the end of the agent waits for jobs. Those left are taken back when the agent is started again.
const PATIENCE: Duration = Duration::from_secs(10);

/// A job that a thread of this process is at.
#[derive(Debug)]
pub(super) struct RunningJob {
    pub(super) job_type: JobType,
    pub(super) session: Option<SessionId>,
    thread: JoinHandle<()>,
}

/// The jobs that run in this process.
#[derive(Debug)]
pub(super) struct Jobs {
    worker: WorkerId,
    signals: Sender<Signal>,
    pub(super) running: HashMap<JobId, RunningJob>,
}

impl Jobs {
    pub(super) fn new(signals: Sender<Signal>) -> Self {
        Self { worker: process::worker(), signals, running: HashMap::new() }
    }

    /// Takes back the jobs of workers that are gone, those of this process's number included that it does not know of.
    pub(super) fn reclaim(&self, store: &Store, now: jiff::Timestamp) -> Result<(), Error> {
        for job in store.jobs().active_jobs()? {
            let Some(lease) = job.lease.filter(|_| !self.running.contains_key(&job.id)) else { continue };
            if lease.worker == self.worker || !process::is_working(&lease.worker) {
                store.jobs().claims().requeue_jobs_of(lease.worker, now)?;
            }
        }
        store.jobs().claims().reclaim_expired(now)?;
        Ok(())
    }

    /// Claims every job that may run now and starts it.
    pub(super) fn start(&mut self, app: &App, store: &Store, now: &Zoned) -> Result<Vec<JobId>, Error> {
        let mut started = Vec::new();
        while let Some(claim) = store.jobs().claims().claim(self.worker, now.timestamp())? {
            let (id, signals) = (claim.job.id, self.signals.clone());
            let running = (claim.job.job_type, session_of(&claim.job));
            let (app, now) = (app.clone(), now.clone());
            let work = move || {
                let worked = Worker::new(&app).and_then(|worker| worker.perform(&claim, &now));
                // Without a listener the agent has ended, and the job was kept.
                let _ = signals.send(Signal::Worked(id, Box::new(worked)));
            };
            let thread = thread::Builder::new().name("afterword-job".to_owned()).spawn(work);
            let thread = thread.map_err(|source| Error::Io {
                path: agent_place(store),
                action: "start a thread for a job",
                source,
            })?;
            self.running.insert(id, RunningJob { job_type: running.0, session: running.1, thread });
            started.push(id);
        }
        Ok(started)
    }

    pub(super) fn take_ended(&mut self, id: JobId) -> Option<RunningJob> {
        self.running.remove(&id)
    }

    pub(super) fn is_reflecting(&self) -> bool {
        self.running.values().any(|running| running.job_type == JobType::Reflection)
    }

    /// Waits for the jobs that run.
    pub(super) fn finish(&mut self) {
        let clock = Instant::now();
        for (_, running) in self.running.drain() {
            while !running.thread.is_finished() && clock.elapsed() < PATIENCE {
                thread::sleep(Duration::from_millis(5));
            }
            if running.thread.is_finished() && running.thread.join().is_err() {
                tracing::error!("the thread of a job ended in a panic");
            }
        }
    }
}

/// The session a job is about.
fn session_of(job: &Job) -> Option<SessionId> {
    let subject = job.subject.as_deref().filter(|_| job.job_type.is_about_a_session());
    subject.and_then(SessionId::parse)
}

fn agent_place(store: &Store) -> std::path::PathBuf {
    store.path().to_owned()
}
