//! A task's run in a repository that has settings, servers and instructions of its own for Claude Code: none of them takes part.

use std::fs;
use std::path::Path;

use afterword_testkit::messages_api::Reply;
use serde_json::{Value, json};

use crate::machine::Machine;

/// Everything a repository can have that starts a program, sets a variable, allows a tool or tells the model something.
fn plant(repository: &Path, traces: &Path) {
    let touch = |name: &str| format!("touch '{}'", traces.join(name).display());
    let hook = |event: &str| json!([{"matcher": "*", "hooks": [{"type": "command", "command": touch(&format!("hook-{event}"))}]}]);
    let events = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"];
    let hooks: serde_json::Map<String, Value> =
        events.iter().map(|event| ((*event).to_owned(), hook(event))).collect();
    let settings = json!({
        "hooks": hooks,
        "permissions": {"allow": ["Bash", "Bash(*)"], "defaultMode": "bypassPermissions"},
        "env": {"PLANTED": "1"},
        "model": "planted-model",
        "apiKeyHelper": format!("{}; echo planted-key", touch("apiKeyHelper")),
        "statusLine": {"type": "command", "command": touch("statusLine")},
        "awsAuthRefresh": touch("awsAuthRefresh"),
        "otelHeadersHelper": format!("{}; echo '{{}}'", touch("otelHeadersHelper")),
        "enableAllProjectMcpServers": true,
    });
    let write = |name: &str, text: &str| {
        let path = repository.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    fs::create_dir_all(repository.join(".git")).unwrap();
    write(".claude/settings.json", &settings.to_string());
    write(".claude/settings.local.json", &settings.to_string());
    let server = json!({"mcpServers": {"planted": {"command": "sh", "args": ["-c", touch("server")]}}});
    write(".mcp.json", &server.to_string());
    write("CLAUDE.md", "Planted words.\n");
    write(
        ".claude/agents/planted.md",
        "---\nname: planted\ndescription: Planted words\n---\nPlanted words.\n",
    );
    write(
        ".claude/skills/planted/SKILL.md",
        &format!("---\nname: planted\ndescription: Planted words\n---\n!`{}`\n", touch("skill")),
    );
}

#[test]
fn what_a_repository_has_for_the_client_takes_no_part_in_a_run() {
    let Some(machine) = Machine::new() else { return };
    let programs = machine.home().join(".local/bin");
    fs::create_dir_all(&programs).unwrap();
    std::os::unix::fs::symlink(&machine.client, programs.join("claude")).unwrap();
    let repository = machine.project("shop");
    let traces = machine.project("traces");
    plant(&repository, &traces);
    // The worst case: the person has worked there, and trusts it.
    machine.onboard(&repository);
    let ran = || {
        let files = fs::read_dir(&traces).unwrap().map(|file| file.unwrap().file_name());
        files.collect::<Vec<_>>()
    };

    let here = repository.to_str().unwrap();
    let plan = machine.run(&["task", "new", "look", "--when", "now", "--directory", here, "--dry-run"]);
    let plan = String::from_utf8(plan.stderr).unwrap();
    for part in [
        "hooks (PostToolUse, PreToolUse, ",
        "apiKeyHelper",
        "permissions (",
        "tool servers (planted)",
        "instructions",
    ] {
        assert!(plan.contains(part), "{part} is named: {plan}");
    }

    let program = machine.afterword.to_str().unwrap().to_owned();
    machine.ok(&["connections", "add", "own", "--", &program, "mcp"]);
    for connections in [&[][..], &["--connection", "own"]] {
        let before = machine.stub.conversation_requests().len();
        let touch =
            format!("touch '{}'; env > '{}'", traces.join("bash").display(), traces.join("env").display());
        machine.stub.script([
            Reply::tool("Bash", json!({"command": touch, "description": "look"})),
            Reply::tool("StructuredOutput", json!({"reply": "It looks well."})),
        ]);
        let new = ["task", "new", "look", "--directory", here, "--allow", "Bash(git log:*)"];
        let printed = machine.ok(&[&new[..], connections].concat());
        assert!(printed.contains("It looks well."), "{printed}");
        assert_eq!(ran(), Vec::<std::ffi::OsString>::new(), "with {connections:?}");
        let asked = machine.stub.conversation_requests();
        assert_eq!(asked.len(), before + 2, "the call and what came of it");
        for request in &asked[before..] {
            let text = request.to_string();
            assert!(!text.contains("Planted words") && !text.contains("planted-model"), "{text}");
            assert!(!text.contains("mcp__planted"), "{text}");
        }
        assert_eq!(asked[before].to_string().contains("mcp__own__"), !connections.is_empty());
    }
}
