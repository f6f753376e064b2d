//! Connections that want a sign-in: a strict OAuth server and a real MCP server on loopback, the real client, the real
//! keyring. That no token is anywhere but in the keyring, and in one file while a run goes on.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::env::TestEnv;
use crate::keys::{Bus, files_with};
use crate::remote::{Remote, browse};
use afterword_testkit::ChildGuard;
use afterword_testkit::messages_api::{MessagesApi, Reply, last_words};
use afterword_testkit::real_client::{environment, installed, pass_over};

/// What the test works with.
struct SignInTest {
    env: TestEnv,
    bus: Bus,
    remote: Remote,
    model: MessagesApi,
    /// All that any command printed.
    shown: String,
}

impl SignInTest {
    fn start(script: impl FnMut(&Value) -> Reply + Send + 'static) -> Option<Self> {
        let env = TestEnv::new();
        let (client, bus) = (installed()?, Bus::start(&env)?);
        env.init();
        env.ok(&["config", "set", "claude.binary", client.to_str().unwrap()]);
        let stage = Self {
            env,
            bus,
            remote: Remote::start(),
            model: MessagesApi::start(script),
            shown: String::new(),
        };
        stage.env.ok(&["connections", "add", "mail", "--url", &stage.remote.address()]);
        Some(stage)
    }

    fn command(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = self.env.command(arguments);
        command.envs(environment(&self.env.path("home"), &self.model));
        command.env("DBUS_SESSION_BUS_ADDRESS", &self.bus.address);
        command
    }

    /// The agent; what it prints goes to a file that is searched in the end.
    fn app(&self) -> ChildGuard {
        let log =
            std::fs::OpenOptions::new().create(true).append(true).open(self.env.path("agent.log")).unwrap();
        let mut command = self.command(&["run"]);
        ChildGuard(command.stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap())
    }

    fn ran(&mut self, arguments: &[&str]) -> (Option<i32>, String) {
        let output = self.command(arguments).output().unwrap();
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        self.shown.push_str(&said);
        (output.status.code(), said)
    }

    /// Signs in as a person does, with a browser that follows the page's redirect.
    fn connect(&mut self) -> Value {
        let command = self.command(&["connections", "connect", "mail", "--no-browser", "--json"]);
        let (page, text, said) = sign_in(command, "");
        assert!(page.contains("You are signed in"), "{page} {:?}", self.remote.state().refused);
        self.shown.push_str(&text);
        self.shown.push_str(&said);
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{said}"))
    }

    fn task(&self, words: &str, more: &[&str]) -> String {
        let arguments = [&["task", "new", words, "--when", "now", "--connection", "mail"], more].concat();
        self.env.ok(&arguments).trim().to_owned()
    }

    fn until(&self, id: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let clock = Instant::now();
        loop {
            let shown = self.env.json(&["task", "show", id]);
            if wanted(&shown) {
                return shown;
            }
            if clock.elapsed() > Duration::from_secs(180) {
                let log = std::fs::read_to_string(self.env.path("agent.log")).unwrap_or_default();
                let asked = self.model.requests();
                let last =
                    asked.last().map(|body| (afterword_testkit::messages_api::tools(body), result(body)));
                let refused = &self.remote.state().refused;
                panic!("{shown:#}\n{log}\n{refused:?}\n{} requests, the last: {last:?}", asked.len());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn configurations(&self) -> Vec<PathBuf> {
        let found =
            std::fs::read_dir(self.env.path("afterword/state/connections")).into_iter().flatten().flatten();
        found.map(|entry| entry.path()).collect()
    }

    /// No token or code that was ever given is in a file, or in anything that was printed.
    fn no_token_is_left(&self) {
        let given = self.remote.state().given.clone();
        assert!(given.len() >= 3, "there were tokens");
        for token in given {
            // Parts of it count as well: they are cut for the keyring.
            let start = &token[..30];
            assert!(!self.shown.contains(start), "{start} was printed");
            for below in ["afterword", "vault", "home", "claude", "work", "agent.log"] {
                let path = self.env.path(below);
                let found = if path.is_dir() { files_with(&path, start) } else { Vec::new() };
                assert_eq!(found, Vec::<String>::new(), "{start}");
            }
            let log = std::fs::read_to_string(self.env.path("agent.log")).unwrap();
            assert!(!log.contains(start), "{log}");
        }
    }
}

/// Signs in as a person does: what the browser shows in the end, and what the command printed on stdout and stderr.
fn sign_in(mut command: std::process::Command, input: &str) -> (String, String, String) {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let mut words = BufReader::new(child.stderr.take().unwrap());
    let (mut said, mut page) = (String::new(), None);
    while page.is_none() {
        let mut line = String::new();
        assert!(words.read_line(&mut line).unwrap() > 0, "{said}");
        page = line.trim().starts_with("http").then(|| line.trim().to_owned());
        said.push_str(&line);
    }
    let shown = browse(&page.unwrap());
    words.read_to_string(&mut said).unwrap();
    let output = child.wait_with_output().unwrap();
    (shown, String::from_utf8(output.stdout).unwrap(), said)
}

/// What was said to the model since it last spoke: above all what its tool gave.
fn result(body: &Value) -> String {
    let messages = body["messages"].as_array().unwrap();
    let since = messages.iter().rposition(|one| one["role"] == "assistant").map_or(0, |at| at + 1);
    messages[since..].iter().map(|one| one["content"].to_string()).collect()
}

fn structured(value: Value) -> Reply {
    Reply::tool("StructuredOutput", value)
}

fn waits_for_sign_in(shown: &Value) -> bool {
    shown["conversation"]["status"] == "waiting_input"
        && shown["conversation"]["pending_question"]["concern"]["reconnect"] == "mail"
}

/// The whole way: turned away, signed in, at work with the remote tool and with one on this machine, renewed, taken back,
/// signed in again, signed out.
#[test]
fn run_uses_a_remote_server_it_was_signed_in_to() {
    let script = |body: &Value| {
        let words = last_words(body);
        let result = result(body);
        if result.contains("Invoice 17") {
            return Reply::tool("mcp__own__task", json!({"action": "list"}));
        }
        if result.contains("tasks") && result.contains("tool_result") {
            return structured(
                json!({"continue": true, "state_update": {"seen": 1}, "next_step": "look again",
                "message": "Invoice 17 is due on Friday."}),
            );
        }
        if words.contains("\"seen\":1") && words.contains("look again") && !words.contains("once more") {
            return structured(json!({"needs_input": true, "message": "Seen.",
                "question": {"type": "input", "prompt": "What now?"}}));
        }
        Reply::tool("mcp__mail__look", json!({}))
    };
    let Some(mut stage) = SignInTest::start(script) else {
        pass_over("there is no real client, or no GNOME Keyring");
        return;
    };
    let own = env!("CARGO_BIN_EXE_afterword");
    let home = format!("AFTERWORD_HOME={}", stage.env.path("other").display());
    stage.env.ok(&["connections", "add", "own", "--variable", &home, "--", own, "mcp"]);
    // Shorter than a run may take: it is renewed before each.
    stage.remote.state().lifetime = 60;
    // A hook of the user's own has no business in a run.
    let hook = format!("touch '{}'", stage.env.path("hooked").display());
    let hooks = json!({"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": hook}]}]}});
    std::fs::create_dir_all(stage.env.path("claude")).unwrap();
    std::fs::write(stage.env.path("claude/settings.json"), hooks.to_string()).unwrap();
    let id = stage.task("look at my mail", &["--connection", "own"]);
    let app = stage.app();

    let turned_away = stage.until(&id, waits_for_sign_in);
    assert_eq!(stage.model.requests().len(), 0, "a run that is not let in asks no model");
    let runs: Vec<&Value> =
        turned_away["runs"].as_array().unwrap().iter().map(|run| &run["outcome"]).collect();
    assert_eq!(runs, ["failed"], "{turned_away:#}");
    let signed_in = stage.connect();
    assert_eq!(signed_in["going_on"], json!([id]), "{signed_in}");
    // Work that goes on waits a minute at least; a person need not.
    stage.until(&id, |shown| shown["conversation"]["step"] == "look again");
    stage.env.ok(&["task", "run", &id]);
    let shown = stage.until(&id, |shown| shown["conversation"]["pending_question"]["prompt"] == "What now?");
    assert!(shown["messages"].to_string().contains("Invoice 17 is due on Friday."), "{shown:#}");
    let tools: Vec<String> = afterword_testkit::messages_api::tools(&stage.model.requests()[0]);
    assert!(tools.contains(&"mcp__mail__look".to_owned()), "{tools:?}");
    {
        let state = stage.remote.state();
        assert_eq!(
            (state.looked, state.seen.as_slice()),
            (1, [].as_slice()),
            "the tool ran, and nobody saw a token"
        );
        assert!(state.renewed >= 2, "renewed before each run");
        assert_eq!(state.refused, Vec::<String>::new());
    }
    assert_eq!(stage.configurations(), Vec::<PathBuf>::new(), "the file is gone with its run");

    // Taken back by the server: the person is asked once, and the run goes on when they have signed in again.
    stage.remote.take_everything_back();
    stage.env.ok(&["task", "answer", &id, "look once more"]);
    let shown = stage.until(&id, waits_for_sign_in);
    let asked = shown["messages"].as_array().unwrap().iter();
    assert_eq!(asked.filter(|one| one["content"].to_string().contains("has to be signed in")).count(), 2);
    stage.connect();
    stage.until(&id, |shown| {
        stage.remote.state().looked >= 2 && shown["conversation"]["pending_question"]["prompt"] == "What now?"
    });

    let log = std::fs::read_to_string(stage.env.path("agent.log")).unwrap();
    assert_eq!(
        log.matches("waits for you: The connection `mail`").count(),
        2,
        "one notification each: {log}"
    );
    drop(app);
    let (code, said) = stage.ran(&["connections", "disconnect", "mail"]);
    assert_eq!((code, said.trim()), (Some(0), "signed out of mail"));
    assert_eq!(stage.remote.state().taken_back, 2, "both tokens were handed back");
    assert_eq!(stage.ran(&["connections"]).0, Some(0));
    assert!(!stage.env.path("hooked").exists(), "no hook ran");
    stage.no_token_is_left();
}

/// Killed in the middle of a run, its configuration stays behind with a token; the next start removes it.
#[test]
fn configuration_of_a_killed_run_is_removed_at_the_next_start() {
    use std::os::unix::fs::PermissionsExt as _;

    let Some(mut stage) = SignInTest::start(|_| Reply::Silence) else {
        pass_over("there is no real client, or no GNOME Keyring");
        return;
    };
    stage.connect();
    let id = stage.task("look at my mail", &[]);
    let app = stage.app();
    stage.until(&id, |_| !stage.model.requests().is_empty());
    let [file] = &stage.configurations()[..] else { panic!("{:?}", stage.configurations()) };
    assert_eq!(std::fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    let text = std::fs::read_to_string(file).unwrap();
    let servers: Value = serde_json::from_str(&text).unwrap();
    let names: Vec<&String> = servers["mcpServers"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["mail"], "exactly those it names");
    drop(app);
    assert_eq!(stage.configurations().len(), 1, "SIGKILL leaves it");
    stage.env.ok(&["task", "pause", &id]);
    let app = stage.app();
    let clock = Instant::now();
    while !stage.configurations().is_empty() {
        let problem = format!(
            "{:?} {}",
            stage.configurations(),
            std::fs::read_to_string(stage.env.path("agent.log")).unwrap_or_default()
        );
        assert!(clock.elapsed() < Duration::from_secs(120), "{problem}");
        std::thread::sleep(Duration::from_millis(50));
    }
    drop(app);
    stage.no_token_is_left();
}

/// A client that the person registered: its id and port are settings, its secret is in the keyring and nowhere else.
#[test]
fn client_registered_by_hand_is_signed_in_with_and_its_secret_asked_for_once() {
    let env = TestEnv::new();
    let Some(bus) = Bus::start(&env) else {
        pass_over("there is no GNOME Keyring");
        return;
    };
    env.init();
    let remote = Remote::start();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let secret = "hand-made-secret-4711";
    remote.knows_only("by-hand", secret, free);
    let command = |arguments: &[&str]| {
        let mut command = env.command(arguments);
        command.env("DBUS_SESSION_BUS_ADDRESS", &bus.address);
        command
    };
    let connect = ["connections", "connect", "crm", "--no-browser", "--json"];
    env.ok(&["connections", "add", "crm", "--url", &remote.address()]);
    let refused = command(&connect).output().unwrap();
    assert!(!refused.status.success(), "nobody may register there");

    let port = free.to_string();
    env.ok(&[
        "connections",
        "add",
        "crm",
        "--url",
        &remote.address(),
        "--client-id",
        "by-hand",
        "--callback-port",
        &port,
    ]);
    let with_secret = [&connect[..], &["--client-secret"]].concat();
    let (page, text, said) = sign_in(command(&with_secret), &format!("{secret}\n"));
    assert!(page.contains("You are signed in"), "{page} {:?}", remote.state().refused);
    assert!(text.contains("\"connection\""), "{text}{said}");
    // The next time nobody has to look it up.
    remote.take_everything_back();
    let (_, text, said) = sign_in(command(&connect), "");
    assert!(text.contains("\"connection\""), "{text}{said} {:?}", remote.state().refused);
    for below in ["afterword", "vault", "home", "work"] {
        let path = env.path(below);
        let found = if path.is_dir() { files_with(&path, secret) } else { Vec::new() };
        assert_eq!(found, Vec::<String>::new(), "the secret is in a file");
    }
}

#[test]
fn only_what_wants_a_sign_in_can_be_signed_in_to() {
    let env = TestEnv::new();
    env.init();
    env.ok(&["connections", "add", "files", "--", env!("CARGO_BIN_EXE_afterword")]);
    // Nobody answers at this port of this machine.
    env.ok(&["connections", "add", "away", "--url", "http://127.0.0.1:9/mcp"]);
    for (name, expected) in [
        ("files", "there is nothing to sign in to"),
        ("away", "cannot be reached"),
        ("none", "no connection `none`"),
    ] {
        let ran = env.run(&["connections", "connect", name, "--no-browser"]);
        assert_eq!(ran.code, Some(1), "{name}");
        assert!(ran.stderr.contains(expected), "{name}: {}", ran.stderr);
    }
}

/// A server whose address is the secret: it is filled in for a run, from the keyring, and stands nowhere else.
#[test]
fn secret_of_an_address_is_filled_in_for_a_run_and_nowhere_else() {
    let env = TestEnv::new();
    let Some(bus) = Bus::start(&env) else {
        pass_over("there is no GNOME Keyring");
        return;
    };
    env.init();
    let secret = "street-lamp/4711+violet";
    let run = |arguments: &[&str], typed: &str| {
        let mut command = env.command(arguments);
        command.env("DBUS_SESSION_BUS_ADDRESS", &bus.address).stdin(Stdio::piped());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        assert!(!said.contains("4711"), "{said}");
        (output.status.code(), said)
    };
    // What the client is told of its servers is kept by a stand-in for it, outside everything that is searched in the end.
    let seen = env.path("seen");
    let answer = json!({"type": "result", "subtype": "success", "is_error": false, "num_turns": 1, "session_id": "s", "result": "",
        "structured_output": {"reply": "Found it."}, "total_cost_usd": 0.01, "usage": {"input_tokens": 1, "output_tokens": 1}});
    let body = format!(
        "while [ $# -gt 0 ]; do if [ \"$1\" = --mcp-config ]; then cp \"$2\" '{}'; fi; shift; done\necho '{answer}'",
        seen.display()
    );
    afterword_testkit::stand_in::client(&env, &body);
    env.ok(&["config", "set", "claude.binary", env.path("claude-stand-in").to_str().unwrap()]);
    let url = "https://maps.example.org/mcp?key={secret}";
    env.ok(&["connections", "add", "maps", "--url", url]);
    let task = ["task", "new", "find it", "--connection", "maps"];
    let (_, said) = run(&task, "");
    assert!(said.contains("afterword connections secret maps"), "{said}");

    assert_eq!(run(&["connections", "secret", "maps"], &format!("{secret}\n")).0, Some(0));
    let (code, said) = run(&task, "");
    assert!(code == Some(0) && said.contains("Found it."), "{said}");
    let told: Value = serde_json::from_str(&std::fs::read_to_string(&seen).unwrap()).unwrap();
    assert_eq!(
        told["mcpServers"]["maps"]["url"],
        "https://maps.example.org/mcp?key=street-lamp%2F4711%2Bviolet"
    );
    for below in ["afterword", "vault", "home", "claude", "work"] {
        let path = env.path(below);
        let found = if path.is_dir() { files_with(&path, "4711") } else { Vec::new() };
        assert_eq!(found, Vec::<String>::new(), "the secret is in a file");
    }
    let (code, said) = run(&["connections", "connect", "maps"], "");
    assert!(code != Some(0) && said.contains("nothing to sign in to"), "{said}");
    assert_eq!(run(&["connections", "remove", "maps"], "").0, Some(0));
    env.ok(&["connections", "add", "maps", "--url", url]);
    assert!(run(&task, "").1.contains("afterword connections secret maps"), "it went with the connection");
}
