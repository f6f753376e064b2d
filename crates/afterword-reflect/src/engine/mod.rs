//! Engines that ask a language model: what they are sent, what they answer, and what is believed of it.
//!
//! The built-in engine reads the session first; a model sees a [`Digest`]: what the person said with what it answers, and
//! the candidates that were found, secrets already taken out. Every engine answers by one schema ([`contract`]), and nothing
//! of an answer is kept that does not rest on words of the session ([`check`]). It does not own when a model is asked, nor
//! where its keys are kept. Start reading at [`synthesis::synthesise`].

pub mod account;
pub mod anthropic;
mod bounds;
mod cause;
pub mod check;
pub mod claude_code;
mod context;
pub mod contract;
mod digest;
mod error;
mod grounds;
pub mod heartbeat;
mod http;
mod idea;
mod line;
pub mod merge;
mod offered;
pub mod openai;
pub mod polish;
pub mod proof;
pub mod research;
pub mod scope;
mod small;
pub mod synthesis;
pub mod trial;

use afterword_claude_code::price::Price;
use afterword_core::Secret;
pub use contract::AnswerForm;
pub use digest::{Collector, Digest, DigestLimits, Part};
pub use error::{EngineError, SpendLimit};
pub use http::{host, is_listening, is_local};
pub use line::{Line, ShownLines, Tail};
pub use synthesis::{Page, PromptContext, QuestionSpec, SpendGuard, Synthesis, synthesise};

/// A language model that can be asked.
pub trait Model {
    /// Asks once. A provider that is busy is asked again within the time limit.
    ///
    /// # Errors
    /// [`EngineError`], which carries what the call cost all the same.
    fn ask(&self, question: &Question<'_>) -> Result<ModelReply, EngineError>;

    /// The most a question can cost.
    fn bound(&self, question: &Question<'_>) -> CostBound;

    /// What a question costs to which no answer came in time, though it was read.
    fn unanswered_usage(&self, _question: &Question<'_>) -> Usage {
        Usage::default()
    }
}

/// The most a call can cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CostBound {
    /// So many US dollars.
    Known(f64),
    /// What it is told ([`Question::most_usd`]): it stops there by itself.
    AsTold,
    /// Nobody can tell.
    Unknown,
}

impl CostBound {
    /// The most a question can cost at this price.
    fn at(price: Option<Price>, question: &Question<'_>) -> Self {
        let most = |price: Price| price.of(question.tokens(), question.most_tokens.into());
        price.map_or(Self::Unknown, |price| Self::Known(most(price)))
    }
}

impl Usage {
    /// Of a question that was read and not answered.
    fn of_unanswered(model: &str, price: Option<Price>, question: &Question<'_>) -> Self {
        let input_tokens = question.tokens();
        let usd = price.map(|price| price.of(input_tokens, 0));
        Self { model: model.to_owned(), input_tokens, output_tokens: 0, usd }
    }
}

/// What a model is asked.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// What it is to do, from a reviewed file.
    pub system: &'a str,
    /// The session's words, and what is wished for.
    pub prompt: &'a str,
    /// The JSON schema of the answer.
    pub schema: &'a str,
    /// The most tokens it may write.
    pub most_tokens: u32,
    /// US dollars it may cost, for engines that can be told.
    pub most_usd: Option<f64>,
}

impl Question<'_> {
    /// About how many tokens are read: English text has some 3.5 bytes a token, and half as much again is allowed for code.
    pub fn tokens(&self) -> u64 {
        ((self.system.len() + self.prompt.len() + self.schema.len()) as u64).div_ceil(3)
    }
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelReply {
    /// The answer: JSON, if the model did as it was told.
    pub text: String,
    /// What it cost.
    pub usage: Usage,
}

/// What a call cost.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Usage {
    /// The model, as the provider names it; empty where it did not say.
    pub model: String,
    /// Tokens read, from caches or not.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// US dollars; `None` where no price is known.
    pub usd: Option<f64>,
}

#[cfg(test)]
mod tests;
