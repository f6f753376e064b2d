//! The attempt that a session was, judged when it is reflected: what was tried, what went wrong, what came of it.

use afterword_core::{ProjectKey, SessionId};
use afterword_reflect::engine::account::Account;
use afterword_reflect::outcome::{Ended, OutcomeSign, SessionOutcome};
use afterword_store::{AttemptFilter, AttemptOutcome, Store};
use jiff::Timestamp;

use super::{MOST_LISTED, NewAttempt};
use crate::attempts::new;
use crate::{App, Error};

/// What a session is remembered by: the outcome its signals tell, with what the person wanted in a sentence. What a model that read
/// it said of both goes first, as far as it rests on its words; `title` is the client's name for the session.
pub(crate) fn attempt_of(
    outcome: Option<&SessionOutcome>,
    read_by: Option<(&str, &Account)>,
    title: Option<&str>,
) -> Option<SessionOutcome> {
    let account = read_by.map(|(_, account)| account);
    let named = account.map(|account| account.title.as_str()).filter(|title| !title.is_empty());
    let ending = read_by.and_then(|(by, account)| Some((by, account.ended.as_ref()?)));
    let mut attempt = match (outcome, ending) {
        (Some(outcome), _) => outcome.clone(),
        (None, Some((_, end))) => SessionOutcome::without_signs(named.or(title)?.to_owned(), end.ended),
        (None, None) => return None,
    };
    if let Some(name) = named.or(title.filter(|_| attempt.task_is_thin)) {
        name.clone_into(&mut attempt.task);
        attempt.task_is_thin = false;
    }
    if let Some((by, end)) = ending {
        let what = format!("{by}: {}", end.because);
        attempt.signs.insert(0, OutcomeSign { weight: 0, what, line: end.line });
        if end.ended != attempt.ended {
            attempt.next = match end.ended {
                Ended::Success => "Continue with this approach".to_owned(),
                Ended::Partial | Ended::Failure => format!("Begin with what was left: {}", end.because),
            };
            attempt.ended = end.ended;
        }
    }
    Some(attempt)
}

/// Who says how the session ended.
const SOURCE: &str = "session";

/// Remembers how a session ended, in place of what was judged of it before. What an agent told of the session itself
/// stands, and then nothing is judged. Doing it again changes nothing.
///
/// # Errors
/// [`Error::Store`].
pub(crate) fn store_outcome(
    app: &App,
    store: &Store,
    session: &SessionId,
    project: &ProjectKey,
    outcome: &SessionOutcome,
    at: Timestamp,
) -> Result<(), Error> {
    let limits = app.config.attempts;
    if !limits.judge_sessions || limits.most_per_session == 0 || limits.most_per_project == 0 {
        return Ok(());
    }
    let of_session =
        AttemptFilter { session: Some(session.clone()), limit: MOST_LISTED, ..AttemptFilter::default() };
    let known = store.attempts().list(&of_session)?;
    if known.iter().any(|attempt| attempt.source != SOURCE) {
        return Ok(());
    }
    let because = outcome.signs.iter().map(|sign| format!("{} (line {})", sign.what, sign.line));
    let new = NewAttempt {
        session: session.clone(),
        project: project.clone(),
        task: outcome.task.clone(),
        number: None,
        outcome: match outcome.ended {
            Ended::Success => AttemptOutcome::Success,
            Ended::Partial => AttemptOutcome::Partial,
            Ended::Failure => AttemptOutcome::Failure,
        },
        worked: outcome.worked.clone(),
        did_not_work: outcome.did_not_work.clone(),
        next_strategy: next_strategy(store, session, project, outcome)?,
        tags: Vec::new(),
        related: Vec::new(),
        because: because.collect(),
    };
    let id = known.first().map(|attempt| attempt.id.clone());
    new::put_attempt(app, store, new, SOURCE, id, at).map(drop)
}

/// What to begin with next time: what worked in another session at the same task, where this one did not succeed, and what its own
/// signals say. What is only judged of a session tells that its checks passed, which is nothing to try.
fn next_strategy(
    store: &Store,
    session: &SessionId,
    project: &ProjectKey,
    outcome: &SessionOutcome,
) -> Result<String, Error> {
    if outcome.ended == Ended::Success {
        return Ok(outcome.next.clone());
    }
    let succeeded = AttemptFilter {
        projects: vec![project.clone()],
        outcomes: vec![AttemptOutcome::Success],
        limit: MOST_LISTED,
        ..AttemptFilter::default()
    };
    let known = store.attempts().list(&succeeded)?;
    let is_same = new::same_task(&outcome.task);
    let others = known.iter().filter(|one| one.source != SOURCE && one.session != *session);
    let worked = others.filter(|one| is_same(&one.task)).find_map(|one| one.worked.first());
    Ok(match worked {
        Some(worked) => format!("Try what worked before: {}. {}", worked.trim_end_matches('.'), outcome.next),
        None => outcome.next.clone(),
    })
}
