//! Where everything is: configuration, state, cache and the Claude Code directory, decided once from the environment.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use directories::ProjectDirs;
use thiserror::Error;

use crate::wsl::local_path;

/// What Afterword's own directories are called.
const OWN: &str = if crate::IS_FOR_DEVELOPMENT { "Afterword-dev" } else { "Afterword" };

/// Neither `AFTERWORD_HOME` nor a home directory is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("no home directory is known")]
pub struct NoHome;

/// What the environment says, taken once at the edge of the program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    /// `AFTERWORD_HOME`: moves configuration, state and cache together.
    pub afterword_home: Option<PathBuf>,
    /// Claude Code's own directory, as it stands in the variable that its room names.
    pub claude_config_dir: Option<PathBuf>,
    /// The user's home directory.
    pub home: Option<PathBuf>,
    /// The working directory, which relative values are resolved against.
    pub working_directory: PathBuf,
}

impl Environment {
    /// Reads the environment of this process, with `client_directory` as the variable that names Claude Code's own directory. An empty
    /// `AFTERWORD_HOME` counts as unset; that variable does not, because Claude Code takes it for the working directory.
    pub fn of_process(client_directory: &str) -> Self {
        let value = |name: &str| std::env::var_os(name).map(PathBuf::from);
        Self {
            afterword_home: value("AFTERWORD_HOME").filter(|path| !path.as_os_str().is_empty()),
            claude_config_dir: value(client_directory),
            home: std::env::home_dir().filter(|path| !path.as_os_str().is_empty()),
            working_directory: std::env::current_dir().unwrap_or_default(),
        }
    }

    /// The directory of a project as a person names it, also as the other side of WSL calls it. A leading `/` begins a whole path on
    /// Windows, too: one of WSL's.
    pub fn project_directory(&self, named: impl AsRef<Path>) -> PathBuf {
        let named = named.as_ref();
        match named.to_str().map(local_path) {
            Some(local) if local.starts_with('/') => PathBuf::from(&*local),
            Some(local) => self.working_directory.join(&*local),
            None => self.working_directory.join(named),
        }
    }
}

/// Afterword's own places on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// `config.toml`.
    pub config_file: PathBuf,
    /// What must be kept: the database, locks, markers.
    pub state: PathBuf,
    /// What can be made again.
    pub cache: PathBuf,
}

impl Paths {
    /// Decides the places: all below `AFTERWORD_HOME` where it is set, else the platform's own directories.
    ///
    /// # Errors
    /// [`NoHome`] when neither is known.
    pub fn new(environment: &Environment) -> Result<Self, NoHome> {
        if let Some(home) = &environment.afterword_home {
            let home = environment.working_directory.join(home);
            return Ok(Self {
                config_file: home.join("config.toml"),
                state: home.join("state"),
                cache: home.join("cache"),
            });
        }
        let own = ProjectDirs::from("", "", OWN).ok_or(NoHome)?;
        Ok(Self {
            config_file: own.config_dir().join("config.toml"),
            // macOS and Windows have no directory for state alone, and there data and configuration may be the same.
            state: own.state_dir().map_or_else(|| own.data_local_dir().join("state"), Path::to_owned),
            cache: own.cache_dir().to_owned(),
        })
    }

    /// The database.
    pub fn database(&self) -> PathBuf {
        self.state.join("afterword.db")
    }

    /// The lock held while a plan is made and applied.
    pub fn apply_lock(&self) -> PathBuf {
        self.state.join("apply.lock")
    }

    /// The search index over notes and attempts, which can be deleted at any time.
    pub fn search_index(&self) -> PathBuf {
        self.cache.join("index.db")
    }

    /// The lock that the one agent of this state directory holds.
    pub fn agent_lock(&self) -> PathBuf {
        self.state.join("agent.lock")
    }

    /// What the running agent tells of itself.
    pub fn agent_card(&self) -> PathBuf {
        self.state.join("agent.json")
    }

    /// Where hooks and other processes leave events for the agent.
    pub fn spool(&self) -> PathBuf {
        self.state.join("spool")
    }

    /// Where the markers of sessions that began are.
    pub fn markers(&self) -> PathBuf {
        self.state.join("markers")
    }

    /// Where conversations run that belong to no project; their sessions are reflected like any other.
    pub fn conversations(&self) -> PathBuf {
        self.state.join("conversations")
    }

    /// Where runs' connections are described while they run.
    pub fn connections(&self) -> PathBuf {
        self.state.join("connections")
    }

    /// The lock held while a connection's tokens are renewed or changed.
    pub fn sign_in_lock(&self, connection: &str) -> PathBuf {
        self.state.join("sign-in").join(format!("{connection}.lock"))
    }

    /// Notes in better words that a model proposed, until they are carried out.
    pub fn polish_plan(&self) -> PathBuf {
        self.state.join("polish.json")
    }

    /// The copy of the `afterword` command that other programs start where this one runs from a mounted image.
    pub fn command_copy(&self) -> PathBuf {
        self.state.join("bin").join(format!("afterword{}", std::env::consts::EXE_SUFFIX))
    }

    /// Where Afterword lets a model work; a session begun here or below is its own, and is never reflected.
    pub fn engine_workplace(&self) -> PathBuf {
        self.state.join("engine")
    }
}

/// Puts the home directory in place of a leading `~`.
pub fn expand_home(text: &str, home: Option<&Path>) -> PathBuf {
    let rest = text.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with(['/', '\\']));
    match (rest, home) {
        (Some(rest), Some(home)) => {
            let mut path = OsString::from(home);
            path.push(rest);
            PathBuf::from(path)
        }
        _ => PathBuf::from(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_variable_moves_everything() {
        let environment = Environment {
            afterword_home: Some("portable".into()),
            working_directory: "/media/stick".into(),
            ..Environment::default()
        };
        let paths = Paths::new(&environment).unwrap();
        let root = Path::new("/media/stick/portable");
        for path in [&paths.config_file, &paths.state, &paths.cache, &paths.database(), &paths.apply_lock()] {
            assert!(path.starts_with(root), "{path:?}");
        }
    }

    #[test]
    fn build_for_development_shares_no_directory_with_the_installed_program() {
        let paths = Paths::new(&Environment::default()).unwrap();
        for path in [paths.config_file, paths.state, paths.cache] {
            let is_apart = path.to_string_lossy().to_lowercase().contains("afterword-dev");
            assert_eq!(is_apart, crate::IS_FOR_DEVELOPMENT, "{path:?}");
        }
    }

    #[test]
    fn project_of_another_system_keeps_its_path() {
        let environment = Environment { working_directory: "/work".into(), ..Environment::default() };
        let check = |named: &str, expected: &str| {
            assert_eq!(environment.project_directory(named).as_os_str(), expected);
        };
        check("/home/ada/shop", "/home/ada/shop");
        check("shop", Path::new("/work").join("shop").to_str().unwrap());
    }

    #[test]
    fn home_stands_for_a_leading_tilde_only() {
        let check = |text, expected: &str| {
            assert_eq!(expand_home(text, Some(Path::new("/home/ada"))), Path::new(expected));
        };
        check("~/notes", "/home/ada/notes");
        check("~", "/home/ada");
        check("~eve/notes", "~eve/notes");
        check("/a/~/b", "/a/~/b");
        assert_eq!(expand_home("~/x", None), Path::new("~/x"));
    }
}
