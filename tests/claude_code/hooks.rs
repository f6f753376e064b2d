//! What the client's hooks leave behind, and that none of them fails a session.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use afterword_testkit::messages_api::Reply;
use serde_json::{Value, json};

use crate::machine::Machine;
use crate::stub::offers;

fn spooled(machine: &Machine) -> Vec<Value> {
    let files = fs::read_dir(machine.state().join("spool")).map(|all| all.flatten().map(|file| file.path()));
    let mut files: Vec<_> = files.into_iter().flatten().collect();
    files.sort();
    files.iter().map(|file| serde_json::from_slice(&fs::read(file).unwrap()).unwrap()).collect()
}

#[test]
fn session_tells_its_start_its_prompt_its_stop_and_its_end() {
    let Some(machine) = Machine::new() else { return };
    machine.install();
    let project = machine.project("shop with blanks & 'quotes'");
    let result = machine.say(&project, "Say hello, my password is hunter2.", &[]);
    let events = spooled(&machine);
    let names: Vec<_> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(names, ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"]);
    let session = result["session_id"].as_str().unwrap();
    for event in &events {
        assert_eq!(event["session_id"], session);
        assert_eq!(event["cwd"], project.to_str().unwrap());
        assert!(!event.to_string().contains("hunter2"), "no prompt is kept: {event}");
    }
    assert_eq!(events[0]["source"], "startup");
    assert_eq!(events[3]["reason"], "other");
    let transcript = events[0]["transcript_path"].as_str().unwrap();
    assert!(fs::read_to_string(transcript).unwrap().contains("hunter2"), "the path is the transcript's");
    let marker = machine.state().join(format!("markers/session-id-{session}.start"));
    let marker: Value = serde_json::from_slice(&fs::read(marker).unwrap()).unwrap();
    assert_eq!(marker["transcript_path"], transcript);
    assert!(marker["client"]["pid"].is_u64() && marker.get("is_client_gone").is_none(), "{marker}");
    let above = marker["above_client"].as_array().unwrap();
    let own = u64::from(std::process::id());
    assert!(above.iter().any(|one| one["pid"] == own), "the client runs below this test: {marker}");
}

#[test]
fn hooks_that_cannot_write_fail_no_session() {
    let Some(machine) = Machine::new() else { return };
    machine.install();
    fs::remove_dir_all(machine.state()).unwrap();
    fs::write(machine.state(), "a file in the place of the state").unwrap();
    let result = machine.say(&machine.project("shop"), "Say hello.", &[]);
    assert_eq!(result["result"], "Done.");
    assert!(
        machine
            .stub
            .conversation_requests()
            .iter()
            .all(|request| !request.to_string().contains("hook error"))
    );
}

/// The client starts a program that comes with `args` as it is, whatever shell it would take for others: bash, or PowerShell on Windows
/// without Git Bash.
#[test]
fn program_is_started_from_a_path_that_any_shell_would_take_apart() {
    let Some(mut machine) = Machine::new() else { return };
    let folder = machine.project("$(touch one) `touch two` & 'three' %PATH% \"$env:four\"; $null");
    let program = folder.join("afterword");
    fs::copy(&machine.afterword, &program).unwrap();
    machine.afterword = program;
    machine.install();
    machine.say(&machine.project("shop"), "Say hello.", &[]);
    let events: Vec<_> = spooled(&machine).iter().map(|event| event["event"].clone()).collect();
    assert_eq!(events, ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"]);
}

#[test]
fn program_that_is_gone_fails_no_session() {
    let Some(machine) = Machine::new() else { return };
    machine.install();
    let settings = machine.home().join(".claude/settings.json");
    let text = fs::read_to_string(&settings).unwrap();
    fs::write(&settings, text.replace(machine.afterword.to_str().unwrap(), "/nowhere/afterword")).unwrap();
    let output = machine.claude(&machine.project("shop"), &["-p", "Say hello."]).output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout), "Done.\n");
}

#[test]
fn project_scope_holds_in_that_project_only() {
    let Some(machine) = Machine::new() else { return };
    let (shop, other) = (machine.project("shop"), machine.project("other"));
    let installed = machine.run_in(&shop, &["install", "claude-code", "--scope", "project", "--yes"]);
    assert!(installed.status.success(), "{}", String::from_utf8_lossy(&installed.stderr));
    machine.say(&other, "Say hello.", &[]);
    assert_eq!(spooled(&machine).len(), 0);
    machine.say(&shop, "Say hello.", &[]);
    assert_eq!(spooled(&machine).len(), 4);
    let tools = |request: &Value| offers(request, "mcp__afterword__reflect");
    let asked = machine.stub.conversation_requests();
    assert_eq!((tools(&asked[0]), tools(&asked[1])), (false, true), "the server too");
}

#[test]
fn uninstalled_is_as_if_it_had_never_been() {
    let Some(machine) = Machine::new() else { return };
    let settings = machine.home().join(".claude/settings.json");
    fs::write(&settings, "{\n    \"permissions\": {}\n}\n").unwrap();
    machine.install();
    machine.say(&machine.project("shop"), "Say hello.", &[]);
    machine.ok(&["uninstall", "claude-code", "--yes"]);
    assert_eq!(fs::read_to_string(&settings).unwrap(), "{\n    \"permissions\": {}\n}\n");
    let before = spooled(&machine).len();
    machine.say(&machine.project("shop"), "Say hello.", &[]);
    assert_eq!(spooled(&machine).len(), before);
    let asked = machine.stub.conversation_requests();
    assert!(offers(&asked[0], "mcp__afterword__reflect"));
    assert!(!offers(asked.last().unwrap(), "mcp__afterword__"));
}

#[test]
fn clients_that_afterword_starts_leave_nothing() {
    let Some(machine) = Machine::new() else { return };
    machine.install();
    let workplace = machine.state().join("engine");
    fs::create_dir_all(&workplace).unwrap();
    machine.say(&workplace, "Say hello.", &[]);
    assert_eq!(spooled(&machine).len(), 0);
    let mut marked = machine.claude(&machine.project("shop"), &["-p", "Say hello."]);
    assert!(marked.env("AFTERWORD_OWN_RUN", "1").output().unwrap().status.success());
    assert_eq!(spooled(&machine).len(), 0);
}

#[test]
fn hook_of_another_program_still_runs() {
    let Some(machine) = Machine::new() else { return };
    let script = machine.home().join("mine.sh");
    let heard = machine.home().join("heard");
    fs::write(&script, format!("#!/bin/sh\ncat > {}\n", heard.display())).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let mine =
        json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": script.to_str().unwrap()}]}]}});
    fs::write(machine.home().join(".claude/settings.json"), mine.to_string()).unwrap();
    machine.install();
    machine.stub.script([Reply::Text("Hello.".to_owned())]);
    machine.say(&machine.project("shop"), "Say hello.", &[]);
    let heard: Value = serde_json::from_slice(&fs::read(heard).unwrap()).unwrap();
    assert_eq!(heard["last_assistant_message"], "Hello.");
    assert_eq!(spooled(&machine).len(), 4);
}

/// The settings in which hooks can be switched off, what stands there, and whether the client then runs ours.
#[test]
fn doctor_says_it_where_the_client_runs_no_hook() {
    let Some(machine) = Machine::new() else { return };
    machine.install();
    let shop = machine.project("shop");
    machine.onboard(&shop);
    let user = machine.home().join(".claude/settings.json");
    let project = shop.join(".claude/settings.json");
    fs::create_dir_all(project.parent().unwrap()).unwrap();
    let installed = fs::read_to_string(&user).unwrap();
    let (unsaid, off, on, wrong) = (json!({}), json!(true), json!(false), json!("true"));
    let cases = [
        (&unsaid, &unsaid, true),
        (&off, &unsaid, false),
        (&wrong, &unsaid, false),
        (&unsaid, &off, false),
        (&off, &on, true),
    ];
    for (by_user, by_project, run) in cases {
        let mut settings: Value = serde_json::from_str(&installed).unwrap();
        let mut own = json!({});
        for (file, value) in [(&mut settings, by_user), (&mut own, by_project)] {
            if *value != unsaid {
                file["disableAllHooks"] = value.clone();
            }
        }
        fs::write(&user, settings.to_string()).unwrap();
        fs::write(&project, own.to_string()).unwrap();
        let before = spooled(&machine).len();
        machine.say(&shop, "Say hello.", &[]);
        assert_eq!(spooled(&machine).len() > before, run, "user {by_user}, project {by_project}");
        let told = String::from_utf8(machine.run_in(&shop, &["doctor"]).stdout).unwrap();
        assert_eq!(
            told.contains("has `disableAllHooks`"),
            !run,
            "user {by_user}, project {by_project}: {told}"
        );
    }
}
