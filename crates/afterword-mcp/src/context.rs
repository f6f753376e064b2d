//! What the tools work with: the use cases on the configuration as it is now, and arguments taken apart.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use afterword_app::current_session::{self, CurrentSession};
use afterword_app::queue::Queue;
use afterword_app::{App, Environment, is_named_as_transcript, queue};
use afterword_core::{LessonScope, ProjectKey, UserId};

use crate::answer::ToolFailure;

/// The longest argument that names something, in bytes.
const LONGEST_NAME: usize = 4096;

/// The use cases, for one client.
#[derive(Debug)]
pub(crate) struct ToolContext {
    environment: Environment,
    /// Open as long as the state directory is the same.
    queue: Mutex<Option<(PathBuf, Queue)>>,
}

impl ToolContext {
    pub(crate) fn new(environment: Environment) -> Self {
        Self { environment, queue: Mutex::new(None) }
    }

    /// The use cases; the configuration is read anew, as a server lives as long as its client.
    pub(crate) fn app(&self) -> Result<App, ToolFailure> {
        Ok(App::new(self.environment.clone())?.for_model())
    }

    /// Does something with the queue, which stays open between calls.
    pub(crate) fn with_queue<T>(
        &self,
        work: impl FnOnce(&App, &Queue) -> Result<T, ToolFailure>,
    ) -> Result<T, ToolFailure> {
        let app = self.app()?;
        let mut open = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let state = &app.paths().state;
        // A state directory that was thrown away is made anew.
        let usable =
            open.as_ref().is_some_and(|(opened, _)| opened == state && app.paths().database().exists());
        if !usable {
            *open = Some((state.clone(), queue::queue(&app)?));
        }
        match open.as_ref() {
            Some((_, queue)) => work(&app, queue),
            None => Err(ToolFailure::Bug("the queue is not open".to_owned())),
        }
    }

    /// Where the client runs.
    pub(crate) fn environment(&self) -> &Environment {
        &self.environment
    }

    /// The directory the client works in.
    pub(crate) fn project_directory(&self) -> &Path {
        &self.environment.working_directory
    }

    /// The project the client works in.
    pub(crate) fn project_key(&self) -> ProjectKey {
        ProjectKey::from_cwd(&self.project_directory().to_string_lossy())
    }

    /// The session the client is in.
    pub(crate) fn current_session(&self, app: &App) -> Result<Option<CurrentSession>, ToolFailure> {
        Ok(current_session::current_session(app, self.project_directory())?)
    }

    /// The project a lesson of this scope holds in.
    pub(crate) fn project(&self, scope: LessonScope) -> Option<ProjectKey> {
        (scope == LessonScope::Project).then(|| self.project_key())
    }

    /// Whose work it is. The name is kept as it is, so it may be no secret.
    pub(crate) fn user(&self, user: Option<&str>) -> Result<UserId, ToolFailure> {
        let Some(text) = user else { return Ok(UserId::default()) };
        let problem = "it must be 1 to 128 bytes without control characters or blanks around it";
        let user = UserId::parse(text).ok_or_else(|| ToolFailure::argument("user_id", problem))?;
        if self.app()?.redaction().text(text) != text {
            return Err(ToolFailure::argument("user_id", "it looks like a secret; give the name of a user"));
        }
        Ok(user)
    }
}

/// Something named by a short text.
pub(crate) fn check_name<'a>(argument: &'static str, text: &'a str) -> Result<&'a str, ToolFailure> {
    let text = text.trim();
    if text.is_empty() || text.len() > LONGEST_NAME || text.contains(char::is_control) {
        return Err(ToolFailure::argument(argument, "it must be a line of 1 to 4096 bytes"));
    }
    Ok(text)
}

/// A session by its id or the start of it, or by its transcript; no other file is read for a client.
pub(crate) fn session(text: &str) -> Result<&str, ToolFailure> {
    let text = check_name("session", text)?;
    let is_path = text.contains(['/', '\\']);
    if is_path && !is_named_as_transcript(Path::new(text)) {
        return Err(ToolFailure::argument(
            "session",
            "it must be a session's id or the path of its transcript",
        ));
    }
    Ok(text)
}

/// A number within bounds, or its default.
pub(crate) fn number(
    argument: &'static str,
    number: Option<u32>,
    default: u32,
    most: u32,
) -> Result<u32, ToolFailure> {
    match number.unwrap_or(default) {
        number if (1..=most).contains(&number) => Ok(number),
        _ => Err(ToolFailure::argument(argument, format!("it must be 1 to {most}"))),
    }
}

/// A text that is not longer than it may be.
pub(crate) fn check_length(
    argument: &'static str,
    text: Option<String>,
    most: usize,
) -> Result<Option<String>, ToolFailure> {
    match text {
        Some(text) if text.len() > most => {
            Err(ToolFailure::argument(argument, format!("it is longer than {most} bytes")))
        }
        text => Ok(text),
    }
}
