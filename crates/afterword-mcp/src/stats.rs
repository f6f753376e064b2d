//! `stats(scope)`: figures that cost little to ask for.

use afterword_app::attempts::AttemptFigures;
use afterword_app::indexing::IndexStatus;
use afterword_app::{attempts, indexing, review};
use afterword_core::{Job, JobId, JobStatus, JobType};
use rmcp::model::CallToolResult;
use serde::Serialize;

use crate::answer::{ToolFailure, answer};
use crate::context::ToolContext;
use crate::reflection::{result_of, time};
use crate::requests::{StatsRequest, StatsScope};

/// What there is, of what was asked for.
#[derive(Debug, Default, Serialize)]
struct Stats {
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    reflection: Option<ReflectionStats>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    review: Option<ReviewStats>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    memory: Option<MemoryStats>,
}

#[derive(Debug, Serialize)]
struct ReflectionStats {
    pending_jobs: u64,
    running_jobs: u64,
    last_completed_job: Option<LastCompleted>,
    /// Work of other types that waits or runs; `reflect_status` follows it, too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_jobs: Vec<OtherJob>,
}

#[derive(Debug, Serialize)]
struct OtherJob {
    job_id: JobId,
    #[serde(rename = "type")]
    job_type: JobType,
    status: JobStatus,
}

#[derive(Debug, Serialize)]
struct LastCompleted {
    job_id: JobId,
    completed_at: Option<String>,
    insights_created: usize,
}

#[derive(Debug, Serialize)]
struct ReviewStats {
    waiting_for_review: usize,
    in_the_inbox: usize,
}

#[derive(Debug, Serialize)]
struct MemoryStats {
    notes_indexed: u64,
    semantic_search: bool,
    #[serde(flatten)]
    attempts: AttemptFigures,
}

pub(crate) fn stats(context: &ToolContext, request: &StatsRequest) -> Result<CallToolResult, ToolFailure> {
    let user = context.user(request.user_id.as_deref())?;
    let scope = request.scope.unwrap_or_default();
    let wanted = |one| scope == StatsScope::All || scope == one;
    let mut stats = Stats::default();
    if wanted(StatsScope::Reflection) {
        let (figures, others) = context.with_queue(|_, queue| {
            Ok((queue.figures(&user, JobType::Reflection)?, queue.other_active_jobs(&user)?))
        })?;
        let other = |job: Job| OtherJob { job_id: job.id, job_type: job.job_type, status: job.status };
        let last = figures.last_completed.map(|job| LastCompleted {
            job_id: job.id,
            completed_at: job.completed_at.map(time),
            insights_created: result_of(&job).insights_created,
        });
        stats.reflection = Some(ReflectionStats {
            pending_jobs: figures.pending,
            running_jobs: figures.running,
            last_completed_job: last,
            other_jobs: others.into_iter().map(other).collect(),
        });
    }
    if wanted(StatsScope::Review) {
        use afterword_app::note_change::WaitingPlace;
        let counts = review::review_counts(&context.app()?)?;
        let count = |waiting| counts.get(&waiting).copied().unwrap_or(0);
        stats.review = Some(ReviewStats {
            waiting_for_review: count(WaitingPlace::Review),
            in_the_inbox: count(WaitingPlace::Inbox),
        });
    }
    if wanted(StatsScope::Memory) {
        let status: IndexStatus = indexing::index_status(&context.app()?)?;
        stats.memory = Some(MemoryStats {
            notes_indexed: u64::try_from(status.notes).unwrap_or(u64::MAX),
            semantic_search: status.model_fits,
            attempts: attempts::attempt_figures(&context.app()?, jiff::Zoned::now().date())?,
        });
    }
    answer(&stats)
}
