//! A Linux in WSL, with Claude Code on either side: the kernel that says so and Windows' drive are of the test's own making.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};

use afterword_testkit::transcript::Transcript;

use crate::disks::Disks;
use crate::env::TestEnv;

const ON_WINDOWS: &str = "5f0a0000-0000-4000-8000-0000000000d1";
const IN_LINUX: &str = "5f0a0000-0000-4000-8000-0000000000d2";
const DIRECTORY: &str = "/mnt/c/Users/ada/.claude";

/// A machine with a vault, and a session that Claude Code on Windows had in a folder of its drive.
fn wsl(env: &TestEnv) -> Option<Disks<'_>> {
    env.init();
    fs::create_dir_all(env.path("drives/c/Users/ada/shop")).unwrap();
    fs::create_dir_all(env.path("drives/c/Users/Public")).unwrap();
    fs::write(env.path("osrelease"), "5.15.167.4-microsoft-standard-WSL2\n").unwrap();
    let session = Transcript::new(ON_WINDOWS).with_own_uuids().in_folder(r"C:\Users\ada\shop");
    env.session_of("drives/c/Users/ada/.claude", ON_WINDOWS, &session.with_a_rule());
    let machine = Disks::new(env)?;
    machine.put_in_place_of("/proc/sys/kernel/osrelease", "osrelease");
    machine.put_in_place_of("/mnt", "drives");
    Some(machine)
}

fn sessions(machine: &Disks<'_>, more: &[&str]) -> Vec<String> {
    let listed = machine.json(&[&["sessions"], more].concat());
    let listed = listed["sessions"].as_array().unwrap_or_else(|| panic!("{listed}"));
    listed.iter().map(|session| session["session_id"].as_str().unwrap().to_owned()).collect()
}

/// What a session that starts in a folder is given.
fn given_at_start(machine: &Disks<'_>, folder: &str) -> String {
    let transcript = format!("{DIRECTORY}/projects/-home-ada-shop/next.jsonl");
    let input = json!({
        "session_id": "next", "cwd": folder, "hook_event_name": "SessionStart", "source": "startup",
        "transcript_path": transcript,
    });
    let mut command = machine.command(&["hook", "SessionStart"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn folder_that_sessions_of_both_sides_worked_in_is_one_project() {
    let env = TestEnv::new();
    let Some(machine) = wsl(&env) else { return };
    let doctor = machine.json(&["doctor"]).to_string();
    assert!(doctor.contains(DIRECTORY), "Windows' directory is found: {doctor}");
    machine.ok(&["config", "set", "claude.other_dirs", DIRECTORY]);
    assert_eq!(sessions(&machine, &[]), [ON_WINDOWS]);
    machine.ok(&["reflect", "--all"]);
    assert!(
        given_at_start(&machine, "/mnt/c/Users/ada/shop/src").contains("migration"),
        "the lesson from Windows"
    );
    assert_eq!(given_at_start(&machine, "/mnt/c/Users/ada/blog"), "");

    let own = Transcript::new(IN_LINUX).with_own_uuids().in_folder("/mnt/c/Users/ada/shop").from_hour(11);
    env.session(IN_LINUX, &own.with_rule(1, "always write amounts in whole cents"));
    machine.ok(&["reflect", "--all"]);
    let projects = machine.json(&["projects"]);
    let projects = projects["projects"].as_array().unwrap_or_else(|| panic!("{projects}"));
    let folders: Vec<&Value> = projects.iter().map(|project| &project["folders"]).collect();
    assert_eq!(folders.len(), 1, "{projects:?}");
    for folder in [r"C:\Users\ada\shop", "/mnt/c/Users/ada/shop"] {
        assert_eq!(sessions(&machine, &["--project", folder]).len(), 2, "{folder}");
    }
}

#[test]
fn what_is_excluded_is_so_under_either_name() {
    for folder in [r"C:\Users\ada\shop", "/mnt/c/Users/ada/*/**", r"C:\Users\ada\**"] {
        let env = TestEnv::new();
        let Some(machine) = wsl(&env) else { return };
        let own = Transcript::new(IN_LINUX).with_own_uuids().in_folder("/mnt/c/Users/ada/shop");
        env.session(IN_LINUX, &own.with_a_rule());
        machine.ok(&["config", "set", "claude.other_dirs", DIRECTORY]);
        machine.ok(&["config", "set", "privacy.exclude", folder]);
        machine.ok(&["reflect", "--all"]);
        assert_eq!(env.lessons(), [], "{folder}");
        assert_eq!(given_at_start(&machine, "/mnt/c/Users/ada/shop"), "");
    }
}

#[test]
fn any_drive_of_windows_is_excluded_as_it_is_written() {
    for pattern in ["?:/Users/ada/shop", "[CD]:/Users/**"] {
        let env = TestEnv::new();
        let Some(machine) = wsl(&env) else { return };
        machine.ok(&["config", "set", "claude.other_dirs", DIRECTORY]);
        machine.ok(&["config", "set", "privacy.exclude", pattern]);
        machine.ok(&["reflect", "--all"]);
        assert_eq!(env.lessons(), [], "{pattern}");
    }
}
