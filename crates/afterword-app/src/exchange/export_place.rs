//! Which files lessons may be written to, whoever names them: the window's page names them as well.
//!
//! Nothing is written through a link, into Afterword's own folders or a repository's `.git`; instructions go into files that an agent
//! reads as such, and a whole file takes the place of an earlier export alone.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use afterword_platform::files::resolved_path;

use crate::Paths;
use crate::error::ExportError;

/// Endings of files of instructions.
const MARKDOWN: [&str; 3] = ["md", "mdc", "markdown"];
/// How the names of other files of instructions end (`.cursorrules`, `.windsurfrules`).
const RULES: &str = "rules";

/// Refuses a place that no export is written to.
pub(super) fn check_place(paths: &Paths, file: &Path) -> Result<(), ExportError> {
    refuse_link(file)?;
    let place = resolved_path(file);
    if place.components().any(|part| part.as_os_str().eq_ignore_ascii_case(".git")) {
        return Err(ExportError::GitDirectory { path: file.to_owned() });
    }
    if [&paths.state, &paths.cache].into_iter().any(|own| place.starts_with(resolved_path(own))) {
        return Err(ExportError::OwnFiles { path: file.to_owned() });
    }
    Ok(())
}

/// Refuses a link: what it leads to is not what was named.
pub(super) fn refuse_link(file: &Path) -> Result<(), ExportError> {
    match fs::read_link(file) {
        Ok(target) => Err(ExportError::Link { path: file.to_owned(), target }),
        Err(_) => Ok(()),
    }
}

/// Whether an agent reads a file of this name as instructions.
pub(super) fn is_instructions(file: &Path) -> bool {
    let ends = |ending: &OsStr| MARKDOWN.iter().any(|known| ending.eq_ignore_ascii_case(known));
    let name = file.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    file.extension().is_some_and(ends) || (name.starts_with('.') && name.ends_with(RULES))
}
