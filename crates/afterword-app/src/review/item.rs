//! What a person sees of a lesson that waits.

use std::path::PathBuf;

use afterword_core::{Confidence, Kind, NoteId, Role, Signal, is_surrounding};
use jiff::Timestamp;
use jiff::civil::Date;
use serde::Serialize;

use crate::note_change::WaitingPlace;

/// A lesson that waits for an answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct ReviewItem {
    /// The note's id, by which it is answered.
    pub id: NoteId,
    /// What sort of lesson.
    pub kind: Kind,
    /// One sentence.
    pub title: String,
    /// The lesson as markdown, without its evidence.
    pub body: String,
    /// How sure the engine was.
    pub confidence: Option<Confidence>,
    /// What in the session made it.
    pub signal: Option<Signal>,
    /// Why it was found and got its confidence.
    pub rationale: String,
    /// What it rests on.
    pub evidence: Vec<EvidenceItem>,
    /// Lessons that count already and come close, the closest first.
    pub similar: Vec<Similar>,
    /// The active lesson that it likely takes the place of; it is among the similar ones. Keeping this one ends that, and where this one is
    /// called by the person's own words, sessions are given it until then.
    pub may_supersede: Option<NoteId>,
    /// Where it waits.
    pub waits: WaitingPlace,
    /// The day it was learned.
    pub created: Option<Date>,
    /// Days since then.
    pub age_days: i64,
    /// Days since it began to wait, where that is known: not for a note that this machine did not write.
    pub waiting_days: Option<i64>,
    /// The project's name; none for a lesson of no project.
    pub project: Option<String>,
    /// The note, below the vault's root.
    pub path: String,
    /// When it was last put off.
    pub skipped_at: Option<Timestamp>,
}

impl ReviewItem {
    /// What the note says besides its title and its evidence, as markdown: who has both on the screen need not read them
    /// again.
    pub fn body_without_evidence(&self) -> String {
        text_without_evidence(&self.body, &self.title, &self.evidence)
    }
}

/// What a lesson's text says besides its title and its evidence, as markdown.
pub(crate) fn text_without_evidence(body: &str, title: &str, evidence: &[EvidenceItem]) -> String {
    let quotes = evidence.iter().map(|piece| piece.quote.as_str());
    let shown: Vec<String> = quotes.chain([title]).map(letters).collect();
    let shows_turns = evidence.iter().any(|piece| !piece.turns.is_empty());
    let is_shown = |paragraph: &&str| {
        let unlabelled = paragraph.strip_prefix("**").and_then(|rest| rest.split_once(":**"));
        let letters = letters(unlabelled.map_or(paragraph, |(_, words)| words));
        letters.is_empty()
            || shows_turns && is_surrounding(paragraph)
            || shown.iter().any(|text| text.contains(&letters))
    };
    let paragraphs = body.split("\n\n").map(str::trim).filter(|paragraph| !is_shown(paragraph));
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// What is compared: neither marks nor spaces.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Words a lesson rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "Evidence"))]
pub struct EvidenceItem {
    /// Who wrote them.
    pub role: Role,
    /// The words.
    pub quote: String,
    /// The session's id, or its beginning where the note has no more.
    pub session: String,
    /// The entry's uuid; empty where it has none.
    pub uuid: String,
    /// The entry's line in the transcript, counted from 1.
    pub line: u64,
    /// The day.
    pub date: Option<Date>,
    /// The transcript, while Claude Code keeps it.
    pub transcript: Option<PathBuf>,
    /// The session can be read: Claude Code keeps the transcript, or there is a copy of it.
    pub can_be_read: bool,
    /// What was said and done around it, secrets taken out; empty in a list, and where the transcript is gone.
    pub turns: Vec<ExcerptEntry>,
}

/// Something said or done near a piece of evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct ExcerptEntry {
    /// Its line in the transcript, counted from 1.
    pub line: u64,
    /// Who: a call of the agent counts as the tool's.
    pub role: Role,
    /// What, cut to some hundred characters.
    pub text: String,
    /// It is the evidence itself.
    pub is_evidence: bool,
}

/// A lesson close to one that waits.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct Similar {
    /// Its note's id.
    pub id: NoteId,
    /// What sort of lesson; `None` where its note does not say it.
    pub kind: Option<Kind>,
    /// Its title.
    pub title: String,
    /// Its note, below the vault's root.
    pub path: String,
    /// Its project's name; empty where it has none.
    pub project: String,
    /// How close in meaning, from 0 to 1.
    pub closeness: f32,
    /// The two say opposite things: superseding is worth a thought.
    pub contradicts: bool,
}
