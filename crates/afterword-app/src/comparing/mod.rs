//! Comparing what was learned with what is known, before it is written: the same again strengthens the note it matches, a rule
//! that certainly takes the place of another does so at once, what only seems to go against one is put up for review beside it,
//! what means the same as a rejected one is kept away.
//!
//! Only lessons met for the first time are compared; one that has a note, or had one, goes by its key. Everything found
//! is told with the note it was found against and how close the two are.

mod apart;
mod excepting;
mod relation;
mod revising;
mod saved;
mod strengthening;

use std::collections::{BTreeSet, HashMap};

use afterword_core::{ContentKey, Destination, Kind, NoteId, ProjectKey, Signal};
use afterword_recall::{EmbeddingModel, Meaning, Relation};
use afterword_reflect::builtin::{Difference, difference, essence, only_withdraws};
use afterword_store::{Comparison, ComparisonOutcome, Store};
use afterword_vault::{Lesson, NoteEntry, Status, VaultIndex, WriteHistory, is_known};
use jiff::Timestamp;

use crate::Error;
use crate::note;
use crate::review::rejections;
use crate::search_model::embedded_model;
use crate::worth::is_actionable;
use relation::{relation_to, turn_of};
pub(crate) use saved::{KnownLesson, known_lesson};

/// In how many sessions a wish that was never said outright is told before it counts.
const OFTEN: usize = 3;

/// What comparing found.
#[derive(Debug, Default)]
pub(crate) struct ComparedLessons {
    /// The lessons that go on to the vault.
    pub(crate) lessons: Vec<Lesson>,
    /// What became of those that are the same as, against, or rejected like another.
    pub(crate) compared: Vec<Comparison>,
    /// The rules that take the place of others, to be carried out once all have notes.
    pub(crate) replaced: Vec<Replacement>,
    /// The rules that likely take the place of others, and wait for an answer.
    pub(crate) likely: Vec<Replacement>,
    /// Exceptions, the newer of the two, and the rules they are exceptions to.
    pub(crate) excepted: Vec<Replacement>,
    /// The rules that were taken back, with nothing in their place.
    pub(crate) withdrawn: Vec<WithdrawnRule>,
    /// Notes that waited and count from now on, as what they say was said again.
    pub(crate) promoted: Vec<Promotion>,
}

/// A note that waited and counts from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Promotion {
    /// The note.
    pub(crate) note: NoteId,
    /// What the plainer telling calls it; nothing where it was only said often.
    pub(crate) title: Option<String>,
    /// It is a request that came in one session after another.
    pub(crate) again: bool,
}

/// A rule was taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WithdrawnRule {
    /// The rule.
    pub(crate) rule: Match,
    /// The words that took it back.
    pub(crate) words: String,
}

/// A rule takes the place of another: the last word wins, in whichever order the two were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Replacement {
    /// What holds from now on.
    pub(crate) newer: Match,
    /// What held before.
    pub(crate) older: Match,
}

/// Compares lessons with the notes of a vault and with the rejections that hold.
///
/// Without the model nothing is compared, and every lesson goes on as it is.
pub(crate) fn compare(
    index: &VaultIndex,
    store: &Store,
    ledger: &dyn WriteHistory,
    mut learned: Vec<SessionLessons>,
    at: Timestamp,
) -> Result<ComparedLessons, Error> {
    // What is said in passing is weighed beside what was said before, in whichever order the files were read.
    learned.sort_by_key(SessionLessons::first_stated_at);
    let is_new = |lesson: &Lesson| lesson.candidate.kind != Kind::Idea && !is_known(index, ledger, lesson);
    let has_new = |one: &SessionLessons| one.lessons.iter().any(is_new) || !one.revised.is_empty();
    let Some(model) = embedded_model().filter(|_| learned.iter().any(has_new)) else {
        let lessons = learned.into_iter().flat_map(|one| one.lessons).collect();
        return Ok(ComparedLessons { lessons, ..ComparedLessons::default() });
    };
    let mut comparing = Comparing::new(index, store, model)?;
    let mut found = ComparedLessons::default();
    let mut exceptions = Vec::new();
    for one in learned {
        comparing.take(one.lessons, (&one.earlier, &one.replaces), is_new, at, &mut found);
        let new = one.revised.into_iter().filter(|one| !is_known(index, ledger, &one.lesson));
        let (excepting, revised): (Vec<_>, Vec<_>) = new.partition(|one| one.excepts);
        exceptions.extend(excepting);
        comparing.revise(revised, at, &mut found);
    }
    // Once all rules are known: an exception may have been said before its rule.
    let left = comparing.except(exceptions, &mut found);
    comparing.revise(left, at, &mut found);
    Ok(found)
}

/// Where earlier sessions said what a lesson says, in other words.
#[derive(Debug)]
pub(crate) struct EarlierTellings {
    /// The keys that lessons of them would have.
    pub(crate) keys: Vec<ContentKey>,
    /// In how many sessions.
    pub(crate) sessions: usize,
}

/// What a session taught.
#[derive(Debug, Default)]
pub(crate) struct SessionLessons {
    /// Its lessons.
    pub(crate) lessons: Vec<Lesson>,
    /// A lesson's earlier tellings, by its key.
    pub(crate) earlier: HashMap<ContentKey, EarlierTellings>,
    /// What was said in it that may change a rule of another session.
    pub(crate) revised: Vec<PossibleRevision>,
    /// Notes that a model said no longer hold by a lesson: a person is asked.
    pub(crate) replaces: HashMap<ContentKey, NoteId>,
}

impl SessionLessons {
    /// When the first of it was said.
    fn first_stated_at(&self) -> Option<Timestamp> {
        let revised = self.revised.iter().map(|one| one.lesson.when);
        self.lessons.iter().map(|lesson| lesson.when).chain(revised).min()
    }
}

/// Words that may change a rule.
#[derive(Debug)]
pub(crate) struct PossibleRevision {
    /// The lesson they are if they do.
    pub(crate) lesson: Lesson,
    /// The clause.
    pub(crate) clause: String,
    /// How likely it changes some rule: 0 to 1.
    pub(crate) changes: f32,
    /// The message it stands in.
    pub(crate) said: String,
    /// What the agent had said last, where they point to something they do not name.
    pub(crate) answers: Option<String>,
    /// What was offered and not picked, where it was decided for good.
    pub(crate) refused: Vec<String>,
    /// Words that went from the agent's work once they were said.
    pub(crate) undone: Vec<String>,
    /// They allow something in one place or case.
    pub(crate) excepts: bool,
}

impl Comparing<'_> {
    fn take(
        &mut self,
        lessons: Vec<Lesson>,
        (earlier, replaces): (&HashMap<ContentKey, EarlierTellings>, &HashMap<ContentKey, NoteId>),
        is_new: impl Fn(&Lesson) -> bool,
        at: Timestamp,
        found: &mut ComparedLessons,
    ) {
        for mut lesson in lessons {
            if !is_new(&lesson) {
                let known = self.index.by_key(&lesson.key).and_then(|entry| entry.properties.id);
                found.promoted.extend(known.and_then(|id| self.promotion(id, &lesson)));
                found.lessons.push(lesson);
                continue;
            }
            if is_unproven(&lesson) {
                self.ask_about(lesson, at, found);
                continue;
            }
            if rules(lesson.candidate.kind) && only_withdraws(&lesson.candidate.title) {
                self.withdraw(&lesson, at, found);
                continue;
            }
            let told_earlier = earlier.get(&lesson.key);
            let tellings = self.earlier_matches(told_earlier.map_or(&[], |told| &told.keys), found);
            if let Some(first) = tellings.iter().find(|first| self.is_repeated_by(first, &lesson, found)) {
                self.strengthen(&mut lesson, first.clone(), found);
                found.lessons.push(lesson);
                continue;
            }
            // What was said twice, and once along with something else, has no note before it comes again.
            let is_second = told_earlier.is_some_and(|told| told.sessions == 1);
            if tellings.is_empty() || (!is_second && lesson.destination == Destination::Saved) {
                let replaced = replaces.get(&lesson.key).copied();
                self.take_new(lesson, replaced, at, found);
            }
        }
    }

    /// Takes a lesson that no note has yet; a model may say which note it takes the place of.
    fn take_new(
        &mut self,
        mut lesson: Lesson,
        replaced: Option<NoteId>,
        at: Timestamp,
        found: &mut ComparedLessons,
    ) {
        let meaning = Meaning::of(self.model, &text_of(&lesson));
        let mut compared = self.compare_lesson(&lesson, &meaning, at);
        if !matches!(
            compared,
            Some((_, _, MatchRelation::InPlaceOf | MatchRelation::Outdated | MatchRelation::Rejected))
        ) {
            compared = self.newer_rule(&lesson, &meaning, at).or(compared);
        }
        // A model's word is no reason to give a session one rule rather than another.
        let mut is_seen = true;
        if let (None, Some(note)) = (&compared, replaced) {
            is_seen = false;
            compared = self.replacement_by_model(&lesson, &meaning, note, at);
        }
        let against =
            compared.as_ref().is_some_and(|(_, _, stand)| stand.verdict() == ComparisonOutcome::Contradicts);
        lesson.strengthens =
            lesson.strengthens.filter(|note| !against && !self.goes_against(&lesson, &meaning, *note));
        if let Some((comparison, matched, stand)) = compared {
            found.compared.push(comparison);
            let own = Match::Lesson(lesson.key.clone());
            match stand {
                MatchRelation::Rejected => return,
                MatchRelation::Against if lesson.destination == Destination::Saved => {
                    lesson.destination = Destination::Review;
                    if is_seen {
                        found.likely.push(Replacement { newer: own, older: matched });
                    }
                }
                MatchRelation::Against => {}
                MatchRelation::InPlaceOf => found.replaced.push(Replacement { newer: own, older: matched }),
                MatchRelation::Outdated => found.replaced.push(Replacement { newer: matched, older: own }),
                MatchRelation::Same => self.strengthen(&mut lesson, matched, found),
            }
        }
        if lesson.strengthens.is_none() && lesson.joins.is_none() {
            self.remember(&lesson, meaning);
        }
        found.lessons.push(lesson);
    }
}

impl Comparing<'_> {
    /// Words that may be somebody else's grow and end no lesson, and no other lesson grows by them: a person looks at them, once.
    fn ask_about(&mut self, lesson: Lesson, at: Timestamp, found: &mut ComparedLessons) {
        let meaning = Meaning::of(self.model, &text_of(&lesson));
        let compared = self.compare_lesson(&lesson, &meaning, at);
        let is_known = matches!(compared, Some((_, _, MatchRelation::Same | MatchRelation::Rejected)));
        found.compared.extend(compared.map(|(comparison, ..)| comparison));
        if !is_known {
            self.remember(&lesson, meaning);
            found.lessons.push(lesson);
        }
    }
}

/// What a lesson was found to match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Match {
    /// A note of the vault.
    Note(NoteId),
    /// A lesson of the same run, by its key.
    Lesson(ContentKey),
}

/// How a lesson stands to what it was found to match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MatchRelation {
    /// It says the same again.
    Same,
    /// A person refused one that means the same.
    Rejected,
    /// The two seem not to hold together.
    Against,
    /// It was said later and takes the other's place.
    InPlaceOf,
    /// The other was said later and takes its place.
    Outdated,
}

impl MatchRelation {
    /// As it is remembered.
    fn verdict(self) -> ComparisonOutcome {
        match self {
            Self::Same => ComparisonOutcome::Same,
            Self::Rejected => ComparisonOutcome::Rejected,
            Self::Against | Self::InPlaceOf | Self::Outdated => ComparisonOutcome::Contradicts,
        }
    }

    fn reason(self) -> &'static str {
        match self {
            Self::Same => "it says the same again, so that note's evidence grows",
            Self::Rejected => "it means the same as one you rejected",
            Self::Against => "it goes against that note, which it may take the place of",
            Self::InPlaceOf => "it was said later and takes that note's place",
            Self::Outdated => "that note was said later and takes its place",
        }
    }
}

/// Something a lesson is compared with.
struct Counterpart {
    kind: Kind,
    /// It was stated as a rule, and not found in a correction or a choice.
    stated: bool,
    /// It was asked for again and again.
    repeats: bool,
    /// It counts, and does not only wait for an answer.
    counts: bool,
    /// It waits, and may be somebody else's words: only their like is compared with it.
    unproven: bool,
    note: Option<NoteId>,
    key: Option<ContentKey>,
    /// The session it was first learned in.
    session: Option<String>,
    /// When it was said; `None` where that is not known.
    when: Option<Timestamp>,
    /// The entries it rests on, by their uuids; with what stands before them in a note's list.
    entries: Vec<String>,
    path: String,
    title: String,
    meaning: Meaning,
}

/// What is known, by project; the empty name stands for what holds everywhere.
struct Comparing<'a> {
    model: &'a EmbeddingModel,
    index: &'a VaultIndex,
    rejected: Vec<(Option<String>, Counterpart, String)>,
    known: HashMap<String, Vec<Counterpart>>,
    /// The sessions that told a lesson of this run that waits.
    sessions_by_key: HashMap<ContentKey, BTreeSet<String>>,
}

impl<'a> Comparing<'a> {
    fn new(index: &'a VaultIndex, store: &Store, model: &'a EmbeddingModel) -> Result<Self, Error> {
        let rejected = rejections::active_rejections(index, Some(store))?.into_iter().map(|rejection| {
            let other = Counterpart {
                kind: rejection.kind,
                stated: false,
                repeats: false,
                counts: false,
                unproven: false,
                note: rejection.note,
                key: None,
                session: None,
                when: None,
                entries: Vec::new(),
                path: rejection.path,
                title: rejection.title,
                meaning: Meaning::of(model, &rejection.text),
            };
            (rejection.project, other, rejection.reason)
        });
        Ok(Self {
            model,
            index,
            rejected: rejected.collect(),
            known: HashMap::new(),
            sessions_by_key: HashMap::new(),
        })
    }

    fn compare_lesson(
        &mut self,
        lesson: &Lesson,
        meaning: &Meaning,
        at: Timestamp,
    ) -> Option<(Comparison, Match, MatchRelation)> {
        let project = lesson.project.as_ref().map(|project| project.name.clone());
        if let Some((other, reason)) = self.rejection(project.as_deref(), lesson, meaning) {
            let because = if reason.is_empty() { String::new() } else { format!(", because \"{reason}\"") };
            let stand = MatchRelation::Rejected;
            let reason = format!("{}{because}", stand.reason());
            return Some((comparison(lesson, stand, other, meaning, reason, at), other.as_match()?, stand));
        }
        let names = [project.unwrap_or_default(), String::new()];
        for name in &names {
            self.load(name);
        }
        let others = names.iter().take(if names[0].is_empty() { 1 } else { 2 });
        let others = others.filter_map(|name| self.known.get(name)).flatten();
        let others = others.filter(|other| !other.unproven || is_unproven(lesson));
        let stands = others.filter_map(|other| {
            let (stand, likely) = relation_to(self.model, lesson, meaning, other)?;
            Some((other, stand, likely))
        });
        // What takes another's place does not say the same as a third.
        let rank = |stand: MatchRelation| match stand {
            MatchRelation::InPlaceOf | MatchRelation::Outdated => 2,
            MatchRelation::Same | MatchRelation::Rejected => 1,
            MatchRelation::Against => 0,
        };
        let (other, stand, _) = stands.max_by(|(_, one, this), (_, other, that)| {
            rank(*one).cmp(&rank(*other)).then_with(|| this.total_cmp(that))
        })?;
        let reason = stand.reason().to_owned();
        Some((comparison(lesson, stand, other, meaning, reason, at), other.as_match()?, stand))
    }

    /// A note that a model says no longer holds by a lesson.
    fn replacement_by_model(
        &self,
        lesson: &Lesson,
        meaning: &Meaning,
        note: NoteId,
        at: Timestamp,
    ) -> Option<(Comparison, Match, MatchRelation)> {
        let other = self.known.values().flatten().find(|other| other.note == Some(note) && other.counts)?;
        let stand = MatchRelation::Against;
        let reason = format!("as the model that was asked says, {}", stand.reason());
        Some((comparison(lesson, stand, other, meaning, reason, at), other.as_match()?, stand))
    }

    /// The lesson and a note that a model takes for the same seem not to hold together.
    fn goes_against(&self, lesson: &Lesson, meaning: &Meaning, note: NoteId) -> bool {
        let other = self.known.values().flatten().find(|other| other.note == Some(note));
        other.is_some_and(|other| {
            meaning.relation(&other.meaning) == Relation::Opposed || turn_of(lesson, meaning, other).is_some()
        })
    }

    /// The closest of the rejections that hold for the project.
    fn rejection(
        &self,
        project: Option<&str>,
        lesson: &Lesson,
        meaning: &Meaning,
    ) -> Option<(&Counterpart, &str)> {
        let holds = |scope: &Option<String>| scope.is_none() || scope.as_deref() == project;
        let of = self.rejected.iter().filter(|(scope, ..)| holds(scope));
        let close = of.filter(|(_, other, _)| {
            matches!(meaning.relation(&other.meaning), Relation::Same | Relation::Close)
                && difference(&lesson.candidate.title, &other.title) == Difference::None
        });
        let closest = close.max_by(|(_, one, _), (_, other, _)| {
            meaning.closeness(&one.meaning).total_cmp(&meaning.closeness(&other.meaning))
        });
        closest.map(|(_, other, reason)| (other, reason.as_str()))
    }

    /// Reads what the lessons of a project mean, once.
    fn load(&mut self, project: &str) {
        if self.known.contains_key(project) {
            return;
        }
        let (index, model) = (self.index, self.model);
        let of = |entry: &&NoteEntry| entry.properties.project.as_deref().unwrap_or_default() == project;
        let others = index.notes().filter(of).filter_map(|entry| {
            let standing = entry.properties.effective_status();
            let stands = matches!(standing, Some(Status::Active | Status::Inbox) | None);
            let unproven = entry.properties.signal == Some(Signal::Unproven);
            Some(Counterpart {
                kind: note::lesson_kind(entry).filter(|_| stands)?,
                stated: entry.properties.signal.is_none_or(is_stated),
                repeats: entry.properties.signal == Some(Signal::RepeatedPattern),
                counts: standing != Some(Status::Inbox),
                unproven: unproven && standing == Some(Status::Inbox),
                note: entry.properties.id,
                key: entry.properties.key.clone(),
                session: entry.properties.session.clone(),
                when: entry.properties.id.and_then(NoteId::made_at),
                entries: entry.properties.evidence.clone(),
                path: entry.path.to_string(),
                title: note::title_of(entry),
                meaning: Meaning::of(model, &note::text_of(entry)),
            })
        });
        self.known.insert(project.to_owned(), others.collect());
    }

    /// Lets the lessons that follow be compared with this one, too.
    fn remember(&mut self, lesson: &Lesson, meaning: Meaning) {
        let project = lesson.project.as_ref().map(|project| project.name.clone()).unwrap_or_default();
        self.load(&project);
        self.known.entry(project).or_default().push(Counterpart {
            kind: lesson.candidate.kind,
            stated: is_stated(lesson.candidate.signal),
            repeats: lesson.candidate.signal == Signal::RepeatedPattern,
            counts: lesson.destination == Destination::Saved,
            unproven: is_unproven(lesson),
            note: None,
            key: Some(lesson.key.clone()),
            session: Some(lesson.session.as_str().to_owned()),
            when: Some(lesson.when),
            entries: lesson.candidate.evidence.iter().map(|piece| piece.uuid.clone()).collect(),
            path: String::new(),
            title: lesson.candidate.title.clone(),
            meaning,
        });
    }
}

impl Counterpart {
    fn as_match(&self) -> Option<Match> {
        let lesson = || self.key.clone().map(Match::Lesson);
        self.note.map(Match::Note).or_else(lesson)
    }
}

/// Whether a lesson was found in words that may be somebody else's.
fn is_unproven(lesson: &Lesson) -> bool {
    lesson.candidate.signal == Signal::Unproven
}

/// Whether a lesson is a request that came in one session after another.
fn comes_again(lesson: &Lesson) -> bool {
    lesson.candidate.signal == Signal::RepeatedPattern && lesson.destination == Destination::Saved
}

/// Whether a session would not know from a title what to do.
fn is_vague(signal: Signal, title: &str) -> bool {
    let is_of_many = matches!(signal, Signal::RepeatedPattern | Signal::ErrorResolved);
    !is_stated(signal) && !is_of_many && !is_actionable(title)
}

/// Whether a lesson rests on one of these entries, as a fork repeats them.
fn shares_entry(entries: &[String], lesson: &Lesson) -> bool {
    let uuids = lesson.candidate.evidence.iter().map(|piece| piece.uuid.as_str());
    uuids.filter(|uuid| !uuid.is_empty()).any(|uuid| entries.iter().any(|entry| entry.ends_with(uuid)))
}

/// Whether a lesson was stated as a rule: what was found in a correction or a choice speaks of the work at hand, and another one
/// about the same does not end it.
fn is_stated(signal: Signal) -> bool {
    matches!(signal, Signal::StandingRule | Signal::Saved)
}

/// Whether lessons of this kind ask for something, so that two can be against each other.
fn rules(kind: Kind) -> bool {
    matches!(kind, Kind::Preference | Kind::Workflow)
}

fn text_of(lesson: &Lesson) -> String {
    afterword_recall::document::meaning(&lesson.candidate.title, &essence(&lesson.candidate.body))
}

fn comparison(
    lesson: &Lesson,
    stand: MatchRelation,
    other: &Counterpart,
    meaning: &Meaning,
    reason: String,
    at: Timestamp,
) -> Comparison {
    let project: Option<ProjectKey> = lesson.project.as_ref().map(|project| project.key.clone());
    Comparison {
        session: lesson.session.clone(),
        candidate: lesson.key.clone(),
        project,
        kind: lesson.candidate.kind,
        title: lesson.candidate.title.clone(),
        verdict: stand.verdict(),
        note: other.note,
        note_path: other.path.clone(),
        note_title: other.title.clone(),
        closeness: f64::from(meaning.closeness(&other.meaning)),
        reason,
        at,
    }
}
