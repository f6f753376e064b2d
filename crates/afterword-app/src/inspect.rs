//! What was read from one session, and why each lesson was found.

use afterword_core::{Destination, route};
use afterword_transcript::Report;
use jiff::Timestamp;

use crate::reflect::{EventCounts, SessionReflection};
use crate::{App, EngineName, Error, reflect};

/// What was read from one session, and why.
#[derive(Debug, Clone)]
pub struct Inspection {
    /// The session and its candidates, each with its rationale.
    pub reflection: SessionReflection,
    /// Where each candidate would go, in their order.
    pub destinations: Vec<Destination>,
    /// The engine that mined.
    pub engine: EngineName,
    /// What the reading found: census, token sums, skipped lines.
    pub report: Report,
    /// What the filter made of the entries.
    pub events: EventCounts,
    /// Seen here, but too weak for a lesson by itself: topic and words.
    pub observations: Vec<(String, String)>,
    /// When it was last reflected.
    pub reflected_at: Option<Timestamp>,
}

/// Reads and mines one session, by id, by the start of its id, or by its transcript's path, and writes nothing.
///
/// # Errors
/// As [`crate::reflect::reflect`] for one session.
pub fn inspect(app: &App, argument: &str) -> Result<Inspection, Error> {
    let engine = EngineName::Builtin;
    let store = app.existing_store()?;
    let (mined, redaction) = reflect::mine_by_name(app, argument, engine, store.as_ref())?;
    let row = store.map(|store| store.sessions().get(&mined.selected.path)).transpose()?.flatten();
    let candidates = mined.reflection.candidates.iter();
    let destination = |candidate: &afterword_core::Candidate| {
        route(candidate.kind, candidate.confidence, app.config.review_mode)
    };
    Ok(Inspection {
        destinations: candidates.map(destination).collect(),
        engine,
        events: mined.events,
        observations: mined.observations.into_iter().map(|seen| (seen.topic, seen.quote)).collect(),
        report: redaction.report(mined.report),
        reflection: mined.reflection,
        reflected_at: row.map(|row| row.at),
    })
}
