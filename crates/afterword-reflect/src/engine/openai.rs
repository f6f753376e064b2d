//! Any server that speaks OpenAI's chat completions as an engine: Ollama, llama.cpp, LM Studio, vLLM, and hosted ones.

use std::time::Duration;

use serde_json::{Value, json};

use super::bounds::bounded;
use super::{CostBound, EngineError, Model, ModelReply, Question, Secret, Usage};
use super::{context, http};
use afterword_claude_code::price::Price;

/// Where Ollama listens, the most common of them.
pub const ADDRESS: &str = "http://127.0.0.1:11434/v1";
/// What a server is to be given for the questions as they are, and for the shorter ones of small models.
const LONG_CONTEXT: &str = "give it 16,384 tokens (with Ollama by OLLAMA_CONTEXT_LENGTH, with llama.cpp by `-c`), or have less sent with `afterword config set engine.answer_tokens 600`";
const SHORT_CONTEXT: &str =
    "give it 8,192 tokens (with Ollama by OLLAMA_CONTEXT_LENGTH, with llama.cpp by `-c`)";

/// A server that speaks chat completions as an engine.
#[derive(Debug, Clone)]
pub struct OpenAi {
    /// Up to and with `/v1`.
    pub address: String,
    /// The key; servers on this machine want none.
    pub key: Option<Secret>,
    /// The model.
    pub model: String,
    /// What it costs, where known. On this machine it costs nothing.
    pub price: Option<Price>,
    /// The most tokens of an answer, where it is less than what a question allows: for small models. The schema is then
    /// sent with limits, so that an answer comes to an end by itself.
    pub most_tokens: Option<u32>,
    /// How long a call may take.
    pub limit: Duration,
}

impl Model for OpenAi {
    fn ask(&self, question: &Question<'_>) -> Result<ModelReply, EngineError> {
        let schema = match self.most_tokens {
            Some(most) if most < question.most_tokens => bounded(question.schema, most),
            _ => question.schema.to_owned(),
        };
        let said = match self.send(question, Some(&schema)) {
            // Older servers know no schemas. The instructions ask for JSON, and what does not fit is refused here.
            Err(EngineError::Request { problem, .. })
                if problem.contains("response_format") || problem.contains("json_schema") =>
            {
                self.send(question, None)
            }
            other => other,
        };
        let said = said.map_err(|error| match error {
            EngineError::Request { problem, .. } if context::is_refused(&problem) => {
                self.small_context(problem, Usage::default())
            }
            other => other,
        })?;
        let usage = self.usage(&said);
        if let Some(problem) = context::beginning_is_missing(question, usage.input_tokens) {
            return Err(self.small_context(problem, usage));
        }
        let choice = &said["choices"][0];
        let text = choice["message"]["content"].as_str().unwrap_or_default().to_owned();
        if let Some(reason) = choice["message"]["refusal"].as_str() {
            let reason = crate::builtin::words::head(reason, 200).to_owned();
            return Err(EngineError::Declined { reason, usage });
        }
        match choice["finish_reason"].as_str() {
            Some("length") => {
                match context::answer_had_no_room(usage.output_tokens, self.allowed(question)) {
                    Some(problem) => Err(self.small_context(problem, usage)),
                    None => Err(EngineError::CutOff { usage }),
                }
            }
            Some("content_filter") => {
                Err(EngineError::Declined { reason: "its filter stopped it".to_owned(), usage })
            }
            _ => Ok(ModelReply { text, usage }),
        }
    }

    fn bound(&self, question: &Question<'_>) -> CostBound {
        CostBound::at(self.known_price(), question)
    }

    fn unanswered_usage(&self, question: &Question<'_>) -> Usage {
        Usage::of_unanswered(&self.model, self.known_price(), question)
    }
}

impl OpenAi {
    /// Whether it is on this machine.
    pub fn is_local(&self) -> bool {
        http::is_local(&self.address)
    }

    /// Tokens an answer may have.
    fn allowed(&self, question: &Question<'_>) -> u32 {
        self.most_tokens.unwrap_or(u32::MAX).min(question.most_tokens)
    }

    fn small_context(&self, problem: String, usage: Usage) -> EngineError {
        let advice = match self.most_tokens {
            None => LONG_CONTEXT,
            Some(_) => SHORT_CONTEXT,
        };
        EngineError::SmallContext { url: self.address.clone(), problem, advice, usage }
    }

    /// With a schema as it is written.
    fn send(&self, question: &Question<'_>, schema: Option<&str>) -> Result<Value, EngineError> {
        let body = json!({
            "model": self.model,
            "max_tokens": self.allowed(question),
            "temperature": 0.2,
            "messages": [
                {"role": "system", "content": question.system},
                {"role": "user", "content": question.prompt},
            ],
        });
        let body = match schema {
            None => body.to_string(),
            Some(schema) => {
                let schema = format!(r#"{{"name":"answer","strict":true,"schema":{schema}}}"#);
                let format = format!(r#"{{"type":"json_schema","json_schema":{schema}}}"#);
                http::with_field(&body, "response_format", &format)
            }
        };
        let url = format!("{}/chat/completions", self.address.trim_end_matches('/'));
        let bearer = self.key.as_ref().map(|key| format!("Bearer {}", key.reveal()));
        let headers: Vec<(&str, &str)> =
            bearer.iter().map(|bearer| ("authorization", bearer.as_str())).collect();
        http::post(&url, &headers, self.key.as_ref(), &body, self.limit)
    }

    fn known_price(&self) -> Option<Price> {
        self.price.or(self.is_local().then_some(Price::FREE))
    }

    fn usage(&self, said: &Value) -> Usage {
        let tokens = |name: &str| said["usage"][name].as_u64().unwrap_or(0);
        let (input, output) = (tokens("prompt_tokens"), tokens("completion_tokens"));
        let model = said["model"].as_str().unwrap_or(&self.model).to_owned();
        let usd = self.known_price().map(|price| price.of(input, output));
        Usage { model, input_tokens: input, output_tokens: output, usd }
    }
}
