//! A machine of its own for each test: a home, Claude Code's directory, a vault, and nothing inherited.

use std::io::Write as _;
use std::ops::Deref;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use afterword_testkit::Sandbox;

/// A sandbox, and the binary to run in it.
pub(crate) struct TestEnv {
    sandbox: Sandbox,
}

impl Deref for TestEnv {
    type Target = Sandbox;

    fn deref(&self) -> &Sandbox {
        &self.sandbox
    }
}

/// What a command printed and how it ended.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl TestEnv {
    /// Without a vault; [`TestEnv::init`] sets one up.
    pub(crate) fn new() -> Self {
        Self { sandbox: Sandbox::empty() }
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.sandbox.command(Path::new(env!("CARGO_BIN_EXE_afterword")), arguments)
    }

    /// The same below strace, which writes the system calls of a class, also those of other processes it starts, to a file.
    #[cfg(target_os = "linux")]
    pub(crate) fn traced(&self, arguments: &[&str], calls: &str, trace: &Path) -> Command {
        let plain = self.command(arguments);
        let mut traced = Command::new("strace");
        traced.args(["-f", "-e", &format!("trace={calls}"), "-o"]).arg(trace).arg(plain.get_program());
        traced.args(plain.get_args()).env_clear();
        traced.envs(plain.get_envs().map(|(name, value)| (name, value.unwrap())));
        traced.env("PATH", std::env::var_os("PATH").unwrap_or_default()).current_dir(self.path("work"));
        traced
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
        let real = self.root().canonicalize().unwrap();
        let clean = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).unwrap();
            let text = text.replace(&*real.to_string_lossy(), "[ROOT]");
            let text = text.replace(&*self.root().to_string_lossy(), "[ROOT]");
            if cfg!(windows) {
                text.replace('\\', "/").replace("Usage: afterword.exe", "Usage: afterword")
            } else {
                text
            }
        };
        Ran { code: output.status.code(), stdout: clean(output.stdout), stderr: clean(output.stderr) }
    }

    /// Starts a hook as Claude Code does; gives what it prints.
    #[track_caller]
    pub(crate) fn hook(&self, event: &str, input: &[u8]) -> String {
        let mut command = self.command(&["hook", event]);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Sets up a vault.
    pub(crate) fn init(&self) {
        self.ok(&["init", "--vault", self.path("vault").to_str().unwrap()]);
    }
}

/// Whether nothing can be traced here, which is said. Where strace is, the system may still not let it look.
#[cfg(target_os = "linux")]
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
pub(crate) fn strace_is_missing() -> bool {
    let looks = Command::new("strace").args(["-o", "/dev/null", "true"]).stderr(Stdio::null()).status();
    let is_missing = !looks.is_ok_and(|status| status.success());
    if is_missing {
        println!("skipped: there is no strace here, or it may not be used");
    }
    is_missing
}

/// Both streams and the exit code, as a snapshot holds them.
impl std::fmt::Display for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let code = self.code.map_or("signal".to_owned(), |code| code.to_string());
        write!(f, "exit {code}\n----- stdout -----\n{}----- stderr -----\n{}", self.stdout, self.stderr)
    }
}
