//! Where Claude Code keeps its files.
//!
//! It owns the rule, taken from the client's own program (2.1.197): `(CLAUDE_CONFIG_DIR ?? join(homedir(),
//! ".claude")).normalize("NFC")`. Start at [`ClaudeHome::resolve`].

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use afterword_platform::files::is_same_place;
use afterword_platform::paths::Environment;
use unicode_normalization::UnicodeNormalization;

/// The folder of it that holds a folder for each project.
pub(crate) const PROJECTS: &str = "projects";
/// The folder, in a home directory and in a repository, that holds what is Claude Code's.
pub(crate) const CLAUDE: &str = ".claude";
/// The folder of a project that holds Claude Code's own notes.
pub(crate) const MEMORY: &str = "memory";
/// Where Claude Code puts the worktrees it makes, below their repository; with `/` between the folders.
pub const WORKTREES: &str = ".claude/worktrees";
/// Where a repository has its skills.
pub const SKILLS: &str = ".claude/skills";

/// The variable of the environment that names the directory.
pub const CONFIG_DIR_VARIABLE: &str = "CLAUDE_CONFIG_DIR";

/// The environment of this process, with the directory of Claude Code that it names.
pub fn environment_of_process() -> Environment {
    Environment::of_process(CONFIG_DIR_VARIABLE)
}

/// The settings in a directory of Claude Code.
pub fn settings_of(directory: &Path) -> PathBuf {
    directory.join("settings.json")
}

/// The notes that Claude Code makes for itself (code.claude.com/docs/en/memory, "Auto memory"): a folder in that of each project.
pub fn memory_of(project_folder: &Path) -> PathBuf {
    project_folder.join(MEMORY)
}

/// Whether a file of such a folder is the one that is read at a session's start and leads to the others.
pub fn is_memory_index(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name == "MEMORY.md")
}

/// Claude Code's configuration directory.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ClaudeHome {
    root: PathBuf,
}

impl ClaudeHome {
    /// Resolves the directory as the client does: `config_dir` (the value of [`CONFIG_DIR_VARIABLE`]) as it stands where
    /// it is set, even if empty or relative, which the client takes from its working directory; else `.claude` in the
    /// home directory. `None` without either.
    pub fn resolve(config_dir: Option<&OsStr>, home: Option<&Path>) -> Option<Self> {
        let root = config_dir.map(PathBuf::from).or_else(|| home.map(|home| home.join(CLAUDE)))?;
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
        self.root.join(PROJECTS)
    }

    /// The person's own settings.
    pub fn settings(&self) -> PathBuf {
        settings_of(&self.root)
    }

    /// The list of what was typed.
    pub fn history(&self) -> PathBuf {
        self.root.join("history.jsonl")
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
