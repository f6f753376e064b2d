//! A machine of its own for each test: a home, Claude Code's directory, a vault, and nothing inherited. It is gone with the value.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use afterword_platform::paths::{Environment, Paths};
use tempfile::TempDir;

#[cfg(feature = "app")]
mod use_cases;

/// The folder below Claude Code's `projects` where [`Sandbox::session`] puts sessions.
const PROJECT: &str = "-home-ada-shop";

/// Directories of one test.
pub struct Sandbox {
    root: TempDir,
}

impl Sandbox {
    /// A home without a vault, and a directory to work in.
    #[allow(clippy::new_without_default, reason = "a sandbox makes directories")]
    pub fn empty() -> Self {
        // No name that hides, as the usual one of a temporary folder does.
        let root = tempfile::Builder::new().prefix("aw").tempdir().unwrap();
        fs::create_dir(root.path().join("work")).unwrap();
        Self { root }
    }

    /// The root of everything.
    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// A path below the root.
    pub fn path(&self, below: &str) -> PathBuf {
        self.root.path().join(below)
    }

    /// The directory that programs run in.
    pub fn work(&self) -> PathBuf {
        self.path("work")
    }

    /// What the program is told of the machine.
    pub fn environment(&self) -> Environment {
        Environment {
            afterword_home: Some(self.path("afterword")),
            claude_config_dir: Some(self.path("claude")),
            home: Some(self.path("home")),
            working_directory: self.work(),
        }
    }

    /// A program that knows this machine and nothing of the one it runs on.
    pub fn command(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.path("home"))
            .env("USERPROFILE", self.path("home"))
            .env("AFTERWORD_HOME", self.path("afterword"))
            .env("CLAUDE_CONFIG_DIR", self.path("claude"))
            .env("TZ", "UTC")
            .current_dir(self.work())
            .stdin(Stdio::null());
        // Without them a program for Windows finds neither its system nor a folder for temporary files.
        for name in ["SystemRoot", "TEMP", "TMP"] {
            if let Some(value) = std::env::var_os(name).filter(|_| cfg!(windows)) {
                command.env(name, value);
            }
        }
        command
    }

    /// Where the program's own files are.
    pub fn paths(&self) -> Paths {
        Paths::new(&self.environment()).unwrap()
    }

    /// Puts a transcript where Claude Code keeps a session's; gives its path.
    pub fn session(&self, id: &str, lines: &[String]) -> PathBuf {
        self.session_in(PROJECT, id, lines)
    }

    /// The same in another folder of `projects`.
    pub fn session_in(&self, project: &str, id: &str, lines: &[String]) -> PathBuf {
        self.write_session(&self.path("claude"), project, id, lines)
    }

    /// The same in another directory of Claude Code, below the root.
    pub fn session_of(&self, claude: &str, id: &str, lines: &[String]) -> PathBuf {
        self.write_session(&self.path(claude), PROJECT, id, lines)
    }

    fn write_session(&self, claude: &Path, project: &str, id: &str, lines: &[String]) -> PathBuf {
        let folder = claude.join("projects").join(project);
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("{id}.jsonl"));
        fs::write(&path, lines.concat()).unwrap();
        path
    }

    /// Adds to a transcript, as a session that goes on does.
    pub fn append(&self, path: &Path, lines: &[String]) {
        let mut file = fs::File::options().append(true).open(path).unwrap();
        file.write_all(lines.concat().as_bytes()).unwrap();
    }

    /// Puts a sample session, made with the real client, where Claude Code keeps it; gives its id.
    pub fn sample(&self, name: &str) -> String {
        let text = fs::read_to_string(samples().join(format!("{name}.jsonl"))).unwrap();
        let id = session_id(&text);
        self.session_in(&format!("-{name}"), &id, &[text]);
        id
    }

    /// Puts all sample sessions there, in one project.
    pub fn samples(&self) {
        let mut paths: Vec<_> = fs::read_dir(samples()).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let first = SystemTime::now() - Duration::from_secs(paths.len() as u64);
        for (seconds, path) in (0..).zip(paths.iter().filter(|path| path.is_file())) {
            let text = fs::read_to_string(path).unwrap();
            let transcript = self.session(&session_id(&text), std::slice::from_ref(&text));
            // Sessions are read in the order of their files' times, which is the same on every machine.
            set_modified(&transcript, first + Duration::from_secs(seconds));
        }
    }

    /// The text files of the vault at `vault`, by path below it.
    pub fn vault(&self) -> Vec<(String, String)> {
        files_below(&self.path("vault"))
    }

    /// The vault's notes that carry a lesson or an idea, with their text, by path below `Afterword`.
    pub fn lessons(&self) -> Vec<(String, String)> {
        let mut files = files_below(&self.path("vault/Afterword"));
        files.retain(|(_, text)| text.contains("\nkey: ") && !text.contains("\nkind: project\n"));
        files
    }

    /// Their paths.
    pub fn names(&self) -> Vec<String> {
        self.lessons().into_iter().map(|(name, _)| name).collect()
    }
}

/// The text files of a folder, by path below it.
pub fn files_below(root: &Path) -> Vec<(String, String)> {
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

/// The notes of a vault, by path below it, as they are while other programs work on it: what vanishes meanwhile, hides or is no
/// markdown is none.
pub fn notes_below(vault: &Path) -> BTreeMap<String, String> {
    fn walk(folder: &Path, vault: &Path, found: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            if path.is_dir() {
                walk(&path, vault, found);
            } else if path.extension().is_some_and(|extension| extension == "md")
                && let Ok(bytes) = fs::read(&path)
            {
                let name = path.strip_prefix(vault).unwrap().to_string_lossy().replace('\\', "/");
                found.insert(name, String::from_utf8_lossy(&bytes).into_owned());
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(vault, vault, &mut found);
    found
}

/// Says when a file was last changed.
pub fn set_modified(path: &Path, time: SystemTime) {
    fs::File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
}

/// The folder of the sample sessions, made with the real client.
pub fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/sessions/transcripts")
}

/// The id that a transcript's last entry has.
fn session_id(text: &str) -> String {
    let (_, after) = text.rsplit_once("\"sessionId\":\"").unwrap();
    after.split_once('"').unwrap().0.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::with_a_rule;

    const ID: &str = "0f0e0d0c-1111-4222-8333-444455556666";

    #[test]
    fn two_sandboxes_share_nothing() {
        let (one, other) = (Sandbox::empty(), Sandbox::empty());
        let path = one.session(ID, &with_a_rule(ID));
        assert!(path.starts_with(one.root()) && !path.starts_with(other.root()));
        assert!(other.paths().config_file.starts_with(other.root()));
        assert!(!other.path("claude").exists());
    }

    #[test]
    fn a_session_grows_and_a_sample_has_its_own_id() {
        let sandbox = Sandbox::empty();
        let lines = with_a_rule(ID);
        let path = sandbox.session(ID, &lines[..1]);
        sandbox.append(&path, &lines[1..]);
        assert_eq!(fs::read_to_string(path).unwrap(), lines.concat());
        sandbox.samples();
        let folder = sandbox.path("claude/projects").join(PROJECT);
        assert!(fs::read_dir(folder).unwrap().count() > 2);
    }
}
