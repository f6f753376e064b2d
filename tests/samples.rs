//! The sample sessions, read by the built binary: what it finds in them must not get worse.
//!
//! The floors are in `tests/floors.json`, group by group of figures. A second group, `benchmark`, holds for a larger set
//! beside the repository and is checked only where that set is there.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use afterword_scoring::{Figures, Floors, Scored, Set, run};
use afterword_testkit::program;

fn floors(group: &str) -> Floors {
    let text = std::fs::read_to_string(program::root().join("tests/floors.json")).expect("floors.json");
    let mut groups: BTreeMap<String, Floors> =
        serde_json::from_str(&text).expect("floors.json is groups of figures");
    groups.remove(group).expect("the group is there")
}

fn check(folder: &Path, group: &str) {
    let set = Set::read(folder).expect("the set is readable");
    assert!(!set.sessions.is_empty(), "the set is empty");
    let scored = run(program::built(), &set, &[]).expect("every session is scored");
    let figures = Figures::of(&scored);
    let below = figures.below(&floors(group));
    assert!(below.is_empty(), "{}\n{figures}", below.join("\n"));
}

#[test]
fn what_is_found_in_the_sample_sessions_does_not_get_worse() {
    check(&program::root().join("tests/sessions"), "sessions");
}

#[test]
fn what_is_found_in_the_benchmark_does_not_get_worse() {
    let benchmark = program::root().join("../shared/benchmark");
    if benchmark.join("sessions.json").exists() {
        check(&benchmark, "benchmark");
    }
}

#[test]
fn an_evening_without_a_lesson_saves_none() {
    let set = Set::read(&program::root().join("tests/sessions")).expect("the set is readable");
    let scored = run(program::built(), &set, &["puzzle-evening".to_owned()]).expect("the session is scored");
    let saved: Vec<&str> = scored
        .iter()
        .flat_map(|Scored { found, .. }| found)
        .filter(|found| found.candidate.confidence == "high")
        .map(|found| found.candidate.title.as_str())
        .collect();
    assert!(saved.is_empty(), "{saved:#?}");
}

/// Neither the password and the token a person pasted, nor pieces of them, reach the screen, the vault or the database.
#[test]
fn secrets_pasted_by_a_person_go_nowhere() {
    let home = tempfile::tempdir().expect("a folder");
    let transcript = program::root().join("tests/sessions/transcripts/homelab-backup.jsonl");
    let pasted = std::fs::read_to_string(&transcript).expect("the transcript");
    let folder = home.path().join("claude/projects/-home-tom-homelab");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::copy(&transcript, folder.join("628ecb35-0000-4000-8000-000000000000.jsonl")).expect("a copy");
    let vault = home.path().join("vault");
    let vault_path = vault.to_str().expect("the path is text");
    let session = transcript.to_str().expect("the path is text");
    let mut seen = Vec::new();
    for arguments in [vec!["init", "--vault", vault_path], vec!["inspect", session], vec!["reflect", "--all"]]
    {
        let output = Command::new(program::built())
            .args(&arguments)
            .env("AFTERWORD_HOME", home.path().join("home"))
            .env("CLAUDE_CONFIG_DIR", home.path().join("claude"))
            .output()
            .expect("the binary runs");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        seen.push((format!("the output of {arguments:?}"), [output.stdout, output.stderr].concat()));
    }
    for written in [home.path().join("home"), vault] {
        files(&written, &mut seen);
    }
    assert!(seen.len() > 5, "notes and a database were written");
    for secret in ["9f2kq7", "madeUpTokenThatWorksNowhere"] {
        assert!(pasted.contains(secret), "the sample still holds {secret}");
        for (place, bytes) in &seen {
            let text = String::from_utf8_lossy(bytes).to_lowercase();
            assert!(!text.contains(&secret.to_lowercase()), "{secret} is in {place}");
        }
    }
}

fn files(folder: &Path, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push((path.display().to_string(), std::fs::read(&path).expect("a file")));
        }
    }
}
