//! What holds for every command: streams, colour, foreign text, closed pipes.

use crate::env::TestEnv;
use afterword_testkit::transcript::{typed, with_a_rule};

const ID: &str = "0f0e0d0c-1111-4222-8333-444455556666";

#[test]
fn foreign_text_cannot_command_the_terminal() {
    let env = TestEnv::new();
    let evil = |line: &str| {
        line.replace("never edit", "never \u{1b}[2J\u{1b}]0;owned\u{7} edit \u{202e}")
            .replace("always add", "always \u{9b}31m\u{8} add")
    };
    let said =
        evil("No. From now on never edit a migration that is merged, always add a new migration file.");
    let mut lines = with_a_rule(ID);
    lines[2] = typed(ID, 3, &said);
    env.session(ID, &lines);
    for arguments in [
        &["reflect", ID, "--dry-run"] as &[&str],
        &["reflect", ID, "--dry-run", "--json"],
        &["inspect", ID],
        &["inspect", ID, "--json"],
        &["sessions"],
    ] {
        let ran = env.run(arguments);
        assert_eq!(ran.code, Some(0), "{ran}");
        let treacherous = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!ran.stdout.chars().any(treacherous), "{arguments:?}: {:?}", ran.stdout);
    }
    let value = env.json(&["reflect", ID, "--dry-run"]);
    let quote = value["candidates"][0]["evidence"][0]["quote"].as_str().unwrap();
    assert!(quote.contains("add a new migration file"), "{quote:?}");
}

#[test]
fn no_colour_where_there_is_no_terminal() {
    let env = TestEnv::new();
    let ran = env.run(&["doctor"]);
    assert!(!ran.stdout.contains('\u{1b}'), "{ran}");
    let coloured = env.command(&["doctor"]).env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(String::from_utf8(coloured.stdout).unwrap().contains('\u{1b}'));
}

#[cfg(unix)]
#[test]
fn closed_pipe_is_no_failure() {
    let env = TestEnv::new();
    env.sample("homelab-backup");
    for arguments in
        [&["sessions"] as &[&str], &["doctor", "--json"], &["completions", "bash"], &["config", "show"]]
    {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output =
            env.command(arguments).stdout(writer).stderr(std::process::Stdio::piped()).output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{arguments:?}");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_behind_stdout_is_told() {
    let env = TestEnv::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = env.command(&["config", "show", "--json"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("error: cannot write the output"));
}
