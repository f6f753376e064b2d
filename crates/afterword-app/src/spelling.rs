//! Names and paths in the one form that is compared.

use unicode_normalization::UnicodeNormalization;

/// A name or a path in that form. macOS gives names as it has them on the disk, where an "ü" may be two characters; what a person types is
/// one. Windows has two separators.
pub(crate) fn comparable(path: &str) -> String {
    path.nfc().collect::<String>().replace('\\', "/")
}
