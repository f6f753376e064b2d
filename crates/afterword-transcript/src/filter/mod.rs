//! From entries to events: what people said, what the agent said and did, how it went.
//!
//! It owns who said what. Words of the person come out with every wrapper removed; text in the user role that no
//! person typed is only counted; results of tools are judged and dropped. It keeps bounded memory of the last
//! calls, utterances and agent lines. Start at [`Filter::add_entry`].

mod branches;
mod call;
mod calls;
mod dialogue;
mod lines;
mod marks;
mod outcome;
mod parts;
mod paste;
mod questions;
mod queue;
mod refusal;
mod wrappers;

use std::borrow::Cow;

use jiff::{SignedDuration, Timestamp};

use crate::entry::{Block, Content, Entry};
use crate::event::{
    Authorship, Event, MAX_AGENT_TEXT, MAX_UTTERANCE, Origin, Place, Rewind, Status, ToolCall, ToolOutcome,
    Undelivered, Utterance,
};
use crate::json::Raw;
use crate::tally::Tally;
use crate::text::{self, Shortener};
use branches::Branches;
use calls::{Call, Calls};
use dialogue::{Dialogue, New};
use parts::{ClientVersion, MAX_ID, each_block, parse_questions, place, texts, time, without_thinking};
use paste::Pastes;
use wrappers::{Stripped, Unwrapped};

/// Time within which words typed after a rejection are its reason.
const REASON_WITHIN: SignedDuration = SignedDuration::from_mins(30);

/// Turns entries into events.
#[derive(Default)]
pub(crate) struct Filter<'s> {
    shortener: Shortener<'s>,
    calls: Calls,
    dialogue: Dialogue,
    pastes: Pastes,
    branches: Branches,
    /// A call rejected without a reason; the next words may be it.
    rejected: Option<Rejected>,
    /// A call that seems rejected without a reason; the entry that the client writes after it is the proof.
    unproven: Option<Rejected>,
    /// Line of the last compaction told.
    compacted: Option<u64>,
    /// The client that wrote the last entry that names one; entries of the queue do not.
    client: ClientVersion,
    /// The last line read.
    last_line: u64,
}

struct Rejected {
    call: String,
    plan: bool,
    time: Option<Timestamp>,
}

impl Rejected {
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
struct Out<'o> {
    sink: &'o mut dyn FnMut(Event),
    tally: &'o mut Tally,
}

impl Out<'_> {
    fn event(&mut self, event: Event) {
        (self.sink)(event);
    }

    fn machine(&mut self, what: &'static str) {
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
        tally: &mut Tally,
        sink: &mut dyn FnMut(Event),
    ) {
        let mut out = Out { sink, tally };
        self.branches.entry(entry);
        self.client.note(entry);
        self.last_line = line;
        match &*entry.kind.decode() {
            "user" => self.user(line, entry, &mut out),
            "assistant" => self.assistant(line, entry, &mut out),
            "system" => self.system(line, entry, &mut out),
            "queue-operation" => self.queue(line, entry, &mut out),
            "attachment" => self.attachment(line, entry, &mut out),
            _ => {}
        }
    }

    /// There is nothing more to read: messages that still wait were given to nobody so far.
    pub(crate) fn finish(self, sink: &mut dyn FnMut(Event)) {
        let place = Place { line: self.last_line, uuid: String::new(), time: None, sidechain: false };
        for of in self.dialogue.undelivered() {
            sink(Event::Undelivered(Undelivered { of, place: place.clone(), taken_back: false }));
        }
    }

    fn assistant(&mut self, line: u64, entry: &Entry<'_>, out: &mut Out<'_>) {
        let Some(message) = &entry.message else { return };
        // Not the model: "No response requested.", "API Error: …".
        if message.model.is("<synthetic>") || entry.is_api_error {
            return;
        }
        each_block(message, |block| match block {
            Block::Text(raw) => {
                let decoded = raw.decode();
                let text = without_thinking(&decoded).trim();
                if !text.is_empty() {
                    if !entry.is_sidechain {
                        self.pastes.agent_said(text);
                        self.agent_acts();
                    }
                    let text = self.shortener.head_and_tail(&text::plain(text), MAX_AGENT_TEXT);
                    out.event(Event::Agent { place: place(line, entry), text });
                }
            }
            Block::ToolUse { id, name, input } => {
                let name = name.head(MAX_ID).into_owned();
                let described = call::describe(&name, input, self.shortener);
                let id = id.head(MAX_ID).into_owned();
                let asked = if name == "AskUserQuestion" { parse_questions(input) } else { Vec::new() };
                let command = if name == "Bash" { described.input.clone() } else { String::new() };
                self.calls.insert(Call { id: id.clone(), name: name.clone(), command, asked });
                if !entry.is_sidechain {
                    self.agent_acts();
                }
                out.event(Event::Call(ToolCall {
                    place: place(line, entry),
                    id,
                    name,
                    summary: described.summary,
                    input: described.input,
                    before: described.before,
                }));
            }
            Block::Other(kind) => out.tally.unknown_block(*kind),
            Block::ToolResult { .. } | Block::Media | Block::Thinking => {}
        });
    }

    fn agent_acts(&mut self) {
        self.dialogue.answer();
        (self.rejected, self.unproven) = (None, None);
    }

    fn system(&mut self, line: u64, entry: &Entry<'_>, out: &mut Out<'_>) {
        if entry.detail.is("compact_boundary") {
            self.compaction(line, entry, out);
        } else if let Some(content) = entry.content {
            self.note(line, entry, &content.decode(), out);
        }
    }

    /// A system line's text: slash commands and prompts that a hook blocked stand in some.
    fn note(&mut self, line: u64, entry: &Entry<'_>, content: &str, out: &mut Out<'_>) {
        match wrappers::sort(content) {
            Unwrapped::Blocked { prompt: Some(_) } => {}
            Unwrapped::Command { .. } | Unwrapped::Shell(_) | Unwrapped::Machine(_)
                if entry.detail.is("local_command") => {}
            _ => return,
        }
        self.text(line, entry, content, &Arrival::new(Origin::Prompt), out);
    }

    /// A boundary and the summary after it are one compaction; old clients write the summary alone.
    fn compaction(&mut self, line: u64, entry: &Entry<'_>, out: &mut Out<'_>) {
        if self.compacted.is_none_or(|last| line - last > 4) && !entry.is_sidechain {
            out.event(Event::Compaction { place: place(line, entry) });
        }
        self.compacted = Some(line);
    }

    fn attachment(&mut self, line: u64, entry: &Entry<'_>, out: &mut Out<'_>) {
        let Some(attachment) = &entry.attachment else { return };
        if !entry.detail.is("queued_command") || entry.is_sidechain {
            return;
        }
        let (texts, media) = texts(&attachment.prompt);
        if attachment.is_meta || is_another(attachment.origin_kind) {
            self.mark_foreign(line, entry, &texts, out);
            return out.machine("another sender");
        }
        let mode = attachment.command_mode;
        if mode.is("bash") {
            for text in &texts {
                self.add_utterance(line, entry, text, Arrival::new(Origin::Shell), out);
            }
        } else if mode.is_empty() || mode.is("prompt") {
            let arrival = Arrival { attachment: media, ..Arrival::new(Origin::Queued) };
            self.add_texts(line, entry, &texts, &arrival, out);
        } else {
            self.mark_foreign(line, entry, &texts, out);
            out.machine("task notification");
        }
    }

    fn user(&mut self, line: u64, entry: &Entry<'_>, out: &mut Out<'_>) {
        let Some(message) = &entry.message else { return };
        let mut results = false;
        let mut own_tools = true;
        each_block(message, |block| match block {
            Block::ToolResult { call, is_error, content } => {
                results = true;
                let id = call.head(MAX_ID);
                own_tools &= self.calls.get(&id).is_some_and(|call| refusal::is_own(&call.name));
                self.outcome(line, entry, *call, *is_error, content, out);
            }
            Block::Other(kind) => out.tally.unknown_block(*kind),
            _ => {}
        });
        // In a sidechain the user role is the agent that gave the task.
        if entry.is_sidechain {
            return;
        }
        if entry.is_compact_summary {
            return self.compaction(line, entry, out);
        }
        let (texts, media) = texts(&message.content);
        if let Some(what) = machine(entry) {
            if !texts.is_empty() {
                out.machine(what);
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
        let from = if typed { self.branches.prompt(line, entry) } else { None };
        if from.is_some() {
            (self.rejected, self.unproven) = (None, None);
        }
        self.add_texts(line, entry, &texts, &arrival, out);
        if let Some(from) = from {
            let rewind = Rewind { place: place(line, entry), from };
            self.dialogue.rewind(&rewind);
            out.event(Event::Rewind(rewind));
        }
    }

    /// Texts of one entry: each is sorted, and what the person typed of them is one utterance.
    fn add_texts(
        &mut self,
        line: u64,
        entry: &Entry<'_>,
        all: &[Cow<'_, str>],
        arrival: &Arrival,
        out: &mut Out<'_>,
    ) {
        let mut typed: Vec<Cow<'_, str>> = Vec::new();
        let mut joined = arrival.clone();
        for text in all {
            match wrappers::sort(text) {
                Unwrapped::Words(words, authorship) => {
                    joined = joined.with_authorship(authorship);
                    typed.push(words);
                }
                _ => self.text(line, entry, text, arrival, out),
            }
        }
        if !typed.is_empty() {
            let text = if typed.len() == 1 { typed.remove(0) } else { Cow::Owned(typed.join("\n\n")) };
            self.add_utterance(line, entry, &text, joined, out);
        }
    }

    /// One text in the user role.
    fn text(&mut self, line: u64, entry: &Entry<'_>, text: &str, arrival: &Arrival, out: &mut Out<'_>) {
        match wrappers::sort(text) {
            Unwrapped::Words(words, authorship) => {
                self.add_utterance(line, entry, &words, arrival.clone().with_authorship(authorship), out);
            }
            Unwrapped::Command { name, arguments } if !arguments.is_empty() => {
                let origin = Origin::CommandArguments { command: name };
                let Stripped { text, authorship, .. } = wrappers::strip(&arguments);
                let arrival = arrival.with_origin(origin).with_authorship(authorship);
                self.add_utterance(line, entry, &text, arrival, out);
            }
            Unwrapped::Command { .. } => out.machine("command"),
            Unwrapped::Shell(command) => {
                let arrival = Arrival { attachment: false, ..arrival.with_origin(Origin::Shell) };
                self.add_utterance(line, entry, command, arrival, out);
            }
            Unwrapped::Interrupt { during_tool } => {
                self.dialogue.stop();
                if let Some(rejected) = self.unproven.take().filter(|_| during_tool) {
                    self.rejected.get_or_insert(rejected);
                }
                out.event(Event::Interrupt { place: place(line, entry), during_tool });
            }
            Unwrapped::Blocked { prompt } => {
                out.machine("hook output");
                if let Some(prompt) = prompt
                    && let Unwrapped::Words(words, authorship) = wrappers::sort(prompt)
                {
                    self.add_utterance(
                        line,
                        entry,
                        &words,
                        arrival.with_origin(Origin::Prompt).with_authorship(authorship),
                        out,
                    );
                }
                self.dialogue.stop();
            }
            Unwrapped::Summary => self.compaction(line, entry, out),
            Unwrapped::Machine(what) => {
                self.mark_foreign(line, entry, &[Cow::Borrowed(text)], out);
                out.machine(what);
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
        out: &mut Out<'_>,
    ) {
        let Some(mut utterance) = self.utterance(line, entry, words, arrival.authorship) else { return };
        utterance.attachment |= arrival.attachment;
        let mut origin = arrival.origin;
        utterance.origin = origin.clone();
        let reason =
            matches!(origin, Origin::Prompt | Origin::Queued).then(|| self.rejected.take()).flatten();
        if let Some(rejected) = reason.filter(|rejected| is_soon(rejected.time, utterance.place.time)) {
            origin = rejected.origin();
        }
        match self.dialogue.add_utterance(utterance, origin, arrival.queued) {
            New::Utterance(utterance) => out.event(Event::User(utterance)),
            New::Repeats(repeats) => repeats.into_iter().for_each(|repeat| out.event(Event::Repeat(repeat))),
        }
        if let Some(of) = self.dialogue.take_forgotten() {
            let place = place(line, entry);
            out.event(Event::Undelivered(Undelivered { of, place, taken_back: false }));
        }
    }

    /// Words without what the client marks in them; nothing where no word is left.
    fn utterance(
        &self,
        line: u64,
        entry: &Entry<'_>,
        words: &str,
        authorship: Authorship,
    ) -> Option<Utterance> {
        let mut words = text::plain(words);
        if words.len() > MAX_UTTERANCE {
            words = Cow::Owned(self.shortener.clean(&words).into_owned());
        }
        let unmarked = marks::unmark(words.trim()).bounded(MAX_UTTERANCE);
        if unmarked.text.is_empty() {
            return None;
        }
        let is_doubtful = unmarked.is_torn || unmarked.is_all_pasted();
        let authorship = if is_doubtful { Authorship::Doubtful } else { authorship };
        let pasted = self.pastes.pasted_ranges(&unmarked.text, unmarked.pasted);
        Some(Utterance {
            place: place(line, entry),
            also: Vec::new(),
            origin: Origin::Prompt,
            authorship,
            text: unmarked.text,
            attachment: unmarked.picture,
            pasted,
        })
    }

    /// Somebody else sent these texts. Where one waited in the queue, it was taken for the person's until now.
    fn mark_foreign(&mut self, line: u64, entry: &Entry<'_>, texts: &[Cow<'_, str>], out: &mut Out<'_>) {
        for text in texts {
            if let Some(repeat) = self.dialogue.mark_foreign(text, &place(line, entry)) {
                out.event(Event::Repeat(repeat));
            }
        }
    }

    fn outcome(
        &mut self,
        line: u64,
        entry: &Entry<'_>,
        id: Raw<'_>,
        is_error: bool,
        content: &Content<'_>,
        out: &mut Out<'_>,
    ) {
        let id = id.head(MAX_ID).into_owned();
        let call = self.calls.get(&id);
        let (tool, command) = call.map_or(("", ""), |call| (call.name.as_str(), call.command.as_str()));
        let refused = || refusal::refusal(tool, entry);
        let judged =
            outcome::classify_result(tool, command, is_error, content, entry.result, refused, self.shortener);
        let plan = tool == "ExitPlanMode";
        let asked = call.map(|call| call.asked.as_slice()).filter(|asked| !asked.is_empty());
        let answers = judged
            .sentence
            .as_deref()
            .map(|text| questions::answers(text, entry.result.questionnaire(), asked));
        let rejected = (judged.status == Status::Rejected).then(|| id.clone());
        out.event(Event::Outcome(ToolOutcome {
            place: place(line, entry),
            call: id,
            status: judged.status,
            error: judged.error,
            user_modified: judged.user_modified,
        }));
        if entry.is_sidechain {
            return;
        }
        if let Some(call) = rejected {
            let rejected = Rejected { call, plan, time: time(entry) };
            let proven = judged.authorship == Authorship::Person;
            if let Some(reason) = &judged.reason {
                // Newer clients write the words by themselves as well; the sentence may go on after them.
                let stated = entry.user_feedback.decode();
                let reason = if proven && !stated.is_empty() { &*stated } else { reason.as_str() };
                if proven {
                    self.rejected = None;
                    self.add_utterance(line, entry, reason, Arrival::new(rejected.origin()), out);
                } else {
                    self.answer(line, entry, rejected.origin(), judged.authorship, reason, out);
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
            self.answer(line, entry, origin, authorship, &text, out);
        }
    }

    /// Words that are never a repeat: the same word may answer several questions, and what is doubtful must not pass
    /// for an edit of what the person said.
    fn answer(
        &mut self,
        line: u64,
        entry: &Entry<'_>,
        origin: Origin,
        authorship: Authorship,
        text: &str,
        out: &mut Out<'_>,
    ) {
        if let Some(utterance) = self.utterance(line, entry, text, authorship) {
            out.event(Event::User(Utterance { origin, ..utterance }));
        }
    }
}

/// What a message of another origin is counted as.
const ANOTHER: &str = "another sender";

/// Why an entry's texts are nobody's words, by its flags.
fn machine(entry: &Entry<'_>) -> Option<&'static str> {
    if entry.is_meta {
        Some("client note")
    } else if entry.has_plan {
        Some("accepted plan")
    } else if is_another(entry.origin_kind) || entry.prompt_source.is("system") || entry.is_scheduled {
        // Clients up to 2.1.330 know task-notification, auto-continuation, peer, coordinator, channel, observer, plugin
        // and more besides.
        Some(ANOTHER)
    } else {
        None
    }
}

/// Whether the client says that a prompt came in a way that is no typing, or in one that is not known and not said to be
/// a person's.
fn is_of_unknown_source(entry: &Entry<'_>) -> bool {
    // Editors write `sdk` for what is typed in them.
    let typed = ["", "typed", "sdk"].iter().any(|known| entry.prompt_source.is(known));
    entry.prompt_source.is("suggestion_accepted") || !typed && !entry.origin_kind.is("human")
}

fn is_another(origin_kind: Raw<'_>) -> bool {
    !origin_kind.is_empty() && !origin_kind.is("human")
}

/// Whether a text in the user role is a prompt: words, a command, a shell command.
fn is_typed(text: &str) -> bool {
    matches!(wrappers::sort(text), Unwrapped::Words(..) | Unwrapped::Command { .. } | Unwrapped::Shell(_))
}

fn is_soon(from: Option<Timestamp>, to: Option<Timestamp>) -> bool {
    match (from, to) {
        (Some(from), Some(to)) => to.duration_since(from) <= REASON_WITHIN,
        _ => true,
    }
}
