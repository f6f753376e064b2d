//! A candidate: something a session may have taught, with the evidence for it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::SessionId;

/// What sort of note a candidate would become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// How the user wants things to be: rules, corrections, design decisions.
    Preference,
    /// A way of working that the user approved or that worked again and again.
    Workflow,
    /// A problem with its confirmed cause or a workaround.
    Fix,
    /// Something put off for later.
    Idea,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Preference, Self::Workflow, Self::Fix, Self::Idea];

    /// The word, the same in SQL, in JSON and for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Preference => "preference",
            Self::Workflow => "workflow",
            Self::Fix => "fix",
            Self::Idea => "idea",
        }
    }

    /// Reads the word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// The kinds of lessons, which people and agents may give by name: ideas go to their ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum LessonKind {
    /// How the user wants things.
    Preference,
    /// A way of working that proved itself.
    Workflow,
    /// A problem with its cause or workaround.
    Fix,
}

impl From<LessonKind> for Kind {
    fn from(kind: LessonKind) -> Self {
        match kind {
            LessonKind::Preference => Self::Preference,
            LessonKind::Workflow => Self::Workflow,
            LessonKind::Fix => Self::Fix,
        }
    }
}

/// Where a lesson holds, or its rejection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LessonScope {
    /// In its project; everywhere for a lesson of no project.
    #[default]
    Project,
    /// Everywhere.
    Everywhere,
}

/// How sure Afterword is that the user would want the candidate kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// An explicit user signal that is certain enough to save without asking.
    High,
    /// A pattern seen three or more times, or an explicit signal that is likely but not certain.
    Medium,
    /// A single inference.
    Low,
}

/// What in the transcript made the candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Signal {
    /// "Always", "never", "from now on", "in this repository we".
    StandingRule,
    /// The user corrected what the agent had done or claimed.
    Correction,
    /// The user decided a question of design.
    DesignLock,
    /// The same thing three or more times.
    RepeatedPattern,
    /// An error followed by success of the same thing, with its cause.
    ErrorResolved,
    /// The user approved a way of working or a plan.
    Approval,
    /// The user put something off for later.
    FollowUp,
    /// Said between the lines.
    Implied,
    /// It was saved by name: no engine found it.
    Saved,
    /// It was found in words that somebody else may have written in the person's name.
    Unproven,
}

/// Who wrote the words of a piece of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
    /// A tool's output.
    Tool,
}

/// Words of the transcript that carry a candidate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The entry's uuid as Claude Code wrote it; empty where the entry has none (queued messages).
    pub uuid: String,
    /// The entry's line in the transcript file, counted from 1.
    pub line: u64,
    /// Who wrote the words.
    pub role: Role,
    /// The words, as they stand in the entry (secrets redacted).
    pub quote: String,
}

/// Words of another session of the project that say the same as a candidate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherTelling {
    /// The session.
    pub session: SessionId,
    /// When it was said.
    pub said_at: Timestamp,
    /// The words; the line is one of that session's transcript.
    pub evidence: Evidence,
}

/// Something a session may have taught.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// What sort of note it would become.
    pub kind: Kind,
    /// How sure the engine is.
    pub confidence: Confidence,
    /// What made it.
    pub signal: Signal,
    /// One sentence that can be followed without the session; plain text, at most 160 characters.
    pub title: String,
    /// The note's text: the situation it holds in, the user's words quoted. Markdown.
    pub body: String,
    /// Why it got its confidence, for the person who reviews it.
    pub rationale: String,
    /// At least one piece, the strongest first.
    pub evidence: Vec<Evidence>,
}
