//! Finding what was said and done in sessions: an index over all of them, kept up to date, and searches in it.
//!
//! The index lies in the state directory and can be deleted at any time: it is made anew from the transcripts, from the copies in
//! the archive, and from the prompts that Claude Code's own `history.jsonl` has. Secrets are taken out before anything is
//! indexed; what is excluded or forgotten is not in it. It does not know what SQL says, and no lesson.
//!
//! Start reading at [`crate::session_search::find::find`]; `index` fills the index (the running agent has it done in the background), `pack` is the form of what is
//! shown, `meaning` has what the person's messages mean, `history` reads the prompts.

mod find;
mod history;
mod index;
mod list;
mod meaning;
mod pack;
mod snippet;

pub use find::{FindRequest, FindResult, FoundLine, FoundSession, SessionSource, find};
pub(crate) use index::first_words;
pub use index::{IndexedSessions, SessionIndexStatus, index_sessions, session_index_status};
pub use list::{SessionLine, session_lines};
pub use snippet::SnippetPiece;

use std::path::{Path, PathBuf};

use afterword_store::SessionIndex;

use crate::{App, Error, archive};

/// Raised with every change of what is indexed and how.
const RULES: u32 = 2;

/// Where the index over sessions is.
pub fn session_index_path(app: &App) -> PathBuf {
    app.paths.state.join("sessions.db")
}

/// What the index is made under: where that changes, it is made anew.
fn index_rules(app: &App) -> String {
    let config = &app.config;
    // In an order that is the same whichever of them Claude Code runs with.
    let mut roots: Vec<String> = app.claude().iter().map(|home| home.root().display().to_string()).collect();
    roots.sort();
    let rules = format!(
        "{RULES} {} {:?} {:?} {:?} {}",
        env!("CARGO_PKG_VERSION"),
        config.exclude.patterns(),
        config.redact_extra,
        config.folders,
        roots.join(" ")
    );
    blake3::hash(rules.as_bytes()).to_hex().to_string()
}

/// Whether a transcript is to be listed and found: its directory is followed, or it is gone and all that is left of it is here. One that
/// still lies in a directory that is not followed any more comes back when that is named again.
fn is_in_view(app: &App, transcript: &Path) -> bool {
    app.claude().home_naming(transcript).is_some() || !transcript.exists()
}

/// Takes sessions that are forgotten out of the index, and their copies out of the archive.
pub(crate) fn remove_from_search(app: &App, sessions: &[afterword_core::SessionId]) -> Result<(), Error> {
    archive::archive(app).remove_sessions(sessions)?;
    let Some(index) = SessionIndex::open_existing(&session_index_path(app))? else { return Ok(()) };
    for session in sessions {
        index.remove_session(session.as_str())?;
    }
    // Their prompts are among those of all others; without the row they are read again, without the forgotten.
    for history in history::history_paths(app) {
        index.remove(&history.to_string_lossy())?;
    }
    index.compact()?;
    Ok(())
}
