//! The running agent, measured from outside: how soon an appended line shows in a session's state, what an idle agent
//! costs with ten thousand transcripts, how long asking for a reflection takes, and how fast the index over sessions is built
//! in the background.
//!
//! `cargo bench -p afterword-cli --bench agent`; `AFTERWORD_IDLE_SECONDS` changes how long it is watched idle (60).
//! `cargo bench … --bench agent -- indexing` measures the last alone; `AFTERWORD_MEGABYTES` changes of how much (200), and
//! `AFTERWORD_TRANSCRIPTS_FROM` names a folder to take it from (the samples of this repository).

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

mod place;

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use afterword_app::queue::{EnqueueOutcome, ReflectionOrder};
use afterword_app::session_search::session_index_status;
use afterword_app::{App, SessionState, Trigger, queue};
use afterword_core::{SessionId, UserId};
use afterword_daemon::{AgentEvent, run};
use afterword_testkit::{copy_sessions, samples};
use jiff::Timestamp;

use crate::place::{BenchHome, print_times};

fn main() {
    if std::env::args().all(|argument| argument != "indexing") {
        latency();
        enqueueing();
        idle();
    }
    indexing();
}

/// Sessions of one line each, some hundred to a project, last written an hour ago.
fn sessions(place: &BenchHome, number: usize) -> Vec<PathBuf> {
    let hour_ago = std::time::SystemTime::now() - Duration::from_secs(3600);
    (0..number)
        .map(|number| {
            let folder = place.path(&format!("claude/projects/-home-ada-p{}", number / 100));
            fs::create_dir_all(&folder).unwrap();
            let path = folder.join(format!("5f0a0000-0000-4000-8000-{number:012}.jsonl"));
            fs::write(&path, line(number, 1)).unwrap();
            let file = OpenOptions::new().write(true).open(&path).unwrap();
            file.set_modified(hour_ago).unwrap();
            path
        })
        .collect()
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

/// From the write of a line to the agent telling that the session is active again.
fn latency() {
    let place = BenchHome::new();
    place.set("reflection.idle_minutes", &["0.02"]);
    let paths = sessions(&place, 100);
    let app = App::new(place.environment()).unwrap();
    let running = run::start(&app, |_| ()).unwrap();
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
    print_times("appended line to session state", times);
    running.stop();
}

fn append(path: &Path, line: &str) {
    OpenOptions::new().append(true).open(path).unwrap().write_all(line.as_bytes()).unwrap();
}

/// From asking to the answer, in process.
fn enqueueing() {
    let place = BenchHome::new();
    let queue = queue::queue(&App::new(place.environment()).unwrap()).unwrap();
    let times = (0..500)
        .map(|number| {
            let session = SessionId::parse(&format!("s{number}")).unwrap();
            let clock = Instant::now();
            let order = ReflectionOrder::new(session, Trigger::Manual);
            let answer = queue.reflect(&order, &UserId::default(), Timestamp::now()).unwrap();
            let took = clock.elapsed();
            assert!(matches!(answer, EnqueueOutcome::Queued(_)));
            took
        })
        .collect();
    print_times("reflect answers", times);
}

/// Memory and processor time of `afterword run`, idle, with ten thousand transcripts that were all reflected.
fn idle() {
    let place = BenchHome::new();
    let number = std::env::var("AFTERWORD_TRANSCRIPTS").ok().and_then(|text| text.parse().ok());
    let number = number.unwrap_or(10_000);
    sessions(&place, number);
    let clock = Instant::now();
    assert!(place.command(&["reflect", "--all"]).status().unwrap().success());
    println!("{number} sessions reflected in {:?}", clock.elapsed());
    let mut child = place.command(&["run"]).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(10));
    place::idle(&format!("{number} transcripts"), child.id(), place::idle_seconds());
    child.kill().unwrap();
    child.wait().unwrap();
}

/// What `afterword run` does for the index over sessions, which nobody waits for: how much a minute, and of how much of a core.
fn indexing() {
    let place = BenchHome::new();
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let bytes = fill(&place, number("AFTERWORD_MEGABYTES").unwrap_or(200) * 1_000_000);
    assert!(place.command(&["reflect", "--all"]).status().unwrap().success());
    let app = App::new(place.environment()).unwrap();
    let mut child = place.command(&["run"]).spawn().unwrap();
    let indexed = || session_index_status(&app).ok().flatten().map_or(0, |status| status.transcripts);
    let wait = |wanted: u64| {
        let deadline = Instant::now() + Duration::from_secs(1800);
        while indexed() < wanted {
            assert!(Instant::now() < deadline, "{} of {bytes} bytes were indexed", indexed());
            std::thread::sleep(Duration::from_millis(200));
        }
    };
    wait(1);
    let (clock, before, began) = (Instant::now(), place::processor_ms(child.id()), indexed());
    wait(bytes);
    let (took, cpu) = (clock.elapsed().as_secs_f64(), place::processor_ms(child.id()) - before);
    println!(
        "indexed {} MB in the background in {took:.1} s: {:.0} MB a minute, {:.0} % of a core",
        bytes / 1_000_000,
        (bytes - began) as f64 / 1e6 / took * 60.0,
        cpu as f64 / 10.0 / took
    );
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Puts sessions below the place's projects until there are so many bytes; gives how many there are.
fn fill(place: &BenchHome, wanted: u64) -> u64 {
    let from = std::env::var_os("AFTERWORD_TRANSCRIPTS_FROM").map_or_else(samples, PathBuf::from);
    let copied = copy_sessions(&from, &place.path("claude/projects/-home-ada-shop"), wanted);
    let hour_ago = std::time::SystemTime::now() - Duration::from_secs(3600);
    for file in copied.files {
        OpenOptions::new().write(true).open(file).unwrap().set_modified(hour_ago).unwrap();
    }
    copied.bytes
}
