//! `reflect`, `reflect_status`, `cancel_reflection`: the answers word for word as the contract has them.

use afterword_app::queue::{CancelOutcome, EnqueueOutcome, Queue, ReflectionOrder};
use afterword_app::{AgentState, App, agent_lock, model_calls, sessions};
use afterword_core::{Job, JobId, JobStatus, JobType, Trigger, UserId};
use afterword_daemon::work::{Insight, ReflectionResult};
use jiff::{Timestamp, Unit};
use rmcp::model::CallToolResult;
use serde::Serialize;

use crate::answer::{ToolFailure, answer};
use crate::context::{ToolContext, check_length, check_name, number, session};
use crate::requests::{JobRequest, ReflectRequest};

/// The longest focus, in bytes.
const LONGEST_FOCUS: usize = 2000;
/// Insights told of where nobody says how many, and at the most.
const INSIGHTS: (u32, u32) = (5, 50);

/// What `reflect` and its companions answer.
#[derive(Debug, Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
enum ReflectionAnswer {
    Queued {
        job_id: JobId,
        queued_at: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        eta_seconds: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        progress: Option<f64>,
        #[serde(flatten)]
        waits: Option<Waits>,
        /// Why the chosen engine cannot be asked.
        #[serde(skip_serializing_if = "Option::is_none")]
        engine_problem: Option<String>,
    },
    AlreadyRunning {
        job_id: JobId,
        /// The session that is reflected.
        #[serde(skip_serializing_if = "Option::is_none")]
        session_id: Option<String>,
        /// The reflection that was asked for, which waits behind it.
        #[serde(skip_serializing_if = "Option::is_none")]
        queued_job_id: Option<JobId>,
    },
    NotNeeded {
        reason: &'static str,
    },
    RateLimited {
        reason: String,
        next_at: String,
    },
    Running {
        job_id: JobId,
        queued_at: String,
        started_at: Option<String>,
        progress: f64,
    },
    Completed {
        job_id: JobId,
        completed_at: Option<String>,
        insights_created: usize,
        procedures_created: usize,
        ideas_created: usize,
        waiting_for_review: usize,
        /// Why nothing was read: the session is `excluded`, `forgotten`, or Afterword's `own`.
        #[serde(skip_serializing_if = "Option::is_none")]
        passed_over: Option<String>,
        insights: Vec<Insight>,
        procedures: Vec<Insight>,
        memories_analyzed: u64,
    },
    /// Work of another type that is done, with what it says of itself.
    #[serde(rename = "completed")]
    Done {
        job_id: JobId,
        completed_at: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        result: Option<serde_json::Value>,
    },
    Failed {
        job_id: JobId,
        reason: String,
        attempts: u32,
    },
    Cancelled {
        job_id: JobId,
    },
    /// The worker was asked to stop and has not yet.
    Cancelling {
        job_id: JobId,
    },
    NotFound,
}

/// An answer about a job, which says its type where that is no reflection.
#[derive(Debug, Serialize)]
struct AnswerOfType {
    #[serde(flatten)]
    answer: ReflectionAnswer,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    job_type: Option<JobType>,
}

/// Why a job waits that could have begun.
#[derive(Debug, Serialize)]
struct Waits {
    waits_because: String,
    waiting_since: String,
    attempts: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_failure: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    goes_on_at: Option<String>,
}

impl Waits {
    /// Nothing for a job whose turn simply has not come.
    fn of(job: &Job, running: Option<&Job>, is_paused: bool, now: Timestamp) -> Option<Self> {
        let is_late = job.not_before > now;
        let because = match (running, &job.reason) {
            _ if is_paused => "the user paused the agent; it goes on when they resume it",
            (_, Some(_)) if job.attempts > 0 => "its last try failed, and it is tried again",
            (_, Some(_)) => "something stands in its way; it goes on by itself when that is mended",
            (Some(_), None) => "another reflection runs, and they run one after the other",
            (None, None) if is_late => "it is to begin later",
            (None, None) => return None,
        };
        Some(Self {
            waits_because: because.to_owned(),
            waiting_since: time(job.queued_at),
            attempts: job.attempts,
            last_failure: job.reason.clone(),
            goes_on_at: is_late.then(|| time(job.not_before)),
        })
    }
}

/// Queues a reflection and answers at once.
pub(crate) fn reflect(context: &ToolContext, request: ReflectRequest) -> Result<CallToolResult, ToolFailure> {
    let user = context.user(request.user_id.as_deref())?;
    let most = number("max_insights", request.max_insights, INSIGHTS.0, INSIGHTS.1)?;
    let focus = check_length("focus", request.focus, LONGEST_FOCUS)?;
    let force = request.force.unwrap_or(false);
    let now = Timestamp::now();
    context.with_queue(|app, queue| {
        let mut order = order(context, app, request.session.as_deref())?;
        order.focus = focus;
        order.max_insights = Some(most);
        order.force = force;
        if let Some(passed) = queue.reason_to_skip(app, &order, now)? {
            return answer(&ReflectionAnswer::NotNeeded { reason: passed });
        }
        let transcript = order.transcript.as_deref().filter(|transcript| !force && transcript.exists());
        if transcript.map(|transcript| queue.is_reflected(app, transcript)).transpose()? == Some(true) {
            return answer(&ReflectionAnswer::NotNeeded {
                reason: "nothing is new in the session since it was last reflected",
            });
        }
        let enqueued = queue.reflect(&order, &user, now)?;
        answer(&match enqueued {
            EnqueueOutcome::Queued(job) => {
                let eta = queue.eta(&job, now)?.as_secs_f64().ceil();
                ReflectionAnswer::Queued {
                    job_id: job.id,
                    queued_at: time(job.queued_at),
                    // Seconds, far below where a float loses one.
                    eta_seconds: Some(eta as u64),
                    progress: None,
                    waits: None,
                    engine_problem: None,
                }
            }
            // Another session's: the one that was asked for waits behind it, and is not lost.
            EnqueueOutcome::AlreadyRunning(job) if job.subject.as_deref() != Some(order.session.as_str()) => {
                let behind = queue.reflect_behind(&order, &user, now)?;
                let (EnqueueOutcome::Queued(own) | EnqueueOutcome::AlreadyRunning(own)) = behind else {
                    return answer(&ReflectionAnswer::AlreadyRunning {
                        job_id: job.id,
                        session_id: job.subject,
                        queued_job_id: None,
                    });
                };
                ReflectionAnswer::AlreadyRunning {
                    job_id: job.id,
                    session_id: job.subject,
                    queued_job_id: Some(own.id),
                }
            }
            EnqueueOutcome::AlreadyRunning(job) => {
                ReflectionAnswer::AlreadyRunning { job_id: job.id, session_id: None, queued_job_id: None }
            }
            EnqueueOutcome::Refused(limit) => ReflectionAnswer::RateLimited {
                reason: format!(
                    "{} forced reflections within {} minutes are enough",
                    limit.most,
                    limit.within.as_secs() / 60
                ),
                next_at: time(limit.next_at),
            },
        })
    })
}

/// Which session is meant: the one named, else the one the client is in.
fn order(context: &ToolContext, app: &App, named: Option<&str>) -> Result<ReflectionOrder, ToolFailure> {
    let Some(named) = named else {
        let missing = "no session is known here; name one, as `afterword sessions` lists them";
        let here = context.current_session(app)?.ok_or_else(|| ToolFailure::argument("session", missing))?;
        let mut order = ReflectionOrder::new(here.session, Trigger::Manual);
        order.transcript = here.transcript;
        return Ok(order);
    };
    let found = sessions::find_session(app, session(named)?)?;
    let mut order = ReflectionOrder::new(found.session, Trigger::Manual);
    order.transcript = Some(found.path);
    Ok(order)
}

/// Tells where a job stands.
pub(crate) fn status(context: &ToolContext, request: &JobRequest) -> Result<CallToolResult, ToolFailure> {
    let user = context.user(request.user_id.as_deref())?;
    let id = check_name("job_id", &request.job_id)?;
    context.with_queue(|app, queue| {
        let Some(job) = find(queue, id, &user)? else { return answer(&ReflectionAnswer::NotFound) };
        let is_reflection = job.job_type == JobType::Reflection;
        let running = match job.status {
            JobStatus::Queued if is_reflection => queue.running_reflection(&user)?,
            _ => None,
        };
        let job_type = (!is_reflection).then_some(job.job_type);
        let mut standing = job_answer(job, running.as_ref(), is_paused(app), Timestamp::now());
        if let ReflectionAnswer::Queued { engine_problem, .. } = &mut standing
            && is_reflection
        {
            *engine_problem = model_calls::engine_fault(app).map(|fault| fault.sentence());
        }
        answer(&AnswerOfType { answer: standing, job_type })
    })
}

/// Calls a job off that waits; one that has ended stays as it is.
pub(crate) fn cancel(context: &ToolContext, request: &JobRequest) -> Result<CallToolResult, ToolFailure> {
    let user = context.user(request.user_id.as_deref())?;
    let id = check_name("job_id", &request.job_id)?;
    context.with_queue(|_, queue| {
        let Some(job) = find(queue, id, &user)? else { return answer(&ReflectionAnswer::NotFound) };
        answer(&match queue.cancel(job.id, Timestamp::now())? {
            CancelOutcome::Now => ReflectionAnswer::Cancelled { job_id: job.id },
            CancelOutcome::Requested => ReflectionAnswer::Cancelling { job_id: job.id },
            CancelOutcome::HadEnded(_) => job_answer(job, None, false, Timestamp::now()),
        })
    })
}

/// The user's job of that id. Another user's is not found, as is what is no id.
fn find(queue: &Queue, id: &str, user: &UserId) -> Result<Option<Job>, ToolFailure> {
    let Some(id) = JobId::parse(id) else { return Ok(None) };
    match queue.job(id) {
        Ok(job) if job.user == *user => Ok(Some(job)),
        Ok(_) | Err(afterword_app::Error::Agent(afterword_app::AgentError::NoSuchJob { .. })) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Whether an agent is there that the user paused. One that says nothing of itself is not.
fn is_paused(app: &App) -> bool {
    let agent = agent_lock::running_agent(app.paths()).ok().flatten().flatten();
    agent.is_some_and(|card| card.state == AgentState::Paused)
}

fn job_answer(job: Job, running: Option<&Job>, is_paused: bool, now: Timestamp) -> ReflectionAnswer {
    let job_id = job.id;
    match job.status {
        JobStatus::Queued => ReflectionAnswer::Queued {
            job_id,
            queued_at: time(job.queued_at),
            eta_seconds: None,
            progress: Some(job.progress),
            waits: Waits::of(&job, running, is_paused, now),
            engine_problem: None,
        },
        JobStatus::Running => ReflectionAnswer::Running {
            job_id,
            queued_at: time(job.queued_at),
            started_at: job.started_at.map(time),
            progress: job.progress,
        },
        JobStatus::Completed if job.job_type != JobType::Reflection => ReflectionAnswer::Done {
            job_id,
            completed_at: job.completed_at.map(time),
            result: job.result.as_deref().and_then(|text| serde_json::from_str(text).ok()),
        },
        JobStatus::Completed => {
            let result = result_of(&job);
            ReflectionAnswer::Completed {
                job_id,
                completed_at: job.completed_at.map(time),
                insights_created: result.insights_created,
                procedures_created: result.procedures_created,
                ideas_created: result.ideas_created,
                waiting_for_review: result.waiting_for_review,
                passed_over: result.passed_over,
                insights: result.insights,
                procedures: result.procedures,
                memories_analyzed: result.memories_analyzed,
            }
        }
        JobStatus::Failed => ReflectionAnswer::Failed {
            job_id,
            reason: job.reason.unwrap_or_default(),
            attempts: job.attempts,
        },
        JobStatus::Cancelled => ReflectionAnswer::Cancelled { job_id },
    }
}

/// What a completed reflection left; nothing for one of another version.
pub(crate) fn result_of(job: &Job) -> ReflectionResult {
    job.result.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

/// A time as the contract writes it, whole seconds in UTC.
pub(crate) fn time(at: Timestamp) -> String {
    at.round(Unit::Second).unwrap_or(at).to_string()
}
