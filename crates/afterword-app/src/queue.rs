//! The queue of background work, as people and other programs see it: ask for a reflection, follow it, cancel it.
//!
//! It does no work: that is the running agent (`afterword-daemon`). Every answer comes at once, whether or not an agent runs. Start at [`Queue`].

use std::path::{Path, PathBuf};
use std::time::Duration;

use afterword_core::hidden::escape_hidden;
use afterword_core::{Job, JobId, JobStatus, JobType, SessionId, Trigger, UserId};
use afterword_store::{DuplicatePolicy, NewJob, Store};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub use afterword_store::jobs::{CancelOutcome, Figures};
pub use afterword_store::runs::Run;
pub use afterword_store::{EnqueueOutcome, JobLog, RunOutcome};

pub use crate::cut_off::is_cut_off;
use crate::engine::is_stand_in;
use crate::error::{AgentError, SessionError};
use crate::log::OrLog;
use crate::redaction::Redaction;
use crate::reflect::Eligibility;
use crate::sessions::is_current;
use crate::{App, EngineName, Error, reflect, sessions};
use afterword_claude_code::spool::Spool;

/// Reflections that somebody looked on at are told of at most so many.
const WATCHED: u32 = 20;

/// A reflection that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReflectionOrder {
    /// The session.
    pub session: SessionId,
    /// Its transcript, where it is known; else it is found by the session's id.
    pub transcript: Option<PathBuf>,
    /// What made it start.
    pub trigger: Trigger,
    /// What to look for above all, in the asker's words.
    pub focus: Option<String>,
    /// So many insights are told of in the result; all are kept.
    pub max_insights: Option<u32>,
    /// Reflect even when nothing changed since the last time; counted against a limit.
    pub force: bool,
}

impl ReflectionOrder {
    /// An order for a session, with nothing special asked for.
    pub fn new(session: SessionId, trigger: Trigger) -> Self {
        Self { session, transcript: None, trigger, focus: None, max_insights: None, force: false }
    }
}

/// An order as its job carries it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReflectionPayload {
    /// What made it start.
    pub trigger: Trigger,
    /// The transcript, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcript: Option<PathBuf>,
    /// What to look for above all, in the asker's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub focus: Option<String>,
    /// So many insights are told of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_insights: Option<u32>,
    /// Reflect even when nothing changed.
    #[serde(default)]
    pub force: bool,
}

/// The queue, open.
#[derive(Debug)]
pub struct Queue {
    store: Store,
    spool: Spool,
    redaction: Redaction,
}

/// Opens the queue; keep it open to ask more than once.
///
/// # Errors
/// [`Error::Store`].
pub fn queue(app: &App) -> Result<Queue, Error> {
    Ok(Queue { store: app.store()?, spool: Spool::new(&app.paths), redaction: app.redaction() })
}

impl Queue {
    /// Asks for a reflection, secrets taken out of its focus, and wakes the agent. When one of the session waits or runs already, or for a person's wish
    /// any of the user's runs, that one is told instead.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn reflect(
        &self,
        order: &ReflectionOrder,
        user: &UserId,
        now: Timestamp,
    ) -> Result<EnqueueOutcome, Error> {
        let enqueued = self.store.jobs().enqueue(&self.reflection_job(order, user, now)?, now)?;
        if matches!(enqueued, EnqueueOutcome::Queued(_)) {
            self.wake();
        }
        Ok(enqueued)
    }

    /// Queues a reflection behind the one of another session that runs; one of this session that waits already is told.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn reflect_behind(
        &self,
        order: &ReflectionOrder,
        user: &UserId,
        now: Timestamp,
    ) -> Result<EnqueueOutcome, Error> {
        let job =
            NewJob { on_duplicate: DuplicatePolicy::QueueBehind, ..self.reflection_job(order, user, now)? };
        Ok(self.store.jobs().enqueue(&job, now)?)
    }

    fn reflection_job(
        &self,
        order: &ReflectionOrder,
        user: &UserId,
        now: Timestamp,
    ) -> Result<NewJob, Error> {
        let focus = order.focus.as_deref().map(|focus| self.redaction.text(focus));
        reflection_job(&ReflectionOrder { focus, ..order.clone() }, user, now)
    }

    /// The user's reflection that runs.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn running_reflection(&self, user: &UserId) -> Result<Option<Job>, Error> {
        let mut jobs = self.store.jobs().active_jobs()?.into_iter();
        let is_it = |job: &Job| {
            job.status == JobStatus::Running && job.job_type == JobType::Reflection && job.user == *user
        };
        Ok(jobs.find(is_it))
    }

    /// The user's jobs that wait or run and are no reflections.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn other_active_jobs(&self, user: &UserId) -> Result<Vec<Job>, Error> {
        let jobs = self.store.jobs().active_jobs()?.into_iter();
        Ok(jobs.filter(|job| job.job_type != JobType::Reflection && job.user == *user).collect())
    }

    /// Why a session is not reflected, whoever asks for it.
    ///
    /// # Errors
    /// [`Error::Store`] or [`Error::Io`].
    pub fn reason_to_skip(
        &self,
        app: &App,
        order: &ReflectionOrder,
        now: Timestamp,
    ) -> Result<Option<&'static str>, Error> {
        let Some(transcript) = order.transcript.as_deref().filter(|transcript| transcript.exists()) else {
            return Ok(None);
        };
        let found = sessions::find(app.claude(), Path::new(""), &transcript.to_string_lossy())?;
        Ok(match reflect::eligibility(app, &self.store, &found, now)? {
            Eligibility::Skipped("excluded") => {
                Some("the session is excluded: `privacy.exclude` covers its project")
            }
            Eligibility::Skipped("forgotten") => Some("the session was forgotten, as the user asked"),
            Eligibility::Skipped(_) => Some("the session is one of Afterword's own"),
            Eligibility::Follow(_) => None,
        })
    }

    /// Whether there is nothing new in a session since it was last reflected, and not only in place of a chosen engine.
    ///
    /// # Errors
    /// [`Error::Store`] or [`Error::Io`].
    pub fn is_reflected(&self, app: &App, transcript: &Path) -> Result<bool, Error> {
        let Some(known) = self.store.sessions().get(transcript)? else { return Ok(false) };
        let found = sessions::find(app.claude(), Path::new(""), &transcript.to_string_lossy())?;
        let is_stand_in = is_stand_in(&known) && app.config.engine != EngineName::Builtin;
        Ok(is_current(&known.reflected(), &found, &app.vault_root()) && !is_stand_in)
    }

    /// One job.
    ///
    /// # Errors
    /// [`AgentError::NoSuchJob`], and [`Error::Store`].
    pub fn job(&self, id: JobId) -> Result<Job, Error> {
        self.store.jobs().get(id)?.ok_or_else(|| AgentError::NoSuchJob { job: id.to_string() }.into())
    }

    /// The job whose id begins with `start`, among those that wait or run and the last thousand.
    ///
    /// # Errors
    /// [`AgentError::NoSuchJob`] when none or several do, and [`Error::Store`].
    pub fn find(&self, start: &str) -> Result<Job, Error> {
        if let Some(id) = JobId::parse(start) {
            return self.job(id);
        }
        let mut fitting = self.recent(1000)?;
        fitting
            .retain(|job| !start.is_empty() && job.id.to_string().starts_with(&start.to_ascii_lowercase()));
        match fitting.len() {
            1 => Ok(fitting.swap_remove(0)),
            _ => Err(AgentError::NoSuchJob { job: start.to_owned() }.into()),
        }
    }

    /// The jobs queued last, the latest first.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn recent(&self, most: u32) -> Result<Vec<Job>, Error> {
        Ok(self.store.jobs().recent(most)?)
    }

    /// The reflections of all that had changed, which are no jobs because somebody looked on: the window's and the command's.
    /// The latest first, those since `since`.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn watched_reflections(&self, jobs: &[Job], since: Timestamp) -> Result<Vec<Run>, Error> {
        let most = u32::try_from(jobs.len()).unwrap_or(u32::MAX).saturating_add(WATCHED);
        let mut runs = self.store.runs().latest_of(Trigger::Manual.as_str(), most)?;
        // A job that was asked for leaves a run of one session as well.
        let is_of_a_job = |run: &Run| {
            run.sessions == 1
                && jobs.iter().any(|job| {
                    job.job_type == JobType::Reflection
                        && job.started_at.is_some_and(|started| started <= run.started_at)
                        && job.completed_at.is_none_or(|completed| run.started_at <= completed)
                })
        };
        runs.retain(|run| run.started_at >= since && !is_of_a_job(run));
        runs.truncate(WATCHED as usize);
        Ok(runs)
    }

    /// What a job's attempts did.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn logs(&self, id: JobId) -> Result<Vec<JobLog>, Error> {
        let mut logs = self.store.job_logs().of_job(id)?;
        for log in &mut logs {
            log.transcript = escape_hidden(&log.transcript).into_owned();
        }
        Ok(logs)
    }

    /// Counts a user's jobs of a type.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn figures(&self, user: &UserId, job_type: JobType) -> Result<Figures, Error> {
        Ok(self.store.jobs().figures(user, job_type)?)
    }

    /// Guesses how long from `now` until the job is done.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn eta(&self, job: &Job, now: Timestamp) -> Result<Duration, Error> {
        Ok(self.store.jobs().eta(job, now)?)
    }

    /// Calls a job off.
    ///
    /// # Errors
    /// [`AgentError::NoSuchJob`], and [`Error::Store`].
    pub fn cancel(&self, id: JobId, now: Timestamp) -> Result<CancelOutcome, Error> {
        let cancelled = self.store.jobs().cancel(id, "cancelled", now)?;
        self.wake();
        cancelled.ok_or_else(|| AgentError::NoSuchJob { job: id.to_string() }.into())
    }

    /// Queues again what a job that failed or was cancelled was to do.
    ///
    /// # Errors
    /// [`AgentError::NoSuchJob`], [`AgentError::JobNotOver`] for one that waits, runs or was completed, and [`Error::Store`].
    pub fn retry(&self, id: JobId, now: Timestamp) -> Result<EnqueueOutcome, Error> {
        let job = self.job(id)?;
        if !matches!(job.status, JobStatus::Failed | JobStatus::Cancelled) {
            return Err(AgentError::JobNotOver { job: id.to_string(), status: job.status }.into());
        }
        let again = NewJob {
            user: job.user,
            job_type: job.job_type,
            subject: job.subject,
            payload: job.payload,
            forced: job.forced,
            not_before: now,
            on_duplicate: DuplicatePolicy::QueueBehind,
        };
        let enqueued = self.store.jobs().enqueue(&again, now)?;
        self.wake();
        Ok(enqueued)
    }

    /// An agent that cannot be woken looks by itself soon enough.
    fn wake(&self) {
        self.spool.wake().or_log("waking the agent");
    }
}

/// The job of an order, not queued yet.
///
/// # Errors
/// [`Error`] where the order cannot be written as JSON.
pub fn reflection_job(order: &ReflectionOrder, user: &UserId, now: Timestamp) -> Result<NewJob, Error> {
    let payload = ReflectionPayload {
        trigger: order.trigger,
        transcript: order.transcript.clone(),
        focus: order.focus.clone(),
        max_insights: order.max_insights,
        force: order.force,
    };
    let text = serde_json::to_string(&payload);
    let problem = "its path is not valid Unicode";
    let unusable =
        |_| SessionError::NotATranscript { path: order.transcript.clone().unwrap_or_default(), problem };
    Ok(NewJob {
        user: user.clone(),
        job_type: JobType::Reflection,
        subject: Some(order.session.to_string()),
        payload: text.map_err(unusable)?,
        forced: order.force,
        not_before: now,
        on_duplicate: if order.trigger == Trigger::Manual {
            DuplicatePolicy::ReportExisting
        } else {
            DuplicatePolicy::QueueBehind
        },
    })
}
