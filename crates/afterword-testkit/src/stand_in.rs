//! A stand-in for Claude Code: a script that knows its options and does as it is told.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use afterword_claude_code::client::Client;
use serde_json::{Value, json};

use crate::Sandbox;

const HELP: &str = "--print --output-format --tools --strict-mcp-config --setting-sources --json-schema --resume --session-id \
    --no-session-persistence --allowedTools --mcp-config --max-budget-usd --safe-mode --permission-mode";

/// A client whose runs do `body`. What they read goes to the file `asked`, their arguments to `arguments`, below the sandbox.
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

/// Writes a program. Another process copies it to its place: one that a test beside this one starts just now would have the
/// file open for writing for a moment, and such a file cannot be run (ETXTBSY).
pub fn program(path: &Path, text: &str) {
    let draft = path.with_extension("draft");
    fs::write(&draft, text).unwrap();
    fs::set_permissions(&draft, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(Command::new("cp").arg(&draft).arg(path).status().unwrap().success());
}

/// A body that answers with this.
pub fn answering(structured: &Value) -> String {
    let result = json!({"type": "result", "subtype": "success", "is_error": false, "num_turns": 2, "result": "",
        "total_cost_usd": 0.01, "usage": {"input_tokens": 900, "output_tokens": 100},
        "structured_output": structured});
    printing(&result)
}

/// A body that prints this line.
pub fn printing(line: &Value) -> String {
    format!("cat <<'LINE'\n{line}\nLINE")
}

/// What the client was asked, all runs together.
pub fn asked(sandbox: &Sandbox) -> String {
    fs::read_to_string(sandbox.path("asked")).unwrap_or_default()
}
