//! What can go wrong in the queue, beside what can go wrong with the database.

use afterword_core::{IllegalMove, JobId, WorkerId};
use thiserror::Error;

use crate::StoreError;

/// What can go wrong in the queue.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum QueueError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The job is not (or no longer) the worker's: it was taken back, or it ended. The worker must stop and keep
    /// nothing of what it did.
    #[error("job {job}: worker {worker} no longer holds it")]
    LeaseLost {
        /// The job.
        job: JobId,
        /// Who thought to hold it.
        worker: WorkerId,
    },
    /// The payload or the result is not JSON.
    #[error("job {job}: what it was given is not JSON")]
    NotJson {
        /// The job.
        job: JobId,
    },
    /// The job's status does not allow the move.
    #[error("job {job}: {source}")]
    Illegal {
        /// The job.
        job: JobId,
        /// What was to happen.
        source: IllegalMove,
    },
}
