//! A session as a person reads it: who said what, what the agent did and how it went, line by line, with every secret taken
//! out.

use std::path::{Path, PathBuf};

use afterword_claude_code::discover::{Role, parent_session};
use afterword_claude_code::install::project_settings_without_hooks;
pub use afterword_claude_code::resume_command;
use afterword_claude_code::{ClaudeHome, resume_line};
use afterword_core::hidden::{escape_hidden, is_hidden};
use afterword_core::{SessionId, Trigger, UserId};
use afterword_transcript::Report;
use afterword_transcript::report::Usage;
use afterword_vault::plain::{one_line, visible_lines};
use jiff::Timestamp;
use serde::Serialize;
use tempfile::NamedTempFile;

use crate::error::SessionError;
use crate::queue::{EnqueueOutcome, ReflectionOrder};
use crate::redaction::Redaction;
use crate::rows::{Row, Voice, row};
use crate::sessions::{find, settings_without_hooks};
use crate::{App, Error, archive, excluded, queue, session_search, sessions};

/// Rows of one answer at most.
const MOST_ROWS: usize = 4000;
/// Bytes of a tool's answer at most.
const LONGEST_RESULT: usize = 256 * 1024;
/// Longest title of a session, in characters.
const LONGEST_TITLE: usize = 200;

/// A sub-agent that worked for a session, in a transcript of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct Subagent {
    /// Its id.
    pub agent: String,
    /// Its first words, cut; empty where it is not indexed yet.
    pub words: String,
    /// Bytes of its transcript.
    pub bytes: u64,
}

/// A session, read.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct SessionReading {
    /// The session.
    pub session: String,
    /// The sub-agent whose transcript it is; empty in the session's own.
    pub agent: String,
    /// The directory that it began in, and in which it can be resumed; `None` where no entry tells.
    pub directory: Option<String>,
    /// The settings of that directory by which Claude Code runs no hook there now, so that its sessions are given nothing and no check
    /// binds in them; `None` where hooks run.
    pub hooks_off: Option<String>,
    /// What goes on with it, to be typed in a shell; `None` where it cannot be resumed.
    pub resume: Option<String>,
    /// Claude Code has its transcript no more: this is the copy.
    pub is_copy: bool,
    /// The sub-agents with transcripts of their own.
    pub subagents: Vec<Subagent>,
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
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct Surroundings {
    /// The rows.
    pub rows: Vec<Row>,
    /// Which of them was asked for; `None` where the transcript does not have it any more.
    pub focus: Option<usize>,
}

/// Reads a session, by id, by the start of its id, or by its transcript's path; also one of which only a copy is left.
///
/// # Errors
/// [`SessionError::NoSuch`], [`SessionError::Ambiguous`], or what is wrong with the transcript.
pub fn read_session(app: &App, argument: &str) -> Result<SessionReading, Error> {
    read_session_at(app, argument, None)
}

/// The same, with the row of this line among those that are shown; without a line the latest rows are.
///
/// # Errors
/// As [`read_session`].
pub fn read_session_at(app: &App, argument: &str, line: Option<u64>) -> Result<SessionReading, Error> {
    read_subagent_at(app, argument, "", line)
}

/// The same of the transcript of one of its sub-agents; of its own where the name is empty.
///
/// # Errors
/// As [`read_session`].
pub fn read_subagent_at(
    app: &App,
    argument: &str,
    agent: &str,
    line: Option<u64>,
) -> Result<SessionReading, Error> {
    let whole = read_whole(app, argument, agent)?;
    let latest = whole.rows.len().saturating_sub(MOST_ROWS);
    let row_of = |line| whole.rows.partition_point(|row| row.line <= line);
    let left_out = line.map_or(latest, |line| row_of(line).saturating_sub(MOST_ROWS / 2).min(latest));
    let mut rows: Vec<Row> = whole.rows.into_iter().skip(left_out).take(MOST_ROWS).collect();
    for row in rows.iter_mut().filter(|row| row.voice == Voice::Agent) {
        row.html = afterword_vault::html::render_html(&row.text);
    }
    Ok(SessionReading { rows, left_out, left_out_after: latest - left_out, ..whole })
}

/// The same with all its rows.
pub(crate) fn read_whole(app: &App, argument: &str, agent: &str) -> Result<SessionReading, Error> {
    let source = session_source(app, argument, agent)?;
    let read = read_rows(app, source.path())?;
    let hooks_off = match source.copied {
        None => hooks_off(app, &source.transcript),
        // Of a copy the transcript is gone, and with it the way to its folder.
        Some(_) => {
            let directory = read.report.first_cwd.as_deref();
            directory.and_then(|directory| project_settings_without_hooks(Path::new(directory)))
        }
    };
    Ok(SessionReading {
        title: read.report.title.map(|title| one_line(&escape_hidden(&title), LONGEST_TITLE)),
        transcript: source.transcript.to_string_lossy().into_owned(),
        is_copy: source.copied.is_some(),
        subagents: if agent.is_empty() { subagents(app, &source)? } else { Vec::new() },
        resume: resume(app, &source, read.report.first_cwd.as_deref()),
        session: source.session,
        agent: agent.to_owned(),
        hooks_off: hooks_off.map(|settings| escape_hidden(&settings.to_string_lossy()).into_owned()),
        directory: read.report.first_cwd.map(|directory| escape_hidden(&directory).into_owned()),
        started: read.report.started,
        last_activity: read.report.last_activity,
        entries: read.report.entries,
        skipped: read.report.skipped.total,
        usage: read.report.usage,
        redacted: read.redacted,
        rows: read.rows,
        left_out: 0,
        left_out_after: 0,
    })
}

/// A sub-agent has the hooks of its session.
fn hooks_off(app: &App, transcript: &Path) -> Option<PathBuf> {
    let session = parent_session(transcript);
    settings_without_hooks(app, session.as_deref().unwrap_or(transcript))
}

/// What a tool answered, with every secret taken out; `None` where nothing came back.
///
/// # Errors
/// As [`read_session`].
pub fn tool_result(
    app: &App,
    argument: &str,
    agent: &str,
    call: &str,
    line: u64,
) -> Result<Option<ResultText>, Error> {
    let source = session_source(app, argument, agent)?;
    let Some(found) = afterword_transcript::read_tool_result(source.path(), call, line)? else {
        return Ok(None);
    };
    if excluded::excluded_lines(app, source.path())?.contains_line(found.line) {
        return Ok(None);
    }
    // Secrets that were named anywhere in the session are known by then.
    let redaction = app.redaction();
    excluded::learn_secrets(app, source.path(), &redaction)?;
    let mut text = visible_lines(&redaction.text(&found.text));
    let is_cut = text.len() > LONGEST_RESULT;
    if is_cut {
        text.truncate(text.floor_char_boundary(LONGEST_RESULT));
    }
    Ok(Some(ResultText { line: found.line, text, is_error: found.is_error, is_cut }))
}

/// Shows what was said before and after an entry, named by its uuid or, where it has none, by its line.
///
/// # Errors
/// As [`read_session`].
pub fn surroundings(
    app: &App,
    session: &str,
    uuid: &str,
    line: u64,
    around: usize,
) -> Result<Surroundings, Error> {
    let read = read_rows(app, session_source(app, session, "")?.path())?;
    let by_uuid = read.rows.iter().position(|row| !uuid.is_empty() && row.uuid == uuid);
    let focus = by_uuid.or_else(|| read.rows.iter().position(|row| line > 0 && row.line == line));
    let Some(at) = focus else { return Ok(Surroundings { rows: Vec::new(), focus: None }) };
    let first = at.saturating_sub(around);
    let rows: Vec<Row> = read.rows.into_iter().skip(first).take(at - first + around + 1).collect();
    Ok(Surroundings { rows, focus: Some(at - first) })
}

/// Puts a session into the queue, for a person; `again` also where nothing changed since it was reflected.
///
/// # Errors
/// As [`read_session`] for the argument, and [`Error::Store`].
pub fn order_reflection(
    app: &App,
    argument: &str,
    again: bool,
    now: Timestamp,
) -> Result<EnqueueOutcome, Error> {
    let found = sessions::find_session(app, argument)?;
    let order = ReflectionOrder {
        transcript: Some(found.path),
        force: again,
        ..ReflectionOrder::new(found.session, Trigger::Manual)
    };
    queue::queue(app)?.reflect(&order, &UserId::default(), now)
}

/// The transcript of a session or of one of its sub-agents; where it is gone, what the archive has of it.
fn session_source(app: &App, argument: &str, agent: &str) -> Result<SessionSource, Error> {
    let found = match find(app.claude(), &app.environment.working_directory, argument) {
        Err(error @ Error::Session(SessionError::NoSuch { .. })) => {
            return archived_source(app, argument, agent, error);
        }
        found => found?,
    };
    let session = found.session.to_string();
    if agent.is_empty() {
        return Ok(SessionSource { transcript: found.path, session, copied: None });
    }
    let of_agent = subagent_files(app, &session).into_iter().find(|(name, ..)| name == agent);
    let Some((_, transcript, _)) = of_agent else {
        return Err(SessionError::NoSuch { argument: format!("{session}/{agent}") }.into());
    };
    Ok(SessionSource { transcript, session, copied: None })
}

fn archived_source(app: &App, argument: &str, agent: &str, gone: Error) -> Result<SessionSource, Error> {
    let archive = archive::archive(app);
    let Some(session) = archive.find_session(argument)? else { return Err(gone) };
    let copy = archive.of_session(&session)?.into_iter().find(|copy| copy.agent == agent);
    let Some(copy) = copy else { return Err(gone) };
    let copied = Some(archive::restore_temporarily(&archive, &copy)?);
    Ok(SessionSource { transcript: copy.transcript, session, copied })
}

/// The sub-agents of a session that have transcripts of their own, with their first words.
fn subagents(app: &App, source: &SessionSource) -> Result<Vec<Subagent>, Error> {
    let files = match &source.copied {
        None => subagent_files(app, &source.session),
        Some(_) => {
            let copies = archive::archive(app).of_session(&source.session)?.into_iter();
            copies
                .filter(|copy| !copy.agent.is_empty())
                .map(|copy| (copy.agent, copy.transcript, copy.bytes))
                .collect()
        }
    };
    let words = session_search::first_words(app, &source.session)?;
    Ok(files
        .into_iter()
        .map(|(agent, _, bytes)| Subagent {
            words: words.get(&agent).map(|words| escape_hidden(words).into_owned()).unwrap_or_default(),
            agent,
            bytes,
        })
        .collect())
}

/// The transcripts of a session's sub-agents, as far as their place tells whose they are.
fn subagent_files(app: &App, session: &str) -> Vec<(String, PathBuf, u64)> {
    let found = app.claude().discover().transcripts.into_iter();
    found
        .filter_map(|file| match file.role {
            Role::Subagent { agent, session: Some(of) } if of == session => {
                Some((agent, file.path, file.size))
            }
            _ => None,
        })
        .collect()
}

fn read_rows(app: &App, path: &Path) -> Result<Rows, Error> {
    let redaction = app.redaction();
    Ok(redaction.read_with_all_known(|_| read_rows_once(app, path, &redaction))?.0)
}

/// The rows, and how many secrets were known at the first of them.
fn read_rows_once(app: &App, path: &Path, redaction: &Redaction) -> Result<(Rows, usize), Error> {
    let (mut rows, mut redacted, mut known_at_first) = (Vec::new(), 0, None);
    let report = excluded::scan(app, path, redaction, &mut |event| {
        let (event, removed) = redaction.event(event);
        redacted += removed;
        if let Some(mut row) = row(event) {
            known_at_first.get_or_insert(redaction.known_values());
            row.text = visible_lines(&row.text);
            rows.push(row);
        }
    })?;
    let read = Rows { rows, report: redaction.report(report), redacted };
    Ok((read, known_at_first.unwrap_or_else(|| redaction.known_values())))
}

/// A transcript to be read.
struct SessionSource {
    /// Where the transcript is, or was.
    transcript: PathBuf,
    session: String,
    /// A copy's bytes, where the transcript is gone.
    copied: Option<NamedTempFile>,
}

impl SessionSource {
    fn path(&self) -> &Path {
        self.copied.as_ref().map_or(&self.transcript, |copied| copied.path())
    }
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "ToolResult"))]
pub struct ResultText {
    /// The line in the transcript, counted from 1.
    pub line: u64,
    /// What it said.
    pub text: String,
    /// It says that it failed.
    pub is_error: bool,
    /// There is more of it in the transcript.
    pub is_cut: bool,
}

struct Rows {
    rows: Vec<Row>,
    report: Report,
    redacted: usize,
}

/// The line that goes on with a session: Claude Code finds it from the directory it began in.
fn resume(app: &App, source: &SessionSource, directory: Option<&str>) -> Option<String> {
    // A directory that is not shown whole cannot be gone to, and no shell is given what its reader does not see.
    let is_whole = |directory: &&str| !directory.contains("[redacted: ") && !directory.contains(is_hidden);
    let directory = directory.filter(|_| source.copied.is_none()).filter(is_whole)?;
    // Whose name would be an option of the client is not Claude Code's session.
    let session = SessionId::parse(&source.session)?;
    let claude = named_directory(app, &source.transcript);
    if claude.as_ref().and_then(|root| root.to_str()).is_some_and(|root| root.contains(is_hidden)) {
        return None;
    }
    resume_line(&session, directory, claude.as_deref())
}

/// The directory of Claude Code that a session is in, where several are followed and it is not `~/.claude`: Claude Code finds it
/// there alone.
fn named_directory(app: &App, transcript: &Path) -> Option<PathBuf> {
    let default = ClaudeHome::resolve(None, app.environment.home.as_deref());
    let is_among_several = app.claude().iter().count() > 1;
    let home = app.claude().home_naming(transcript).filter(|home| Some(*home) != default.as_ref());
    home.filter(|_| is_among_several).map(|home| home.root().to_owned())
}
