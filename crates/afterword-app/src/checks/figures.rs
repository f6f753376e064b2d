//! How often checks held, as far as the log goes back.

use std::collections::HashSet;

use jiff::Timestamp;
use serde::Serialize;

use super::bindings::{self, Bindings};
use crate::{App, Error};

/// How often checks held.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct CheckFigures {
    /// Lessons that bind now.
    pub binding: usize,
    /// Calls that were stopped and turns that were sent on, of all lessons that ever bound.
    pub held: usize,
    /// The sessions this was in.
    pub sessions: usize,
    /// Of these sessions, those for which the person lifted the check.
    pub lifted: usize,
    /// Since when it is known; the log has a limited length.
    pub since: Option<Timestamp>,
}

/// Counts how often checks held.
///
/// # Errors
/// [`Error::Io`].
pub fn check_figures(app: &App) -> Result<CheckFigures, Error> {
    let bound = Bindings::read(&app.paths)?;
    let logged = bindings::read_log(&app.paths);
    let held: Vec<_> = logged.iter().filter(|line| line.what == bindings::STOPPED_SOMETHING).collect();
    let cases: HashSet<_> = held.iter().map(|line| (&line.note, &line.session)).collect();
    let is_lifted = |(note, session): &&(&Option<_>, &Option<_>)| match (note, session) {
        (Some(note), Some(session)) => bound.is_lifted(*note, session),
        _ => false,
    };
    let sessions: HashSet<_> = cases.iter().map(|(_, session)| session).collect();
    let agreed = bound.notes.iter().map(|note| note.agreed).min();
    Ok(CheckFigures {
        binding: bound.notes.len(),
        held: held.len(),
        sessions: sessions.len(),
        lifted: cases.iter().filter(is_lifted).map(|(_, session)| session).collect::<HashSet<_>>().len(),
        since: logged.first().map(|line| line.at).into_iter().chain(agreed).min(),
    })
}
