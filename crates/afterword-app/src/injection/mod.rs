//! What a session is given of what is known: as it starts, the lessons of its project; with a prompt, those that clearly
//! match it.
//!
//! It runs inside a hook, so it opens no database but the index, which it only reads, and waits for nobody. What was
//! given, and why the rest was not, is left in a file that is taken into the database later ([`record`]). A note's own
//! file has the last word on whether it counts. Start at [`lessons_for_session`].

mod choose;
mod finished_reflections;
mod likely;
mod once;
mod past_attempts;
mod project_file;
pub mod record;
mod unfinished_work;
mod wording;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use afterword_claude_code::discover::is_below_subagents;
use afterword_core::{NoteId, SessionId};
use afterword_recall::{Query, search};
use afterword_store::{NoteFilter, SearchIndex};
use afterword_vault::likely_replacement::last_stated_on;
use afterword_vault::{Note, Properties, Status, Vault};
use jiff::Timestamp;
use jiff::civil::Date;

use crate::lesson_filter::lessons_with_status;
use crate::repository::{project_folder, same_project};
use crate::{App, Error, search_model};
use choose::{Choice, ChosenLesson};
pub use finished_reflections::{FinishedReflection, is_awaited_reflection_done, write_finished_reflection};
use likely::LikelyChanges;
pub use once::is_first_at_moment;
pub use record::{ConsideredLesson, InjectionRecord, absorb_records, write_injection_record};
pub use unfinished_work::{UnfinishedWork, write_unfinished_work};

/// Notes of a project, and of no project, that are thought of.
const MOST_THOUGHT_OF: usize = 60;
/// The largest note that is read, in bytes.
const LARGEST: u64 = 256 * 1024;
/// Lessons given with a prompt, at most.
const MOST_WITH_PROMPT: usize = 3;
/// The score from which a lesson clearly matches a prompt (`docs/quality.md`, "Retrieval").
const CLEARLY: f32 = 0.53;

/// Where hooks leave what they gave, and that they did.
fn records(app: &App) -> PathBuf {
    app.paths.state.join("given")
}

/// A session that may be given something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InjectionRequest {
    /// The session.
    pub session: SessionId,
    /// Its working directory.
    pub cwd: Option<String>,
    /// How it starts (`startup`, `resume`, `clear`, `compact`, `fork`), or `prompt`.
    pub moment: String,
    /// Its transcript, by which a sub-agent's session is known.
    pub transcript: Option<PathBuf>,
}

/// What a session is given as it starts: notes with `always_load` first, then what was learned in its project, then what
/// holds everywhere, within `recall.token_budget` and never cut inside a sentence. One that goes on after a break is given what other
/// sessions taught since. Says why where that is nothing.
pub fn lessons_for_session(app: &App, request: &InjectionRequest, now: Timestamp) -> InjectionRecord {
    let mut given = InjectionRecord::new(request, now);
    match give_known(app, request, &mut given) {
        Ok(()) => {}
        Err(Silence::Because(reason)) => given.silence = reason.to_owned(),
        Err(Silence::Failed(error)) => {
            given.silence = format!("what is known could not be read: {}", error.chain());
        }
    }
    finished_reflections::add_ended_reflections(app, request, &mut given, now);
    unfinished_work::add_unfinished_work(app, request, &mut given, now);
    given
}

/// Forgets everything that was left for next sessions.
///
/// # Errors
/// [`Error::Io`].
pub(crate) fn forget_handoffs(app: &App) -> Result<(), Error> {
    [unfinished_work::FOLDER, finished_reflections::FOLDER]
        .into_iter()
        .try_for_each(|folder| project_file::forget_all(app, folder))
}

/// What a session is given with a prompt: with `recall.on_prompt` the lessons that clearly match it, of its project and of none,
/// and what was tried before at such a task; in any case that a reflection it asked for has ended.
pub fn lessons_for_prompt(
    app: &App,
    request: &InjectionRequest,
    prompt: &str,
    now: Timestamp,
) -> InjectionRecord {
    let mut given = InjectionRecord::new(request, now);
    match matching(app, request, prompt, &mut given) {
        Ok(()) => {}
        Err(Silence::Because(reason)) => given.silence = reason.to_owned(),
        Err(Silence::Failed(error)) => {
            given.silence = format!("what is known could not be read: {}", error.chain());
        }
    }
    finished_reflections::add_ended_reflections(app, request, &mut given, now);
    given
}

fn give_known(app: &App, request: &InjectionRequest, given: &mut InjectionRecord) -> Result<(), Silence> {
    let goes_on = matches!(request.moment.as_str(), "resume" | "fork");
    let since = request.transcript.as_deref().filter(|_| goes_on).and_then(changed_at);
    if goes_on && since.is_none() {
        return Err(Silence::Because("it goes on with what it was given when it began"));
    }
    let (vault, index) = to_give_from(app, request)?;
    let project = project_of(app, &index, request)?;
    given.project.clone_from(&project);
    let changes = LikelyChanges::of(&vault, &index, &project)?;
    let mut offered = index.always_loaded(&project, MOST_THOUGHT_OF)?;
    let scopes = if project.is_empty() { vec![""] } else { vec![project.as_str(), ""] };
    for scope in scopes {
        let known = |path: &str| offered.iter().any(|one| one.path == path);
        let more = index.top_lessons(scope, MOST_THOUGHT_OF)?;
        let more: Vec<_> = more.into_iter().filter(|one| !known(&one.path)).collect();
        offered.extend(more);
    }
    let lessons = offered.into_iter().map(|one| ChosenLesson {
        reason: match (one.always_load, one.project.is_empty()) {
            (true, _) => "always loaded",
            (false, true) => "holds everywhere",
            (false, false) => "learned in this project",
        },
        note: one.id,
        path: one.path,
        title: one.title,
        text: None,
        is_report: false,
    });
    match since {
        Some(since) => {
            let is_new = |path: &str| is_news(&vault, path, &request.session, since);
            let is_news = |lesson: &ChosenLesson| {
                is_new(&lesson.path)
                    || changes.of_older(&lesson.path).is_some_and(|newer| is_new(&newer.path))
            };
            give(app, (&vault, &changes), lessons.filter(is_news).collect(), given).map_err(|silence| {
                match silence {
                    Silence::Because(_) => {
                        Silence::Because("nothing was learned elsewhere since it was left")
                    }
                    failed => failed,
                }
            })
        }
        None => give(app, (&vault, &changes), lessons.collect(), given),
    }
}

/// When a file was written last.
fn changed_at(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|data| data.modified()).ok()
}

/// Whether a note was written since a time, and not for what that session itself said.
fn is_news(vault: &Path, path: &str, session: &SessionId, since: SystemTime) -> bool {
    let Some(path) = afterword_vault::VaultPath::parse(path) else { return false };
    if changed_at(&vault.join(path.as_str())).is_none_or(|changed| changed <= since) {
        return false;
    }
    let text = Vault::text_at(vault, &path, LARGEST).ok().flatten().unwrap_or_default();
    Properties::of(&Note::parse(text)).session.as_deref() != Some(session.as_str())
}

fn matching(
    app: &App,
    request: &InjectionRequest,
    prompt: &str,
    given: &mut InjectionRecord,
) -> Result<(), Silence> {
    if !app.config.recall.on_prompt {
        return Err(Silence::Because("`recall.on_prompt` is false"));
    }
    let (vault, index) = to_give_from(app, request)?;
    let project = project_of(app, &index, request)?;
    given.project.clone_from(&project);
    let projects = vec![project.clone(), String::new()];
    let filter = NoteFilter { projects, ..lessons_with_status(Status::Active) };
    let model = search_model::model_of(app, &index)?;
    let found = search(&index, model.as_deref(), &Query::new(prompt), &filter, 20)?;
    let clear = found.hits.into_iter().filter(|hit| hit.score >= CLEARLY);
    let lessons = clear.take(MOST_WITH_PROMPT).map(|hit| ChosenLesson {
        reason: "clearly matches the prompt",
        note: hit.note.id,
        path: hit.note.path,
        title: hit.note.title,
        text: None,
        is_report: false,
    });
    let tried = past_attempts::similar_attempts(app, &index, model.as_deref(), (request, prompt), &project)?;
    let changes = LikelyChanges::of(&vault, &index, &project)?;
    give(app, (&vault, &changes), lessons.chain(tried).collect(), given)
}

/// The vault and the index, where a session is to be given anything at all.
fn to_give_from(app: &App, request: &InjectionRequest) -> Result<(PathBuf, SearchIndex), Silence> {
    may_be_given(app, request)?;
    let vault = app.config.vault.clone().ok_or(Silence::Because("no vault is set up"))?;
    let index = SearchIndex::open_to_read(&app.paths.search_index())?;
    Ok((vault, index.ok_or(Silence::Because("nothing was indexed yet"))?))
}

/// Whether a session is to be given anything at all.
fn may_be_given(app: &App, request: &InjectionRequest) -> Result<(), Silence> {
    if app.config.recall.token_budget == 0 {
        return Err(Silence::Because("`recall.token_budget` is 0"));
    }
    if request.transcript.as_deref().is_some_and(is_below_subagents) {
        return Err(Silence::Because("a sub-agent's session is given nothing"));
    }
    let cwd = request.cwd.as_deref().map(afterword_core::ProjectKey::from_cwd);
    if cwd.as_ref().is_some_and(|cwd| app.config.exclude.covers(cwd)) {
        return Err(Silence::Because("its project is excluded by `privacy.exclude`"));
    }
    if cwd.is_some_and(|cwd| Path::new(cwd.as_str()).starts_with(app.paths.engine_workplace())) {
        return Err(Silence::Because("a session that Afterword started itself"));
    }
    Ok(())
}

/// The name of the project that the session's directory is, or lies in; empty where nothing was learned there.
fn project_of(app: &App, index: &SearchIndex, request: &InjectionRequest) -> Result<String, Silence> {
    let Some(cwd) = &request.cwd else { return Ok(String::new()) };
    let folders = &app.config.folders;
    let own = afterword_core::ProjectKey::from_cwd(&project_folder(cwd, folders));
    if let Some(name) = folders.name_of(own.as_str()) {
        return Ok(name.to_owned());
    }
    let home = app.environment.home.as_deref();
    for directory in Path::new(own.as_str()).ancestors() {
        if Some(directory) == home || directory.parent().is_none() {
            break;
        }
        if let Some(name) = directory.to_str().map(|text| index.project_name(text)).transpose()?.flatten() {
            return Ok(name);
        }
    }
    // A clone or a workspace in which nothing was learned yet.
    let mut own_folders = Path::new(own.as_str()).ancestors().take_while(|folder| Some(*folder) != home);
    let root = own_folders.find(|folder| folder.join(".git").exists());
    let root = root.and_then(Path::to_str).unwrap_or(own.as_str());
    let known = index.projects()?;
    let same = same_project(root, known.iter().map(|(path, _)| path.as_str()), folders);
    let said = same.and_then(|folder| folders.name_of(folder));
    let name = known.iter().find(|(path, _)| Some(path.as_str()) == same).map(|(_, name)| name.as_str());
    Ok(said.or(name).unwrap_or_default().to_owned())
}

/// Reads the notes as they are now and words those that still count, and in the place of one that likely does not what was said later.
/// What has its words already is of no note.
fn give(
    app: &App,
    (vault, changes): (&Path, &LikelyChanges),
    lessons: Vec<ChosenLesson>,
    given: &mut InjectionRecord,
) -> Result<(), Silence> {
    let redaction = app.redaction();
    let mut choice = Choice::new(app.config.recall.token_budget);
    for mut lesson in lessons {
        if choice.is_full() {
            choice.leave_out(lesson, "no room in `recall.token_budget`");
            continue;
        }
        if lesson.text.is_some() {
            choice.offer(lesson);
            continue;
        }
        match note_at(vault, &lesson.path, &lesson.note) {
            Ok(note) => match changes.newer_than(&lesson.path, note.said) {
                Some(newer) => {
                    choice.leave_out(lesson, likely::REPLACED_REASON);
                    choice.offer(newer.lesson(redaction.text(&wording::text(newer.title(), ""))));
                }
                None => {
                    lesson.text = Some(redaction.text(&wording::text(&note.title, &note.words)));
                    lesson.title = note.title;
                    choice.offer(lesson);
                }
            },
            Err(reason) => choice.leave_out(lesson, reason),
        }
    }
    let (text, tokens, lessons) = choice.finish();
    given.lessons = lessons;
    given.tokens = tokens;
    given.bytes = Some(text.len());
    given.text = text;
    if given.text.is_empty() {
        return Err(Silence::Because("nothing is known for it"));
    }
    Ok(())
}

/// Why a session is given nothing.
enum Silence {
    Because(&'static str),
    Failed(Error),
}

impl<E: Into<Error>> From<E> for Silence {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// A note that counts, as it is now.
struct CountingNote {
    title: String,
    words: String,
    said: Option<Date>,
}

/// A note that counts at this moment, or why it does not. It must be the note of that `id`: what came under
/// its name since it was indexed was never looked at.
fn note_at(vault: &Path, path: &str, id: &str) -> Result<CountingNote, &'static str> {
    const GONE: &str = "its note was moved or deleted since it was indexed";
    let id =
        NoteId::parse(id).ok_or("its note has no id, so it is no lesson that was learned or approved")?;
    let path = afterword_vault::VaultPath::parse(path).ok_or(GONE)?;
    let text = Vault::text_at(vault, &path, LARGEST).map_err(|_| GONE)?;
    let note = Note::parse(text.ok_or("its note is too large, or no file of its own")?);
    let properties = Properties::of(&note);
    if properties.id != Some(id) {
        return Err("another note has its name");
    }
    if note.front_matter_error().is_some() || !properties.is_active() {
        return Err("its note does not count any more");
    }
    if properties.review == Some(afterword_vault::ReviewAnswer::Reject) {
        return Err("its note was rejected");
    }
    let said = last_stated_on(&properties);
    let words = afterword_reflect::builtin::essence(note.lesson_text());
    Ok(CountingNote { title: properties.title.unwrap_or_default(), words, said })
}
