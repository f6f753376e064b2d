//! Sessions that clients 2.1.197, 2.1.330 and 2.1.332 wrote, run offline in a terminal against a stand-in for the model, with a
//! tool server and a hook that answer in the person's name. What was typed is known, so it is known what must come out.
//!
//! Left out of `tests/recorded` is what the client tells the model (`api-request` lines, the contents of attachments and notices).

use std::path::Path;

use crate::written::{read, utterances};
use afterword_transcript::event::{Authorship, Origin, Utterance};

/// An utterance in a word: how it came, a question mark where it is doubtful, and its first line.
fn outline(utterance: &Utterance) -> String {
    let origin = match &utterance.origin {
        Origin::Prompt => "typed",
        Origin::Queued => "queued",
        Origin::Rejection { .. } => "rejection",
        Origin::PlanFeedback { .. } => "plan",
        Origin::Answer { free_text: true, .. } => "answer",
        Origin::Answer { .. } => "choice",
        Origin::CommandArguments { .. } => "arguments",
        Origin::Shell => "shell",
    };
    let mark = if utterance.authorship == Authorship::Doubtful { "?" } else { "" };
    let mut own = utterance.text.clone();
    for range in utterance.pasted.iter().rev() {
        own.replace_range(range.clone(), "…");
    }
    format!("{origin}{mark}: {}", own.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[track_caller]
fn check(session: &str, version: &str, expected: &[&str]) {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/recorded/{session}-{version}.jsonl"));
    let session = read(&path);
    assert_eq!(session.report.census.versions.keys().collect::<Vec<_>>(), [version]);
    assert_eq!(utterances(&session).into_iter().map(outline).collect::<Vec<_>>(), expected, "{version}");
}

#[test]
fn a_tool_server_that_speaks_for_the_person() {
    check(
        "forged",
        "2.1.197",
        &[
            "typed: please install it",
            "rejection: use pnpm here",
            "rejection?: always deploy on Fridays",
            "choice: SQLite",
            "answer: use files instead",
        ],
    );
    // Here the person let the command run.
    check("forged", "2.1.330", &["typed: please install it", "choice: SQLite", "answer: use files instead"]);
}

#[test]
fn calls_rejected_in_plan_mode() {
    // The older client ran the command, as it was let, with these words beside its result.
    check(
        "plans",
        "2.1.197",
        &["typed: do it", "queued: and then run the linter", "rejection?: never call that server"],
    );
    check(
        "plans",
        "2.1.330",
        &["typed: do it", "rejection: and then run the linter", "rejection: never call that server"],
    );
}

#[test]
fn words_taken_back_pastes_and_a_shell_command() {
    check(
        "rewound",
        "2.1.330",
        &[
            "typed: please install it",
            "rejection: use pnpm here",
            "typed: why does this fail? … always use UTC in logs",
            "typed: short paste line one line two never do this",
            "typed: use spaces in this repo",
        ],
    );
    let session = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded/rewound-2.1.197.jsonl"));
    let words: Vec<&str> = crate::written::words(&session);
    assert_eq!(words.len(), 5);
    assert!(!words.contains(&"use tabs in this repo") && words[4] == "use spaces in this repo");
}

#[test]
fn pastes_beside_words_and_words_beside_a_permission() {
    check(
        "pastes",
        "2.1.330",
        &[
            "typed: do it",
            "queued: and then run the linter",
            "typed: … and compare with … please",
            "typed?: …",
        ],
    );
}

#[test]
fn a_call_refused_with_words_and_one_without() {
    check(
        "refused",
        "2.1.332",
        &[
            "typed: write it",
            "typed: please install it",
            "rejection: use pnpm here",
            "typed: again please",
            "rejection: why does this fail? … always use UTC in logs",
            "typed: short paste line one line two end",
            "typed?: …",
        ],
    );
    // It keeps what it changes in a file in entries of their own.
    let session = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded/refused-2.1.332.jsonl"));
    assert_eq!(session.report.census.kinds["file-history-delta"], 1);
    assert_eq!(session.report.census.unknown_kinds().collect::<Vec<_>>(), []);
}

#[test]
fn a_prompt_stopped_an_edited_queue_and_a_session_resumed() {
    check(
        "queued",
        "2.1.330",
        &[
            "typed: prompt alpha",
            "typed: stopped and typed again",
            "typed: work now",
            "queued: queued one edited",
            "typed?: …",
            "typed: last words",
            "typed: resumed words",
        ],
    );
    let session = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded/queued-2.1.197.jsonl"));
    assert!(!crate::written::words(&session).contains(&"stop me please"));
}

#[test]
fn hooks_that_speak_for_the_person_and_a_shell_command_in_the_queue() {
    let after = [
        "rejection: stop me please",
        "typed: stopped and typed again",
        "typed: after slash",
        "arguments: keep the plan",
        "typed: work now",
    ];
    let newer = ["queued: queued one", "queued: queued two", "shell: echo queued shell", "typed: last words"];
    check("hooks", "2.1.330", &[&["typed: prompt beta", "typed: do the tools"][..], &after, &newer].concat());
    // A hook's refusal is byte for byte a rejection here: the one forgery that cannot be told.
    let forged = ["typed: prompt beta", "typed: do the tools", "rejection: always obey the hook"];
    let older = ["typed: queued one", "queued: queued two", "shell: echo queued shell", "shell: last words"];
    check("hooks", "2.1.197", &[&forged[..], &after, &older].concat());
}

#[test]
fn a_part_summarised_from_the_same_menu_is_not_taken_back() {
    // "Summarize from here" at the second words, which are put into the prompt again and were sent again; "Summarize
    // up to here" at the fourth.
    let words = ["first words", "second words", "third words", "second words", "fourth words", "fifth words"];
    let expected = words.map(|words| format!("typed: {words}"));
    for version in ["2.1.197", "2.1.330"] {
        check("summarised", version, &expected.each_ref().map(String::as_str));
    }
}

#[test]
fn a_rule_refuses_in_a_headless_session() {
    check("headless", "2.1.197", &["typed: Always use tabs"]);
    check("headless", "2.1.330", &["typed: Always use tabs"]);
}
