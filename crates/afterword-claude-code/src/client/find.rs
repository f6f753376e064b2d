//! Where the client is.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use afterword_platform::files::is_program;

const NAMES: &[&str] = if cfg!(windows) { &["claude.exe", "claude.cmd"] } else { &["claude"] };

/// Where its installers put it, below the home directory; programs started from a desktop often lack these in `PATH`.
const BELOW_HOME: &[&str] = if cfg!(windows) {
    &[".local/bin", ".claude/local", "AppData/Roaming/npm", ".bun/bin"]
} else {
    &[".local/bin", ".claude/local", ".npm-global/bin", ".bun/bin"]
};

/// And elsewhere. On Windows nowhere: below the root of a drive every user may put a program for the others to run.
const ELSEWHERE: &[&str] =
    if cfg!(windows) { &[] } else { &["/usr/local/bin", "/opt/homebrew/bin", "/usr/bin"] };

pub(super) fn find(path: Option<&OsStr>, home: Option<&Path>) -> Option<PathBuf> {
    let listed = path.map(std::env::split_paths).into_iter().flatten().filter(|folder| folder.is_absolute());
    let below_home = home.into_iter().flat_map(|home| BELOW_HOME.iter().map(|folder| home.join(folder)));
    let elsewhere = ELSEWHERE.iter().map(PathBuf::from);
    let mut folders = listed.chain(below_home).chain(elsewhere);
    folders.find_map(|folder| NAMES.iter().map(|name| folder.join(name)).find(|path| is_program(path)))
}

#[cfg(all(test, windows))]
mod tests {
    use super::*;

    #[test]
    fn script_of_npm_is_found_below_the_home_folder() {
        let home = tempfile::tempdir().unwrap();
        assert_eq!(find(None, Some(home.path())), None);
        let folder = home.path().join("AppData/Roaming/npm");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("claude.cmd"), "@echo off\r\n").unwrap();
        assert_eq!(find(None, Some(home.path())), Some(folder.join("claude.cmd")));
    }
}
