//! Conversations as faces show them: the same words in JSON, in MCP and in the window.

use afterword_core::conversation::{Message, PendingQuestion, Schedule};
use afterword_core::hidden::escape_hidden;
use afterword_core::{Conversation, ConversationId, JobStatus};
use afterword_store::{ConversationRun, Store};
use jiff::tz::TimeZone;
use serde::Serialize;
use serde_json::{Map, Value};

use super::Conversations;
use crate::Error;
use crate::cut_off::is_cut_off;

/// A conversation.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "Task"))]
pub struct ConversationView {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// `active`, `background`, `waiting_input` or `archived`.
    #[cfg_attr(feature = "contract", ts(as = "afterword_core::ConversationStatus"))]
    pub status: &'static str,
    /// A person stopped its work for now.
    pub paused: bool,
    /// What was asked for.
    pub task: String,
    /// When its work is due.
    pub schedule: Option<Schedule>,
    /// The same in words.
    pub schedule_text: Option<String>,
    /// When it is due next.
    pub next_run_at: Option<String>,
    /// Where the work stands.
    pub step: String,
    /// What it has gathered.
    #[cfg_attr(feature = "contract", ts(type = "Record<string, unknown>"))]
    pub data: Map<String, Value>,
    /// The question that waits.
    pub pending_question: Option<PendingQuestion>,
    /// The Claude session it goes on in.
    pub claude_session_id: Option<String>,
    /// Where its runs take place.
    pub directory: String,
    /// Tools its runs may use.
    pub allowed_tools: Vec<String>,
    /// Connections its runs may use.
    pub connections: Vec<String>,
    /// US dollars a run may cost.
    pub most_usd: f64,
    /// Seconds a run may take.
    pub most_seconds: u32,
    /// US dollars all its runs cost.
    pub spent_usd: f64,
    /// When a run last succeeded.
    pub last_success_at: Option<String>,
    /// When its work was done for good.
    pub finished_at: Option<String>,
    /// A run is under way.
    pub running: bool,
    /// What it reports is no notification.
    pub muted: bool,
    /// Reports that came since the person last looked.
    pub unseen: u32,
    /// What was changed last by talking can be taken back.
    pub can_undo: bool,
    /// When it was made.
    pub created_at: String,
    /// When it last changed.
    pub updated_at: String,
}

/// A message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "TaskMessage"))]
pub struct MessageView {
    /// Its id.
    pub id: String,
    /// `user`, `assistant` or `system`.
    #[cfg_attr(feature = "contract", ts(as = "afterword_core::conversation::MessageRole"))]
    pub role: &'static str,
    /// `chat` or `worker`.
    #[cfg_attr(feature = "contract", ts(as = "afterword_core::conversation::MessageSource"))]
    pub source: &'static str,
    /// What was said.
    pub content: String,
    /// It is said in the person's name, in an agent's words.
    pub relayed: bool,
    /// When.
    pub created_at: String,
}

/// A run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "TaskRun"))]
pub struct RunView {
    /// Its id.
    pub id: String,
    /// `chat` or `worker`.
    #[cfg_attr(feature = "contract", ts(as = "afterword_core::conversation::MessageSource"))]
    pub source: &'static str,
    /// What came of it.
    #[cfg_attr(feature = "contract", ts(as = "afterword_store::ConversationRunOutcome"))]
    pub outcome: &'static str,
    /// When the work was due.
    pub due_at: Option<String>,
    /// When it began.
    pub started_at: String,
    /// When it ended.
    pub ended_at: Option<String>,
    /// The Claude session it ran in.
    pub claude_session_id: Option<String>,
    /// US dollars it cost.
    pub cost_usd: f64,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Why it failed.
    pub reason: Option<String>,
}

/// A conversation with what was said in it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "TaskDetail"))]
pub struct ConversationDetail {
    /// The conversation.
    pub conversation: ConversationView,
    /// Its last messages, the oldest first.
    pub messages: Vec<MessageView>,
    /// Its last runs, the latest first.
    pub runs: Vec<RunView>,
}

/// [`Conversations::show`].
pub(super) fn show(
    conversations: &Conversations,
    argument: &str,
    most: u32,
) -> Result<ConversationDetail, Error> {
    let conversation = conversations.find(argument)?;
    let id = conversation.id;
    Ok(ConversationDetail {
        conversation: view_of(&conversations.store, conversation)?,
        messages: conversations.store.messages().last(id, most)?.into_iter().map(MessageView::from).collect(),
        runs: runs_of(&conversations.store, id, most)?,
    })
}

/// [`Conversations::runs`].
pub(super) fn runs(conversations: &Conversations, argument: &str, most: u32) -> Result<Vec<RunView>, Error> {
    runs_of(&conversations.store, conversations.find(argument)?.id, most)
}

fn runs_of(store: &Store, id: ConversationId, most: u32) -> Result<Vec<RunView>, Error> {
    Ok(store.conversation_runs().last(id, most)?.into_iter().map(RunView::from).collect())
}

/// A run without an end whose worker is gone was cut off: nothing runs until an agent takes it up again.
fn is_running(store: &Store, id: ConversationId) -> Result<bool, Error> {
    let Some(run) = store.conversation_runs().open(id)? else { return Ok(false) };
    let job = store.jobs().get(run.job)?;
    Ok(job.is_some_and(|job| job.status == JobStatus::Running && !is_cut_off(&job)))
}

pub(super) fn view_of(store: &Store, one: Conversation) -> Result<ConversationView, Error> {
    let runs = store.conversation_runs();
    Ok(ConversationView {
        id: one.id.to_string(),
        status: one.status.as_str(),
        paused: one.is_paused(),
        task: escape_hidden(one.state.task()).into_owned(),
        schedule_text: one.schedule.as_ref().map(|schedule| schedule.describe(&TimeZone::system())),
        next_run_at: one.next_run_at.map(|at| at.to_string()),
        claude_session_id: one.claude_session.map(|id| id.to_string()),
        spent_usd: runs.spent_on(one.id)?,
        running: is_running(store, one.id)?,
        muted: one.state.muted,
        unseen: one.state.unseen,
        can_undo: one.state.before_changes.is_some(),
        title: escape_hidden(&one.title).into_owned(),
        schedule: one.schedule,
        step: escape_hidden(&one.state.step).into_owned(),
        data: one.state.data,
        // The options stay to the letter: an answer names one of them.
        pending_question: one.state.pending_question.map(|question| PendingQuestion {
            prompt: escape_hidden(&question.prompt).into_owned(),
            ..question
        }),
        directory: one.directory,
        allowed_tools: one.limits.allowed_tools,
        connections: one.limits.connections,
        most_usd: one.limits.most_usd,
        most_seconds: one.limits.most_seconds,
        last_success_at: one.last_success_at.map(|at| at.to_string()),
        finished_at: one.finished_at.map(|at| at.to_string()),
        created_at: one.created_at.to_string(),
        updated_at: one.updated_at.to_string(),
    })
}

impl From<Message> for MessageView {
    fn from(message: Message) -> Self {
        Self {
            id: message.id.to_string(),
            role: message.role.as_str(),
            source: message.source.as_str(),
            content: escape_hidden(&message.content).into_owned(),
            relayed: message.relayed,
            created_at: message.created_at.to_string(),
        }
    }
}

impl From<ConversationRun> for RunView {
    fn from(run: ConversationRun) -> Self {
        Self {
            id: run.id.to_string(),
            source: run.source.as_str(),
            outcome: run.outcome.as_str(),
            due_at: run.due_at.map(|at| at.to_string()),
            started_at: run.started_at.to_string(),
            ended_at: run.ended_at.map(|at| at.to_string()),
            claude_session_id: run.claude_session.map(|id| id.to_string()),
            cost_usd: run.cost.usd,
            input_tokens: run.cost.input_tokens,
            output_tokens: run.cost.output_tokens,
            reason: run.reason,
        }
    }
}
