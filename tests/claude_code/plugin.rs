//! The plugin folder: hooks, server and `/memory` commands, as the client loads them.

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use afterword_testkit::messages_api::Reply;
use serde_json::{Value, json};

use crate::machine::Machine;
use crate::stub::offers;

const RULE: &str = "Always put a blank line after each heading, in every document from now on.";

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn plugin() -> String {
    repository().join("plugin").to_str().unwrap().to_owned()
}

fn started(machine: &Machine) -> usize {
    fs::read_dir(machine.state().join("markers")).map_or(0, Iterator::count)
}

#[test]
fn client_finds_nothing_wrong_with_it() {
    let Some(machine) = Machine::new() else { return };
    for folder in [repository(), repository().join("plugin")] {
        let arguments = ["plugin", "validate", folder.to_str().unwrap()];
        let output: Output = machine.claude(&machine.home(), &arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && said.contains("Validation passed"), "{said}");
    }
}

#[test]
fn memory_reflect_works_from_inside() {
    let Some(mut machine) = Machine::new() else { return };
    let shop = machine.project("shop");
    let first = machine.say(&shop, RULE, &["--plugin-dir", &plugin()]);
    assert_eq!(started(&machine), 1, "its hooks told the start");
    let session = first["session_id"].as_str().unwrap();
    let reflect = "mcp__plugin_memory_afterword__reflect".to_owned();
    machine.stub.script([Reply::tool(reflect, json!({"focus": "headings"}))]);
    let arguments = ["--resume", session, "--plugin-dir", &plugin()];
    let result = machine.say(&shop, "/memory:reflect headings", &arguments);
    assert_eq!(result["result"], "Done.");
    let asked = machine.stub.conversation_requests();
    let said = asked[1]["messages"].to_string();
    assert!(said.contains("Reflecting in the background") && said.contains("What I say: headings"), "{said}");
    let told = asked.last().unwrap()["messages"].to_string();
    assert!(told.contains("\\\"status\\\":\\\"queued\\\""), "allowed without asking: {told}");
    // The client ends its servers with itself; what was asked for is done by the next agent.
    machine.follow();
    machine.until("the reflection is done", || {
        (machine.lessons_about("blank line after each heading") == 1).then_some(())
    });
}

#[test]
fn every_command_reaches_the_model() {
    let Some(machine) = Machine::new() else { return };
    let shop = machine.project("shop");
    for command in ["status", "review", "search", "save", "evolve", "inspect", "attempt", "outcome"] {
        let words = format!("/memory:{command} a-word-of-mine");
        machine.say(&shop, &words, &["--plugin-dir", &plugin()]);
        let said = machine.stub.conversation_requests().last().unwrap()["messages"].to_string();
        assert!(said.contains("of the afterword server"), "{command}: {said}");
        let takes_words = !matches!(command, "status");
        assert_eq!(
            said.contains("a-word-of-mine"),
            takes_words || said.contains("command-args"),
            "{command}"
        );
    }
}

/// What only comes closest is marked, and the command says to leave it out.
#[test]
fn attempt_of_another_sort_is_marked_and_left_out() {
    let Some(machine) = Machine::new() else { return };
    let shop = machine.project("shop");
    let call = |tool: &str, arguments: Value| {
        Reply::tool(format!("mcp__plugin_memory_afterword__{tool}"), arguments)
    };
    let told = json!({"sessionId": "current", "taskDescription": "Parse the CSV file of orders", "outcome": "failure",
        "whatDidNotWork": ["Forgot to handle quoted fields"], "nextStrategy": "Use a CSV library"});
    let search =
        |task: &str| call("reflection_search", json!({"projectId": "current", "taskDescription": task}));
    machine.stub.script([
        call("reflection_store", told),
        search("Parse a CSV file with quoted fields"),
        search("Choose a colour for the login button"),
    ]);
    machine.say(&shop, "/memory:attempt parse the orders", &["--plugin-dir", &plugin()]);
    let asked = machine.stub.conversation_requests();
    assert!(asked[0]["messages"].to_string().contains("Leave out what it answers with `fits` false"));
    let heard = asked.last().unwrap()["messages"].to_string();
    let fits: Vec<&str> = heard
        .match_indices("\\\"fits\\\":")
        .map(|(at, key)| &heard[at + key.len()..at + key.len() + 4])
        .collect();
    assert_eq!(fits, ["true", "fals"], "{heard}");
}

#[test]
fn installed_from_the_marketplace_it_is_there() {
    let Some(machine) = Machine::new() else { return };
    let claude = |arguments: &[&str]| {
        let output = machine.claude(&machine.home(), arguments).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&said));
    };
    claude(&["plugin", "marketplace", "add", repository().to_str().unwrap()]);
    claude(&["plugin", "install", "memory@afterword"]);
    machine.say(&machine.project("shop"), "Say hello.", &[]);
    assert_eq!(started(&machine), 1);
    assert!(offers(&machine.stub.conversation_requests()[0], "mcp__plugin_memory_afterword__reflect"));
}

#[test]
fn missing_program_fails_no_session_and_its_hooks_are_silent() {
    let Some(machine) = Machine::new() else { return };
    let shop = machine.project("shop");
    let mut command = machine.claude(
        &shop,
        &["-p", "Say hello.", "--output-format", "stream-json", "--verbose", "--plugin-dir", &plugin()],
    );
    let output = command.env("PATH", "/usr/bin:/bin").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let result: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!((result["is_error"].as_bool(), result["result"].as_str()), (Some(false), Some("Done.")));
    assert!(!machine.state().join("spool").exists());
    assert!(!text.contains("is not on the PATH"), "{text}");
}
