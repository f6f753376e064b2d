//! Giving the index the vectors of another model: a job of the queue that can be followed, cancelled and gone on with.
//!
//! Searches go on with the old vectors until the new ones are there. What a stopped job made is kept in the index.

use afterword_core::{JobId, JobStatus, JobType};
use afterword_recall::model::{MODEL_NAME, folder_state};
use afterword_store::{DuplicatePolicy, EnqueueOutcome, NewJob, SearchIndex, Store};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::log::OrLog;
use crate::{App, Error};
use afterword_claude_code::spool::Spool;

/// What the job is about, in the queue.
pub const REEMBEDDING: &str = "reembed";
/// What the job carries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReembeddingPayload {
    /// The model as the settings name it.
    pub(crate) model: String,
    /// Its state when the job was queued.
    state: String,
}

/// How giving an index other vectors ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReembedEnd {
    /// Every note has its vector of this model.
    Done {
        /// The model as the settings name it.
        model: String,
        /// How many notes there are.
        notes: usize,
    },
    /// Who asked for it no longer wants it.
    Interrupted,
}

/// Queues the job that gives the index the vectors of the chosen model, where it has others. Of a job that failed or
/// was cancelled there is no second one until the settings or the folder change, unless somebody asks for it.
///
/// # Errors
/// [`Error::Store`].
pub fn queue_reembedding(app: &App, asked: bool, now: Timestamp) -> Result<Option<JobId>, Error> {
    if super::has_chosen_model(app)? {
        return Ok(None);
    }
    let queued = enqueue_reembedding(app, &app.store()?, asked, now)?;
    if queued.is_some() {
        // An agent that cannot be woken looks by itself soon enough.
        Spool::new(&app.paths).wake().or_log("waking the agent");
    }
    Ok(queued)
}

/// As [`queue_reembedding`], in a store that is open.
pub fn maintain_search_model(app: &App, store: &Store, now: Timestamp) -> Result<(), Error> {
    if !super::has_chosen_model(app)? {
        enqueue_reembedding(app, store, false, now)?;
    }
    Ok(())
}

fn enqueue_reembedding(
    app: &App,
    store: &Store,
    asked: bool,
    now: Timestamp,
) -> Result<Option<JobId>, Error> {
    let wanted = reembedding_payload(app);
    let Ok(payload) = serde_json::to_string(&wanted) else { return Ok(None) };
    let jobs = store.jobs();
    let last = jobs.last_job_about(JobType::Maintenance, REEMBEDDING)?;
    if let Some(last) = last {
        let same = serde_json::from_str(&last.payload).ok().as_ref() == Some(&wanted);
        match last.status {
            JobStatus::Queued => return Ok(Some(last.id)),
            JobStatus::Running if same => return Ok(Some(last.id)),
            // It works for a model that is no longer wanted.
            JobStatus::Running => drop(jobs.cancel(last.id, "another search model was chosen", now)?),
            JobStatus::Failed | JobStatus::Cancelled if same && !asked => return Ok(None),
            _ => {}
        }
    }
    let embed = NewJob::about(JobType::Maintenance, REEMBEDDING, DuplicatePolicy::QueueBehind, now);
    let job = NewJob { payload, ..embed };
    Ok(match jobs.enqueue(&job, now)? {
        EnqueueOutcome::Queued(job) | EnqueueOutcome::AlreadyRunning(job) => Some(job.id),
        EnqueueOutcome::Refused(_) => None,
    })
}

/// Drops what a job made that nobody wants finished.
pub fn drop_begun_vectors(app: &App) -> Result<(), Error> {
    match SearchIndex::open_existing(&app.paths.search_index())? {
        Some(index) => Ok(index.next_vectors().discard()?),
        None => Ok(()),
    }
}

fn reembedding_payload(app: &App) -> ReembeddingPayload {
    match &app.config.search_model {
        None => ReembeddingPayload { model: "built-in".to_owned(), state: MODEL_NAME.to_owned() },
        Some(folder) => ReembeddingPayload {
            model: folder.to_string_lossy().into_owned(),
            state: folder_state(folder).unwrap_or_default(),
        },
    }
}
