//! A machine of its own for each test, and the agent's turns on it.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use afterword_core::{SessionId, SessionState};
use afterword_platform::process::ProcessIdentity;
use afterword_store::{Run, Store};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use tempfile::TempDir;

use super::super::control::Signal;
use super::super::event::Listeners;
use super::super::event_loop::EventLoop;
use super::super::{AgentEvent, LastProblem, Shared};
use afterword_app::agent_lock::AgentState;
use afterword_app::agent_lock::Watching;
use afterword_app::{App, ConfigFile, Environment, Paths, init};
use afterword_claude_code::markers::{Marker, Markers};
use afterword_claude_code::spool::{HookEvent, Spool, SpoolEvent};

/// The day every test plays on.
pub(super) fn at(time: &str) -> Timestamp {
    if time.contains('T') { time.parse().unwrap() } else { format!("2026-03-01T{time}Z").parse().unwrap() }
}

pub(super) struct Stage {
    root: TempDir,
    turns: Option<(EventLoop, Receiver<Signal>)>,
    shared: Arc<Shared>,
    pub(super) events: Vec<AgentEvent>,
}

impl Stage {
    /// A home with a vault, and an agent that has not begun.
    pub(super) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let shared = Arc::new(Shared {
            state: Mutex::new(AgentState::Watching),
            vault_problem: LastProblem::default(),
            sessions_problem: LastProblem::default(),
            watching: Mutex::new(Watching::Waiting),
            paused: AtomicBool::new(false),
            listeners: Listeners::default(),
        });
        let stage = Self { root, turns: None, shared, events: Vec::new() };
        init::init(&stage.environment(), Some(&stage.path("vault"))).unwrap();
        fs::create_dir_all(stage.path("claude/projects")).unwrap();
        stage.set("heartbeat.enabled", "false");
        stage
    }

    pub(super) fn path(&self, below: &str) -> PathBuf {
        self.root.path().join(below)
    }

    pub(super) fn environment(&self) -> Environment {
        Environment {
            afterword_home: Some(self.path("afterword")),
            claude_config_dir: Some(self.path("claude")),
            home: Some(self.path("home")),
            working_directory: self.path("home"),
        }
    }

    pub(super) fn paths(&self) -> Paths {
        Paths::new(&self.environment()).unwrap()
    }

    pub(super) fn set(&self, key: &str, value: &str) {
        ConfigFile::new(&self.paths().config_file, None).set(key, &[value.to_owned()]).unwrap();
    }

    pub(super) fn app(&self) -> App {
        App::new(self.environment()).unwrap()
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

    /// Writes a session's transcript, last changed at that time; gives its path.
    pub(super) fn session(&self, id: &str, lines: &[String], time: &str) -> PathBuf {
        let folder = self.path("claude/projects/-home-ada-shop");
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("{id}.jsonl"));
        fs::write(&path, lines.concat()).unwrap();
        changed(&path, time);
        path
    }

    /// Adds to a transcript at that time.
    pub(super) fn append(&self, path: &Path, lines: &[String], time: &str) {
        let mut file = File::options().append(true).open(path).unwrap();
        file.write_all(lines.concat().as_bytes()).unwrap();
        drop(file);
        changed(path, time);
    }

    /// What a hook leaves.
    pub(super) fn hook(&self, event: HookEvent, id: &str, transcript: Option<&Path>, time: &str) {
        let mut event = SpoolEvent::new(event, session(id), at(time));
        event.transcript_path = transcript.map(Path::to_owned);
        event.cwd = Some("/home/ada/shop".to_owned());
        Spool::new(&self.paths()).add(&event).unwrap();
    }

    /// What the hook at a session's start leaves.
    pub(super) fn begin(&self, id: &str, transcript: &Path, client: Option<ProcessIdentity>, time: &str) {
        let transcript_path = Some(transcript.to_owned());
        self.markers()
            .write(&session(id), &Marker { started_at: at(time), transcript_path, client })
            .unwrap();
        self.hook(HookEvent::SessionStart, id, Some(transcript), time);
    }

    pub(super) fn state(&self, id: &str) -> Option<SessionState> {
        let rows = self.store().following().all().unwrap();
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

/// Entries in the form that client 2.1.197 writes.
pub(super) fn typed(id: &str, number: usize, text: &str) -> String {
    entry(id, number, "user", &format!("{{\"role\":\"user\",\"content\":{}}}", quoted(text)))
}

pub(super) fn answered(id: &str, number: usize, text: &str) -> String {
    let content = format!("[{{\"type\":\"text\",\"text\":{}}}]", quoted(text));
    let message =
        format!("{{\"id\":\"msg_{number}\",\"role\":\"assistant\",\"model\":\"m\",\"content\":{content}}}");
    entry(id, number, "assistant", &message)
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

pub(super) fn entry(id: &str, number: usize, kind: &str, message: &str) -> String {
    let tail = id.len().saturating_sub(8);
    format!(
        "{{\"isSidechain\":false,\"userType\":\"external\",\"cwd\":\"/home/ada/shop\",\"sessionId\":\"{id}\",\
         \"version\":\"2.1.197\",\"uuid\":\"{:0>8}-0000-4000-8000-{number:012}\",\
         \"timestamp\":\"2026-03-01T09:{:02}:{:02}.000Z\",\"type\":\"{kind}\",\"message\":{message}}}\n",
        &id[tail..],
        number / 60 % 60,
        number % 60
    )
}

/// A short session in which the person gives one standing rule.
pub(super) fn with_a_rule(id: &str) -> Vec<String> {
    vec![
        typed(id, 1, "add the discount column to the orders table"),
        answered(id, 2, "I added the column and edited the old migration in place."),
        typed(
            id,
            3,
            "No. From now on never edit a migration that is merged, always add a new migration file.",
        ),
        answered(id, 4, "Understood. I reverted it and added a new migration."),
    ]
}
