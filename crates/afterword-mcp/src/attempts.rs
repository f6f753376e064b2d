//! `reflection_store`, `reflection_get`, `reflection_search`, `reflection_summary`: attempts at tasks, in the words of their
//! own contract (camel case), and the prompts that put past attempts before a task and its outcome after it.

use afterword_app::attempts::{self, Attempt, AttemptHit, AttemptOutcome, AttemptQuery, NewAttempt, prompt};
use afterword_app::searching::SearchMode;
use afterword_core::{ProjectKey, SessionId};
use jiff::Zoned;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::CallToolResult;
use rmcp::{ErrorData, tool, tool_router};
use serde::{Deserialize, Serialize};

use crate::answer::{ToolFailure, answer};
use crate::context::{ToolContext, check_length, check_name};
use crate::server::Server;
use crate::{prompts, schema};

/// The longest task that is searched for, in bytes.
const LONGEST_TASK: usize = 100_000;
/// Attempts that a search gives where no limit is given.
const DEFAULT_LIMIT: usize = 5;
/// The name by which a client may mean the session it is in.
const CURRENT: &str = "current";

/// Tell of an attempt.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoreAttempt {
    session_id: String,
    task_description: String,
    attempt_number: Option<f64>,
    outcome: AttemptOutcome,
    what_worked: Option<Vec<String>>,
    what_did_not_work: Option<Vec<String>>,
    next_strategy: String,
    project_id: Option<String>,
    tags: Option<Vec<String>>,
    related_entity_ids: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct GetAttempts {
    session_id: String,
    limit: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SearchAttempts {
    project_id: String,
    task_description: Option<String>,
    outcome_filter: Option<Vec<AttemptOutcome>>,
    session_id: Option<String>,
    tags: Option<Vec<String>>,
    limit: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SumUpAttempts {
    project_id: String,
    session_id: Option<String>,
}

/// An attempt as the client reads it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ReflectionView {
    id: String,
    session_id: String,
    project_id: String,
    created_at: String,
    task_description: String,
    attempt_number: u32,
    outcome: AttemptOutcome,
    what_worked: Vec<String>,
    what_did_not_work: Vec<String>,
    next_strategy: String,
    tags: Vec<String>,
    related_entity_ids: Vec<String>,
    /// `agent` where a caller stored it, `session` where it was judged from the session's own signals.
    source: String,
    /// Why the outcome was judged so; empty where a caller told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    because: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    /// Whether it fits the task that was looked for, and is not just what comes closest.
    #[serde(skip_serializing_if = "Option::is_none")]
    fits: Option<bool>,
}

#[derive(Debug, Serialize)]
struct Reflections {
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<SearchMode>,
    reflections: Vec<ReflectionView>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SummaryView {
    total_reflections: u64,
    success_rate: f64,
    common_failures: Vec<String>,
    effective_strategies: Vec<String>,
    recent_lessons: Vec<ReflectionView>,
}

#[tool_router(router = attempt_router, vis = "pub(crate)")]
impl Server {
    #[tool(
        description = "Store a lesson learned from an attempt",
        input_schema = schema::of(STORE)
    )]
    async fn reflection_store(
        &self,
        Parameters(request): Parameters<RawArguments>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_context(|context| store(context, parse_argument(request)?)).await
    }

    #[tool(
        description = "Get recent lessons for a session",
        input_schema = schema::of(GET)
    )]
    async fn reflection_get(
        &self,
        Parameters(request): Parameters<RawArguments>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_context(|context| get(context, &parse_argument(request)?)).await
    }

    #[tool(
        description = "Search for relevant lessons across sessions",
        input_schema = schema::of(SEARCH),
        annotations(read_only_hint = true)
    )]
    async fn reflection_search(
        &self,
        Parameters(request): Parameters<RawArguments>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_context(|context| search(context, parse_argument(request)?)).await
    }

    #[tool(
        description = "Get summary of lessons learned for a project",
        input_schema = schema::of(SUMMARY)
    )]
    async fn reflection_summary(
        &self,
        Parameters(request): Parameters<RawArguments>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_context(|context| summary(context, &parse_argument(request)?)).await
    }
}

/// Arguments as they came: their schemas are the contract's own words, not made from types.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
struct RawArguments(serde_json::Value);

fn parse_argument<T: serde::de::DeserializeOwned>(
    RawArguments(value): RawArguments,
) -> Result<T, ToolFailure> {
    serde_json::from_value(value).map_err(|error| ToolFailure::argument("arguments", error.to_string()))
}

pub(crate) const STORE: &str = r#"{"type": "object", "properties": {
    "sessionId": {"type": "string"},
    "taskDescription": {"type": "string"},
    "attemptNumber": {"type": "number"},
    "outcome": {"type": "string", "enum": ["success", "partial", "failure"]},
    "whatWorked": {"type": "array", "items": {"type": "string"}},
    "whatDidNotWork": {"type": "array", "items": {"type": "string"}},
    "nextStrategy": {"type": "string"},
    "projectId": {"type": "string"},
    "tags": {"type": "array", "items": {"type": "string"}},
    "relatedEntityIds": {"type": "array", "items": {"type": "string"}}
}, "required": ["sessionId", "taskDescription", "outcome", "nextStrategy"]}"#;

const GET: &str = r#"{"type": "object", "properties": {
    "sessionId": {"type": "string"},
    "limit": {"type": "number", "default": 5}
}, "required": ["sessionId"]}"#;

const SEARCH: &str = r#"{"type": "object", "properties": {
    "projectId": {"type": "string"},
    "taskDescription": {"type": "string", "description": "Semantic search for similar tasks"},
    "outcomeFilter": {"type": "array", "items": {"type": "string"}},
    "sessionId": {"type": "string"},
    "tags": {"type": "array", "items": {"type": "string"}},
    "limit": {"type": "number"}
}, "required": ["projectId"]}"#;

const SUMMARY: &str = r#"{"type": "object", "properties": {
    "projectId": {"type": "string"},
    "sessionId": {"type": "string", "description": "Optional: limit to session"}
}, "required": ["projectId"]}"#;

fn store(context: &ToolContext, request: StoreAttempt) -> Result<CallToolResult, ToolFailure> {
    let app = context.app()?;
    let project = match &request.project_id {
        Some(project) => ProjectKey::from_cwd(check_name("projectId", project)?),
        None => context.project_key(),
    };
    let new = NewAttempt {
        session: session(context, "sessionId", &request.session_id)?,
        project,
        task: request.task_description,
        number: request.attempt_number.map(|number| whole_number("attemptNumber", number)).transpose()?,
        outcome: request.outcome,
        worked: request.what_worked.unwrap_or_default(),
        did_not_work: request.what_did_not_work.unwrap_or_default(),
        next_strategy: request.next_strategy,
        tags: request.tags.unwrap_or_default(),
        related: request.related_entity_ids.unwrap_or_default(),
        because: Vec::new(),
    };
    answer(&view(attempts::store_attempt(&app, new, &Zoned::now())?))
}

fn get(context: &ToolContext, request: &GetAttempts) -> Result<CallToolResult, ToolFailure> {
    let session = session(context, "sessionId", &request.session_id)?;
    let attempts = attempts::recent_attempts(&context.app()?, &session, limit(request.limit)?)?;
    let reflections = attempts.into_iter().map(view).collect();
    answer(&Reflections { mode: None, reflections })
}

fn search(context: &ToolContext, request: SearchAttempts) -> Result<CallToolResult, ToolFailure> {
    let app = context.app()?;
    let query = AttemptQuery {
        session: request.session_id.map(|text| session(context, "sessionId", &text)).transpose()?,
        project: Some(project(context, &request.project_id)?),
        task: check_length("taskDescription", request.task_description, LONGEST_TASK)?,
        tags: request.tags.unwrap_or_default(),
        outcomes: request.outcome_filter.unwrap_or_default(),
        limit: limit(request.limit)?,
        asking: context.current_session(&app)?.map(|here| here.session),
    };
    let found = attempts::search_attempts(&app, &query, &Zoned::now())?;
    let found_view = |hit: &AttemptHit| ReflectionView {
        score: hit.score.map(|score| (f64::from(score) * 1e4).round() / 1e4),
        fits: found.fits(hit),
        ..view(hit.attempt.clone())
    };
    let reflections = found.hits.iter().map(found_view).collect();
    answer(&Reflections { mode: found.mode, reflections })
}

fn summary(context: &ToolContext, request: &SumUpAttempts) -> Result<CallToolResult, ToolFailure> {
    let session = request.session_id.as_ref().map(|text| session(context, "sessionId", text)).transpose()?;
    let project = project(context, &request.project_id)?;
    let summary = attempts::attempts_summary(&context.app()?, Some(&project), session.as_ref())?;
    let texts = |patterns: Vec<afterword_app::attempts::Pattern>| {
        patterns.into_iter().map(|pattern| pattern.text).collect()
    };
    answer(&SummaryView {
        total_reflections: summary.total,
        success_rate: (summary.success_rate * 1e4).round() / 1e4,
        common_failures: texts(summary.common_failures),
        effective_strategies: texts(summary.effective_strategies),
        recent_lessons: summary.recent.into_iter().map(view).collect(),
    })
}

/// The words of the prompt `attempt`: what was tried before at such a task in this project, the task, and what to do after it.
pub(crate) fn attempt_prompt(context: &ToolContext, task: &str) -> Result<String, ToolFailure> {
    let app = context.app()?;
    let asking = context.current_session(&app)?.map(|here| here.session);
    let attempts = attempts::past_lessons(&app, task, &context.project_key(), asking, &Zoned::now())?;
    let lessons = match &attempts[..] {
        [] => prompts::NO_ATTEMPT.to_owned(),
        attempts => prompt(attempts),
    };
    Ok(format!("{lessons}\n{}{}", prompts::ATTEMPT, task.trim()))
}

/// The session a client names; `current` is the one it is in.
fn session(context: &ToolContext, argument: &'static str, text: &str) -> Result<SessionId, ToolFailure> {
    if text.trim() == CURRENT {
        let here = context.current_session(&context.app()?)?;
        let unknown = || ToolFailure::argument(argument, "the current session is not known; give its id");
        return here.map(|here| here.session).ok_or_else(unknown);
    }
    let problem = "it must be 1 to 128 of the characters A-Z a-z 0-9 - _ .";
    SessionId::parse(text.trim()).ok_or_else(|| ToolFailure::argument(argument, problem))
}

/// The project a client names; `current` is the one it works in.
fn project(context: &ToolContext, text: &str) -> Result<String, ToolFailure> {
    match check_name("projectId", text)? {
        CURRENT => Ok(context.project_key().as_str().to_owned()),
        text => Ok(text.to_owned()),
    }
}

/// A number that JSON may write with a fraction of zero.
fn whole_number(argument: &'static str, number: f64) -> Result<u32, ToolFailure> {
    let problem = "it must be a whole number from 1 on";
    let fits = number.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(&number);
    // Checked to be whole and in range.
    if fits { Ok(number as u32) } else { Err(ToolFailure::argument(argument, problem)) }
}

/// How many at most; a limit beyond all there are is none.
fn limit(limit: Option<f64>) -> Result<usize, ToolFailure> {
    match limit {
        None => Ok(DEFAULT_LIMIT),
        Some(limit) if limit >= 0.0 && limit.fract() == 0.0 => Ok(limit as usize),
        Some(_) => Err(ToolFailure::argument("limit", "it must be a whole number from 0 on")),
    }
}

fn view(attempt: Attempt) -> ReflectionView {
    ReflectionView {
        id: attempt.id,
        session_id: attempt.session.to_string(),
        project_id: attempt.project.as_str().to_owned(),
        created_at: attempt.created_at.to_string(),
        task_description: attempt.task,
        attempt_number: attempt.number,
        outcome: attempt.outcome,
        what_worked: attempt.worked,
        what_did_not_work: attempt.did_not_work,
        next_strategy: attempt.next_strategy,
        tags: attempt.tags,
        related_entity_ids: attempt.related,
        source: attempt.source,
        because: attempt.because,
        score: None,
        fits: None,
    }
}
