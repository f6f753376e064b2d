//! Words taken back: going back to an earlier place of the conversation and typing on from there.
//!
//! Every tree here is as clients 2.1.197 and 2.1.330 wrote one, run offline.

use crate::written::{Written, words};
use afterword_transcript::event::Event;
use afterword_transcript::scan;
use serde_json::{Value, json};

/// Adds an entry of its own name after another's; no parent is the conversation's beginning.
fn after(written: Written, parent: Option<&str>, name: &str, fields: Value) -> Written {
    let mut entry = json!({"isSidechain": false, "userType": "external", "cwd": "/home/ada/app", "sessionId": crate::written::SESSION,
        "version": "2.1.330", "entrypoint": "cli", "uuid": name, "timestamp": crate::written::time(1)});
    entry.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let parent = parent.map_or("null".to_owned(), |parent| format!("\"{parent}\""));
    written.raw(format!("{{\"parentUuid\":{parent},{}", &entry.to_string()[1..]))
}

fn prompt(written: Written, parent: Option<&str>, name: &str, text: &str) -> Written {
    let fields = json!({"type": "user", "origin": {"kind": "human"}, "promptSource": "typed",
        "message": {"role": "user", "content": text}});
    after(written, parent, name, fields)
}

fn agent(written: Written, parent: &str, name: &str, text: &str) -> Written {
    let fields = json!({"type": "assistant", "message": {"id": name, "role": "assistant", "model": "m",
        "content": [{"type": "text", "text": text}]}});
    after(written, Some(parent), name, fields)
}

fn note(written: Written, parent: &str, name: &str) -> Written {
    after(written, Some(parent), name, json!({"type": "system", "subtype": "turn_duration", "durationMs": 5}))
}

/// A prompt, its answer, and the note at the turn's end.
fn turn(written: Written, parent: Option<&str>, name: &str, text: &str) -> Written {
    let written = prompt(written, parent, name, text);
    let answer = format!("{name}-answer");
    let written = agent(written, name, &answer, "Fine.");
    note(written, &answer, &format!("{name}-end"))
}

#[test]
fn words_taken_back_are_not_said() {
    let written = turn(Written::new(), None, "a", "make a page");
    let written = turn(written, Some("a-end"), "b", "use tabs in this repo");
    let written = turn(written, Some("b-end"), "c", "and always sort the imports");
    let written = turn(written, Some("a-end"), "d", "use spaces in this repo");
    let session = written.read();
    assert_eq!(words(&session), ["make a page", "use spaces in this repo"]);
    let agents = session.events.iter().filter(|event| matches!(event, Event::Agent { .. })).count();
    assert_eq!(agents, 2, "the agent's answers go with the words they answer");
    let mut rewinds = Vec::new();
    scan(&written.path(), None, &mut |event| {
        if let Event::Rewind(rewind) = event {
            rewinds.push((rewind.from, rewind.place.line));
        }
    })
    .unwrap();
    assert_eq!(rewinds, [(4, 10)]);
}

#[test]
fn going_back_to_the_first_message_is_seen() {
    let written = turn(Written::new(), None, "a", "prompt alpha");
    let written = turn(written, None, "b", "prompt beta");
    assert_eq!(words(&written.read()), ["prompt beta"]);
    // A file without a tree, or with two sessions in it, has many first messages.
    assert_eq!(words(&Written::new().user("one").agent("Yes?").user("two").read()), ["one", "two"]);
    let written = turn(Written::new(), None, "a", "one");
    let other = json!({"type": "user", "sessionId": "other", "message": {"role": "user", "content": "two"}});
    assert_eq!(words(&after(written, None, "b", other).read()), ["one", "two"]);
}

#[test]
fn a_prompt_stopped_before_its_answer_and_typed_anew_is_taken_back() {
    let written = turn(Written::new(), None, "a", "hello");
    let written = prompt(written, Some("a-end"), "b", "always deploy by hand");
    let written = turn(written, Some("a-end"), "c", "write the release notes");
    assert_eq!(words(&written.read()), ["hello", "write the release notes"]);
}

#[test]
fn words_sent_again_unchanged_are_said() {
    let written = turn(Written::new(), None, "a", "hello");
    let written = prompt(written, Some("a-end"), "b", "always run the linter");
    let written = turn(written, Some("a-end"), "c", "always run the linter");
    let session = written.read();
    assert_eq!(words(&session), ["hello", "always run the linter"]);
    // After an answer they are new words.
    let written = turn(Written::new(), None, "a", "hello");
    let written = turn(written, Some("a-end"), "b", "always run the linter");
    let written = turn(written, Some("a-end"), "c", "always run the linter");
    assert_eq!(words(&written.read()), ["hello", "always run the linter"]);
}

#[test]
fn a_queued_message_goes_with_the_place_it_was_delivered_at() {
    let queue =
        |written: Written, text: &str| written.queue("enqueue", 1, Some(text)).queue("dequeue", 1, None);
    let written = turn(Written::new(), None, "a", "hello");
    let written = turn(queue(written, "use tabs"), Some("a-end"), "b", "use tabs");
    let written = turn(queue(written, "use spaces"), Some("a-end"), "c", "use spaces");
    assert_eq!(words(&written.read()), ["hello", "use spaces"]);
}

#[test]
fn commands_typed_in_their_stead_take_words_back_too() {
    for text in [
        "<bash-input>git log</bash-input>",
        "<command-name>/review</command-name><command-args>all</command-args>",
    ] {
        let written = turn(Written::new(), None, "a", "hello");
        let written = turn(written, Some("a-end"), "b", "use tabs");
        let written = turn(written, Some("a-end"), "c", text);
        assert!(!words(&written.read()).contains(&"use tabs"), "{text}");
    }
}

#[test]
fn going_back_twice_takes_back_both() {
    let written = turn(Written::new(), None, "a", "one");
    let written = turn(written, Some("a-end"), "b", "two");
    let written = turn(written, Some("b-end"), "c", "three");
    let written = turn(written, Some("b-end"), "d", "four");
    let written = turn(written, Some("d-end"), "e", "five");
    let written = turn(written, Some("a-end"), "f", "six");
    assert_eq!(words(&written.read()), ["one", "six"]);
}

#[test]
fn an_answer_written_before_its_prompt_changes_nothing() {
    // Client 2.1.197 writes the prompt when it has its context, after the answer at times.
    let written = agent(Written::new(), "a", "a-answer", "Fine.");
    let written = note(written, "a-answer", "a-end");
    let written = prompt(written, None, "a", "hello");
    let written = turn(written, Some("a-end"), "b", "use tabs");
    assert_eq!(words(&written.read()), ["hello", "use tabs"]);
}

#[test]
fn what_branches_without_anybody_going_back_is_kept() {
    let call = |id: &str| {
        json!({"type": "assistant", "message": {"id": "m", "role": "assistant", "model": "m",
        "content": [{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": "ls"}}]}})
    };
    let result = |id: &str| {
        json!({"type": "user", "message": {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": id, "content": "ok"}]}})
    };
    // Parallel calls and their results, progress beside them.
    let written = prompt(Written::new(), None, "a", "list both");
    let written = after(written, Some("a"), "c1", call("t1"));
    let written = after(written, Some("c1"), "c2", call("t2"));
    let written =
        after(written, Some("c1"), "p1", json!({"type": "progress", "data": {"type": "bash_progress"}}));
    let written = after(written, Some("c1"), "r1", result("t1"));
    let written = after(written, Some("c2"), "r2", result("t2"));
    let written = after(
        written,
        Some("c2"),
        "r3",
        json!({"type": "user", "message": {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "t2", "content": "ok"}, {"type": "text", "text": "and the third"}]}}),
    );
    let written = prompt(written, Some("r2"), "b", "now the docs");
    // An interruption and the answer that came all the same; a notice of the client's and a prompt.
    let interrupt = json!({"type": "user", "message": {"role": "user", "content": [{"type": "text", "text": "[Request interrupted by user]"}]}});
    let written = after(written, Some("b"), "i", interrupt);
    let written = agent(written, "b", "b-answer", "Fine.");
    let notice = json!({"type": "user", "message": {"role": "user", "content": "<task-notification>done</task-notification>"}});
    let written = after(written, Some("b-answer"), "n", notice);
    let written = prompt(written, Some("b-answer"), "c", "and the tests");
    // A sub-agent in the same file.
    let side =
        json!({"type": "user", "isSidechain": true, "message": {"role": "user", "content": "look for it"}});
    let written = after(written, None, "s", side);
    let written = prompt(written, Some("c"), "d", "thanks");
    // Compaction begins a chain of its own.
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted", "logicalParentUuid": "d"});
    let written = after(written, None, "x", boundary);
    let summary = json!({"type": "user", "isCompactSummary": true, "message": {"role": "user", "content": "This session is being continued…"}});
    let written = after(written, Some("x"), "y", summary);
    let written = prompt(written, Some("y"), "e", "go on");
    let expected = ["list both", "and the third", "now the docs", "and the tests", "thanks", "go on"];
    assert_eq!(words(&written.read()), expected);
}

#[test]
fn a_reason_is_not_looked_for_in_what_was_taken_back() {
    let rejected = json!({"type": "user", "toolUseResult": "User rejected tool use", "message": {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "t1", "is_error": true, "content": "The user doesn't want to proceed with this tool use. STOP what you are doing"}]}});
    let call = json!({"type": "assistant", "message": {"id": "m", "role": "assistant", "model": "m",
        "content": [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}]}});
    let written = turn(Written::new(), None, "a", "hello");
    let written = prompt(written, Some("a-end"), "b", "list it");
    let written = after(written, Some("b"), "c", call);
    let written = after(written, Some("c"), "r", rejected);
    let written = prompt(written, Some("a-end"), "d", "write the docs");
    let session = written.read();
    assert_eq!(words(&session), ["hello", "write the docs"]);
    assert_eq!(crate::written::utterances(&session)[1].origin, afterword_transcript::event::Origin::Prompt);
}
