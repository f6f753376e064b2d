//! What is due: queued in order, and what ended without being settled, settled.

use afterword_core::conversation::{ConversationEvent, MessageRole, MessageSource, RunEnd};
use afterword_core::{Conversation, ConversationId, JobStatus};
use afterword_store::{LostRun, Store};
use jiff::{Timestamp, Zoned};

use super::ConversationNews;
use crate::Error;
use crate::error::ConversationsError;

/// What a look at the conversations brought.
#[derive(Debug, Default)]
pub struct DueConversations {
    /// Those that were queued.
    pub queued: Vec<ConversationId>,
    /// When the next one is due.
    pub next: Option<Timestamp>,
    /// What others should hear of.
    pub news: Vec<ConversationNews>,
}

/// Queues every conversation that is due at `now`, and settles runs whose job was cancelled or lost.
///
/// # Errors
/// [`Error::Store`].
pub fn due_conversations(store: &Store, now: Timestamp) -> Result<DueConversations, Error> {
    let mut news = Vec::new();
    for unsettled in store.conversations().lost_runs()? {
        news.extend(settle_lost(store, &unsettled, now)?);
    }
    let queued = store.conversations().queue_due(now)?;
    Ok(DueConversations { queued, next: store.conversations().next_due()?, news })
}

fn settle_lost(store: &Store, lost: &LostRun, now: Timestamp) -> Result<Option<ConversationNews>, Error> {
    let id = lost.conversation.id;
    let cancelled = lost.job.as_ref().is_none_or(|job| job.status == JobStatus::Cancelled);
    let reason = lost.job.as_ref().and_then(|job| job.reason.clone());
    store.in_transaction(|store| {
        let settled = store.conversations().change(id, |conversation: &mut Conversation| {
            let refused = |source| {
                Error::from(ConversationsError::Refused { title: lost.conversation.title.clone(), source })
            };
            if cancelled {
                conversation.skip_run(now).map_err(refused)
            } else {
                let reason = reason.unwrap_or_else(|| "it was given up".to_owned());
                conversation.finish_run(RunEnd::Failed { reason }, now).map_err(refused)
            }
        })?;
        store.conversations().clear_job(id)?;
        let Some((role, text)) = settled.as_ref().and_then(|settled| settled.says.clone()) else {
            return Ok(None);
        };
        store.messages().add(id, role, MessageSource::Worker, &text, now)?;
        Ok(settled.and_then(|settled| settled.event).map(|event| ConversationNews {
            conversation: id,
            title: lost.conversation.title.clone(),
            event,
            text,
        }))
    })
}

/// Tells in the conversation that a run was cut off and is taken up again.
pub(super) fn report_resumed(
    store: &Store,
    conversation: &Conversation,
    begun: Timestamp,
    now: &Zoned,
) -> Result<ConversationNews, Error> {
    let begun = begun.to_zoned(now.time_zone().clone()).strftime("on %A, %-d %B %Y at %H:%M");
    let text = format!("The run begun {begun} was cut off, as Afterword ended. It is taken up again.");
    let (role, source) = (MessageRole::System, MessageSource::Worker);
    store.messages().add(conversation.id, role, source, &text, now.timestamp())?;
    let (title, event) = (conversation.title.clone(), ConversationEvent::TakenUp);
    Ok(ConversationNews { conversation: conversation.id, title, event, text })
}
