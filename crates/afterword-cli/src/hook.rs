//! `afterword hook EVENT`: started by Claude Code inside the user's session.
//!
//! Whatever happens it ends with 0, within its time, and prints nothing but what Claude Code is meant to read. It is read
//! off the arguments by hand, because building the whole command's arguments takes longer than all it does.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use afterword_app::checks::answer;
use afterword_app::injection::InjectionRequest;
use afterword_app::{App, Environment, Paths, environment_of_process, injection};
use afterword_claude_code::hook::{self, OWN_RUN_VARIABLE, PROJECT_VARIABLE, RecordedHook};
use afterword_claude_code::spool::HookEvent;
use jiff::Timestamp;
use serde_json::json;

/// The whole life of a hook at the longest. At the end of a session all hooks together have 1.5 s.
const LIFE: Duration = Duration::from_millis(1000);
/// So long the client is listened to; it writes at once.
const LISTENING: Duration = Duration::from_millis(500);
/// So much of what it says is kept, in bytes; the session and its places come first.
const KEPT: usize = 1 << 20;

/// One call of a hook.
pub(crate) struct Call {
    event: Option<String>,
    home: Option<PathBuf>,
}

impl Call {
    pub(crate) fn new(event: Option<String>, home: Option<PathBuf>) -> Self {
        Self { event, home }
    }

    /// The call this process was started for, if it was started as a hook.
    pub(crate) fn of_process() -> Option<Self> {
        let arguments: Vec<_> = std::env::args_os().skip(1).take(8).collect();
        match arguments.first() {
            Some(first) => Self::parse(first, &arguments[1..]),
            // A client that does not know a hook's `args` starts the program without any.
            None => {
                let by_client = std::env::var_os(PROJECT_VARIABLE).is_some() && !io::stdin().is_terminal();
                by_client.then(|| Self::new(None, None))
            }
        }
    }

    fn parse(command: &OsString, arguments: &[OsString]) -> Option<Self> {
        if command != "hook" {
            return None;
        }
        let Some((event, rest)) = arguments.split_first() else {
            return (!io::stdin().is_terminal()).then(|| Self::new(None, None));
        };
        let event = event.to_str().filter(|event| !event.starts_with('-'))?;
        let home = match rest {
            [flag, home, ..] if flag == "--home" && !home.is_empty() => Some(PathBuf::from(home)),
            _ => None,
        };
        Some(Self::new(Some(event.to_owned()), home))
    }

    /// Notes the event and prints what the session is to be told.
    pub(crate) fn run(self) -> ExitCode {
        let end = Instant::now() + LIFE;
        let input = listen();
        if std::env::var_os(OWN_RUN_VARIABLE).is_none() {
            let (sender, receiver) = channel();
            // In a thread, because a disk that hangs must not hang the session.
            let working = thread::Builder::new().spawn(move || self.work(&input, &sender));
            let left = end.saturating_duration_since(Instant::now());
            if working.is_ok()
                && let Ok(text) = receiver.recv_timeout(left)
            {
                let mut out = io::stdout().lock();
                // The session goes on without it; no hook may fail it.
                let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
            }
        }
        ExitCode::SUCCESS
    }

    fn work(self, input: &[u8], sender: &Sender<String>) {
        let mut environment = environment_of_process();
        environment.afterword_home = self.home.or(environment.afterword_home);
        // Before a tool nothing is noted: it happens all the time, and the session waits.
        if hook::is_before_tool(self.event.as_deref(), input) {
            if let Some(answer) = answer::before_tool(&environment, input, Timestamp::now()) {
                // It took too long, and nobody waits for the answer any more.
                let _ = sender.send(answer);
            }
            return;
        }
        let Ok(paths) = Paths::new(&environment) else { return };
        // Nobody could mend a failure here; `doctor` looks at the same places and tells.
        let Ok(Some(recorded)) = hook::record(&paths, self.event.as_deref(), input, Timestamp::now()) else {
            return;
        };
        if recorded.event == HookEvent::Stop {
            if let Some(answer) = answer::at_end(&environment, input, Timestamp::now()) {
                // It took too long, and nobody waits for the answer any more.
                let _ = sender.send(answer);
            }
            return;
        }
        if let Some(context) = context(recorded, environment, input) {
            let answer =
                json!({"hookSpecificOutput": {"hookEventName": context.0, "additionalContext": context.1}});
            // As above.
            let _ = sender.send(answer.to_string());
        }
    }
}

/// What the session is told, with the event's name: as it starts the lessons that matter to it, with a prompt those that
/// clearly match it, and that a reflection it asked for is done. The answer goes out before it is noted what it was.
fn context(recorded: RecordedHook, environment: Environment, input: &[u8]) -> Option<(&'static str, String)> {
    let event = recorded.event;
    if !matches!(event, HookEvent::SessionStart | HookEvent::UserPromptSubmit) {
        return None;
    }
    // A configuration that cannot be read is told by every other command.
    let app = App::new(environment).ok()?;
    let is_prompt = event == HookEvent::UserPromptSubmit;
    let moment = if is_prompt { Some("prompt".to_owned()) } else { recorded.source };
    let asking = InjectionRequest {
        session: recorded.session,
        cwd: recorded.cwd,
        moment: moment.unwrap_or_else(|| "startup".to_owned()),
        transcript: recorded.transcript,
    };
    if is_prompt && !app.config().recall.on_prompt && !injection::is_awaited_reflection_done(&app, &asking) {
        return None;
    }
    let input: Option<serde_json::Value> = is_prompt.then(|| serde_json::from_slice(input).ok()).flatten();
    let prompt = match &input {
        Some(input) => input.get("prompt")?.as_str()?,
        None if is_prompt => return None,
        None => "",
    };
    if !injection::is_first_at_moment(&app, &asking, prompt, Timestamp::now()) {
        return None;
    }
    let given = if is_prompt {
        injection::lessons_for_prompt(&app, &asking, prompt, Timestamp::now())
    } else {
        injection::lessons_for_session(&app, &asking, Timestamp::now())
    };
    // Nobody could mend a failure here.
    let _ = injection::write_injection_record(&app, &given);
    (!given.text.is_empty()).then_some((event.name(), given.text))
}

/// Reads stdin to its end, or as long as there is time, and keeps its beginning. It is read to the end because the client
/// may take a pipe that breaks for a failure.
fn listen() -> Vec<u8> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let (sender, receiver) = channel();
    let ear = Arc::clone(&heard);
    let listening = thread::Builder::new().spawn(move || {
        let mut input = io::stdin().lock();
        let mut part = vec![0; 64 * 1024];
        loop {
            match input.read(&mut part) {
                Ok(0) => break,
                Ok(count) => {
                    let Ok(mut heard) = ear.lock() else { break };
                    let room = KEPT.saturating_sub(heard.len()).min(count);
                    heard.extend_from_slice(&part[..room]);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        // Nobody waits any more.
        let _ = sender.send(());
    });
    if listening.is_ok() {
        // What was heard by then counts.
        let _ = receiver.recv_timeout(LISTENING);
    }
    heard.lock().map(|mut heard| std::mem::take(&mut *heard)).unwrap_or_default()
}
