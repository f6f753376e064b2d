//! `afterword task new|list|show|say|answer|reschedule|run|undo|limit|pause|resume|mute|unmute|archive|runs`

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use afterword_app::conversations::{
    self, ConversationView, Conversations, IgnoredFile, LimitChange, MessageEffect, MessageView,
    NewConversation, PlannedSchedule, RunView, TaskNeeds,
};
use afterword_claude_code::client::is_in_a_session;
use afterword_core::ConversationId;
use afterword_core::conversation::RunLimits;
use jiff::{Timestamp, Zoned};
use serde::Serialize;

use crate::arguments::{LimitTask, NewTask, Task};
use crate::failure::Failure;
use crate::output::{ATTENTION, BAD, BOLD, DIM, GOOD, Output, plain};
use crate::wording::{count, local};

/// How long the agent is given to take a message on before this process replies itself.
const AGENT_TAKES: Duration = Duration::from_secs(2);
/// Between two looks for a reply.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);
/// Messages and runs that `show` prints.
const SHOWN: u32 = 50;

#[derive(Serialize)]
struct ListView {
    version: u32,
    conversations: Vec<ConversationView>,
}

#[derive(Serialize)]
struct ShowView<'a> {
    version: u32,
    conversation: &'a ConversationView,
    messages: &'a [MessageView],
    runs: &'a [RunView],
    /// What the directory has for Claude Code that takes no part in a run.
    left_out: &'a [IgnoredFile],
}

#[derive(Serialize)]
struct RunsView {
    version: u32,
    runs: Vec<RunView>,
}

#[derive(Serialize)]
struct PlanView<'a> {
    version: u32,
    schedule: &'a afterword_core::Schedule,
    schedule_text: &'a str,
    next: Vec<String>,
    time_zone: &'a str,
    #[serde(skip_serializing_if = "<[IgnoredFile]>::is_empty")]
    left_out: &'a [IgnoredFile],
    /// What it asks for and lacks.
    #[serde(skip_serializing_if = "TaskNeeds::is_empty")]
    needs: TaskNeeds,
}

#[derive(Serialize)]
struct SentMessageView<'a> {
    version: u32,
    id: String,
    said: MessageEffect,
    reply: Option<&'a str>,
    /// What was changed by talking and what was not, in lines, and how it is taken back.
    changes: Vec<&'a str>,
}

pub(crate) fn run(command: Task, output: &mut Output) -> Result<ExitCode, Failure> {
    let (conversations, now) = (conversations::conversations(&super::app()?)?, Zoned::now());
    let conversations = if is_in_a_session() { conversations.for_an_agent() } else { conversations };
    match command {
        Task::New(arguments) => new(&conversations, arguments, &now, output)?,
        Task::List { all } => list(&conversations, all, output)?,
        Task::Show { task } => {
            show(&conversations, &task, output)?;
            // A program that asks for JSON is no person who read it.
            if !output.json {
                conversations.mark_seen(&task)?;
            }
        }
        Task::Say { task, words, no_wait } => {
            let words = words.join(" ");
            let before = Timestamp::now();
            let (id, said) = conversations.send_message(&task, &words, &now)?;
            let replies = if no_wait || said == MessageEffect::Answered {
                Vec::new()
            } else {
                replies(&conversations, id, before, &now)?
            };
            print_message_effect(id, said, &replies, no_wait, output)?;
        }
        Task::Answer { task, words } => {
            let id = conversations.answer(&task, &words.join(" "), &now)?;
            print_message_effect(id, MessageEffect::Answered, &[], true, output)?;
        }
        Task::Reschedule { task, when, zone, dry_run, yes } => {
            let plan = conversations::plan_schedule(&when.join(" "), zone.as_deref(), &now)?;
            if dry_run && output.json {
                return print_plan_json(&plan, &[], TaskNeeds::default(), output).map(|()| ExitCode::SUCCESS);
            }
            print_schedule(&plan, output);
            if dry_run || !confirm("Keep it? [Y/n]", true, yes, output) {
                let _ = writeln!(output.talk(), "nothing was changed");
                return Ok(ExitCode::SUCCESS);
            }
            print_status(&conversations, conversations.reschedule(&task, &plan.schedule, &now)?, output)?;
        }
        Task::Run { task } => print_status(&conversations, conversations.run_now(&task, &now)?, output)?,
        Task::Undo { task } => print_status(&conversations, conversations.undo(&task, &now)?, output)?,
        Task::Limit(wanted) => limit(&conversations, wanted, &now, output)?,
        Task::Pause { task } => print_status(&conversations, conversations.pause(&task, &now)?, output)?,
        Task::Resume { task } => print_status(&conversations, conversations.resume(&task, &now)?, output)?,
        Task::Mute { task } => print_status(&conversations, conversations.mute(&task, true)?, output)?,
        Task::Unmute { task } => print_status(&conversations, conversations.mute(&task, false)?, output)?,
        Task::Archive { task } => print_status(&conversations, conversations.archive(&task, &now)?, output)?,
        Task::Runs { task } => runs(&conversations, &task, output)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn new(
    conversations: &Conversations,
    arguments: NewTask,
    now: &Zoned,
    output: &mut Output,
) -> Result<(), Failure> {
    let plan = match &arguments.when {
        Some(words) => Some(conversations::plan_schedule(words, arguments.zone.as_deref(), now)?),
        None => None,
    };
    let directory = arguments.here.then(|| PathBuf::from(".")).or(arguments.directory);
    let left_out = directory
        .as_deref()
        .map(|named| conversations::ignored_files(conversations.app(), named))
        .unwrap_or_default();
    let (words, defaults) = (arguments.words.join(" "), RunLimits::default());
    let minutes = arguments.minutes.map(|minutes| minutes.saturating_mul(60));
    let mut limits = RunLimits {
        allowed_tools: arguments.allow,
        connections: arguments.connection,
        most_usd: arguments.usd.unwrap_or(defaults.most_usd),
        most_seconds: minutes.unwrap_or(defaults.most_seconds),
    };
    let needs = conversations::task_needs(conversations.app(), &words, &limits, directory.as_deref())?;
    if let Some(plan) = &plan {
        if arguments.dry_run && output.json {
            return print_plan_json(plan, &left_out, needs, output);
        }
        print_schedule(plan, output);
        print_ignored_files(&left_out, &mut output.talk());
    }
    print_needs(&needs, output);
    if arguments.dry_run || plan.is_some() && !confirm("Keep it? [Y/n]", true, arguments.yes, output) {
        let _ = writeln!(output.talk(), "nothing was made");
        return Ok(());
    }
    limits.allowed_tools.extend(ask_to_allow(&needs, arguments.yes, output));
    let new = NewConversation {
        task: words,
        title: arguments.title,
        schedule: plan.map(|plan| plan.schedule),
        directory,
        limits,
        needs_consent: false,
    };
    let before = Timestamp::now();
    let id = conversations.create(&new, now)?;
    if output.json {
        return show(conversations, &id.to_string(), output);
    }
    writeln!(output.data(), "{id}")?;
    if new.schedule.is_none() {
        for message in replies(conversations, id, before, now)? {
            print_message(&message, output)?;
        }
    }
    Ok(())
}

fn limit(
    conversations: &Conversations,
    wanted: LimitTask,
    now: &Zoned,
    output: &mut Output,
) -> Result<(), Failure> {
    let names = |named: Vec<String>, none: bool| (none || !named.is_empty()).then_some(named);
    let change = LimitChange {
        allowed_tools: names(wanted.allow, wanted.no_tools),
        connections: names(wanted.connection, wanted.no_connections),
        most_usd: wanted.usd,
        most_seconds: wanted.minutes.map(|minutes| minutes.saturating_mul(60)),
    };
    let id = conversations.limit(&wanted.task, &change, now)?;
    show(conversations, &id.to_string(), output)
}

fn print_plan_json(
    plan: &PlannedSchedule,
    left_out: &[IgnoredFile],
    needs: TaskNeeds,
    output: &mut Output,
) -> Result<(), Failure> {
    let next = plan.next_in_zone();
    let (schedule, schedule_text) = (&plan.schedule, plan.text.as_str());
    let view = PlanView { version: 1, schedule, schedule_text, next, time_zone: &plan.zone, left_out, needs };
    Ok(output.print_json(&view)?)
}

/// Shows the schedule before it is kept.
fn print_schedule(plan: &PlannedSchedule, output: &mut Output) {
    let _ = writeln!(output.talk(), "{BOLD}{}{BOLD:#}", plain(&plan.text));
    for at in &plan.next {
        let _ = writeln!(output.talk(), "  {}", local(*at, &plan.zone));
    }
}

/// Names what a repository has for Claude Code: it does not take part in a run, and whoever relies on it should know.
fn print_ignored_files(left_out: &[IgnoredFile], output: &mut dyn Write) {
    for one in left_out {
        let (path, holds) = (one.path.to_string_lossy(), one.holds.join(", "));
        let _ = writeln!(output, "left out   {}: {}", plain(&path), plain(&holds));
    }
}

/// Says what a task asks for and was not given, and what its runs would fail for want of.
fn print_needs(needs: &TaskNeeds, output: &mut Output) {
    for one in &needs.tools {
        let changes = if one.changes { ", which may change something" } else { "" };
        let (tool, because) = (plain(&one.tool), plain(&one.because));
        let _ = writeln!(
            output.talk(),
            "asks for   {tool}{changes} {DIM}({because}; --allow {tool:?} allows it){DIM:#}"
        );
    }
    for name in &needs.connections {
        let name = plain(name);
        let _ = writeln!(
            output.talk(),
            "asks for   the connection {name} {DIM}(--connection {name} gives it){DIM:#}"
        );
    }
    for one in &needs.missing {
        let (what, advice) = (plain(&one.what), plain(&one.advice));
        let _ = writeln!(output.talk(), "{ATTENTION}missing{ATTENTION:#}    {what} {DIM}({advice}){DIM:#}");
    }
}

/// The tools that only read, where somebody at a terminal allows them; the others are allowed by name alone.
fn ask_to_allow(needs: &TaskNeeds, yes: bool, output: &mut Output) -> Vec<String> {
    let reading = needs.tools.iter().filter(|one| !one.changes).map(|one| one.tool.clone());
    let reading: Vec<String> = reading.collect();
    let question = format!("Allow {}? [y/N]", reading.join(", "));
    let is_asked = !yes && !reading.is_empty() && is_terminal();
    if is_asked && confirm(&question, false, false, output) { reading } else { Vec::new() }
}

fn is_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// On a terminal something is asked, and `usual` is what nothing means; elsewhere asking for it was enough.
fn confirm(question: &str, usual: bool, yes: bool, output: &mut Output) -> bool {
    if yes || !is_terminal() {
        return true;
    }
    let _ = write!(output.talk(), "{} ", plain(question));
    // Nobody reads what cannot be shown; the answer is read all the same.
    let _ = output.talk().flush();
    let mut answer = String::new();
    let read = std::io::stdin().read_line(&mut answer).unwrap_or(0);
    match answer.trim().to_lowercase().as_str() {
        "" => read > 0 && usual,
        answer => matches!(answer, "y" | "yes"),
    }
}

fn list(conversations: &Conversations, all: bool, output: &mut Output) -> Result<(), Failure> {
    let found = conversations.list(all)?;
    if output.json {
        return Ok(output.print_json(&ListView { version: 1, conversations: found })?);
    }
    for one in &found {
        let (style, state) = state(one);
        let when = one.next_run_at.as_deref().and_then(|at| at.parse().ok()).map(|at| local(at, "local"));
        let news = match one.unseen {
            0 => String::new(),
            unseen => format!("  {ATTENTION}{}{ATTENTION:#}", count(unseen as usize, "new report")),
        };
        writeln!(
            output.data(),
            "{}  {style}{state:<9}{style:#}  {:<22}  {}{news}",
            one.id,
            when.unwrap_or_default(),
            plain(&one.title)
        )?;
    }
    if found.is_empty() {
        let _ = writeln!(output.talk(), "no tasks; `afterword task new \"WHAT\" --when \"WHEN\"` makes one");
    }
    Ok(())
}

fn state(one: &ConversationView) -> (anstyle::Style, &'static str) {
    match one.status {
        _ if one.running => (GOOD, "running"),
        _ if one.paused => (DIM, "paused"),
        "waiting_input" => (ATTENTION, "asks"),
        "background" => (GOOD, "waits"),
        "archived" => (DIM, "archived"),
        _ if one.finished_at.is_some() => (DIM, "done"),
        _ => (DIM, "chat"),
    }
}

fn show(conversations: &Conversations, task: &str, output: &mut Output) -> Result<(), Failure> {
    let shown = conversations.show(task, SHOWN)?;
    let one = &shown.conversation;
    let left_out = conversations::ignored_files(conversations.app(), Path::new(&one.directory));
    if output.json {
        let view = ShowView {
            version: 1,
            conversation: one,
            messages: &shown.messages,
            runs: &shown.runs,
            left_out: &left_out,
        };
        return Ok(output.print_json(&view)?);
    }
    let (style, state) = state(one);
    writeln!(output.data(), "{BOLD}{}{BOLD:#}  {style}{state}{style:#}", plain(&one.title))?;
    writeln!(output.data(), "{DIM}{}{DIM:#}", one.id)?;
    if let Some(text) = &one.schedule_text {
        writeln!(output.data(), "when       {}", plain(text))?;
    }
    if let Some(at) = one.next_run_at.as_deref().and_then(|at| at.parse().ok()) {
        writeln!(output.data(), "next       {}", local(at, "local"))?;
    }
    writeln!(output.data(), "where      {}", plain(&one.directory))?;
    print_ignored_files(&left_out, &mut output.data());
    let tools = if one.allowed_tools.is_empty() { "none".to_owned() } else { one.allowed_tools.join(", ") };
    writeln!(output.data(), "tools      {}", plain(&tools))?;
    if !one.connections.is_empty() {
        writeln!(output.data(), "connected  {}", plain(&one.connections.join(", ")))?;
    }
    let minutes = f64::from(one.most_seconds) / 60.0;
    let (spent, most) = (one.spent_usd, one.most_usd);
    writeln!(output.data(), "cost       ${spent:.4} (a run at most ${most:.2}, {minutes} minutes)")?;
    writeln!(output.data(), "step       {}", plain(&one.step))?;
    for message in &shown.messages {
        print_message(message, output)?;
    }
    if let Some(question) = &one.pending_question {
        for (number, option) in question.options.iter().enumerate() {
            writeln!(output.data(), "  {}. {}", number + 1, plain(option))?;
        }
        output.hint(&format!("answer with `afterword task answer {} \"…\"`", &one.id[..8.min(one.id.len())]));
    }
    Ok(())
}

fn print_message(message: &MessageView, output: &mut Output) -> Result<(), Failure> {
    let (style, who) = match message.role {
        "user" if message.relayed => (BOLD, "you, in an agent's words"),
        "user" => (BOLD, "you"),
        "assistant" => (GOOD, "claude"),
        _ => (ATTENTION, "afterword"),
    };
    let at = message.created_at.parse().map(|at| local(at, "local")).unwrap_or_default();
    writeln!(output.data(), "\n{style}{who}{style:#} {DIM}{at}{DIM:#}")?;
    for line in message.content.lines() {
        writeln!(output.data(), "  {}", plain(line))?;
    }
    Ok(())
}

/// Waits for the reply to what was said, and what was changed beside it. While no agent takes the message on, it is dealt
/// with here.
fn replies(
    conversations: &Conversations,
    id: ConversationId,
    before: Timestamp,
    now: &Zoned,
) -> Result<Vec<MessageView>, Failure> {
    let clock = Instant::now();
    let mut mine = false;
    loop {
        let messages = conversations.messages_since(id, Some(before))?;
        let of_chat = |one: &MessageView| one.role != "user" && one.source == "chat";
        let replies: Vec<_> = messages.into_iter().filter(of_chat).collect();
        if !replies.is_empty() {
            return Ok(replies);
        }
        let running = conversations.show(&id.to_string(), 1)?.conversation.running;
        if !running && clock.elapsed() > AGENT_TAKES {
            let at = now.checked_add(clock.elapsed()).unwrap_or_else(|_| now.clone());
            if !afterword_daemon::work::run_conversation_now(conversations.app(), id, &at)? && mine {
                return Ok(Vec::new());
            }
            mine = true;
        }
        std::thread::sleep(BETWEEN_LOOKS);
    }
}

fn print_message_effect(
    id: ConversationId,
    said: MessageEffect,
    replies: &[MessageView],
    no_wait: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    if output.json {
        let (reply, changes) = replies.split_first().unzip();
        let reply = reply.map(|message| message.content.as_str());
        let changes = changes.into_iter().flatten().flat_map(|message| message.content.lines()).collect();
        let id = id.to_string();
        return Ok(output.print_json(&SentMessageView { version: 1, id, said, reply, changes })?);
    }
    for message in replies {
        print_message(message, output)?;
    }
    match said {
        _ if !replies.is_empty() => {}
        MessageEffect::Answered => {
            let _ = writeln!(output.talk(), "answered; the work goes on");
        }
        MessageEffect::Sent if no_wait => {
            let _ = writeln!(output.talk(), "sent");
        }
        MessageEffect::Sent => output.warning("there is no reply; `afterword task show` says more"),
    }
    Ok(())
}

fn print_status(
    conversations: &Conversations,
    id: ConversationId,
    output: &mut Output,
) -> Result<(), Failure> {
    if output.json {
        return show(conversations, &id.to_string(), output);
    }
    let shown = conversations.show(&id.to_string(), 1)?;
    let (style, state) = state(&shown.conversation);
    let title = plain(&shown.conversation.title);
    let _ = writeln!(output.talk(), "{title}: {style}{state}{style:#}");
    Ok(())
}

fn runs(conversations: &Conversations, task: &str, output: &mut Output) -> Result<(), Failure> {
    let runs = conversations.runs(task, 1000)?;
    if output.json {
        return Ok(output.print_json(&RunsView { version: 1, runs })?);
    }
    for run in &runs {
        let style = match run.outcome {
            "failed" | "cut-off" => BAD,
            "asked" => ATTENTION,
            _ => DIM,
        };
        let at = run.started_at.parse().map(|at| local(at, "local")).unwrap_or_default();
        let reason = run.reason.as_deref().unwrap_or_default();
        writeln!(
            output.data(),
            "{at}  {:<6}  {style}{:<9}{style:#}  ${:<8.4}  {}",
            run.source,
            run.outcome,
            run.cost_usd,
            plain(reason)
        )?;
    }
    Ok(())
}
