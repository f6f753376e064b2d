//! How a tool call went, judged from its result.
//!
//! It owns the sentences Claude Code writes into results when a person rejects, stops or approves, and the signs
//! of failure in what commands print. It keeps nothing of a result but an error's head and tail. Start at
//! [`classify_result`].

use crate::entry::{Block, Content, ToolResult};
use crate::event::{Authorship, MAX_ERROR, ToolStatus};
use crate::filter::refusal::Refusal;
use crate::json::Raw;
use crate::text::{Shortener, strip_control};

/// How a call went, and the words of the person in its result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ClassifiedResult {
    pub(crate) status: ToolStatus,
    pub(crate) error: String,
    pub(crate) user_modified: bool,
    /// Why the person rejected the call, in their words.
    pub(crate) reason: Option<String>,
    /// Whether the rejection is proven to be the person's.
    pub(crate) authorship: Authorship,
    /// The result is a sentence about the person's answers.
    pub(crate) sentence: Option<String>,
}

/// How a rejection begins, by every wording seen.
const REJECTION_OPENINGS: [&str; 9] = [
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "The user rejected this plan",
    "Permission for this tool use was denied. The tool use was rejected",
    "The agent proposed a plan that was rejected by the user",
    "The user wants to clarify these questions",
    "The user has indicated they have provided enough answers for the plan interview",
    "User rejected tool use",
    "User declined to answer questions",
];
/// What stands before the person's reason.
const REASON_LEADS: [&str; 3] =
    ["the user said:", "The user said:", "The user provided the following reason for the rejection:"];
/// Where the reason stands at the latest, in bytes; the sentences before it are shorter. Further on a text holds what
/// the agent wrote.
const REASON_WITHIN: usize = 320;
/// What a rejection quotes of the agent's.
const QUOTED_PLAN: &str = "\n\nRejected plan:";
/// What newer clients add after the reason, for the model.
const AFTER_REASON: &str = "\n\nNote: The user's next message may contain";
/// Reasons that the client wrote itself.
const CLIENT_REASONS: [&str; 2] =
    ["The user wants to clarify these questions", "The user has indicated they have provided enough answers"];

/// Judges a result of `tool` (empty where the call was not seen); `command` is what a shell call ran, `refusal` says
/// whether a sentence of rejection in it can be believed.
pub(crate) fn classify_result(
    tool: &str,
    command: &str,
    is_error: bool,
    content: &Content<'_>,
    result: ToolResult<'_>,
    refusal: impl FnOnce() -> Refusal,
    shortener: Shortener<'_>,
) -> ClassifiedResult {
    let mut judged = ClassifiedResult {
        status: ToolStatus::Ok,
        error: String::new(),
        user_modified: matches!(tool, "Edit" | "Write" | "MultiEdit" | "NotebookEdit")
            && result.is_true("userModified"),
        reason: None,
        authorship: Authorship::Person,
        sentence: None,
    };
    if is_error || tool == "ExitPlanMode" || tool == "AskUserQuestion" {
        let text = decoded_text(content);
        let rejected = REJECTION_OPENINGS.iter().any(|phrase| text.trim_start().starts_with(phrase));
        let refusal = if rejected { refusal() } else { Refusal::Nobody };
        if refusal != Refusal::Nobody {
            judged.status = ToolStatus::Rejected;
            if refusal == Refusal::Doubtful {
                judged.authorship = Authorship::Doubtful;
            }
            classify_rejection(tool, &text, &mut judged);
        } else if text.starts_with("[Request interrupted by user") {
            judged.status = ToolStatus::Interrupted;
            judged.error = shortened_error(&text, shortener);
        } else if is_error {
            judged.status = ToolStatus::Failed;
            judged.error = shortened_error(&text, shortener);
        } else if tool == "ExitPlanMode" {
            if text.starts_with("User has approved") {
                judged.status = ToolStatus::PlanApproved;
                judged.user_modified |= text.contains("## Approved Plan (edited by user)");
            }
        } else if !rejected {
            judged.sentence = Some(text);
        }
    } else if matches!(tool, "" | "Bash" | "PowerShell") && result.is_true("interrupted") {
        judged.status = ToolStatus::Interrupted;
    } else if tool.is_empty()
        && is_answer(&decoded_opening(content))
        && result.questionnaire().questions.is_some()
    {
        // The call stands before the mark this reading began at, so any tool may have answered. Of a tool known by
        // another name nothing is taken for the person's words, whatever it returns.
        judged.authorship = Authorship::Doubtful;
        judged.sentence = Some(decoded_text(content));
    } else if matches!(tool, "Bash" | "PowerShell")
        && !is_read_only(command)
        && let Some(error) = find_unmarked_error(content, shortener)
    {
        judged.status = ToolStatus::Failed;
        judged.error = error;
    }
    judged
}

fn is_answer(opening: &str) -> bool {
    [
        "User has answered your questions:",
        "Your questions have been answered:",
        "The user responded:",
        "The user answered:",
    ]
    .iter()
    .any(|phrase| opening.starts_with(phrase))
}

fn classify_rejection(tool: &str, text: &str, judged: &mut ClassifiedResult) {
    let spoken = text.split(QUOTED_PLAN).next().unwrap_or_default();
    let marks = REASON_LEADS.iter().filter_map(|mark| spoken.find(mark).map(|at| (at, at + mark.len())));
    let reason = marks.filter(|(at, _)| *at <= REASON_WITHIN).min().map(|(_, end)| &text[end..]);
    let reason = reason.map(|reason| reason.split(AFTER_REASON).next().unwrap_or_default().trim());
    let of_client = |text: &str| CLIENT_REASONS.iter().any(|phrase| text.trim_start().starts_with(phrase));
    let sentence = match reason {
        Some(reason) if !of_client(reason) => {
            judged.reason = Some(reason).filter(|reason| !reason.is_empty()).map(str::to_owned);
            return;
        }
        Some(reason) => reason,
        None if of_client(text) => text,
        None => return,
    };
    // Of another tool's answer nothing is read as notes on questions.
    judged.sentence =
        Some(if matches!(tool, "AskUserQuestion" | "") { sentence.to_owned() } else { String::new() });
}

/// The texts of a result, in order.
fn texts<'c, 'a>(content: &'c Content<'a>) -> impl DoubleEndedIterator<Item = Raw<'a>> + 'c {
    let (one, many): (Option<Raw<'a>>, &[Block<'a>]) = match content {
        Content::Missing => (None, &[]),
        Content::Text(text) => (Some(*text), &[]),
        Content::Blocks(blocks) => (None, blocks),
    };
    let texts =
        many.iter().filter_map(|block| if let Block::Text(text) = block { Some(*text) } else { None });
    one.into_iter().chain(texts)
}

fn decoded_opening<'a>(content: &Content<'a>) -> std::borrow::Cow<'a, str> {
    texts(content).next().map(|text| text.head(64)).unwrap_or_default()
}

/// The decoded text; of a huge one the ends, which is where the sentences and the verdicts stand.
fn decoded_text(content: &Content<'_>) -> String {
    const ENDS: usize = 32 * 1024;
    let mut all = String::new();
    for text in texts(content) {
        if !all.is_empty() {
            all.push('\n');
        }
        if text.0.len() <= 2 * ENDS {
            all.push_str(&text.decode());
        } else {
            all.push_str(&text.head(ENDS));
            all.push('\n');
            all.push_str(&text.tail(ENDS));
        }
        if all.len() > 8 * ENDS {
            break;
        }
    }
    all
}

fn shortened_error(text: &str, shortener: Shortener<'_>) -> String {
    let text = text.trim();
    let inner = text.strip_prefix("<tool_use_error>").and_then(|text| text.strip_suffix("</tool_use_error>"));
    shortener.head_and_tail(strip_control(inner.unwrap_or(text)).trim(), MAX_ERROR)
}

/// Signs of failure at the start of a line in the end of what a command printed.
const FAILURE_LINES: [&str; 26] = [
    "Traceback (most recent call last)",
    "error:",
    "error[",
    "Error:",
    "ERROR:",
    "ERROR ",
    "fatal:",
    "FATAL:",
    "FAIL",
    "--- FAIL",
    "FAILED",
    "BUILD FAILED",
    "npm ERR!",
    "npm error",
    "panic:",
    "make: ***",
    "make[1]: ***",
    "test result: FAILED",
    "Tests failed",
    "TypeError:",
    "ReferenceError:",
    "SyntaxError:",
    "ModuleNotFoundError:",
    "exit status 1",
    "Segmentation fault",
    "CMake Error",
];
/// Signs of failure at the end of a line.
const FAILURE_ENDS: [&str; 3] = ["command not found", ": Permission denied", ": No such file or directory"];

/// An error the client did not mark, as when a pipe hides the exit code.
fn find_unmarked_error(content: &Content<'_>, shortener: Shortener<'_>) -> Option<String> {
    const END: usize = 2 * 1024;
    let last = texts(content).next_back()?;
    let tail = last.tail(END);
    let failed = tail.lines().any(|line| {
        let line = line.trim_start();
        FAILURE_LINES.iter().any(|sign| line.starts_with(sign))
            || FAILURE_ENDS.iter().any(|sign| line.trim_end().ends_with(sign))
    });
    failed.then(|| shortened_error(&decoded_text(content), shortener))
}

/// Whether a command only shows what is there: an error in its output is something it shows, not its own.
fn is_read_only(command: &str) -> bool {
    const READERS: [&str; 18] = [
        "cat", "grep", "rg", "sed", "head", "tail", "ls", "find", "echo", "jq", "wc", "gh", "awk", "less",
        "diff", "tree", "strings", "printf",
    ];
    const GIT_READERS: [&str; 7] = ["log", "diff", "show", "blame", "grep", "status", "ls-files"];
    let mut any = false;
    for part in command.split(['|', ';', '&', '\n']) {
        let mut words = part.split_whitespace().filter(|word| !word.contains('=') && *word != "sudo");
        let Some(word) = words.next() else { continue };
        let reads = match word {
            "cd" | "sleep" => continue,
            "git" => words
                .find(|word| !word.starts_with('-') && !word.starts_with('/'))
                .is_some_and(|sub| GIT_READERS.contains(&sub)),
            word => READERS.contains(&word) || word.chars().all(|c| c.is_ascii_digit() || c == '>'),
        };
        if !reads {
            return false;
        }
        any = true;
    }
    any
}
