//! How long a hook takes, from its start to its end, as Claude Code has to wait for it.
//!
//! `cargo bench -p afterword-cli --bench hook` starts the built program as a hook, again and again, with no agent, with one
//! that runs, and with the database locked by another process, where there are 10,000 lessons to give of, and where fifty lessons
//! bind; and, for comparison, `true`, which does nothing. `cargo bench … --bench hook -- checks` measures the last alone.
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

/// Lessons that bind.
const BOUND: usize = 50;

fn main() -> ExitCode {
    let home = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_afterword");
    let nothing = measure(&mut || Command::new("true"));
    println!("{:<44} {}", "a program that does nothing", percentiles(&nothing));
    let mut good = checks(program, &home.path().join("checks"));
    if std::env::args().any(|argument| argument == "checks") {
        return if good { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
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
            println!("{:<44} {}", format!("{event}, {condition}"), percentiles(&times));
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
    println!("{:<44} {}", format!("SessionStart, given of {LESSONS} lessons"), percentiles(&times));
    good &= times[RUNS / 2] <= GIVEN;
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Hooks where lessons bind: nothing speaks against the call, the last of them does, a turn of a long session ends.
fn checks(program: &str, home: &Path) -> bool {
    ok(afterword(program, home).args(["init", "--vault"]).arg(home.join("vault")));
    let folder = home.join("vault/Afterword/Preferences");
    std::fs::create_dir_all(&folder).unwrap();
    for number in 0..BOUND {
        let id = format!("0197bbbb-0000-7000-8000-{number:012x}");
        let text = format!(
            "---\ntitle: Rule {number}\nkind: preference\nstatus: active\nid: {id}\n---\n\nIt is so.\n"
        );
        std::fs::write(folder.join(format!("rule-{number}.md")), text).unwrap();
        let check = match number % 4 {
            0 => format!("never write to `generated-{number}/**`"),
            1 => format!("never write `forbidden_{number}(` in `*.rs`"),
            2 => format!("after changing `src-{number}/**`, run `make test`"),
            _ => format!("never run `tool-{number}`"),
        };
        ok(afterword(program, home).args(["bind", &id, "--as", &check, "--yes"]));
    }
    let transcript = home.join("s.jsonl");
    // An entry that is repeated counts once.
    let said = |number: usize, text: &str| {
        serde_json::json!({"type": "assistant", "uuid": format!("u{number}"), "sessionId": "s", "cwd": "/w",
            "message": {"id": "m", "role": "assistant", "content": [{"type": "text", "text": text}]}})
    };
    let words = "what an agent says ".repeat(100);
    let long: String = (0..3_000).map(|number| format!("{}\n", said(number, &words))).collect();
    std::fs::write(&transcript, format!("{long}{}\n", said(3_000, "Done."))).unwrap();
    let told = |tool: &str, input: serde_json::Value| {
        serde_json::json!({"session_id": "s", "transcript_path": transcript, "cwd": "/w", "tool_name": tool,
            "tool_input": input, "stop_hook_active": false, "last_assistant_message": "Done."})
        .to_string()
    };
    let bash = |line: &str| told("Bash", serde_json::json!({"command": line}));
    let text = "let value = compute(value);\n".repeat(8_000);
    let write = told("Write", serde_json::json!({"file_path": "/w/src/a.rs", "content": text}));
    let cases = [
        (
            "PreToolUse, a command that may run",
            "PreToolUse",
            bash("cd web && CI=1 make build 2>&1 | tail -20"),
        ),
        ("PreToolUse, a command that is stopped", "PreToolUse", bash("cd web && tool-47 --now")),
        ("PreToolUse, a file of 216 KB", "PreToolUse", write),
        ("Stop, a transcript of 6 MB", "Stop", told("", serde_json::Value::Null)),
    ];
    let mut good = true;
    for (name, event, told) in cases {
        let times = measure_with(&|_| told.clone(), &mut || {
            let mut command = afterword(program, home);
            command.args(["hook", event]);
            command
        });
        println!("{:<44} {}", format!("{name}, {BOUND} bind"), percentiles(&times));
        good &= times[RUNS * 99 / 100] <= NINETY_NINTH;
    }
    good
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
    // A session each: the same one is given nothing for the second hook of a moment.
    let told = |n: usize| {
        format!(
            r#"{{"session_id":"5f0a8c1e-0000-4000-8000-{:012}","transcript_path":"/c/p/-w/s.jsonl","cwd":"/w","prompt":"{}"}}"#,
            n,
            "what a person may type ".repeat(20)
        )
    };
    measure_with(&told, command)
}

/// The times of all runs, the shortest first, each told what `told` says.
fn measure_with(told: &dyn Fn(usize) -> String, command: &mut dyn FnMut() -> Command) -> Vec<Duration> {
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

fn percentiles(times: &[Duration]) -> String {
    let millis = |at: usize| times[at].as_secs_f64() * 1e3;
    format!("median {:6.2} ms   99th {:6.2} ms", millis(RUNS / 2), millis(RUNS * 99 / 100))
}
