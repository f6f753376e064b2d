//! The budget: money is reserved before a call and settled after it.

use std::cell::Cell;
use std::time::Instant;

use afterword_core::JobId;
use afterword_reflect::engine::{CostBound, EngineError, SpendGuard, SpendLimit, Usage};
use afterword_store::{CallLimits, NewCall, Purpose, Store, StoreError};
use jiff::{SignedDuration, Timestamp, Zoned};

use crate::config::BudgetConfig;
use crate::log::OrLog;

/// A call for less than this is not worth beginning with an engine that stops only after it has passed its limit.
const LEAST: f64 = 0.01;
/// What a call may cost where no budget is set and the engine has to be told.
const UNSET: f64 = 1.0;

/// A call that belongs to no job counts as over after so long. One that ends later all the same is written down then.
pub(crate) const LONGEST_CALL: SignedDuration = SignedDuration::from_mins(15);

/// What calls are made for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallSubject<'a> {
    pub(crate) purpose: Purpose,
    pub(crate) job: Option<JobId>,
    /// Empty where it is about none.
    pub(crate) session: &'a str,
    /// Empty where unknown.
    pub(crate) project: &'a str,
}

/// Minds the money of the calls for one thing.
pub(crate) struct CallLedger<'a> {
    store: &'a Store,
    budget: BudgetConfig,
    now: &'a Zoned,
    engine: &'a str,
    model: &'a str,
    about: CallSubject<'a>,
    /// Spent on it.
    spent: Cell<f64>,
    /// The call under way, what it may cost, and when it began.
    open: Option<(i64, f64, Instant)>,
}

impl<'a> CallLedger<'a> {
    pub(crate) fn new(
        store: &'a Store,
        budget: BudgetConfig,
        now: &'a Zoned,
        (engine, model): (&'a str, &'a str),
        about: CallSubject<'a>,
    ) -> Self {
        Self { store, budget, now, engine, model, about, spent: Cell::new(0.0), open: None }
    }
}

/// Gives back what calls had reserved whose process died, as far as that is certain.
pub(crate) fn release_lost_reservations(store: &Store, now: Timestamp) -> Result<(), StoreError> {
    store.engine_calls().release_lost_reservations(now - LONGEST_CALL).map(drop)
}

/// When the user's day began.
pub(crate) fn day(now: &Zoned) -> Timestamp {
    now.start_of_day().map_or_else(|_| now.timestamp(), |day| day.timestamp())
}

/// Whether anything is left of today's money, except where none is limited.
pub(super) fn require_budget(store: &Store, budget: BudgetConfig, now: &Zoned) -> Result<(), EngineError> {
    let Some(daily) = budget.daily else { return Ok(()) };
    let ledger = |error: afterword_store::StoreError| EngineError::SpendRecord { problem: error.to_string() };
    release_lost_reservations(store, now.timestamp()).map_err(ledger)?;
    let spent = store.engine_calls().spent_since(day(now)).map_err(ledger)?;
    if spent < daily {
        return Ok(());
    }
    Err(EngineError::Budget { limit: SpendLimit::Daily, spent, next: 0.0 })
}

impl SpendGuard for CallLedger<'_> {
    fn may_spend(&mut self, bound: CostBound) -> Result<Option<f64>, EngineError> {
        let ledger =
            |error: afterword_store::StoreError| EngineError::SpendRecord { problem: error.to_string() };
        let calls = self.store.engine_calls();
        release_lost_reservations(self.store, self.now.timestamp()).map_err(ledger)?;
        let today = calls.spent_since(day(self.now)).map_err(ledger)?;
        let left_today = self.budget.daily.map(|daily| daily - today);
        let left_here = self.budget.per_job.map(|most| most - self.spent.get());
        let project = self.budget.per_project.filter(|_| !self.about.project.is_empty());
        let on_project = match project {
            Some(_) => calls.spent_on_since(self.about.project, day(self.now)).map_err(ledger)?,
            None => 0.0,
        };
        let left_project = project.map(|most| most - on_project);
        let left = [left_today, left_here, left_project].into_iter().flatten().reduce(f64::min);
        let most = match bound {
            CostBound::Known(usd) => usd,
            CostBound::AsTold => left.unwrap_or(UNSET),
            CostBound::Unknown if left.is_none() => 0.0,
            CostBound::Unknown => return Err(EngineError::NoPrice { model: self.model.to_owned() }),
        };
        // An engine that stops only once it has passed its limit is not begun for less than a cent.
        let least = if matches!(bound, CostBound::AsTold) { LEAST } else { 0.0 };
        let limits = [
            (SpendLimit::PerJob, self.spent.get(), left_here),
            (SpendLimit::PerProject, on_project, left_project),
            (SpendLimit::Daily, today, left_today),
        ];
        for (limit, spent, left) in limits {
            if left.is_some_and(|left| most > left || left < least) {
                return Err(EngineError::Budget { limit, spent, next: most.max(least) });
            }
        }
        let call = NewCall {
            asked_at: self.now.timestamp(),
            purpose: self.about.purpose,
            job: self.about.job,
            engine: self.engine,
            model: self.model,
            session: self.about.session,
            project: self.about.project,
            most_usd: most,
        };
        let limits = CallLimits { all: self.budget.daily, conversations: None, project };
        let reserved = calls.reserve(&call, day(self.now), limits).map_err(ledger)?;
        let Some(id) = reserved else {
            return Err(EngineError::Budget { limit: SpendLimit::Daily, spent: today, next: most });
        };
        tracing::debug!(
            engine = self.engine,
            model = self.model,
            session = self.about.session,
            most_usd = most,
            "an engine is asked"
        );
        self.open = Some((id, most, Instant::now()));
        Ok((most > 0.0).then_some(most))
    }

    /// What does not fit into today's money, and may fit into tomorrow's, is not begun.
    fn may_begin(&mut self, bounds: &[CostBound]) -> Result<(), EngineError> {
        let ledger =
            |error: afterword_store::StoreError| EngineError::SpendRecord { problem: error.to_string() };
        let known = |bound: &CostBound| if let CostBound::Known(usd) = bound { Some(*usd) } else { None };
        let Some(next) = bounds.iter().map(known).sum::<Option<f64>>().filter(|_| bounds.len() > 1) else {
            return Ok(());
        };
        release_lost_reservations(self.store, self.now.timestamp()).map_err(ledger)?;
        let calls = self.store.engine_calls();
        let project = self.budget.per_project.filter(|_| !self.about.project.is_empty());
        let on_project = calls.spent_on_since(self.about.project, day(self.now)).map_err(ledger)?;
        let today = calls.spent_since(day(self.now)).map_err(ledger)?;
        let limits =
            [(SpendLimit::PerProject, on_project, project), (SpendLimit::Daily, today, self.budget.daily)];
        for (limit, spent, most) in limits {
            if most.is_some_and(|most| next <= most && spent + next > most) {
                return Err(EngineError::Budget { limit, spent, next });
            }
        }
        Ok(())
    }

    fn record_spend(&mut self, usage: &Usage, problem: Option<&str>) {
        let Some((id, most, begun)) = self.open.take() else { return };
        // Where nobody says what it cost, it cost what it could.
        let usd = usage.usd.unwrap_or(if problem.is_some() && usage.input_tokens == 0 { 0.0 } else { most });
        self.spent.set(self.spent.get() + usd);
        let tokens = (usage.input_tokens, usage.output_tokens);
        let (engine, model, seconds) = (self.engine, usage.model.as_str(), begun.elapsed().as_secs());
        match problem {
            None => tracing::info!(
                engine,
                model,
                seconds,
                read = tokens.0,
                written = tokens.1,
                usd,
                "engine asked"
            ),
            Some(problem) => tracing::warn!(engine, model, seconds, usd, "engine asked in vain: {problem}"),
        }
        // What cannot be written down stays reserved at the most it can cost.
        self.store
            .engine_calls()
            .record_cost(id, &usage.model, tokens, usd, problem)
            .or_log("writing down what a call cost");
    }
}
