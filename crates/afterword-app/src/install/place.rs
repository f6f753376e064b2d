//! Where Claude Code keeps what is changed, and the lock it takes when it writes its own file.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use super::Scope;
use crate::{App, Error};

/// The client's lock counts as left behind after this long without a sign of life (the default of `proper-lockfile`,
/// which it uses).
const STALE: Duration = Duration::from_secs(10);
/// So long its lock is waited for; it holds it for the time of one write.
const PATIENCE: Duration = Duration::from_secs(15);

/// The settings file with the hooks: the user's, or the project's own that is not shared.
pub(super) fn settings(app: &App, scope: &Scope) -> PathBuf {
    match scope {
        Scope::User => app.claude.root().join("settings.json"),
        Scope::Project(directory) => directory.join(".claude").join("settings.local.json"),
    }
}

/// The client's own file, by its own rule (seen in 2.1.197): `.config.json` in its directory where that is there, else
/// `.claude.json` in `CLAUDE_CONFIG_DIR`, else in the home directory.
pub(super) fn servers(app: &App) -> Result<PathBuf, Error> {
    let directory = app.claude.root();
    let older = directory.join(".config.json");
    if older.exists() {
        return Ok(older);
    }
    let named = app.environment.claude_config_dir.is_some() || app.config.claude_config_dir.is_some();
    if named {
        return Ok(directory.join(".claude.json"));
    }
    app.environment.home.as_ref().map(|home| home.join(".claude.json")).ok_or(Error::NoHome)
}

/// Whether the plugin is switched on in the user's settings (`enabledPlugins`).
pub(super) fn has_plugin(app: &App) -> bool {
    let text = fs::read_to_string(settings(app, &Scope::User)).unwrap_or_default();
    let settings: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let plugins = settings.get("enabledPlugins").and_then(serde_json::Value::as_object);
    plugins.is_some_and(|all| all.iter().any(|(name, on)| name == "memory@afterword" && *on == true))
}

/// Whether the user's settings switch all hooks off.
pub(super) fn disables_hooks(app: &App) -> bool {
    let text = fs::read_to_string(settings(app, &Scope::User)).unwrap_or_default();
    let settings: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    settings.get("disableAllHooks").and_then(serde_json::Value::as_bool).unwrap_or(false)
}

/// The path to start this program by that lives longest: where the search path leads to the same file, that entry, which
/// stays when an update puts the program into another folder.
pub fn stable_program(running: &Path, search_path: Option<&OsStr>) -> PathBuf {
    let Some(name) = running.file_name() else { return running.to_owned() };
    let Ok(real) = dunce::canonicalize(running) else { return running.to_owned() };
    let folders = search_path.map(std::env::split_paths).into_iter().flatten();
    let mut candidates = folders.filter(|folder| folder.is_absolute()).map(|folder| folder.join(name));
    candidates
        .find(|candidate| dunce::canonicalize(candidate).is_ok_and(|path| path == real))
        .unwrap_or_else(|| running.to_owned())
}

/// The client's lock on its own file: a directory beside it, which only one process can make.
pub(super) struct ForeignLock {
    directory: PathBuf,
}

impl ForeignLock {
    pub(super) fn take(file: &Path) -> Result<Self, Error> {
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
                return Err(Error::Io { path: directory, action: "take Claude Code's lock", source: error });
            }
            let touched = fs::metadata(&directory).and_then(|metadata| metadata.modified());
            if touched.is_ok_and(|then| SystemTime::now().duration_since(then).is_ok_and(|age| age > STALE)) {
                let _ = fs::remove_dir(&directory);
            } else {
                sleep(Duration::from_millis(50));
            }
        }
    }
}

impl Drop for ForeignLock {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.directory);
    }
}
