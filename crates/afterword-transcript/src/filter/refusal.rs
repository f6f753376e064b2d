//! Who refused a tool call.
//!
//! It owns one question: whether an entry proves that the person refused, so that words in the refusal are theirs. The
//! sentence itself proves nothing: a tool server can answer with it, and did. Start at [`classify_refusal`].

use super::entry_parts::client_version;
use crate::entry::Entry;

/// Who refused a call, as far as the entry proves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The person.
    Person,
    /// The person, or a program that says what the client would say.
    Doubtful,
    /// Not the person: the call ran and failed, or a rule or a hook refused it.
    Nobody,
}

/// What the client writes as a result where the person refuses without a word. A tool's own answer never stands there
/// alone: it is an object, or begins with `Error: `.
const PLAIN_REFUSAL: &str = "User rejected tool use";

/// Tools of the client whose errors it words itself, so that no error of theirs can begin with its sentence of
/// rejection. Tools that hand on what a server says (`ReadMcpResourceTool` and the like) are not among them.
const OWN_TOOLS: [&str; 26] = [
    "Agent",
    "AskUserQuestion",
    "Bash",
    "BashOutput",
    "Edit",
    "EnterPlanMode",
    "ExitPlanMode",
    "Glob",
    "Grep",
    "KillShell",
    "LS",
    "MultiEdit",
    "NotebookEdit",
    "NotebookRead",
    "PowerShell",
    "Read",
    "Skill",
    "SlashCommand",
    "Task",
    "TaskCreate",
    "TaskOutput",
    "TaskUpdate",
    "TodoWrite",
    "WebFetch",
    "WebSearch",
    "Write",
];

/// The first version seen that begins the output of a failed command with its exit code. Before it, the output is all
/// there is, and whatever a command prints can begin it.
const EXIT_CODES_SINCE: [u32; 3] = [2, 0, 64];

/// Whether a tool is the client's own.
pub(super) fn is_client_tool(tool: &str) -> bool {
    OWN_TOOLS.contains(&tool)
}

/// Where a person sits before the client, as 2.1.332 lists them. Old clients name no place.
const INTERACTIVE: [&str; 10] = [
    "",
    "cli",
    "claude-vscode",
    "claude-desktop",
    "claude-desktop-3p",
    "remote",
    "remote_desktop",
    "remote_mobile",
    "remote_projects",
    "remote_cowork",
];
/// Where nobody does: headless, or inside another program.
const HEADLESS: [&str; 7] =
    ["sdk-cli", "sdk-ts", "sdk-py", "github-action", "claude-code-github-action", "remote_trigger", "mcp"];

/// Whether a person sits before the client. A place that is not known proves nobody.
pub(super) fn is_interactive(entry: &Entry<'_>) -> bool {
    INTERACTIVE.iter().any(|name| entry.entrypoint.equals(name))
}

/// Says who refused the call of `tool` (empty where the call was not seen) that this entry answers with the client's
/// sentence of rejection.
pub(super) fn classify_refusal(tool: &str, entry: &Entry<'_>) -> Refusal {
    let permission = entry.permission;
    let asks = matches!(tool, "AskUserQuestion" | "ExitPlanMode");
    let stated = if !permission.decision.is_empty() {
        let by_person = permission.source.decode().starts_with("user_");
        // Questions and plans are answered while the client asks whether they may be asked.
        if by_person && (permission.decision.equals("reject") || asks) {
            Some(Refusal::Person)
        } else {
            Some(Refusal::Nobody)
        }
    } else if !entry.denial_kind.is_empty() {
        // Clients 2.1.330 mark a refusal so in headless sessions too, where nobody was asked.
        match entry.denial_kind.equals("user-rejected") {
            true if entry.result.is_text(PLAIN_REFUSAL) => Some(Refusal::Person),
            true => Some(Refusal::Doubtful),
            false => Some(Refusal::Nobody),
        }
    } else {
        None
    };
    if HEADLESS.iter().any(|name| entry.entrypoint.equals(name)) {
        // A program may say who decided on behalf of a person it shows the question to.
        return if stated == Some(Refusal::Person) { Refusal::Doubtful } else { Refusal::Nobody };
    }
    match stated.unwrap_or_else(|| classify_by_structure(tool, entry)) {
        Refusal::Person if !is_interactive(entry) => Refusal::Doubtful,
        refusal => refusal,
    }
}

/// For clients that do not say who decided.
fn classify_by_structure(tool: &str, entry: &Entry<'_>) -> Refusal {
    let printed = matches!(tool, "Bash" | "PowerShell" | "BashOutput");
    let worded = is_client_tool(tool) && (!printed || client_version(entry) >= EXIT_CODES_SINCE);
    // A call that ran, and was stopped, leaves an object.
    if entry.result.is_text(PLAIN_REFUSAL) || worded && !entry.result.is_structure() {
        Refusal::Person
    } else {
        Refusal::Doubtful
    }
}
