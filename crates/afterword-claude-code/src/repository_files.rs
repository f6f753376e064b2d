//! What a repository brings for the Claude Code of whoever works in it: hooks, programs that are started, permissions, servers.
//!
//! None of it takes part in a task's run, which loads the person's own settings and no others; here it is only named, so that
//! they know. Values are not shown: they are somebody else's words. Start at [`ignored_files`].

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use afterword_platform::files::{open_regular_file, real_path};
use serde::Serialize;
use serde_json::{Map, Value};

/// The settings a repository may have, as Claude Code documents them.
const SETTINGS: [&str; 2] = [".claude/settings.json", ".claude/settings.local.json"];
const SERVERS: &str = ".mcp.json";
/// Folders and files of which only that they are there is named.
const OTHERS: [(&str, &str); 5] = [
    ("CLAUDE.md", "instructions"),
    (".claude/CLAUDE.md", "instructions"),
    (".claude/agents", "agents"),
    (".claude/skills", "skills"),
    (".claude/commands", "commands"),
];
/// Settings that start a program or widen what a run may do, by what they are called.
const TELLING: [&str; 13] = [
    "apiKeyHelper",
    "awsAuthRefresh",
    "awsCredentialExport",
    "gcpAuthRefresh",
    "otelHeadersHelper",
    "statusLine",
    "fileSuggestion",
    "enableAllProjectMcpServers",
    "enabledMcpjsonServers",
    "enabledPlugins",
    "extraKnownMarketplaces",
    "sandbox",
    "model",
];
/// Longest file read, in bytes.
const LONGEST: u64 = 1 << 20;
/// So many names of a kind are told.
const MOST: usize = 12;

/// A file or folder of a repository that no run takes note of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IgnoredFile {
    /// Where it is.
    pub path: PathBuf,
    /// What it holds: `hooks (SessionStart)`, `permissions`, `apiKeyHelper`.
    pub holds: Vec<String>,
}

/// What the repository of a directory has for Claude Code that takes no part in a run there.
pub fn ignored_files(directory: &Path) -> Vec<IgnoredFile> {
    let Ok(directory) = real_path(directory) else { return Vec::new() };
    let mut found = Vec::new();
    for folder in directory.ancestors() {
        let is_root = folder.join(".git").exists();
        // Above a directory of no repository anything may lie, the person's own settings too.
        if folder != directory && !directory.ancestors().any(|above| above.join(".git").exists()) {
            break;
        }
        for (file, of) in SETTINGS.map(|file| (file, settings as fn(&Map<String, Value>) -> Vec<String>)) {
            found.extend(read_ignored(folder.join(file), of));
        }
        found.extend(read_ignored(folder.join(SERVERS), servers));
        let others = OTHERS.iter().map(|(path, what)| (folder.join(path), *what));
        let there = others.filter(|(path, _)| fs::symlink_metadata(path).is_ok());
        found.extend(there.map(|(path, what)| IgnoredFile { path, holds: vec![what.to_owned()] }));
        if is_root {
            break;
        }
    }
    found
}

fn read_ignored(path: PathBuf, of: fn(&Map<String, Value>) -> Vec<String>) -> Option<IgnoredFile> {
    fs::symlink_metadata(&path).ok()?;
    let mut text = Vec::new();
    let read = open_regular_file(&path).and_then(|file| file.take(LONGEST).read_to_end(&mut text));
    let holds = match read.map(|_| serde_json::from_slice::<Map<String, Value>>(&text)) {
        Ok(Ok(object)) => of(&object),
        _ => vec!["what cannot be read".to_owned()],
    };
    Some(IgnoredFile { path, holds })
}

fn settings(object: &Map<String, Value>) -> Vec<String> {
    let mut holds = Vec::new();
    let names = |key: &str| object.get(key).and_then(Value::as_object).map(|inner| list_names(inner.keys()));
    holds.extend(names("hooks").map(|events| format!("hooks{events}")));
    holds.extend(names("env").map(|variables| format!("variables{variables}")));
    if let Some(permissions) = object.get("permissions").and_then(Value::as_object) {
        holds.push(format!("permissions{}", list_names(permissions.keys())));
    }
    holds.extend(TELLING.iter().filter(|name| object.contains_key(**name)).map(|name| (*name).to_owned()));
    if holds.is_empty() {
        holds.push("settings".to_owned());
    }
    holds
}

fn servers(object: &Map<String, Value>) -> Vec<String> {
    let named = object.get("mcpServers").and_then(Value::as_object);
    vec![format!("tool servers{}", named.map(|named| list_names(named.keys())).unwrap_or_default())]
}

/// Names in brackets, if they look like names.
fn list_names<'a>(names: impl Iterator<Item = &'a String>) -> String {
    let is_name = |name: &&String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        !name.is_empty() && name.len() <= 60 && name.chars().all(plain)
    };
    let names: BTreeSet<&str> = names.filter(is_name).take(MOST).map(String::as_str).collect();
    if names.is_empty() {
        return String::new();
    }
    format!(" ({})", names.into_iter().collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn what_a_repository_has_is_named_and_its_words_are_not_shown() {
        let home = tempfile::tempdir().unwrap();
        let root = real_path(home.path()).unwrap();
        write(&root.join(".claude/settings.json"), "{\"apiKeyHelper\": \"of the person\"}");
        let shop = root.join("shop");
        fs::create_dir_all(shop.join(".git")).unwrap();
        write(
            &shop.join(".claude/settings.json"),
            r#"{"hooks": {"Stop": [], "\u001b[31mX": []}, "env": {"A_B": "evil words"}, "permissions": {"allow": ["Bash(*)"]}, "apiKeyHelper": "evil words"}"#,
        );
        write(&shop.join(".claude/settings.local.json"), "[");
        write(&shop.join(".mcp.json"), r#"{"mcpServers": {"evil": {}}}"#);
        write(&shop.join("src/CLAUDE.md"), "evil words");
        let found = ignored_files(&shop.join("src"));
        let of = |name: &str| {
            let one = found.iter().find(|one| one.path == shop.join(name)).unwrap();
            one.holds.join("; ")
        };
        assert_eq!(found.len(), 4, "{found:?}");
        assert_eq!(
            of(".claude/settings.json"),
            "hooks (Stop); variables (A_B); permissions (allow); apiKeyHelper"
        );
        assert_eq!(of(".claude/settings.local.json"), "what cannot be read");
        assert_eq!(of(".mcp.json"), "tool servers (evil)");
        assert_eq!(of("src/CLAUDE.md"), "instructions");
        assert_eq!(ignored_files(&root.join("nowhere")), []);
        fs::create_dir(root.join("plain")).unwrap();
        assert_eq!(ignored_files(&root.join("plain")), [], "what lies above is no repository's");
    }
}
