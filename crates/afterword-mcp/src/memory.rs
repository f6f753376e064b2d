//! `memory` (save, evolve, inspect), `retrieve`, `observe`, `feedback`: lessons by name.

use afterword_app::feedback::{FeedbackKind, NewFeedback};
use afterword_app::review::Decision;
use afterword_app::searching::{HitKind, SearchMode, SearchRequest, Status};
use afterword_app::{EngineName, feedback, inspect, saving, searching, sessions};
use afterword_core::{Candidate, Destination, LessonKind, LessonScope, NoteId};
use jiff::Zoned;
use rmcp::model::CallToolResult;
use serde::Serialize;

use crate::answer::{ToolFailure, answer};
use crate::context::{ToolContext, check_length, check_name, number, session};
use crate::requests::{EvolveRequest, FeedbackRequest, InspectRequest, LessonRequest, RetrieveRequest};

/// What is done with lessons by name.
pub(crate) const ACTIONS: [&str; 3] = ["save", "evolve", "inspect"];
/// The longest query, in bytes.
const LONGEST_QUERY: usize = 10_000;

#[derive(Debug, Serialize)]
struct EvolveAnswer {
    status: &'static str,
    id: NoteId,
    path: String,
    supersedes: Option<NoteId>,
    decision: i64,
}

#[derive(Debug, Serialize)]
struct FeedbackAnswer {
    id: NoteId,
    worth: FeedbackKind,
}

#[derive(Debug, Serialize)]
struct InspectAnswer {
    session_id: String,
    project: Option<String>,
    engine: EngineName,
    reflected_at: Option<String>,
    entries: u64,
    candidates: Vec<InspectedCandidate>,
}

#[derive(Debug, Serialize)]
struct InspectedCandidate {
    /// Where a reflection sends it.
    destination: Destination,
    #[serde(flatten)]
    candidate: Candidate,
}

#[derive(Debug, Serialize)]
struct RetrieveAnswer {
    query: String,
    mode: SearchMode,
    results: Vec<RetrievedNote>,
}

#[derive(Debug, Serialize)]
struct RetrievedNote {
    id: String,
    /// Empty for a note that does not say what it is.
    kind: &'static str,
    title: String,
    path: String,
    project: String,
    status: Status,
    score: f64,
    snippet: String,
}

pub(crate) fn save(context: &ToolContext, request: LessonRequest) -> Result<CallToolResult, ToolFailure> {
    let lesson = lesson(context, request.kind, request.title, request.body, request.scope)?;
    answer(&saving::save(&context.app()?, &lesson, &Zoned::now())?)
}

pub(crate) fn evolve(context: &ToolContext, request: EvolveRequest) -> Result<CallToolResult, ToolFailure> {
    let old = check_name("supersedes", &request.supersedes)?.to_owned();
    let lesson = lesson(context, request.kind, request.title, request.body, request.scope)?;
    match saving::evolve(&context.app()?, &old, &lesson, &Zoned::now())? {
        saving::EvolveOutcome::Done(Decision { id, note, path, superseded, .. }) => {
            answer(&EvolveAnswer { status: "evolved", id: note, path, supersedes: superseded, decision: id })
        }
        saving::EvolveOutcome::Saved(saved) => answer(&saved),
    }
}

/// Lays what the agent observed into the inbox.
pub(crate) fn observe(context: &ToolContext, request: LessonRequest) -> Result<CallToolResult, ToolFailure> {
    let lesson = lesson(context, request.kind, request.title, request.body, request.scope)?;
    answer(&saving::observe(&context.app()?, &lesson, &Zoned::now())?)
}

/// Says what came of a lesson.
pub(crate) fn feedback(
    context: &ToolContext,
    request: FeedbackRequest,
) -> Result<CallToolResult, ToolFailure> {
    let app = context.app()?;
    let given = NewFeedback {
        note: check_name("id", &request.id)?.to_owned(),
        worth: request.worth,
        session: context.current_session(&app)?.map(|here| here.session),
        source: "agent",
        reason: check_length("reason", request.reason, LONGEST_QUERY)?.unwrap_or_default(),
    };
    let id = feedback::give_feedback(&app, &given, Zoned::now().timestamp())?;
    answer(&FeedbackAnswer { id, worth: request.worth })
}

/// Shows what was read from a session and why each lesson was found; writes nothing.
pub(crate) fn inspect(
    context: &ToolContext,
    request: &InspectRequest,
) -> Result<CallToolResult, ToolFailure> {
    let app = context.app()?;
    let session = match &request.session {
        Some(named) => sessions::find_session(&app, session(named)?)?.path.to_string_lossy().into_owned(),
        None => {
            let missing = "no session is known here; name one";
            let here =
                context.current_session(&app)?.ok_or_else(|| ToolFailure::argument("session", missing))?;
            here.transcript
                .map_or_else(|| here.session.to_string(), |path| path.to_string_lossy().into_owned())
        }
    };
    let inspection = inspect::inspect(&app, &session)?;
    let reflection = inspection.reflection;
    let candidates = inspection.destinations.into_iter().zip(reflection.candidates);
    answer(&InspectAnswer {
        session_id: reflection.session.to_string(),
        project: reflection.project.map(|project| project.as_str().to_owned()),
        engine: inspection.engine,
        reflected_at: inspection.reflected_at.map(|at| at.to_string()),
        entries: reflection.entries,
        candidates: candidates
            .map(|(destination, candidate)| InspectedCandidate { destination, candidate })
            .collect(),
    })
}

pub(crate) fn retrieve(
    context: &ToolContext,
    request: RetrieveRequest,
) -> Result<CallToolResult, ToolFailure> {
    if request.query.trim().is_empty() || request.query.len() > LONGEST_QUERY {
        return Err(ToolFailure::argument("query", format!("it must be 1 to {LONGEST_QUERY} bytes")));
    }
    let limit = number("limit", request.limit, 10, 50)?;
    let search = SearchRequest {
        query: request.query.clone(),
        limit: usize::try_from(limit).unwrap_or(50),
        project: request.project,
        kinds: request.kinds.unwrap_or_default(),
        outcomes: request.outcomes.unwrap_or_default(),
        tags: request.tags.unwrap_or_default(),
        // What waits was never approved: a session sees it only where it asks for it.
        statuses: request.statuses.unwrap_or_else(|| vec![Status::Active]),
    };
    let app = context.app()?;
    let asking = context.current_session(&app)?.map(|here| here.session);
    let hits = searching::retrieve(&app, &search, asking.as_ref(), &Zoned::now())?;
    let results = hits.hits.into_iter().map(|hit| RetrievedNote {
        id: hit.id,
        kind: hit.kind.map_or("", HitKind::as_str),
        title: hit.title,
        path: hit.path,
        project: hit.project,
        status: hit.status,
        score: (f64::from(hit.score) * 1e4).round() / 1e4,
        snippet: hit.snippet,
    });
    let results = results.collect();
    answer(&RetrieveAnswer { query: request.query, mode: hits.mode, results })
}

fn lesson(
    context: &ToolContext,
    kind: LessonKind,
    title: String,
    body: Option<String>,
    scope: Option<LessonScope>,
) -> Result<saving::SaveRequest, ToolFailure> {
    let session = context.current_session(&context.app()?)?.map(|here| here.session);
    Ok(saving::SaveRequest {
        kind,
        title,
        body: body.unwrap_or_default(),
        project: context.project(scope.unwrap_or_default()),
        session,
    })
}
