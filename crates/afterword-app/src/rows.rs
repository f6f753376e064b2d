//! What happened in a session, line by line, as people read and search it: an event of the transcript is a row, or nothing.

use afterword_transcript::event::{EntryLocation, Event, Origin, ToolStatus};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Longest text of what a tool was told or said, in characters.
const TOOL_CHARS: usize = 1200;
/// Longest text of what somebody said: events have no more.
pub(crate) const MOST_CHARS: usize = 16 * 1024;
/// Who a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Voice {
    /// The person.
    User,
    /// The model.
    Agent,
    /// A tool was called.
    Call,
    /// Something failed, was refused or stopped.
    Trouble,
    /// The client did something.
    Client,
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct Row {
    /// The line in the transcript, counted from 1.
    pub line: u64,
    /// The entry's uuid; empty where it has none.
    pub uuid: String,
    /// When.
    pub time: Option<Timestamp>,
    /// Who.
    pub voice: Voice,
    /// What sort of thing it was, in two words at most; empty where the voice says it all.
    pub what: &'static str,
    /// The words, bounded.
    pub text: String,
    /// The model's words as HTML, made of its markdown; empty elsewhere, and where nobody looks at it.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "contract", ts(optional, as = "Option<String>"))]
    pub html: String,
    /// By or for a sub-agent.
    pub sidechain: bool,
    /// The call's id; empty in what is no call.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "contract", ts(optional, as = "Option<String>"))]
    pub call: String,
}

/// What an event shows; nothing for a result that only says that all went well.
pub(crate) fn row(event: Event) -> Option<Row> {
    let mut row = whole_row(event)?;
    let most = match row.voice {
        Voice::User | Voice::Agent => MOST_CHARS,
        Voice::Call | Voice::Trouble | Voice::Client => TOOL_CHARS,
    };
    row.text = truncate(&row.text, most);
    Some(row)
}

/// The same with all its words: what it is found by.
pub(crate) fn whole_row(event: Event) -> Option<Row> {
    let made = |place: EntryLocation, voice, what, text: &str| Row {
        line: place.line,
        uuid: place.uuid,
        time: place.time,
        voice,
        what,
        text: afterword_vault::plain::visible_lines(text),
        html: String::new(),
        sidechain: place.sidechain,
        call: String::new(),
    };
    Some(match event {
        Event::User(said) => {
            let what = match said.origin {
                Origin::Prompt => "",
                Origin::Queued => "queued",
                Origin::Rejection { .. } => "refused a tool",
                Origin::PlanFeedback { .. } => "sent the plan back",
                Origin::Answer { .. } => "answered",
                Origin::CommandArguments { .. } => "command",
                Origin::Shell => "shell",
            };
            made(said.place, Voice::User, what, &said.text)
        }
        Event::Agent { place, text } => made(place, Voice::Agent, "", &text),
        Event::Call(call) => {
            let mut text = format!("{}: {}", call.name, call.summary);
            if !call.summary.contains(call.input.trim()) {
                text = format!("{text}\n{}", call.input);
            }
            Row { call: call.id, ..made(call.place, Voice::Call, "", &text) }
        }
        Event::Outcome(outcome) => match outcome.status {
            ToolStatus::Ok if outcome.user_modified => {
                made(outcome.place, Voice::User, "changed the edit", "")
            }
            ToolStatus::Ok => return None,
            ToolStatus::Failed => made(outcome.place, Voice::Trouble, "failed", &outcome.error),
            ToolStatus::Rejected => made(outcome.place, Voice::Trouble, "not allowed", ""),
            ToolStatus::Interrupted => made(outcome.place, Voice::Trouble, "stopped", ""),
            ToolStatus::PlanApproved => made(outcome.place, Voice::User, "approved the plan", ""),
        },
        Event::Interrupt { place, .. } => made(place, Voice::User, "pressed escape", ""),
        Event::Compaction { place } => made(place, Voice::Client, "conversation compacted", ""),
        Event::Rewind(rewind) => made(rewind.place, Voice::User, "went back to an earlier message", ""),
        Event::Undelivered(one) if one.taken_back => {
            made(one.place, Voice::User, "took a queued message back", "")
        }
        Event::Repeat(_) | Event::Undelivered(_) => return None,
    })
}

/// The first characters.
pub(crate) fn truncate(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
