//! Attending to a conversation: what a job of the queue does. The work that is due first, then what the person said.
//!
//! The queue gives a conversation to one worker at a time, so chat and work never write to its Claude session at once.

use std::time::Instant;

use afterword_claude_code::client;
use afterword_core::conversation::{
    ConversationEvent, Message, MessageRole, MessageSource, RunEnd, WorkerReply,
};
use afterword_core::{Conversation, ConversationId, ConversationStatus, QueueRules};
use afterword_platform::process::{Liveness, ProcessIdentity};
use afterword_store::{Claim, ConversationRunOutcome, RunCost, Store};
use jiff::{Timestamp, Zoned};

use super::runner::{ConversationRunner, TurnEnd};
use super::{ConversationNews, due};
use crate::error::ConversationsError;
use crate::model_calls::day;
use crate::{App, Error};

/// Turns one job makes at most; what is left is for the next one.
const MOST_TURNS: usize = 8;

/// A conversation that was attended to.
#[derive(Debug)]
pub struct AttendedConversation {
    /// What others should hear of.
    pub news: Vec<ConversationNews>,
    /// How it ended.
    pub end: AttendEnd,
}

/// How attending ended.
#[derive(Debug)]
pub enum AttendEnd {
    /// There is nothing left to do.
    Done,
    /// A run failed and should be tried again.
    Again(Error),
    /// A run failed for good; the person was told.
    Failed(String),
    /// The job was cancelled.
    Cancelled,
    /// The program ends: the job is for whoever comes next.
    Released,
}

/// Keeps what a conversation that is about something of its own found, an idea's page for one; what it returns is told in
/// the conversation.
pub(crate) type SaveResult<'a> = &'a dyn Fn(&Conversation, &WorkerReply, &Zoned) -> Option<String>;

/// Does what a claimed job of a conversation asks for.
///
/// # Errors
/// [`Error::Store`]; then the job is taken back when its lease runs out.
pub fn run_conversation(
    app: &App,
    store: &Store,
    claim: &Claim,
    now: &Zoned,
    keep_found: SaveResult<'_>,
) -> Result<AttendedConversation, Error> {
    let (clock, news) = (Instant::now(), Vec::new());
    let mut context = ConversationContext { app, store, claim, clock, begun: now, news, keep_found };
    let end = context.run()?;
    Ok(AttendedConversation { news: context.news, end })
}

/// What attending to one conversation needs.
pub(super) struct ConversationContext<'a> {
    pub(super) app: &'a App,
    pub(super) store: &'a Store,
    pub(super) claim: &'a Claim,
    clock: Instant,
    begun: &'a Zoned,
    news: Vec<ConversationNews>,
    keep_found: SaveResult<'a>,
}

impl ConversationContext<'_> {
    fn run(&mut self) -> Result<AttendEnd, Error> {
        let Some(id) = self.claim.job.subject.as_deref().and_then(ConversationId::parse) else {
            return Ok(AttendEnd::Failed("it names no conversation".to_owned()));
        };
        self.take_up(id)?;
        let mut worked = false;
        for _ in 0..MOST_TURNS {
            let Some(conversation) = self.store.conversations().get(id)? else { return Ok(AttendEnd::Done) };
            if conversation.status == ConversationStatus::Archived {
                break;
            }
            let unread = self.store.messages().unread(id)?;
            let source = if conversation.is_due(self.now().timestamp()) && !worked {
                worked = true;
                MessageSource::Worker
            } else if unread.is_empty() {
                break;
            } else {
                MessageSource::Chat
            };
            let end =
                ConversationRunner { context: self, conversation: &conversation, unread: &unread, source }
                    .run()?;
            if let Some(end) = self.settle_turn(&conversation, &unread, source, end)? {
                return Ok(end);
            }
        }
        Ok(AttendEnd::Done)
    }

    /// Says in the conversation how a turn ended; `None` where the next one may follow.
    fn settle_turn(
        &mut self,
        conversation: &Conversation,
        unread: &[Message],
        source: MessageSource,
        end: TurnEnd,
    ) -> Result<Option<AttendEnd>, Error> {
        match end {
            TurnEnd::Replied(reply) => {
                // The page first: what was found is in it before the work counts as done.
                let ran = self.store.conversations().get(conversation.id)?;
                let message = ran.and_then(|ran| (self.keep_found)(&ran, &reply, &self.now()));
                self.settle_run(conversation, RunEnd::Replied(*reply))?;
                if let Some(message) = message {
                    let (role, source, at) =
                        (MessageRole::System, MessageSource::Worker, self.now().timestamp());
                    self.store.messages().add(conversation.id, role, source, &message, at)?;
                }
                Ok(None)
            }
            TurnEnd::Answered => Ok(None),
            TurnEnd::NeedsReconnect(connection) => {
                // What the person said is read when they have signed in.
                self.settle_run(conversation, RunEnd::NeedsReconnect { connection })?;
                Ok(Some(AttendEnd::Done))
            }
            TurnEnd::Unpaid(error) => {
                // What the person said stays unread: it goes with the next run or reply.
                let reason = self.app.redaction().text(&error.chain_with_hints());
                match source {
                    MessageSource::Worker => {
                        let next_day = self.next_day();
                        self.settle_run(conversation, RunEnd::Postponed { reason, next_day })?;
                    }
                    MessageSource::Chat => {
                        let text = super::unpaid_reply(&reason);
                        self.post_notice(conversation, &text, &[], ConversationEvent::Postponed)?;
                    }
                }
                Ok(Some(AttendEnd::Done))
            }
            TurnEnd::Interrupted if self.is_cancelled()? => Ok(Some(AttendEnd::Cancelled)),
            TurnEnd::Interrupted if self.is_ending() => Ok(Some(AttendEnd::Released)),
            TurnEnd::Interrupted => Ok(Some(AttendEnd::Done)),
            TurnEnd::Failed { error, lasting } => {
                let last = self.claim.job.attempts >= QueueRules::default().retry.attempts;
                if !lasting && !last {
                    return Ok(Some(AttendEnd::Again(error)));
                }
                let reason = self.app.redaction().text(&error.chain());
                match source {
                    MessageSource::Worker => {
                        self.settle_run(conversation, RunEnd::Failed { reason: reason.clone() })?;
                    }
                    MessageSource::Chat => {
                        let text = format!("Claude could not reply: {reason}");
                        self.post_notice(conversation, &text, unread, ConversationEvent::Failed)?;
                    }
                }
                Ok(Some(AttendEnd::Failed(reason)))
            }
        }
    }

    /// The time: when the job began, and what passed since.
    pub(super) fn now(&self) -> Zoned {
        self.begun.checked_add(self.clock.elapsed()).unwrap_or_else(|_| self.begun.clone())
    }

    /// A run without an end was cut off with its program. Its client may still be there, and would write to the same session.
    fn take_up(&mut self, id: ConversationId) -> Result<(), Error> {
        let Some(run) = self.store.conversation_runs().open(id)? else { return Ok(()) };
        let process =
            run.process.as_deref().and_then(|text| serde_json::from_str::<ProcessIdentity>(text).ok());
        if let Some(process) = process
            && process.liveness() == Liveness::Alive
        {
            // It may end by itself at this moment.
            let _ = client::kill_group(process.pid);
        }
        let now = self.now();
        let (outcome, reason) = (ConversationRunOutcome::CutOff, "Afterword ended in the middle of it");
        self.store.conversation_runs().end(
            run.id,
            outcome,
            RunCost::default(),
            Some(reason),
            now.timestamp(),
        )?;
        if let Some(conversation) = self.store.conversations().get(id)? {
            self.news.push(due::report_resumed(self.store, &conversation, run.started_at, &now)?);
        }
        Ok(())
    }

    /// Keeps what the end of a run means.
    fn settle_run(&mut self, conversation: &Conversation, end: RunEnd) -> Result<(), Error> {
        let (id, now) = (conversation.id, self.now().timestamp());
        let refused =
            |source| Error::from(ConversationsError::Refused { title: conversation.title.clone(), source });
        let settled = self.store.in_transaction(|store| {
            let settled = store.conversations().change(id, |current| {
                let settled = current.finish_run(end, now).map_err(refused)?;
                let is_report =
                    matches!(settled.event, Some(ConversationEvent::Reported | ConversationEvent::Finished));
                current.state.unseen = current.state.unseen.saturating_add(is_report.into());
                Ok::<_, Error>(settled)
            })?;
            if let Some((role, text)) = settled.as_ref().and_then(|settled| settled.says.as_ref()) {
                store.messages().add(id, *role, MessageSource::Worker, text, now)?;
            }
            Ok::<_, Error>(settled)
        })?;
        if let Some(settled) = settled
            && let (Some(event), Some((_, text))) = (settled.event, settled.says)
        {
            self.news.push(ConversationNews {
                conversation: id,
                title: conversation.title.clone(),
                event,
                text,
            });
        }
        Ok(())
    }

    /// Tells in the conversation why there is no reply; `read` is not put to Claude again.
    fn post_notice(
        &mut self,
        conversation: &Conversation,
        text: &str,
        read: &[Message],
        event: ConversationEvent,
    ) -> Result<(), Error> {
        let (id, now) = (conversation.id, self.now().timestamp());
        self.store.in_transaction(|store| {
            store.messages().mark_read(read)?;
            store.messages().add(id, MessageRole::System, MessageSource::Chat, text, now).map(drop)
        })?;
        let (title, text) = (conversation.title.clone(), text.to_owned());
        self.news.push(ConversationNews { conversation: id, title, event, text });
        Ok(())
    }

    pub(super) fn is_cancelled(&self) -> Result<bool, Error> {
        let job = self.store.jobs().get(self.claim.job.id)?;
        Ok(job.is_none_or(|job| job.cancel_requested))
    }

    fn is_ending(&self) -> bool {
        self.app.ending.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Whether the run should be ended: the program ends, the job was cancelled, or the person paused or closed the conversation.
    pub(super) fn is_to_stop(&self, id: ConversationId, source: MessageSource) -> bool {
        if self.is_ending() {
            return true;
        }
        // A database that is busy for a moment stops nothing.
        if self.is_cancelled().unwrap_or(false) {
            return true;
        }
        let Ok(Some(conversation)) = self.store.conversations().get(id) else { return false };
        match source {
            MessageSource::Worker => conversation.status != ConversationStatus::Background,
            MessageSource::Chat => conversation.status == ConversationStatus::Archived,
        }
    }

    /// When the user's next day begins.
    fn next_day(&self) -> Timestamp {
        let now = self.now();
        now.tomorrow().map_or_else(|_| now.timestamp(), |tomorrow| day(&tomorrow))
    }
}
