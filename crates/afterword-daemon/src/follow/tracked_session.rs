//! One session that is followed.

use std::path::Path;
use std::time::Duration;

use afterword_core::heartbeat::CompletedHeartbeat;
use afterword_core::job::saturating_add;
use afterword_core::session::{Client, Failure, ReflectionDue, SessionFacts, SessionRules};
use afterword_core::{ProjectKey, SessionId, SessionState, Trigger};
use afterword_store::{Fingerprint, FollowedSession};
use jiff::{SignedDuration, Timestamp};

use afterword_app::sessions::Transcript;

/// The client writes in the background: what it writes so soon after its end belongs to what was before.
const AFTERWARDS: Duration = Duration::from_secs(10);

/// An end that is noticed later than this is said to be.
const NOTICED_AT_ONCE: SignedDuration = SignedDuration::from_secs(5);

/// What started a reflection, as a session's timeline says it.
fn started_by(trigger: Trigger) -> &'static str {
    match trigger {
        Trigger::Manual => "asked for",
        Trigger::SessionEnd => "the session ended",
        Trigger::Idle => "the session was idle",
        Trigger::Recovery => "recovered: its client was gone and never said that it ended",
        Trigger::Expiring => "Claude Code is about to delete its transcript",
    }
}

/// What is known of a session.
#[derive(Debug, Clone)]
pub(crate) struct TrackedSession {
    pub(crate) session: SessionId,
    pub(crate) project: Option<ProjectKey>,
    pub(crate) fingerprint: Fingerprint,
    /// The transcript as it was when it was reflected.
    pub(crate) reflected: Option<Fingerprint>,
    pub(crate) facts: SessionFacts,
    /// The state that was told last; none was yet.
    pub(crate) state: Option<SessionState>,
    pub(crate) since: Timestamp,
    /// Its file was looked at since the agent began.
    pub(crate) looked_at: bool,
    /// A reflection of it waits or runs.
    pub(crate) is_queued: bool,
    /// A person wants it reflected now.
    pub(crate) asked: bool,
    /// Up to which byte its web results are in the vault's cache; none before it was first written to.
    pub(crate) web_cached_to: Option<u64>,
    /// Its last heartbeat; none where nobody looked for one yet.
    pub(crate) beat: Option<Option<CompletedHeartbeat>>,
    /// A heartbeat of it waits or runs.
    pub(crate) is_heartbeat_queued: bool,
    /// Why it came to the state it comes to: what started the reflection, or why that failed.
    because: Option<String>,
    /// What is known differs from what was written down.
    changed: bool,
}

impl TrackedSession {
    pub(crate) fn new(session: SessionId) -> Self {
        let facts = SessionFacts {
            last_activity: Timestamp::UNIX_EPOCH,
            news: false,
            ended_at: None,
            client: Client::NeverSeen,
            reflecting: false,
            failure: None,
        };
        Self {
            session,
            project: None,
            fingerprint: Fingerprint { size: 0, mtime_ns: 0 },
            reflected: None,
            facts,
            state: None,
            since: Timestamp::UNIX_EPOCH,
            looked_at: false,
            is_queued: false,
            asked: false,
            web_cached_to: None,
            beat: None,
            is_heartbeat_queued: false,
            because: None,
            changed: true,
        }
    }

    /// As it was written down; its file was not looked at yet.
    pub(crate) fn from_row(row: FollowedSession) -> Self {
        let mut session = Self::new(row.session);
        session.project = row.project;
        session.state = Some(row.state);
        session.since = row.since;
        session.facts.last_activity = row.last_activity;
        session.facts.ended_at = row.ended_at;
        session.facts.failure = row.failed_at.map(|at| Failure { at, times: row.failures });
        session.changed = false;
        session
    }

    pub(crate) fn row(&self, path: &Path) -> FollowedSession {
        FollowedSession {
            transcript: path.to_owned(),
            session: self.session.clone(),
            project: self.project.clone(),
            state: self.state.unwrap_or(SessionState::Active),
            since: self.since,
            last_activity: self.facts.last_activity,
            ended_at: self.facts.ended_at,
            failed_at: self.facts.failure.map(|failure| failure.at),
            failures: self.facts.failure.map_or(0, |failure| failure.times),
        }
    }

    /// Its file, looked at for the first time since the agent began.
    pub(crate) fn on_file_found(
        &mut self,
        transcript: &Transcript,
        reflected: Option<Fingerprint>,
        project: Option<ProjectKey>,
        now: Timestamp,
    ) {
        self.looked_at = true;
        self.project = project.or(self.project.take());
        self.reflected = reflected;
        let unread = reflected != Some(transcript.fingerprint);
        self.facts.news = unread;
        self.fingerprint = transcript.fingerprint;
        self.active_at(transcript.modified().min(now));
    }

    /// Its file has changed.
    pub(crate) fn on_file_changed(&mut self, fingerprint: Fingerprint, now: Timestamp) {
        // Of what was there before, its reflection takes care.
        self.web_cached_to =
            self.web_cached_to.filter(|at| *at <= fingerprint.size).or(Some(self.fingerprint.size));
        self.fingerprint = fingerprint;
        self.facts.news = self.reflected != Some(fingerprint);
        self.facts.failure = None;
        self.changed = true;
        let at = Timestamp::from_nanosecond(i128::from(fingerprint.mtime_ns)).unwrap_or(now);
        self.active_at(at.min(now));
    }

    /// Something happened in it at that time.
    pub(crate) fn active_at(&mut self, at: Timestamp) {
        if at > self.facts.last_activity {
            self.facts.last_activity = at;
            self.changed = true;
        }
        if self.facts.ended_at.is_some_and(|ended| at > saturating_add(ended, AFTERWARDS)) {
            self.facts.ended_at = None;
        }
    }

    pub(crate) fn mark_ended(&mut self, at: Timestamp) {
        self.facts.ended_at = Some(at);
        self.changed = true;
    }

    pub(crate) fn goes_on(&mut self) {
        self.facts.ended_at = None;
        self.changed = true;
    }

    /// It was reflected as it stood then.
    pub(crate) fn mark_reflected(&mut self, fingerprint: Fingerprint) {
        self.reflected = Some(fingerprint);
        self.facts.news = fingerprint != self.fingerprint;
        self.facts.failure = None;
        self.asked = false;
        self.changed = true;
    }

    /// Nothing in it has to be reflected until it is written to again.
    pub(crate) fn mark_unchanged(&mut self) {
        self.facts.news = false;
        self.asked = false;
        self.changed = true;
    }

    /// A reflection of it runs, started by that.
    pub(crate) fn reflecting(&mut self, trigger: Option<Trigger>) {
        self.facts.reflecting = true;
        self.because = trigger.map(|trigger| started_by(trigger).to_owned());
    }

    /// A reflection of it failed for good.
    pub(crate) fn mark_failed(&mut self, reason: Option<String>, now: Timestamp) {
        self.because = reason;
        let times = self.facts.failure.map_or(0, |failure| failure.times).saturating_add(1);
        self.facts.failure = Some(Failure { at: now, times });
        self.asked = false;
        self.changed = true;
    }

    /// Whether it is to be queued now, and why.
    pub(crate) fn due(&self, rules: &SessionRules, now: Timestamp) -> Option<Trigger> {
        if self.is_queued || !self.looked_at {
            return None;
        }
        match self.facts.due(rules, now) {
            _ if self.asked && self.facts.news => Some(Trigger::Manual),
            ReflectionDue::Now(trigger) => Some(trigger),
            ReflectionDue::At(_) | ReflectionDue::Never => None,
        }
    }

    pub(crate) fn is_stale(&self, rules: &SessionRules, now: Timestamp) -> bool {
        self.changed || self.state != Some(self.facts.state(rules, now))
    }

    /// When it came to this state, and what there is to say about it.
    pub(crate) fn came_to(&self, state: SessionState, now: Timestamp) -> (Timestamp, Option<String>) {
        match state {
            SessionState::Ended => {
                let at = self.facts.ended_at.unwrap_or(now).min(now);
                let late = now.duration_since(at);
                let detail = (late > NOTICED_AT_ONCE).then(|| format!("noticed {} s later", late.as_secs()));
                (at, detail)
            }
            SessionState::Reflecting | SessionState::Failed => (now, self.because.clone()),
            _ => (now, None),
        }
    }

    /// What is known is written down.
    pub(crate) fn mark_saved(&mut self) {
        self.changed = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_says_what_led_to_it() {
        let now: Timestamp = "2026-03-01T10:00:00Z".parse().unwrap();
        let mut session = TrackedSession::new(SessionId::parse("5f0a").unwrap());
        session.reflecting(Some(Trigger::Idle));
        assert_eq!(session.came_to(SessionState::Reflecting, now).1.as_deref(), Some("the session was idle"));
        session.mark_failed(Some("the file cannot be read".to_owned()), now);
        assert_eq!(session.came_to(SessionState::Failed, now).1.as_deref(), Some("the file cannot be read"));
        session.mark_ended(now);
        let noticed = now + SignedDuration::from_secs(4);
        assert_eq!(session.came_to(SessionState::Ended, noticed), (now, None), "that is at once");
    }
}
