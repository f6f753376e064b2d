//! A small file a project, which the agent leaves and a hook takes: no hook opens the database.

use std::fs;
use std::path::{Path, PathBuf};

use afterword_core::ProjectKey;
use afterword_platform::files::{create_private_directory, read_text, remove_if_there, replace_file};
use afterword_vault::ContentHash;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::InjectionRequest;
use crate::repository::project_folder;
use crate::{App, Error};

/// The file of one project in a folder of the state.
pub(super) struct ProjectFile {
    folder: PathBuf,
    path: PathBuf,
}

impl ProjectFile {
    /// The file of `project` in the folder of that name.
    pub(super) fn new(app: &App, folder: &str, project: &ProjectKey) -> Self {
        let folder = app.paths.state.join(folder);
        let path = folder.join(format!("{}.json", ContentHash::of(project.as_str().as_bytes())));
        Self { folder, path }
    }

    /// What was left there; nothing where it cannot be read.
    pub(super) fn read<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_str(&read_text(&self.path).ok()?).ok()
    }

    /// Leaves something, in place of what was there.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn write(&self, left: &impl Serialize) -> Result<(), Error> {
        let error = |source| self.error("leave word for the next session", source);
        create_private_directory(&self.folder).map_err(error)?;
        let text = serde_json::to_vec(left).map_err(|problem| error(problem.into()))?;
        replace_file(&self.path, &text).map_err(error)
    }

    /// Takes back what was left.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn remove(&self) -> Result<(), Error> {
        remove_if_there(&self.path)
            .map(drop)
            .map_err(|source| self.error("take back what was left for the next session", source))
    }

    fn error(&self, action: &'static str, source: std::io::Error) -> Error {
        Error::Io { path: self.path.clone(), action, source }
    }
}

/// The project that a session's directory is, or lies in; nothing where the directory is not known.
pub(super) fn project_of_request(app: &App, request: &InjectionRequest) -> Option<ProjectKey> {
    let cwd = request.cwd.as_deref()?;
    Some(ProjectKey::from_cwd(&project_folder(cwd, &app.config.folders)))
}

/// Forgets what was left for every project in the folder of that name.
///
/// # Errors
/// [`Error::Io`].
pub(super) fn forget_all(app: &App, folder: &str) -> Result<(), Error> {
    let path: &Path = &app.paths.state.join(folder);
    match fs::remove_dir_all(path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(Error::Io {
            path: path.to_owned(),
            action: "remove what was left for the next session",
            source,
        }),
        _ => Ok(()),
    }
}
