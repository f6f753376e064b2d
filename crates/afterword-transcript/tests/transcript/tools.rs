//! Tools: what a call does in one line, and how it went.

use crate::written::Written;
use afterword_transcript::event::{Event, ToolCall, ToolOutcome, ToolStatus};
use serde_json::{Value, json};

fn call(tool: &str, input: Value) -> ToolCall {
    match Written::new().call("t1", tool, input).read().events.remove(0) {
        Event::Call(call) => call,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_call_is_one_line() {
    let summary = |tool, input| call(tool, input).summary;
    assert_eq!(
        summary("Bash", json!({"command": "cargo test \\\n  -p core", "description": "x"})),
        "cargo test \\ -p core"
    );
    assert_eq!(summary("Read", json!({"file_path": "/a/b.rs", "limit": 5})), "/a/b.rs");
    assert_eq!(summary("Grep", json!({"pattern": "fn main", "path": "src"})), "fn main in src");
    assert_eq!(
        summary("WebFetch", json!({"url": "https://example.com", "prompt": "p"})),
        "https://example.com"
    );
    assert_eq!(
        summary("Task", json!({"subagent_type": "Explore", "description": "find it", "prompt": "p"})),
        "Explore: find it"
    );
    assert_eq!(
        summary("mcp__linear__create_issue", json!({"title": "Bug", "team": "Core"})),
        "team: Core, title: Bug"
    );
    assert_eq!(summary("Unheard", json!({"deep": {"a": [1]}})), "deep: {\"a\":[1]}");
    assert!(summary("Bash", json!({"command": "x ".repeat(1000)})).len() < 260);
}

#[test]
fn an_edit_shows_what_it_changes() {
    let edit = call("Edit", json!({"file_path": "a.rs", "old_string": "old\n", "new_string": "new\n"}));
    assert_eq!(
        (edit.summary.as_str(), edit.before.as_str(), edit.input.as_str()),
        ("a.rs", "old\n", "new\n")
    );
    let edit = call(
        "MultiEdit",
        json!({"file_path": "a.rs", "edits": [{"old_string": "one", "new_string": "two"}]}),
    );
    assert_eq!((edit.before.as_str(), edit.input.as_str()), ("one", "two"));
    let write = call("Write", json!({"file_path": "b.md", "content": "é".repeat(5000)}));
    assert!(write.input.len() <= 1024 && write.input.starts_with('é'));
}

#[test]
fn questions_and_plans_are_kept() {
    let asked = call(
        "AskUserQuestion",
        json!({"questions": [{"question": "Which?", "options": [{"label": "A"}, {"label": "B"}]}]}),
    );
    assert_eq!((asked.summary.as_str(), asked.input.as_str()), ("Which?", "Which? [A | B]\n"));
    let plan = call("ExitPlanMode", json!({"plan": "\n# Cache\n\nUse files."}));
    assert_eq!((plan.summary.as_str(), plan.input.as_str()), ("# Cache", "\n# Cache\n\nUse files."));
}

fn outcome(tool: &str, input: Value, result: Value, tool_use_result: Value) -> ToolOutcome {
    let mut block = json!({"type": "tool_result", "tool_use_id": "t1"});
    block.as_object_mut().unwrap().extend(result.as_object().unwrap().clone());
    let entry = json!({"type": "user", "message": {"role": "user", "content": [block]}, "toolUseResult": tool_use_result});
    match Written::new().call("t1", tool, input).entry(entry).read().events.remove(1) {
        Event::Outcome(outcome) => outcome,
        other => panic!("{other:?}"),
    }
}

fn bash(command: &str, result: Value) -> ToolOutcome {
    outcome(
        "Bash",
        json!({"command": command}),
        result,
        json!({"stdout": "…", "stderr": "", "interrupted": false, "isImage": false}),
    )
}

#[test]
fn a_result_is_judged_and_dropped() {
    let ok = bash("ls", json!({"content": "a\nb"}));
    assert_eq!((ok.status, ok.error.as_str()), (ToolStatus::Ok, ""));
    let failed = bash("make", json!({"content": "Exit code 2\nmake: *** No rule", "is_error": true}));
    assert_eq!(
        (failed.status, failed.error.as_str()),
        (ToolStatus::Failed, "Exit code 2\nmake: *** No rule")
    );
    let failed = outcome(
        "Read",
        json!({}),
        json!({"content": "<tool_use_error>File does not exist.</tool_use_error>", "is_error": true}),
        json!("Error: x"),
    );
    assert_eq!((failed.status, failed.error.as_str()), (ToolStatus::Failed, "File does not exist."));
    let listed = json!({"content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], "is_error": true});
    assert_eq!(outcome("mcp__a__b", json!({}), listed, json!(null)).error, "one\ntwo");
}

#[test]
fn an_error_keeps_its_head_and_its_tail_without_colours() {
    let long = format!(
        "Exit code 1\n\u{1b}[31mfirst\u{1b}[0m\n{}\ntest result: FAILED. 3 failed",
        "noise\n".repeat(5000)
    );
    let error = bash("cargo test", json!({"content": long, "is_error": true})).error;
    assert!(
        error.starts_with("Exit code 1\nfirst\n") && error.ends_with("test result: FAILED. 3 failed"),
        "{error}"
    );
    assert!(error.len() <= 1024);
}

#[test]
fn an_error_the_client_did_not_mark_is_found_where_a_command_ran() {
    let printed = json!({"content": "compiling\nerror[E0308]: mismatched types\n"});
    assert_eq!(bash("cargo build 2>&1 | tail -5", printed.clone()).status, ToolStatus::Failed);
    assert_eq!(
        bash("grep -rn E0308 logs | head", printed.clone()).status,
        ToolStatus::Ok,
        "it only shows what is there"
    );
    assert_eq!(outcome("Read", json!({}), printed, json!({})).status, ToolStatus::Ok);
    assert_eq!(bash("cargo build", json!({"content": "no errors found"})).status, ToolStatus::Ok);
}

#[test]
fn an_interrupted_call_says_so() {
    let stopped =
        json!({"content": "[Request interrupted by user for tool use]\nCollecting…", "is_error": true});
    assert_eq!(bash("pip install x", stopped).status, ToolStatus::Interrupted);
    let result = json!({"stdout": "", "stderr": "", "interrupted": true, "isImage": false});
    assert_eq!(
        outcome("Bash", json!({"command": "x"}), json!({"content": ""}), result).status,
        ToolStatus::Interrupted
    );
    let inner =
        json!({"stdout": "\"interrupted\":true", "inner": {"interrupted": true}, "interrupted": false});
    assert_eq!(
        outcome("Bash", json!({"command": "x"}), json!({"content": ""}), inner).status,
        ToolStatus::Ok
    );
}

#[test]
fn an_edit_the_person_changed_says_so() {
    let edit = |result: Value| {
        outcome("Edit", json!({"file_path": "a"}), json!({"content": "updated"}), result).user_modified
    };
    assert!(edit(json!({"filePath": "a", "originalFile": "x", "userModified": true, "replaceAll": false})));
    assert!(!edit(
        json!({"filePath": "a", "originalFile": "\"userModified\":true", "userModified": false, "replaceAll": false})
    ));
    assert!(edit(json!({"userModified": true, "structuredPatch": [{"lines": ["{"]}]})));
}
