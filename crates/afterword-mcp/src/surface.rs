//! What a client is shown, as values: for whoever documents the server.

use serde_json::Value;

use crate::Server;

/// A tool as a client is told of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The JSON schema of its arguments.
    pub arguments: Value,
    /// It changes nothing.
    pub only_reads: bool,
}

/// Every tool, by name.
pub fn tools() -> Vec<Tool> {
    let described = Server::all_tools().list_all().into_iter().map(|tool| Tool {
        name: tool.name.into_owned(),
        description: tool.description.unwrap_or_default().into_owned(),
        arguments: Value::Object((*tool.input_schema).clone()),
        only_reads: tool.annotations.and_then(|hints| hints.read_only_hint).unwrap_or(false),
    });
    let mut tools: Vec<_> = described.collect();
    tools.sort_by(|one, other| one.name.cmp(&other.name));
    tools
}

/// Every prompt by name, with what it is for.
pub fn prompts() -> Vec<(String, String)> {
    let described = Server::all_prompts().list_all().into_iter();
    let mut prompts: Vec<_> =
        described.map(|prompt| (prompt.name, prompt.description.unwrap_or_default())).collect();
    prompts.sort();
    prompts
}
