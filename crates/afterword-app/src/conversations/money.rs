//! What a conversation may still cost today. A run and a reply are paid from the day's money like everything else.
//!
//! What a call can cost at most is reserved before it is made. Where that is not there because of what is under way, a
//! run waits: as a rule that costs less in the end. Start at [`Wallet::reserve`].

use std::time::Duration;

use afterword_claude_code::client::Cost;
use afterword_core::JobId;
use afterword_reflect::engine::SpendLimit;
use afterword_store::{CallLimits, NewCall, Purpose, Store};
use jiff::{Timestamp, Zoned};

use crate::error::ConversationsError;
use crate::log::OrLog;
use crate::model_calls::day;
use crate::model_calls::ledger::{LONGEST_CALL, release_lost_reservations};
use crate::{App, Error};

/// US dollars: for less no call is begun, as Claude Code stops only after it has passed its limit.
const LEAST: f64 = 0.01;
/// So much less than what is left is asked for, in US dollars: sums of fractions are not exact.
const ROUNDING: f64 = 1e-6;
/// Between two looks whether what was under way has ended.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// A limit of a day's money.
struct Limit {
    limit: SpendLimit,
    /// US dollars.
    most: f64,
    /// US dollars spent of it, with what is reserved.
    spent: f64,
}

impl Limit {
    fn available(&self) -> f64 {
        self.most - self.spent
    }

    fn is_used_up(&self, directory: &str) -> Error {
        let &Self { limit, most, spent } = self;
        if limit == SpendLimit::PerProject {
            return ConversationsError::ProjectBudgetSpent { project: directory.to_owned(), spent, most }
                .into();
        }
        ConversationsError::BudgetSpent { limit, spent, most }.into()
    }
}

/// Money reserved for one call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reservation {
    call: i64,
    /// US dollars it may cost.
    pub(super) most: f64,
    /// It is less than the conversation's own limit allows.
    pub(super) is_cut: bool,
}

/// Why no money was reserved.
pub(super) enum NoMoneyReason {
    /// Today's is spent.
    Spent(Error),
    /// The run was to stop while it waited.
    Interrupted,
}

/// The limit that leaves least for a conversation in `directory`.
fn narrowest(app: &App, store: &Store, directory: &str, since: Timestamp) -> Result<Limit, Error> {
    let (calls, budget) = (store.engine_calls(), app.config.budget);
    let mut narrowest = Limit {
        limit: SpendLimit::Tasks,
        most: app.config.tasks_daily_usd,
        spent: calls.spent_on_conversations_since(since)?,
    };
    let project = match budget.per_project {
        Some(most) => Some((most, calls.spent_on_since(directory, since)?)),
        None => None,
    };
    let daily = match budget.daily {
        Some(most) => Some((most, calls.spent_since(since)?)),
        None => None,
    };
    for (limit, money) in [(SpendLimit::PerProject, project), (SpendLimit::Daily, daily)] {
        let Some((most, spent)) = money else { continue };
        if most - spent <= narrowest.available() {
            narrowest = Limit { limit, most, spent };
        }
    }
    Ok(narrowest)
}

/// Why nothing can be replied in a conversation today, where its money is spent: spent, not only reserved.
pub(super) fn no_money_today(
    app: &App,
    store: &Store,
    directory: &str,
    since: Timestamp,
    now: Timestamp,
) -> Result<Option<Error>, Error> {
    let narrowest = narrowest(app, store, directory, since)?;
    let under_way = store.engine_calls().reserved_by_others(None, now - LONGEST_CALL)?;
    let is_spent = narrowest.available() < LEAST && under_way <= 0.0;
    Ok(is_spent.then(|| narrowest.is_used_up(directory)))
}

/// The day's money, as one job of a conversation may spend it.
pub(super) struct Wallet<'a> {
    pub(super) app: &'a App,
    pub(super) store: &'a Store,
    /// The job that spends it.
    pub(super) job: JobId,
    /// Where the conversation runs: the project that it is spent on.
    pub(super) directory: &'a str,
    pub(super) now: &'a dyn Fn() -> Zoned,
    /// The run is to end.
    pub(super) is_to_stop: &'a dyn Fn() -> bool,
}

impl Wallet<'_> {
    /// Reserves what the next call may cost, at most `left` US dollars.
    pub(super) fn reserve(&self, left: f64) -> Result<Result<Reservation, NoMoneyReason>, Error> {
        let &Self { app, store, job, directory, .. } = self;
        let calls = store.engine_calls();
        let wanted = left.max(LEAST);
        loop {
            let now = (self.now)();
            let (now, since) = (now.timestamp(), day(&now));
            release_lost_reservations(store, now)?;
            let narrowest = narrowest(app, store, directory, since)?;
            let is_short = narrowest.available() < wanted;
            if is_short && calls.reserved_by_others(Some(job), now - LONGEST_CALL)? > 0.0 {
                if (self.is_to_stop)() {
                    return Ok(Err(NoMoneyReason::Interrupted));
                }
                std::thread::sleep(BETWEEN_LOOKS);
                continue;
            }
            if narrowest.available() < LEAST {
                return Ok(Err(NoMoneyReason::Spent(narrowest.is_used_up(directory))));
            }
            let most = if is_short { narrowest.available() - ROUNDING } else { wanted };
            let call = NewCall {
                asked_at: now,
                purpose: Purpose::Conversation,
                job: Some(job),
                engine: "claude-code",
                model: "",
                session: "",
                project: directory,
                most_usd: most,
            };
            let budget = app.config.budget;
            let limits = CallLimits {
                all: budget.daily,
                conversations: Some(app.config.tasks_daily_usd),
                project: budget.per_project,
            };
            if let Some(call) = calls.reserve(&call, since, limits)? {
                return Ok(Ok(Reservation { call, most, is_cut: is_short }));
            }
            // Somebody else was quicker.
            std::thread::sleep(BETWEEN_LOOKS);
        }
    }

    /// Writes down what a call cost. What cannot be written down stays in the ledger at the most it could cost.
    pub(super) fn settle(&self, reserved: Reservation, cost: Cost, problem: Option<&str>) {
        let tokens = (cost.input_tokens, cost.output_tokens);
        let calls = self.store.engine_calls();
        calls
            .record_cost(reserved.call, "", tokens, cost.usd, problem)
            .or_log("writing down what a call cost");
    }

    /// Why a call that was cut by the day's money came to its end.
    pub(super) fn is_used_up(&self) -> Result<Error, Error> {
        let limit = narrowest(self.app, self.store, self.directory, day(&(self.now)()))?;
        Ok(limit.is_used_up(self.directory))
    }
}
