//! Names and paths in the one form that is compared.

use std::path::{Component, Path, PathBuf};

use afterword_platform::wsl::local_path;
use unicode_normalization::UnicodeNormalization;

/// A name or a path in that form. macOS gives names as it has them on the disk, where an "ü" may be two characters; what a person types is
/// one. Windows has two separators, and in WSL other names for its drives.
pub(crate) fn comparable(path: &str) -> String {
    as_named(&local_path(path))
}

/// The same by the name it was given, whichever side of WSL gave it.
pub(crate) fn as_named(path: &str) -> String {
    path.nfc().collect::<String>().replace('\\', "/")
}

/// A path with `.` and `..` carried out by its text alone.
pub(crate) fn without_dots(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(clean.pop()),
            other => clean.push(other),
        }
    }
    clean
}
