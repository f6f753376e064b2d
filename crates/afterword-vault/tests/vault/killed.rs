//! Promise 4: killed at any point, nothing is half written, lost or doubled.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use crate::test_vault::{SESSION, candidate, lesson_of, user_evidence};
use afterword_core::{Confidence, Kind};
use afterword_vault::block::Block;
use afterword_vault::{EmptyHistory, Lesson, Vault, ideas, plan};

/// Where the child finds the vault it is to write to.
const VAULT: &str = "AFTERWORD_TEST_VAULT";

fn lessons() -> Vec<Lesson> {
    let lesson = |number: u64| {
        let kind = [Kind::Preference, Kind::Fix, Kind::Workflow, Kind::Idea][number as usize % 4];
        let confidence = [Confidence::High, Confidence::Medium, Confidence::Low][number as usize % 3];
        let evidence =
            vec![user_evidence(&format!("{number:08}-aaaa-4bbb-8ccc-000000000001"), number, "as I said")];
        lesson_of(candidate(kind, confidence, &format!("Lesson number {number}."), evidence), SESSION)
    };
    (0..60).map(lesson).collect()
}

fn reflect(root: &Path) {
    let vault = Vault::open(root).unwrap();
    let plan = plan(&vault.scan().unwrap(), &lessons(), &EmptyHistory, &crate::test_vault::now());
    let applied = vault.apply(&plan);
    assert!(applied.done.iter().all(|done| done.outcome.is_done()), "{applied:?}");
}

#[test]
#[ignore = "the process that the test below kills"]
fn child() {
    reflect(Path::new(&std::env::var(VAULT).unwrap()));
}

fn note_count(root: &Path) -> usize {
    let folders = ["Preferences", "Fixes", "Workflows", "_review", "_inbox", "_idea-incubator", "Projects"];
    let count =
        |folder: &str| std::fs::read_dir(root.join("Afterword").join(folder)).map_or(0, Iterator::count);
    folders.iter().map(|folder| count(folder)).sum()
}

#[test]
fn killed_at_any_point_nothing_is_half_or_doubled() {
    let mut interrupted = 0;
    for kill_at in [1, 2, 3, 7, 15, 30, 45, 58, 60, 61] {
        let folder = tempfile::tempdir().unwrap();
        let (vault, _) = Vault::create(folder.path()).unwrap();
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "killed::child", "--ignored"])
            .env(VAULT, folder.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        while note_count(folder.path()) < kill_at && process.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        process.kill().unwrap();
        interrupted += usize::from(!process.wait().unwrap().success());

        let index = vault.scan().unwrap();
        assert!(index.problems().is_empty(), "{:?}", index.problems());
        for entry in index.notes().filter(|entry| entry.properties.evidence.len() == 1) {
            assert!(matches!(entry.note.block("evidence"), Block::Intact { .. }), "{}", entry.note.print());
        }
        reflect(folder.path());
        let index = vault.scan().unwrap();
        let mut seen: HashMap<_, usize> = HashMap::new();
        for key in index.notes().filter_map(|entry| entry.properties.key.clone()) {
            *seen.entry(key).or_default() += 1;
        }
        assert!(
            lessons().iter().all(|lesson| seen.get(&lesson.key) == Some(&1)),
            "killed at {kill_at}: {seen:?}"
        );
        assert_eq!(ideas::parse_ideas(&index.ideas().unwrap().note).len(), 15, "killed at {kill_at}");

        vault.sweep(SystemTime::now() + Duration::from_secs(1));
        let left = walk(folder.path()).into_iter().filter(|name| name.contains(".tmp")).count();
        assert_eq!(left, 0);
    }
    assert!(interrupted > 0, "no process was killed before it was done");
}

fn walk(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let deep = entries.flat_map(|entry| {
        let below = if entry.path().is_dir() { walk(&entry.path()) } else { Vec::new() };
        below.into_iter().chain([entry.file_name().to_string_lossy().into_owned()])
    });
    deep.collect()
}

#[test]
fn a_sweep_takes_old_temporary_files_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let (vault, _) = Vault::create(folder.path()).unwrap();
    let fixes = folder.path().join("Afterword/Fixes");
    for name in [".syncthing.afterword-1-0.tmp", ".syncthing.other.md.tmp", "mine.tmp"] {
        std::fs::write(fixes.join(name), "x").unwrap();
    }
    assert_eq!(vault.sweep(SystemTime::now() - Duration::from_secs(3600)), 0, "they may still be in use");
    assert_eq!(vault.sweep(SystemTime::now() + Duration::from_secs(1)), 1);
    assert!(fixes.join(".syncthing.other.md.tmp").exists() && fixes.join("mine.tmp").exists());
}
