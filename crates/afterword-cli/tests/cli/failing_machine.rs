//! What goes wrong with the machine, by real causes: a full disk, a vault that is pulled out, a database that can only be
//! read or is damaged. It is said, with what to do; the work is tried again; nothing is lost, and nothing done twice.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use afterword_testkit::{ChildGuard, until};
use serde_json::Value;

use crate::disks::Disks;
use crate::env::TestEnv;
use crate::killed::{Session, check, session};
use crate::running::start_agent;

/// The agent's state, and every alarm with its advice.
fn status(json: &dyn Fn(&[&str]) -> Value) -> String {
    let status = json(&["status"]);
    format!("{} {}", status["agent"]["state"], status["alarms"])
}

/// Waits until the agent says that something is wrong, in these words. The cause is `kept` up meanwhile.
#[track_caller]
fn until_told(json: &dyn Fn(&[&str]) -> Value, words: &[&str], kept: impl Fn()) {
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(180);
    loop {
        kept();
        let status = json(&["status"]);
        let state = status["agent"]["state"].as_str().unwrap_or_default().to_owned();
        if state.starts_with("error: ") && words.iter().all(|word| state.contains(word)) {
            let alarm = status["alarms"][0]["message"].as_str().unwrap_or_default();
            assert!(words.iter().all(|word| alarm.contains(word)), "{alarm}");
            return;
        }
        assert!(std::time::Instant::now() < deadline, "{words:?} is never told: {status}");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

#[track_caller]
fn until_reflected(json: &dyn Fn(&[&str]) -> Value, sessions: &[Session]) {
    until("reflected", || {
        let listed = json(&["sessions"]);
        let done = |session: &Session| {
            let is_it =
                |one: &Value| one["session_id"] == session.id.as_str() && one["agent_state"] == "reflected";
            listed["sessions"].as_array().is_some_and(|all| all.iter().any(is_it))
        };
        sessions.iter().all(done)
    });
    until("well again", || status(json).starts_with("\"watching"));
}

/// What `doctor` found to be broken, with its advice.
fn broken(json: &dyn Fn(&[&str]) -> Value) -> String {
    let checks = json(&["doctor"])["checks"].clone();
    let fails = |check: &&Value| check["verdict"] == "fail";
    let told = |check: &Value| format!("{}: {}; {}", check["name"], check["message"], check["advice"]);
    checks.as_array().unwrap().iter().filter(fails).map(told).collect::<Vec<_>>().join("\n")
}

/// Two sessions, of which the agent, at work on these disks, has reflected the first; the second is yet to be written.
fn begin<'a>(disks: &'a Disks<'a>, env: &TestEnv) -> ([Session; 2], ChildGuard) {
    disks.ok(&["init", "--vault", env.path("vault").to_str().unwrap()]);
    disks.ok(&["config", "set", "heartbeat.enabled", "false"]);
    let sessions = [session(env, 0), session(env, 1)];
    sessions[0].write();
    let agent = disks.start();
    until_reflected(&|arguments| disks.json(arguments), &sessions[..1]);
    (sessions, agent)
}

#[test]
fn full_disk_of_the_state_is_told_and_the_session_waits_for_space() {
    let env = TestEnv::new();
    let Some(disks) = Disks::new(&env) else { return };
    disks.mount("afterword", 48);
    let json = |arguments: &[&str]| disks.json(arguments);
    let (sessions, _agent) = begin(&disks, &env);

    disks.fill("afterword");
    sessions[1].write();
    // A database that is closed gives back the space of its log.
    let full = || disks.fill("afterword");
    until_told(&json, &["no space is left on the disk", "free some space"], full);
    until("doctor tells of the full disk", || {
        full();
        let broken = broken(&json);
        broken.contains("\"0 MB free") && broken.contains("free some space")
    });
    // A hook that can leave nothing fails no session.
    let mut hook = disks.command(&["hook", "Stop"]).stdin(Stdio::piped()).spawn().unwrap();
    let told = format!("{{\"session_id\":\"{}\",\"hook_event_name\":\"Stop\"}}", sessions[1].id);
    // One that has given up reads nothing.
    let _ = hook.stdin.take().unwrap().write_all(told.as_bytes());
    assert!(hook.wait().unwrap().success());

    disks.free("afterword");
    until_reflected(&json, &sessions);
    check(&sessions, disks.files("vault"), json);
}

#[test]
fn full_disk_of_the_vault_is_told_and_no_attempt_is_lost_on_it() {
    let env = TestEnv::new();
    let Some(disks) = Disks::new(&env) else { return };
    disks.mount("vault", 48);
    let json = |arguments: &[&str]| disks.json(arguments);
    let (sessions, _agent) = begin(&disks, &env);

    disks.fill("vault");
    sessions[1].write();
    until_told(&json, &["No space left on device", "free some space"], || disks.fill("vault"));
    let broken = broken(&json);
    assert!(broken.contains("0 MB free") && broken.contains("vault"), "{broken}");
    let jobs = json(&["jobs"]);
    assert_eq!((&jobs["jobs"][0]["status"], &jobs["jobs"][0]["attempts"]), (&"queued".into(), &0.into()));

    disks.free("vault");
    until_reflected(&json, &sessions);
    check(&sessions, disks.files("vault"), json);
}

#[test]
fn vault_that_is_pulled_out_is_waited_for_and_its_notes_are_not_taken_for_deleted() {
    let env = TestEnv::new();
    let Some(disks) = Disks::new(&env) else { return };
    disks.plug_in("disk", "vault");
    let json = |arguments: &[&str]| disks.json(arguments);
    let (sessions, _agent) = begin(&disks, &env);

    disks.pull_out("vault");
    sessions[1].write();
    until_told(&json, &["no Afterword folder", "bring back the disk"], || ());
    let broken = broken(&json);
    assert!(broken.contains("vault") && broken.contains("bring back the disk"), "{broken}");
    assert_eq!(disks.files("vault"), [], "nothing is written where the disk is not");

    disks.plug_in("disk", "vault");
    until_reflected(&json, &sessions);
    check(&sessions, disks.files("vault"), json);
}

#[test]
fn database_that_can_only_be_read_is_told_and_the_work_waits_for_it() {
    let env = TestEnv::new();
    let Some(disks) = Disks::new(&env) else { return };
    let json = |arguments: &[&str]| disks.json(arguments);
    let (sessions, agent) = begin(&disks, &env);
    agent.kill();

    disks.protect("afterword/state/afterword.db");
    sessions[1].write();
    let _agent = disks.start();
    until_told(&json, &["afterword.db", "read", "writable"], || ());
    let broken = broken(&json);
    assert!(broken.contains("afterword.db") && broken.contains("writable"), "{broken}");

    disks.pull_out("afterword/state/afterword.db");
    until_reflected(&json, &sessions);
    check(&sessions, disks.files("vault"), json);
}

#[test]
fn damaged_database_is_told_and_another_one_loses_and_doubles_nothing() {
    let env = TestEnv::new();
    env.init();
    let json = |arguments: &[&str]| {
        let output = env.command(&[arguments, &["--json"]].concat()).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap_or_default()
    };
    let sessions = [session(&env, 0), session(&env, 1)];
    sessions[0].write();
    let agent = start_agent(&env);
    until_reflected(&json, &sessions[..1]);
    agent.kill();

    let database = env.path("afterword/state/afterword.db");
    for beside in ["-wal", "-shm"] {
        let _ = fs::remove_file(env.path(&format!("afterword/state/afterword.db{beside}")));
    }
    let mut bytes = fs::read(&database).unwrap();
    // Its header is whole, its pages are not.
    bytes[100..].fill(0xa5);
    fs::write(&database, bytes).unwrap();
    sessions[1].write();
    let _agent = start_agent(&env);
    until_told(&json, &["afterword.db: damaged", "move", "reflect --all"], || ());
    let broken = broken(&json);
    assert!(broken.contains("damaged") && broken.contains("aside"), "{broken}");

    fs::rename(&database, env.path("afterword/state/aside")).unwrap();
    until_reflected(&json, &sessions);
    check(&sessions, env.vault(), json);
}
