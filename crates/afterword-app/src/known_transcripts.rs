//! What the database knows of the transcripts that are there, also of those that were read under another path: a directory is named by
//! a link now, with other capitals, or was moved as a whole.
//!
//! It owns when a row is of a transcript that has none. Start at [`known_transcripts`].

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use afterword_core::SessionId;
use afterword_platform::files::is_same_place;
use afterword_store::{ReflectedFile, Store};

use crate::Error;
use crate::sessions::{Transcript, session_of};

/// A transcript that was read under another path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenamedTranscript {
    /// Where it was read.
    pub before: PathBuf,
    /// Where it is.
    pub now: PathBuf,
}

/// What is known of every file, by the path under which it is found now; and those that were read under another.
///
/// # Errors
/// [`Error::Store`].
pub fn known_transcripts<'t>(
    store: &Store,
    there: impl Iterator<Item = &'t Transcript> + Clone,
) -> Result<(HashMap<PathBuf, ReflectedFile>, Vec<RenamedTranscript>), Error> {
    let mut known = store.sessions().all_by_path()?;
    let renamed = renamed(&known, there);
    for one in &renamed {
        let row = known.remove(&one.before);
        known.extend(row.map(|row| (one.now.clone(), row)));
    }
    Ok((known, renamed))
}

/// What is known of one transcript.
///
/// # Errors
/// [`Error::Store`].
pub(crate) fn known_transcript(
    store: &Store,
    transcript: &Transcript,
) -> Result<Option<ReflectedFile>, Error> {
    if let Some(row) = store.sessions().get(&transcript.path)? {
        return Ok(Some(row.reflected()));
    }
    let renamed = renamed_transcript(store, transcript)?;
    let row = renamed.map(|one| store.sessions().get(&one.before)).transpose()?.flatten();
    Ok(row.map(|row| row.reflected()))
}

/// Whether a transcript was read under another path, and not under this one.
///
/// # Errors
/// [`Error::Store`].
pub(crate) fn renamed_transcript(
    store: &Store,
    transcript: &Transcript,
) -> Result<Option<RenamedTranscript>, Error> {
    let rows = store.sessions().of_session(&transcript.session)?;
    let rows = rows.into_iter().map(|row| (row.path.clone(), row.reflected())).collect();
    Ok(renamed(&rows, std::iter::once(transcript)).pop())
}

/// Lets what is known of transcripts stand under the paths where they are found now.
///
/// # Errors
/// [`Error::Store`].
pub fn remember_renamed(store: &Store, renamed: &[RenamedTranscript]) -> Result<(), Error> {
    for one in renamed {
        store.sessions().rename(&one.before, &one.now)?;
        store.followed_sessions().rename(&one.before, &one.now)?;
    }
    Ok(())
}

/// The transcripts without a row of which there is one under another path: that of the same session where it leads to the same file, or
/// was made of a file of this size and time.
fn renamed<'t>(
    known: &HashMap<PathBuf, ReflectedFile>,
    there: impl Iterator<Item = &'t Transcript> + Clone,
) -> Vec<RenamedTranscript> {
    let new: Vec<&Transcript> = there.clone().filter(|one| !known.contains_key(&one.path)).collect();
    if new.is_empty() {
        return Vec::new();
    }
    let paths: HashSet<&Path> = there.map(|one| one.path.as_path()).collect();
    let mut others: HashMap<SessionId, Vec<&Path>> = HashMap::new();
    for path in known.keys().filter(|path| !paths.contains(path.as_path())) {
        others.entry(session_of(path)).or_default().push(path);
    }
    let mut renamed = Vec::new();
    for transcript in new {
        let Some(others) = others.get_mut(&transcript.session) else { continue };
        // A copy beside an original that is still there is another file.
        let is_it = |other: &&Path| {
            is_same_place(other, &transcript.path)
                || known[*other].fingerprint == transcript.fingerprint && !other.exists()
        };
        if let Some(at) = others.iter().position(is_it) {
            let before = others.swap_remove(at).to_owned();
            renamed.push(RenamedTranscript { before, now: transcript.path.clone() });
        }
    }
    renamed
}
