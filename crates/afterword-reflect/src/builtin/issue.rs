//! What the agent files in a list of things to do or an issue tracker, read from its calls.

use std::sync::LazyLock;

use afterword_transcript::event::ToolCall;
use regex::Regex;

use super::phrase::{flat, title};
use super::topic::Topic;
use super::words::pattern;

/// The title of the issue that a call files: a note in a folder of to-dos, `gh issue create`, a tracker's tool.
pub fn issue_title(call: &ToolCall) -> Option<String> {
    let found = match call.name.as_str() {
        "Write" => of_note(&call.summary, &call.input),
        "Bash" => of_command(&call.input),
        name if name.starts_with("mcp__") => of_tracker(name, &call.input),
        _ => None,
    }?;
    let found = flat(found.trim().trim_matches(['"', '\'']));
    (Topic::of(&found).len() >= 2).then(|| title(&found))
}

/// A new markdown file below a folder for what is to be done later.
fn of_note(path: &str, content: &str) -> Option<String> {
    let path = path.replace('\\', "/").to_lowercase();
    let (folders, name) = path.rsplit_once('/')?;
    let is_list = |part: &str| {
        matches!(
            part.trim_start_matches('.'),
            "todo" | "todos" | "backlog" | "ideas" | "issues" | "tickets" | "follow-ups" | "followups"
        )
    };
    if !name.ends_with(".md") || !folders.split('/').any(is_list) {
        return None;
    }
    let head = || content.lines().take(20);
    head()
        .find_map(|line| line.strip_prefix("title:"))
        .or_else(|| head().find_map(|line| line.strip_prefix("# ")))
        .map(str::to_owned)
}

/// `gh issue create --title "…"`, and the same of other trackers.
fn of_command(command: &str) -> Option<String> {
    static CREATE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r#"\b(?:gh|glab|tea|linear|jira)\s+issue\s+(?:create|new)\b[\s\S]*?\s(?:--title|-t|--summary|-s)[ =](?:"([^"]+)"|'([^']+)')|\bbd\s+create\s+(?:"([^"]+)"|'([^']+)')"#,
        )
    });
    let found = CREATE.captures(command)?;
    found.iter().skip(1).flatten().next().map(|title| title.as_str().to_owned())
}

/// A tool of an issue tracker's MCP server; its input is JSON, perhaps cut.
fn of_tracker(tool: &str, input: &str) -> Option<String> {
    static TITLE: LazyLock<Regex> =
        LazyLock::new(|| pattern(r#""(?:title|summary)"\s*:\s*("(?:[^"\\]|\\.)+")"#));
    let tool = tool.to_lowercase();
    let creates = ["create", "save", "add", "write"].iter().any(|verb| tool.contains(verb));
    let of_issue = ["issue", "ticket", "todo"].iter().any(|word| tool.contains(word));
    let found = (creates && of_issue).then(|| TITLE.captures(input)).flatten()?;
    serde_json::from_str(&found[1]).ok()
}

#[cfg(test)]
mod tests {
    use afterword_transcript::event::EntryLocation;

    use super::*;

    fn call(name: &str, summary: &str, input: &str) -> ToolCall {
        ToolCall {
            place: EntryLocation { line: 1, uuid: String::new(), time: None, sidechain: false },
            id: String::new(),
            name: name.to_owned(),
            summary: summary.to_owned(),
            input: input.to_owned(),
            before: String::new(),
        }
    }

    #[test]
    fn an_issue_is_called_as_it_was_filed() {
        let check = |name: &str, summary: &str, input: &str, expected: Option<&str>| {
            assert_eq!(issue_title(&call(name, summary, input)).as_deref(), expected, "{name} {input}");
        };
        let note =
            "---\ncreated: 2026-01-03\ntitle: \"Retry uploads after a lost connection\"\n---\n\n# Retry\n";
        check(
            "Write",
            "/p/.plan/todos/pending/retry.md",
            note,
            Some("Retry uploads after a lost connection"),
        );
        check(
            "Write",
            r"C:\p\backlog\cold.md",
            "# Cold start of the worker\n",
            Some("Cold start of the worker"),
        );
        check("Write", "/p/docs/retry.md", note, None);
        check("Write", "/p/todos/retry.rs", note, None);
        let command = "cd app && gh issue create --label bug --title \"Meters without a street\" --body 'x'";
        check("Bash", command, command, Some("Meters without a street"));
        check("Bash", "gh issue list", "gh issue list --search 'create --title'", None);
        check(
            "mcp__linear__create_issue",
            "",
            r#"{"team":"A","title":"Say \"late\" in red","x"#,
            Some("Say \"late\" in red"),
        );
        check("mcp__linear__list_issues", "", r#"{"title":"Say late in red"}"#, None);
    }
}
