//! Jobs whose process died without a word: the database says that they run until an agent takes them up again.

use afterword_core::{Job, JobStatus, Lease};
use afterword_platform::process;

/// Whether a job counts as running though the process that worked on it is gone. The next agent takes it up again.
pub fn is_cut_off(job: &Job) -> bool {
    let works = |lease: &Lease| process::is_working(&lease.worker);
    job.status == JobStatus::Running && !job.lease.as_ref().is_some_and(works)
}
