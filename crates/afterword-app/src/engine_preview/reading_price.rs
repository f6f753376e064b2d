//! What reading sessions with an engine would cost, by the latest of them and by what it cost so far.

use std::path::{Path, PathBuf};

use afterword_claude_code::price::Price;
use afterword_reflect::engine::{is_local, synthesis};
use afterword_store::{Purpose, Store};
use jiff::Timestamp;

use crate::model_calls::engines;
use crate::reflect::progress::{Progress, Step};
use crate::{App, EngineName, Error, Target, reflect};

/// The latest sessions that are measured; those before them are taken to be like them.
const MEASURED: usize = 30;
/// Tokens of an answer: some seven lessons and ten verdicts.
pub(super) const ANSWER: u64 = 2_000;
/// Calls of the ledger from which on what an engine costs is known.
const ENOUGH_CALLS: u64 = 3;
/// The model Claude Code asks where nobody chose one, and the price it is told by.
const USUAL: (&str, &str) = ("claude-sonnet-4", "the list price of Claude Sonnet");

/// What reading sessions would take.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadingPrice {
    /// Sessions that would be asked about, by the share of the latest ones.
    pub asked_about: usize,
    /// US dollars for all of them; absent where no price is known.
    pub usd: Option<f64>,
    /// What the price rests on, in words.
    pub priced_by: String,
}

/// What reading the sessions of a target with an engine would cost: the latest are measured. Asks nobody and changes nothing.
///
/// # Errors
/// [`Error::SendsNothing`] for the built-in engine, and what keeps sessions from being found.
pub fn reading_price(
    app: &App,
    target: &Target,
    engine: EngineName,
    progress: &mut dyn Progress,
) -> Result<ReadingPrice, Error> {
    if engine == EngineName::Builtin {
        return Err(Error::SendsNothing);
    }
    let store = app.existing_store()?;
    // The oldest first, as they are read.
    let chosen = reflect::chosen(app, target, engine, store.as_ref())?;
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
) -> Measured {
    let latest: Vec<&Path> = transcripts.take(MEASURED).collect();
    progress.step(&Step::Planned { sessions: latest.len(), bytes: 0 });
    let mut measured = Measured::default();
    for path in latest {
        if !progress.goes_on() {
            break;
        }
        measured.looked_at += 1;
        let Ok(sent) = super::would_send(app, &path.to_string_lossy(), engine, store) else {
            continue;
        };
        let tokens: u64 =
            sent.prompts.iter().map(|prompt| synthesis::question(prompt, sent.form).tokens()).sum();
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
    measured: &Measured,
    store: Option<&Store>,
) -> Result<(Option<f64>, String), Error> {
    let calls = count(measured.calls) / count(measured.tokens.len().max(1));
    if let Some(store) = store
        && let Some(usd) = usd_a_call(store, engine)?
    {
        return Ok((Some(usd * calls), "what it cost so far".to_owned()));
    }
    let set = app.config.consulted.price().filter(|_| app.config.engine == engine);
    let (price, by) = match engine {
        EngineName::Builtin => (Some(Price::FREE), String::new()),
        // As the ledger has it: what is set holds for a model on this machine, too.
        _ if set.is_some() => (set, "the price in the settings".to_owned()),
        EngineName::OpenAiCompatible if engines::address(app, engine).is_some_and(|url| is_local(&url)) => {
            (Some(Price::FREE), "a model on this machine costs nothing".to_owned())
        }
        EngineName::OpenAiCompatible => (None, "no price is known".to_owned()),
        EngineName::ClaudeCode | EngineName::Anthropic => match engines::model_name(app, engine) {
            model if model.is_empty() => (Price::listed(USUAL.0), USUAL.1.to_owned()),
            model => match Price::listed(&model) {
                Some(price) => (Some(price), format!("the list price of {model}")),
                None => (None, format!("no price is known for {model}")),
            },
        },
    };
    let answers = ANSWER * u64::try_from(measured.calls).unwrap_or(u64::MAX)
        / u64::try_from(measured.tokens.len().max(1)).unwrap_or(1);
    Ok((price.map(|price| price.of(measured.mean(), answers)), by))
}

/// What the latest sessions would send.
#[derive(Debug, Default)]
pub(super) struct Measured {
    looked_at: usize,
    calls: usize,
    /// Of each that would be asked about, the smallest first.
    tokens: Vec<u64>,
}

impl Measured {
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

/// US dollars a call of an engine cost on the average, where enough were made.
fn usd_a_call(store: &Store, engine: EngineName) -> Result<Option<f64>, Error> {
    let sums = store.engine_calls().sums_since(Timestamp::UNIX_EPOCH)?;
    let of_it = sums
        .iter()
        .filter(|sum| sum.engine == engine.as_str() && sum.purpose == Purpose::Reflection.as_str());
    let (calls, usd) = of_it.fold((0, 0.0), |(calls, usd), sum| (calls + sum.calls, usd + sum.usd));
    #[expect(clippy::cast_precision_loss, reason = "no ledger has 2^52 calls")]
    Ok((calls >= ENOUGH_CALLS && usd > 0.0).then(|| usd / calls as f64))
}

#[expect(clippy::cast_precision_loss, reason = "nobody has 2^52 sessions")]
pub(super) fn count(number: usize) -> f64 {
    number as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
pub(super) fn portion(number: usize, share: f64) -> usize {
    (count(number) * share).round() as usize
}
