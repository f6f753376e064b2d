//! What engines cost so far, and what is left of the budget.

use std::path::Path;

use afterword_store::{EngineCall, SpendSum};
use jiff::{Timestamp, ToSpan, Zoned};
use serde::Serialize;

use crate::{App, Error};

/// Single calls that are told of.
const LATEST: usize = 50;

/// What engines cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct Spend {
    /// From when on it is counted.
    pub since: Timestamp,
    /// Calls.
    pub calls: u64,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// US dollars.
    pub usd: f64,
    /// By purpose, engine, model and project, the dearest first.
    pub sums: Vec<SpendSum>,
    /// The latest calls, the latest first.
    pub latest: Vec<EngineCall>,
    /// US dollars since the user's day began, conversations among them.
    pub today_usd: f64,
    /// US dollars reserved today for calls under way; they may cost less in the end.
    pub set_aside_usd: f64,
    /// `budget.daily_usd`; absent for no limit.
    pub daily_usd: Option<f64>,
    /// What may still be spent today; absent for no limit.
    pub left_today_usd: Option<f64>,
    /// US dollars of them that conversations cost.
    pub tasks_today_usd: f64,
    /// `tasks.daily_usd`.
    pub tasks_daily_usd: f64,
}

/// A task that was given no project works in a folder of Afterword's own, which is none.
fn outside_own_folders(app: &App, sum: SpendSum) -> SpendSum {
    let is_own = Path::new(&sum.project).starts_with(&app.paths.state);
    SpendSum { project: if is_own { String::new() } else { sum.project }, ..sum }
}

/// What engines cost in the last `days` days, today among them, and what is left for today.
///
/// # Errors
/// [`Error::Store`].
pub fn spend(app: &App, days: u32, now: &Zoned) -> Result<Spend, Error> {
    let today = super::ledger::day(now);
    let begin = now.checked_sub(i64::from(days.saturating_sub(1)).days());
    let since = begin.map_or(today, |then| super::ledger::day(&then));
    let (mut sums, mut latest, mut today_usd) = (Vec::new(), Vec::new(), 0.0);
    let (mut tasks_today_usd, mut set_aside_usd) = (0.0, 0.0);
    if let Some(store) = app.existing_store()? {
        super::ledger::release_lost_reservations(&store, now.timestamp())?;
        let calls = store.engine_calls();
        sums = calls.sums_since(since)?.into_iter().map(|sum| outside_own_folders(app, sum)).collect();
        latest = calls.latest(LATEST)?;
        set_aside_usd = calls.reserved_since(today)?;
        today_usd = calls.spent_since(today)? - set_aside_usd;
        tasks_today_usd = calls.spent_on_conversations_since(today)?;
    }
    let daily_usd = app.config.budget.daily;
    Ok(Spend {
        since,
        calls: sums.iter().map(|sum| sum.calls).sum(),
        input_tokens: sums.iter().map(|sum| sum.input_tokens).sum(),
        output_tokens: sums.iter().map(|sum| sum.output_tokens).sum(),
        // The sum of nothing is minus zero.
        usd: sums.iter().fold(0.0, |all, sum| all + sum.usd),
        sums,
        latest,
        today_usd,
        daily_usd,
        set_aside_usd,
        left_today_usd: daily_usd.map(|daily| (daily - today_usd - set_aside_usd).max(0.0)),
        tasks_today_usd,
        tasks_daily_usd: app.config.tasks_daily_usd,
    })
}
