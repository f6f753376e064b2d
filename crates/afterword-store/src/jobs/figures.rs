//! Figures over jobs: how many, how long, since when; and clearing out old ones.

use std::time::Duration;

use afterword_core::job::{QueueAhead, estimate_wait};
use afterword_core::{Job, JobStatus, JobType, UserId};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, params};

use super::{Jobs, row};
use crate::StoreError;
use crate::values::{maybe_time, millis, read_count};

/// So many of the last completed jobs of a type tell how long the next will take.
const REMEMBERED: u32 = 20;

/// What there is of one type of job.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Figures {
    /// Waiting.
    pub pending: u64,
    /// When the one that waits longest was queued.
    pub oldest_pending: Option<Timestamp>,
    /// Running.
    pub running: u64,
    /// The one completed last.
    pub last_completed: Option<Job>,
    /// The one that failed last.
    pub last_failed: Option<Job>,
}

impl Jobs<'_> {
    /// Counts the user's jobs of a type.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn figures(&self, user: &UserId, job_type: JobType) -> Result<Figures, StoreError> {
        let wrap = |e| self.store.error("count the jobs", e);
        let sql =
            "SELECT count(*), min(queued_at) FROM jobs WHERE status = ?1 AND type = ?2 AND user_id = ?3";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let mut count = |status: JobStatus| {
            let values = [status.as_str(), job_type.as_str(), user.as_str()];
            statement.query_row(values, |row| Ok((read_count(row, 0)?, maybe_time(row, 1)?))).map_err(wrap)
        };
        let (pending, oldest_pending) = count(JobStatus::Queued)?;
        let (running, _) = count(JobStatus::Running)?;
        Ok(Figures {
            pending,
            oldest_pending,
            running,
            last_completed: self.last(user, job_type, JobStatus::Completed)?,
            last_failed: self.last(user, job_type, JobStatus::Failed)?,
        })
    }

    /// Guesses how long from `now` until the job is done; nothing for one that has ended.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn eta(&self, job: &Job, now: Timestamp) -> Result<Duration, StoreError> {
        let since = |at: Timestamp| Duration::try_from(now.duration_since(at)).unwrap_or_default();
        let past = self.durations(job.job_type)?;
        match job.status {
            JobStatus::Queued => {
                let mut ahead = self.jobs_ahead(job, now)?;
                // The wait until its time and the wait for the others pass side by side.
                ahead.running_for = self.running_before(job)?.map(since);
                let until_due = Duration::try_from(job.not_before.duration_since(now)).unwrap_or_default();
                Ok(estimate_wait(&past, ahead).max(until_due + estimate_wait(&past, QueueAhead::default())))
            }
            JobStatus::Running => {
                let typical = estimate_wait(&past, QueueAhead::default());
                Ok(typical.saturating_sub(job.started_at.map(since).unwrap_or_default()))
            }
            _ => Ok(Duration::ZERO),
        }
    }

    /// Deletes jobs that ended before `before`, but of every user and type the last completed and the last failed.
    /// Says how many it deleted.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn prune(&self, before: Timestamp) -> Result<usize, StoreError> {
        let wrap = |e| self.store.error("clear out old jobs", e);
        let sql = "DELETE FROM jobs AS job WHERE status IN ('completed', 'failed', 'cancelled')
            AND completed_at < ?1 AND (status = 'cancelled' OR EXISTS (
                SELECT 1 FROM jobs AS newer WHERE newer.type = job.type AND newer.status = job.status
                    AND newer.user_id = job.user_id
                    AND (newer.completed_at, newer.seq) > (job.completed_at, job.seq)))";
        self.store.connection.execute(sql, [millis(before)]).map_err(wrap)
    }

    fn last(&self, user: &UserId, job_type: JobType, status: JobStatus) -> Result<Option<Job>, StoreError> {
        let wrap = |e| self.store.error("read a job", e);
        let sql = "SELECT * FROM jobs WHERE type = ?1 AND status = ?2 AND user_id = ?3
            ORDER BY completed_at DESC, seq DESC LIMIT 1";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let values = [job_type.as_str(), status.as_str(), user.as_str()];
        statement.query_row(values, row::read).optional().map_err(wrap)
    }

    fn durations(&self, job_type: JobType) -> Result<Vec<Duration>, StoreError> {
        let wrap = |e| self.store.error("read how long jobs took", e);
        let sql = "SELECT completed_at - started_at FROM jobs
            WHERE type = ?1 AND status = 'completed' AND started_at IS NOT NULL
            ORDER BY completed_at DESC LIMIT ?2";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let values = params![job_type.as_str(), REMEMBERED];
        let rows = statement.query_map(values, |row| read_count(row, 0).map(Duration::from_millis));
        rows.map_err(wrap)?.collect::<Result<_, _>>().map_err(wrap)
    }

    /// Jobs before `job` in the lanes it has to use: its user's reflections one by one, all others side by side.
    fn jobs_ahead(&self, job: &Job, now: Timestamp) -> Result<QueueAhead, StoreError> {
        let wrap = |e| self.store.error("count the jobs ahead", e);
        let alone = job.job_type == JobType::Reflection;
        let sql = "SELECT count(*) FROM jobs WHERE status = 'queued' AND not_before <= ?1
            AND seq < (SELECT seq FROM jobs WHERE id = ?2) AND (NOT ?3 OR (type = ?4 AND user_id = ?5))";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let due = millis(now.max(job.not_before));
        let values = params![due, job.id.to_string(), alone, job.job_type.as_str(), job.user.as_str()];
        let waiting = statement.query_row(values, |row| row.get(0)).map_err(wrap)?;
        Ok(QueueAhead { waiting, running_for: None, lanes: if alone { 1 } else { self.rules.at_once } })
    }

    /// When the job that `job` has to wait for was started.
    fn running_before(&self, job: &Job) -> Result<Option<Timestamp>, StoreError> {
        let wrap = |e| self.store.error("read the running jobs", e);
        let sql = "SELECT min(started_at) FROM jobs WHERE status = 'running' AND user_id = ?1 AND type = ?2
            AND (type = 'reflection' OR subject = ?3)";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let values = params![job.user.as_str(), job.job_type.as_str(), job.subject];
        statement.query_row(values, |row| maybe_time(row, 0)).map_err(wrap)
    }
}
