//! `afterword status`

use std::io::Write;
use std::process::ExitCode;

use afterword_app::agent_lock::WatchMode;
use afterword_app::feedback::RestatedLesson;
use afterword_app::status::{self, QueueState, Status, WaitingCounts};
use jiff::Timestamp;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{ATTENTION, BAD, DIM, GOOD, Output, plain};
use crate::wording::{age, count, local, until};

#[derive(Serialize)]
struct StatusView<'a> {
    version: u32,
    agent: Option<AgentView>,
    sessions: SessionsView,
    last_success: Vec<LastView>,
    queue: QueueView<'a>,
    review: WaitingView,
    said_again: &'a [RestatedLesson],
    tasks: TasksView,
    hooks: HooksView,
    alarms: Vec<AlarmView<'a>>,
}

#[derive(Serialize)]
struct AgentView {
    state: String,
    pid: Option<u32>,
    since: Option<String>,
    watching: Option<WatchMode>,
}

#[derive(Serialize)]
struct SessionsView {
    total: usize,
    states: std::collections::BTreeMap<&'static str, usize>,
    waiting: WaitingView,
    not_due: NotDueView,
}

/// Sessions that hold something new and are not due yet.
#[derive(Serialize)]
struct NotDueView {
    count: usize,
    next: Option<String>,
}

#[derive(Serialize)]
struct WaitingView {
    count: usize,
    oldest: Option<String>,
}

#[derive(Serialize)]
struct LastView {
    trigger: &'static str,
    at: Option<String>,
}

#[derive(Serialize)]
struct QueueView<'a> {
    pending: usize,
    running: usize,
    cut_off: usize,
    /// Why the job waits that was queued first of those that wait for a reason, and until when.
    waits_because: Option<&'a str>,
    goes_on_at: Option<String>,
    last_failure: Option<&'a str>,
    last_failed_at: Option<String>,
}

#[derive(Serialize)]
struct TasksView {
    asking: usize,
    reported: usize,
    next: Option<String>,
}

#[derive(Serialize)]
struct HooksView {
    waiting: usize,
    refused: usize,
}

#[derive(Serialize)]
struct AlarmView<'a> {
    message: &'a str,
    advice: &'a str,
}

pub(crate) fn run(output: &mut Output) -> Result<ExitCode, Failure> {
    let now = Timestamp::now();
    let status = status::status(&super::app()?, now)?;
    if output.json {
        output.print_json(&view(&status))?;
    } else {
        print(&status, now, output)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print(status: &Status, now: Timestamp, output: &mut Output) -> std::io::Result<()> {
    print_agent(status, now, output)?;
    let out = output.data();
    let states: Vec<_> = status
        .states
        .iter()
        .filter(|(_, number)| *number > 0)
        .map(|(state, number)| format!("{number} {state}"))
        .collect();
    let followed = if states.is_empty() { String::new() } else { format!(": {}", states.join(", ")) };
    writeln!(out, "sessions  {} found{followed}", status.sessions)?;
    writeln!(out, "waiting   {}", sessions_waiting(status, now))?;
    match &status.missing_vault {
        Some(_) => writeln!(out, "review    {ATTENTION}not known: the vault is not there{ATTENTION:#}")?,
        None if status.needs_vault => writeln!(out, "review    {DIM}no vault is set up{DIM:#}")?,
        None => writeln!(out, "review    {}", describe_waiting(status.review, "note", "to review", now))?,
    }
    for one in &status.said_again {
        super::stats::print_restated_lessons(one, output)?;
    }
    let out = output.data();
    if let Some(tasks) = tasks(status) {
        writeln!(out, "tasks     {tasks}")?;
    }
    print_queue(&status.queue, now, output)?;
    let out = output.data();
    let led_to_one = status.last_success.iter().filter_map(|(trigger, at)| at.map(|at| (trigger, at)));
    for (trigger, at) in led_to_one.clone() {
        writeln!(out, "last      {:<12} {} ago", trigger.as_str(), age(at, now))?;
    }
    if led_to_one.count() == 0 {
        writeln!(out, "last      {DIM}nothing was reflected yet{DIM:#}")?;
    }
    if let Some(failed) = &status.queue.last_failed {
        let reason = plain(failed.reason.as_deref().unwrap_or_default());
        let at = failed.completed_at.map_or(String::new(), |at| format!(", {} ago", age(at, now)));
        writeln!(out, "failed    {}{at}: {reason}", failed.job_type)?;
    }
    for alarm in &status.alarms {
        writeln!(out, "{BAD}alarm{BAD:#}     {}", plain(&alarm.message))?;
        writeln!(out, "          {DIM}{}{DIM:#}", plain(&alarm.advice))?;
    }
    Ok(())
}

fn print_agent(status: &Status, now: Timestamp, output: &mut Output) -> std::io::Result<()> {
    let out = output.data();
    match &status.agent {
        None => writeln!(out, "agent     {ATTENTION}not running{ATTENTION:#}")?,
        Some(None) => writeln!(out, "agent     {GOOD}starting{GOOD:#}")?,
        Some(Some(card)) => {
            let since = age(card.since, now);
            writeln!(
                out,
                "agent     {GOOD}{}{GOOD:#}  {DIM}process {}, for {since}{DIM:#}",
                plain(&card.state.to_string()),
                card.pid
            )?;
            match &card.watching {
                WatchMode::Events => {}
                WatchMode::Waiting => writeln!(out, "          waits for Claude Code's directory to appear")?,
                WatchMode::Polling { reason } => {
                    writeln!(
                        out,
                        "          {ATTENTION}looks again and again{ATTENTION:#}: {}",
                        plain(reason)
                    )?;
                }
            }
        }
    }
    Ok(())
}

fn print_queue(queue: &QueueState, now: Timestamp, output: &mut Output) -> std::io::Result<()> {
    let out = output.data();
    let cut_off = match queue.cut_off {
        0 => String::new(),
        cut_off => format!(", {cut_off} cut off: the next agent takes them up again"),
    };
    writeln!(out, "queue     {} waiting, {} running{cut_off}", queue.pending, queue.running)?;
    if let Some(job) = &queue.held_up {
        let reason = plain(job.reason.as_deref().unwrap_or_default());
        writeln!(out, "          {} waits {}: {reason}", job.job_type, until(job.not_before, now))?;
    }
    Ok(())
}

/// What tasks have to say and when the next is due; none where there is nothing of either.
fn tasks(status: &Status) -> Option<String> {
    let mut words = status.tasks.describe();
    words.extend(status.tasks.next.map(|next| format!("the next is due {}", local(next, "local"))));
    (!words.is_empty()).then(|| words.join(", "))
}

fn sessions_waiting(status: &Status, now: Timestamp) -> String {
    let by_whom = if status.agent.is_none() { ", once an agent is at work" } else { "" };
    let due = status.soon.next.map_or(String::new(), |next| format!("due in {}{by_whom}", age(now, next)));
    match (status.backlog.count, status.soon.count) {
        (_, 0) => describe_waiting(status.backlog, "session", "to reflect", now),
        (0, soon) => format!("{} to reflect, {due}", count(soon, "session")),
        (_, soon) => {
            format!("{}; {soon} more, {due}", describe_waiting(status.backlog, "session", "to reflect", now))
        }
    }
}

fn describe_waiting(waiting: WaitingCounts, noun: &str, what: &str, now: Timestamp) -> String {
    match waiting.oldest {
        _ if waiting.count == 0 => format!("no {noun} {what}"),
        None => format!("{} {what}", count(waiting.count, noun)),
        Some(oldest) => format!("{} {what}, the oldest for {}", count(waiting.count, noun), age(oldest, now)),
    }
}

fn view(status: &Status) -> StatusView<'_> {
    let waiting = |waiting: WaitingCounts| WaitingView {
        count: waiting.count,
        oldest: waiting.oldest.map(|at| at.to_string()),
    };
    StatusView {
        version: 1,
        agent: status.agent.as_ref().map(|card| AgentView {
            state: card.as_ref().map_or("starting".to_owned(), |card| card.state.to_string()),
            pid: card.as_ref().map(|card| card.pid),
            since: card.as_ref().map(|card| card.since.to_string()),
            watching: card.as_ref().map(|card| card.watching.clone()),
        }),
        sessions: SessionsView {
            total: status.sessions,
            states: status.states.iter().map(|(state, number)| (state.as_str(), *number)).collect(),
            waiting: waiting(status.backlog),
            not_due: NotDueView { count: status.soon.count, next: status.soon.next.map(|at| at.to_string()) },
        },
        last_success: status
            .last_success
            .iter()
            .map(|(trigger, at)| LastView { trigger: trigger.as_str(), at: at.map(|at| at.to_string()) })
            .collect(),
        queue: QueueView {
            pending: status.queue.pending,
            running: status.queue.running,
            cut_off: status.queue.cut_off,
            waits_because: status.queue.held_up.as_ref().and_then(|job| job.reason.as_deref()),
            goes_on_at: status.queue.held_up.as_ref().map(|job| job.not_before.to_string()),
            last_failure: status.queue.last_failed.as_ref().and_then(|job| job.reason.as_deref()),
            last_failed_at: status
                .queue
                .last_failed
                .as_ref()
                .and_then(|job| job.completed_at)
                .map(|at| at.to_string()),
        },
        review: waiting(status.review),
        said_again: &status.said_again,
        tasks: TasksView {
            asking: status.tasks.asking,
            reported: status.tasks.reported,
            next: status.tasks.next.map(|at| at.to_string()),
        },
        hooks: HooksView { waiting: status.spool.0, refused: status.spool.1 },
        alarms: status
            .alarms
            .iter()
            .map(|alarm| AlarmView { message: &alarm.message, advice: &alarm.advice })
            .collect(),
    }
}
