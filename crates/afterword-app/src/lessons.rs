//! Lessons as a person browses them: the list with its filters, and one lesson with all that belongs to it.
//!
//! Reads only. The values are what the faces show, so they can be written as JSON as they are.

use std::collections::BTreeMap;
use std::path::PathBuf;

use afterword_core::hidden::escape_hidden;
use afterword_core::{Confidence, LessonKind, NoteId, Signal};
use afterword_platform::files::real_path;
use afterword_store::SearchIndex;
use afterword_vault::obsidian::obsidian_uri;
use afterword_vault::{NoteEntry, NoteKind, Status, Vault, VaultPath, html};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::error::NoteError;
use crate::lesson_filter::lessons_with_status;
use crate::note_change::WaitingPlace;
use crate::review::item::text_without_evidence;
use crate::review::{EvidenceItem, evidence_of, waits_in};
use crate::searching::{HitKind, SearchRequest};
use crate::{App, Error, checks, indexing, searching};

/// Hits asked of the search at most.
const MOST_HITS: usize = 200;

/// A lesson in the list.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct LessonLine {
    /// Its id.
    pub id: String,
    /// Where its note is, below the vault's root.
    pub path: String,
    /// One sentence.
    pub title: String,
    /// What sort of note it is.
    pub kind: Option<NoteKind>,
    /// Where it is in its life.
    pub status: Option<Status>,
    /// How sure the engine was.
    pub confidence: Option<Confidence>,
    /// The project's name.
    pub project: Option<String>,
    /// The day it was learned.
    pub created: Option<Date>,
    /// The session it was first learned in.
    pub session: Option<String>,
    /// How many pieces of evidence it rests on.
    pub evidence: usize,
    /// Where it waits for an answer, while it does.
    pub waits: Option<WaitingPlace>,
    /// The part of its text that shows why it was found; only where something was looked for.
    pub snippet: Option<String>,
}

/// Which lessons to list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(default)]
pub struct LessonsRequest {
    /// What to look for; empty for all, the latest first.
    pub query: String,
    /// Only of this kind.
    pub kind: Option<LessonKind>,
    /// Only of this project, by its name.
    pub project: Option<String>,
    /// Only with this status; `None` for those that count.
    pub status: Option<Status>,
}

/// What fits a request, and what else there is to choose from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct LessonList {
    /// The lessons: the best first where something was looked for, else the latest first.
    pub lessons: Vec<LessonLine>,
    /// The projects that have lessons, with how many.
    pub projects: BTreeMap<String, usize>,
}

/// One lesson with all that belongs to it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct Lesson {
    /// What the list says of it.
    #[serde(flatten)]
    pub line: LessonLine,
    /// Its text as markdown.
    pub body: String,
    /// What its text says besides its title and its pieces of evidence, as safe HTML.
    pub html: String,
    /// The words it rests on, each with what was said around it.
    pub pieces: Vec<EvidenceItem>,
    /// What the note has below its evidence's heading, as safe HTML, where no piece could be read from it.
    pub evidence_html: String,
    /// What in the transcript made it.
    pub signal: Option<Signal>,
    /// Tags, without `#`.
    pub tags: Vec<String>,
    /// The day of the newest evidence.
    pub updated: Option<Date>,
    /// Whether every session is to start with it.
    pub always_load: bool,
    /// References to the entries it rests on: `<session>/<entry uuid>`, or `<session>/L<line>`.
    pub references: Vec<String>,
    /// The note's whole path.
    pub file: String,
    /// Opens the note in Obsidian; `None` where the vault is not one of Obsidian's.
    pub obsidian: Option<String>,
    /// Its checks bind.
    pub binds: bool,
}

/// Lists lessons; ideas, references and what waits for review are elsewhere.
///
/// # Errors
/// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), or [`Error::Vault`] or [`Error::Store`].
pub fn list_lessons(app: &App, request: &LessonsRequest) -> Result<LessonList, Error> {
    if request.query.trim().is_empty() { list_all(app, request) } else { search_lessons(app, request) }
}

fn list_all(app: &App, request: &LessonsRequest) -> Result<LessonList, Error> {
    let index = app.open_vault()?.scan()?;
    let mut list = LessonList { lessons: Vec::new(), projects: BTreeMap::new() };
    for entry in index.notes().filter(|entry| is_lesson(entry) && is_of_status(entry, request)) {
        let properties = &entry.properties;
        if let Some(project) = &properties.project {
            *list.projects.entry(project.clone()).or_default() += 1;
        }
        if is_wanted(entry, request) {
            list.lessons.push(line(entry));
        }
    }
    list.lessons.sort_by(|one, other| (other.created, &one.path).cmp(&(one.created, &other.path)));
    Ok(list)
}

/// What is found, the best first, each with the words that show why. Of the vault only that is read: somebody is typing.
fn search_lessons(app: &App, request: &LessonsRequest) -> Result<LessonList, Error> {
    let vault = app.open_vault()?;
    let status = status_of(request);
    let (index, _) = indexing::refreshed_index(app)?;
    let found = searching::search_in(
        app,
        &index,
        &SearchRequest {
            query: request.query.clone(),
            limit: MOST_HITS,
            project: None,
            kinds: request.kind.map_or_else(|| HitKind::LESSONS.to_vec(), |kind| vec![kind.into()]),
            statuses: vec![status],
            ..SearchRequest::default()
        },
    )?;
    let projects = index.counts_by_project(&lessons_with_status(status))?;
    let mut lessons = Vec::new();
    for hit in found.hits {
        let Some(path) = VaultPath::parse(&hit.path) else { continue };
        // One that went since it was indexed is not there to be shown.
        let Some(entry) = vault.note(&path)? else { continue };
        if is_lesson(&entry) && is_of_status(&entry, request) && is_wanted(&entry, request) {
            lessons.push(LessonLine { snippet: Some(hit.snippet), ..line(&entry) });
        }
    }
    Ok(LessonList { lessons, projects })
}

fn status_of(request: &LessonsRequest) -> Status {
    request.status.unwrap_or(Status::Active)
}

fn is_of_status(entry: &NoteEntry, request: &LessonsRequest) -> bool {
    entry.properties.status.unwrap_or(Status::Active) == status_of(request)
}

/// It is of the kind and the project that were asked for.
fn is_wanted(entry: &NoteEntry, request: &LessonsRequest) -> bool {
    let kind = entry.properties.kind.and_then(NoteKind::lesson_kind);
    request.kind.is_none_or(|wanted| kind == Some(wanted.into()))
        && request.project.as_deref().is_none_or(|wanted| entry.properties.project.as_deref() == Some(wanted))
}

/// One lesson, by its id.
///
/// # Errors
/// [`NoteError::NoSuch`], [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), or [`Error::Vault`].
pub fn lesson(app: &App, id: &str) -> Result<Lesson, Error> {
    let vault = app.open_vault()?;
    let no_such_note = || NoteError::NoSuch { argument: id.to_owned() };
    let wanted = NoteId::parse(id).ok_or_else(no_such_note)?;
    let scanned;
    let at_once = note_as_indexed(app, &vault, wanted)?;
    let entry = match &at_once {
        Some(entry) => entry,
        None => {
            scanned = vault.scan()?;
            scanned.by_id(wanted).ok_or_else(no_such_note)?
        }
    };
    let words = entry.note.lesson_text();
    let properties = &entry.properties;
    let pieces = evidence_of(app, entry)?;
    Ok(Lesson {
        body: words.to_owned(),
        html: html::render_html(&text_without_evidence(
            words,
            properties.title.as_deref().unwrap_or_default(),
            &pieces,
        )),
        evidence_html: if pieces.is_empty() {
            html::render_html(entry.note.evidence())
        } else {
            String::new()
        },
        pieces,
        signal: properties.signal,
        tags: properties.tags.iter().filter(|tag| *tag != "afterword").cloned().collect(),
        updated: properties.updated,
        always_load: properties.always_load,
        references: properties.evidence.clone(),
        file: vault.root().join(entry.path.to_path()).to_string_lossy().into_owned(),
        obsidian: vault.obsidian_root().and_then(|_| obsidian_uri(&vault.root().join(entry.path.to_path()))),
        binds: properties.id.is_some_and(|id| checks::binds(app, id)),
        line: line(entry),
    })
}

/// The note with an id, where the search index knows one such and it is still there: the whole vault need not be read to find it.
fn note_as_indexed(app: &App, vault: &Vault, id: NoteId) -> Result<Option<NoteEntry>, Error> {
    let Some(index) = SearchIndex::open_existing(&app.paths.search_index())? else { return Ok(None) };
    let paths = index.paths_of(&id.to_string())?;
    let [path] = paths.as_slice() else { return Ok(None) };
    let entry = VaultPath::parse(path).map(|path| vault.note(&path)).transpose()?.flatten();
    Ok(entry.filter(|entry| entry.properties.id == Some(id)))
}

/// What the list says of the note at a path of the vault.
pub fn note_line(app: &App, path: &str) -> Option<LessonLine> {
    let index = app.open_vault().ok()?.scan().ok()?;
    index.at(&VaultPath::parse(path)?).map(line)
}

/// The file of a note, for opening it elsewhere.
///
/// # Errors
/// [`NoteError::NoSuch`] for a path that leads to no file of the vault, [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen).
pub fn note_file(app: &App, path: &str) -> Result<PathBuf, Error> {
    let vault = app.open_vault()?;
    let no_such_note = || NoteError::NoSuch { argument: path.to_owned() }.into();
    let file = vault.root().join(VaultPath::parse(path).ok_or_else(no_such_note)?.to_path());
    let real = real_path(&file).map_err(|_| no_such_note())?;
    let is_note = real.is_file() && real.extension().is_some_and(|extension| extension == "md");
    let root = real_path(vault.root()).map_err(|_| no_such_note())?;
    if is_note && real.starts_with(root) { Ok(file) } else { Err(no_such_note()) }
}

/// What was learned from a session, the latest first: also what waits, what was put by, and ideas.
///
/// # Errors
/// As [`list_lessons`].
pub fn lessons_of_session(app: &App, session: &str) -> Result<Vec<LessonLine>, Error> {
    let index = app.open_vault()?.scan()?;
    let rests_on = |entry: &&NoteEntry| {
        let properties = &entry.properties;
        let in_evidence = || {
            let of = |reference: &String| reference.split('/').next() == Some(session);
            properties.evidence.iter().any(of)
        };
        properties.session.as_deref() == Some(session) || in_evidence()
    };
    Ok(index.notes().filter(rests_on).map(line).collect())
}

fn is_lesson(entry: &NoteEntry) -> bool {
    entry.properties.kind.and_then(NoteKind::lesson_kind).is_some()
}

/// What the list says of a note.
pub(crate) fn line(entry: &NoteEntry) -> LessonLine {
    let properties = &entry.properties;
    LessonLine {
        id: properties.id.map(|id| id.to_string()).unwrap_or_default(),
        path: entry.path.as_str().to_owned(),
        title: escape_hidden(
            properties.title.as_deref().unwrap_or(entry.path.name().trim_end_matches(".md")),
        )
        .into_owned(),
        kind: properties.kind,
        status: properties.status,
        confidence: properties.confidence,
        project: properties.project.clone(),
        created: properties.created,
        session: properties.session.clone(),
        evidence: properties.evidence.len(),
        waits: waits_in(entry),
        snippet: None,
    }
}
