//! How long a hook takes, from its start to its end, as Claude Code has to wait for it.
//!
//! `cargo bench -p afterword-cli --bench hook` starts the built program as a hook, again and again, with no agent, with one
//! that runs, and with the database locked by another process, and where there are 10,000 lessons to give of; and, for comparison, `true`, which does nothing.
//! It prints the median and the 99th of a hundred, and fails where they are over what a session may be slowed by.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark stops where it cannot measure, and prints"
)]

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

const RUNS: usize = 400;
const MEDIAN: Duration = Duration::from_millis(10);
/// What a session may wait for that is given lessons.
const GIVEN: Duration = Duration::from_millis(25);
const LESSONS: usize = 10_000;
const NINETY_NINTH: Duration = Duration::from_millis(30);

fn main() -> ExitCode {
    let home = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_afterword");
    let mut good = true;
    let nothing = measure(&mut || Command::new("true"));
    println!("{:<44} {}", "a program that does nothing", shown(&nothing));
    for condition in ["agent down", "agent up", "database locked"] {
        let home = home.path().join(condition.replace(' ', "-"));
        ok(afterword(program, &home).args(["init", "--vault"]).arg(home.join("vault")));
        ok(afterword(program, &home).args(["reflect", "--all"]));
        let held = Held::new(condition, program, &home);
        for event in ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"] {
            let times = measure(&mut || {
                let mut command = afterword(program, &home);
                command.args(["hook", event]);
                command
            });
            println!("{:<44} {}", format!("{event}, {condition}"), shown(&times));
            good &= times[RUNS / 2] <= MEDIAN && times[RUNS * 99 / 100] <= NINETY_NINTH;
        }
        drop(held);
    }
    let home = home.path().join("lessons");
    ok(afterword(program, &home).args(["init", "--vault"]).arg(home.join("vault")));
    lessons(&home.join("vault/Afterword/Fixes"));
    ok(afterword(program, &home).args(["index", "rebuild"]));
    let times = measure(&mut || {
        let mut command = afterword(program, &home);
        command.args(["hook", "SessionStart"]);
        command
    });
    println!("{:<44} {}", format!("SessionStart, given of {LESSONS} lessons"), shown(&times));
    good &= times[RUNS / 2] <= GIVEN;
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Notes that hold everywhere, so that each may be given.
fn lessons(folder: &Path) {
    std::fs::create_dir_all(folder).unwrap();
    for number in 0..LESSONS {
        let text = format!(
            "---\ntitle: \"The proxy cuts uploads of sort {number}\"\nkind: fix\nstatus: active\nid: 0197aaaa-0000-7000-8000-{number:012x}\n---\n\n\
             Raise `readTimeout` for uploads of sort {number}. It is sixty seconds as it comes.\n"
        );
        std::fs::write(folder.join(format!("lesson-{number}.md")), text).unwrap();
    }
}

/// What holds while the hooks run; undone when dropped.
struct Held {
    agent: Option<Child>,
    _lock: Option<rusqlite::Connection>,
}

impl Held {
    fn new(condition: &str, program: &str, home: &Path) -> Self {
        let agent = (condition == "agent up").then(|| {
            let mut command = afterword(program, home);
            command.arg("run").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        });
        let lock = (condition == "database locked").then(|| {
            let connection = rusqlite::Connection::open(home.join("state/afterword.db")).unwrap();
            connection.execute_batch("BEGIN EXCLUSIVE").unwrap();
            connection
        });
        Self { agent, _lock: lock }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(agent) = &mut self.agent {
            let ended = agent.try_wait().unwrap();
            println!(
                "{:<44} {}",
                "",
                if ended.is_none() { "(the agent ran all the time)" } else { "(NO AGENT RAN)" }
            );
            let _ = agent.kill();
            let _ = agent.wait();
        }
    }
}

fn afterword(program: &str, home: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .env_clear()
        .env("HOME", home.join("home"))
        .env("AFTERWORD_HOME", home)
        .env("CLAUDE_CONFIG_DIR", home.join("claude"));
    command
}

fn ok(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The times of all runs, the shortest first.
fn measure(command: &mut dyn FnMut() -> Command) -> Vec<Duration> {
    let told = |n: usize| {
        format!(
            r#"{{"session_id":"5f0a8c1e-0000-4000-8000-{:012}","transcript_path":"/c/p/-w/s.jsonl","cwd":"/w","prompt":"{}"}}"#,
            n % 8,
            "what a person may type ".repeat(20)
        )
    };
    let mut times: Vec<_> = (0..RUNS)
        .map(|n| {
            let begun = Instant::now();
            let mut child =
                command().stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            // A program that does nothing may be gone before it is told anything.
            let _ = child.stdin.take().unwrap().write_all(told(n).as_bytes());
            assert!(child.wait().unwrap().success());
            begun.elapsed()
        })
        .collect();
    times.sort();
    times
}

fn shown(times: &[Duration]) -> String {
    let millis = |at: usize| times[at].as_secs_f64() * 1e3;
    format!("median {:6.2} ms   99th {:6.2} ms", millis(RUNS / 2), millis(RUNS * 99 / 100))
}
