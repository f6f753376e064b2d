//! Claude Code's other directories on this machine: those of a second account, or of a `CLAUDE_CONFIG_DIR` that only a shell sets, and
//! those on the other side of WSL, which are Windows' as a Linux in it sees it, and each Linux' as Windows sees it.
//!
//! The other side is looked for only where this one has no sessions: to look into a Linux starts it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::ClaudeDirs;
use crate::home::{CLAUDE, PROJECTS};

/// The directories of the person's home that look like Claude Code's and have transcripts, by name, without those that are followed.
pub fn other_directories(home: &Path, followed: &ClaudeDirs) -> Vec<PathBuf> {
    let named = |folder: &Path, start: &str| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let fits = |name: &str| {
            name.strip_prefix(start).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        };
        entries
            .filter(|entry| entry.file_name().to_str().is_some_and(fits))
            .map(|entry| entry.path())
            .collect()
    };
    let known: Vec<_> =
        followed.projects().iter().filter_map(|projects| projects.canonicalize().ok()).collect();
    let is_another = |claude: &PathBuf| {
        has_transcripts(claude)
            && claude.join(PROJECTS).canonicalize().is_ok_and(|projects| !known.contains(&projects))
    };
    let mut found = named(home, CLAUDE);
    found.extend(named(&home.join(".config"), "claude"));
    found.retain(is_another);
    found.sort();
    found
}

/// Whether a directory is of the other side of WSL, where the programs of this one are started in another way.
pub fn is_of_other_side(directory: &Path) -> bool {
    let path = directory.to_string_lossy();
    if cfg!(windows) {
        let path = path.replace('/', "\\").to_lowercase();
        path.starts_with(r"\\wsl.localhost\") || path.starts_with(r"\\wsl$\")
    } else {
        path.starts_with("/mnt/") && !homes().is_empty()
    }
}

fn has_transcripts(claude: &Path) -> bool {
    fs::read_dir(claude.join(PROJECTS)).is_ok_and(|mut found| found.next().is_some())
}

/// Claude Code's directories on the other side of WSL, those that have transcripts, by name.
pub fn claude_directories() -> Vec<PathBuf> {
    homes().iter().flat_map(|homes| with_transcripts(homes)).collect()
}

/// The directories of Claude Code in the homes that lie in `homes`.
fn with_transcripts(homes: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(homes).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> =
        entries.map(|home| home.path().join(CLAUDE)).filter(|claude| has_transcripts(claude)).collect();
    found.sort();
    found
}

/// Where the homes of the other side's users lie.
#[cfg(target_os = "linux")]
fn homes() -> Vec<PathBuf> {
    if afterword_platform::wsl::is_wsl() { vec![PathBuf::from("/mnt/c/Users")] } else { Vec::new() }
}

#[cfg(windows)]
fn homes() -> Vec<PathBuf> {
    const LINUXES: &str = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Lxss";
    let asked = afterword_platform::command::background_command("reg")
        .args(["query", LINUXES, "/s", "/v", "DistributionName"])
        .stdin(std::process::Stdio::null())
        .output();
    let listed = asked.map(|answer| String::from_utf8_lossy(&answer.stdout).into_owned()).unwrap_or_default();
    listed_distributions(&listed).map(|name| PathBuf::from(format!(r"\\wsl.localhost\{name}\home"))).collect()
}

#[cfg(not(any(target_os = "linux", windows)))]
fn homes() -> Vec<PathBuf> {
    Vec::new()
}

/// The names of installed Linuxes in what `reg query` lists. Docker's are its own, and hold no home.
#[cfg(any(windows, test))]
fn listed_distributions(listed: &str) -> impl Iterator<Item = &str> {
    let named = listed.lines().filter_map(|line| line.trim().strip_prefix("DistributionName"));
    let names = named.filter_map(|rest| rest.trim_start().strip_prefix("REG_SZ")).map(str::trim);
    names.filter(|name| !name.is_empty() && !name.starts_with("docker-desktop"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ClaudeHome;

    #[test]
    fn directories_with_transcripts_are_found_and_no_others() {
        let users = tempfile::tempdir().unwrap();
        for made in ["ada/.claude/projects/-home-ada-shop", "eve/.claude/projects", "Public"] {
            fs::create_dir_all(users.path().join(made)).unwrap();
        }
        assert_eq!(with_transcripts(users.path()), [users.path().join("ada/.claude")]);
        assert!(with_transcripts(&users.path().join("none")).is_empty());
    }

    #[test]
    fn other_directories_of_the_same_person_are_found() {
        let home = tempfile::tempdir().unwrap();
        let with_sessions = [
            ".claude/projects/-a",
            ".claude-work/projects/-b",
            ".config/claude/projects/-c",
            ".claudette/projects/-d",
        ];
        for made in with_sessions.into_iter().chain([".claude-empty/projects", ".claude-none"]) {
            fs::create_dir_all(home.path().join(made)).unwrap();
        }
        let claude =
            |name: &str| ClaudeHome::resolve(Some(home.path().join(name).as_os_str()), None).unwrap();
        let others_than = |followed: &ClaudeDirs| {
            let found = other_directories(home.path(), followed);
            let names = found.iter().map(|path| path.strip_prefix(home.path()).unwrap().to_owned());
            names.collect::<Vec<_>>()
        };
        let others = |main: &str| others_than(&ClaudeDirs::one(claude(main)));
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let both = ClaudeDirs::several(claude(".claude"), None, [claude(".claude-work")]);
        assert_eq!(others_than(&both), paths(&[".config/claude"]));
        assert_eq!(others(".claude"), paths(&[".claude-work", ".config/claude"]));
        assert_eq!(others(".claude-work"), paths(&[".claude", ".config/claude"]));
        assert_eq!(others("elsewhere"), paths(&[".claude", ".claude-work", ".config/claude"]));
    }

    /// The form of Windows 11's `reg`.
    #[test]
    fn linuxes_are_those_the_registry_names() {
        let listed = "\r\nHKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Lxss\\{5f0b}\r\n    \
                      DistributionName    REG_SZ    Ubuntu-24.04\r\n\r\n\
                      HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Lxss\\{7a11}\r\n    \
                      DistributionName    REG_SZ    docker-desktop-data\r\n\r\nEnd of search: 2 match(es) found.\r\n";
        assert_eq!(listed_distributions(listed).collect::<Vec<_>>(), ["Ubuntu-24.04"]);
        assert_eq!(
            listed_distributions("ERROR: The system was unable to find the specified registry key\r\n")
                .count(),
            0
        );
    }
}
