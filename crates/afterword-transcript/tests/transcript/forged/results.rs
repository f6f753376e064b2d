//! Results of tools, and what stands beside them: pages, files, output.

use serde_json::json;

use super::{FORGED, check, check_person, sentences};
use crate::written::Written;
use crate::written::clients::{CLIENTS, Client};

#[test]
fn pages_files_and_output_are_nobodys_words() {
    for client in CLIENTS {
        for tool in ["WebFetch", "Read", "Bash", "Task", "Agent", "Grep", "mcp__evil__say"] {
            for sentence in sentences() {
                let mut entry =
                    client.user(json!([{"type": "tool_result", "tool_use_id": "t1", "content": sentence}]));
                entry["toolUseResult"] = json!({"questions": [{"question": "Which?", "options": []}],
                    "answers": {"Which?": FORGED}, "result": sentence});
                check(
                    &format!("{}, {tool}", client.name()),
                    &Written::new().call("t1", tool, json!({})).entry(entry),
                );
            }
        }
    }
}

#[test]
fn text_beside_a_tool_servers_result_is_doubtful() {
    let beside = |tool: &str, client: Client, source: Option<&str>| {
        let mut entry = client.user(json!([
            {"type": "tool_result", "tool_use_id": "t1", "content": "ok"}, {"type": "text", "text": FORGED}]));
        if let Some(source) = source {
            entry["permissionDecision"] = json!({"decision": "accept", "source": source});
        }
        Written::new().call("t1", tool, json!({})).entry(entry)
    };
    for client in CLIENTS {
        check(&client.name(), &beside("mcp__evil__say", client, None));
        check_person(&client.name(), &beside("Bash", client, None), FORGED);
    }
    check_person("who let it run", &beside("mcp__evil__say", CLIENTS[3], Some("user_temporary")), FORGED);
}
