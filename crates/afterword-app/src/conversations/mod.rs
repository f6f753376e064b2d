//! Conversations: background work that a person starts, answers and follows by talking.
//!
//! It owns what faces ask for (new, list, show, say, answer, limit, pause, resume, archive, runs) and the work itself: `attend`
//! resumes the conversation's own Claude session, asks it for one of three answers, and keeps what follows. The rules are
//! those of [`afterword_core::conversation`], the queue those of the store. Everything a person or a model says is kept
//! without its secrets. Start reading at [`Conversations`].

mod attend;
mod attention;
mod consent;
mod due;
mod limits;
mod money;
mod needs;
mod new;
mod prompt;
mod reading;
mod reconnecting;
mod runner;
mod steering;
mod words;

use std::path::Path;

use afterword_claude_code::repository_files;
use afterword_core::conversation::{
    ConversationError, ConversationEvent, Message, MessageId, MessageRole, MessageSource,
};
use afterword_core::{Conversation, ConversationId, ConversationStatus, Schedule, UserId};
use afterword_store::{QueueError, Store, StoreError};
use jiff::{Timestamp, Zoned};
use serde::Serialize;

pub use afterword_claude_code::repository_files::IgnoredFile;
pub use attention::{TaskAttention, task_attention};
pub use consent::{is_task_typed, is_time_typed};
pub use due::{DueConversations, due_conversations};
pub use limits::LimitChange;
pub use needs::{MissingNeed, TaskNeeds, task_needs};
pub use new::NewConversation;
pub(crate) use new::begin_conversation;
pub use reading::{ConversationDetail, ConversationView, MessageView, RunView};
pub use reconnecting::{SignInReport, finish_sign_in};
pub use words::{PlannedSchedule, plan_schedule};

pub use attend::{AttendEnd, run_conversation};

use crate::error::{ConversationsError, UnfitConversation};
use crate::log::OrLog;
use crate::{App, Error};
use afterword_claude_code::spool::Spool;

/// No message is longer, in bytes.
const LONGEST_MESSAGE: usize = 100_000;

/// Something others should hear of: the window, the tray, a notification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConversationNews {
    /// The conversation.
    pub conversation: ConversationId,
    /// What people call it.
    pub title: String,
    /// What happened.
    pub event: ConversationEvent,
    /// What was said: the question, the report, the reason.
    pub text: String,
}

/// What became of something a person said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum MessageEffect {
    /// It answered the question that waited; the work goes on.
    Answered,
    /// It is a message; Claude will reply.
    Sent,
}

/// What is said in a conversation where a reply cannot be paid.
fn unpaid_reply(reason: &str) -> String {
    format!("Claude could not reply: {reason}\nWhat you said is kept, and goes with the next run or reply.")
}

/// The conversations, open.
#[derive(Debug)]
pub struct Conversations {
    app: App,
    store: Store,
    /// Who asks is an agent: what it says in the person's name is in its own words.
    relayed: bool,
}

/// What the repository of a directory has for Claude Code that takes no part in a task's run there.
pub fn ignored_files(app: &App, directory: &Path) -> Vec<IgnoredFile> {
    repository_files::ignored_files(&app.environment.working_directory.join(directory))
}

/// Opens the conversations; keep them open to ask more than once.
///
/// # Errors
/// [`Error::Store`].
pub fn conversations(app: &App) -> Result<Conversations, Error> {
    Ok(Conversations { app: app.clone(), store: app.store()?, relayed: false })
}

impl Conversations {
    /// The same for an agent that asks in the person's name: what it says is kept as its words, and never mined as the person's.
    #[must_use]
    pub fn for_an_agent(self) -> Self {
        Self { relayed: true, ..self }
    }

    /// What they were opened with.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// The conversations, the one changed last first.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn list(&self, archived: bool) -> Result<Vec<ConversationView>, Error> {
        let found = self.store.conversations().list(&UserId::default(), archived)?;
        found.into_iter().map(|one| reading::view_of(&self.store, one)).collect()
    }

    /// The conversation whose id starts with `argument`, or is called that.
    ///
    /// # Errors
    /// [`ConversationsError::NoSuch`], [`ConversationsError::Ambiguous`], and [`Error::Store`].
    pub fn find(&self, argument: &str) -> Result<Conversation, Error> {
        let (user, argument) = (UserId::default(), argument.trim());
        let nothing = || ConversationsError::NoSuch { argument: argument.to_owned() }.into();
        if argument.is_empty() {
            return Err(nothing());
        }
        let mut found = self.store.conversations().starting_with(&user, &argument.to_lowercase(), 20)?;
        if found.is_empty() {
            let all = self.store.conversations().list(&user, true)?;
            let same = |one: &Conversation| one.title.to_lowercase() == argument.to_lowercase();
            found = all.into_iter().filter(same).collect();
        }
        match found.len() {
            0 => Err(nothing()),
            1 => found.pop().ok_or_else(nothing),
            count => Err(ConversationsError::Ambiguous {
                argument: argument.to_owned(),
                count,
                conversations: found.into_iter().map(|one| one.id.to_string()).collect(),
            }
            .into()),
        }
    }

    /// Says something in a conversation: the answer to the question that waits, where it is one, else a message that
    /// Claude replies to.
    ///
    /// # Errors
    /// As [`Conversations::find`]; for what is empty, too long, or said to a closed conversation. [`ConversationsError::NotReplied`] when
    /// today's money is spent: what was said is kept all the same, and read with the next run or reply.
    pub fn send_message(
        &self,
        argument: &str,
        text: &str,
        now: &Zoned,
    ) -> Result<(ConversationId, MessageEffect), Error> {
        let conversation = self.find(argument)?;
        if conversation.awaits_consent() {
            // A reply would be a run of what nobody said yes to.
            return self.answer(argument, text, now).map(|id| (id, MessageEffect::Answered));
        }
        if conversation.status == ConversationStatus::WaitingInput
            && let Some(question) = &conversation.state.pending_question
            && question.accept(text).is_ok()
        {
            self.answer(&conversation.id.to_string(), text, now)?;
            return Ok((conversation.id, MessageEffect::Answered));
        }
        if conversation.status == ConversationStatus::Archived {
            return Err(ConversationsError::Closed { title: conversation.title }.into());
        }
        let (text, at) = (self.redact(text)?, now.timestamp());
        let unpaid = money::no_money_today(
            &self.app,
            &self.store,
            &conversation.directory,
            crate::model_calls::day(now),
            at,
        )?;
        let said: Result<(), QueueError> = self.store.in_transaction(|store| {
            let (id, source) = (conversation.id, MessageSource::Chat);
            self.add_of_person(store, id, &text, self.relayed, at)?;
            let Some(error) = &unpaid else {
                return store.conversations().queue(&conversation, at).map(drop);
            };
            let why = unpaid_reply(&error.chain_with_hints());
            store.messages().add(id, MessageRole::System, source, &why, at)?;
            Ok(())
        });
        said?;
        if let Some(because) = unpaid {
            return Err(ConversationsError::NotReplied { because: Box::new(because) }.into());
        }
        self.wake();
        Ok((conversation.id, MessageEffect::Sent))
    }

    /// Answers the question that waits; the work goes on at once.
    ///
    /// # Errors
    /// As [`Conversations::find`]; when no question waits, or this does not answer it; [`ConversationsError::PersonConsents`].
    pub fn answer(&self, argument: &str, text: &str, now: &Zoned) -> Result<ConversationId, Error> {
        let (conversation, at) = (self.find(argument)?, now.timestamp());
        self.check_consent(&conversation)?;
        let text = self.redact(text)?;
        let answered: Result<(), Error> = self.store.in_transaction(|store| {
            let question = conversation.state.pending_question.as_ref();
            let of_afterword = question.is_some_and(|question| question.concern.is_some());
            let accepted =
                self.change(store, &conversation, |conversation| conversation.answer(&text, at))?;
            // An option is the agent's wording, whoever chose it.
            let chosen = question.is_some_and(|question| question.options.contains(&accepted));
            let id = self.add_of_person(store, conversation.id, &accepted, self.relayed || chosen, at)?;
            if of_afterword {
                // Between the person and Afterword: nothing for Claude to read.
                let own: Vec<Message> = store.messages().unread(conversation.id)?;
                let own: Vec<Message> = own.into_iter().filter(|message| message.id == id).collect();
                store.messages().mark_read(&own)?;
            }
            Ok(())
        });
        answered?;
        self.store.conversations().queue_due(at)?;
        self.wake();
        Ok(conversation.id)
    }

    /// Lets a conversation go by another schedule from now on; a run that is under way goes on to its end.
    ///
    /// # Errors
    /// As [`Conversations::find`]; when it is closed; [`ConversationsError::PersonConsents`].
    pub fn reschedule(
        &self,
        argument: &str,
        schedule: &Schedule,
        now: &Zoned,
    ) -> Result<ConversationId, Error> {
        let at = now.timestamp();
        self.check_consent(&self.find(argument)?)?;
        let id =
            self.change_status(argument, |conversation| conversation.reschedule(schedule.clone(), at))?;
        self.store.conversations().queue_due(at)?;
        Ok(id)
    }

    /// Lets a conversation's work run once, at once; its schedule stays.
    ///
    /// # Errors
    /// As [`Conversations::find`]; when it is closed, paused or waits for an answer.
    pub fn run_now(&self, argument: &str, now: &Zoned) -> Result<ConversationId, Error> {
        let at = now.timestamp();
        let id = self.change_status(argument, |conversation| conversation.run_now(at))?;
        self.store.conversations().queue_due(at)?;
        self.wake();
        Ok(id)
    }

    /// Stops a conversation's work for now. A run that is under way is ended.
    ///
    /// # Errors
    /// As [`Conversations::find`]; when no work goes on.
    pub fn pause(&self, argument: &str, now: &Zoned) -> Result<ConversationId, Error> {
        self.change_status(argument, |conversation| conversation.pause(now.timestamp()))
    }

    /// Lets paused or finished work go on.
    ///
    /// # Errors
    /// As [`Conversations::find`]; when nothing is paused.
    pub fn resume(&self, argument: &str, now: &Zoned) -> Result<ConversationId, Error> {
        self.change_status(argument, |conversation| conversation.resume(now.timestamp()))
    }

    /// Closes a conversation for good. A run that is under way is ended.
    ///
    /// # Errors
    /// As [`Conversations::find`]; when it is closed already.
    pub fn archive(&self, argument: &str, now: &Zoned) -> Result<ConversationId, Error> {
        self.change_status(argument, |conversation| conversation.archive(now.timestamp()))
    }

    /// Says whether a conversation's reports are notifications; its questions always are.
    ///
    /// # Errors
    /// As [`Conversations::find`].
    pub fn mute(&self, argument: &str, muted: bool) -> Result<ConversationId, Error> {
        self.change_status(argument, |conversation| {
            conversation.state.muted = muted;
            Ok(())
        })
    }

    /// The person looked at a conversation; says whether there was a report they had not seen.
    ///
    /// # Errors
    /// As [`Conversations::find`].
    pub fn mark_seen(&self, argument: &str) -> Result<bool, Error> {
        let conversation = self.find(argument)?;
        if conversation.state.unseen == 0 {
            return Ok(false);
        }
        self.change(&self.store, &conversation, |current| {
            current.state.unseen = 0;
            Ok(())
        })?;
        Ok(true)
    }

    /// Changes what a conversation's runs may do and cost from now on, and tells so in it.
    ///
    /// # Errors
    /// As [`Conversations::find`]; [`ConversationsError::Unfit`] for what no run may have, [`Error::Connection`],
    /// [`ConversationsError::PersonWidens`] where an agent asks for more than is allowed, and [`ConversationsError::Closed`].
    pub fn limit(&self, argument: &str, change: &LimitChange, now: &Zoned) -> Result<ConversationId, Error> {
        limits::limit(self, argument, change, now)
    }

    /// Makes a conversation, and starts its work where it has a schedule; without one, Claude replies to the task.
    ///
    /// # Errors
    /// [`ConversationsError::Unfit`] for what cannot be kept, [`ConnectionError::NoSuch`](crate::error::ConnectionError::NoSuch) for a connection that is not there,
    /// [`ConversationsError::PersonWidens`] for what an agent may not allow, and [`Error::Store`] or [`Error::Io`].
    pub fn create(&self, new: &NewConversation, now: &Zoned) -> Result<ConversationId, Error> {
        new::create(self, new, now)
    }

    /// A conversation with its last messages and runs, at most `most` of each.
    ///
    /// # Errors
    /// As [`Conversations::find`].
    pub fn show(&self, argument: &str, most: u32) -> Result<ConversationDetail, Error> {
        reading::show(self, argument, most)
    }

    /// A conversation's last runs, the latest first.
    ///
    /// # Errors
    /// As [`Conversations::find`].
    pub fn runs(&self, argument: &str, most: u32) -> Result<Vec<RunView>, Error> {
        reading::runs(self, argument, most)
    }

    /// Takes back what was changed last by talking, and tells so in the conversation.
    ///
    /// # Errors
    /// As [`Conversations::find`]; when nothing was changed; [`ConversationsError::PersonWidens`] where an agent would take back a limit.
    pub fn undo(&self, argument: &str, now: &Zoned) -> Result<ConversationId, Error> {
        steering::undo(self, argument, now)
    }

    /// No agent says yes to what an agent made, nor changes it before the person has.
    fn check_consent(&self, conversation: &Conversation) -> Result<(), Error> {
        if self.relayed && conversation.awaits_consent() {
            return Err(ConversationsError::PersonConsents { title: conversation.title.clone() }.into());
        }
        Ok(())
    }

    fn change_status(
        &self,
        argument: &str,
        step: impl FnOnce(&mut Conversation) -> Result<(), ConversationError>,
    ) -> Result<ConversationId, Error> {
        let conversation = self.find(argument)?;
        self.change(&self.store, &conversation, step)?;
        self.wake();
        Ok(conversation.id)
    }

    /// Changes a conversation as it stands in the database.
    fn change<T>(
        &self,
        store: &Store,
        conversation: &Conversation,
        step: impl FnOnce(&mut Conversation) -> Result<T, ConversationError>,
    ) -> Result<T, Error> {
        let refused =
            |source| Error::from(ConversationsError::Refused { title: conversation.title.clone(), source });
        let changed =
            store.conversations().change(conversation.id, |current| step(current).map_err(refused))?;
        changed.ok_or_else(|| ConversationsError::NoSuch { argument: conversation.id.to_string() }.into())
    }

    /// Adds what is said in the person's name, in their own words or an agent's.
    fn add_of_person(
        &self,
        store: &Store,
        id: ConversationId,
        text: &str,
        relayed: bool,
        at: Timestamp,
    ) -> Result<MessageId, StoreError> {
        if relayed {
            store.messages().add_relayed(id, text, at)
        } else {
            store.messages().add(id, MessageRole::User, MessageSource::Chat, text, at)
        }
    }

    /// What a person said, without its secrets.
    fn redact(&self, text: &str) -> Result<String, Error> {
        let text = text.trim();
        let bad = |problem| ConversationsError::Unfit { problem }.into();
        if text.is_empty() {
            return Err(bad(UnfitConversation::Nothing));
        }
        if text.len() > LONGEST_MESSAGE {
            return Err(bad(UnfitConversation::TooLong { most: LONGEST_MESSAGE }));
        }
        Ok(self.app.redaction().text(text))
    }

    /// Wakes the agent, where one runs; without one the work waits in the queue.
    fn wake(&self) {
        // It looks by itself within a minute.
        Spool::new(&self.app.paths).wake().or_log("waking the agent");
    }

    /// The messages of a conversation that came after `after`, the oldest first.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn messages_since(
        &self,
        id: ConversationId,
        after: Option<Timestamp>,
    ) -> Result<Vec<MessageView>, Error> {
        let messages = self.store.messages().last(id, 200)?;
        let newer = |message: &Message| after.is_none_or(|after| message.created_at > after);
        Ok(messages.into_iter().filter(newer).map(MessageView::from).collect())
    }
}
