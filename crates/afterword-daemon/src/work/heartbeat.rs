//! A heartbeat: an open session that idles is looked at, and what was left undone is said in its timeline.
//!
//! The built-in engine tells what can be known without a model: errors that nothing undid, questions nobody answered, work not
//! committed. Where another engine is chosen it is asked besides, by the user's own prompt (`HEARTBEAT.md`); one that cannot
//! be asked now, or for this money, is done without. A prompt that the user emptied or deleted ends heartbeats. Start at
//! [`Worker::heartbeat`].

use std::path::{Path, PathBuf};

use afterword_core::{JobType, SessionId};
use afterword_platform::files::read_text;
use afterword_reflect::engine::heartbeat::{CONTINUE, HeartbeatAnswer};
use afterword_store::{Claim, DuplicatePolicy, JobLog, NewJob, RunOutcome, TimelineEntry, TimelineEvent};
use afterword_transcript::event::{Event, ToolStatus};
use afterword_vault::layout;
use jiff::{Timestamp, Zoned};
use serde::{Deserialize, Serialize};

use super::heartbeat_checks::Checks;
use super::{CompletedJob, JobError, Worker, git};
use afterword_app::error::obstacle::Obstacle;
use afterword_app::injection::{self, UnfinishedWork};
use afterword_app::model_calls::{QuietSession, QuietSessionVerdict};
use afterword_app::reflect::Eligibility;
use afterword_app::session_location::{SessionLocation, session_location};
use afterword_app::sessions::{self, Transcript};
use afterword_app::{App, Error, excluded, model_calls, reflect};

/// Errors, questions and files told of one kind.
const MOST: usize = 3;
/// How a line begins that says what is not committed.
const NOT_COMMITTED: &str = "Not committed:";
/// Longest line of a report, in characters.
const LINE: usize = 200;

/// What a heartbeat job carries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct HeartbeatPayload {
    transcript: PathBuf,
}

/// The heartbeat of a session that idles, to be queued; `None` for a path that is not Unicode.
pub(crate) fn heartbeat_job(session: &SessionId, transcript: &Path, now: Timestamp) -> Option<NewJob> {
    let payload = HeartbeatPayload { transcript: transcript.to_owned() };
    let payload = serde_json::to_string(&payload).ok()?;
    let about = NewJob::about(JobType::Heartbeat, session.as_str(), DuplicatePolicy::ReportExisting, now);
    Some(NewJob { payload, ..about })
}

/// What a heartbeat job leaves with itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct HeartbeatResult {
    status: String,
    summary: String,
}

pub(super) fn run(worker: &Worker, claim: &Claim, now: &Zoned) -> Result<CompletedJob, JobError> {
    let payload: HeartbeatPayload = serde_json::from_str(&claim.job.payload)
        .map_err(|error| JobError::Permanent(format!("its payload cannot be understood: {error}")))?;
    let Some(transcript) = sessions::transcript_at(&payload.transcript) else {
        return Err(JobError::Permanent("its transcript is gone".to_owned()));
    };
    let at = now.timestamp();
    if let Eligibility::Skipped(why) = reflect::eligibility(&worker.app, &worker.store, &transcript, at)? {
        return Ok(completed_job(why, ""));
    }
    // What its own runs leave open is told by their conversation.
    if worker.store.conversation_runs().has_session(&transcript.session).map_err(Error::from)? {
        return Ok(completed_job("own", ""));
    }
    let text = prompt(worker)?;
    let (prompt, checks) = Checks::of(&text);
    let place = session_location(&transcript.path, &worker.app.config().folders)?;
    let project = place.as_ref().map(|place| place.project.clone());
    let (mut lines, mut remark) = (Vec::new(), None);
    if !text.trim().is_empty() {
        lines = builtin_findings(&worker.app, &transcript.path, place.as_ref(), checks)?;
        let quiet = QuietSession {
            job: claim.job.id,
            session: &transcript.session,
            project: project.as_ref(),
            transcript: &transcript.path,
            last_activity: last_activity(&transcript),
        };
        if !prompt.trim().is_empty() {
            remark = ask_engine(worker, &quiet, prompt, &mut lines, now)?;
        }
    }
    let answer = if lines.is_empty() { CONTINUE.to_owned() } else { lines.join("\n") };
    let answer = worker.app.redaction().text(&answer);
    let continued = lines.is_empty();
    let report = remark.map_or(answer.clone(), |remark| format!("{answer}\n\n({remark})"));
    record_heartbeat(
        worker,
        claim,
        &transcript.session,
        project.clone(),
        (prompt, &answer, &report),
        continued,
        at,
    )?;
    if let Some(project) = project {
        let lines = lines.iter().map(|line| worker.app.redaction().text(line)).collect();
        let Transcript { session, path, fingerprint, .. } = &transcript;
        let (session, transcript, size) = (session.clone(), path.clone(), fingerprint.size);
        injection::write_unfinished_work(
            &worker.app,
            &UnfinishedWork { session, project, transcript, size, at, lines },
        )?;
    }
    Ok(if continued { completed_job("continued", "") } else { completed_job("ran", &answer) })
}

/// The user's prompt, as it stands in the vault.
fn prompt(worker: &Worker) -> Result<String, Error> {
    let vault = worker.app.open_vault()?;
    let path = vault.root().join(layout::HEARTBEAT);
    match read_text(&path) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(source) => Err(Error::Io { path, action: "read the heartbeat's prompt", source }),
    }
}

/// Adds what the chosen engine says, marked as its own. Gives a remark for the log where there is something odd.
fn ask_engine(
    worker: &Worker,
    quiet: &QuietSession<'_>,
    prompt: &str,
    lines: &mut Vec<String>,
    now: &Zoned,
) -> Result<Option<String>, Error> {
    match model_calls::check_quiet_session(&worker.app, &worker.store, quiet, (prompt, lines.as_slice()), now)
    {
        Ok(QuietSessionVerdict::Asked(by, HeartbeatAnswer::Told(message))) => {
            lines.extend(message.lines().map(|line| format!("{by}: {line}")));
            Ok(None)
        }
        Ok(QuietSessionVerdict::Asked(by, HeartbeatAnswer::Unfounded)) => {
            Ok(Some(format!("what {by} said rests on no words of the session, and was dropped")))
        }
        Ok(QuietSessionVerdict::Asked(_, HeartbeatAnswer::Nothing) | QuietSessionVerdict::NotAsked) => {
            Ok(None)
        }
        // Later the session has gone on; what is known without it is told in time.
        Err(error) if error.obstacle() == Some(Obstacle::Engine) => {
            Ok(Some(format!("{} was not asked: {}", worker.app.config().engine, error.chain())))
        }
        Err(error) => Err(error),
    }
}

fn record_heartbeat(
    worker: &Worker,
    claim: &Claim,
    session: &SessionId,
    project: Option<afterword_core::ProjectKey>,
    (prompt, answer, report): (&str, &str, &str),
    continued: bool,
    at: Timestamp,
) -> Result<(), Error> {
    worker.store.in_transaction(|store| {
        store.job_logs().put(&JobLog {
            job: claim.job.id,
            attempt: claim.number,
            user: claim.job.user.clone(),
            job_type: JobType::Heartbeat,
            session: Some(session.clone()),
            project,
            outcome: if continued { RunOutcome::Continued } else { RunOutcome::Ran },
            started_at: at,
            ended_at: at,
            transcript: worker.app.redaction().text(&format!("{}\n\n{report}\n", prompt.trim())),
            todo: "[]".to_owned(),
            handoff_note: None,
        })?;
        if continued {
            return Ok(());
        }
        store.timeline().add(&TimelineEntry {
            session: session.clone(),
            at,
            what: TimelineEvent::Heartbeat,
            detail: Some(answer.to_owned()),
        })
    })?;
    Ok(())
}

/// What the built-in engine has to say, line by line.
fn builtin_findings(
    app: &App,
    transcript: &Path,
    place: Option<&SessionLocation>,
    checks: Checks,
) -> Result<Vec<String>, Error> {
    let left = excluded::scan_redacted(app, transcript, &app.redaction(), |left: &mut OpenWork, event| {
        left.push(&event);
    })?;
    let mut lines = left.report(checks);
    if let Some(place) = place.filter(|_| checks.uncommitted) {
        lines.extend(git::uncommitted_files(Path::new(place.directory.as_str())).map(|files| {
            let shown: Vec<_> = files.iter().take(MOST).map(String::as_str).collect();
            let more = if files.len() > MOST { ", …" } else { "" };
            format!("{NOT_COMMITTED} {} changed files ({}{more}).", files.len(), shown.join(", "))
        }));
    }
    Ok(lines)
}

/// When the transcript was written to last.
fn last_activity(transcript: &Transcript) -> Timestamp {
    Timestamp::from_nanosecond(transcript.fingerprint.mtime_ns.into()).unwrap_or(Timestamp::MIN)
}

fn completed_job(status: &str, summary: &str) -> CompletedJob {
    let result = HeartbeatResult { status: status.to_owned(), summary: summary.to_owned() };
    CompletedJob {
        result: serde_json::to_string(&result).unwrap_or_else(|_| "{}".to_owned()),
        notes: Vec::new(),
    }
}

/// What a session leaves open, gathered from its events.
#[derive(Debug, Default)]
struct OpenWork {
    /// Calls that failed and were not made again with success: id, what they did, the error's first line.
    failed: Vec<(String, String, String)>,
    /// Calls made of late, by id.
    calls: Vec<(String, String)>,
    /// Calls that ask the person and were not answered.
    asked: Vec<(String, String)>,
    /// Whoever spoke last: the person (`true`) or the agent, and what they said.
    last: Option<(bool, String)>,
}

/// Calls whose outcome may still come.
const OPEN_CALLS: usize = 256;

impl OpenWork {
    fn push(&mut self, event: &Event) {
        match event {
            Event::User(said) if !said.place.sidechain => self.last = Some((true, said.text.clone())),
            Event::Agent { place, text } if !place.sidechain => self.last = Some((false, text.clone())),
            Event::Call(call) if !call.place.sidechain => {
                if call.name == "AskUserQuestion" || call.name == "ExitPlanMode" {
                    self.asked.push((call.id.clone(), call.summary.clone()));
                }
                if self.calls.len() == OPEN_CALLS {
                    self.calls.remove(0);
                }
                self.calls.push((call.id.clone(), format!("{} {}", call.name, call.summary)));
            }
            Event::Outcome(outcome) if !outcome.place.sidechain => {
                self.asked.retain(|(id, _)| *id != outcome.call);
                let Some(at) = self.calls.iter().position(|(id, _)| *id == outcome.call) else { return };
                let (id, what) = self.calls.remove(at);
                // The same call again tells how it stands now.
                self.failed.retain(|(_, failed, _)| *failed != what);
                if outcome.status == ToolStatus::Failed {
                    self.failed.push((id, what, outcome.error.clone()));
                }
            }
            _ => {}
        }
    }

    fn report(&self, checks: Checks) -> Vec<String> {
        let mut lines = Vec::new();
        for (_, what, error) in self.failed.iter().rev().take(MOST).filter(|_| checks.errors) {
            lines.push(format!("Still failing: {}: {}", one_line(what), one_line(error)));
        }
        if !checks.questions {
            return lines;
        }
        for (_, question) in self.asked.iter().rev().take(MOST) {
            lines.push(format!("Waits for your answer: {}", one_line(question)));
        }
        match &self.last {
            Some((true, text)) if text.trim_end().ends_with('?') => {
                lines.push(format!("Your question was not answered: {}", one_line(text)));
            }
            Some((false, text)) if self.asked.is_empty() && text.trim_end().ends_with('?') => {
                let question = text.trim_end().lines().next_back().unwrap_or_default();
                lines.push(format!("The agent asked: {}", one_line(question)));
            }
            _ => {}
        }
        lines
    }
}

/// What a heartbeat that is done has to tell a person who does not look: nothing where it had nothing to say, or only that work
/// is not committed, which is so while one works.
pub(crate) fn notice_of_heartbeat(result: &str) -> Option<String> {
    let done: HeartbeatResult = serde_json::from_str(result).ok()?;
    let line =
        done.summary.lines().find(|line| !line.starts_with(NOT_COMMITTED) && !line.trim().is_empty())?;
    (done.status == "ran").then(|| line.to_owned())
}

fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LINE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
