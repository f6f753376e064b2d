//! The real client, where it is installed, for tests that run it against a [`MessagesApi`].
//!
//! It is the npm package `@anthropic-ai/claude-code`; where it is, `AFTERWORD_CLIENT` says, else it is looked for where `scripts/client`
//! puts it. It runs in an environment of its own and can reach nothing but the stand-in.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::messages_api::MessagesApi;

/// All that the client may know of the machine, with its home and the model it asks.
pub fn environment(home: &Path, api: &MessagesApi) -> Vec<(OsString, OsString)> {
    let variable = |name: &str, value: &str| (OsString::from(name), OsString::from(value));
    vec![
        ("HOME".into(), home.into()),
        variable("PATH", "/usr/local/bin:/usr/bin:/bin"),
        variable("TERM", "xterm"),
        variable("TZ", "UTC"),
        variable("ANTHROPIC_BASE_URL", &api.address()),
        variable("ANTHROPIC_API_KEY", "made-up-key"),
        variable("DISABLE_TELEMETRY", "1"),
        variable("DISABLE_AUTOUPDATER", "1"),
        variable("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ]
}

/// The client with such an environment; none where it is not installed.
#[cfg(feature = "app")]
pub fn client(home: &Path, api: &MessagesApi) -> Option<afterword_claude_code::client::Client> {
    let program = installed()?;
    std::fs::create_dir_all(home).unwrap();
    Some(afterword_claude_code::client::Client::new(program).with_environment(environment(home, api)))
}

/// Whether the real client is not installed and the test is to be left.
pub fn client_is_missing() -> bool {
    let is_missing = installed().is_none();
    if is_missing {
        pass_over("the real client is not installed (scripts/client)");
    }
    is_missing
}

/// Says that something a test needs is not on this machine; `AFTERWORD_CLIENT_REQUIRED` makes that a failure.
#[allow(clippy::print_stderr, reason = "a test that passed over something says so")]
pub fn pass_over(missing: &str) {
    assert!(std::env::var_os("AFTERWORD_CLIENT_REQUIRED").is_none(), "{missing}");
    eprintln!("passed over: {missing}");
}

/// The version the tests were written against.
const VERSION: &str = include_str!("../../../tests/claude_code/version");

/// Where the real client is: named, put there by `scripts/client`, or beside what is built, where the end-to-end tests put it.
pub fn installed() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("AFTERWORD_CLIENT") {
        return Some(named.into());
    }
    let by_script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/client");
    // Of several versions that are there the one that is asked for, as the end-to-end tests do.
    let version = std::env::var("AFTERWORD_CLIENT_VERSION").unwrap_or_else(|_| VERSION.trim().to_owned());
    let own = std::env::current_exe().ok()?.ancestors().nth(3)?.join("claude-code").join(version);
    let places = [own, by_script].map(|place| place.join("node_modules/@anthropic-ai")).into_iter();
    let packages = places.flat_map(|place| std::fs::read_dir(place).into_iter().flatten().flatten());
    packages.map(|package| package.path().join("claude")).find(|program| program.is_file())
}
