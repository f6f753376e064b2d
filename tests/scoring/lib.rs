//! Compares what a built `afterword` finds in labelled sessions with what a careful reader found there.
//!
//! Owns: reading a set (`sessions.json`, `labels.jsonl`, `transcripts/`), running the binary on it, the matching rule and the
//! figures. Does not know how anything is found: the only thing it asks of the program is the JSON of
//! `afterword reflect PATH --dry-run --json`. Start reading at [`run`].

mod figures;
mod matching;
mod set;

use std::path::Path;
use std::process::Command;

pub use figures::{Figures, Floors, Row};
pub use matching::{Candidate, Evidence, Matched, Verdict, compare};
pub use set::{Label, Session, Set};

/// Why a set could not be scored.
#[derive(Debug, thiserror::Error)]
pub enum Unscored {
    /// A file of the set is missing or is not what it should be.
    #[error("{path}: {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The binary failed on a session.
    #[error("{session}: {reason}")]
    Failed {
        /// The id of the session in the set.
        session: String,
        /// What it said.
        reason: String,
    },
}

/// What was found in one session, beside what is there.
#[derive(Debug)]
pub struct Scored {
    /// The id of the session in the set.
    pub session: String,
    /// Each candidate with what became of it.
    pub found: Vec<Matched>,
    /// The labels that no candidate matched; optional ones are not counted as missed.
    pub missed: Vec<Label>,
    /// All labels of the session.
    pub labels: Vec<Label>,
}

/// Runs `binary` over every session of the set (or those in `only`), each in a home of its own.
///
/// # Errors
/// When a file of the set cannot be read, or the binary fails or prints something else than its JSON.
pub fn run(binary: &Path, set: &Set, only: &[String]) -> Result<Vec<Scored>, Unscored> {
    let chosen = |session: &&Session| only.is_empty() || only.contains(&session.id);
    set.sessions.iter().filter(chosen).map(|session| scored(binary, set, session)).collect()
}

fn scored(binary: &Path, set: &Set, session: &Session) -> Result<Scored, Unscored> {
    let candidates = candidates(binary, &set.transcript(session))
        .map_err(|reason| Unscored::Failed { session: session.id.clone(), reason })?;
    let labels = set.labels_of(session);
    let (found, missed) = compare(candidates, &labels);
    Ok(Scored { session: session.id.clone(), found, missed, labels })
}

fn candidates(binary: &Path, transcript: &Path) -> Result<Vec<Candidate>, String> {
    #[derive(serde::Deserialize)]
    struct Reflection {
        candidates: Vec<Candidate>,
    }
    let home = tempfile::tempdir().map_err(|error| error.to_string())?;
    let output = Command::new(binary)
        .arg("reflect")
        .arg(transcript)
        .args(["--dry-run", "--json", "--engine", "builtin"])
        .env("AFTERWORD_HOME", home.path())
        .env("CLAUDE_CONFIG_DIR", home.path().join("none"))
        .output()
        .map_err(|error| format!("{}: {error}", binary.display()))?;
    if !output.status.success() {
        return Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim()));
    }
    let reflection: Reflection = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    Ok(reflection.candidates)
}
