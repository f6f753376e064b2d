//! A machine: a home with Claude Code's sessions, the built binary, and a vault.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use afterword_testkit::{ChildGuard, Sandbox, notes_below, program};

pub(crate) struct Machine(Sandbox);

impl Machine {
    /// A machine with the sample sessions and a vault that is set up.
    pub(crate) fn new() -> Self {
        let machine = Self(Sandbox::empty());
        machine.0.samples();
        fs::create_dir_all(machine.vault()).unwrap();
        machine.run(&["init", "--vault", &machine.vault().to_string_lossy()]);
        machine
    }

    pub(crate) fn vault(&self) -> PathBuf {
        self.0.path("vault")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        self.0.command(program::built(), arguments)
    }

    /// Runs what must succeed; gives its stdout.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        let ran = self.command(arguments).output().unwrap();
        let stdout = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(ran.status.success(), "{arguments:?}\n{stdout}{}", String::from_utf8_lossy(&ran.stderr));
        stdout
    }

    /// The agent, which watches the vault.
    pub(crate) fn agent(&self) -> ChildGuard {
        ChildGuard(self.command(&["run"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    /// The notes, by path below the vault, with their text.
    pub(crate) fn notes(&self) -> BTreeMap<String, String> {
        notes_below(&self.vault())
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
