//! Which lessons of a second reading belong to which notes: a pure function of what the vault and the database know.
//!
//! A lesson belongs to the note that has one of its keys; else to the note that rests on the same entry, best one first,
//! at most one lesson of a session to each note. What belongs to nothing and was never deleted is new; a note of ours
//! to which nothing belongs is unsupported, if every session it rests on was read again.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use afterword_core::{ContentKey, NoteId, SessionId, Signal, content_key};
use afterword_store::WrittenNote;
use afterword_vault::{
    EvidenceEntries, Lesson, LinkTargets, NoteEntry, NoteKind, Status, VaultIndex, timestamp_millis,
};

use crate::note;

/// What is known before the lessons are looked at.
pub(crate) struct SortingContext<'a> {
    pub(crate) index: &'a VaultIndex,
    pub(crate) written: &'a [WrittenNote],
    /// Notes about which a person decided something, taken back or not.
    pub(crate) answered: HashSet<NoteId>,
    pub(crate) linked: LinkTargets,
    /// The sessions that were read again.
    pub(crate) sessions: HashSet<String>,
}

/// What belongs where.
#[derive(Debug, Default)]
pub(super) struct SortedFindings {
    /// Lessons of no note, which never had one.
    pub(super) new: Vec<Lesson>,
    /// Notes nobody touched, each with the lesson that is theirs now.
    pub(super) improved: Vec<(NoteId, Lesson)>,
    /// Notes nobody touched to which nothing belongs.
    pub(super) unsupported: Vec<NoteId>,
    /// Lessons of other notes.
    pub(super) known: usize,
    /// Lessons whose notes a person deleted.
    pub(super) deleted: usize,
}

/// A note that a lesson may belong to.
struct Note<'a> {
    entry: &'a NoteEntry,
    grounds: EvidenceEntries,
    /// Nobody but Afterword wrote it, nobody answered it, and it counts or waits.
    is_untouched: bool,
}

/// How a lesson belongs to a note: by the note's own key, or by so much of what both rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tie {
    Entries(usize),
    Key,
}

/// Sorts lessons, each with the times at which its evidence was said, in milliseconds since 1970.
pub(super) fn sort(known: &SortingContext<'_>, lessons: Vec<(Vec<i64>, Lesson)>) -> SortedFindings {
    let mut sorting = NoteSorter::new(known, lessons);
    sorting.by_key();
    sorting.by_entry(true);
    sorting.by_entry(false);
    sorting.by_deletion();
    sorting.finish()
}

struct NoteSorter<'a> {
    known: &'a SortingContext<'a>,
    notes: Vec<Note<'a>>,
    /// The notes that rest on an entry.
    of_entry: HashMap<String, Vec<usize>>,
    lessons: Vec<(Vec<i64>, Lesson)>,
    /// For each lesson what became of it.
    places: Vec<Option<NoteMatch>>,
    /// Rows of notes that are gone, whose lesson was not met yet.
    gone: Vec<&'a WrittenNote>,
}

#[derive(Debug, Clone, Copy)]
enum NoteMatch {
    Note(usize, Tie),
    Deleted,
}

impl<'a> NoteSorter<'a> {
    fn new(known: &'a SortingContext<'a>, lessons: Vec<(Vec<i64>, Lesson)>) -> Self {
        let kinds = |entry: &&NoteEntry| {
            note::lesson_kind(entry).is_some() || entry.properties.kind == Some(NoteKind::Idea)
        };
        let note = |entry: &'a NoteEntry| Note {
            entry,
            grounds: EvidenceEntries::of_note(entry),
            is_untouched: known.is_untouched(entry),
        };
        let notes: Vec<Note<'_>> = known.index.notes().filter(kinds).map(note).collect();
        let mut of_entry: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, note) in notes.iter().enumerate() {
            for entry in note.grounds.entries() {
                of_entry.entry(entry.to_owned()).or_default().push(at);
            }
        }
        let gone = known.written.iter().filter(|row| known.index.by_id(row.note).is_none()).collect();
        let places = vec![None; lessons.len()];
        Self { known, notes, of_entry, lessons, places, gone }
    }

    fn by_key(&mut self) {
        for (at, (_, lesson)) in self.lessons.iter().enumerate() {
            let project = lesson.project.as_ref().map(|project| &project.key);
            let kind = lesson.candidate.kind;
            let others = lesson.candidate.evidence.iter().map(|piece| content_key(kind, project, piece));
            let keys: Vec<ContentKey> = std::iter::once(lesson.key.clone()).chain(others).collect();
            let entry = keys.iter().find_map(|key| self.known.note_of(key));
            if let Some(entry) = entry {
                let number = self.notes.iter().position(|note| note.entry.path == entry.path);
                let tie = if entry.properties.key.as_ref() == Some(&lesson.key) {
                    Tie::Key
                } else {
                    Tie::Entries(usize::MAX)
                };
                self.places[at] = number.map(|number| NoteMatch::Note(number, tie));
            } else if keys.iter().any(|key| self.known.is_gone(key)) {
                self.places[at] = Some(NoteMatch::Deleted);
                self.gone.retain(|row| !keys.contains(&row.key));
            }
        }
    }

    /// The pairs that share most first. With `same_kind` notes of the lesson's kind, else those that are not ours to change,
    /// whatever their kind.
    fn by_entry(&mut self, same_kind: bool) {
        let mut taken: HashSet<(usize, String)> = HashSet::new();
        for (place, (_, lesson)) in self.places.iter().zip(&self.lessons) {
            if let Some(NoteMatch::Note(number, _)) = place {
                taken.insert((*number, lesson.session.to_string()));
            }
        }
        let mut pairs = Vec::new();
        for (at, (_, lesson)) in self.lessons.iter().enumerate() {
            if self.places[at].is_some() {
                continue;
            }
            let grounds = EvidenceEntries::of_lesson(lesson);
            let near: HashSet<usize> =
                grounds.entries().filter_map(|entry| self.of_entry.get(entry)).flatten().copied().collect();
            for number in near {
                let note = &self.notes[number];
                let fits = if same_kind {
                    note.entry.properties.kind == Some(NoteKind::from(lesson.candidate.kind))
                } else {
                    !note.is_untouched
                };
                let overlap = grounds.overlap(&note.grounds);
                if fits && overlap > 0 {
                    pairs.push((Reverse(overlap), at, number));
                }
            }
        }
        pairs.sort_unstable();
        for (Reverse(overlap), at, number) in pairs {
            let session = self.lessons[at].1.session.to_string();
            if self.places[at].is_none() && taken.insert((number, session)) {
                self.places[at] = Some(NoteMatch::Note(number, Tie::Entries(overlap)));
            }
        }
    }

    /// A note that is gone left its id, which has the time its lesson was said: the same words of that session, however
    /// much of them is quoted today.
    fn by_deletion(&mut self) {
        for (at, (times, lesson)) in self.lessons.iter().enumerate() {
            let is_of = |row: &&WrittenNote| {
                row.session.as_ref() == Some(&lesson.session)
                    && timestamp_millis(row.note).is_some_and(|time| times.contains(&time))
            };
            if self.places[at].is_none()
                && let Some(number) = self.gone.iter().position(is_of)
            {
                self.gone.remove(number);
                self.places[at] = Some(NoteMatch::Deleted);
            }
        }
    }

    fn finish(self) -> SortedFindings {
        let mut sorted = SortedFindings::default();
        let mut of_note: HashMap<usize, (Tie, Lesson)> = HashMap::new();
        let mut supported: HashSet<usize> = HashSet::new();
        for (place, (_, lesson)) in self.places.into_iter().zip(self.lessons) {
            match place {
                None => sorted.new.push(lesson),
                Some(NoteMatch::Deleted) => sorted.deleted += 1,
                Some(NoteMatch::Note(number, tie)) => {
                    supported.insert(number);
                    let note = &self.notes[number];
                    let is_first = note.entry.properties.session.as_deref() == Some(lesson.session.as_str());
                    let is_better = of_note.get(&number).is_none_or(|(known, _)| tie > *known);
                    if note.is_untouched && (tie == Tie::Key || is_first) && is_better {
                        sorted.known += usize::from(of_note.insert(number, (tie, lesson)).is_some());
                    } else {
                        sorted.known += 1;
                    }
                }
            }
        }
        for (number, note) in self.notes.iter().enumerate() {
            let Some(id) = note.entry.properties.id.filter(|_| note.is_untouched) else { continue };
            if let Some((_, lesson)) = of_note.remove(&number) {
                sorted.improved.push((id, lesson));
            } else if !supported.contains(&number) && self.known.all_read_again(note.entry, id) {
                sorted.unsupported.push(id);
            }
        }
        sorted
    }
}

impl<'a> SortingContext<'a> {
    fn note_of(&self, key: &ContentKey) -> Option<&'a NoteEntry> {
        let index = self.index;
        index.by_key(key).or_else(|| {
            let row = self.written.iter().find(|row| row.key == *key)?;
            index.by_id(row.note)
        })
    }

    /// A note had the key and is gone.
    fn is_gone(&self, key: &ContentKey) -> bool {
        self.index.tombstones().contains(key) || self.written.iter().any(|row| row.key == *key)
    }

    /// Nobody but Afterword wrote, moved, answered or linked to the note, and it counts or waits.
    pub(crate) fn is_untouched(&self, entry: &NoteEntry) -> bool {
        let properties = &entry.properties;
        let Some(id) = properties.id else { return false };
        let as_written = |row: &WrittenNote| {
            row.note == id && row.content_hash == entry.hash.as_str() && row.path == entry.path.as_str()
        };
        note::lesson_kind(entry).is_some()
            && matches!(properties.effective_status(), Some(Status::Active | Status::Inbox))
            && properties.review.is_none()
            && properties.signal != Some(Signal::Saved)
            && self.index.by_id(id).is_some_and(|one| one.path == entry.path)
            && self.written.iter().any(as_written)
            && !self.answered.contains(&id)
            && !self.linked.has(&entry.path)
    }

    /// Whether everything the note rests on was read again.
    fn all_read_again(&self, entry: &NoteEntry, id: NoteId) -> bool {
        let of_evidence = entry.properties.evidence.iter().filter_map(|piece| piece.rsplit_once('/'));
        let of_evidence: Vec<&str> = of_evidence.map(|(session, _)| session).collect();
        let rows = self.written.iter().filter(|row| row.note == id);
        let of_rows = rows.filter_map(|row| row.session.as_ref()).map(SessionId::as_str);
        !of_evidence.is_empty()
            && of_evidence.into_iter().chain(of_rows).all(|session| self.sessions.contains(session))
    }
}
