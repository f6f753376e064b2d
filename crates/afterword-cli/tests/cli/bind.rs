//! `afterword bind`, `unbind`, `checks`, and what the hooks answer by them.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::env::TestEnv;

const ID: &str = "0192f000-0000-7000-8000-000000000001";
const SESSION: &str = "5f0a8c1e-0000-4000-8000-000000000001";

fn before(env: &TestEnv, session: &str, tool: &str, input: &Value) -> String {
    let told = json!({
        "session_id": session, "transcript_path": "/c/s.jsonl", "cwd": env.path("work"), "hook_event_name": "PreToolUse",
        "tool_name": tool, "tool_input": input,
    });
    env.hook("PreToolUse", told.to_string().as_bytes())
}

/// Why a shell line is not to be run; empty where it may.
fn why(env: &TestEnv, line: &str) -> String {
    let answer = before(env, SESSION, "Bash", &json!({"command": line}));
    if answer.is_empty() {
        return answer;
    }
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let told = &answer["hookSpecificOutput"];
    assert_eq!((&told["hookEventName"], &told["permissionDecision"]), (&json!("PreToolUse"), &json!("deny")));
    told["permissionDecisionReason"].as_str().unwrap().to_owned()
}

fn note_path(env: &TestEnv) -> PathBuf {
    env.path("vault/Afterword/Preferences/use-pnpm.md")
}

fn env_with(title: &str, properties: &str) -> TestEnv {
    let env = TestEnv::new();
    env.init();
    let text = format!(
        "---\ntitle: {title}\nkind: preference\nstatus: active\nid: {ID}\n{properties}mine: true\n---\n\nIt is so.\n"
    );
    fs::create_dir_all(note_path(&env).parent().unwrap()).unwrap();
    fs::write(note_path(&env), text).unwrap();
    env
}

fn bound() -> TestEnv {
    let env = env_with("Use pnpm, not npm", "");
    env.ok(&["bind", ID, "--yes"]);
    env
}

fn binding_state(env: &TestEnv) -> Value {
    env.json(&["checks"])["notes"][0]["standing"].clone()
}

fn log(env: &TestEnv) -> String {
    fs::read_to_string(env.path("afterword/state/checks.log")).unwrap_or_default()
}

#[test]
fn proposal_is_shown_and_nothing_binds_without_a_yes() {
    let env = env_with("Use pnpm, not npm", "");
    let before = env.vault();
    let ran = env.run(&["bind", "use-pnpm"]);
    assert_eq!(ran.code, Some(1), "{ran}");
    assert!(ran.stdout.contains("never run `npm`, run `pnpm`"), "{ran}");
    env.ok(&["bind", "use-pnpm", "--dry-run"]);
    assert_eq!(env.vault(), before);
    assert_eq!(why(&env, "npm install"), "");
    assert!(!env.path("afterword/state/checks.json").exists());
}

#[test]
fn yes_binds_and_the_reason_says_the_lesson_and_how_to_lift_it() {
    let env = bound();
    let text = fs::read_to_string(note_path(&env)).unwrap();
    assert!(text.contains("mine: true\ncheck: \"never run `npm`, run `pnpm`\"\n---"), "{text}");
    let reason = why(&env, "cd web && npm install");
    for part in ["Use pnpm, not npm", "run `pnpm`", &format!("afterword unbind {ID} --once")] {
        assert!(reason.contains(part), "{reason}");
    }
    for line in ["pnpm install", "echo \"never use npm\"", "git commit -m npm"] {
        assert_eq!(why(&env, line), "", "{line}");
    }
    assert_eq!(binding_state(&env), "binds");
    assert_eq!(env.json(&["checks"])["notes"][0]["stopped"], 1);
    let logged = log(&env);
    assert!(
        logged.contains("stopped") && !logged.contains("cd web"),
        "what was stopped is not kept: {logged}"
    );
}

#[test]
fn past_sessions_say_what_it_would_have_caught() {
    let env = env_with("Use pnpm, not npm", "");
    env.session(SESSION, &session_with(&[call("a", "npm install x"), call("b", "pnpm install x")]));
    let proposal = env.json(&["bind", ID, "--dry-run"]);
    assert_eq!(proposal["past"]["stopped"], 1);
    assert_eq!(proposal["past"]["examples"][0]["what"], "npm install x");
    env.ok(&["config", "set", "privacy.exclude", "/home/ada/shop"]);
    assert_eq!(
        env.json(&["bind", ID, "--dry-run"])["past"]["sessions"],
        0,
        "what is excluded is not looked at"
    );
}

#[test]
fn example_from_a_past_session_ends_in_no_half_of_a_secret() {
    let env = env_with("Use pnpm, not npm", "");
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    // 100 characters of it are shown.
    let command = format!("npm install {} {token}", "x ".repeat(38));
    env.session(SESSION, &session_with(&[call("a", &command)]));
    let shown = env.json(&["bind", ID, "--dry-run"])["past"]["examples"][0]["what"].clone();
    let shown = shown.as_str().unwrap();
    assert!(shown.starts_with("npm install") && !shown.contains("ghp_"), "{shown}");
}

#[test]
fn check_of_other_hands_waits_for_a_yes() {
    let env = env_with("A rule", "check: never run `make`\n");
    assert_eq!((binding_state(&env), why(&env, "make")), (json!("unconfirmed"), String::new()));
    env.ok(&["bind", ID, "--yes"]);
    assert!(why(&env, "make").contains("`make` is not to be run"));
    // Changed by an editor, a sync or another program: neither the old nor the new one binds.
    let text = fs::read_to_string(note_path(&env)).unwrap();
    fs::write(note_path(&env), text.replace("`make`", "`make` or `cargo`")).unwrap();
    assert_eq!((why(&env, "make"), why(&env, "cargo build")), (String::new(), String::new()));
    assert_eq!(binding_state(&env), "changed");
    assert!(log(&env).contains("its checks changed since they were agreed to"));
    env.ok(&["bind", ID, "--yes"]);
    assert!(why(&env, "cargo build").contains("cargo"));
}

#[test]
fn note_that_does_not_count_binds_nothing() {
    let env = bound();
    let text = fs::read_to_string(note_path(&env)).unwrap();
    for status in ["archived", "superseded", "inbox"] {
        fs::write(note_path(&env), text.replace("status: active", &format!("status: {status}"))).unwrap();
        assert_eq!(why(&env, "npm i"), "", "{status}");
        assert_eq!(binding_state(&env), "unusable", "{status}");
        assert_eq!(env.run(&["bind", ID, "--yes"]).code, Some(1));
    }
    fs::write(note_path(&env), text.replace(ID, "0192f000-0000-7000-8000-000000000002")).unwrap();
    assert_eq!(why(&env, "npm i"), "", "another note has its name");
    fs::remove_file(note_path(&env)).unwrap();
    assert_eq!(why(&env, "npm i"), "");
    assert_eq!(binding_state(&env), "lost");
    fs::write(note_path(&env), text).unwrap();
    assert_ne!(why(&env, "npm i"), "");
}

#[test]
fn unreadable_check_is_shown_and_stops_nothing() {
    for check in ["check: npm is bad\n", "check: never run `*`\n", "check:\n  on: command\n", "check: 7\n"] {
        let env = env_with("Use pnpm, not npm", check);
        assert_eq!((binding_state(&env), why(&env, "npm i")), (json!("unusable"), String::new()), "{check}");
        let ran = env.run(&["bind", ID, "--yes"]);
        assert_eq!(ran.code, Some(1), "{ran}");
        assert!(ran.stdout.contains("It cannot bind:"), "{ran}");
        let doctor = env.run(&["doctor"]);
        assert!(doctor.stdout.contains("checks") && doctor.stdout.contains("use-pnpm.md"), "{doctor}");
    }
    let env = env_with("A rule", &format!("check: never run `{}`\n", "x".repeat(1 << 20)));
    assert_eq!(why(&env, "x"), "");
}

#[test]
fn check_can_be_given_by_hand_and_is_read_strictly() {
    let env = env_with("Deploys are done by CI", "");
    let ran = env.run(&["bind", ID]);
    assert!(ran.stdout.contains("nothing that could be checked"), "{ran}");
    let ran = env.run(&["bind", ID, "--as", "no deploys", "--yes"]);
    assert_eq!(ran.code, Some(2), "{ran}");
    env.ok(&["bind", ID, "--as", "never run `make deploy`", "--as", "never write to `deploy/**`", "--yes"]);
    assert!(why(&env, "make -C x deploy").contains("make"));
    let file = env.path("work/deploy/a.yml");
    assert!(before(&env, SESSION, "Write", &json!({"file_path": file, "content": "x"})).contains("deny"));
}

#[test]
fn note_that_binds_is_the_persons() {
    let env = TestEnv::new();
    env.init();
    env.session(SESSION, &afterword_testkit::transcript::with_a_rule(SESSION));
    env.ok(&["reflect", "--all"]);
    let id = env.json(&["search", "migration"])["results"][0]["id"].as_str().unwrap().to_owned();
    env.ok(&["bind", &id, "--as", "never write to `migrations/**`", "--yes"]);
    let forgotten = env.json(&["forget", "session", SESSION]);
    assert_eq!(forgotten["removed"], json!([]), "{forgotten}");
    assert_eq!(binding_state(&env), "binds");
}

#[test]
fn check_is_lifted_for_a_session_or_for_good() {
    let env = bound();
    assert_eq!(env.run(&["unbind", ID, "--once"]).code, Some(1), "it has stopped nothing yet");
    assert_ne!(why(&env, "npm i"), "");
    env.ok(&["unbind", ID, "--once"]);
    assert_eq!(why(&env, "npm i"), "");
    let npm = json!({"command": "npm i"});
    assert!(before(&env, "another", "Bash", &npm).contains("deny"), "another session");
    env.ok(&["unbind", ID, "--once", "--session", "another"]);
    assert_eq!(before(&env, "another", "Bash", &npm), "");
    env.ok(&["unbind", ID]);
    assert_eq!(before(&env, "third", "Bash", &npm), "");
    assert_eq!(binding_state(&env), "lifted");
    assert_eq!(env.json(&["unbind", ID])["lifted"], "no");
    env.ok(&["bind", ID, "--yes"]);
    assert_ne!(why(&env, "npm i"), "");
}

#[test]
fn model_cannot_lift_a_check_by_the_command_line() {
    let env = bound();
    for line in [
        "afterword unbind x --once",
        "cd / && /usr/bin/afterword unbind x",
        "afterword bind x -y",
        "afterword bind x --as 'a' --yes",
    ] {
        assert!(why(&env, line).contains("Only the person"), "{line}");
    }
    for line in ["afterword bind x", "afterword checks", "echo afterword unbind x"] {
        assert_eq!(why(&env, line), "", "{line}");
    }
}

#[test]
fn what_cannot_be_read_stops_nothing_and_leaves_a_line() {
    let env = bound();
    for input in [&b""[..], b"{", b"null", b"[]", &[0, 159, 146, 150], b"{\"session_id\":\"a\",\"cwd\":7}"] {
        assert_eq!(env.hook("PreToolUse", input), "");
    }
    assert!(log(&env).contains("what the client told cannot be read"));
    for state in ["{", "[]", "{\"version\":99,\"notes\":[]}", ""] {
        fs::write(env.path("afterword/state/checks.json"), state).unwrap();
        assert_eq!(why(&env, "npm i"), "", "{state}");
    }
    assert!(log(&env).contains("nothing was asked"));
    fs::remove_file(env.path("afterword/state/checks.json")).unwrap();
    assert_eq!(why(&env, "npm i"), "");
    assert!(!log(&env).contains("npm"), "no words of a session: {}", log(&env));
}

#[test]
fn excluded_project_is_not_asked_about() {
    let env = bound();
    assert_ne!(why(&env, "npm i"), "");
    env.ok(&["config", "set", "privacy.exclude", env.path("work").to_str().unwrap()]);
    assert_eq!(why(&env, "npm i"), "");
}

#[test]
fn check_of_a_project_holds_in_that_project() {
    let env = env_with("Use pnpm, not npm", "project: shop\n");
    env.ok(&["bind", ID, "--yes"]);
    let stopped = |cwd: &str| {
        let told =
            json!({"session_id": "a", "cwd": cwd, "tool_name": "Bash", "tool_input": {"command": "npm i"}});
        !env.hook("PreToolUse", told.to_string().as_bytes()).is_empty()
    };
    assert!(stopped("/home/ada/shop") && stopped("/home/ada/shop/web"));
    assert!(!stopped("/home/ada/shopping") && !stopped("/home/ada"));
}

fn call(id: &str, line: &str) -> String {
    tool(id, "Bash", &json!({"command": line}))
}

fn tool(id: &str, name: &str, input: &Value) -> String {
    let entry = json!({
        "type": "assistant", "uuid": format!("call-{id}"), "cwd": "/home/ada/shop", "sessionId": SESSION,
        "timestamp": "2026-03-01T10:00:00.000Z",
        "message": {"id": format!("m-{id}"), "role": "assistant", "model": "claude-opus-4-6",
            "content": [{"type": "tool_use", "id": id, "name": name, "input": input}]},
    });
    format!("{entry}\n")
}

fn outcome(id: &str, failed: bool) -> String {
    let entry = json!({
        "type": "user", "uuid": format!("outcome-{id}"), "cwd": "/home/ada/shop", "sessionId": SESSION,
        "timestamp": "2026-03-01T10:00:01.000Z",
        "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": id, "content": if failed { "Exit code 1" } else { "ok" }, "is_error": failed}]},
    });
    format!("{entry}\n")
}

fn session_with(lines: &[String]) -> Vec<String> {
    let first = afterword_testkit::transcript::typed(SESSION, 1, "please add the discount column");
    [&[first], lines, &[afterword_testkit::transcript::answered(SESSION, 9, "All done.")]].concat()
}

#[test]
fn turn_goes_on_once_where_the_tests_did_not_run() {
    let env = env_with("Run `cargo test` before you say done", "");
    env.ok(&["bind", ID, "--yes"]);
    let edit =
        tool("e", "Edit", &json!({"file_path": env.path("work/a.rs"), "old_string": "a", "new_string": "b"}));
    let ends = |lines: &[String], is_second: bool| {
        let transcript = env.session(SESSION, &session_with(lines));
        let told = json!({
            "session_id": SESSION, "transcript_path": transcript, "cwd": env.path("work"), "hook_event_name": "Stop",
            "stop_hook_active": is_second, "last_assistant_message": "All done.",
        });
        env.hook("Stop", told.to_string().as_bytes())
    };
    let test = |failed| [edit.clone(), outcome("e", false), call("t", "cargo test -q"), outcome("t", failed)];
    let answer: Value = serde_json::from_str(&ends(&[edit.clone(), outcome("e", false)], false)).unwrap();
    assert_eq!(answer["decision"], "block");
    assert!(answer["reason"].as_str().unwrap().contains("`cargo test` did not run"), "{answer}");
    assert!(ends(&test(true), false).contains("did not pass"));
    assert_eq!(ends(&test(false), false), "");
    let long = format!("cat > a.md <<'E'\n{}\nE\ncargo test", "it's a line\n".repeat(400));
    let by_long = [edit.clone(), outcome("e", false), call("t", &long), outcome("t", false)];
    assert_eq!(ends(&by_long, false), "", "a line of which the transcript's reader keeps a part");
    assert_eq!(ends(std::slice::from_ref(&edit), true), "", "a turn is sent on once");
    assert_eq!(ends(&[call("l", "ls"), outcome("l", false)], false), "", "nothing was changed");
    let late = json!({
        "session_id": SESSION, "transcript_path": env.session(SESSION, &session_with(&[edit])), "cwd": env.path("work"),
        "hook_event_name": "Stop", "last_assistant_message": "Words that are not written yet.",
    });
    assert_eq!(env.hook("Stop", late.to_string().as_bytes()), "", "its end is not there");
    assert!(log(&env).contains("its end is not in the transcript yet"));
}

#[test]
fn hook_before_tools_is_installed_where_a_check_binds() {
    let env = env_with("Use pnpm, not npm", "");
    let settings = || -> Value {
        serde_json::from_str(&fs::read_to_string(env.path("claude/settings.json")).unwrap()).unwrap()
    };
    env.ok(&["install", "claude-code", "--yes"]);
    assert!(settings()["hooks"].get("PreToolUse").is_none());
    let ran = env.run(&["bind", ID, "--yes"]);
    assert!(ran.stderr.contains("afterword install claude-code"), "{ran}");
    let doctor = env.run(&["doctor"]);
    assert!(doctor.stdout.contains("Claude Code does not ask before a tool runs"), "{doctor}");
    env.ok(&["install", "claude-code", "--yes"]);
    let group = &settings()["hooks"]["PreToolUse"][0];
    assert_eq!(group["matcher"], "Bash|Edit|Write|MultiEdit|NotebookEdit");
    assert_eq!(group["hooks"][0]["args"][1], "PreToolUse");
    assert!(env.run(&["doctor"]).stdout.contains("1 note binds"));
    env.ok(&["install", "claude-code", "--yes"]);
    assert_eq!(settings()["hooks"]["PreToolUse"].as_array().unwrap().len(), 1);
    env.ok(&["uninstall", "claude-code", "--yes"]);
    assert!(!env.path("claude/settings.json").exists());
}
