//! What a worker's Claude may answer, and the schema it is held to.
//!
//! One of `{needs_input, message, question}`, `{continue, state_update, next_step}` and `{complete, message}`. The schema
//! goes to the client; what comes back is checked here again, as another program wrote it.

use serde::Deserialize;
use serde_json::{Map, Value};
use thiserror::Error;

use super::{PendingQuestion, QuestionKind};
use crate::json_mismatch::json_mismatch;

/// The JSON schema of an answer. One flat object, as the client turns it into a tool and tools take no `oneOf` at the top.
pub const WORKER_REPLY_SCHEMA: &str = r#"{"type":"object","additionalProperties":false,"properties":{
"needs_input":{"type":"boolean","description":"true: you cannot go on without the person; give message and question"},
"continue":{"type":"boolean","description":"true: this run is done and the work goes on; give state_update and next_step"},
"complete":{"type":"boolean","description":"true: the whole task is finished and must not run again; give message"},
"message":{"type":"string","description":"what the person should read, in their language"},
"question":{"type":"object","additionalProperties":false,"required":["type","prompt"],"properties":{
"type":{"type":"string","enum":["confirmation","choice","input"]},"prompt":{"type":"string"},
"options":{"type":"array","items":{"type":"string"}}}},
"state_update":{"type":"object","description":"laid over the data as a JSON merge patch"},
"next_step":{"type":"string","description":"where the work stands now and what comes next"},
"wait_minutes":{"type":"integer","minimum":0,"description":"with continue, of work without a timetable: go on after so many minutes"}}}"#;

/// No text of an answer is kept beyond so many characters.
const MAX_TEXT_CHARS: usize = 20_000;
/// So many options at most.
const MAX_OPTIONS: usize = 20;
/// An update is no larger than this, as JSON.
const MAX_UPDATE_BYTES: usize = 200_000;
/// Work that waits is looked at within a month.
const MAX_WAIT_MINUTES: u32 = 31 * 24 * 60;

/// What a worker's Claude answered.
#[derive(Debug, Clone, PartialEq)]
pub enum WorkerReply {
    /// It cannot go on without the person.
    NeedsInput {
        /// What the person should read.
        message: String,
        /// What they are asked.
        question: PendingQuestion,
    },
    /// This run is done and the work goes on.
    Continue {
        /// Laid over the data of the state.
        state_update: Map<String, Value>,
        /// Where the work stands.
        next_step: String,
        /// What the person should read, if anything.
        message: Option<String>,
        /// Of work without a timetable: how long to wait before going on.
        wait_minutes: u32,
    },
    /// The task is finished.
    Complete {
        /// What the person should read.
        message: String,
        /// Laid over the data of the state: what came of it.
        state_update: Map<String, Value>,
    },
}

/// An answer that is none of the three.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the answer cannot be used: {problem}")]
pub struct InvalidReply {
    /// What is wrong with it.
    pub problem: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawReply {
    #[serde(default)]
    needs_input: bool,
    #[serde(default, rename = "continue")]
    goes_on: bool,
    #[serde(default)]
    complete: bool,
    message: Option<String>,
    question: Option<PendingQuestion>,
    state_update: Option<Map<String, Value>>,
    next_step: Option<String>,
    wait_minutes: Option<u32>,
}

impl WorkerReply {
    /// Reads an answer.
    ///
    /// # Errors
    /// [`InvalidReply`] when it is not exactly one of the three, or lacks what that one needs.
    pub fn parse(value: &Value) -> Result<Self, InvalidReply> {
        let bad = |problem: &str| InvalidReply { problem: problem.to_owned() };
        let raw: RawReply = Deserialize::deserialize(value).map_err(|error| bad(&json_mismatch(&error)))?;
        let update = |update: Option<Map<String, Value>>| {
            let update = update.unwrap_or_default();
            if Value::Object(update.clone()).to_string().len() > MAX_UPDATE_BYTES {
                return Err(bad("the state_update is too large"));
            }
            Ok(update)
        };
        let text = |text: Option<String>| text.map(truncate).filter(|text| !text.is_empty());
        match (raw.needs_input, raw.goes_on, raw.complete) {
            (true, false, false) => {
                let mut question = raw.question.ok_or_else(|| bad("needs_input without a question"))?;
                question.prompt = truncate(question.prompt);
                if question.prompt.is_empty() {
                    return Err(bad("the question has no prompt"));
                }
                question.options.truncate(MAX_OPTIONS);
                // Only Afterword itself asks about itself.
                question.concern = None;
                if question.kind == QuestionKind::Choice && question.options.len() < 2 {
                    return Err(bad("a choice without options"));
                }
                if question.kind != QuestionKind::Choice {
                    question.options.clear();
                }
                let message = text(raw.message).unwrap_or_else(|| question.prompt.clone());
                Ok(Self::NeedsInput { message, question })
            }
            (false, true, false) => {
                let state_update = update(raw.state_update)?;
                let next_step = text(raw.next_step).ok_or_else(|| bad("continue without a next_step"))?;
                let wait_minutes = raw.wait_minutes.unwrap_or(0).min(MAX_WAIT_MINUTES);
                Ok(Self::Continue { state_update, next_step, message: text(raw.message), wait_minutes })
            }
            (false, false, true) => {
                let message = text(raw.message).ok_or_else(|| bad("complete without a message"))?;
                Ok(Self::Complete { message, state_update: update(raw.state_update)? })
            }
            (false, false, false) => Err(bad("none of needs_input, continue and complete is true")),
            _ => Err(bad("more than one of needs_input, continue and complete is true")),
        }
    }
}

fn truncate(text: String) -> String {
    let text = text.trim();
    text.char_indices().nth(MAX_TEXT_CHARS).map_or(text, |(end, _)| &text[..end]).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<WorkerReply, String> {
        WorkerReply::parse(&serde_json::from_str(text).unwrap()).map_err(|error| error.problem)
    }

    #[test]
    fn the_three_answers() {
        let asked = parse(
            r#"{"needs_input":true,"message":"Two mails","question":{"type":"choice","prompt":"Which?","options":["a","b"]}}"#,
        );
        let Ok(WorkerReply::NeedsInput { message, question }) = asked else { panic!("{asked:?}") };
        assert_eq!((message.as_str(), question.options.len()), ("Two mails", 2));
        let goes_on = parse(r#"{"continue":true,"state_update":{"seen":3},"next_step":"look again"}"#);
        assert!(matches!(goes_on, Ok(WorkerReply::Continue { wait_minutes: 0, message: None, .. })));
        let done = parse(r#"{"complete":true,"needs_input":false,"message":"done"}"#);
        assert_eq!(done, Ok(WorkerReply::Complete { message: "done".into(), state_update: Map::new() }));
        let found = parse(r#"{"complete":true,"message":"done","state_update":{"found":1}}"#);
        assert!(
            matches!(found, Ok(WorkerReply::Complete { state_update, .. }) if state_update["found"] == 1)
        );
    }

    #[test]
    fn what_is_none_of_them_is_refused() {
        let check = |text: &str, expected: &str| {
            let problem = parse(text).unwrap_err();
            assert!(problem.contains(expected), "{text}: {problem}");
        };
        check("{}", "none of");
        check(r#"{"complete":true,"continue":true,"message":"x","next_step":"y"}"#, "more than one");
        check(r#"{"complete":true}"#, "without a message");
        check(r#"{"complete":true,"message":"  "}"#, "without a message");
        check(r#"{"continue":true,"state_update":{}}"#, "next_step");
        check(r#"{"continue":true,"state_update":[],"next_step":"y"}"#, "invalid type");
        check(r#"{"needs_input":true,"message":"x"}"#, "without a question");
        check(r#"{"needs_input":true,"question":{"type":"choice","prompt":"p"}}"#, "without options");
        check(r#"{"needs_input":true,"question":{"type":"essay","prompt":"p"}}"#, "unknown variant");
        check(r#"{"complete":true,"message":"x","run":"rm -rf"}"#, "unknown field");
        check(r#""complete""#, "invalid type");
    }

    #[test]
    fn schema_is_json_and_names_what_is_read() {
        let schema: Value = serde_json::from_str(WORKER_REPLY_SCHEMA).unwrap();
        let known: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(known.len(), 8);
    }
}
