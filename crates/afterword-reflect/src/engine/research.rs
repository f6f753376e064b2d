//! What a model can say of an idea: its problem, ways to go about it, first steps, open questions.

use serde::Deserialize;

use super::synthesis::{QuestionSpec, SpendGuard, ask};
use super::{EngineError, Model, contract};

const SCHEMA: &str = include_str!("research.schema.json");
const INSTRUCTIONS: &str = include_str!("prompts/research.v1.md");
/// Tokens a model may write; a full answer takes some 600.
const MOST_TOKENS: u32 = 1_500;
/// Longest idea that is told, in bytes.
const IDEA: usize = 6_000;

/// What a model says of an idea.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Research {
    /// What it would solve.
    pub problem: String,
    /// Ways to go about it.
    pub approaches: Vec<String>,
    /// What to do first, in order.
    pub first_steps: Vec<String>,
    /// What has to be found out.
    pub open_questions: Vec<String>,
}

/// Asks a model about an idea; secrets were taken out of it before.
///
/// # Errors
/// [`EngineError`].
pub fn research(
    model: &dyn Model,
    title: &str,
    words: &str,
    guard: &mut dyn SpendGuard,
) -> Result<Research, EngineError> {
    let asking = QuestionSpec {
        instructions: INSTRUCTIONS,
        schema: SCHEMA,
        most_tokens: MOST_TOKENS,
        read: contract::object,
    };
    let idea = format!("{title}\n\n{words}").replace(['<', '>'], "");
    let prompt = format!("<idea>\n{}\n</idea>\n", crate::builtin::words::head(idea.trim(), IDEA));
    ask(model, &asking, &prompt, guard)
}
