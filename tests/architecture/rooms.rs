//! Which room may know which, and where a foreign crate lives.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;

/// Arrows point to the left: a room knows only rooms of a lower rank, never one of its own.
const RANKS: [(&str, u8); 14] = [
    ("afterword-core", 0),
    ("afterword-platform", 1),
    ("afterword-claude-code", 2),
    ("afterword-transcript", 2),
    ("afterword-vault", 2),
    ("afterword-store", 2),
    ("afterword-sign-in", 2),
    ("afterword-recall", 3),
    ("afterword-reflect", 4),
    ("afterword-app", 5),
    ("afterword-daemon", 6),
    ("afterword-mcp", 7),
    ("afterword-cli", 8),
    ("afterword-desktop", 7),
];

/// Rooms that hold no part of the program: what is tested from outside.
const OUTSIDE: [&str; 3] = ["afterword-tests", "afterword-testkit", "afterword-fuzz"];

/// A foreign crate and the only rooms that may use it.
const HOMES: [(&str, &[&str]); 20] = [
    ("dunce", &["afterword-platform"]),
    ("ureq", &["afterword-app", "afterword-reflect", "afterword-sign-in"]),
    ("keyring-core", &["afterword-platform"]),
    ("rusqlite", &["afterword-store"]),
    ("rusqlite_migration", &["afterword-store"]),
    ("gray_matter", &["afterword-vault"]),
    ("pulldown-cmark", &["afterword-vault"]),
    ("process-wrap", &["afterword-claude-code"]),
    ("jsonc-parser", &["afterword-claude-code"]),
    ("clap", &["afterword-cli"]),
    ("clap_complete", &["afterword-cli"]),
    ("clap_mangen", &["afterword-cli"]),
    ("indicatif", &["afterword-cli"]),
    ("rmcp", &["afterword-mcp", "afterword-sign-in"]),
    ("tauri", &["afterword-desktop"]),
    ("percent-encoding", &["afterword-app", "afterword-vault"]),
    ("zstd", &["afterword-app"]),
    ("notify", &["afterword-daemon"]),
    ("notify-rust", &["afterword-cli"]),
    ("tracing-subscriber", &["afterword-app"]),
];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) manifest_path: PathBuf,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// `None` is an ordinary dependency; the others are `dev` and `build`.
    kind: Option<String>,
}

pub(crate) fn packages() -> Vec<Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Metadata = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    assert!(metadata.packages.len() > 5, "the workspace has rooms");
    assert!(
        metadata.packages.iter().any(|package| package.name == "afterword-desktop"),
        "the shell is one of them"
    );
    metadata.packages
}

fn used(package: &Package) -> impl Iterator<Item = &str> {
    package.dependencies.iter().filter(|one| one.kind.as_deref() != Some("dev")).map(|one| one.name.as_str())
}

#[test]
fn rooms_know_only_what_lies_below_them() {
    let ranks = BTreeMap::from(RANKS);
    for package in packages().iter().filter(|package| !OUTSIDE.contains(&package.name.as_str())) {
        let own =
            ranks.get(package.name.as_str()).unwrap_or_else(|| panic!("{} has no rank here", package.name));
        for other in used(package).filter(|name| name.starts_with("afterword-")) {
            let rank = ranks.get(other).unwrap_or_else(|| panic!("{other} has no rank here"));
            assert!(rank < own, "{} must not know {other}", package.name);
        }
    }
}

#[test]
fn a_foreign_crate_has_one_home() {
    for package in packages().iter().filter(|package| !OUTSIDE.contains(&package.name.as_str())) {
        for (foreign, homes) in HOMES {
            let at_home = homes.contains(&package.name.as_str());
            assert!(
                at_home || used(package).all(|name| name != foreign),
                "{} must not use {foreign}",
                package.name
            );
        }
    }
}
