//! The client itself: installed once for all tests, at a version that is known to work.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The version the tests were written against; `AFTERWORD_CLIENT_VERSION` names another.
const VERSION: &str = "2.1.197";

/// The client's program; `Err` says why there is none.
pub(crate) fn program() -> Result<PathBuf, String> {
    let version = std::env::var("AFTERWORD_CLIENT_VERSION").unwrap_or_else(|_| VERSION.to_owned());
    let folder = build_folder().join("claude-code").join(&version);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    // Tests are processes of their own; one installs and the others wait.
    let lock = File::create(folder.join("lock")).map_err(|error| error.to_string())?;
    lock.lock().map_err(|error| error.to_string())?;
    if let Some(found) = find(&folder) {
        return Ok(found);
    }
    let refusal = folder.join("refused");
    if let Ok(reason) = fs::read_to_string(&refusal)
        && refusal.metadata().and_then(|file| file.modified()).is_ok_and(is_recent)
    {
        return Err(reason);
    }
    install(&folder, &version).inspect_err(|reason| drop(fs::write(&refusal, reason)))?;
    find(&folder).ok_or_else(|| format!("the package has no program for {}", std::env::consts::ARCH))
}

/// A refusal counts for some minutes, so that one run without a network does not wait for it in every test.
fn is_recent(then: std::time::SystemTime) -> bool {
    then.elapsed().is_ok_and(|age| age.as_secs() < 300)
}

fn install(folder: &Path, version: &str) -> Result<(), String> {
    let package = format!("@anthropic-ai/claude-code@{version}");
    let output = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"])
        .arg(folder)
        .arg(&package)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("npm cannot be started: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("npm could not install {package}: {}", said.lines().next().unwrap_or("no reason given")))
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
