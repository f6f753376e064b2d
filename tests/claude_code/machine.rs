//! A machine of its own for each test: a home, projects, a vault, the client, the model, and nothing inherited.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use afterword_testkit::{ChildGuard, Sandbox, program, real_client};
use serde_json::{Value, json};

use crate::stub::Stub;

/// Longest wait for anything; a loaded machine starts the client slowly.
const PATIENCE: Duration = Duration::from_secs(300);
/// A made-up key; the client wants one.
pub(crate) const KEY: &str = "sk-ant-made-up-key-0";

pub(crate) struct Machine {
    /// Ends before its files go.
    agent: Option<ChildGuard>,
    sandbox: Sandbox,
    pub(crate) client: PathBuf,
    pub(crate) afterword: PathBuf,
    pub(crate) stub: Stub,
}

impl Machine {
    /// A machine with a vault, or `None` where the client cannot be had, which is said.
    pub(crate) fn new() -> Option<Self> {
        let Some(client) = real_client::installed() else {
            println!("skipped: the real client is not here: `scripts/client` installs it");
            return None;
        };
        let machine = Self {
            agent: None,
            sandbox: Sandbox::empty(),
            client,
            afterword: program::built().to_owned(),
            stub: Stub::start(),
        };
        fs::create_dir_all(machine.home().join(".claude")).unwrap();
        let vault = machine.vault();
        machine.ok(&["init", "--vault", vault.to_str().unwrap()]);
        Some(machine)
    }

    /// A path below the root, as the client writes it.
    fn path(&self, below: &str) -> PathBuf {
        self.sandbox.root().canonicalize().unwrap().join(below)
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.path("home")
    }

    pub(crate) fn vault(&self) -> PathBuf {
        self.path("vault")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.path("afterword/state")
    }

    /// A folder to work in.
    pub(crate) fn project(&self, name: &str) -> PathBuf {
        let folder = self.home().join(name);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// Nothing of this process's own environment.
    pub(crate) fn environment(&self) -> Vec<(String, String)> {
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", self.afterword.parent().unwrap().display());
        let text = |path: PathBuf| path.to_str().unwrap().to_owned();
        let pairs = [
            ("HOME", text(self.home())),
            ("PATH", path),
            ("TERM", "xterm-256color".to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
            ("SHELL", "/bin/sh".to_owned()),
            ("ANTHROPIC_BASE_URL", self.stub.address()),
            ("ANTHROPIC_API_KEY", KEY.to_owned()),
            ("DISABLE_TELEMETRY", "1".to_owned()),
            ("DISABLE_AUTOUPDATER", "1".to_owned()),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".to_owned()),
            // The client gives hooks at a session's end a second and a half; a loaded machine takes longer to start one.
            ("CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS", "60000".to_owned()),
            ("IS_SANDBOX", "1".to_owned()),
            ("AFTERWORD_HOME", text(self.path("afterword"))),
        ];
        pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn command(&self, program: &Path, folder: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(self.environment()).current_dir(folder).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.run_in(&self.home(), arguments)
    }

    pub(crate) fn run_in(&self, folder: &Path, arguments: &[&str]) -> Output {
        fs::create_dir_all(folder).unwrap();
        self.command(&self.afterword, folder).args(arguments).output().unwrap()
    }

    /// `afterword`, not started yet.
    pub(crate) fn afterword(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(&self.afterword, &self.home());
        command.args(arguments);
        command
    }

    /// Runs `afterword` where it must succeed; gives what it printed.
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Puts Afterword into the client's settings.
    pub(crate) fn install(&self) {
        self.ok(&["install", "claude-code", "--yes"]);
    }

    /// Starts the agent.
    pub(crate) fn follow(&mut self) {
        let mut command = self.afterword(&["run", "--json"]);
        let log = fs::File::create(self.sandbox.path("agent.log")).unwrap();
        command.stdout(log.try_clone().unwrap()).stderr(log);
        self.agent = Some(ChildGuard(command.spawn().unwrap()));
        self.until("the agent runs", || self.state().join("agent.json").exists().then_some(()));
    }

    /// The client, headless, not started yet.
    pub(crate) fn claude(&self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = self.command(&self.client, folder);
        command.args(arguments);
        command
    }

    /// One headless turn that must succeed; gives the client's result.
    pub(crate) fn say(&self, folder: &Path, words: &str, arguments: &[&str]) -> Value {
        let base = ["-p", words, "--output-format", "json"];
        let child = self
            .claude(folder, &[&base, arguments].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = self.wait_for_end(child);
        let (stdout, stderr) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{stdout}\n{stderr}");
        let result: Value =
            serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}\n{stderr}"));
        assert_eq!(result["is_error"], false, "{result}");
        assert!(!stderr.to_lowercase().contains("hook"), "{stderr}");
        result
    }

    fn wait_for_end(&self, mut child: Child) -> Output {
        let begun = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if begun.elapsed() > PATIENCE {
                let _ = child.kill();
                panic!("the client does not end: {:?}", child.wait_with_output().unwrap());
            }
            thread::sleep(Duration::from_millis(50));
        }
        child.wait_with_output().unwrap()
    }

    /// The sessions as `afterword sessions` lists them.
    pub(crate) fn sessions(&self) -> Vec<Value> {
        let list: Value = serde_json::from_str(&self.ok(&["sessions", "--json"])).unwrap();
        list["sessions"].as_array().unwrap().clone()
    }

    pub(crate) fn is_reflected(&self, session: &str) -> bool {
        let is_it = |one: &Value| one["session_id"] == session && one["state"] == "reflected";
        self.sessions().iter().any(is_it)
    }

    /// Waits until the agent has reflected a session.
    pub(crate) fn until_reflected(&self, session: &str) {
        self.until("the session is reflected", || self.is_reflected(session).then_some(()));
    }

    /// How often a session began or was gone on with, as its timeline has it.
    pub(crate) fn beginnings(&self, session: &str) -> usize {
        let told: serde_json::Value =
            serde_json::from_str(&self.ok(&["sessions", "--timeline", session, "--json"])).unwrap();
        let entries = told["timeline"].as_array().unwrap();
        entries.iter().filter(|entry| entry["what"] == "began" || entry["what"] == "active").count()
    }

    /// The notes of lessons, with their text.
    pub(crate) fn lessons(&self) -> Vec<String> {
        let folders = ["Preferences", "Workflows", "Fixes", "_review", "_inbox"];
        let files = folders
            .iter()
            .filter_map(|folder| fs::read_dir(self.vault().join("Afterword").join(folder)).ok());
        let paths = files.flatten().flatten().map(|entry| entry.path());
        let notes = paths.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
        notes.map(|path| fs::read_to_string(path).unwrap()).collect()
    }

    /// How many notes say this.
    pub(crate) fn lessons_about(&self, words: &str) -> usize {
        self.lessons().iter().filter(|text| text.contains(words)).count()
    }

    /// Waits for something, at most as long as anybody would.
    #[track_caller]
    pub(crate) fn until<T>(&self, what: &str, test: impl Fn() -> Option<T>) -> T {
        let begun = Instant::now();
        loop {
            if let Some(value) = test() {
                return value;
            }
            let log = || fs::read_to_string(self.sandbox.path("agent.log")).unwrap_or_default();
            assert!(begun.elapsed() < PATIENCE, "never: {what}\n{}", log());
            thread::sleep(Duration::from_millis(100));
        }
    }

    /// What a person answered before: the questions of a first start are no part of a test.
    pub(crate) fn onboard(&self, folder: &Path) {
        let path = self.home().join(".claude.json");
        let mut known: Value = fs::read_to_string(&path)
            .ok()
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or(json!({}));
        known["hasCompletedOnboarding"] = json!(true);
        known["theme"] = json!("dark");
        // The question whether to draw in another way, of newer clients.
        known["fullscreenUpsellSeenCount"] = json!(3);
        known["customApiKeyResponses"] = json!({"approved": [KEY[KEY.len() - 20..]], "rejected": []});
        let trusted = json!({"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true});
        known["projects"][folder.to_str().unwrap()] = trusted;
        fs::write(path, serde_json::to_string_pretty(&known).unwrap()).unwrap();
    }
}
