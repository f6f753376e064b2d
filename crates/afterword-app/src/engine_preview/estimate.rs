//! What reading many sessions with an engine would cost, before anybody is asked.

use afterword_reflect::engine::{CostBound, synthesis};
use serde::Serialize;

use crate::error::EngineCallError;
use crate::model_calls::engines;
use crate::reflect::progress::{Progress, Step};
use crate::{App, EngineName, Error, Target, reflect};

/// What reading sessions with an engine would take at most. One call a session, a few for a very long one; an answer that
/// cannot be read makes another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimate {
    /// The engine.
    pub engine: EngineName,
    /// The model; empty for the user's own choice in Claude Code.
    pub model: String,
    /// Sessions that would be read by the built-in engine.
    pub sessions: usize,
    /// Sessions of which nothing would be sent.
    pub nothing_to_ask: usize,
    /// Sessions that cannot be read.
    pub unreadable: usize,
    /// Calls for the others, each answered at once.
    pub calls: usize,
    /// About how many tokens each of the others would send, the smallest first.
    pub tokens: Vec<u64>,
    /// Tokens in all.
    pub tokens_total: u64,
    /// US dollars at most, each answer as long as it may be; absent where nobody can tell.
    pub most_usd: Option<f64>,
    /// `budget.per_job_usd`, within which every session stays; absent for no limit.
    pub per_job_usd: Option<f64>,
    /// Days that takes under `budget.daily_usd`, at most; absent where nobody can tell.
    pub days: Option<u64>,
}

/// Estimates what `engine` would cost for sessions. Asks nobody, changes nothing.
///
/// # Errors
/// [`EngineCallError::SendsNothing`] for the built-in engine, [`EngineCallError::NoModel`], and [`SessionError::NoSuch`](crate::error::SessionError::NoSuch) and its like where a session is not found.
pub fn estimate(
    app: &App,
    target: &Target,
    engine: Option<EngineName>,
    progress: &mut dyn Progress,
) -> Result<Estimate, Error> {
    let engine = engine.unwrap_or(app.config.engine);
    if engine == EngineName::Builtin {
        return Err(EngineCallError::SendsNothing.into());
    }
    let store = app.existing_store()?;
    let chosen = reflect::select_paths(app, target, engine, store.as_ref())?;
    progress.step(&Step::Planned { sessions: chosen.len(), bytes: 0 });
    let (mut tokens, mut nothing_to_ask, mut unreadable, mut calls) = (Vec::new(), 0, 0, 0);
    let mut most_usd = Some(0.0);
    for path in &chosen {
        if !progress.goes_on() {
            break;
        }
        let Ok(sent) = super::would_send(app, &path.to_string_lossy(), engine, store.as_ref()) else {
            unreadable += 1;
            continue;
        };
        if sent.prompts.is_empty() {
            nothing_to_ask += 1;
            continue;
        }
        calls += sent.prompts.len();
        let questions = sent.prompts.iter().map(|prompt| synthesis::question(prompt, sent.form));
        tokens.push(questions.clone().map(|question| question.tokens()).sum());
        for question in questions {
            most_usd = match (most_usd, engines::cost_bound(app, engine, &question)?) {
                (Some(sum), CostBound::Known(usd)) => Some(sum + usd),
                _ => None,
            };
        }
    }
    tokens.sort_unstable();
    let daily = app.config.budget.daily;
    Ok(Estimate {
        engine,
        model: engines::model_name(app, engine),
        sessions: chosen.len(),
        nothing_to_ask,
        unreadable,
        calls,
        tokens_total: tokens.iter().sum(),
        tokens,
        most_usd,
        per_job_usd: app.config.budget.per_job,
        days: most_usd.zip(daily).map(|(usd, daily)| whole_days(usd / daily)),
    })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of days, bounded")]
fn whole_days(days: f64) -> u64 {
    days.ceil().clamp(1.0, 1e6) as u64
}
