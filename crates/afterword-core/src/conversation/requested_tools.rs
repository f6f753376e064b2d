//! What a task's words ask for: tools, and services that are only reached by a connection. Proposed, never allowed: that is the
//! person's to say.

use serde::Serialize;

/// A tool that a task's words ask for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct ProposedTool {
    /// The tool, as Claude Code names it.
    pub tool: String,
    /// What of the words asks for it.
    pub because: String,
    /// It may change something: files, or whatever a command does.
    pub changes: bool,
}

/// Words, and the tools they ask for. A word of the list is the beginning of one, `tests` fits `test`; one that ends with a blank
/// stands alone.
const READING_WORDS: (&[&str], &[&str]) = (
    &[
        "file",
        "folder",
        "director",
        "log ",
        "logs ",
        "note",
        "document",
        "source",
        "code",
        "todo",
        "changelog",
        "readme",
        "config",
        "repository",
        "repo ",
        "project",
        "datei",
        "ordner",
        "notiz",
    ],
    &["Read", "Grep", "Glob"],
);
const WEB_WORDS: (&[&str], &[&str]) = (
    &[
        "http:",
        "https:",
        "www.",
        "website",
        "webseite",
        "web ",
        "internet",
        "online",
        "news",
        "nachrichten",
        "article",
        "release",
        "price",
        "weather",
        "wetter",
        "blog",
        "search the",
        "look up",
        "google",
    ],
    &["WebSearch", "WebFetch"],
);
const GIT_WORDS: (&[&str], &[&str]) = (
    &["git ", "commit", "branch", "merged", "diff ", "uncommitted"],
    &["Bash(git log:*)", "Bash(git status:*)", "Bash(git diff:*)"],
);
const GITHUB_WORDS: (&[&str], &[&str]) = (
    &["github", "pull request", "pr ", "prs ", "issue", "ci ", "workflow", "nightly build"],
    &["Bash(gh run list:*)", "Bash(gh pr list:*)", "Bash(gh issue list:*)"],
);
const WRITING_WORDS: (&[&str], &[&str]) = (
    &[
        "write",
        "edit",
        "fix ",
        "refactor",
        "rename",
        "update the",
        "append",
        "create a file",
        "schreib",
        "ändere",
        "aktualisier",
    ],
    &["Edit", "Write"],
);

/// Services that no tool of Claude Code reaches.
const SERVICES: [(&str, &[&str]); 7] = [
    ("mail", &["mail", "email", "e-mail", "inbox", "gmail", "posteingang"]),
    ("calendar", &["calendar", "kalender", "appointment", "meeting"]),
    ("slack", &["slack"]),
    ("jira", &["jira"]),
    ("linear", &["linear "]),
    ("notion", &["notion"]),
    ("drive", &["google drive", "dropbox", "onedrive"]),
];

/// So many commands are proposed at most.
const MAX_COMMANDS: usize = 4;
/// Longest command, in bytes.
const MAX_COMMAND_BYTES: usize = 80;

/// The tools that a task's words ask for: those that only read first.
pub fn proposed_tools(words: &str) -> Vec<ProposedTool> {
    let text = pad_words(words);
    let mut proposed: Vec<ProposedTool> = Vec::new();
    for (changes, (signs, tools)) in [
        (false, READING_WORDS),
        (false, WEB_WORDS),
        (false, GIT_WORDS),
        (false, GITHUB_WORDS),
        (true, WRITING_WORDS),
    ] {
        let Some(sign) = signs.iter().find(|sign| has_word(&text, sign)) else { continue };
        let because = format!("it speaks of \u{201c}{}\u{201d}", sign.trim());
        proposed.extend(tools.iter().map(|tool| ProposedTool {
            tool: (*tool).to_owned(),
            because: because.clone(),
            changes,
        }));
    }
    proposed.extend(quoted_commands(words).map(|command| ProposedTool {
        because: "it names the command".to_owned(),
        tool: format!("Bash({command})"),
        changes: true,
    }));
    proposed
}

/// Services a task speaks of that are only reached by a connection, by their usual names.
pub fn requested_services(words: &str) -> Vec<&'static str> {
    let text = pad_words(words);
    let named = |signs: &[&str]| signs.iter().any(|sign| has_word(&text, sign));
    SERVICES.iter().filter(|(_, signs)| named(signs)).map(|(name, _)| *name).collect()
}

/// Commands in backticks: one of several words, as somebody types it.
fn quoted_commands(words: &str) -> impl Iterator<Item = &str> {
    let quoted = words.split('`').skip(1).step_by(2);
    let is_command = |text: &&str| {
        text.contains(' ')
            && text.len() <= MAX_COMMAND_BYTES
            && text.starts_with(|c: char| c.is_ascii_lowercase() || c == '.')
            && !text.contains(|c: char| {
                c.is_control() || matches!(c, '(' | ')' | '|' | ';' | '&' | '>' | '<' | '$')
            })
    };
    quoted.map(str::trim).filter(is_command).take(MAX_COMMANDS)
}

/// Lower case, one blank between words and around all of them; what ends a sentence ends a word.
fn pad_words(words: &str) -> String {
    let words: Vec<&str> = words.split_whitespace().collect();
    let text = words.join(" ").to_lowercase();
    let ends = |c: char| matches!(c, '.' | ',' | '!' | '?' | ')' | '(' | '"' | '\'' | ';');
    let mut spaced = String::with_capacity(text.len() + 2);
    spaced.push(' ');
    let letters: Vec<char> = text.chars().collect();
    for (at, c) in letters.iter().enumerate() {
        let is_last = letters.get(at + 1).is_none_or(|next| *next == ' ');
        spaced.push(if ends(*c) && (is_last || *c == '(') { ' ' } else { *c });
    }
    spaced.push(' ');
    spaced
}

fn has_word(text: &str, sign: &str) -> bool {
    text.contains(&format!(" {sign}")) || text.contains(&format!("({sign}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(words: &str, tools: &[&str], named: &[&str]) {
        let proposed: Vec<_> = proposed_tools(words).into_iter().map(|one| one.tool).collect();
        assert_eq!(proposed, tools, "{words}");
        assert_eq!(requested_services(words), named, "{words}");
    }

    #[test]
    fn words_ask_for_tools() {
        check("Remind me to call the bank", &[], &[]);
        check("Look through the logs and say what failed.", &["Read", "Grep", "Glob"], &[]);
        check("tell me when https://example.org/status changes", &["WebSearch", "WebFetch"], &[]);
        check(
            "Say each morning what was committed overnight",
            &["Bash(git log:*)", "Bash(git status:*)", "Bash(git diff:*)"],
            &[],
        );
        check("run `cargo test --all` and tell me when it breaks", &["Bash(cargo test --all)"], &[]);
        check("watch my email for invoices", &[], &["mail"]);
        check("Every Monday: what meetings are in my calendar?", &[], &["calendar"]);
        check("Write the changes of the week to notes.md", &["Read", "Grep", "Glob", "Edit", "Write"], &[]);
        check("a clear discussion, a profile, a tissue", &[], &[]);
    }

    #[test]
    fn what_changes_something_is_marked_and_no_command_hides_a_second() {
        let changes = |words: &str| proposed_tools(words).iter().any(|one| one.changes);
        assert!(!changes("read the notes"));
        assert!(changes("fix the typo in the readme"));
        for words in ["run `ls; rm -rf x`", "run `a | sh`", "run `x $(y)`", "`ls`"] {
            assert!(proposed_tools(words).is_empty(), "{words}");
        }
    }
}
