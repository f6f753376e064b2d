//! A set of labelled sessions on disk.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::Unscored;

/// Labelled sessions: `sessions.json`, `labels.jsonl` and `transcripts/` in one folder.
#[derive(Debug)]
pub struct Set {
    folder: PathBuf,
    /// The sessions, in the order of the file.
    pub sessions: Vec<Session>,
    labels: Vec<Label>,
}

/// One session of a set.
#[derive(Debug, Clone, Deserialize)]
pub struct Session {
    /// Its short name in the set.
    pub id: String,
    /// Its file below `transcripts/`.
    pub transcript: String,
}

/// What a reader took away from one place of a session.
#[derive(Debug, Clone, Deserialize)]
pub struct Label {
    /// The session it belongs to.
    pub session: String,
    /// preference, workflow, fix or idea.
    pub kind: String,
    /// Other kinds that are as good.
    #[serde(default)]
    pub also: Vec<String>,
    /// high, medium or low.
    pub tier: String,
    /// The line of the transcript that carries it, from 1.
    pub line: u64,
    /// Every line that counts as evidence.
    pub lines: Vec<u64>,
    /// The lesson in a sentence.
    pub gist: String,
    /// Arguable: finding it or not costs nothing.
    #[serde(default)]
    pub optional: bool,
}

impl Label {
    /// Says whether a candidate of this kind may match.
    #[must_use]
    pub fn takes(&self, kind: &str) -> bool {
        self.kind == kind || self.also.iter().any(|also| also == kind)
    }
}

impl Set {
    /// Reads a set.
    ///
    /// # Errors
    /// When a file is missing or a row is not what it should be, with the file and the line.
    pub fn read(folder: &Path) -> Result<Self, Unscored> {
        let sessions_path = folder.join("sessions.json");
        let sessions =
            serde_json::from_str(&text(&sessions_path)?).map_err(|error| bad(&sessions_path, &error))?;
        let labels_path = folder.join("labels.jsonl");
        let labels = text(&labels_path)?
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| serde_json::from_str(line).map_err(|error| bad(&labels_path, &error)))
            .collect::<Result<_, _>>()?;
        Ok(Self { folder: folder.to_owned(), sessions, labels })
    }

    /// The transcript file of a session.
    #[must_use]
    pub fn transcript(&self, session: &Session) -> PathBuf {
        self.folder.join("transcripts").join(&session.transcript)
    }

    /// The labels of a session.
    #[must_use]
    pub fn labels_of(&self, session: &Session) -> Vec<Label> {
        self.labels.iter().filter(|label| label.session == session.id).cloned().collect()
    }
}

fn text(path: &Path) -> Result<String, Unscored> {
    std::fs::read_to_string(path)
        .map_err(|error| Unscored::Unreadable { path: path.display().to_string(), reason: error.to_string() })
}

fn bad(path: &Path, error: &serde_json::Error) -> Unscored {
    Unscored::Unreadable { path: path.display().to_string(), reason: error.to_string() }
}
