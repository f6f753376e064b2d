//! Which open sessions are to be looked at because they idle.

use std::path::PathBuf;

use afterword_core::heartbeat::{CompletedHeartbeat, HeartbeatRules, next_heartbeat};
use afterword_core::job::saturating_add;
use afterword_core::{JobType, SessionId};
use afterword_store::{RunOutcome, Store};
use jiff::Timestamp;

use super::{Follower, TrackedSession};
use afterword_app::Error;

/// Sessions whose heartbeat is due.
pub(crate) fn due_heartbeats(
    follower: &mut Follower,
    store: &Store,
    now: Timestamp,
) -> Result<Vec<PathBuf>, Error> {
    let Some(rules) = follower.heartbeat else { return Ok(Vec::new()) };
    let session_rules = follower.rules;
    let mut due = Vec::new();
    for (path, session) in &mut follower.sessions {
        if session.is_heartbeat_queued || session.facts.is_over(&session_rules, now) || !session.looked_at {
            continue;
        }
        // Only of the few sessions that may be due is the log asked.
        if next_heartbeat(session.facts.last_activity, None, &rules).is_none_or(|at| at > now) {
            continue;
        }
        if session.beat.is_none() {
            let last = store.job_logs().last_success(JobType::Heartbeat, &session.session)?;
            session.beat = Some(last.map(|log| CompletedHeartbeat {
                at: log.ended_at,
                continued: log.outcome == RunOutcome::Continued,
            }));
        }
        let next = next_heartbeat(session.facts.last_activity, session.beat.flatten(), &rules);
        // One that fell due while the machine slept, and was left since, is let go.
        let is_left = saturating_add(session.facts.last_activity, rules.left.max(rules.idle)) < now;
        if next.is_some_and(|at| at <= now && !is_left) {
            due.push(path.clone());
        }
    }
    Ok(due)
}

pub(crate) fn mark_heartbeat_begun(follower: &mut Follower, path: &PathBuf) {
    if let Some(session) = follower.sessions.get_mut(path) {
        session.is_heartbeat_queued = true;
    }
}

/// A heartbeat of the session has ended, or waits to be tried again. One that left no log of itself failed, and is
/// not begun anew before its time.
pub(crate) fn heartbeat_ended(
    follower: &mut Follower,
    store: &Store,
    session: &SessionId,
    tried_again: bool,
    now: Timestamp,
) -> Result<(), Error> {
    for one in follower.sessions.values_mut().filter(|one| one.session == *session) {
        one.is_heartbeat_queued = tried_again;
        let last = store.job_logs().last_success(JobType::Heartbeat, session)?;
        let since = last.filter(|log| log.ended_at >= one.facts.last_activity);
        let failed = CompletedHeartbeat { at: now, continued: true };
        one.beat = Some(Some(since.map_or(failed, |log| CompletedHeartbeat {
            at: log.ended_at,
            continued: log.outcome == RunOutcome::Continued,
        })));
    }
    Ok(())
}

/// When the next heartbeat is due.
pub(crate) fn next_beat(follower: &Follower, now: Timestamp) -> Option<Timestamp> {
    let (rules, session_rules) = (follower.heartbeat?, follower.rules);
    let of = |session: &TrackedSession| {
        if session.is_heartbeat_queued || session.facts.is_over(&session_rules, now) || !session.looked_at {
            return None;
        }
        next_heartbeat(session.facts.last_activity, session.beat.flatten(), &rules)
    };
    follower.sessions.values().filter_map(|session| of(session)).filter(|at| *at > now).min()
}

/// The times heartbeats go by; none where the user wants none.
pub(super) fn rules(config: &afterword_app::Config) -> Option<HeartbeatRules> {
    let heartbeat = config.heartbeat;
    let rules = HeartbeatRules { idle: heartbeat.idle, again: heartbeat.again, ..HeartbeatRules::default() };
    heartbeat.enabled.then_some(rules)
}
