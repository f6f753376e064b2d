//! Where Claude Code keeps what is changed, and the lock it takes when it writes its own file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use super::json::Document;
use super::{SETTINGS, Scope, hooks, read};
use afterword_platform::files::read_text;
use afterword_platform::paths::Environment;

use crate::{ClaudeCodeError, ClaudeHome};

/// The client's lock counts as left behind after this long without a sign of life (the default of `proper-lockfile`,
/// which it uses).
const STALE: Duration = Duration::from_secs(10);
/// So long its lock is waited for; it holds it for the time of one write.
const PATIENCE: Duration = Duration::from_secs(15);

/// The settings of whoever runs the machine, where Claude Code's documentation has them.
const MANAGED: &str = if cfg!(target_os = "macos") {
    "/Library/Application Support/ClaudeCode/managed-settings.json"
} else if cfg!(windows) {
    r"C:\Program Files\ClaudeCode\managed-settings.json"
} else {
    "/etc/claude-code/managed-settings.json"
};

/// The setting that switches all hooks off.
const DISABLE: &str = "disableAllHooks";
/// The setting of whoever runs the machine that lets no other hooks run than those of the machine.
const MANAGED_ONLY: &str = "allowManagedHooksOnly";

/// Settings by which Claude Code runs no hook of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HooksOff {
    /// The file.
    pub settings: PathBuf,
    /// The setting in it.
    pub setting: &'static str,
}

/// Claude Code as a process with this environment has it.
#[derive(Debug, Clone, Copy)]
pub struct Installation<'a> {
    /// Its directory.
    pub home: &'a ClaudeHome,
    /// The environment.
    pub environment: &'a Environment,
    /// The directory was named (`CLAUDE_CONFIG_DIR`, or the setting), and is not the one in the home directory by default.
    pub is_named: bool,
}

impl Installation<'_> {
    /// The settings file with the hooks: the user's, or the project's own that is not shared.
    pub(super) fn settings(&self, scope: &Scope) -> PathBuf {
        match scope {
            Scope::User => self.home.root().join(SETTINGS),
            Scope::Project(directory) => directory.join(".claude").join("settings.local.json"),
        }
    }

    /// The client's own file, by its own rule (seen in 2.1.197): `.config.json` in its directory where that is there, else
    /// `.claude.json` in `CLAUDE_CONFIG_DIR`, else in the home directory.
    pub(super) fn servers(&self) -> Result<PathBuf, ClaudeCodeError> {
        let directory = self.home.root();
        let older = directory.join(".config.json");
        if older.exists() {
            return Ok(older);
        }
        if self.is_named {
            return Ok(directory.join(".claude.json"));
        }
        let home = self.environment.home.as_ref();
        home.map(|home| home.join(".claude.json")).ok_or(ClaudeCodeError::NoHome)
    }

    /// Whether the plugin is switched on in the user's settings (`enabledPlugins`).
    pub fn has_plugin(&self) -> bool {
        let settings = self.user_settings();
        let plugins = settings.get("enabledPlugins").and_then(serde_json::Value::as_object);
        plugins.is_some_and(|all| all.iter().any(|(name, on)| name == "memory@afterword" && *on == true))
    }

    /// What keeps Claude Code from running our hooks: settings of the machine, of the user, or of the project in the working
    /// directory.
    pub fn settings_without_hooks(&self) -> Option<HooksOff> {
        let by_mistake = || self.settings_with_our_hooks().find(|path| misstates_hooks(path));
        // The nearer file decides (docs/quality.md): a project's that switches them on counts before the user's.
        let by_choice = match project_settings_on_hooks(&self.environment.working_directory) {
            Some(said) => Some(said.settings).filter(|_| said.off),
            None => self.user_settings_without_hooks(),
        };
        let off = |settings| HooksOff { settings, setting: DISABLE };
        managed_without_hooks(Path::new(MANAGED)).or_else(|| by_choice.or_else(by_mistake).map(off))
    }

    /// The user's settings where they switch all hooks off: in every project but those that switch them on again.
    pub fn user_settings_without_hooks(&self) -> Option<PathBuf> {
        let user = self.settings(&Scope::User);
        disables_hooks(&user).filter(|off| *off).map(|_| user)
    }

    fn settings_with_our_hooks(&self) -> impl Iterator<Item = PathBuf> {
        let with_plugin = self.has_plugin().then(|| self.settings(&Scope::User));
        self.settings_with(hooks::has_session_hooks).chain(with_plugin)
    }

    /// Whether Claude Code asks before a tool runs: by the user's own settings, those of the project in the working directory, or
    /// the plugin.
    pub fn asks_before_tools(&self) -> bool {
        self.settings_with(hooks::asks_before_tools).next().is_some() || self.has_plugin()
    }

    /// The settings of the user and of the project in the working directory by which hooks tell of sessions.
    pub fn settings_with_session_hooks(&self) -> Vec<PathBuf> {
        self.settings_with(hooks::has_session_hooks).collect()
    }

    fn settings_with(
        &self,
        holds: impl Fn(&Document) -> Result<bool, ClaudeCodeError>,
    ) -> impl Iterator<Item = PathBuf> {
        let scopes = [Scope::User, Scope::Project(self.environment.working_directory.clone())];
        let paths = scopes.map(|scope| self.settings(&scope));
        paths.into_iter().filter(move |path| document_holds(path, &holds))
    }

    fn user_settings(&self) -> serde_json::Value {
        json(&self.settings(&Scope::User))
    }
}

/// What a project's own settings say of all hooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectHooks {
    /// The file that decides.
    pub settings: PathBuf,
    /// It switches all hooks off; else it switches them on again where the user's settings have them off.
    pub off: bool,
}

/// What the settings of the project in a directory say of all hooks: a repository may bring them along. `None` where they say nothing.
pub fn project_settings_on_hooks(directory: &Path) -> Option<ProjectHooks> {
    let nearest_first = ["settings.local.json", SETTINGS].map(|name| directory.join(".claude").join(name));
    let mut absolute = nearest_first.into_iter().filter(|path| path.is_absolute());
    // The nearer file decides, also where it says that they run.
    absolute.find_map(|settings| disables_hooks(&settings).map(|off| ProjectHooks { settings, off }))
}

/// The settings of the project in a directory that switch all hooks off.
pub fn project_settings_without_hooks(directory: &Path) -> Option<PathBuf> {
    project_settings_on_hooks(directory).filter(|said| said.off).map(|said| said.settings)
}

/// What of the machine's settings keeps our hooks from running: the file `main`, or one in the folder beside it, which
/// clients 2.1.197 and 2.1.332 read as well.
fn managed_without_hooks(main: &Path) -> Option<HooksOff> {
    let mut files = vec![main.to_owned()];
    let parts = fs::read_dir(main.with_extension("d")).into_iter().flatten().flatten();
    files.extend(parts.map(|part| part.path()).filter(|path| is_part(path)));
    files.iter().find_map(|settings| {
        let said = json(settings);
        let setting = [DISABLE, MANAGED_ONLY].into_iter().find(|setting| said[*setting] == true)?;
        Some(HooksOff { settings: settings.clone(), setting })
    })
}

fn is_part(path: &Path) -> bool {
    let is_hidden = path.file_name().is_none_or(|name| name.as_encoded_bytes().starts_with(b"."));
    !is_hidden && path.extension().is_some_and(|extension| extension == "json")
}

/// Whether settings switch all hooks off; `None` where they do not say.
fn disables_hooks(settings: &Path) -> Option<bool> {
    json(settings).get(DISABLE)?.as_bool()
}

/// Whether settings say neither yes nor no where they say whether hooks run: then the client reads nothing of the file, nor
/// the hooks in it (seen in 2.1.197 and 2.1.332).
fn misstates_hooks(settings: &Path) -> bool {
    json(settings).get(DISABLE).is_some_and(|value| !value.is_boolean())
}

/// Whether hooks in these settings tell of sessions.
pub(super) fn has_session_hooks(settings: &Path) -> bool {
    document_holds(settings, &hooks::has_session_hooks)
}

fn document_holds(path: &Path, holds: &impl Fn(&Document) -> Result<bool, ClaudeCodeError>) -> bool {
    let text = read(path).ok().flatten();
    // Settings that cannot be read ask nothing; Claude Code says so itself.
    text.is_some_and(|text| {
        Document::parse(path, Some(&text)).and_then(|document| holds(&document)).unwrap_or(false)
    })
}

/// Settings that cannot be read say nothing.
fn json(path: &Path) -> serde_json::Value {
    serde_json::from_str(&read_text(path).unwrap_or_default()).unwrap_or_default()
}

/// The client's lock on its own file: a directory beside it, which only one process can make.
pub(super) struct ForeignLock {
    directory: PathBuf,
}

impl ForeignLock {
    pub(super) fn take(file: &Path) -> Result<Self, ClaudeCodeError> {
        let mut name = file.as_os_str().to_owned();
        name.push(".lock");
        let directory = PathBuf::from(name);
        let begun = Instant::now();
        loop {
            let error = match fs::create_dir(&directory) {
                Ok(()) => return Ok(Self { directory }),
                Err(error) => error,
            };
            if error.kind() == io::ErrorKind::NotFound {
                // No folder yet, so no client that writes to it.
                return Ok(Self { directory });
            }
            if error.kind() != io::ErrorKind::AlreadyExists || begun.elapsed() > PATIENCE {
                return Err(ClaudeCodeError::Io {
                    path: directory,
                    action: "take Claude Code's lock",
                    source: error,
                });
            }
            let touched = fs::metadata(&directory).and_then(|metadata| metadata.modified());
            if touched.is_ok_and(|then| SystemTime::now().duration_since(then).is_ok_and(|age| age > STALE)) {
                // Somebody else may have been first; the next try tells.
                let _ = fs::remove_dir(&directory);
            } else {
                sleep(Duration::from_millis(50));
            }
        }
    }
}

impl Drop for ForeignLock {
    fn drop(&mut self) {
        // One that stays is taken for left behind after a while, by the client too.
        let _ = fs::remove_dir(&self.directory);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machine_that_runs_its_own_hooks_only_or_none() {
        let folder = tempfile::tempdir().unwrap();
        let main = folder.path().join("managed-settings.json");
        let parts = folder.path().join("managed-settings.d");
        let check = |expected: Option<(&Path, &'static str)>| {
            let off = managed_without_hooks(&main);
            assert_eq!(off.as_ref().map(|off| (off.settings.as_path(), off.setting)), expected);
        };
        check(None);
        fs::write(&main, r#"{"allowManagedHooksOnly": false, "disableAllHooks": false}"#).unwrap();
        check(None);
        fs::write(&main, r#"{"allowManagedHooksOnly": true}"#).unwrap();
        check(Some((&main, "allowManagedHooksOnly")));
        fs::write(&main, r#"{"disableAllHooks": true}"#).unwrap();
        check(Some((&main, "disableAllHooks")));
        fs::remove_file(&main).unwrap();
        fs::create_dir(&parts).unwrap();
        // The client passes over these.
        for other in [".10-hooks.json", "10-hooks.txt"] {
            fs::write(parts.join(other), r#"{"disableAllHooks": true}"#).unwrap();
        }
        check(None);
        let part = parts.join("10-hooks.json");
        fs::write(&part, r#"{"disableAllHooks": true}"#).unwrap();
        check(Some((&part, "disableAllHooks")));
    }
}
