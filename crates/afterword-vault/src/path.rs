//! Places in the vault, and file names made of titles.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The longest file name made of a title, in characters, without `.md`.
const SLUG_CHARS: usize = 60;
/// Its longest form in bytes: file systems allow 255 for a name, and a suffix must still fit.
const SLUG_BYTES: usize = 200;
/// Device names of Windows, which no file may have, whatever its extension
/// (learn.microsoft.com, "Naming Files, Paths, and Namespaces").
const RESERVED: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// A place relative to the vault's root, with `/` between its parts. Never absolute, never with `.` or `..`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct VaultPath(String);

impl VaultPath {
    /// Takes a relative path from outside; `None` if it could lead anywhere but down from the root.
    pub fn parse(text: &str) -> Option<Self> {
        let safe = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\0', '/']);
        let portable = |part: &str| !cfg!(windows) || !part.contains(['\\', ':']);
        text.split('/').all(|part| safe(part) && portable(part)).then(|| Self(text.to_owned()))
    }

    /// A path that is a constant of this crate.
    pub(crate) fn constant(text: &'static str) -> Self {
        debug_assert!(Self::parse(text).is_some(), "{text}");
        Self(text.to_owned())
    }

    /// The path below this one; `name` is one component that this crate made or read from a folder.
    pub(crate) fn join(&self, name: &str) -> Self {
        Self(format!("{}/{name}", self.0))
    }

    /// The path as text, `/` between its parts on every system.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last part.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The folder it lies in; `None` at the vault's root.
    pub fn parent(&self) -> Option<Self> {
        self.0.rsplit_once('/').map(|(parent, _)| Self(parent.to_owned()))
    }

    /// The path of another name in the same folder; `name` is one component that this crate made.
    pub(crate) fn beside(&self, name: &str) -> Self {
        self.parent().map_or_else(|| Self(name.to_owned()), |folder| folder.join(name))
    }

    /// Whether it lies in `folder`, at any depth.
    pub fn is_below(&self, folder: &str) -> bool {
        self.0.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    }

    /// The path in the form the system wants, still relative.
    pub fn to_path(&self) -> PathBuf {
        self.0.split('/').collect()
    }

    /// The path below `root`.
    pub fn below(&self, root: &Path) -> PathBuf {
        root.join(self.to_path())
    }

    /// The form in which two paths collide on file systems that ignore case (NTFS, APFS) or normalise letters.
    pub(crate) fn collision_key(&self) -> String {
        fold_case(&self.0)
    }

    /// What a wikilink to the note says; `None` where the name has characters that end a link.
    ///
    /// Obsidian resolves a link by the whole path from its root, or by the path's end where the vault is a folder
    /// inside a larger one.
    pub fn link_target(&self) -> Option<&str> {
        let target = self.0.strip_suffix(".md")?;
        (!target.contains(['[', ']', '#', '^', '|', '\\', '\n', '\r'])).then_some(target)
    }
}

impl fmt::Display for VaultPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<VaultPath> for String {
    fn from(path: VaultPath) -> Self {
        path.0
    }
}

impl TryFrom<String> for VaultPath {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).ok_or_else(|| format!("`{text}` is not a path inside a vault"))
    }
}

/// Text in the form in which names collide on file systems that ignore case.
pub(crate) fn fold_case(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.nfc().collect::<String>().to_lowercase().nfc().collect()
}

/// Makes a file name of a title: lower case, words joined by `-`, accents of Latin letters dropped, letters and
/// digits of every other script kept. Never empty, never reserved, at most 60 characters.
pub fn slug(title: &str) -> String {
    let mut slug = String::new();
    let mut characters = 0;
    let mut gap = false;
    for c in letters(title) {
        if !(c.is_alphanumeric() || is_combining_mark(c)) {
            gap = !slug.is_empty();
            continue;
        }
        let needed = 1 + usize::from(gap);
        if characters + needed > SLUG_CHARS || slug.len() + c.len_utf8() + needed > SLUG_BYTES {
            cut_back_to_word(&mut slug, gap);
            break;
        }
        if std::mem::take(&mut gap) {
            slug.push('-');
        }
        slug.push(c);
        characters += needed;
    }
    if slug.chars().all(is_combining_mark) {
        slug.clear();
        slug.push_str("untitled");
    }
    if is_reserved(&slug) {
        slug.push_str("-note");
    }
    slug
}

/// The title's characters in lower case, Latin letters folded to ASCII, everything in NFC.
fn letters(title: &str) -> impl Iterator<Item = char> {
    let mut folded = String::with_capacity(title.len());
    for c in title.nfkd() {
        if is_combining_mark(c) && folded.ends_with(|last: char| last.is_ascii_alphabetic()) {
            continue;
        }
        match c {
            'ß' | 'ẞ' => folded.push_str("ss"),
            'æ' | 'Æ' => folded.push_str("ae"),
            'œ' | 'Œ' => folded.push_str("oe"),
            'ø' | 'Ø' => folded.push('o'),
            'đ' | 'Đ' | 'ð' | 'Ð' => folded.push('d'),
            'ł' | 'Ł' => folded.push('l'),
            'þ' | 'Þ' => folded.push_str("th"),
            'ı' => folded.push('i'),
            // An apostrophe inside a word does not part it: "don't" is one word.
            '\'' | '’' => {}
            _ => folded.extend(c.to_lowercase()),
        }
    }
    folded.nfc().collect::<Vec<_>>().into_iter()
}

/// Drops the word that did not fit whole, unless that would leave little.
fn cut_back_to_word(slug: &mut String, at_gap: bool) {
    if at_gap {
        return;
    }
    if let Some(last) = slug.rfind('-').filter(|&last| last * 2 > slug.len()) {
        slug.truncate(last);
    }
}

/// Whether Windows keeps the name for a device (`CON`, `COM1`, …).
pub(crate) fn is_reserved(stem: &str) -> bool {
    let stem = stem.to_lowercase();
    let numbered = ["com", "lpt"].iter().any(|device| {
        let rest = stem.strip_prefix(device).map(|rest| rest.chars().collect::<Vec<_>>());
        matches!(rest.as_deref(), Some([digit]) if digit.is_ascii_digit() || matches!(digit, '¹' | '²' | '³'))
    });
    numbered || RESERVED.contains(&stem.as_str())
}
