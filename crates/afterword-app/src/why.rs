//! Why a session was given what it was given, and what became of what it taught.

use afterword_core::SessionId;
use afterword_store::Comparison;
pub use afterword_store::Injection;

use crate::error::SessionError;
use crate::{App, Error, injection};

/// What is known of a session's lessons, in both directions.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The session.
    pub session: SessionId,
    /// What it was given, and what not, each with its reason; the first first.
    pub given: Vec<Injection>,
    /// What its own lessons turned out to be beside what was known.
    pub compared: Vec<Comparison>,
}

/// Says why a session was given what it was given; without an id the one that was given something or nothing last.
///
/// # Errors
/// [`SessionError::NoneAsked`] where none is named and none has asked so far, else as [`crate::sessions::find`], or [`Error::Store`].
pub fn explain(app: &App, session: Option<&str>) -> Result<Explanation, Error> {
    let store = app.store()?;
    injection::absorb_records(app, &store)?;
    let session = match session {
        None => store.injections().latest_session()?.ok_or(SessionError::NoneAsked)?,
        Some(argument) => match SessionId::parse(argument) {
            Some(id) if !store.injections().of_session(&id)?.is_empty() => id,
            _ => {
                let directory = &app.environment.working_directory;
                crate::sessions::find(app.claude(), directory, argument)?.session
            }
        },
    };
    let given = store.injections().of_session(&session)?;
    let compared = store.comparisons().of_session(&session)?;
    Ok(Explanation { session, given, compared })
}
