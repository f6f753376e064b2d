//! The page of the seeds' requirements: every place it names exists, every test is there, and every field the tools are to answer with
//! is one that they have. What they take is compared with their schemas by the tests of `afterword-mcp`.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All Rust sources of the program and its tests, as one text.
fn sources(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder of sources").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(path).expect("a source file"));
        }
    }
}

/// What stands in backticks.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// The cells of the rows of three columns between two headings, without the tables' heads.
fn rows<'p>(page: &'p str, from: &str, to: &str) -> Vec<[&'p str; 3]> {
    let part = page.split_once(from).expect("the heading is there").1;
    let part = part.split_once(to).map_or(part, |(part, _)| part);
    let is_head = |line: &&str| line.starts_with("| requirement") || line.starts_with("| tool");
    let lines = part.lines().filter(|line| line.starts_with("| ") && !is_head(line));
    let cells = |row: &'p str| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        <[&str; 3]>::try_from(cells).unwrap_or_else(|_| panic!("three columns: {row}"))
    };
    lines.map(cells).collect()
}

#[test]
fn tools_answer_with_the_fields_of_the_seeds() {
    let page = fs::read_to_string(root().join("docs/seeds.md")).unwrap();
    let mut text = String::new();
    sources(&root().join("crates/afterword-mcp/src"), &mut text);
    // Fields in camel case are written in snake case and renamed.
    let written = |name: &str| -> String {
        let letters = name.chars().flat_map(|letter| {
            let before = letter.is_uppercase().then_some('_');
            before.into_iter().chain(letter.to_lowercase())
        });
        letters.collect()
    };
    let tools = rows(&page, "## Names of the seeds", "## 000");
    assert_eq!(tools.len(), 11, "the tools that the seeds name");
    for [tool, _, answers] in tools {
        assert!(!quoted(answers).is_empty(), "{tool}");
        for field in quoted(answers) {
            // An answer's status is its kind.
            let is_there = field == "status" || text.contains(&format!("{}: ", written(field)));
            assert!(is_there, "{tool} answers with no {field}");
        }
    }
}

/// The suite of every crate, and with it the criteria of seed 003, runs on each system before a change is taken.
#[test]
fn criterion_12_tests_run_on_three_systems_in_ci() {
    let file = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    let workflow = file(".github/workflows/ci.yml");
    assert!(workflow.contains("push:") && workflow.contains("pull_request:"), "each change is tested");
    let jobs = workflow.split_once("\njobs:\n").unwrap().1;
    let job = |name: &str| {
        let body = jobs.split_once(&format!("  {name}:\n")).unwrap_or_else(|| panic!("no job {name}")).1;
        let lines = body.lines().take_while(|line| line.is_empty() || line.starts_with("    "));
        lines.collect::<Vec<_>>().join("\n")
    };
    let linux = job("check");
    assert!(linux.contains("runs-on: ubuntu") && linux.contains("- run: .ci/run"), "{linux}");
    assert!(
        file(".ci/run").contains("exec scripts/test") && file("scripts/test").contains("cargo nextest run")
    );
    let others = job("test");
    for needed in ["macos-", "windows-", "runs-on: ${{ matrix.os }}", "- run: cargo nextest run --locked"] {
        assert!(others.contains(needed), "{needed} is missing: {others}");
    }
    let may_fail = workflow.lines().any(|line| line.trim_start().starts_with("continue-on-error"));
    assert!(!may_fail, "a failure on one system fails all");
    let criteria = file("crates/afterword-daemon/src/run/tests/verification.rs");
    assert!(
        criteria.matches("fn criterion_").count() >= 10 && !criteria.contains("#[cfg("),
        "on every system"
    );
    assert!(!criteria.contains("#[ignore"));
}

#[test]
fn every_requirement_names_a_place_and_its_test_exists() {
    let page = fs::read_to_string(root().join("docs/seeds.md")).unwrap();
    let mut text = String::new();
    for folder in ["crates", "tests"] {
        sources(&root().join(folder), &mut text);
    }
    let mut requirements = 0;
    for [requirement, places, tests] in rows(&page, "## 000", "no such heading") {
        let row = format!("{requirement} | {places} | {tests}");
        assert!(!requirement.is_empty() && !quoted(places).is_empty(), "{row}");
        for place in quoted(places) {
            assert!(root().join(place).exists(), "{requirement}: there is no {place}");
        }
        assert!(!quoted(tests).is_empty(), "no test: {row}");
        for test in quoted(tests) {
            assert!(text.contains(&format!("fn {test}(")), "{requirement}: there is no test {test}");
        }
        requirements += 1;
    }
    assert!(requirements >= 160, "{requirements} requirements");
}
