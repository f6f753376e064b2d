//! Asking another engine than the built-in one: about what that found, for money that was allowed, secrets taken out.
//!
//! The built-in engine has read the session before. It does not own what is asked nor what is believed
//! (`afterword_reflect::engine`). Start reading at [`Agent::preview`], which shows what the others do.

mod engines;
mod estimate;
mod heartbeat;
mod keys;
mod known;
mod ledger;
mod spend;

use std::collections::BTreeMap;
use std::path::Path;

use afterword_core::{Candidate, ContentKey, JobId, JobType, ProjectKey, SessionId};
use afterword_reflect::engine::{
    Bound, Collector, Digest, Model, Page, Synthesis, Wishes, contract, merge, synthesis, synthesise,
};
use afterword_store::{Purpose, Store};
use afterword_vault::references::WebResult;
use jiff::Zoned;
use serde::Serialize;

use crate::redaction::Redaction;
use crate::web_cache::Owner;
use crate::{Agent, EngineName, Error};
pub use estimate::Estimate;
pub(crate) use heartbeat::{Looked, Quiet};
pub use keys::KeyView;
pub(crate) use ledger::{About, Ledger, day};
pub use spend::Spend;

/// An engine that is ready to be asked.
pub(crate) struct Consulting<'a> {
    model: Box<dyn Model>,
    engine: EngineName,
    model_name: String,
    store: Store,
    now: &'a Zoned,
    ordered: Ordered,
}

/// What whoever ordered a reflection wishes for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ordered {
    pub(crate) wishes: Wishes,
    /// The job it is part of.
    pub(crate) job: Option<JobId>,
}

/// What a model said of a session besides its lessons.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Advice {
    /// Who said it: the engine, and the model where it is known.
    pub by: String,
    /// A note for whoever reads on, secrets taken out; empty for none.
    pub handoff: String,
    /// Web results worth keeping, and their topics.
    pub(crate) pages: Vec<(ContentKey, String)>,
    /// Candidates that were dropped: their titles, and why.
    pub dropped: Vec<(String, &'static str)>,
}

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
    /// The session's part, as it is sent. Empty where nothing is worth a call; then none is made.
    pub prompt: String,
    /// Stretches of the session in it.
    pub episodes: usize,
    /// Stretches left out because they were too many.
    pub episodes_left_out: usize,
    /// About how many tokens that is, with instructions and schema; a little too high rather than too low.
    pub tokens: u64,
    /// US dollars the call can cost at most; absent where nobody can tell.
    pub most_usd: Option<f64>,
    /// What was taken out of it, by the kind of secret, and how often.
    pub removed: BTreeMap<String, usize>,
}

impl Agent {
    /// What `engine` would be sent about a session. Sends nothing, changes nothing.
    ///
    /// # Errors
    /// As reflecting on that session; [`Error::SendsNothing`] for the built-in engine, [`Error::NoModel`].
    pub fn preview(&self, argument: &str, engine: Option<EngineName>) -> Result<Preview, Error> {
        let engine = engine.unwrap_or(self.config.engine);
        if engine == EngineName::Builtin {
            return Err(Error::SendsNothing);
        }
        let store = self.existing_store()?;
        let Prompt { session, text: prompt, digest } = self.would_send(argument, store.as_ref())?;
        let question = synthesis::question(&prompt);
        let bound = self.bound(engine, &question)?;
        Ok(Preview {
            session,
            engine,
            model: self.model_name(engine),
            instructions_version: contract::INSTRUCTIONS_VERSION,
            instructions: contract::INSTRUCTIONS,
            episodes: digest.episodes.len(),
            episodes_left_out: digest.left_out,
            tokens: if prompt.is_empty() { 0 } else { question.tokens() },
            most_usd: if let Bound::Known(usd) = bound { Some(usd) } else { None },
            removed: removed(&prompt),
            prompt,
        })
    }

    /// What any engine would be sent about a session when nothing special is wished for.
    fn would_send(&self, argument: &str, store: Option<&Store>) -> Result<Prompt, Error> {
        let mined = self.mine_by_name(argument, EngineName::Builtin, store)?.reflection;
        let redaction = self.redaction();
        let digest = self.digest(&mined.transcript, &mined.candidates, &redaction)?;
        let about = (&mined.session, mined.project.as_ref());
        let (wishes, _) =
            self.wishes(store, &Wishes::default(), &mined.transcript, about, &mined.candidates, &redaction)?;
        let text = if digest.is_empty() { String::new() } else { synthesis::prompt(&digest, &wishes) };
        Ok(Prompt { session: mined.session, text, digest })
    }

    /// Gets an engine ready; `None` for the built-in one.
    pub(crate) fn consulting<'a>(
        &self,
        engine: EngineName,
        ordered: Ordered,
        now: &'a Zoned,
    ) -> Result<Option<Consulting<'a>>, Error> {
        let Some(model) = self.model(engine)? else { return Ok(None) };
        let (model_name, store) = (self.model_name(engine), self.store()?);
        // Where no money is left no transcript need be read to find that out.
        ledger::some_is_left(&store, self.config.budget, now)
            .map_err(|source| Error::Asked { engine, source: Box::new(source) })?;
        Ok(Some(Consulting { model, engine, model_name, store, now, ordered }))
    }

    /// What a model makes of a session, joined with what the built-in engine found.
    pub(crate) fn consult(
        &self,
        consulting: &Consulting<'_>,
        path: &Path,
        about: (&SessionId, Option<&ProjectKey>),
        found: Vec<Candidate>,
        redaction: &Redaction,
    ) -> Result<(Vec<Candidate>, Option<Advice>), Error> {
        let digest = self.digest(path, &found, redaction)?;
        if digest.is_empty() {
            return Ok((found, None));
        }
        let (session, project) = about;
        let ordered = &consulting.ordered.wishes;
        let (wishes, pages) =
            self.wishes(Some(&consulting.store), ordered, path, about, &found, redaction)?;
        let project = project.map_or("", ProjectKey::as_str);
        let mut ledger = Ledger::new(
            &consulting.store,
            self.config.budget,
            consulting.now,
            (consulting.engine.as_str(), &consulting.model_name),
            About {
                purpose: Purpose::Reflection,
                job: consulting.ordered.job,
                session: session.as_str(),
                project,
            },
        );
        let said: Synthesis =
            synthesise(consulting.model.as_ref(), &digest, &wishes, &mut ledger).map_err(|source| {
                Error::Engine {
                    engine: consulting.engine,
                    session: session.clone(),
                    source: Box::new(source),
                }
            })?;
        let advice = Advice {
            by: said_by(consulting.engine, &consulting.model_name),
            handoff: redaction.text(&said.handoff),
            pages: said
                .pages
                .into_iter()
                .filter_map(|(index, topic)| Some((pages.get(index)?.key(), redaction.text(&topic))))
                .collect(),
            dropped: said.dropped.into_iter().map(|(title, why)| (redaction.text(&title), why)).collect(),
        };
        let proposed = said.candidates.into_iter().map(|candidate| redaction.candidate(candidate)).collect();
        Ok((merge::merged(found, proposed), Some(advice)))
    }

    /// All that goes with the question about a session, secrets taken out, and the web results that are told in it.
    fn wishes(
        &self,
        store: Option<&Store>,
        ordered: &Wishes,
        path: &Path,
        (session, project): (&SessionId, Option<&ProjectKey>),
        found: &[Candidate],
        redaction: &Redaction,
    ) -> Result<(Wishes, Vec<WebResult>), Error> {
        let before = store.map(|store| store.job_logs().handoff_note(JobType::Reflection, session, project));
        let pages = self.fetched_by(path, Owner { session, project }, redaction)?;
        let wishes = Wishes {
            focus: redaction.text(&ordered.focus),
            most: ordered.most,
            known: self.known_alike(found, project, redaction),
            before: before.transpose()?.flatten().map(|note| redaction.text(&note)).unwrap_or_default(),
            pages: pages.iter().map(page).collect(),
        };
        Ok((wishes, pages))
    }

    /// The lines around what was found, read again so that a session of any size needs no memory.
    fn digest(&self, path: &Path, found: &[Candidate], redaction: &Redaction) -> Result<Digest, Error> {
        let mut collector = Collector::around(found);
        if !found.is_empty() {
            self.scan(path, &mut |event| collector.push(&redaction.event(event).0))?;
        }
        Ok(collector.finish())
    }
}

/// What would be sent about a session.
struct Prompt {
    session: SessionId,
    /// Empty where nothing is worth a call.
    text: String,
    digest: Digest,
}

/// As what a model said is marked.
pub(crate) fn said_by(engine: EngineName, model: &str) -> String {
    if model.is_empty() { engine.as_str().to_owned() } else { format!("{engine}, {model}") }
}

fn page(result: &WebResult) -> Page {
    let address = match &result.source {
        afterword_vault::references::Source::Page { url } => url.clone(),
        afterword_vault::references::Source::Search { query } => format!("search for {query}"),
    };
    Page { address, beginning: result.text.chars().take(200).collect() }
}

/// Counts the marks that secrets left.
fn removed(prompt: &str) -> BTreeMap<String, usize> {
    let mut removed = BTreeMap::new();
    for rest in prompt.split("[redacted: ").skip(1) {
        if let Some((rule, _)) = rest.split_once(']').filter(|(rule, _)| rule.len() < 60) {
            *removed.entry(rule.to_owned()).or_default() += 1;
        }
    }
    removed
}
