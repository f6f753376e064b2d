//! How things stand: whether an agent is at work, what waits, since when, and whether anything is wrong.
//!
//! Silence is never failure: sessions that arrive and are not reflected are an alarm, whatever else is quiet. Start at
//! [`status`]; what makes an alarm is in [`alarms`].

use std::path::PathBuf;
use std::time::Duration;

use afterword_core::job::saturating_add;
use afterword_core::{Job, JobStatus, JobType, SessionState, Trigger, UserId};
use afterword_store::Store;
use jiff::Timestamp;

use crate::agent_lock::{AgentCard, WatchMode, running_agent};
use crate::conversations::{TaskAttention, task_attention};
use crate::disk::FreeSpace;
use crate::feedback::{self, RestatedLesson};
use crate::health::Check;
use crate::model_calls::EngineFault;
use crate::queue::is_cut_off;
use crate::sessions::{ListRequest, ReflectionState, SessionEntry};
use crate::{App, Environment, Error, model_calls, sessions};
use afterword_claude_code::spool::Spool;

/// A session that is due is reflected within minutes while an agent runs; after so long something is wrong.
const PATIENCE: Duration = Duration::from_secs(3600);
/// Notes that wait for review so long were forgotten.
const REVIEW_PATIENCE: Duration = Duration::from_secs(14 * 86_400);

/// How things stand.
#[derive(Debug, Clone, Default)]
pub struct Status {
    /// The agent at work; `None` when none is. One that has just begun may not have told of itself.
    pub agent: Option<Option<AgentCard>>,
    /// Sessions in each state the agent saw them in last.
    pub states: Vec<(SessionState, usize)>,
    /// Sessions there are.
    pub sessions: usize,
    /// Sessions that are due and were not reflected.
    pub backlog: WaitingCounts,
    /// Sessions that hold something new and are not due yet.
    pub soon: UpcomingWork,
    /// Notes that wait for the user's review.
    pub review: WaitingCounts,
    /// Lessons that were given and said again all the same, for which more can be done.
    pub said_again: Vec<RestatedLesson>,
    /// What tasks have to say, and when the next is due.
    pub tasks: TaskAttention,
    /// When each trigger last led to a reflection.
    pub last_success: Vec<(Trigger, Option<Timestamp>)>,
    /// The queue.
    pub queue: QueueState,
    /// Files of hooks that wait to be taken in, and those that could not be understood.
    pub spool: (usize, usize),
    /// Where hardly any space is left.
    pub full: Option<FreeSpace>,
    /// No vault was chosen, so that nothing can be reflected.
    pub needs_vault: bool,
    /// The vault that is set up and is not there.
    pub missing_vault: Option<PathBuf>,
    /// Why the chosen engine cannot be asked.
    pub engine: Option<EngineFault>,
    /// Why nothing can be told of sessions and the queue.
    pub unreadable: Option<Alarm>,
    /// What is wrong, the worst first.
    pub alarms: Vec<Alarm>,
}

/// Things that wait.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WaitingCounts {
    /// How many.
    pub count: usize,
    /// Since when the one that waits longest does.
    pub oldest: Option<Timestamp>,
}

/// Things that are to be done later.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UpcomingWork {
    /// How many.
    pub count: usize,
    /// When the next of them is due.
    pub next: Option<Timestamp>,
}

/// The queue, jobs of every type together.
#[derive(Debug, Clone, Default)]
pub struct QueueState {
    /// Waiting.
    pub pending: usize,
    /// Running.
    pub running: usize,
    /// Running when the process that worked on them ended; the next agent takes them up again.
    pub cut_off: usize,
    /// Of those that wait for a reason, the one queued first.
    pub held_up: Option<Job>,
    /// The one that failed last, where none of its type was done since.
    pub last_failed: Option<Job>,
}

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alarm {
    /// What.
    pub message: String,
    /// What to do.
    pub advice: String,
}

/// Looks how things stand; changes nothing.
///
/// # Errors
/// [`Error::Io`] or [`Error::Store`].
pub fn status(app: &App, now: Timestamp) -> Result<Status, Error> {
    let mut status = Status {
        agent: running_agent(&app.paths)?,
        review: review_waiting(app),
        needs_vault: app.config.vault.is_none(),
        missing_vault: missing_vault(app),
        engine: model_calls::engine_fault(app),
        full: FreeSpace::least_free(&app.paths, &app.config).filter(FreeSpace::is_danger),
        ..Status::default()
    };
    match collect_activity(app, &mut status, now) {
        // What is in the way of the database must not be in the way of saying so.
        Err(error) if error.obstacle().is_some() => {
            let advice = error.hints().into_iter().next().unwrap_or_default();
            status.unreadable = Some(Alarm { message: error.chain(), advice });
        }
        other => other?,
    }
    status.alarms = alarms(&status, now);
    Ok(status)
}

/// What the sessions and the database tell.
fn collect_activity(app: &App, status: &mut Status, now: Timestamp) -> Result<(), Error> {
    let waiting = Spool::new(&app.paths).counts()?;
    status.spool = (waiting.events, waiting.refused);
    let list = sessions::sessions(app, &ListRequest::default())?;
    let store = app.existing_store()?;
    let runs = store.as_ref().map(|store| store.runs().last_successes()).transpose()?.unwrap_or_default();
    let last = |trigger: Trigger| {
        let run = runs.iter().find(|run| run.trigger == trigger.as_str());
        (trigger, run.map(|run| run.started_at))
    };
    let count = |state| list.iter().filter(|one| one.followed.is_some_and(|f| f.state == state)).count();
    status.states = SessionState::ALL.into_iter().map(|state| (state, count(state))).collect();
    status.sessions = list.len();
    (status.backlog, status.soon) = backlog(&list, app.config.reflection_idle(), now);
    status.last_success = Trigger::ALL.into_iter().map(last).collect();
    status.said_again = match status.missing_vault {
        Some(_) => Vec::new(),
        None => feedback::restated_lessons(app, now)?,
    };
    status.tasks = store.as_ref().map(task_attention).transpose()?.unwrap_or_default();
    status.queue = store.as_ref().map(queue_state).transpose()?.unwrap_or_default();
    Ok(())
}

fn queue_state(store: &Store) -> Result<QueueState, Error> {
    let mut state = QueueState::default();
    for job in store.jobs().active_jobs()? {
        match job.status {
            JobStatus::Queued => {
                state.pending += 1;
                state.held_up = state.held_up.or_else(|| job.reason.is_some().then_some(job));
            }
            _ if is_cut_off(&job) => state.cut_off += 1,
            _ => state.running += 1,
        }
    }
    for job_type in JobType::ALL {
        let figures = store.jobs().figures(&UserId::default(), job_type)?;
        let done = figures.last_completed.and_then(|job| job.completed_at);
        let failed = figures.last_failed.filter(|job| job.completed_at > done);
        let known = state.last_failed.take();
        state.last_failed = known.into_iter().chain(failed).max_by_key(|job| job.completed_at);
    }
    Ok(state)
}

/// The vault's folder, where one is set up and the folder is gone.
fn missing_vault(app: &App) -> Option<PathBuf> {
    let root = app.config.vault.as_ref()?;
    let home = root.join(afterword_vault::layout::HOME);
    (!home.is_dir()).then(|| root.clone())
}

/// Notes in the review folder. Each waits since its file was written: the day it says it was made is that of what was said,
/// which may be long before it was put up.
pub(crate) fn review_waiting(app: &App) -> WaitingCounts {
    let Some(root) = &app.config.vault else { return WaitingCounts::default() };
    let Ok(entries) = std::fs::read_dir(root.join(afterword_vault::layout::REVIEW)) else {
        return WaitingCounts::default();
    };
    let notes = entries.flatten().filter(|entry| entry.path().extension().is_some_and(|e| e == "md"));
    let mut waiting = WaitingCounts::default();
    for note in notes {
        waiting.count += 1;
        let at = note.metadata().and_then(|metadata| metadata.modified()).ok();
        let at = at.and_then(|at| Timestamp::try_from(at).ok());
        waiting.oldest = [waiting.oldest, at].into_iter().flatten().min();
    }
    waiting
}

/// What `doctor` says of the agent: nothing where none ever ran.
pub(crate) fn checks(environment: &Environment, now: Timestamp) -> Vec<Check> {
    const NAME: &str = "agent";
    // What is wrong with the settings is said already.
    let Ok(app) = App::new(environment.clone()) else { return Vec::new() };
    if !app.paths.agent_lock().exists() {
        return Vec::new();
    }
    let status = match status(&app, now) {
        Ok(status) => status,
        Err(error) => return vec![Check::error(NAME, &error)],
    };
    let mut checks = match &status.agent {
        None => vec![Check::ok(NAME, "not at work; `afterword run` or the app starts it")],
        Some(None) => vec![Check::ok(NAME, "starting")],
        Some(Some(card)) => vec![at_work(card)],
    };
    checks.extend(status.alarms.into_iter().map(|alarm| Check::warn("alarm", alarm.message, alarm.advice)));
    checks
}

fn at_work(card: &AgentCard) -> Check {
    let process = card.pid;
    match &card.watching {
        WatchMode::Events => Check::ok("agent", format!("{} (process {process})", card.state)),
        WatchMode::Waiting => {
            Check::ok("agent", format!("waits for Claude Code's directory to appear (process {process})"))
        }
        WatchMode::Polling { reason } => Check::warn(
            "agent",
            format!("{} (process {process}); looks at all transcripts again and again: {reason}", card.state),
            "on Linux raise `fs.inotify.max_user_watches` with sysctl, then start the agent again",
        ),
    }
}

/// Sessions that hold something that was not reflected: those whose idle time is over, each since it was due, and the others.
fn backlog(list: &[SessionEntry], idle: Duration, now: Timestamp) -> (WaitingCounts, UpcomingWork) {
    let (mut waiting, mut soon) = (WaitingCounts::default(), UpcomingWork::default());
    for one in list {
        // What the agent looked at closer and found nothing new in only seems to have grown.
        let seen = one.followed.is_some_and(|followed| followed.state == SessionState::Reflected);
        if !(matches!(one.state, ReflectionState::New) || (one.state == ReflectionState::Grown && !seen)) {
            continue;
        }
        let since = one.followed.map_or(one.modified, |followed| followed.last_activity.max(one.modified));
        let due = Some(saturating_add(since, idle));
        if due <= Some(now) {
            waiting.count += 1;
            waiting.oldest = [waiting.oldest, due].into_iter().flatten().min();
        } else {
            soon.count += 1;
            soon.next = [soon.next, due].into_iter().flatten().min();
        }
    }
    (waiting, soon)
}

/// What is wrong with how things stand.
pub fn alarms(status: &Status, now: Timestamp) -> Vec<Alarm> {
    let mut alarms = obstacles(status);
    if status.needs_vault && status.sessions > 0 {
        alarms.push(alarm(
            "no vault is set up, so nothing is reflected".to_owned(),
            "choose a folder for your notes in the app, or with `afterword init --vault DIR`",
        ));
        return alarms;
    }
    alarms.extend(nothing_reflected(status, now));
    if status.spool.1 > 0 {
        alarms.push(alarm(
            format!("{} notices of hooks could not be understood", status.spool.1),
            "run `afterword install claude-code` again: the hooks may be those of another version",
        ));
    }
    if status.review.oldest.is_some_and(|oldest| saturating_add(oldest, REVIEW_PATIENCE) <= now) {
        alarms.push(alarm(
            format!("{} notes wait for review, some for more than two weeks", status.review.count),
            "`afterword review` goes through them; `review.mode = \"silent\"` asks no more",
        ));
    }
    alarms
}

/// What keeps the agent, its engine or its vault from work.
fn obstacles(status: &Status) -> Vec<Alarm> {
    let mut alarms = Vec::new();
    let agent_error = status.agent.iter().flatten().find_map(|card| match &card.state {
        crate::AgentState::Error { message } => Some(message.clone()),
        _ => None,
    });
    let engine = status.engine.as_ref();
    let agent_error = agent_error.filter(|message| engine.is_none_or(|fault| fault.sentence() != *message));
    if let Some(message) = agent_error {
        alarms.push(alarm(
            format!("something keeps the agent from its work: {message}"),
            "the agent tries again by itself when that is mended; `afterword logs` shows what went before",
        ));
    } else if let Some(unreadable) = &status.unreadable {
        alarms.push(alarm(unreadable.message.clone(), &unreadable.advice));
    }
    if let Some(fault) = engine {
        alarms
            .push(alarm(format!("{}; the built-in engine goes on meanwhile", fault.message), &fault.advice));
    }
    if let Some(vault) = &status.missing_vault {
        alarms.push(alarm(
            format!("the vault is not there: {}", vault.display()),
            "bring back the folder, or the disk it is on; where it was moved, run `afterword init --vault DIR`; `afterword init` begins an empty vault there",
        ));
    }
    if let Some(space) = &status.full {
        alarms.push(alarm(space.describe(), crate::disk::ADVICE));
    }
    alarms
}

/// Sessions wait, and nothing was reflected for longer than that takes.
fn nothing_reflected(status: &Status, now: Timestamp) -> Option<Alarm> {
    let newest = status.last_success.iter().filter_map(|(_, at)| *at).max();
    // Without its vault nothing can be reflected, by whomever.
    let overdue = status.backlog.oldest.filter(|_| status.missing_vault.is_none());
    let overdue = overdue.filter(|oldest| saturating_add(*oldest, PATIENCE) <= now);
    if let Some(oldest) = overdue
        && newest.is_none_or(|newest| newest < oldest || saturating_add(newest, PATIENCE) <= now)
    {
        let (message, advice) = match &status.agent {
            None => (
                "sessions arrive but nothing is reflected: no agent is at work",
                "start the app, or `afterword run`; or reflect by hand with `afterword reflect --all`",
            ),
            Some(_) => (
                "sessions arrive but nothing is reflected",
                "`afterword jobs` and `afterword logs` show what failed and why; `afterword doctor` looks for the cause",
            ),
        };
        return Some(alarm(message.to_owned(), advice));
    }
    None
}

fn alarm(message: String, advice: &str) -> Alarm {
    Alarm { message, advice: advice.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AgentState;

    fn at(text: &str) -> Timestamp {
        format!("2026-03-01T{text}Z").parse().unwrap()
    }

    fn status() -> Status {
        Status {
            agent: Some(None),
            sessions: 3,
            last_success: vec![(Trigger::Idle, Some(at("09:00:00")))],
            ..Status::default()
        }
    }

    #[track_caller]
    fn check(status: &Status, expected: &[&str]) {
        let alarms = alarms(status, at("12:00:00"));
        assert_eq!(alarms.len(), expected.len(), "{alarms:?}");
        for (alarm, part) in alarms.iter().zip(expected) {
            assert!(alarm.message.contains(part), "{alarm:?} {part}");
        }
    }

    #[test]
    fn quiet_without_work_is_no_alarm_and_quiet_with_work_is() {
        check(&status(), &[]);
        let waiting = |since| WaitingCounts { count: 2, oldest: Some(at(since)) };
        check(&Status { backlog: waiting("11:30:00"), ..status() }, &[]);
        let late = Status { backlog: waiting("10:00:00"), ..status() };
        check(&late, &["nothing is reflected"]);
        check(&Status { agent: None, ..late.clone() }, &["no agent is at work"]);
        // A first run over years of sessions takes its time; as long as it gets on, all is well.
        check(&Status { last_success: vec![(Trigger::Expiring, Some(at("11:59:00")))], ..late }, &[]);
    }

    #[test]
    fn without_a_vault_nothing_else_is_asked_of_the_person() {
        let waiting = WaitingCounts { count: 2, oldest: Some(at("10:00:00")) };
        let new = Status { agent: None, needs_vault: true, backlog: waiting, ..status() };
        check(&new, &["no vault is set up"]);
        let gone = Status { needs_vault: false, missing_vault: Some("/srv/notes".into()), ..new.clone() };
        check(&gone, &["the vault is not there"]);
        check(&Status { sessions: 0, backlog: WaitingCounts::default(), ..new }, &[]);
    }

    #[test]
    fn what_the_agent_says_of_itself_comes_first() {
        let card = AgentCard {
            pid: 1,
            version: String::new(),
            since: at("09:00:00"),
            watching: WatchMode::Events,
            claude_dirs: Vec::new(),
            state: AgentState::Error { message: "no vault is set up".to_owned() },
        };
        let review = WaitingCounts { count: 4, oldest: Some("2026-01-01T00:00:00Z".parse().unwrap()) };
        let status = Status { agent: Some(Some(card)), spool: (0, 2), review, ..status() };
        check(&status, &["no vault is set up", "2 notices", "4 notes wait"]);
    }

    #[test]
    fn engine_that_cannot_be_asked_is_said_once() {
        let fault = EngineFault {
            engine: crate::EngineName::ClaudeCode,
            message: "claude-code cannot be asked: Claude Code was not found".to_owned(),
            advice: "install it".to_owned(),
        };
        let card = AgentCard {
            pid: 1,
            version: String::new(),
            since: at("09:00:00"),
            watching: WatchMode::Events,
            claude_dirs: Vec::new(),
            state: AgentState::Error { message: fault.sentence() },
        };
        let status = Status { agent: Some(Some(card)), engine: Some(fault), ..status() };
        check(&status, &["Claude Code was not found; the built-in engine goes on"]);
    }
}
