//! The sample sessions, read by the built binary: what it finds in them must not get worse.
//!
//! The floors are in `tests/floors.json`, group by group of figures. A second group, `benchmark`, holds for a larger set
//! beside the repository and is checked only where that set is there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use afterword_scoring::{Figures, Floors, Scored, Set, run};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the repository").to_owned()
}

/// The binary as it is in the tree now, whatever was built before.
fn binary() -> PathBuf {
    let built = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--package", "afterword-cli"])
        .current_dir(root())
        .status()
        .expect("cargo runs");
    assert!(built.success(), "the binary does not build");
    let here = std::env::current_exe().expect("a test has a path");
    let folder = here.parent().and_then(Path::parent).expect("tests lie in target/<profile>/deps");
    folder.join(format!("afterword{}", std::env::consts::EXE_SUFFIX))
}

fn floors(group: &str) -> Floors {
    let text = std::fs::read_to_string(root().join("tests/floors.json")).expect("floors.json");
    let mut groups: BTreeMap<String, Floors> =
        serde_json::from_str(&text).expect("floors.json is groups of figures");
    groups.remove(group).expect("the group is there")
}

fn check(folder: &Path, group: &str) {
    let set = Set::read(folder).expect("the set is readable");
    assert!(!set.sessions.is_empty(), "the set is empty");
    let scored = run(&binary(), &set, &[]).expect("every session is scored");
    let figures = Figures::of(&scored);
    let below = figures.below(&floors(group));
    assert!(below.is_empty(), "{below:#?}\n{figures:#?}");
}

#[test]
fn what_is_found_in_the_sample_sessions_does_not_get_worse() {
    check(&root().join("tests/sessions"), "sessions");
}

#[test]
fn what_is_found_in_the_benchmark_does_not_get_worse() {
    let benchmark = root().join("../shared/benchmark");
    if benchmark.join("sessions.json").exists() {
        check(&benchmark, "benchmark");
    }
}

#[test]
fn an_evening_without_a_lesson_saves_none() {
    let set = Set::read(&root().join("tests/sessions")).expect("the set is readable");
    let scored = run(&binary(), &set, &["puzzle-evening".to_owned()]).expect("the session is scored");
    let saved: Vec<&str> = scored
        .iter()
        .flat_map(|Scored { found, .. }| found)
        .filter(|found| found.candidate.confidence == "high")
        .map(|found| found.candidate.title.as_str())
        .collect();
    assert!(saved.is_empty(), "{saved:#?}");
}

#[test]
fn secrets_pasted_by_a_person_are_not_printed() {
    let home = tempfile::tempdir().expect("a folder");
    let transcript = root().join("tests/sessions/transcripts/homelab-backup.jsonl");
    let read = std::fs::read_to_string(&transcript).expect("the transcript");
    let output = Command::new(binary())
        .arg("reflect")
        .arg(&transcript)
        .args(["--dry-run", "--json"])
        .env("AFTERWORD_HOME", home.path())
        .env("CLAUDE_CONFIG_DIR", home.path().join("none"))
        .output()
        .expect("the binary runs");
    assert!(output.status.success());
    let printed = String::from_utf8_lossy(&output.stdout);
    for secret in ["correct-horse-9f2kq7", "ghp_madeUpTokenThatWorksNowhere012345678"] {
        assert!(read.contains(secret), "the sample still holds {secret}");
        assert!(!printed.contains(secret), "{secret} is printed");
    }
    assert!(printed.contains("homelab.env"), "the rule about secrets is found");
}
