//! The page of the seeds' requirements: every place it names exists, and every test is there.

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

#[test]
fn every_requirement_names_a_place_and_its_test_exists() {
    let page = fs::read_to_string(root().join("docs/seeds.md")).unwrap();
    let mut text = String::new();
    for folder in ["crates", "tests"] {
        sources(&root().join(folder), &mut text);
    }
    let rows = page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| requirement"));
    let (mut requirements, mut tested) = (0, 0);
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [requirement, places, tests] = cells[..] else { panic!("three columns: {row}") };
        assert!(!requirement.is_empty() && !quoted(places).is_empty(), "{row}");
        for place in quoted(places) {
            assert!(root().join(place).exists(), "{requirement}: there is no {place}");
        }
        for test in quoted(tests) {
            assert!(text.contains(&format!("fn {test}(")), "{requirement}: there is no test {test}");
        }
        requirements += 1;
        tested += usize::from(!quoted(tests).is_empty());
    }
    assert!(requirements >= 55 && requirements - tested <= 5, "{tested} of {requirements} have a test");
}
