//! Reflecting: sessions are read and mined, what was found is redacted and routed, notes are planned and written, and
//! the database is told, in that order.
//!
//! Notes are written before the database hears of them, and a batch at a time. A crash in between leaves notes that
//! the database does not know; they carry their keys, so the next plan finds them and writes none twice, and the
//! sessions of that batch are read again.

pub mod again;
mod asking;
mod counts;
mod mine;
mod patterns;
pub mod polish;
pub mod progress;
mod reflection;
mod remember;
mod replace;
mod saved;
mod select;
mod unproven;
mod write;

use std::time::{Duration, Instant};

use afterword_core::Trigger;
use afterword_store::{Run, Store};
use jiff::{Timestamp, Zoned};

pub use counts::EventCounts;
pub(crate) use mine::mine_by_name;
pub use mine::{Eligibility, eligibility};
pub use reflection::{ReflectRequest, Reflection, SessionFailure, SessionReflection, Target};
pub(crate) use replace::promote;
pub use saved::{SaveOutcome, SaveReport};
pub(crate) use select::select_paths;
pub(crate) use write::save_lesson;

use crate::error::SessionError;
use crate::known_transcripts::remember_renamed;
use crate::model_calls::ReflectionOptions;
use crate::note_change::{NoteChange, NoteChangeKind};
use crate::reflect::progress::{Progress, Step};
use crate::sessions::is_client_transcript;
use crate::vault_session::recognise_moved;
use crate::web_cache::{Owner, SessionWeb, WebResultCounts};
use crate::{
    App, EngineName, Error, feedback, ideas, indexing, injection, model_calls, naming, review, web_cache,
};
pub use again::reread;
use mine::{MiningContext, MiningOutcome, SkippedSession};
use patterns::Patterns;
pub use polish::{polish_apply, polish_estimate, polish_plan, stored_polish};
use select::SelectedTranscript;

/// Sessions whose notes are planned and written together. Each batch scans the vault once and is what a crash can
/// cost; a first run over a thousand sessions scans some thirty times.
const BATCH: usize = 32;

/// Reflects.
///
/// # Errors
/// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen) before a vault was chosen (a dry run needs none), [`SessionError::Foreign`], [`SessionError::NoSuch`],
/// [`SessionError::Ambiguous`] or [`SessionError::NotATranscript`] for a session that was asked for by name, and [`Error::Vault`],
/// [`Error::Store`] or [`Error::Io`] where nothing can be reflected. A session that fails among many is in [`Reflection::failures`].
pub fn reflect(
    app: &App,
    request: &ReflectRequest,
    now: &Zoned,
    progress: &mut dyn Progress,
) -> Result<Reflection, Error> {
    reflect_with(app, request, ReflectionOptions::default(), now, progress)
}

/// Reflects, and tells an engine that can be told what is wished for.
///
/// # Errors
/// As [`reflect`].
pub fn reflect_with(
    app: &App,
    request: &ReflectRequest,
    ordered: ReflectionOptions,
    now: &Zoned,
    progress: &mut dyn Progress,
) -> Result<Reflection, Error> {
    let clock = Instant::now();
    let app = &app.with_temporary_scan_cache();
    let wanted = request.engine.unwrap_or(app.config.engine);
    // A dry run sends nothing to anybody, and so costs nothing.
    let engine = if request.dry_run { EngineName::Builtin } else { wanted };
    let vault = if request.dry_run { None } else { Some(app.open_vault()?) };
    let store = if request.dry_run { app.existing_store()? } else { Some(app.store()?) };
    if let (Some(vault), Some(store)) = (&vault, &store) {
        recognise_moved(vault, store)?;
        // What sessions were given is known before what they taught is held against it.
        injection::absorb_records(app, store)?;
    }
    refuse_foreign(app, request)?;
    let selection = select::select(app, &request.target, wanted, store.as_ref())?;
    if let Some(store) = store.as_ref().filter(|_| !request.dry_run) {
        remember_renamed(store, &selection.renamed)?;
    }
    let mut problems = Vec::new();
    if !request.dry_run && !selection.chosen.is_empty() {
        // Before anything is compared: what was answered in an editor since the last time counts.
        problems = review::take_up_reviews(app, now)?.problems;
    }
    progress.step(&Step::Planned { sessions: selection.chosen.len(), bytes: selection.bytes() });

    let mut reflection = Reflection {
        engine,
        not_asked: Some(wanted).filter(|wanted| *wanted != engine),
        dry_run: request.dry_run,
        sessions: Vec::new(),
        failures: Vec::new(),
        problems,
        unchanged: selection.unchanged,
        excluded: selection.excluded,
        own: selection.own,
        vault: vault.as_ref().map(|vault| vault.root().to_owned()),
        notes: Vec::new(),
        known: 0,
        deleted: 0,
        compared: Vec::new(),
        bytes: 0,
        duration: Duration::ZERO,
    };
    let in_place_of = ordered.in_place_of;
    let model_calls = model_calls::model_calls(app, engine, ordered, now)?;
    let mut mining = MiningContext {
        patterns: Patterns::new(store.as_ref(), naming::remembered_names(app, store.as_ref())?),
        redaction: app.redaction(),
        engine,
        model_calls,
        in_place_of,
    };
    for batch in selection.chosen.chunks(BATCH) {
        mining.patterns.add_names(naming::remembered_names(app, store.as_ref())?);
        let mut read = read_batch(app, batch, &mut mining, request, progress, &mut reflection)?;
        if let Some(store) = store.as_ref().filter(|_| !request.dry_run) {
            write_batch(app, store, &mut read, request, now, progress, &mut reflection)?;
        }
        let stopped = read.stopped;
        reflection.sessions.extend(read.mined.into_iter().map(|one| one.reflection));
        if stopped {
            break;
        }
    }
    reflection.notes.sort_by(|one, other| one.path.cmp(&other.path));
    reflection.duration = clock.elapsed();
    if let Some(store) = store.filter(|_| !request.dry_run) {
        store.runs().add(&run_of(&reflection, request.trigger, now))?;
        follow_up(app, &store, &reflection.notes, now.timestamp())?;
    }
    Ok(reflection)
}

/// What follows from the notes of a run: research that is ordered, the index, what came of lessons that were given.
fn follow_up(app: &App, store: &Store, notes: &[NoteChange], at: Timestamp) -> Result<(), Error> {
    ideas::order_research(app, store, notes, at)?;
    injection::absorb_records(app, store)?;
    if !notes.is_empty() {
        indexing::index_changes(app);
    }
    feedback::weigh_changes(app, at);
    Ok(())
}

/// Without the person's leave no transcript but Claude Code's own becomes lessons.
fn refuse_foreign(app: &App, request: &ReflectRequest) -> Result<(), Error> {
    if let Target::One(argument) = &request.target
        && !(request.dry_run || request.foreign)
    {
        let path = select::select_one(app, argument)?.path;
        if !is_client_transcript(app.claude(), &path) {
            return Err(SessionError::Foreign { path }.into());
        }
    }
    Ok(())
}

/// Writes what was found in a batch, and says so in `reflection`.
fn write_batch(
    app: &App,
    store: &Store,
    read: &mut BatchRead,
    request: &ReflectRequest,
    now: &Zoned,
    progress: &mut dyn Progress,
    reflection: &mut Reflection,
) -> Result<(), Error> {
    if let Target::One(argument) = &request.target
        && !progress.goes_on()
    {
        return Err(Error::Cancelled { path: argument.into() });
    }
    let lessons = read.mined.iter().map(|one| one.reflection.candidates.len()).sum();
    progress.step(&Step::Writing { lessons });
    for one in read_by_the_built_in(app, store, &read.mined)? {
        again::replace_stand_ins(app, std::slice::from_ref(one), now)?;
    }
    let written = write::write(app, read, now)?;
    reflection.notes.extend(written.notes);
    reflection.known += written.known;
    reflection.deleted += written.deleted;
    reflection.compared.extend(written.compared);
    reflection.failures.extend(written.failures);
    curate_batch(app, read, request, now, &mut reflection.failures);
    Ok(())
}

/// Files or drops what the sessions of a batch fetched from the web, those that could not be written aside.
fn curate_batch(
    app: &App,
    read: &mut BatchRead,
    request: &ReflectRequest,
    now: &Zoned,
    failures: &mut Vec<SessionFailure>,
) {
    // Of a single one the agent may have kept something while it went on.
    let by_name = matches!(request.target, Target::One(_));
    for one in &mut read.mined {
        let session = &mut one.reflection;
        let is_written = failures.iter().all(|failure| failure.transcript != session.transcript);
        if !is_written || !(one.fetched || by_name) {
            continue;
        }
        match file_session_web_results(app, session, std::mem::take(&mut one.web), now) {
            Ok(pages) => session.pages = pages,
            Err(error) => {
                failures.push(SessionFailure { transcript: session.transcript.clone(), error });
            }
        }
    }
}

/// Files or drops what one session fetched: by what was learned from it, and what a model would keep besides.
fn file_session_web_results(
    app: &App,
    session: &SessionReflection,
    web: SessionWeb,
    now: &Zoned,
) -> Result<WebResultCounts, Error> {
    let candidates = session.candidates.iter();
    let lessons: Vec<String> = candidates.map(|one| format!("{}\n{}", one.title, one.body)).collect();
    let owner = Owner { session: &session.session, project: session.project.as_ref() };
    let chosen = session.advice.as_ref().map(|advice| advice.pages.as_slice()).unwrap_or_default();
    web_cache::file_web_results(app, &session.transcript, owner, web, (lessons.as_slice(), chosen), now)
}

/// The sessions that a model was heard about now, and that nobody but the built-in engine read before.
fn read_by_the_built_in<'m>(
    app: &App,
    store: &Store,
    mined: &'m [mine::MinedSession],
) -> Result<Vec<&'m mine::MinedSession>, Error> {
    let root = app.vault_root();
    let mut read_before = Vec::new();
    for one in mined.iter().filter(|one| one.engine != EngineName::Builtin) {
        let known = store.sessions().get(&one.selected.path)?;
        if known.is_some_and(|known| known.vault == root && known.engine == EngineName::Builtin.as_str()) {
            read_before.push(one);
        }
    }
    Ok(read_before)
}

fn read_batch(
    app: &App,
    batch: &[SelectedTranscript],
    mining: &mut MiningContext<'_>,
    request: &ReflectRequest,
    progress: &mut dyn Progress,
    reflection: &mut Reflection,
) -> Result<BatchRead, Error> {
    let by_name = matches!(request.target, Target::One(_));
    let mut read = BatchRead::default();
    for selected in batch {
        if read.stopped {
            break;
        }
        if !progress.goes_on() {
            if by_name {
                return Err(Error::Cancelled { path: selected.path.clone() });
            }
            break;
        }
        let bytes = selected.fingerprint.size;
        progress.step(&Step::Reading { transcript: &selected.path, bytes });
        match mine::mine(app, selected, mining, &|| progress.goes_on()) {
            Ok(MiningOutcome::Mined(mut one)) => {
                let engine_error = one.engine_error.take();
                let (session, candidates) = (&one.reflection.session, one.reflection.candidates.len());
                tracing::info!(%session, candidates, bytes, "session read");
                if let Some(error) = &engine_error {
                    progress.step(&Step::Failed { transcript: &selected.path, bytes, error });
                } else {
                    progress.step(&Step::Mined { session: &one.reflection, bytes });
                }
                // The next of many would fare the same, and none of them is begun. What the built-in engine found is
                // kept of all others, and of the one that is to be read.
                read.stopped = engine_error.as_ref().is_some_and(Error::stops_asking);
                if by_name || !read.stopped {
                    reflection.bytes += one.report.bytes;
                    read.mined.push(*one);
                }
                let transcript = selected.path.clone();
                reflection.failures.extend(engine_error.map(|error| SessionFailure { transcript, error }));
            }
            // The command has nothing else to do than the session that was asked for by name.
            Ok(MiningOutcome::Skipped(one)) if by_name => return Err(one.into_error()),
            Ok(MiningOutcome::Skipped(one)) => {
                match one.outcome {
                    afterword_store::TranscriptOutcome::Own => reflection.own += 1,
                    _ => reflection.excluded += 1,
                }
                read.passed.push(one);
            }
            Err(Error::Cancelled { .. }) if !by_name => break,
            Err(error) if by_name || error.stops_everything() => return Err(error),
            Err(error) => {
                tracing::warn!(session = %selected.session, "a session could not be read: {}", error.chain());
                progress.step(&Step::Failed { transcript: &selected.path, bytes, error: &error });
                reflection.failures.push(SessionFailure { transcript: selected.path.clone(), error });
            }
        }
    }
    Ok(read)
}

/// What the sessions of a batch held.
#[derive(Default)]
struct BatchRead {
    mined: Vec<mine::MinedSession>,
    passed: Vec<SkippedSession>,
    /// The engine cannot be asked any more.
    stopped: bool,
}

fn run_of(reflection: &Reflection, trigger: Trigger, now: &Zoned) -> Run {
    let written = || reflection.notes.iter().filter(|note| note.refused.is_none());
    let created = written().filter(|note| matches!(note.what, NoteChangeKind::Lesson { .. })).count() as u64;
    Run {
        started_at: now.timestamp(),
        duration: reflection.duration,
        trigger: trigger.to_string(),
        engine: reflection.engine.to_string(),
        sessions: reflection.sessions.len() as u64,
        failed: reflection.failures.len() as u64,
        bytes: reflection.bytes,
        candidates: reflection.sessions.iter().map(|session| session.candidates.len() as u64).sum(),
        notes_created: created,
        notes_changed: written().count() as u64 - created,
    }
}
