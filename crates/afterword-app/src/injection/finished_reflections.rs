//! That reflections ended, told once to whoever works on in their project: the next session as it starts, and the session that asked
//! for one with its next prompt.

use std::time::Duration;

use afterword_core::hidden::escape_hidden;
use afterword_core::{ProjectKey, SessionId};
use afterword_vault::plain;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::project_file::{ProjectFile, project_of_request};
use super::{InjectionRecord, InjectionRequest, wording};
use crate::log::OrLog;
use crate::{App, Error};

/// Where they lie, a file a project.
pub(super) const FOLDER: &str = "finished";
/// What ended longer ago is no news.
const LASTS: Duration = Duration::from_secs(7 * 86_400);
/// So many are remembered of a project, the newest.
const MOST: usize = 5;
/// Longest reason of a failure, in bytes.
const LONGEST: usize = 200;

/// A reflection that ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinishedReflection {
    /// The session that was read.
    pub session: SessionId,
    /// Its project.
    pub project: ProjectKey,
    /// When it ended.
    pub at: Timestamp,
    /// Somebody in the session asked for it.
    pub was_asked_for: bool,
    /// Lessons and ideas that were saved.
    pub saved: usize,
    /// Those that wait for the person's review.
    pub waiting: usize,
    /// Why it failed for good, secrets taken out.
    pub failure: Option<String>,
}

/// Leaves word of a reflection that ended, in place of an earlier one of the same session. One that brought nothing and that
/// nobody asked for is no news.
///
/// # Errors
/// [`Error::Io`].
pub fn write_finished_reflection(app: &App, finished: &FinishedReflection) -> Result<(), Error> {
    if finished.saved + finished.waiting == 0 && finished.failure.is_none() && !finished.was_asked_for {
        return Ok(());
    }
    let file = ProjectFile::new(app, FOLDER, &finished.project);
    let mut all = of_project(&file, &finished.project);
    all.retain(|known| known.session != finished.session);
    all.push(finished.clone());
    let old = all.len().saturating_sub(MOST);
    file.write(&all[old..].to_vec())
}

/// Whether a reflection that this session asked for has ended since.
pub fn is_awaited_reflection_done(app: &App, request: &InjectionRequest) -> bool {
    let Some(project) = project_of_request(app, request) else { return false };
    let all = of_project(&ProjectFile::new(app, FOLDER, &project), &project);
    all.iter().any(|finished| is_awaited(finished, request))
}

/// Adds that reflections ended to what a session is given, and takes that back: it is told once.
pub(super) fn add_ended_reflections(
    app: &App,
    request: &InjectionRequest,
    given: &mut InjectionRecord,
    now: Timestamp,
) {
    if matches!(request.moment.as_str(), "compact" | "fork") || super::may_be_given(app, request).is_err() {
        return;
    }
    let Some(project) = project_of_request(app, request) else { return };
    let file = ProjectFile::new(app, FOLDER, &project);
    let is_prompt = request.moment == "prompt";
    let (ended, rest): (Vec<_>, Vec<_>) = of_project(&file, &project)
        .into_iter()
        .partition(|finished| !is_prompt || is_awaited(finished, request));
    if ended.is_empty() {
        return;
    }
    let left = if rest.is_empty() { file.remove() } else { file.write(&rest) };
    left.or_log("taking word of reflections that ended");
    let is_news = |finished: &&FinishedReflection| now.duration_since(finished.at).unsigned_abs() <= LASTS;
    let news: Vec<_> = ended.iter().filter(is_news).collect();
    if !news.is_empty() {
        given.add_line(&describe_ended(app, &news, is_prompt));
    }
}

fn is_awaited(finished: &FinishedReflection, request: &InjectionRequest) -> bool {
    finished.was_asked_for && finished.session == request.session
}

/// What came of reflections, in a line.
fn describe_ended(app: &App, news: &[&FinishedReflection], is_awaited: bool) -> String {
    let sum = |of: fn(&FinishedReflection) -> usize| news.iter().map(|one| of(one)).sum::<usize>();
    let (saved, waiting) = (sum(|one| one.saved), sum(|one| one.waiting));
    let read = news.iter().filter(|one| one.failure.is_none()).count();
    let what = match (is_awaited, read) {
        (true, _) => "The reflection that was asked for is done".to_owned(),
        (false, 1) => "Afterword has reflected on a session here".to_owned(),
        (false, read) => format!("Afterword has reflected on {read} sessions here"),
    };
    let waits = match waiting {
        0 => String::new(),
        1 => ", 1 waits for the user's review".to_owned(),
        more => format!(", {more} wait for the user's review"),
    };
    let done = match saved {
        _ if read == 0 => None,
        0 if waiting == 0 => Some(format!("{what}: nothing new was found.")),
        0 => Some(format!("{what}{waits}.")),
        1 => Some(format!("{what}: 1 lesson was saved{waits}.")),
        more => Some(format!("{what}: {more} lessons were saved{waits}.")),
    };
    let failure = news.iter().rev().find_map(|one| one.failure.as_deref()).map(|reason| {
        let reason = plain::one_line(&escape_hidden(&app.redaction().text(reason)), LONGEST);
        format!("A session here could not be reflected: {}", wording::escape_element(&reason))
    });
    done.into_iter().chain(failure).collect::<Vec<_>>().join(" ")
}

fn of_project(file: &ProjectFile, project: &ProjectKey) -> Vec<FinishedReflection> {
    let mut all: Vec<FinishedReflection> = file.read().unwrap_or_default();
    all.retain(|finished| finished.project == *project);
    all
}
