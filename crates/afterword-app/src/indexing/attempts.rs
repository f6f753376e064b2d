//! Attempts in the search index, beside the notes: each is a document of its own, made anew from the database at any doubt.

use std::collections::{HashMap, HashSet};

use afterword_core::ProjectKey;
use afterword_recall::{EmbeddingModel, index_model, indexed};
use afterword_store::{Attempt, AttemptFilter, IndexedNote, SearchIndex, Store};
use afterword_vault::plain;

use crate::{App, Error, naming, search_model};

/// The kind by which attempts are told from notes in the search index.
pub use afterword_recall::ATTEMPT;

/// What an attempt's path in the index begins with; no path in a vault has a colon in its first part.
const SCHEME: &str = "attempt:";
/// Characters of a task that are its title.
const TITLE: usize = 120;

/// Whether a path in the index is an attempt's.
pub(crate) fn is_attempt(path: &str) -> bool {
    path.starts_with(SCHEME)
}

/// Tells the index of one attempt that was stored and of those that were dropped. Where the index is of another make,
/// nothing is told: whoever searches next fills it.
pub(crate) fn index_attempt(
    app: &App,
    store: &Store,
    attempt: &Attempt,
    project: &str,
    dropped: &[String],
) -> Result<(), Error> {
    let Some(index) = SearchIndex::open_existing(&app.paths.search_index())? else { return Ok(()) };
    let Some(model) = search_model::model_of(app, &index)? else { return Ok(()) };
    let dropped: Vec<String> = dropped.iter().map(|id| path(id)).collect();
    let kept = !dropped.contains(&path(&attempt.id));
    let changed: Vec<_> =
        kept.then(|| indexed(document(attempt, project.to_owned()), "", Some(&model))).into_iter().collect();
    index.writer().update_made_with(&index_model(Some(&model)), &changed, &dropped)?;
    // Others may have been missing from the index; then it keeps its old stamp and is compared by the next search.
    if index.attempts()? == store.attempts().count()? {
        index.writer().set_attempts_stamp(store.attempts().stamp()?)?;
    }
    Ok(())
}

/// Brings the attempts in the index in line with the database. Says how many were new or gone.
pub(crate) fn index_attempts(
    app: &App,
    index: &SearchIndex,
    model: Option<&EmbeddingModel>,
) -> Result<(usize, usize), Error> {
    let Some(store) = app.existing_store()? else { return Ok((0, 0)) };
    let stamp = store.attempts().stamp()?;
    if index.attempts_stamp()? == Some(stamp) {
        return Ok((0, 0));
    }
    let mut known: HashMap<String, String> = index.hashes()?;
    known.retain(|path, _| is_attempt(path));
    let mut names = naming::project_names(app, &store)?;
    let mut name = |project: &ProjectKey| names.name(project);
    let all = AttemptFilter { limit: usize::MAX, ..AttemptFilter::default() };
    let mut changed = Vec::new();
    for attempt in store.attempts().list(&all)? {
        let project = name(&attempt.project);
        if known.remove(&path(&attempt.id)) != Some(hash(&attempt, &project)) {
            changed.push(indexed(document(&attempt, project), "", model));
        }
    }
    let gone: Vec<String> = known.into_keys().collect();
    if index.writer().update_made_with(&index_model(model), &changed, &gone)? {
        index.writer().set_attempts_stamp(stamp)?;
    }
    Ok((changed.len(), gone.len()))
}

/// The attempts in the index that are no longer in the database, by their paths.
pub(super) fn deleted_paths(app: &App, index: &SearchIndex) -> Result<Vec<String>, Error> {
    let all = AttemptFilter { limit: usize::MAX, ..AttemptFilter::default() };
    let kept =
        app.existing_store()?.map(|store| store.attempts().list(&all)).transpose()?.unwrap_or_default();
    let kept: HashSet<String> = kept.iter().map(|attempt| path(&attempt.id)).collect();
    let known = index.hashes()?.into_keys();
    Ok(known.filter(|path| is_attempt(path) && !kept.contains(path)).collect())
}

fn path(id: &str) -> String {
    format!("{SCHEME}{id}")
}

/// An attempt is stored once and replaced at most by one made later; its project may be joined with another.
fn hash(attempt: &Attempt, project: &str) -> String {
    format!("{}/{}/{project}", attempt.created_at.as_millisecond(), attempt.outcome.as_str())
}

fn document(attempt: &Attempt, project: String) -> IndexedNote {
    let mut body = attempt.task.clone();
    let lists = [("What worked", &attempt.worked), ("What did not work", &attempt.did_not_work)];
    for (heading, texts) in lists.into_iter().filter(|(_, texts)| !texts.is_empty()) {
        body.push_str(&format!("\n{heading}: {}", texts.join("; ")));
    }
    if !attempt.next_strategy.is_empty() {
        body.push_str(&format!("\nNext: {}", attempt.next_strategy));
    }
    IndexedNote {
        path: path(&attempt.id),
        hash: hash(attempt, &project),
        id: attempt.id.clone(),
        kind: ATTEMPT.to_owned(),
        title: plain::one_line(&attempt.task, TITLE),
        status: "active".to_owned(),
        outcome: attempt.outcome.as_str().to_owned(),
        project,
        session: attempt.session.to_string(),
        tags: attempt.tags.clone(),
        body,
        ..IndexedNote::default()
    }
}
