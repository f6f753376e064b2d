//! Fifty reflections through the real client add no session, fire no hook and leave no process.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use afterword_app::{EngineName, NoProgress, model_calls, reflect, sessions};
use serde_json::json;

use afterword_testkit::messages_api::{MessagesApi, Reply, tools};
use afterword_testkit::provider::preference;
use afterword_testkit::real_client::{self, environment, installed, pass_over};
use afterword_testkit::transcript::with_a_rule;
use afterword_testkit::{Sandbox, all_changed, now};

const SESSIONS: usize = 50;

#[test]
fn fifty_reflections_through_the_real_client_leave_nothing_behind() {
    let Some(binary) = installed() else {
        pass_over("the real client is not installed (scripts/client)");
        return;
    };
    let model = MessagesApi::start(|body| {
        let answered = body["messages"].as_array().unwrap().iter().any(|one| one["role"] == "assistant");
        if answered || !tools(body).contains(&"StructuredOutput".to_owned()) {
            return Reply::Text("Done.".to_owned());
        }
        let lesson = preference(
            "Add a migration, never edit a merged one",
            3,
            "never edit a migration that is merged",
        );
        Reply::tool("StructuredOutput", afterword_testkit::provider::lessons(&[], &[lesson]))
    });
    let host = Sandbox::new();
    let home = host.path("home");
    let client = real_client::client(&home, &model).unwrap();
    let fired = host.path("fired");
    let hook =
        json!([{"hooks": [{"type": "command", "command": format!("echo fired >> {}", fired.display())}]}]);
    let hooks =
        json!({"hooks": {"SessionStart": hook, "UserPromptSubmit": hook, "Stop": hook, "SessionEnd": hook}});
    fs::create_dir_all(home.join(".claude")).unwrap();
    fs::write(home.join(".claude/settings.json"), hooks.to_string()).unwrap();

    // The user's own use of it fires hooks and leaves a session: what is counted below can be seen.
    let mut own = Command::new(&binary);
    own.args(["-p", "Say done.", "--output-format", "json"]).current_dir(&home).env_clear();
    own.envs(environment(&home, &model)).stdin(Stdio::null()).stdout(Stdio::null());
    assert!(own.status().unwrap().success());
    // Its hooks may end after it.
    nobody_is_left(&home);
    let (sessions, times) = (transcripts(&home), fs::read_to_string(&fired).unwrap().lines().count());
    assert!(sessions.len() == 1 && times >= 2, "{sessions:?}, {times} hooks");
    let asked = model.requests().len();

    for number in 0..SESSIONS {
        let id = format!("0e0e0d0c-1111-4222-8333-4444555566{number:02}");
        host.session(&id, &with_a_rule(&id));
    }
    host.set("budget.daily_usd", &["0"]);
    let app = host.app().with_client(client);
    let reflection =
        reflect::reflect(&app, &all_changed(Some(EngineName::ClaudeCode)), &now(), &mut NoProgress).unwrap();
    assert!(reflection.failures.is_empty(), "{:?}", reflection.failures);
    assert_eq!(reflection.sessions.len(), SESSIONS);
    assert!(model.requests().len() - asked >= SESSIONS, "the model was asked about each");
    let spend = model_calls::spend(&app, 1, &now()).unwrap();
    assert_eq!(spend.calls as usize, SESSIONS, "one call a session");
    let request = model.requests().pop().unwrap();
    let (system, messages) = (request["system"].to_string(), request["messages"].to_string());
    let instructions = "You read a session between a person and a coding agent";
    assert!(system.contains(instructions) && !messages.contains(instructions), "{request:#}");
    assert!(!system.contains("software engineering"), "they stand in place of its own: {system}");
    assert_eq!(request["output_config"]["effort"], "medium");
    let left = fs::read_dir(app.paths().engine_workplace()).unwrap().count();
    assert_eq!(left, 0, "its instructions are gone");

    nobody_is_left(&home);
    assert_eq!(transcripts(&home), sessions, "no session of its own");
    assert_eq!(fs::read_to_string(&fired).unwrap().lines().count(), times, "no hook");
    assert_eq!(sessions::sessions(&app, &Default::default()).unwrap().len(), SESSIONS, "none is tracked");
}

fn transcripts(home: &Path) -> Vec<String> {
    fn walk(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "jsonl") {
                found.push(path.to_string_lossy().into_owned());
            }
        }
    }
    let mut found = Vec::new();
    walk(&home.join(".claude/projects"), &mut found);
    found.sort();
    found
}

/// Waits until no process is left: the system takes a moment to carry a signal out.
fn nobody_is_left(home: &Path) {
    let clock = Instant::now();
    while !processes_of(home).is_empty() {
        assert!(clock.elapsed() < Duration::from_secs(60), "{:?} are left", processes_of(home));
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// What runs with this home, on Linux.
fn processes_of(home: &Path) -> Vec<String> {
    let wanted = format!("HOME={}\0", home.display());
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        if String::from_utf8_lossy(&environment).contains(&wanted) {
            found.push(fs::read_to_string(entry.path().join("comm")).unwrap_or_default());
        }
    }
    found
}
