//! The engines that are asked, made ready from the settings and the keyring.

use afterword_claude_code::price::Price;
use afterword_core::Secret;
use afterword_platform::keyring::Keyring;
use afterword_reflect::engine::anthropic::{self, Anthropic};
use afterword_reflect::engine::claude_code::ClaudeCode;
use afterword_reflect::engine::openai::{self, OpenAi};
use afterword_reflect::engine::{AnswerForm, CostBound, DigestLimits, Model, Question, host};

use super::keys;
use crate::error::EngineCallError;
use crate::log::OrLog;
use crate::{App, EngineName, Error};

/// An engine, ready to be asked; `None` for the built-in one.
pub(crate) fn model(app: &App, engine: EngineName) -> Result<Option<Box<dyn Model>>, Error> {
    Ok(match engine {
        EngineName::Builtin => None,
        EngineName::ClaudeCode => Some(Box::new(claude_code(app)?)),
        EngineName::Anthropic => {
            let key = engine_key(app, engine)?;
            Some(Box::new(anthropic(app, key)))
        }
        EngineName::OpenAiCompatible => {
            let mut server = openai(app)?;
            server.key = if server.is_local() {
                // Few servers on this machine want one.
                stored_key(app, engine, Keyring::without_prompt())
                    .ok_or_log("asking the keyring for a key of a server on this machine")
                    .and_then(|(key, _)| key)
            } else {
                Some(engine_key(app, engine)?)
            };
            Some(Box::new(server))
        }
    })
}

/// In which form an engine is asked, and how much of a session it is shown: less where its answers are to be short, as
/// small models have it.
pub(crate) fn form(app: &App, engine: EngineName) -> (AnswerForm, DigestLimits) {
    let is_small =
        engine == EngineName::OpenAiCompatible && app.config.engine_options.answer_tokens.is_some();
    if is_small { (AnswerForm::Brief, DigestLimits::SMALL) } else { (AnswerForm::Full, DigestLimits::FULL) }
}

/// The most a question can cost; asks nobody, and needs no key.
pub(crate) fn cost_bound(app: &App, engine: EngineName, question: &Question<'_>) -> Result<CostBound, Error> {
    Ok(match engine {
        EngineName::Builtin => CostBound::Known(0.0),
        EngineName::ClaudeCode => CostBound::AsTold,
        EngineName::Anthropic => anthropic(app, Secret::new("")).bound(question),
        EngineName::OpenAiCompatible => openai(app)?.bound(question),
    })
}

/// The model an engine is asked for; empty for the user's own choice in Claude Code.
pub(crate) fn model_name(app: &App, engine: EngineName) -> String {
    let usual = || if engine == EngineName::Anthropic { anthropic::MODEL } else { "" }.to_owned();
    chosen_model(app, engine).unwrap_or_else(usual)
}

/// The setting is about the engine that is set: another one, asked for once, does not know that model.
fn chosen_model(app: &App, engine: EngineName) -> Option<String> {
    let is_for_it = [EngineName::Builtin, engine].contains(&app.config.engine);
    app.config.engine_options.model.clone().filter(|_| is_for_it)
}

/// Where an engine's questions go; `None` where that is not for Afterword to say.
pub(crate) fn address(app: &App, engine: EngineName) -> Option<String> {
    let engine_options = &app.config.engine_options;
    match engine {
        EngineName::Builtin | EngineName::ClaudeCode => None,
        EngineName::Anthropic => {
            Some(engine_options.anthropic_address.clone().unwrap_or_else(|| anthropic::ADDRESS.to_owned()))
        }
        EngineName::OpenAiCompatible => {
            Some(engine_options.address.clone().unwrap_or_else(|| openai::ADDRESS.to_owned()))
        }
    }
}

fn engine_key(app: &App, engine: EngineName) -> Result<Secret, Error> {
    let (key, host) = stored_key(app, engine, Keyring::default())?;
    key.ok_or(EngineCallError::NoKey { engine, host }.into())
}

/// The key for where an engine is asked, and that place.
fn stored_key(app: &App, engine: EngineName, keyring: Keyring) -> Result<(Option<Secret>, String), Error> {
    let host = address(app, engine).and_then(|address| host(&address)).unwrap_or_default();
    if let Some((_, key)) = app.key.as_ref().filter(|(of, _)| *of == engine) {
        return Ok((Some(key.clone()), host));
    }
    Ok((keyring.get(&keys::keyring_name(engine, &host))?, host))
}

fn claude_code(app: &App) -> Result<ClaudeCode, Error> {
    let client = app.client().ok_or(EngineCallError::NoClient)?;
    let directory = app.paths.engine_workplace();
    let made = afterword_platform::files::create_private_directory(&directory);
    made.map_err(|source| Error::Io { path: directory.clone(), action: "make", source })?;
    let model = chosen_model(app, EngineName::ClaudeCode);
    let (limit, ending) = (app.config.engine_options.limit, std::sync::Arc::clone(&app.ending));
    Ok(ClaudeCode { client, directory, model, limit, ending })
}

fn anthropic(app: &App, key: Secret) -> Anthropic {
    let model = model_name(app, EngineName::Anthropic);
    let price = app.config.engine_options.price().or_else(|| Price::list_price(&model));
    let address = address(app, EngineName::Anthropic).unwrap_or_default();
    Anthropic { address, key, model, price, limit: app.config.engine_options.limit }
}

fn openai(app: &App) -> Result<OpenAi, Error> {
    let model = chosen_model(app, EngineName::OpenAiCompatible).ok_or(EngineCallError::NoModel)?;
    let address = address(app, EngineName::OpenAiCompatible).unwrap_or_default();
    let (price, limit) = (app.config.engine_options.price(), app.config.engine_options.limit);
    let most_tokens = app.config.engine_options.answer_tokens;
    Ok(OpenAi { address, key: None, model, price, most_tokens, limit })
}
