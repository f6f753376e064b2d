//! What another engine would take and cost, measured on the person's own sessions, and taking it into use.

use std::time::{Duration, Instant};

use afterword_reflect::engine::trial::ask_test_question;
use afterword_reflect::engine::{CostBound, EngineError, SpendGuard, Usage, is_local};
use afterword_store::Purpose;
use jiff::Zoned;
use serde::Serialize;

use super::reading_price::{ANSWER, PriceBasis, count, measure, portion, price_of};
use crate::error::EngineCallError;
use crate::model_calls::{CallLedger, CallSubject, EngineFault, engines, fault};
use crate::reflect::progress::Progress;
use crate::sessions::{Transcript, discover};
use crate::settings;
use crate::{App, EngineName, Error};

/// Days by which the person's pace is told.
const PACE_DAYS: i64 = 28;

/// What an engine would take and cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct EngineOffer {
    /// The engine.
    pub engine: EngineName,
    /// It is the one in use.
    pub in_use: bool,
    /// The model; empty for the person's own choice in Claude Code.
    pub model: String,
    /// Why it cannot be asked now.
    pub problem: Option<String>,
    /// The same as a value, for a face with words of its own.
    #[cfg_attr(feature = "contract", ts(as = "Option<crate::error::Problem<'static>>"))]
    pub because: Option<serde_json::Value>,
    /// Sessions that are there.
    pub sessions: usize,
    /// Those that would be asked about, by the share of the latest ones.
    pub asked_about: usize,
    /// Tokens a session takes, read and written: the median of those that would be asked about.
    pub tokens_a_session: u64,
    /// US dollars a session; absent where no price is known.
    pub usd_a_session: Option<f64>,
    /// US dollars for all that is there.
    pub usd_for_all: Option<f64>,
    /// Sessions a week that would be asked about, at the person's pace.
    pub sessions_a_week: f64,
    /// US dollars a week at that pace.
    pub usd_a_week: Option<f64>,
    /// What the price rests on, in words.
    pub priced_by: String,
    /// The same as a value, for a face with words of its own.
    pub price_basis: PriceBasis,
    /// `budget.daily_usd`; absent for no limit.
    pub daily_usd: Option<f64>,
}

/// A test question that was answered.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct EngineTrial {
    /// The engine.
    pub engine: EngineName,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// US dollars it cost, where that is known.
    pub usd: Option<f64>,
    /// Seconds it took.
    pub seconds: f64,
}

/// What an engine would take for the sessions there are. Asks nobody and changes nothing.
///
/// # Errors
/// [`EngineCallError::SendsNothing`] for the built-in engine, and [`Error::Store`].
pub fn engine_offer(
    app: &App,
    engine: EngineName,
    progress: &mut dyn Progress,
) -> Result<EngineOffer, Error> {
    if engine == EngineName::Builtin {
        return Err(EngineCallError::SendsNothing.into());
    }
    let store = app.existing_store()?;
    let mut transcripts = discover(app.claude()).transcripts;
    transcripts.sort_by_key(|transcript| std::cmp::Reverse(transcript.fingerprint.mtime_ns));
    let latest = transcripts.iter().map(|transcript| transcript.path.as_path());
    let measured = measure(app, latest, engine, store.as_ref(), progress);
    let share = measured.share();
    let (usd_a_session, price_basis) = price_of(app, engine, &measured, store.as_ref())?;
    let asked_about = portion(transcripts.len(), share);
    let sessions_a_week = sessions_per_week(&transcripts) * share;
    let is_chosen = app.config.engine == engine;
    let error = fault::engine_error(app, engine);
    let fault = error.as_ref().map(|error| EngineFault::of(engine, error));
    Ok(EngineOffer {
        engine,
        in_use: is_chosen,
        model: engines::model_name(app, engine),
        because: error.as_ref().and_then(Error::problem_value),
        problem: fault.as_ref().map(|EngineFault { message, advice, .. }| format!("{message}; {advice}")),
        sessions: transcripts.len(),
        asked_about,
        tokens_a_session: measured.median() + ANSWER,
        usd_a_session,
        usd_for_all: usd_a_session.map(|usd| usd * count(asked_about)),
        sessions_a_week,
        usd_a_week: usd_a_session.map(|usd| usd * sessions_a_week),
        priced_by: price_basis.to_string(),
        price_basis,
        daily_usd: app.config.budget.daily,
    })
}

/// Asks an engine one test question, and books what it costs.
///
/// # Errors
/// [`EngineCallError::SendsNothing`]; [`EngineCallError::NoClient`], [`EngineCallError::NoKey`] or [`EngineCallError::NoModel`] where it cannot be asked; [`EngineCallError::Failed`] for its answer.
pub fn try_engine(app: &App, engine: EngineName, now: &Zoned) -> Result<EngineTrial, Error> {
    let model = engines::model(app, engine)?.ok_or(EngineCallError::SendsNothing)?;
    let (store, name) = (app.store()?, engines::model_name(app, engine));
    let about = CallSubject { purpose: Purpose::Trial, job: None, session: "", project: "" };
    let ledger = CallLedger::new(&store, app.config.budget, now, (engine.as_str(), &name), about);
    let (mut noting, clock) = (CostRecorder { ledger, usage: Usage::default() }, Instant::now());
    // Only a server of one's own has a context that one sets; elsewhere a long question would be paid for.
    let is_here = engines::address(app, engine).is_some_and(|address| is_local(&address));
    let as_long_as = is_here.then(|| engines::form(app, engine).0);
    let tried = ask_test_question(model.as_ref(), as_long_as, &mut noting);
    tried.map_err(|source| EngineCallError::Failed { engine, source: Box::new(source) })?;
    let Usage { input_tokens, output_tokens, usd, .. } = noting.usage;
    Ok(EngineTrial { engine, input_tokens, output_tokens, usd, seconds: seconds(clock.elapsed()) })
}

/// Takes an engine into use, once it has answered a test question; else nothing is changed. The built-in one is not asked.
///
/// # Errors
/// As [`try_engine`], and [`ConfigError::BadValue`](crate::error::ConfigError::BadValue) or [`Error::Io`] for the settings.
pub fn use_engine(
    app: &App,
    engine: EngineName,
    model: Option<&str>,
    daily_usd: Option<f64>,
    now: &Zoned,
) -> Result<Option<EngineTrial>, Error> {
    let mut as_chosen = app.clone();
    as_chosen.config.engine_options.model = match model {
        Some(model) => Some(model.to_owned()),
        None if app.config.engine == engine => app.config.engine_options.model.clone(),
        None => None,
    };
    as_chosen.config.engine = engine;
    if let Some(daily) = daily_usd {
        as_chosen.config.budget.daily = (daily > 0.0).then_some(daily);
    }
    let tried = match engine {
        EngineName::Builtin => None,
        _ => Some(try_engine(&as_chosen, engine, now)?),
    };
    let model: Vec<String> = as_chosen.config.engine_options.model.into_iter().collect();
    settings::change_setting(&app.environment, "engine.model", &model)?;
    if let Some(daily) = daily_usd {
        settings::change_setting(&app.environment, "budget.daily_usd", &[daily.to_string()])?;
    }
    // Last: what is asked by the new name finds the rest as it was tried.
    settings::change_setting(&app.environment, "engine.name", &[engine.as_str().to_owned()])?;
    Ok(tried)
}

/// Sessions a week: of the last four weeks, or of as many as there are sessions from, counted back from the latest.
fn sessions_per_week(transcripts: &[Transcript]) -> f64 {
    const NANOSECONDS_A_DAY: i64 = 86_400_000_000_000;
    let times = || transcripts.iter().map(|transcript| transcript.fingerprint.mtime_ns);
    let (Some(latest), Some(first)) = (times().max(), times().min()) else { return 0.0 };
    let begin = latest - PACE_DAYS * NANOSECONDS_A_DAY;
    let recent = times().filter(|time| *time > begin).count();
    #[expect(clippy::cast_precision_loss, reason = "a count of days")]
    let days = ((latest - first.max(begin)) as f64 / NANOSECONDS_A_DAY as f64).max(7.0);
    count(recent) * 7.0 / days
}

fn seconds(took: Duration) -> f64 {
    (took.as_secs_f64() * 10.0).round() / 10.0
}

/// Notes what a call cost besides booking it.
struct CostRecorder<'a> {
    ledger: CallLedger<'a>,
    usage: Usage,
}

impl SpendGuard for CostRecorder<'_> {
    fn may_spend(&mut self, bound: CostBound) -> Result<Option<f64>, EngineError> {
        self.ledger.may_spend(bound)
    }

    fn record_spend(&mut self, usage: &Usage, problem: Option<&str>) {
        self.usage.input_tokens += usage.input_tokens;
        self.usage.output_tokens += usage.output_tokens;
        self.usage.usd = match (self.usage.usd, usage.usd) {
            (Some(sum), Some(usd)) => Some(sum + usd),
            (sum, usd) => usd.or(sum),
        };
        self.ledger.record_spend(usage, problem);
    }
}
