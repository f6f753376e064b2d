//! `claude.other_dirs`: several directories of Claude Code at once.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::Value;

use afterword_testkit::transcript::with_a_rule;
use afterword_testkit::{ChildGuard, until};

use crate::env::TestEnv;
use crate::running::start_agent;

const ONE: &str = "5f0a0000-0000-4000-8000-0000000000c1";
const TWO: &str = "5f0a0000-0000-4000-8000-0000000000c2";

fn with_other(made: bool) -> (TestEnv, String) {
    let env = TestEnv::new();
    env.init();
    let other = env.path("claude-work");
    if made {
        fs::create_dir_all(other.join("projects")).unwrap();
    }
    let other = other.to_str().unwrap().to_owned();
    (env, other)
}

fn of_claude_code(env: &TestEnv) -> Vec<Value> {
    let checks = env.json(&["doctor"])["checks"].as_array().unwrap().clone();
    checks.into_iter().filter(|check| check["name"] == "Claude Code").collect()
}

#[test]
fn running_agent_follows_what_appears_in_each() {
    let (env, other) = with_other(true);
    env.ok(&["config", "set", "claude.other_dirs", &other]);
    let _running = start_agent(&env);
    until("watching", || env.json(&["status"])["agent"]["watching"]["how"] == "events");
    let state = |id: &str| {
        let sessions = env.json(&["sessions"])["sessions"].clone();
        let found = sessions.as_array().unwrap().iter().find(|one| one["session_id"] == id).cloned();
        found.and_then(|one| one["agent_state"].as_str().map(str::to_owned)).unwrap_or_default()
    };
    env.session_of("claude-work", TWO, &with_a_rule(TWO));
    until("the other directory's session is followed", || state(TWO) == "active");
    env.session(ONE, &with_a_rule(ONE));
    until("the main directory's session is followed", || state(ONE) == "active");
    env.ok(&["config", "set", "reflection.idle_minutes", "0.02"]);
    until("both are reflected", || state(ONE) == "reflected" && state(TWO) == "reflected");
}

// macOS has no such names.
#[cfg(target_os = "linux")]
#[test]
fn agent_of_a_directory_whose_name_is_no_unicode_tells_of_itself() {
    use std::os::unix::ffi::OsStrExt;
    let env = TestEnv::new();
    env.init();
    let directory = env.path("").join(std::ffi::OsStr::from_bytes(b"caf\xe9"));
    fs::create_dir_all(directory.join("projects/-w")).unwrap();
    fs::write(directory.join("projects/-w").join(format!("{ONE}.jsonl")), with_a_rule(ONE).concat()).unwrap();
    let mut agent = env.command(&["run"]);
    agent.env("CLAUDE_CONFIG_DIR", &directory).stdout(Stdio::null()).stderr(Stdio::null());
    let _running = ChildGuard(agent.spawn().unwrap());
    until("it tells of itself", || env.json(&["status"])["agent"]["state"] == "watching");
    let doctor = env.command(&["doctor"]).env("CLAUDE_CONFIG_DIR", &directory).output().unwrap();
    let told = String::from_utf8_lossy(&doctor.stdout);
    assert!(told.contains("has a name that is not valid Unicode") && told.contains("rename it"), "{told}");
    assert!(told.lines().any(|line| line.starts_with("ok    agent")), "{told}");
}

#[test]
fn directory_that_cannot_be_followed_is_refused_with_its_reason() {
    let (env, other) = with_other(true);
    fs::create_dir_all(env.path("claude-work/within")).unwrap();
    for (values, why) in [
        (vec![format!("{other}-none")], "there is no such folder"),
        (vec![other.clone(), format!("{other}/within")], "/within lies in "),
        (vec![format!("{other}/projects")], "name the folder that holds `projects`"),
        (vec!["claude-work".to_owned()], "must be an absolute path"),
    ] {
        let values = values.iter().map(String::as_str);
        let ran =
            env.run(&["config", "set", "claude.other_dirs"].into_iter().chain(values).collect::<Vec<_>>());
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        assert!(ran.stderr.contains("claude.other_dirs") && ran.stderr.contains(why), "{}", ran.stderr);
    }
    assert!(env.ok(&["config", "get", "claude.other_dirs"]).trim().trim_matches(['[', ']']).is_empty());
    env.ok(&["config", "set", "claude.other_dirs", &other]);
    assert!(env.ok(&["config", "show"]).contains("[ROOT]/claude-work"));
}

#[test]
fn doctor_counts_in_each_and_says_which_is_missing() {
    let (env, other) = with_other(true);
    env.ok(&["config", "set", "claude.other_dirs", &other]);
    env.session(ONE, &with_a_rule(ONE));
    env.session_of("claude-work", TWO, &with_a_rule(TWO));
    let checks = of_claude_code(&env);
    assert_eq!(checks.len(), 1);
    let message = checks[0]["message"].as_str().unwrap();
    assert!(
        checks[0]["verdict"] == "ok" && message.contains(&format!("{other}, 1 sessions found")),
        "{message}"
    );
    fs::remove_dir_all(&other).unwrap();
    let checks = of_claude_code(&env);
    let missing = checks.iter().find(|check| check["verdict"] == "warn").unwrap();
    assert!(missing["message"].as_str().unwrap().contains("no such folder"), "{missing}");
    let within = env.path("claude/within");
    fs::create_dir_all(&within).unwrap();
    let config = env.path("afterword/config.toml");
    let text = fs::read_to_string(&config).unwrap().replace(&other, within.to_str().unwrap());
    fs::write(&config, text).unwrap();
    let checks = of_claude_code(&env);
    let nested = checks.iter().find(|check| check["verdict"] == "warn").unwrap();
    assert!(nested["message"].as_str().unwrap().contains("/within lies in "), "{nested}");
}

#[test]
fn doctor_names_those_that_are_not_followed_with_the_command_for_all() {
    let (env, other) = with_other(true);
    env.ok(&["config", "set", "claude.other_dirs", &other]);
    env.session(ONE, &with_a_rule(ONE));
    let third = env.session_of("home/.claude-play", TWO, &with_a_rule(TWO));
    // With the system's own separators alone.
    let third: PathBuf = third.ancestors().nth(3).unwrap().components().collect();
    let third = third.to_str().unwrap();
    let advice = of_claude_code(&env)[0]["advice"].as_str().unwrap().to_owned();
    assert!(advice.contains(&format!("config set claude.other_dirs '{other}' '{third}'")), "{advice}");
    env.ok(&["config", "set", "claude.other_dirs", &other, third]);
    assert_eq!(of_claude_code(&env)[0]["advice"], Value::Null);
}

#[test]
fn doctor_says_which_directory_is_connected_and_not_followed() {
    let (env, other) = with_other(true);
    env.ok(&["config", "set", "claude.other_dirs", &other]);
    env.session(ONE, &with_a_rule(ONE));
    env.ok(&["install", "claude-code", "--yes"]);
    let set_aside = || of_claude_code(&env).into_iter().find(|check| check["verdict"] == "warn");
    assert_eq!(set_aside(), None);
    env.ok(&["config", "set", "claude.other_dirs"]);
    let check = set_aside().unwrap();
    let message = check["message"].as_str().unwrap();
    assert!(message.starts_with(&format!("{other}: not followed, but still connected")), "{message}");
    let advice = check["advice"].as_str().unwrap();
    assert!(advice.contains(&format!("config set claude.other_dirs '{other}'")), "{advice}");
    assert!(advice.contains("settings.json"), "{advice}");
    // Also after its settings were edited by hand, and the hooks put right again.
    let settings = env.path("claude-work/settings.json");
    let mut edited: Value = serde_json::from_str(&fs::read_to_string(&settings).unwrap()).unwrap();
    edited["model"] = "opus".into();
    edited["hooks"].as_object_mut().unwrap().remove("Stop").unwrap();
    fs::write(&settings, edited.to_string()).unwrap();
    env.ok(&["config", "set", "claude.other_dirs", &other]);
    env.ok(&["install", "claude-code", "--yes"]);
    assert!(fs::read_to_string(&settings).unwrap().contains("Stop"));
    env.ok(&["config", "set", "claude.other_dirs"]);
    assert_eq!(set_aside().unwrap()["message"].as_str(), Some(message));
    // Nothing else is known of a directory that was never named.
    let hook = serde_json::json!({"session_id": TWO, "hook_event_name": "SessionStart", "source": "startup", "cwd": "/w",
        "transcript_path": env.path(&format!("claude-play/projects/-w/{TWO}.jsonl"))});
    fs::create_dir_all(env.path("claude-play/projects")).unwrap();
    env.hook("SessionStart", hook.to_string().as_bytes());
    let checks = of_claude_code(&env);
    let play = env.path("claude-play").to_str().unwrap().to_owned();
    let told = checks.iter().find(|check| check["message"].as_str().unwrap().starts_with(&play)).unwrap();
    assert!(told["advice"].as_str().unwrap().contains(&format!("'{play}'")), "{told}");
    env.ok(&["config", "set", "claude.other_dirs", &other, &play]);
    assert_eq!(set_aside(), None);
    env.ok(&["uninstall", "claude-code", "--yes"]);
    let left: Value = serde_json::from_str(&fs::read_to_string(&settings).unwrap()).unwrap();
    assert_eq!(left, serde_json::json!({"model": "opus"}), "ours is taken out all the same");
}

#[test]
fn directory_that_only_this_shell_names_is_set_aside_by_the_agent_of_the_desktop() {
    let env = TestEnv::new();
    env.init();
    env.session(ONE, &with_a_rule(ONE));
    env.session_of("home/.claude", TWO, &with_a_rule(TWO));
    let set_aside = || of_claude_code(&env).into_iter().find(|check| check["verdict"] == "warn");
    assert_eq!(set_aside(), None, "without an agent, what this shell follows counts");
    let agent = env.command(&["run"]).env_remove("CLAUDE_CONFIG_DIR").stdout(Stdio::null()).spawn().unwrap();
    let _running = ChildGuard(agent);
    until("the agent tells of itself", || env.json(&["status"])["agent"]["pid"].is_number());
    let here = env.path("claude").to_str().unwrap().to_owned();
    let all = of_claude_code(&env);
    let about: Vec<_> = all.iter().filter(|check| check.to_string().contains("claude.other_dirs")).collect();
    assert_eq!(about.len(), 1, "one command: {all:?}");
    assert!(
        about[0]["message"].as_str().unwrap().starts_with(&format!("{here}: Claude Code runs with it here"))
    );
    assert_eq!(
        about[0]["advice"].as_str(),
        Some(&*format!("`afterword config set claude.other_dirs '{here}'` follows it"))
    );
    env.ok(&["install", "claude-code", "--yes"]);
    let connected = set_aside().unwrap();
    assert!(
        connected["message"].as_str().unwrap().contains("not followed, but still connected"),
        "{connected}"
    );
    env.ok(&["config", "set", "claude.other_dirs", &here]);
    until("the agent follows it", || set_aside().is_none());
}

#[test]
fn claude_code_is_connected_and_disconnected_in_each() {
    let (env, other) = with_other(true);
    env.ok(&["config", "set", "claude.other_dirs", &other]);
    let settings = ["claude/settings.json", "claude-work/settings.json"];
    let servers = ["claude/.claude.json", "claude-work/.claude.json"];
    let shown = env.json(&["install", "claude-code", "--dry-run"]);
    assert_eq!(shown["files"].as_array().unwrap().len(), 4, "{shown}");
    env.ok(&["install", "claude-code", "--yes"]);
    for file in settings.iter().chain(&servers) {
        assert!(fs::read_to_string(env.path(file)).unwrap().contains("afterword"), "{file}");
    }
    fs::remove_file(env.path(settings[1])).unwrap();
    let doctor = env.ok(&["doctor"]);
    let told = doctor.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("but not in [ROOT]/claude-work"), "{doctor}");
    env.ok(&["install", "claude-code", "--yes"]);
    env.ok(&["uninstall", "claude-code", "--yes"]);
    for file in settings.iter().chain(&servers) {
        assert!(!env.path(file).exists(), "{file}");
    }
}

#[test]
fn project_s_settings_are_written_once_and_its_server_in_each() {
    let (env, other) = with_other(true);
    env.ok(&["config", "set", "claude.other_dirs", &other]);
    let shown = env.json(&["install", "claude-code", "--scope", "project", "--dry-run"]);
    let files: Vec<_> =
        shown["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert_eq!(files.len(), 3, "{files:?}");
    assert_eq!(files.iter().filter(|path| path.ends_with(".claude.json")).count(), 2, "{files:?}");
}
