//! Tasks: conversations with Claude that go on in the background.

use std::path::PathBuf;

use afterword_app::conversations;
use afterword_app::conversations::{
    ConversationDetail, ConversationView, LimitChange, MessageEffect, NewConversation, PlannedSchedule,
    TaskNeeds,
};
use afterword_core::Schedule;
use afterword_core::conversation::RunLimits;
use jiff::Zoned;
use serde::{Deserialize, Serialize};
use tauri::{AppHandle, Manager};

use super::{Answer, ask, change};
use crate::exchange::ToTray;
use crate::window::host::Host;

/// Messages and runs shown at most.
const SHOWN: u32 = 200;

/// A schedule as it was understood.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "Plan"))]
pub(crate) struct PlanView {
    schedule: Schedule,
    /// The same in words.
    text: String,
    /// Its next times.
    next: Vec<String>,
    zone: String,
}

impl From<PlannedSchedule> for PlanView {
    fn from(plan: PlannedSchedule) -> Self {
        let next = plan.next.iter().map(ToString::to_string).collect();
        Self { schedule: plan.schedule, text: plan.text, next, zone: plan.zone }
    }
}

/// A task as the window asks for it; `when` in plain words, empty for a chat.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub(crate) struct NewTask {
    words: String,
    when: String,
    directory: Option<PathBuf>,
    #[serde(default)]
    allowed_tools: Vec<String>,
    #[serde(default)]
    connections: Vec<String>,
}

/// What a task's runs may do and cost from now on.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub(crate) struct Limits {
    allowed_tools: Vec<String>,
    connections: Vec<String>,
    most_usd: f64,
    most_minutes: u32,
}

/// What a person does with a task's work.
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "TaskStep"))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Step {
    Pause,
    Resume,
    Archive,
    /// Its work runs once, at once; its schedule stays.
    Run,
    /// What was changed last by talking is taken back.
    Undo,
}

/// Lists the tasks, the one changed last first.
#[tauri::command]
pub(crate) async fn tasks(app: AppHandle, archived: bool) -> Answer<Vec<ConversationView>> {
    ask(&app, move |app| conversations::conversations(&app)?.list(archived)).await
}

/// Shows one with what was said in it and its runs.
#[tauri::command]
pub(crate) async fn task(app: AppHandle, id: String) -> Answer<ConversationDetail> {
    let (shown, is_news) = ask(&app, move |app| {
        let conversations = conversations::conversations(&app)?;
        let shown = conversations.show(&id, SHOWN)?;
        Ok((shown, conversations.mark_seen(&id)?))
    })
    .await?;
    if is_news {
        app.state::<Host>().send(&ToTray::Changed);
    }
    Ok(shown)
}

/// Says whether what a task reports is a notification.
#[tauri::command]
pub(crate) async fn mute_task(app: AppHandle, id: String, muted: bool) -> Answer<()> {
    change(&app, move |app| conversations::conversations(&app)?.mute(&id, muted).map(drop)).await
}

/// Reads a schedule in plain words.
#[tauri::command]
pub(crate) async fn plan_task(app: AppHandle, when: String) -> Answer<PlanView> {
    ask(&app, move |_| conversations::plan_schedule(&when, None, &Zoned::now()).map(PlanView::from)).await
}

/// Looks what a task's words ask for, and what its runs would lack.
#[tauri::command]
pub(crate) async fn task_needs(app: AppHandle, words: String) -> Answer<TaskNeeds> {
    ask(&app, move |app| conversations::task_needs(&app, &words, &RunLimits::default(), None)).await
}

/// Makes one; gives its id.
#[tauri::command]
pub(crate) async fn new_task(app: AppHandle, wanted: NewTask) -> Answer<String> {
    change(&app, move |app| {
        let (conversations, now) = (conversations::conversations(&app)?, Zoned::now());
        let plan = match wanted.when.trim() {
            "" => None,
            when => Some(conversations::plan_schedule(when, None, &now)?),
        };
        let new = NewConversation {
            task: wanted.words,
            schedule: plan.map(|plan| plan.schedule),
            directory: wanted.directory,
            limits: RunLimits {
                allowed_tools: wanted.allowed_tools,
                connections: wanted.connections,
                ..RunLimits::default()
            },
            ..NewConversation::default()
        };
        conversations.create(&new, &now).map(|id| id.to_string())
    })
    .await
}

/// Says something in one: an answer where a question waits, else a message.
#[tauri::command]
pub(crate) async fn say_in_task(app: AppHandle, id: String, words: String) -> Answer<MessageEffect> {
    change(&app, move |app| {
        conversations::conversations(&app)?.send_message(&id, &words, &Zoned::now()).map(|(_, said)| said)
    })
    .await
}

/// Pauses a task's work, lets it go on or run once, takes a change back, or closes it for good.
#[tauri::command]
pub(crate) async fn move_task(app: AppHandle, id: String, step: Step) -> Answer<()> {
    change(&app, move |app| {
        let (conversations, now) = (conversations::conversations(&app)?, Zoned::now());
        match step {
            Step::Pause => conversations.pause(&id, &now),
            Step::Resume => conversations.resume(&id, &now),
            Step::Archive => conversations.archive(&id, &now),
            Step::Run => conversations.run_now(&id, &now),
            Step::Undo => conversations.undo(&id, &now),
        }
        .map(drop)
    })
    .await
}

/// Lets one go by another schedule, in plain words.
#[tauri::command]
pub(crate) async fn reschedule_task(app: AppHandle, id: String, when: String) -> Answer<()> {
    change(&app, move |app| {
        let (conversations, now) = (conversations::conversations(&app)?, Zoned::now());
        let plan = conversations::plan_schedule(&when, None, &now)?;
        conversations.reschedule(&id, &plan.schedule, &now).map(drop)
    })
    .await
}

/// Changes what one's runs may do and cost.
#[tauri::command]
pub(crate) async fn limit_task(app: AppHandle, id: String, limits: Limits) -> Answer<()> {
    change(&app, move |app| {
        let wanted = LimitChange {
            allowed_tools: Some(limits.allowed_tools),
            connections: Some(limits.connections),
            most_usd: Some(limits.most_usd),
            most_seconds: Some(limits.most_minutes.saturating_mul(60)),
        };
        conversations::conversations(&app)?.limit(&id, &wanted, &Zoned::now()).map(drop)
    })
    .await
}
