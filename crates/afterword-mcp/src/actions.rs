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

use crate::answer::Refused;
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
    pub(crate) fn arguments<T: DeserializeOwned>(self) -> Result<T, Refused> {
        let problem = |error: serde_json::Error| format!("{}: {error}", self.action);
        let value = Value::Object(self.arguments);
        serde_json::from_value(value).map_err(|error| Refused::argument("arguments", problem(error)))
    }

    /// The action is none of these.
    pub(crate) fn unknown(&self, actions: &[&str]) -> Refused {
        Refused::argument("action", format!("it must be one of {}", actions.join(", ")))
    }
}

const REVIEW: &str = r#"{"type":"object","properties":{
"action":{"enum":["list","approve","edit","reject","skip","supersede"]},
"id":{"type":"string","description":"the lesson: id or path"},
"title":{"type":"string","description":"the user's words, with edit and supersede"},"body":{"type":"string"},
"supersedes":{"type":"string","description":"the lesson that makes way"},
"reason":{"type":"string","description":"of a rejection"},"scope":{"enum":["project","everywhere"]},
"project":{"type":"string"},"waits":{"enum":["review","inbox"]},"limit":{"type":"integer"}},"required":["action"]}"#;

const MEMORY: &str = r#"{"type":"object","properties":{
"action":{"enum":["save","evolve","inspect"]},
"kind":{"enum":["preference","workflow","fix"]},
"title":{"type":"string","description":"the lesson in a sentence that can be followed without this session"},
"body":{"type":"string","description":"when it holds, the user's words quoted"},"scope":{"enum":["project","everywhere"]},
"supersedes":{"type":"string","description":"with evolve: id or path of the lesson it takes the place of"},
"session":{"type":"string","description":"with inspect; else this one"}},"required":["action"]}"#;

const TASK: &str = r#"{"type":"object","properties":{
"action":{"enum":["new","list","show","say","answer","reschedule","run","pause","resume","archive","runs"]},
"task":{"type":"string","description":"with new: what is to be done, in words that make sense without this session; else its id or title"},
"when":{"type":"string","description":"`every weekday at 9`, `tomorrow at 15:00`, `now`, a date with its time, or cron"},
"text":{"type":"string","description":"what the user says or answers"},
"title":{"type":"string"},"time_zone":{"type":"string"},
"allowed_tools":{"type":"array","items":{"enum":["Read","Grep","Glob","WebFetch","WebSearch"]},"description":"others only the user allows"},
"connections":{"type":"array","items":{"type":"string"}},
"here":{"type":"boolean","description":"work in this project's directory"},
"confirmed":{"type":"boolean","description":"the user has seen the schedule and wants it so"},
"archived":{"type":"boolean"},"limit":{"type":"integer"}},"required":["action"]}"#;

#[tool_router(router = action_router, vis = "pub(crate)")]
impl Server {
    #[tool(
        name = "review",
        description = "Go through the lessons that wait for the user: list them, then do with each what the user decided.",
        input_schema = schema::of(REVIEW)
    )]
    async fn review_action(
        &self,
        Parameters(request): Parameters<ActionRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_desk(|desk| match request.action() {
            "list" => review::list(desk, request.arguments()?),
            "approve" => review::approve(desk, &request.arguments()?),
            "edit" => review::edit(desk, request.arguments()?),
            "reject" => review::reject(desk, request.arguments()?),
            "skip" => review::skip(desk, &request.arguments()?),
            "supersede" => review::supersede(desk, request.arguments()?),
            _ => Err(request.unknown(&["list", "approve", "edit", "reject", "skip", "supersede"])),
        })
        .await
    }

    #[tool(
        name = "memory",
        description = "Save a lesson, save one in the place of another (evolve), only when the user asks for it; or show what a session may teach (inspect).",
        input_schema = schema::of(MEMORY)
    )]
    async fn memory_action(
        &self,
        Parameters(request): Parameters<ActionRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_desk(|desk| match request.action() {
            "save" => memory::save(desk, request.arguments()?),
            "evolve" => memory::evolve(desk, request.arguments()?),
            "inspect" => memory::inspect(desk, &request.arguments()?),
            _ => Err(request.unknown(&["save", "evolve", "inspect"])),
        })
        .await
    }

    #[tool(
        name = "task",
        description = "Background work for the user, once or again and again: watch, check, prepare, remind. new and reschedule first show when it would run; show that to the user, then call again with confirmed.",
        input_schema = schema::of(TASK)
    )]
    async fn task_action(
        &self,
        Parameters(request): Parameters<ActionRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_desk(|desk| tasks::act(desk, request)).await
    }
}
