//! Whether the program of a connection is on this machine. Claude Code starts it, and would go on without it.

use std::ffi::OsStr;
use std::path::Path;

use afterword_platform::files::is_program;

use super::ConnectionSettings;
use crate::error::UnfitConnection;

/// What a program's file may end with, where its name says nothing about it.
const ENDINGS: &[&str] = if cfg!(windows) { &["", ".exe", ".cmd", ".bat"] } else { &[""] };

/// Where systems look that were given no `PATH`.
const WITHOUT_PATH: &str = if cfg!(windows) { "" } else { "/usr/bin:/bin" };

/// Looks for the program: in `PATH`, or where its path leads from `directory`. A relative path cannot be followed without one.
///
/// # Errors
/// What is missing, and where it was looked for.
pub(super) fn check_exists(
    settings: &ConnectionSettings,
    directory: Option<&Path>,
) -> Result<(), UnfitConnection> {
    let ConnectionSettings::Stdio { command, variables, .. } = settings else { return Ok(()) };
    let path = Path::new(command);
    if path.components().count() > 1 {
        let place = match directory {
            Some(directory) => directory.join(path),
            None if path.is_absolute() => path.to_owned(),
            None => return Ok(()),
        };
        let is_there = is_program_in(Path::new(""), place.as_os_str());
        return match is_there {
            true => Ok(()),
            false => Err(UnfitConnection::NoProgramThere { path: place.display().to_string() }),
        };
    }
    let own = variables.get("PATH").map(std::ffi::OsString::from);
    let places = own.or_else(|| std::env::var_os("PATH")).unwrap_or_else(|| WITHOUT_PATH.into());
    if std::env::split_paths(&places).any(|folder| is_program_in(&folder, path.as_os_str())) {
        return Ok(());
    }
    Err(UnfitConnection::NoProgram { command: command.clone() })
}

fn is_program_in(folder: &Path, name: &OsStr) -> bool {
    ENDINGS.iter().any(|ending| {
        let mut name = name.to_owned();
        name.push(ending);
        is_program(&folder.join(name))
    })
}
