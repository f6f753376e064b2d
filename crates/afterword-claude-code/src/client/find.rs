//! Where the client is.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use afterword_platform::files::is_program;

const NAMES: &[&str] = if cfg!(windows) { &["claude.exe", "claude.cmd"] } else { &["claude"] };

/// Where its installers put it, below the home directory; programs started from a desktop often lack these in `PATH`.
const BELOW_HOME: [&str; 4] = [".local/bin", ".claude/local", ".npm-global/bin", ".bun/bin"];

/// And elsewhere.
const ELSEWHERE: [&str; 3] = ["/usr/local/bin", "/opt/homebrew/bin", "/usr/bin"];

pub(super) fn find(path: Option<&OsStr>, home: Option<&Path>) -> Option<PathBuf> {
    let listed = path.map(std::env::split_paths).into_iter().flatten().filter(|folder| folder.is_absolute());
    let below_home = home.into_iter().flat_map(|home| BELOW_HOME.iter().map(|folder| home.join(folder)));
    let elsewhere = ELSEWHERE.iter().map(PathBuf::from);
    let mut folders = listed.chain(below_home).chain(elsewhere);
    folders.find_map(|folder| NAMES.iter().map(|name| folder.join(name)).find(|path| is_program(path)))
}
