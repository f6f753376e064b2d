//! `afterword run`

use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use afterword_app::log::{self, LogFile};
use afterword_app::{AgentState, Error};
use afterword_core::SessionId;
use afterword_core::listing::join_with_and;
use afterword_daemon::{AgentEvent, run};
use jiff::Timestamp;
use serde::Serialize;

use crate::failure::Failure;
use crate::notify::Notifier;
use crate::output::{ATTENTION, BAD, DIM, GOOD, Output, plain};
use crate::wording::{count, short};
use afterword_app::agent_lock;

/// One line of `run --json`.
#[derive(Serialize)]
struct EventView<'a> {
    version: u32,
    at: String,
    event: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    job_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
}

/// How long it may take to end: somewhat longer than the agent waits for jobs.
const PATIENCE: Duration = Duration::from_secs(15);
/// How it ends where it did not stop in time, or was asked to a second time.
const IMPATIENT: i32 = 1;

/// What ends the wait for the next event.
enum Next {
    Event(AgentEvent),
    Stop,
}

pub(crate) fn run(output: &mut Output) -> Result<ExitCode, Failure> {
    let app = super::app()?;
    // One that is at work already has the log.
    if agent_lock::running_agent(app.paths())?.is_none()
        && let Err(error) = log::start(&app, LogFile::Agent)
    {
        output.warning(&plain(&format!("without a log: {}", error.chain())));
    }
    let (sender, next) = mpsc::channel();
    let stop = sender.clone();
    let running = run::start(&app, move |event| drop(sender.send(Next::Event(event.clone()))))?;
    let asked = AtomicBool::new(false);
    // Killed without a chance to stop, it goes on where it was when it is started again.
    let end = move || {
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(IMPATIENT);
        }
        // Where nobody waits for the next event it is ending.
        let _ = stop.send(Next::Stop);
        // Whatever it waits for (a lock, a disk, a reader of what it prints), it ends.
        thread::spawn(|| {
            thread::sleep(PATIENCE);
            std::process::exit(IMPATIENT);
        });
    };
    ctrlc::set_handler(end).map_err(|error| Error::Io {
        path: app.paths().state.clone(),
        action: "listen for the signal to stop",
        source: std::io::Error::other(error),
    })?;
    let places: Vec<_> = app.claude().iter().map(|home| home.root().to_string_lossy().into_owned()).collect();
    let places = join_with_and(&places);
    let _ = writeln!(output.talk(), "following the sessions in {}; stop with Ctrl-C", plain(&places));
    let mut notifier = Notifier::of(&app);
    while let Some(event) = next_event(&next, notifier.as_mut()) {
        if let Some(notifier) = &mut notifier {
            notifier.take_in(&event);
        }
        if output.json {
            output.print_json(&view(&event))?;
        } else {
            report_event(&event, output);
        }
    }
    running.stop();
    Ok(ExitCode::SUCCESS)
}

/// The next event; `None` where it is to stop. Notifications are shown meanwhile, each when it is due.
fn next_event(next: &Receiver<Next>, mut notifier: Option<&mut Notifier>) -> Option<AgentEvent> {
    loop {
        let came = match notifier.as_mut().and_then(|notifier| notifier.show_due()) {
            Some(wait) => match next.recv_timeout(wait) {
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => None,
                Ok(came) => Some(came),
            },
            None => next.recv().ok(),
        };
        return match came {
            Some(Next::Event(event)) => Some(event),
            Some(Next::Stop) | None => None,
        };
    }
}

/// The session a job is of, where it is of one.
fn session_label(session: Option<&SessionId>) -> String {
    session.map_or(String::new(), |session| format!(" of {}", short(session.as_str())))
}

fn report_event(event: &AgentEvent, output: &mut Output) {
    let time = jiff::Zoned::now().strftime("%H:%M:%S").to_string();
    let (style, text) = match event {
        AgentEvent::JobCompleted { session, job_type, notes, .. } => {
            let about = session_label(session.as_ref());
            let written = notes.iter().filter(|note| note.refused.is_none()).count();
            (GOOD, format!("{job_type}{about} done, {} changed", count(written, "note")))
        }
        AgentEvent::JobFailed { session, job_type, reason, again_at, .. } => {
            let about = session_label(session.as_ref());
            let again = if again_at.is_some() { "will be tried again" } else { "given up for now" };
            (BAD, format!("{job_type}{about} failed, {again}: {reason}"))
        }
        AgentEvent::NeedsReview { count: waiting, .. } => {
            (ATTENTION, format!("{} to review", count(*waiting, "note")))
        }
        AgentEvent::WaitingForInput { title, question, .. } => {
            (ATTENTION, format!("{title} waits for you: {question}"))
        }
        AgentEvent::Conversation(news) => (GOOD, format!("{}: {}", news.title, news.text)),
        AgentEvent::SessionChanged { session, state } => {
            (DIM, format!("{} is {state}", short(session.as_str())))
        }
        AgentEvent::StateChanged { state } => {
            (if matches!(state, AgentState::Error { .. }) { BAD } else { DIM }, state.to_string())
        }
        _ => return,
    };
    let _ = writeln!(output.talk(), "{DIM}{time}{DIM:#} {style}{}{style:#}", plain(&text));
}

fn view(event: &AgentEvent) -> EventView<'_> {
    let mut view = EventView {
        version: 1,
        at: Timestamp::now().to_string(),
        event: "unknown",
        job_id: None,
        session_id: None,
        state: None,
        reason: None,
        count: None,
    };
    match event {
        AgentEvent::JobCompleted { job, session, notes, .. } => {
            view.event = "job-completed";
            view.job_id = Some(job.to_string());
            view.session_id = session.as_ref().map(SessionId::as_str);
            view.count = Some(notes.iter().filter(|note| note.refused.is_none()).count());
        }
        AgentEvent::JobFailed { job, session, reason, .. } => {
            view.event = "job-failed";
            view.job_id = Some(job.to_string());
            view.session_id = session.as_ref().map(SessionId::as_str);
            view.reason = Some(reason);
        }
        AgentEvent::NeedsReview { count, .. } => {
            view.event = "needs-review";
            view.count = Some(*count);
        }
        AgentEvent::WaitingForInput { question, .. } => {
            view.event = "waiting-for-input";
            view.reason = Some(question);
        }
        AgentEvent::Conversation(news) => {
            view.event = "conversation";
            view.reason = Some(&news.text);
        }
        AgentEvent::SessionChanged { session, state } => {
            view.event = "session-changed";
            view.session_id = Some(session.as_str());
            view.state = Some(state.to_string());
        }
        AgentEvent::StateChanged { state } => {
            view.event = "state-changed";
            view.state = Some(state.to_string());
        }
        _ => {}
    }
    view
}
