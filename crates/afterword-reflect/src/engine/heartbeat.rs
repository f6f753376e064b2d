//! What a model says of a session that has gone quiet: a few lines that rest on its words, or nothing.

use serde::Deserialize;

use super::check::rests_on;
use super::contract::{self, Quoted};
use super::synthesis::{QuestionSpec, SpendGuard, ask, plain_line};
use super::{EngineError, Model, ShownLines};
use crate::builtin::words::head;

const SCHEMA: &str = include_str!("heartbeat.schema.json");
const INSTRUCTIONS: &str = include_str!("prompts/heartbeat.v1.md");
/// Tokens a model may write; five lines with their quotations take some 300.
const MOST_TOKENS: u32 = 800;
/// Longest words of the person that are told, in bytes.
const TASK: usize = 4_000;
/// Lines of a message, and the longest of them, in bytes.
const LINES: usize = 5;
const LINE: usize = 300;

/// What an engine answers that has nothing to say.
pub const CONTINUE: &str = "HEARTBEAT_CONTINUE";

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeartbeatReply {
    message: String,
    evidence: Vec<Quoted>,
}

/// What came of looking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeartbeatAnswer {
    /// There is nothing to say.
    Nothing,
    /// What was said rests on no words of the session, and is not told.
    Unfounded,
    /// This is to be told: plain text, a few lines.
    Told(String),
}

/// Asks a model about the end of a session. `task` is what the person wants looked for, `noticed` what is told anyway;
/// secrets were taken out of all of it.
///
/// # Errors
/// [`EngineError`]; an answer that cannot be read is asked for once more first.
pub fn check_session_end(
    model: &dyn Model,
    (task, noticed): (&str, &[String]),
    end: &ShownLines,
    guard: &mut dyn SpendGuard,
) -> Result<HeartbeatAnswer, EngineError> {
    if end.is_empty() {
        return Ok(HeartbeatAnswer::Nothing);
    }
    let asking = QuestionSpec {
        instructions: INSTRUCTIONS,
        schema: SCHEMA,
        most_tokens: MOST_TOKENS,
        read: contract::object::<HeartbeatReply>,
    };
    let task = task.replace("</task", "‹/task").replace("<session", "‹session");
    let mut prompt = format!("<task>\n{}\n</task>\n\n<session>\n", head(task.trim(), TASK));
    if !noticed.is_empty() {
        prompt.push_str("--- noticed\n");
        for line in noticed {
            prompt.push_str(&format!("{}\n", plain_line(line)));
        }
    }
    prompt.push_str(&end.text());
    prompt.push_str("</session>\n");
    let answered = ask(model, &asking, &prompt, guard)?;
    let lines = answered.message.lines().map(plain_line).filter(|line| !line.is_empty());
    let lines: Vec<String> = lines.take(LINES).map(|line| head(&line, LINE).to_owned()).collect();
    if lines.is_empty() || lines.iter().any(|line| line.contains(CONTINUE)) {
        return Ok(HeartbeatAnswer::Nothing);
    }
    if !answered.evidence.iter().any(|quoted| rests_on(quoted, &end.lines)) {
        return Ok(HeartbeatAnswer::Unfounded);
    }
    Ok(HeartbeatAnswer::Told(lines.join("\n")))
}
