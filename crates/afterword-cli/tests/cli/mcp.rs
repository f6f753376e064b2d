//! `afterword mcp`: what is no message gets the error that the protocol names, and the next one is answered.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::env::TestEnv;

/// What the server answers to these lines, the answer to its greeting left out.
fn answers(env: &TestEnv, lines: &[&str]) -> Vec<Value> {
    let mut child = env
        .command(&["mcp"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}});
    writeln!(stdin, "{hello}").unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
    let first: Value = serde_json::from_str(&said.next().unwrap().unwrap()).unwrap();
    assert_eq!(first["result"]["serverInfo"]["name"], "afterword", "{first}");
    writeln!(stdin, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).unwrap();
    let mut answers = Vec::new();
    for line in lines {
        writeln!(stdin, "{line}").unwrap();
        answers.push(serde_json::from_str(&said.next().unwrap().unwrap()).unwrap());
    }
    drop(stdin);
    assert!(said.next().is_none(), "one answer each");
    assert!(child.wait().unwrap().success());
    answers
}

#[test]
fn malformed_request_gets_the_error_the_protocol_names() {
    let env = TestEnv::new();
    let long = format!("{{\"x\": \"{}\"}}", "x".repeat(17 << 20));
    let deep = format!(
        "{{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {}{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let check = [
        ("this is no json", json!(null), -32700),
        (deep.as_str(), json!(null), -32700),
        (
            r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "\ud800"}}"#,
            json!(null),
            -32700,
        ),
        (r#"{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}"#, json!(null), -32600),
        (r#"{"jsonrpc": "2.0", "id": null, "method": "ping"}"#, json!(null), -32600),
        (r#"{"jsonrpc": "2.0", "id": 10, "method": "tools/call", "params": [1]}"#, json!(10), -32600),
        ("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"", json!(null), -32700),
        ("[]", json!(null), -32600),
        ("7", json!(null), -32600),
        (long.as_str(), json!(null), -32600),
        (r#"{"jsonrpc": "2.0", "id": 2}"#, json!(2), -32600),
        (r#"{"jsonrpc": "1.0", "id": "three", "method": "ping"}"#, json!("three"), -32600),
        (r#"{"jsonrpc": "2.0", "id": 4, "method": 4}"#, json!(4), -32600),
        (r#"{"jsonrpc": "2.0", "id": {"a": 1}, "method": "ping"}"#, json!(null), -32600),
        (r#"{"jsonrpc": "2.0", "id": 5, "method": "no/such"}"#, json!(5), -32601),
        (
            r#"{"jsonrpc": "2.0", "id": 6, "method": "tools/call", "params": {"arguments": {}}}"#,
            json!(6),
            -32602,
        ),
        (
            r#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "reflect", "arguments": [1]}}"#,
            json!(7),
            -32602,
        ),
        (
            r#"{"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": {"name": "no_such"}}"#,
            json!(8),
            -32602,
        ),
        (
            r#"{"jsonrpc": "2.0", "id": 9, "method": "prompts/get", "params": {"name": "no_such"}}"#,
            json!(9),
            -32602,
        ),
    ];
    let lines: Vec<&str> = check.iter().map(|(line, _, _)| *line).collect();
    for ((line, id, code), answer) in check.iter().zip(answers(&env, &lines)) {
        let line: String = line.chars().take(100).collect();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (id, &json!(code)), "{line}: {answer}");
    }
    let ping = r#"{"jsonrpc": "2.0", "id": 1, "method": "ping"}"#;
    let after =
        answers(&env, &["{", ping, "\u{feff}{\"jsonrpc\": \"2.0\", \"id\": 2, \"method\": \"ping\"}\r"]);
    assert_eq!(
        (&after[1]["id"], &after[1]["result"], &after[2]["id"]),
        (&json!(1), &json!({}), &json!(2)),
        "{after:?}"
    );
}
