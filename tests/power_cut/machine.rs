//! A machine whose disk loses its power: Afterword's home and the vault are on it; Claude Code's sessions are not, as keeping
//! those is Claude Code's own affair.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, SystemTime};

use afterword_testkit::transcript::Transcript;
use afterword_testkit::{ChildGuard, Sandbox, notes_below, program, set_modified};
use serde_json::Value;

use crate::mount::Mount;

/// Far longer than anything here takes; a machine under load is no failure.
const PATIENCE: Duration = Duration::from_secs(180);

pub(crate) struct Machine {
    // Dropped in this order: who writes, the disk, the folder it is mounted in.
    agent: Option<Agent>,
    pub(crate) mount: Mount,
    sandbox: Sandbox,
}

struct Agent {
    process: ChildGuard,
    lines: Receiver<String>,
}

impl Machine {
    /// A machine with a vault; `Err` says why there can be none.
    pub(crate) fn new(seed: u64) -> std::io::Result<Self> {
        let sandbox = Sandbox::empty();
        let mount = Mount::new(&sandbox.path("disk"), seed)?;
        Ok(Self { mount, sandbox, agent: None })
    }

    pub(crate) fn vault(&self) -> PathBuf {
        self.mount.place().join("vault")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.mount.place().join("afterword")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.sandbox.command(program::built(), arguments);
        command.env("AFTERWORD_HOME", self.home());
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
        let transcript = Transcript::new(&id).with_own_uuids().in_folder(&format!("/home/ada/p{number}"));
        let lines = [
            transcript.typed(1, "add a column to the table"),
            transcript.answered(2, "I changed it in place."),
            transcript.typed(3, &rule),
            transcript.answered(4, "Understood."),
            transcript.typed(5, "then go on"),
            transcript.answered(6, "It is done."),
        ];
        let path = self.sandbox.session_in(&project(number), &id, &lines);
        set_modified(&path, SystemTime::now() - Duration::from_secs(86_400));
        id
    }

    pub(crate) fn transcript(&self, number: usize) -> PathBuf {
        self.sandbox.path(&format!("claude/projects/{}/{}.jsonl", project(number), session_id(number)))
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
        fs::write(self.sandbox.work().join(name), text).unwrap();
    }

    /// The text of every note, by path below the vault; what hides is no note.
    pub(crate) fn notes(&self) -> BTreeMap<String, String> {
        notes_below(&self.vault())
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
        self.agent = Some(Agent { process: ChildGuard(process), lines });
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
        if let Some(agent) = self.agent.take() {
            agent.process.kill();
        }
    }

    /// What SQLite says of the database as the cut left it; on a copy, so that the program is the first to open it.
    pub(crate) fn integrity(&self) -> String {
        let copy = self.sandbox.path("copy");
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

/// The folder of `projects` where its session is.
fn project(number: usize) -> String {
    format!("-home-ada-p{number}")
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
