//! Table `jobs`: the queue, shared by every process that has the database open.
//!
//! A job is claimed in one write transaction, which SQLite gives to one connection at a time: what `FOR UPDATE SKIP
//! LOCKED` is elsewhere. A claim is a lease; a worker renews it, and the job of one that died is taken back. The rules
//! are those of [`afterword_core::job`]. It starts no work and keeps no time: `now` is an argument.
//!
//! Start reading at [`Jobs::enqueue`] and [`Claims::claim`]; the end of a job is in `end`, figures are in `figures`.

mod claim;
mod end;
mod error;
mod figures;
mod row;
#[cfg(test)]
mod tests;

use afterword_core::{Job, JobId, JobStatus, JobType, QueueRules, RateLimited, UserId};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, named_params, params};

pub use claim::{Claim, ClaimStatus, ReclaimedJob};
pub use end::{CancelOutcome, RetryDecision};
pub use error::QueueError;
pub use figures::Figures;

use crate::values::{maybe_time, millis, time};
use crate::{Store, StoreError};

/// Reads and writes of the table.
#[derive(Debug, Clone, Copy)]
pub struct Jobs<'a> {
    pub(crate) store: &'a Store,
    pub(crate) rules: QueueRules,
}

/// Taking jobs and ending them: what workers ask of the queue.
#[derive(Debug, Clone, Copy)]
pub struct Claims<'a> {
    jobs: Jobs<'a>,
}

/// A job to be queued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewJob {
    /// Whose it is.
    pub user: UserId,
    /// What sort of work it is.
    pub job_type: JobType,
    /// What it is about: a session's or a conversation's id, the name of a maintenance task. None for all there is.
    pub subject: Option<String>,
    /// What its worker needs to know, as JSON.
    pub payload: String,
    /// A person asked for it although no trigger called for it: it is counted against the limit.
    pub forced: bool,
    /// It is not claimed before.
    pub not_before: Timestamp,
    /// What to do when one like it is under way.
    pub on_duplicate: DuplicatePolicy,
}

impl NewJob {
    /// A job of the program's own about `subject`, without a payload, to be done from `now` on.
    pub fn about(
        job_type: JobType,
        subject: impl Into<String>,
        on_duplicate: DuplicatePolicy,
        now: Timestamp,
    ) -> Self {
        Self {
            user: UserId::default(),
            job_type,
            subject: Some(subject.into()),
            payload: "{}".to_owned(),
            forced: false,
            not_before: now,
            on_duplicate,
        }
    }
}

/// What to do when a job like the one to be queued is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DuplicatePolicy {
    /// Say which it is and queue nothing. It counts as under way when one about the same subject waits or runs, or,
    /// for a reflection, when any of the user's runs. For people and agents that ask.
    ReportExisting,
    /// Queue it behind the one that runs, which may have read too early to see what is new; only one about the same
    /// subject that still waits makes it unnecessary. For triggers, which must not be lost.
    QueueBehind,
}

/// What became of a job to be queued.
#[derive(Debug, Clone, PartialEq)]
pub enum EnqueueOutcome {
    /// It waits.
    Queued(Job),
    /// This one is under way already; nothing was queued.
    AlreadyRunning(Job),
    /// Too many were forced of late; nothing was queued.
    Refused(RateLimited),
}

impl<'a> Jobs<'a> {
    /// The same queue, under other rules. All processes should go by the same.
    pub fn with_rules(self, rules: QueueRules) -> Self {
        Self { rules, ..self }
    }

    /// What workers ask of the queue.
    pub fn claims(self) -> Claims<'a> {
        Claims { jobs: self }
    }

    /// Queues a job, unless one like it is under way or too many were forced of late.
    ///
    /// # Errors
    /// [`QueueError::NotJson`] for a payload that is none, and [`QueueError::Store`].
    pub fn enqueue(&self, job: &NewJob, now: Timestamp) -> Result<EnqueueOutcome, QueueError> {
        let id = JobId::new(now);
        self.must_be_json(id, &job.payload)?;
        self.atomically(|| {
            if let Some(other) = self.under_way(job)? {
                return Ok(EnqueueOutcome::AlreadyRunning(other));
            }
            if job.forced
                && let Err(refused) = self.rules.forced.check(&self.forced_before(job)?, now)
            {
                return Ok(EnqueueOutcome::Refused(refused));
            }
            self.insert(id, job, now).map(EnqueueOutcome::Queued)
        })
    }

    /// The job `id`, if there is one.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn get(&self, id: JobId) -> Result<Option<Job>, StoreError> {
        let wrap = |e| self.store.error("read a job", e);
        let sql = "SELECT * FROM jobs WHERE id = ?1";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.query_row([id.to_string()], row::read).optional().map_err(wrap)
    }

    /// Jobs that wait or run, the running ones first, each in the order they were queued.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn active_jobs(&self) -> Result<Vec<Job>, StoreError> {
        let sql = "SELECT * FROM jobs WHERE status IN ('queued', 'running') ORDER BY status DESC, seq";
        self.list(sql, ())
    }

    /// The jobs queued last, the latest first.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn recent(&self, most: u32) -> Result<Vec<Job>, StoreError> {
        self.list("SELECT * FROM jobs ORDER BY seq DESC LIMIT ?1", [most])
    }

    /// The job of a type about `subject` that was queued last.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn last_job_about(&self, job_type: JobType, subject: &str) -> Result<Option<Job>, StoreError> {
        let sql = "SELECT * FROM jobs WHERE type = ?1 AND subject = ?2 ORDER BY seq DESC LIMIT 1";
        Ok(self.list(sql, [job_type.as_str(), subject])?.pop())
    }

    /// When the next waiting job is due, which may be past already; `None` when none waits. It may have to wait longer
    /// for others.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn next_due(&self) -> Result<Option<Timestamp>, StoreError> {
        let wrap = |e| self.store.error("look for the next job", e);
        let sql = "SELECT min(not_before) FROM jobs WHERE status = 'queued'";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.query_row((), |row| maybe_time(row, 0)).map_err(wrap)
    }

    fn list(&self, sql: &str, values: impl rusqlite::Params) -> Result<Vec<Job>, StoreError> {
        let wrap = |e| self.store.error("read the jobs", e);
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map(values, row::read).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }

    fn under_way(&self, job: &NewJob) -> Result<Option<Job>, QueueError> {
        let tell = job.on_duplicate == DuplicatePolicy::ReportExisting;
        let sql =
            "SELECT * FROM jobs INDEXED BY jobs_by_subject WHERE type = ?1 AND subject IS ?2 AND user_id = ?3
            AND (status = 'queued' OR (?4 AND status = 'running')) ORDER BY status DESC, seq LIMIT 1";
        let values = params![job.job_type.as_str(), job.subject, job.user.as_str(), tell];
        let mut found = self.list(sql, values)?;
        if found.is_empty() && tell && job.job_type == JobType::Reflection {
            let sql = "SELECT * FROM jobs WHERE status = 'running' AND type = 'reflection' AND user_id = ?1";
            found = self.list(sql, [job.user.as_str()])?;
        }
        Ok(found.pop())
    }

    /// When the user forced jobs of this type; those cancelled before they began cost nothing and do not count.
    fn forced_before(&self, job: &NewJob) -> Result<Vec<Timestamp>, QueueError> {
        let wrap = |e| self.store.error("count forced jobs", e);
        let sql = "SELECT queued_at FROM jobs WHERE forced = 1 AND user_id = ?1 AND type = ?2
            AND NOT (status = 'cancelled' AND started_at IS NULL)
            ORDER BY queued_at DESC LIMIT ?3";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        // Rows from a clock set wrong may come first; a few more than the limit make them harmless.
        let enough = self.rules.forced.most.saturating_add(100);
        let values = params![job.user.as_str(), job.job_type.as_str(), enough];
        let rows = statement.query_map(values, |row| time(row, 0)).map_err(wrap)?;
        Ok(rows.collect::<Result<_, _>>().map_err(wrap)?)
    }

    fn insert(&self, id: JobId, job: &NewJob, now: Timestamp) -> Result<Job, QueueError> {
        let wrap = |e| self.store.error("queue a job", e);
        let sql =
            "INSERT INTO jobs (id, user_id, type, subject, forced, status, payload, not_before, queued_at)
            VALUES (:id, :user, :type, :subject, :forced, :status, :payload, :not_before, :now) RETURNING *";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let values = named_params! {
            ":id": id.to_string(),
            ":user": job.user.as_str(),
            ":type": job.job_type.as_str(),
            ":subject": job.subject,
            ":forced": job.forced,
            ":status": JobStatus::Queued.as_str(),
            ":payload": job.payload,
            ":not_before": millis(job.not_before),
            ":now": millis(now),
        };
        Ok(statement.query_row(values, row::read).map_err(wrap)?)
    }

    fn must_be_json(&self, job: JobId, text: &str) -> Result<(), QueueError> {
        let wrap = |e| self.store.error("look at a job's JSON", e);
        let mut statement = self.store.connection.prepare_cached("SELECT json_valid(?1)").map_err(wrap)?;
        let valid: bool = statement.query_row([text], |row| row.get(0)).map_err(wrap)?;
        if valid { Ok(()) } else { Err(QueueError::NotJson { job }) }
    }

    /// Runs `work` in a write transaction, in the caller's own where there is one.
    fn atomically<T>(&self, work: impl FnOnce() -> Result<T, QueueError>) -> Result<T, QueueError> {
        if self.store.connection.is_autocommit() { self.store.in_transaction(|_| work()) } else { work() }
    }
}
