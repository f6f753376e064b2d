//! A machine whose disk loses its power: Afterword's home and the vault are on it; Claude Code's sessions are not, as keeping
//! those is Claude Code's own affair.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, SystemTime};

use serde_json::Value;
use tempfile::TempDir;

use crate::mount::Mount;
use crate::program;

/// Far longer than anything here takes; a machine under load is no failure.
const PATIENCE: Duration = Duration::from_secs(180);

pub(crate) struct Machine {
    // Before the folder it is mounted in.
    pub(crate) mount: Mount,
    root: TempDir,
    agent: Option<Agent>,
}

struct Agent {
    process: Child,
    lines: Receiver<String>,
}

impl Machine {
    /// A machine with a vault; `Err` says why there can be none.
    pub(crate) fn new(seed: u64) -> std::io::Result<Self> {
        let root = tempfile::Builder::new().prefix("aw").tempdir()?;
        for folder in ["home", "claude", "work"] {
            fs::create_dir(root.path().join(folder))?;
        }
        let mount = Mount::new(&root.path().join("disk"), seed)?;
        Ok(Self { mount, root, agent: None })
    }

    pub(crate) fn vault(&self) -> PathBuf {
        self.mount.place().join("vault")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.mount.place().join("afterword")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(program::built());
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.root.path().join("home"))
            .env("AFTERWORD_HOME", self.home())
            .env("CLAUDE_CONFIG_DIR", self.root.path().join("claude"))
            .env("TZ", "UTC")
            .current_dir(self.root.path().join("work"))
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs what must succeed; gives what it printed.
    #[track_caller]
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(output.status.success(), "{arguments:?}: {}{}", text(&output.stdout), text(&output.stderr));
        text(&output.stdout)
    }

    /// Asks with `--json`; gives what was printed, or what was said instead.
    pub(crate) fn ask(&self, arguments: &[&str]) -> Result<Value, String> {
        let output = self.run(&[arguments, &["--json"]].concat());
        let said = || format!("{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        if output.status.success() {
            serde_json::from_slice(&output.stdout).map_err(|_| said())
        } else {
            Err(said())
        }
    }

    /// What a hook is given on its standard input.
    pub(crate) fn hook(&self, event: &str, input: &Value) {
        let mut process =
            self.command(&["hook", event]).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        process.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
        assert!(process.wait().unwrap().success());
    }

    /// A session in which the person gives a rule no other session has, last written a day ago.
    pub(crate) fn write_session(&self, number: usize) -> String {
        let id = session_id(number);
        let rule =
            format!("No. From now on never change the schema without asking about ticket zq{number}x first.");
        let words = [
            ("user", "add a column to the table"),
            ("assistant", "I changed it in place."),
            ("user", rule.as_str()),
            ("assistant", "Understood."),
            ("user", "then go on"),
            ("assistant", "It is done."),
        ];
        let entry = |(line, (kind, text)): (usize, &(&str, &str))| {
            let entry = serde_json::json!({
                "isSidechain": false, "userType": "external", "cwd": format!("/home/ada/p{number}"),
                "sessionId": id, "version": "2.1.197", "uuid": format!("{number:08}-0000-4000-8000-{line:012}"),
                "timestamp": format!("2026-03-01T10:00:{line:02}.000Z"), "type": kind,
                "message": {"role": kind, "id": format!("m{line}"), "content": [{"type": "text", "text": text}]},
            });
            format!("{entry}\n")
        };
        let text: String = words.iter().enumerate().map(entry).collect();
        let path = self.transcript(number);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let file = File::options().write(true).open(&path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(86_400)).unwrap();
        id
    }

    pub(crate) fn transcript(&self, number: usize) -> PathBuf {
        let id = session_id(number);
        self.root.path().join(format!("claude/projects/-home-ada-p{number}/{id}.jsonl"))
    }

    /// Puts a note that waits into the vault, as an editor does that takes care: flushed, with its name.
    pub(crate) fn write_note(&self, number: usize) -> String {
        let id = format!("0192f000-0000-7000-8000-{number:012}");
        let text = format!(
            "---\nid: {id}\nkey: \"{number:032}\"\ntitle: Perhaps zp{number}x\nkind: fix\nstatus: inbox\n---\n\nIt waits, zp{number}x.\n"
        );
        let folder = self.vault().join("Afterword/_inbox");
        create_folders(&folder);
        let mut file = File::create(folder.join(format!("note-{number}.md"))).unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file.sync_all().unwrap();
        File::open(&folder).unwrap().sync_all().unwrap();
        id
    }

    pub(crate) fn write_work(&self, name: &str, text: &str) {
        fs::write(self.root.path().join("work").join(name), text).unwrap();
    }

    /// The text of every note, by path below the vault; what hides is no note.
    pub(crate) fn notes(&self) -> Vec<(String, String)> {
        let mut notes = Vec::new();
        walk(&self.vault(), &self.vault(), &mut notes);
        notes
    }

    pub(crate) fn start_agent(&mut self) {
        let mut process =
            self.command(&["run", "--json"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (send, lines) = channel();
        let output = BufReader::new(process.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        self.agent = Some(Agent { process, lines });
    }

    pub(crate) fn has_agent(&self) -> bool {
        self.agent.is_some()
    }

    /// Waits until the agent says that a session's reflection is done.
    pub(crate) fn wait_for_job(&self, session: &str) {
        let agent = self.agent.as_ref().expect("the agent runs");
        loop {
            let line = agent.lines.recv_timeout(PATIENCE).expect("the agent says what it did");
            let event: Value = serde_json::from_str(&line).unwrap();
            if event["session_id"] == session {
                assert_ne!(event["event"], "job-failed", "{line}");
                if event["event"] == "job-completed" {
                    return;
                }
            }
        }
    }

    /// What the power's failure ends.
    pub(crate) fn kill_agent(&mut self) {
        if let Some(mut agent) = self.agent.take() {
            agent.process.kill().unwrap();
            agent.process.wait().unwrap();
        }
    }

    /// What SQLite says of the database as the cut left it; on a copy, so that the program is the first to open it.
    pub(crate) fn integrity(&self) -> String {
        let copy = self.root.path().join("copy");
        let _ = fs::remove_dir_all(&copy);
        fs::create_dir(&copy).unwrap();
        for file in ["afterword.db", "afterword.db-wal"] {
            let path = self.home().join("state").join(file);
            if path.exists() {
                fs::copy(&path, copy.join(file)).unwrap();
            }
        }
        let database = rusqlite::Connection::open(copy.join("afterword.db")).unwrap();
        let check = database.query_row("PRAGMA integrity_check", (), |row| row.get(0));
        check.unwrap_or_else(|error| error.to_string())
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        if let Some(mut agent) = self.agent.take() {
            let _ = agent.process.kill();
            let _ = agent.process.wait();
        }
    }
}

pub(crate) fn session_id(number: usize) -> String {
    format!("5f0a0000-0000-4000-8000-{number:012}")
}

/// Makes folders and flushes each new name.
fn create_folders(folder: &Path) {
    if folder.is_dir() {
        return;
    }
    let parent = folder.parent().unwrap();
    create_folders(parent);
    fs::create_dir(folder).unwrap();
    File::open(parent).unwrap().sync_all().unwrap();
}

fn walk(folder: &Path, root: &Path, notes: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let entry = entry.unwrap();
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        if path.is_dir() {
            walk(&path, root, notes);
        } else {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            notes.push((name, String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned()));
        }
    }
}
