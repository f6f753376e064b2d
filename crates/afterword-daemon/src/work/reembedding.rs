//! A maintenance job: the index is given the vectors of the model chosen.

use std::sync::atomic::Ordering;
use std::time::Instant;

use afterword_core::job::saturating_add;
use afterword_store::Claim;
use afterword_store::jobs::ClaimStatus;
use jiff::Zoned;

use super::{CompletedJob, JobError, Worker};
use afterword_app::indexing;
use afterword_app::search_model::reembedding::ReembedEnd;
use afterword_app::{Error, search_model};

pub(super) fn run(worker: &Worker, claim: &Claim, now: &Zoned) -> Result<CompletedJob, JobError> {
    // Whoever waited longer than the settings stood does what they say now.
    let app = worker.app.with_settings_read_again()?;
    let clock = Instant::now();
    let mut cancelled = claim.job.cancel_requested;
    let mut goes_on = |progress: f64| {
        let now = saturating_add(now.timestamp(), clock.elapsed());
        let held = worker.store.jobs().claims().report(claim, progress, now);
        cancelled |= matches!(held, Ok(ClaimStatus::Cancel));
        // A claim that was lost is somebody else's to work for.
        held.is_ok() && !cancelled && !worker.app.shutdown_flag().load(Ordering::Relaxed)
    };
    match indexing::reembed(&app, &mut goes_on) {
        Ok(ReembedEnd::Done { model, notes }) => {
            let result = serde_json::json!({ "model": model, "notes": notes }).to_string();
            Ok(CompletedJob { result, notes: Vec::new() })
        }
        Ok(ReembedEnd::Interrupted) if cancelled => {
            search_model::drop_begun_vectors(&app)?;
            Err(JobError::Cancelled)
        }
        Ok(ReembedEnd::Interrupted) => Err(JobError::Released),
        // Reading the same folder again finds the same.
        Err(error @ Error::SearchModel(_)) => {
            Err(JobError::Permanent(app.redaction().text(&error.chain_with_hints())))
        }
        Err(error) => Err(error.into()),
    }
}
