//! The official conformance suite of the Model Context Protocol: every scenario of a client's sign-in, of both revisions of the
//! specification, against the example `conformance`, which signs in as Afterword does.
//!
//! Where the suite is not installed the test says so and passes. Its scenarios of a server are in `tests/mcp_conformance`.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]
#![allow(clippy::print_stdout, reason = "a test says what failed")]

use afterword_testkit::conformance;

/// Runs the scenarios of a sign-in in a part of the suite: how many there were, and what was said of those that failed.
/// `Err` says why the suite is not here.
fn run(suite_name: &str, revision: &str) -> Result<(usize, Vec<String>), String> {
    let here = std::env::current_exe().unwrap();
    let client = here
        .ancestors()
        .nth(2)
        .unwrap()
        .join(format!("examples/conformance{}", std::env::consts::EXE_SUFFIX));
    assert!(client.is_file(), "{} is not built; cargo builds it with the tests", client.display());
    let said = conformance::run(&[
        "client",
        "--suite",
        suite_name,
        "--spec-version",
        revision,
        "--timeout",
        "60000",
        "--command",
        client.to_str().unwrap(),
    ])?;
    let scenario = |line: &&str| line.contains(" auth/") && line.contains(" passed, ");
    let summary: Vec<&str> = said.lines().filter(scenario).collect();
    let failed: Vec<String> =
        summary.iter().filter(|line| !line.contains(", 0 failed")).map(|line| (*line).to_owned()).collect();
    if !failed.is_empty() || summary.is_empty() {
        println!("{said}");
    }
    Ok((summary.len(), failed))
}

#[test]
fn the_sign_in_passes_the_conformance_suite() {
    // The suite keeps what the later revision added apart.
    for (name, revision, scenarios) in
        [("auth", "2025-11-25", 14), ("auth", "2026-07-28", 14), ("draft", "2026-07-28", 11)]
    {
        match run(name, revision) {
            Ok(ran) => assert_eq!(ran, (scenarios, Vec::new()), "{name}, revision {revision}"),
            Err(reason) => return println!("skipped: the conformance suite is not here: {reason}"),
        }
    }
}
