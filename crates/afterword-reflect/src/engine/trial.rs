//! One test question: whether a model can be reached, and answers by a schema.

use serde::Deserialize;

use super::synthesis::{QuestionSpec, SpendGuard, ask};
use super::{AnswerForm, EngineError, Model, contract};

const SCHEMA: &str = r#"{"type": "object", "additionalProperties": false, "required": ["sum"], "properties": {"sum": {"type": "integer"}}}"#;
const INSTRUCTIONS: &str = "You are asked one question, to see whether you can be reached. Answer with one JSON object of the given schema and nothing else.";
/// Tokens a model may write; some think before they answer.
const MOST_TOKENS: u32 = 1_000;
/// Bytes of a usual question about a session, with its instructions.
const FULL: usize = 18_000;
const BRIEF: usize = 8_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TrialReply {
    sum: i64,
}

/// Asks a model what two and three make. With a form the question is as long as one about a session is in it, so that a server
/// with too small a context is found out.
///
/// # Errors
/// [`EngineError`], also for an answer that is wrong.
pub fn ask_test_question(
    model: &dyn Model,
    as_long_as: Option<AnswerForm>,
    guard: &mut dyn SpendGuard,
) -> Result<(), EngineError> {
    let read = |text: &str| match contract::object::<TrialReply>(text)?.sum {
        5 => Ok(()),
        other => Err(format!("two and three were said to make {other}")),
    };
    let asking = QuestionSpec { instructions: INSTRUCTIONS, schema: SCHEMA, most_tokens: MOST_TOKENS, read };
    let prompt =
        format!("{}How much are 2 and 3? Give it as `sum`.\n", as_long_as.map(filler).unwrap_or_default());
    ask(model, &asking, &prompt, guard)
}

/// Text of no importance.
fn filler(form: AnswerForm) -> String {
    let (text, length) = match form {
        AnswerForm::Full => (form.instructions(), FULL),
        AnswerForm::Brief => (form.instructions(), BRIEF),
    };
    let lines = text.lines().cycle().scan(0, |size, line| {
        *size += line.len() + 1;
        (*size <= length).then_some(line)
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    format!(
        "What stands between <text> and </text> is there for its length alone.\n<text>\n{text}\n</text>\n"
    )
}
