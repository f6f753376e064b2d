//! What was joined and split, so that it can be taken back: one small file of the state.

use std::fs;
use std::path::{Path, PathBuf};

use afterword_platform::files::{create_private_directory, replace_file};
use serde::{Deserialize, Serialize};

use super::ProjectChange;
use crate::Error;

/// Changes that are remembered.
const MOST: usize = 20;

/// The changes that stand, the oldest first.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct ProjectRecord {
    pub(super) changes: Vec<ProjectChange>,
}

impl ProjectRecord {
    /// Reads the record; a missing or unusable one is empty, and nothing can be taken back.
    pub(super) fn read(state: &Path) -> Self {
        let text = fs::read_to_string(file(state)).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    pub(super) fn write(&mut self, state: &Path) -> Result<(), Error> {
        let error = |action| move |source| Error::Io { path: file(state), action, source };
        let beyond = self.changes.len().saturating_sub(MOST);
        self.changes.drain(..beyond);
        create_private_directory(state).map_err(error("make the state directory"))?;
        let action = "remember how projects were joined";
        let text = serde_json::to_vec_pretty(self).map_err(|source| error(action)(source.into()))?;
        replace_file(&file(state), &text).map_err(error(action))
    }
}

fn file(state: &Path) -> PathBuf {
    state.join("projects.json")
}
