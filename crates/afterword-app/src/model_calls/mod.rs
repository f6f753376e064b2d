//! Asking another engine than the built-in one: about what that found, for money that was allowed, secrets taken out.
//!
//! The built-in engine has read the session before. It does not own what is asked nor what is believed
//! (`afterword_reflect::engine`). Start reading at `consult`.

pub(crate) mod engines;
pub(crate) mod fault;
mod heartbeat;
mod keys;
mod known_lessons;
pub(crate) mod ledger;
mod spend;

use std::path::Path;

use afterword_core::{Candidate, ContentKey, JobId, JobType, NoteId, ProjectKey, SessionId};
use afterword_reflect::engine::account::{Account, Ending};
use afterword_reflect::engine::{
    Collector, Digest, DigestLimits, Model, Page, PromptContext, merge, synthesise,
};
use afterword_store::{Purpose, Store};
use afterword_vault::references::WebResult;
use jiff::Zoned;

use crate::error::EngineCallError;
use crate::excluded::ExcludedLines;
use crate::redaction::Redaction;
use crate::{App, EngineName, Error, excluded};
pub(crate) use engines::{cost_bound, model, model_name};
pub use fault::{EngineFault, engine_fault};
pub use heartbeat::{QuietSession, QuietSessionVerdict, check_quiet_session};
pub use keys::{KeyView, delete_key, keys, set_key};
pub(crate) use ledger::{CallLedger, CallSubject, day};
pub use spend::{Spend, spend};

/// An engine that is ready to be asked.
pub(crate) struct ModelSession<'a> {
    model: Box<dyn Model>,
    engine: EngineName,
    model_name: String,
    store: Store,
    now: &'a Zoned,
    ordered: ReflectionOptions,
}

/// What whoever ordered a reflection wishes for.
#[derive(Debug, Clone, Default)]
pub struct ReflectionOptions {
    /// What to look for, and how much is told.
    pub wishes: PromptContext,
    /// The job it is part of.
    pub job: Option<JobId>,
    /// The engine in whose place the built-in one reads, because that one cannot be asked.
    pub in_place_of: Option<EngineName>,
}

/// What a model said of a session besides its lessons.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Advice {
    /// Who said it: the engine, and the model where it is known.
    pub by: String,
    /// A note for whoever reads on, secrets taken out; empty for none.
    pub handoff: String,
    /// What the session was about, and how it ended, secrets taken out.
    pub account: Account,
    /// Web results worth keeping, and their topics.
    pub(crate) pages: Vec<(ContentKey, String)>,
    /// What was left out, of what was found and of its answer: titles, and why.
    pub dropped: Vec<(String, String)>,
    /// From which part on it was not asked about a long session, and why.
    pub unread: Option<String>,
    /// What it said of lessons besides their words.
    pub(crate) remarks: Vec<LessonRemark>,
}

/// What a model said of a lesson besides its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LessonRemark {
    title: String,
    line: u64,
    /// It is said to hold everywhere.
    pub(crate) everywhere: bool,
    /// The note that is said to say the same.
    pub(crate) same_as: Option<NoteId>,
    /// The note that is said no longer to hold.
    pub(crate) replaces: Option<NoteId>,
}

impl Advice {
    /// What was said of a lesson.
    pub(crate) fn of(&self, candidate: &Candidate) -> Option<&LessonRemark> {
        let line = candidate.evidence.first().map_or(0, |piece| piece.line);
        self.remarks.iter().find(|remark| remark.line == line && remark.title == candidate.title)
    }
}

/// Gets an engine ready; `None` for the built-in one.
pub(crate) fn model_calls<'a>(
    app: &App,
    engine: EngineName,
    ordered: ReflectionOptions,
    now: &'a Zoned,
) -> Result<Option<ModelSession<'a>>, Error> {
    let Some(model) = engines::model(app, engine)? else { return Ok(None) };
    let (model_name, store) = (engines::model_name(app, engine), app.store()?);
    // Where no money is left no transcript need be read to find that out.
    ledger::require_budget(&store, app.config.budget, now)
        .map_err(|source| EngineCallError::Failed { engine, source: Box::new(source) })?;
    Ok(Some(ModelSession { model, engine, model_name, store, now, ordered }))
}

/// What a model makes of a session, joined with what the built-in engine found.
pub(crate) fn ask_model(
    app: &App,
    model_calls: &ModelSession<'_>,
    read: (&Path, &ExcludedLines, &[WebResult]),
    about: (&SessionId, Option<&ProjectKey>),
    found: Vec<Candidate>,
    redaction: &Redaction,
) -> Result<(Vec<Candidate>, Option<Advice>), Error> {
    let (form, room) = engines::form(app, model_calls.engine);
    let (path, excluded, pages) = read;
    let digest = digest(path, excluded, &found, room, redaction)?;
    if digest.is_empty() {
        return Ok((found, None));
    }
    let (session, project) = about;
    let ordered = &model_calls.ordered.wishes;
    let wishes =
        prompt_context(app, Some(&model_calls.store), ordered, pages, about, (&found, &digest), redaction)?;
    let project = project.map_or("", ProjectKey::as_str);
    let mut ledger = CallLedger::new(
        &model_calls.store,
        app.config.budget,
        model_calls.now,
        (model_calls.engine.as_str(), &model_calls.model_name),
        CallSubject {
            purpose: Purpose::Reflection,
            job: model_calls.ordered.job,
            session: session.as_str(),
            project,
        },
    );
    let said = synthesise(model_calls.model.as_ref(), (&digest, form), found, &wishes.prompt, &mut ledger)
        .map_err(|source| EngineCallError::FailedInSession {
            engine: model_calls.engine,
            session: session.clone(),
            source: Box::new(source),
        })?;
    let candidates: Vec<_> =
        said.merged.candidates.into_iter().map(|candidate| redaction.candidate(candidate)).collect();
    let known = |index: Option<usize>| Some(wishes.known.get(index?)?.0);
    let remark = |remark: merge::ModelRemark| LessonRemark {
        title: redaction.text(&remark.title),
        line: remark.line,
        everywhere: remark.everywhere,
        same_as: known(remark.same_as),
        replaces: known(remark.replaces),
    };
    let dropped = said.merged.dropped.into_iter().chain(said.unbelieved);
    let advice = Advice {
        by: model_mark(model_calls.engine, &model_calls.model_name),
        handoff: redaction.text(&said.handoff),
        account: Account {
            title: redaction.text(&said.account.title),
            ended: said.account.ended.map(|end| Ending { because: redaction.text(&end.because), ..end }),
        },
        pages: said
            .pages
            .into_iter()
            .filter_map(|(index, topic)| Some((pages.get(index)?.key(), redaction.text(&topic))))
            .collect(),
        unread: said.unread,
        dropped: dropped.map(|(title, why)| (redaction.text(&title), redaction.text(&why))).collect(),
        remarks: said.merged.remarks.into_iter().map(remark).collect(),
    };
    Ok((candidates, Some(advice)))
}

/// All that goes with the question about a session, secrets taken out.
pub(crate) fn prompt_context(
    app: &App,
    store: Option<&Store>,
    ordered: &PromptContext,
    pages: &[WebResult],
    (session, project): (&SessionId, Option<&ProjectKey>),
    found: (&[Candidate], &Digest),
    redaction: &Redaction,
) -> Result<SessionContext, Error> {
    let before = store.map(|store| store.job_logs().handoff_note(JobType::Reflection, session, project));
    let known = known_lessons::similar_known_lessons(app, found, project, redaction);
    let prompt = PromptContext {
        focus: redaction.text(&ordered.focus),
        most: ordered.most,
        known: known.iter().map(|(_, title)| title.clone()).collect(),
        before: before.transpose()?.flatten().map(|note| redaction.text(&note)).unwrap_or_default(),
        pages: pages.iter().map(page).collect(),
    };
    Ok(SessionContext { prompt, known })
}

/// What of a session is shown, read again so that a session of any size needs no memory.
pub(crate) fn digest(
    path: &Path,
    excluded: &ExcludedLines,
    found: &[Candidate],
    room: DigestLimits,
    redaction: &Redaction,
) -> Result<Digest, Error> {
    let mut collector = Collector::new(found, room);
    excluded::scan_without(excluded, path, redaction, &mut |event| {
        collector.push(&redaction.event(event).0);
    })?;
    Ok(collector.finish())
}

/// What goes with a question, and the notes of the lessons it names.
pub(crate) struct SessionContext {
    pub(crate) prompt: PromptContext,
    known: Vec<(NoteId, String)>,
}

/// As what a model said is marked.
pub(crate) fn model_mark(engine: EngineName, model: &str) -> String {
    if model.is_empty() { engine.as_str().to_owned() } else { format!("{engine}, {model}") }
}

fn page(result: &WebResult) -> Page {
    let address = match &result.source {
        afterword_vault::references::WebResultSource::Page { url } => url.clone(),
        afterword_vault::references::WebResultSource::Search { query } => format!("search for {query}"),
    };
    Page { address, beginning: result.text.chars().take(200).collect() }
}
