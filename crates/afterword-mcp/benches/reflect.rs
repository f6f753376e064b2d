//! How long `reflect` takes to answer, from the client's call to its answer, both in this process.
//!
//! `cargo bench -p afterword-mcp --bench reflect` prints the median and the 99th of a hundred, and fails
//! over five milliseconds.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark stops where it cannot measure, and prints"
)]

#[path = "../tests/mcp/host.rs"]
#[allow(dead_code, reason = "the tests use all of it")]
mod host;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::json;

const RUNS: usize = 300;
const MEDIAN: Duration = Duration::from_millis(5);

fn main() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let times = runtime.block_on(async {
        let host = host::Host::new().await;
        host.session("aaaa", "Always put a blank line after each heading.");
        let mut times = Vec::new();
        for _ in 0..RUNS {
            let begun = Instant::now();
            let answer = host.ok("reflect", json!({"session": "aaaa"})).await;
            times.push(begun.elapsed());
            host.ok("cancel_reflection", json!({"job_id": answer["job_id"]})).await;
        }
        times.sort();
        times
    });
    let millis = |at: usize| times[at].as_secs_f64() * 1e3;
    println!("reflect: median {:.2} ms, 99th {:.2} ms", millis(RUNS / 2), millis(RUNS * 99 / 100));
    if times[RUNS / 2] <= MEDIAN { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
