//! What every use case starts from: the places, the settings, and Claude Code's directory.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use afterword_claude_code::client::Client;
use afterword_claude_code::home::CONFIG_DIR_VARIABLE;
use afterword_claude_code::{ClaudeDirs, ClaudeHome};
use afterword_core::Secret;
use afterword_platform::files::real_path;
use afterword_store::Store;
use afterword_vault::{ScanCache, Vault};

use crate::error::VaultSetupError;
use crate::redaction::Redaction;
use crate::{Config, ConfigFile, EngineName, Environment, Error, Paths};

/// The use cases, on one configuration.
#[derive(Debug, Clone)]
pub struct App {
    pub(crate) environment: Environment,
    pub(crate) paths: Paths,
    pub(crate) config: Config,
    /// Found when somebody asks: it looks at each of them, and one that lies elsewhere may be slow to answer.
    claude: OnceLock<ClaudeDirs>,
    client: Option<Client>,
    /// A key that was handed over, and its engine.
    pub(crate) key: Option<(EngineName, Secret)>,
    /// What was read of the vault, for a process that asks again and again.
    scan_cache: Option<Arc<ScanCache>>,
    /// This process is about to end: long runs are given back.
    pub(crate) ending: Arc<AtomicBool>,
    /// A model asks, on a person's behalf: it approves nothing that may not be in the person's words.
    pub(crate) is_for_model: bool,
}

impl App {
    /// Reads the configuration; makes and changes nothing.
    ///
    /// # Errors
    /// [`Error::NoHome`], or [`ConfigError::Unusable`](crate::error::ConfigError::Unusable) for a configuration that cannot be used.
    pub fn new(environment: Environment) -> Result<Self, Error> {
        let paths = Paths::new(&environment)?;
        let config = ConfigFile::new(&paths.config_file, environment.home.as_deref()).read()?;
        main_claude_dir(&environment, &config).ok_or(Error::NoHome)?;
        Ok(Self {
            environment,
            paths,
            config,
            claude: OnceLock::new(),
            client: None,
            key: None,
            scan_cache: None,
            ending: Arc::default(),
            is_for_model: false,
        })
    }

    /// The same agent under the settings as they stand now.
    pub fn with_settings_read_again(&self) -> Result<Self, Error> {
        let (client, key) = (self.client.clone(), self.key.clone());
        let (scan_cache, ending) = (self.scan_cache.clone(), Arc::clone(&self.ending));
        let is_for_model = self.is_for_model;
        Ok(Self { client, key, scan_cache, ending, is_for_model, ..Self::new(self.environment.clone())? })
    }

    /// The use cases as a model may call them, on a person's behalf.
    #[must_use]
    pub fn for_model(self) -> Self {
        Self { is_for_model: true, ..self }
    }

    /// The use cases as the person calls them.
    #[must_use]
    pub(crate) fn for_person(self) -> Self {
        Self { is_for_model: false, ..self }
    }

    /// Uses this client for everything that runs Claude Code.
    #[must_use]
    pub fn with_client(self, client: Client) -> Self {
        Self { client: Some(client), ..self }
    }

    /// Uses this key for an engine, as long as the program runs; the keyring is not asked for it.
    #[must_use]
    pub fn with_key(self, engine: EngineName, key: Secret) -> Self {
        Self { key: Some((engine, key)), ..self }
    }

    /// Reads of the vault only what changed since it was read before. It costs the memory of all notes.
    #[must_use]
    pub fn with_scan_cache(self, scan_cache: Arc<ScanCache>) -> Self {
        Self { scan_cache: Some(scan_cache), ..self }
    }

    /// The same for one use case that looks at the vault several times; keeps what this one knows already.
    #[must_use]
    pub(crate) fn with_temporary_scan_cache(&self) -> Self {
        Self { scan_cache: Some(self.scan_cache.clone().unwrap_or_default()), ..self.clone() }
    }

    /// The user's Claude Code: the one given, the setting `claude.binary`, or the one that is installed.
    pub(crate) fn client(&self) -> Option<Client> {
        let found = || match &self.config.claude_binary {
            Some(binary) => Some(Client::new(binary.clone())),
            None => Client::installed(self.environment.home.as_deref()),
        };
        let client = self.client.clone().or_else(found)?;
        Some(match &self.config.claude_config_dir {
            // The environment's own value counts before the setting, as everywhere.
            Some(directory) if self.environment.claude_config_dir.is_none() => {
                client.with_variable(CONFIG_DIR_VARIABLE, directory)
            }
            _ => client,
        })
    }

    /// Whether there is a Claude Code to run.
    pub fn has_client(&self) -> bool {
        self.client().is_some_and(|client| client.exists())
    }

    /// Afterword's own places.
    pub fn paths(&self) -> &Paths {
        &self.paths
    }

    /// The settings in force.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The environment it was made from.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Claude Code's directories, all that are followed.
    pub fn claude(&self) -> &ClaudeDirs {
        self.claude.get_or_init(|| {
            let found = claude_dirs(&self.environment, &self.config);
            found.expect("that there is a main directory was seen when this was made")
        })
    }

    /// Set where this process is about to end: long runs are given back.
    pub fn shutdown_flag(&self) -> &Arc<AtomicBool> {
        &self.ending
    }

    /// The directory that Claude Code runs with here.
    pub fn claude_directory(&self) -> &Path {
        self.claude().main().root()
    }

    /// Opens the vault that the settings name.
    pub fn open_vault(&self) -> Result<Vault, Error> {
        let root = self.config.vault.as_ref().ok_or(VaultSetupError::NotChosen)?;
        let vault = Vault::open(root)?;
        Ok(match &self.scan_cache {
            Some(scan_cache) => vault.with_scan_cache(Arc::clone(scan_cache)),
            None => vault,
        })
    }

    /// The vault's root as the database knows it; empty where none is set up.
    pub fn vault_root(&self) -> String {
        vault_root(&self.config)
    }

    /// Opens the database, and makes it where there is none.
    pub fn store(&self) -> Result<Store, Error> {
        Ok(Store::open(&self.paths.database())?)
    }

    /// Opens the database when there is one: for what only looks.
    pub fn existing_store(&self) -> Result<Option<Store>, Error> {
        Ok(Store::open_existing(&self.paths.database())?)
    }

    /// What takes secrets out, with the person's own patterns.
    pub fn redaction(&self) -> Redaction {
        // The patterns were tried when the configuration was read.
        Redaction::new(&self.config.redact_extra).unwrap_or_default()
    }
}

/// Claude Code's directories: the environment's `CLAUDE_CONFIG_DIR`, else the setting, else `~/.claude`; and where others are named,
/// all of them, whichever the environment names, so that each process reads the same ones.
pub(crate) fn claude_dirs(environment: &Environment, config: &Config) -> Result<ClaudeDirs, Error> {
    let resolve = |named: Option<&PathBuf>| claude_dir(environment, named);
    let set = config.claude_config_dir.as_ref();
    let main = main_claude_dir(environment, config).ok_or(Error::NoHome)?;
    if config.claude_other_dirs.is_empty() {
        // In the spelling that every process has.
        let usual = resolve(set).filter(|usual| usual.is_same_directory(&main));
        return Ok(ClaudeDirs::one(usual.unwrap_or(main)));
    }
    let others = config.claude_other_dirs.iter().filter_map(|directory| resolve(Some(directory)));
    Ok(ClaudeDirs::several(main, resolve(set), others))
}

/// A directory as it is named, or `~/.claude`; looks at nothing.
fn claude_dir(environment: &Environment, named: Option<&PathBuf>) -> Option<ClaudeHome> {
    let directory = named.map(|directory| environment.working_directory.join(directory));
    ClaudeHome::resolve(directory.as_deref().map(Path::as_os_str), environment.home.as_deref())
}

fn main_claude_dir(environment: &Environment, config: &Config) -> Option<ClaudeHome> {
    let named = environment.claude_config_dir.as_ref().or(config.claude_config_dir.as_ref());
    claude_dir(environment, named)
}

/// The vault's root as the database knows it; empty where none is set up.
pub(crate) fn vault_root(config: &Config) -> String {
    let root = config.vault.as_ref().map(|root| real_path(root).unwrap_or_else(|_| root.clone()));
    root.map(|root| root.to_string_lossy().into_owned()).unwrap_or_default()
}
