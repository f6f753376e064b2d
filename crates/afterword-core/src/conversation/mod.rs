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
pub use transitions::{Conversation, ConversationError, ConversationEvent, RunEffects, RunEnd};
