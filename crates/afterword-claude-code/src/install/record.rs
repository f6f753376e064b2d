//! What installing changed, kept so that uninstalling restores a file to the byte while nobody else has changed it.
//!
//! Of a file's own text only the stretch that was replaced is kept, never the whole: such files hold keys.

use std::fs;
use std::path::{Path, PathBuf};

use afterword_platform::files::{create_private_directory, replace_file};
use serde::{Deserialize, Serialize};

use super::Change;
use crate::ClaudeCodeError;

/// Every file that was changed and not changed back.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct InstallRecord {
    files: Vec<Edit>,
}

/// One stretch of text put in place of another.
#[derive(Debug, Serialize, Deserialize)]
struct Edit {
    path: PathBuf,
    /// For all projects, or for which: one file may hold both.
    scope: String,
    /// The file was not there before.
    created: bool,
    /// Nor was its directory.
    #[serde(default)]
    made_directory: bool,
    /// Of the whole text after the edit; empty where the edit cannot be undone, which is the hash of no text.
    hash: String,
    /// In bytes, where the stretch begins.
    start: usize,
    /// How long it is now.
    length: usize,
    /// What stood there.
    was: String,
}

impl InstallRecord {
    /// Reads the record; a missing or unusable one is an empty one, and uninstalling then goes by the values.
    pub(super) fn read(state: &Path) -> Self {
        let text = fs::read_to_string(file(state)).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Notes what `change` does to its file.
    pub(super) fn add(&mut self, change: &Change, scope: &str) {
        let before = change.before.as_deref();
        let Some(after) = &change.after else { return };
        // Installed again over what is installed: what was there before the first time counts.
        let first = before.and_then(|text| self.undo(&change.path, scope, text));
        let directory = change.path.parent();
        let made_directory = self.made_directory(&change.path, scope)
            || directory.is_some_and(|directory| !directory.exists());
        self.forget(&change.path, scope);
        let origin = match first {
            Some(origin) => origin,
            None if change.untouched => before.map(str::to_owned),
            // What was there first is not known any more, as somebody else changed the file; that it holds ours is.
            None => {
                return self.files.push(Edit {
                    path: change.path.clone(),
                    scope: scope.to_owned(),
                    created: false,
                    made_directory,
                    hash: String::new(),
                    start: 0,
                    length: 0,
                    was: String::new(),
                });
            }
        };
        let text = origin.as_deref().unwrap_or_default();
        let start = common_start(text, after);
        let end = common_end(&text[start..], &after[start..]);
        self.files.push(Edit {
            path: change.path.clone(),
            scope: scope.to_owned(),
            created: origin.is_none(),
            made_directory,
            hash: hash(after),
            start,
            length: after.len() - end - start,
            was: text[start..text.len() - end].to_owned(),
        });
    }

    /// The files that were changed for a scope.
    pub(super) fn paths_of(&self, scope: &str) -> impl Iterator<Item = &Path> {
        self.files.iter().filter(move |edit| edit.scope == scope).map(|edit| edit.path.as_path())
    }

    pub(super) fn forget(&mut self, path: &Path, scope: &str) {
        self.files.retain(|edit| edit.path != path || edit.scope != scope);
    }

    /// The directory of `path` was made for it.
    pub(super) fn made_directory(&self, path: &Path, scope: &str) -> bool {
        self.files.iter().any(|edit| edit.path == path && edit.scope == scope && edit.made_directory)
    }

    /// What `path` held before, when `text` is still what it was made to: `Some(None)` where it was not there.
    #[expect(clippy::option_option, reason = "whether it is known, and whether there was a file")]
    pub(super) fn undo(&self, path: &Path, scope: &str, text: &str) -> Option<Option<String>> {
        let ours = |edit: &&Edit| edit.path == path && edit.scope == scope && edit.hash == hash(text);
        let edit = self.files.iter().find(ours)?;
        if edit.created {
            return Some(None);
        }
        let (head, tail) = (text.get(..edit.start)?, text.get(edit.start.checked_add(edit.length)?..)?);
        Some(Some([head, &edit.was, tail].concat()))
    }

    pub(super) fn write(&self, state: &Path) -> Result<(), ClaudeCodeError> {
        let path = file(state);
        let error = |action| move |source| ClaudeCodeError::Io { path: file(state), action, source };
        create_private_directory(state).map_err(error("make the state directory"))?;
        let text = serde_json::to_string(self).map_err(|source| ClaudeCodeError::Io {
            path: path.clone(),
            action: "write what was installed",
            source: source.into(),
        })?;
        replace_file(&path, text.as_bytes()).map_err(error("write what was installed"))
    }
}

fn file(state: &Path) -> PathBuf {
    state.join("installed.json")
}

fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

/// The length of what both begin with, whole characters only.
fn common_start(one: &str, other: &str) -> usize {
    one.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
}

/// The length of what both end with, whole characters only.
fn common_end(one: &str, other: &str) -> usize {
    one.chars().rev().zip(other.chars().rev()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
}
