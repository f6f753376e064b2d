//! Claims: a worker takes a job, keeps its hold on it, or loses it.

use std::time::Duration;

use afterword_core::job::saturating_add;
use afterword_core::{Job, JobMove, JobType, WorkerId};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, named_params, params};

use super::end::RetryDecision;
use super::{Claims, QueueError, row};
use crate::values::millis;

/// A worker's claim to a job, shown with everything it says about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The job as it was claimed.
    pub job: Job,
    /// Who claimed it.
    pub worker: WorkerId,
    /// Which claim of the job it is, from 1.
    pub number: u32,
}

/// What a worker learns when it renews its claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimStatus {
    /// Go on.
    Keeps,
    /// A person cancelled the job: stop, then [`Claims::finish_cancelled`].
    Cancel,
}

/// A job taken back from a worker that is gone.
#[derive(Debug, Clone, PartialEq)]
pub struct ReclaimedJob {
    /// The job as it is now.
    pub job: Job,
    /// Who had it.
    pub worker: WorkerId,
    /// What became of it.
    pub setback: RetryDecision,
}

/// Jobs that may run now, the first queued first. A reflection waits while another of its user runs, a job about a
/// subject while another of its type about it runs; neither holds up what is behind it. The index is named because
/// the planner, without statistics, would take the one on `not_before` and sort the whole queue for every claim.
const NEXT: &str = "SELECT seq FROM jobs AS job INDEXED BY jobs_by_status
    WHERE status = 'queued' AND not_before <= :now
    AND NOT EXISTS (SELECT 1 FROM jobs AS other INDEXED BY jobs_by_status WHERE other.status = 'running'
        AND other.user_id = job.user_id AND other.type = job.type
        AND (other.type = 'reflection' OR other.subject = job.subject))
    AND (SELECT count(*) FROM jobs WHERE status = 'running') < :at_once
    ORDER BY seq LIMIT 1";

impl Claims<'_> {
    /// Claims the next job that may run, if there is one and fewer than the allowed number run.
    ///
    /// While nothing may run it only reads, so that idle workers are in nobody's way. It does not look at leases that
    /// ran out: that is [`Claims::reclaim_expired`]'s, whose answer somebody has to tell.
    ///
    /// # Errors
    /// [`QueueError::Store`].
    pub fn claim(&self, worker: WorkerId, now: Timestamp) -> Result<Option<Claim>, QueueError> {
        let wrap = |e| self.jobs.store.error("claim a job", e);
        let at_once = i64::from(self.jobs.rules.at_once);
        let mut next = self.jobs.store.connection.prepare_cached(NEXT).map_err(wrap)?;
        let mut next = || -> Result<Option<i64>, QueueError> {
            let values = named_params! { ":now": millis(now), ":at_once": at_once };
            Ok(next.query_row(values, |row| row.get(0)).optional().map_err(wrap)?)
        };
        if next()?.is_none() {
            return Ok(None);
        }
        self.jobs.atomically(|| {
            let Some(seq) = next()? else { return Ok(None) };
            let sql = "UPDATE jobs SET status = 'running', attempts = attempts + 1, progress = 0,
                    lease_worker = ?2, lease_until = ?3, lease_number = lease_number + 1, started_at = ?4
                WHERE seq = ?1 AND status = 'queued' RETURNING *";
            let until = saturating_add(now, self.jobs.rules.lease);
            let values = params![seq, worker.to_string(), millis(until), millis(now)];
            let mut claim = self.jobs.store.connection.prepare_cached(sql).map_err(wrap)?;
            let job = claim.query_row(values, row::read).optional().map_err(wrap)?;
            Ok(job.map(|job| Claim { worker, number: job.lease.map_or(0, |lease| lease.number), job }))
        })
    }

    /// Claims the waiting job of this type about `subject`, past all others and however many run: for a person who waits.
    /// `None` when none is due, or one about it runs.
    ///
    /// # Errors
    /// [`QueueError::Store`].
    pub fn claim_about(
        &self,
        job_type: JobType,
        subject: &str,
        worker: WorkerId,
        now: Timestamp,
    ) -> Result<Option<Claim>, QueueError> {
        let wrap = |e| self.jobs.store.error("claim a job", e);
        self.jobs.atomically(|| {
            let sql = "UPDATE jobs SET status = 'running', attempts = attempts + 1, progress = 0,
                    lease_worker = ?3, lease_until = ?4, lease_number = lease_number + 1, started_at = ?5
                WHERE seq = (SELECT min(seq) FROM jobs WHERE type = ?1 AND subject = ?2 AND status = 'queued'
                        AND not_before <= ?5)
                    AND NOT EXISTS (SELECT 1 FROM jobs WHERE type = ?1 AND subject = ?2 AND status = 'running')
                RETURNING *";
            let until = saturating_add(now, self.jobs.rules.lease);
            let values =
                params![job_type.as_str(), subject, worker.to_string(), millis(until), millis(now)];
            let mut claim = self.jobs.store.connection.prepare_cached(sql).map_err(wrap)?;
            let job = claim.query_row(values, row::read).optional().map_err(wrap)?;
            Ok(job.map(|job| Claim { worker, number: job.lease.map_or(0, |lease| lease.number), job }))
        })
    }

    /// Renews a claim, counted from `now`, and says whether to go on.
    ///
    /// # Errors
    /// [`QueueError::LeaseLost`] when the job was taken back or has ended, and [`QueueError::Store`].
    pub fn renew(&self, claim: &Claim, now: Timestamp) -> Result<ClaimStatus, QueueError> {
        self.report(claim, 0.0, now)
    }

    /// Renews a claim and notes how much is done, 0 to 1; it never falls, and what is no number counts as 0.
    ///
    /// # Errors
    /// As [`Claims::renew`].
    pub fn report(&self, claim: &Claim, progress: f64, now: Timestamp) -> Result<ClaimStatus, QueueError> {
        let wrap = |e| self.jobs.store.error("renew a claim", e);
        let progress = if progress.is_nan() { 0.0 } else { progress.clamp(0.0, 1.0) };
        let sql = "UPDATE jobs SET lease_until = ?4, progress = max(progress, ?5)
            WHERE id = ?1 AND status = 'running' AND lease_worker = ?2 AND lease_number = ?3
            RETURNING cancel_requested";
        let mut statement = self.jobs.store.connection.prepare_cached(sql).map_err(wrap)?;
        let until = millis(saturating_add(now, self.jobs.rules.lease));
        let values =
            params![claim.job.id.to_string(), claim.worker.to_string(), claim.number, until, progress];
        match statement.query_row(values, |row| row.get(0)).optional().map_err(wrap)? {
            Some(true) => Ok(ClaimStatus::Cancel),
            Some(false) => Ok(ClaimStatus::Keeps),
            None => Err(claim.lease_lost()),
        }
    }

    /// Takes back every job whose lease has run out by `now`: it counts as a failed attempt.
    ///
    /// Leases also run out while the machine sleeps: a worker that wakes renews its own first.
    ///
    /// # Errors
    /// [`QueueError::Store`].
    pub fn reclaim_expired(&self, now: Timestamp) -> Result<Vec<ReclaimedJob>, QueueError> {
        let reason = "its worker did not renew its claim in time";
        self.reclaim(
            "SELECT * FROM jobs WHERE status = 'running' AND lease_until <= ?1",
            millis(now),
            reason,
            now,
        )
    }

    /// Takes back every job of a worker that is known to be gone, without waiting for its leases to run out.
    ///
    /// # Errors
    /// [`QueueError::Store`].
    pub fn reclaim_from(&self, worker: WorkerId, now: Timestamp) -> Result<Vec<ReclaimedJob>, QueueError> {
        let sql = "SELECT * FROM jobs WHERE status = 'running' AND lease_worker = ?1";
        self.reclaim(sql, worker.to_string(), "its worker ended without finishing it", now)
    }

    /// Puts back every job of a worker whose process is known to be gone. That it died is not the job's fault, so the
    /// attempt does not count; should the job be what kills its workers, it is tried again later and later, and is in
    /// nobody's way meanwhile. Says how many.
    ///
    /// # Errors
    /// [`QueueError::Store`].
    pub fn requeue_jobs_of(&self, worker: WorkerId, now: Timestamp) -> Result<usize, QueueError> {
        let sql = "SELECT * FROM jobs WHERE status = 'running' AND lease_worker = ?1";
        if self.jobs.list(sql, [worker.to_string()])?.is_empty() {
            return Ok(0);
        }
        self.jobs.atomically(|| {
            let jobs = self.jobs.list(sql, [worker.to_string()])?;
            for job in &jobs {
                let Some(lease) = job.lease else { continue };
                let claim = Claim { worker: lease.worker, number: lease.number, job: job.clone() };
                if job.cancel_requested {
                    self.end(&claim, JobMove::Cancel, None, job.reason.as_deref(), now)?;
                } else {
                    let at = saturating_add(now, wait_after_deaths(lease.number));
                    self.requeue(&claim, job.attempts.saturating_sub(1), at, job.reason.as_deref())?;
                }
            }
            Ok(jobs.len())
        })
    }

    fn reclaim(
        &self,
        sql: &str,
        value: impl rusqlite::ToSql,
        reason: &str,
        now: Timestamp,
    ) -> Result<Vec<ReclaimedJob>, QueueError> {
        if self.jobs.list(sql, params![value])?.is_empty() {
            return Ok(Vec::new());
        }
        self.jobs.atomically(|| {
            let mut taken = Vec::new();
            for job in self.jobs.list(sql, params![value])? {
                let Some(lease) = job.lease else { continue };
                let claim = Claim { worker: lease.worker, number: lease.number, job };
                let setback = self.fail_or_retry(&claim, reason, Duration::ZERO, now)?;
                let job = self.jobs.get(claim.job.id)?.unwrap_or(claim.job);
                taken.push(ReclaimedJob { job, worker: lease.worker, setback });
            }
            Ok(taken)
        })
    }

    /// Gives a job back unharmed, for instance because the program is closed: it is next again, and the attempt does
    /// not count. One that was cancelled meanwhile ends so.
    ///
    /// # Errors
    /// As [`Claims::renew`].
    pub fn release(&self, claim: &Claim, now: Timestamp) -> Result<(), QueueError> {
        self.jobs.atomically(|| {
            let job = self.claimed_job(claim)?;
            if job.cancel_requested {
                return self.end(claim, JobMove::Cancel, None, job.reason.as_deref(), now);
            }
            self.requeue(claim, job.attempts.saturating_sub(1), job.not_before, job.reason.as_deref())
        })
    }

    /// Puts a job off that cannot be done before something outside it is mended: it waits until `again_at`, and the
    /// attempt does not count. One that was cancelled meanwhile ends so.
    ///
    /// # Errors
    /// As [`Claims::renew`].
    pub fn postpone(
        &self,
        claim: &Claim,
        reason: &str,
        again_at: Timestamp,
        now: Timestamp,
    ) -> Result<(), QueueError> {
        self.jobs.atomically(|| {
            let job = self.claimed_job(claim)?;
            if job.cancel_requested {
                return self.end(claim, JobMove::Cancel, None, job.reason.as_deref(), now);
            }
            self.requeue(claim, job.attempts.saturating_sub(1), again_at, Some(reason))
        })
    }
}

/// How long a job waits that was claimed `claims` times and lost its worker the last time.
fn wait_after_deaths(claims: u32) -> Duration {
    const HARMLESS: u32 = 5;
    const LONGEST: Duration = Duration::from_secs(3600);
    let Some(doublings) = claims.checked_sub(HARMLESS) else { return Duration::ZERO };
    1_u32.checked_shl(doublings).map_or(LONGEST, |seconds| Duration::from_secs(seconds.into()).min(LONGEST))
}

impl Claim {
    pub(super) fn lease_lost(&self) -> QueueError {
        QueueError::LeaseLost { job: self.job.id, worker: self.worker }
    }
}
