//! Storing an attempt: checked, without secrets, numbered and tagged where the caller did not, and the oldest dropped.

use afterword_core::{NoteId, ProjectKey, SessionId};
use afterword_recall::EmbeddingModel;
use afterword_recall::comparing::{Meaning, Relation};
use afterword_store::{Attempt, AttemptFilter, AttemptOutcome, Store};
use jiff::{Timestamp, Zoned};

use super::{MOST_LISTED, figures, tags};
use crate::error::AttemptError;
use crate::indexing;
use crate::log::OrLog;
use crate::redaction::Redaction;
use crate::search_model::embedded_model;
use crate::{App, Error, naming};

/// The longest text of an attempt, in bytes.
const LONGEST_TEXT: usize = 8 * 1024;
/// The longest list of an attempt.
const LONGEST_LIST: usize = 50;
/// The longest tag, in characters.
const LONGEST_TAG: usize = 60;

/// An attempt to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAttempt {
    /// The session it was made in.
    pub session: SessionId,
    /// The project.
    pub project: ProjectKey,
    /// What was to be done.
    pub task: String,
    /// Which attempt at it, from 1; without it the attempts of the session at the same task are counted.
    pub number: Option<u32>,
    /// How it ended.
    pub outcome: AttemptOutcome,
    /// What worked.
    pub worked: Vec<String>,
    /// What did not.
    pub did_not_work: Vec<String>,
    /// What to try next.
    pub next_strategy: String,
    /// What it is about; without any, what its words tell.
    pub tags: Vec<String>,
    /// Ids of what it concerns.
    pub related: Vec<String>,
    /// Why the outcome is judged so; empty where a caller tells.
    pub because: Vec<String>,
}

/// Stores an attempt that a caller tells of.
///
/// # Errors
/// [`AttemptError::Unfit`] for one that makes no sense, and [`Error::Store`]. That it could not be indexed is no
/// error: the index is mended when it is searched.
pub fn store_attempt(app: &App, new: NewAttempt, now: &Zoned) -> Result<Attempt, Error> {
    let store = app.store()?;
    let stored = put_attempt(app, &store, new, "agent", None, now.timestamp())?;
    figures::count(&store, figures::ATTEMPTS_STORED, Some(&stored.project), 1, now)?;
    Ok(stored)
}

/// Stores an attempt under an id, in place of the one that has it.
pub(super) fn put_attempt(
    app: &App,
    store: &Store,
    new: NewAttempt,
    source: &str,
    id: Option<String>,
    at: Timestamp,
) -> Result<Attempt, Error> {
    check(&new)?;
    let limits = app.config.attempts;
    if limits.most_per_session == 0 || limits.most_per_project == 0 {
        return Err(AttemptError::Unfit {
            problem: "attempts are not kept: `attempts.most_per_session` or `attempts.most_per_project` is 0",
        }
        .into());
    }
    let mut attempt = sanitize(new, &app.redaction());
    if attempt.tags.is_empty() {
        attempt.tags = tags::of(&full_text(&attempt));
    }
    let number = match attempt.number {
        Some(number) => number,
        None => next_number(store, &attempt, id.as_deref())?,
    };
    let attempt = Attempt {
        id: id.unwrap_or_else(|| NoteId::new(at).to_string()),
        session: attempt.session,
        project: attempt.project,
        created_at: at,
        task: attempt.task,
        number,
        outcome: attempt.outcome,
        worked: attempt.worked,
        did_not_work: attempt.did_not_work,
        next_strategy: attempt.next_strategy,
        tags: attempt.tags,
        related: attempt.related,
        source: source.to_owned(),
        because: attempt.because,
    };
    let mut names = naming::project_names(app, store)?;
    let name = names.name(&attempt.project);
    let dropped = store.in_transaction(|store| {
        names.remember(store)?;
        store.attempts().put(&attempt)?;
        let (session, project) = (&attempt.session, &attempt.project);
        store.attempts().prune(session, project, limits.most_per_session, limits.most_per_project)
    })?;
    // What could not be indexed now is indexed by the next search.
    indexing::index_attempt(app, store, &attempt, &name, &dropped)
        .or_log("putting an attempt into the search index");
    Ok(attempt)
}

fn check(new: &NewAttempt) -> Result<(), Error> {
    let bad = |problem| Err(AttemptError::Unfit { problem }.into());
    if new.task.trim().is_empty() {
        return bad("what was to be done is empty");
    }
    if new.number == Some(0) {
        return bad("attempts are counted from 1");
    }
    let lists = [&new.worked, &new.did_not_work, &new.tags, &new.related];
    if lists.iter().any(|list| list.len() > LONGEST_LIST) {
        return bad("a list of it has more than 50 entries");
    }
    let texts = lists.into_iter().flatten().chain([&new.task, &new.next_strategy]);
    if texts.into_iter().any(|text| text.len() > LONGEST_TEXT) {
        return bad("a text of it is longer than 8 KB");
    }
    Ok(())
}

/// The attempt without secrets, blank entries and repetitions; tags in lower case.
fn sanitize(new: NewAttempt, redaction: &Redaction) -> NewAttempt {
    let text = |text: &str| afterword_vault::plain::without_hidden(&redaction.text(text.trim()));
    let list = |texts: Vec<String>| {
        let mut kept: Vec<String> = Vec::new();
        for one in texts.iter().map(|one| text(one)).filter(|one| !one.is_empty()) {
            if !kept.contains(&one) {
                kept.push(one);
            }
        }
        kept
    };
    let tag = |tag: &String| {
        afterword_vault::plain::one_line(&tag.trim_start_matches('#').to_lowercase(), LONGEST_TAG)
    };
    NewAttempt {
        task: text(&new.task),
        worked: list(new.worked),
        did_not_work: list(new.did_not_work),
        next_strategy: text(&new.next_strategy),
        tags: list(new.tags.iter().map(tag).collect()),
        related: list(new.related),
        because: list(new.because),
        ..new
    }
}

/// All that an attempt says.
fn full_text(attempt: &NewAttempt) -> String {
    let texts = [&attempt.task, &attempt.next_strategy].into_iter().chain(&attempt.worked);
    texts.chain(&attempt.did_not_work).map(String::as_str).collect::<Vec<_>>().join("\n")
}

/// One more than the session's latest attempt at the same task, whatever its words.
fn next_number(store: &Store, new: &NewAttempt, own: Option<&str>) -> Result<u32, Error> {
    let session = Some(new.session.clone());
    let filter = AttemptFilter { session, limit: MOST_LISTED, ..AttemptFilter::default() };
    let earlier = store.attempts().list(&filter)?;
    let is_same = same_task(&new.task);
    let numbers = earlier.iter().filter(|one| Some(one.id.as_str()) != own && is_same(&one.task));
    Ok(numbers.map(|one| one.number).max().unwrap_or(0).saturating_add(1))
}

/// Tells whether a text means the same task, in whatever words.
pub(super) fn same_task(task: &str) -> impl Fn(&str) -> bool {
    let own = task.trim().to_lowercase();
    let meaning = embedded_model().map(|model| (model, Meaning::of(model, task)));
    move |other| {
        let is_close = |(model, meaning): &(&EmbeddingModel, Meaning)| {
            matches!(meaning.relation(&Meaning::of(model, other)), Relation::Same | Relation::Close)
        };
        other.trim().to_lowercase() == own || meaning.as_ref().is_some_and(is_close)
    }
}
