//! Setting up: the configuration file and the vault.

use std::path::{Path, PathBuf};

use afterword_platform::files::create_private_directory;
use afterword_vault::{Vault, VaultError};
use directories::UserDirs;

use crate::error::VaultSetupError;
use crate::{ConfigFile, Environment, Error, Paths};

/// What setting up did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InitReport {
    /// The configuration file.
    pub config_file: PathBuf,
    /// It was not there before.
    pub config_created: bool,
    /// The vault's root.
    pub vault: PathBuf,
    /// Files that the vault did not have before, below its root.
    pub installed: Vec<PathBuf>,
    /// The folder is, or lies in, a vault that Obsidian has opened.
    pub in_obsidian: bool,
}

/// Chooses a vault and sets it up; doing it again changes nothing. Without a folder the one already chosen counts,
/// else `Afterword` in the user's documents (`vault` below `AFTERWORD_HOME` where that is set). A vault that was moved is taken
/// from its new place.
///
/// # Errors
/// [`VaultSetupError::OtherChosen`] when another folder was chosen before, [`VaultSetupError::Unfit`] for one that cannot be used,
/// [`ConfigError::Unusable`](crate::error::ConfigError::Unusable) for a configuration that cannot be read, or [`Error::Vault`] or [`Error::Io`].
pub fn init(environment: &Environment, folder: Option<&Path>) -> Result<InitReport, Error> {
    set_up(environment, folder, false)
}

/// Chooses a vault in place of the one chosen before, whose notes stay where they are.
///
/// # Errors
/// As [`init`], without [`VaultSetupError::OtherChosen`].
pub fn change_vault(environment: &Environment, folder: &Path) -> Result<InitReport, Error> {
    set_up(environment, Some(folder), true)
}

fn set_up(environment: &Environment, folder: Option<&Path>, replace: bool) -> Result<InitReport, Error> {
    let paths = Paths::new(environment)?;
    let file = ConfigFile::new(&paths.config_file, environment.home.as_deref());
    let configured = file.read()?.vault;
    let wanted = folder.map(|folder| environment.working_directory.join(folder));
    let configured = configured
        .filter(|known| wanted.as_deref().is_none_or(|wanted| !replace && !was_moved(known, wanted)));
    let root = match (wanted, &configured) {
        (Some(wanted), Some(configured)) if !same_folder(&wanted, configured) => {
            return Err(VaultSetupError::OtherChosen { path: configured.clone() }.into());
        }
        (_, Some(configured)) => configured.clone(),
        (Some(wanted), None) => wanted,
        (None, None) => default_vault(environment)?,
    };
    if root.exists() && !root.is_dir() {
        return Err(VaultSetupError::Unfit { path: root, problem: "not a folder" }.into());
    }
    if let Some(folder) = paths.config_file.parent() {
        let error = |source| Error::Io { path: folder.to_owned(), action: "make the directory", source };
        // Before the vault, which may lie in it: settings are for the user alone.
        create_private_directory(folder).map_err(error)?;
    }
    let (vault, installed) = Vault::create(&root).map_err(|error| match error {
        VaultError::Root { path, source } => Error::Io { path, action: "make the vault's folder", source },
        other => other.into(),
    })?;
    let root = vault.root().to_owned();
    let config_created = file.create()?;
    if configured.is_none() {
        let text = root
            .to_str()
            .ok_or(VaultSetupError::Unfit { path: root.clone(), problem: "not valid Unicode" })?;
        file.set("vault.path", &[text.to_owned()])?;
    }
    Ok(InitReport {
        config_file: paths.config_file,
        config_created,
        vault: root,
        installed: installed.files.iter().map(|path| PathBuf::from(path.to_string())).collect(),
        in_obsidian: installed.in_obsidian,
    })
}

pub(crate) fn default_vault(environment: &Environment) -> Result<PathBuf, Error> {
    if let Some(home) = &environment.afterword_home {
        return Ok(environment.working_directory.join(home).join("vault"));
    }
    let documents = UserDirs::new().and_then(|dirs| dirs.document_dir().map(Path::to_owned));
    let folder = documents.or_else(|| environment.home.clone()).ok_or(Error::NoHome)?;
    Ok(folder.join("Afterword"))
}

/// The vault that was chosen is not where it was, and there is one where the person says it is now.
fn was_moved(known: &Path, wanted: &Path) -> bool {
    matches!(Vault::open(known), Err(VaultError::NotAVault { .. })) && Vault::open(wanted).is_ok()
}

fn same_folder(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}
