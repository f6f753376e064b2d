//! A reflection job: one session, unless it was reflected as it stands.

use std::cell::Cell;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use afterword_core::job::saturating_add;
use afterword_core::{JobType, SessionId};
use afterword_reflect::engine::PromptContext;
use afterword_store::{Claim, JobLog, RunOutcome};
use jiff::{Timestamp, Zoned};

use super::outcome::ReflectionResult;
use super::{CompletedJob, JobError, Worker, log};
use afterword_app::engine::is_stand_in;
use afterword_app::error::obstacle::Obstacle;
use afterword_app::log::OrLog;
use afterword_app::model_calls::ReflectionOptions;
use afterword_app::note_change::NoteChange;
use afterword_app::queue::ReflectionPayload;
use afterword_app::reflect::{Eligibility, ReflectRequest, Reflection, Target};
use afterword_app::sessions::is_current;
use afterword_app::sessions::{self, Transcript};
use afterword_app::web_cache::Owner;
use afterword_app::{EngineName, Error, Progress, Step, reflect, web_cache};

pub(super) fn run(worker: &Worker, claim: &Claim, now: &Zoned) -> Result<CompletedJob, JobError> {
    let payload: ReflectionPayload = serde_json::from_str(&claim.job.payload)
        .map_err(|error| JobError::Permanent(format!("its payload cannot be understood: {error}")))?;
    let argument = match (&payload.transcript, &claim.job.subject) {
        (Some(path), _) => path.to_string_lossy().into_owned(),
        (None, Some(session)) => session.clone(),
        (None, None) => return Err(JobError::Permanent("it names no session".to_owned())),
    };
    let app = &worker.app;
    let transcript = sessions::find(app.claude(), &app.environment().working_directory, &argument)?;
    if let Eligibility::Skipped(passed) =
        reflect::eligibility(app, &worker.store, &transcript, now.timestamp())?
    {
        let result = ReflectionResult { passed_over: Some(passed.to_owned()), ..ReflectionResult::default() };
        return Ok(completed_job(&result, Vec::new()));
    }
    if !payload.force && is_reflected(worker, &transcript)? {
        // Its worker may have died after the notes and before this.
        let owner = Owner { session: &transcript.session, project: None };
        web_cache::curate_unread(app, &transcript.path, owner, now)?;
        let result = ReflectionResult { unchanged: true, ..ReflectionResult::default() };
        return Ok(completed_job(&result, Vec::new()));
    }
    let wishes = PromptContext {
        focus: payload.focus.clone().unwrap_or_default(),
        most: payload.max_insights.and_then(|most| usize::try_from(most).ok()),
        ..PromptContext::default()
    };
    let ordered = ReflectionOptions { wishes, job: Some(claim.job.id), in_place_of: None };
    let request = ReflectRequest {
        target: Target::One(transcript.path.to_string_lossy().into_owned()),
        engine: None,
        dry_run: false,
        // Whether it may be read was decided when it was ordered: a client with a directory of its own has hooks, too.
        foreign: true,
        trigger: payload.trigger,
    };
    let mut reporting = ProgressReporter::new(worker, claim, &transcript.session, now.timestamp());
    let mut reflection = match reflect::reflect_with(app, &request, ordered, now, &mut reporting) {
        Err(Error::Cancelled { .. }) if reporting.ends_here() => return Err(JobError::Released),
        Err(Error::Cancelled { .. }) => return Err(JobError::Cancelled),
        Err(error) if error.obstacle() == Some(Obstacle::Engine) => {
            read_in_its_place(worker, claim, &transcript, request, now, &mut reporting)?;
            return Err(error.into());
        }
        reflected => reflected?,
    };
    if !reflection.sessions.is_empty() {
        write_job_log(worker, claim, &transcript.session, &reflection, now)?;
    }
    match reflection.failures.pop() {
        Some(_) if reporting.ends_here() => return Err(JobError::Released),
        Some(failure) => return Err(failure.error.into()),
        None => {}
    }
    let result = ReflectionResult::of(&reflection, payload.max_insights);
    Ok(completed_job(&result, reflection.notes))
}

/// An engine that cannot be asked costs no lesson: the built-in one reads in its place, once for what the session holds.
fn read_in_its_place(
    worker: &Worker,
    claim: &Claim,
    transcript: &Transcript,
    request: ReflectRequest,
    now: &Zoned,
    reporting: &mut ProgressReporter<'_>,
) -> Result<(), JobError> {
    let known = worker.store.sessions().get(&transcript.path).map_err(Error::from)?;
    if known.is_some_and(|known| is_current(&known.reflected(), transcript, &worker.app.vault_root())) {
        return Ok(());
    }
    let in_place_of = Some(worker.app.config().engine);
    let ordered = ReflectionOptions { job: Some(claim.job.id), in_place_of, ..ReflectionOptions::default() };
    let request = ReflectRequest { engine: Some(EngineName::Builtin), ..request };
    match reflect::reflect_with(&worker.app, &request, ordered, now, reporting) {
        Err(Error::Cancelled { .. }) if reporting.ends_here() => Err(JobError::Released),
        Err(Error::Cancelled { .. }) => Err(JobError::Cancelled),
        Err(error) => Err(error.into()),
        Ok(reflection) => {
            write_job_log(worker, claim, &transcript.session, &reflection, now)?;
            Ok(())
        }
    }
}

/// It was read as it stands, and not by the built-in engine in place of another.
fn is_reflected(worker: &Worker, transcript: &Transcript) -> Result<bool, Error> {
    let Some(known) = worker.store.sessions().get(&transcript.path)? else { return Ok(false) };
    let is_stand_in = is_stand_in(&known) && worker.app.config().engine != EngineName::Builtin;
    Ok(is_current(&known.reflected(), transcript, &worker.app.vault_root()) && !is_stand_in)
}

fn write_job_log(
    worker: &Worker,
    claim: &Claim,
    session: &SessionId,
    reflection: &Reflection,
    now: &Zoned,
) -> Result<(), Error> {
    let project = reflection.sessions.first().and_then(|one| one.project.clone());
    let logs = worker.store.job_logs();
    let previous = logs.handoff_note(JobType::Reflection, session, project.as_ref())?;
    let ended_at = now.timestamp().checked_add(reflection.duration).unwrap_or(Timestamp::MAX);
    logs.put(&JobLog {
        job: claim.job.id,
        attempt: claim.number,
        user: claim.job.user.clone(),
        job_type: JobType::Reflection,
        session: Some(session.clone()),
        project,
        outcome: RunOutcome::Ran,
        started_at: now.timestamp(),
        ended_at,
        transcript: log::transcript(reflection, previous.as_deref()),
        todo: log::json(&log::todo(reflection)),
        handoff_note: Some(log::handoff_note(reflection)),
    })?;
    Ok(())
}

fn completed_job(result: &ReflectionResult, notes: Vec<NoteChange>) -> CompletedJob {
    let result = serde_json::to_string(result).unwrap_or_else(|_| "{}".to_owned());
    CompletedJob { result, notes }
}

/// So often the database is asked whether the job was cancelled.
const LOOK: Duration = Duration::from_millis(250);

/// Notes with the job how far it is, and looks whether it is still wanted.
struct ProgressReporter<'a> {
    worker: &'a Worker,
    claim: &'a Claim,
    session: &'a SessionId,
    now: Timestamp,
    clock: Instant,
    looked: Cell<Instant>,
    cancelled: Cell<bool>,
}

impl<'a> ProgressReporter<'a> {
    fn new(worker: &'a Worker, claim: &'a Claim, session: &'a SessionId, now: Timestamp) -> Self {
        let clock = Instant::now();
        let cancelled = Cell::new(claim.job.cancel_requested);
        Self { worker, claim, session, now, clock, looked: Cell::new(clock), cancelled }
    }

    /// Writes the to-do list as it stands. It counts as failed until it has ended: a worker that dies leaves how far it came.
    fn save_todo(&self, step: &Step<'_>, at: Timestamp) {
        let (claim, todo) = (self.claim, log::json(&log::todo_at(step)));
        // What cannot be written down is told at the job's end.
        let log = JobLog {
            job: claim.job.id,
            attempt: claim.number,
            user: claim.job.user.clone(),
            job_type: JobType::Reflection,
            session: Some(self.session.clone()),
            project: None,
            outcome: RunOutcome::Failed,
            started_at: self.now,
            ended_at: at,
            transcript: "under way".to_owned(),
            todo,
            handoff_note: None,
        };
        self.worker.store.job_logs().put(&log).or_log("writing down a job's to-do list");
    }

    /// This process is about to end; another one does the job.
    fn ends_here(&self) -> bool {
        self.worker.app.shutdown_flag().load(Ordering::Relaxed)
    }
}

impl Progress for ProgressReporter<'_> {
    fn goes_on(&self) -> bool {
        if self.looked.get().elapsed() >= LOOK {
            self.looked.set(Instant::now());
            let job = self.worker.store.jobs().get(self.claim.job.id);
            // A database that does not answer is told at the job's end.
            self.cancelled.set(job.is_ok_and(|job| job.is_none_or(|job| job.cancel_requested)));
        }
        !self.cancelled.get() && !self.ends_here()
    }

    fn step(&mut self, step: &Step<'_>) {
        let progress = match step {
            Step::Planned { .. } => 0.05,
            Step::Reading { .. } => 0.1,
            Step::Mined { .. } | Step::Failed { .. } => 0.7,
            Step::Writing { .. } => 0.8,
        };
        // Whether the claim still holds is found out at the job's end.
        let now = saturating_add(self.now, self.clock.elapsed());
        self.worker
            .store
            .jobs()
            .claims()
            .report(self.claim, progress, now)
            .or_log("reporting a job's progress");
        self.save_todo(step, now);
    }
}
