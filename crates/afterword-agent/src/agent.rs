//! What every use case starts from: the places, the settings, and Claude Code's directory.

use std::path::PathBuf;

use afterword_store::Store;

use crate::redaction::Redaction;
use crate::{Config, ConfigFile, Environment, Error, Paths};

/// The use cases, on one configuration.
#[derive(Debug, Clone)]
pub struct Agent {
    pub(crate) environment: Environment,
    pub(crate) paths: Paths,
    pub(crate) config: Config,
    pub(crate) claude: PathBuf,
}

impl Agent {
    /// Reads the configuration; makes and changes nothing.
    ///
    /// # Errors
    /// [`Error::NoHome`], or [`Error::Config`] for a configuration that cannot be used.
    pub fn new(environment: Environment) -> Result<Self, Error> {
        let paths = Paths::new(&environment)?;
        let config = ConfigFile::new(&paths.config_file, environment.home.as_deref()).read()?;
        let claude = claude_directory(&environment, &config)?;
        Ok(Self { environment, paths, config, claude })
    }

    /// Afterword's own places.
    pub fn paths(&self) -> &Paths {
        &self.paths
    }

    /// The settings in force.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Claude Code's directory, where its transcripts are.
    pub fn claude_directory(&self) -> &std::path::Path {
        &self.claude
    }

    /// Opens the database, and makes it where there is none.
    pub(crate) fn store(&self) -> Result<Store, Error> {
        Ok(Store::open(&self.paths.database())?)
    }

    /// Opens the database when there is one: for what only looks.
    pub(crate) fn existing_store(&self) -> Result<Option<Store>, Error> {
        Ok(Store::open_existing(&self.paths.database())?)
    }

    pub(crate) fn redaction(&self) -> Redaction {
        // The patterns were tried when the configuration was read.
        Redaction::new(&self.config.redact_extra).unwrap_or_default()
    }
}

/// The environment's `CLAUDE_CONFIG_DIR`, else the setting, else `~/.claude`.
pub(crate) fn claude_directory(environment: &Environment, config: &Config) -> Result<PathBuf, Error> {
    let named = environment.claude_config_dir.as_ref().or(config.claude_config_dir.as_ref());
    match (named, &environment.home) {
        (Some(directory), _) => Ok(environment.working_directory.join(directory)),
        (None, Some(home)) => Ok(home.join(".claude")),
        (None, None) => Err(Error::NoHome),
    }
}
