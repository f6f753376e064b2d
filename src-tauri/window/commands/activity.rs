//! Jobs: what runs, what ran, what it said.

use afterword_app::queue::JobLog;
use afterword_app::{App, Error, queue};
use afterword_core::{JobStatus, JobType};
use jiff::Timestamp;
use serde::Serialize;
use tauri::{AppHandle, Manager};

use super::{Answer, ask, change};
use crate::exchange::ToTray;
use crate::window::host::Host;

/// Jobs shown at most.
const SHOWN: u32 = 200;

/// A job in the list.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "Job"))]
pub(crate) struct JobView {
    id: String,
    #[serde(rename = "type")]
    job_type: JobType,
    subject: Option<String>,
    status: JobStatus,
    forced: bool,
    progress: f64,
    attempts: u32,
    reason: Option<String>,
    result: Option<String>,
    queued_at: Timestamp,
    started_at: Option<Timestamp>,
    completed_at: Option<Timestamp>,
}

/// What an attempt at a job said.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "JobLog"))]
pub(crate) struct JobLogView {
    attempt: u32,
    started_at: Timestamp,
    ended_at: Timestamp,
    transcript: String,
}

impl From<JobLog> for JobLogView {
    fn from(log: JobLog) -> Self {
        let JobLog { attempt, started_at, ended_at, transcript, .. } = log;
        Self { attempt, started_at, ended_at, transcript }
    }
}

/// What runs and ran.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "Activity"))]
pub(crate) struct ActivityView {
    jobs: Vec<JobView>,
    watched: Vec<WatchedView>,
}

/// A reflection of all that had changed, which somebody looked on at.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "WatchedReflection"))]
pub(crate) struct WatchedView {
    at: Timestamp,
    sessions: u64,
    failed: u64,
    notes: u64,
}

/// Lists the latest jobs.
#[tauri::command]
pub(crate) async fn activity(app: AppHandle) -> Answer<ActivityView> {
    ask(&app, |app| {
        let queue = queue::queue(&app)?;
        let jobs = queue.recent(SHOWN)?;
        // They go when jobs go.
        let since = Timestamp::now().checked_sub(app.config().keep).unwrap_or(Timestamp::MIN);
        let watched = queue.watched_reflections(&jobs, since)?.into_iter().map(|run| WatchedView {
            at: run.started_at,
            sessions: run.sessions,
            failed: run.failed,
            notes: run.notes_created + run.notes_changed,
        });
        let jobs = jobs.into_iter().map(|job| JobView {
            id: job.id.to_string(),
            job_type: job.job_type,
            subject: job.subject,
            status: job.status,
            forced: job.forced,
            progress: job.progress,
            attempts: job.attempts,
            reason: job.reason,
            result: job.result,
            queued_at: job.queued_at,
            started_at: job.started_at,
            completed_at: job.completed_at,
        });
        Ok(ActivityView { jobs: jobs.collect(), watched: watched.collect() })
    })
    .await
}

/// What a job said, attempt by attempt.
#[tauri::command]
pub(crate) async fn job_log(app: AppHandle, job: String) -> Answer<Vec<JobLogView>> {
    ask(&app, move |app: App| -> Result<_, Error> {
        let queue = queue::queue(&app)?;
        let logs = queue.logs(queue.find(&job)?.id)?;
        Ok(logs.into_iter().map(JobLogView::from).collect())
    })
    .await
}

/// Calls a job off.
#[tauri::command]
pub(crate) async fn cancel_job(app: AppHandle, job: String) -> Answer<()> {
    change(&app, move |app| {
        let queue = queue::queue(&app)?;
        queue.cancel(queue.find(&job)?.id, Timestamp::now()).map(drop)
    })
    .await
}

/// Queues a job that failed once more.
#[tauri::command]
pub(crate) async fn retry_job(app: AppHandle, job: String) -> Answer<()> {
    change(&app, move |app| {
        let queue = queue::queue(&app)?;
        queue.retry(queue.find(&job)?.id, Timestamp::now()).map(drop)
    })
    .await
}

/// Pauses the work in the background, or goes on with it.
#[tauri::command]
pub(crate) fn pause(app: AppHandle, paused: bool) {
    app.state::<Host>().send(&ToTray::Pause { paused });
}
