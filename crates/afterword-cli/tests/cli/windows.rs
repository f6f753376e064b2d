//! What Windows starts: the hooks in Claude Code's settings, and the service that the registry names.

use std::fs;
use std::io::Write;
use std::ops::Deref;
use std::os::windows::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::env::TestEnv;

const SESSION: &str = "5f0a8c1e-0000-4000-8000-000000000001";
const RUN_KEY: &str = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Run";

/// The program, in a folder with a name that a shell would take apart.
fn program_in_folder(env: &TestEnv, folder: &str) -> String {
    let program = env.path(folder).join("afterword.exe");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    fs::copy(env!("CARGO_BIN_EXE_afterword"), &program).unwrap();
    program.to_str().unwrap().to_owned()
}

/// The events that hooks have left, in their order.
fn noted(env: &TestEnv) -> Vec<String> {
    let Ok(files) = fs::read_dir(env.path("afterword/state/spool")) else { return Vec::new() };
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    let read = |path| -> Value { serde_json::from_slice(&fs::read(path).unwrap()).unwrap() };
    files.into_iter().map(|path| read(path)["event"].as_str().unwrap().to_owned()).collect()
}

/// Runs a command as the client runs a hook: with what happened on its standard input.
#[track_caller]
fn tell(mut command: Command, event: &str) {
    let input = json!({"session_id": SESSION, "cwd": "C:\\shop", "hook_event_name": event}).to_string();
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{event}: {:?} {said}", output.status);
}

/// The client starts a hook with `args` without a shell. One that does not know them, and whoever tries a hook by hand, goes through
/// cmd, as Node does: `cmd /d /s /c "LINE"`.
#[test]
fn hooks_of_the_settings_start_by_themselves_and_through_cmd() {
    let env = TestEnv::new();
    let program = program_in_folder(&env, "Program Files (x86) & more");
    let variables: Vec<_> =
        env.command(&[]).get_envs().map(|(n, v)| (n.to_owned(), v.unwrap().to_owned())).collect();
    let of = |name: &str| {
        let mut command = Command::new(name);
        command.envs(variables.clone()).env_remove("AFTERWORD_HOME").env("CLAUDE_PROJECT_DIR", "C:\\shop");
        command
    };
    let mut install = of(&program);
    install.env("AFTERWORD_HOME", env.path("afterword")).args(["install", "claude-code", "--yes"]);
    let output = install.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let settings = fs::read(env.path("claude/settings.json")).unwrap();
    let settings: Value = serde_json::from_slice(&settings).unwrap();
    let mut expected = Vec::new();
    for (event, groups) in settings["hooks"].as_object().unwrap() {
        let hook = &groups[0]["hooks"][0];
        assert_eq!(hook["command"], program.as_str(), "{hook}");
        let arguments: Vec<_> =
            hook["args"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
        let mut alone = of(&program);
        alone.args(&arguments);
        tell(alone, event);
        let quoted: String = arguments.iter().map(|one| format!(" \"{one}\"")).collect();
        let mut through_cmd = of("cmd.exe");
        through_cmd.raw_arg(format!("/d /s /c \"\"{program}\"{quoted}\""));
        tell(through_cmd, event);
        expected.extend([event.clone(), event.clone()]);
    }
    assert!(expected.len() >= 8, "{expected:?}");
    assert_eq!(noted(&env), expected);
    // Without its arguments it is known by what it is told; where it stands the settings did not say.
    let mut bare = of("cmd.exe");
    bare.env("AFTERWORD_HOME", env.path("afterword")).raw_arg(format!("/d /s /c \"\"{program}\"\""));
    tell(bare, "Stop");
    assert_eq!(noted(&env).len(), expected.len() + 1);
}

/// What the registry has for the service, if anything.
fn run_entry() -> Option<String> {
    let output = Command::new("reg").args(["query", RUN_KEY, "/v", "Afterword-dev"]).output().unwrap();
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The registry is the user's own: it is written only where nobody's service is in it.
#[test]
fn service_is_shown_written_into_the_registry_and_taken_out() {
    if let Some(entry) = run_entry() {
        eprintln!("skipped: there is a service of this user: {entry}");
        return;
    }
    let env = TestEnv::new();
    let program = program_in_folder(&env, "Program Files");
    let run = |arguments: &[&str]| {
        let output = env.deref().command(Path::new(&program), arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{arguments:?}: {said}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let shown = run(&["install", "service", "--dry-run"]);
    assert!(shown.contains("conhost.exe --headless") && run_entry().is_none(), "{shown}");
    run(&["install", "service", "--yes"]);
    let entry = run_entry().unwrap_or_default();
    run(&["uninstall", "service", "--yes"]);
    let expected = format!(
        "conhost.exe --headless cmd.exe /d /s /c \"set \"AFTERWORD_HOME={}\" && set \"CLAUDE_CONFIG_DIR={}\" && \"{program}\" run\"",
        env.path("afterword").display(),
        env.path("claude").display(),
    );
    assert!(entry.contains("REG_SZ") && entry.contains(&expected), "{entry}\n{expected}");
    assert_eq!(run_entry(), None);
}
