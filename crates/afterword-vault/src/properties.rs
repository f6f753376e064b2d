//! The properties of a note in the domain's types.

use afterword_core::{Confidence, ContentKey, Kind, NoteId, Signal};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::layout;
use crate::note::{Note, Value};
use crate::path::VaultPath;

/// The property that names the rule which a lesson is an exception to.
pub(crate) const EXCEPTION_TO: &str = "exception_to";
/// The property that names the note that a waiting one likely takes the place of.
pub(crate) const MAY_SUPERSEDE: &str = "may_supersede";

/// What sort of note it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum NoteKind {
    /// How the user wants things to be.
    Preference,
    /// A way of working.
    Workflow,
    /// A problem and its cause or workaround.
    Fix,
    /// Something put off for later, in the incubator.
    Idea,
    /// A web result worth keeping.
    Reference,
    /// A project's overview, generated between its markers.
    Project,
    /// The ledger of ideas.
    Ideas,
    /// The list of deleted lessons.
    Deleted,
    /// The review of a month.
    Month,
}

impl NoteKind {
    const ALL: [(Self, &'static str); 9] = [
        (Self::Preference, "preference"),
        (Self::Workflow, "workflow"),
        (Self::Fix, "fix"),
        (Self::Idea, "idea"),
        (Self::Reference, "reference"),
        (Self::Project, "project"),
        (Self::Ideas, "ideas"),
        (Self::Deleted, "deleted"),
        (Self::Month, "month"),
    ];

    /// The word in the front matter.
    pub fn as_str(self) -> &'static str {
        word_of(&Self::ALL, self)
    }

    /// What kind of lesson the note is; `None` for ideas, overviews and the like, which nobody reviews.
    pub fn lesson_kind(self) -> Option<Kind> {
        match self {
            Self::Preference => Some(Kind::Preference),
            Self::Workflow => Some(Kind::Workflow),
            Self::Fix => Some(Kind::Fix),
            Self::Idea | Self::Reference | Self::Project | Self::Ideas | Self::Deleted | Self::Month => None,
        }
    }
}

impl From<Kind> for NoteKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Preference => Self::Preference,
            Kind::Workflow => Self::Workflow,
            Kind::Fix => Self::Fix,
            Kind::Idea => Self::Idea,
        }
    }
}

/// Where a note is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It counts.
    Active,
    /// It waits for the user's answer.
    Inbox,
    /// Another note took its place.
    Superseded,
    /// Kept, but it does not count.
    Archived,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Active, Self::Inbox, Self::Superseded, Self::Archived];
    const WORDS: [(Self, &'static str); 4] = [
        (Self::Active, "active"),
        (Self::Inbox, "inbox"),
        (Self::Superseded, "superseded"),
        (Self::Archived, "archived"),
    ];

    /// The word, the same in the front matter, in the index and on the command line.
    pub fn as_str(self) -> &'static str {
        word_of(&Self::WORDS, self)
    }

    /// Reads the word as a person may have typed it.
    pub fn parse(word: &str) -> Option<Self> {
        parse_word(&Self::WORDS, word)
    }
}

/// The user's answer, given in the editor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReviewAnswer {
    /// Keep the lesson.
    Approve,
    /// Do not keep it, and do not offer it again.
    Reject,
}

/// A note's properties as far as they could be read: what is missing or not understood is empty.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Properties {
    /// The note's id.
    pub id: Option<NoteId>,
    /// The lesson's key.
    pub key: Option<ContentKey>,
    /// What sort of note it is.
    pub kind: Option<NoteKind>,
    /// One sentence.
    pub title: Option<String>,
    /// Where it is in its life.
    pub status: Option<Status>,
    /// How sure the engine was.
    pub confidence: Option<Confidence>,
    /// The project's name.
    pub project: Option<String>,
    /// Tags, without `#`.
    pub tags: Vec<String>,
    /// The day it was learned.
    pub created: Option<Date>,
    /// The day of the newest evidence.
    pub updated: Option<Date>,
    /// The session it was first learned in.
    pub session: Option<String>,
    /// What in the transcript made it.
    pub signal: Option<Signal>,
    /// References to the entries it rests on: `<session>/<entry uuid>`, or `<session>/L<line>` where there is none.
    pub evidence: Vec<String>,
    /// Whether every session is to start with it.
    pub always_load: bool,
    /// Wikilinks to the notes it replaced.
    pub supersedes: Vec<String>,
    /// Wikilinks to the notes that replaced it.
    pub superseded_by: Vec<String>,
    /// Wikilinks to the note it likely takes the place of, once the user says so.
    pub may_supersede: Vec<String>,
    /// Wikilinks to the rule it is an exception to.
    pub exception_to: Vec<String>,
    /// The user's answer.
    pub review: Option<ReviewAnswer>,
}

impl Properties {
    /// Reads what a note has.
    pub fn of(note: &Note) -> Self {
        let text = |name| note.text_of(name).map(str::to_owned);
        let date = |name| note.text_of(name).and_then(read_date);
        Self {
            id: note.text_of("id").and_then(NoteId::parse),
            key: text("key").map(ContentKey),
            kind: note.text_of("kind").and_then(|word| parse_word(&NoteKind::ALL, word)),
            title: text("title"),
            status: note.text_of("status").and_then(Status::parse),
            confidence: note.text_of("confidence").and_then(|word| parse_word(&CONFIDENCES, word)),
            project: text("project"),
            tags: note.list_of("tags"),
            created: date("created"),
            updated: date("updated"),
            session: text("session"),
            signal: note.text_of("signal").and_then(|word| parse_word(&SIGNALS, word)),
            evidence: note.list_of("evidence"),
            always_load: note.value("always_load") == Some(Value::Flag(true)),
            supersedes: note.list_of("supersedes"),
            superseded_by: note.list_of("superseded_by"),
            exception_to: note.list_of(EXCEPTION_TO),
            may_supersede: note.list_of(MAY_SUPERSEDE),
            review: note.text_of("review").and_then(|word| parse_word(&ANSWERS, word)),
        }
    }

    /// Counts the folder that a person moved a note to as what they said with it: out of the queue among the lessons is
    /// approved, into the archive is archived.
    pub(crate) fn apply_folder(&mut self, path: &VaultPath) {
        let among_lessons = [layout::PREFERENCES, layout::WORKFLOWS, layout::FIXES]
            .iter()
            .any(|folder| path.is_below(folder));
        if path.is_below(layout::ARCHIVE) && self.status != Some(Status::Superseded) {
            self.status = Some(Status::Archived);
        } else if among_lessons && self.status == Some(Status::Inbox) && self.review.is_none() {
            self.status = Some(Status::Active);
        }
    }

    /// Where the note is in its life with the user's answer counted: the answer holds from the moment it is saved,
    /// whenever the note is moved to its folder.
    pub fn effective_status(&self) -> Option<Status> {
        match (self.status, self.review) {
            (Some(Status::Inbox), Some(ReviewAnswer::Approve)) => Some(Status::Active),
            (Some(Status::Inbox), Some(ReviewAnswer::Reject)) => Some(Status::Archived),
            (status, _) => status,
        }
    }

    /// Whether the note counts, with the user's answer counted; one without a status was written by a person.
    pub fn is_active(&self) -> bool {
        matches!(self.effective_status(), Some(Status::Active) | None)
    }
}

const CONFIDENCES: [(Confidence, &str); 3] =
    [(Confidence::High, "high"), (Confidence::Medium, "medium"), (Confidence::Low, "low")];

const SIGNALS: [(Signal, &str); 10] = [
    (Signal::StandingRule, "standing-rule"),
    (Signal::Correction, "correction"),
    (Signal::DesignLock, "design-lock"),
    (Signal::RepeatedPattern, "repeated-pattern"),
    (Signal::ErrorResolved, "error-resolved"),
    (Signal::Approval, "approval"),
    (Signal::FollowUp, "follow-up"),
    (Signal::Implied, "implied"),
    (Signal::Saved, "saved"),
    (Signal::Unproven, "unproven"),
];

/// What people type for an answer.
const ANSWERS: [(ReviewAnswer, &str); 8] = [
    (ReviewAnswer::Approve, "approve"),
    (ReviewAnswer::Approve, "approved"),
    (ReviewAnswer::Approve, "yes"),
    (ReviewAnswer::Approve, "keep"),
    (ReviewAnswer::Reject, "reject"),
    (ReviewAnswer::Reject, "rejected"),
    (ReviewAnswer::Reject, "no"),
    (ReviewAnswer::Reject, "drop"),
];

/// The word for a confidence.
pub fn confidence_word(confidence: Confidence) -> &'static str {
    word_of(&CONFIDENCES, confidence)
}

/// The word for a signal.
pub fn signal_word(signal: Signal) -> &'static str {
    word_of(&SIGNALS, signal)
}

fn word_of<T: PartialEq + Copy>(words: &[(T, &'static str)], value: T) -> &'static str {
    words.iter().find(|(known, _)| *known == value).map_or("", |(_, word)| word)
}

fn parse_word<T: Copy>(words: &[(T, &'static str)], word: &str) -> Option<T> {
    let word = word.trim().to_lowercase();
    words.iter().find(|(_, known)| *known == word).map(|(value, _)| *value)
}

/// A date, or the date of a date and time.
fn read_date(text: &str) -> Option<Date> {
    text.get(..10)?.parse().ok()
}
