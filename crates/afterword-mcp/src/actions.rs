//! `review`, `memory` and `task`: one tool each for what is asked for less often, with what to do as an argument.
//!
//! One tool instead of twenty, as each is in every session's context. What an action takes is checked as strictly as if it
//! were a tool of its own.

use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::CallToolResult;
use rmcp::{ErrorData, tool, tool_router};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::answer::ToolFailure;
use crate::server::Server;
use crate::{memory, review, schema, tasks};

/// What is to be done, and with what.
#[derive(Debug, Deserialize)]
pub(crate) struct ActionRequest {
    action: String,
    #[serde(flatten)]
    arguments: Map<String, Value>,
}

impl ActionRequest {
    pub(crate) fn action(&self) -> &str {
        &self.action
    }

    /// The arguments of the action.
    pub(crate) fn arguments<T: DeserializeOwned>(self) -> Result<T, ToolFailure> {
        let problem = |error: serde_json::Error| format!("{}: {error}", self.action);
        let value = Value::Object(self.arguments);
        serde_json::from_value(value).map_err(|error| ToolFailure::argument("arguments", problem(error)))
    }

    /// The action is none of these.
    pub(crate) fn unknown(&self, actions: &[&str]) -> ToolFailure {
        ToolFailure::argument("action", format!("it must be one of {}", actions.join(", ")))
    }
}

#[tool_router(router = action_router, vis = "pub(crate)")]
impl Server {
    #[tool(
        name = "review",
        description = "List the lessons that wait for the user, and do with each what the user decided.",
        input_schema = schema::of(schema::REVIEW)
    )]
    async fn review_action(
        &self,
        Parameters(request): Parameters<ActionRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_context(|context| match request.action() {
            "list" => review::list(context, request.arguments()?),
            "approve" => review::approve(context, &request.arguments()?),
            "edit" => review::edit(context, request.arguments()?),
            "reject" => review::reject(context, request.arguments()?),
            "skip" => review::skip(context, &request.arguments()?),
            "supersede" => review::supersede(context, request.arguments()?),
            _ => Err(request.unknown(&review::ACTIONS)),
        })
        .await
    }

    #[tool(
        name = "memory",
        description = "Save a lesson or evolve one, only when the user asks; inspect what a session may teach.",
        input_schema = schema::of(schema::MEMORY)
    )]
    async fn memory_action(
        &self,
        Parameters(request): Parameters<ActionRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_context(|context| match request.action() {
            "save" => memory::save(context, request.arguments()?),
            "evolve" => memory::evolve(context, request.arguments()?),
            "inspect" => memory::inspect(context, &request.arguments()?),
            _ => Err(request.unknown(&memory::ACTIONS)),
        })
        .await
    }

    #[tool(
        name = "task",
        description = "Background work: watch, check, prepare, remind. new and reschedule first show when it would run; show the user, then call again with confirmed.",
        input_schema = schema::of(schema::TASK)
    )]
    async fn task_action(
        &self,
        Parameters(request): Parameters<ActionRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_context(|context| tasks::act(context, request)).await
    }
}
