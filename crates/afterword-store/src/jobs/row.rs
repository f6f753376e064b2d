//! A row of the table as a [`Job`].

use afterword_core::{Job, JobId, JobStatus, JobType, Lease, UserId, WorkerId};
use rusqlite::Row;

use crate::values::{maybe_time, parse_column, time};

/// Reads a row of `SELECT *` or `RETURNING *`; by name, as migrations may add columns.
pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Job> {
    let column = |name: &str| row.as_ref().column_index(name);
    Ok(Job {
        id: parse_column(row, "id", JobId::parse)?,
        user: parse_column(row, "user_id", UserId::parse)?,
        job_type: parse_column(row, "type", JobType::parse)?,
        subject: row.get("subject")?,
        forced: row.get("forced")?,
        status: parse_column(row, "status", JobStatus::parse)?,
        payload: row.get("payload")?,
        result: row.get("result")?,
        progress: row.get("progress")?,
        attempts: row.get("attempts")?,
        claims: row.get("lease_number")?,
        not_before: time(row, column("not_before")?)?,
        lease: lease(row)?,
        cancel_requested: row.get("cancel_requested")?,
        reason: row.get("reason")?,
        queued_at: time(row, column("queued_at")?)?,
        started_at: maybe_time(row, column("started_at")?)?,
        completed_at: maybe_time(row, column("completed_at")?)?,
    })
}

fn lease(row: &Row<'_>) -> rusqlite::Result<Option<Lease>> {
    let Some(until) = maybe_time(row, row.as_ref().column_index("lease_until")?)? else { return Ok(None) };
    let worker = parse_column(row, "lease_worker", WorkerId::parse)?;
    Ok(Some(Lease { worker, until, number: row.get("lease_number")? }))
}
