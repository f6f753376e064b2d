//! A client that is killed while its hook runs: whoever takes the hook over is not taken for the client.

use std::fs;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::env::TestEnv;

const SESSION: &str = "5f0a8c1e-0000-4000-8000-000000000001";
/// A hook that waits in a shell, which a client starts one in, until its client is gone.
const WAITS: &str = "read gone < \"$GO\"; \"$AFTERWORD\" hook SessionStart; : > \"$THROUGH\"";
const IN_TIME: Duration = Duration::from_secs(60);

/// This test program, run as one of the processes below, with all that the tested program has in its environment.
fn stand_in(env: &TestEnv, name: &str) -> Command {
    let hook = env.command(&[]);
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", &format!("hook_of_a_killed_client::{name}"), "--test-threads=1"]);
    command.env_clear().envs(hook.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.env("PATH", std::env::var_os("PATH").unwrap()).env("AFTERWORD", hook.get_program());
    command.env("GO", env.path("go")).env("STARTED", env.path("started"));
    command.env("THROUGH", env.path("through"));
    command.stdin(Stdio::piped()).stdout(Stdio::null());
    command
}

#[test]
#[ignore = "stands in for a client, and is killed while its hook runs"]
fn client() {
    let input =
        json!({"session_id": SESSION, "transcript_path": "/c/p/s.jsonl", "cwd": "/w", "source": "startup"});
    let start = |script: &str| -> Child {
        let mut command = Command::new("sh");
        let mut hook =
            command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        hook.stdin.as_mut().unwrap().write_all(input.to_string().as_bytes()).unwrap();
        hook
    };
    if std::env::var_os("HAS_BEGUN").is_some() {
        let hook = start("exec \"$AFTERWORD\" hook SessionStart");
        assert!(hook.wait_with_output().unwrap().status.success());
    }
    let mut hook = start(WAITS);
    fs::write(std::env::var_os("STARTED").unwrap(), "").unwrap();
    hook.wait().unwrap();
}

/// What stands above the client takes its hook over, as an init of the user's sessions does, under a name that nobody knows.
#[test]
#[ignore = "starts the client, kills it, and lives on"]
fn whoever_is_above() {
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).unwrap();
    let path = |name: &str| PathBuf::from(std::env::var_os(name).unwrap());
    let mut client = Command::new(std::env::current_exe().unwrap());
    client.args(["--ignored", "--exact", "hook_of_a_killed_client::client", "--test-threads=1"]);
    let mut client = client.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    until("the hook is started", || path("STARTED").exists());
    client.kill().unwrap();
    client.wait().unwrap();
    fs::write(path("GO"), "\n").unwrap();
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
}

fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + IN_TIME;
    while !is_so() {
        assert!(Instant::now() < deadline, "not in time: {what}");
        std::thread::yield_now();
    }
}

/// The marker that the hook of a killed client leaves, while those above that client still run.
fn marker_of_a_killed_client(has_begun: bool) -> Value {
    let env = TestEnv::new();
    assert!(Command::new("mkfifo").arg(env.path("go")).status().unwrap().success());
    let mut above = stand_in(&env, "whoever_is_above");
    if has_begun {
        above.env("HAS_BEGUN", "1");
    }
    let mut above = above.spawn().unwrap();
    until("the hook is through", || env.path("through").exists());
    let marker = env.path(&format!("afterword/state/markers/session-id-{SESSION}.start"));
    let marker = serde_json::from_slice(&fs::read(marker).unwrap()).unwrap();
    drop(above.stdin.take());
    above.wait().unwrap();
    marker
}

#[test]
fn it_is_said_that_no_client_is_left() {
    let marker = marker_of_a_killed_client(false);
    assert_eq!((&marker["is_client_gone"], &marker["client"]), (&json!(true), &Value::Null), "{marker}");
}

#[test]
fn the_client_that_is_known_stays_known() {
    let marker = marker_of_a_killed_client(true);
    let identity = afterword_platform::process::ProcessIdentity {
        pid: marker["client"]["pid"].as_u64().unwrap().try_into().unwrap(),
        started: marker["client"]["started"].as_str().unwrap().to_owned(),
    };
    assert_eq!(identity.liveness(), afterword_platform::process::Liveness::Gone, "{marker}");
    assert!(!marker["above_client"].as_array().unwrap().is_empty(), "{marker}");
}
