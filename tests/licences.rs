//! What may come into the program: its licence is one that `deny.toml` allows, and it comes from crates.io.
//!
//! `cargo deny` checks the same and more where it is installed; this needs nothing but cargo.

#![allow(clippy::print_stdout, reason = "what is not looked at is said")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    source: Option<String>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the repository")
}

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The licences in the list `allow` of `deny.toml`.
fn allowed() -> BTreeSet<String> {
    let text = text("deny.toml");
    let list = text.split_once("\nallow = [").and_then(|(_, rest)| rest.split_once("\n]")).expect("a list").0;
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Every package that any system's program may be built from; where those of other systems cannot be fetched, this one's.
fn packages() -> Vec<Package> {
    let ask = |more: &[&str]| {
        let output = Command::new(env!("CARGO"))
            .args(["metadata", "--format-version", "1", "--locked", "--all-features"])
            .args(more)
            .current_dir(root())
            .output()
            .expect("cargo runs");
        output.status.success().then_some(output.stdout)
    };
    let host = || {
        println!("only what is built for this system is looked at");
        let system = if cfg!(target_os = "macos") {
            "aarch64-apple-darwin"
        } else if cfg!(windows) {
            "x86_64-pc-windows-msvc"
        } else {
            "x86_64-unknown-linux-gnu"
        };
        ask(&["--offline", "--filter-platform", system])
    };
    let metadata = ask(&[]).or_else(host).expect("cargo knows what this is built from");
    let metadata: Metadata = serde_json::from_slice(&metadata).expect("cargo metadata is JSON");
    metadata.packages
}

/// Whether a licence's expression (SPDX, or the older `A/B`) can be kept with these alone. `AND` binds closer than `OR`.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let expression = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = expression.split_whitespace().peekable();
    any(&mut words, allowed) && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn any(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    let mut is_allowed = all(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        is_allowed |= all(words, allowed);
    }
    is_allowed
}

fn all(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    let mut is_allowed = one(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        is_allowed &= one(words, allowed);
    }
    is_allowed
}

fn one(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    let Some(word) = words.next() else { return false };
    if word == "(" {
        let is_allowed = any(words, allowed);
        return words.next() == Some(")") && is_allowed;
    }
    let mut name = word.to_owned();
    if words.next_if_eq(&"WITH").is_some() {
        name = format!("{name} WITH {}", words.next().unwrap_or_default());
        // Whoever may use it without the exception may use it with it.
        return allowed.contains(&name) || allowed.contains(word);
    }
    allowed.contains(&name)
}

#[test]
fn licences_are_among_those_allowed() {
    let allowed = allowed();
    assert!(allowed.contains("MIT") && !allowed.contains("AGPL-3.0"), "{allowed:?}");
    let packages = packages();
    assert!(packages.len() > 200, "everything is looked at: {}", packages.len());
    let refused: Vec<_> = packages
        .iter()
        .filter(|package| package.source.is_some())
        .filter(|package| !package.license.as_deref().is_some_and(|licence| is_allowed(licence, &allowed)))
        .map(|package| format!("{} {}: {:?}", package.name, package.version, package.license))
        .collect();
    assert!(refused.is_empty(), "{refused:#?}");
}

#[test]
fn everything_foreign_comes_from_crates_io() {
    let text = text("Cargo.lock");
    let sources: BTreeSet<&str> = text.lines().filter_map(|line| line.strip_prefix("source = ")).collect();
    assert_eq!(sources, BTreeSet::from(["\"registry+https://github.com/rust-lang/crates.io-index\""]));
    let foreign = text.matches("\nsource = ").count();
    assert_eq!(foreign, text.matches("\nchecksum = ").count(), "each has its checksum");
}

#[test]
fn expressions_are_read_as_spdx_has_them() {
    let allowed = BTreeSet::from(["MIT".to_owned(), "Apache-2.0 WITH LLVM-exception".to_owned()]);
    for (expression, expected) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("GPL-3.0 OR MIT", true),
        ("MIT/GPL-3.0", true),
        ("MIT AND GPL-3.0", false),
        ("MIT AND (GPL-3.0 OR MIT)", true),
        ("(MIT OR GPL-3.0) AND GPL-2.0", false),
        ("GPL-3.0 AND GPL-2.0 OR MIT", true),
        ("Apache-2.0", false),
        ("Apache-2.0 WITH LLVM-exception", true),
        ("MIT WITH Something-exception", true),
        ("MIT MIT", false),
        ("", false),
    ] {
        assert_eq!(is_allowed(expression, &allowed), expected, "{expression}");
    }
}
