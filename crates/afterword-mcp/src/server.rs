//! The server: its tools and prompts by name, with what the client is told about each.

use std::sync::Arc;

use afterword_agent::Environment;
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

use crate::answer::{Refused, told};
use crate::desk::Desk;
use crate::requests::*;
use crate::{attempts, memory, prompts, reflection, review, stats};

/// What the client's model is told about the server as a whole.
const INSTRUCTIONS: &str = "Afterword keeps the lessons of past Claude Code sessions as notes in the user's own vault. \
    `retrieve` finds lessons that matter to the task at hand. `reflect` queues a reflection of this session and answers at once: tell \
    the user that it runs in the background, and look with `reflect_status` on a later turn. Save or change lessons only when the user asks for it, \
    and never answer a review for the user. \
    Before a task that may have been tried before, `reflection_search` tells what earlier attempts came to; when one is over, `reflection_store` keeps \
    how it ended (`sessionId` and `projectId` may be `current`). \
    When the user wants something watched or done later (\"watch X for me\", \"every morning …\"), make a task with `task_new`; show its schedule before you \
    confirm it, and never answer a task's question for the user.";

/// The methods that are served.
const METHODS: [&str; 6] = ["initialize", "ping", "tools/list", "tools/call", "prompts/list", "prompts/get"];

/// The MCP server of one client.
#[derive(Debug, Clone)]
pub struct Server {
    desk: Arc<Desk>,
    tool_router: ToolRouter<Self>,
    prompt_router: PromptRouter<Self>,
}

/// Words that follow a prompt's name.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct Said {
    /// What the user says with it.
    text: Option<String>,
}

impl Server {
    /// A server on the use cases of this environment.
    pub fn new(environment: Environment) -> Self {
        Self {
            desk: Arc::new(Desk::new(environment)),
            tool_router: Self::all_tools(),
            prompt_router: Self::all_prompts(),
        }
    }

    /// The tools of every file.
    pub(crate) fn all_tools() -> ToolRouter<Self> {
        Self::tool_router() + Self::task_router() + Self::attempt_router()
    }

    /// The prompts.
    pub(crate) fn all_prompts() -> PromptRouter<Self> {
        Self::prompt_router()
    }

    /// Does the work off the thread that talks to the client.
    pub(crate) async fn with_desk(
        &self,
        work: impl FnOnce(&Desk) -> Result<CallToolResult, Refused> + Send + 'static,
    ) -> Result<CallToolResult, ErrorData> {
        let desk = Arc::clone(&self.desk);
        let done = tokio::task::spawn_blocking(move || work(&desk)).await;
        told(done.unwrap_or_else(|error| Err(Refused::Bug(error.to_string()))))
    }
}

#[tool_router]
impl Server {
    #[tool(
        description = "Queue a reflection of this session in the background. Answers at once with a job id."
    )]
    async fn reflect(
        &self,
        Parameters(request): Parameters<ReflectRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_desk(|desk| reflection::reflect(desk, request)).await
    }

    #[tool(
        description = "Tell where a reflection stands, and its results once it is completed.",
        annotations(read_only_hint = true)
    )]
    async fn reflect_status(
        &self,
        Parameters(request): Parameters<JobRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_desk(move |desk| reflection::status(desk, &request)).await
    }

    #[tool(
        description = "Call off a reflection that waits. One that was completed or failed stays as it is."
    )]
    async fn cancel_reflection(
        &self,
        Parameters(request): Parameters<JobRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_desk(move |desk| reflection::cancel(desk, &request)).await
    }

    #[tool(
        description = "Count jobs, lessons and what waits for review.",
        annotations(read_only_hint = true)
    )]
    async fn stats(
        &self,
        Parameters(request): Parameters<StatsRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_desk(move |desk| stats::stats(desk, &request)).await
    }

    #[tool(
        description = "Find lessons of past sessions by words and by meaning.",
        annotations(read_only_hint = true)
    )]
    async fn retrieve(
        &self,
        Parameters(request): Parameters<RetrieveRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_desk(|desk| memory::retrieve(desk, request)).await
    }

    #[tool(
        description = "Note something that may be worth keeping, seen once: it goes to the user's inbox and counts only once they keep it."
    )]
    async fn observe(
        &self,
        Parameters(request): Parameters<ObserveRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_desk(|desk| memory::observe(desk, request)).await
    }

    #[tool(
        description = "Say what came of a lesson of past sessions: applied, helped, ignored or contradicted. Only what was seen, not what may be."
    )]
    async fn feedback(
        &self,
        Parameters(request): Parameters<FeedbackRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_desk(|desk| memory::feedback(desk, request)).await
    }

    #[tool(
        description = "Save a lesson the user wants kept. Only when the user asks for it. It counts at once where the user gave the command to save in these words; else it waits for their review."
    )]
    async fn memory_save(
        &self,
        Parameters(request): Parameters<SaveRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_desk(|desk| memory::save(desk, request)).await
    }

    #[tool(
        description = "Save a lesson in the place of one that counts now, which stays, marked as superseded. Only when the user asks for it; without their own command to do so, in these words, it waits for their review."
    )]
    async fn memory_evolve(
        &self,
        Parameters(request): Parameters<EvolveRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_desk(|desk| memory::evolve(desk, request)).await
    }

    #[tool(
        description = "Show what a session may teach, each candidate with its category, confidence and reason; writes nothing.",
        annotations(read_only_hint = true)
    )]
    async fn memory_inspect(
        &self,
        Parameters(request): Parameters<InspectRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_desk(move |desk| memory::inspect(desk, &request)).await
    }

    #[tool(
        description = "List the lessons that wait for the user's answer.",
        annotations(read_only_hint = true)
    )]
    async fn review_list(
        &self,
        Parameters(request): Parameters<ListRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_desk(|desk| review::list(desk, request)).await
    }

    #[tool(
        description = "Keep a lesson that waits, as the user decided. One that was saved or observed with these tools the user keeps themselves."
    )]
    async fn review_approve(
        &self,
        Parameters(request): Parameters<NoteRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_desk(move |desk| review::approve(desk, &request)).await
    }

    #[tool(description = "Keep a lesson that waits, in the user's own words.")]
    async fn review_edit(
        &self,
        Parameters(request): Parameters<EditRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_desk(|desk| review::edit(desk, request)).await
    }

    #[tool(description = "Refuse a lesson, as the user decided: what means the same is not offered again.")]
    async fn review_reject(
        &self,
        Parameters(request): Parameters<RejectRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_desk(|desk| review::reject(desk, request)).await
    }

    #[tool(description = "Put a lesson off, as the user decided: it goes to the end of the queue.")]
    async fn review_skip(
        &self,
        Parameters(request): Parameters<NoteRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_desk(move |desk| review::skip(desk, &request)).await
    }

    #[tool(
        description = "Keep a lesson that waits in the place of one that counts now, as the user decided."
    )]
    async fn review_supersede(
        &self,
        Parameters(request): Parameters<SupersedeRequest>,
    ) -> Result<CallToolResult, ErrorData> {
        self.with_desk(|desk| review::supersede(desk, request)).await
    }
}

#[allow(missing_docs, reason = "the macro makes public functions without any")]
#[prompt_router]
impl Server {
    #[prompt(name = "reflect", description = "Reflect on this session in the background")]
    async fn reflect_session(&self, Parameters(said): Parameters<Said>) -> Vec<PromptMessage> {
        message(prompts::REFLECT, said)
    }

    #[prompt(description = "How many reflections wait, what the last one found, what waits for review")]
    async fn status(&self) -> Vec<PromptMessage> {
        message(prompts::STATUS, Said::default())
    }

    #[prompt(description = "Go through the lessons that wait, one at a time")]
    async fn review(&self) -> Vec<PromptMessage> {
        message(prompts::REVIEW, Said::default())
    }

    #[prompt(description = "Find lessons of past sessions")]
    async fn search(&self, Parameters(said): Parameters<Said>) -> Vec<PromptMessage> {
        message(prompts::SEARCH, said)
    }

    #[prompt(description = "Save a lesson")]
    async fn save(&self, Parameters(said): Parameters<Said>) -> Vec<PromptMessage> {
        message(prompts::SAVE, said)
    }

    #[prompt(description = "Try a task with what earlier attempts taught, and tell how it ended")]
    async fn attempt(&self, Parameters(said): Parameters<Said>) -> Result<Vec<PromptMessage>, ErrorData> {
        let task = said.text.unwrap_or_default();
        let desk = Arc::clone(&self.desk);
        let words = tokio::task::spawn_blocking(move || attempts::attempt_prompt(&desk, &task)).await;
        // A task is tried also where nothing can be looked up.
        let words = words.ok().and_then(Result::ok).unwrap_or_else(|| prompts::NO_ATTEMPT.to_owned());
        Ok(vec![PromptMessage::new_text(Role::User, words)])
    }

    #[prompt(description = "Tell how the task at hand ended, for the next attempt")]
    async fn outcome(&self, Parameters(said): Parameters<Said>) -> Vec<PromptMessage> {
        message(prompts::OUTCOME, said)
    }

    #[prompt(description = "Show what a session may teach, and why")]
    async fn inspect(&self, Parameters(said): Parameters<Said>) -> Vec<PromptMessage> {
        message(prompts::INSPECT, said)
    }
}

fn message(words: &str, said: Said) -> Vec<PromptMessage> {
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
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        match METHODS.contains(&request.method.as_str()) {
            true => Err(ErrorData::invalid_params(format!("{}: not its parameters", request.method), None)),
            false => Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None)),
        }
    }
}
