//! The entries a note or a lesson rests on, so that one can be recognised in the other when a session is read again.
//!
//! A later engine may quote less or more of an entry, or take another entry as the strongest, and so give the same lesson
//! another key. The entries themselves do not change.

use afterword_core::content_key::normalised_words;

use crate::evidence::StatedEvidence;
use crate::lesson::Lesson;
use crate::note_entry::NoteEntry;
use crate::render;

/// What a note or a lesson rests on, the strongest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EvidenceEntries {
    pieces: Vec<EvidenceEntry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct EvidenceEntry {
    /// The entry's uuid, or its session and line.
    entry: String,
    /// The quotation's words, in lower case between single spaces.
    words: String,
}

impl EvidenceEntries {
    /// What a note says it rests on.
    pub fn of_note(entry: &NoteEntry) -> Self {
        let stated = StatedEvidence::of(&entry.note).pieces;
        let piece = |(at, reference): (usize, &String)| EvidenceEntry {
            entry: render::entry_identity(reference).to_owned(),
            words: stated.get(at).map(|piece| normalised_words(&piece.quote)).unwrap_or_default(),
        };
        Self { pieces: entry.properties.evidence.iter().enumerate().map(piece).collect() }
    }

    /// What a lesson rests on.
    pub fn of_lesson(lesson: &Lesson) -> Self {
        let piece = |evidence| {
            let reference = render::reference(evidence, &lesson.session);
            EvidenceEntry {
                entry: render::entry_identity(&reference).to_owned(),
                words: normalised_words(&evidence.quote),
            }
        };
        Self { pieces: lesson.candidate.evidence.iter().map(piece).collect() }
    }

    /// The entries.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().map(|piece| piece.entry.as_str())
    }

    /// How much of this is also in `other`; 0 where the strongest entry of neither is among those of the other.
    pub fn overlap(&self, other: &Self) -> usize {
        let (Some(first), Some(second)) = (self.pieces.first(), other.pieces.first()) else { return 0 };
        let has = |entries: &Self, entry: &str| entries.entries().any(|known| known == entry);
        if !has(self, &second.entry) && !has(other, &first.entry) {
            return 0;
        }
        let is_quoted =
            |piece: &&EvidenceEntry| other.pieces.iter().any(|known| known.quotes_same_words(piece));
        let quoted = self.pieces.iter().filter(is_quoted).count();
        1 + usize::from(first.entry == second.entry) + 2 * quoted
    }
}

impl EvidenceEntry {
    /// Both quote the same entry, and one's words are among the other's.
    fn quotes_same_words(&self, other: &Self) -> bool {
        let padded = |words: &str| format!(" {words} ");
        let (one, two) = (padded(&self.words), padded(&other.words));
        self.entry == other.entry
            && !self.words.is_empty()
            && !other.words.is_empty()
            && (one.contains(&two) || two.contains(&one))
    }
}
