//! Whether the chosen engine could be asked, found out without asking it: by the settings, by whether anybody listens on this
//! machine, and by how it answered the last time.

use std::time::Duration;

use afterword_claude_code::client::{ClientError, Cost};
use afterword_platform::keyring::{Keyring, KeyringError};
use afterword_reflect::engine::{EngineError, host, is_listening, is_local};
use afterword_store::{EngineCall, INTERRUPTED_CALL, Purpose};
use jiff::tz::TimeZone;

use super::keys;
use crate::error::EngineCallError;
use crate::model_calls::engines;
use crate::{App, EngineName, Error};

/// A server on this machine is there at once or not at all.
const MOMENT: Duration = Duration::from_millis(200);
/// The latest calls among which the engine's last one is looked for.
const LATEST: usize = 50;

/// Why the chosen engine cannot work. The built-in one goes on meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineFault {
    /// The engine.
    pub engine: EngineName,
    /// Why it cannot be asked.
    pub message: String,
    /// What to do about it.
    pub advice: String,
}

impl EngineFault {
    /// What an error says of it.
    pub(crate) fn of(engine: EngineName, error: &Error) -> Self {
        let advice = error.hints().into_iter().next().unwrap_or_else(|| {
            "choose another engine with `afterword config set engine.name NAME`".to_owned()
        });
        let why = error.chain();
        // What the engine itself says begins with its name.
        let why = why.strip_prefix(&format!("{engine}: ")).unwrap_or(&why);
        Self { engine, message: format!("{engine} cannot be asked: {why}"), advice }
    }

    /// All of it in one sentence.
    pub fn sentence(&self) -> String {
        format!("{}; the built-in engine goes on meanwhile; {}", self.message, self.advice)
    }
}

/// What keeps the chosen engine from being asked: no program, no key, no model, a wrong address, nobody there; or that it gave
/// nothing usable the last time it was asked. Asks neither the engine nor, for longer than a moment, the keyring.
pub fn engine_fault(app: &App) -> Option<EngineFault> {
    fault_of(app, app.config.engine).or_else(|| failed_last_time(app, app.config.engine))
}

/// The same of any engine, however it answered before.
pub(crate) fn fault_of(app: &App, engine: EngineName) -> Option<EngineFault> {
    Some(EngineFault::of(engine, &engine_error(app, engine)?))
}

/// What keeps an engine from being asked.
pub(crate) fn engine_error(app: &App, engine: EngineName) -> Option<Error> {
    match engine {
        EngineName::Builtin => None,
        EngineName::ClaudeCode => (!app.has_client()).then_some(EngineCallError::NoClient.into()),
        EngineName::Anthropic => unusable_address(app, engine).or_else(|| missing_key(app, engine)),
        EngineName::OpenAiCompatible => {
            let unnamed =
                app.config.engine_options.model.is_none().then_some(EngineCallError::NoModel.into());
            let is_here = engines::address(app, engine).is_some_and(|address| is_local(&address));
            let key = || if is_here { None } else { missing_key(app, engine) };
            unnamed
                .or_else(|| unusable_address(app, engine))
                .or_else(key)
                .or_else(|| unreachable(app, engine))
        }
    }
}

/// Nobody listens at an address of this machine.
fn unreachable(app: &App, engine: EngineName) -> Option<Error> {
    let url = engines::address(app, engine).filter(|url| is_local(url))?;
    is_listening(&url, MOMENT)
        .err()
        .map(|source| EngineCallError::Failed { engine, source: Box::new(source) }.into())
}

/// The engine as it is set refused its last question (nobody is signed in, the key is wrong, there is no such model), or its
/// answer could not be used.
fn failed_last_time(app: &App, engine: EngineName) -> Option<EngineFault> {
    // What the database is unable to tell is told by its own check.
    let calls = app.existing_store().ok()??.engine_calls().latest(LATEST).ok()?;
    let is_its = |call: &&EngineCall| {
        let is_own = call.engine == engine.as_str() && call.purpose != Purpose::Conversation.as_str();
        is_own && !call.under_way && !was_ended_from_outside(call)
    };
    let last = calls.iter().find(is_its)?;
    let problem = last.problem.as_ref()?;
    // An answer names its model in words of its own.
    if last.output_tokens == 0 && last.model != engines::model_name(app, engine) {
        return None;
    }
    let at = last.asked_at.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M");
    // It may have read the question in vain.
    let (what, advice) = if last.output_tokens == 0 {
        ("did not answer", "`afterword engine try` asks it one test question")
    } else {
        ("gave no usable answer", "`afterword jobs` says when it is asked again")
    };
    let message = format!("{engine} {what} when it was last asked, {at}: {problem}");
    Some(EngineFault { engine, message, advice: advice.to_owned() })
}

/// Its process died, or was about to end.
fn was_ended_from_outside(call: &EngineCall) -> bool {
    let stopped = ClientError::Interrupted { cost: Cost::default() }.to_string();
    call.problem.as_ref().is_some_and(|problem| *problem == stopped || problem == INTERRUPTED_CALL)
}

fn unusable_address(app: &App, engine: EngineName) -> Option<Error> {
    let url = engines::address(app, engine)?;
    let is_safe = url.starts_with("https://") || url.starts_with("http://") && is_local(&url);
    let problem = if host(&url).is_none() {
        "this is no address; it begins with https://"
    } else if !is_safe {
        "only https, or http on this machine, keeps what is sent private"
    } else {
        return None;
    };
    Some(EngineCallError::Failed { engine, source: Box::new(EngineError::Address { url, problem }) }.into())
}

/// A keyring that is locked or slow may have the key.
fn missing_key(app: &App, engine: EngineName) -> Option<Error> {
    if app.key.as_ref().is_some_and(|(of, _)| *of == engine) {
        return None;
    }
    let host = engines::address(app, engine).and_then(|address| host(&address)).unwrap_or_default();
    match Keyring::without_prompt().get(&keys::keyring_name(engine, &host)) {
        Ok(Some(_)) | Err(KeyringError::Locked { .. } | KeyringError::TooLong { .. }) => None,
        Ok(None) => Some(EngineCallError::NoKey { engine, host }.into()),
        Err(error) => Some(error.into()),
    }
}
