//! Changing what a conversation's runs may do and cost, after it was made, and who may widen it: the person alone.
//!
//! What is allowed is checked as when a conversation is made, and told in the conversation. A run that is under way keeps
//! what it began with: it took its limits with it.

use afterword_core::conversation::{MessageRole, MessageSource, READING_TOOLS, RunLimits};
use afterword_core::{ConversationId, ConversationStatus};
use jiff::Zoned;

use super::Conversations;
use crate::Error;
use crate::error::ConversationsError;

/// What is to be changed of a conversation's limits; what is absent stays.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LimitChange {
    /// All tools its runs may use from now on.
    pub allowed_tools: Option<Vec<String>>,
    /// All connections they may use.
    pub connections: Option<Vec<String>>,
    /// US dollars one run may cost.
    pub most_usd: Option<f64>,
    /// Seconds one run may take.
    pub most_seconds: Option<u32>,
}

impl LimitChange {
    fn of(&self, limits: &RunLimits) -> RunLimits {
        RunLimits {
            allowed_tools: self.allowed_tools.clone().unwrap_or_else(|| limits.allowed_tools.clone()),
            connections: self.connections.clone().unwrap_or_else(|| limits.connections.clone()),
            most_usd: self.most_usd.unwrap_or(limits.most_usd),
            most_seconds: self.most_seconds.unwrap_or(limits.most_seconds),
        }
    }
}

/// [`Conversations::limit`].
pub(super) fn limit(
    conversations: &Conversations,
    argument: &str,
    change: &LimitChange,
    now: &Zoned,
) -> Result<ConversationId, Error> {
    let (id, at) = (conversations.find(argument)?.id, now.timestamp());
    conversations.store.in_transaction(|store| {
        let changed = store.conversations().change(id, |conversation| {
            if conversation.status == ConversationStatus::Archived {
                return Err(Error::from(ConversationsError::Closed { title: conversation.title.clone() }));
            }
            let limits = change.of(&conversation.limits);
            if limits == conversation.limits {
                return Ok(None);
            }
            super::new::check(conversations, &limits)?;
            check_widening(conversations, &limits, &conversation.limits)?;
            conversation.limits = limits.clone();
            conversation.updated_at = at;
            Ok(Some(limits))
        })?;
        if let Some(limits) = changed.flatten() {
            let (role, source) = (MessageRole::System, MessageSource::Chat);
            store.messages().add(id, role, source, &describe(&limits, conversations.relayed), at)?;
        }
        Ok::<_, Error>(())
    })?;
    Ok(id)
}

/// An agent allows new work tools that read and the person's own connections, and no more money and time than usual.
pub(super) fn check_of_an_agent(conversations: &Conversations, limits: &RunLimits) -> Result<(), Error> {
    let allowed_tools = READING_TOOLS.map(str::to_owned).to_vec();
    let usual = RunLimits { allowed_tools, connections: limits.connections.clone(), ..RunLimits::default() };
    check_widening(conversations, limits, &usual)
}

pub(super) fn check_widening(
    conversations: &Conversations,
    limits: &RunLimits,
    allowed: &RunLimits,
) -> Result<(), Error> {
    match limits.first_widening(allowed) {
        Some(problem) if conversations.relayed => Err(ConversationsError::PersonWidens { problem }.into()),
        _ => Ok(()),
    }
}

fn describe(limits: &RunLimits, relayed: bool) -> String {
    let who = if relayed { "An agent in your name" } else { "You" };
    let list = |names: &[String]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let minutes = f64::from(limits.most_seconds) / 60.0;
    format!(
        "{who} changed what a run may do. Tools: {}. Connections: {}. It may cost ${:.2} and take {minutes} minutes at most.\n\
         A run that is under way keeps what it began with.",
        list(&limits.allowed_tools),
        list(&limits.connections),
        limits.most_usd,
    )
}
