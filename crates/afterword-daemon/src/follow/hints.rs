//! What hooks and processes tell of sessions: sooner and surer than files, and never needed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use afterword_core::session::Client;
use afterword_core::{ProjectKey, SessionId};
use afterword_platform::process::Liveness;
use afterword_store::{Store, TimelineEntry, TimelineEvent};
use jiff::Timestamp;

use super::Follower;
use afterword_app::Error;
use afterword_claude_code::dirs::claude_directory_of;
use afterword_claude_code::discover::is_named_as_transcript;
use afterword_claude_code::markers::{Marker, Markers};
use afterword_claude_code::spool::{HookEvent, SpoolEvent};

/// Sessions that ended before anything of them was written are few, and so are those that were resumed and not spoken to; more than
/// that of either are somebody's nonsense.
const MOST_EARLY: usize = 1000;
/// A transcript that did not come so long after its session's end never will.
const LATEST: Duration = Duration::from_secs(86_400);

/// Takes in what a hook told.
pub(crate) fn apply_hook_event(
    follower: &mut Follower,
    store: &Store,
    event: &SpoolEvent,
    now: Timestamp,
) -> Result<(), Error> {
    let project = event.cwd.as_deref().map(ProjectKey::from_cwd);
    let own = event
        .cwd
        .as_deref()
        .is_some_and(|cwd| Path::new(cwd).starts_with(follower.app.paths().engine_workplace()));
    if own || project.is_some_and(|project| follower.app.config().exclude.covers(&project)) {
        return Ok(());
    }
    let followed = event.transcript_path.as_ref().map(|path| followed_path(follower, path));
    let is_set_aside = followed.as_ref().is_some_and(Option::is_none);
    // A container or the other side of WSL names a file that is followed by another path.
    if is_set_aside && !follower.sessions.values().any(|one| one.session == event.session_id) {
        return Ok(());
    }
    if let Some(path) = followed.as_ref().and_then(Option::as_ref)
        && path.is_absolute()
        && is_named_as_transcript(path)
        && !follower.sessions.contains_key(path)
    {
        follower.look_at(store, [path], now)?;
    }
    // A fork says that it resumes the session it is made from; which of the two goes on is known when it is spoken to.
    let is_known = || follower.sessions.values().any(|one| one.session == event.session_id);
    let resumes = event.event == HookEvent::SessionStart && event.source.as_deref() == Some("resume");
    if resumes && follower.resumes.len() < MOST_EARLY && is_known() {
        follower.resumes.insert(event.session_id.clone(), event.clone());
        return Ok(());
    }
    if let Some(start) = follower.resumes.remove(&event.session_id)
        && event.event != HookEvent::SessionEnd
    {
        add_to_timeline(store, &start, TimelineEvent::Began, start.at.min(now))?;
    }
    let at = event.at.min(now);
    let mut known = false;
    for session in follower.sessions.values_mut().filter(|one| one.session == event.session_id) {
        known = true;
        session.active_at(at);
        match event.event {
            HookEvent::SessionEnd => session.mark_ended(at),
            _ => session.goes_on(),
        }
    }
    if event.event != HookEvent::SessionEnd {
        if follower.ends.remove(&event.session_id).is_some() {
            store.early_ends().remove(&event.session_id)?;
        }
    } else if !known && follower.ends.len() < MOST_EARLY {
        store.early_ends().put(&event.session_id, at)?;
        follower.ends.insert(event.session_id.clone(), at);
    }
    match event.event {
        HookEvent::SessionStart => add_to_timeline(store, event, begun_as(event), at),
        HookEvent::UserPromptSubmit | HookEvent::Stop | HookEvent::SessionEnd => Ok(()),
    }
}

/// Forgets ends of sessions whose transcripts never came.
pub(crate) fn forget_early_ends(follower: &mut Follower, store: &Store, now: Timestamp) -> Result<(), Error> {
    let before = now.checked_sub(LATEST).unwrap_or(Timestamp::MIN);
    store.early_ends().prune(before)?;
    follower.ends.retain(|_, at| *at >= before);
    Ok(())
}

/// Looks for the clients of all sessions that began, and settles the markers of those that are over and have nothing
/// left to reflect. Says whether any is still open.
pub(crate) fn check_clients(
    follower: &mut Follower,
    store: &Store,
    markers: &Markers,
    now: Timestamp,
) -> Result<bool, Error> {
    let open: HashMap<SessionId, Marker> = markers.open()?.into_iter().collect();
    let followed =
        |this: &Follower, session: &SessionId| this.sessions.values().any(|one| one.session == *session);
    let unknown: Vec<_> = open.iter().filter(|(session, _)| !followed(follower, session)).collect();
    for (session, marker) in unknown {
        if let Some(path) = marker.transcript_path.as_ref().filter(|path| path.is_absolute())
            && let Some(path) = followed_path(follower, path)
        {
            follower.look_at(store, [&path], now)?;
        }
        // Its client is gone, and nothing was ever written, or nothing that may be read: there is nothing to lose.
        if !followed(follower, session) && is_over(follower, marker, now) {
            markers.mark_reflected(session, now)?;
        }
    }
    let rules = follower.rules;
    let mut any_open = !markers.open()?.iter().all(|(session, _)| followed(follower, session));
    for session in follower.sessions.values_mut() {
        let Some(marker) = open.get(&session.session) else {
            session.facts.client = Client::NeverSeen;
            continue;
        };
        session.facts.client = client(marker);
        if !session.facts.news
            && !session.is_queued
            && session.looked_at
            && session.facts.is_over(&rules, now)
        {
            markers.mark_reflected(&session.session, now)?;
            session.facts.client = Client::NeverSeen;
            // Without its marker nothing else would say that it is over.
            if session.facts.ended_at.is_none() {
                session.mark_ended(session.facts.last_activity);
            }
        } else {
            any_open = true;
        }
    }
    Ok(any_open)
}

/// The transcript that a hook names, as its directory is followed. One in another is set aside, which is said once in the log; when
/// its directory is named, it is found by its file.
fn followed_path(follower: &mut Follower, transcript: &Path) -> Option<PathBuf> {
    let followed = follower.app.claude().followed_path(transcript);
    if followed.is_some() {
        return followed;
    }
    let directory = claude_directory_of(transcript);
    if follower.set_aside.len() < MOST_EARLY && follower.set_aside.insert(directory.to_owned()) {
        tracing::info!(directory = %directory.display(), "hooks tell of sessions in a directory that is not followed: they are set aside");
    }
    None
}

fn is_over(follower: &Follower, marker: &Marker, now: Timestamp) -> bool {
    let given_up = now.duration_since(marker.started_at);
    let given_up = given_up.is_positive() && given_up.unsigned_abs() >= follower.rules.unknown;
    match client(marker) {
        Client::Gone => true,
        Client::Running => false,
        Client::Unknown | Client::NeverSeen => given_up,
    }
}

/// What a session's start was: once its conversation is compacted the client starts it anew.
fn begun_as(event: &SpoolEvent) -> TimelineEvent {
    if event.source.as_deref() == Some("compact") { TimelineEvent::Compacted } else { TimelineEvent::Began }
}

fn add_to_timeline(
    store: &Store,
    event: &SpoolEvent,
    what: TimelineEvent,
    at: Timestamp,
) -> Result<(), Error> {
    let source = event.source.as_deref().filter(|source| what == TimelineEvent::Began && is_word(source));
    let detail = source.map(str::to_owned);
    let entry = TimelineEntry { session: event.session_id.clone(), at, what, detail };
    Ok(store.timeline().add(&entry)?)
}

fn client(marker: &Marker) -> Client {
    match marker.liveness() {
        Liveness::Alive => Client::Running,
        Liveness::Gone => Client::Gone,
        Liveness::Unknown => Client::Unknown,
    }
}

/// How a session started is one word of the client's own.
fn is_word(text: &str) -> bool {
    text.len() <= 40 && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}
