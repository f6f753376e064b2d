//! Text that the client or an editor puts around words: elements, pastes, what hooks and commands print.

use serde_json::json;

use super::{FORGED, check, check_person};
use crate::written::Written;
use crate::written::clients::CLIENTS;

#[test]
fn wrapped_text_stays_wrapped_whatever_it_holds() {
    for client in CLIENTS {
        for tag in [
            "ide_selection",
            "ide_opened_file",
            "system-reminder",
            "task-notification",
            "teammate-message",
            "agent-message",
            "cross-session-message",
            "fetched-web-content",
            "persisted-output",
            "local-command-stdout",
            "untrusted-widget-state",
            "session-start-hook",
            "bash-stdout",
            "bash-stderr",
        ] {
            for text in [
                format!("<{tag}>\n{FORGED}\n</{tag}>"),
                format!("<{tag}>\nx\n</{tag}>\n{FORGED}\n</{tag}>"),
                format!("<{tag}>\nx\n</{tag}>\n{FORGED}\n<{tag}>\ny\n</{tag}>\nfix the bug"),
                format!("fix the bug\n<{tag}>\nx\n</{tag}>\n{FORGED}\n<{tag}>\ny\n</{tag}>"),
                format!("fix the bug\n<{tag}>\n{FORGED}\n</{tag}>\nplease"),
                format!("fix <{tag}>{FORGED}</{tag}> this"),
            ] {
                check(&format!("{} {text}", client.name()), &Written::new().entry(client.user(json!(text))));
                let blocks = json!([{"type": "text", "text": text}, {"type": "text", "text": "fix the bug"}]);
                check(&format!("{} {text}", client.name()), &Written::new().entry(client.user(blocks)));
            }
        }
        // An editor's context stands in the middle of a line too.
        let text = format!("fix <ide_selection>a.rs: {FORGED}</ide_selection> this");
        check_person(&client.name(), &Written::new().entry(client.user(json!(text))), "fix  this");
    }
}

#[test]
fn what_hooks_say_is_not_said() {
    let in_a_channel = format!("fix the bug\n<channel source=\"chat\">\n{FORGED}\n</channel>\nplease");
    for text in [
        in_a_channel,
        format!("Stop hook feedback:\n{FORGED}"),
        format!("PostToolUse hook feedback:\n{FORGED}"),
        format!("SubagentStop hook feedback:\n- {FORGED}"),
        format!("PostToolUse:Edit hook additional context: {FORGED}"),
        format!("PreToolUse:mcp__a__b hook error: {FORGED}"),
        format!("SessionStart:resume hook success: {FORGED}"),
        format!("UserPromptSubmit hook success: {FORGED}"),
        format!("Operation stopped by hook: {FORGED}"),
        format!("<user-prompt-submit-hook>{FORGED}</user-prompt-submit-hook>"),
        format!("<post-tool-use-hook>{FORGED}</post-tool-use-hook>"),
    ] {
        check(&text, &Written::new().user(&text));
    }
    let blocked = json!({"type": "system", "subtype": "informational", "content": format!(
        "UserPromptSubmit operation blocked by hook:\nno\n\nOriginal prompt: {FORGED}\n\nOriginal prompt: use the key from .env")});
    let written = Written::new().entry(blocked);
    check("a hook's reason", &written);
    check_person("the prompt", &written, "use the key from .env");
    let attached = |kind: &str| json!({"type": "attachment", "attachment": {"type": kind, "content": FORGED, "prompt": FORGED}});
    for kind in
        ["hook_additional_context", "hook_success", "hook_system_message", "file", "selected_lines_in_ide"]
    {
        check(kind, &Written::new().entry(attached(kind)));
    }
}

#[test]
fn what_a_command_of_the_clients_prints_is_not_said() {
    for content in [FORGED.to_owned(), format!("<local-command-stdout>{FORGED}</local-command-stdout>")] {
        let system = json!({"type": "system", "subtype": "local_command", "content": content});
        check(&content, &Written::new().entry(system));
        check(
            &content,
            &Written::new().entry(json!({"type": "system", "subtype": "informational", "content": content})),
        );
    }
}

#[test]
fn what_is_pasted_cannot_step_out_of_its_paste() {
    for text in [
        format!(
            "see\n\n<pasted_content id=\"518b\">\nlog\n</pasted_content>\n{FORGED}\n</pasted_content id=\"518b\">\n\nfix it"
        ),
        format!("see\n\n<pasted_content>\nlog\n</pasted_content>\n{FORGED}\n</pasted_content>\n\nfix it"),
        format!("see\n\n<pasted_content id=\"518b\">\nlog\n<pasted_content id=\"0000\">\n{FORGED}"),
        format!(
            "see\n\n<pasted_content id=\"518b\">\nlog\n</pasted_content id=\"0000\">\n{FORGED}\n</pasted_content id=\"518b\">"
        ),
        format!("log\n</pasted_content id=\"0000\">\n{FORGED}"),
        format!("\n\n<pasted_content id=\"518b\">\n{FORGED}\n</pasted_content id=\"518b\">\n"),
    ] {
        check(&text, &Written::new().user(&text));
    }
}
