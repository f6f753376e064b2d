//! What a session left open as it went quiet, told once to the next one of its project: a small file a project, which the agent
//! leaves and the hook takes.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use afterword_core::hidden::visible;
use afterword_core::{ProjectKey, SessionId};
use afterword_platform::files::{create_private_directory, read_text, remove_if_there, replace_file};
use afterword_transcript::has_news;
use afterword_vault::{ContentHash, plain};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Asking, Given, wording};
use crate::log::OrLog;
use crate::repository::project_folder;
use crate::{App, Error};

/// What was left open longer ago is nobody's next step.
const LASTS: Duration = Duration::from_secs(7 * 86_400);
/// A session that grew by more than this has gone on; less is read to find out.
const LONG: u64 = 256 * 1024;
/// What is told of it, at most, in bytes.
const LONGEST: usize = 400;

/// What a session left open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenEnds {
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
pub fn leave_open(app: &App, left: &OpenEnds) -> Result<(), Error> {
    let path = file_of(app, &left.project);
    let error = |source| Error::Io { path: path.clone(), action: "write what was left open", source };
    if left.lines.is_empty() {
        if of_project(app, &left.project).is_some_and(|known| known.session == left.session) {
            remove_if_there(&path).map_err(error)?;
        }
        return Ok(());
    }
    create_private_directory(&folder(app)).map_err(error)?;
    let text = serde_json::to_vec(left).map_err(|problem| error(problem.into()))?;
    replace_file(&path, &text).map_err(error)
}

/// Forgets what every session left open.
pub(crate) fn forget_left_open(app: &App) -> Result<(), Error> {
    let path = folder(app);
    match fs::remove_dir_all(&path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::Io { path, action: "remove what was left open", source })
        }
        _ => Ok(()),
    }
}

/// Adds to what a session is given what the one before it left open, and takes that back: it is told once.
pub(super) fn tell(app: &App, asking: &Asking, given: &mut Given, now: Timestamp) {
    if asking.moment != "startup" || super::may_be_given(app, asking).is_err() {
        return;
    }
    let Some(cwd) = &asking.cwd else { return };
    let project = ProjectKey::from_cwd(&project_folder(cwd, &app.config.folders));
    let Some(left) = of_project(app, &project).filter(|left| left.session != asking.session) else { return };
    remove_if_there(&file_of(app, &project)).map(drop).or_log("taking what was left open");
    if now.duration_since(left.at).unsigned_abs() > LASTS || has_gone_on(&left) {
        return;
    }
    let said = left.lines.iter().map(|line| visible(line)).collect::<Vec<_>>().join(" ");
    let said = wording::harmless(&plain::one_line(&app.redaction().text(&said), LONGEST));
    given.text = wording::with_quotation(&given.text, &said);
    (given.tokens, given.bytes) = (wording::tokens_of(&given.text), Some(given.text.len()));
    given.silence.clear();
}

/// Somebody said or did something in the session since, or nobody can tell.
fn has_gone_on(left: &OpenEnds) -> bool {
    let size = fs::metadata(&left.transcript).map_or(u64::MAX, |metadata| metadata.len());
    match size.checked_sub(left.size) {
        Some(0) => false,
        Some(more) if more <= LONG => has_news(&left.transcript, left.size).unwrap_or(true),
        _ => true,
    }
}

fn of_project(app: &App, project: &ProjectKey) -> Option<OpenEnds> {
    let left: OpenEnds = serde_json::from_str(&read_text(&file_of(app, project)).ok()?).ok()?;
    (left.project == *project).then_some(left)
}

fn file_of(app: &App, project: &ProjectKey) -> PathBuf {
    folder(app).join(format!("{}.json", ContentHash::of(project.as_str().as_bytes())))
}

fn folder(app: &App) -> PathBuf {
    app.paths.state.join("left-open")
}
