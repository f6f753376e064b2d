//! The server: its tools and prompts by name, with what the client is told about each.

use std::sync::Arc;

use afterword_app::{Environment, log};
use rmcp::handler::server::router::prompt::PromptRouter;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{
    CallToolResult, CustomRequest, CustomResult, ErrorCode, Implementation, PromptMessage, Role,
    ServerCapabilities, ServerConfig,
};
use rmcp::schemars::JsonSchema;
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{
    ErrorData, ServerHandler, prompt, prompt_handler, prompt_router, tool, tool_handler, tool_router,
};
use serde::Deserialize;

use crate::answer::{ToolFailure, tool_result};
use crate::context::ToolContext;
use crate::requests::*;
use crate::{attempts, memory, prompts, reflection, schema, stats};

/// What the client's model is told about the server as a whole. Every session reads it: no word too many.
const INSTRUCTIONS: &str = "Lessons of past Claude Code sessions, in notes of the user's own. `retrieve` finds those for the task at hand; \
    `reflection_search` what earlier attempts at it came to, and `reflection_store` keeps how one ended (`sessionId`, `projectId`: `current`). `reflect` works in \
    the background: say so, and look with `reflect_status` on a later turn. Save lessons only when the user asks. \"Watch X for me\" or \"every morning …\" is `task`: \
    show its schedule before you confirm it. Never answer a review or a task's question for the user.";

/// The methods that are served.
const METHODS: [&str; 4] = ["tools/list", "tools/call", "prompts/list", "prompts/get"];
/// Those that are served besides in a session, which the revision of 2026-07-28 has no more.
const OF_A_SESSION: [&str; 2] = ["initialize", "ping"];

/// The MCP server of one client.
#[derive(Debug, Clone)]
pub struct Server {
    context: Arc<ToolContext>,
    tool_router: ToolRouter<Self>,
    prompt_router: PromptRouter<Self>,
}

/// Words that follow a prompt's name.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct PromptArguments {
    /// What the user says with it.
    text: Option<String>,
}

impl Server {
    /// A server on the use cases of this environment.
    pub fn new(environment: Environment) -> Self {
        Self {
            context: Arc::new(ToolContext::new(environment)),
            tool_router: Self::all_tools(),
            prompt_router: Self::all_prompts(),
        }
    }

    /// The tools of every file.
    pub(crate) fn all_tools() -> ToolRouter<Self> {
        Self::tool_router() + Self::action_router() + Self::attempt_router()
    }

    /// The prompts.
    pub(crate) fn all_prompts() -> PromptRouter<Self> {
        Self::prompt_router()
    }

    /// Does the work off the thread that talks to the client.
    pub(crate) async fn with_context(
        &self,
        work: impl FnOnce(&ToolContext) -> Result<CallToolResult, ToolFailure> + Send + 'static,
    ) -> Result<CallToolResult, ErrorData> {
        let context = Arc::clone(&self.context);
        let done = tokio::task::spawn_blocking(move || work(&context)).await;
        let done = done.unwrap_or_else(|error| Err(ToolFailure::Bug(error.to_string())));
        tool_result(done, self.context.environment())
    }
}

#[tool_router]
impl Server {
    #[tool(
        description = "Queue a reflection of this session; answers at once with a job id.",
        input_schema = schema::of(schema::REFLECT)
    )]
    async fn reflect(
        &self,
        Parameters(request): Parameters<ReflectRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_context(|context| reflection::reflect(context, request)).await
    }

    #[tool(
        description = "Where a reflection stands; its results once completed.",
        input_schema = schema::of(schema::JOB)
    )]
    async fn reflect_status(
        &self,
        Parameters(request): Parameters<JobRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_context(move |context| reflection::status(context, &request)).await
    }

    #[tool(
        description = "Cancel a reflection that waits or runs.",
        input_schema = schema::of(schema::JOB)
    )]
    async fn cancel_reflection(
        &self,
        Parameters(request): Parameters<JobRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_context(move |context| reflection::cancel(context, &request)).await
    }

    #[tool(
        description = "Count jobs, lessons and what waits for review.",
        input_schema = schema::of(schema::STATS)
    )]
    async fn stats(
        &self,
        Parameters(request): Parameters<StatsRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_context(move |context| stats::stats(context, &request)).await
    }

    #[tool(
        description = "Find lessons of past sessions.",
        input_schema = schema::of(schema::RETRIEVE),
        annotations(read_only_hint = true)
    )]
    async fn retrieve(
        &self,
        Parameters(request): Parameters<RetrieveRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_context(|context| memory::retrieve(context, request)).await
    }

    #[tool(
        description = "Note something seen once: it waits in the user's inbox.",
        input_schema = schema::of(schema::OBSERVE)
    )]
    async fn observe(
        &self,
        Parameters(request): Parameters<LessonRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_context(|context| memory::observe(context, request)).await
    }

    #[tool(
        description = "Say what was seen to come of a lesson.",
        input_schema = schema::of(schema::FEEDBACK)
    )]
    async fn feedback(
        &self,
        Parameters(request): Parameters<FeedbackRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_context(|context| memory::feedback(context, request)).await
    }
}

#[allow(missing_docs, reason = "the macro makes public functions without any")]
#[prompt_router]
impl Server {
    #[prompt(name = "reflect", description = "Reflect on this session in the background")]
    async fn reflect_session(&self, Parameters(said): Parameters<PromptArguments>) -> Vec<PromptMessage> {
        message(prompts::REFLECT, said)
    }

    #[prompt(description = "How many reflections wait, what the last one found, what waits for review")]
    async fn status(&self) -> Vec<PromptMessage> {
        message(prompts::STATUS, PromptArguments::default())
    }

    #[prompt(description = "Go through the lessons that wait, one at a time")]
    async fn review(&self) -> Vec<PromptMessage> {
        message(prompts::REVIEW, PromptArguments::default())
    }

    #[prompt(description = "Find lessons of past sessions")]
    async fn search(&self, Parameters(said): Parameters<PromptArguments>) -> Vec<PromptMessage> {
        message(prompts::SEARCH, said)
    }

    #[prompt(description = "Save a lesson")]
    async fn save(&self, Parameters(said): Parameters<PromptArguments>) -> Vec<PromptMessage> {
        message(prompts::SAVE, said)
    }

    #[prompt(description = "Try a task with what earlier attempts taught, and tell how it ended")]
    async fn attempt(
        &self,
        Parameters(said): Parameters<PromptArguments>,
    ) -> Result<Vec<PromptMessage>, ErrorData> {
        let task = said.text.unwrap_or_default();
        let context = Arc::clone(&self.context);
        let words = tokio::task::spawn_blocking(move || attempts::attempt_prompt(&context, &task)).await;
        // A task is tried also where nothing can be looked up.
        let words = words.ok().and_then(|words| match words {
            Ok(words) => Some(words),
            Err(ToolFailure::Failed(error)) => {
                log::failure(&error);
                None
            }
            Err(ToolFailure::Argument { .. } | ToolFailure::Bug(_)) => None,
        });
        let words = words.unwrap_or_else(|| prompts::NO_ATTEMPT.to_owned());
        Ok(vec![PromptMessage::new_text(Role::User, words)])
    }

    #[prompt(description = "Tell how the task at hand ended, for the next attempt")]
    async fn outcome(&self, Parameters(said): Parameters<PromptArguments>) -> Vec<PromptMessage> {
        message(prompts::OUTCOME, said)
    }

    #[prompt(description = "Show what a session may teach, and why")]
    async fn inspect(&self, Parameters(said): Parameters<PromptArguments>) -> Vec<PromptMessage> {
        message(prompts::INSPECT, said)
    }
}

fn message(words: &str, said: PromptArguments) -> Vec<PromptMessage> {
    let said = said.text.unwrap_or_default();
    vec![PromptMessage::new_text(Role::User, format!("{words}{}", said.trim()))]
}

#[tool_handler(router = self.tool_router)]
#[prompt_handler(router = self.prompt_router)]
impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_prompts().build())
            .with_server_info(Implementation::new("afterword", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    /// What the library does not understand: a request of its own methods whose parameters are not theirs, or another method.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method.as_str();
        let has_session = context.protocol_version().is_none_or(|version| version.has_initialize());
        match METHODS.contains(&method) || (has_session && OF_A_SESSION.contains(&method)) {
            true => Err(ErrorData::invalid_params(format!("{}: not its parameters", request.method), None)),
            false => Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None)),
        }
    }
}
