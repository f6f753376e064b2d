//! The agent is killed without a word, again and again, while sessions are being written: every one of them is reflected
//! exactly once.

#![allow(clippy::print_stdout, reason = "a failure is made again by its seed")]

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use afterword_app::{Environment, Paths};
use afterword_claude_code::markers::{Marker, Markers};
use afterword_claude_code::spool::{HookEvent, Spool, SpoolEvent};
use afterword_core::SessionId;
use afterword_platform::process::find_process;
use afterword_testkit::until;
use jiff::Timestamp;

use crate::env::TestEnv;
use crate::running::start_agent;

const SESSIONS: usize = 50;

#[test]
fn every_session_is_reflected_exactly_once_however_often_the_agent_dies() {
    // More with AFTERWORD_KILLS=200; the number here takes some seconds.
    let kills = std::env::var("AFTERWORD_KILLS").ok().and_then(|number| number.parse().ok()).unwrap_or(20);
    survive(kills);
}

/// Numbers that look random; the seed is printed, so that a failure can be made again.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

pub(crate) struct Session {
    pub(crate) id: SessionId,
    path: PathBuf,
    lines: Vec<String>,
    written: usize,
    ended: bool,
}

/// A session in which the person gives a rule that no other session has.
pub(crate) fn session(env: &TestEnv, number: usize) -> Session {
    let id = format!("5f0a0000-0000-4000-8000-{number:012}");
    let topic = ["migrations", "invoices", "timers", "the parser", "the login page"][number % 5];
    let rule = format!("No. From now on never change {topic} without asking about ticket zq{number}x first.");
    let entry = |line: usize, kind: &str, content: String| {
        format!(
            "{{\"isSidechain\":false,\"userType\":\"external\",\"cwd\":\"/home/ada/p{number}\",\
             \"sessionId\":\"{id}\",\"version\":\"2.1.197\",\"uuid\":\"{number:08}-0000-4000-8000-{line:012}\",\
             \"timestamp\":\"2026-03-01T10:00:{line:02}.000Z\",\"type\":\"{kind}\",\
             \"message\":{{\"role\":\"{kind}\",\"id\":\"m{line}\",\"content\":{content}}}}}\n"
        )
    };
    let said = |line, text: &str| entry(line, "user", format!("\"{text}\""));
    let answered =
        |line, text: &str| entry(line, "assistant", format!("[{{\"type\":\"text\",\"text\":\"{text}\"}}]"));
    let lines = vec![
        said(1, "add a column to the table"),
        answered(2, "I changed it in place."),
        said(3, &rule),
        answered(4, "Understood."),
        said(5, "then go on"),
        answered(6, "It is done."),
    ];
    let path = env.path(&format!("claude/projects/-home-ada-p{number}/{id}.jsonl"));
    Session { id: SessionId::parse(&id).unwrap(), path, lines, written: 0, ended: false }
}

#[cfg(unix)]
impl Session {
    /// Writes all of it, as if it was last written a day ago.
    pub(crate) fn write(&self) {
        fs::create_dir_all(self.path.parent().unwrap()).unwrap();
        fs::write(&self.path, self.lines.concat()).unwrap();
        crate::running::age(&self.path);
    }
}

fn survive(kills: usize) {
    let seed = u64::try_from(Timestamp::now().as_nanosecond() & 0xffff_ffff).unwrap() | 1;
    println!("{kills} kills, seed {seed}");
    let env = TestEnv::new();
    env.init();
    env.ok(&["config", "set", "reflection.idle_minutes", "600"]);
    env.ok(&["config", "set", "heartbeat.enabled", "false"]);
    let paths = paths(&env);
    let (spool, markers) = (Spool::new(&paths), Markers::new(&paths));
    let mut sessions: Vec<Session> = (0..SESSIONS).map(|number| session(&env, number)).collect();
    let lines: usize = sessions.iter().map(|session| session.lines.len()).sum();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (over, env) = (&over, &env);
        let killer = scope.spawn(move || {
            let mut chance = Chance(seed);
            for _ in 0..kills {
                let running = start_agent(env);
                std::thread::sleep(Duration::from_millis(5 + chance.below(250)));
                running.kill();
            }
            over.store(true, Ordering::Relaxed);
        });
        // The sessions are written as long as the agent is killed: a line here, a line there, ends in between.
        let mut chance = Chance(seed ^ 0x5555);
        let pace = Duration::from_millis(130 * kills as u64 / lines as u64);
        while sessions.iter().any(|session| !session.ended) {
            let place = usize::try_from(chance.below(SESSIONS as u64)).unwrap();
            if go_on(&mut sessions[place], &spool, &markers) && !over.load(Ordering::Relaxed) {
                std::thread::sleep(pace);
            }
        }
        killer.join().unwrap();
    });
    let _last = start_agent(&env);
    let clock = Instant::now();
    eventually_long("all reflected", || {
        let listed = env.json(&["sessions"]);
        let all = listed["sessions"].as_array().unwrap();
        all.len() == SESSIONS && all.iter().all(|one| one["agent_state"] == "reflected")
    });
    println!("all reflected {:?} after the last kill", clock.elapsed());
    until("queue is empty", || {
        let queue = env.json(&["status"])["queue"].clone();
        queue["pending"] == 0 && queue["running"] == 0
    });
    until("markers settled", || markers.open().unwrap().is_empty());
    check(&sessions, env.vault(), |arguments| env.json(arguments));
}

/// Writes the session's next line, or lets it end. Says whether anything was left to do.
fn go_on(session: &mut Session, spool: &Spool, markers: &Markers) -> bool {
    if session.ended {
        return false;
    }
    let mut event = SpoolEvent::new(HookEvent::SessionStart, session.id.clone(), Timestamp::now());
    event.transcript_path = Some(session.path.clone());
    if session.written == 0 {
        fs::create_dir_all(session.path.parent().unwrap()).unwrap();
        let client = find_process(std::process::id()).map(|running| running.identity);
        let marker = Marker { client, ..Marker::new(event.at, Some(session.path.clone())) };
        markers.write(&session.id, &marker).unwrap();
        spool.add(&event).unwrap();
    }
    if session.written == session.lines.len() {
        event.event = HookEvent::SessionEnd;
        spool.add(&event).unwrap();
        session.ended = true;
        return true;
    }
    let mut file = OpenOptions::new().create(true).append(true).open(&session.path).unwrap();
    file.write_all(session.lines[session.written].as_bytes()).unwrap();
    session.written += 1;
    true
}

/// Every session was reflected once, and its lesson is in one note; `files` is what the vault holds, `json` asks the
/// program.
pub(crate) fn check(
    sessions: &[Session],
    files: Vec<(String, String)>,
    json: impl Fn(&[&str]) -> serde_json::Value,
) {
    let lessons: Vec<(String, String)> = files
        .into_iter()
        // What a killed agent was just writing is left under a hidden name, and is no note.
        .filter(|(name, _)| !name.rsplit('/').next().unwrap().starts_with('.'))
        .filter(|(_, text)| text.contains("\nkey: ") && !text.contains("\nkind: project\n"))
        .collect();
    let mut keys = BTreeMap::new();
    for (name, text) in &lessons {
        let key = text.lines().find(|line| line.starts_with("key: ")).unwrap();
        assert_eq!(keys.insert(key, name), None, "two notes carry one lesson");
    }
    for (number, session) in sessions.iter().enumerate() {
        let timeline = json(&["sessions", "--timeline", session.id.as_str()]);
        let entries = timeline["timeline"].as_array().unwrap();
        let reflected = entries.iter().filter(|entry| entry["what"] == "reflected").count();
        assert_eq!(reflected, 1, "{}: {timeline}", session.id);
        let ticket = format!("zq{number}x");
        let about: Vec<_> =
            lessons.iter().filter(|(_, text)| text.contains(&ticket)).map(|(name, _)| name).collect();
        assert_eq!(about.len(), 1, "{ticket}: {about:?}");
    }
}

fn paths(env: &TestEnv) -> Paths {
    let environment = Environment { afterword_home: Some(env.path("afterword")), ..Environment::default() };
    Paths::new(&environment).unwrap()
}

/// A job that was hit by many kills waits some seconds before it is tried again.
#[track_caller]
fn eventually_long(what: &str, mut ask: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(600);
    while !ask() {
        assert!(Instant::now() < deadline, "{what}: not within ten minutes");
        std::thread::sleep(Duration::from_millis(100));
    }
}
