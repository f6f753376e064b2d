//! `afterword jobs [show|cancel|retry] [JOB]`

use std::io::Write;
use std::process::ExitCode;

use afterword_app::queue::{self, CancelOutcome, EnqueueOutcome, JobLog, Queue, is_cut_off};
use afterword_app::{App, log};
use afterword_core::{Job, JobStatus, QueueRules};
use jiff::Timestamp;
use serde::Serialize;

use crate::arguments::{Jobs, JobsCommand};
use crate::failure::Failure;
use crate::output::{ATTENTION, BAD, BOLD, DIM, GOOD, Output, plain};
use crate::wording::{age, local, short, until};

/// What becomes of a job whose agent is gone.
const CUT_OFF: &str = "its agent ended in the middle of it; the next one takes it up again";

#[derive(Serialize)]
struct ListView<'a> {
    version: u32,
    jobs: Vec<JobView<'a>>,
}

#[derive(Serialize)]
struct JobView<'a> {
    job_id: String,
    #[serde(rename = "type")]
    job_type: &'a str,
    status: &'a str,
    subject: Option<&'a str>,
    attempts: u32,
    /// How often it was begun, also where that does not count as an attempt.
    claims: u32,
    /// It counts as running, and the process that worked on it is gone.
    cut_off: bool,
    progress: f64,
    queued_at: String,
    not_before: String,
    started_at: Option<String>,
    completed_at: Option<String>,
    reason: Option<&'a str>,
    payload: serde_json::Value,
    result: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logs: Vec<LogView<'a>>,
}

#[derive(Serialize)]
struct LogView<'a> {
    attempt: u32,
    started_at: String,
    ended_at: String,
    transcript: &'a str,
    todo: serde_json::Value,
    handoff_note: Option<&'a str>,
}

pub(crate) fn run(arguments: &Jobs, output: &mut Output) -> Result<ExitCode, Failure> {
    let app = super::app()?;
    let queue = queue::queue(&app)?;
    let now = Timestamp::now();
    match &arguments.command {
        None => list(&queue, arguments.limit, now, output)?,
        Some(JobsCommand::Show { job }) => show(&app, &queue, job, now, output)?,
        Some(JobsCommand::Cancel { job }) => {
            let job = queue.find(job)?;
            let cancelled = queue.cancel(job.id, now)?;
            let sentence = match cancelled {
                CancelOutcome::Now => "cancelled".to_owned(),
                CancelOutcome::Requested => "it runs; what is done by the time it stops is kept".to_owned(),
                CancelOutcome::HadEnded(status) => format!("nothing to cancel: it is {status}"),
            };
            answer(&queue.job(job.id)?, &sentence, output)?;
        }
        Some(JobsCommand::Retry { job }) => match queue.retry(queue.find(job)?.id, now)? {
            EnqueueOutcome::Queued(job) => answer(&job, "queued again", output)?,
            EnqueueOutcome::AlreadyRunning(job) => answer(&job, "one like it waits already", output)?,
            EnqueueOutcome::Refused(limited) => {
                output.error(&limited.to_string());
                return Ok(ExitCode::FAILURE);
            }
        },
    }
    Ok(ExitCode::SUCCESS)
}

/// What a job that is done says of itself in a sentence; empty where it says nothing.
fn summary(job: &Job) -> String {
    let result = job.result.as_deref().and_then(|text| serde_json::from_str::<serde_json::Value>(text).ok());
    result.and_then(|result| Some(result.get("summary")?.as_str()?.to_owned())).unwrap_or_default()
}

fn list(queue: &Queue, limit: u32, now: Timestamp, output: &mut Output) -> Result<(), Failure> {
    let jobs = queue.recent(limit)?;
    if output.json {
        let jobs = jobs.iter().map(|job| view(job, &[])).collect();
        return Ok(output.print_json(&ListView { version: 1, jobs })?);
    }
    for job in &jobs {
        let style = match job.status {
            JobStatus::Queued => DIM,
            JobStatus::Running => ATTENTION,
            JobStatus::Completed => GOOD,
            JobStatus::Failed => BAD,
            JobStatus::Cancelled => DIM,
        };
        let (id, status) = (job.id.to_string(), status_word(job));
        let about = job.subject.as_deref().map_or("", short);
        let when = age(job.completed_at.unwrap_or(job.queued_at), now);
        let reason = match job.status {
            JobStatus::Running if is_cut_off(job) => CUT_OFF.to_owned(),
            JobStatus::Running => format!("{:.0} % done", job.progress * 100.0),
            JobStatus::Completed => plain(&summary(job)),
            JobStatus::Queued if job.not_before > now => waiting_reason(job, now),
            _ => plain(job.reason.as_deref().unwrap_or_default()),
        };
        writeln!(
            output.data(),
            "{id}  {style}{status:<9}{style:#}  {:<11} {:<8}  {when} ago  {DIM}{reason}{DIM:#}",
            job.job_type.as_str(),
            plain(about)
        )?;
    }
    if jobs.is_empty() {
        let _ = writeln!(output.talk(), "no jobs");
    }
    Ok(())
}

/// Where a job stands, in a word.
fn status_word(job: &Job) -> &'static str {
    if is_cut_off(job) { "cut off" } else { job.status.as_str() }
}

/// Until when a job waits, and why.
fn waiting_reason(job: &Job, now: Timestamp) -> String {
    let until = until(job.not_before, now);
    let reason = job.reason.as_deref().map(|reason| format!(": {}", plain(reason)));
    format!("waits {until}{}", reason.unwrap_or_default())
}

fn show(app: &App, queue: &Queue, job: &str, now: Timestamp, output: &mut Output) -> Result<(), Failure> {
    let job = queue.find(job)?;
    let logs = queue.logs(job.id)?;
    if output.json {
        return Ok(output.print_json(&view(&job, &logs))?);
    }
    let out = output.data();
    writeln!(out, "{BOLD}{}{BOLD:#}  {} {}", job.id, job.job_type, status_word(&job))?;
    writeln!(out, "about     {}", plain(job.subject.as_deref().unwrap_or("everything")))?;
    // One that was put off, or whose agent ended, does not count.
    let begun =
        if job.claims > job.attempts { format!(", begun {} times", job.claims) } else { String::new() };
    writeln!(out, "attempts  {} of {}{begun}", job.attempts, QueueRules::default().retry.attempts)?;
    match job.status {
        JobStatus::Running if is_cut_off(&job) => writeln!(out, "next      {CUT_OFF}")?,
        JobStatus::Running => writeln!(out, "progress  {:.0} %", job.progress * 100.0)?,
        JobStatus::Queued => writeln!(out, "next      waits {}", until(job.not_before, now))?,
        _ => {}
    }
    writeln!(out, "queued    {}", local(job.queued_at, "local"))?;
    if let Some(at) = job.completed_at {
        writeln!(out, "ended     {}", local(at, "local"))?;
    }
    if let Some(reason) = &job.reason {
        writeln!(out, "reason    {}", plain(reason))?;
    }
    if job.status == JobStatus::Failed {
        let directory = log::directory(app.paths());
        writeln!(out, "log       {}", plain(&directory.display().to_string()))?;
    }
    for log in &logs {
        writeln!(out, "\n{BOLD}attempt {}{BOLD:#}", log.attempt)?;
        for line in log.transcript.lines() {
            writeln!(out, "{}", plain(line))?;
        }
        if let Some(note) = &log.handoff_note {
            writeln!(out, "{DIM}for the next one: {}{DIM:#}", plain(note))?;
        }
    }
    Ok(())
}

fn answer(job: &Job, sentence: &str, output: &mut Output) -> Result<(), Failure> {
    if output.json {
        return Ok(output.print_json(&view(job, &[]))?);
    }
    Ok(writeln!(output.data(), "{}  {sentence}", job.id)?)
}

fn view<'a>(job: &'a Job, logs: &'a [JobLog]) -> JobView<'a> {
    let json = |text: &str| serde_json::from_str(text).unwrap_or_default();
    JobView {
        job_id: job.id.to_string(),
        job_type: job.job_type.as_str(),
        status: job.status.as_str(),
        subject: job.subject.as_deref(),
        attempts: job.attempts,
        claims: job.claims,
        cut_off: is_cut_off(job),
        progress: job.progress,
        queued_at: job.queued_at.to_string(),
        not_before: job.not_before.to_string(),
        started_at: job.started_at.map(|at| at.to_string()),
        completed_at: job.completed_at.map(|at| at.to_string()),
        reason: job.reason.as_deref(),
        payload: json(&job.payload),
        result: job.result.as_deref().map(json),
        logs: logs
            .iter()
            .map(|log| LogView {
                attempt: log.attempt,
                started_at: log.started_at.to_string(),
                ended_at: log.ended_at.to_string(),
                transcript: &log.transcript,
                todo: json(&log.todo),
                handoff_note: log.handoff_note.as_deref(),
            })
            .collect(),
    }
}
