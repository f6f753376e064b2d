//! The `afterword` command, which lies beside this program in every package.

use std::path::PathBuf;

/// Its path, whether it is there or not.
pub(crate) fn path() -> Option<PathBuf> {
    let name = if cfg!(windows) { "afterword.exe" } else { "afterword" };
    Some(std::env::current_exe().ok()?.with_file_name(name))
}
