//! What is not committed in a session's working directory, asked of git.
//!
//! The repository is somebody else's: nothing in it is run, nothing is written, and git gets little time. Its own configuration can name programs that
//! git starts to watch files, to compare their content (filters) and to fetch objects that are missing.

use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use afterword_platform::command::background_command;

/// As long as that git may take; a repository that needs longer is not told of.
const LIMIT: Duration = Duration::from_secs(5);
/// What `git config` ends with where nothing fits.
const NONE_FITS: i32 = 1;
/// More filters than any repository needs; they go into the environment.
const MOST_FILTERS: usize = 100;

/// Changed files; `None` where there are none, no repository, or no git.
pub(super) fn uncommitted_files(directory: &Path) -> Option<Vec<String>> {
    let mut command = git(directory);
    for (number, setting) in without_filters(directory)?.iter().enumerate() {
        command.env(format!("GIT_CONFIG_KEY_{number}"), &setting.0);
        command.env(format!("GIT_CONFIG_VALUE_{number}"), setting.1);
        command.env("GIT_CONFIG_COUNT", (number + 1).to_string());
    }
    command.args([
        "status",
        "--porcelain=v1",
        "--untracked-files=no",
        "--ignore-submodules=all",
        "--no-renames",
    ]);
    let (status, text) = answer(command)?;
    let files: Vec<String> = text.lines().filter_map(|line| line.get(3..).map(str::to_owned)).collect();
    (status.success() && !files.is_empty()).then_some(files)
}

/// Settings that take out the filters a repository brings; those of the person's own configuration stay. `None` where they
/// cannot be told.
fn without_filters(directory: &Path) -> Option<Vec<(String, &'static str)>> {
    let mut command = git(directory);
    command.args(["config", "--show-scope", "--name-only", "-z", "--get-regexp", "^filter\\."]);
    let (status, text) = answer(command)?;
    if !status.success() {
        return (status.code() == Some(NONE_FITS)).then(Vec::new);
    }
    let mut parts = text.split_terminator('\0');
    let mut names = Vec::new();
    while let (Some(scope), Some(key)) = (parts.next(), parts.next()) {
        let name = key.strip_prefix("filter.").and_then(|rest| rest.rsplit_once('.'));
        if let Some((name, _)) = name.filter(|_| !matches!(scope, "system" | "global")) {
            names.push(name.to_owned());
        }
    }
    names.sort();
    names.dedup();
    let settings = [("clean", ""), ("process", ""), ("smudge", ""), ("required", "false")];
    let of = |name: &String| settings.map(|(key, value)| (format!("filter.{name}.{key}"), value));
    (names.len() <= MOST_FILTERS).then(|| names.iter().flat_map(of).collect())
}

/// Git in a directory, where it starts no program the repository names.
fn git(directory: &Path) -> Command {
    let mut command = background_command("git");
    command
        .args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=", "-C"])
        .arg(directory)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        // Objects that are missing are not fetched, by whichever program; before 2.45 no transport is allowed does the same.
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_ALLOW_PROTOCOL", "none");
    command
}

/// How it ended, and what it printed; `None` where that is no text.
fn answer(mut command: Command) -> Option<(ExitStatus, String)> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    let mut stdout = child.stdout.take()?;
    // Read beside the wait, so that a long answer does not hold git up.
    let reader = thread::spawn(move || {
        let mut text = String::new();
        std::io::Read::read_to_string(&mut stdout, &mut text).map(|_| text)
    });
    let status = wait(&mut child);
    let text = reader.join().ok()?;
    Some((status?, text.ok()?))
}

fn wait(child: &mut Child) -> Option<ExitStatus> {
    let clock = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if clock.elapsed() < LIMIT => thread::sleep(Duration::from_millis(5)),
            _ => {
                // Whatever they say, nothing is told of this repository.
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A repository with one file changed in its content and one that was only touched.
    fn repository(root: &Path) {
        for arguments in [&["init", "-q"][..], &["add", "."], &["commit", "-q", "-m", "first"]] {
            for name in ["changed", "touched"] {
                fs::write(root.join(name), "one\n").unwrap();
            }
            run(root, arguments);
        }
        fs::write(root.join("changed"), "another\n").unwrap();
        let touched = fs::File::options().write(true).open(root.join("touched")).unwrap();
        touched.set_modified(std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000)).unwrap();
    }

    fn run(root: &Path, arguments: &[&str]) -> String {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-C"];
        let output = Command::new("git").args(identity).arg(root).args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    #[test]
    fn no_program_that_a_repository_names_is_started() {
        if Command::new("git").arg("--version").output().is_err() {
            println!("skipped: there is no git here");
            return;
        }
        let home = tempfile::tempdir().unwrap();
        let (root, traces) = (home.path().join("shop"), home.path().join("traces"));
        fs::create_dir(&root).unwrap();
        fs::create_dir(&traces).unwrap();
        repository(&root);
        let touch = |name: &str| format!("touch '{}'; cat", traces.join(name).display());
        let ran = || {
            let files = fs::read_dir(&traces).unwrap().map(|file| file.unwrap().file_name());
            files.collect::<Vec<_>>()
        };
        run(&root, &["config", "core.fsmonitor", &touch("fsmonitor")]);
        run(&root, &["config", "filter.a.b=c.clean", &touch("clean")]);
        run(&root, &["config", "filter.long.process", &touch("process")]);
        run(&root, &["config", "filter.long.required", "true"]);
        let elsewhere = root.join(".git/more");
        fs::write(&elsewhere, format!("[filter \"more\"]\n\tclean = \"{}\"\n", touch("included"))).unwrap();
        run(&root, &["config", "include.path", "more"]);
        for filter in ["a.b=c", "long", "more"] {
            fs::write(root.join(".git/info/attributes"), format!("* filter={filter}\n")).unwrap();
            assert_eq!(uncommitted_files(&root).unwrap(), ["changed"], "{filter}");
            assert_eq!(ran(), Vec::<std::ffi::OsString>::new(), "{filter}");
        }
        // An object that is missing is fetched from a remote that the repository names, by the program it names.
        run(&root, &["config", "core.repositoryformatversion", "1"]);
        run(&root, &["config", "extensions.partialClone", "there"]);
        run(&root, &["config", "remote.there.promisor", "true"]);
        run(&root, &["config", "remote.there.url", root.to_str().unwrap()]);
        run(&root, &["config", "remote.there.uploadpack", &touch("uploadpack")]);
        run(&root, &["config", "protocol.allow", "always"]);
        let tree = run(&root, &["rev-parse", "HEAD^{tree}"]);
        fs::remove_file(root.join(".git/objects").join(&tree[..2]).join(&tree[2..])).unwrap();
        uncommitted_files(&root);
        assert_eq!(ran(), Vec::<std::ffi::OsString>::new());
    }
}
