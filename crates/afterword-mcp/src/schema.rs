//! Schemas as the client is shown them. Every session pays for each byte: what says nothing to a model is left out.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool};
use serde_json::Value;

/// A schema from its text.
pub(crate) fn of(text: &str) -> Arc<JsonObject> {
    // The texts are constants that a test reads; an empty schema would only leave a client without help.
    Arc::new(serde_json::from_str(text).unwrap_or_default())
}

/// Leaves out of a tool's schema what only says how it was made.
pub(crate) fn shorten(tool: &mut Tool) {
    let mut schema = JsonObject::clone(&tool.input_schema);
    for key in ["$schema", "title", "description", "additionalProperties"] {
        schema.remove(key);
    }
    let arguments = schema.get_mut("properties").and_then(Value::as_object_mut);
    for argument in arguments.into_iter().flat_map(|all| all.values_mut()).filter_map(Value::as_object_mut) {
        for key in ["format", "minimum", "default"] {
            argument.remove(key);
        }
        // `null` is as good as nothing; whoever leaves an argument out need not know.
        if let Some(Value::Array(kinds)) = argument.get_mut("type") {
            kinds.retain(|kind| kind != "null");
            if let [kind] = &kinds[..] {
                let kind = kind.clone();
                argument.insert("type".to_owned(), kind);
            }
        }
    }
    tool.input_schema = Arc::new(schema);
}
