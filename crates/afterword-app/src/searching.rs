//! Searching what was learned.

use afterword_core::hidden::escape_hidden;
use afterword_core::{LessonKind, SessionId};
use afterword_recall::{ATTEMPT, Hits, Query};
use afterword_store::{NoteFilter, SearchIndex};
use afterword_vault::NoteKind;
use jiff::Zoned;
use serde::Deserialize;

use crate::attempts::{AttemptOutcome, count_lessons_found, relevant};
use crate::{App, Error, indexing, search_model};

pub use afterword_recall::{Hit, SearchMode, TextOnlyReason};
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
    pub statuses: Vec<String>,
    /// Only attempts that ended in one of these ways; empty for any.
    pub outcomes: Vec<AttemptOutcome>,
    /// Only what has one of these tags; empty for any.
    pub tags: Vec<String>,
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
    let own = |hit: &&Hit| asking.is_some_and(|own| hit.note.session == own.as_str());
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
    let mut statuses = request.statuses.clone();
    if statuses.is_empty() {
        statuses = [Status::Active, Status::Inbox].map(|status| status.as_str().to_owned()).to_vec();
    }
    let filter = NoteFilter {
        statuses,
        kinds: request.kinds.iter().map(|kind| kind.as_str().to_owned()).collect(),
        project: request.project.clone(),
        outcomes: request.outcomes.iter().map(|outcome| outcome.as_str().to_owned()).collect(),
        tags: request.tags.clone(),
        ..NoteFilter::default()
    };
    let model = search_model::model_of(app, index)?;
    let query = Query::new(&request.query);
    let mut found = afterword_recall::search(index, model.as_deref(), &query, &filter, request.limit)?;
    for hit in &mut found.hits {
        hit.note.title = escape_hidden(&hit.note.title).into_owned();
        hit.snippet = escape_hidden(&hit.snippet).into_owned();
    }
    Ok(found)
}
