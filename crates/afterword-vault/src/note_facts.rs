//! What is remembered of a note between two looks: enough to tell what a person did to it, not its text.

use std::collections::BTreeSet;

use afterword_core::{ContentKey, NoteId, is_surrounding};
use serde::{Deserialize, Serialize};

use crate::block::{self, Block};
use crate::hash::ContentHash;
use crate::ideas::{self, IdeaLine};
use crate::layout;
use crate::month_review::MONTH;
use crate::note::Note;
use crate::note_entry::NoteEntry;
use crate::overview::{self, OVERVIEW};
use crate::path::VaultPath;
use crate::properties::{NoteKind, ReviewAnswer, Status};
use crate::references::CONTENT;
use crate::render::EVIDENCE;

/// Shorter paragraphs say too little to be recognised elsewhere, in bytes.
const MIN_PARAGRAPH_BYTES: usize = 24;
/// How many states of a note are known by their mark.
const MAX_STATES: usize = 16;
/// The blocks this program writes.
const BLOCKS: [&str; 4] = [EVIDENCE, OVERVIEW, CONTENT, MONTH];
/// What changes about a note without a person: the growth of its evidence.
const GROWING: [&str; 4] = [EVIDENCE, "updated", "fetched_at", "text_mark"];

/// The mark of a text: equal for equal texts, and for all that matters here only for those.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TextMark(u64);

impl TextMark {
    fn of(text: &str) -> Self {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&blake3::hash(text.as_bytes()).as_bytes()[..8]);
        Self(u64::from_le_bytes(bytes))
    }
}

/// What is remembered of a note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteFacts {
    /// What its file hashed to.
    pub hash: ContentHash,
    /// Its id.
    pub id: Option<NoteId>,
    /// Its lesson's key.
    pub key: Option<ContentKey>,
    /// What sort of note it is.
    pub kind: Option<NoteKind>,
    /// Where it is in its life.
    pub status: Option<Status>,
    /// The user's answer.
    pub review: Option<ReviewAnswer>,
    /// Its tags.
    pub tags: BTreeSet<String>,
    /// The mark of all that is a person's: what stands outside generated blocks, and the properties that do not grow.
    pub words: TextMark,
    /// The marks it has had, in the order they were first seen, the present one among them.
    pub states: Vec<TextMark>,
    /// The marks of its telling paragraphs.
    pub paragraphs: Vec<TextMark>,
    /// The ideas in it, for the ledger.
    pub ideas: Vec<IdeaLine>,
    /// The mark of what a project's overview says of it; `None` where no overview names it.
    pub listed: Option<TextMark>,
}

impl NoteFacts {
    /// What is remembered of a note as it is; `before` is what was remembered of it, if it was known.
    pub(crate) fn of(entry: &NoteEntry, before: Option<&Self>) -> Self {
        let (note, properties) = (&entry.note, &entry.properties);
        let outside = text_outside_blocks(note);
        let words = words_mark(note, &outside);
        let mut states = before.map(|before| before.states.clone()).unwrap_or_default();
        if !states.contains(&words) {
            states.push(words);
            let surplus = states.len().saturating_sub(MAX_STATES);
            states.drain(..surplus);
        }
        let mut paragraphs: Vec<TextMark> = outside
            .split("\n\n")
            .map(str::trim)
            .filter(|paragraph| paragraph.len() >= MIN_PARAGRAPH_BYTES && !paragraph.starts_with("%%"))
            .filter(|paragraph| !is_surrounding(paragraph))
            .map(TextMark::of)
            .collect();
        paragraphs.sort_unstable();
        paragraphs.dedup();
        let is_ledger = properties.kind == Some(NoteKind::Ideas);
        Self {
            hash: entry.hash.clone(),
            id: properties.id,
            key: properties.key.clone(),
            kind: properties.kind,
            status: properties.status,
            review: properties.review,
            tags: properties.tags.iter().cloned().collect(),
            words,
            states,
            paragraphs,
            ideas: if is_ledger { ideas::parse_ideas(note) } else { Vec::new() },
            listed: overview::entry_key(&entry.path, properties).map(|listed| TextMark::of(&listed)),
        }
    }

    /// Whether the note is Afterword's: it carries its properties.
    pub(crate) fn is_ours(&self, path: &VaultPath) -> bool {
        self.id.is_some() || self.key.is_some() || self.kind.is_some() || path.as_str() == layout::IDEAS
    }

    /// Whether words of the first mark became those of the second in this note. Where the first are back in the note, a
    /// sync tool may have put them there, or a person on purpose: that counts only for the words it began with.
    pub fn changed_between(&self, from: TextMark, to: TextMark) -> bool {
        let place = |mark| self.states.iter().position(|state| *state == mark);
        match (place(from), place(to)) {
            (Some(first), Some(second)) => first < second && (self.words != from || first == 0),
            _ => false,
        }
    }
}

/// The mark of all that is a person's in a note.
pub fn mark_of(note: &Note) -> TextMark {
    words_mark(note, &text_outside_blocks(note))
}

fn words_mark(note: &Note, outside: &str) -> TextMark {
    let mut text = String::with_capacity(outside.len() + 512);
    let mut names: Vec<&str> = note.names().filter(|name| !GROWING.contains(name)).collect();
    names.sort_unstable();
    for name in names {
        text.push_str(&format!("{name}={:?}\n", note.value(name)));
    }
    text.push_str(outside);
    TextMark::of(&text)
}

/// A note's body without what this program may write again, in the form that editors and git do not change: line ends
/// as `\n`, no trailing blanks, no blank lines at the ends.
pub(crate) fn text_outside_blocks(note: &Note) -> String {
    let body = note.body();
    let mut spans: Vec<_> = BLOCKS
        .iter()
        .filter_map(|name| match block::find(body, name) {
            Block::Intact { span, .. } => Some((span, *name)),
            _ => None,
        })
        .collect();
    spans.sort_by_key(|(span, _)| span.start);
    let mut text = String::with_capacity(body.len());
    let mut from = 0;
    for (span, name) in spans {
        text.push_str(&body[from..span.start.max(from)]);
        text.push_str(&format!("%% afterword:{name} %%"));
        from = span.end.max(from);
    }
    text.push_str(&body[from..]);
    normalize(&text)
}

/// A text in the form that editors and git do not change.
pub(crate) fn normalize(text: &str) -> String {
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}
