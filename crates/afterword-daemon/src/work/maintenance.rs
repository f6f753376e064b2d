//! Keeping the program's own state in order, and the inbox: each task by its name.

use afterword_store::Claim;
use jiff::Zoned;

use super::{CompletedJob, JobError, Worker};
use afterword_app::review;
use afterword_app::review::inbox::INBOX;
use afterword_app::search_model::reembedding::REEMBEDDING;

pub(super) fn run(worker: &Worker, claim: &Claim, now: &Zoned) -> Result<CompletedJob, JobError> {
    match claim.job.subject.as_deref() {
        Some(REEMBEDDING) => super::reembedding::run(worker, claim, now),
        Some(INBOX) => archive_unanswered(worker, now),
        other => {
            let task = other.unwrap_or("nothing");
            Err(JobError::Permanent(format!("this Afterword knows no maintenance called {task}")))
        }
    }
}

/// What nobody answered leaves the inbox; the job's result names it.
fn archive_unanswered(worker: &Worker, now: &Zoned) -> Result<CompletedJob, JobError> {
    // Whoever waited longer than the settings stood does what they say now.
    let app = worker.app.with_settings_read_again()?;
    let archived = review::archive_unanswered(&app, now)?;
    let result = serde_json::to_string(&archived).map_err(|error| JobError::Permanent(error.to_string()))?;
    Ok(CompletedJob { result, notes: Vec::new() })
}
