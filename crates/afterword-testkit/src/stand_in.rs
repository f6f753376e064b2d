//! A stand-in for Claude Code: a script that knows its options and does as it is told.

use std::fs;
#[cfg(unix)]
use std::path::Path;

use afterword_claude_code::client::Client;
use serde_json::{Value, json};

use crate::Sandbox;

const HELP: &str = "--print --output-format --tools --strict-mcp-config --setting-sources --json-schema --resume --session-id \
    --no-session-persistence --allowedTools --mcp-config --max-budget-usd --safe-mode --permission-mode";

/// A client whose runs do `body`. What they read goes to the file `asked`, their arguments to `arguments`, below the sandbox.
#[cfg(unix)]
pub fn client(sandbox: &Sandbox, body: &str) -> Client {
    let path = sandbox.path("claude-stand-in");
    let here = sandbox.path("");
    let text = format!(
        "#!/bin/sh\nif [ \"$1\" = --help ]; then echo '{HELP}'; exit 0; fi\n\
         here='{}'\ncat >> \"$here/asked\"; echo \"$@\" >> \"$here/arguments\"\n{body}\n",
        here.display()
    );
    program(&path, &text);
    Client::new(path).with_environment(vec![("PATH".into(), "/usr/bin:/bin".into())])
}

/// A client whose runs do `body`. Their arguments go to the file `arguments` below the sandbox; what they should read is left unread, as
/// Wine has no program that copies its input.
#[cfg(windows)]
pub fn client(sandbox: &Sandbox, body: &str) -> Client {
    let path = sandbox.path("claude-stand-in.cmd");
    let mut text = format!(
        "@echo off\r\nset \"here=%~dp0\"\r\nif \"%~1\"==\"--help\" (echo {HELP}& exit /b 0)\r\n\
         echo %* >> \"%here%arguments\"\r\n"
    );
    for (number, line) in body.lines().enumerate() {
        match line.strip_prefix(PRINTED) {
            Some(printed) => {
                fs::write(sandbox.path(&format!("printed-{number}")), format!("{printed}\n")).unwrap();
                text.push_str(&format!("type \"%here%printed-{number}\"\r\n"));
            }
            None => text.push_str(&format!("{line}\r\n")),
        }
    }
    fs::write(&path, text).unwrap();
    Client::new(path)
}

/// Writes a program. Another process copies it to its place: one that a test beside this one starts just now would have the
/// file open for writing for a moment, and such a file cannot be run (ETXTBSY).
#[cfg(unix)]
pub fn program(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    let draft = path.with_extension("draft");
    fs::write(&draft, text).unwrap();
    fs::set_permissions(&draft, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(std::process::Command::new("cp").arg(&draft).arg(path).status().unwrap().success());
}

/// A body that answers with this.
pub fn answering(structured: &Value) -> String {
    let result = json!({"type": "result", "subtype": "success", "is_error": false, "num_turns": 2, "result": "",
        "total_cost_usd": 0.01, "usage": {"input_tokens": 900, "output_tokens": 100},
        "structured_output": structured});
    printing(&result)
}

/// A body that prints this line.
#[cfg(unix)]
pub fn printing(line: &Value) -> String {
    format!("cat <<'LINE'\n{line}\nLINE")
}

/// What a line begins with that is to be printed: a script of `cmd` can say hardly anything as it is, and prints it from a file.
#[cfg(windows)]
const PRINTED: &str = "printed ";

/// A body that prints this line.
#[cfg(windows)]
pub fn printing(line: &Value) -> String {
    format!("{PRINTED}{line}")
}

/// What the client was asked, all runs together.
#[cfg(unix)]
pub fn prompts(sandbox: &Sandbox) -> String {
    fs::read_to_string(sandbox.path("asked")).unwrap_or_default()
}
