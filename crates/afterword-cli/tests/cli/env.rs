//! A machine of its own for each test: a home, Claude Code's directory, a vault, and nothing inherited.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// Directories of one test, and the binary to run in them.
pub(crate) struct TestEnv {
    root: TempDir,
}

/// What a command printed and how it ended.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl TestEnv {
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("work")).unwrap();
        Self { root }
    }

    /// A path below the test's root.
    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.root.path().join(below)
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_afterword"));
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.path("home"))
            .env("USERPROFILE", self.path("home"))
            .env("AFTERWORD_HOME", self.path("afterword"))
            .env("CLAUDE_CONFIG_DIR", self.path("claude"))
            .env("TZ", "UTC")
            .current_dir(self.path("work"))
            .stdin(Stdio::null());
        if let Some(root) = std::env::var_os("SystemRoot") {
            command.env("SystemRoot", root);
        }
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.ran(self.command(arguments).output().unwrap())
    }

    /// Runs what must succeed; gives its stdout.
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}\n{}{}", ran.stdout, ran.stderr);
        ran.stdout
    }

    /// Runs what must succeed with `--json`; gives what it printed.
    pub(crate) fn json(&self, arguments: &[&str]) -> serde_json::Value {
        let output = self.command(&[arguments, &["--json"]].concat()).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// The test's own paths replaced, so that a snapshot holds on every machine.
    fn ran(&self, output: Output) -> Ran {
        let real = self.root.path().canonicalize().unwrap();
        let clean = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).unwrap();
            let text = text.replace(&*real.to_string_lossy(), "[ROOT]");
            let text = text.replace(&*self.root.path().to_string_lossy(), "[ROOT]");
            if cfg!(windows) { text.replace('\\', "/") } else { text }
        };
        Ran { code: output.status.code(), stdout: clean(output.stdout), stderr: clean(output.stderr) }
    }

    /// Puts a transcript where Claude Code keeps a session's; gives its path.
    pub(crate) fn session(&self, id: &str, lines: &[String]) -> PathBuf {
        let folder = self.path("claude/projects/-home-ada-shop");
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("{id}.jsonl"));
        fs::write(&path, lines.concat()).unwrap();
        path
    }

    /// Adds to a transcript, as a session that goes on does.
    pub(crate) fn append(&self, path: &Path, lines: &[String]) {
        let mut file = fs::OpenOptions::new().append(true).open(path).unwrap();
        file.write_all(lines.concat().as_bytes()).unwrap();
    }

    /// Puts a sample session, made with the real client, where Claude Code keeps it; gives its id.
    pub(crate) fn sample(&self, name: &str) -> String {
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/sessions/transcripts");
        let text = fs::read_to_string(samples.join(format!("{name}.jsonl"))).unwrap();
        let after = text.rsplit_once("\"sessionId\":\"").unwrap().1;
        let id = after.split_once('"').unwrap().0.to_owned();
        let folder = self.path("claude/projects").join(format!("-{name}"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(format!("{id}.jsonl")), text).unwrap();
        id
    }

    /// The vault's files with their contents, by path below the vault.
    pub(crate) fn vault(&self) -> Vec<(String, String)> {
        files_below(&self.path("vault"))
    }

    /// Sets up a vault.
    pub(crate) fn init(&self) {
        self.ok(&["init", "--vault", self.path("vault").to_str().unwrap()]);
    }
}

/// The text files of a folder, by path below it.
pub(crate) fn files_below(root: &Path) -> Vec<(String, String)> {
    fn walk(folder: &Path, root: &Path, found: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, root, found);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let mut found = Vec::new();
    walk(root, root, &mut found);
    found.sort();
    found
}

/// Both streams and the exit code, as a snapshot holds them.
impl std::fmt::Display for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let code = self.code.map_or("signal".to_owned(), |code| code.to_string());
        write!(f, "exit {code}\n----- stdout -----\n{}----- stderr -----\n{}", self.stdout, self.stderr)
    }
}
