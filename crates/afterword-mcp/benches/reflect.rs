//! How long `reflect` takes to answer, from the client's call to its answer, both in this process.
//!
//! `cargo bench -p afterword-mcp --bench reflect` prints the median and the 99th of a hundred, and fails
//! over five milliseconds.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark stops where it cannot measure, and prints"
)]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use afterword_testkit::Sandbox;
use afterword_testkit::transcript::with_a_rule;
use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use rmcp::service::{RoleClient, RunningService};
use serde_json::{Value, json};

const SESSION: &str = "0f0e0d0c-1111-4222-8333-444455556666";
const RUNS: usize = 300;
const MEDIAN: Duration = Duration::from_millis(5);

fn main() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let times = runtime.block_on(async {
        let sandbox = Sandbox::new();
        sandbox.session(SESSION, &with_a_rule(SESSION));
        let client = connected(&sandbox).await;
        let mut times = Vec::new();
        for _ in 0..RUNS {
            let begun = Instant::now();
            let answer = call(&client, "reflect", json!({"session": SESSION})).await;
            times.push(begun.elapsed());
            call(&client, "cancel_reflection", json!({"job_id": answer["job_id"]})).await;
        }
        times.sort();
        times
    });
    let millis = |at: usize| times[at].as_secs_f64() * 1e3;
    println!("reflect: median {:.2} ms, 99th {:.2} ms", millis(RUNS / 2), millis(RUNS * 99 / 100));
    if times[RUNS / 2] <= MEDIAN { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A client of a server on this machine.
async fn connected(sandbox: &Sandbox) -> RunningService<RoleClient, ()> {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let environment = sandbox.environment();
    tokio::spawn(async move {
        let server = afterword_mcp::Server::new(environment).serve(ours).await.unwrap();
        server.waiting().await.unwrap();
    });
    ().serve(theirs).await.unwrap()
}

/// What a tool that must succeed answers.
async fn call(client: &RunningService<RoleClient, ()>, tool: &'static str, arguments: Value) -> Value {
    let arguments = serde_json::from_value(arguments).unwrap();
    let request = CallToolRequestParams::new(tool).with_arguments(arguments);
    let result = client.call_tool(request).await.unwrap();
    assert_eq!(result.is_error, Some(false), "{tool}: {result:?}");
    result.structured_content.unwrap()
}
