//! `afterword doctor`

use std::fs;

use insta::assert_snapshot;

use crate::env::TestEnv;
use crate::running::start_agent;
use afterword_testkit::transcript::with_a_rule;
use afterword_testkit::until;

const ID: &str = "0f0e0d0c-1111-4222-8333-444455556666";
const SILENT: &str = "0f0e0d0c-1111-4222-8333-444455556777";
const OTHER: &str = "0f0e0d0c-1111-4222-8333-444455557777";

/// The lines but for the free space, which is the machine's own.
fn lines(env: &TestEnv) -> String {
    let mut ran = env.run(&["doctor"]);
    ran.stdout =
        ran.stdout.lines().filter(|line| !line.contains(" disk  ")).map(|line| format!("{line}\n")).collect();
    ran.to_string()
}

#[test]
fn tells_what_to_do_on_a_new_machine() {
    assert_snapshot!(lines(&TestEnv::new()), @r"
    exit 0
    ----- stdout -----
    ok    settings           all at their defaults
    warn  vault              none is set up
                             choose one with `afterword init --vault DIR`
    ok    state              nothing reflected yet
    warn  Claude Code        [ROOT]/claude: no sessions there
                             start Claude Code once, or name its directory with `afterword config set claude.config_dir DIR`; with WSL it may be on the other side
    ok    hooks              not connected: sessions are found by their files
                             `afterword install claude-code` connects Claude Code
    ok    log                [ROOT]/afterword/state/logs, nothing so far: it begins with the agent
    ----- stderr -----
    ");
}

#[test]
fn is_content_when_everything_is_reflected() {
    let env = TestEnv::new();
    env.init();
    env.session(ID, &with_a_rule(ID));
    assert!(lines(&env).contains("1 session waits"));
    env.ok(&["reflect", "--all"]);
    let value = env.json(&["doctor"]);
    assert_eq!(value["verdict"], "ok", "{value}");
}

#[test]
fn a_newer_version_is_looked_for_where_that_is_wanted() {
    use afterword_testkit::provider::Provider;

    let latest = Provider::saying(vec![(200, "", "{\"version\": \"99.0.0\"}".to_owned())]);
    let env = TestEnv::new();
    env.ok(&["config", "set", "updates.address", &format!("{}/latest.json", latest.address)]);
    assert!(!env.run(&["doctor"]).stdout.contains("updates"));
    assert_eq!(latest.received().len(), 0);
    env.ok(&["config", "set", "updates.check", "true"]);
    for _ in 0..2 {
        let doctor = env.run(&["doctor"]).stdout;
        assert!(doctor.contains("warn  updates            version 99.0.0 is there; this is "), "{doctor}");
    }
    assert_eq!(latest.received().len(), 1, "once a day");
}

#[test]
fn engine_that_cannot_work_is_said_at_once() {
    let env = TestEnv::new();
    env.init();
    let check = |settings: &[(&str, &str)], problem: &str, advice: &str| {
        for (key, value) in settings {
            env.set(key, &[value]);
        }
        let doctor = env.run(&["doctor"]).stdout;
        let told = doctor.lines().skip_while(|line| !line.starts_with("fail  engine")).take(2);
        let told: String = told.collect();
        assert!(told.contains(problem) && told.contains(advice), "{doctor}");
        let status = env.ok(&["status"]);
        assert!(status.contains(problem) && status.contains("the built-in engine goes on"), "{status}");
    };
    check(&[("engine.name", "openai-compatible")], "no model is set", "engine.model");
    check(
        &[("engine.model", "m"), ("engine.address", "http://models.example.org/v1")],
        "only https",
        "engine.address",
    );
    check(
        &[("engine.address", "http://127.0.0.1:9/v1")],
        "http://127.0.0.1:9/v1: not reached",
        "start the server",
    );
    // Elsewhere every machine has a keyring.
    let (problem, advice) = if cfg!(target_os = "linux") {
        ("there is no keyring", "Secret Service")
    } else {
        ("none is kept", "config set-key anthropic")
    };
    check(&[("engine.name", "anthropic")], problem, advice);
    let missing = env.path("no/such/claude");
    check(
        &[("engine.name", "claude-code"), ("claude.binary", missing.to_str().unwrap())],
        "Claude Code was not found",
        "install Claude Code",
    );
}

/// There is such a server, and it refuses: what it said the last time stands until it answers.
#[cfg(target_os = "linux")]
#[test]
fn engine_that_refused_the_last_question_is_no_engine_that_works() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use afterword_testkit::provider::{Provider, completion};
    use afterword_testkit::transcript::with_a_rule;

    let has_model = Arc::new(AtomicBool::new(false));
    let is_there = Arc::clone(&has_model);
    let provider = Provider::answering(move |_, _| {
        if is_there.load(Ordering::SeqCst) {
            (200, "", completion("stop", r#"{"sum": 5}"#))
        } else {
            (404, "", r#"{"error":{"message":"model \"smal\" not found"}}"#.to_owned())
        }
    });
    let env = TestEnv::new();
    env.init();
    let id = "0f0e0d0c-1111-4222-8333-444455556666";
    env.session(id, &with_a_rule(id));
    let address = format!("{}/v1", provider.address);
    for (key, value) in
        [("engine.name", "openai-compatible"), ("engine.address", &address), ("engine.model", "smal")]
    {
        env.ok(&["config", "set", key, value]);
    }
    assert!(env.ok(&["doctor"]).contains("ok    engine"), "nobody asked it yet");
    assert_eq!(env.run(&["reflect", id]).code, Some(1));
    let doctor = env.run(&["doctor"]).stdout;
    assert!(doctor.contains("fail  engine") && doctor.contains("model \"smal\" not found"), "{doctor}");
    assert!(doctor.contains("afterword engine try"), "{doctor}");
    assert!(env.ok(&["status"]).contains("not found"));
    env.ok(&["config", "set", "engine.model", "small"]);
    assert!(env.ok(&["doctor"]).contains("ok    engine"), "another model was not asked yet");
    env.ok(&["config", "set", "engine.model", "smal"]);
    has_model.store(true, Ordering::SeqCst);
    env.run(&["engine", "try"]);
    let doctor = env.run(&["doctor"]).stdout;
    assert!(doctor.contains("ok    engine"), "{doctor}");
}

#[test]
fn status_names_a_vault_that_is_gone() {
    let env = TestEnv::new();
    env.init();
    assert!(env.ok(&["status"]).contains("no note to review"));
    fs::remove_dir_all(env.path("vault")).unwrap();
    let told = env.ok(&["status"]);
    assert!(!told.contains("no note to review"), "{told}");
    assert!(told.contains("review    not known: the vault is not there"), "{told}");
    assert!(told.contains("the vault is not there: ") && told.contains("bring back the folder"), "{told}");
}

/// How long something waits, and when it was said, are two things, and each is called what it is.
#[test]
fn status_says_how_long_a_lesson_waits_and_the_list_when_it_was_said() {
    let env = TestEnv::new();
    env.init();
    let note = "---\ntitle: Use tabs\nkind: preference\nstatus: inbox\nconfidence: medium\ncreated: 2026-03-01\n\
        id: 0197d2a0-0000-7000-8000-000000000001\nkey: k1\n---\n\nUse tabs.\n";
    fs::create_dir_all(env.path("vault/Afterword/_review")).unwrap();
    fs::write(env.path("vault/Afterword/_review/tabs.md"), note).unwrap();
    let days = env.json(&["review", "list"])["items"][0]["age_days"].as_i64().unwrap();
    assert!(env.ok(&["review", "list"]).contains(&format!("said {days} days ago")));
    let status = env.ok(&["status"]);
    assert!(status.contains("1 note to review, the oldest for less than a minute"), "{status}");
    assert!(!status.contains("alarm     1 notes wait"), "{status}");
}

#[test]
fn says_whether_claude_code_is_connected() {
    let env = TestEnv::new();
    env.init();
    assert!(lines(&env).contains("hooks              not connected"));
    env.ok(&["install", "claude-code", "--yes"]);
    assert!(lines(&env).contains("hooks              connected by [ROOT]/claude/settings.json"));
    let settings = env.path("claude/settings.json");
    let mut with_plugin: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&settings).unwrap()).unwrap();
    with_plugin["enabledPlugins"] = serde_json::json!({"memory@afterword": true});
    fs::write(&settings, with_plugin.to_string()).unwrap();
    assert!(lines(&env).contains("connected twice"));
    with_plugin["disableAllHooks"] = serde_json::json!(true);
    fs::write(&settings, with_plugin.to_string()).unwrap();
    assert!(lines(&env).contains("[ROOT]/claude/settings.json has `disableAllHooks`"));
    // The client reads nothing of settings in which this is neither yes nor no.
    with_plugin["disableAllHooks"] = serde_json::json!("true");
    fs::write(&settings, with_plugin.to_string()).unwrap();
    assert!(lines(&env).contains("[ROOT]/claude/settings.json has `disableAllHooks`"));
    with_plugin["disableAllHooks"] = serde_json::json!(false);
    fs::write(&settings, with_plugin.to_string()).unwrap();
    assert!(!lines(&env).contains("`disableAllHooks`"));
    let project = env.path("work/.claude/settings.local.json");
    fs::create_dir_all(project.parent().unwrap()).unwrap();
    fs::write(&project, r#"{"disableAllHooks": true}"#).unwrap();
    assert!(lines(&env).contains("settings.local.json has `disableAllHooks`"));
    // The nearer file decides.
    with_plugin["disableAllHooks"] = serde_json::json!(true);
    fs::write(&settings, with_plugin.to_string()).unwrap();
    fs::write(&project, r#"{"disableAllHooks": false}"#).unwrap();
    let told = lines(&env);
    assert!(
        !told.contains("runs no hook of ours") && told.contains("elsewhere [ROOT]/claude/settings.json"),
        "{told}"
    );
    fs::remove_file(&project).unwrap();
    env.ok(&["uninstall", "claude-code", "--yes"]);
    fs::write(&settings, r#"{"enabledPlugins":{"memory@afterword":true}}"#).unwrap();
    assert!(lines(&env).contains("hooks              connected by the plugin"));
}

#[test]
fn project_that_switches_hooks_off_is_named_by_doctor_and_its_sessions() {
    let env = TestEnv::new();
    env.init();
    let shop = env.path("shop");
    fs::create_dir_all(shop.join(".claude")).unwrap();
    let here = serde_json::to_string(&shop).unwrap();
    let entries =
        with_a_rule(ID).iter().map(|line| line.replace("\"/home/ada/shop\"", &here)).collect::<Vec<_>>();
    env.session(ID, &entries);
    env.ok(&["install", "claude-code", "--yes"]);
    let agent = start_agent(&env);
    until("the session is followed", || env.json(&["sessions"])["sessions"][0]["agent_state"].is_string());
    drop(agent);
    let timeline = || env.run(&["sessions", "--timeline", ID]).stderr;
    assert!(!lines(&env).contains("`disableAllHooks`") && !timeline().contains("disableAllHooks"));
    fs::write(shop.join(".claude/settings.json"), r#"{"disableAllHooks": true}"#).unwrap();
    let told = lines(&env);
    assert!(told.contains("warn  hooks") && told.contains("[ROOT]/shop/.claude/settings.json"), "{told}");
    assert!(timeline().contains("[ROOT]/shop/.claude/settings.json has `disableAllHooks`"), "{}", timeline());
    let hooks_off = env.json(&["sessions", "--timeline", ID])["hooks_off"].clone();
    assert_eq!(hooks_off, shop.join(".claude").join("settings.json").to_str().unwrap());
    // The latest session of the folder does not say where it was.
    let silent = |line: &String| line.replace(ID, SILENT).replace(&format!("\"cwd\":{here},"), "");
    let silent = env.session(SILENT, &entries.iter().map(silent).collect::<Vec<_>>());
    let agent = start_agent(&env);
    until("it is followed", || {
        let all = env.json(&["sessions"])["sessions"].as_array().unwrap().clone();
        all.len() == 2 && all.iter().all(|one| one["agent_state"].is_string())
    });
    drop(agent);
    assert!(lines(&env).contains("[ROOT]/shop/.claude/settings.json"), "{}", lines(&env));
    // Off for the person, and on again there.
    let user = env.path("claude/settings.json");
    let installed = fs::read_to_string(&user).unwrap();
    let mut off: serde_json::Value = serde_json::from_str(&installed).unwrap();
    off["disableAllHooks"] = serde_json::json!(true);
    fs::write(&user, off.to_string()).unwrap();
    fs::write(shop.join(".claude/settings.json"), r#"{"disableAllHooks": false}"#).unwrap();
    let told = lines(&env);
    assert!(
        told.contains("except in projects that switch them on ([ROOT]/shop/.claude/settings.json)"),
        "{told}"
    );
    fs::write(&user, installed).unwrap();
    fs::write(shop.join(".claude/settings.json"), r#"{"disableAllHooks": true}"#).unwrap();
    fs::remove_file(silent).unwrap();
    // Its repository is another folder: the one that the session was in counts.
    let main = env.path("main");
    let of_worktree = main.join(".git/worktrees/shop");
    fs::create_dir_all(&of_worktree).unwrap();
    fs::write(of_worktree.join("commondir"), "../..\n").unwrap();
    fs::write(of_worktree.join("gitdir"), format!("{}\n", shop.join(".git").display())).unwrap();
    fs::write(main.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::write(shop.join(".git"), format!("gitdir: {}\n", of_worktree.display())).unwrap();
    let agent = start_agent(&env);
    env.session(OTHER, &entries.iter().map(|line| line.replace(ID, OTHER)).collect::<Vec<_>>());
    until("the other is followed", || {
        let all = env.json(&["sessions"])["sessions"].as_array().unwrap().clone();
        all.len() == 2 && all.iter().all(|one| one["agent_state"].is_string())
    });
    drop(agent);
    fs::remove_file(env.session(ID, &entries)).unwrap();
    let project = env.json(&["sessions"])["sessions"][0]["project"].clone();
    assert_eq!(project, main.to_str().unwrap(), "a worktree is of its repository");
    assert!(lines(&env).contains("[ROOT]/shop/.claude/settings.json"), "{}", lines(&env));
    let timeline = env.run(&["sessions", "--timeline", OTHER]).stderr;
    assert!(
        timeline.contains("[ROOT]/shop/.claude/settings.json has `disableAllHooks`; take it out"),
        "{timeline}"
    );
    env.ok(&["uninstall", "claude-code", "--yes"]);
    assert!(!lines(&env).contains("`disableAllHooks`"), "nothing of ours is switched off");
}

#[test]
fn names_entry_types_it_has_never_seen() {
    let env = TestEnv::new();
    env.init();
    let mut entries = with_a_rule(ID);
    entries.push("{\"type\":\"hologram\",\"sessionId\":\"x\"}\n".to_owned());
    env.session(ID, &entries);
    env.ok(&["reflect", "--all"]);
    let told = lines(&env);
    assert!(
        told.contains("ok    transcript format  unknown: type `hologram`; first in [ROOT]/claude"),
        "{told}"
    );
}

#[test]
fn broken_parts_fail_one_by_one() {
    let env = TestEnv::new();
    env.init();
    env.session(ID, &with_a_rule(ID));
    env.ok(&["reflect", "--all"]);
    fs::write(env.path("afterword/state/afterword.db"), "x".repeat(5000)).unwrap();
    for more in ["-wal", "-shm"] {
        let _ = fs::remove_file(env.path(&format!("afterword/state/afterword.db{more}")));
    }
    fs::remove_dir_all(env.path("vault")).unwrap();
    assert_snapshot!(lines(&env), @r"
    exit 1
    ----- stdout -----
    ok    settings           [ROOT]/afterword/config.toml
    fail  vault              no Afterword folder in [ROOT]/vault
                             bring back the disk it is on; where the vault was moved, run `afterword init --vault DIR`; `afterword init` begins an empty one there
    fail  state              [ROOT]/afterword/state/afterword.db: damaged, or not a database: Error code 26: file is not a database
                             end Afterword, move [ROOT]/afterword/state/afterword.db aside, with [ROOT]/afterword/state/afterword.db-wal and [ROOT]/afterword/state/afterword.db-shm where they are there, and run `afterword reflect --all`: the notes in the vault are not touched
    ok    Claude Code        [ROOT]/claude, 1 sessions found
    ok    reflection         1 session waits, the oldest for less than a minute; last reflected never
                             run `afterword reflect --all`
    ok    hooks              not connected: sessions are found by their files
                             `afterword install claude-code` connects Claude Code
    ok    log                [ROOT]/afterword/state/logs, nothing so far: it begins with the agent
    ----- stderr -----
    ");
    fs::write(env.path("afterword/config.toml"), "[vault]\nwhere = 1\n").unwrap();
    assert_snapshot!(lines(&env), @r"
    exit 1
    ----- stdout -----
    fail  settings           [ROOT]/afterword/config.toml:2: `vault.where` does not exist
                             the settings there are like it: vault.path
    warn  vault              not known
                             mend the settings first
    fail  state              [ROOT]/afterword/state/afterword.db: damaged, or not a database: Error code 26: file is not a database
                             end Afterword, move [ROOT]/afterword/state/afterword.db aside, with [ROOT]/afterword/state/afterword.db-wal and [ROOT]/afterword/state/afterword.db-shm where they are there, and run `afterword reflect --all`: the notes in the vault are not touched
    ok    Claude Code        [ROOT]/claude, 1 sessions found
    ok    reflection         1 session waits, the oldest for less than a minute; last reflected never
                             run `afterword reflect --all`
    ok    log                [ROOT]/afterword/state/logs, nothing so far: it begins with the agent
    ----- stderr -----
    ");
}

#[cfg(unix)]
#[test]
fn names_own_folders_that_others_can_look_into_and_what_is_no_file_in_them() {
    use std::os::unix::fs::PermissionsExt;
    let env = TestEnv::new();
    env.init();
    env.session(ID, &with_a_rule(ID));
    env.ok(&["reflect", "--all"]);
    let (state, cache) = (env.path("afterword/state"), env.path("afterword/cache"));
    assert!(!lines(&env).contains("own folders"), "they are made for the user alone");
    let open =
        |path: &std::path::Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    for folder in [&state, &cache] {
        fs::create_dir_all(folder).unwrap();
        open(folder, 0o755);
        let told = lines(&env);
        assert!(
            told.contains("own folders        [ROOT]/afterword/") && told.contains("run `chmod 700 "),
            "{told}"
        );
        open(folder, 0o700);
    }
    fs::create_dir_all(state.join("markers/session-id-5f0a.start")).unwrap();
    open(&state, 0o755);
    let told = lines(&env);
    assert!(told.contains("state: open to other users"), "one does not hide the other: {told}");
    assert!(told.contains("session-id-5f0a.start: no file, and passed over"), "{told}");
}
