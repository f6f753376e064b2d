//! What the running agent tells whoever listens: the window, the tray, notifications.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};

use afterword_core::conversation::ConversationEvent;
use afterword_core::{JobId, JobType, SessionId, SessionState};
use jiff::Timestamp;

use afterword_app::agent_lock::AgentState;
use afterword_app::conversations::ConversationNews;
use afterword_app::note_change::NoteChange;

/// Something that happened in the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AgentEvent {
    /// A job is done.
    JobCompleted {
        /// The job.
        job: JobId,
        /// What sort of job.
        job_type: JobType,
        /// The session it was about.
        session: Option<SessionId>,
        /// What became of notes.
        notes: Vec<NoteChange>,
    },
    /// An open session that idles was looked at, and something in it wants the person.
    LeftOpen {
        /// The session.
        session: SessionId,
        /// What, in a line.
        line: String,
    },
    /// A job failed.
    JobFailed {
        /// The job.
        job: JobId,
        /// What sort of job.
        job_type: JobType,
        /// The session it was about.
        session: Option<SessionId>,
        /// Why.
        reason: String,
        /// When it is tried again; `None` when it was given up.
        again_at: Option<Timestamp>,
    },
    /// More notes wait for the user's review than before.
    NeedsReview {
        /// How many wait.
        count: usize,
        /// The note that came last, below the vault's root.
        newest: Option<String>,
    },
    /// A conversation in the background cannot go on without the user.
    WaitingForInput {
        /// The conversation.
        conversation: String,
        /// What people call it.
        title: String,
        /// What it asks.
        question: String,
    },
    /// Something else happened in a conversation: a report, its end, a failure, a run that was taken up again.
    Conversation(ConversationNews),
    /// A session came to another state.
    SessionChanged {
        /// The session.
        session: SessionId,
        /// The state.
        state: SessionState,
    },
    /// The agent itself came to another state.
    StateChanged {
        /// The state.
        state: AgentState,
    },
}

impl AgentEvent {
    /// Writes into the log what happened. What people and models said stays out of it.
    pub(super) fn log(&self) {
        match self {
            Self::JobCompleted { job, job_type, session, notes } => {
                let refused = notes.iter().filter(|note| note.refused.is_some()).count();
                tracing::info!(%job, %job_type, session = name(session), notes = notes.len(), refused, "job done");
            }
            Self::JobFailed { job, job_type, session, reason, again_at } => {
                let again_at = again_at.map(|at| at.to_string()).unwrap_or_default();
                tracing::warn!(%job, %job_type, session = name(session), again_at, "job failed: {reason}");
            }
            Self::LeftOpen { session, .. } => tracing::info!(%session, "an open session wants the person"),
            Self::NeedsReview { count, .. } => tracing::info!(count, "lessons wait for review"),
            Self::WaitingForInput { conversation, .. } => {
                tracing::info!(conversation, "a conversation waits for an answer");
            }
            Self::Conversation(news) => {
                tracing::info!(conversation = %news.conversation, event = ?news.event, "a conversation went on");
            }
            Self::SessionChanged { session, state } => tracing::debug!(%session, %state, "session changed"),
            Self::StateChanged { state: AgentState::Error { message } } => tracing::warn!("{message}"),
            Self::StateChanged { state } => tracing::debug!(%state, "the agent's state changed"),
        }
    }

    /// What happened in a conversation, as an event.
    pub(super) fn of_conversation(news: ConversationNews) -> Self {
        match news.event {
            ConversationEvent::WaitingForInput => {
                let conversation = news.conversation.to_string();
                Self::WaitingForInput { conversation, title: news.title, question: news.text }
            }
            _ => Self::Conversation(news),
        }
    }
}

fn name(session: &Option<SessionId>) -> &str {
    session.as_ref().map_or("", SessionId::as_str)
}

/// Those who listen.
#[derive(Debug, Default)]
pub(super) struct Listeners(Mutex<Vec<Sender<AgentEvent>>>);

impl Listeners {
    pub(super) fn add(&self) -> Receiver<AgentEvent> {
        let (sender, receiver) = mpsc::channel();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(sender);
        receiver
    }

    /// Tells everybody; who no longer listens is forgotten.
    pub(super) fn publish(&self, event: &AgentEvent) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|one| one.send(event.clone()).is_ok());
    }
}
