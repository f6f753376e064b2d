//! One run of a conversation's Claude session: for the work that is due, or to reply to the person.

use std::path::Path;
use std::time::{Duration, Instant};

use afterword_claude_code::client::{Ask, Client, ClientError, Cost, Follower, Reply, SessionUse};
use afterword_core::conversation::{
    CHAT_REPLY_SCHEMA, ChatReply, ConversationChange, ConversationRunId, Message, MessageRole, MessageSource,
    WORKER_REPLY_SCHEMA, WorkerReply,
};
use afterword_core::{Conversation, ConversationId, SessionId};
use afterword_platform::process;
use afterword_store::{ConversationRun, ConversationRunOutcome, RunCost, Store};
use jiff::Timestamp;
use serde_json::Value;

use super::attend::ConversationContext;
use super::money::{NoMoneyReason, Reservation, Wallet};
use super::prompt::{self, WorkerPrompt};
use super::steering;
use crate::connections;
use crate::connections::servers::ToolServers;
use crate::error::{ConnectionError, ConversationsError, EngineCallError, UnfitConversation};
use crate::log::OrLog;
use crate::{Error, redaction::Redaction};

/// How often a run looks whether it is to stop.
const BETWEEN_LOOKS: Duration = Duration::from_millis(500);
/// Messages told to a session that begins anew.
const MESSAGES_BEFORE: u32 = 20;

/// A run to be made.
pub(super) struct ConversationRunner<'a, 'b> {
    pub(super) context: &'a ConversationContext<'b>,
    pub(super) conversation: &'a Conversation,
    /// What the person said and the session has not read.
    pub(super) unread: &'a [Message],
    pub(super) source: MessageSource,
}

/// What came of it.
pub(super) enum TurnEnd {
    /// The work answered.
    Replied(Box<WorkerReply>),
    /// The person has their reply, and what they asked for beside it is changed.
    Answered,
    /// A connection has to be signed in to.
    NeedsReconnect(String),
    /// It was to stop.
    Interrupted,
    /// Today's money is spent.
    Unpaid(Error),
    /// It failed.
    Failed {
        /// Why.
        error: Error,
        /// Trying again cannot help.
        lasting: bool,
    },
}

/// Why nothing was heard.
enum RunError {
    /// The client could not do it.
    Client(ClientError),
    /// Today's money is spent.
    Unpaid(Error),
}

impl From<ClientError> for RunError {
    fn from(error: ClientError) -> Self {
        Self::Client(error)
    }
}

/// What the client said in the end.
struct RunReply {
    reply: Reply,
    worker: Option<WorkerReply>,
}

impl ConversationRunner<'_, '_> {
    pub(super) fn run(&self) -> Result<TurnEnd, Error> {
        let (store, context) = (self.context.store, self.context);
        let id = ConversationRunId::new(context.now().timestamp());
        let client = match self.ready_client() {
            Ok(client) => client,
            Err(error) => {
                let lasting = !matches!(error, Error::EngineCall(EngineCallError::NoClient));
                return Ok(TurnEnd::Failed { error, lasting });
            }
        };
        let reserved = match self.reserve(0.0)? {
            Ok(reserved) => reserved,
            Err(NoMoneyReason::Spent(error)) => return Ok(TurnEnd::Unpaid(error)),
            Err(NoMoneyReason::Interrupted) => return Ok(TurnEnd::Interrupted),
        };
        let begun = store.conversation_runs().begin(&ConversationRun {
            id,
            conversation: self.conversation.id,
            job: context.claim.job.id,
            source: self.source,
            due_at: self.conversation.next_run_at.filter(|_| self.source == MessageSource::Worker),
            started_at: context.now().timestamp(),
            ended_at: None,
            outcome: ConversationRunOutcome::Running,
            claude_session: self.conversation.claude_session.clone(),
            process: None,
            cost: RunCost::default(),
            reason: None,
        });
        let unused =
            |problem: &str| self.wallet(|wallet| wallet.settle(reserved, Cost::default(), Some(problem)));
        if let Err(error) = begun {
            unused("the run could not be begun");
            return Err(error.into());
        }
        let servers =
            match connections::tool_servers(context.app, store, self.conversation, context.now().timestamp())
            {
                Ok(servers) => servers,
                Err(error) => {
                    unused("a connection did not let it in");
                    return self.not_let_in(id, error);
                }
            };
        let mut spent = Cost::default();
        let path = servers.as_ref().map(ToolServers::path);
        let asked = self.ask(&client, id, path, reserved, &mut spent);
        drop(servers);
        self.end(id, asked, spent)
    }

    /// A connection did not let the run in: it ends before its client is started, and has cost nothing.
    fn not_let_in(&self, run: ConversationRunId, error: Error) -> Result<TurnEnd, Error> {
        let (store, now) = (self.context.store, self.context.now().timestamp());
        let reason = self.context.app.redaction().text(&error.chain());
        let outcome = ConversationRunOutcome::Failed;
        store.conversation_runs().end(run, outcome, RunCost::default(), Some(&reason), now)?;
        match error {
            Error::Connection(ConnectionError::SignInNeeded { name }) => {
                store.connections().ask_to_sign_in(&self.conversation.user, &name, now)?;
                if self.source == MessageSource::Worker {
                    return Ok(TurnEnd::NeedsReconnect(name));
                }
                Ok(TurnEnd::Failed { error: ConnectionError::SignInNeeded { name }.into(), lasting: true })
            }
            Error::Connection(
                ConnectionError::NoSuch { .. }
                | ConnectionError::Unfit { .. }
                | ConnectionError::NoAddressSecret { .. },
            ) => Ok(TurnEnd::Failed { error, lasting: true }),
            Error::Store(_) => Err(error),
            error => Ok(TurnEnd::Failed { error, lasting: false }),
        }
    }

    /// What must be there before anything is begun.
    fn ready_client(&self) -> Result<Client, Error> {
        let client = self.context.app.client().ok_or(EngineCallError::NoClient)?;
        let directory = Path::new(&self.conversation.directory);
        if !directory.is_dir() {
            let problem = UnfitConversation::DirectoryGone { path: directory.display().to_string() };
            return Err(ConversationsError::Unfit { problem }.into());
        }
        Ok(client)
    }

    /// Asks the session; a session that is gone is begun anew, an answer that cannot be used is asked for once more.
    fn ask(
        &self,
        client: &Client,
        run: ConversationRunId,
        servers: Option<&Path>,
        reserved: Reservation,
        spent: &mut Cost,
    ) -> Result<RunReply, RunError> {
        // Claude Code wants a UUID, and one is a session id.
        let new_id = || SessionId::parse(&ConversationRunId::new(self.context.now().timestamp()).to_string());
        let new = || new_id().map_or(SessionUse::None, SessionUse::New);
        let known = self.conversation.claude_session.clone();
        let session = known.map_or_else(new, SessionUse::Resume);
        let anew = matches!(session, SessionUse::New(_)) && self.conversation.last_success_at.is_some();
        let mut asked = self.call_once(client, run, servers, session, &self.prompt(anew), reserved, spent);
        if let Err(RunError::Client(ClientError::SessionGone { .. })) = asked {
            let reserved = self.reserve_more(spent)?;
            asked = self.call_once(client, run, servers, new(), &self.prompt(true), reserved, spent);
        }
        let reply = asked?;
        if self.source == MessageSource::Chat {
            return Ok(RunReply { reply, worker: None });
        }
        let problem = match read(&reply) {
            Ok(worker) => return Ok(RunReply { reply, worker: Some(worker) }),
            Err(problem) => problem,
        };
        let session = reply.session.clone().map_or_else(new, SessionUse::Resume);
        let reserved = self.reserve_more(spent)?;
        let reply =
            self.call_once(client, run, servers, session, &prompt::retry_prompt(&problem), reserved, spent)?;
        match read(&reply) {
            Ok(worker) => Ok(RunReply { reply, worker: Some(worker) }),
            Err(problem) => Err(ClientError::Failed { problem, cost: Cost::default() }.into()),
        }
    }

    fn wallet<T>(&self, work: impl FnOnce(&Wallet<'_>) -> T) -> T {
        let context = self.context;
        work(&Wallet {
            app: context.app,
            store: context.store,
            job: context.claim.job.id,
            directory: &self.conversation.directory,
            now: &|| context.now(),
            is_to_stop: &|| context.is_to_stop(self.conversation.id, self.source),
        })
    }

    /// Reserves money for the next call, of a run that cost `spent` so far.
    fn reserve(&self, spent: f64) -> Result<Result<Reservation, NoMoneyReason>, Error> {
        self.wallet(|wallet| wallet.reserve(self.conversation.limits.most_usd - spent))
    }

    /// Money for a further call of the run.
    fn reserve_more(&self, spent: &Cost) -> Result<Reservation, RunError> {
        match self.reserve(spent.usd) {
            Ok(Ok(reserved)) => Ok(reserved),
            Ok(Err(NoMoneyReason::Spent(error))) => Err(RunError::Unpaid(error)),
            Ok(Err(NoMoneyReason::Interrupted)) => {
                Err(ClientError::Interrupted { cost: Cost::default() }.into())
            }
            Err(error) => Err(ClientError::Failed { problem: error.chain(), cost: Cost::default() }.into()),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "each is another thing of the one call")]
    fn call_once(
        &self,
        client: &Client,
        run: ConversationRunId,
        servers: Option<&Path>,
        session: SessionUse,
        prompt: &str,
        reserved: Reservation,
        spent: &mut Cost,
    ) -> Result<Reply, RunError> {
        if let SessionUse::New(id) | SessionUse::Resume(id) = &session {
            // Without it, the session of a run that fails is taken for one of the person's that idles.
            let noted = self.context.store.conversation_runs().set_session(run, id);
            noted.or_log("writing down a run's session");
        }
        let limits = &self.conversation.limits;
        let mut allowed = limits.allowed_tools.clone();
        allowed.extend(limits.connections.iter().map(|name| format!("mcp__{name}")));
        let ask = Ask {
            instructions: None,
            prompt,
            directory: Path::new(&self.conversation.directory),
            session,
            schema: Some(match self.source {
                MessageSource::Worker => WORKER_REPLY_SCHEMA,
                MessageSource::Chat => CHAT_REPLY_SCHEMA,
            }),
            allowed_tools: &allowed,
            tool_servers: servers,
            model: None,
            effort: None,
            most_usd: Some(reserved.most),
            limit: Duration::from_secs(u64::from(limits.most_seconds)),
        };
        let redaction = self.context.app.redaction();
        let mut watching = RunObserver { turn: self, run, looked: Instant::now() };
        let asked = client.ask(&ask, &mut watching);
        let cost = asked.as_ref().map_or_else(ClientError::cost, |reply| reply.cost);
        let problem = asked.as_ref().err().map(|error| redaction.text(&error.to_string()));
        let (conversation, source) = (self.conversation.id, self.source.as_str());
        match &problem {
            None => tracing::info!(%conversation, source, usd = cost.usd, "a conversation's run answered"),
            Some(problem) => {
                tracing::warn!(%conversation, source, usd = cost.usd, "a conversation's run did not answer: {problem}");
            }
        }
        self.wallet(|wallet| wallet.settle(reserved, cost, problem.as_deref()));
        spent.usd += cost.usd;
        spent.input_tokens = spent.input_tokens.saturating_add(cost.input_tokens);
        spent.output_tokens = spent.output_tokens.saturating_add(cost.output_tokens);
        spent.turns = spent.turns.saturating_add(cost.turns);
        match asked {
            // Its own limit would have let it go on.
            Err(ClientError::TooExpensive { .. }) if reserved.is_cut => {
                #[expect(
                    clippy::redundant_closure_for_method_calls,
                    reason = "the method itself is not general enough over the wallet's lifetime"
                )]
                let why = self.wallet(|wallet| wallet.is_used_up());
                Err(why.map_or_else(RunError::Unpaid, RunError::Unpaid))
            }
            asked => Ok(asked?),
        }
    }

    fn prompt(&self, anew: bool) -> String {
        let now = self.context.now();
        // What was said before, the unread words aside: those follow in full.
        let before = anew.then(|| {
            let last = self.context.store.messages().last(self.conversation.id, MESSAGES_BEFORE);
            let last = last.unwrap_or_default().into_iter();
            last.filter(|one| !self.unread.iter().any(|unread| unread.id == one.id)).collect::<Vec<_>>()
        });
        let before = before.as_deref();
        let (conversation, unread) = (self.conversation, self.unread);
        match self.source {
            MessageSource::Worker => WorkerPrompt { conversation, unread, before, now: &now }.text(),
            MessageSource::Chat => prompt::chat(conversation, unread, before, &now),
        }
    }

    /// Keeps the end of the run, the session it ran in, and what was read and replied.
    fn end(
        &self,
        run: ConversationRunId,
        asked: Result<RunReply, RunError>,
        spent: Cost,
    ) -> Result<TurnEnd, Error> {
        let (store, id) = (self.context.store, self.conversation.id);
        let now = self.context.now().timestamp();
        let cost = RunCost {
            usd: spent.usd,
            input_tokens: spent.input_tokens,
            output_tokens: spent.output_tokens,
            turns: spent.turns,
        };
        let redaction = self.context.app.redaction();
        let heard = match asked {
            Ok(heard) => heard,
            Err(error) => return self.end_without_reply(run, error, cost, now),
        };
        let lost = lost_connection(&heard.reply, &self.conversation.limits.connections);
        let outcome = match &heard.worker {
            None => ConversationRunOutcome::Replied,
            Some(WorkerReply::NeedsInput { .. }) => ConversationRunOutcome::Asked,
            Some(WorkerReply::Continue { .. }) => ConversationRunOutcome::Continued,
            Some(WorkerReply::Complete { .. }) => ConversationRunOutcome::Completed,
        };
        let (chat, changes) = chat_reply(&heard.reply, &redaction);
        store.in_transaction(|store| {
            let reason = lost.as_ref().map(|name| format!("the connection `{name}` did not let it in"));
            let outcome = if lost.is_some() { ConversationRunOutcome::Failed } else { outcome };
            store.conversation_runs().end(run, outcome, cost, reason.as_deref(), now)?;
            store.messages().mark_read(self.unread)?;
            self.save_session(store, id, heard.reply.session.clone())?;
            if heard.worker.is_none() {
                let text = redaction.text(&chat);
                let text = if text.is_empty() { "(no reply)" } else { &text };
                store.messages().add(id, MessageRole::Assistant, MessageSource::Chat, text, now)?;
                // Whoever reads the reply reads at the same time what became of it.
                self.steer(store, changes, lost.as_deref())?;
            }
            Ok::<_, Error>(())
        })?;
        if let Some(name) = lost {
            store.connections().ask_to_sign_in(&self.conversation.user, &name, now)?;
            return Ok(TurnEnd::NeedsReconnect(name));
        }
        Ok(match heard.worker {
            Some(reply) => TurnEnd::Replied(Box::new(redact_reply(reply, &redaction))),
            None => {
                store.conversations().queue_due(now)?;
                TurnEnd::Answered
            }
        })
    }

    /// Keeps the end of a run that was not paid for, failed or was stopped.
    fn end_without_reply(
        &self,
        run: ConversationRunId,
        error: RunError,
        cost: RunCost,
        now: Timestamp,
    ) -> Result<TurnEnd, Error> {
        let redaction = self.context.app.redaction();
        let end = |outcome, error: &Error| {
            let reason = redaction.text(&error.chain());
            self.context.store.conversation_runs().end(run, outcome, cost, Some(&reason), now)
        };
        match error {
            RunError::Unpaid(error) => {
                end(ConversationRunOutcome::Failed, &error)?;
                Ok(TurnEnd::Unpaid(error))
            }
            RunError::Client(error @ ClientError::Interrupted { .. }) => {
                end(ConversationRunOutcome::Cancelled, &Error::Client(error))?;
                Ok(TurnEnd::Interrupted)
            }
            RunError::Client(error) => {
                // An update replaces the program within minutes: what it cannot do now it may be able to do then.
                let lasting = error.is_lasting() && !error.is_about_the_client();
                let error = Error::Client(error);
                end(ConversationRunOutcome::Failed, &error)?;
                Ok(TurnEnd::Failed { error, lasting })
            }
        }
    }

    /// Changes what the person asked for by talking, and tells in the conversation what was changed and what was not.
    fn steer(
        &self,
        store: &Store,
        changes: Result<Vec<ConversationChange>, String>,
        lost: Option<&str>,
    ) -> Result<(), Error> {
        let (id, now) = (self.conversation.id, self.context.now());
        let text = match (changes, lost) {
            (Ok(changes), _) if changes.is_empty() => {
                match steering::no_change_notice(self.conversation, self.unread, &now) {
                    Some(text) => text,
                    None => return Ok(()),
                }
            }
            (Ok(_), Some(name)) => {
                format!("Nothing was changed: the connection `{name}` did not let the run in.")
            }
            (Err(problem), _) => format!("Nothing was changed: {problem}"),
            (Ok(changes), None) => {
                let relayed = self.unread.iter().any(|message| message.relayed);
                let make = |current: &mut Conversation| {
                    Ok::<_, Error>(steering::make(current, &changes, relayed, &now))
                };
                store.conversations().change(id, make)?.unwrap_or_default().join("\n")
            }
        };
        let (role, source) = (MessageRole::System, MessageSource::Chat);
        store.messages().add(id, role, source, &text, now.timestamp())?;
        Ok(())
    }

    fn save_session(
        &self,
        store: &Store,
        id: ConversationId,
        session: Option<SessionId>,
    ) -> Result<(), Error> {
        let Some(session) = session else { return Ok(()) };
        store.conversations().change(id, |conversation| {
            conversation.claude_session = Some(session);
            Ok::<_, Error>(())
        })?;
        Ok(())
    }
}

/// The work's answer, from the structured output, or from the text where a client puts it there.
fn read(reply: &Reply) -> Result<WorkerReply, String> {
    let value = match &reply.structured {
        Some(value) => value.clone(),
        None => serde_json::from_str::<Value>(reply.text.trim())
            .map_err(|_| "the answer has no structured output".to_owned())?,
    };
    WorkerReply::parse(&value).map_err(|error| error.to_string())
}

/// What a chat turn says to the person, and what it is to change. One that gave its words alone changes nothing.
fn chat_reply(reply: &Reply, redaction: &Redaction) -> (String, Result<Vec<ConversationChange>, String>) {
    let structured = reply.structured.as_ref().filter(|value| value["reply"].is_string());
    let Some(structured) = structured else { return (reply.text.trim().to_owned(), Ok(Vec::new())) };
    let mut value = structured.clone();
    clean_value(&mut value, redaction);
    match ChatReply::parse(&value) {
        Ok(chat) => (chat.reply, Ok(chat.changes)),
        Err(error) => {
            let text = value["reply"].as_str().unwrap_or(&reply.text).trim().to_owned();
            (text, Err(error.problem))
        }
    }
}

/// The first of the conversation's connections that did not let the client in.
fn lost_connection(reply: &Reply, connections: &[String]) -> Option<String> {
    let refused = |name: &&String| {
        reply.tool_servers.iter().any(|(server, status)| server == *name && status == "needs-auth")
    };
    connections.iter().find(refused).cloned()
}

/// An answer without secrets, as it is kept.
fn redact_reply(reply: WorkerReply, redaction: &Redaction) -> WorkerReply {
    match reply {
        WorkerReply::NeedsInput { message, mut question } => {
            question.prompt = redaction.text(&question.prompt);
            for option in &mut question.options {
                *option = redaction.text(option);
            }
            WorkerReply::NeedsInput { message: redaction.text(&message), question }
        }
        WorkerReply::Continue { mut state_update, next_step, message, wait_minutes } => {
            state_update.values_mut().for_each(|value| clean_value(value, redaction));
            let message = message.map(|message| redaction.text(&message));
            WorkerReply::Continue {
                state_update,
                next_step: redaction.text(&next_step),
                message,
                wait_minutes,
            }
        }
        WorkerReply::Complete { message, mut state_update } => {
            state_update.values_mut().for_each(|value| clean_value(value, redaction));
            WorkerReply::Complete { message: redaction.text(&message), state_update }
        }
    }
}

fn clean_value(value: &mut Value, redaction: &Redaction) {
    match value {
        Value::String(text) => *text = redaction.text(text),
        Value::Array(items) => items.iter_mut().for_each(|item| clean_value(item, redaction)),
        Value::Object(fields) => fields.values_mut().for_each(|field| clean_value(field, redaction)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Writes down the client's process, and ends the run when the person wants it.
struct RunObserver<'a, 'b, 'c> {
    turn: &'a ConversationRunner<'b, 'c>,
    run: ConversationRunId,
    looked: Instant,
}

impl Follower for RunObserver<'_, '_, '_> {
    fn on_start(&mut self, process: u32) {
        let identity = process::find_process(process).map(|running| running.identity);
        let text = identity.and_then(|identity| serde_json::to_string(&identity).ok());
        if let Some(text) = text {
            // Without it, a run that is cut off cannot be ended before it is taken up again.
            self.turn
                .context
                .store
                .conversation_runs()
                .set_process(self.run, &text)
                .or_log("writing down a run's process");
        }
    }

    fn stop(&mut self) -> bool {
        if self.looked.elapsed() < BETWEEN_LOOKS {
            return false;
        }
        self.looked = Instant::now();
        self.turn.context.is_to_stop(self.turn.conversation.id, self.turn.source)
    }
}
