//! What earlier attempts teach about a task, before it is tried: those that fit, each once.

use afterword_core::{ProjectKey, SessionId};
use afterword_recall::{EmbeddingModel, says_the_same};
use afterword_store::Attempt;
use jiff::Zoned;

use super::AttemptQuery;
use crate::attempts::search;
use crate::search_model::embedded_model;
use crate::{App, Error};

/// Attempts looked at for each that is wanted, as some say the same.
const LOOKED_AT: usize = 4;

/// The attempts of a project that teach something about a task, best first: at most `attempts.past_lessons`. What only comes
/// closest, without fitting, is left out, and so is what says the same as a better one.
///
/// # Errors
/// [`Error::Store`].
pub fn past_lessons(
    app: &App,
    task: &str,
    project: &ProjectKey,
    asking: Option<SessionId>,
    now: &Zoned,
) -> Result<Vec<Attempt>, Error> {
    let most = app.config.attempts.past_lessons;
    if task.trim().is_empty() || most == 0 {
        return Ok(Vec::new());
    }
    let query = AttemptQuery {
        project: Some(project.as_str().to_owned()),
        task: Some(task.to_owned()),
        limit: most.saturating_mul(LOOKED_AT),
        asking,
        ..AttemptQuery::default()
    };
    let found = search::search_attempts(app, &query, now)?;
    let fitting = found.hits.iter().filter(|hit| found.fits(hit) == Some(true));
    Ok(each_once(fitting.map(|hit| hit.attempt.clone()).collect(), most))
}

/// The first `most` that each say something of their own. Of the attempts of one session at one task the latest stays, in the
/// place of the first.
fn each_once(found: Vec<Attempt>, most: usize) -> Vec<Attempt> {
    let model = embedded_model();
    let mut kept: Vec<Attempt> = Vec::new();
    for attempt in found {
        match kept.iter_mut().find(|one| teaches_the_same(model, one, &attempt)) {
            Some(one) if attempt.session == one.session && attempt.number > one.number => *one = attempt,
            Some(_) => {}
            None => kept.push(attempt),
        }
    }
    kept.truncate(most);
    kept
}

/// Both ended alike, and what they teach is the same in whatever words.
fn teaches_the_same(model: Option<&EmbeddingModel>, one: &Attempt, other: &Attempt) -> bool {
    let lesson = |attempt: &Attempt| {
        let texts = attempt.worked.iter().chain(&attempt.did_not_work).chain([&attempt.next_strategy]);
        texts.map(String::as_str).collect::<Vec<_>>().join(". ")
    };
    one.outcome == other.outcome && says_the_same(model, &lesson(one), &lesson(other))
}
