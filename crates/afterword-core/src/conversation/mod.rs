//! Conversations: background work that a person starts, answers and follows by talking.
//!
//! A conversation is a chat that may have a schedule; there is no task beside it. This module owns its words and its
//! rules: the states and the moves between them, what a worker may answer, what an answer to a question is, and what each
//! of these makes of a conversation. It owns no database, starts no client, and time is an argument. Start reading at
//! [`ConversationStatus::after`], then [`Conversation::finish_run`].

mod change_request;
mod ids;
mod limits;
mod message;
mod question;
mod reply;
mod requested_tools;
pub mod schedule;
mod state;
mod status;
mod steering;
mod transitions;

use jiff::Timestamp;

use crate::{SessionId, UserId};

pub use change_request::asks_for_change;
pub use ids::{ConversationId, ConversationRunId, MessageId};
pub use limits::{READING_TOOLS, RunLimits};
pub use message::{Message, MessageRole, MessageSource};
pub use question::{Concern, InvalidAnswer, PendingQuestion, QuestionKind};
pub use reply::{InvalidReply, WORKER_REPLY_SCHEMA, WorkerReply};
pub use requested_tools::{ProposedTool, proposed_tools, requested_services};
pub use schedule::{InvalidSchedule, InvalidWords, Schedule};
pub use state::ConversationState;
pub use status::{ConversationMove, ConversationStatus, IllegalConversationMove};
pub use steering::{CHAT_REPLY_SCHEMA, ChatReply, ConversationChange, RequestedLimits};
pub use transitions::{ConversationError, ConversationEvent, RunEffects, RunEnd};

/// A conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversation {
    /// Its id.
    pub id: ConversationId,
    /// Whose it is.
    pub user: UserId,
    /// What people call it.
    pub title: String,
    /// Where it stands.
    pub status: ConversationStatus,
    /// When its background work is due; none for a mere chat.
    pub schedule: Option<Schedule>,
    /// When it is due next; only in the background.
    pub next_run_at: Option<Timestamp>,
    /// What its worker goes by: the truth, whatever became of the Claude session.
    pub state: ConversationState,
    /// The Claude session that chat and worker share.
    pub claude_session: Option<SessionId>,
    /// Where its runs take place.
    pub directory: String,
    /// What a run may do and cost.
    pub limits: RunLimits,
    /// Runs that failed for good since the last success.
    pub failures: u32,
    /// When a run last succeeded; stamped at its end.
    pub last_success_at: Option<Timestamp>,
    /// When its work was done for good.
    pub finished_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl Conversation {
    /// A conversation of the only user that begins at `now`: a mere chat, with the usual limits, and nowhere yet.
    pub fn new(title: impl Into<String>, state: ConversationState, now: Timestamp) -> Self {
        Self {
            id: ConversationId::new(now),
            user: UserId::default(),
            title: title.into(),
            status: ConversationStatus::Active,
            schedule: None,
            next_run_at: None,
            state,
            claude_session: None,
            directory: String::new(),
            limits: RunLimits::default(),
            failures: 0,
            last_success_at: None,
            finished_at: None,
            created_at: now,
            updated_at: now,
        }
    }

    /// A person stopped its work for now.
    pub fn is_paused(&self) -> bool {
        self.status == ConversationStatus::Active && self.schedule.is_some() && self.finished_at.is_none()
    }

    /// Its work is due at `now`.
    pub fn is_due(&self, now: Timestamp) -> bool {
        self.status == ConversationStatus::Background && self.next_run_at.is_some_and(|at| at <= now)
    }
}
