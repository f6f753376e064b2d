//! Whether a session that seems due really holds something to reflect: asked right before it is queued.

use std::path::Path;

use afterword_core::{JobStatus, JobType};
use afterword_store::{Store, TranscriptOutcome};
use jiff::Timestamp;

use super::Follower;
use afterword_app::reflect::Eligibility;
use afterword_app::sessions;
use afterword_app::{Error, reflect};

/// What a closer look at a session says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is to be reflected.
    Reflect,
    /// There is nothing to reflect until it is written to again.
    Nothing,
    /// It changed meanwhile, or is gone.
    Changed,
}

/// Looks closer at one session: at its file, what other processes did, and, where it only grew, what was added.
pub(crate) fn verify(
    follower: &mut Follower,
    store: &Store,
    path: &Path,
    now: Timestamp,
) -> Result<Verdict, Error> {
    let verdict = verdict(follower, store, path, now)?;
    if verdict == Verdict::Nothing
        && let Some(session) = follower.sessions.get_mut(path)
    {
        session.mark_unchanged();
    }
    Ok(verdict)
}

fn verdict(follower: &mut Follower, store: &Store, path: &Path, now: Timestamp) -> Result<Verdict, Error> {
    let Some(transcript) = sessions::transcript_at(path) else {
        follower.mark_lost(store, |other, _| other == path)?;
        return Ok(Verdict::Changed);
    };
    let vault = follower.app.vault_root();
    let known = store.sessions().get(path)?.map(|row| row.reflected());
    let Some(session) = follower.sessions.get_mut(path) else { return Ok(Verdict::Changed) };
    if session.fingerprint != transcript.fingerprint {
        session.on_file_changed(transcript.fingerprint, now);
        return Ok(Verdict::Changed);
    }
    let reflected =
        known.filter(|known| known.outcome == TranscriptOutcome::Reflected && known.vault == vault);
    if let Some(known) = reflected {
        session.reflected = Some(known.fingerprint);
        if known.fingerprint == transcript.fingerprint {
            return Ok(Verdict::Nothing);
        }
        let grown = known.fingerprint.size < transcript.fingerprint.size;
        if grown && !afterword_transcript::has_new_activity(path, known.fingerprint.size)? {
            store.sessions().set_fingerprint(path, transcript.fingerprint)?;
            session.reflected = Some(transcript.fingerprint);
            return Ok(Verdict::Nothing);
        }
    } else if let Eligibility::Skipped(_) = reflect::eligibility(&follower.app, store, &transcript, now)? {
        follower.mark_lost(store, |other, _| other == path)?;
        return Ok(Verdict::Changed);
    }
    let Some(session) = follower.sessions.get(path) else { return Ok(Verdict::Changed) };
    // What a person cancelled is not begun again by itself.
    let last = store.jobs().last_job_about(JobType::Reflection, session.session.as_str())?;
    let cancelled = last.filter(|job| job.status == JobStatus::Cancelled).and_then(|job| job.completed_at);
    let since = session.facts.last_activity;
    Ok(if !session.asked && cancelled.is_some_and(|at| at >= since) {
        Verdict::Nothing
    } else {
        Verdict::Reflect
    })
}
