//! Every session is followed and reflected exactly once: with hooks and without, however it ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use afterword_testkit::messages_api::Reply;
use serde_json::Value;

use crate::machine::Machine;
use crate::terminal::Terminal;

const RULE: &str = "Always put a blank line after each heading, in every document from now on.";
const ABOUT: &str = "blank line after each heading";
const OTHER_RULE: &str = "Never use abbreviations in a heading, in any document from now on.";
const ABOUT_OTHER: &str = "abbreviations in a heading";

fn session_of(result: &Value) -> String {
    result["session_id"].as_str().unwrap().to_owned()
}

/// The transcripts the client has written.
fn transcripts(machine: &Machine) -> Vec<PathBuf> {
    let projects = fs::read_dir(machine.home().join(".claude/projects")).map(std::iter::Iterator::flatten);
    let folders = projects.into_iter().flatten().filter_map(|folder| fs::read_dir(folder.path()).ok());
    let files = folders.flatten().flatten().map(|file| file.path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl")).collect()
}

fn git(machine: &Machine, folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.env_clear().envs(machine.environment()).current_dir(folder);
    let identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    let output = command.args(identity).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A repository in the folder `library`, with a worktree of it in `library-fix`.
fn worktree(machine: &Machine) {
    let repository = machine.project("library");
    git(machine, &repository, &["init", "-q"]);
    git(machine, &repository, &["commit", "-q", "--allow-empty", "-m", "start"]);
    git(machine, &repository, &["worktree", "add", "-q", "../library-fix"]);
}

#[test]
fn session_that_ends_is_reflected_at_once() {
    let Some(mut machine) = Machine::new() else { return };
    machine.install();
    machine.follow();
    let session = session_of(&machine.say(&machine.project("shop"), RULE, &[]));
    machine.until_reflected(&session);
    assert_eq!(machine.lessons_about(ABOUT), 1, "{:#?}", machine.lessons());
    let markers = machine.state().join("markers");
    machine.until("the marker says so", || {
        markers.join(format!("session-id-{session}.reflected")).exists().then_some(())
    });
    assert!(!markers.join(format!("session-id-{session}.start")).exists());
    let project = machine.sessions()[0]["project"].clone();
    assert_eq!(project, machine.project("shop").to_str().unwrap());
}

#[test]
fn session_that_ended_while_no_agent_ran_is_reflected_when_one_starts() {
    let Some(mut machine) = Machine::new() else { return };
    machine.install();
    let session = session_of(&machine.say(&machine.project("shop"), RULE, &[]));
    assert!(!machine.is_reflected(&session));
    machine.follow();
    machine.until_reflected(&session);
    assert_eq!(machine.lessons_about(ABOUT), 1);
}

#[test]
fn watching_alone_is_enough() {
    let Some(mut machine) = Machine::new() else { return };
    machine.ok(&["config", "set", "reflection.idle_minutes", "0.1"]);
    machine.follow();
    // A long path: the client cuts the folder's name and adds a hash, so nothing can be read off it.
    let long = machine.project(&format!(
        "{0}/{0}/{0}/shop",
        "a-folder-with-a-rather-long-name-that-goes-on-and-on-and-on-to-eighty-characters"
    ));
    assert!(long.to_str().unwrap().len() > 200);
    let session = session_of(&machine.say(&long, RULE, &[]));
    worktree(&machine);
    let in_worktree = session_of(&machine.say(&machine.home().join("library-fix"), OTHER_RULE, &[]));
    machine.until_reflected(&session);
    machine.until_reflected(&in_worktree);
    assert_eq!((machine.lessons_about(ABOUT), machine.lessons_about(ABOUT_OTHER)), (1, 1));
    let listed = machine.sessions();
    let project =
        |session: &str| listed.iter().find(|one| one["session_id"] == session).unwrap()["project"].clone();
    assert_eq!(project(&session), long.to_str().unwrap());
}

#[test]
fn session_in_a_long_folder_and_one_in_a_worktree_are_reflected_with_hooks() {
    let Some(mut machine) = Machine::new() else { return };
    machine.install();
    machine.follow();
    let long = machine.project(&format!(
        "{0}/{0}/{0}/shop",
        "a-folder-with-a-rather-long-name-that-goes-on-and-on-and-on-to-eighty-characters"
    ));
    worktree(&machine);
    let in_long = session_of(&machine.say(&long, RULE, &[]));
    let in_worktree = session_of(&machine.say(&machine.home().join("library-fix"), OTHER_RULE, &[]));
    machine.until_reflected(&in_long);
    machine.until_reflected(&in_worktree);
    assert_eq!((machine.lessons_about(ABOUT), machine.lessons_about(ABOUT_OTHER)), (1, 1));
}

/// Starts the client, and kills it as soon as the user's words are written down, whether its hooks are through or not; gives the session.
fn killed_in_the_middle_of_a_turn(machine: &Machine) -> String {
    machine.stub.script([Reply::Silence]);
    let mut client = machine
        .claude(&machine.project("shop"), &["-p", RULE])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let transcript = machine.until("the user's words are in the transcript", || {
        let all = transcripts(machine);
        all.into_iter().find(|path| fs::read_to_string(path).is_ok_and(|text| text.contains(ABOUT)))
    });
    client.kill().unwrap();
    client.wait().unwrap();
    transcript.file_stem().unwrap().to_str().unwrap().to_owned()
}

#[test]
fn session_killed_in_the_middle_of_a_turn_is_found_within_a_minute() {
    let Some(mut machine) = Machine::new() else { return };
    machine.install();
    machine.follow();
    let session = killed_in_the_middle_of_a_turn(&machine);
    let is_marked = |phase| machine.state().join(format!("markers/session-id-{session}.{phase}")).exists();
    machine.until("the session is marked by its hook", || {
        (is_marked("start") || is_marked("reflected")).then_some(())
    });
    let killed = std::time::Instant::now();
    machine.until_reflected(&session);
    println!("reflected {:?} after the kill", killed.elapsed());
    // The agent looks for it twice a minute; one whose process is not known is given an hour.
    assert!(killed.elapsed().as_secs() < 140, "{:?}", killed.elapsed());
    assert_eq!(machine.lessons_about(ABOUT), 1);
}

#[test]
fn session_killed_in_the_middle_of_a_turn_is_reflected_without_hooks_when_it_idled() {
    let Some(mut machine) = Machine::new() else { return };
    machine.ok(&["config", "set", "reflection.idle_minutes", "0.1"]);
    machine.follow();
    let session = killed_in_the_middle_of_a_turn(&machine);
    assert!(!machine.state().join(format!("markers/session-id-{session}.start")).exists(), "no hook told");
    machine.until_reflected(&session);
    assert_eq!((machine.lessons_about(ABOUT), machine.sessions().len()), (1, 1));
}

/// A session that goes on after it was reflected, and a fork of it.
fn resumed_and_forked(machine: &Machine) {
    let shop = machine.project("shop");
    let session = session_of(&machine.say(&shop, RULE, &[]));
    machine.until_reflected(&session);
    let resumed = session_of(&machine.say(&shop, OTHER_RULE, &["--resume", &session]));
    assert_eq!(resumed, session, "the same session goes on");
    machine.until("what is new is found", || (machine.lessons_about(ABOUT_OTHER) == 1).then_some(()));
    machine.until_reflected(&session);
    let began = machine.beginnings(&session);
    let forked =
        session_of(&machine.say(&shop, "Thanks, that is all.", &["--resume", &session, "--fork-session"]));
    assert_ne!(forked, session);
    machine.until_reflected(&forked);
    machine.until_reflected(&session);
    assert_eq!((machine.lessons_about(ABOUT), machine.lessons_about(ABOUT_OTHER)), (1, 1));
    assert_eq!(machine.sessions().len(), 2);
    assert_eq!(machine.beginnings(&session), began, "its fork does not resume it");
}

#[test]
fn resumed_session_adds_what_is_new_and_a_fork_repeats_nothing() {
    let Some(mut machine) = Machine::new() else { return };
    machine.install();
    machine.follow();
    resumed_and_forked(&machine);
}

#[test]
fn resumed_session_and_a_fork_are_known_without_hooks() {
    let Some(mut machine) = Machine::new() else { return };
    machine.ok(&["config", "set", "reflection.idle_minutes", "0.1"]);
    machine.follow();
    resumed_and_forked(&machine);
    assert!(!machine.state().join("markers").exists(), "no hook told");
}

#[test]
fn session_that_idles_and_one_that_is_compacted_are_reflected_while_they_go_on() {
    let Some(mut machine) = Machine::new() else { return };
    machine.install();
    machine.ok(&["config", "set", "reflection.idle_minutes", "0.1"]);
    machine.follow();
    let shop = machine.project("shop");
    let Some(terminal) = Terminal::open(&machine, &shop, &[]) else { return };
    // A conversation of fewer turns is not compacted.
    for (turn, words) in [RULE, "Go on.", "And the second part.", "And the third part."].iter().enumerate() {
        machine.stub.script([Reply::Text(format!("Done {turn}."))]);
        terminal.send(words);
        machine.until("the model answered", || {
            terminal.screen().contains(&format!("Done {turn}.")).then_some(())
        });
    }
    terminal.send("/compact");
    let transcript = machine.until("the client compacted", || {
        transcripts(&machine).into_iter().find(|path| {
            fs::read_to_string(path).is_ok_and(|text| text.contains("\"isCompactSummary\":true"))
        })
    });
    let session = transcript.file_stem().unwrap().to_str().unwrap().to_owned();
    machine.until_reflected(&session);
    assert_eq!(machine.lessons_about(ABOUT), 1, "{:#?}", machine.lessons());
    assert!(terminal.screen().contains('❯'), "it is still there");
    let marker = machine.state().join(format!("markers/session-id-{session}.start"));
    assert!(marker.exists(), "its client lives, and may still crash");
}

#[test]
fn fifty_reflections_add_no_session() {
    let Some(machine) = Machine::new() else { return };
    machine.install();
    let session = session_of(&machine.say(&machine.project("shop"), RULE, &[]));
    let asked = machine.stub.conversation_requests().len();
    for _ in 0..50 {
        machine.ok(&["reflect", &session]);
    }
    assert_eq!((transcripts(&machine).len(), machine.sessions().len()), (1, 1));
    assert_eq!(machine.stub.conversation_requests().len(), asked, "no model was asked");
    assert_eq!(machine.lessons_about(ABOUT), 1);
}
