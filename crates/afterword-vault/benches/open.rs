//! How fast a large vault opens: `cargo bench -p afterword-vault --bench open -- 50000`
//!
//! Everything is measured in one run on the same files: reading them all and doing nothing with them is the measure that
//! the rest is held against. The notes are what this program writes, one in ten with lines of a person's own.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark tells what it measured")]

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use afterword_core::{
    Candidate, Confidence, Evidence, Kind, ProjectKey, ReviewMode, Role, SessionId, Signal, route,
};
use afterword_vault::{LastWrite, Lesson, Project, Snapshot, Vault, VaultIndex, diff_snapshots, plan};

fn main() {
    let count: usize = std::env::args().filter_map(|word| word.parse().ok()).next().unwrap_or(50_000);
    let folder = tempfile::tempdir().unwrap();
    let (vault, _) = Vault::create(folder.path()).unwrap();
    let now = "2026-03-20T09:00:00+01:00[Europe/Berlin]".parse().unwrap();
    let lessons: Vec<Lesson> = (0..count).map(lesson).collect();
    let plan = plan(&VaultIndex::default(), &lessons, &HashMap::<_, LastWrite>::new(), &now);
    for (number, action) in plan.actions.iter().enumerate() {
        let path = folder.path().join(action.path.as_str());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mine = if number % 10 == 0 { "\nA line of my own, with a [[link]].\n" } else { "" };
        fs::write(path, format!("{}{mine}", action.content)).unwrap();
    }
    println!("{} files", plan.actions.len());
    best("read every file", || read_all(folder.path()));
    best("scan, everything read", || vault.scan().unwrap().notes().count());
    best("look, nothing known", || Snapshot::take(&vault, &Snapshot::default()).unwrap());
    let seen = Snapshot::take(&vault, &Snapshot::default()).unwrap();
    // Files that changed within two seconds of a look are read again.
    std::thread::sleep(Duration::from_secs(3));
    let seen = Snapshot::take(&vault, &seen).unwrap();
    best("look again, nothing changed", || Snapshot::take(&vault, &seen).unwrap());
    best("open: load what was seen, look", || {
        let file = folder.path().join("seen.json");
        if !file.exists() {
            fs::write(&file, seen.to_bytes().unwrap()).unwrap();
        }
        Snapshot::take(&vault, &Snapshot::load(&file).unwrap()).unwrap()
    });
    let edited = folder.path().join(plan.actions[0].path.as_str());
    fs::write(&edited, format!("{}\nAn edit.\n", fs::read_to_string(&edited).unwrap())).unwrap();
    best("look and tell, one edit", || {
        diff_snapshots(&seen, &Snapshot::take(&vault, &seen).unwrap()).list.len()
    });
}

/// Prints the best of five: the others were disturbed.
fn best<T>(what: &str, mut run: impl FnMut() -> T) -> Duration {
    let time = |_| {
        let start = Instant::now();
        std::hint::black_box(run());
        start.elapsed()
    };
    let best = (0..5).map(time).min().unwrap_or_default();
    println!("{what:<32} {best:>10.1?}");
    best
}

fn read_all(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let sizes = entries.map(|entry| {
        if entry.file_type().unwrap().is_dir() {
            read_all(&entry.path())
        } else {
            fs::read(entry.path()).unwrap().len()
        }
    });
    sizes.sum()
}

fn lesson(number: usize) -> Lesson {
    let kind = [Kind::Preference, Kind::Fix, Kind::Workflow][number % 3];
    let confidence = [Confidence::High, Confidence::High, Confidence::Medium, Confidence::Low][number % 4];
    let quote = format!("always do thing number {number} before the other one, it broke last time");
    let evidence = Evidence {
        uuid: format!("{number:08}-aaaa-4bbb-8ccc-000000000001"),
        line: number as u64,
        role: Role::User,
        quote,
    };
    let candidate = Candidate {
        kind,
        confidence,
        signal: Signal::StandingRule,
        title: format!("Do thing number {number} before the other one."),
        body: "The order matters here, because the second step reads what the first one wrote.\n\n- first this\n- then that".to_owned(),
        rationale: "the user gave a standing rule".to_owned(),
        evidence: vec![evidence],
    };
    Lesson::new(
        candidate,
        SessionId::parse("6f3a91c2-1111-4222-8333-444455556666").unwrap(),
        Some(Project::named_by_folder(ProjectKey::from_cwd(&format!("/home/ana/project-{}", number % 40)))),
        route(kind, confidence, ReviewMode::Interactive),
        "2026-03-14T23:30:00Z".parse().unwrap(),
        String::new(),
    )
}
