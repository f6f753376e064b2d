//! `afterword install service`, `afterword uninstall service`

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::env::{Ran, TestEnv};

const UNIT: &str = "home/.config/systemd/user/afterword-dev.service";

/// Runs the command where `systemctl` is a program that notes what it was asked for and ends with `code`.
fn run(env: &TestEnv, code: i32, arguments: &[&str]) -> Ran {
    let bin = env.path("bin");
    fs::create_dir_all(&bin).unwrap();
    let script = format!("#!/bin/sh\necho \"$@\" >> {}\nexit {code}\n", env.path("asked").display());
    fs::write(bin.join("systemctl"), script).unwrap();
    fs::set_permissions(bin.join("systemctl"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = env.command(arguments);
    command.env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

#[test]
fn unit_is_shown_written_started_and_taken_out() {
    let env = TestEnv::new();
    let shown = run(&env, 0, &["install", "service", "--dry-run"]);
    assert!(shown.stdout.contains("+ ExecStart=") && shown.stdout.contains("--user enable --now"), "{shown}");
    assert!(!env.path(UNIT).exists() && !env.path("asked").exists());
    let installed = run(&env, 0, &["install", "service", "--yes"]);
    assert_eq!(installed.code, Some(0), "{installed}");
    let unit = fs::read_to_string(env.path(UNIT)).unwrap();
    assert!(unit.contains(&format!("ExecStart=\"{}\" run\n", env!("CARGO_BIN_EXE_afterword"))), "{unit}");
    assert!(
        unit.contains(&format!("Environment=\"AFTERWORD_HOME={}\"", env.path("afterword").display())),
        "{unit}"
    );
    let again = run(&env, 0, &["install", "service", "--yes"]);
    assert!(again.stderr.contains("Nothing to change"), "{again}");
    run(&env, 0, &["uninstall", "service", "--yes"]);
    assert!(!env.path(UNIT).exists());
    let asked = fs::read_to_string(env.path("asked")).unwrap();
    let asked: Vec<_> = asked.lines().collect();
    assert_eq!(
        asked,
        [
            "--user daemon-reload",
            "--user enable --now afterword-dev.service",
            "--user disable --now afterword-dev.service",
            "--user daemon-reload"
        ]
    );
}

#[test]
fn system_that_refuses_is_told_of() {
    let env = TestEnv::new();
    let ran = run(&env, 1, &["install", "service", "--yes"]);
    assert_eq!(ran.code, Some(1), "{ran}");
    assert!(ran.stderr.contains("`systemctl --user daemon-reload` failed"), "{ran}");
    assert!(ran.stderr.contains("hint: "), "{ran}");
}
