//! The user's own Claude Code as an engine: no tools, no hooks, no transcript, a limit of money and of time.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{CostBound, EngineError, Model, ModelReply, Question, Usage};
use afterword_claude_code::client::{Ask, Client, Cost, Follower, SessionUse};

/// How much the model is to think. With its usual `high` one call of a dear model can pass the money for a whole session.
const EFFORT: &str = "medium";

/// Claude Code as an engine.
#[derive(Debug, Clone)]
pub struct ClaudeCode {
    /// The client.
    pub client: Client,
    /// A directory of its own, empty but for the instructions of calls under way; transcripts from it, should one be left, are known and
    /// skipped.
    pub directory: PathBuf,
    /// The model; `None` for the user's own choice.
    pub model: Option<String>,
    /// How long a call may take.
    pub limit: Duration,
    /// Set when this process is about to end: a call under way is stopped.
    pub ending: Arc<AtomicBool>,
}

/// Stops a call when the process ends.
struct StopAtShutdown<'a>(&'a AtomicBool);

impl Follower for StopAtShutdown<'_> {
    fn stop(&mut self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Model for ClaudeCode {
    fn ask(&self, question: &Question<'_>) -> Result<ModelReply, EngineError> {
        let ask = Ask {
            instructions: Some(question.system),
            prompt: question.prompt,
            directory: &self.directory,
            session: SessionUse::None,
            schema: Some(question.schema),
            allowed_tools: &[],
            tool_servers: None,
            model: self.model.as_deref(),
            effort: Some(EFFORT),
            most_usd: question.most_usd,
            limit: self.limit,
        };
        let reply = self.client.ask(&ask, &mut StopAtShutdown(&self.ending))?;
        let text = reply.structured.map_or(reply.text, |structured| structured.to_string());
        let mut usage = usage(reply.cost);
        usage.model =
            if reply.model.is_empty() { self.model.clone().unwrap_or_default() } else { reply.model };
        Ok(ModelReply { text, usage })
    }

    fn bound(&self, _question: &Question<'_>) -> CostBound {
        CostBound::AsTold
    }
}

pub(super) fn usage(cost: Cost) -> Usage {
    Usage {
        model: String::new(),
        input_tokens: cost.input_tokens,
        output_tokens: cost.output_tokens,
        usd: Some(cost.usd),
    }
}
