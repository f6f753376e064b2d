//! `afterword run` as a process of its own, and the commands that look at it.

use std::fs::{self, File};
use std::path::Path;
#[cfg(unix)]
use std::process::Command;
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use afterword_testkit::{ChildGuard, until};

use crate::env::TestEnv;
#[cfg(target_os = "linux")]
use crate::env::strace_is_missing;

/// The agent at work in a sandbox.
pub(crate) fn start_agent(env: &TestEnv) -> ChildGuard {
    ChildGuard(env.command(&["run"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
}

/// Lets a file look as if it was last written a day ago.
pub(crate) fn age(path: &Path) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(86_400)).unwrap();
}

fn agent_state(env: &TestEnv) -> Option<String> {
    env.json(&["status"])["agent"]["state"].as_str().map(str::to_owned)
}

#[test]
fn agent_reflects_what_idles_and_tells_what_it_did() {
    let env = TestEnv::new();
    env.init();
    let id = env.sample("homelab-backup");
    let path = env.path("claude/projects/-homelab-backup").join(format!("{id}.jsonl"));
    age(&path);
    let before = env.json(&["status"]);
    assert_eq!(
        (&before["agent"], before["sessions"]["waiting"]["count"].as_u64()),
        (&serde_json::Value::Null, Some(1))
    );
    let alarm = before["alarms"][0]["message"].as_str().unwrap();
    assert!(alarm.contains("nothing is reflected: no agent is at work"), "{alarm}");

    let running = start_agent(&env);
    until("reflected", || env.json(&["sessions"])["sessions"][0]["agent_state"] == "reflected");
    let status = env.json(&["status"]);
    assert_eq!(
        (status["alarms"].as_array().unwrap().len(), &status["agent"]["watching"]["how"]),
        (0, &"events".into()),
        "{status}"
    );
    assert!(
        status["last_success"]
            .as_array()
            .unwrap()
            .iter()
            .any(|one| one["trigger"] == "idle" && one["at"].is_string())
    );

    let checks = env.json(&["doctor"])["checks"].clone();
    let agent = checks.as_array().unwrap().iter().find(|check| check["name"] == "agent").unwrap();
    assert!(agent["verdict"] == "ok" && agent["message"].as_str().unwrap().contains("process"), "{agent}");

    let of_log = checks.as_array().unwrap().iter().find(|check| check["name"] == "log").unwrap();
    assert_eq!(
        (&of_log["verdict"], of_log["message"].as_str().map(Path::new)),
        (&"ok".into(), Some(env.path("afterword/state/logs").as_path()))
    );
    let logged = env.ok(&["logs"]);
    assert!(logged.contains("the agent starts") && logged.contains("job done"), "{logged}");
    let transcript = fs::read_to_string(&path).unwrap();
    let entries = transcript.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let said: Vec<String> = entries
        .filter_map(|entry| {
            entry["message"]["content"].as_str().map(|words| words.chars().take(24).collect())
        })
        .collect();
    assert!(
        !said.is_empty() && !said.iter().any(|words| logged.contains(words)),
        "nobody's words are in the log"
    );
    let newest = env.json(&["logs", "--lines", "1"])["lines"].clone();
    assert_eq!(newest.as_array().map(Vec::len), Some(1), "{newest}");

    let second = env.run(&["run"]);
    assert_eq!(second.code, Some(1));
    assert!(second.stderr.contains("an agent is at work here already (process "), "{}", second.stderr);

    let timeline = env.json(&["sessions", "--timeline", &id[..8]]);
    let what: Vec<_> = timeline["timeline"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["what"].as_str().unwrap())
        .collect();
    assert_eq!(what, ["idle", "reflecting", "reflected"]);

    let jobs = env.json(&["jobs"]);
    let job = jobs["jobs"][0]["job_id"].as_str().unwrap().to_owned();
    assert_eq!(
        (jobs["jobs"][0]["status"].as_str(), jobs["jobs"][0]["subject"].as_str()),
        (Some("completed"), Some(id.as_str()))
    );
    let shown = env.json(&["jobs", "show", &job]);
    let log = &shown["logs"][0];
    assert!(log["transcript"].as_str().unwrap().contains("found (high)"), "{log}");
    assert!(log["handoff_note"].as_str().unwrap().contains("entries"), "{log}");
    assert!(log["todo"].as_array().unwrap().iter().any(|item| item["status"] == "pending"), "{log}");
    let retried = env.run(&["jobs", "retry", &job]);
    assert_eq!(retried.code, Some(1));
    assert!(retried.stderr.contains("is completed"), "{}", retried.stderr);
    assert!(env.ok(&["jobs", "cancel", &job]).contains("nothing to cancel: it is completed"));

    running.kill();
    until("lock freed", || agent_state(&env).is_none());
    assert!(env.ok(&["forget", "session", &id[..8]]).starts_with("forgot 1 session: removed "));
    assert_eq!(env.run(&["jobs", "show", &job]).code, Some(1));
}

#[cfg(unix)]
#[test]
fn agent_ends_when_it_is_asked_to_and_leaves_nothing_behind() {
    let env = TestEnv::new();
    env.init();
    let mut child = env.command(&["run"]).stderr(Stdio::null()).spawn().unwrap();
    until("at work", || agent_state(&env).is_some_and(|state| state == "watching"));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    assert!(child.wait().unwrap().success());
    assert_eq!(agent_state(&env), None);
    assert!(!env.path("afterword/state/agent.json").exists());
}

/// What it waits for may never come: here a lock that another program does not let go of.
#[cfg(target_os = "linux")]
#[test]
fn agent_that_is_stuck_ends_all_the_same() {
    let env = TestEnv::new();
    env.init();
    env.sample("homelab-backup");
    env.ok(&["reflect", "--all"]);
    let lock = File::options().write(true).open(env.path("afterword/state/apply.lock")).unwrap();
    lock.lock().unwrap();
    // Two versions of a note, so that the vault is put in order under the lock at the first look.
    let (name, text) = env.vault().into_iter().find(|(_, text)| text.contains("\n## Evidence")).unwrap();
    let beside = env.path("vault").join(name.replace(".md", " 2.md"));
    std::fs::write(beside, text.replace("\n## Evidence", "\nMore.\n\n## Evidence")).unwrap();
    let mut child = env.command(&["run"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let pid = child.id().to_string();
    // Who waits for a lock stands behind an arrow (proc_locks(5)).
    let waits = |line: &str| line.contains("->") && line.split_whitespace().any(|word| word == pid);
    until("waits for the lock", || std::fs::read_to_string("/proc/locks").unwrap().lines().any(waits));
    assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    until("ended", || child.try_wait().unwrap().is_some());
    drop(lock);
}

/// Pipes and folders under the names of its own files: nothing is waited for, the work is done, and it ends.
#[cfg(unix)]
#[test]
fn agent_among_pipes_and_folders_works_and_ends_when_it_is_asked_to() {
    let env = TestEnv::new();
    env.init();
    let id = env.sample("homelab-backup");
    age(&env.path("claude/projects/-homelab-backup").join(format!("{id}.jsonl")));
    let place = |name: &str| env.path("afterword/state").join(name);
    for folder in ["spool", "markers", "given", "archive"] {
        std::fs::create_dir_all(place(folder)).unwrap();
    }
    for pipe in [
        "spool/00000000000000-1-0.json",
        "spool/wake",
        "spool/.00000000000000-1-1.json",
        "markers/session-id-5f0a8c1e-0000-4000-8000-000000000001.start",
        "markers/session-id-5f0a8c1e-0000-4000-8000-000000000001.reflected",
        "given/5f0a8c1e-0000-4000-8000-000000000001.json",
        "archive/pipe.jsonl.zst",
        "agent.json",
    ] {
        assert!(Command::new("mkfifo").arg(place(pipe)).status().unwrap().success());
    }
    for folder in [
        "spool/00000000000000-1-2.json/inside",
        "spool/00000000000000-1-2.json.refused/inside",
        "spool/.00000000000000-1-3.json",
        "markers/session-id-5f0a8c1e-0000-4000-8000-000000000002.start",
        "given/5f0a8c1e-0000-4000-8000-000000000002.json",
    ] {
        std::fs::create_dir_all(place(folder)).unwrap();
    }
    let mut child = env.command(&["run"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until("reflected", || env.json(&["sessions"])["sessions"][0]["agent_state"] == "reflected");
    let told = env.run(&["doctor"]);
    assert!(told.stdout.contains("no file, and passed over"), "{told}");
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    until("ended", || child.try_wait().unwrap().is_some());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Whoever should read what it prints does not.
#[cfg(target_os = "linux")]
#[test]
fn agent_that_nobody_listens_to_ends_all_the_same() {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    /// `O_NONBLOCK`
    const WITHOUT_WAITING: i32 = 0o4000;
    /// Of SIGTERM in the mask of signals that are caught (proc(5)).
    const TERMINATED: u64 = 1 << 14;
    let env = TestEnv::new();
    env.init();
    let pipe = env.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut full = File::options().read(true).write(true).custom_flags(WITHOUT_WAITING).open(&pipe).unwrap();
    while full.write(&[b' '; 4096]).is_ok() {}
    let out = || Stdio::from(File::options().write(true).open(&pipe).unwrap());
    let mut child = env.command(&["run"]).stdout(out()).stderr(out()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    until("listens for the signal", || {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0");
        u64::from_str_radix(caught.trim(), 16).unwrap() & TERMINATED != 0
    });
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    until("ended", || child.try_wait().unwrap().is_some());
    assert_eq!(child.wait().unwrap().code(), Some(1), "it did not stop in time");
}

#[test]
fn agent_without_a_vault_says_so_and_begins_when_there_is_one() {
    let env = TestEnv::new();
    let id = env.sample("shop-cart");
    age(&env.path("claude/projects/-shop-cart").join(format!("{id}.jsonl")));
    let _running = start_agent(&env);
    until("error told", || agent_state(&env).is_some_and(|state| state.contains("no vault is set up")));
    let alarms = env.json(&["status"])["alarms"].clone();
    assert!(alarms[0]["message"].as_str().unwrap().contains("no vault is set up"), "{alarms}");
    env.init();
    until("reflected", || env.json(&["sessions"])["sessions"][0]["agent_state"] == "reflected");
}

#[test]
fn jobs_that_are_not_there_are_told() {
    let env = TestEnv::new();
    let ran = env.run(&["jobs", "show", "5f0a"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("no single job has an id that starts with `5f0a`"), "{}", ran.stderr);
    assert_eq!(env.run(&["forget", "session", "5f0a"]).code, Some(1));
}

/// What the built-in engine does, from the start of the agent to the last note, opens no socket to the internet.
#[cfg(target_os = "linux")]
#[test]
fn agent_opens_no_internet_socket() {
    if strace_is_missing() {
        return;
    }
    let env = TestEnv::new();
    env.init();
    let id = env.sample("homelab-backup");
    age(&env.path("claude/projects/-homelab-backup").join(format!("{id}.jsonl")));
    let trace = env.path("trace");
    let mut traced = env.traced(&["run"], "network", &trace);
    let child = traced.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let _running = ChildGuard(child);
    until("reflected", || env.json(&["sessions"])["sessions"][0]["agent_state"] == "reflected");
    let card: serde_json::Value =
        serde_json::from_slice(&std::fs::read(env.path("afterword/state/agent.json")).unwrap()).unwrap();
    let agent = card["pid"].to_string();
    assert!(Command::new("kill").args(["-TERM", &agent]).status().unwrap().success());
    until("ended", || std::fs::read_to_string(&trace).is_ok_and(|text| text.contains("+++ exited")));
    let text = std::fs::read_to_string(&trace).unwrap();
    let sockets: Vec<_> = text.lines().filter(|line| line.contains("AF_INET")).collect();
    assert!(sockets.is_empty(), "{sockets:#?}");
}

/// A session that ended just now waits in `status` as it does in `doctor`, with the time it is due.
#[test]
fn session_that_is_not_due_yet_waits_in_status_and_doctor() {
    let env = TestEnv::new();
    env.init();
    env.sample("shop-cart");
    let status = env.ok(&["status"]);
    assert!(status.contains("waiting   1 session to reflect, due in "), "{status}");
    // Nobody would reflect it then.
    assert!(status.contains(", once an agent is at work"), "{status}");
    let waiting = &env.json(&["status"])["sessions"];
    assert_eq!((&waiting["waiting"]["count"], &waiting["not_due"]["count"]), (&0.into(), &1.into()));
    let doctor = env.run(&["doctor"]).stdout;
    assert!(doctor.contains("1 session waits"), "{doctor}");
}
