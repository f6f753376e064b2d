//! Working the queue: one job is claimed, done, and ended, whatever process does it.
//!
//! The agent's loop works it, and so may any other process while no agent runs. A job is ended in a transaction of its
//! own after its work was kept; one that is done a second time, because its worker died in between, finds its work
//! done. Start at [`Worker::work_once`].

mod finished;
mod git;
mod heartbeat;
mod heartbeat_checks;
mod log;
mod maintenance;
mod outcome;
mod reembedding;
mod reflection;
mod renewal;
mod research;

use std::time::{Duration, Instant};

use afterword_core::conversation::WorkerReply;
use afterword_core::job::saturating_add;
use afterword_core::{Conversation, ConversationId, Job, JobType, SessionId, WorkerId};
use afterword_platform::process;
use afterword_store::jobs::RetryDecision;
use afterword_store::{Claim, JobLog, QueueError, RunOutcome, Store};
use jiff::{Timestamp, Zoned};

pub(crate) use heartbeat::{heartbeat_job, notice_of_heartbeat};
pub use outcome::{Insight, ReflectionResult};

use afterword_app::conversations::{self, AttendEnd, ConversationNews};
use afterword_app::log::OrLog;
use afterword_app::note_change::NoteChange;
use afterword_app::{App, EngineCallError, Error, SessionError, ideas};

/// A job with something of the machine in its way is tried again so much later.
const OBSTACLE: Duration = Duration::from_secs(15);
/// Such tries may take one part in so many of the time.
const SHARE: u32 = 20;

/// Whoever works on jobs in this process.
#[derive(Debug)]
pub struct Worker {
    app: App,
    store: Store,
    id: WorkerId,
}

/// A job that was worked on.
#[derive(Debug)]
pub struct WorkedJob {
    /// The job as it was claimed.
    pub job: Job,
    /// The session it is about.
    pub session: Option<SessionId>,
    /// What happened in a conversation.
    pub news: Vec<ConversationNews>,
    /// What became of it.
    pub end: WorkEnd,
}

/// What became of a job that was worked on.
#[derive(Debug)]
pub enum WorkEnd {
    /// It is done.
    Completed(Box<CompletedJob>),
    /// It failed.
    Failed {
        /// Why.
        reason: String,
        /// When it is tried again; `None` when it was given up.
        again_at: Option<Timestamp>,
    },
    /// Something of the machine stands in its way; it waits until that is mended.
    Postponed {
        /// What, and what to do about it.
        obstacle: String,
        /// When it is tried again.
        again_at: Timestamp,
    },
    /// It was cancelled.
    Cancelled,
    /// It was taken from this worker, which kept nothing of what it did.
    Lost,
}

/// What a job that is done did.
#[derive(Debug, Default)]
pub struct CompletedJob {
    /// Its result, as it is kept with the job.
    pub result: String,
    /// What became of notes.
    pub notes: Vec<NoteChange>,
}

/// Attends to a conversation in this process, where nobody else has taken it on: for a person who waits while no agent runs.
/// Says whether there was anything to do.
///
/// # Errors
/// [`Error::Store`]. What goes wrong with the work is told in the conversation.
pub fn run_conversation_now(app: &App, id: ConversationId, now: &Zoned) -> Result<bool, Error> {
    Ok(Worker::new(app)?.work_on(&id.to_string(), now)?.is_some())
}

impl Worker {
    /// A worker in this process, with a connection of its own.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn new(app: &App) -> Result<Self, Error> {
        Ok(Self { app: app.clone(), store: app.store()?, id: process::worker() })
    }

    /// Claims one job and does it; `None` when none may run now.
    ///
    /// # Errors
    /// [`Error::Store`]. What goes wrong with the job itself is in its end.
    pub fn work_once(&self, now: &Zoned) -> Result<Option<WorkedJob>, Error> {
        match self.store.jobs().claims().claim(self.id, now.timestamp())? {
            Some(claim) => self.perform(&claim, now).map(Some),
            None => Ok(None),
        }
    }

    /// Claims the waiting job about one conversation and does it, past all others: for a person who waits.
    ///
    /// # Errors
    /// As [`Worker::work_once`].
    pub(crate) fn work_on(&self, conversation: &str, now: &Zoned) -> Result<Option<WorkedJob>, Error> {
        let claims = self.store.jobs().claims();
        match claims.claim_about(JobType::ConversationRun, conversation, self.id, now.timestamp())? {
            Some(claim) => self.perform(&claim, now).map(Some),
            None => Ok(None),
        }
    }

    /// Does a claimed job and ends it.
    ///
    /// # Errors
    /// [`Error::Store`]; then the job is taken back when its lease runs out.
    pub(crate) fn perform(&self, claim: &Claim, now: &Zoned) -> Result<WorkedJob, Error> {
        let clock = Instant::now();
        let about_a_session = claim.job.job_type.is_about_a_session();
        let session = claim.job.subject.as_deref().filter(|_| about_a_session).and_then(SessionId::parse);
        let mut news = Vec::new();
        let (done, cancelled) =
            renewal::while_held(&self.app, claim, now.timestamp(), || match claim.job.job_type {
                JobType::Reflection => reflection::run(self, claim, now),
                JobType::Heartbeat => heartbeat::run(self, claim, now),
                JobType::IdeaResearch => research::run(self, claim, now),
                JobType::ConversationRun => {
                    let keep = |ran: &Conversation, reply: &WorkerReply, now: &Zoned| {
                        ideas::write_research(&self.app, ran, reply, now)
                    };
                    let attended =
                        conversations::run_conversation(&self.app, &self.store, claim, now, &keep)?;
                    news = attended.news;
                    match attended.end {
                        AttendEnd::Done => {
                            Ok(CompletedJob { result: "{}".to_owned(), ..CompletedJob::default() })
                        }
                        // A person waits for the run: its tries are counted, and then they are asked.
                        AttendEnd::Again(error @ Error::EngineCall(EngineCallError::NoClient)) => {
                            Err(JobError::Counted(error))
                        }
                        AttendEnd::Again(error) => Err(JobError::Failed(error)),
                        AttendEnd::Failed(reason) => Err(JobError::Permanent(reason)),
                        AttendEnd::Cancelled => Err(JobError::Cancelled),
                        AttendEnd::Released => Err(JobError::Released),
                    }
                }
                JobType::Maintenance => maintenance::run(self, claim, now),
            });
        let after = now.timestamp().checked_add(clock.elapsed()).unwrap_or(Timestamp::MAX);
        let ended = self.end(claim, done, cancelled, clock.elapsed(), after);
        let unfinished = match &ended {
            Ok(WorkEnd::Failed { reason, .. }) => Some((format!("failed: {reason}"), true)),
            Ok(WorkEnd::Postponed { obstacle, .. }) => Some((format!("postponed: {obstacle}"), false)),
            Ok(WorkEnd::Cancelled) => Some(("cancelled".to_owned(), false)),
            _ => None,
        };
        if let Some((reason, is_failure)) = unfinished {
            let times = (now.timestamp(), after);
            self.write_unfinished_work(claim, session.as_ref(), (reason, is_failure), times)?;
        }
        let end = match ended {
            Err(Error::Queue(QueueError::LeaseLost { .. })) => WorkEnd::Lost,
            other => other?,
        };
        if claim.job.job_type == JobType::Reflection {
            finished::write_finished(self, &claim.job, session.as_ref(), &end, after)
                .or_log("leaving word of a reflection that ended");
        }
        Ok(WorkedJob { job: claim.job.clone(), session, news, end })
    }

    /// Leaves a log of a try that came to no end, where it left none itself: how far it came, and why it stopped. One that did not
    /// fail leaves one only where it had begun.
    fn write_unfinished_work(
        &self,
        claim: &Claim,
        session: Option<&SessionId>,
        (transcript, is_failure): (String, bool),
        (started_at, ended_at): (Timestamp, Timestamp),
    ) -> Result<(), Error> {
        let (logs, job) = (self.store.job_logs(), &claim.job);
        let left = logs.of_job(job.id)?.into_iter().find(|log| log.attempt == claim.number);
        let todo = match left {
            Some(log) if log.outcome != RunOutcome::Failed => return Ok(()),
            // How far it came.
            Some(log) => log.todo,
            None if !is_failure => return Ok(()),
            None => log::json(&[log::pending(job.job_type.as_str())]),
        };
        logs.put(&JobLog {
            job: job.id,
            attempt: claim.number,
            user: job.user.clone(),
            job_type: job.job_type,
            session: session.cloned(),
            project: None,
            outcome: RunOutcome::Failed,
            started_at,
            ended_at,
            transcript,
            todo,
            handoff_note: None,
        })?;
        Ok(())
    }

    fn end(
        &self,
        claim: &Claim,
        done: Result<CompletedJob, JobError>,
        cancelled: bool,
        took: Duration,
        now: Timestamp,
    ) -> Result<WorkEnd, Error> {
        let claims = self.store.jobs().claims();
        match done {
            Ok(completed) => {
                claims.complete(claim, &completed.result, now)?;
                Ok(WorkEnd::Completed(Box::new(completed)))
            }
            Err(_) if cancelled => {
                claims.finish_cancelled(claim, now)?;
                Ok(WorkEnd::Cancelled)
            }
            Err(JobError::Released) => {
                claims.release(claim, now)?;
                Ok(WorkEnd::Lost)
            }
            Err(JobError::Cancelled) => {
                claims.finish_cancelled(claim, now)?;
                Ok(WorkEnd::Cancelled)
            }
            Err(JobError::Permanent(reason)) => {
                claims.give_up(claim, &reason, now)?;
                Ok(WorkEnd::Failed { reason, again_at: None })
            }
            Err(JobError::Failed(error)) if error.obstacle().is_some() => {
                let obstacle = self.app.redaction().text(&error.chain_with_hints());
                let again_at =
                    saturating_add(now, OBSTACLE.max(took.saturating_mul(SHARE)).max(error.min_wait()));
                claims.postpone(claim, &obstacle, again_at, now)?;
                Ok(WorkEnd::Postponed { obstacle, again_at })
            }
            Err(JobError::Failed(error) | JobError::Counted(error)) => {
                let reason = self.app.redaction().text(&error.chain());
                Ok(match claims.fail_and_rest(claim, &reason, error.rest_after_paying(), now)? {
                    RetryDecision::Again(at) => WorkEnd::Failed { reason, again_at: Some(at) },
                    RetryDecision::GaveUp => WorkEnd::Failed { reason, again_at: None },
                    RetryDecision::Cancelled => WorkEnd::Cancelled,
                })
            }
        }
    }
}

/// Why a job could not be done.
#[derive(Debug)]
enum JobError {
    /// Trying again may help.
    Failed(Error),
    /// The same, and its tries are counted even where something of the machine is in the way.
    Counted(Error),
    /// Trying again cannot help.
    Permanent(String),
    /// A person cancelled it.
    Cancelled,
    /// This process ends before it is done.
    Released,
}

impl From<Error> for JobError {
    fn from(error: Error) -> Self {
        match error {
            Error::Session(SessionError::NotATranscript { .. })
            | Error::Session(SessionError::NoSuch { .. })
            | Error::Session(SessionError::Ambiguous { .. }) => Self::Permanent(error.chain()),
            // The next try would cost as much again, and nothing stands in for it.
            Error::EngineCall(EngineCallError::Failed { ref source, .. }) if source.is_over_its_limit() => {
                Self::Permanent(error.chain_with_hints())
            }
            other => Self::Failed(other),
        }
    }
}
