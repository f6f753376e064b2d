//! A machine: a home with Claude Code's sessions, the built binary, and a vault.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Far longer than anything here takes; a machine under load is no failure.
const PATIENCE: Duration = Duration::from_secs(180);

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The binary as it is in the tree now, built once.
fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--package", "afterword-cli"]).current_dir(root());
        assert!(build.status().unwrap().success(), "the binary does not build");
        let here = std::env::current_exe().unwrap();
        let folder = here.parent().and_then(Path::parent).unwrap();
        folder.join(format!("afterword{}", std::env::consts::EXE_SUFFIX))
    })
}

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
        let samples = root().join("tests/sessions/transcripts");
        let folder = machine.home.join("claude/projects/-home-ada-shop");
        fs::create_dir_all(&folder).unwrap();
        for entry in fs::read_dir(samples).unwrap() {
            let path = entry.unwrap().path();
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let Some((_, after)) = text.rsplit_once("\"sessionId\":\"") else { continue };
            let id = after.split_once('"').unwrap().0;
            fs::write(folder.join(format!("{id}.jsonl")), &text).unwrap();
        }
        fs::create_dir_all(machine.home.join("vault")).unwrap();
        machine.run(&["init", "--vault", &machine.vault().to_string_lossy()]);
        machine
    }

    pub(crate) fn vault(&self) -> PathBuf {
        self.home.join("vault")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(binary());
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

    /// How often each lesson stands in the vault, by its key; what is archived or superseded aside.
    pub(crate) fn keys(&self) -> BTreeMap<String, usize> {
        let mut keys = BTreeMap::new();
        for text in self.notes().values() {
            let retired = text.contains("\nstatus: archived") || text.contains("\nstatus: superseded");
            if let Some(key) = text.lines().find_map(|line| line.strip_prefix("key: ")).filter(|_| !retired) {
                *keys.entry(key.to_owned()).or_default() += 1;
            }
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

/// Installs a Debian package, if the program is not there and this may be done; says whether the program is there.
pub(crate) fn have(program: &str, package: &str) -> bool {
    let is_there = || {
        let looked =
            Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        looked.is_ok_and(|status| status.success())
    };
    if is_there() {
        return true;
    }
    let install = ["install", "-y", "--no-install-recommends", package];
    let installed =
        Command::new("apt-get").args(install).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let there = installed.is_ok_and(|status| status.success()) && is_there();
    if !there {
        println!("skipped: `{program}` is not here and could not be installed (apt-get install {package})");
    }
    there
}
