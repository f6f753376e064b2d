//! `task`: background work that the user asks for in a session, answers and follows.
//!
//! A schedule is shown before it is kept: `new` gives what it understood, and makes the task when it is called again
//! with `confirmed`. That the person agreed is the model's word: what they did not type themselves in the session, or what
//! may read anything, waits for their yes, which no tool can give. Tools that change anything can be allowed by the user alone, on the command line or in the window.
//! What is said here is the model's wording: the task hears it, and no lesson is made of it.

use afterword_app::conversations::{
    self, ConversationDetail, ConversationView, Conversations, MessageEffect, NewConversation, RunView,
    TaskNeeds,
};
use afterword_core::conversation::{READING_TOOLS, RunLimits};
use jiff::Zoned;
use rmcp::model::CallToolResult;
use serde::{Deserialize, Serialize};

use crate::actions::ActionRequest;
use crate::answer::{ToolFailure, answer};
use crate::context::{ToolContext, check_length, check_name, number};

/// What is said of a task that goes by its schedule.
const MADE: &str = "It runs while the Afterword agent does; what it asks and reports is in its `show`.";
/// What is said of a task that waits for the person's yes.
const WAITS_FOR_CONSENT: &str = "It waits: it begins only when the user says yes to it in Afterword's window, under Tasks, or with \
    `afterword task answer ID yes` in a terminal of their own. You cannot say it for them; tell them so.";
/// The longest words of a person, in bytes.
const LONGEST_WORDS: usize = 32 * 1024;

/// Make a task.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewTaskRequest {
    /// What is to be done, in the user's words; it must make sense without this session.
    task: String,
    /// When, in plain words: `every weekday at 9`, `every 2 days`, `tomorrow at 15:00`, `now`, or a cron expression.
    when: String,
    /// What to call it; the task's first words when left out.
    title: Option<String>,
    /// Time zone of the times, as in `Europe/Berlin`; this machine's when left out.
    time_zone: Option<String>,
    /// Tools it may use, of `Read`, `Grep`, `Glob`, `WebFetch` and `WebSearch`; none when left out. Others only the user can allow.
    allowed_tools: Option<Vec<String>>,
    /// Connections it may use, by name; none when left out.
    connections: Option<Vec<String>>,
    /// Whether it works in this project's directory; in one of its own when left out.
    here: Option<bool>,
    /// The user has seen the schedule and wants it so. Left out, nothing is made.
    confirmed: Option<bool>,
}

/// Choose tasks.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct TaskListRequest {
    /// Archived ones too.
    archived: Option<bool>,
}

/// Name a task.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TaskRequest {
    /// The task: its id, the start of it, or its title.
    task: String,
    /// At most so many messages and runs, 1 to 200; 20 when left out.
    limit: Option<u32>,
}

/// Change when a task runs.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RescheduleRequest {
    /// The task: its id, the start of it, or its title.
    task: String,
    /// When, in plain words: `every weekday at 9`, `every 2 days`, `tomorrow at 15:00`, `now`, or a cron expression.
    when: String,
    /// Time zone of the times, as in `Europe/Berlin`; this machine's when left out.
    time_zone: Option<String>,
    /// The user has seen the schedule and wants it so. Left out, nothing is changed.
    confirmed: Option<bool>,
}

/// Say something in a task.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TaskWordsRequest {
    /// The task: its id, the start of it, or its title.
    task: String,
    /// The user's words.
    text: String,
}

#[derive(Debug, Serialize)]
struct ScheduleAnswer {
    made: bool,
    schedule: afterword_core::Schedule,
    schedule_text: String,
    next_runs: Vec<String>,
    time_zone: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// What it asks for and lacks: only the user allows tools that change something.
    #[serde(skip_serializing_if = "TaskNeeds::is_empty")]
    needs: TaskNeeds,
    /// It begins only when the user says yes to it, outside the session.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    needs_consent: bool,
    note: &'static str,
}

#[derive(Debug, Serialize)]
struct TaskList {
    tasks: Vec<ConversationView>,
}

#[derive(Debug, Serialize)]
struct Runs {
    runs: Vec<RunView>,
}

#[derive(Debug, Serialize)]
struct TaskAnswer {
    id: String,
    said: MessageEffect,
}

/// What is done with tasks.
pub(crate) const ACTIONS: [&str; 11] =
    ["new", "list", "show", "say", "answer", "reschedule", "run", "pause", "resume", "archive", "runs"];

/// Does what is asked of the tool `task`.
pub(crate) fn act(context: &ToolContext, request: ActionRequest) -> Result<CallToolResult, ToolFailure> {
    match request.action() {
        "new" => new(context, request.arguments()?),
        "list" => {
            let wanted: TaskListRequest = request.arguments()?;
            answer(&TaskList { tasks: open(context)?.list(wanted.archived.unwrap_or(false))? })
        }
        "show" => {
            let wanted: TaskRequest = request.arguments()?;
            let most = number("limit", wanted.limit, 20, 200)?;
            answer(&open(context)?.show(check_name("task", &wanted.task)?, most)?)
        }
        "say" => {
            let (task, text) = message_text(request.arguments()?)?;
            let (id, said) = open(context)?.send_message(&task, &text, &Zoned::now())?;
            answer(&TaskAnswer { id: id.to_string(), said })
        }
        "answer" => {
            let (task, text) = message_text(request.arguments()?)?;
            let id = open(context)?.answer(&task, &text, &Zoned::now())?;
            answer(&TaskAnswer { id: id.to_string(), said: MessageEffect::Answered })
        }
        "reschedule" => reschedule(context, &request.arguments()?),
        "run" => change_task(context, &request.arguments()?, Conversations::run_now),
        "pause" => change_task(context, &request.arguments()?, Conversations::pause),
        "resume" => change_task(context, &request.arguments()?, Conversations::resume),
        "archive" => change_task(context, &request.arguments()?, Conversations::archive),
        "runs" => {
            let wanted: TaskRequest = request.arguments()?;
            let most = number("limit", wanted.limit, 20, 200)?;
            answer(&Runs { runs: open(context)?.runs(check_name("task", &wanted.task)?, most)? })
        }
        _ => Err(request.unknown(&ACTIONS)),
    }
}

fn open(context: &ToolContext) -> Result<Conversations, ToolFailure> {
    Ok(conversations::conversations(&context.app()?)?.for_an_agent())
}

fn message_text(request: TaskWordsRequest) -> Result<(String, String), ToolFailure> {
    let task = check_name("task", &request.task)?.to_owned();
    let text = check_length("text", Some(request.text), LONGEST_WORDS)?.unwrap_or_default();
    Ok((task, text))
}

fn new(context: &ToolContext, request: NewTaskRequest) -> Result<CallToolResult, ToolFailure> {
    let (conversations, now) = (open(context)?, Zoned::now());
    let task = check_length("task", Some(request.task), LONGEST_WORDS)?.unwrap_or_default();
    let allowed_tools = request.allowed_tools.unwrap_or_default();
    if allowed_tools.iter().any(|tool| !READING_TOOLS.contains(&tool.as_str())) {
        let problem = format!("only the user can allow tools other than {}", READING_TOOLS.join(", "));
        return Err(ToolFailure::argument("allowed_tools", problem));
    }
    let plan =
        conversations::plan_schedule(check_name("when", &request.when)?, request.time_zone.as_deref(), &now)?;
    let needs_consent = !(allowed_tools.is_empty()
        && request.connections.as_ref().is_none_or(Vec::is_empty)
        && context.current_session(conversations.app())?.is_some_and(|here| {
            conversations::is_task_typed(conversations.app(), &here.session, &task, &request.when)
        }));
    let here = request.here.unwrap_or(false).then(|| context.project_directory().to_owned());
    let connections = request.connections.unwrap_or_default();
    let limits = RunLimits { allowed_tools, connections, ..RunLimits::default() };
    let mut planned = ScheduleAnswer {
        made: false,
        schedule: plan.schedule.clone(),
        next_runs: plan.next_in_zone(),
        schedule_text: plan.text,
        time_zone: plan.zone,
        id: None,
        needs: conversations::task_needs(conversations.app(), &task, &limits, here.as_deref())?,
        needs_consent,
        note: "Nothing was made. Show this to the user, and call again with `confirmed` when they want it so.",
    };
    if request.confirmed != Some(true) {
        return answer(&planned);
    }
    let made = conversations.create(
        &NewConversation {
            task,
            title: request.title,
            schedule: Some(plan.schedule),
            directory: here,
            limits,
            needs_consent,
        },
        &now,
    )?;
    planned.made = true;
    planned.id = Some(made.to_string());
    planned.note = if needs_consent { WAITS_FOR_CONSENT } else { MADE };
    answer(&planned)
}

fn reschedule(context: &ToolContext, request: &RescheduleRequest) -> Result<CallToolResult, ToolFailure> {
    let (conversations, now) = (open(context)?, Zoned::now());
    let id = conversations.find(check_name("task", &request.task)?)?.id.to_string();
    let plan =
        conversations::plan_schedule(check_name("when", &request.when)?, request.time_zone.as_deref(), &now)?;
    let made = request.confirmed == Some(true);
    if made {
        let here = context.current_session(conversations.app())?;
        if !here.is_some_and(|here| {
            conversations::is_time_typed(conversations.app(), &here.session, &request.when)
        }) {
            return Err(ToolFailure::argument(
                "confirmed",
                format!(
                    "the user has not typed this time in the session, in these words. Only they can confirm it: in Afterword's window, \
                     or with `afterword task reschedule {id} \"{}\"` in a terminal",
                    request.when
                ),
            ));
        }
        conversations.reschedule(&id, &plan.schedule, &now)?;
    }
    let note = if made {
        "It goes by this schedule from now on."
    } else {
        "Nothing was changed. Show this to the user, and call again with `confirmed` when they want it so."
    };
    answer(&ScheduleAnswer {
        made,
        next_runs: plan.next_in_zone(),
        schedule_text: plan.text,
        schedule: plan.schedule,
        time_zone: plan.zone,
        id: Some(id),
        needs: TaskNeeds::default(),
        needs_consent: false,
        note,
    })
}

fn change_task(
    context: &ToolContext,
    request: &TaskRequest,
    step: impl FnOnce(
        &Conversations,
        &str,
        &Zoned,
    ) -> Result<afterword_core::ConversationId, afterword_app::Error>,
) -> Result<CallToolResult, ToolFailure> {
    let conversations = open(context)?;
    let id = step(&conversations, check_name("task", &request.task)?, &Zoned::now())?;
    let ConversationDetail { conversation, .. } = conversations.show(&id.to_string(), 1)?;
    answer(&conversation)
}
