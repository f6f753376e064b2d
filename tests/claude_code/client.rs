//! The client itself, at a version that is known to work. `scripts/client` installs it, and `scripts/test` calls that: no test waits for a
//! registry.

use std::fs;
use std::path::{Path, PathBuf};

/// The version the tests were written against; `AFTERWORD_CLIENT_VERSION` names another.
const VERSION: &str = include_str!("version");

/// The client's program; `Err` says why there is none.
pub(crate) fn program() -> Result<PathBuf, String> {
    let version = std::env::var("AFTERWORD_CLIENT_VERSION").unwrap_or_else(|_| VERSION.trim().to_owned());
    let folder = build_folder().join("claude-code").join(&version);
    find(&folder).ok_or_else(|| format!("`scripts/client {version}` installs it into {}", folder.display()))
}

fn find(folder: &Path) -> Option<PathBuf> {
    let packages = fs::read_dir(folder.join("node_modules/@anthropic-ai")).ok()?;
    packages.flatten().map(|package| package.path().join("claude")).find(|program| program.is_file())
}

/// `target`, or wherever this test was built.
pub(crate) fn build_folder() -> PathBuf {
    let here = std::env::current_exe().unwrap();
    here.ancestors().nth(3).unwrap().to_owned()
}
