//! Table `conversations`: chats and background work, and what of it is due.
//!
//! A conversation that is due gets one job in the queue, in the order of being due; the queue does the rest: one worker, one
//! job a conversation at a time. The rules are those of [`afterword_core::conversation`]; this module keeps rows. Start
//! reading at [`Conversations::queue_due`] and [`Conversations::change`].

use afterword_core::conversation::{ConversationState, RunLimits};
use afterword_core::{
    Conversation, ConversationId, ConversationStatus, Job, JobId, JobStatus, JobType, SessionId, UserId,
};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, named_params, params};

use crate::jobs::{DuplicatePolicy, EnqueueOutcome, NewJob, QueueError};
use crate::values::{json, maybe_json, maybe_time, millis, parse_column, parsed_json, time};
use crate::{Store, StoreError};

/// Reads and writes of the table.
#[derive(Debug, Clone, Copy)]
pub struct Conversations<'a> {
    pub(crate) store: &'a Store,
}

/// A due run whose job has ended without settling it: cancelled, or lost with its workers.
#[derive(Debug, Clone, PartialEq)]
pub struct LostRun {
    /// The conversation.
    pub conversation: Conversation,
    /// Its job, when the queue still knows it.
    pub job: Option<Job>,
}

impl Conversations<'_> {
    /// Adds a conversation.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn add(&self, conversation: &Conversation) -> Result<(), StoreError> {
        let sql = "INSERT INTO conversations (id, user_id, title, status, schedule, next_run_at, state,
                claude_session_id, directory, allowed_tools, connections, most_usd, most_seconds, failures,
                last_success_at, finished_at, created_at, updated_at)
            VALUES (:id, :user, :title, :status, :schedule, :next, :state, :session, :directory, :tools,
                :connections, :usd, :seconds, :failures, :success, :finished, :created, :updated)";
        self.write("add a conversation", sql, conversation).map(drop)
    }

    /// The conversation `id`, if there is one.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn get(&self, id: ConversationId) -> Result<Option<Conversation>, StoreError> {
        let wrap = |e| self.store.error("read a conversation", e);
        let sql = "SELECT * FROM conversations WHERE id = ?1";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.query_row([id.to_string()], read).optional().map_err(wrap)
    }

    /// The user's conversations, the one changed last first.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn list(&self, user: &UserId, archived: bool) -> Result<Vec<Conversation>, StoreError> {
        let sql = "SELECT * FROM conversations WHERE user_id = ?1 AND (?2 OR status <> 'archived')
            ORDER BY updated_at DESC, seq DESC";
        self.query(sql, params![user.as_str(), archived])
    }

    /// The user's conversations whose id starts with `start`, at most `most`.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn starting_with(
        &self,
        user: &UserId,
        start: &str,
        most: u32,
    ) -> Result<Vec<Conversation>, StoreError> {
        let sql = "SELECT * FROM conversations WHERE user_id = ?1 AND substr(id, 1, length(?2)) = ?2
            ORDER BY seq LIMIT ?3";
        self.query(sql, params![user.as_str(), start, most])
    }

    /// Changes a conversation in one write transaction, the caller's own where there is one: nobody else's change
    /// lies between reading and writing. `None` when there is no such conversation; nothing is kept when `work` fails.
    ///
    /// # Errors
    /// What `work` returned, or [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn change<T, E: From<StoreError>>(
        &self,
        id: ConversationId,
        work: impl FnOnce(&mut Conversation) -> Result<T, E>,
    ) -> Result<Option<T>, E> {
        let change = || {
            let Some(mut conversation) = self.get(id)? else { return Ok(None) };
            let done = work(&mut conversation)?;
            self.save(&conversation)?;
            Ok(Some(done))
        };
        if self.store.connection.is_autocommit() { self.store.in_transaction(|_| change()) } else { change() }
    }

    fn save(&self, conversation: &Conversation) -> Result<(), StoreError> {
        let sql = "UPDATE conversations SET user_id = :user, title = :title, status = :status, schedule = :schedule,
                next_run_at = :next, state = :state, claude_session_id = :session, directory = :directory,
                allowed_tools = :tools, connections = :connections, most_usd = :usd, most_seconds = :seconds,
                failures = :failures, last_success_at = :success, finished_at = :finished, created_at = :created,
                updated_at = :updated, job_id = CASE WHEN next_run_at IS :next THEN job_id ELSE NULL END
            WHERE id = :id";
        self.write("keep a conversation", sql, conversation).map(drop)
    }

    /// Queues a job for every conversation that is due at `now` and has none, in the order of being due. How long a
    /// run was missed makes no difference: there is one.
    ///
    /// # Errors
    /// [`QueueError::Store`].
    pub fn queue_due(&self, now: Timestamp) -> Result<Vec<ConversationId>, QueueError> {
        let due = "SELECT * FROM conversations WHERE next_run_at <= ?1 AND job_id IS NULL ORDER BY next_run_at, seq";
        // Looked at without a lock first: as a rule nothing is due.
        if self.query(&format!("{due} LIMIT 1"), [millis(now)])?.is_empty() {
            return Ok(Vec::new());
        }
        self.store.in_transaction(|_| {
            let mut queued = Vec::new();
            for conversation in self.query(due, [millis(now)])? {
                let job = self.queue(&conversation, now)?;
                let wrap = |e| self.store.error("note a conversation's job", e);
                let sql = "UPDATE conversations SET job_id = ?2 WHERE id = ?1";
                let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
                statement.execute(params![conversation.id.to_string(), job.to_string()]).map_err(wrap)?;
                queued.push(conversation.id);
            }
            Ok(queued)
        })
    }

    /// Queues a job that attends to a conversation, unless one waits already.
    ///
    /// # Errors
    /// [`QueueError::Store`].
    pub fn queue(&self, conversation: &Conversation, now: Timestamp) -> Result<JobId, QueueError> {
        let run = NewJob::about(
            JobType::ConversationRun,
            conversation.id.to_string(),
            DuplicatePolicy::QueueBehind,
            now,
        );
        let job = NewJob { user: conversation.user.clone(), ..run };
        match self.store.jobs().enqueue(&job, now)? {
            EnqueueOutcome::Queued(job) => Ok(job.id),
            EnqueueOutcome::AlreadyRunning(job) => {
                // It may wait for a further attempt; whoever asks does not.
                let wrap = |e| self.store.error("bring a job forward", e);
                let sql = "UPDATE jobs SET not_before = ?2 WHERE id = ?1 AND not_before > ?2";
                let values = params![job.id.to_string(), millis(now)];
                self.store.connection.execute(sql, values).map_err(wrap)?;
                Ok(job.id)
            }
            // Only forced jobs are refused.
            EnqueueOutcome::Refused(_) => Ok(JobId::new(now)),
        }
    }

    /// When the next conversation without a job is due, which may be past already.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn next_due(&self) -> Result<Option<Timestamp>, StoreError> {
        let wrap = |e| self.store.error("look for the next conversation", e);
        let sql =
            "SELECT min(next_run_at) FROM conversations WHERE next_run_at IS NOT NULL AND job_id IS NULL";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.query_row((), |row| maybe_time(row, 0)).map_err(wrap)
    }

    /// Due runs whose job has ended without settling them.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn lost_runs(&self) -> Result<Vec<LostRun>, StoreError> {
        let sql = "SELECT c.* FROM conversations c WHERE c.job_id IS NOT NULL AND NOT EXISTS
                (SELECT 1 FROM jobs j WHERE j.id = c.job_id AND j.status IN ('queued', 'running'))
            ORDER BY c.seq";
        let mut found = Vec::new();
        for conversation in self.query(sql, ())? {
            let job = match self.job(conversation.id)? {
                Some(id) => self.store.jobs().get(id)?,
                None => None,
            };
            if job.as_ref().is_none_or(|job| job.status != JobStatus::Completed) {
                found.push(LostRun { conversation, job });
            } else {
                // Done by a job that found it was not due yet, or was changed meanwhile: due anew.
                self.clear_job(conversation.id)?;
            }
        }
        Ok(found)
    }

    /// The job queued for the run that is due.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn job(&self, id: ConversationId) -> Result<Option<JobId>, StoreError> {
        let wrap = |e| self.store.error("read a conversation's job", e);
        let sql = "SELECT job_id FROM conversations WHERE id = ?1";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let text: Option<Option<String>> =
            statement.query_row([id.to_string()], |row| row.get(0)).optional().map_err(wrap)?;
        Ok(text.flatten().as_deref().and_then(JobId::parse))
    }

    /// Forgets which job was queued, so that the run comes due anew.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn clear_job(&self, id: ConversationId) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("forget a conversation's job", e);
        let sql = "UPDATE conversations SET job_id = NULL WHERE id = ?1";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.execute([id.to_string()]).map(drop).map_err(wrap)
    }

    /// Removes a conversation with its messages and runs.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn remove(&self, id: ConversationId) -> Result<bool, StoreError> {
        let wrap = |e| self.store.error("remove a conversation", e);
        let sql = "DELETE FROM conversations WHERE id = ?1";
        let removed = self.store.connection.execute(sql, [id.to_string()]).map_err(wrap)?;
        Ok(removed > 0)
    }

    fn query(&self, sql: &str, values: impl rusqlite::Params) -> Result<Vec<Conversation>, StoreError> {
        let wrap = |e| self.store.error("read the conversations", e);
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map(values, read).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }

    fn write(
        &self,
        action: &'static str,
        sql: &str,
        conversation: &Conversation,
    ) -> Result<usize, StoreError> {
        let wrap = |e| self.store.error(action, e);
        let limits = &conversation.limits;
        let schedule = conversation.schedule.as_ref().map(json);
        let values = named_params! {
            ":id": conversation.id.to_string(),
            ":user": conversation.user.as_str(),
            ":title": conversation.title,
            ":status": conversation.status.as_str(),
            ":schedule": schedule,
            ":next": conversation.next_run_at.map(millis),
            ":state": json(&conversation.state),
            ":session": conversation.claude_session.as_ref().map(SessionId::as_str),
            ":directory": conversation.directory,
            ":tools": json(&limits.allowed_tools),
            ":connections": json(&limits.connections),
            ":usd": limits.most_usd,
            ":seconds": limits.most_seconds,
            ":failures": conversation.failures,
            ":success": conversation.last_success_at.map(millis),
            ":finished": conversation.finished_at.map(millis),
            ":created": millis(conversation.created_at),
            ":updated": millis(conversation.updated_at),
        };
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.execute(values).map_err(wrap)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<Conversation> {
    let column = |name: &str| row.as_ref().column_index(name);
    let session: Option<String> = row.get("claude_session_id")?;
    Ok(Conversation {
        id: parse_column(row, "id", ConversationId::parse)?,
        user: parse_column(row, "user_id", UserId::parse)?,
        title: row.get("title")?,
        status: parse_column(row, "status", ConversationStatus::parse)?,
        schedule: maybe_json(row, "schedule")?,
        next_run_at: maybe_time(row, column("next_run_at")?)?,
        state: parsed_json::<ConversationState>(row, "state")?,
        claude_session: session.as_deref().and_then(SessionId::parse),
        directory: row.get("directory")?,
        limits: RunLimits {
            allowed_tools: parsed_json(row, "allowed_tools")?,
            connections: parsed_json(row, "connections")?,
            most_usd: row.get("most_usd")?,
            most_seconds: row.get("most_seconds")?,
        },
        failures: row.get("failures")?,
        last_success_at: maybe_time(row, column("last_success_at")?)?,
        finished_at: maybe_time(row, column("finished_at")?)?,
        created_at: time(row, column("created_at")?)?,
        updated_at: time(row, column("updated_at")?)?,
    })
}

#[cfg(test)]
mod tests;
