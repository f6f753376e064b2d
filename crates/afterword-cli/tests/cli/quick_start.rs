//! `docs/guide/quick-start.md`, done as it says on a sample session.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::env::TestEnv;

/// Each line of the guide's blocks that is for a shell; the last of a block comes with what is shown of its output, if anything is.
fn lines() -> Vec<(String, Option<String>)> {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/quick-start.md");
    let text = fs::read_to_string(guide).unwrap();
    let mut lines = Vec::new();
    for rest in text.split("\n```sh\n").skip(1) {
        let (block, after) = rest.split_once("\n```\n").unwrap();
        lines.extend(block.lines().map(|line| (line.to_owned(), None)));
        if let Some(shown) = after.strip_prefix("\n```\n") {
            lines.last_mut().unwrap().1 = Some(shown.split("```").next().unwrap().to_owned());
        }
    }
    lines
}

/// Whether what is printed is what is shown, line by line; `…` stands for what differs each time.
fn is_shown(printed: &str, shown: &str) -> bool {
    let fits = |(printed, shown): (&str, &str)| match shown.split_once('…') {
        Some((before, after)) => {
            printed.len() > before.len() + after.len()
                && printed.starts_with(before)
                && printed.ends_with(after)
        }
        None => printed == shown,
    };
    printed.lines().count() == shown.lines().count() && printed.lines().zip(shown.lines()).all(fits)
}

/// Runs a line in a shell; gives what it printed.
fn shell(env: &TestEnv, line: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_afterword")).parent().unwrap();
    let output = std::process::Command::new("sh")
        .args(["-c", line])
        .env_clear()
        .env("PATH", format!("{}:/usr/bin:/bin", program.display()))
        .env("HOME", env.path("home"))
        .env("AFTERWORD_HOME", env.path("afterword"))
        .env("CLAUDE_CONFIG_DIR", env.path("claude"))
        .current_dir(env.path("work"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_line_does_what_the_guide_says() {
    let env = TestEnv::new();
    env.sample("shop-cart");
    let lines = lines();
    assert!(lines.len() > 8, "{lines:?}");
    assert_eq!(lines.iter().filter(|(_, shown)| shown.is_some()).count(), 1, "{lines:?}");
    for (line, shown) in &lines {
        let command = line.split('#').next().unwrap().trim();
        // Nobody is there to be asked, and no service is started in a test.
        let printed = match command {
            "afterword install claude-code" => shell(&env, "afterword install claude-code --yes"),
            "afterword install service" => shell(&env, "afterword install service --dry-run"),
            other => shell(&env, other),
        };
        match command {
            "afterword sessions" => assert!(printed.contains("shop"), "{printed}"),
            "afterword reflect --all --dry-run" => assert_eq!(notes(&env), ""),
            "afterword reflect --all" => assert!(notes(&env).contains("a new commit"), "{}", notes(&env)),
            "afterword install claude-code" => start_a_session(&env),
            _ => {}
        }
        if let Some(shown) = shown {
            assert!(is_shown(&printed, shown), "{command} is shown as\n{shown}\nand prints\n{printed}");
        }
    }
}

/// The text of all preferences.
fn notes(env: &TestEnv) -> String {
    let folder = env.path("home/Documents/Vault/Afterword/Preferences");
    let files = fs::read_dir(folder).into_iter().flatten();
    files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).collect()
}

/// Calls the hook as Claude Code does when a session starts.
fn start_a_session(env: &TestEnv) {
    let input = "{\"session_id\":\"0f0e0d0c-1111-4222-8333-444455556666\",\"transcript_path\":\"/c/s.jsonl\",\
                 \"cwd\":\"/home/sam/shop\",\"hook_event_name\":\"SessionStart\",\"source\":\"startup\"}";
    env.hook("SessionStart", input.as_bytes());
}
