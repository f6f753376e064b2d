//! An idea that a session brought is thought through by the chosen engine, once, where the person wants it so.

use afterword_store::Claim;
use jiff::Zoned;
use serde_json::json;

use super::{CompletedJob, JobError, Worker};
use afterword_app::{EngineCallError, Error, NoteError, ideas};

/// Researches the idea whose page is the job's subject. One that is gone, or was researched, is done with.
pub(super) fn run(worker: &Worker, claim: &Claim, now: &Zoned) -> Result<CompletedJob, JobError> {
    let Some(page) = claim.job.subject.as_deref() else {
        return Err(JobError::Permanent("it names no idea".to_owned()));
    };
    let result = match ideas::research_for(&worker.app, Some(claim.job.id), page, None, now) {
        Ok(researched) => json!({"status": "researched", "path": researched.path, "by": researched.by}),
        Err(Error::EngineCall(EngineCallError::AlreadyResearched { .. })) => {
            json!({"status": "researched before"})
        }
        Err(Error::Note(NoteError::NoSuch { .. })) => json!({"status": "gone"}),
        // The person chose the built-in engine meanwhile.
        Err(Error::EngineCall(EngineCallError::SendsNothing)) => json!({"status": "nobody to ask"}),
        Err(error) => return Err(error.into()),
    };
    Ok(CompletedJob { result: result.to_string(), ..CompletedJob::default() })
}
