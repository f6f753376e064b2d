//! The official conformance suite of the Model Context Protocol against `afterword mcp`: every scenario of a server that applies to
//! it, in every revision of the specification that the suite knows of.
//!
//! The suite speaks HTTP and the program stdin and stdout; `bridge` carries messages between them. What is not judged is named
//! here, with the reason, so that nothing the suite learns to ask is passed over. Where the suite is not installed the test says
//! so and passes.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]
#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

mod bridge;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use afterword_testkit::{conformance, program};
use serde_json::Value;

const REVISIONS: [&str; 3] = ["2025-06-18", "2025-11-25", "2026-07-28"];

/// The scenarios that are run.
const JUDGED: [&str; 7] = [
    "server-initialize",
    "ping",
    "tools-list",
    "prompts-list",
    "server-stateless",
    "caching",
    "input-required-result-unsupported-methods",
];

/// The others, and why. `*` stands for the rest of a name.
const LEFT_OUT: [(&str, &[&str]); 6] = [
    (
        "call tools that only a server made for the suite has (`test_simple_text`, `test_image_content` …)",
        &[
            "tools-call-*",
            "json-schema-2020-12",
            "elicitation-*",
            "input-required-result-*",
            "http-custom-header-server-validation",
        ],
    ),
    ("get prompts that only such a server has (`test_simple_prompt` …)", &["prompts-get-*"]),
    ("the server has no resources", &["resources-*", "sep-2164-resource-not-found", "sep-2640-skills-*"]),
    ("the server completes nothing and sends no log", &["completion-complete", "logging-set-level"]),
    ("the server has no tasks of the protocol's kind", &["tasks-*"]),
    (
        "are about HTTP, which here is the bridge's",
        &["server-session-lifecycle", "server-sse-*", "dns-rebinding-protection", "http-header-validation"],
    ),
];

/// Single checks of the scenarios that are run, which do not concern the program.
const NOT_CONCERNED: [&str; 5] = [
    // These need `test_missing_capability`, `test_streaming_elicitation` and `test_logging_tool`.
    "sep-2575-server-rejects-undeclared-capability",
    "sep-2575-missing-capability-http-400",
    "sep-2575-http-server-no-independent-requests-on-stream",
    "sep-2575-server-no-log-without-loglevel",
    // A head of HTTP that says another revision than the message.
    "sep-2575-http-server-header-mismatch-400",
];

fn is_left_out(scenario: &str) -> bool {
    LEFT_OUT.iter().flat_map(|(_, names)| *names).any(|name| match name.strip_suffix('*') {
        Some(start) => scenario.starts_with(start),
        None => scenario == *name,
    })
}

/// The names in the suite's list of scenarios: `  - NAME [REVISION,…]`.
fn names(list: &str) -> BTreeSet<&str> {
    list.lines().filter_map(|line| line.trim().strip_prefix("- ")?.split(' ').next()).collect()
}

/// What the suite wrote about a scenario: a line for each check that was not passed, and how many were.
fn verdicts(folder: &Path) -> (usize, Vec<String>) {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path().join("checks.json"));
    let checks: Vec<Value> = files
        .flat_map(|file| serde_json::from_slice::<Vec<Value>>(&fs::read(file).unwrap()).unwrap())
        .filter(|check| !NOT_CONCERNED.contains(&check["id"].as_str().unwrap()))
        .collect();
    let of = |status: &str| checks.iter().filter(|check| check["status"] == status).collect::<Vec<_>>();
    let bad = of("FAILURE").into_iter().chain(of("WARNING"));
    (of("SUCCESS").len(), bad.map(|check| format!("{}: {}", check["id"], check["errorMessage"])).collect())
}

#[test]
fn server_passes_every_scenario_of_the_conformance_suite_that_applies_to_it() {
    let list = match conformance::run(&["list", "--server"]) {
        Ok(list) => list,
        Err(reason) => return println!("skipped: the conformance suite is not here: {reason}"),
    };
    let known = names(&list);
    let forgotten: Vec<_> =
        known.iter().filter(|name| !JUDGED.contains(name) && !is_left_out(name)).collect();
    assert!(forgotten.is_empty(), "neither judged nor left out: {forgotten:?}");

    let home = tempfile::tempdir().unwrap();
    let (program, folder) = (program::built(), home.path().to_owned());
    let url = bridge::serve(move || {
        let mut command = Command::new(program);
        command.arg("mcp").env_clear().env("HOME", &folder).env("AFTERWORD_HOME", folder.join("afterword"));
        command.current_dir(&folder).stderr(Stdio::null());
        command
    });
    let mut failed = Vec::new();
    for scenario in JUDGED {
        let mut passed = 0;
        for revision in REVISIONS {
            let folder = home.path().join(format!("{scenario}-{revision}"));
            fs::create_dir(&folder).unwrap();
            let output = folder.to_str().unwrap();
            let said = conformance::run(&[
                "server",
                "--url",
                &url,
                "--scenario",
                scenario,
                "--spec-version",
                revision,
                "--output-dir",
                output,
            ])
            .unwrap();
            // Not every revision has every scenario.
            if said.contains("SKIPPED: ") {
                continue;
            }
            let (passes, bad) = verdicts(&folder);
            println!("{scenario}, {revision}: {passes} checks passed");
            passed += passes;
            failed.extend(bad.into_iter().map(|line| format!("{scenario}, {revision}: {line}")));
        }
        assert!(passed > 0, "{scenario}: nothing was checked");
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
