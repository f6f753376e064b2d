//! One thing that was said or done in a session, as a model is shown it; and the end of a session, for a look at one that
//! has gone quiet.
//!
//! Secrets were taken out of the events before.

use std::collections::VecDeque;
use std::fmt::Write as _;

use afterword_core::Role;
use afterword_transcript::event::{Authorship, EntryLocation, Event, Origin, ToolStatus};

use crate::builtin::words::{head, own_words, tail};

/// Longest words of the person, in bytes: the head and the tail of longer ones.
const PERSON: usize = 6_000;
/// Longest words of the agent, in bytes.
pub(super) const AGENT: usize = 420;
/// Longest line about a tool, in bytes.
pub(super) const TOOL: usize = 160;
/// Where something was left out. No quotation may reach across it.
pub(super) const LEFT_OUT: &str = "[…]";

/// One thing that was said or done, as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Line in the transcript.
    pub number: u64,
    /// The entry's uuid.
    pub uuid: String,
    /// Who said it.
    pub role: Role,
    /// The words, bounded: the same words evidence is looked for in.
    pub text: String,
    /// What a short answer of the person picked, in the words it was offered in; empty for none.
    pub chosen: String,
}

impl Line {
    pub(super) fn new(place: &EntryLocation, role: Role, text: &str) -> Option<Self> {
        let text = contained(text.trim());
        (!place.sidechain && !text.is_empty()).then(|| Self {
            number: place.line,
            uuid: place.uuid.clone(),
            role,
            text,
            chosen: String::new(),
        })
    }

    /// A line about a tool.
    pub(super) fn tool(place: &EntryLocation, text: &str) -> Option<Self> {
        Self::new(place, Role::Tool, &one_line(text))
    }

    /// How much it takes, in bytes.
    pub(super) fn size(&self) -> usize {
        self.text.len() + self.chosen.len() + 16
    }

    pub(super) fn of(event: &Event) -> Option<Self> {
        match event {
            // What may be somebody else's is not shown as the person's.
            Event::User(said) if said.authorship == Authorship::Doubtful => None,
            Event::User(said) if said.origin == Origin::Shell => {
                Self::tool(&said.place, &format!("the person ran: {}", head(&said.text, TOOL)))
            }
            Event::User(said) => Self::new(&said.place, Role::User, &person_words(&said.text, &said.pasted)),
            Event::Agent { place, text } => Self::new(place, Role::Assistant, &bounded(text, AGENT)),
            Event::Call(call) => {
                Self::tool(&call.place, &format!("{}: {}", call.name, head(&call.summary, TOOL)))
            }
            Event::Outcome(outcome) => {
                let text = match outcome.status {
                    ToolStatus::Failed => format!("failed: {}", head(&outcome.error, TOOL)),
                    ToolStatus::Rejected => "rejected by the person".to_owned(),
                    ToolStatus::PlanApproved => "the person approved the plan".to_owned(),
                    ToolStatus::Interrupted => "stopped by the person".to_owned(),
                    ToolStatus::Ok if outcome.user_modified => "the person changed the edit".to_owned(),
                    ToolStatus::Ok => return None,
                };
                Self::tool(&outcome.place, &text)
            }
            Event::Interrupt { place, .. } => Self::tool(place, "the person pressed escape"),
            Event::Repeat(_) | Event::Compaction { .. } | Event::Rewind(_) | Event::Undelivered(_) => None,
        }
    }

    /// As the model sees it: its number, who spoke, and the words.
    pub(super) fn show(&self, shown: &mut String) {
        let who = match self.role {
            Role::User => "person",
            Role::Assistant => "agent",
            Role::Tool => "tool",
        };
        let chosen = if self.chosen.is_empty() { String::new() } else { format!(", chose: {}", self.chosen) };
        // Writing to a String cannot fail.
        let _ = writeln!(shown, "[{} {who}{chosen}] {}", self.number, self.text.replace('\n', "\n  "));
    }
}

/// The person's own words of a message; of what they pasted only that something stood there.
pub(super) fn person_words(text: &str, pasted: &[std::ops::Range<usize>]) -> String {
    let mut framed = String::with_capacity(text.len());
    let mut from = 0;
    for span in pasted {
        if span.start >= from && span.end <= text.len() {
            framed.push_str(text.get(from..span.start).unwrap_or_default());
            framed.push_str(&format!("\n{LEFT_OUT}\n"));
            from = span.end;
        }
    }
    framed.push_str(text.get(from..).unwrap_or_default());
    let own = own_words(&broken(&framed), &[]).replace(BREAK, " ");
    // Where nothing else is left, the message's beginning stands in.
    let is_bare = own.replace(LEFT_OUT, "").trim().is_empty();
    bounded(&if is_bare { own_words(text, pasted) } else { own }, PERSON)
}

/// Where a long line was broken: a line's end, and a sign nobody types.
const BREAK: &str = "\n\u{1f}";
/// A longer line in a long message is taken for pasted, in bytes.
const LONG_LINE: usize = 400;

/// Lines of prose broken into shorter ones: people type, and dictate, whole messages on one line.
fn broken(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            all.push('\n');
        }
        let letters = line.chars().filter(|c| c.is_alphabetic() || *c == ' ').count();
        if line.len() <= LONG_LINE || letters * 5 < line.chars().count() * 4 {
            all.push_str(line);
            continue;
        }
        let mut size = 0;
        for word in line.split(' ') {
            if size > 0 {
                all.push_str(if size > LONG_LINE { BREAK } else { " " });
                size = if size > LONG_LINE { 0 } else { size + 1 };
            }
            all.push_str(word);
            size += word.len().max(1);
        }
    }
    all
}

/// A text of at most `most` bytes: its head and its tail.
pub(super) fn bounded(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    format!("{} {LEFT_OUT} {}", head(text, most / 2), tail(text, most / 2))
}

/// The marks that end the session's part of a prompt cannot be said inside it.
fn contained(text: &str) -> String {
    text.replace("</session", "‹/session").replace("<session", "‹session")
}

/// White space folded, and nothing that could pass for a mark of ours.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Gathers the end of a session.
#[derive(Debug, Default)]
pub struct Tail {
    lines: VecDeque<Line>,
    size: usize,
}

/// The end of a session that is shown, in bytes: some 2,000 tokens.
const TAIL: usize = 6_000;

impl Tail {
    /// Takes the next event of the session.
    pub fn push(&mut self, event: &Event) {
        let Some(line) = Line::of(event) else { return };
        self.size += line.size();
        self.lines.push_back(line);
        while self.size > TAIL
            && let Some(first) = self.lines.pop_front()
        {
            self.size -= first.size();
        }
    }

    /// What was gathered.
    pub fn finish(self) -> ShownLines {
        ShownLines { lines: self.lines.into() }
    }
}

/// Lines that are shown together, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ShownLines {
    /// The lines.
    pub lines: Vec<Line>,
}

impl ShownLines {
    /// Nothing is worth reading.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// As the model sees it: every line with its number and who spoke.
    pub fn text(&self) -> String {
        let mut shown = String::new();
        self.lines.iter().for_each(|line| line.show(&mut shown));
        shown
    }
}
