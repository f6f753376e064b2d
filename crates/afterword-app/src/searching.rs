//! Searching what was learned.

use afterword_core::SessionId;
use afterword_core::hidden::escape_hidden;
use afterword_recall::{Hits, Query};
use afterword_store::{NoteFilter, SearchIndex};
use jiff::Zoned;

use crate::attempts::{count_lessons_found, relevant};
use crate::{App, Error, indexing, search_model};

pub use afterword_recall::{Hit, SearchMode, TextOnlyReason};

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
    pub kinds: Vec<String>,
    /// Only notes with these statuses; empty for those that count or wait, `active` and `inbox`.
    pub statuses: Vec<String>,
    /// Only attempts that ended in one of these ways; empty for any.
    pub outcomes: Vec<String>,
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
        statuses = ["active", "inbox"].map(str::to_owned).to_vec();
    }
    let filter = NoteFilter {
        statuses,
        kinds: request.kinds.clone(),
        project: request.project.clone(),
        outcomes: request.outcomes.clone(),
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
