//! What reading sessions with an engine would cost, by the latest of them and by what it cost so far.

use std::fmt;
use std::path::{Path, PathBuf};

use afterword_claude_code::price::Price;
use afterword_claude_code::user_settings::chosen_model;
use afterword_reflect::engine::{is_local, synthesis};
use afterword_store::{Purpose, Store};
use serde::Serialize;

use crate::error::EngineCallError;
use crate::model_calls::engines;
use crate::reflect::progress::{Progress, Step};
use crate::{App, EngineName, Error, Target, reflect};

/// The latest sessions that are measured; those before them are taken to be like them.
const MEASURED: usize = 30;
/// Tokens of an answer: some seven lessons and ten verdicts.
pub(super) const ANSWER: u64 = 2_000;
/// Calls of the ledger from which on what an engine costs is known.
const ENOUGH_CALLS: u64 = 3;
/// The model that 2.1.197 of Claude Code asks where nobody chose one and no subscription decides.
const USUAL: &str = "claude-opus-4-8";
/// Tokens that Claude Code adds to a question: 1.2 kB were added by 2.1.197, with the instructions in place of its own.
const ADDED_BY_CLIENT: u64 = 400;

/// What a price rests on. In words it is what follows "by".
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum PriceBasis {
    /// What calls have cost by now.
    Experience,
    /// `engine.usd_per_million_in` and its like.
    Settings,
    /// A model on this machine costs nothing.
    ThisMachine,
    /// Its provider's price of a model.
    List {
        /// The model.
        model: String,
    },
    /// No price is known of a model.
    UnknownModel {
        /// The model.
        model: String,
    },
    /// No price is known of whatever model there is.
    Unknown,
}

impl fmt::Display for PriceBasis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Experience => f.write_str("what it cost so far"),
            Self::Settings => f.write_str("the price in the settings"),
            Self::ThisMachine => f.write_str("the price of a model on this machine"),
            Self::List { model } => write!(f, "the list price of {model}"),
            Self::UnknownModel { model } => write!(f, "no price is known for {model}"),
            Self::Unknown => f.write_str("no price is known"),
        }
    }
}

/// What reading sessions would take.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadingPrice {
    /// Sessions that would be asked about, by the share of the latest ones.
    pub asked_about: usize,
    /// US dollars for all of them; absent where no price is known.
    pub usd: Option<f64>,
    /// What the price rests on.
    pub priced_by: PriceBasis,
}

/// What reading the sessions of a target with an engine would cost: the latest are measured. Asks nobody and changes nothing.
///
/// # Errors
/// [`EngineCallError::SendsNothing`] for the built-in engine, and [`SessionError::NoSuch`](crate::error::SessionError::NoSuch) and its like where a session is not found.
pub fn reading_price(
    app: &App,
    target: &Target,
    engine: EngineName,
    progress: &mut dyn Progress,
) -> Result<ReadingPrice, Error> {
    if engine == EngineName::Builtin {
        return Err(EngineCallError::SendsNothing.into());
    }
    let store = app.existing_store()?;
    // The oldest first, as they are read.
    let chosen = reflect::select_paths(app, target, engine, store.as_ref())?;
    let measured = measure(app, chosen.iter().rev().map(PathBuf::as_path), engine, store.as_ref(), progress);
    let asked_about = portion(chosen.len(), measured.share());
    let (usd_a_session, priced_by) = price_of(app, engine, &measured, store.as_ref())?;
    Ok(ReadingPrice { asked_about, usd: usd_a_session.map(|usd| usd * count(asked_about)), priced_by })
}

/// Measures the first of these transcripts, the latest ones. One that cannot be read counts as one that is not asked about.
pub(super) fn measure<'a>(
    app: &App,
    transcripts: impl Iterator<Item = &'a Path>,
    engine: EngineName,
    store: Option<&Store>,
    progress: &mut dyn Progress,
) -> PromptSample {
    let latest: Vec<&Path> = transcripts.take(MEASURED).collect();
    progress.step(&Step::Planned { sessions: latest.len(), bytes: 0 });
    let mut measured = PromptSample::default();
    let added = if engine == EngineName::ClaudeCode { ADDED_BY_CLIENT } else { 0 };
    for path in latest {
        if !progress.goes_on() {
            break;
        }
        measured.looked_at += 1;
        let Ok(sent) = super::would_send(app, &path.to_string_lossy(), engine, store) else {
            continue;
        };
        let tokens = |prompt: &String| synthesis::question(prompt, sent.form).tokens() + added;
        let tokens: u64 = sent.prompts.iter().map(tokens).sum();
        if tokens > 0 {
            measured.calls += sent.prompts.len();
            measured.tokens.push(tokens);
        }
    }
    measured.tokens.sort_unstable();
    measured
}

/// US dollars a session, and what they rest on.
pub(super) fn price_of(
    app: &App,
    engine: EngineName,
    measured: &PromptSample,
    store: Option<&Store>,
) -> Result<(Option<f64>, PriceBasis), Error> {
    let calls = count(measured.calls) / count(measured.tokens.len().max(1));
    let answered = store.map(|store| store.engine_calls().answer_costs(engine.as_str(), Purpose::Reflection));
    let answered = answered.transpose()?.unwrap_or_default();
    if answered.calls >= ENOUGH_CALLS && answered.usd > 0.0 {
        #[expect(clippy::cast_precision_loss, reason = "no ledger has 2^52 calls")]
        let usd_a_call = answered.usd / answered.calls as f64;
        return Ok((Some(usd_a_call * calls), PriceBasis::Experience));
    }
    let set = app.config.engine_options.price().filter(|_| app.config.engine == engine);
    let (price, by) = match engine {
        EngineName::Builtin => (Some(Price::FREE), PriceBasis::ThisMachine),
        // As the ledger has it: what is set holds for a model on this machine, too.
        _ if set.is_some() => (set, PriceBasis::Settings),
        EngineName::OpenAiCompatible if engines::address(app, engine).is_some_and(|url| is_local(&url)) => {
            (Some(Price::FREE), PriceBasis::ThisMachine)
        }
        EngineName::OpenAiCompatible => (None, PriceBasis::Unknown),
        EngineName::ClaudeCode => by_list(&client_model(app, &answered.model)),
        EngineName::Anthropic => by_list(&engines::model_name(app, engine)),
    };
    let answers = ANSWER * u64::try_from(measured.calls).unwrap_or(u64::MAX)
        / u64::try_from(measured.tokens.len().max(1)).unwrap_or(1);
    Ok((price.map(|price| price.of(measured.mean(), answers)), by))
}

/// What the latest sessions would send.
#[derive(Debug, Default)]
pub(super) struct PromptSample {
    looked_at: usize,
    calls: usize,
    /// Of each that would be asked about, the smallest first.
    tokens: Vec<u64>,
}

impl PromptSample {
    pub(super) fn share(&self) -> f64 {
        count(self.tokens.len()) / count(self.looked_at.max(1))
    }

    pub(super) fn median(&self) -> u64 {
        self.tokens.get(self.tokens.len() / 2).copied().unwrap_or(0)
    }

    fn mean(&self) -> u64 {
        let all: u64 = self.tokens.iter().sum();
        all / u64::try_from(self.tokens.len().max(1)).unwrap_or(1)
    }
}

fn by_list(model: &str) -> (Option<Price>, PriceBasis) {
    let (price, model) = (Price::of_client_model(model), model.to_owned());
    let basis = if price.is_some() { PriceBasis::List { model } } else { PriceBasis::UnknownModel { model } };
    (price, basis)
}

/// The model that Claude Code would ask: the one that is set, the one that answered last, the person's own choice, or its own.
fn client_model(app: &App, answered_last: &str) -> String {
    let set = engines::model_name(app, EngineName::ClaudeCode);
    let known = [set, answered_last.to_owned()].into_iter().find(|model| !model.is_empty());
    known.or_else(|| chosen_model(app.claude().main())).unwrap_or_else(|| USUAL.to_owned())
}

#[expect(clippy::cast_precision_loss, reason = "nobody has 2^52 sessions")]
pub(super) fn count(number: usize) -> f64 {
    number as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
pub(super) fn portion(number: usize, share: f64) -> usize {
    (count(number) * share).round() as usize
}
