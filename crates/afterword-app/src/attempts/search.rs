//! Finding attempts: by meaning and words, by filters, or the latest of a session.

use afterword_core::SessionId;
use afterword_recall::{Query, SearchMode, TextOnlyReason, search};
use afterword_store::{Attempt, AttemptFilter, AttemptOutcome, NoteFilter, SearchIndex, Store};
use jiff::Zoned;

use super::requested_projects::RequestedProjects;
use super::{KIND, MOST_LISTED, figures};
use crate::attempts::requested_projects;
use crate::{App, Error, indexing, search_model};

/// Which attempts to find. What is empty or `None` lets any pass.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AttemptQuery {
    /// Only those of this session.
    pub session: Option<SessionId>,
    /// Only those of this project: its path, or its name.
    pub project: Option<String>,
    /// What is to be done: the closest in meaning come first. Without it the latest do.
    pub task: Option<String>,
    /// Only those with one of these tags.
    pub tags: Vec<String>,
    /// Only those that ended in one of these ways.
    pub outcomes: Vec<AttemptOutcome>,
    /// At most so many; never more than 1,000.
    pub limit: usize,
    /// The session that asks, where it is known: what it finds of other sessions is counted.
    pub asking: Option<SessionId>,
}

/// Attempts that were found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AttemptHits {
    /// How it was searched; `None` where they were only filtered.
    pub mode: Option<SearchMode>,
    /// Why by words alone, where that is so.
    pub text_only: Option<TextOnlyReason>,
    /// The attempts, best first.
    pub hits: Vec<AttemptHit>,
}

impl AttemptHits {
    /// What was found fits what was looked for. Words alone have no score by which one could tell: there every hit has words of the
    /// task. Nothing was looked for where attempts were only filtered.
    pub fn fits(&self, hit: &AttemptHit) -> Option<bool> {
        self.mode.map(|mode| mode == SearchMode::Text || hit.score.is_some_and(figures::relevant))
    }
}

/// An attempt that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct AttemptHit {
    /// The attempt.
    pub attempt: Attempt,
    /// How close it is, from 0 to 1; `None` where attempts were only filtered.
    pub score: Option<f32>,
}

/// The latest attempts of a session, the latest first.
///
/// # Errors
/// [`Error::Store`].
pub fn recent_attempts(app: &App, session: &SessionId, limit: usize) -> Result<Vec<Attempt>, Error> {
    let Some(store) = app.existing_store()? else { return Ok(Vec::new()) };
    let limit = limit.min(MOST_LISTED);
    let filter = AttemptFilter { session: Some(session.clone()), limit, ..AttemptFilter::default() };
    Ok(store.attempts().list(&filter)?)
}

/// Searches attempts across sessions. Nothing is known of a project that is not known.
///
/// # Errors
/// [`Error::Store`].
pub fn search_attempts(app: &App, query: &AttemptQuery, now: &Zoned) -> Result<AttemptHits, Error> {
    let Some(store) = app.existing_store()? else { return Ok(AttemptHits::default()) };
    let named = query
        .project
        .as_ref()
        .map(|text| requested_projects::projects_named(app, &store, text))
        .transpose()?;
    let unknown = named.as_ref().is_some_and(|named| named.keys.is_empty());
    let hits = match query.task.as_deref().map(Query::new).filter(|task| !task.text().trim().is_empty()) {
        _ if unknown => AttemptHits::default(),
        Some(task) => closest_attempts(app, &store, query, &task, named)?,
        None => latest(&store, query, named)?,
    };
    let project = store_project(&hits);
    figures::count_search(&store, &hits, query.asking.as_ref(), project.as_ref(), now)?;
    Ok(hits)
}

fn closest_attempts(
    app: &App,
    store: &Store,
    query: &AttemptQuery,
    task: &Query,
    named: Option<RequestedProjects>,
) -> Result<AttemptHits, Error> {
    let index = SearchIndex::open(&app.paths.search_index())?;
    let mut model = search_model::model_of(app, &index)?;
    if model.is_none() {
        // Made with a model that is gone, or never filled: all of it, so that notes are not missed afterwards.
        indexing::rebuild_index(app)?;
        model = search_model::model_of(app, &index)?;
    }
    let model = model.as_deref();
    indexing::index_attempts(app, &index, model)?;
    let filter = NoteFilter {
        kinds: vec![KIND.to_owned()],
        outcomes: query.outcomes.iter().map(|outcome| outcome.as_str().to_owned()).collect(),
        projects: named.map(|named| named.names).unwrap_or_default(),
        tags: query.tags.clone(),
        session: query.session.as_ref().map(ToString::to_string),
        ..NoteFilter::default()
    };
    let found = search(&index, model, task, &filter, query.limit.min(MOST_LISTED))?;
    let mut hits = Vec::new();
    for hit in found.hits {
        if let Some(attempt) = store.attempts().get(&hit.note.id)? {
            hits.push(AttemptHit { attempt, score: Some(hit.score) });
        }
    }
    Ok(AttemptHits { mode: Some(found.mode), text_only: found.text_only, hits })
}

fn latest(
    store: &Store,
    query: &AttemptQuery,
    named: Option<RequestedProjects>,
) -> Result<AttemptHits, Error> {
    let filter = AttemptFilter {
        session: query.session.clone(),
        projects: named.map(|named| named.keys).unwrap_or_default(),
        outcomes: query.outcomes.clone(),
        tags: query.tags.clone(),
        limit: query.limit.min(MOST_LISTED),
    };
    let attempts = store.attempts().list(&filter)?.into_iter();
    let hits = attempts.map(|attempt| AttemptHit { attempt, score: None }).collect();
    Ok(AttemptHits { hits, ..AttemptHits::default() })
}

/// The project that what was found belongs to, if it is one.
fn store_project(hits: &AttemptHits) -> Option<afterword_core::ProjectKey> {
    let mut projects = hits.hits.iter().map(|hit| &hit.attempt.project);
    let first = projects.next()?;
    projects.all(|one| one == first).then(|| first.clone())
}
