//! Which files lessons may be written to, whoever names them: the window's page names them as well.
//!
//! Nothing is written through a link, into Afterword's own folders or a repository's `.git`; instructions go into files that an agent
//! reads as such, and a whole file takes the place of an earlier export alone.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use afterword_platform::files::resolved_path;
use afterword_vault::layout;

use crate::error::ExportError;
use crate::{App, Paths};

/// Endings of files of instructions.
const MARKDOWN: [&str; 3] = ["md", "mdc", "markdown"];
/// How the names of other files of instructions end (`.cursorrules`, `.windsurfrules`).
const RULES: &str = "rules";

/// Refuses a place that no export is written to.
pub(super) fn check_place(app: &App, file: &Path) -> Result<(), ExportError> {
    refuse_link(file)?;
    let absolute = app.environment.working_directory.join(file);
    let place = resolved_path(&absolute);
    if place.components().any(|part| part.as_os_str().eq_ignore_ascii_case(".git")) {
        return Err(ExportError::GitDirectory { path: file.to_owned() });
    }
    let Paths { state, cache, config_file } = &app.paths;
    let home = app.config.vault.as_ref().map(|vault| vault.join(layout::HOME));
    let own = [Some(state), Some(cache), Some(config_file), home.as_ref()];
    if own.into_iter().flatten().any(|own| place.starts_with(resolved_path(own))) {
        return Err(ExportError::OwnFiles { path: file.to_owned() });
    }
    refuse_linked_folders(&absolute)
}

/// Refuses a link: what it leads to is not what was named.
fn refuse_link(file: &Path) -> Result<(), ExportError> {
    match fs::read_link(file) {
        Ok(target) => Err(ExportError::Link { path: file.to_owned(), target }),
        Err(_) => Ok(()),
    }
}

/// Refuses links among the folders on the way that lie in a repository, which may have brought them along. A person's own links lie outside.
fn refuse_linked_folders(file: &Path) -> Result<(), ExportError> {
    let in_repository =
        |folder: &Path| folder.ancestors().skip(1).any(|above| above.join(".git").symlink_metadata().is_ok());
    let linked = |folder: &&Path| folder.symlink_metadata().is_ok_and(|found| found.is_symlink());
    match file.ancestors().skip(1).filter(linked).find(|folder| in_repository(folder)) {
        Some(folder) => Err(ExportError::LinkedFolder {
            path: file.to_owned(),
            folder: folder.to_owned(),
            target: resolved_path(file),
        }),
        None => Ok(()),
    }
}

/// Whether an agent reads a file of this name as instructions.
pub(super) fn is_instructions(file: &Path) -> bool {
    let ends = |ending: &OsStr| MARKDOWN.iter().any(|known| ending.eq_ignore_ascii_case(known));
    let name = file.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    file.extension().is_some_and(ends) || (name.starts_with('.') && name.ends_with(RULES))
}
