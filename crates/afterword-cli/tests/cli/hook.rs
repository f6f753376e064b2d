//! `afterword hook EVENT`: whatever happens, exit 0, in time, and nothing said that Claude Code is not meant to read.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::env::TestEnv;
#[cfg(target_os = "linux")]
use crate::env::strace_is_missing;
#[cfg(target_os = "linux")]
use afterword_testkit::transcript::with_a_rule;

/// A hook's own limit is a second; a loaded machine may take much longer to start it. Without a limit it would not end at all.
const IN_TIME: Duration = Duration::from_secs(60);
const SESSION: &str = "5f0a8c1e-0000-4000-8000-000000000001";

fn hook_input(event: &str) -> Value {
    json!({"session_id": SESSION, "transcript_path": "/c/projects/-w/s.jsonl", "cwd": "/w", "hook_event_name": event})
}

fn start(command: &mut Command) -> Child {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn hear(mut command: Command, input: &[u8]) -> Output {
    let mut child = start(&mut command);
    child.stdin.take().unwrap().write_all(input).expect("the whole input is read");
    child.wait_with_output().unwrap()
}

#[track_caller]
fn silent(output: &Output) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!((text(&output.stdout), text(&output.stderr)), (String::new(), String::new()));
}

fn spooled(env: &TestEnv) -> Vec<Value> {
    let Ok(files) = fs::read_dir(env.path("afterword/state/spool")) else { return Vec::new() };
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| serde_json::from_slice(&fs::read(file).unwrap()).unwrap()).collect()
}

#[test]
fn each_event_is_noted_and_no_database_is_touched() {
    let env = TestEnv::new();
    // The last but one is of settings that an earlier version wrote.
    for event in ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"] {
        silent(&hear(env.command(&["hook", event]), hook_input(event).to_string().as_bytes()));
    }
    let events: Vec<_> =
        spooled(&env).iter().map(|event| event["event"].as_str().unwrap().to_owned()).collect();
    assert_eq!(events, ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"]);
    assert!(env.path(&format!("afterword/state/markers/session-id-{SESSION}.start")).exists());
    let mut state: Vec<_> =
        fs::read_dir(env.path("afterword/state")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    state.sort();
    assert_eq!(state, ["given", "markers", "spool"]);
}

/// One that lies on a share which is gone does not answer whoever so much as asks whether it is there.
#[cfg(target_os = "linux")]
#[test]
fn no_hook_asks_the_directories_that_are_followed() {
    if strace_is_missing() {
        return;
    }
    let env = TestEnv::new();
    env.init();
    let transcript = env.session(SESSION, &with_a_rule(SESSION));
    env.ok(&["reflect", "--all"]);
    let followed = env.path("of-the-share");
    fs::create_dir_all(followed.join("projects")).unwrap();
    env.ok(&["config", "set", "claude.other_dirs", followed.to_str().unwrap()]);
    env.ok(&["config", "set", "recall.on_prompt", "true"]);
    let trace = env.path("trace");
    for (event, source) in [
        ("SessionStart", "startup"),
        ("SessionStart", "compact"),
        ("SessionStart", "resume"),
        ("UserPromptSubmit", ""),
        ("PreToolUse", ""),
        ("Stop", ""),
        ("SessionEnd", ""),
    ] {
        let traced = env.traced(&["hook", event], "%file", &trace);
        let input = json!({
            "session_id": SESSION, "transcript_path": transcript, "cwd": "/home/ada/shop", "hook_event_name": event,
            "source": source, "prompt": "edit the migration", "tool_name": "Bash", "tool_input": {"command": "ls"},
        });
        let ran = hear(traced, input.to_string().as_bytes());
        if source == "startup" {
            assert!(String::from_utf8_lossy(&ran.stdout).contains("additionalContext"), "{ran:?}");
        }
        let text = fs::read_to_string(&trace).unwrap();
        let asked: Vec<_> = text.lines().filter(|line| line.contains("of-the-share")).collect();
        assert!(text.contains("config.toml") || event != "SessionStart", "{text}");
        assert!(asked.is_empty(), "{event} {source}: {asked:#?}");
    }
}

#[test]
fn garbage_is_passed_over() {
    let env = TestEnv::new();
    for input in [&b""[..], b"{", b"null", b"[[[[", &[0, 159, 146, 150], b"{\"session_id\":\"../../x\"}"] {
        silent(&hear(env.command(&["hook", "SessionStart"]), input));
    }
    silent(&hear(env.command(&["hook", "NoSuchEvent"]), hook_input("NoSuchEvent").to_string().as_bytes()));
    assert_eq!(spooled(&env), Vec::<Value>::new());
}

#[test]
fn hundred_megabytes_are_read_and_not_kept() {
    let env = TestEnv::new();
    // The prompt comes last, as it does from the client.
    let head = hook_input("UserPromptSubmit").to_string();
    let input = format!("{},\"prompt\":\"{}\"}}", head.trim_end_matches('}'), "x".repeat(100_000_000));
    silent(&hear(env.command(&["hook", "UserPromptSubmit"]), input.as_bytes()));
    let events = spooled(&env);
    assert_eq!(events[0]["session_id"], SESSION);
    assert!(events[0].to_string().len() < 1000);
}

#[test]
fn input_that_never_ends_is_left() {
    let env = TestEnv::new();
    let begun = Instant::now();
    let mut child = start(&mut env.command(&["hook", "SessionEnd"]));
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(hook_input("SessionEnd").to_string().as_bytes()).unwrap();
    silent(&child.wait_with_output().unwrap());
    assert!(begun.elapsed() < IN_TIME, "{:?}", begun.elapsed());
    assert_eq!(spooled(&env)[0]["event"], "SessionEnd", "what was heard by then is noted");
    drop(stdin);
}

#[cfg(unix)]
#[test]
fn input_that_never_stops_coming_is_left() {
    let env = TestEnv::new();
    let begun = Instant::now();
    let mut command = env.command(&["hook", "Stop"]);
    let output = command.stdin(fs::File::open("/dev/zero").unwrap()).output().unwrap();
    silent(&output);
    assert!(begun.elapsed() < IN_TIME, "{:?}", begun.elapsed());
}

#[test]
fn state_that_cannot_be_written_fails_no_session() {
    let env = TestEnv::new();
    fs::create_dir_all(env.path("afterword")).unwrap();
    fs::write(env.path("afterword/state"), "no directory").unwrap();
    silent(&hear(env.command(&["hook", "SessionStart"]), hook_input("SessionStart").to_string().as_bytes()));
    let nowhere = env.path("afterword/state/below/a/file");
    for home in [nowhere.to_str().unwrap(), "/proc/nowhere"] {
        let mut command = env.command(&["hook", "Stop"]);
        command.env("AFTERWORD_HOME", home);
        silent(&hear(command, hook_input("Stop").to_string().as_bytes()));
    }
}

#[test]
fn nowhere_to_write_at_all_fails_no_session() {
    let env = TestEnv::new();
    let mut command = env.command(&["hook", "Stop"]);
    command.env_clear().current_dir(env.path(""));
    if let Some(root) = std::env::var_os("SystemRoot") {
        command.env("SystemRoot", root);
    }
    // The state then goes to the account's own home, as far as the system knows one: nothing may be told there.
    command.env("AFTERWORD_OWN_RUN", "1");
    silent(&hear(command, hook_input("Stop").to_string().as_bytes()));
}

#[test]
fn own_runs_are_not_noted() {
    let env = TestEnv::new();
    let mut command = env.command(&["hook", "SessionStart"]);
    command.env("AFTERWORD_OWN_RUN", "1");
    silent(&hear(command, hook_input("SessionStart").to_string().as_bytes()));
    let mut inside = hook_input("SessionStart");
    inside["cwd"] = json!(env.path("afterword/state/engine/run-1"));
    silent(&hear(env.command(&["hook", "SessionStart"]), inside.to_string().as_bytes()));
    assert!(!env.path("afterword/state").exists());
}

#[test]
fn home_can_be_given_where_the_client_has_none() {
    let env = TestEnv::new();
    let mut command = env.command(&["hook", "Stop", "--home", env.path("afterword").to_str().unwrap()]);
    command.env("AFTERWORD_HOME", env.path("elsewhere"));
    silent(&hear(command, hook_input("Stop").to_string().as_bytes()));
    assert_eq!(spooled(&env).len(), 1);
    assert!(!env.path("elsewhere").exists());
}

#[test]
fn client_that_gives_no_arguments_is_understood() {
    let env = TestEnv::new();
    let mut command = env.command(&[]);
    command.env("CLAUDE_PROJECT_DIR", "/w");
    silent(&hear(command, hook_input("Stop").to_string().as_bytes()));
    silent(&hear(env.command(&["hook"]), hook_input("SessionEnd").to_string().as_bytes()));
    let events: Vec<_> = spooled(&env).iter().map(|event| event["event"].clone()).collect();
    assert_eq!(events, ["Stop", "SessionEnd"]);
}

#[test]
fn closed_output_is_nobodys_loss() {
    let env = TestEnv::new();
    let mut child = start(&mut env.command(&["hook", "SessionStart"]));
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(hook_input("SessionStart").to_string().as_bytes()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[cfg(unix)]
#[test]
fn what_hooks_leave_is_for_the_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let env = TestEnv::new();
    silent(&hear(env.command(&["hook", "SessionStart"]), hook_input("SessionStart").to_string().as_bytes()));
    for folder in ["state", "state/spool", "state/markers"] {
        let folder = env.path("afterword").join(folder);
        assert_eq!(
            fs::metadata(&folder).unwrap().permissions().mode() & 0o777,
            0o700,
            "{}",
            folder.display()
        );
    }
}
