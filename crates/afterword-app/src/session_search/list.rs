//! The sessions as a person looks through them: what each was about, how it ended, and those of which only a copy is left.

use std::collections::HashMap;
use std::path::PathBuf;

use afterword_core::hidden::visible;
use afterword_store::{AttemptFilter, AttemptOutcome, IndexedSession, SessionIndex};
use jiff::Timestamp;
use serde::Serialize;

use super::SessionSource;
use crate::sessions::{ListRequest, ReflectionState};
use crate::{App, Error, sessions};

/// Attempts that are asked how their sessions ended, the latest ones.
const MOST_ATTEMPTS: usize = 20_000;

/// A session in the list.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct SessionLine {
    /// The session.
    pub session: String,
    /// Its transcript, or where that was.
    pub transcript: PathBuf,
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
    /// Entries, where it was reflected.
    pub entries: Option<u64>,
    /// Candidates that were found in it, where it was reflected.
    pub candidates: Option<u64>,
    /// How it ended, where that is known: `success`, `partial` or `failure`.
    #[cfg_attr(feature = "contract", ts(as = "Option<AttemptOutcome>"))]
    pub outcome: Option<&'static str>,
}

/// Lists the sessions, the latest first: those that Claude Code has, and those of which a copy is left. What is excluded,
/// forgotten or Afterword's own is listed as far as Claude Code has it, without what was said.
///
/// # Errors
/// [`Error::Store`].
pub fn session_lines(app: &App) -> Result<Vec<SessionLine>, Error> {
    let index = SessionIndex::open_existing(&super::session_index_path(app))?;
    let files = index.map(|index| index.files()).transpose()?.unwrap_or_default();
    let own = files.into_iter().map(|(_, file)| file).filter(|file| file.agent.is_empty());
    let mut indexed: HashMap<String, IndexedSession> =
        own.filter(|file| !file.session.is_empty()).map(|file| (file.session.clone(), file)).collect();
    let outcomes = outcomes(app)?;
    let live = sessions::live_sessions(app)?;
    let mut lines: Vec<SessionLine> = Vec::new();
    for listed in sessions::sessions(app, &ListRequest::default())? {
        let session = listed.session.to_string();
        let known = indexed.remove(&session).unwrap_or_default();
        lines.push(SessionLine {
            live: live.contains(&listed.session),
            outcome: outcomes.get(&session).map(|outcome| outcome.as_str()),
            session,
            transcript: listed.transcript,
            project: listed.project.map(|project| visible(project.as_str()).into_owned()),
            title: visible(&known.title).into_owned(),
            first_words: visible(&known.first_words).into_owned(),
            state: Some(listed.state),
            place: SessionSource::Transcript,
            bytes: listed.bytes,
            modified: listed.modified,
            entries: listed.reflected.map(|(entries, _)| entries),
            candidates: listed.reflected.map(|(_, candidates)| candidates),
        });
    }
    lines.extend(indexed.into_values().map(|file| SessionLine {
        live: false,
        outcome: outcomes.get(&file.session).map(|outcome| outcome.as_str()),
        transcript: PathBuf::from(&file.path),
        project: Some(visible(&file.project).into_owned()).filter(|project| !project.is_empty()),
        title: visible(&file.title).into_owned(),
        first_words: visible(&file.first_words).into_owned(),
        state: None,
        place: SessionSource::Archive,
        bytes: file.size,
        modified: file.ended_at.or(file.started_at).unwrap_or_default(),
        entries: None,
        candidates: None,
        session: file.session,
    }));
    lines.sort_by(|one, other| (other.modified, &one.session).cmp(&(one.modified, &other.session)));
    Ok(lines)
}

/// How each session ended last, as far as that is known.
fn outcomes(app: &App) -> Result<HashMap<String, AttemptOutcome>, Error> {
    let Some(store) = app.existing_store()? else { return Ok(HashMap::new()) };
    let filter = AttemptFilter { limit: MOST_ATTEMPTS, ..AttemptFilter::default() };
    let mut outcomes = HashMap::new();
    for attempt in store.attempts().list(&filter)? {
        outcomes.entry(attempt.session.to_string()).or_insert(attempt.outcome);
    }
    Ok(outcomes)
}
