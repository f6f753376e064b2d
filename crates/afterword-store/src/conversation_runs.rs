//! Table `conversation_runs`: every run of a conversation's Claude session, what came of it and what it cost.
//!
//! A run is written down when it begins, so that one cut off by a crash or a kill is seen: it has no end.

use afterword_core::conversation::{ConversationRunId, MessageSource};
use afterword_core::{ConversationId, JobId, SessionId};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;

use crate::values::{count, maybe_time, millis, parse_column, read_count, time};
use crate::{Store, StoreError};

/// Reads and writes of the table.
#[derive(Debug, Clone, Copy)]
pub struct ConversationRuns<'a> {
    pub(crate) store: &'a Store,
}

/// What came of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "TaskRunOutcome"))]
#[serde(rename_all = "kebab-case")]
pub enum ConversationRunOutcome {
    /// Nothing yet.
    Running,
    /// The person was answered.
    Replied,
    /// The work goes on.
    Continued,
    /// The work asked the person.
    Asked,
    /// The work is done for good.
    Completed,
    /// It failed.
    Failed,
    /// A person cancelled it.
    Cancelled,
    /// The program ended in the middle of it.
    CutOff,
}

/// What a run cost.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RunCost {
    /// US dollars.
    pub usd: f64,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Requests made.
    pub turns: u64,
}

/// A row.
#[derive(Debug, Clone, PartialEq)]
pub struct ConversationRun {
    /// Its id.
    pub id: ConversationRunId,
    /// The conversation.
    pub conversation: ConversationId,
    /// The job it was a part of.
    pub job: JobId,
    /// For the chat or for the work.
    pub source: MessageSource,
    /// When the work was due.
    pub due_at: Option<Timestamp>,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// What came of it.
    pub outcome: ConversationRunOutcome,
    /// The Claude session it ran in.
    pub claude_session: Option<SessionId>,
    /// The client's process, in the words of whoever started it.
    pub process: Option<String>,
    /// What it cost.
    pub cost: RunCost,
    /// Why it failed.
    pub reason: Option<String>,
}

impl ConversationRuns<'_> {
    /// Writes down that a run begins.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read; also when another run of the conversation has no end yet.
    pub fn begin(&self, run: &ConversationRun) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("begin a conversation's run", e);
        let sql =
            "INSERT INTO conversation_runs (id, conversation_id, job_id, source, due_at, started_at, outcome,
                claude_session_id)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'running', ?7)";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let values = params![
            run.id.to_string(),
            run.conversation.to_string(),
            run.job.to_string(),
            run.source.as_str(),
            run.due_at.map(millis),
            millis(run.started_at),
            run.claude_session.as_ref().map(SessionId::as_str),
        ];
        statement.execute(values).map(drop).map_err(wrap)
    }

    /// Notes the Claude session that a run begins or goes on with.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn set_session(&self, id: ConversationRunId, session: &SessionId) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("note a run's session", e);
        let sql = "UPDATE conversation_runs SET claude_session_id = ?2 WHERE id = ?1";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.execute(params![id.to_string(), session.as_str()]).map(drop).map_err(wrap)
    }

    /// Whether a session is a run's, in which nobody sits.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn has_session(&self, session: &SessionId) -> Result<bool, StoreError> {
        let wrap = |e| self.store.error("look whether a session is a run's", e);
        let sql = "SELECT EXISTS (SELECT 1 FROM conversation_runs WHERE claude_session_id = ?1)";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.query_row([session.as_str()], |row| row.get(0)).map_err(wrap)
    }

    /// Notes the client's process, as soon as it is there.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn set_process(&self, id: ConversationRunId, process: &str) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("note a run's process", e);
        let sql = "UPDATE conversation_runs SET process = ?2 WHERE id = ?1";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.execute(params![id.to_string(), process]).map(drop).map_err(wrap)
    }

    /// Ends a run.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn end(
        &self,
        id: ConversationRunId,
        outcome: ConversationRunOutcome,
        cost: RunCost,
        reason: Option<&str>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("end a conversation's run", e);
        let sql =
            "UPDATE conversation_runs SET outcome = ?2, ended_at = ?3, cost_usd = ?4, input_tokens = ?5,
                output_tokens = ?6, turns = ?7, reason = ?8
            WHERE id = ?1 AND outcome = 'running'";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let values = params![
            id.to_string(),
            outcome.as_str(),
            millis(now),
            cost.usd,
            count(cost.input_tokens),
            count(cost.output_tokens),
            count(cost.turns),
            reason,
        ];
        statement.execute(values).map(drop).map_err(wrap)
    }

    /// The run of a conversation that has no end.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn open(&self, conversation: ConversationId) -> Result<Option<ConversationRun>, StoreError> {
        let sql = "SELECT * FROM conversation_runs WHERE conversation_id = ?1 AND outcome = 'running'";
        Ok(self.query(sql, [conversation.to_string()])?.pop())
    }

    /// The last runs of a conversation, at most `most`, the latest first.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn last(&self, conversation: ConversationId, most: u32) -> Result<Vec<ConversationRun>, StoreError> {
        let sql = "SELECT * FROM conversation_runs WHERE conversation_id = ?1 ORDER BY seq DESC LIMIT ?2";
        self.query(sql, params![conversation.to_string(), most])
    }

    /// US dollars that a conversation's runs cost.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn spent_on(&self, conversation: ConversationId) -> Result<f64, StoreError> {
        let wrap = |e| self.store.error("add up what runs cost", e);
        let sql = "SELECT coalesce(sum(cost_usd), 0.0) FROM conversation_runs WHERE conversation_id = ?1";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let sum = statement.query_row([conversation.to_string()], |row| row.get(0)).optional();
        Ok(sum.map_err(wrap)?.unwrap_or(0.0))
    }

    fn query(&self, sql: &str, values: impl rusqlite::Params) -> Result<Vec<ConversationRun>, StoreError> {
        let wrap = |e| self.store.error("read a conversation's runs", e);
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map(values, read).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<ConversationRun> {
    let column = |name: &str| row.as_ref().column_index(name);
    let session: Option<String> = row.get("claude_session_id")?;
    Ok(ConversationRun {
        id: parse_column(row, "id", ConversationRunId::parse)?,
        conversation: parse_column(row, "conversation_id", ConversationId::parse)?,
        job: parse_column(row, "job_id", JobId::parse)?,
        source: parse_column(row, "source", MessageSource::parse)?,
        due_at: maybe_time(row, column("due_at")?)?,
        started_at: time(row, column("started_at")?)?,
        ended_at: maybe_time(row, column("ended_at")?)?,
        outcome: parse_column(row, "outcome", ConversationRunOutcome::parse)?,
        claude_session: session.as_deref().and_then(SessionId::parse),
        process: row.get("process")?,
        cost: RunCost {
            usd: row.get("cost_usd")?,
            input_tokens: read_count(row, column("input_tokens")?)?,
            output_tokens: read_count(row, column("output_tokens")?)?,
            turns: read_count(row, column("turns")?)?,
        },
        reason: row.get("reason")?,
    })
}

impl ConversationRunOutcome {
    /// Every outcome.
    pub const ALL: [Self; 8] = [
        Self::Running,
        Self::Replied,
        Self::Continued,
        Self::Asked,
        Self::Completed,
        Self::Failed,
        Self::Cancelled,
        Self::CutOff,
    ];

    /// Its name, the same in SQL, JSON and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Replied => "replied",
            Self::Continued => "continued",
            Self::Asked => "asked",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::CutOff => "cut-off",
        }
    }

    /// Reads its name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == text)
    }
}
