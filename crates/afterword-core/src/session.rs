//! Where a session stands, and when it is to be reflected: rules over what is known of it, with time as an argument.
//!
//! What is known comes from its transcript first; hooks and the client's process are hints that make it sooner or surer.
//! This module owns the rules alone; it looks at no file and no process. Start at [`SessionFacts`].

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::job::saturating_add;

/// Where a session stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SessionState {
    /// Something was written within the idle time.
    Active,
    /// Nothing was written for the idle time; it may go on.
    Idle,
    /// Its client said that it ended.
    Ended,
    /// Its client is gone and never said that it ended.
    Crashed,
    /// It is being reflected.
    Reflecting,
    /// Everything in it was reflected.
    Reflected,
    /// Reflecting it failed; it will be tried again.
    Failed,
}

impl SessionState {
    /// Every state.
    pub const ALL: [Self; 7] = [
        Self::Active,
        Self::Idle,
        Self::Ended,
        Self::Crashed,
        Self::Reflecting,
        Self::Reflected,
        Self::Failed,
    ];

    /// The state's name, the same in SQL, JSON and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Idle => "idle",
            Self::Ended => "ended",
            Self::Crashed => "crashed",
            Self::Reflecting => "reflecting",
            Self::Reflected => "reflected",
            Self::Failed => "failed",
        }
    }

    /// Reads a state's name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == text)
    }
}

impl fmt::Display for SessionState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What made a reflection start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trigger {
    /// A person or an agent asked for it.
    Manual,
    /// The client said that the session ended.
    SessionEnd,
    /// The session was idle for long enough.
    Idle,
    /// The session's client is gone and never said that it ended.
    Recovery,
    /// Claude Code is about to delete the transcript.
    Expiring,
}

impl Trigger {
    /// Every trigger.
    pub const ALL: [Self; 5] = [Self::Manual, Self::SessionEnd, Self::Idle, Self::Recovery, Self::Expiring];

    /// The trigger's name, the same in SQL, JSON and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Manual => "manual",
            Self::SessionEnd => "session-end",
            Self::Idle => "idle",
            Self::Recovery => "recovery",
            Self::Expiring => "expiring",
        }
    }

    /// Reads a trigger's name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == text)
    }
}

impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The client that works on a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Client {
    /// No hook told of one.
    NeverSeen,
    /// It began, and its process runs.
    Running,
    /// It began, and its process is gone.
    Gone,
    /// It began, and nothing is known of its process.
    Unknown,
}

/// How a reflection of a session failed last, after every attempt of its job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure {
    /// When.
    pub at: Timestamp,
    /// So many jobs failed one after the other.
    pub times: u32,
}

/// What is known of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionFacts {
    /// When anything was written to it last, or its client told of it.
    pub last_activity: Timestamp,
    /// It holds messages that were not reflected.
    pub news: bool,
    /// When it ended, as its client said or as was found out, unless it went on since.
    pub ended_at: Option<Timestamp>,
    /// Its client.
    pub client: Client,
    /// A reflection of it runs.
    pub reflecting: bool,
    /// Its last reflection failed, and nothing was written since.
    pub failure: Option<Failure>,
}

/// The times that states and reflections go by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionRules {
    /// A session without activity for so long is idle, and is reflected.
    pub idle: Duration,
    /// One whose client began, and of whose process nothing is known, is given up after so long without activity.
    pub unknown: Duration,
    /// The client writes its transcript in the background: after its end nothing is read for so long.
    pub settle: Duration,
    /// A transcript as old as this is about to be deleted.
    pub expiring: Duration,
    /// After a failed job the next one is made so much later, and twice as late after each further one.
    pub retry: Duration,
}

/// The longest wait between two jobs for a session that keeps failing.
const MAX_RETRY_WAIT: Duration = Duration::from_secs(86_400);

impl Default for SessionRules {
    fn default() -> Self {
        Self {
            idle: Duration::from_secs(4 * 60),
            unknown: Duration::from_secs(3600),
            settle: Duration::from_secs(1),
            expiring: Duration::from_secs(23 * 86_400),
            retry: Duration::from_secs(3600),
        }
    }
}

/// When a session is to be reflected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReflectionDue {
    /// Now, and why.
    Now(Trigger),
    /// Not before then, if nothing happens until then.
    At(Timestamp),
    /// Not until something happens.
    Never,
}

impl SessionFacts {
    /// Where it stands at `now`.
    pub fn state(&self, rules: &SessionRules, now: Timestamp) -> SessionState {
        if self.reflecting {
            return SessionState::Reflecting;
        }
        if self.failure.is_some() && self.news {
            return SessionState::Failed;
        }
        let over = self.end_cause(rules, now);
        match over {
            None if self.is_idle(rules, now) && self.news => SessionState::Idle,
            None if self.is_idle(rules, now) => SessionState::Reflected,
            None => SessionState::Active,
            Some(_) if !self.news => SessionState::Reflected,
            Some(EndCause::Ended) => SessionState::Ended,
            Some(EndCause::Crashed) => SessionState::Crashed,
        }
    }

    /// When it is to be reflected, and why.
    pub fn due(&self, rules: &SessionRules, now: Timestamp) -> ReflectionDue {
        if !self.news || self.reflecting {
            return ReflectionDue::Never;
        }
        let (at, trigger) = match self.end_cause(rules, now) {
            Some(EndCause::Ended) => (saturating_add(self.last_activity, rules.settle), Trigger::SessionEnd),
            Some(EndCause::Crashed) => (saturating_add(self.last_activity, rules.settle), Trigger::Recovery),
            None => (saturating_add(self.last_activity, rules.idle), Trigger::Idle),
        };
        let at = self.failure.map_or(at, |failure| at.max(rules.retry_at(failure)));
        if at > now {
            return ReflectionDue::At(at);
        }
        let expiring = now >= saturating_add(self.last_activity, rules.expiring);
        ReflectionDue::Now(if expiring { Trigger::Expiring } else { trigger })
    }

    /// When its state changes by time alone; `None` when it does not.
    pub fn next_state_change(&self, rules: &SessionRules, now: Timestamp) -> Option<Timestamp> {
        let idle = saturating_add(self.last_activity, rules.idle);
        let given_up =
            (self.client == Client::Unknown).then(|| saturating_add(self.last_activity, rules.unknown));
        [Some(idle), given_up].into_iter().flatten().filter(|at| *at > now).min()
    }

    /// Whether its client is done with it, as far as is known.
    pub fn is_over(&self, rules: &SessionRules, now: Timestamp) -> bool {
        self.end_cause(rules, now).is_some()
    }

    fn is_idle(&self, rules: &SessionRules, now: Timestamp) -> bool {
        saturating_add(self.last_activity, rules.idle) <= now
    }

    fn end_cause(&self, rules: &SessionRules, now: Timestamp) -> Option<EndCause> {
        match self.client {
            _ if self.ended_at.is_some() => Some(EndCause::Ended),
            Client::Gone => Some(EndCause::Crashed),
            Client::Unknown if saturating_add(self.last_activity, rules.unknown) <= now => {
                Some(EndCause::Crashed)
            }
            Client::Unknown | Client::Running | Client::NeverSeen => None,
        }
    }
}

/// How a session came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EndCause {
    Ended,
    Crashed,
}

impl SessionRules {
    fn retry_at(&self, failure: Failure) -> Timestamp {
        let doublings = 1_u32.checked_shl(failure.times.saturating_sub(1)).unwrap_or(u32::MAX);
        let wait = self.retry.checked_mul(doublings).map_or(MAX_RETRY_WAIT, |wait| wait.min(MAX_RETRY_WAIT));
        saturating_add(failure.at, wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        format!("2026-03-01T{text}Z").parse().unwrap()
    }

    fn facts() -> SessionFacts {
        SessionFacts {
            last_activity: at("10:00:00"),
            news: true,
            ended_at: None,
            client: Client::NeverSeen,
            reflecting: false,
            failure: None,
        }
    }

    #[track_caller]
    fn check(facts: SessionFacts, now: &str, state: SessionState, due: ReflectionDue) {
        let (rules, now) = (SessionRules::default(), at(now));
        assert_eq!((facts.state(&rules, now), facts.due(&rules, now)), (state, due));
    }

    #[test]
    fn session_without_hooks_idles_and_is_reflected_once() {
        check(facts(), "10:03:59", SessionState::Active, ReflectionDue::At(at("10:04:00")));
        check(facts(), "10:04:00", SessionState::Idle, ReflectionDue::Now(Trigger::Idle));
        let reflected = SessionFacts { news: false, ..facts() };
        check(reflected, "10:04:01", SessionState::Reflected, ReflectionDue::Never);
        check(reflected, "23:00:00", SessionState::Reflected, ReflectionDue::Never);
        let goes_on = SessionFacts { last_activity: at("11:00:00"), ..facts() };
        check(goes_on, "11:00:01", SessionState::Active, ReflectionDue::At(at("11:04:00")));
    }

    #[test]
    fn reflected_session_that_is_written_to_without_messages_is_active_and_not_due() {
        check(
            SessionFacts { news: false, ..facts() },
            "10:01:00",
            SessionState::Active,
            ReflectionDue::Never,
        );
    }

    #[test]
    fn end_is_waited_out_until_the_transcript_is_settled() {
        let ended = SessionFacts { ended_at: Some(at("10:00:00")), client: Client::Running, ..facts() };
        check(ended, "10:00:00", SessionState::Ended, ReflectionDue::At(at("10:00:01")));
        check(ended, "10:00:01", SessionState::Ended, ReflectionDue::Now(Trigger::SessionEnd));
        check(
            SessionFacts { news: false, ..ended },
            "10:00:01",
            SessionState::Reflected,
            ReflectionDue::Never,
        );
    }

    #[test]
    fn client_that_is_gone_without_a_word_has_crashed() {
        let gone = SessionFacts { client: Client::Gone, ..facts() };
        check(gone, "10:00:10", SessionState::Crashed, ReflectionDue::Now(Trigger::Recovery));
        let ended = SessionFacts { ended_at: Some(at("10:00:00")), ..gone };
        check(ended, "10:00:10", SessionState::Ended, ReflectionDue::Now(Trigger::SessionEnd));
        check(
            SessionFacts { client: Client::Running, ..gone },
            "10:00:10",
            SessionState::Active,
            ReflectionDue::At(at("10:04:00")),
        );
    }

    #[test]
    fn client_of_unknown_process_is_given_up_after_an_hour() {
        let unknown = SessionFacts { client: Client::Unknown, ..facts() };
        check(unknown, "10:59:59", SessionState::Idle, ReflectionDue::Now(Trigger::Idle));
        check(unknown, "11:00:00", SessionState::Crashed, ReflectionDue::Now(Trigger::Recovery));
        let rules = SessionRules { idle: Duration::from_secs(7200), ..SessionRules::default() };
        assert_eq!(unknown.due(&rules, at("10:59:59")), ReflectionDue::At(at("12:00:00")));
        assert_eq!(unknown.next_state_change(&rules, at("10:59:59")), Some(at("11:00:00")));
        assert_eq!(unknown.due(&rules, at("11:00:00")), ReflectionDue::Now(Trigger::Recovery));
    }

    #[test]
    fn failed_session_is_tried_again_later_and_later() {
        let failed = |times| SessionFacts { failure: Some(Failure { at: at("10:10:00"), times }), ..facts() };
        check(failed(1), "10:10:00", SessionState::Failed, ReflectionDue::At(at("11:10:00")));
        check(failed(1), "11:10:00", SessionState::Failed, ReflectionDue::Now(Trigger::Idle));
        check(failed(2), "11:10:00", SessionState::Failed, ReflectionDue::At(at("12:10:00")));
        let far = failed(u32::MAX).due(&SessionRules::default(), at("12:00:00"));
        assert_eq!(far, ReflectionDue::At("2026-03-02T10:10:00Z".parse().unwrap()));
    }

    #[test]
    fn transcript_about_to_be_deleted_says_so() {
        let now: Timestamp = "2026-03-24T10:00:00Z".parse().unwrap();
        assert_eq!(facts().due(&SessionRules::default(), now), ReflectionDue::Now(Trigger::Expiring));
    }

    #[test]
    fn running_reflection_is_not_started_twice() {
        let running = SessionFacts { reflecting: true, ..facts() };
        check(running, "12:00:00", SessionState::Reflecting, ReflectionDue::Never);
    }

    #[test]
    fn no_time_overflows() {
        let far = SessionFacts { last_activity: Timestamp::MAX, client: Client::Unknown, ..facts() };
        assert_eq!(far.due(&SessionRules::default(), Timestamp::MAX), ReflectionDue::Now(Trigger::Expiring));
        assert_eq!(far.next_state_change(&SessionRules::default(), Timestamp::MAX), None);
    }

    #[test]
    fn names_are_read_back() {
        for state in SessionState::ALL {
            assert_eq!(SessionState::parse(state.as_str()), Some(state));
        }
        for trigger in Trigger::ALL {
            assert_eq!(Trigger::parse(trigger.as_str()), Some(trigger));
        }
    }
}
