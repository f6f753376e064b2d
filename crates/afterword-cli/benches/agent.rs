//! The running agent, measured from outside: how soon an appended line shows in a session's state, what an idle agent
//! costs with ten thousand transcripts, and how long asking for a reflection takes.
//!
//! `cargo bench -p afterword-cli --bench agent`; `AFTERWORD_IDLE_SECONDS` changes how long it is watched idle (60).

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use afterword_agent::queue::{Enqueued, ReflectionOrder};
use afterword_agent::{Agent, AgentEvent, ConfigFile, Environment, Paths, SessionState, Trigger, init};
use afterword_core::{SessionId, UserId};
use jiff::Timestamp;

fn main() {
    latency();
    enqueueing();
    idle();
}

struct Place {
    root: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { root: tempfile::tempdir().unwrap() };
        init::init(&place.environment(), Some(&place.path("vault"))).unwrap();
        place.set("heartbeat.enabled", "false");
        fs::create_dir_all(place.path("claude/projects")).unwrap();
        place
    }

    fn path(&self, below: &str) -> PathBuf {
        self.root.path().join(below)
    }

    fn environment(&self) -> Environment {
        Environment {
            afterword_home: Some(self.path("afterword")),
            claude_config_dir: Some(self.path("claude")),
            home: Some(self.path("home")),
            working_directory: self.root.path().to_owned(),
        }
    }

    fn set(&self, key: &str, value: &str) {
        let paths = Paths::new(&self.environment()).unwrap();
        ConfigFile::new(&paths.config_file, None).set(key, &[value.to_owned()]).unwrap();
    }

    /// Sessions of one line each, some hundred to a project, last written an hour ago.
    fn sessions(&self, number: usize) -> Vec<PathBuf> {
        let hour_ago = std::time::SystemTime::now() - Duration::from_secs(3600);
        (0..number)
            .map(|number| {
                let folder = self.path(&format!("claude/projects/-home-ada-p{}", number / 100));
                fs::create_dir_all(&folder).unwrap();
                let path = folder.join(format!("5f0a0000-0000-4000-8000-{number:012}.jsonl"));
                fs::write(&path, line(number, 1)).unwrap();
                let file = OpenOptions::new().write(true).open(&path).unwrap();
                file.set_modified(hour_ago).unwrap();
                path
            })
            .collect()
    }
}

fn line(session: usize, number: usize) -> String {
    format!(
        "{{\"isSidechain\":false,\"userType\":\"external\",\"cwd\":\"/home/ada/p{}\",\
         \"sessionId\":\"5f0a0000-0000-4000-8000-{session:012}\",\"version\":\"2.1.197\",\
         \"uuid\":\"{session:08}-0000-4000-8000-{number:012}\",\"timestamp\":\"2026-03-01T10:00:00.000Z\",\
         \"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":\"go on\"}}}}\n",
        session / 100
    )
}

fn told(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    println!("{what}: median {:?}, 99th {:?}, worst {:?} ({} times)", at(50), at(99), at(100), times.len());
}

/// From the write of a line to the agent telling that the session is active again.
fn latency() {
    let place = Place::new();
    place.set("reflection.idle_minutes", "0.02");
    let paths = place.sessions(100);
    let agent = Agent::new(place.environment()).unwrap();
    let running = agent.start(|_| ()).unwrap();
    let events = running.subscribe();
    let mut times = Vec::new();
    for (number, path) in paths.iter().enumerate() {
        let session = path.file_stem().unwrap().to_string_lossy().into_owned();
        let wait = |wanted: SessionState| {
            let deadline = Instant::now() + Duration::from_secs(60);
            while Instant::now() < deadline {
                match events.recv_timeout(Duration::from_secs(60)).unwrap() {
                    AgentEvent::SessionChanged { session: of, state }
                        if of.as_str() == session && state == wanted =>
                    {
                        return;
                    }
                    _ => {}
                }
            }
            panic!("{session} never came to {wanted}");
        };
        if number == 0 {
            // Until the first run over all of them is done.
            std::thread::sleep(Duration::from_secs(8));
        }
        let clock = Instant::now();
        append(path, &line(number, 2));
        wait(SessionState::Active);
        times.push(clock.elapsed());
    }
    told("appended line to session state", times);
    running.stop();
}

fn append(path: &Path, line: &str) {
    OpenOptions::new().append(true).open(path).unwrap().write_all(line.as_bytes()).unwrap();
}

/// From asking to the answer, in process.
fn enqueueing() {
    let place = Place::new();
    let queue = Agent::new(place.environment()).unwrap().queue().unwrap();
    let times = (0..500)
        .map(|number| {
            let session = SessionId::parse(&format!("s{number}")).unwrap();
            let clock = Instant::now();
            let order = ReflectionOrder::new(session, Trigger::Manual);
            let answer = queue.reflect(&order, &UserId::default(), Timestamp::now()).unwrap();
            let took = clock.elapsed();
            assert!(matches!(answer, Enqueued::Queued(_)));
            took
        })
        .collect();
    told("reflect answers", times);
}

/// Memory and processor time of `afterword run`, idle, with ten thousand transcripts that were all reflected.
fn idle() {
    let place = Place::new();
    let number = std::env::var("AFTERWORD_TRANSCRIPTS").ok().and_then(|text| text.parse().ok());
    let number = number.unwrap_or(10_000);
    place.sessions(number);
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_afterword"));
        command
            .args(arguments)
            .env("AFTERWORD_HOME", place.path("afterword"))
            .env("CLAUDE_CONFIG_DIR", place.path("claude"))
            .env("HOME", place.path("home"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    };
    let clock = Instant::now();
    assert!(run(&["reflect", "--all"]).status().unwrap().success());
    println!("{number} sessions reflected in {:?}", clock.elapsed());
    let mut child = run(&["run"]).spawn().unwrap();
    let pid = child.id();
    std::thread::sleep(Duration::from_secs(10));
    let seconds =
        std::env::var("AFTERWORD_IDLE_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let (before, started) = (processor_ms(pid), memory_kb(pid));
    std::thread::sleep(Duration::from_secs(seconds));
    let (after, ended) = (processor_ms(pid), memory_kb(pid));
    println!(
        "idle for {seconds} s with {number} transcripts: {} ms of processor time; {} MB resident at first, {} MB at the end",
        after - before,
        started / 1024,
        ended / 1024
    );
    child.kill().unwrap();
    child.wait().unwrap();
}

/// User and system time of a process, from `/proc/PID/stat`, at a hundred ticks a second.
fn processor_ms(pid: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split_whitespace().collect();
    (fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()) * 10
}

fn memory_kb(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}
