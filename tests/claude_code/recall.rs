//! What one session taught is in the next session's request to the model, and in no other's.

use std::fs;
use std::path::PathBuf;

use crate::machine::Machine;

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
