//! Which files lessons may be written to, whoever names them: the window's page names them as well.
//!
//! Nothing is written through a link, into Afterword's own folders or a repository's `.git`; instructions go into files that an agent
//! reads as such, and a whole file takes the place of an earlier export alone.

use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path};

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
    let place = resolved_path(file);
    if place.components().any(|part| part.as_os_str().eq_ignore_ascii_case(".git")) {
        return Err(ExportError::GitDirectory { path: file.to_owned() });
    }
    let Paths { state, cache, config_file } = &app.paths;
    let home = app.config.vault.as_ref().map(|vault| vault.join(layout::HOME));
    let own = [Some(state), Some(cache), Some(config_file), home.as_ref()];
    if own.into_iter().flatten().any(|own| place.starts_with(resolved_path(own))) {
        return Err(ExportError::OwnFiles { path: file.to_owned() });
    }
    refuse_linked_folders(app, file)
}

/// Refuses a link: what it leads to is not what was named.
fn refuse_link(file: &Path) -> Result<(), ExportError> {
    match fs::read_link(file) {
        Ok(target) => Err(ExportError::Link { path: file.to_owned(), target }),
        Err(_) => Ok(()),
    }
}

/// Refuses links among the folders on the way, which a repository may have brought along. Those that the home directory lies in, and those
/// right below the root (`/tmp`, `/var`), are the system's.
fn refuse_linked_folders(app: &App, file: &Path) -> Result<(), ExportError> {
    let is_systems = |folder: &Path| {
        let depth = folder.components().filter(|part| matches!(part, Component::Normal(_))).count();
        depth <= 1 || app.environment.home.as_ref().is_some_and(|home| home.starts_with(folder))
    };
    let links = file.ancestors().skip(1).filter(|folder| !is_systems(folder));
    let mut links = links.filter_map(|folder| Some((folder, fs::read_link(folder).ok()?)));
    match links.next() {
        Some((folder, target)) => {
            Err(ExportError::LinkedFolder { path: file.to_owned(), folder: folder.to_owned(), target })
        }
        None => Ok(()),
    }
}

/// Whether an agent reads a file of this name as instructions.
pub(super) fn is_instructions(file: &Path) -> bool {
    let ends = |ending: &OsStr| MARKDOWN.iter().any(|known| ending.eq_ignore_ascii_case(known));
    let name = file.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    file.extension().is_some_and(ends) || (name.starts_with('.') && name.ends_with(RULES))
}
