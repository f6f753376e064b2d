//! An open session that idles, as a model sees it: its end, in one call, once until something happens in it.

use std::path::Path;

use afterword_core::{JobId, ProjectKey, SessionId};
use afterword_reflect::engine::Tail;
use afterword_reflect::engine::heartbeat::{HeartbeatAnswer, check_session_end};
use afterword_store::{Purpose, Store};
use jiff::{SignedDuration, Timestamp, Zoned};

use super::{CallLedger, CallSubject, model_mark};
use crate::error::EngineCallError;
use crate::model_calls::engines;
use crate::{App, EngineName, Error, excluded};

/// An open session that is to be looked at.
pub struct QuietSession<'a> {
    /// The job that looks.
    pub job: JobId,
    /// The session.
    pub session: &'a SessionId,
    /// Its project, where it is known.
    pub project: Option<&'a ProjectKey>,
    /// Its transcript.
    pub transcript: &'a Path,
    /// When something happened in it last.
    pub last_activity: Timestamp,
}

/// What came of it.
pub enum QuietSessionVerdict {
    /// Nobody was asked: the built-in engine is chosen, the pause is short, or the session was looked at as it stands.
    NotAsked,
    /// Who was asked, and what they say.
    Asked(String, HeartbeatAnswer),
}

/// Asks the chosen engine what the person should know of a session that idles. `task` is the person's own prompt,
/// `noticed` what is told anyway.
pub fn check_quiet_session(
    app: &App,
    store: &Store,
    quiet: &QuietSession<'_>,
    (task, noticed): (&str, &[String]),
    now: &Zoned,
) -> Result<QuietSessionVerdict, Error> {
    let engine = app.config.engine;
    let asked_before =
        || store.engine_calls().was_asked(Purpose::Heartbeat, quiet.session, quiet.last_activity);
    // One that costs money is not asked at every pause.
    let idle = now.timestamp().duration_since(quiet.last_activity);
    let rests = idle >= SignedDuration::try_from(app.config.reflection_idle()).unwrap_or(SignedDuration::MAX);
    if engine == EngineName::Builtin || !rests || asked_before()? {
        return Ok(QuietSessionVerdict::NotAsked);
    }
    let Some(model) = engines::model(app, engine)? else { return Ok(QuietSessionVerdict::NotAsked) };
    let (redaction, model_name) = (app.redaction(), engines::model_name(app, engine));
    let tail = excluded::scan_redacted(app, quiet.transcript, &redaction, |tail: &mut Tail, event| {
        tail.push(&event);
    })?;
    let about = CallSubject {
        purpose: Purpose::Heartbeat,
        job: Some(quiet.job),
        session: quiet.session.as_str(),
        project: quiet.project.map_or("", ProjectKey::as_str),
    };
    let mut ledger = CallLedger::new(store, app.config.budget, now, (engine.as_str(), &model_name), about);
    let noticed: Vec<String> = noticed.iter().map(|line| redaction.text(line)).collect();
    let task = redaction.text(task);
    let looked = check_session_end(model.as_ref(), (&task, &noticed[..]), &tail.finish(), &mut ledger);
    let looked = looked.map_err(|source| EngineCallError::Failed { engine, source: Box::new(source) })?;
    Ok(QuietSessionVerdict::Asked(model_mark(engine, &model_name), looked))
}
