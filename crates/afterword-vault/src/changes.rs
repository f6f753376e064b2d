//! What happened to the notes between two looks, decided by their ids and their content.
//!
//! A pure function of two snapshots. It names what a person did in a person's words, so that what follows from it can be
//! decided in one place: a merged note's lessons strengthen the note they went into, an archived one is left alone, an
//! answer wakes the review. A note is the same note as long as it carries its id, wherever it is.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use afterword_core::NoteId;
use serde::{Deserialize, Serialize};

use crate::note_facts::{NoteFacts, TextMark};
use crate::path::VaultPath;
use crate::properties::{ReviewAnswer, Status};
use crate::snapshot::Snapshot;
use crate::write_history::{WriteHistory, WriteRecord};

/// So many notes gone at once are no person's doing: a branch was switched, a disk or a sync is on its way.
const MANY_DELETED: usize = 25;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "what")]
pub enum Change {
    /// A note that was never seen.
    Appeared {
        /// Where it is.
        path: VaultPath,
    },
    /// A note that was gone is back.
    Restored {
        /// Where it is.
        path: VaultPath,
    },
    /// What a person wrote in it, or one of its properties, is another.
    Edited {
        /// Where it is.
        path: VaultPath,
    },
    /// Only what this program adds to it is another: evidence, a list of links.
    Grown {
        /// Where it is.
        path: VaultPath,
    },
    /// It has another name in the same folder.
    Renamed {
        /// Where it was.
        from: VaultPath,
        /// Where it is.
        to: VaultPath,
    },
    /// It is in another folder.
    Moved {
        /// Where it was.
        from: VaultPath,
        /// Where it is.
        to: VaultPath,
    },
    /// A second note carries its id.
    Copied {
        /// The note.
        of: VaultPath,
        /// The second one.
        path: VaultPath,
    },
    /// Paragraphs of it are in other notes now.
    Split {
        /// The note.
        from: VaultPath,
        /// The others.
        into: Vec<VaultPath>,
    },
    /// It is gone, and what it said is in another note.
    Merged {
        /// Where it was.
        from: VaultPath,
        /// The other note.
        into: VaultPath,
    },
    /// It is gone.
    Deleted {
        /// Where it was.
        path: VaultPath,
    },
    /// It carries other tags.
    Tagged {
        /// Where it is.
        path: VaultPath,
    },
    /// A person answered in it.
    Answered {
        /// Where it is.
        path: VaultPath,
        /// What they said.
        answer: ReviewAnswer,
    },
    /// It was put away.
    Archived {
        /// Where it is.
        path: VaultPath,
    },
    /// It counts again.
    Revived {
        /// Where it is.
        path: VaultPath,
    },
    /// An idea was ticked, or its tick was taken back.
    IdeaTicked {
        /// The block id of its line, without the `^`.
        idea: String,
        /// Whether it is ticked now.
        done: bool,
    },
    /// An idea's line is gone from the ledger.
    IdeaRemoved {
        /// The block id it had.
        idea: String,
    },
}

/// All that happened.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes {
    /// One after the other, by path.
    pub list: Vec<Change>,
    /// More notes are gone than a person deletes at once; nothing lasting should follow from it yet.
    pub many_gone: bool,
}

impl Changes {
    /// Whether nothing happened.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether a person answered in a note, or moved it out of the queue.
    pub fn concern_review(&self) -> bool {
        self.list.iter().any(|change| matches!(change, Change::Answered { .. } | Change::Moved { .. }))
    }
}

/// Tells what happened between two looks.
pub fn diff_snapshots(before: &Snapshot, after: &Snapshot) -> Changes {
    let mut reporter = ChangeReporter::new(before, after);
    for (path, facts) in after.notes() {
        reporter.report_note(path, facts);
    }
    reporter.report_splits();
    reporter.report_deleted();
    reporter.changes
}

/// What is to be remembered once notes were merged: their lessons belong to the note they went into from now on.
pub fn records_of_merges(
    changes: &Changes,
    before: &Snapshot,
    after: &Snapshot,
    history: &dyn WriteHistory,
) -> Vec<WriteRecord> {
    let record = |change: &Change| {
        let Change::Merged { from, into } = change else { return None };
        let key = before.at(from)?.key.clone()?;
        let mut written = history.by_key(&key)?;
        written.id = after.at(into)?.id?;
        written.path = into.clone();
        Some(WriteRecord { key, written })
    };
    changes.list.iter().filter_map(record).collect()
}

struct ChangeReporter<'a> {
    before: &'a Snapshot,
    after: &'a Snapshot,
    /// Where each id was and is.
    was: HashMap<NoteId, BTreeSet<&'a VaultPath>>,
    is: HashMap<NoteId, BTreeSet<&'a VaultPath>>,
    gone: HashSet<NoteId>,
    /// Notes that lost paragraphs, with those.
    lost: BTreeMap<&'a VaultPath, Vec<TextMark>>,
    changes: Changes,
}

fn paths_by_id(snapshot: &Snapshot) -> HashMap<NoteId, BTreeSet<&VaultPath>> {
    let mut places: HashMap<NoteId, BTreeSet<&VaultPath>> = HashMap::new();
    for (path, facts) in snapshot.notes() {
        if let Some(id) = facts.id {
            places.entry(id).or_default().insert(path);
        }
    }
    places
}

impl<'a> ChangeReporter<'a> {
    fn new(before: &'a Snapshot, after: &'a Snapshot) -> Self {
        Self {
            before,
            after,
            was: paths_by_id(before),
            is: paths_by_id(after),
            gone: before.missing_notes().filter_map(|(_, facts)| facts.id).collect(),
            lost: BTreeMap::new(),
            changes: Changes::default(),
        }
    }

    fn report(&mut self, change: Change) {
        self.changes.list.push(change);
    }

    fn report_note(&mut self, path: &'a VaultPath, facts: &'a NoteFacts) {
        if let Some(known) = self.before.at(path)
            && (known.id == facts.id || known.id.is_none() || facts.id.is_none())
        {
            return self.compare_facts(path, known, facts);
        }
        let Some(id) = facts.id else { return self.report(Change::Appeared { path: path.clone() }) };
        let Some(old) = self.was.get(&id) else {
            let back = self.gone.contains(&id);
            let path = path.clone();
            return self.report(if back { Change::Restored { path } } else { Change::Appeared { path } });
        };
        let left = old.iter().find(|old| self.after.at(old).is_none_or(|there| there.id != Some(id)));
        let is_new = |new: &&&VaultPath| self.before.at(new).is_none_or(|there| there.id != Some(id));
        let first = self.is.get(&id).and_then(|paths| paths.iter().find(is_new)).copied();
        match (left.copied(), old.first().copied()) {
            (Some(from), _) if first == Some(path) => {
                let (from, to) = (from.clone(), path.clone());
                let known = self.before.at(&from);
                let stays = from.parent() == to.parent();
                self.report(if stays { Change::Renamed { from, to } } else { Change::Moved { from, to } });
                if let Some(known) = known {
                    self.compare_facts(path, known, facts);
                }
            }
            (_, Some(of)) => {
                let of = self
                    .is
                    .get(&id)
                    .and_then(|paths| paths.first())
                    .copied()
                    .filter(|_| left.is_some())
                    .unwrap_or(of);
                self.report(Change::Copied { of: of.clone(), path: path.clone() });
            }
            (_, None) => self.report(Change::Appeared { path: path.clone() }),
        }
    }

    /// Tells what is different about a note.
    fn compare_facts(&mut self, at: &'a VaultPath, known: &'a NoteFacts, facts: &'a NoteFacts) {
        if known.hash == facts.hash && known.status == facts.status {
            return;
        }
        let path = || at.clone();
        let retired = |status| matches!(status, Some(Status::Archived | Status::Superseded));
        if let Some(answer) = facts.review.filter(|_| known.review != facts.review) {
            self.report(Change::Answered { path: path(), answer });
        }
        if facts.status == Some(Status::Archived) && !retired(known.status) {
            self.report(Change::Archived { path: path() });
        }
        if retired(known.status) && !retired(facts.status) {
            self.report(Change::Revived { path: path() });
        }
        if known.tags != facts.tags {
            self.report(Change::Tagged { path: path() });
        }
        self.compare_ideas(known, facts);
        if known.words != facts.words {
            self.report(Change::Edited { path: path() });
        } else if known.hash != facts.hash {
            self.report(Change::Grown { path: path() });
        }
        let lost: Vec<TextMark> = known
            .paragraphs
            .iter()
            .filter(|mark| facts.paragraphs.binary_search(mark).is_err())
            .copied()
            .collect();
        if !lost.is_empty() {
            self.lost.insert(at, lost);
        }
    }

    fn compare_ideas(&mut self, known: &NoteFacts, facts: &NoteFacts) {
        let now: HashMap<&str, bool> =
            facts.ideas.iter().map(|line| (line.block_id.as_str(), line.done)).collect();
        for line in &known.ideas {
            let idea = line.block_id.clone();
            match now.get(line.block_id.as_str()) {
                Some(done) if *done != line.done => self.report(Change::IdeaTicked { idea, done: *done }),
                Some(_) => {}
                None => self.report(Change::IdeaRemoved { idea }),
            }
        }
    }

    /// Paragraphs that left one note and came to others.
    fn report_splits(&mut self) {
        let lost = std::mem::take(&mut self.lost);
        if lost.is_empty() {
            return;
        }
        let wanted: HashSet<TextMark> = lost.values().flatten().copied().collect();
        let mut came: HashMap<TextMark, BTreeSet<&VaultPath>> = HashMap::new();
        for (path, facts) in self.after.notes() {
            for mark in facts.paragraphs.iter().filter(|mark| wanted.contains(mark)) {
                came.entry(*mark).or_default().insert(path);
            }
        }
        for (from, marks) in lost {
            let others = marks.iter().filter_map(|mark| came.get(mark)).flatten();
            let into: BTreeSet<&VaultPath> = others.filter(|path| **path != from).copied().collect();
            if !into.is_empty() {
                let into = into.into_iter().cloned().collect();
                self.report(Change::Split { from: from.clone(), into });
            }
        }
    }

    /// Notes that are nowhere any more.
    fn report_deleted(&mut self) {
        let left: Vec<(&VaultPath, &NoteFacts)> = self
            .before
            .notes()
            .filter(|(path, facts)| {
                self.after.at(path).is_none() && facts.id.is_none_or(|id| !self.is.contains_key(&id))
            })
            .collect();
        let known = self.before.notes().count();
        self.changes.many_gone = left.len() > MANY_DELETED && left.len() * 4 > known;
        let wanted: HashSet<TextMark> =
            left.iter().flat_map(|(_, facts)| &facts.paragraphs).copied().collect();
        let holders = if wanted.is_empty() { HashMap::new() } else { self.holders_of(&wanted) };
        for (path, facts) in left {
            let mut found: BTreeMap<&VaultPath, Shared> = BTreeMap::new();
            for holder in facts.paragraphs.iter().filter_map(|mark| holders.get(mark)).flatten() {
                let shared = found.entry(holder.path).or_default();
                shared.gained += usize::from(holder.is_new);
                shared.all += 1;
            }
            // What a note had before does not tell that another went into it, unless it has everything: the text may have been
            // copied some time before the note was deleted.
            let telling = |shared: &Shared| {
                shared.gained * 2 >= facts.paragraphs.len() || shared.all == facts.paragraphs.len()
            };
            let into = found
                .into_iter()
                .filter(|(_, shared)| telling(shared))
                .max_by_key(|(path, shared)| (shared.all, std::cmp::Reverse(*path)))
                .map(|(path, _)| path.clone());
            let from = path.clone();
            self.report(match into {
                Some(into) => Change::Merged { from, into },
                None => Change::Deleted { path: from },
            });
        }
    }

    /// The notes that have each of these paragraphs now, and whether they did before.
    fn holders_of(&self, wanted: &HashSet<TextMark>) -> HashMap<TextMark, Vec<Holder<'a>>> {
        let before: HashMap<NoteId, &NoteFacts> =
            self.before.notes().filter_map(|(_, facts)| Some((facts.id?, facts))).collect();
        let mut holders: HashMap<TextMark, Vec<Holder<'a>>> = HashMap::new();
        for (path, facts) in self.after.notes() {
            let Some(id) = facts.id else { continue };
            let had = |mark: &TextMark| before.get(&id).is_some_and(|facts| facts.paragraphs.contains(mark));
            for mark in facts.paragraphs.iter().filter(|mark| wanted.contains(mark)) {
                holders.entry(*mark).or_default().push(Holder { path, is_new: !had(mark) });
            }
        }
        holders
    }
}

/// A note that has a paragraph of another.
struct Holder<'a> {
    path: &'a VaultPath,
    /// It did not have it before.
    is_new: bool,
}

/// How many paragraphs of a note another has.
#[derive(Default)]
struct Shared {
    gained: usize,
    all: usize,
}
