//! Where Claude Code keeps its files.
//!
//! It owns the rule, taken from the client's own program (2.1.197): `(CLAUDE_CONFIG_DIR ?? join(homedir(),
//! ".claude")).normalize("NFC")`. Start at [`ClaudeHome::resolve`].

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use afterword_platform::files::is_same_place;
use unicode_normalization::UnicodeNormalization;

/// Claude Code's configuration directory.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ClaudeHome {
    root: PathBuf,
}

impl ClaudeHome {
    /// Resolves the directory as the client does: `config_dir` (the value of `CLAUDE_CONFIG_DIR`) as it stands where
    /// it is set, even if empty or relative, which the client takes from its working directory; else `.claude` in the
    /// home directory. `None` without either.
    pub fn resolve(config_dir: Option<&OsStr>, home: Option<&Path>) -> Option<Self> {
        let root = config_dir.map(PathBuf::from).or_else(|| home.map(|home| home.join(".claude")))?;
        Some(Self { root: compose_accents(root) })
    }

    /// The directory itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether another names the same directory, perhaps in a second spelling.
    pub fn is_same_directory(&self, other: &Self) -> bool {
        is_same_place(&self.root, &other.root)
    }

    /// The directory that holds a folder for each project.
    pub fn projects(&self) -> PathBuf {
        self.root.join("projects")
    }
}

/// Composes accents (NFC). A path that is not Unicode cannot be the client's and stays as it is.
fn compose_accents(path: PathBuf) -> PathBuf {
    match path.to_str() {
        Some(text) if !text.is_ascii() => PathBuf::from(text.nfc().collect::<String>()),
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(config_dir: Option<&str>, home: Option<&str>, expected: Option<&str>) {
        let resolved = ClaudeHome::resolve(config_dir.map(OsStr::new), home.map(Path::new));
        assert_eq!(resolved.as_ref().map(ClaudeHome::projects), expected.map(PathBuf::from));
    }

    #[test]
    fn the_variable_comes_before_the_home_directory() {
        check(None, Some("/home/ada"), Some("/home/ada/.claude/projects"));
        check(Some("/srv/claude"), Some("/home/ada"), Some("/srv/claude/projects"));
        check(Some("/srv/claude"), None, Some("/srv/claude/projects"));
        check(None, None, None);
    }

    #[test]
    fn an_empty_variable_is_set() {
        check(Some(""), Some("/home/ada"), Some("projects"));
    }

    #[test]
    fn accents_are_composed() {
        check(Some("/srv/cafe\u{301}"), None, Some("/srv/caf\u{e9}/projects"));
    }
}
