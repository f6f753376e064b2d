//! What a conversation may still cost today. A run and a reply are paid from the day's money like everything else.
//!
//! What a call can cost at most is set aside before it is made. Where that is not there because of what is under way, a
//! run waits: as a rule that costs less in the end. Start at [`ConversationRunner::set_aside`].

use std::time::Duration;

use afterword_claude_code::client::Cost;
use afterword_store::{CallLimits, NewCall, Purpose, Store};
use jiff::Timestamp;

use super::turn::ConversationRunner;
use crate::log::OrLog;
use crate::model_calls::ledger::{LONGEST_CALL, give_back_cut_off};
use crate::{App, Error};

/// US dollars: for less no call is begun, as Claude Code stops only after it has passed its limit.
const LEAST: f64 = 0.01;
/// So much less than what is left is asked for, in US dollars: sums of fractions are not exact.
const ROUNDING: f64 = 1e-6;
/// Between two looks whether what was under way has ended.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// A limit of a day's money.
struct Limit {
    /// The setting.
    setting: &'static str,
    /// US dollars.
    most: f64,
    /// US dollars spent of it, with what is set aside.
    spent: f64,
}

impl Limit {
    fn left(&self) -> f64 {
        self.most - self.spent
    }

    fn is_used_up(&self, directory: &str) -> Error {
        let &Self { setting, most, spent } = self;
        if setting == "budget.per_project_usd" {
            return Error::ProjectBudgetSpent { project: directory.to_owned(), spent, most };
        }
        Error::BudgetSpent { limit: setting, spent, most }
    }
}

/// Money set aside for one call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reservation {
    call: i64,
    /// US dollars it may cost.
    pub(super) most: f64,
    /// It is less than the conversation's own limit allows.
    pub(super) is_cut: bool,
}

/// Why no money was set aside.
pub(super) enum NoMoney {
    /// Today's is spent.
    Spent(Error),
    /// The run was to stop while it waited.
    Stopped,
}

/// The limit that leaves least for a conversation in `directory`.
fn narrowest(app: &App, store: &Store, directory: &str, since: Timestamp) -> Result<Limit, Error> {
    let (calls, budget) = (store.engine_calls(), app.config.budget);
    let mut narrowest = Limit {
        setting: "tasks.daily_usd",
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
    for (setting, limit) in [("budget.per_project_usd", project), ("budget.daily_usd", daily)] {
        let Some((most, spent)) = limit else { continue };
        if most - spent <= narrowest.left() {
            narrowest = Limit { setting, most, spent };
        }
    }
    Ok(narrowest)
}

/// Why nothing can be replied in a conversation today, where its money is spent: spent, not only set aside.
pub(super) fn no_money_today(
    app: &App,
    store: &Store,
    directory: &str,
    since: Timestamp,
    now: Timestamp,
) -> Result<Option<Error>, Error> {
    let narrowest = narrowest(app, store, directory, since)?;
    let under_way = store.engine_calls().under_way(None, now - LONGEST_CALL)?;
    let is_spent = narrowest.left() < LEAST && under_way <= 0.0;
    Ok(is_spent.then(|| narrowest.is_used_up(directory)))
}

impl ConversationRunner<'_, '_> {
    /// Sets aside what the next call may cost, of a run that cost `spent` so far.
    pub(super) fn set_aside(&self, spent: f64) -> Result<Result<Reservation, NoMoney>, Error> {
        let (attending, directory) = (self.attending, &self.conversation.directory);
        let (app, calls) = (attending.app, attending.store.engine_calls());
        let wanted = (self.conversation.limits.most_usd - spent).max(LEAST);
        loop {
            let (now, since) = (attending.now().timestamp(), attending.since_midnight());
            give_back_cut_off(attending.store, now)?;
            let narrowest = narrowest(app, attending.store, directory, since)?;
            let job = attending.claim.job.id;
            let is_short = narrowest.left() < wanted;
            if is_short && calls.under_way(Some(job), now - LONGEST_CALL)? > 0.0 {
                if attending.is_to_stop(self.conversation.id, self.source) {
                    return Ok(Err(NoMoney::Stopped));
                }
                std::thread::sleep(BETWEEN_LOOKS);
                continue;
            }
            if narrowest.left() < LEAST {
                return Ok(Err(NoMoney::Spent(narrowest.is_used_up(directory))));
            }
            let most = if is_short { narrowest.left() - ROUNDING } else { wanted };
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
    pub(super) fn settle_call(&self, aside: Reservation, cost: Cost, problem: Option<&str>) {
        let tokens = (cost.input_tokens, cost.output_tokens);
        let calls = self.attending.store.engine_calls();
        calls.settle(aside.call, "", tokens, cost.usd, problem).or_log("writing down what a call cost");
    }

    /// Why a call that was cut by the day's money came to its end.
    pub(super) fn is_used_up(&self) -> Result<Error, Error> {
        let (attending, directory) = (self.attending, &self.conversation.directory);
        let limit = narrowest(attending.app, attending.store, directory, attending.since_midnight())?;
        Ok(limit.is_used_up(directory))
    }
}
