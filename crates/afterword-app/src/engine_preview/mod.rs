//! What another engine would be sent, what that would cost, and taking it into use: all before anything is sent.
//!
//! Start reading at [`preview`].

mod estimate;
mod offer;
mod reading_price;

use std::collections::BTreeMap;

use afterword_core::SessionId;
use afterword_reflect::engine::{AnswerForm, CostBound, PromptContext, Question, contract, synthesis};
use afterword_store::Store;
use serde::Serialize;

use crate::error::EngineCallError;
use crate::model_calls::{digest, engines, prompt_context};
use crate::{App, EngineName, Error, reflect};
pub use estimate::{Estimate, estimate};
pub use offer::{EngineOffer, EngineTrial, engine_offer, try_engine, use_engine};
pub use reading_price::{PriceBasis, ReadingPrice, reading_price};

/// What would be sent to an engine about a session: all of it, and nothing else.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Preview {
    /// The session.
    pub session: SessionId,
    /// The engine.
    pub engine: EngineName,
    /// The model; empty for the user's own choice in Claude Code.
    pub model: String,
    /// The version of the instructions.
    pub instructions_version: &'static str,
    /// The instructions.
    pub instructions: &'static str,
    /// The session's part, as it is sent; of several calls one after the other. Empty where nothing is worth a call; then
    /// none is made.
    pub prompt: String,
    /// Calls it takes.
    pub calls: usize,
    /// Messages of the person left out because the session is too long.
    pub messages_left_out: usize,
    /// About how many tokens that is, with instructions and schema; a little too high rather than too low.
    pub tokens: u64,
    /// US dollars the call can cost at most; absent where nobody can tell.
    pub most_usd: Option<f64>,
    /// What was taken out of it, by the kind of secret, and how often.
    pub removed: BTreeMap<String, usize>,
}

/// What `engine` would be sent about a session. Sends nothing, changes nothing.
///
/// # Errors
/// As reflecting on that session; [`EngineCallError::SendsNothing`] for the built-in engine, [`EngineCallError::NoModel`].
pub fn preview(app: &App, argument: &str, engine: Option<EngineName>) -> Result<Preview, Error> {
    let engine = engine.unwrap_or(app.config.engine);
    if engine == EngineName::Builtin {
        return Err(EngineCallError::SendsNothing.into());
    }
    let store = app.existing_store()?;
    let PlannedPrompts { session, prompts, form, messages_left_out } =
        would_send(app, argument, engine, store.as_ref())?;
    let questions: Vec<_> = prompts.iter().map(|prompt| synthesis::question(prompt, form)).collect();
    let mut most_usd = Some(0.0);
    for question in &questions {
        most_usd = match (most_usd, engines::cost_bound(app, engine, question)?) {
            (Some(sum), CostBound::Known(usd)) => Some(sum + usd),
            _ => None,
        };
    }
    let prompt = prompts.concat();
    Ok(Preview {
        session,
        engine,
        model: engines::model_name(app, engine),
        instructions_version: contract::INSTRUCTIONS_VERSION,
        instructions: form.instructions(),
        calls: prompts.len(),
        messages_left_out,
        tokens: questions.iter().map(Question::tokens).sum(),
        most_usd,
        removed: count_redactions(&prompt),
        prompt,
    })
}

/// What an engine would be sent about a session when nothing special is wished for.
fn would_send(
    app: &App,
    argument: &str,
    engine: EngineName,
    store: Option<&Store>,
) -> Result<PlannedPrompts, Error> {
    // As when it is sent: every secret that mining met is known.
    let (mined, redaction) = reflect::mine_by_name(app, argument, EngineName::Builtin, store)?;
    let (web, mined) = (mined.web, mined.reflection);
    let (form, room) = engines::form(app, engine);
    let digest = digest(&mined.transcript, &web.excluded, &mined.candidates, room, &redaction)?;
    let about = (&mined.session, mined.project.as_ref());
    let wishes = prompt_context(
        app,
        store,
        &PromptContext::default(),
        &web.latest,
        about,
        (&mined.candidates, &digest),
        &redaction,
    )?;
    let prompts = synthesis::prompts(&digest, &mined.candidates, &wishes.prompt, form);
    Ok(PlannedPrompts { session: mined.session, prompts, form, messages_left_out: digest.left_out })
}

/// What would be sent about a session.
struct PlannedPrompts {
    session: SessionId,
    /// A call each. Empty where nothing is worth one.
    prompts: Vec<String>,
    form: AnswerForm,
    messages_left_out: usize,
}

/// Counts the marks that secrets left.
fn count_redactions(prompt: &str) -> BTreeMap<String, usize> {
    let mut removed = BTreeMap::new();
    for rest in prompt.split("[redacted: ").skip(1) {
        if let Some((rule, _)) = rest.split_once(']').filter(|(rule, _)| rule.len() < 60) {
            *removed.entry(rule.to_owned()).or_default() += 1;
        }
    }
    removed
}
