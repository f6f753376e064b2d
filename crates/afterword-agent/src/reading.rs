//! A session as a person reads it: who said what, what the agent did and how it went, line by line, with every secret taken
//! out.

use std::collections::HashSet;

use afterword_core::{SessionId, SessionState, Trigger, UserId};
use afterword_transcript::Report;
use afterword_transcript::event::{Event, Origin, Place, Status};
use afterword_transcript::report::Usage;
use jiff::Timestamp;
use serde::Serialize;

use crate::queue::{Enqueued, ReflectionOrder};
use crate::redaction::Redaction;
use crate::sessions::find;
use crate::{Agent, Error};

/// Longest text of a row, in characters.
const ROW_CHARS: usize = 1200;
/// Rows of one answer at most.
const MOST_ROWS: usize = 4000;

/// Who a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Voice {
    /// The person.
    User,
    /// The model.
    Agent,
    /// A tool was called.
    Call,
    /// Something failed, was refused or stopped.
    Trouble,
    /// The client did something.
    Client,
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The line in the transcript, counted from 1.
    pub line: u64,
    /// The entry's uuid; empty where it has none.
    pub uuid: String,
    /// When.
    pub time: Option<Timestamp>,
    /// Who.
    pub voice: Voice,
    /// What sort of thing it was, in two words at most; empty where the voice says it all.
    pub what: &'static str,
    /// The words, bounded.
    pub text: String,
    /// By or for a sub-agent.
    pub sidechain: bool,
}

/// A session, read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionReading {
    /// The session.
    pub session: String,
    /// Its title, the person's own before the client's.
    pub title: Option<String>,
    /// Its transcript.
    pub transcript: String,
    /// The first entry's time.
    pub started: Option<Timestamp>,
    /// The last entry's time.
    pub last_activity: Option<Timestamp>,
    /// Entries read.
    pub entries: u64,
    /// Lines that could not be read.
    pub skipped: u64,
    /// Tokens, each message counted once.
    pub usage: Usage,
    /// Secrets that were taken out.
    pub redacted: usize,
    /// What happened, in the file's order.
    pub rows: Vec<Row>,
    /// Rows left out at the beginning.
    pub left_out: usize,
    /// Rows left out at the end.
    pub left_out_after: usize,
}

/// A few rows around one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Surroundings {
    /// The rows.
    pub rows: Vec<Row>,
    /// Which of them was asked for; `None` where the transcript does not have it any more.
    pub focus: Option<usize>,
}

impl Agent {
    /// Reads a session, by id, by the start of its id, or by its transcript's path.
    ///
    /// # Errors
    /// [`Error::NoSuchSession`], [`Error::AmbiguousSession`], or what is wrong with the transcript.
    pub fn read_session(&self, argument: &str) -> Result<SessionReading, Error> {
        self.read_session_at(argument, None)
    }

    /// The same, with the row of this line among those that are shown; without a line the latest rows are.
    ///
    /// # Errors
    /// As [`Agent::read_session`].
    pub fn read_session_at(&self, argument: &str, line: Option<u64>) -> Result<SessionReading, Error> {
        let (path, session, read) = self.read_rows(argument)?;
        let latest = read.rows.len().saturating_sub(MOST_ROWS);
        let row_of = |line| read.rows.partition_point(|row| row.line <= line);
        let left_out = line.map_or(latest, |line| row_of(line).saturating_sub(MOST_ROWS / 2).min(latest));
        let redaction = self.redaction();
        Ok(SessionReading {
            session,
            title: read.report.title.as_deref().map(|title| redaction.text(title)),
            transcript: path,
            started: read.report.started,
            last_activity: read.report.last_activity,
            entries: read.report.entries,
            skipped: read.report.skipped.total,
            usage: read.report.usage,
            redacted: read.redacted,
            left_out,
            left_out_after: latest - left_out,
            rows: read.rows.into_iter().skip(left_out).take(MOST_ROWS).collect(),
        })
    }

    /// Shows what was said before and after an entry, named by its uuid or, where it has none, by its line.
    ///
    /// # Errors
    /// As [`Agent::read_session`].
    pub fn surroundings(
        &self,
        session: &str,
        uuid: &str,
        line: u64,
        around: usize,
    ) -> Result<Surroundings, Error> {
        let (_, _, read) = self.read_rows(session)?;
        let by_uuid = read.rows.iter().position(|row| !uuid.is_empty() && row.uuid == uuid);
        let focus = by_uuid.or_else(|| read.rows.iter().position(|row| line > 0 && row.line == line));
        let Some(at) = focus else { return Ok(Surroundings { rows: Vec::new(), focus: None }) };
        let first = at.saturating_sub(around);
        let rows: Vec<Row> = read.rows.into_iter().skip(first).take(at - first + around + 1).collect();
        Ok(Surroundings { rows, focus: Some(at - first) })
    }

    /// The sessions in which something was written of late, as far as an agent follows them.
    ///
    /// # Errors
    /// What the database said.
    pub fn live_sessions(&self) -> Result<HashSet<SessionId>, Error> {
        let Some(store) = self.existing_store()? else { return Ok(HashSet::new()) };
        let active = store.following().all()?.into_iter().filter(|one| one.state == SessionState::Active);
        Ok(active.map(|one| one.session).collect())
    }

    /// Puts a session into the queue, for a person; `again` also where nothing changed since it was reflected.
    ///
    /// # Errors
    /// As [`Agent::read_session`] for the argument, and what the database said.
    pub fn order_reflection(&self, argument: &str, again: bool, now: Timestamp) -> Result<Enqueued, Error> {
        let found = self.find_session(argument)?;
        let order = ReflectionOrder {
            transcript: Some(found.path),
            force: again,
            ..ReflectionOrder::new(found.session, Trigger::Manual)
        };
        self.queue()?.reflect(&order, &UserId::default(), now)
    }

    fn read_rows(&self, argument: &str) -> Result<(String, String, Rows), Error> {
        let transcript = find(&self.claude, &self.environment.working_directory, argument)?;
        let redaction = self.redaction();
        let mut rows = Vec::new();
        let mut redacted = 0;
        let report = self.scan(&transcript.path, &mut |event| {
            let (event, removed) = redaction.event(event);
            redacted += removed;
            rows.extend(row(event, &redaction));
        })?;
        let path = transcript.path.to_string_lossy().into_owned();
        Ok((path, transcript.session.to_string(), Rows { rows, report, redacted }))
    }
}

struct Rows {
    rows: Vec<Row>,
    report: Report,
    redacted: usize,
}

/// What an event shows; nothing for a result that only says that all went well.
fn row(event: Event, redaction: &Redaction) -> Option<Row> {
    let made = |place: Place, voice, what, text: &str| Row {
        line: place.line,
        uuid: place.uuid,
        time: place.time,
        voice,
        what,
        text: bounded(text),
        sidechain: place.sidechain,
    };
    Some(match event {
        Event::User(said) => {
            let what = match said.origin {
                Origin::Prompt => "",
                Origin::Queued => "queued",
                Origin::Rejection { .. } => "refused a tool",
                Origin::PlanFeedback { .. } => "sent the plan back",
                Origin::Answer { .. } => "answered",
                Origin::CommandArguments { .. } => "command",
                Origin::Shell => "shell",
            };
            made(said.place, Voice::User, what, &said.text)
        }
        Event::Agent { place, text } => made(place, Voice::Agent, "", &text),
        Event::Call(call) => {
            let text = format!("{}: {}", call.name, redaction.text(&call.summary));
            made(call.place, Voice::Call, "", &text)
        }
        Event::Outcome(outcome) => match outcome.status {
            Status::Ok if outcome.user_modified => made(outcome.place, Voice::User, "changed the edit", ""),
            Status::Ok => return None,
            Status::Failed => made(outcome.place, Voice::Trouble, "failed", &outcome.error),
            Status::Rejected => made(outcome.place, Voice::Trouble, "not allowed", ""),
            Status::Interrupted => made(outcome.place, Voice::Trouble, "stopped", ""),
            Status::PlanApproved => made(outcome.place, Voice::User, "approved the plan", ""),
        },
        Event::Interrupt { place, .. } => made(place, Voice::User, "pressed escape", ""),
        Event::Compaction { place } => made(place, Voice::Client, "conversation compacted", ""),
        Event::Rewind(rewind) => made(rewind.place, Voice::User, "went back to an earlier message", ""),
        Event::Repeat(_) => return None,
    })
}

/// The first characters, with what could deceive written out.
fn bounded(text: &str) -> String {
    let clean = afterword_vault::plain::visible_lines(text);
    match clean.char_indices().nth(ROW_CHARS) {
        Some((at, _)) => format!("{}…", &clean[..at]),
        None => clean,
    }
}
