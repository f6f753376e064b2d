//! Jobs: work that is queued, done by one worker at a time, tried again when it fails, and ended once.
//!
//! This module owns the words and the rules: which moves a job can make, how long a failed one waits, how often a
//! person may force a reflection, how long a job will take. It does not own the queue itself (the store does), nor
//! when jobs are made. Start reading at [`JobStatus::after`].

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::ids::uuid_v7;

uuid_v7! {
    /// A job's id; the queue keeps an order of its own.
    JobId
}

/// Whose job it is; `local` where nobody says otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UserId(String);

impl UserId {
    /// Takes an id from outside; `None` unless it is 1 to 128 bytes without control characters or outer blanks.
    pub fn parse(text: &str) -> Option<Self> {
        let valid =
            (1..=128).contains(&text.len()) && text == text.trim() && !text.contains(char::is_control);
        valid.then(|| Self(text.to_owned()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for UserId {
    fn default() -> Self {
        Self("local".to_owned())
    }
}

impl fmt::Display for UserId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A process that works on jobs: its number and when it started, as numbers of processes are used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WorkerId {
    /// The process's number.
    pub process: u32,
    /// When it started, in milliseconds from a moment of the system's own choosing: only compared.
    pub started_ms: i64,
}

impl WorkerId {
    /// Names the process `process`, started at `started_at`.
    pub fn new(process: u32, started_at: Timestamp) -> Self {
        Self { process, started_ms: started_at.as_millisecond() }
    }

    /// Reads what [`fmt::Display`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        let (process, started_ms) = text.split_once('@')?;
        Some(Self { process: process.parse().ok()?, started_ms: started_ms.parse().ok()? })
    }
}

impl fmt::Display for WorkerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.process, self.started_ms)
    }
}

/// What sort of work a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum JobType {
    /// Reading sessions and taking from them what is worth keeping.
    Reflection,
    /// The user's own prompt, run when a session idles.
    Heartbeat,
    /// Keeping the program's own state in order.
    Maintenance,
    /// One step of a conversation in the background.
    ConversationRun,
    /// Thinking an idea through.
    IdeaResearch,
}

impl JobType {
    /// Every type.
    pub const ALL: [Self; 5] =
        [Self::Reflection, Self::Heartbeat, Self::Maintenance, Self::ConversationRun, Self::IdeaResearch];

    /// The type's name, the same in SQL, JSON and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reflection => "reflection",
            Self::Heartbeat => "heartbeat",
            Self::Maintenance => "maintenance",
            Self::ConversationRun => "conversation-run",
            Self::IdeaResearch => "idea-research",
        }
    }

    /// Whether the subject of such a job is a session's id.
    pub fn is_about_a_session(self) -> bool {
        matches!(self, Self::Reflection | Self::Heartbeat)
    }

    /// Reads a type's name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == text)
    }
}

impl fmt::Display for JobType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Where a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum JobStatus {
    /// It waits, for a worker or for its time.
    Queued,
    /// A worker has it.
    Running,
    /// It was done.
    Completed,
    /// It was given up, with a reason.
    Failed,
    /// A person cancelled it.
    Cancelled,
}

/// What can happen to a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobMove {
    /// A worker takes it.
    Claim,
    /// Its worker did it.
    Complete,
    /// It goes back into the queue: it failed and will be tried again, or its worker gave it back.
    Requeue,
    /// It failed for good.
    Fail,
    /// A person cancelled it, and no worker is at it any more.
    Cancel,
}

/// A move that a job's status does not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a job that is {status} cannot {}", .step.verb())]
pub struct IllegalMove {
    /// Where the job stands.
    pub status: JobStatus,
    /// What was to happen.
    pub step: JobMove,
}

impl JobMove {
    fn verb(self) -> &'static str {
        match self {
            Self::Claim => "be claimed",
            Self::Complete => "be completed",
            Self::Requeue => "be put back",
            Self::Fail => "fail",
            Self::Cancel => "be cancelled",
        }
    }
}

impl JobStatus {
    /// Every status.
    pub const ALL: [Self; 5] = [Self::Queued, Self::Running, Self::Completed, Self::Failed, Self::Cancelled];

    /// Where a job stands after `step`.
    ///
    /// # Errors
    /// [`IllegalMove`] when the status does not allow the move: only a queued job can be claimed, only a running one can be
    /// completed, fail or be put back, and one that has ended stays as it is.
    pub fn after(self, step: JobMove) -> Result<Self, IllegalMove> {
        match (self, step) {
            (Self::Queued, JobMove::Claim) => Ok(Self::Running),
            (Self::Running, JobMove::Complete) => Ok(Self::Completed),
            (Self::Running, JobMove::Requeue) => Ok(Self::Queued),
            (Self::Running, JobMove::Fail) => Ok(Self::Failed),
            (Self::Queued | Self::Running, JobMove::Cancel) => Ok(Self::Cancelled),
            (status, step) => Err(IllegalMove { status, step }),
        }
    }

    /// Nothing will happen to the job any more.
    pub fn has_ended(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }

    /// The status's name, the same in SQL, JSON and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Reads a status's name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == text)
    }
}

impl fmt::Display for JobStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A worker's hold on a running job; it lapses unless renewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// Who works on it.
    pub worker: WorkerId,
    /// Until when the worker is believed alive.
    pub until: Timestamp,
    /// How often the job was claimed, this time included: tells this hold from earlier ones of the same worker.
    pub number: u32,
}

/// A job.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Its id.
    pub id: JobId,
    /// Whose it is.
    pub user: UserId,
    /// What sort of work it is.
    pub job_type: JobType,
    /// What it is about: a session's or a conversation's id, the name of a maintenance task. None for all there is.
    pub subject: Option<String>,
    /// A person asked for it although no trigger called for it.
    pub forced: bool,
    /// Where it stands.
    pub status: JobStatus,
    /// What its worker needs to know, as JSON.
    pub payload: String,
    /// What came of it, as JSON; only of a completed job.
    pub result: Option<String>,
    /// How much is done, 0 to 1.
    pub progress: f64,
    /// How often it was tried; a worker that gave it back unharmed does not count.
    pub attempts: u32,
    /// How often a worker began it, also where that does not count as a try.
    pub claims: u32,
    /// It is not claimed before.
    pub not_before: Timestamp,
    /// Who works on it; only of a running job.
    pub lease: Option<Lease>,
    /// A person cancelled it while it ran; its worker has still to stop.
    pub cancel_requested: bool,
    /// Why it failed, or failed last, or was cancelled.
    pub reason: Option<String>,
    /// When it was queued.
    pub queued_at: Timestamp,
    /// When the last attempt began.
    pub started_at: Option<Timestamp>,
    /// When it ended, however it ended.
    pub completed_at: Option<Timestamp>,
}

/// How often a failed job is tried and how long it waits in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryRule {
    /// Attempts in all, the first included.
    pub attempts: u32,
    /// The wait after the first failure.
    pub first_wait: Duration,
    /// Each further wait is so many times the one before.
    pub factor: u32,
    /// No wait is longer.
    pub longest_wait: Duration,
}

impl Default for RetryRule {
    /// Three attempts, one minute and four minutes apart: an engine that is overloaded or restarting is back by then.
    fn default() -> Self {
        Self {
            attempts: 3,
            first_wait: Duration::from_secs(60),
            factor: 4,
            longest_wait: Duration::from_secs(3600),
        }
    }
}

impl RetryRule {
    /// When a job that just failed for the `attempts`-th time may be tried again; `None` when that was its last try.
    pub fn next_attempt(&self, attempts: u32, now: Timestamp) -> Option<Timestamp> {
        (attempts < self.attempts).then(|| saturating_add(now, self.wait_after(attempts)))
    }

    fn wait_after(&self, attempts: u32) -> Duration {
        let times = self.factor.checked_pow(attempts.saturating_sub(1));
        times
            .and_then(|times| self.first_wait.checked_mul(times))
            .map_or(self.longest_wait, |wait| wait.min(self.longest_wait))
    }
}

/// How many reflections a user may force in a stretch of time: forced ones pass every other check, and may cost money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ForcedLimit {
    /// So many.
    pub most: u32,
    /// In any stretch this long.
    pub within: Duration,
}

/// A forced reflection came too soon after the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{most} reflections were forced within {} minutes; the next may be at {next_at}", .within.as_secs() / 60)]
pub struct RateLimited {
    /// So many are allowed.
    pub most: u32,
    /// In any stretch this long.
    pub within: Duration,
    /// From then on one more is allowed.
    pub next_at: Timestamp,
}

impl Default for ForcedLimit {
    /// Five an hour: enough to try things out, too few to run up a bill unnoticed.
    fn default() -> Self {
        Self { most: 5, within: Duration::from_secs(3600) }
    }
}

impl ForcedLimit {
    /// Decides on one more at `now`, after those forced at the times `earlier` (in any order). Times ahead of `now`
    /// by more than the stretch stem from a clock that was set wrong and do not count.
    ///
    /// # Errors
    /// [`RateLimited`] when it comes too soon, with the time from which it does not.
    pub fn check(&self, earlier: &[Timestamp], now: Timestamp) -> Result<(), RateLimited> {
        let recent = |at: &&Timestamp| now.duration_since(**at).unsigned_abs() < self.within;
        let mut counted: Vec<Timestamp> = earlier.iter().filter(recent).copied().collect();
        counted.sort_unstable();
        let most = usize::try_from(self.most).unwrap_or(usize::MAX);
        let Some(over) = counted.len().checked_sub(most) else { return Ok(()) };
        let frees = counted.get(over).copied().unwrap_or(now);
        Err(RateLimited { most: self.most, within: self.within, next_at: saturating_add(frees, self.within) })
    }
}

/// What the queue goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueRules {
    /// Jobs running at the same moment, over all processes.
    pub at_once: u32,
    /// How long a claim holds unless renewed. A worker renews it at a third of that.
    pub lease: Duration,
    /// What becomes of failures.
    pub retry: RetryRule,
    /// What becomes of impatience.
    pub forced: ForcedLimit,
}

impl Default for QueueRules {
    fn default() -> Self {
        Self {
            at_once: 5,
            lease: Duration::from_secs(60),
            retry: RetryRule::default(),
            forced: ForcedLimit::default(),
        }
    }
}

/// What a job's end is guessed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueueAhead {
    /// Jobs that will be claimed before it.
    pub waiting: u32,
    /// How long the job it waits for has been running; or it itself.
    pub running_for: Option<Duration>,
    /// So many run side by side.
    pub lanes: u32,
}

/// What a job is believed to take while none like it was ever completed.
const UNKNOWN_DURATION: Duration = Duration::from_secs(30);

/// Guesses when a queued job will be done, counted from now: the median of `past` durations of its type for itself
/// and for every round of jobs ahead, and what is left of the one that runs.
pub fn estimate_wait(past: &[Duration], ahead: QueueAhead) -> Duration {
    let typical = typical_duration(past);
    let rounds = ahead.waiting / ahead.lanes.max(1) + 1;
    typical.saturating_mul(rounds)
        + ahead.running_for.map_or(Duration::ZERO, |for_| typical.saturating_sub(for_))
}

/// The median of `past`, or half a minute when there is none.
pub fn typical_duration(past: &[Duration]) -> Duration {
    let mut sorted = past.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or(UNKNOWN_DURATION)
}

/// `by` after `at`, or the end of time.
pub fn saturating_add(at: Timestamp, by: Duration) -> Timestamp {
    at.checked_add(by).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn typical_duration_is_the_median() {
        let typical = |seconds: &[u64]| {
            let past: Vec<_> = seconds.iter().copied().map(Duration::from_secs).collect();
            typical_duration(&past).as_secs()
        };
        assert_eq!((typical(&[]), typical(&[7])), (30, 7));
        assert_eq!((typical(&[9, 1, 2]), typical(&[100, 4, 3, 1, 2])), (2, 3));
    }

    #[test]
    fn moves() {
        use JobMove::*;
        use JobStatus::*;
        let legal = [
            (Queued, Claim, Running),
            (Queued, Cancel, Cancelled),
            (Running, Complete, Completed),
            (Running, Requeue, Queued),
            (Running, Fail, Failed),
            (Running, Cancel, Cancelled),
        ];
        for status in JobStatus::ALL {
            for step in [Claim, Complete, Requeue, Fail, Cancel] {
                let expected = legal.iter().find(|(from, by, _)| (*from, *by) == (status, step));
                match expected {
                    Some((_, _, to)) => assert_eq!(status.after(step), Ok(*to)),
                    None => assert_eq!(status.after(step), Err(IllegalMove { status, step })),
                }
            }
        }
    }

    #[test]
    fn illegal_move_is_said_in_words() {
        let error = JobStatus::Completed.after(JobMove::Cancel).unwrap_err();
        assert_eq!(error.to_string(), "a job that is completed cannot be cancelled");
    }

    #[test]
    fn names_are_read_back_and_are_those_of_json() {
        for job_type in JobType::ALL {
            assert_eq!(JobType::parse(job_type.as_str()), Some(job_type));
        }
        for status in JobStatus::ALL {
            assert_eq!(JobStatus::parse(status.as_str()), Some(status));
        }
        assert_eq!(JobStatus::parse("Queued"), None);
    }

    #[test]
    fn ids_are_ordered_by_time_and_read_back() {
        let (early, late) = (JobId::new(at("2026-03-01T10:00:00Z")), JobId::new(at("2026-03-01T10:00:01Z")));
        assert!(early < late);
        assert_eq!(JobId::parse(&early.to_string()), Some(early));
        assert_eq!(JobId::parse("7"), None);
        let worker = WorkerId::new(4711, at("2026-03-01T10:00:00Z"));
        assert_eq!(WorkerId::parse(&worker.to_string()), Some(worker));
        assert_eq!(WorkerId::parse("4711"), None);
    }

    #[test]
    fn users_from_outside() {
        assert_eq!(UserId::default().as_str(), "local");
        assert_eq!(
            UserId::parse("ada@example.org").map(|user| user.to_string()).as_deref(),
            Some("ada@example.org")
        );
        for refused in ["", " ada", "a\nb", "a\0b", &"x".repeat(129)] {
            assert_eq!(UserId::parse(refused), None, "{refused:?}");
        }
    }

    #[test]
    fn three_attempts_further_and_further_apart() {
        let now = at("2026-03-01T10:00:00Z");
        let rule = RetryRule::default();
        assert_eq!(rule.next_attempt(1, now), Some(at("2026-03-01T10:01:00Z")));
        assert_eq!(rule.next_attempt(2, now), Some(at("2026-03-01T10:04:00Z")));
        assert_eq!(rule.next_attempt(3, now), None);
        assert_eq!(rule.next_attempt(u32::MAX, now), None);
    }

    #[test]
    fn no_wait_is_longer_than_the_longest_and_none_overflows() {
        let rule = RetryRule { attempts: u32::MAX, ..RetryRule::default() };
        let now = at("2026-03-01T10:00:00Z");
        for attempts in [5, 40, 1_000_000] {
            assert_eq!(rule.next_attempt(attempts, now), Some(at("2026-03-01T11:00:00Z")));
        }
        assert_eq!(rule.next_attempt(1, Timestamp::MAX), Some(Timestamp::MAX));
    }

    #[test]
    fn sixth_forced_reflection_of_an_hour_waits_for_the_first_to_grow_old() {
        let limit = ForcedLimit::default();
        let earlier: Vec<_> =
            (0..5).rev().map(|minute| at(&format!("2026-03-01T10:0{minute}:00Z"))).collect();
        assert_eq!(limit.check(&earlier[1..], at("2026-03-01T10:30:00Z")), Ok(()));
        let refused = limit.check(&earlier, at("2026-03-01T10:30:00Z")).unwrap_err();
        assert_eq!(refused.next_at, at("2026-03-01T11:00:00Z"));
        assert_eq!(limit.check(&earlier, refused.next_at), Ok(()));
    }

    #[test]
    fn clock_that_was_set_wrong_does_not_lock_the_user_out() {
        let limit = ForcedLimit { most: 1, within: Duration::from_secs(3600) };
        let now = at("2026-03-01T10:00:00Z");
        assert_eq!(limit.check(&[at("2099-01-01T00:00:00Z")], now), Ok(()));
        assert!(limit.check(&[at("2026-03-01T10:00:01Z")], now).is_err(), "two processes, a second apart");
        let none = ForcedLimit { most: 0, ..limit };
        assert!(none.check(&[], now).is_err());
    }

    #[test]
    fn wait_is_guessed_from_the_past() {
        let seconds = |n: u64| Duration::from_secs(n);
        let past = [seconds(10), seconds(500), seconds(20)];
        let alone = QueueAhead { lanes: 1, ..QueueAhead::default() };
        assert_eq!(estimate_wait(&[], alone), seconds(30));
        assert_eq!(estimate_wait(&past, alone), seconds(20));
        assert_eq!(
            estimate_wait(&past, QueueAhead { waiting: 2, running_for: Some(seconds(15)), lanes: 1 }),
            seconds(65)
        );
        assert_eq!(estimate_wait(&past, QueueAhead { waiting: 4, running_for: None, lanes: 5 }), seconds(20));
        assert_eq!(estimate_wait(&past, QueueAhead { waiting: 5, running_for: None, lanes: 5 }), seconds(40));
        assert_eq!(
            estimate_wait(&past, QueueAhead { running_for: Some(seconds(900)), ..alone }),
            seconds(20)
        );
    }
}
