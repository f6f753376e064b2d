//! Whether attempts are of use: how many are stored and searched for, how often something fits, and what comes of it.

use afterword_core::{ProjectKey, SessionId};
use afterword_store::{Metric, Store};
use jiff::Zoned;
use jiff::civil::Date;
use serde::Serialize;

use super::search::AttemptHits;
use crate::{App, Error};

/// Attempts that callers stored.
pub(super) const ATTEMPTS_STORED: Metric = Metric("reflection_store_count");
/// Searches for attempts and lessons.
pub(super) const SEARCHES: Metric = Metric("reflection_search_count");
/// Searches that found something that fits.
pub(super) const SEARCHES_WITH_HITS: Metric = Metric("reflection_search_hits");
/// Lessons and attempts that another session than their own came to read.
pub(super) const CROSS_SESSION_READS: Metric = Metric("cross_session_reuse");
/// The score from which what was found fits what was looked for. Of 180 queries of the retrieval benchmark, how many of the
/// first hits fit above and below it is in `docs/quality.md`, "Retrieval".
const FITS: f32 = 0.5;

/// The five figures, over all time.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct AttemptFigures {
    /// Attempts stored by agents, and judged from sessions.
    pub reflection_store_count: u64,
    /// Searches.
    pub reflection_search_count: u64,
    /// The share of searches that found something that fits, from 0 to 1; none before the first.
    pub reflection_hit_rate: Option<f64>,
    /// The share of attempts that succeed in sessions that were given lessons, less the share in the others; none before
    /// there are both.
    pub outcome_improvement_rate: Option<f64>,
    /// Lessons and attempts that another session than their own came to read.
    pub cross_session_reuse: u64,
}

/// Whether something found fits what was looked for.
pub(crate) fn relevant(score: f32) -> bool {
    score >= FITS
}

pub(super) fn count(
    store: &Store,
    metric: Metric,
    project: Option<&ProjectKey>,
    amount: u64,
    now: &Zoned,
) -> Result<(), Error> {
    Ok(store.metrics().add(metric, now.date(), project, amount)?)
}

/// Counts one search by meaning; listing is none.
pub(super) fn count_search(
    store: &Store,
    hits: &AttemptHits,
    asking: Option<&SessionId>,
    project: Option<&ProjectKey>,
    now: &Zoned,
) -> Result<(), Error> {
    if hits.mode.is_none() {
        return Ok(());
    }
    let fitting = hits.hits.iter().filter(|hit| hit.score.is_some_and(relevant));
    let others = fitting.clone().filter(|hit| asking.is_some_and(|own| *own != hit.attempt.session));
    store.in_transaction(|store| {
        count(store, SEARCHES, project, 1, now)?;
        if fitting.clone().next().is_some() {
            count(store, SEARCHES_WITH_HITS, project, 1, now)?;
        }
        match others.count() as u64 {
            0 => Ok(()),
            others => count(store, CROSS_SESSION_READS, project, others, now),
        }
    })
}

/// Counts one search for lessons: whether something fits, and how many another session came to read.
pub(crate) fn count_lessons_found(store: &Store, fits: bool, read: u64, now: &Zoned) -> Result<(), Error> {
    store.in_transaction(|store| {
        count(store, SEARCHES, None, 1, now)?;
        if fits {
            count(store, SEARCHES_WITH_HITS, None, 1, now)?;
        }
        if read > 0 { count(store, CROSS_SESSION_READS, None, read, now) } else { Ok(()) }
    })
}

/// The figures as they stand.
///
/// # Errors
/// [`Error::Store`].
pub fn attempt_figures(app: &App, today: Date) -> Result<AttemptFigures, Error> {
    match app.existing_store()? {
        Some(store) => figures(&store, today),
        None => Ok(AttemptFigures::default()),
    }
}

fn figures(store: &Store, today: Date) -> Result<AttemptFigures, Error> {
    let ever = (Date::MIN, today);
    let total = |metric| store.metrics().total(metric, ever, None);
    let searched = total(SEARCHES)?;
    let stored = total(ATTEMPTS_STORED)?;
    let [with, without] = store.attempts().success_with_and_without_lessons()?;
    let rate = |(succeeded, all): (u64, u64)| (all > 0).then(|| succeeded as f64 / all as f64);
    Ok(AttemptFigures {
        reflection_store_count: stored + store.attempts().count_judged()?,
        reflection_search_count: searched,
        reflection_hit_rate: rate((total(SEARCHES_WITH_HITS)?, searched)),
        outcome_improvement_rate: rate(with).zip(rate(without)).map(|(with, without)| with - without),
        cross_session_reuse: total(CROSS_SESSION_READS)? + store.injections().lessons_given()?,
    })
}
