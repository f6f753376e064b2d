//! Reading sessions again that were reflected before: what the engine of today would do with the notes of an earlier one.
//!
//! Notes are not rewritten behind the person's back: this is asked for, shown as a plan, and carried out only on request.
//! It is about notes that nobody but Afterword wrote; what a person changed, answered, linked to, deleted or rejected is
//! never in it. Only sessions read by the built-in engine are read again, as a plan sends nothing to anybody.
//! What becomes of which note is decided in `sorting`.

mod sorting;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use afterword_core::{Confidence, ContentKey, Kind, NoteId, SessionId};
use afterword_reflect::builtin::LEAST;
use afterword_store::{ComparisonOutcome, Purpose, Store, TranscriptOutcome, Verdict};
use afterword_vault::{
    Action, LastWrite, Lesson, NoteEditor, NoteEntry, Revision, RevisionOutcome, Subject, Vault, VaultIndex,
    plan,
};
use jiff::{Timestamp, Zoned};

use super::mine::{MinedSession, MiningContext, MiningOutcome};
use super::patterns::Patterns;
use super::replace::{link_exceptions, link_likely, replace, withdraw};
use super::select::{SelectedTranscript, Selection};
use super::write::{BatchWriteReport, KEPT_CHANGING, write_notes};
use super::{SessionFailure, Target, asking, remember};
use crate::comparing::{Replacement, SessionLessons, WithdrawnRule, compare};
use crate::error::NoteError;
use crate::known_transcripts::{known_transcripts, remember_renamed};
use crate::naming::ProjectNames;
use crate::note;
use crate::reflect::progress::{Progress, Step};
use crate::reflect::{mine, select, write};
use crate::vault_session::{VaultSession, recognise_moved, written_before};
use crate::{App, EngineName, Error};
use crate::{feedback, indexing, naming, review, sessions};
pub(crate) use sorting::SortingContext;
use sorting::{SortedFindings, sort};

/// What to read again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RereadRequest {
    /// Which sessions; of [`Target::Changed`] those that were reflected and did not change since.
    pub target: Target,
    /// Carry the plan out. Without it nothing is written.
    pub apply: bool,
}

/// A lesson that would get a note, or got one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addition {
    /// What sort of lesson.
    pub kind: Kind,
    /// How sure the engine is.
    pub confidence: Confidence,
    /// What it says, in a sentence.
    pub title: String,
    /// The session it was found in.
    pub session: SessionId,
    /// The file, below the vault's root.
    pub path: String,
    /// Why it was not written after all.
    pub refused: Option<String>,
}

/// What a note says of its lesson.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wording {
    /// Its title.
    pub title: String,
    /// Its text.
    pub body: String,
    /// How sure the engine is; none where the note does not say.
    pub confidence: Option<Confidence>,
    /// The file, below the vault's root.
    pub path: String,
}

/// A note whose lesson would be put another way, or was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Improvement {
    /// The note.
    pub note: NoteId,
    /// What sort of lesson.
    pub kind: Kind,
    /// The note as it was.
    pub before: Wording,
    /// The note as it is planned.
    pub after: Wording,
    /// Why it was not written after all.
    pub refused: Option<String>,
}

/// A note that would go to the archive, or went there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdrawal {
    /// The note.
    pub note: NoteId,
    /// What sort of lesson.
    pub kind: Kind,
    /// Its title.
    pub title: String,
    /// Where it was, below the vault's root.
    pub path: String,
    /// Where it goes.
    pub to: String,
    /// Why it was not moved after all.
    pub refused: Option<String>,
}

/// Sessions that were not read again, and why.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SkippedCounts {
    /// They were never reflected into this vault.
    pub new: usize,
    /// They changed since they were reflected: reflecting comes first.
    pub changed: usize,
    /// Another engine was asked about them, and reading them again with it would cost something.
    pub other_engine: usize,
    /// The user excludes their project, or had them forgotten.
    pub excluded: usize,
}

/// The plan, and what came of it.
#[derive(Debug)]
pub struct Reread {
    /// It was carried out.
    pub applied: bool,
    /// The vault's root.
    pub vault: PathBuf,
    /// How many sessions were read.
    pub sessions: usize,
    /// Those that were not.
    pub passed: SkippedCounts,
    /// Lessons without a note.
    pub add: Vec<Addition>,
    /// Notes that would say their lesson better.
    pub improve: Vec<Improvement>,
    /// Notes that no reading supports any more.
    pub withdraw: Vec<Withdrawal>,
    /// Lessons that a note has already, with nothing to change.
    pub known: usize,
    /// Lessons whose notes a person deleted; they stay deleted.
    pub deleted: usize,
    /// Lessons kept away because a person rejected one that means the same.
    pub kept_away: usize,
    /// Sessions that could not be read.
    pub failures: Vec<SessionFailure>,
    /// Answers given in notes that could not be carried out, and why.
    pub problems: Vec<String>,
}

impl Reread {
    fn new(vault: &Vault, applied: bool) -> Self {
        Self {
            applied,
            vault: vault.root().to_owned(),
            sessions: 0,
            passed: SkippedCounts::default(),
            add: Vec::new(),
            improve: Vec::new(),
            withdraw: Vec::new(),
            known: 0,
            deleted: 0,
            kept_away: 0,
            failures: Vec::new(),
            problems: Vec::new(),
        }
    }
}

/// Reads sessions again and plans what follows for notes nobody touched; carries the plan out where that is asked.
///
/// # Errors
/// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen); [`SessionError::NoSuch`](crate::error::SessionError::NoSuch), [`SessionError::Ambiguous`](crate::error::SessionError::Ambiguous) or [`SessionError::NotATranscript`](crate::error::SessionError::NotATranscript) for a session that was asked for
/// by name; and [`Error::Vault`], [`Error::Store`] or [`Error::Io`]. A session that fails among many is in [`Reread::failures`].
pub fn reread(
    app: &App,
    request: &RereadRequest,
    now: &Zoned,
    progress: &mut dyn Progress,
) -> Result<Reread, Error> {
    let app = &app.with_temporary_scan_cache();
    let vault = app.open_vault()?;
    let mut reread = Reread::new(&vault, request.apply);
    let store = if request.apply { Some(app.store()?) } else { app.existing_store()? };
    let Some(store) = store else {
        reread.passed.new = select::select(app, &request.target, EngineName::Builtin, None)?.chosen.len();
        return Ok(reread);
    };
    if request.apply {
        recognise_moved(&vault, &store)?;
        reread.problems = review::take_up_reviews(app, now)?.problems;
    }
    let selection = select_unchanged(app, &request.target, &store, &mut reread.passed)?;
    if request.apply {
        remember_renamed(&store, &selection.renamed)?;
    }
    progress.step(&Step::Planned { sessions: selection.chosen.len(), bytes: selection.bytes() });
    let mined = read_again(app, &selection, &store, request, progress, &mut reread)?;
    reread.sessions = mined.len();

    if !request.apply {
        plan_again(app, &vault, &store, &mined, now, &mut reread)?;
    } else if !mined.is_empty() {
        let mut session = VaultSession::begin(app)?;
        let planned = plan_again(app, &session.vault, &session.store, &mined, now, &mut reread)?;
        carry_out(&mut session, &mined, planned, now, &mut reread)?;
        drop(session);
        indexing::index_changes(app);
        feedback::weigh_changes(app, now.timestamp());
    }
    Ok(reread)
}

/// The sessions that were reflected into this vault by the built-in engine alone and did not change since.
fn select_unchanged(
    app: &App,
    target: &Target,
    store: &Store,
    passed: &mut SkippedCounts,
) -> Result<Selection, Error> {
    let transcripts = match target {
        Target::One(argument) => vec![select::find_one(app, argument)?],
        Target::Changed { .. } => sessions::discover(app.claude()).transcripts,
    };
    let since = match target {
        Target::Changed { since: Some(since) } => since.as_nanosecond(),
        Target::Changed { since: None } | Target::One(_) => i128::MIN,
    };
    let (known, renamed) = known_transcripts(store, transcripts.iter())?;
    let forgotten = store.forgotten_sessions().all()?;
    let root = app.vault_root();
    let mut selection = Selection { renamed, ..Selection::default() };
    let transcripts = transcripts.iter().filter(|one| i128::from(one.fingerprint.mtime_ns) >= since);
    for selected in transcripts.map(SelectedTranscript::of) {
        let row = match known.get(&selected.path) {
            // Of no interest to anybody.
            Some(row) if row.outcome == TranscriptOutcome::Own => continue,
            Some(row) => row,
            None => {
                passed.new += 1;
                continue;
            }
        };
        let is_excluded = row.project.as_ref().is_some_and(|project| app.config.exclude.covers(project));
        if forgotten.contains(&selected.session) || is_excluded || row.outcome == TranscriptOutcome::Excluded
        {
            passed.excluded += 1;
        } else if row.outcome != TranscriptOutcome::Reflected || row.vault != root {
            passed.new += 1;
        } else if row.fingerprint != selected.fingerprint {
            passed.changed += 1;
        } else if row.engine != EngineName::Builtin.as_str()
            || store.engine_calls().was_asked(
                Purpose::Reflection,
                &selected.session,
                Timestamp::UNIX_EPOCH,
            )?
        {
            passed.other_engine += 1;
        } else {
            selection.chosen.push(selected);
        }
    }
    selection.chosen.sort_by(|one, other| {
        (one.fingerprint.mtime_ns, &one.path).cmp(&(other.fingerprint.mtime_ns, &other.path))
    });
    Ok(selection)
}

fn read_again(
    app: &App,
    selection: &Selection,
    store: &Store,
    request: &RereadRequest,
    progress: &mut dyn Progress,
    reread: &mut Reread,
) -> Result<Vec<MinedSession>, Error> {
    let mut mining = MiningContext {
        patterns: Patterns::new(Some(store), naming::project_names(app, store)?),
        redaction: app.redaction(),
        engine: EngineName::Builtin,
        model_calls: None,
        in_place_of: None,
    };
    let by_name = matches!(request.target, Target::One(_));
    let mut mined = Vec::new();
    for selected in &selection.chosen {
        if !progress.goes_on() {
            return Err(Error::Cancelled { path: selected.path.clone() });
        }
        let bytes = selected.fingerprint.size;
        progress.step(&Step::Reading { transcript: &selected.path, bytes });
        match mine::mine(app, selected, &mut mining, &|| progress.goes_on()) {
            Ok(MiningOutcome::Mined(one)) => {
                progress.step(&Step::Mined { session: &one.reflection, bytes });
                mined.push(*one);
            }
            Ok(MiningOutcome::Skipped(_)) => reread.passed.excluded += 1,
            Err(error) if by_name || error.stops_everything() => return Err(error),
            Err(error @ Error::Cancelled { .. }) => return Err(error),
            Err(error) => {
                progress.step(&Step::Failed { transcript: &selected.path, bytes, error: &error });
                reread.failures.push(SessionFailure { transcript: selected.path.clone(), error });
            }
        }
    }
    Ok(mined)
}

/// What is written of notes that are there: what says a lesson better, and what takes back one that nothing supports any more.
fn plan_revisions(
    index: &VaultIndex,
    improved: Vec<(NoteId, Lesson)>,
    unsupported: Vec<NoteId>,
    now: &Zoned,
    reread: &mut Reread,
) -> Vec<PlannedRevision> {
    let mut revisions = Vec::new();
    let editor = NoteEditor::new(index);
    for (id, mut lesson) in improved {
        let Some(entry) = index.by_id(id) else { continue };
        asking::keep_in_inbox(&mut lesson, entry);
        match editor.rewrite_from_lesson(entry, &lesson, now.time_zone()) {
            Ok(Some(revision)) => {
                reread.improve.extend(improvement(entry, &revision));
                revisions.push(PlannedRevision { note: id, revision, lesson: Some(lesson) });
            }
            Ok(None) => reread.known += 1,
            Err(error) => reread.problems.push(format!("{}: {error}", entry.path)),
        }
    }
    for id in unsupported {
        let Some(entry) = index.by_id(id) else { continue };
        match editor.withdraw(entry) {
            Ok(revision) => {
                reread.withdraw.extend(withdrawal(entry, &revision));
                revisions.push(PlannedRevision { note: id, revision, lesson: None });
            }
            Err(error) => reread.problems.push(format!("{}: {error}", entry.path)),
        }
    }
    revisions
}

/// Plans, and says so in `reread`.
fn plan_again(
    app: &App,
    vault: &Vault,
    store: &Store,
    mined: &[MinedSession],
    now: &Zoned,
    reread: &mut Reread,
) -> Result<RereadPlan, Error> {
    let mut names = naming::project_names(app, store)?;
    let index = vault.scan()?;
    let mut earlier = HashMap::new();
    let lessons = mined.iter().flat_map(|one| {
        let learned = write::session_lessons(app, one, &mut names, now);
        earlier.extend(learned.earlier);
        // What changed a rule has its note; what did not is none of its own.
        // What is only a rule goes with the rule.
        let changing = learned.revised.into_iter().filter(|one| one.changes >= LEAST || one.excepts);
        let revised = changing.map(|one| one.lesson);
        let revised = revised.filter(|lesson| index.by_key(&lesson.key).is_some());
        let lessons: Vec<Lesson> = learned.lessons.into_iter().chain(revised).collect();
        lessons.into_iter().map(|lesson| (one.moments(&lesson), lesson)).collect::<Vec<_>>()
    });
    let lessons: Vec<(Vec<i64>, Lesson)> = lessons.collect();
    let root = vault.root().to_string_lossy();
    let written = store.written_notes(&root).all()?;
    let answered = store.decisions().all(None)?.into_iter();
    let answered = answered.filter(|row| row.decision.verdict != Verdict::Skip);
    let known = SortingContext {
        index: &index,
        written: &written,
        answered: answered.filter_map(|row| row.decision.note).collect(),
        linked: vault.link_targets()?,
        sessions: mined.iter().map(|one| one.reflection.session.as_str().to_owned()).collect(),
    };
    let SortedFindings { new, improved, mut unsupported, known: settled, deleted } = sort(&known, lessons);
    let ledger = written_before(store, &root)?;
    let learned = vec![SessionLessons { lessons: new, earlier, ..SessionLessons::default() }];
    let compared = compare(&index, store, &ledger, learned, now.timestamp())?;
    let strengthened: HashSet<NoteId> =
        compared.lessons.iter().filter_map(|lesson| lesson.strengthens).collect();
    // Whatever means the same as a note supports it.
    unsupported.retain(|id| !strengthened.contains(id));
    let of_rejected =
        compared.compared.iter().filter(|one| one.verdict == ComparisonOutcome::Rejected).count();
    let (mut new, again): (Vec<Lesson>, Vec<Lesson>) =
        compared.lessons.into_iter().partition(|lesson| lesson.strengthens.is_none());
    asking::choose(&mut new, &index, store, &ledger, app.config.review_per_week, now.timestamp())?;
    (reread.deleted, reread.kept_away) = (deleted, of_rejected);
    reread.known = settled + again.len();

    let revisions = plan_revisions(&index, improved, unsupported, now, reread);
    reread.add = additions(&plan(&index, &new, &ledger, now).actions, &new);
    Ok(RereadPlan {
        names,
        new,
        revisions,
        replaced: compared.replaced,
        likely: compared.likely,
        excepted: compared.excepted,
        withdrawn: compared.withdrawn,
    })
}

/// Words anew, or withdraws, the notes of sessions that the built-in engine read before a model was heard about them, as far as
/// nobody touched them. What is new is written afterwards, as ever.
pub(super) fn replace_stand_ins(app: &App, mined: &[MinedSession], now: &Zoned) -> Result<(), Error> {
    let session = VaultSession::begin(app)?;
    let mut reread = Reread::new(&session.vault, true);
    let planned = plan_again(app, &session.vault, &session.store, mined, now, &mut reread)?;
    for planning in &planned.revisions {
        // A note that was changed meanwhile is a person's.
        revise(&session, planning, now.timestamp())?;
    }
    Ok(())
}

fn carry_out(
    session: &mut VaultSession,
    mined: &[MinedSession],
    planned: RereadPlan,
    now: &Zoned,
    reread: &mut Reread,
) -> Result<(), Error> {
    let RereadPlan { mut names, new, revisions, replaced, likely, excepted, withdrawn: taken_back } = planned;
    for planning in revisions {
        let refused = revise(session, &planning, now.timestamp())?;
        let improved = reread.improve.iter_mut().filter(|one| one.note == planning.note);
        improved.for_each(|one| one.refused.clone_from(&refused));
        let withdrawn = reread.withdraw.iter_mut().filter(|one| one.note == planning.note);
        withdrawn.for_each(|one| one.refused.clone_from(&refused));
    }
    session.rescan()?;
    let mut written = BatchWriteReport::default();
    let open: HashMap<ContentKey, NoteError> = write_notes(session, &new, now, &mut written)?;
    replace(session, &replaced, now)?;
    link_likely(session, &likely)?;
    link_exceptions(session, &excepted)?;
    withdraw(session, &taken_back, now)?;
    session.rescan()?;
    for (addition, lesson) in reread.add.iter_mut().zip(&new) {
        addition.refused = open.get(&lesson.key).map(NoteError::to_string);
        if let Some(entry) = session.index.by_key(&lesson.key) {
            addition.path = entry.path.to_string();
        }
    }
    let is_whole = |one: &&MinedSession| {
        let mut own = new.iter().filter(|lesson| lesson.session == one.reflection.session);
        !own.any(|lesson| open.contains_key(&lesson.key))
    };
    let VaultSession { store, root, .. } = &*session;
    store.in_transaction(|store| {
        names.remember(store)?;
        mined.iter().filter(is_whole).try_for_each(|one| remember::session(store, one, root, now.timestamp()))
    })?;
    Ok(())
}

/// What is to be done.
struct RereadPlan {
    names: ProjectNames,
    new: Vec<Lesson>,
    revisions: Vec<PlannedRevision>,
    replaced: Vec<Replacement>,
    likely: Vec<Replacement>,
    excepted: Vec<Replacement>,
    withdrawn: Vec<WithdrawnRule>,
}

/// A note to change; where it is improved, by which lesson.
pub(crate) struct PlannedRevision {
    pub(crate) note: NoteId,
    pub(crate) revision: Revision,
    pub(crate) lesson: Option<Lesson>,
}

/// Changes one note, if its file is still what the plan was made on; gives why not.
pub(crate) fn revise(
    session: &VaultSession,
    planning: &PlannedRevision,
    at: Timestamp,
) -> Result<Option<String>, Error> {
    let revision = &planning.revision;
    let hash = match session.write_revision(planning.note, revision) {
        Ok(RevisionOutcome::Done { hash }) => hash,
        Ok(RevisionOutcome::ChangedMeanwhile) => return Ok(Some(KEPT_CHANGING.to_owned())),
        Err(error @ Error::Vault(_)) => return Ok(Some(error.to_string())),
        Err(error) => return Err(error),
    };
    if let Some(lesson) = &planning.lesson {
        // A later engine may know the lesson by another key: both are this note's from now on.
        let written = LastWrite { id: planning.note, path: revision.to.clone(), content_hash: hash };
        session.record_learned_note((&lesson.key, &lesson.session), &written, at)?;
    }
    Ok(None)
}

fn additions(actions: &[Action], lessons: &[Lesson]) -> Vec<Addition> {
    let path = |lesson: &Lesson| {
        let is_note = |action: &&Action| {
            matches!(action.subject, Subject::Lesson { .. }) && action.keys.contains(&lesson.key)
        };
        actions.iter().find(is_note).map(|action| action.path.to_string())
    };
    let addition = |lesson: &Lesson| Addition {
        kind: lesson.candidate.kind,
        confidence: lesson.candidate.confidence,
        title: lesson.candidate.title.clone(),
        session: lesson.session.clone(),
        path: path(lesson).unwrap_or_default(),
        refused: None,
    };
    lessons.iter().map(addition).collect()
}

fn improvement(entry: &NoteEntry, revision: &Revision) -> Option<Improvement> {
    let wording = |entry: &NoteEntry, path: String| Wording {
        title: note::title_of(entry),
        body: entry.note.lesson_text().to_owned(),
        confidence: entry.properties.confidence,
        path,
    };
    let after = NoteEntry::with_content(revision.to.clone(), revision.content.clone());
    Some(Improvement {
        note: entry.properties.id?,
        kind: note::lesson_kind(entry)?,
        before: wording(entry, entry.path.to_string()),
        after: wording(&after, revision.to.to_string()),
        refused: None,
    })
}

fn withdrawal(entry: &NoteEntry, revision: &Revision) -> Option<Withdrawal> {
    Some(Withdrawal {
        note: entry.properties.id?,
        kind: note::lesson_kind(entry)?,
        title: note::title_of(entry),
        path: entry.path.to_string(),
        to: revision.to.to_string(),
        refused: None,
    })
}
