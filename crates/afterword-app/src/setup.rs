//! What a first run finds on this machine: Claude Code's sessions, and folders that could be the vault.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use afterword_claude_code::other_directories;
use directories::BaseDirs;
use serde::{Deserialize, Serialize};

use crate::sessions::discover;
use crate::{App, Error};

/// Obsidian's list of vaults is small; what is larger is something else.
const LARGEST_LIST: u64 = 1 << 20;

/// What a first run found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "Setup"))]
pub struct SetupScan {
    /// Claude Code's directory.
    pub claude: PathBuf,
    /// Others that are followed with it.
    pub also_followed: Vec<PathBuf>,
    /// Another may be chosen: the environment names none.
    pub may_choose_claude: bool,
    /// Others of the person's that have sessions, and where there are none on this side, those on the other side of WSL.
    pub other_claude: Vec<PathBuf>,
    /// Sessions in them.
    pub sessions: usize,
    /// Bytes of their transcripts.
    pub bytes: u64,
    /// Folders that could be the vault: those Obsidian knows, the one used last first, then a new one.
    pub vaults: Vec<PossibleVault>,
    /// The vault, where one was chosen before.
    pub vault: Option<PathBuf>,
}

/// A folder that could be the vault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct PossibleVault {
    /// The folder.
    pub path: PathBuf,
    /// Obsidian knows it.
    pub obsidian: bool,
    /// It is there.
    pub exists: bool,
}

/// Looks around; makes and changes nothing.
///
/// # Errors
/// [`Error::NoHome`] where there is no place to look.
pub fn scan_setup(app: &App) -> Result<SetupScan, Error> {
    let transcripts = discover(app.claude()).transcripts;
    let mut vaults: Vec<PossibleVault> = obsidian_lists(app.environment.home.as_deref())
        .iter()
        .flat_map(|list| obsidian_vaults(list))
        .map(|path| PossibleVault { path, obsidian: true, exists: true })
        .collect();
    let new = crate::init::default_vault(&app.environment)?;
    if !vaults.iter().any(|vault| vault.path == new) {
        let obsidian = new.join(".obsidian").is_dir();
        vaults.push(PossibleVault { obsidian, exists: new.is_dir(), path: new });
    }
    let home = app.environment.home.as_deref();
    let mut other_claude =
        home.map_or_else(Vec::new, |home| other_directories::other_directories(home, app.claude()));
    if transcripts.is_empty() && other_claude.is_empty() {
        other_claude = other_directories::claude_directories();
    }
    Ok(SetupScan {
        claude: app.claude().main().root().to_owned(),
        also_followed: app
            .claude()
            .iter()
            .skip(1)
            .map(|home| home.root().to_owned())
            .filter(|root| root.is_dir())
            .collect(),
        may_choose_claude: app.environment.claude_config_dir.is_none(),
        other_claude,
        sessions: transcripts.len(),
        bytes: transcripts.iter().map(|transcript| transcript.fingerprint.size).sum(),
        vaults,
        vault: app.config.vault.clone(),
    })
}

/// Where Obsidian keeps its list of vaults, also where it runs as a Flatpak or a Snap.
fn obsidian_lists(home: Option<&Path>) -> Vec<PathBuf> {
    let mut lists: Vec<PathBuf> =
        BaseDirs::new().map(|base| base.config_dir().join("obsidian/obsidian.json")).into_iter().collect();
    let sandboxed = [
        ".var/app/md.obsidian.Obsidian/config/obsidian/obsidian.json",
        "snap/obsidian/current/.config/obsidian/obsidian.json",
    ];
    lists.extend(home.iter().flat_map(|home| sandboxed.iter().map(|list| home.join(list))));
    lists
}

/// The vaults a list names that are there, the one used last first. What is not such a list names none.
fn obsidian_vaults(list: &Path) -> Vec<PathBuf> {
    #[derive(Deserialize)]
    struct List {
        vaults: HashMap<String, Entry>,
    }
    #[derive(Deserialize)]
    struct Entry {
        path: PathBuf,
        #[serde(default)]
        ts: u64,
    }
    if !std::fs::metadata(list).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= LARGEST_LIST) {
        return Vec::new();
    }
    let read = std::fs::read(list).ok().and_then(|bytes| serde_json::from_slice::<List>(&bytes).ok());
    let mut entries: Vec<Entry> = read.map(|list| list.vaults.into_values().collect()).unwrap_or_default();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.ts));
    entries.into_iter().map(|entry| entry.path).filter(|path| path.is_absolute() && path.is_dir()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The form Obsidian 1.x writes.
    #[test]
    fn obsidian_names_its_vaults_the_last_used_first() {
        let home = tempfile::tempdir().unwrap();
        let (old, new) = (home.path().join("old"), home.path().join("new"));
        std::fs::create_dir_all(&old).unwrap();
        std::fs::create_dir_all(&new).unwrap();
        let list = home.path().join("obsidian.json");
        let gone = home.path().join("gone");
        let text = serde_json::json!({"vaults": {
            "0a1b": {"path": old, "ts": 1_600_000_000_000_u64},
            "2c3d": {"path": new, "ts": 1_700_000_000_000_u64, "open": true},
            "4e5f": {"path": gone, "ts": 1_800_000_000_000_u64},
        }});
        std::fs::write(&list, text.to_string()).unwrap();
        assert_eq!(obsidian_vaults(&list), [new, old]);
        std::fs::write(&list, "{\"frame\":\"custom\"}").unwrap();
        assert!(obsidian_vaults(&list).is_empty());
        assert!(obsidian_vaults(&home.path().join("none.json")).is_empty());
    }
}
