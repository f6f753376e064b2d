//! What a session left open as it went quiet, told once to the next one of its project: a small file a project, which the agent
//! leaves and the hook takes.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use afterword_core::hidden::escape_hidden;
use afterword_core::{ProjectKey, SessionId};
use afterword_transcript::has_new_activity;
use afterword_vault::plain;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::project_file::{ProjectFile, project_of_request};
use super::{InjectionRecord, InjectionRequest, wording};
use crate::log::OrLog;
use crate::{App, Error};

/// Where what was left open lies, a file a project.
pub(super) const FOLDER: &str = "left-open";

/// What was left open longer ago is nobody's next step.
const LASTS: Duration = Duration::from_secs(7 * 86_400);
/// A session that grew by more than this has gone on; less is read to find out.
const LONG: u64 = 256 * 1024;
/// What is told of it, at most, in bytes.
const LONGEST: usize = 400;

/// What a session left open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnfinishedWork {
    /// The session.
    pub session: SessionId,
    /// Its project.
    pub project: ProjectKey,
    /// Its transcript.
    pub transcript: PathBuf,
    /// The transcript's size when it was looked at.
    pub size: u64,
    /// When that was.
    pub at: Timestamp,
    /// What was left open, a line each, secrets taken out; none for nothing.
    pub lines: Vec<String>,
}

/// Leaves what a session left open for the next one of its project, in place of what was left before. A session that left nothing
/// takes back what it left.
///
/// # Errors
/// [`Error::Io`].
pub fn write_unfinished_work(app: &App, left: &UnfinishedWork) -> Result<(), Error> {
    let file = ProjectFile::new(app, FOLDER, &left.project);
    if !left.lines.is_empty() {
        return file.write(left);
    }
    match of_project(&file, &left.project) {
        Some(known) if known.session == left.session => file.remove(),
        _ => Ok(()),
    }
}

/// Adds to what a session is given what the one before it left open, and takes that back: it is told once.
pub(super) fn add_unfinished_work(
    app: &App,
    request: &InjectionRequest,
    given: &mut InjectionRecord,
    now: Timestamp,
) {
    if request.moment != "startup" || super::may_be_given(app, request).is_err() {
        return;
    }
    let Some(project) = project_of_request(app, request) else { return };
    let file = ProjectFile::new(app, FOLDER, &project);
    let Some(left) = of_project(&file, &project).filter(|left| left.session != request.session) else {
        return;
    };
    file.remove().or_log("taking what was left open");
    if now.duration_since(left.at).unsigned_abs() > LASTS || has_gone_on(&left) {
        return;
    }
    let said = left.lines.iter().map(|line| escape_hidden(line)).collect::<Vec<_>>().join(" ");
    let said = wording::escape_element(&plain::one_line(&app.redaction().text(&said), LONGEST));
    given.add_quotation(&said);
}

/// Somebody said or did something in the session since, or nobody can tell.
fn has_gone_on(left: &UnfinishedWork) -> bool {
    let size = fs::metadata(&left.transcript).map_or(u64::MAX, |metadata| metadata.len());
    match size.checked_sub(left.size) {
        Some(0) => false,
        Some(more) if more <= LONG => has_new_activity(&left.transcript, left.size).unwrap_or(true),
        _ => true,
    }
}

fn of_project(file: &ProjectFile, project: &ProjectKey) -> Option<UnfinishedWork> {
    file.read().filter(|left: &UnfinishedWork| left.project == *project)
}
