//! The official conformance suite of the Model Context Protocol, from the npm registry, with the Node it needs:
//! `scripts/prepare` installs what `package-lock.json` has below the build folder.

use std::process::{Command, Stdio};

const LOCKED: &[u8] = include_bytes!("../../../tests/mcp_conformance/package-lock.json");

/// Runs the suite with these arguments; gives everything it prints.
///
/// # Errors
/// Why the suite is not here.
pub fn run(arguments: &[&str]) -> Result<String, String> {
    let here = std::env::current_exe().map_err(|error| error.to_string())?;
    let folder =
        here.ancestors().nth(3).ok_or("a test lies in target/<profile>/deps")?.join("mcp-conformance");
    if !std::fs::read(folder.join("done")).is_ok_and(|done| done == LOCKED) {
        return Err(format!("`scripts/test` installs it into {}", folder.display()));
    }
    let modules = folder.join("node_modules");
    let output = Command::new(modules.join(".bin/node"))
        .arg(modules.join("@modelcontextprotocol/conformance/dist/index.js"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("its Node cannot be started: {error}"))?;
    Ok([output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat())
}
