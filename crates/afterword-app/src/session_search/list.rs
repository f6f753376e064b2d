//! The sessions as a person looks through them: what each was about, how it ended, and those of which only a copy is left.

use std::collections::HashMap;
use std::path::Path;

use afterword_core::hidden::escape_hidden;
use afterword_core::{SessionId, SessionState};
use afterword_store::{IndexedSession, SessionIndex};
use jiff::Timestamp;
use serde::Serialize;

use super::SessionSource;
use crate::sessions::{ListRequest, ReflectionState, SessionEntry};
use crate::{App, Error, sessions};

/// A session in the list.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct SessionLine {
    /// The session.
    pub session: String,
    /// Its project; `None` where no entry tells it.
    pub project: Option<String>,
    /// Its title; empty where it has none, or is not indexed yet.
    pub title: String,
    /// The first words of the person; empty where it is not indexed yet.
    pub first_words: String,
    /// Where it stands with the lessons; `None` where its transcript is gone.
    pub state: Option<ReflectionState>,
    /// What there is of it.
    pub place: SessionSource,
    /// It is going on at this moment.
    pub live: bool,
    /// Bytes of its transcript.
    pub bytes: u64,
    /// When it was last written.
    pub modified: Timestamp,
    /// Candidates that were found in it, where it was reflected.
    pub candidates: Option<u64>,
    /// How it ended, where that is known: `success`, `partial` or `failure`.
    #[cfg_attr(feature = "contract", ts(as = "Option<afterword_store::AttemptOutcome>"))]
    pub outcome: Option<&'static str>,
}

/// Lists the sessions, the latest first: those that Claude Code has, and those of which a copy is left. What is excluded,
/// forgotten or Afterword's own is listed as far as Claude Code has it, without what was said.
///
/// With `latest` only the so many of Claude Code's that were written last, which takes milliseconds also where there are thousands.
///
/// # Errors
/// [`Error::Store`].
pub fn session_lines(app: &App, latest: Option<usize>) -> Result<Vec<SessionLine>, Error> {
    let listed = sessions::sessions(app, &ListRequest { latest, ..ListRequest::default() })?;
    let mut indexed = indexed_sessions(app, latest.map(|_| listed.as_slice()))?;
    let store = app.existing_store()?;
    let outcomes = store.map(|store| store.attempts().last_outcomes()).transpose()?.unwrap_or_default();
    let outcome = |session: &SessionId| outcomes.get(session).map(|outcome| outcome.as_str());
    let mut lines: Vec<SessionLine> = Vec::new();
    for listed in listed {
        let session = listed.session.to_string();
        let known = indexed.remove(&session).unwrap_or_default();
        lines.push(SessionLine {
            live: listed.followed.is_some_and(|followed| followed.state == SessionState::Active),
            outcome: outcome(&listed.session),
            session,
            project: listed.project.map(|project| escape_hidden(project.as_str()).into_owned()),
            title: escape_hidden(&known.title).into_owned(),
            first_words: escape_hidden(&known.first_words).into_owned(),
            state: Some(listed.state),
            place: SessionSource::Transcript,
            bytes: listed.bytes,
            modified: listed.modified,
            candidates: listed.reflected.map(|(_, candidates)| candidates),
        });
    }
    let left = indexed.into_values().filter(|file| super::is_in_view(app, Path::new(&file.path)));
    lines.extend(left.map(|file| SessionLine {
        live: false,
        outcome: SessionId::parse(&file.session).and_then(|session| outcome(&session)),
        project: Some(escape_hidden(&file.project).into_owned()).filter(|project| !project.is_empty()),
        title: escape_hidden(&file.title).into_owned(),
        first_words: escape_hidden(&file.first_words).into_owned(),
        state: None,
        place: SessionSource::Archive,
        bytes: file.size,
        modified: file.ended_at.or(file.started_at).unwrap_or_default(),
        candidates: None,
        session: file.session,
    }));
    lines.sort_by(|one, other| (other.modified, &one.session).cmp(&(one.modified, &other.session)));
    Ok(lines)
}

/// What the index has of sessions' own files, by session; only of those in `few` where that says which.
fn indexed_sessions(
    app: &App,
    few: Option<&[SessionEntry]>,
) -> Result<HashMap<String, IndexedSession>, Error> {
    let Some(index) = SessionIndex::open_existing(&super::session_index_path(app))? else {
        return Ok(HashMap::new());
    };
    let mut indexed = HashMap::new();
    match few {
        Some(few) => {
            for session in few.iter().map(|entry| entry.session.as_str()) {
                let file = index.file_of_session(session)?;
                indexed.extend(file.map(|file| (session.to_owned(), file)));
            }
        }
        None => {
            let own = index.files()?.into_iter().map(|(_, file)| file);
            let own = own.filter(|file| file.agent.is_empty() && !file.session.is_empty());
            indexed.extend(own.map(|file| (file.session.clone(), file)));
        }
    }
    Ok(indexed)
}
