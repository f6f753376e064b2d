//! A team's vault in git: branches that touched the same notes, merged by git itself.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::machine::{Machine, have, write_line};

fn git(folder: &Path, arguments: &[&str]) -> (bool, String) {
    let who = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org", "-c", "commit.gpgsign=false"];
    let ran = Command::new("git").args(who).args(arguments).current_dir(folder).output().unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    (ran.status.success(), text)
}

fn must(folder: &Path, arguments: &[&str]) {
    let (done, text) = git(folder, arguments);
    assert!(done, "git {arguments:?}\n{text}");
}

#[test]
fn a_merge_that_git_cannot_make_is_told_and_decided_without_loss() {
    if !have("git") {
        return;
    }
    let machine = Machine::new();
    machine.run(&["reflect", "--all"]);
    let vault = machine.vault();
    must(&vault, &["init", "-q", "-b", "main"]);
    must(&vault, &["add", "-A"]);
    must(&vault, &["commit", "-qm", "what was learned"]);
    let note = machine.first_preference();

    // Both sides wrote into the same place.
    must(&vault, &["checkout", "-qb", "laptop"]);
    write_line(&note, "The laptop's words.");
    must(&vault, &["commit", "-qam", "laptop"]);
    must(&vault, &["checkout", "-q", "main"]);
    write_line(&note, "The desk's words.");
    must(&vault, &["commit", "-qam", "desk"]);
    let (merged, text) = git(&vault, &["merge", "laptop"]);
    assert!(!merged && text.contains("CONFLICT"), "{text}");

    // Nothing is written to such a note, and no lesson is doubled because its note cannot be read.
    let marked = fs::read_to_string(&note).unwrap();
    let keys = machine.keys();
    machine.run(&["reflect", "--all"]);
    assert_eq!(fs::read_to_string(&note).unwrap(), marked);
    assert_eq!(machine.keys(), keys);
    let listed = machine.run(&["vault", "conflicts"]);
    assert!(listed.contains("The laptop's words.") && listed.contains("The desk's words."), "{listed}");
    let name = note.file_name().unwrap().to_string_lossy().into_owned();
    machine.run(&["vault", "decide", &name, "--there"]);
    let decided = fs::read_to_string(&note).unwrap();
    assert!(decided.contains("The laptop's words.") && !decided.contains("<<<<<<<"), "{decided}");
    let all: String = machine.notes().into_values().collect();
    assert!(all.contains("The desk's words."), "the other version is in the archive");
    must(&vault, &["add", "-A"]);
    must(&vault, &["commit", "-qm", "merged"]);
}

#[test]
fn branches_that_wrote_in_other_places_merge_by_themselves() {
    if !have("git") {
        return;
    }
    let machine = Machine::new();
    let vault = machine.vault();
    must(&vault, &["init", "-q", "-b", "main"]);
    must(&vault, &["add", "-A"]);
    must(&vault, &["commit", "-qm", "an empty vault"]);
    must(&vault, &["checkout", "-qb", "laptop"]);
    machine.run(&["reflect", "--all"]);
    let learned = machine.notes();
    must(&vault, &["add", "-A"]);
    must(&vault, &["commit", "-qm", "the laptop learned"]);
    must(&vault, &["checkout", "-q", "main"]);
    // Another machine that learned the same on its own branch: the same files, byte for byte.
    let other = Machine::new();
    other.run(&["reflect", "--all"]);
    for (name, text) in other.notes() {
        let to = vault.join(&name);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, text).unwrap();
    }
    must(&vault, &["add", "-A"]);
    must(&vault, &["commit", "-qm", "the desk learned the same"]);
    let (merged, text) = git(&vault, &["merge", "laptop"]);
    assert!(merged, "two machines that learned the same wrote the same: {text}");
    assert_eq!(machine.notes(), learned);
}
