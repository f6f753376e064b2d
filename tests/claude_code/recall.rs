//! What one session taught is in the next session's request to the model, and in no other's.

use std::fs;
use std::path::{Path, PathBuf};

use afterword_testkit::messages_api::Reply;
use serde_json::json;

use crate::machine::Machine;
use crate::terminal::Terminal;

const RULE: &str = "Always put a blank line after each heading, in every document from now on.";
const ABOUT: &str = "blank line after each heading";

/// Whether a new session in a project brings the lesson to the model.
fn is_given(machine: &Machine, project: &str) -> bool {
    let before = machine.stub.conversation_requests().len();
    machine.say(&machine.project(project), "Say hello.", &[]);
    let asked = machine.stub.conversation_requests();
    assert!(asked.len() > before, "the model was asked");
    asked[before..].iter().any(|request| request.to_string().contains(ABOUT))
}

/// The lesson's note.
fn note(machine: &Machine) -> PathBuf {
    let folder = machine.vault().join("Afterword/Preferences");
    let files = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    let holds = |path: &PathBuf| fs::read_to_string(path).is_ok_and(|text| text.contains(ABOUT));
    files.into_iter().find(holds).expect("the lesson is a note that counts")
}

#[test]
fn lesson_is_in_the_next_request_of_its_project_until_it_is_archived_or_rejected() {
    let Some(machine) = Machine::new() else { return };
    machine.install();
    assert!(!is_given(&machine, "shop"), "nothing was learned yet");
    machine.say(&machine.project("shop"), RULE, &[]);
    machine.ok(&["reflect", "--all"]);
    assert!(is_given(&machine, "shop"));
    assert!(!is_given(&machine, "blog"), "a session of another project");

    let path = note(&machine);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("status: active", "status: archived")).unwrap();
    assert!(!is_given(&machine, "shop"), "archived");
    fs::write(&path, &text).unwrap();
    assert!(is_given(&machine, "shop"), "back again");
    let relative = path.strip_prefix(machine.vault()).unwrap().to_str().unwrap().to_owned();
    machine.ok(&["review", "reject", &relative]);
    assert!(!is_given(&machine, "shop"), "rejected");
}

/// Connected by the plugin and by `install`, with a file written and the conversation compacted in between.
#[test]
fn lesson_is_given_once_with_both_hooks_and_once_more_after_compaction() {
    let Some(machine) = Machine::new() else { return };
    machine.install();
    let shop = machine.project("shop");
    machine.say(&shop, RULE, &[]);
    machine.ok(&["reflect", "--all"]);
    let plugin = Path::new(env!("CARGO_MANIFEST_DIR")).join("../plugin");
    let arguments = ["--plugin-dir", plugin.to_str().unwrap(), "--permission-mode", "acceptEdits"];
    let Some(terminal) = Terminal::open(&machine, &shop, &arguments) else { return };
    let write = json!({"file_path": shop.join("notes.md"), "content": "# Notes\n"});
    let mut turn = 0;
    let mut say = |words: &str, before: Option<Reply>| {
        turn += 1;
        machine.stub.script(before.into_iter().chain([Reply::Text(format!("Done {turn}."))]));
        terminal.send(words);
        machine.until("the model answered", || {
            terminal.screen().contains(&format!("Done {turn}.")).then_some(())
        });
        let asked = machine.stub.conversation_requests();
        assert_eq!(asked.last().unwrap().to_string().matches(ABOUT).count(), 1, "{words}");
    };
    say("Write the notes.", Some(Reply::tool("Write", write)));
    // A conversation of fewer turns is not compacted.
    ["Go on.", "And the second part.", "And the third part."].iter().for_each(|words| say(words, None));
    terminal.send("/compact");
    machine.until("the client compacted", || terminal.screen().contains("Compacted").then_some(()));
    say("And the last part.", None);
    for ours in [ABOUT, "afterword", "PreCompact", "SessionStart"] {
        assert!(!terminal.screen().contains(ours), "{ours} is on the screen:\n{}", terminal.screen());
    }
    machine.ok(&["reflect", "--all"]);
    let told = machine.ok(&["doctor"]);
    assert!(told.contains("nothing unknown in what was read"), "{told}");
}
