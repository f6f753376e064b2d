//! What Afterword costs a session of the real client: a headless turn with its hooks and its MCP server beside one without and one with
//! hooks and a server that do nothing, the MCP server's first answer, and the start of a session out of 5,000 notes.
//!
//! `cargo build --release -p afterword-cli`, then `AFTERWORD_BUILT=target/release/afterword cargo bench -p afterword-tests --bench overhead`.
//! The model is a stub on loopback. It prints medians with what is wanted, each as a share of its limit, and fails over it.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    dead_code,
    reason = "a benchmark stops where it cannot measure, and prints; it uses a part of what the tests share"
)]

mod machine;
mod stub;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{ExitCode, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use machine::Machine;

/// Turns of the client of either kind.
const TURNS: usize = 30;
/// Starts of the MCP server and of the hook.
const STARTS: usize = 200;
const NOTES: usize = 5_000;

/// How much longer a headless turn may take.
const TURN: Duration = Duration::from_millis(110);
/// From the MCP server's start to its answer to the first call.
const FIRST_CALL: Duration = Duration::from_millis(30);
/// The hook at a session's start, from the start of its process to its end.
const SESSION_START: Duration = Duration::from_millis(25);

fn main() -> ExitCode {
    let Some(bare) = Machine::new() else { return ExitCode::SUCCESS };
    let joined = Machine::new().unwrap();
    joined.install();
    let mut is_good = first_call(&joined);
    is_good &= session_start(&joined);
    is_good &= turn(&bare, &idle(), &Machine::new().unwrap());
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Says how a median stands to its limit, and whether it keeps it.
fn judged(what: &str, median: Duration, limit: Duration) -> bool {
    let share = median.as_secs_f64() / limit.as_secs_f64();
    println!("{what:<58} {:>7.1} ms, {share:.2} of {} ms", median.as_secs_f64() * 1e3, limit.as_millis());
    share <= 1.0
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// An MCP server without tools.
const IDLE_SERVER: &str = r#"
while IFS= read -r line; do
  case "$line" in *'"id":'*) ;; *) continue ;; esac
  id=${line##*'"id":'}
  case "$line" in
    *'"method":"initialize"'*)
      result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"idle","version":"1"}}' ;;
    *'"method":"tools/list"'*) result='{"tools":[]}' ;;
    *) result='{}' ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "${id%%[,\}]*}" "$result"
done
"#;

/// A machine with as many hooks and servers as Afterword has, which do nothing: what the client takes by itself for having them.
fn idle() -> Machine {
    let machine = Machine::new().unwrap();
    machine.install();
    let edit = |name: &str, change: &dyn Fn(&mut Value)| {
        let file = machine.home().join(name);
        let mut settings = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        change(&mut settings);
        fs::write(file, settings.to_string()).unwrap();
    };
    edit(".claude/settings.json", &|settings| {
        let events = settings["hooks"].as_object_mut().unwrap().values_mut();
        let groups = events.flat_map(|groups| groups.as_array_mut().unwrap());
        for hook in groups.flat_map(|group| group["hooks"].as_array_mut().unwrap()) {
            (hook["command"], hook["args"]) = (json!("/bin/true"), json!([]));
        }
    });
    edit(".claude.json", &|settings| {
        let server = &mut settings["mcpServers"]["afterword"];
        (server["command"], server["args"]) = (json!("/bin/sh"), json!(["-c", IDLE_SERVER]));
    });
    machine
}

/// Turns by turns, so that what the machine does besides weighs on all alike.
fn turn(bare: &Machine, idle: &Machine, joined: &Machine) -> bool {
    joined.install();
    let timed = |machine: &Machine| {
        let mut command =
            machine.claude(&machine.project("shop"), &["-p", "Say hello.", "--output-format", "json"]);
        let begun = Instant::now();
        let output = command.stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap();
        let took = begun.elapsed();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        took
    };
    // The first start of each writes its settings.
    let _ = [bare, idle, joined].map(timed);
    let mut times = [const { Vec::new() }; 3];
    for _ in 0..TURNS {
        for (machine, times) in [bare, idle, joined].into_iter().zip(&mut times) {
            times.push(timed(machine));
        }
    }
    let [without, idle, with] = times.map(median);
    let [without_ms, idle_ms, with_ms] = [without, idle, with].map(|median| median.as_millis());
    println!(
        "claude -p: {without_ms} ms without, {idle_ms} ms with hooks and a server that do nothing, {with_ms} ms with Afterword's, {:.3} times",
        with.as_secs_f64() / without.as_secs_f64()
    );
    println!("of which Afterword's own work: {} ms", with_ms.saturating_sub(idle_ms));
    judged("claude -p with hooks and MCP server, longer by", with.saturating_sub(without), TURN)
}

fn first_call(machine: &Machine) -> bool {
    let asked = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
            "capabilities": {}, "clientInfo": {"name": "overhead", "version": "1"}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
            "params": {"name": "stats", "arguments": {"scope": "reflection"}}}),
    ];
    let asked: String = asked.iter().map(|one| format!("{one}\n")).collect();
    let timed = || {
        let mut command = machine.afterword(&["mcp"]);
        let begun = Instant::now();
        let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        server.stdin.as_mut().unwrap().write_all(asked.as_bytes()).unwrap();
        let answers = BufReader::new(server.stdout.take().unwrap()).lines();
        let answer = answers.map(Result::unwrap).find(|line| line.contains("\"id\":2")).unwrap();
        let took = begun.elapsed();
        assert!(answer.contains("pending_jobs"), "{answer}");
        drop(server.stdin.take());
        server.wait().unwrap();
        took
    };
    judged(
        "the MCP server's first answer after its start",
        median((0..STARTS).map(|_| timed()).collect()),
        FIRST_CALL,
    )
}

fn session_start(machine: &Machine) -> bool {
    let folder = machine.vault().join("Afterword/Fixes");
    fs::create_dir_all(&folder).unwrap();
    for number in 0..NOTES {
        let text = format!(
            "---\ntitle: \"The proxy cuts uploads of sort {number}\"\nkind: fix\nstatus: active\nid: 0197aaaa-0000-7000-8000-{number:012x}\n---\n\n\
             Raise `readTimeout` for uploads of sort {number}. It is sixty seconds as it comes.\n"
        );
        fs::write(folder.join(format!("lesson-{number}.md")), text).unwrap();
    }
    machine.ok(&["index", "rebuild"]);
    let folder = machine.project("shop");
    let timed = |number: usize| {
        let said = json!({"session_id": format!("s{number}"), "transcript_path": "/c/s.jsonl", "cwd": folder,
            "hook_event_name": "SessionStart", "source": "startup"});
        let mut command = machine.afterword(&["hook", "SessionStart"]);
        let begun = Instant::now();
        let mut hook = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        hook.stdin.take().unwrap().write_all(said.to_string().as_bytes()).unwrap();
        let output = hook.wait_with_output().unwrap();
        let took = begun.elapsed();
        assert!(String::from_utf8_lossy(&output.stdout).contains("readTimeout"), "it is given lessons");
        took
    };
    let what = format!("SessionStart, given of {NOTES} notes");
    judged(&what, median((0..STARTS).map(timed).collect()), SESSION_START)
}
