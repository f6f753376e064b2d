//! A machine of its own for each test, and the agent's turns on it.

use std::fs::{self, File};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use afterword_core::{SessionId, SessionState};
use afterword_platform::process::ProcessIdentity;
use afterword_store::{Run, Store};
use afterword_testkit::Sandbox;
pub(super) use afterword_testkit::at;
use afterword_testkit::transcript::Transcript;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use super::super::control::Signal;
use super::super::event::Listeners;
use super::super::event_loop::EventLoop;
use super::super::{AgentEvent, LastProblem, Shared};
use afterword_app::agent_lock::AgentState;
use afterword_app::agent_lock::WatchMode;
use afterword_claude_code::markers::{Marker, Markers};
use afterword_claude_code::spool::{HookEvent, Spool, SpoolEvent};

pub(super) struct TestAgent {
    sandbox: Sandbox,
    turns: Option<(EventLoop, Receiver<Signal>)>,
    shared: Arc<Shared>,
    pub(super) events: Vec<AgentEvent>,
}

impl Deref for TestAgent {
    type Target = Sandbox;

    fn deref(&self) -> &Sandbox {
        &self.sandbox
    }
}

impl TestAgent {
    /// A home with a vault, and an agent that has not begun.
    pub(super) fn new() -> Self {
        let shared = Arc::new(Shared {
            state: Mutex::new(AgentState::Watching),
            vault_problem: LastProblem::default(),
            sessions_problem: LastProblem::default(),
            watching: Mutex::new(WatchMode::Waiting),
            paused: AtomicBool::new(false),
            listeners: Listeners::default(),
        });
        let stage = Self { sandbox: Sandbox::new(), turns: None, shared, events: Vec::new() };
        fs::create_dir_all(stage.path("claude/projects")).unwrap();
        stage.set("heartbeat.enabled", &["false"]);
        stage
    }

    pub(super) fn store(&self) -> Store {
        Store::open(&self.paths().database()).unwrap()
    }

    pub(super) fn markers(&self) -> Markers {
        Markers::new(&self.paths())
    }

    /// The agent dies without a word; the next turn is another's.
    pub(super) fn kill(&mut self) {
        self.turns = None;
    }

    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// Makes turns at that time until there is nothing left to do; gives the time of the next one.
    pub(super) fn turn(&mut self, time: &str) -> Timestamp {
        let now = zoned(at(time));
        if self.turns.is_none() {
            let (sender, signals) = mpsc::channel();
            self.turns = Some((EventLoop::new(&self.app(), Arc::clone(&self.shared), sender), signals));
        }
        let Some((turns, signals)) = &mut self.turns else { unreachable!() };
        let events = &mut self.events;
        let mut came = Vec::new();
        // Every transcript is looked at in each turn, as if the system had told of it.
        turns.rescan_sessions();
        loop {
            let next =
                turns.attempt(&now, std::mem::take(&mut came), &mut |event| events.push(event.clone()));
            came = signals.try_iter().filter(|signal| !matches!(signal, Signal::Changed)).collect();
            if came.is_empty() && turns.has_jobs() {
                came.push(signals.recv_timeout(Duration::from_secs(180)).unwrap());
            }
            if came.is_empty() && next > now.timestamp() {
                return next;
            }
        }
    }

    /// Makes turns at that time until one shows what is waited for; looks at no more than the system told of.
    #[cfg(unix)]
    pub(super) fn turns_when_told(&mut self, time: &str, is_shown: impl Fn(&Self) -> bool) {
        let now = zoned(at(time));
        while !is_shown(self) {
            let (turns, signals) = self.turns.as_mut().expect("the agent began");
            let signal = signals.recv_timeout(Duration::from_secs(60)).unwrap();
            turns.attempt(&now, vec![signal], &mut |_| {});
        }
    }

    /// Writes a session's transcript, last changed at that time; gives its path.
    pub(super) fn session(&self, id: &str, lines: &[String], time: &str) -> PathBuf {
        let path = self.sandbox.session(id, lines);
        changed(&path, time);
        path
    }

    /// Adds to a transcript at that time.
    pub(super) fn append(&self, path: &Path, lines: &[String], time: &str) {
        self.sandbox.append(path, lines);
        changed(path, time);
    }

    /// What a hook leaves.
    pub(super) fn hook(&self, event: HookEvent, id: &str, transcript: Option<&Path>, time: &str) {
        let mut event = SpoolEvent::new(event, session(id), at(time));
        event.transcript_path = transcript.map(Path::to_owned);
        event.cwd = Some("/home/ada/shop".to_owned());
        Spool::new(&self.paths()).add(&event).unwrap();
    }

    /// What a hook leaves at the start of a session that is resumed, or that a fork is made from.
    pub(super) fn resume(&self, id: &str, transcript: &Path, client: Option<ProcessIdentity>, time: &str) {
        let marker = Marker { client, ..Marker::new(at(time), Some(transcript.to_owned())) };
        self.markers().write(&session(id), &marker).unwrap();
        self.started_by(id, transcript, "resume", time);
    }

    /// What the hook leaves when a session starts anew, its conversation compacted.
    pub(super) fn compact(&self, id: &str, transcript: &Path, time: &str) {
        self.started_by(id, transcript, "compact", time);
    }

    fn started_by(&self, id: &str, transcript: &Path, source: &str, time: &str) {
        let mut event = SpoolEvent::new(HookEvent::SessionStart, session(id), at(time));
        event.transcript_path = Some(transcript.to_owned());
        event.source = Some(source.to_owned());
        Spool::new(&self.paths()).add(&event).unwrap();
    }

    /// What the hook at a session's start leaves.
    pub(super) fn begin(&self, id: &str, transcript: &Path, client: Option<ProcessIdentity>, time: &str) {
        let transcript_path = Some(transcript.to_owned());
        self.markers()
            .write(&session(id), &Marker { client, ..Marker::new(at(time), transcript_path) })
            .unwrap();
        self.hook(HookEvent::SessionStart, id, Some(transcript), time);
    }

    pub(super) fn state(&self, id: &str) -> Option<SessionState> {
        let rows = self.store().followed_sessions().all().unwrap();
        rows.into_iter().find(|row| row.session == session(id)).map(|row| row.state)
    }

    /// How often the session was reflected.
    pub(super) fn reflected(&self, id: &str) -> usize {
        self.timeline(id).iter().filter(|what| *what == "reflected").count()
    }

    pub(super) fn timeline(&self, id: &str) -> Vec<String> {
        let entries = self.store().timeline().of_session(&session(id)).unwrap();
        entries.into_iter().map(|entry| entry.what.as_str().to_owned()).collect()
    }

    /// What is said of the first happening of that name, and when it was.
    pub(super) fn happened(&self, id: &str, what: &str) -> (Timestamp, Option<String>) {
        let entries = self.store().timeline().of_session(&session(id)).unwrap();
        let entry = entries.into_iter().find(|entry| entry.what.as_str() == what).unwrap();
        (entry.at, entry.detail)
    }

    /// The last run of each trigger.
    pub(super) fn triggers(&self) -> Vec<String> {
        let runs: Vec<Run> = self.store().runs().last_successes().unwrap();
        runs.into_iter().map(|run| run.trigger).collect()
    }

    /// Notes below a folder of the vault.
    pub(super) fn notes(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path("vault/Afterword").join(folder)) else { return Vec::new() };
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

pub(super) fn session(id: &str) -> SessionId {
    SessionId::parse(id).unwrap()
}

fn zoned(at: Timestamp) -> Zoned {
    at.to_zoned(TimeZone::UTC)
}

fn changed(path: &Path, time: &str) {
    File::options().write(true).open(path).unwrap().set_modified(at(time).into()).unwrap();
}

/// The entries of a session: from nine o'clock on, with uuids of its own.
pub(super) fn transcript(id: &str) -> Transcript<'_> {
    Transcript::new(id).with_own_uuids().from_hour(9)
}

pub(super) fn typed(id: &str, number: usize, text: &str) -> String {
    transcript(id).typed(number, text)
}

pub(super) fn answered(id: &str, number: usize, text: &str) -> String {
    transcript(id).answered(number, text)
}

pub(super) fn entry(id: &str, number: usize, kind: &str, message: &str) -> String {
    transcript(id).entry(number, kind, message)
}

pub(super) fn with_a_rule(id: &str) -> Vec<String> {
    transcript(id).with_a_rule()
}
