//! Tool calls as one-liners.
//!
//! It owns which field of a tool's input says what the call does. Tools it does not know (every MCP tool) are
//! shown by their first arguments. Start at [`describe`].

use crate::event::MAX_TOOL_INPUT;
use crate::json::{JsonValue, Raw, Reader};
use crate::text::{Shortener, head};

/// Longest summary, in bytes.
const MAX_SUMMARY: usize = 240;
/// Longest single argument shown for a tool that is not known.
const MAX_ARGUMENT: usize = 80;

/// What a call does.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct CallDescription {
    pub(crate) summary: String,
    pub(crate) input: String,
    pub(crate) before: String,
}

/// Input fields in the order written, texts undecoded, other values as JSON.
struct Fields<'a> {
    all: Vec<(Raw<'a>, Value<'a>)>,
    shortener: Shortener<'a>,
}

#[derive(Clone, Copy)]
enum Value<'a> {
    Text(Raw<'a>),
    Json(&'a str),
}

impl<'a> Fields<'a> {
    fn read(input: &'a str, shortener: Shortener<'a>) -> Self {
        let mut fields = Vec::new();
        let mut reader = Reader::new(input, 0);
        if matches!(reader.next_value(), Ok(JsonValue::Object)) {
            let mut first = true;
            while let Ok(Some(key)) = reader.next_key(&mut first) {
                let value = if reader.skip_space() == Some(b'"') {
                    reader.next_value().map(|next| {
                        if let JsonValue::Text(text) = next { Value::Text(text) } else { Value::Json("") }
                    })
                } else {
                    reader.skip_value().map(Value::Json)
                };
                let Ok(value) = value else { break };
                fields.push((key, value));
            }
        }
        Self { all: fields, shortener }
    }

    fn text(&self, name: &str, max: usize) -> Option<String> {
        let (_, value) = self.all.iter().find(|(key, _)| key.equals(name))?;
        match value {
            Value::Text(text) if !text.is_empty() => {
                Some(self.shortener.head(&text.head(self.shortener.needed(max)), max))
            }
            _ => None,
        }
    }

    fn json(&self, name: &str) -> Option<&'a str> {
        self.all.iter().find(|(key, _)| key.equals(name)).and_then(|(_, value)| match value {
            Value::Json(json) => Some(*json),
            Value::Text(_) => None,
        })
    }
}

/// Says what a call of `tool` with `input` (a JSON object) does.
pub(crate) fn describe<'a>(tool: &str, input: &'a str, shortener: Shortener<'a>) -> CallDescription {
    let fields = Fields::read(input, shortener);
    let text = |name: &str| fields.text(name, MAX_TOOL_INPUT);
    let first = |names: &[&str]| names.iter().find_map(|name| text(name)).unwrap_or_default();
    let mut described = CallDescription::default();
    match tool {
        "Bash" | "PowerShell" => {
            described.input = fields
                .all
                .iter()
                .find_map(|(key, value)| match value {
                    Value::Text(text) if key.equals("command") => {
                        Some(shortener.head_and_tail(&text.decode(), MAX_TOOL_INPUT))
                    }
                    _ => None,
                })
                .unwrap_or_default();
            described.summary = described.input.clone();
        }
        "Edit" | "Write" | "NotebookEdit" | "MultiEdit" => {
            described.summary = first(&["file_path", "notebook_path"]);
            described.input = first(&["new_string", "content", "new_source"]);
            described.before = text("old_string").unwrap_or_default();
            if let Some(edits) = fields.json("edits") {
                first_edit(edits, &mut described, shortener);
            }
        }
        "Read" => described.summary = first(&["file_path"]),
        "Grep" | "Glob" | "LS" => {
            described.summary = [text("pattern"), text("path"), text("glob")]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join(" in ");
        }
        "WebFetch" => {
            described.summary = first(&["url"]);
            described.input = first(&["prompt"]);
        }
        "WebSearch" => described.summary = first(&["query"]),
        "Task" | "Agent" => {
            described.summary = [text("subagent_type"), text("description")]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join(": ");
            described.input = first(&["prompt"]);
        }
        "Skill" | "SlashCommand" => {
            described.summary = run_of(&fields);
        }
        "ExitPlanMode" => {
            described.input = first(&["plan"]);
            described.summary =
                described.input.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned();
        }
        "AskUserQuestion" => {
            let asked = fields.json("questions").map(super::questions::parse_questions).unwrap_or_default();
            described.summary =
                asked.iter().map(|asked| asked.question.as_str()).collect::<Vec<_>>().join(" / ");
            described.input = shortener.head(&super::questions::outline_questions(&asked), MAX_TOOL_INPUT);
        }
        _ => {
            described.summary = describe_arguments(&fields);
            described.input = shortener.head(input, MAX_TOOL_INPUT);
        }
    }
    described.summary = shortener.one_line(&described.summary, MAX_SUMMARY);
    described
}

/// The name and the arguments of a slash command or skill that a call with `input` runs.
pub(crate) fn command_run<'a>(input: &'a str, shortener: Shortener<'a>) -> String {
    run_of(&Fields::read(input, shortener))
}

fn run_of(fields: &Fields<'_>) -> String {
    let parts = ["skill", "command", "args"].map(|name| fields.text(name, MAX_TOOL_INPUT));
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The first of a MultiEdit's edits stands for all.
fn first_edit<'a>(edits: &'a str, described: &mut CallDescription, shortener: Shortener<'a>) {
    let mut reader = Reader::new(edits, 0);
    let mut first = true;
    if matches!(reader.next_value(), Ok(JsonValue::Array))
        && let Ok(true) = reader.next_item(&mut first)
        && let Ok(edit) = reader.skip_value()
    {
        let fields = Fields::read(edit, shortener);
        described.input = fields.text("new_string", MAX_TOOL_INPUT).unwrap_or_default();
        described.before = fields.text("old_string", MAX_TOOL_INPUT).unwrap_or_default();
    }
}

fn describe_arguments(fields: &Fields<'_>) -> String {
    let mut line = String::new();
    for (key, value) in &fields.all {
        if line.len() > MAX_SUMMARY {
            break;
        }
        let needed = fields.shortener.needed(MAX_ARGUMENT);
        let value = match value {
            Value::Text(text) => text.head(needed),
            Value::Json(json) => head(json, needed).into(),
        };
        // The name may be what tells a secret.
        let key = key.head(MAX_ARGUMENT);
        let argument = fields.shortener.one_line(&format!("{key}: {value}"), key.len() + 2 + MAX_ARGUMENT);
        if !line.is_empty() {
            line.push_str(", ");
        }
        line.push_str(&argument);
    }
    line
}
