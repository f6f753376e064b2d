//! The client's own MCP client calls every tool.

use afterword_testkit::messages_api::Reply;
use serde_json::{Value, json};

use crate::machine::Machine;
use crate::stub::offers;

const RULE: &str = "Always put a blank line after each heading, in every document from now on.";

/// What the client passed on to the model as the result of its last call.
fn results(machine: &Machine) -> Vec<String> {
    let asked = machine.stub.conversation_requests();
    let last = asked.last().unwrap()["messages"].as_array().unwrap().clone();
    let blocks = last.iter().filter_map(|message| message["content"].as_array()).flatten();
    let results = blocks.filter(|block| block["type"] == "tool_result");
    results.map(|block| text_of(&block["content"])).collect()
}

fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks.iter().filter_map(|block| block["text"].as_str()).collect(),
        _ => String::new(),
    }
}

/// The arguments of an action of a tool that has several.
fn act(action: &str, mut arguments: Value) -> Value {
    arguments["action"] = action.into();
    arguments
}

fn call(tool: &str, arguments: Value) -> Reply {
    Reply::tool(format!("mcp__afterword__{tool}"), arguments)
}

#[test]
fn every_tool_is_called_from_inside_a_session() {
    let Some(machine) = Machine::new() else { return };
    machine.install();
    let shop = machine.project("shop");
    let tools = [
        ("reflect", json!({"user_id": "local", "focus": null, "max_insights": 5, "force": false})),
        ("stats", json!({"scope": "reflection"})),
        ("reflect_status", json!({"job_id": "0197d2a0-0000-7000-8000-000000000000", "user_id": "local"})),
        ("cancel_reflection", json!({"job_id": "0197d2a0-0000-7000-8000-000000000000", "user_id": "local"})),
        (
            "memory",
            json!({"action": "save", "kind": "workflow", "title": "Deploy on Fridays", "scope": "everywhere"}),
        ),
        (
            "memory",
            json!({"action": "evolve", "supersedes": "deploy-on-fridays", "kind": "workflow", "title": "Never deploy on Fridays", "scope": "everywhere"}),
        ),
        ("memory", json!({"action": "inspect"})),
        ("retrieve", json!({"query": "when to deploy", "statuses": ["active", "inbox"]})),
        ("review", json!({"action": "list"})),
        ("review", json!({"action": "approve", "id": "no-such-note"})),
        ("review", json!({"action": "edit", "id": "no-such-note", "title": "Other words"})),
        ("review", json!({"action": "reject", "id": "no-such-note", "reason": "no"})),
        ("review", json!({"action": "skip", "id": "no-such-note"})),
        (
            "review",
            json!({"action": "supersede", "id": "no-such-note", "supersedes": "never-deploy-on-fridays"}),
        ),
    ];
    machine.stub.script(tools.iter().map(|(tool, arguments)| call(tool, arguments.clone())));
    machine.say(&shop, RULE, &["--allowedTools", "mcp__afterword"]);
    let asked = machine.stub.conversation_requests();
    let results = results(&machine);
    assert_eq!(results.len(), tools.len(), "{results:#?}");
    for ((tool, _), result) in tools.iter().zip(&results) {
        assert!(offers(&asked[0], &format!("mcp__afterword__{tool}")), "{tool} is offered");
        assert!(!result.contains("permission"), "{tool}: {result}");
    }
    let expected = [
        "\"status\":\"queued\"",
        "\"pending_jobs\":",
        "{\"status\":\"not_found\"}",
        "{\"status\":\"not_found\"}",
        // Nobody typed the command to save it.
        "\"outcome\":\"waits\"",
        "nothing can take its place",
        "\"session_id\":",
        "Deploy on Fridays",
        "\"waiting\":[",
        "no-such-note",
        // Nobody typed these words.
        "the user did not say this",
        "no-such-note",
        "no-such-note",
        "no-such-note",
    ];
    for ((result, expected), (tool, _)) in results.iter().zip(expected).zip(&tools) {
        assert!(result.contains(expected), "{tool}: {expected} in {result}");
    }
    // No agent runs: the server itself worked the queue, and what was asked for outlives the session.
    machine.until("the reflection is done", || {
        // What was saved by name quotes the same words, as those it was asked for with.
        let found = |text: &&String| {
            text.contains("blank line after each heading") && !text.contains("signal: saved")
        };
        (machine.lessons().iter().filter(found).count() == 1).then_some(())
    });
}

/// "Watch the build for me" inside a session makes a task, once its schedule was shown.
#[test]
fn task_is_made_and_steered_from_inside_a_session() {
    let Some(machine) = Machine::new() else { return };
    machine.install();
    let shop = machine.project("shop");
    let new = |confirmed: bool| json!({"task": "watch the build", "when": "every weekday at 9", "time_zone": "Europe/Berlin", "confirmed": confirmed});
    let task = || json!({"task": "watch the build"});
    let later =
        json!({"task": "watch the build", "when": "every day at 7", "time_zone": "UTC", "confirmed": true});
    let words = || json!({"task": "watch the build", "text": "yes"});
    let tools = [
        ("task", json!({"action": "list"}), "{\"tasks\":[]}"),
        ("task", act("new", new(false)), "\"made\":false"),
        ("task", json!({"action": "list"}), "{\"tasks\":[]}"),
        ("task", act("new", new(true)), "\"made\":true"),
        ("task", act("show", task()), "\"cron_expression\":\"0 9 * * 1-5\""),
        ("task", act("reschedule", later), "\"cron_expression\":\"0 7 * * *\""),
        ("task", act("answer", words()), "cannot be answered"),
        ("task", act("pause", task()), "\"paused\":true"),
        ("task", act("resume", task()), "\"status\":\"background\""),
        ("task", act("runs", task()), "{\"runs\":[]}"),
        ("task", act("archive", task()), "\"status\":\"archived\""),
        ("task", act("say", words()), "is archived"),
    ];
    machine.stub.script(tools.iter().map(|(tool, arguments, _)| call(tool, arguments.clone())));
    machine.say(
        &shop,
        "watch the build, every weekday at 9. no, every day at 7",
        &["--allowedTools", "mcp__afterword"],
    );
    let results = results(&machine);
    assert_eq!(results.len(), tools.len(), "{results:#?}");
    for ((tool, _, expected), result) in tools.iter().zip(&results) {
        assert!(result.contains(expected), "{tool}: {expected} in {result}");
    }
    let listed: Value = serde_json::from_str(&machine.ok(&["task", "list", "--all", "--json"])).unwrap();
    assert_eq!(listed["conversations"][0]["task"], "watch the build");
    assert_eq!(listed["conversations"][0]["allowed_tools"], json!([]), "it may do nothing by itself");
}

#[test]
fn session_means_the_one_the_client_is_in() {
    let Some(machine) = Machine::new() else { return };
    machine.install();
    let shop = machine.project("shop");
    machine.say(&shop, "Say hello.", &[]);
    machine.stub.script([call("memory", json!({"action": "inspect"}))]);
    let here = machine.say(&shop, RULE, &["--allowedTools", "mcp__afterword"]);
    let inspected = results(&machine).remove(0);
    assert!(inspected.contains(here["session_id"].as_str().unwrap()), "{inspected}");
}
