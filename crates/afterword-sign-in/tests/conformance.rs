//! The official conformance suite of the Model Context Protocol: every scenario of a client's sign-in, of both revisions of the
//! specification, against the example `conformance`, which signs in as Afterword does.
//!
//! The suite and the Node it needs come from the npm registry, as `conformance/package-lock.json` has them, once for each build
//! folder. Without npm or a network the test says so and passes.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]
#![allow(clippy::print_stdout, reason = "a test says what failed")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const LOCKED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/conformance");

/// `target`, or wherever this test was built: the folder of the profile.
fn build_folder() -> PathBuf {
    std::env::current_exe().unwrap().ancestors().nth(2).unwrap().to_owned()
}

/// Installs the suite; `Err` says why it is not there.
fn installed() -> Result<PathBuf, String> {
    let folder = build_folder().join("mcp-conformance");
    let told = |error: std::io::Error| error.to_string();
    fs::create_dir_all(&folder).map_err(told)?;
    let lock = File::create(folder.join("lock")).map_err(told)?;
    lock.lock().map_err(told)?;
    let wanted = fs::read(Path::new(LOCKED).join("package-lock.json")).map_err(told)?;
    if fs::read(folder.join("done")).is_ok_and(|done| done == wanted) {
        return Ok(folder);
    }
    for name in ["package.json", "package-lock.json"] {
        fs::copy(Path::new(LOCKED).join(name), folder.join(name)).map_err(told)?;
    }
    let output = Command::new("npm")
        .args(["ci", "--no-audit", "--no-fund", "--loglevel=error"])
        .current_dir(&folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("npm cannot be started: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!(
            "npm could not install it: {}",
            said.lines().next().unwrap_or("no reason given")
        ));
    }
    fs::write(folder.join("done"), wanted).map_err(told)?;
    Ok(folder)
}

/// Runs the scenarios of a sign-in in a part of the suite: how many there were, and what was said of those that failed.
fn run(suite: &Path, suite_name: &str, revision: &str) -> (usize, Vec<String>) {
    let client = build_folder().join("examples").join("conformance");
    assert!(client.is_file(), "{} is not built; cargo builds it with the tests", client.display());
    let modules = suite.join("node_modules");
    let output = Command::new(modules.join(".bin/node"))
        .arg(modules.join("@modelcontextprotocol/conformance/dist/index.js"))
        .args([
            "client",
            "--suite",
            suite_name,
            "--spec-version",
            revision,
            "--timeout",
            "60000",
            "--command",
        ])
        .arg(&client)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    let scenario = |line: &&str| line.contains(" auth/") && line.contains(" passed, ");
    let summary: Vec<&str> = said.lines().filter(scenario).collect();
    let failed: Vec<String> =
        summary.iter().filter(|line| !line.contains(", 0 failed")).map(|line| (*line).to_owned()).collect();
    if !failed.is_empty() || summary.is_empty() {
        println!("{said}");
    }
    (summary.len(), failed)
}

#[test]
fn the_sign_in_passes_the_conformance_suite() {
    let suite = match installed() {
        Ok(suite) => suite,
        Err(reason) => return println!("skipped: the conformance suite is not here: {reason}"),
    };
    // The suite keeps what the later revision added apart.
    for (name, revision, scenarios) in
        [("auth", "2025-11-25", 14), ("auth", "2026-07-28", 14), ("draft", "2026-07-28", 11)]
    {
        let (ran, failed) = run(&suite, name, revision);
        assert_eq!((ran, failed), (scenarios, Vec::new()), "{name}, revision {revision}");
    }
}
