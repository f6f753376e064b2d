//! Anthropic's Messages API as an engine.
//!
//! The answer is asked for as the input of a tool the model must call, which is how the API keeps to a schema; the tool does nothing.

use std::time::Duration;

use serde_json::{Value, json};

use super::http;
use super::{CostBound, EngineError, Model, ModelReply, Question, Secret, Usage};
use afterword_claude_code::price::Price;

/// Where the API is.
pub const ADDRESS: &str = "https://api.anthropic.com";
/// The model where none is chosen: small and quick.
pub const MODEL: &str = "claude-haiku-4-5";

/// The Messages API as an engine.
#[derive(Debug, Clone)]
pub struct Anthropic {
    /// [`ADDRESS`], or a proxy's.
    pub address: String,
    /// The key.
    pub key: Secret,
    /// The model.
    pub model: String,
    /// What it costs, where known.
    pub price: Option<Price>,
    /// How long a call may take.
    pub limit: Duration,
}

impl Model for Anthropic {
    fn ask(&self, question: &Question<'_>) -> Result<ModelReply, EngineError> {
        let body = json!({
            "model": self.model,
            "max_tokens": question.most_tokens,
            "system": question.system,
            "messages": [{"role": "user", "content": question.prompt}],
            "tool_choice": {"type": "tool", "name": "answer"},
        });
        let tool = format!(
            r#"[{{"name":"answer","description":"The answer.","input_schema":{}}}]"#,
            question.schema
        );
        let body = http::with_field(&body, "tools", &tool);
        let url = format!("{}/v1/messages", self.address.trim_end_matches('/'));
        let headers = [("x-api-key", self.key.reveal()), ("anthropic-version", "2023-06-01")];
        let said = http::post(&url, &headers, Some(&self.key), &body, self.limit)?;
        let usage = self.usage(&said);
        let blocks = said["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        let text: String = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
        match said["stop_reason"].as_str() {
            Some("max_tokens" | "model_context_window_exceeded") => {
                return Err(EngineError::CutOff { usage });
            }
            Some("refusal") => {
                let reason = crate::builtin::words::head(&text, 200).to_owned();
                return Err(EngineError::Declined { reason, usage });
            }
            _ => {}
        }
        let called = blocks.iter().find(|block| block["type"] == "tool_use" && block["name"] == "answer");
        let called = called.map(|block| block["input"].to_string());
        Ok(ModelReply { text: called.unwrap_or(text), usage })
    }

    fn bound(&self, question: &Question<'_>) -> CostBound {
        CostBound::at(self.price, question)
    }

    fn unanswered_usage(&self, question: &Question<'_>) -> Usage {
        Usage::of_unanswered(&self.model, self.price, question)
    }
}

impl Anthropic {
    fn usage(&self, said: &Value) -> Usage {
        let tokens = |name: &str| said["usage"][name].as_u64().unwrap_or(0);
        let input = tokens("input_tokens")
            + tokens("cache_creation_input_tokens")
            + tokens("cache_read_input_tokens");
        let output = tokens("output_tokens");
        let model = said["model"].as_str().unwrap_or(&self.model).to_owned();
        let usd = self.price.map(|price| price.of(input, output));
        Usage { model, input_tokens: input, output_tokens: output, usd }
    }
}
