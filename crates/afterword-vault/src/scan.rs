//! Reads the vault: every markdown file that carries Afterword's properties, wherever the user put it.
//!
//! Symbolic links are not followed (what they lead to inside the vault is read where it lies), and neither are folders
//! that start with a dot: Obsidian does not see them either, and its `.trash` holds what the user deleted.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use crate::error::VaultError;
use crate::hash::ContentHash;
use crate::index::{NoteEntry, VaultIndex};
use crate::layout;
use crate::note::Note;
use crate::path::VaultPath;
use crate::properties::Properties;

/// The largest note that is read, in bytes.
const MAX_BYTES: u64 = 8 * 1024 * 1024;
/// How much of a file outside Afterword's folder is read to see whether it is one of its notes, in bytes.
const HEAD_BYTES: usize = 4096;
/// How deep folders are followed.
const MAX_DEPTH: usize = 32;

/// Scans the vault at `root`.
pub(crate) fn scan(root: &Path) -> Result<VaultIndex, VaultError> {
    let mut index = VaultIndex::default();
    let top = fs::read_dir(root).map_err(|source| VaultError::Root { path: root.to_owned(), source })?;
    folder(None, top, 0, &mut index);
    index.settle();
    Ok(index)
}

fn folder(at: Option<&VaultPath>, entries: fs::ReadDir, depth: usize, index: &mut VaultIndex) {
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let here = at.cloned().unwrap_or_else(|| VaultPath::fixed(layout::HOME));
                index.add_problem(here, 0, error.to_string());
                continue;
            }
        };
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
            let lossy = entry.file_name().to_string_lossy().into_owned();
            let here = at.map_or_else(|| lossy.clone(), |at| format!("{at}/{lossy}"));
            if let Some(path) = VaultPath::parse(&here) {
                index.add_problem(path, 0, "the file's name is not Unicode");
            }
            continue;
        };
        let path = at.map_or_else(|| VaultPath::parse(&name), |at| VaultPath::parse(at.join(&name).as_str()));
        let (Some(path), Ok(file_type)) = (path, entry.file_type()) else { continue };
        let ours = path.as_str() == layout::HOME || path.is_below(layout::HOME);
        if ours {
            index.add_name(&path);
        }
        if name.starts_with('.') {
            continue;
        }
        if file_type.is_dir() {
            if depth >= MAX_DEPTH {
                index.add_problem(path, 0, "the folder lies too deep to be read");
                continue;
            }
            match fs::read_dir(entry.path()) {
                Ok(entries) => folder(Some(&path), entries, depth + 1, index),
                Err(error) => index.add_problem(path, 0, error.to_string()),
            }
        } else if file_type.is_file() && has_markdown_name(&name) {
            file(&entry.path(), path, ours, index);
        }
    }
}

fn has_markdown_name(name: &str) -> bool {
    name.len() > 3 && name.get(name.len() - 3..).is_some_and(|end| end.eq_ignore_ascii_case(".md"))
}

fn file(on_disk: &Path, path: VaultPath, ours: bool, index: &mut VaultIndex) {
    match read(on_disk, ours) {
        Ok(Content::Foreign) => {}
        Ok(Content::TooLarge) => index.add_problem(path, 0, "the file is too large to be a note"),
        Ok(Content::Bytes(bytes)) => note(path, bytes, ours, index),
        Err(error) => index.add_problem(path, 0, error.to_string()),
    }
}

enum Content {
    /// A note of the user's own.
    Foreign,
    TooLarge,
    Bytes(Vec<u8>),
}

fn read(on_disk: &Path, ours: bool) -> io::Result<Content> {
    let mut file = File::open(on_disk)?;
    let mut bytes = Vec::new();
    if !ours {
        file.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut bytes)?;
        if !looks_like_ours(&bytes) {
            return Ok(Content::Foreign);
        }
    }
    let room = MAX_BYTES + 1 - bytes.len() as u64;
    file.take(room).read_to_end(&mut bytes)?;
    Ok(if bytes.len() as u64 > MAX_BYTES { Content::TooLarge } else { Content::Bytes(bytes) })
}

/// Whether the start of a file has front matter with a key, or reaches so far that it might.
fn looks_like_ours(head: &[u8]) -> bool {
    let head = String::from_utf8_lossy(head);
    let head = head.trim_start_matches('\u{feff}');
    head.starts_with("---") && (head.contains("\nkey:") || head.contains("\nkind: ideas"))
}

fn note(path: VaultPath, bytes: Vec<u8>, ours: bool, index: &mut VaultIndex) {
    let hash = ContentHash::of(&bytes);
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let line = error.as_bytes()[..valid].iter().filter(|&&byte| byte == b'\n').count() + 1;
            return index.add_problem(path, line, "the file is not UTF-8");
        }
    };
    let note = Note::parse(text);
    if let Some(fault) = note.fault() {
        // A broken note of the user's own is none of our business.
        if ours {
            index.add_problem(path, fault.line, fault.what.clone());
        }
        return;
    }
    let properties = Properties::of(&note);
    let is_ledger = path.as_str() == layout::IDEAS;
    if is_ledger || properties.id.is_some() || properties.key.is_some() || properties.kind.is_some() {
        index.add_note(NoteEntry { path, hash, note, properties });
    }
}
