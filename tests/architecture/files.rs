//! What every file has: a length that can be read, and a word on what it owns. Every fuzz target has its seeds.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::rooms::packages;
use crate::sources::{sources, sources_below};

/// Lines of a source file before the tests in it.
const LONGEST_FILE: usize = 600;

#[test]
fn files_are_short_enough_to_be_read() {
    for package in packages() {
        let folder = package.manifest_path.parent().expect("a manifest lies in a folder");
        for file in sources(folder).into_iter().chain(outside_files(folder)) {
            let text = std::fs::read_to_string(&file).expect("a source file is text");
            let lines = text.lines().take_while(|line| *line != "mod tests {").count();
            assert!(lines <= LONGEST_FILE, "{} has {lines} lines before its tests", file.display());
        }
    }
}

/// Tests from outside and benchmarks of a package.
fn outside_files(package: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    ["tests", "benches"].map(|folder| sources_below(&package.join(folder))).into_iter().flatten()
}

/// What two programs need lies in a crate both use; what one needs lies where its module is looked for.
#[test]
fn modules_lie_where_they_are_looked_for() {
    for package in packages() {
        let folder = package.manifest_path.parent().expect("a manifest lies in a folder");
        for file in sources(folder).into_iter().chain(outside_files(folder)) {
            let text = std::fs::read_to_string(&file).expect("a source file is text");
            let elsewhere = text.lines().any(|line| line.starts_with("#[path"));
            assert!(!elsewhere, "{} takes a module from elsewhere", file.display());
        }
    }
}

#[test]
fn every_source_file_says_what_it_is() {
    for package in packages() {
        let folder = package.manifest_path.parent().expect("a manifest lies in a folder");
        for file in sources(folder) {
            let text = std::fs::read_to_string(&file).expect("a source file is text");
            assert!(text.starts_with("//!"), "{} does not start with what it owns", file.display());
        }
    }
}

/// `cargo fuzz` ends at once where the folder of seeds it is given is not there.
#[test]
fn every_fuzz_target_has_seeds_and_is_run_every_night() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
    let workflow = std::fs::read_to_string(fuzz.join("../.github/workflows/fuzz.yml")).unwrap();
    let run = workflow.lines().find_map(|line| line.trim().strip_prefix("target: [")).unwrap();
    let run: BTreeSet<&str> = run.trim_end_matches(']').split(", ").collect();
    let names = |folder: &str| -> BTreeSet<String> {
        let entries = std::fs::read_dir(fuzz.join(folder)).unwrap().flatten();
        let full = entries.filter(|entry| {
            entry.path().is_file() || std::fs::read_dir(entry.path()).unwrap().next().is_some()
        });
        full.map(|entry| entry.file_name().to_string_lossy().trim_end_matches(".rs").to_owned()).collect()
    };
    let targets = names("fuzz_targets");
    assert_eq!(names("seeds"), targets);
    assert_eq!(run, targets.iter().map(String::as_str).collect());
}
