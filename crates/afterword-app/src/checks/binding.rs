//! Making a lesson bind, and lifting it: what is proposed, the person's yes, and what stands where.

use afterword_core::{NoteId, SessionId};
use afterword_platform::lock::ApplyLock;
use afterword_vault::{NoteEditor, NoteEntry, Properties, RevisionOutcome, Value, VaultIndex};
use jiff::Timestamp;
use serde::Serialize;

use super::answer::counts;
use super::bindings::{self, Bindings, BoundNote, PermanentLift, SessionLift};
use super::check::Check;
pub use super::past::{Example, PastMatches};
use super::propose::propose;
use crate::checks::{on_disk, past};
use crate::error::{NoteError, ReviewError, VaultSetupError};
use crate::health::Check as Finding;
use crate::note;
use crate::vault_session::VaultSession;
use crate::{App, Error};

/// The property of a note that holds its checks.
pub const PROPERTY: &str = "check";
/// How often a note is changed again because it changed between the look and the write.
const TRIES: usize = 4;
/// What `doctor` calls this.
const NAME: &str = "checks";

/// Where a proposed check comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "CheckSource"))]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The person gave it now.
    Given,
    /// It stands in the note.
    Note,
    /// It was made of the lesson's own words.
    Words,
}

/// A check that wants a yes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct Proposal {
    /// The note.
    pub id: NoteId,
    /// Its file below the vault.
    pub path: String,
    /// The lesson.
    pub title: String,
    /// Its project's name; empty where it holds everywhere.
    pub project: String,
    /// The checks, a line each; none where nothing can be proposed.
    pub checks: Vec<String>,
    /// Where they come from.
    pub source: Source,
    /// Why nothing can bind as it stands: a check of the note that cannot be read, or a note that does not count.
    pub problem: Option<String>,
    /// They bind already.
    pub binds: bool,
    /// What they would have caught.
    pub past: PastMatches,
    #[serde(skip)]
    directories: Vec<String>,
}

/// What became of lifting a note's checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnbindOutcome {
    /// They bind no more.
    ForGood,
    /// They do not bind in this session.
    ForSession(SessionId),
    /// They did not bind before.
    DidNotBind,
    /// Nobody can say for which session: none was stopped by them.
    NoSession,
}

/// How a note's checks stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BindingState {
    /// They bind.
    Binds,
    /// Nobody has said yes to them.
    Unconfirmed,
    /// They were changed since somebody said yes.
    Changed,
    /// They were lifted for good.
    Ended,
    /// They cannot be read, or their note does not count, and why.
    Unusable(String),
    /// They bind, but their note is gone or says nothing of them any more.
    Lost,
}

/// A note that has checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteChecks {
    /// The note.
    pub id: Option<NoteId>,
    /// Its file below the vault.
    pub path: String,
    /// The lesson.
    pub title: String,
    /// Its project's name; empty where it holds everywhere.
    pub project: String,
    /// The checks, a line each.
    pub checks: Vec<String>,
    /// How they stand.
    pub standing: BindingState,
    /// How often they stopped something, as far as the log goes back.
    pub stopped: usize,
}

/// What would bind where a note did, and what it would have caught; changes nothing. `given` are checks that the person
/// gives now; else those in the note count, else what its words say.
///
/// # Errors
/// [`NoteError::NoSuch`], [`VaultSetupError::NotChosen`], or [`Error::Vault`] or [`Error::Store`].
pub fn propose_checks(app: &App, argument: &str, given: &[Check]) -> Result<Proposal, Error> {
    let index = app.open_vault()?.scan()?;
    let entry = note::find(&index, argument)?;
    let id = note::id_of(entry)?;
    let title = note::title_of(entry);
    let project = entry.properties.project.clone().unwrap_or_default();
    let directories = past::directories_of(app, &project)?;
    let own = entry.note.list_of(PROPERTY);
    let mut problem = counts(&entry.note, &Properties::of(&entry.note)).err();
    let (source, checks) = if !given.is_empty() {
        (Source::Given, Ok(given.to_vec()))
    } else if has_property(entry) {
        (Source::Note, of_note(entry))
    } else {
        let test = past::test_command_of(&directories);
        let words = entry.note.lesson_text();
        let plain = propose(&title, words, test);
        let found = if plain.is_empty() { on_disk::propose(&title, words, &directories) } else { plain };
        (Source::Words, Ok(found))
    };
    let checks = checks.unwrap_or_else(|reason| {
        problem = Some(reason);
        Vec::new()
    });
    let past = past::past_matches(app, &checks, &directories);
    let lines: Vec<String> = match source {
        // As they stand there: what is agreed to is compared with that.
        Source::Note => own,
        _ => checks.iter().map(Check::to_string).collect(),
    };
    let binds = Bindings::read(&app.paths)?.bound_note(id).is_some_and(|known| known.checks == lines);
    let path = entry.path.to_string();
    Ok(Proposal { id, path, title, project, checks: lines, source, problem, binds, past, directories })
}

/// Carries a proposal out: the checks are written into the note where they do not stand there yet, and bind from now on.
///
/// # Errors
/// As [`propose_checks`]; [`ReviewError::Unchangeable`] and [`ReviewError::Changing`] for the note.
pub fn bind(app: &App, proposal: &Proposal, now: Timestamp) -> Result<(), Error> {
    let mut session = VaultSession::begin(app)?;
    let path = write_checks(&mut session, proposal)?;
    let mut bound = Bindings::read(&app.paths)?;
    bound.notes.retain(|note| note.id != proposal.id);
    bound.permanent_lifts.retain(|lift| lift.note != proposal.id);
    bound.session_lifts.retain(|lifted| lifted.note != proposal.id);
    bound.notes.push(BoundNote {
        id: proposal.id,
        path: path.to_string(),
        title: app.redaction().text(&proposal.title),
        project: proposal.project.clone(),
        directories: proposal.directories.clone(),
        checks: proposal.checks.clone(),
        agreed: now,
    });
    bound.write(&app.paths)
}

/// Writes the checks into their note; gives where it is. They are the person's word, and so is the note from then on.
fn write_checks(session: &mut VaultSession, proposal: &Proposal) -> Result<String, Error> {
    for _ in 0..TRIES {
        let index = &session.index;
        let gone = || NoteError::NoSuch { argument: proposal.id.to_string() };
        let entry = index.by_id(proposal.id).ok_or_else(gone)?;
        let path = entry.path.to_string();
        if entry.note.list_of(PROPERTY) == proposal.checks {
            return Ok(path);
        }
        let refused = |source| ReviewError::Unchangeable { path: path.clone(), source };
        let revision =
            NoteEditor::new(index).set_checks(entry, PROPERTY, &proposal.checks).map_err(refused)?;
        if let RevisionOutcome::Done { .. } = session.revise_as_person(&revision)? {
            return Ok(path);
        }
        session.rescan()?;
    }
    Err(ReviewError::Changing { path: proposal.path.clone() }.into())
}

/// Lifts a note's checks: for the session that they stopped last, or the one that is named, or for good. The lines stay in the
/// note.
///
/// # Errors
/// [`NoteError::NoSuch`], or [`Error::Vault`] or [`Error::Io`].
pub fn unbind(
    app: &App,
    argument: &str,
    once: bool,
    session: Option<SessionId>,
) -> Result<UnbindOutcome, Error> {
    let _lock = ApplyLock::take(&app.paths.apply_lock())?;
    let mut bound = Bindings::read(&app.paths)?;
    let id = bound_id(app, &bound, argument)?;
    let Some(known) = bound.bound_note(id).cloned() else { return Ok(UnbindOutcome::DidNotBind) };
    if !once {
        bound.notes.retain(|note| note.id != id);
        bound.session_lifts.retain(|lifted| lifted.note != id);
        bound.permanent_lifts.push(PermanentLift { note: id, hash: bindings::hash(&known.checks) });
        bound.write(&app.paths)?;
        return Ok(UnbindOutcome::ForGood);
    }
    let stopped_last = || {
        let stopped = bindings::read_log(&app.paths).into_iter().rev();
        stopped
            .filter(|line| line.what == bindings::STOPPED_SOMETHING && line.note == Some(id))
            .find_map(|line| line.session)
    };
    let Some(session) = session.or_else(stopped_last) else { return Ok(UnbindOutcome::NoSession) };
    if !bound.is_lifted(id, &session) {
        bound.session_lifts.push(SessionLift { note: id, session: session.clone() });
        bound.write(&app.paths)?;
    }
    Ok(UnbindOutcome::ForSession(session))
}

/// A note that binds by its id or the start of one, also where the vault is away; else any note.
fn bound_id(app: &App, bound: &Bindings, argument: &str) -> Result<NoteId, Error> {
    let starts = |note: &&BoundNote| note.id.to_string().starts_with(&argument.trim().to_lowercase());
    let mut known = bound.notes.iter().filter(starts);
    if let (Some(one), None, true) = (known.next(), known.next(), argument.trim().len() >= 4) {
        return Ok(one.id);
    }
    let index = app.open_vault()?.scan()?;
    note::id_of(note::find(&index, argument)?)
}

/// Every note that has checks, and how they stand.
///
/// # Errors
/// [`VaultSetupError::NotChosen`], or [`Error::Vault`] or [`Error::Io`].
pub fn checks(app: &App) -> Result<Vec<NoteChecks>, Error> {
    let bound = Bindings::read(&app.paths)?;
    let index = app.open_vault()?.scan()?;
    let logged = bindings::read_log(&app.paths);
    let stopped = |id: NoteId| {
        logged.iter().filter(|line| line.what == bindings::STOPPED_SOMETHING && line.note == Some(id)).count()
    };
    let mut listed = Vec::new();
    for entry in index.notes().filter(|entry| has_property(entry)) {
        let checks = entry.note.list_of(PROPERTY);
        let id = entry.properties.id;
        listed.push(NoteChecks {
            id,
            path: entry.path.to_string(),
            title: note::title_of(entry),
            project: entry.properties.project.clone().unwrap_or_default(),
            standing: binding_state(&bound, entry, &checks),
            checks,
            stopped: id.map_or(0, stopped),
        });
    }
    for note in &bound.notes {
        if !listed.iter().any(|one| one.id == Some(note.id)) {
            listed.push(NoteChecks {
                id: Some(note.id),
                path: note.path.clone(),
                title: note.title.clone(),
                project: note.project.clone(),
                checks: note.checks.clone(),
                standing: BindingState::Lost,
                stopped: stopped(note.id),
            });
        }
    }
    Ok(listed)
}

/// Brings what hooks read up to date with notes that were moved or given another title. Nothing comes to bind by it.
///
/// # Errors
/// [`Error::Io`].
pub(crate) fn renew_binding_checks(app: &App, index: &VaultIndex) -> Result<(), Error> {
    let _lock = ApplyLock::take(&app.paths.apply_lock())?;
    let mut bound = Bindings::read(&app.paths)?;
    let before = bound.clone();
    for known in &mut bound.notes {
        let Some(entry) = index.by_id(known.id) else { continue };
        known.path = entry.path.to_string();
        known.title = app.redaction().text(&note::title_of(entry));
        known.project = entry.properties.project.clone().unwrap_or_default();
        known.directories = past::directories_of(app, &known.project)?;
    }
    if bound == before { Ok(()) } else { bound.write(&app.paths) }
}

/// Whether the checks of a note bind.
pub(crate) fn binds(app: &App, id: NoteId) -> bool {
    Bindings::read(&app.paths).is_ok_and(|bound| bound.bound_note(id).is_some())
}

/// Whether any check binds.
pub(crate) fn has_binding_checks(app: &App) -> bool {
    // What cannot be read is told by `doctor`, and by the log when a hook meets it.
    Bindings::read(&app.paths).is_ok_and(|bound| !bound.notes.is_empty())
}

/// What `doctor` says of checks; nothing where there are none. `are_asked`: Claude Code asks before a tool runs.
pub(crate) fn checks_finding(app: &App, are_asked: bool) -> Option<Finding> {
    let listed = match checks(app) {
        Ok(listed) if listed.is_empty() => return None,
        Ok(listed) => listed,
        // Told of the vault itself.
        Err(Error::VaultSetup(VaultSetupError::NotChosen) | Error::Vault(_)) => return None,
        Err(error) => return Some(Finding::error(NAME, &error)),
    };
    let count = |wanted: fn(&BindingState) -> bool| listed.iter().filter(|one| wanted(&one.standing)).count();
    let binding = count(|standing| *standing == BindingState::Binds);
    let unusable = listed.iter().find_map(|one| match &one.standing {
        BindingState::Unusable(why) => Some(format!("{}: {why}", one.path)),
        _ => None,
    });
    let waiting = count(|standing| {
        matches!(standing, BindingState::Unconfirmed | BindingState::Changed | BindingState::Lost)
    });
    let notes = if binding == 1 { "1 note binds".to_owned() } else { format!("{binding} notes bind") };
    if binding > 0 && !are_asked {
        let message = format!("{notes}, but Claude Code does not ask before a tool runs");
        return Some(Finding::warn(NAME, message, "run `afterword install claude-code`"));
    }
    if let Some(why) = unusable {
        return Some(Finding::warn(
            NAME,
            format!("{notes}; {why}"),
            "mend it, or look with `afterword checks`",
        ));
    }
    if waiting > 0 {
        let advice = "look with `afterword checks`, and say yes with `afterword bind NOTE`";
        return Some(Finding::warn(
            NAME,
            format!("{notes}; nobody said yes to {waiting} as they stand"),
            advice,
        ));
    }
    Some(Finding::ok(NAME, notes))
}

fn has_property(entry: &NoteEntry) -> bool {
    entry.note.value(PROPERTY).is_some_and(|value| value != Value::Empty)
}

/// The checks of a note as they can be asked.
fn of_note(entry: &NoteEntry) -> Result<Vec<Check>, String> {
    let lines = entry.note.list_of(PROPERTY);
    if lines.is_empty() {
        return Err(format!("`{PROPERTY}` is neither a text nor a list of texts"));
    }
    Check::parse_all(&lines)
}

fn binding_state(bound: &Bindings, entry: &NoteEntry, checks: &[String]) -> BindingState {
    // As the hook reads them: by the note alone, wherever it lies.
    let properties = &Properties::of(&entry.note);
    let Some(id) = properties.id else { return BindingState::Unusable("its note has no id".to_owned()) };
    if let Err(why) = of_note(entry).map(drop).and_then(|()| counts(&entry.note, properties)) {
        return BindingState::Unusable(why);
    }
    let hash = bindings::hash(checks);
    match bound.bound_note(id) {
        Some(known) if bindings::hash(&known.checks) == hash => BindingState::Binds,
        Some(_) => BindingState::Changed,
        None if bound.permanent_lifts.iter().any(|lift| lift.note == id && lift.hash == hash) => {
            BindingState::Ended
        }
        None => BindingState::Unconfirmed,
    }
}
