//! Table `engine_calls`: what was asked of paid engines and what it cost.
//!
//! A call is written down before it is made, with the most it can cost: what a crash leaves behind counts as spent, and calls
//! made at the same time cannot pass a limit together.

use afterword_core::{JobId, ProjectKey, SessionId};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;

use crate::values::{count, millis, read_count, time};
use crate::{Store, StoreError};

/// What a call is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// Reading a session, with its web results and its handoff note.
    Reflection,
    /// Saying more of an idea.
    IdeaResearch,
    /// Looking at an open session.
    Heartbeat,
    /// A run of a conversation, or a reply in one. These have a limit of their own within the day's.
    Conversation,
    /// One question, to see whether an engine can be asked.
    Trial,
    /// Putting notes in better words.
    Polish,
}

impl Purpose {
    /// As it is kept.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reflection => "reflection",
            Self::IdeaResearch => "idea-research",
            Self::Heartbeat => "heartbeat",
            Self::Conversation => "conversation",
            Self::Trial => "trial",
            Self::Polish => "polish",
        }
    }
}

/// A call that is about to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct NewCall<'a> {
    /// When.
    pub asked_at: Timestamp,
    /// What for.
    pub purpose: Purpose,
    /// The job it is part of.
    pub job: Option<JobId>,
    /// The engine.
    pub engine: &'a str,
    /// The model, as far as it is known before.
    pub model: &'a str,
    /// The session it is about; empty where it is about none.
    pub session: &'a str,
    /// Its project; empty where unknown.
    pub project: &'a str,
    /// US dollars it can cost at most.
    pub most_usd: f64,
}

/// US dollars that calls may cost together, this one among them; absent for no limit.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CallLimits {
    /// All calls, whatever they are for.
    pub all: Option<f64>,
    /// Those for conversations; it does not hold for others.
    pub conversations: Option<f64>,
    /// Those about the call's project.
    pub project: Option<f64>,
}

/// A row: one call.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct EngineCall {
    /// When it was made.
    pub asked_at: Timestamp,
    /// What for.
    pub purpose: String,
    /// The job it was part of.
    pub job: Option<JobId>,
    /// The engine.
    pub engine: String,
    /// The model, as the provider named it.
    pub model: String,
    /// The session it was about; empty where it was about none.
    pub session: String,
    /// Its project; empty where unknown.
    pub project: String,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// US dollars; what it could cost at most while it is under way.
    pub usd: f64,
    /// It has no end yet: its money is only reserved.
    pub under_way: bool,
    /// Why it gave nothing usable.
    pub problem: Option<String>,
}

/// What calls cost together.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct SpendSum {
    /// What for.
    pub purpose: String,
    /// The engine.
    pub engine: String,
    /// The model.
    pub model: String,
    /// The project.
    pub project: String,
    /// Calls.
    pub calls: u64,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// US dollars.
    pub usd: f64,
}

/// What the calls of an engine that were answered cost, those of the model that answered last.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AnsweredCalls {
    /// The model, as the provider named it; empty where it did not.
    pub model: String,
    /// Calls for the purpose that were answered.
    pub calls: u64,
    /// US dollars they cost, with what was paid in between for answers that could not be used.
    pub usd: f64,
}

/// Reads and writes of the table.
#[derive(Debug, Clone, Copy)]
pub struct EngineCalls<'a> {
    pub(crate) store: &'a Store,
}

/// Why a call gave nothing whose process died.
pub const INTERRUPTED_CALL: &str = "it was cut off; what it cost is not known";

impl EngineCalls<'_> {
    /// Writes a call down, unless with it more US dollars would be spent since `since` than one of the limits allows. Gives
    /// its number.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn reserve(
        &self,
        call: &NewCall<'_>,
        since: Timestamp,
        limits: CallLimits,
    ) -> Result<Option<i64>, StoreError> {
        let wrap = |e| self.store.error("reserve money for a call", e);
        // One statement, so that no other process can spend in between.
        let sql = "INSERT INTO engine_calls (asked_at, purpose, job_id, engine, model, session_id, project,
                input_tokens, output_tokens, usd, under_way)
            SELECT ?1, ?9, ?10, ?2, ?3, ?4, ?5, 0, 0, ?6, 1
            WHERE (?8 IS NULL OR ?6 + (SELECT coalesce(sum(usd), 0.0) FROM engine_calls
                WHERE asked_at >= ?7) <= ?8)
            AND (?12 IS NULL OR ?9 <> 'conversation' OR ?6 + (SELECT coalesce(sum(usd), 0.0) FROM engine_calls
                WHERE asked_at >= ?7 AND purpose = 'conversation') <= ?12)
            AND (?11 IS NULL OR ?6 + (SELECT coalesce(sum(usd), 0.0) FROM engine_calls
                WHERE asked_at >= ?7 AND project = ?5) <= ?11)
            RETURNING id";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let values = params![
            millis(call.asked_at),
            call.engine,
            call.model,
            call.session,
            call.project,
            call.most_usd,
            millis(since),
            limits.all,
            call.purpose.as_str(),
            call.job.map(|job| job.to_string()),
            limits.project,
            limits.conversations,
        ];
        statement.query_row(values, |row| row.get(0)).optional().map_err(wrap)
    }

    /// Says what a call cost in the end.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn record_cost(
        &self,
        id: i64,
        model: &str,
        tokens: (u64, u64),
        usd: f64,
        problem: Option<&str>,
    ) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("write down what a call cost", e);
        let sql = "UPDATE engine_calls SET model = CASE ?2 WHEN '' THEN model ELSE ?2 END, input_tokens = ?3,
            output_tokens = ?4, usd = ?5, problem = ?6, under_way = 0 WHERE id = ?1";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let values = params![id, model, count(tokens.0), count(tokens.1), usd, problem];
        statement.execute(values).map(drop).map_err(wrap)
    }

    /// What was spent stays spent; what it was spent on is no longer known.
    pub(crate) fn forget_session(&self, session: &SessionId) -> Result<(), StoreError> {
        let sql = "UPDATE engine_calls SET session_id = '', project = '', job_id = NULL, problem = NULL WHERE session_id = ?1";
        let done = self.store.connection.execute(sql, [session.as_str()]);
        done.map(drop).map_err(|e| self.store.error("forget which calls were about a session", e))
    }

    pub(crate) fn forget_project(&self, project: &ProjectKey) -> Result<(), StoreError> {
        let sql = "UPDATE engine_calls SET session_id = '', project = '', job_id = NULL, problem = NULL WHERE project = ?1";
        let done = self.store.connection.execute(sql, [project.as_str()]);
        done.map(drop).map_err(|e| self.store.error("forget which calls were about a project", e))
    }

    /// US dollars spent since then, whatever for. A call under way counts with the most it can cost.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn spent_since(&self, since: Timestamp) -> Result<f64, StoreError> {
        let wrap = |e| self.store.error("add up what was spent", e);
        let sql = "SELECT coalesce(sum(usd), 0.0) FROM engine_calls WHERE asked_at >= ?1";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.query_row([millis(since)], |row| row.get(0)).map_err(wrap)
    }

    /// US dollars spent on conversations since then, their runs and their replies.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn spent_on_conversations_since(&self, since: Timestamp) -> Result<f64, StoreError> {
        let wrap = |e| self.store.error("add up what was spent on conversations", e);
        let sql = "SELECT coalesce(sum(usd), 0.0) FROM engine_calls
            WHERE asked_at >= ?1 AND purpose = 'conversation'";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.query_row([millis(since)], |row| row.get(0)).map_err(wrap)
    }

    /// US dollars reserved for calls that are under way, and may cost less in the end: those of jobs that run, `own`
    /// aside, and those of no job made since `since`. What a crash left behind is not among them once its job is over.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn reserved_by_others(&self, own: Option<JobId>, since: Timestamp) -> Result<f64, StoreError> {
        let wrap = |e| self.store.error("add up what is reserved", e);
        let sql = "SELECT coalesce(sum(usd), 0.0) FROM engine_calls
            WHERE under_way = 1 AND (job_id IS NULL AND asked_at >= ?1
                OR job_id IN (SELECT id FROM jobs WHERE status = 'running') AND job_id IS NOT ?2)";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let own = own.map(|job| job.to_string());
        statement.query_row(params![millis(since), own], |row| row.get(0)).map_err(wrap)
    }

    /// US dollars reserved since then for calls that have no end yet.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn reserved_since(&self, since: Timestamp) -> Result<f64, StoreError> {
        let wrap = |e| self.store.error("add up what is reserved", e);
        let sql = "SELECT coalesce(sum(usd), 0.0) FROM engine_calls WHERE asked_at >= ?1 AND under_way = 1";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.query_row([millis(since)], |row| row.get(0)).map_err(wrap)
    }

    /// Gives back what was reserved for calls whose process died: those of jobs that do not run any more, and those of no job
    /// made before `before`. Says how many.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn release_lost_reservations(&self, before: Timestamp) -> Result<usize, StoreError> {
        let wrap = |e| self.store.error("give back what was reserved", e);
        let sql = "UPDATE engine_calls SET under_way = 0, usd = 0.0, problem = ?2
            WHERE under_way = 1 AND (job_id IS NULL AND asked_at < ?1
                OR job_id IS NOT NULL AND job_id NOT IN (SELECT id FROM jobs WHERE status = 'running'))";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.execute(params![millis(before), INTERRUPTED_CALL]).map_err(wrap)
    }

    /// Whether since then an engine was asked about a session for this purpose, and answered.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn was_asked(
        &self,
        purpose: Purpose,
        session: &SessionId,
        since: Timestamp,
    ) -> Result<bool, StoreError> {
        let wrap = |e| self.store.error("look whether an engine was asked", e);
        let sql = "SELECT EXISTS (SELECT 1 FROM engine_calls WHERE asked_at >= ?1 AND session_id = ?2
            AND purpose = ?3 AND problem IS NULL AND input_tokens > 0)";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let values = params![millis(since), session.as_str(), purpose.as_str()];
        statement.query_row(values, |row| row.get(0)).map_err(wrap)
    }

    /// When an engine was first asked about a session for this purpose and answered.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn first_answered_at(
        &self,
        purpose: Purpose,
        session: &SessionId,
    ) -> Result<Option<Timestamp>, StoreError> {
        let wrap = |e| self.store.error("look when an engine was asked", e);
        let sql =
            "SELECT asked_at FROM engine_calls WHERE session_id = ?1 AND purpose = ?2 AND problem IS NULL
            AND input_tokens > 0 ORDER BY asked_at LIMIT 1";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let values = params![session.as_str(), purpose.as_str()];
        statement.query_row(values, |row| time(row, 0)).optional().map_err(wrap)
    }

    /// What answers of an engine for this purpose cost so far, by the model that answered last, whatever for.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn answer_costs(&self, engine: &str, purpose: Purpose) -> Result<AnsweredCalls, StoreError> {
        let wrap = |e| self.store.error("add up what answers cost", e);
        let sql = "WITH latest AS (SELECT model FROM engine_calls
                WHERE engine = ?1 AND problem IS NULL AND input_tokens > 0 ORDER BY asked_at DESC, id DESC LIMIT 1)
            SELECT coalesce((SELECT model FROM latest), ''), count(CASE WHEN problem IS NULL THEN 1 END), coalesce(sum(usd), 0.0)
            FROM engine_calls WHERE engine = ?1 AND purpose = ?2 AND under_way = 0
            AND (model = (SELECT model FROM latest) AND input_tokens > 0 OR model = '' AND problem IS NOT NULL)";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let answered = |row: &Row<'_>| {
            Ok(AnsweredCalls { model: row.get(0)?, calls: read_count(row, 1)?, usd: row.get(2)? })
        };
        statement.query_row(params![engine, purpose.as_str()], answered).map_err(wrap)
    }

    /// The calls that cost something since then, each with its US dollars, the first first.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn costs_since(&self, since: Timestamp) -> Result<Vec<(Timestamp, f64)>, StoreError> {
        let wrap = |e| self.store.error("read what was spent", e);
        let sql = "SELECT asked_at, usd FROM engine_calls WHERE asked_at >= ?1 AND usd > 0 AND under_way = 0
            ORDER BY asked_at, id";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map([millis(since)], |row| Ok((time(row, 0)?, row.get(1)?)));
        rows.map_err(wrap)?.collect::<Result<_, _>>().map_err(wrap)
    }

    /// US dollars spent on a project since then.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn spent_on_since(&self, project: &str, since: Timestamp) -> Result<f64, StoreError> {
        let wrap = |e| self.store.error("add up what was spent on a project", e);
        let sql = "SELECT coalesce(sum(usd), 0.0) FROM engine_calls WHERE asked_at >= ?1 AND project = ?2";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.query_row(params![millis(since), project], |row| row.get(0)).map_err(wrap)
    }

    /// What was spent since then, by purpose, engine, model and project, the dearest first; of calls under way only how many.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn sums_since(&self, since: Timestamp) -> Result<Vec<SpendSum>, StoreError> {
        let wrap = |e| self.store.error("add up what was spent", e);
        let sql = "SELECT purpose, engine, model, project, count(*), sum(input_tokens), sum(output_tokens), sum(usd * (1 - under_way))
            FROM engine_calls WHERE asked_at >= ?1 GROUP BY purpose, engine, model, project ORDER BY 8 DESC, 1, 2, 3, 4";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let sum = |row: &Row<'_>| {
            Ok(SpendSum {
                purpose: row.get(0)?,
                engine: row.get(1)?,
                model: row.get(2)?,
                project: row.get(3)?,
                calls: read_count(row, 4)?,
                input_tokens: read_count(row, 5)?,
                output_tokens: read_count(row, 6)?,
                usd: row.get(7)?,
            })
        };
        let rows = statement.query_map([millis(since)], sum).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }

    /// The latest calls, the latest first.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn latest(&self, most: usize) -> Result<Vec<EngineCall>, StoreError> {
        let wrap = |e| self.store.error("read the calls", e);
        let sql =
            "SELECT asked_at, engine, model, session_id, project, input_tokens, output_tokens, usd, problem,
                purpose, job_id, under_way
            FROM engine_calls ORDER BY id DESC LIMIT ?1";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let call = |row: &Row<'_>| {
            Ok(EngineCall {
                asked_at: time(row, 0)?,
                engine: row.get(1)?,
                model: row.get(2)?,
                session: row.get(3)?,
                project: row.get(4)?,
                input_tokens: read_count(row, 5)?,
                output_tokens: read_count(row, 6)?,
                usd: row.get(7)?,
                problem: row.get(8)?,
                under_way: row.get(11)?,
                purpose: row.get(9)?,
                job: row.get::<_, Option<String>>(10)?.as_deref().and_then(JobId::parse),
            })
        };
        let rows = statement.query_map([count(most as u64)], call).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }
}

#[cfg(test)]
mod tests {
    use afterword_core::{JobType, WorkerId};

    use super::*;
    use crate::jobs::{DuplicatePolicy, NewJob};

    fn call(asked_at: &str, most_usd: f64) -> NewCall<'_> {
        let asked_at = asked_at.parse().unwrap();
        let purpose = Purpose::Reflection;
        let (engine, model, session, project) = ("anthropic", "m", "s", "/p");
        NewCall { asked_at, purpose, job: None, engine, model, session, project, most_usd }
    }

    #[test]
    fn a_limit_holds_over_calls_under_way_and_done() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("a.db")).unwrap();
        let calls = store.engine_calls();
        let day = "2026-11-22T00:00:00Z".parse().unwrap();
        let yesterday = call("2026-11-21T23:00:00Z", 5.0);
        assert!(calls.reserve(&yesterday, day, CallLimits::default()).unwrap().is_some());
        let all = |usd| CallLimits { all: Some(usd), ..CallLimits::default() };
        let conversations = |usd| CallLimits { conversations: Some(usd), ..CallLimits::default() };
        let project = |usd| CallLimits { project: Some(usd), ..CallLimits::default() };
        let at_eight = |second: u32| format!("2026-11-22T08:00:0{second}Z");
        let first = calls.reserve(&call(&at_eight(0), 0.06), day, all(0.1)).unwrap().unwrap();
        // While the first runs, all it may cost is spent.
        assert_eq!(calls.reserve(&call(&at_eight(1), 0.06), day, all(0.1)).unwrap(), None);
        calls.record_cost(first, "m-1", (1000, 50), 0.02, None).unwrap();
        let second = calls.reserve(&call(&at_eight(2), 0.06), day, all(0.1)).unwrap().unwrap();
        calls.record_cost(second, "", (500, 0), 0.06, Some("cut off")).unwrap();
        assert!((calls.spent_since(day).unwrap() - 0.08).abs() < 1e-9);
        assert_eq!(calls.reserve(&call("2026-11-22T09:00:00Z", 0.03), day, all(0.1)).unwrap(), None);
        // Another project has its own limit.
        let here = call("2026-11-22T09:00:00Z", 0.03);
        assert_eq!(calls.reserve(&here, day, project(0.1)).unwrap(), None);
        let there = NewCall { project: "/q", ..here };
        let third = calls.reserve(&there, day, project(0.1)).unwrap().unwrap();
        calls.record_cost(third, "", (0, 0), 0.0, None).unwrap();
        assert!((calls.spent_on_since("/p", day).unwrap() - 0.08).abs() < 1e-9);
        // A conversation's money is the day's as well, and has a limit of its own, which holds for no other call.
        let run = NewCall { purpose: Purpose::Conversation, ..call("2026-11-22T09:30:00Z", 0.05) };
        assert_eq!(calls.reserve(&run, day, all(0.1)).unwrap(), None);
        assert_eq!(calls.reserve(&run, day, conversations(0.04)).unwrap(), None);
        let run = calls.reserve(&run, day, conversations(0.05)).unwrap().unwrap();
        assert!((calls.spent_on_conversations_since(day).unwrap() - 0.05).abs() < 1e-9);
        assert!((calls.spent_since(day).unwrap() - 0.13).abs() < 1e-9);
        assert!((calls.spent_on_since("/p", day).unwrap() - 0.13).abs() < 1e-9);
        let other = calls.reserve(&call("2026-11-22T09:31:00Z", 0.01), day, conversations(0.04)).unwrap();
        calls.record_cost(other.unwrap(), "", (0, 0), 0.0, None).unwrap();
        calls.record_cost(run, "", (0, 0), 0.0, None).unwrap();
        let latest = calls.latest(4).unwrap();
        assert_eq!((latest[3].model.as_str(), latest[3].problem.as_deref()), ("m", Some("cut off")));
        let sums = calls.sums_since(day).unwrap();
        assert_eq!(sums.iter().map(|sum| sum.calls).sum::<u64>(), 5);
    }

    #[test]
    fn answers_tell_the_price_and_refusals_do_not_lower_it() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("a.db")).unwrap();
        let calls = store.engine_calls();
        let day = "2026-11-22T00:00:00Z".parse().unwrap();
        assert_eq!(calls.answer_costs("anthropic", Purpose::Reflection).unwrap(), AnsweredCalls::default());
        let ends = [
            ("older", 900, 0.5, None),
            ("", 0, 0.0, Some("signed out")),
            ("newer", 900, 0.08, None),
            ("", 0, 0.04, Some("it reached its limit of money")),
            ("newer", 900, 0.04, None),
        ];
        for (second, (model, read, usd, problem)) in (0..).zip(ends) {
            let at = format!("2026-11-22T08:00:0{second}Z");
            let one = NewCall { model: "", ..call(&at, 1.0) };
            let id = calls.reserve(&one, day, CallLimits::default()).unwrap().unwrap();
            calls.record_cost(id, model, (read, 10), usd, problem).unwrap();
        }
        let answered = calls.answer_costs("anthropic", Purpose::Reflection).unwrap();
        assert_eq!((answered.model.as_str(), answered.calls), ("newer", 2));
        assert!((answered.usd - 0.16).abs() < 1e-9, "{answered:?}");
    }

    #[test]
    fn what_is_set_aside_is_known_while_its_job_runs() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("a.db")).unwrap();
        let (calls, day) = (store.engine_calls(), "2026-11-22T00:00:00Z".parse().unwrap());
        let at: Timestamp = "2026-11-22T08:00:00Z".parse().unwrap();
        let order = NewJob::about(JobType::ConversationRun, "one", DuplicatePolicy::QueueBehind, at);
        store.jobs().enqueue(&order, at).unwrap();
        let claim = store.jobs().claims().claim(WorkerId { process: 1, started_ms: 0 }, at).unwrap().unwrap();
        let job = Some(claim.job.id);
        let run = NewCall { job, ..call("2026-11-22T08:00:00Z", 0.5) };
        calls.reserve(&run, day, CallLimits::default()).unwrap().unwrap();
        let done = calls.reserve(&run, day, CallLimits::default()).unwrap().unwrap();
        calls.record_cost(done, "", (100, 20), 0.25, None).unwrap();
        calls.reserve(&call("2026-11-22T07:00:00Z", 0.2), day, CallLimits::default()).unwrap().unwrap();
        let under_way = |own, since: &str| calls.reserved_by_others(own, since.parse().unwrap()).unwrap();
        assert!((under_way(None, "2026-11-22T06:00:00Z") - 0.7).abs() < 1e-9);
        assert!((under_way(None, "2026-11-22T08:00:00Z") - 0.5).abs() < 1e-9, "of no job, and long ago");
        assert!((under_way(job, "2026-11-22T08:00:00Z")).abs() < 1e-9, "a job does not wait for itself");
        // What is reserved is not spent yet, and nothing of it is given back while somebody may still be at it.
        assert!((calls.reserved_since(day).unwrap() - 0.7).abs() < 1e-9);
        assert!((calls.sums_since(day).unwrap().iter().map(|sum| sum.usd).sum::<f64>() - 0.25).abs() < 1e-9);
        assert_eq!(calls.costs_since(day).unwrap(), [(at, 0.25)]);
        assert_eq!(calls.release_lost_reservations("2026-11-22T07:00:00Z".parse().unwrap()).unwrap(), 0);
        store.jobs().claims().complete(&claim, "{}", at).unwrap();
        assert!((under_way(None, "2026-11-22T08:00:00Z")).abs() < 1e-9, "its job is over");
        assert_eq!(calls.release_lost_reservations("2026-11-22T07:00:00Z".parse().unwrap()).unwrap(), 1);
        assert!((calls.spent_since(day).unwrap() - 0.45).abs() < 1e-9, "the call of no job may still run");
        assert_eq!(calls.release_lost_reservations("2026-11-22T07:00:01Z".parse().unwrap()).unwrap(), 1);
        assert!((calls.spent_since(day).unwrap() - 0.25).abs() < 1e-9);
        let latest = calls.latest(3).unwrap();
        assert!(latest.iter().all(|call| !call.under_way && (call.usd > 0.0) == call.problem.is_none()));
    }

    #[test]
    fn what_was_spent_on_a_forgotten_session_stays_spent() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("a.db")).unwrap();
        let calls = store.engine_calls();
        let day = "2026-11-22T00:00:00Z".parse().unwrap();
        let session = SessionId::parse("11111111-1111-4111-8111-111111111111").unwrap();
        let one = NewCall { session: session.as_str(), ..call("2026-11-22T08:00:00Z", 0.5) };
        calls.reserve(&one, day, CallLimits::default()).unwrap().unwrap();
        store.forgotten_sessions().forget(&session, day).unwrap();
        let kept = &calls.latest(1).unwrap()[0];
        assert_eq!((kept.session.as_str(), kept.project.as_str()), ("", ""));
        assert!((calls.spent_since(day).unwrap() - 0.5).abs() < 1e-9);
    }
}
