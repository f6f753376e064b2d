//! `afterword config set-key|keys|delete-key` with a real keyring, and that a key is nowhere else.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use insta::assert_snapshot;

use crate::env::TestEnv;
use afterword_testkit::provider::{Provider, completion, message, preference};
use afterword_testkit::transcript::with_a_rule;

const ID: &str = "0b0b0d0c-1111-4222-8333-444455556666";
const KEY: &str = "sk-ant-made-up-0123456789abcdefghij";

/// A session bus of its own with GNOME Keyring on it, unlocked.
pub(crate) struct Bus {
    session: Child,
    pub(crate) address: String,
}

impl Bus {
    /// `None` where a machine has no GNOME Keyring.
    pub(crate) fn start(env: &TestEnv) -> Option<Self> {
        let script = r#"
            printf testpw | gnome-keyring-daemon --foreground --unlock --components=secrets > /dev/null 2>&1 &
            keyring=$!
            asked=0
            until dbus-send --session --print-reply=literal --dest=org.freedesktop.DBus / \
                org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets | grep -q true
            do asked=$((asked + 1)); [ $asked -lt 400 ] || exit 1; sleep 0.05; done
            echo "$DBUS_SESSION_BUS_ADDRESS"
            cat > /dev/null
            kill $keyring"#;
        let mut command = Command::new("dbus-run-session");
        command.args(["--", "sh", "-c", script]).env_clear();
        command.env("PATH", std::env::var_os("PATH")?);
        for (name, folder) in
            [("HOME", "keyring/home"), ("XDG_RUNTIME_DIR", "keyring/run"), ("XDG_DATA_HOME", "keyring/data")]
        {
            fs::create_dir_all(env.path(folder)).unwrap();
            command.env(name, env.path(folder));
        }
        let mut session =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        let mut address = String::new();
        BufReader::new(session.stdout.take()?).read_line(&mut address).ok()?;
        let address = address.trim().to_owned();
        if address.is_empty() {
            let _ = session.wait();
            return None;
        }
        Some(Self { session, address })
    }

    /// Runs a command on this bus, with a text typed into it; gives its exit code and all it printed.
    fn run(&self, env: &TestEnv, arguments: &[&str], typed: &str) -> (Option<i32>, String) {
        run_on(&self.address, env, arguments, typed)
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        // The end of its input ends the keyring and the bus.
        drop(self.session.stdin.take());
        let _ = self.session.wait();
    }
}

#[test]
fn a_key_is_in_the_keyring_and_nowhere_else() {
    let env = TestEnv::new();
    let Some(bus) = Bus::start(&env) else {
        eprintln!("skipped: dbus-run-session and gnome-keyring-daemon are not installed");
        return;
    };
    let mut shown = String::new();
    let mut run = |arguments: &[&str], typed: &str| {
        let (code, said) = bus.run(&env, arguments, typed);
        shown.push_str(&said);
        (code, said)
    };
    env.init();
    env.session(ID, &with_a_rule(ID));
    // While it answers, the program that asks it runs: nobody's arguments or variables hold the key then.
    let provider = Provider::answering(|request, index| {
        let (head, body) = request.split_once("\n\n").unwrap_or((request, ""));
        assert!(!body.contains(KEY));
        if index == 0 {
            assert_eq!(processes_with(KEY), Vec::<String>::new());
            return (401, "", format!(r#"{{"error":{{"message":"bad key {KEY}"}}}}"#));
        }
        if index == 1 {
            return (400, "", format!(r#"{{"error":{{"message":"bad request, {head}"}}}}"#));
        }
        let quote = "Always run the formatter";
        (
            200,
            "",
            message(
                "tool_use",
                &afterword_testkit::provider::lessons(&[], &[preference("Run it", 1, quote)]),
            ),
        )
    });
    assert_eq!(run(&["config", "set", "engine.anthropic_address", &provider.address], "").0, Some(0));

    let (code, said) = run(&["reflect", "--all", "--engine", "anthropic"], "");
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("anthropic needs a key") && said.contains("config set-key anthropic"), "{said}");
    let (_, none) = run(&["config", "keys"], "");
    assert!(none.contains("anthropic") && none.contains("none"), "{none}");

    assert_eq!(run(&["config", "set-key", "anthropic"], &format!("{KEY}\n")).0, Some(0));
    let (_, kept) = run(&["config", "keys"], "");
    assert!(kept.contains("kept"), "{kept}");
    for expected in [Some(1), Some(1), Some(0)] {
        let (code, said) = run(&["reflect", "--all", "--engine", "anthropic"], "");
        assert_eq!(code, expected, "{said}");
    }
    let heads = provider.received();
    assert_eq!(heads.len(), 3, "one call a run");
    assert!(
        heads.iter().all(|head| head.contains(&format!("x-api-key: {KEY}"))),
        "it is sent where it belongs"
    );

    // Sent to the host it was kept for, and to no other.
    assert_eq!(run(&["config", "set", "engine.anthropic_address", "http://127.0.0.1:9"], "").0, Some(0));
    let (_, other) = run(&["reflect", ID, "--engine", "anthropic"], "");
    assert!(other.contains("needs a key for 127.0.0.1:9"), "{other}");
    assert_eq!(run(&["config", "set", "engine.anthropic_address", &provider.address], "").0, Some(0));
    assert_eq!(run(&["config", "delete-key", "anthropic"], "").0, Some(0));
    let (_, none) = run(&["config", "keys"], "");
    assert!(!none.contains("kept"), "{none}");

    assert!(!shown.contains(KEY), "{shown}");
    for below in ["afterword", "vault", "home", "claude", "work"] {
        assert_eq!(files_with(&env.path(below), KEY), Vec::<String>::new());
    }
}

#[test]
fn a_key_for_a_compatible_server_is_nowhere_else_either() {
    let env = TestEnv::new();
    let Some(bus) = Bus::start(&env) else {
        eprintln!("skipped: dbus-run-session and gnome-keyring-daemon are not installed");
        return;
    };
    let mut shown = String::new();
    let mut run = |arguments: &[&str], typed: &str| {
        let (code, said) = bus.run(&env, arguments, typed);
        shown.push_str(&said);
        code
    };
    env.init();
    env.session(ID, &with_a_rule(ID));
    // It repeats the key in its complaint, as some do, and is well afterwards.
    let provider = Provider::answering(|request, index| {
        assert_eq!(processes_with(KEY), Vec::<String>::new());
        match index {
            0 => (
                400,
                "",
                format!(r#"{{"error":{{"message":"bad request: {}"}}}}"#, request.replace('"', "'")),
            ),
            _ => (
                200,
                "",
                completion("stop", r#"{"candidates": [], "lessons": [], "pages": [], "handoff": ""}"#),
            ),
        }
    });
    let address = format!("{}/v1", provider.address);
    for (key, value) in
        [("engine.name", "openai-compatible"), ("engine.model", "m"), ("engine.address", &address)]
    {
        assert_eq!(run(&["config", "set", key, value], ""), Some(0));
    }
    assert_eq!(run(&["config", "set-key", "openai-compatible"], &format!("{KEY}\n")), Some(0));
    assert_eq!(run(&["reflect", "--all"], ""), Some(1), "it complained");
    assert_eq!(run(&["reflect", "--all"], ""), Some(0));
    let received = provider.received();
    assert_eq!(received.len(), 2);
    assert!(
        received.iter().all(|head| head.contains(&format!("authorization: Bearer {KEY}"))),
        "{received:?}"
    );
    assert!(!shown.contains(KEY), "{shown}");
    for below in ["afterword", "vault", "home", "claude", "work"] {
        assert_eq!(files_with(&env.path(below), KEY), Vec::<String>::new());
    }
}

#[test]
fn a_dry_run_asks_nobody_and_says_so() {
    let env = TestEnv::new();
    env.init();
    env.session(ID, &with_a_rule(ID));
    let told = env.run(&["reflect", ID, "--dry-run", "--engine", "anthropic"]).to_string();
    assert!(told.contains("exit 0") && told.contains("anthropic was not asked"), "{told}");
    assert!(told.contains("sends nothing and costs nothing"), "{told}");
}

#[test]
fn without_a_keyring_no_key_is_kept() {
    let env = TestEnv::new();
    let (code, said) = run_on("unix:path=/nowhere", &env, &["config", "set-key", "anthropic"], KEY);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("error: there is no keyring") && said.contains("hint: "), "{said}");
    assert_eq!(files_with(&env.path(""), KEY), Vec::<String>::new());
}

#[test]
fn only_engines_that_take_a_key_have_one() {
    let env = TestEnv::new();
    assert_snapshot!(env.run(&["config", "set-key", "claude-code"]), @r"
    exit 1
    ----- stdout -----
    ----- stderr -----
    error: there is no engine `claude-code` that takes a key
    hint: `anthropic` and `openai-compatible` take one
    ");
}

/// Runs a command on the session bus at an address, with a text typed into it; gives its exit code and all it printed.
fn run_on(address: &str, env: &TestEnv, arguments: &[&str], typed: &str) -> (Option<i32>, String) {
    let mut command = env.command(arguments);
    command.env("DBUS_SESSION_BUS_ADDRESS", address);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    (output.status.code(), said)
}

/// Processes, but for this one, that have a text among their arguments or variables.
pub(crate) fn processes_with(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        for name in ["cmdline", "environ"] {
            let bytes = fs::read(entry.path().join(name)).unwrap_or_default();
            if String::from_utf8_lossy(&bytes).contains(text) {
                found.push(entry.path().join(name).to_string_lossy().into_owned());
            }
        }
    }
    found
}

/// Files below a folder that hold a text.
pub(crate) fn files_with(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_with(&path, text));
        } else if fs::read(&path)
            .is_ok_and(|bytes| bytes.windows(text.len()).any(|part| part == text.as_bytes()))
        {
            found.push(path.to_string_lossy().into_owned());
        }
    }
    found
}
