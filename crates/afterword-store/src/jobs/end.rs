//! How jobs end: done, failed, cancelled.

use std::time::Duration;

use afterword_core::job::saturating_add;
use afterword_core::{Job, JobId, JobMove, JobStatus};
use jiff::Timestamp;
use rusqlite::params;

use super::claim::Claim;
use super::{Claims, Jobs, QueueError};
use crate::values::millis;

/// What became of a job that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryDecision {
    /// It is tried again, not before then.
    Again(Timestamp),
    /// It was tried often enough.
    GaveUp,
    /// It had been cancelled anyway.
    Cancelled,
}

/// What became of a wish to cancel a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelOutcome {
    /// It waited, and is cancelled.
    Now,
    /// It runs, and its worker was asked to stop.
    Requested,
    /// It had ended so before; nothing changed.
    HadEnded(JobStatus),
}

impl Jobs<'_> {
    /// Cancels a job: one that waits ends at once, the worker of one that runs is asked to stop, and one that has
    /// ended stays as it is. `None` when there is no such job.
    ///
    /// # Errors
    /// [`QueueError::Store`].
    pub fn cancel(
        &self,
        id: JobId,
        reason: &str,
        now: Timestamp,
    ) -> Result<Option<CancelOutcome>, QueueError> {
        let wrap = |e| self.store.error("cancel a job", e);
        self.atomically(|| {
            let Some(job) = self.get(id)? else { return Ok(None) };
            let answer = match job.status {
                JobStatus::Queued => {
                    let sql =
                        "UPDATE jobs SET status = 'cancelled', reason = ?2, completed_at = ?3 WHERE id = ?1";
                    let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
                    statement.execute(params![id.to_string(), reason, millis(now)]).map_err(wrap)?;
                    CancelOutcome::Now
                }
                JobStatus::Running => {
                    let sql = "UPDATE jobs SET cancel_requested = 1, reason = ?2 WHERE id = ?1";
                    let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
                    statement.execute([&id.to_string(), reason]).map_err(wrap)?;
                    CancelOutcome::Requested
                }
                ended => CancelOutcome::HadEnded(ended),
            };
            Ok(Some(answer))
        })
    }
}

impl Claims<'_> {
    /// Ends a job with its result, as JSON. Call it in the transaction that keeps what the job did, and both are kept
    /// or neither.
    ///
    /// # Errors
    /// [`QueueError::LeaseLost`] when the job was taken back or has ended: another worker has it or had it, and what
    /// this one did must not be kept. [`QueueError::NotJson`], and [`QueueError::Store`].
    pub fn complete(&self, claim: &Claim, result: &str, now: Timestamp) -> Result<(), QueueError> {
        self.jobs.must_be_json(claim.job.id, result)?;
        self.jobs.atomically(|| {
            self.claimed_job(claim)?;
            self.end(claim, JobMove::Complete, Some(result), None, now)
        })
    }

    /// Notes that an attempt failed: the job is tried again later, or given up after its last attempt.
    ///
    /// # Errors
    /// [`QueueError::LeaseLost`] when the job was taken back or has ended, and [`QueueError::Store`].
    pub fn fail(&self, claim: &Claim, reason: &str, now: Timestamp) -> Result<RetryDecision, QueueError> {
        self.fail_and_rest(claim, reason, Duration::ZERO, now)
    }

    /// As [`Claims::fail`]; the next attempt comes after `rest` at the earliest.
    ///
    /// # Errors
    /// As [`Claims::fail`].
    pub fn fail_and_rest(
        &self,
        claim: &Claim,
        reason: &str,
        rest: Duration,
        now: Timestamp,
    ) -> Result<RetryDecision, QueueError> {
        self.jobs.atomically(|| self.fail_or_retry(claim, reason, rest, now))
    }

    /// Gives a job up at once, because trying again cannot help.
    ///
    /// # Errors
    /// As [`Claims::fail`].
    pub fn give_up(&self, claim: &Claim, reason: &str, now: Timestamp) -> Result<(), QueueError> {
        self.jobs.atomically(|| {
            self.claimed_job(claim)?;
            self.end(claim, JobMove::Fail, None, Some(reason), now)
        })
    }

    /// Ends a job that was cancelled and whose worker has stopped.
    ///
    /// # Errors
    /// As [`Claims::fail`].
    pub fn finish_cancelled(&self, claim: &Claim, now: Timestamp) -> Result<(), QueueError> {
        self.jobs.atomically(|| {
            let job = self.claimed_job(claim)?;
            self.end(claim, JobMove::Cancel, None, job.reason.as_deref(), now)
        })
    }

    /// What failing means for a job that `claim` holds. Call it within a transaction.
    pub(super) fn fail_or_retry(
        &self,
        claim: &Claim,
        reason: &str,
        rest: Duration,
        now: Timestamp,
    ) -> Result<RetryDecision, QueueError> {
        let job = self.claimed_job(claim)?;
        if job.cancel_requested {
            self.end(claim, JobMove::Cancel, None, job.reason.as_deref(), now)?;
            return Ok(RetryDecision::Cancelled);
        }
        match self.jobs.rules.retry.next_attempt(job.attempts, now) {
            Some(at) => {
                let at = at.max(saturating_add(now, rest));
                self.requeue(claim, job.attempts, at, Some(reason))?;
                Ok(RetryDecision::Again(at))
            }
            None => {
                self.end(claim, JobMove::Fail, None, Some(reason), now)?;
                Ok(RetryDecision::GaveUp)
            }
        }
    }

    /// The job as it is now, when `claim` still holds it.
    pub(super) fn claimed_job(&self, claim: &Claim) -> Result<Job, QueueError> {
        let job = self.jobs.get(claim.job.id)?.ok_or_else(|| claim.lease_lost())?;
        let holds =
            job.lease.is_some_and(|lease| (lease.worker, lease.number) == (claim.worker, claim.number));
        if holds { Ok(job) } else { Err(claim.lease_lost()) }
    }

    pub(super) fn end(
        &self,
        claim: &Claim,
        step: JobMove,
        result: Option<&str>,
        reason: Option<&str>,
        now: Timestamp,
    ) -> Result<(), QueueError> {
        let id = claim.job.id;
        let status =
            JobStatus::Running.after(step).map_err(|source| QueueError::Illegal { job: id, source })?;
        let wrap = |e| self.jobs.store.error("end a job", e);
        let sql = "UPDATE jobs SET status = ?2, result = ?3, reason = ?4, completed_at = ?5,
                progress = CASE ?2 WHEN 'completed' THEN 1 ELSE progress END,
                lease_worker = NULL, lease_until = NULL
            WHERE id = ?1";
        let mut statement = self.jobs.store.connection.prepare_cached(sql).map_err(wrap)?;
        let values = params![id.to_string(), status.as_str(), result, reason, millis(now)];
        Ok(statement.execute(values).map(drop).map_err(wrap)?)
    }

    pub(super) fn requeue(
        &self,
        claim: &Claim,
        attempts: u32,
        not_before: Timestamp,
        reason: Option<&str>,
    ) -> Result<(), QueueError> {
        let wrap = |e| self.jobs.store.error("put a job back", e);
        let sql =
            "UPDATE jobs SET status = 'queued', attempts = ?2, not_before = ?3, reason = ?4, progress = 0,
                lease_worker = NULL, lease_until = NULL
            WHERE id = ?1";
        let mut statement = self.jobs.store.connection.prepare_cached(sql).map_err(wrap)?;
        let values = params![claim.job.id.to_string(), attempts, millis(not_before), reason];
        Ok(statement.execute(values).map(drop).map_err(wrap)?)
    }
}
