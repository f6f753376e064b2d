//! One test question: whether a model can be reached, and answers by a schema.

use serde::Deserialize;

use super::synthesis::{Asking, SpendGuard, ask};
use super::{EngineError, Model, contract};

const SCHEMA: &str = r#"{"type": "object", "additionalProperties": false, "required": ["sum"], "properties": {"sum": {"type": "integer"}}}"#;
const INSTRUCTIONS: &str = "You are asked one question, to see whether you can be reached. Answer with one JSON object of the given schema and nothing else.";
/// Tokens a model may write; some think before they answer.
const MOST_TOKENS: u32 = 1_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answered {
    sum: i64,
}

/// Asks a model what two and three make.
///
/// # Errors
/// [`EngineError`], also for an answer that is wrong.
pub fn try_out(model: &dyn Model, purse: &mut dyn SpendGuard) -> Result<(), EngineError> {
    let read = |text: &str| match contract::object::<Answered>(text)?.sum {
        5 => Ok(()),
        other => Err(format!("two and three were said to make {other}")),
    };
    let asking = Asking { instructions: INSTRUCTIONS, schema: SCHEMA, most_tokens: MOST_TOKENS, read };
    ask(model, &asking, "How much are 2 and 3? Give it as `sum`.\n", purse)
}
