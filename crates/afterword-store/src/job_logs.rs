//! Table `job_logs`: what each job did, kept out of the session it was about, and the note it leaves for the next one.

use afterword_core::{JobId, JobType, ProjectKey, SessionId, UserId};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, named_params, params};

use crate::values::{millis, parse_column, time};
use crate::{Store, StoreError};

/// How a job's run went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunOutcome {
    /// It did something worth showing.
    Ran,
    /// It found nothing to say, and is to look again later.
    Continued,
    /// It failed, or has not ended.
    Failed,
}

impl RunOutcome {
    fn as_str(self) -> &'static str {
        match self {
            Self::Ran => "ran",
            Self::Continued => "continued",
            Self::Failed => "failed",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        [Self::Ran, Self::Continued, Self::Failed].into_iter().find(|outcome| outcome.as_str() == text)
    }
}

/// A row: one attempt at a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobLog {
    /// The job.
    pub job: JobId,
    /// Which attempt it was, from 1.
    pub attempt: u32,
    /// Whose job it was.
    pub user: UserId,
    /// What sort of job it was.
    pub job_type: JobType,
    /// The session it was about.
    pub session: Option<SessionId>,
    /// That session's project.
    pub project: Option<ProjectKey>,
    /// How it went.
    pub outcome: RunOutcome,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub ended_at: Timestamp,
    /// All that was said, as text, redacted.
    pub transcript: String,
    /// Its to-do list, as JSON.
    pub todo: String,
    /// What the next one should know.
    pub handoff_note: Option<String>,
}

/// Reads and writes of the table.
#[derive(Debug, Clone, Copy)]
pub struct JobLogs<'a> {
    pub(crate) store: &'a Store,
}

impl JobLogs<'_> {
    /// Writes the log of an attempt, in place of what it had.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read, or the to-do list is not JSON.
    pub fn put(&self, log: &JobLog) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("keep a job's log", e);
        let sql =
            "INSERT OR REPLACE INTO job_logs (job_id, attempt, user_id, type, session_id, project, outcome,
                started_at, ended_at, transcript, todo, handoff_note)
            VALUES (:job, :attempt, :user, :type, :session, :project, :outcome,
                :started, :ended, :transcript, :todo, :note)";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let done = statement.execute(named_params! {
            ":job": log.job.to_string(),
            ":attempt": log.attempt,
            ":user": log.user.as_str(),
            ":type": log.job_type.as_str(),
            ":session": log.session.as_ref().map(SessionId::as_str),
            ":project": log.project.as_ref().map(ProjectKey::as_str),
            ":outcome": log.outcome.as_str(),
            ":started": millis(log.started_at),
            ":ended": millis(log.ended_at),
            ":transcript": log.transcript,
            ":todo": log.todo,
            ":note": log.handoff_note,
        });
        done.map(drop).map_err(wrap)
    }

    /// The logs of a job's attempts, in their order.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn of_job(&self, job: JobId) -> Result<Vec<JobLog>, StoreError> {
        let wrap = |e| self.store.error("read a job's logs", e);
        let sql = "SELECT * FROM job_logs WHERE job_id = ?1 ORDER BY attempt";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map([job.to_string()], read).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }

    /// The last run of a type about a session that did not fail: what tells whether another is due.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn last_success(&self, job_type: JobType, session: &SessionId) -> Result<Option<JobLog>, StoreError> {
        let wrap = |e| self.store.error("read a session's job logs", e);
        let sql = "SELECT * FROM job_logs WHERE session_id = ?1 AND type = ?2 AND outcome <> 'failed'
            ORDER BY ended_at DESC, id DESC LIMIT 1";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.query_row([session.as_str(), job_type.as_str()], read).optional().map_err(wrap)
    }

    /// The note the last successful run of a type left: about this session, or else about its project.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn handoff_note(
        &self,
        job_type: JobType,
        session: &SessionId,
        project: Option<&ProjectKey>,
    ) -> Result<Option<String>, StoreError> {
        let wrap = |e| self.store.error("read a handoff note", e);
        let sql = "SELECT handoff_note FROM job_logs WHERE (session_id = ?1 OR project = ?2) AND type = ?3
                AND outcome <> 'failed' AND handoff_note IS NOT NULL
            ORDER BY session_id IS ?1 DESC, ended_at DESC, id DESC LIMIT 1";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let values = params![session.as_str(), project.map(ProjectKey::as_str), job_type.as_str()];
        statement.query_row(values, |row| row.get(0)).optional().map_err(wrap)
    }

    /// Deletes logs that ended before `before`, but the last of every session and type, which says when it was looked
    /// at and what is next. Says how many it deleted.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn prune(&self, before: Timestamp) -> Result<usize, StoreError> {
        let wrap = |e| self.store.error("clear out old job logs", e);
        let sql = "DELETE FROM job_logs AS log WHERE ended_at < ?1 AND (
            session_id IS NULL OR outcome = 'failed' OR EXISTS (
                SELECT 1 FROM job_logs AS newer WHERE newer.session_id = log.session_id AND newer.type = log.type
                    AND newer.outcome <> 'failed' AND (newer.ended_at, newer.id) > (log.ended_at, log.id)))";
        self.store.connection.execute(sql, [millis(before)]).map_err(wrap)
    }

    /// Deletes everything logged about a session. Says how many rows.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn forget_session(&self, session: &SessionId) -> Result<usize, StoreError> {
        let wrap = |e| self.store.error("forget a session's job logs", e);
        self.store
            .connection
            .execute("DELETE FROM job_logs WHERE session_id = ?1", [session.as_str()])
            .map_err(wrap)
    }

    /// Deletes everything logged about a project. Says how many rows.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn forget_project(&self, project: &ProjectKey) -> Result<usize, StoreError> {
        let wrap = |e| self.store.error("forget a project's job logs", e);
        self.store
            .connection
            .execute("DELETE FROM job_logs WHERE project = ?1", [project.as_str()])
            .map_err(wrap)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<JobLog> {
    let column = |name: &str| row.as_ref().column_index(name);
    Ok(JobLog {
        job: parse_column(row, "job_id", JobId::parse)?,
        attempt: row.get("attempt")?,
        user: parse_column(row, "user_id", UserId::parse)?,
        job_type: parse_column(row, "type", JobType::parse)?,
        session: row.get::<_, Option<String>>("session_id")?.and_then(|text| SessionId::parse(&text)),
        project: row.get::<_, Option<String>>("project")?.map(|text| ProjectKey::from_cwd(&text)),
        outcome: parse_column(row, "outcome", RunOutcome::parse)?,
        started_at: time(row, column("started_at")?)?,
        ended_at: time(row, column("ended_at")?)?,
        transcript: row.get("transcript")?,
        todo: row.get("todo")?,
        handoff_note: row.get("handoff_note")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minute: i8) -> Timestamp {
        format!("2026-03-01T10:{minute:02}:00Z").parse().unwrap()
    }

    fn log(session: &str, minute: i8, note: Option<&str>) -> JobLog {
        JobLog {
            job: JobId::new(at(minute)),
            attempt: 1,
            user: UserId::default(),
            job_type: JobType::Reflection,
            session: SessionId::parse(session),
            project: Some(ProjectKey::from_cwd("/home/ada/engine")),
            outcome: RunOutcome::Ran,
            started_at: at(minute),
            ended_at: at(minute),
            transcript: "read 12 turns".into(),
            todo: r#"[{"task":"read","done":true}]"#.into(),
            handoff_note: note.map(str::to_owned),
        }
    }

    fn open() -> (tempfile::TempDir, Store) {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        (home, store)
    }

    #[test]
    fn log_comes_back_and_a_later_state_of_it_replaces_it() {
        let (_home, store) = open();
        let mut one = log("s1", 1, None);
        store.job_logs().put(&one).unwrap();
        one.transcript.push_str("\nwrote 2 notes");
        store.job_logs().put(&one).unwrap();
        let again = JobLog { attempt: 2, ..one.clone() };
        store.job_logs().put(&again).unwrap();
        assert_eq!(store.job_logs().of_job(one.job).unwrap(), [one, again]);
        let broken = JobLog { todo: "- read".into(), ..log("s1", 2, None) };
        assert!(store.job_logs().put(&broken).is_err(), "a to-do list is JSON");
    }

    #[test]
    fn note_of_the_session_goes_before_the_note_of_its_project() {
        let (_home, store) = open();
        let (logs, s1, s2) =
            (store.job_logs(), SessionId::parse("s1").unwrap(), SessionId::parse("s2").unwrap());
        let project = ProjectKey::from_cwd("/home/ada/engine");
        let note =
            |session: &SessionId| logs.handoff_note(JobType::Reflection, session, Some(&project)).unwrap();
        assert_eq!(note(&s1), None);
        logs.put(&log("s1", 1, Some("look at the build"))).unwrap();
        logs.put(&log("s1", 2, Some("the build is fine"))).unwrap();
        logs.put(&JobLog { outcome: RunOutcome::Failed, ..log("s1", 4, Some("half a thought")) }).unwrap();
        logs.put(&log("other", 3, Some("the tests are slow"))).unwrap();
        assert_eq!(note(&s1).as_deref(), Some("the build is fine"));
        assert_eq!(note(&s2).as_deref(), Some("the tests are slow"));
        assert_eq!(logs.handoff_note(JobType::Heartbeat, &s1, Some(&project)).unwrap(), None);
        assert_eq!(logs.handoff_note(JobType::Reflection, &s2, None).unwrap(), None);
    }

    #[test]
    fn last_success_passes_over_failures() {
        let (_home, store) = open();
        let good = JobLog { outcome: RunOutcome::Continued, ..log("s1", 1, None) };
        store.job_logs().put(&good).unwrap();
        store.job_logs().put(&JobLog { outcome: RunOutcome::Failed, ..log("s1", 2, None) }).unwrap();
        let session = SessionId::parse("s1").unwrap();
        assert_eq!(store.job_logs().last_success(JobType::Reflection, &session).unwrap(), Some(good));
        assert_eq!(store.job_logs().last_success(JobType::Heartbeat, &session).unwrap(), None);
    }

    #[test]
    fn pruning_keeps_what_the_next_run_needs() {
        let (_home, store) = open();
        let logs = store.job_logs();
        for minute in 1..=3 {
            logs.put(&log("s1", minute, Some(&format!("note {minute}")))).unwrap();
        }
        assert_eq!(logs.prune(at(30)).unwrap(), 2);
        let session = SessionId::parse("s1").unwrap();
        let note = logs.handoff_note(JobType::Reflection, &session, None).unwrap();
        assert_eq!(note.as_deref(), Some("note 3"));
        assert_eq!(logs.forget_session(&session).unwrap(), 1);
        assert_eq!(logs.forget_project(&ProjectKey::from_cwd("/home/ada/engine")).unwrap(), 0);
    }
}
