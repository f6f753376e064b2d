//! What is not committed in a session's working directory, asked of git.
//!
//! The repository is somebody else's: nothing in it is run, nothing is written, and git gets little time.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// As long as that git may take; a repository that needs longer is not told of.
const LIMIT: Duration = Duration::from_secs(5);

/// Changed files; `None` where there are none, no repository, or no git.
pub(super) fn uncommitted(directory: &Path) -> Option<Vec<String>> {
    let mut command = Command::new("git");
    command
        .args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=", "-C"])
        .arg(directory)
        .args(["status", "--porcelain=v1", "--untracked-files=no", "--ignore-submodules=all", "--no-renames"])
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    let mut stdout = child.stdout.take()?;
    // Read beside the wait, so that a long answer does not hold git up.
    let reader = thread::spawn(move || {
        let mut text = String::new();
        let _ = std::io::Read::read_to_string(&mut stdout, &mut text);
        text
    });
    let ended_well = wait(&mut child);
    let text = reader.join().ok()?;
    let files: Vec<String> = text.lines().filter_map(|line| line.get(3..).map(str::to_owned)).collect();
    (ended_well && !files.is_empty()).then_some(files)
}

fn wait(child: &mut Child) -> bool {
    let clock = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if clock.elapsed() < LIMIT => thread::sleep(Duration::from_millis(5)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return false;
            }
        }
    }
}
