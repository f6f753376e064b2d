//! From entries to events: what people said, what the agent said and did, how it went.
//!
//! It owns who said what. Words of the person come out with every wrapper removed; text in the user role that no
//! person typed is only counted; results of tools are judged and dropped. It keeps bounded memory of the last
//! calls, utterances and agent lines. Start at [`Filter::add_entry`].

mod branches;
mod call_description;
mod dialogue;
mod entry_parts;
mod line_kind;
mod marks;
mod outcome;
mod paste;
mod pending_calls;
mod questions;
mod queue;
mod refusal;
mod sender;
mod wrappers;

use std::borrow::Cow;

use jiff::{SignedDuration, Timestamp};

use crate::entry::{Block, Content, Entry};
use crate::event::{
    Authorship, EntryLocation, Event, MAX_AGENT_TEXT, MAX_UTTERANCE, Origin, Rewind, ToolCall, ToolOutcome,
    ToolStatus, Undelivered, Utterance,
};
use crate::json::Raw;
use crate::report_builder::ReportBuilder;
use crate::text::{self, Shortener};
use branches::Branches;
use dialogue::{AddedWords, Dialogue};
use entry_parts::{
    ClientVersion, MAX_ID, each_block, location, parse_questions, strip_thinking, texts, timestamp,
};
use paste::PasteDetector;
use pending_calls::{Call, Calls};
use sender::{ANOTHER_SENDER, is_another_sender, is_of_unknown_source, machine_flag};
use wrappers::{StrippedText, TASK_NOTIFICATION, UserText};

/// Time within which words typed after a rejection are its reason.
const REASON_WITHIN: SignedDuration = SignedDuration::from_mins(30);

/// Turns entries into events.
#[derive(Default)]
pub(crate) struct Filter<'s> {
    shortener: Shortener<'s>,
    calls: Calls,
    dialogue: Dialogue,
    pastes: PasteDetector,
    branches: Branches,
    /// A call rejected without a reason; the next words may be it.
    rejected: Option<RejectedCall>,
    /// A call that seems rejected without a reason; the entry that the client writes after it is the proof.
    unproven: Option<RejectedCall>,
    /// Line of the last compaction told.
    compacted: Option<u64>,
    /// The client that wrote the last entry that names one; entries of the queue do not.
    client: ClientVersion,
    /// The last line read.
    last_line: u64,
}

struct RejectedCall {
    call: String,
    plan: bool,
    time: Option<Timestamp>,
}

impl RejectedCall {
    fn origin(self) -> Origin {
        if self.plan {
            Origin::PlanFeedback { call: self.call }
        } else {
            Origin::Rejection { call: self.call }
        }
    }
}

/// Words as they arrive.
#[derive(Clone)]
struct Arrival {
    origin: Origin,
    authorship: Authorship,
    /// An image or document came with them.
    attachment: bool,
    /// They wait in the queue.
    queued: bool,
}

impl Arrival {
    fn new(origin: Origin) -> Self {
        Self { origin, authorship: Authorship::Person, attachment: false, queued: false }
    }

    /// The same in another way.
    fn with_origin(&self, origin: Origin) -> Self {
        Self { origin, ..self.clone() }
    }

    /// Doubtful, where the words are.
    fn with_authorship(mut self, authorship: Authorship) -> Self {
        if authorship == Authorship::Doubtful {
            self.authorship = authorship;
        }
        self
    }
}

/// The way out for events, and the counts they belong to.
struct EventSink<'o> {
    sink: &'o mut dyn FnMut(Event),
    tally: &'o mut ReportBuilder,
}

impl EventSink<'_> {
    fn emit(&mut self, event: Event) {
        (self.sink)(event);
    }

    fn count_machine_text(&mut self, what: &'static str) {
        *self.tally.report.machine_texts.entry(what).or_default() += 1;
    }
}

impl<'s> Filter<'s> {
    pub(crate) fn new(shortener: Shortener<'s>) -> Self {
        Self { shortener, ..Self::default() }
    }

    /// Takes in the next entry of the file.
    pub(crate) fn add_entry(
        &mut self,
        line: u64,
        entry: &Entry<'_>,
        tally: &mut ReportBuilder,
        sink: &mut dyn FnMut(Event),
    ) {
        let mut out = EventSink { sink, tally };
        self.branches.add_entry(entry);
        self.client.update(entry);
        self.last_line = line;
        match &*entry.kind.decode() {
            "user" => self.add_user(line, entry, &mut out),
            "assistant" => self.add_assistant(line, entry, &mut out),
            "system" => self.add_system(line, entry, &mut out),
            "queue-operation" => queue::add_queue_operation(self, line, entry, &mut out),
            "attachment" => self.add_attachment(line, entry, &mut out),
            _ => {}
        }
    }

    /// There is nothing more to read: messages that still wait were given to nobody so far.
    pub(crate) fn finish(self, sink: &mut dyn FnMut(Event)) {
        let place = EntryLocation { line: self.last_line, uuid: String::new(), time: None, sidechain: false };
        for of in self.dialogue.undelivered() {
            sink(Event::Undelivered(Undelivered { of, place: place.clone(), taken_back: false }));
        }
    }

    fn add_assistant(&mut self, line: u64, entry: &Entry<'_>, out: &mut EventSink<'_>) {
        let Some(message) = &entry.message else { return };
        // Not the model: "No response requested.", "API Error: …".
        if message.model.equals("<synthetic>") || entry.is_api_error {
            return;
        }
        each_block(message, |block| match block {
            Block::Text(raw) => {
                let decoded = raw.decode();
                let text = strip_thinking(&decoded).trim();
                if !text.is_empty() {
                    if !entry.is_sidechain {
                        self.pastes.remember_agent_text(text);
                        self.mark_agent_active();
                    }
                    let text = self.shortener.head_and_tail(&text::strip_control(text), MAX_AGENT_TEXT);
                    out.emit(Event::Agent { place: location(line, entry), text });
                }
            }
            Block::ToolUse { id, name, input } => {
                let name = name.head(MAX_ID).into_owned();
                let described = call_description::describe(&name, input, self.shortener);
                let id = id.head(MAX_ID).into_owned();
                let asked = if name == "AskUserQuestion" { parse_questions(input) } else { Vec::new() };
                let command = match name.as_str() {
                    "Bash" => described.input.clone(),
                    "SlashCommand" | "Skill" => call_description::command_run(input, self.shortener),
                    _ => String::new(),
                };
                self.calls.insert(Call { id: id.clone(), name: name.clone(), command, asked });
                if !entry.is_sidechain {
                    self.mark_agent_active();
                }
                out.emit(Event::Call(ToolCall {
                    place: location(line, entry),
                    id,
                    name,
                    summary: described.summary,
                    input: described.input,
                    before: described.before,
                }));
            }
            Block::Other(kind) => out.tally.add_unknown_block(*kind),
            Block::ToolResult { .. } | Block::Media(_) | Block::Thinking => {}
        });
    }

    fn mark_agent_active(&mut self) {
        self.dialogue.mark_answered();
        (self.rejected, self.unproven) = (None, None);
    }

    fn add_system(&mut self, line: u64, entry: &Entry<'_>, out: &mut EventSink<'_>) {
        if entry.detail.equals("compact_boundary") {
            self.add_compaction(line, entry, out);
        } else if let Some(content) = entry.content {
            self.add_system_text(line, entry, &content.decode(), out);
        }
    }

    /// A system line's text: slash commands and prompts that a hook blocked stand in some.
    fn add_system_text(&mut self, line: u64, entry: &Entry<'_>, content: &str, out: &mut EventSink<'_>) {
        match wrappers::classify_user_text(content) {
            UserText::Blocked { prompt: Some(_) } => {}
            UserText::Command { .. } | UserText::Shell(_) | UserText::Machine(_)
                if entry.detail.equals("local_command") => {}
            _ => return,
        }
        self.add_text(line, entry, content, &Arrival::new(Origin::Prompt), out);
    }

    /// A boundary and the summary after it are one compaction; old clients write the summary alone.
    fn add_compaction(&mut self, line: u64, entry: &Entry<'_>, out: &mut EventSink<'_>) {
        if self.compacted.is_none_or(|last| line - last > 4) && !entry.is_sidechain {
            out.emit(Event::Compaction { place: location(line, entry) });
        }
        self.compacted = Some(line);
    }

    fn add_attachment(&mut self, line: u64, entry: &Entry<'_>, out: &mut EventSink<'_>) {
        let Some(attachment) = &entry.attachment else { return };
        if !entry.detail.equals("queued_command") || entry.is_sidechain {
            return;
        }
        let (texts, media) = texts(&attachment.prompt);
        if attachment.is_meta || is_another_sender(attachment.origin_kind) {
            self.mark_foreign(line, entry, &texts, out);
            return out.count_machine_text(sender::ANOTHER_SENDER);
        }
        let mode = attachment.command_mode;
        if mode.equals("bash") {
            for text in &texts {
                self.add_utterance(line, entry, text, Arrival::new(Origin::Shell), out);
            }
        } else if mode.is_empty() || mode.equals("prompt") {
            let arrival = Arrival { attachment: media, ..Arrival::new(Origin::Queued) };
            self.add_texts(line, entry, &texts, &arrival, out);
        } else {
            self.mark_foreign(line, entry, &texts, out);
            out.count_machine_text(TASK_NOTIFICATION);
        }
    }

    fn add_user(&mut self, line: u64, entry: &Entry<'_>, out: &mut EventSink<'_>) {
        let Some(message) = &entry.message else { return };
        let mut results = false;
        let mut own_tools = true;
        each_block(message, |block| match block {
            Block::ToolResult { call, is_error, content } => {
                results = true;
                let id = call.head(MAX_ID);
                own_tools &= self.calls.get(&id).is_some_and(|call| refusal::is_client_tool(&call.name));
                self.add_tool_outcome(line, entry, *call, *is_error, content, out);
            }
            Block::Other(kind) => out.tally.add_unknown_block(*kind),
            _ => {}
        });
        // In a sidechain the user role is the agent that gave the task.
        if entry.is_sidechain {
            return;
        }
        if entry.is_compact_summary {
            return self.add_compaction(line, entry, out);
        }
        let (texts, media) = texts(&message.content);
        if let Some(what) = machine_flag(entry) {
            if !texts.is_empty() {
                out.count_machine_text(what);
            }
            self.mark_foreign(line, entry, &texts, out);
            if entry.has_plan {
                let plan = entry.plan.decode();
                if let Some(feedback) = texts.iter().find_map(|text| wrappers::plan_feedback(text, &plan)) {
                    let arrival = Arrival { attachment: media, ..Arrival::new(Origin::Prompt) };
                    self.add_utterance(line, entry, feedback, arrival, out);
                }
            }
            return;
        }
        // Words beside a result were typed while the tool ran, or when the person let it run. Beside that of a tool
        // server they may be of its answer. What names an agent and no sidechain may be an agent's prompt all the same.
        let origin = if results { Origin::Queued } else { Origin::Prompt };
        let doubtful = entry.is_untyped
            || !entry.agent_id.is_empty()
            || is_of_unknown_source(entry)
            || results && !own_tools && !entry.permission.source.decode().starts_with("user_");
        let authorship = if doubtful { Authorship::Doubtful } else { Authorship::Person };
        let arrival = Arrival { authorship, attachment: media, ..Arrival::new(origin) };
        let typed = !results && (media || texts.iter().any(|text| is_typed(text)));
        let from = if typed { self.branches.add_prompt(line, entry) } else { None };
        if from.is_some() {
            (self.rejected, self.unproven) = (None, None);
        }
        self.add_texts(line, entry, &texts, &arrival, out);
        if let Some(from) = from {
            let rewind = Rewind { place: location(line, entry), from };
            self.dialogue.rewind(&rewind);
            out.emit(Event::Rewind(rewind));
        }
    }

    /// Texts of one entry: each is sorted, and what the person typed of them is one utterance.
    fn add_texts(
        &mut self,
        line: u64,
        entry: &Entry<'_>,
        all: &[Cow<'_, str>],
        arrival: &Arrival,
        out: &mut EventSink<'_>,
    ) {
        let kinds: Vec<UserText<'_>> = all.iter().map(|text| wrappers::classify_user_text(text)).collect();
        // Another sender's message may be of several texts.
        let is_beside_others = all.len() > 1
            && kinds.iter().any(|kind| matches!(kind, UserText::Machine(ANOTHER_SENDER | TASK_NOTIFICATION)));
        let arrival = if is_beside_others {
            arrival.clone().with_authorship(Authorship::Doubtful)
        } else {
            arrival.clone()
        };
        let mut typed: Vec<Cow<'_, str>> = Vec::new();
        let mut joined = arrival.clone();
        for (text, kind) in all.iter().zip(kinds) {
            if let UserText::Words(words, authorship) = kind {
                joined = joined.with_authorship(authorship);
                typed.push(words);
            } else {
                self.add_kind(line, entry, text, kind, &arrival, out);
            }
        }
        if !typed.is_empty() {
            let text = if typed.len() == 1 { typed.remove(0) } else { Cow::Owned(typed.join("\n\n")) };
            self.add_utterance(line, entry, &text, joined, out);
        }
    }

    /// One text in the user role.
    fn add_text(
        &mut self,
        line: u64,
        entry: &Entry<'_>,
        text: &str,
        arrival: &Arrival,
        out: &mut EventSink<'_>,
    ) {
        self.add_kind(line, entry, text, wrappers::classify_user_text(text), arrival, out);
    }

    /// One text in the user role, of which it is known what it is.
    fn add_kind(
        &mut self,
        line: u64,
        entry: &Entry<'_>,
        text: &str,
        kind: UserText<'_>,
        arrival: &Arrival,
        out: &mut EventSink<'_>,
    ) {
        match kind {
            UserText::Words(words, authorship) => {
                self.add_utterance(line, entry, &words, arrival.clone().with_authorship(authorship), out);
            }
            UserText::Command { name, arguments } if !arguments.is_empty() => {
                let origin = Origin::CommandArguments { command: name };
                let StrippedText { text, authorship, .. } = wrappers::strip_injected(&arguments);
                let by_agent = self.calls.has_run(&text);
                let arrival = arrival.with_origin(origin).with_authorship(authorship);
                let arrival = if by_agent { arrival.with_authorship(Authorship::Doubtful) } else { arrival };
                self.add_utterance(line, entry, &text, arrival, out);
            }
            UserText::Command { .. } => out.count_machine_text("command"),
            UserText::Shell(command) => {
                let arrival = Arrival { attachment: false, ..arrival.with_origin(Origin::Shell) };
                self.add_utterance(line, entry, command, arrival, out);
            }
            UserText::Interrupt { during_tool } => {
                self.dialogue.mark_stopped();
                if let Some(rejected) = self.unproven.take().filter(|_| during_tool) {
                    self.rejected.get_or_insert(rejected);
                }
                out.emit(Event::Interrupt { place: location(line, entry), during_tool });
            }
            UserText::Blocked { prompt } => {
                out.count_machine_text("hook output");
                if let Some(prompt) = prompt
                    && let UserText::Words(words, authorship) = wrappers::classify_user_text(prompt)
                {
                    self.add_utterance(
                        line,
                        entry,
                        &words,
                        arrival.with_origin(Origin::Prompt).with_authorship(authorship),
                        out,
                    );
                }
                self.dialogue.mark_stopped();
            }
            UserText::Summary => self.add_compaction(line, entry, out),
            UserText::Machine(what) => {
                self.mark_foreign(line, entry, &[Cow::Borrowed(text)], out);
                out.count_machine_text(what);
            }
        }
    }

    /// The person said this.
    fn add_utterance(
        &mut self,
        line: u64,
        entry: &Entry<'_>,
        words: &str,
        arrival: Arrival,
        out: &mut EventSink<'_>,
    ) {
        let Some(mut utterance) = self.build_utterance(line, entry, words, arrival.authorship) else {
            return;
        };
        utterance.attachment |= arrival.attachment;
        let mut origin = arrival.origin;
        utterance.origin = origin.clone();
        let reason =
            matches!(origin, Origin::Prompt | Origin::Queued).then(|| self.rejected.take()).flatten();
        if let Some(rejected) = reason.filter(|rejected| is_soon(rejected.time, utterance.place.time)) {
            origin = rejected.origin();
        }
        match self.dialogue.add_utterance(utterance, origin, arrival.queued) {
            AddedWords::Utterance(utterance) => out.emit(Event::User(utterance)),
            AddedWords::Repeats(repeats) => {
                repeats.into_iter().for_each(|repeat| out.emit(Event::Repeat(repeat)));
            }
        }
        if let Some(of) = self.dialogue.take_forgotten() {
            let place = location(line, entry);
            out.emit(Event::Undelivered(Undelivered { of, place, taken_back: false }));
        }
    }

    /// Words without what the client marks in them; nothing where no word is left.
    fn build_utterance(
        &self,
        line: u64,
        entry: &Entry<'_>,
        words: &str,
        authorship: Authorship,
    ) -> Option<Utterance> {
        let mut words = text::strip_control(words);
        if words.len() > MAX_UTTERANCE {
            words = Cow::Owned(self.shortener.clean(&words).into_owned());
        }
        let unmarked = marks::remove_marks(words.trim()).shortened_to(MAX_UTTERANCE);
        if unmarked.text.is_empty() {
            return None;
        }
        let is_doubtful = unmarked.is_torn || unmarked.is_all_pasted();
        let authorship = if is_doubtful { Authorship::Doubtful } else { authorship };
        let pasted = self.pastes.pasted_ranges(&unmarked.text, unmarked.pasted);
        Some(Utterance {
            place: location(line, entry),
            also: Vec::new(),
            origin: Origin::Prompt,
            authorship,
            text: unmarked.text,
            attachment: unmarked.picture,
            pasted,
        })
    }

    /// Somebody else sent these texts. Where one waited in the queue, it was taken for the person's until now.
    fn mark_foreign(
        &mut self,
        line: u64,
        entry: &Entry<'_>,
        texts: &[Cow<'_, str>],
        out: &mut EventSink<'_>,
    ) {
        for text in texts {
            if let Some(repeat) = self.dialogue.mark_foreign(text, &location(line, entry)) {
                out.emit(Event::Repeat(repeat));
            }
        }
    }

    fn add_tool_outcome(
        &mut self,
        line: u64,
        entry: &Entry<'_>,
        id: Raw<'_>,
        is_error: bool,
        content: &Content<'_>,
        out: &mut EventSink<'_>,
    ) {
        let id = id.head(MAX_ID).into_owned();
        let call = self.calls.get(&id);
        let (tool, command) = call.map_or(("", ""), |call| (call.name.as_str(), call.command.as_str()));
        let refused = || refusal::classify_refusal(tool, entry);
        let judged =
            outcome::classify_result(tool, command, is_error, content, entry.result, refused, self.shortener);
        let plan = tool == "ExitPlanMode";
        let asked = call.map(|call| call.asked.as_slice()).filter(|asked| !asked.is_empty());
        let answers = judged
            .sentence
            .as_deref()
            .map(|text| questions::parse_answers(text, entry.result.questionnaire(), asked));
        let rejected = (judged.status == ToolStatus::Rejected).then(|| id.clone());
        out.emit(Event::Outcome(ToolOutcome {
            place: location(line, entry),
            call: id,
            status: judged.status,
            error: judged.error,
            user_modified: judged.user_modified,
        }));
        if entry.is_sidechain {
            return;
        }
        if let Some(call) = rejected {
            let rejected = RejectedCall { call, plan, time: timestamp(entry) };
            let proven = judged.authorship == Authorship::Person;
            if let Some(reason) = &judged.reason {
                // Newer clients write the words by themselves as well; the sentence may go on after them.
                let stated = entry.user_feedback.decode();
                let reason = if proven && !stated.is_empty() { &*stated } else { reason.as_str() };
                if proven {
                    self.rejected = None;
                    self.add_utterance(line, entry, reason, Arrival::new(rejected.origin()), out);
                } else {
                    self.add_answer(line, entry, rejected.origin(), judged.authorship, reason, out);
                }
            } else if judged.sentence.is_none() {
                let slot = if proven { &mut self.rejected } else { &mut self.unproven };
                slot.get_or_insert(rejected);
            }
        }
        // A hook or a program around a headless client may answer in the person's place.
        let source = entry.permission.source.decode();
        let answered_for =
            !source.is_empty() && !source.starts_with("user_") || !refusal::is_interactive(entry);
        let authorship = if answered_for { Authorship::Doubtful } else { judged.authorship };
        for answer in answers.into_iter().flatten() {
            let questions::QuestionAnswer { asked, text, free_text } = answer;
            let origin = Origin::Answer { question: asked.question, options: asked.options, free_text };
            self.add_answer(line, entry, origin, authorship, &text, out);
        }
    }

    /// Words that are never a repeat: the same word may answer several questions, and what is doubtful must not pass
    /// for an edit of what the person said.
    fn add_answer(
        &mut self,
        line: u64,
        entry: &Entry<'_>,
        origin: Origin,
        authorship: Authorship,
        text: &str,
        out: &mut EventSink<'_>,
    ) {
        if let Some(utterance) = self.build_utterance(line, entry, text, authorship) {
            out.emit(Event::User(Utterance { origin, ..utterance }));
        }
    }
}

/// Whether a text in the user role is a prompt: words, a command, a shell command.
fn is_typed(text: &str) -> bool {
    matches!(
        wrappers::classify_user_text(text),
        UserText::Words(..) | UserText::Command { .. } | UserText::Shell(_)
    )
}

fn is_soon(from: Option<Timestamp>, to: Option<Timestamp>) -> bool {
    match (from, to) {
        (Some(from), Some(to)) => to.duration_since(from) <= REASON_WITHIN,
        _ => true,
    }
}
