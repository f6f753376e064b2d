//! What the chosen engine can say of an idea, added to its page: when somebody asks for it, or for every new one where
//! `ideas.research` is set.

use afterword_core::{JobId, JobType, Kind};
use afterword_reflect::engine::research::research;
use afterword_store::{DuplicatePolicy, NewJob, Purpose, Store};
use afterword_vault::research::{Research, is_researched, with_research};
use afterword_vault::{NoteEntry, NoteKind};
use jiff::{Timestamp, Zoned};
use serde::Serialize;

use crate::error::{EngineCallError, NoteError};
use crate::model_calls::{CallLedger, CallSubject, model_mark};
use crate::note;
use crate::note_change::{NoteChange, NoteChangeKind};
use crate::vault_session::VaultSession;
use crate::{App, EngineName, Error, model_calls};

/// An idea that was thought through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ResearchedIdea {
    /// Its title.
    pub title: String,
    /// Its page.
    pub path: String,
    /// Who said it.
    pub by: String,
}

/// Asks an engine about an idea and adds what it says to the idea's page. Only the page's own words are sent, secrets
/// taken out.
///
/// # Errors
/// [`NoteError::NoSuch`], [`EngineCallError::AlreadyResearched`], [`EngineCallError::SendsNothing`] for the built-in engine, [`EngineCallError::Failed`] for
/// another, and [`Error::Vault`].
pub fn research_idea(
    app: &App,
    argument: &str,
    engine: Option<EngineName>,
    now: &Zoned,
) -> Result<ResearchedIdea, Error> {
    research_for(app, None, argument, engine, now)
}

/// The same, as part of a job.
pub fn research_for(
    app: &App,
    job: Option<JobId>,
    argument: &str,
    engine: Option<EngineName>,
    now: &Zoned,
) -> Result<ResearchedIdea, Error> {
    let engine = engine.unwrap_or(app.config.engine);
    let model = model_calls::model(app, engine)?.ok_or(EngineCallError::SendsNothing)?;
    let index = app.open_vault()?.scan()?;
    let entry = idea(note::find(&index, argument)?, argument)?;
    let (id, title) = (note::id_of(entry)?, note::title_of(entry));
    if is_researched(entry) {
        return Err(EngineCallError::AlreadyResearched { path: entry.path.to_string() }.into());
    }
    let redaction = app.redaction();
    let (store, model_name) = (app.store()?, model_calls::model_name(app, engine));
    let about = CallSubject {
        purpose: Purpose::IdeaResearch,
        job,
        session: "",
        project: entry.properties.project.as_deref().unwrap_or_default(),
    };
    let mut ledger = CallLedger::new(&store, app.config.budget, now, (engine.as_str(), &model_name), about);
    let words = redaction.text(entry.note.lesson_text());
    let said = research(model.as_ref(), &redaction.text(&title), &words, &mut ledger)
        .map_err(|source| EngineCallError::Failed { engine, source: Box::new(source) })?;
    let by = model_mark(engine, &model_name);
    let clean = |texts: &[String]| texts.iter().map(|text| redaction.text(text)).collect::<Vec<_>>();
    let [approaches, steps, questions] =
        [&said.approaches, &said.first_steps, &said.open_questions].map(|texts| clean(texts));
    let problem = redaction.text(&said.problem);
    let lists =
        [("Approaches", &approaches[..]), ("First steps", &steps[..]), ("Open questions", &questions[..])];
    let research = Research { by: &by, on: now.date(), problem: &problem, lists: &lists };
    // The engine took its time: the page is looked at again, with the lock held.
    let session = VaultSession::begin(app)?;
    let path = session.revise(id, &mut Vec::new(), |_, entry| Ok(with_research(entry, &research)))?;
    Ok(ResearchedIdea { title, path: path.to_string(), by })
}

/// Queues a job for each idea that is new, where `ideas.research` is set and there is somebody to ask.
pub(crate) fn order_research(
    app: &App,
    store: &Store,
    notes: &[NoteChange],
    now: Timestamp,
) -> Result<(), Error> {
    if !app.config.ideas_research || app.config.engine == EngineName::Builtin {
        return Ok(());
    }
    let is_new_idea = |note: &&NoteChange| {
        note.refused.is_none() && note.what == NoteChangeKind::Lesson { kind: Kind::Idea }
    };
    for note in notes.iter().filter(is_new_idea) {
        let job = NewJob::about(JobType::IdeaResearch, &note.path, DuplicatePolicy::ReportExisting, now);
        store.jobs().enqueue(&job, now)?;
    }
    Ok(())
}

pub(super) fn idea<'a>(entry: &'a NoteEntry, argument: &str) -> Result<&'a NoteEntry, Error> {
    match entry.properties.kind {
        Some(NoteKind::Idea) => Ok(entry),
        _ => Err(NoteError::NoSuch { argument: argument.to_owned() }.into()),
    }
}
