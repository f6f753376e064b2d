//! The page of the tools and prompts that are served over MCP.

use std::fmt::Write as _;

use afterword_mcp::surface::{Tool, prompts, tools};
use serde_json::Value;

use super::{beginning, escape_markdown};

const ABOUT: &str = "What `afterword mcp` serves; Claude Code starts it itself after `afterword install claude-code`. What a model may do with these tools, \
    and what waits for you, is in [Claude Code](../claude-code.md#tools-mcp).\n\n## Prompts\n\n\
    In Claude Code a prompt is a command: `/mcp__afterword__NAME`.\n\n| prompt | what it does |\n|---|---|\n";

/// The page.
pub(super) fn page() -> String {
    let mut text = beginning("Tools") + ABOUT;
    for (name, about) in prompts() {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "| `{name}` | {} |", escape_markdown(&about));
    }
    text.push_str("\n## Tools\n");
    for tool in tools() {
        describe(&tool, &mut text);
    }
    text
}

fn describe(tool: &Tool, text: &mut String) {
    let reads = if tool.only_reads { " It changes nothing." } else { "" };
    let _ = write!(text, "\n### {}\n\n{}{reads}\n", tool.name, escape_markdown(&tool.description));
    let Some(properties) = tool.arguments["properties"].as_object().filter(|all| !all.is_empty()) else {
        return;
    };
    let required = tool.arguments["required"].as_array().cloned().unwrap_or_default();
    text.push_str("\n| argument | | |\n|---|---|---|\n");
    for (name, schema) in properties {
        let need = if required.contains(&Value::from(name.as_str())) { ", required" } else { "" };
        let about = schema["description"].as_str().unwrap_or_default();
        let _ = writeln!(
            text,
            "| `{name}` | {}{need} | {} |",
            escape_markdown(&form(schema, &tool.arguments)),
            escape_markdown(about)
        );
    }
}

/// What an argument may hold, in a few words.
fn form(schema: &Value, root: &Value) -> String {
    if let Some(place) = schema["$ref"].as_str() {
        return root
            .pointer(place.trim_start_matches('#'))
            .map(|schema| form(schema, root))
            .unwrap_or_default();
    }
    for several in ["anyOf", "oneOf"] {
        if let Some(of) = schema[several].as_array() {
            let forms: Vec<_> =
                of.iter().filter(|one| one["type"] != "null").map(|one| form(one, root)).collect();
            return forms.join(" or ");
        }
    }
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<_> = words.iter().filter_map(Value::as_str).map(|word| format!("`{word}`")).collect();
        return words.join(" or ");
    }
    if let Some(word) = schema["const"].as_str() {
        return format!("`{word}`");
    }
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null"),
        kind => kind.as_str(),
    };
    match kinds {
        Some("array") => format!("list of {}", form(&schema["items"], root)),
        Some("string") => "text".to_owned(),
        Some("integer" | "number") => "number".to_owned(),
        Some("boolean") => "true or false".to_owned(),
        Some(other) => other.to_owned(),
        None => "anything".to_owned(),
    }
}
