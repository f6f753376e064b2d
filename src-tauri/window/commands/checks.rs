//! Lessons that bind: what is proposed, the person's yes, and lifting it.

use afterword_app::checks::binding::{Proposal, UnbindOutcome};
use afterword_app::checks::check::{Check, FORMS};
use afterword_app::{App, Error, checks};
use jiff::Timestamp;
use serde::Serialize;
use tauri::AppHandle;

use super::{Answer, ask, change};
use crate::desktop_error::DesktopError;
use afterword_app::install;

/// A lesson's checks, and whether anybody asks them.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub(crate) struct Binding {
    #[serde(flatten)]
    proposal: Proposal,
    /// Claude Code asks before a tool runs.
    is_asked: bool,
}

impl Binding {
    fn of(app: &App, proposal: Proposal) -> Self {
        Self { proposal, is_asked: install::asks_before_tools(app) }
    }
}

/// Shows what would bind, and what it would have stopped; changes nothing. `given` are checks the person writes, a line each; without
/// any, those of the note count, else what its words say.
#[tauri::command]
pub(crate) async fn binding(app: AppHandle, id: String, given: Vec<String>) -> Answer<Binding> {
    let given = checks(&given)?;
    ask(&app, move |app| {
        let proposal = checks::propose_checks(&app, &id, &given)?;
        Ok(Binding::of(&app, proposal))
    })
    .await
}

/// Lets the checks bind that the person has seen, and no others.
#[tauri::command]
pub(crate) async fn bind(
    app: AppHandle,
    id: String,
    given: Vec<String>,
    seen: Vec<String>,
) -> Answer<Binding> {
    let given = checks(&given)?;
    let bound = change(&app, move |app| bound(&app, &id, &given, &seen)).await?;
    Ok(bound.ok_or(DesktopError::LessonChanged)?)
}

fn bound(app: &App, id: &str, given: &[Check], seen: &[String]) -> Result<Option<Binding>, Error> {
    let mut proposal = checks::propose_checks(app, id, given)?;
    if proposal.checks != seen || proposal.checks.is_empty() || proposal.problem.is_some() {
        return Ok(None);
    }
    checks::bind(app, &proposal, Timestamp::now())?;
    proposal.binds = true;
    Ok(Some(Binding::of(app, proposal)))
}

/// What became of lifting a check.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum LiftOutcome {
    /// It binds no more, or does not in the session it stopped last.
    Done,
    /// It did not bind, or has stopped no session.
    Nothing,
}

/// Lifts a lesson's checks for good, or for the session that they stopped last.
#[tauri::command]
pub(crate) async fn unbind(app: AppHandle, id: String, once: bool) -> Answer<LiftOutcome> {
    let lifted = change(&app, move |app| checks::unbind(&app, &id, once, None)).await?;
    Ok(match lifted {
        UnbindOutcome::ForGood | UnbindOutcome::ForSession(_) => LiftOutcome::Done,
        UnbindOutcome::DidNotBind | UnbindOutcome::NoSession => LiftOutcome::Nothing,
    })
}

fn checks(lines: &[String]) -> Answer<Vec<Check>> {
    let forms = FORMS.replace('\n', "; ");
    Ok(Check::parse_all(lines).map_err(|detail| DesktopError::NoCheck { detail, forms })?)
}
