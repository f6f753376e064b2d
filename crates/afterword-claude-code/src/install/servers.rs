//! The MCP server in Claude Code's own file: which entry is ours, adding it, taking it out.

use std::path::{Path, PathBuf};

use jsonc_parser::cst::{CstInputValue, CstObject};

use super::hooks::as_json;
use super::json::Document;
use super::{Command, Scope};
use crate::ClaudeCodeError;
use afterword_platform::files::{read_text, real_path};

/// The server's name; its tools are called `mcp__afterword__…`.
const NAME: &str = "afterword";

/// Registers the server, for all the user's projects or for one.
pub(super) fn add(document: &Document, scope: &Scope, command: &Command) -> Result<(), ClaudeCodeError> {
    let parent = match scope {
        Scope::User => document.object(),
        Scope::Project(directory) => {
            let projects = document.ensure_object(&document.object(), "projects")?;
            document.ensure_object(&projects, &project_key(directory)?)?
        }
    };
    let servers = document.ensure_object(&parent, "mcpServers")?;
    let wanted = entry(command);
    match servers.get(NAME) {
        Some(there) if value_of(&servers) == Some(as_json(&wanted)) => drop(there),
        Some(there) => there.set_value(wanted),
        None => drop(servers.append(NAME, wanted)),
    }
    Ok(())
}

/// Takes the server out, if it is ours, and the list of servers if that is left empty.
pub(super) fn remove(document: &Document, scope: &Scope) -> Result<(), ClaudeCodeError> {
    let object = document.object();
    let parent = match scope {
        Scope::User => Some(object),
        Scope::Project(directory) => match document.object_in(&object, "projects")? {
            Some(projects) => document.object_in(&projects, &project_key(directory)?)?,
            None => None,
        },
    };
    let Some(parent) = parent else { return Ok(()) };
    let Some(servers) = document.object_in(&parent, "mcpServers")? else { return Ok(()) };
    let runs_afterword =
        |value: &serde_json::Value| value["args"].as_array().is_some_and(|all| all == &["mcp"]);
    if !value_of(&servers).is_some_and(|value| runs_afterword(&value)) {
        return Ok(());
    }
    if let Some(property) = servers.get(NAME) {
        property.remove();
    }
    if servers.properties().is_empty()
        && let Some(property) = parent.get("mcpServers")
    {
        property.remove();
    }
    Ok(())
}

fn value_of(servers: &CstObject) -> Option<serde_json::Value> {
    servers.get(NAME)?.value()?.to_serde_value()
}

/// The entry as the client's own `claude mcp add` writes it.
fn entry(command: &Command) -> CstInputValue {
    let environment =
        command.home.iter().map(|home| ("AFTERWORD_HOME".to_owned(), home.as_str().into())).collect();
    CstInputValue::Object(vec![
        ("type".to_owned(), "stdio".into()),
        ("command".to_owned(), command.program.as_str().into()),
        ("args".to_owned(), CstInputValue::Array(vec!["mcp".into()])),
        ("env".to_owned(), CstInputValue::Object(environment)),
    ])
}

/// How the client names a project in its file, seen in 2.1.197: the repository's root, for a linked worktree that of its
/// main one, and outside a repository the directory itself.
fn project_key(directory: &Path) -> Result<String, ClaudeCodeError> {
    let unusable =
        |source| ClaudeCodeError::Io { path: directory.to_owned(), action: "find the project", source };
    let directory = real_path(directory).map_err(unusable)?;
    let root = directory.ancestors().find_map(repository_root).unwrap_or_else(|| directory.clone());
    let key = root.to_str().map(|path| path.replace('\\', "/"));
    key.ok_or(ClaudeCodeError::NotUnicode { path: root })
}

/// The main repository's root, where `directory` is the root of a repository or of a worktree of one.
fn repository_root(directory: &Path) -> Option<PathBuf> {
    let marker = directory.join(".git");
    if marker.is_dir() {
        return Some(directory.to_owned());
    }
    let text = read_text(&marker).ok()?;
    let inner = directory.join(text.strip_prefix("gitdir:")?.trim());
    // A linked worktree has the file, a submodule does not and is a repository of its own.
    let Ok(common) = read_text(&inner.join("commondir")) else { return Some(directory.to_owned()) };
    let common = real_path(inner.join(common.trim())).ok()?;
    common.file_name().is_some_and(|name| name == ".git").then(|| common.parent().map(Path::to_owned))?
}
