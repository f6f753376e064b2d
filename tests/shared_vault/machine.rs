//! A machine: a home with Claude Code's sessions, the built binary, and a vault.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use crate::program;

/// Far longer than anything here takes; a machine under load is no failure.
const PATIENCE: Duration = Duration::from_secs(180);

/// Waits until something is so.
pub(crate) fn until<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Ends a process of ours, whatever becomes of the test.
pub(crate) struct Running(pub(crate) Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) struct Machine {
    pub(crate) home: PathBuf,
}

impl Machine {
    /// A machine with the sample sessions and a vault that is set up.
    pub(crate) fn new(home: PathBuf) -> Self {
        let machine = Self { home };
        let samples = program::root().join("tests/sessions/transcripts");
        let folder = machine.home.join("claude/projects/-home-ada-shop");
        fs::create_dir_all(&folder).unwrap();
        let mut paths: Vec<_> = fs::read_dir(samples).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for (hours, path) in (1..).zip(paths) {
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let Some((_, after)) = text.rsplit_once("\"sessionId\":\"") else { continue };
            let id = after.split_once('"').unwrap().0;
            let mut transcript = File::create_new(folder.join(format!("{id}.jsonl"))).unwrap();
            transcript.write_all(text.as_bytes()).unwrap();
            // Sessions are reflected in the order of their files' times, which is the same on every machine.
            let end = SystemTime::UNIX_EPOCH + Duration::from_hours(490_000 + hours);
            transcript.set_modified(end).unwrap();
        }
        fs::create_dir_all(machine.home.join("vault")).unwrap();
        machine.run(&["init", "--vault", &machine.vault().to_string_lossy()]);
        machine
    }

    pub(crate) fn vault(&self) -> PathBuf {
        self.home.join("vault")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(program::built());
        command
            .args(arguments)
            .env_clear()
            .env("HOME", &self.home)
            .env("AFTERWORD_HOME", self.home.join("afterword"))
            .env("CLAUDE_CONFIG_DIR", self.home.join("claude"))
            .env("TZ", "UTC")
            .stdin(Stdio::null());
        command
    }

    /// Runs what must succeed; gives its stdout.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        let ran = self.command(arguments).output().unwrap();
        let stdout = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(ran.status.success(), "{arguments:?}\n{stdout}{}", String::from_utf8_lossy(&ran.stderr));
        stdout
    }

    /// The agent, which watches the vault.
    pub(crate) fn agent(&self) -> Running {
        Running(self.command(&["run"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    /// The notes, by path below the vault, with their text.
    pub(crate) fn notes(&self) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        walk(&self.vault(), &self.vault(), &mut found);
        found
    }

    /// The lessons that count, each with its key, by path below the vault.
    pub(crate) fn lessons(&self) -> BTreeMap<String, String> {
        let retired = |text: &str| {
            ["\nstatus: archived", "\nstatus: superseded"].iter().any(|status| text.contains(status))
        };
        let key = |text: &str| text.lines().find_map(|line| line.strip_prefix("key: ")).map(str::to_owned);
        let notes = self.notes().into_iter().filter(|(_, text)| !retired(text));
        notes.filter_map(|(name, text)| Some((name, key(&text)?))).collect()
    }

    /// How often each lesson stands in the vault, by its key.
    pub(crate) fn keys(&self) -> BTreeMap<String, usize> {
        let mut keys = BTreeMap::new();
        for key in self.lessons().into_values() {
            *keys.entry(key).or_default() += 1;
        }
        keys
    }

    /// The first preference, which the samples give.
    pub(crate) fn first_preference(&self) -> PathBuf {
        let notes = self.notes();
        let name = notes.keys().find(|name| name.starts_with("Afterword/Preferences/")).unwrap();
        self.vault().join(name)
    }
}

fn walk(folder: &Path, root: &Path, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        if path.is_dir() {
            walk(&path, root, found);
        } else if path.extension().is_some_and(|extension| extension == "md")
            && let Ok(text) = fs::read_to_string(&path)
        {
            found.insert(path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/"), text);
        }
    }
}

/// Puts a line of a person's behind the lesson.
pub(crate) fn write_line(note: &Path, line: &str) {
    let text = fs::read_to_string(note).unwrap();
    assert!(text.contains("\n## Evidence"), "{text}");
    fs::write(note, text.replacen("\n## Evidence", &format!("\n{line}\n\n## Evidence"), 1)).unwrap();
}

/// Whether a program is there; `scripts/prepare` installs what the tests need, where it may.
pub(crate) fn have(program: &str) -> bool {
    let mut ask = Command::new(program);
    let asked = ask.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let there = asked.is_ok_and(|status| status.success());
    if !there {
        println!("skipped: `{program}` is not here");
    }
    there
}
