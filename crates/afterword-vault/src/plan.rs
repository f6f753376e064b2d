//! Decides what to write: a pure function of what the vault holds, what was learned and what was written before.
//!
//! The rules, in the order they are tried for each lesson:
//! 1. The comparison found a note that says it, or a lesson of this run: that one's evidence grows.
//! 2. A note has the lesson's key, wherever the user moved it: its evidence grows, if there is new evidence and the
//!    user left that part alone. Nothing else of the note changes. Archived, superseded and rejected notes are left as
//!    they are.
//! 3. It was written before and is gone: the user deleted it, and it stays deleted.
//! 4. Another piece of its evidence gives the key of a known lesson (its order of strength changed as the session
//!    grew): 2 and 3 hold for that one.
//! 5. A new note, under a name nothing else has.
//!
//! Where a person edited the evidence that would grow, their text stands, and what a later session adds is put beside the
//! note as a proposal, as another version to decide about.
//!
//! Ideas follow the same rules with a page and a line in the ledger. Project overviews are written anew between their
//! markers whenever what they list has changed.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use afterword_core::{ContentKey, Destination, Kind, NoteId};
use jiff::{Timestamp, Zoned};
use serde::{Deserialize, Serialize};

use crate::add_evidence::{self, EvidenceUpdate};
use crate::block::Block;
use crate::hash::ContentHash;
use crate::index::VaultIndex;
use crate::lesson::Lesson;
use crate::note::Note;
use crate::overview::{self, Overview};
use crate::path::{self, VaultPath};
use crate::properties::{Properties, Status};
use crate::write_history::{LastWrite, WriteHistory, WriteRecord};
use crate::{ideas, layout, plain, render, sync_tools, template};

/// What is to be written, and why the rest is not.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The writes, in the order they are to be made.
    pub actions: Vec<Action>,
    /// The lessons that lead to no write.
    pub kept: Vec<NoWrite>,
    /// What is to be remembered once the actions are done; [`ApplyReport::records`](crate::ApplyReport) has those that are.
    pub records: Vec<WriteRecord>,
}

/// One file to write.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Action {
    /// The file.
    pub path: VaultPath,
    /// What it must hash to now; `None` if it must not be there.
    pub before: Option<ContentHash>,
    /// Its whole new content.
    pub content: String,
    /// What it is about.
    pub subject: Subject,
    /// The lessons that are settled only once this is done.
    pub keys: Vec<ContentKey>,
}

/// What a write is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "what")]
pub enum Subject {
    /// A new note.
    Lesson {
        /// Its sort.
        kind: Kind,
        /// Its title.
        title: String,
        /// Where it was sent.
        destination: Destination,
    },
    /// More evidence for a note that is there.
    Evidence {
        /// The note's title.
        title: String,
        /// How many pieces.
        added: usize,
    },
    /// What would be written into a note that a person changed, put beside it.
    Proposal {
        /// The note's title.
        title: String,
    },
    /// New lines in the ledger of ideas.
    Ideas {
        /// How many.
        added: usize,
    },
    /// A web page worth keeping.
    Reference {
        /// Its title.
        title: String,
    },
    /// The review of a month.
    Month {
        /// The month, as `2026-03`.
        name: String,
    },
    /// Lines in the list of deleted lessons.
    Deleted {
        /// How many.
        count: usize,
    },
    /// A project's overview.
    Overview {
        /// The project's name.
        project: String,
    },
}

/// A lesson that leads to no write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoWrite {
    /// The lesson.
    pub key: ContentKey,
    /// Its note, where there is one.
    pub path: Option<VaultPath>,
    /// Why nothing is written.
    pub reason: Reason,
}

/// Why a lesson leads to no write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The note is there and has this evidence, or enough.
    Known,
    /// It was written before and the user deleted it.
    Deleted,
    /// The note is archived, superseded or rejected.
    Retired,
    /// The user changed the note's evidence, so nothing is added to it.
    EvidenceEdited,
    /// Another lesson of this run says the same.
    Repeated,
    /// The ledger of ideas cannot be read, so nothing can be added to it.
    LedgerUnreadable,
    /// The note is there and cannot be read now: broken, or not on this machine yet.
    OutOfSight,
}

/// Whether a lesson was met before, by the key of any of its evidence: it has a note, or had one.
pub fn is_known(index: &VaultIndex, history: &dyn WriteHistory, lesson: &Lesson) -> bool {
    let others = lesson.other_keys();
    let mut keys = std::iter::once(&lesson.key).chain(&others);
    keys.any(|key| index.by_key(key).is_some() || history.by_key(key).is_some())
}

/// Plans what `lessons` make of the vault. `now` gives the time zone that dates are written in and the day an overview
/// is made; lessons carry their own time.
pub fn plan(index: &VaultIndex, lessons: &[Lesson], history: &dyn WriteHistory, now: &Zoned) -> Plan {
    let mut planner = Planner {
        index,
        history,
        now,
        batch: lessons.iter().map(|lesson| &lesson.key).collect(),
        drafts: BTreeMap::new(),
        draft_of: HashMap::new(),
        taken: HashSet::new(),
        order: Vec::new(),
        ledger_lines: index.ideas().map(|entry| ideas::block_ids(&entry.note)).unwrap_or_default(),
        idea_lines: Vec::new(),
        plan: Plan::default(),
    };
    for lesson in lessons {
        planner.plan_lesson(lesson);
    }
    planner.plan_ideas_ledger();
    planner.plan_overviews();
    planner.finish()
}

/// The key that the proposal for a note is known by.
fn proposal_key(id: NoteId) -> ContentKey {
    ContentHash::of(format!("proposal\n{id}").as_bytes()).into_key()
}

/// A file as it will be.
struct Draft {
    note: Note,
    before: Option<ContentHash>,
    subject: Subject,
    keys: Vec<ContentKey>,
}

struct Planner<'a> {
    index: &'a VaultIndex,
    history: &'a dyn WriteHistory,
    now: &'a Zoned,
    /// The keys of all lessons of this run.
    batch: BTreeSet<&'a ContentKey>,
    drafts: BTreeMap<VaultPath, Draft>,
    /// The draft that holds a lesson of this run.
    draft_of: HashMap<ContentKey, VaultPath>,
    /// The names of the drafts, folded.
    taken: HashSet<String>,
    order: Vec<VaultPath>,
    /// The block ids in the ledger of ideas.
    ledger_lines: BTreeSet<String>,
    idea_lines: Vec<(ContentKey, String)>,
    plan: Plan,
}

/// Where a lesson stands already.
enum ExistingLesson {
    /// In the note at this path, of the vault or of this run.
    At(VaultPath),
    /// It was written once and is gone.
    Gone,
    /// It was written once, and a file that cannot be read now has its name.
    OutOfSight(VaultPath),
}

impl Planner<'_> {
    fn plan_lesson(&mut self, lesson: &Lesson) {
        let is_idea = lesson.candidate.kind == Kind::Idea || lesson.destination == Destination::Ideas;
        match self.existing_note(lesson) {
            Some(ExistingLesson::At(path)) => {
                if is_idea {
                    self.complete_idea(lesson, &path);
                }
                self.plan_evidence(lesson, &path);
            }
            Some(ExistingLesson::Gone) => self.skip(lesson, None, Reason::Deleted),
            Some(ExistingLesson::OutOfSight(path)) => self.skip(lesson, Some(&path), Reason::OutOfSight),
            None if is_idea => self.plan_new_idea(lesson),
            None => {
                self.plan_new_note(lesson);
            }
        }
    }

    fn existing_note(&self, lesson: &Lesson) -> Option<ExistingLesson> {
        if let Some(entry) = lesson.strengthens.and_then(|id| self.index.by_id(id)) {
            return Some(ExistingLesson::At(entry.path.clone()));
        }
        if let Some(known) = lesson.joins.as_ref().and_then(|key| self.existing_by_key(key)) {
            return Some(known);
        }
        self.existing_by_key(&lesson.key).or_else(|| {
            let others = lesson.other_keys();
            others.iter().filter(|key| !self.batch.contains(key)).find_map(|key| self.existing_by_key(key))
        })
    }

    fn existing_by_key(&self, key: &ContentKey) -> Option<ExistingLesson> {
        if let Some(entry) = self.index.by_key(key) {
            return Some(ExistingLesson::At(entry.path.clone()));
        }
        if let Some(path) = self.draft_of.get(key) {
            return Some(ExistingLesson::At(path.clone()));
        }
        if self.index.tombstones().contains(key) {
            return Some(ExistingLesson::Gone);
        }
        let written = self.history.by_key(key)?;
        if let Some(renamed) = self.index.by_id(written.id) {
            return Some(ExistingLesson::At(renamed.path.clone()));
        }
        let hidden = self.index.is_unavailable(&written.path);
        Some(if hidden { ExistingLesson::OutOfSight(written.path) } else { ExistingLesson::Gone })
    }

    fn plan_evidence(&mut self, lesson: &Lesson, path: &VaultPath) {
        let (note, is_draft) = match (self.drafts.get(path), self.index.at(path)) {
            (Some(draft), _) => (&draft.note, true),
            (None, Some(entry)) => (&entry.note, false),
            (None, None) => return,
        };
        let mut properties = Properties::of(note);
        properties.apply_folder(path);
        if matches!(properties.effective_status(), Some(Status::Archived | Status::Superseded)) {
            self.record_lesson(lesson, path);
            return self.skip(lesson, Some(path), Reason::Retired);
        }
        let title = properties.title.clone().unwrap_or_else(|| render::title_of(lesson));
        match add_evidence::add_evidence(note, lesson, self.now.time_zone()) {
            EvidenceUpdate::Unchanged => {
                let reason = if is_draft { Reason::Repeated } else { Reason::Known };
                self.skip(lesson, Some(path), reason);
            }
            EvidenceUpdate::EditedByPerson => {
                let proposal =
                    add_evidence::propose_evidence(note, lesson, self.now.time_zone()).filter(|_| !is_draft);
                self.plan_proposal(path, title, proposal);
                self.skip(lesson, Some(path), Reason::EvidenceEdited);
            }
            EvidenceUpdate::Added(grown, added) => {
                if let Some(draft) = self.drafts.get_mut(path) {
                    draft.note = *grown;
                    draft.keys.push(lesson.key.clone());
                    self.draft_of.insert(lesson.key.clone(), path.clone());
                } else {
                    let before = self.index.at(path).map(|entry| entry.hash.clone());
                    let subject = Subject::Evidence { title, added };
                    self.add_draft(
                        path.clone(),
                        Draft { note: *grown, before, subject, keys: vec![lesson.key.clone()] },
                    );
                }
            }
        }
        self.record_lesson(lesson, path);
    }

    /// Puts what would be written beside a note that a person changed. Only once for each note: a proposal that is gone was
    /// decided about.
    fn plan_proposal(&mut self, path: &VaultPath, title: String, proposal: Option<Note>) {
        let (Some(note), Some(id)) = (proposal, self.index.at(path).and_then(|entry| entry.properties.id))
        else {
            return;
        };
        let key = proposal_key(id);
        let beside = path.beside(&sync_tools::proposal_for(path.name()));
        if self.history.by_key(&key).is_some()
            || self.index.is_taken(&beside)
            || self.drafts.contains_key(&beside)
        {
            return;
        }
        let content_hash = ContentHash::of(note.print().as_bytes());
        self.plan.records.push(WriteRecord {
            key: key.clone(),
            written: LastWrite { id, path: beside.clone(), content_hash },
        });
        self.add_draft(
            beside,
            Draft { note, before: None, subject: Subject::Proposal { title }, keys: vec![key] },
        );
    }

    fn plan_new_note(&mut self, lesson: &Lesson) -> Option<VaultPath> {
        let id = render::derive_note_id(&lesson.key, lesson.when)?;
        let path = self.free_note_path(lesson);
        let note = Note::parse(render::render_note(lesson, id, self.now.time_zone()));
        let subject = Subject::Lesson {
            kind: lesson.candidate.kind,
            title: render::title_of(lesson),
            destination: lesson.destination,
        };
        self.add_draft(path.clone(), Draft { note, before: None, subject, keys: vec![lesson.key.clone()] });
        self.record_lesson(lesson, &path);
        Some(path)
    }

    fn plan_new_idea(&mut self, lesson: &Lesson) {
        if self.ledger_is_unreadable() {
            return self.skip(lesson, None, Reason::LedgerUnreadable);
        }
        if let Some(page) = self.plan_new_note(lesson) {
            self.add_idea_line(lesson, &page);
        }
    }

    /// An idea whose page was written but whose line was not, because the program ended in between.
    fn complete_idea(&mut self, lesson: &Lesson, page: &VaultPath) {
        let is_settled =
            self.history.by_key(&lesson.key).is_some() || self.index.by_key(&lesson.key).is_none();
        if !is_settled && !self.ledger_is_unreadable() && lesson.strengthens.is_none() {
            self.add_idea_line(lesson, page);
        }
    }

    fn add_idea_line(&mut self, lesson: &Lesson, page: &VaultPath) {
        if self.ledger_lines.insert(ideas::block_id(&lesson.key)) {
            self.idea_lines.push((lesson.key.clone(), ideas::render_idea_line(lesson, page)));
        }
    }

    fn ledger_is_unreadable(&self) -> bool {
        self.index.ideas().is_none() && self.index.is_taken(&VaultPath::constant(layout::IDEAS))
    }

    fn plan_ideas_ledger(&mut self) {
        if self.idea_lines.is_empty() {
            return;
        }
        let (path, mut note, before) = match self.index.ideas() {
            Some(entry) => (entry.path.clone(), entry.note.clone(), Some(entry.hash.clone())),
            None => (VaultPath::constant(layout::IDEAS), Note::parse(template::IDEAS.to_owned()), None),
        };
        let (keys, lines): (Vec<_>, Vec<_>) = std::mem::take(&mut self.idea_lines).into_iter().unzip();
        ideas::add_idea_lines(&mut note, &lines);
        self.add_draft(path, Draft { note, before, subject: Subject::Ideas { added: lines.len() }, keys });
    }

    fn plan_overviews(&mut self) {
        let mut overviews: BTreeMap<String, Overview> = BTreeMap::new();
        let stored = self.index.notes().filter(|entry| !self.drafts.contains_key(&entry.path));
        let stored = stored.map(|entry| (&entry.path, entry.properties.clone()));
        let is_proposal = |draft: &Draft| matches!(draft.subject, Subject::Proposal { .. });
        let drafted = self.drafts.iter().filter(|(_, draft)| !is_proposal(draft));
        let drafted = drafted.map(|(path, draft)| (path, Properties::of(&draft.note)));
        for (path, properties) in stored.chain(drafted) {
            if let Some(project) = &properties.project {
                overviews.entry(project.clone()).or_default().add(path, &properties);
            }
        }
        for (project, overview) in overviews {
            self.plan_overview(&project, &overview);
        }
    }

    fn plan_overview(&mut self, project: &str, overview: &Overview) {
        let key = overview::key_of(project);
        let subject = Subject::Overview { project: plain::one_line(project, 160) };
        if let Some(entry) = self.index.by_key(&key) {
            let Block::Intact { inner, .. } = entry.note.block(overview::OVERVIEW) else { return };
            let content = overview.render_block();
            if inner.trim().replace("\r\n", "\n") == content {
                return;
            }
            let mut note = entry.note.clone();
            if note.set_block(overview::OVERVIEW, &content) {
                let before = Some(entry.hash.clone());
                self.add_draft(entry.path.clone(), Draft { note, before, subject, keys: vec![key] });
            }
        } else if !overview.is_empty() && self.history.by_key(&key).is_none() {
            let Some(id) = render::derive_note_id(&key, Timestamp::UNIX_EPOCH) else { return };
            let folder = VaultPath::constant(layout::PROJECTS);
            let path = self.first_free_path(&path::slug(project), |slug| folder.join(&format!("{slug}.md")));
            let text = overview.render_note(project, &key, id, self.now.date());
            let content_hash = ContentHash::of(text.as_bytes());
            let written = LastWrite { id, path: path.clone(), content_hash };
            self.plan.records.push(WriteRecord { key: key.clone(), written });
            self.add_draft(path, Draft { note: Note::parse(text), before: None, subject, keys: vec![key] });
        }
    }

    fn free_note_path(&self, lesson: &Lesson) -> VaultPath {
        let (kind, destination) = (lesson.candidate.kind, lesson.destination);
        let destination = if kind == Kind::Idea { Destination::Ideas } else { destination };
        self.first_free_path(&path::slug(&render::title_of(lesson)), |slug| {
            layout::note_path(kind, destination, slug)
        })
    }

    /// The first of `slug`, `slug-2`, `slug-3` … whose place is free, also on systems that ignore case.
    fn first_free_path(&self, slug: &str, place: impl Fn(&str) -> VaultPath) -> VaultPath {
        let is_taken = |path: &VaultPath| {
            let folder = path.parent().filter(|_| path.name() == "_index.md");
            self.index.is_taken(path)
                || folder.is_some_and(|folder| self.index.is_taken(&folder))
                || self.taken.contains(&path.collision_key())
        };
        let numbered = (2_u64..).map(|number| format!("{slug}-{number}"));
        let mut places = std::iter::once(slug.to_owned()).chain(numbered).map(|slug| place(&slug));
        places.find(|path| !is_taken(path)).unwrap_or_else(|| place(slug))
    }

    fn add_draft(&mut self, path: VaultPath, draft: Draft) {
        if !self.drafts.contains_key(&path) {
            self.order.push(path.clone());
            self.taken.insert(path.collision_key());
        }
        self.draft_of.extend(draft.keys.iter().map(|key| (key.clone(), path.clone())));
        self.drafts.insert(path, draft);
    }

    fn skip(&mut self, lesson: &Lesson, path: Option<&VaultPath>, reason: Reason) {
        self.plan.kept.push(NoWrite { key: lesson.key.clone(), path: path.cloned(), reason });
    }

    /// Notes that the lesson is in the note at `path`, if that is news to the ledger.
    fn record_lesson(&mut self, lesson: &Lesson, path: &VaultPath) {
        let before = self.history.by_key(&lesson.key);
        let entry = self.index.at(path);
        let draft = self.drafts.get(path).map(|draft| ContentHash::of(draft.note.print().as_bytes()));
        let Some(id) = entry.map_or_else(|| self.draft_id(path), |entry| entry.properties.id) else { return };
        let edited = match (&before, entry) {
            (Some(before), Some(entry)) => before.content_hash != entry.hash,
            _ => false,
        };
        let hash = match (&before, draft, entry) {
            // Once a person changed the note it counts as changed, whatever is added to it.
            (Some(before), _, _) if edited => before.content_hash.clone(),
            (_, Some(draft), _) => draft,
            (_, None, Some(entry)) => entry.hash.clone(),
            (_, None, None) => return,
        };
        let written = LastWrite { id, path: path.clone(), content_hash: hash };
        self.plan.records.retain(|record| record.key != lesson.key);
        if before.as_ref() != Some(&written) {
            self.plan.records.push(WriteRecord { key: lesson.key.clone(), written });
        }
    }

    fn draft_id(&self, path: &VaultPath) -> Option<NoteId> {
        Properties::of(&self.drafts.get(path)?.note).id
    }

    fn finish(mut self) -> Plan {
        for path in std::mem::take(&mut self.order) {
            if let Some(draft) = self.drafts.remove(&path) {
                let content = draft.note.print().to_owned();
                let Draft { before, subject, keys, .. } = draft;
                self.plan.actions.push(Action { path, before, content, subject, keys });
            }
        }
        self.plan
    }
}
