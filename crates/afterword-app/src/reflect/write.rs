//! A batch of mined sessions into the vault, and then into the database.

use std::collections::HashMap;

use afterword_core::{
    Candidate, Confidence, ContentKey, Destination, Kind, OtherTelling, Role, Signal, content_key, route,
};
use afterword_reflect::engine::scope::says_everywhere;
use afterword_store::{Comparison, Store};
use afterword_vault::{
    ActionResult, ApplyReport, Lesson, Outcome, Plan, Project, Reason, Subject, VaultIndex, plan,
};
use jiff::Zoned;

use super::mine::MinedSession;
use super::reflection::{SessionFailure, SessionReflection};
use super::replace::{link_exceptions, link_likely, promote, replace, withdraw};
use super::{BatchRead, asking, remember};
use super::{SaveOutcome, SaveReport};
use crate::attempts::attempt_of;
use crate::comparing::{EarlierTellings, PossibleRevision, SessionLessons, compare};
use crate::error::NoteError;
use crate::model_calls::LessonRemark;
use crate::naming::ProjectNames;
use crate::note_change::{NoteChange, NoteChangeKind, WaitingPlace};
use crate::vault_session::VaultSession;
use crate::{App, Error, attempts, feedback, naming};

/// How often a plan is made again because somebody edited a note between the scan and the write.
const TRIES: usize = 4;
/// How many tellings of other sessions a lesson brings along.
const OTHER_TELLINGS: usize = 8;
/// What is said when that was not enough.
pub(super) const KEPT_CHANGING: &str = "it kept changing while it was written";

/// What writing a batch did.
#[derive(Default)]
pub(super) struct BatchWriteReport {
    pub(super) notes: Vec<NoteChange>,
    pub(super) known: usize,
    pub(super) deleted: usize,
    pub(super) failures: Vec<SessionFailure>,
    pub(super) compared: Vec<Comparison>,
}

/// Plans and writes the notes of a batch and remembers them; the sessions whose notes were all written are
/// remembered as reflected.
pub(super) fn write(app: &App, batch: &BatchRead, now: &Zoned) -> Result<BatchWriteReport, Error> {
    let mut session = VaultSession::begin(app)?;
    let mut names = names_by_files(app, &session.store, &session.index, &batch.mined)?;
    let learned = batch.mined.iter().map(|one| session_lessons(app, one, &mut names, now)).collect();
    let known = session.written_before()?;
    let found = compare(&session.index, &session.store, &known, learned, now.timestamp())?;
    let mut lessons = found.lessons;
    let most = app.config.review_per_week;
    asking::choose(&mut lessons, &session.index, &session.store, &known, most, now.timestamp())?;
    let mut written = BatchWriteReport { compared: found.compared, ..BatchWriteReport::default() };
    let open = write_notes(&mut session, &lessons, now, &mut written)?;
    promote(&mut session, &found.promoted, now)?;
    replace(&mut session, &found.replaced, now)?;
    link_likely(&mut session, &found.likely)?;
    link_exceptions(&mut session, &found.excepted)?;
    withdraw(&mut session, &found.withdrawn, now)?;
    let VaultSession { store, root, .. } = &session;
    for one in &batch.mined {
        save_outcome_of(app, store, one, now)?;
    }
    store.in_transaction(|store| {
        store.comparisons().add(&written.compared)?;
        names.remember(store)?;
        for one in &batch.mined {
            let mut own = lessons.iter().filter(|lesson| lesson.session == one.reflection.session);
            if let Some(problem) = own.find_map(|lesson| open.get(&lesson.key)) {
                let error = problem.clone().into();
                written.failures.push(SessionFailure { transcript: one.selected.path.clone(), error });
            } else {
                let (session, at) = (&one.reflection.session, now.timestamp());
                feedback::record_signals(store, session, at)?;
                remember::session(store, one, root, at)?;
            }
        }
        batch.passed.iter().try_for_each(|one| remember::remember_skipped(store, one, now.timestamp()))
    })?;
    Ok(written)
}

/// The names of projects, with what their sessions worked on.
fn names_by_files(
    app: &App,
    store: &Store,
    index: &VaultIndex,
    mined: &[MinedSession],
) -> Result<ProjectNames, Error> {
    let mut names = naming::project_names(app, store)?;
    store.sessions().files()?.into_iter().for_each(|(project, files)| names.add_files(&project, files));
    let of = |one: &MinedSession| Some((one.reflection.project.clone()?, one.files.clone()));
    for (project, files) in mined.iter().filter_map(of) {
        names.add_files(&project, files);
    }
    let has_notes = |name: &str| index.notes().any(|entry| entry.properties.project.as_deref() == Some(name));
    for one in mined.iter().filter_map(|one| one.reflection.project.as_ref()) {
        names.refresh(one, has_notes);
    }
    Ok(names)
}

/// Remembers how a session ended, before it counts as reflected: a crash in between does it again.
fn save_outcome_of(app: &App, store: &Store, one: &MinedSession, now: &Zoned) -> Result<(), Error> {
    let session = &one.reflection;
    let read_by = session.advice.as_ref().map(|advice| (advice.by.as_str(), &advice.account));
    let attempt = attempt_of(one.outcome.as_ref(), read_by, session.title.as_deref());
    let (Some(project), Some(outcome)) = (&session.project, &attempt) else { return Ok(()) };
    let at = session.last_activity.unwrap_or_else(|| now.timestamp());
    attempts::store_outcome(app, store, &session.session, project, outcome, at)
}

/// What a session taught, on its way into the vault.
pub(super) fn session_lessons(
    app: &App,
    mined: &MinedSession,
    names: &mut ProjectNames,
    now: &Zoned,
) -> SessionLessons {
    let session = &mined.reflection;
    let project = session.project.as_ref().map(|key| Project { key: key.clone(), name: names.name(key) });
    let lesson = |candidate: &Candidate| lesson_of(app, mined, project.as_ref(), candidate, now);
    let replaces = session.candidates.iter().filter_map(|candidate| {
        let note = remark_on(session, candidate)?.replaces?;
        if candidate.signal == Signal::Unproven {
            return None;
        }
        Some((lesson(candidate).key, note))
    });
    let revised = mined.revisions.iter().map(|one| PossibleRevision {
        lesson: lesson(&one.candidate),
        clause: one.clause.clone(),
        changes: one.changes,
        said: one.said.clone(),
        answers: one.answers.clone(),
        refused: one.refused.clone(),
        undone: one.undone.clone(),
        excepts: one.excepts,
    });
    let earlier = session.candidates.iter().filter_map(|candidate| earlier_tellings_of(mined, candidate));
    let mut lessons: Vec<Lesson> = session.candidates.iter().map(lesson).collect();
    // A model words what it keeps.
    if session.advice.is_none() {
        lessons.iter_mut().for_each(asking::move_to_inbox);
    }
    SessionLessons {
        revised: revised.collect(),
        earlier: earlier.collect(),
        replaces: replaces.collect(),
        lessons,
    }
}

/// What a candidate is as a lesson: where it holds, whether it is asked about, and what it strengthens.
fn lesson_of(
    app: &App,
    mined: &MinedSession,
    project: Option<&Project>,
    candidate: &Candidate,
    now: &Zoned,
) -> Lesson {
    let session = &mined.reflection;
    let said = candidate.evidence.first().and_then(|evidence| mined.said_at.line(evidence.line));
    let remark = remark_on(session, candidate);
    // What is saved unasked holds beyond its project only where the person's own words say so.
    let everywhere = remark.is_some_and(|remark| remark.everywhere)
        && (candidate.confidence != Confidence::High || applies_everywhere(candidate));
    let mut lesson = Lesson::new(
        candidate.clone(),
        session.session.clone(),
        project.filter(|_| !everywhere).cloned(),
        route(candidate.kind, candidate.confidence, app.config.review_mode),
        said.or(session.last_activity).unwrap_or_else(|| now.timestamp()),
        session.transcript.to_string_lossy().into_owned(),
    );
    lesson.other_tellings = newest(mined.earlier_tellings(candidate).unwrap_or_default());
    lesson.strengthens = remark.filter(|_| candidate.kind != Kind::Idea).and_then(|remark| remark.same_as);
    // Asked about also where nothing else is.
    if candidate.signal == Signal::Unproven {
        lesson.strengthens = None;
        if lesson.destination == Destination::Saved {
            lesson.destination = Destination::Review;
        }
    }
    lesson
}

/// The keys that a candidate's earlier tellings may have, by its own; `None` where it was not told before.
fn earlier_tellings_of(mined: &MinedSession, candidate: &Candidate) -> Option<(ContentKey, EarlierTellings)> {
    let earlier = mined.earlier_tellings(candidate)?;
    let key = |kind, evidence| content_key(kind, mined.reflection.project.as_ref(), evidence);
    // By its words alone it may have been taken for another kind.
    let kinds = [candidate.kind, Kind::Preference, Kind::Workflow];
    let first = candidate.evidence.first()?;
    let own = key(candidate.kind, first);
    let tellings = std::iter::once(first).chain(earlier.iter().map(|telling| &telling.evidence));
    let keys = tellings.flat_map(|evidence| kinds.map(|kind| key(kind, evidence)));
    let keys = keys.filter(|key| *key != own).collect();
    Some((own, EarlierTellings { keys, sessions: earlier.len() }))
}

/// The newest of the other tellings, in the order of time: a transcript of long ago is likely gone, and the note should have room to grow.
fn newest(tellings: &[OtherTelling]) -> Vec<OtherTelling> {
    let mut tellings = tellings.to_vec();
    tellings.sort_by_key(|telling| telling.said_at);
    tellings.split_off(tellings.len().saturating_sub(OTHER_TELLINGS))
}

/// The person says of it, where they are quoted, that it holds in all their projects.
fn applies_everywhere(candidate: &Candidate) -> bool {
    let mut quotes = candidate.evidence.iter().filter(|piece| piece.role == Role::User);
    quotes.any(|piece| says_everywhere(&piece.quote))
}

/// What a model said of a candidate besides its words.
fn remark_on<'a>(session: &'a SessionReflection, candidate: &Candidate) -> Option<&'a LessonRemark> {
    session.advice.as_ref()?.of(candidate)
}

/// Gives the lessons that are not settled, and why.
pub(super) fn write_notes(
    session: &mut VaultSession,
    lessons: &[Lesson],
    now: &Zoned,
    written: &mut BatchWriteReport,
) -> Result<HashMap<ContentKey, NoteError>, Error> {
    let taught_by: HashMap<_, _> = lessons.iter().map(|lesson| (&lesson.key, &lesson.session)).collect();
    let mut attempt = 1;
    loop {
        let plan = plan(&session.index, lessons, &session.written_before()?, now);
        let applied = session.commit(&plan, &taught_by, now.timestamp())?;
        let changed = |done: &ActionResult| matches!(done.outcome, Outcome::ChangedMeanwhile);
        let again = attempt < TRIES && applied.done.iter().any(changed);
        let open = open_lessons(&plan, &applied);
        let notes = applied.done.into_iter().filter_map(note_change);
        written.notes.extend(notes.filter(|note| !again || note.refused.is_none()));
        if !again {
            let deleted = plan.kept.iter().filter(|kept| kept.reason == Reason::Deleted).count();
            written.deleted += deleted;
            written.known += plan.kept.len() - deleted;
            return Ok(open);
        }
        attempt += 1;
        session.rescan()?;
    }
}

/// Writes one lesson that no session was mined for.
pub(crate) fn save_lesson(
    session: &mut VaultSession,
    lesson: &Lesson,
    now: &Zoned,
) -> Result<SaveReport, Error> {
    let known = session.written_before()?;
    let kept = plan(&session.index, std::slice::from_ref(lesson), &known, now).kept;
    if let Some(kept) = kept.into_iter().find(|kept| kept.key == lesson.key) {
        let deleted = kept.reason == Reason::Deleted;
        let outcome = if deleted { SaveOutcome::Deleted } else { SaveOutcome::Known };
        return Ok(SaveReport { outcome, path: kept.path.map(|path| path.to_string()) });
    }
    let mut written = BatchWriteReport::default();
    let open = write_notes(session, std::slice::from_ref(lesson), now, &mut written)?;
    if let Some(problem) = open.into_values().next() {
        return Err(problem.into());
    }
    let is_lesson = |note: &&NoteChange| matches!(note.what, NoteChangeKind::Lesson { .. });
    let path = written.notes.iter().find(is_lesson).map(|note| note.path.clone());
    Ok(SaveReport { outcome: SaveOutcome::Saved, path })
}

/// The lessons that are not settled, because a write of theirs did not end well, and why.
fn open_lessons(plan: &Plan, applied: &ApplyReport) -> HashMap<ContentKey, NoteError> {
    let mut open = HashMap::new();
    for (action, done) in plan.actions.iter().zip(&applied.done) {
        let problem = match &done.outcome {
            Outcome::Written { .. } | Outcome::AlreadyThere { .. } => continue,
            Outcome::ChangedMeanwhile => NoteError::not_written(KEPT_CHANGING),
            Outcome::Failed(error) => NoteError::refused(error),
        };
        open.extend(action.keys.iter().map(|key| (key.clone(), problem.clone())));
    }
    open
}

fn note_change(done: ActionResult) -> Option<NoteChange> {
    let (what, title, waits) = match done.subject {
        Subject::Lesson { kind, title, destination } => {
            let waits = match destination {
                Destination::Review => Some(WaitingPlace::Review),
                Destination::Inbox => Some(WaitingPlace::Inbox),
                Destination::Saved | Destination::Ideas => None,
            };
            (NoteChangeKind::Lesson { kind }, title, waits)
        }
        Subject::Evidence { title, .. } => (NoteChangeKind::Evidence, title, None),
        Subject::Proposal { title } => (NoteChangeKind::Proposal, title, None),
        Subject::Ideas { .. } => (NoteChangeKind::Ideas, "Ideas".to_owned(), None),
        Subject::Deleted { .. } | Subject::Month { .. } => return None,
        Subject::Reference { title } => (NoteChangeKind::Reference, title, None),
        Subject::Overview { project } => (NoteChangeKind::Overview, project, None),
    };
    let refused = match done.outcome {
        Outcome::Written { .. } => None,
        Outcome::AlreadyThere { .. } => return None,
        Outcome::ChangedMeanwhile => Some(KEPT_CHANGING.to_owned()),
        Outcome::Failed(error) => Some(error.to_string()),
    };
    Some(NoteChange { what, title, path: done.path.to_string(), waits, refused })
}
