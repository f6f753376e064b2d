//! From entries to events: what people said, what the agent said and did, how it went.
//!
//! It owns who said what. Words of the person come out with every wrapper removed; text in the user role that no
//! person typed is only counted; results of tools are judged and dropped. It keeps bounded memory of the last
//! calls, utterances and agent lines. Start at [`Filter::feed`].

mod call;
mod calls;
mod dialogue;
mod lines;
mod outcome;
mod parts;
mod paste;
mod questions;
pub(crate) mod text;
mod wrappers;

use std::borrow::Cow;

use jiff::{SignedDuration, Timestamp};

use crate::entry::{Block, Content, Entry};
use crate::event::{
    Event, MAX_AGENT_TEXT, MAX_UTTERANCE, Origin, Place, Status, ToolCall, ToolOutcome, Utterance,
};
use crate::json::Raw;
use crate::tally::Tally;
use calls::{Call, Calls};
use dialogue::{Dialogue, New};
use parts::{MAX_ID, asked, each_block, place, texts, time, without_thinking};
use paste::Pastes;
use wrappers::Said;

/// Time within which words typed after a rejection are its reason.
const REASON_WITHIN: SignedDuration = SignedDuration::from_mins(30);

/// Turns entries into events.
#[derive(Default)]
pub(crate) struct Filter {
    calls: Calls,
    dialogue: Dialogue,
    pastes: Pastes,
    /// A call rejected without a reason; the next words may be it.
    rejected: Option<Rejected>,
    /// Line of the last compaction told.
    compacted: Option<u64>,
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

impl Filter {
    /// Takes in the next entry of the file.
    pub(crate) fn feed(
        &mut self,
        line: u64,
        entry: &Entry<'_>,
        tally: &mut Tally,
        sink: &mut dyn FnMut(Event),
    ) {
        let mut out = Out { sink, tally };
        match &*entry.kind.decode() {
            "user" => self.user(line, entry, &mut out),
            "assistant" => self.assistant(line, entry, &mut out),
            "system" => self.system(line, entry, &mut out),
            "queue-operation" => self.queue(line, entry, &mut out),
            "attachment" => self.attachment(line, entry, &mut out),
            _ => {}
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
                    let text = text::bound(&text::plain(text), MAX_AGENT_TEXT);
                    out.event(Event::Agent { place: place(line, entry), text });
                }
            }
            Block::ToolUse { id, name, input } => {
                let name = name.head(MAX_ID).into_owned();
                let described = call::describe(&name, input);
                let id = id.head(MAX_ID).into_owned();
                let asked = if name == "AskUserQuestion" { asked(input) } else { Vec::new() };
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
        self.rejected = None;
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
        if entry.detail.is("local_command")
            || matches!(wrappers::sort(content), Said::Blocked { prompt: Some(_) })
        {
            self.text(line, entry, content, Origin::Prompt, false, out);
        }
    }

    /// A boundary and the summary after it are one compaction; old clients write the summary alone.
    fn compaction(&mut self, line: u64, entry: &Entry<'_>, out: &mut Out<'_>) {
        if self.compacted.is_none_or(|last| line - last > 4) && !entry.is_sidechain {
            out.event(Event::Compaction { place: place(line, entry) });
        }
        self.compacted = Some(line);
    }

    fn queue(&mut self, line: u64, entry: &Entry<'_>, out: &mut Out<'_>) {
        match &*entry.detail.decode() {
            "enqueue" => {
                let Some(content) = entry.content else { return self.dialogue.queue_machine() };
                let content = content.decode();
                self.queued(line, entry, &content, out);
            }
            "dequeue" | "remove" => self.dialogue.take(line, time(entry)),
            "popAll" => self.dialogue.pop_all(line),
            _ => {}
        }
    }

    fn queued(&mut self, line: u64, entry: &Entry<'_>, content: &str, out: &mut Out<'_>) {
        match wrappers::sort(content) {
            Said::Words(words) => match wrappers::typed_command(&words) {
                Some((_, "")) => self.dialogue.queue_machine(),
                Some((command, arguments)) => {
                    let origin = Origin::CommandArguments { command: command.to_owned() };
                    self.say(line, entry, arguments, origin, false, true, out);
                }
                None => self.say(line, entry, &words, Origin::Queued, false, true, out),
            },
            other => {
                self.dialogue.queue_machine();
                if let Said::Machine(what) = other {
                    out.machine(what);
                }
            }
        }
    }

    fn attachment(&mut self, line: u64, entry: &Entry<'_>, out: &mut Out<'_>) {
        let Some(attachment) = &entry.attachment else { return };
        if !entry.detail.is("queued_command") || entry.is_sidechain {
            return;
        }
        if !(attachment.command_mode.is_empty() || attachment.command_mode.is("prompt")) {
            return out.machine("task notification");
        }
        let (texts, media) = texts(&attachment.prompt);
        self.words(line, entry, &texts, media, Origin::Queued, out);
    }

    fn user(&mut self, line: u64, entry: &Entry<'_>, out: &mut Out<'_>) {
        let Some(message) = &entry.message else { return };
        let mut results = false;
        each_block(message, |block| match block {
            Block::ToolResult { call, is_error, content } => {
                results = true;
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
        let machine = if entry.is_meta {
            Some("client note")
        } else if entry.has_plan {
            Some("accepted plan")
        } else if !entry.origin_kind.is_empty() && !entry.origin_kind.is("human") {
            // Client 2.1.197 knows task-notification, auto-continuation, peer, coordinator and channel besides.
            Some("another sender")
        } else {
            None
        };
        if let Some(what) = machine {
            if !texts.is_empty() {
                out.machine(what);
            }
            if entry.has_plan
                && let Some(feedback) = texts.iter().find_map(|text| wrappers::plan_feedback(text))
            {
                self.say(line, entry, feedback, Origin::Prompt, media, false, out);
            }
            return;
        }
        // Words beside a result were typed while the tool ran, or when the person let it run.
        let origin = if results { Origin::Queued } else { Origin::Prompt };
        self.words(line, entry, &texts, media, origin, out);
    }

    /// Texts of one entry: each is sorted, and what the person typed of them is one utterance.
    fn words(
        &mut self,
        line: u64,
        entry: &Entry<'_>,
        all: &[Cow<'_, str>],
        media: bool,
        origin: Origin,
        out: &mut Out<'_>,
    ) {
        let mut typed: Vec<Cow<'_, str>> = Vec::new();
        for text in all {
            match wrappers::sort(text) {
                Said::Words(words) => typed.push(words),
                _ => self.text(line, entry, text, origin.clone(), media, out),
            }
        }
        if !typed.is_empty() {
            let text = if typed.len() == 1 { typed.remove(0) } else { Cow::Owned(typed.join("\n\n")) };
            self.say(line, entry, &text, origin, media, false, out);
        }
    }

    /// One text in the user role.
    fn text(
        &mut self,
        line: u64,
        entry: &Entry<'_>,
        text: &str,
        origin: Origin,
        media: bool,
        out: &mut Out<'_>,
    ) {
        match wrappers::sort(text) {
            Said::Words(words) => self.say(line, entry, &words, origin, media, false, out),
            Said::Command { name, arguments } if !arguments.is_empty() => {
                self.say(
                    line,
                    entry,
                    &arguments,
                    Origin::CommandArguments { command: name },
                    media,
                    false,
                    out,
                );
            }
            Said::Command { .. } => out.machine("command"),
            Said::Shell(command) => self.say(line, entry, command, Origin::Shell, false, false, out),
            Said::Interrupt { during_tool } => {
                self.dialogue.stop();
                out.event(Event::Interrupt { place: place(line, entry), during_tool });
            }
            Said::Blocked { prompt } => {
                out.machine("hook output");
                if let Some(prompt) = prompt
                    && let Said::Words(words) = wrappers::sort(prompt)
                {
                    self.say(line, entry, &words, Origin::Prompt, media, false, out);
                }
                self.dialogue.stop();
            }
            Said::Summary => self.compaction(line, entry, out),
            Said::Machine(what) => out.machine(what),
        }
    }

    /// The person said this.
    #[expect(
        clippy::too_many_arguments,
        reason = "one private funnel; a struct would name the same things twice"
    )]
    fn say(
        &mut self,
        line: u64,
        entry: &Entry<'_>,
        words: &str,
        mut origin: Origin,
        attachment: bool,
        queued: bool,
        out: &mut Out<'_>,
    ) {
        let text = text::bound(text::plain(words).trim(), MAX_UTTERANCE);
        if text.is_empty() {
            return;
        }
        let place = place(line, entry);
        let reason =
            matches!(origin, Origin::Prompt | Origin::Queued).then(|| self.rejected.take()).flatten();
        let stated = origin.clone();
        if let Some(rejected) = reason.filter(|rejected| is_soon(rejected.time, place.time)) {
            origin = rejected.origin();
        }
        let pasted = self.pastes.find(&text);
        let utterance = Utterance { place, also: Vec::new(), origin: stated, text, attachment, pasted };
        match self.dialogue.hear(utterance, origin, queued) {
            New::Utterance(utterance) => out.event(Event::User(utterance)),
            New::Repeats(repeats) => repeats.into_iter().for_each(|repeat| out.event(Event::Repeat(repeat))),
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
        let judged = outcome::judge(tool, command, is_error, content, entry.result);
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
            if let Some(reason) = judged.reason {
                self.rejected = None;
                self.say(line, entry, &reason, rejected.origin(), false, false, out);
            } else if judged.sentence.is_none() {
                self.rejected.get_or_insert(rejected);
            }
        }
        for answer in answers.into_iter().flatten() {
            let questions::Answered { asked, text, free_text } = answer;
            let origin = Origin::Answer { question: asked.question, options: asked.options, free_text };
            self.answer(place(line, entry), origin, &text, out);
        }
    }

    /// An answer is never a repeat: the same word may answer several questions.
    fn answer(&mut self, place: Place, origin: Origin, text: &str, out: &mut Out<'_>) {
        let text = text::bound(text::plain(text).trim(), MAX_UTTERANCE);
        if !text.is_empty() {
            let pasted = self.pastes.find(&text);
            out.event(Event::User(Utterance {
                place,
                also: Vec::new(),
                origin,
                text,
                attachment: false,
                pasted,
            }));
        }
    }
}

fn is_soon(from: Option<Timestamp>, to: Option<Timestamp>) -> bool {
    match (from, to) {
        (Some(from), Some(to)) => to.duration_since(from) <= REASON_WITHIN,
        _ => true,
    }
}
