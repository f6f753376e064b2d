//! Searching what was learned.

use afterword_core::hidden::escape_hidden;
use afterword_core::{LessonKind, SessionId};
use afterword_recall::{ATTEMPT, Query};
use afterword_store::{NoteFilter, SearchIndex};
use afterword_vault::NoteKind;
use jiff::Zoned;
use serde::Deserialize;

use crate::attempts::{AttemptOutcome, count_lessons_found, relevant};
use crate::{App, Error, indexing, search_model};

pub use afterword_recall::{SearchMode, TextOnlyReason};
pub use afterword_vault::Status;

/// The kinds of what is found: notes, and attempts at tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HitKind {
    /// How the user wants things.
    Preference,
    /// A way of working that proved itself.
    Workflow,
    /// A problem with its cause or workaround.
    Fix,
    /// What was postponed.
    Idea,
    /// A web result worth keeping.
    Reference,
    /// What was tried, and how it ended.
    Attempt,
}

impl HitKind {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Preference, Self::Workflow, Self::Fix, Self::Idea, Self::Reference, Self::Attempt];
    /// Those of lessons.
    pub(crate) const LESSONS: [Self; 3] = [Self::Preference, Self::Workflow, Self::Fix];

    /// The word, the same in the index, in JSON and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Preference => NoteKind::Preference.as_str(),
            Self::Workflow => NoteKind::Workflow.as_str(),
            Self::Fix => NoteKind::Fix.as_str(),
            Self::Idea => NoteKind::Idea.as_str(),
            Self::Reference => NoteKind::Reference.as_str(),
            Self::Attempt => ATTEMPT,
        }
    }

    /// Reads the word.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

impl From<LessonKind> for HitKind {
    fn from(kind: LessonKind) -> Self {
        match kind {
            LessonKind::Preference => Self::Preference,
            LessonKind::Workflow => Self::Workflow,
            LessonKind::Fix => Self::Fix,
        }
    }
}

/// What is looked for, and where.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchRequest {
    /// What a person typed, or a prompt; there is no query language.
    pub query: String,
    /// Hits at most.
    pub limit: usize,
    /// Only notes of this project: its whole name, or the last parts of it.
    pub project: Option<String>,
    /// Only notes of these kinds; empty for any.
    pub kinds: Vec<HitKind>,
    /// Only notes with these statuses; empty for those that count or wait, `active` and `inbox`.
    pub statuses: Vec<Status>,
    /// Only attempts that ended in one of these ways; empty for any.
    pub outcomes: Vec<AttemptOutcome>,
    /// Only what has one of these tags; empty for any.
    pub tags: Vec<String>,
}

/// What was found.
pub type Hits = afterword_recall::Hits<Hit>;

/// A note or an attempt that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Its id; empty where it has none.
    pub id: String,
    /// What it is; `None` for a note that does not say.
    pub kind: Option<HitKind>,
    /// Its title.
    pub title: String,
    /// Where it is, relative to the vault's root.
    pub path: String,
    /// Its project; empty where it has none.
    pub project: String,
    /// The session it tells of; empty where it tells of none.
    pub session: String,
    /// Where it is in its life.
    pub status: Status,
    /// How what it tells of ended; `None` for what is no attempt.
    pub outcome: Option<AttemptOutcome>,
    /// Its text.
    pub body: String,
    /// How close it is, from 0 to 1; scores of one mode can be compared.
    pub score: f32,
    /// The part of its text that shows why.
    pub snippet: String,
}

impl From<afterword_recall::Hit> for Hit {
    fn from(hit: afterword_recall::Hit) -> Self {
        let note = hit.note;
        Self {
            id: note.id,
            kind: HitKind::parse(&note.kind),
            title: escape_hidden(&note.title).into_owned(),
            path: note.path,
            project: note.project,
            session: note.session,
            status: Status::parse(&note.status).unwrap_or(Status::Active),
            outcome: AttemptOutcome::parse(&note.outcome),
            body: note.body,
            score: hit.score,
            snippet: escape_hidden(&hit.snippet).into_owned(),
        }
    }
}

/// Values as the index knows them.
fn words<T: Copy>(values: &[T], word: fn(T) -> &'static str) -> Vec<String> {
    values.iter().map(|value| word(*value).to_owned()).collect()
}

/// Searches the notes as they are now: what changed in the vault is indexed first.
///
/// # Errors
/// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), or [`Error::Vault`] or [`Error::Store`].
pub fn search(app: &App, request: &SearchRequest) -> Result<Hits, Error> {
    let (index, _) = indexing::refreshed_index(app)?;
    search_in(app, &index, request)
}

/// Searches as [`search`] does, for a session that asks: whether something fits, and what it reads of other
/// sessions, is counted.
///
/// # Errors
/// As [`search`], and [`Error::Store`].
pub fn retrieve(
    app: &App,
    request: &SearchRequest,
    asking: Option<&SessionId>,
    now: &Zoned,
) -> Result<Hits, Error> {
    let hits = search(app, request)?;
    let fitting = || hits.hits.iter().filter(|hit| relevant(hit.score));
    let own = |hit: &&Hit| asking.is_some_and(|own| hit.session == own.as_str());
    let others = fitting().filter(|hit| !own(hit)).count();
    count_lessons_found(&app.store()?, fitting().next().is_some(), others as u64, now)?;
    Ok(hits)
}

/// Searches the notes as they were indexed last, without a look at the vault: for where milliseconds count.
///
/// # Errors
/// [`Error::Store`].
pub fn search_indexed(app: &App, request: &SearchRequest) -> Result<Hits, Error> {
    search_in(app, &SearchIndex::open(&app.paths.search_index())?, request)
}

/// The same in an index that is open.
pub(crate) fn search_in(app: &App, index: &SearchIndex, request: &SearchRequest) -> Result<Hits, Error> {
    let statuses = match request.statuses.as_slice() {
        [] => &[Status::Active, Status::Inbox],
        statuses => statuses,
    };
    let filter = NoteFilter {
        statuses: words(statuses, Status::as_str),
        kinds: words(&request.kinds, HitKind::as_str),
        project: request.project.clone(),
        outcomes: words(&request.outcomes, AttemptOutcome::as_str),
        tags: request.tags.clone(),
        ..NoteFilter::default()
    };
    let model = search_model::model_of(app, index)?;
    let query = Query::new(&request.query);
    let found = afterword_recall::search(index, model.as_deref(), &query, &filter, request.limit)?;
    let hits = found.hits.into_iter().map(Hit::from).collect();
    Ok(Hits { mode: found.mode, text_only: found.text_only, hits })
}
