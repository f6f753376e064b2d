//! The client's command line and environment.
//!
//! Options come and go between versions: one is used only if the client's own help lists it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use afterword_platform::command::background_command;
use tempfile::NamedTempFile;

use crate::hook::{OWN_RUN_VARIABLE, PROJECT_VARIABLE};

use super::{Ask, Client, ClientError, Cost, NoObserver, RunEnvironment, SessionUse, group};

/// Settings of a run that has tool servers.
const WITHOUT_HOOKS: &str = r#"{"disableAllHooks":true}"#;
/// How long the client may take to print its help.
const HELP_LIMIT: Duration = Duration::from_secs(30);

/// Set in the environment of every command that the agent of a session runs.
const IN_A_SESSION: &str = "CLAUDECODE";

/// What a session that started this process left in its environment; the client would take itself for a part of it.
const OF_A_PARENT: [&str; 6] = [
    IN_A_SESSION,
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SSE_PORT",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CODE_CHILD_SESSION",
    PROJECT_VARIABLE,
];

/// Says whether a session of Claude Code started this process: an agent's command then, unless the person typed it with `!`.
pub fn is_in_a_session() -> bool {
    std::env::var_os(IN_A_SESSION).is_some()
}

/// The options a client has.
#[derive(Debug, Clone, Default)]
pub(super) struct Options(BTreeSet<String>);

type OptionsOfPrograms = BTreeMap<(PathBuf, Option<SystemTime>), Arc<Options>>;

/// Help is asked for once a version: the file's time tells whether it was updated.
static KNOWN: Mutex<OptionsOfPrograms> = Mutex::new(OptionsOfPrograms::new());

impl Options {
    /// The options that this client has.
    pub(super) fn of(client: &Client) -> Result<Arc<Self>, ClientError> {
        let changed = client.binary.metadata().and_then(|found| found.modified()).ok();
        let key = (client.binary.clone(), changed);
        if let Some(known) = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Arc::clone(known));
        }
        let mut command = plain(client);
        command.arg("--help");
        let mut help = String::new();
        let mut keep = |line: &str| {
            help.push_str(line);
            help.push('\n');
        };
        let ended = group::run(command, "", HELP_LIMIT, &mut NoObserver, &mut keep, client)?;
        let options = Self::read(&help);
        // An update in progress, or a program that cannot start: it may be another the next time, and is asked again then.
        if !ended.success || options.0.is_empty() {
            let how = if ended.complaint.is_empty() { &ended.status } else { &ended.complaint };
            let path = client.binary.display();
            let problem = format!("{path}: it did not say which options it has ({how})");
            return Err(ClientError::Failed { problem, cost: Cost::default() });
        }
        let options = Arc::new(options);
        KNOWN.lock().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&options));
        Ok(options)
    }

    fn read(help: &str) -> Self {
        // Two options in one word, as 2.1.197 has it.
        let help = format!("{help}\n{}", help.replace("[-file]", "-file"));
        let words = help.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
        Self(words.filter(|word| word.starts_with("--") && word.len() > 2).map(str::to_owned).collect())
    }

    fn has(&self, option: &str) -> bool {
        self.0.contains(option)
    }

    fn must_have(&self, option: &'static str, client: &Client) -> Result<(), ClientError> {
        if self.has(option) {
            return Ok(());
        }
        Err(ClientError::TooOld { path: client.binary.clone(), option })
    }
}

pub(super) fn for_ask(client: &Client, ask: &Ask<'_>, options: &Options) -> Result<Command, ClientError> {
    // Without these it would do what was not allowed, or could not be read.
    for needed in ["--print", "--output-format", "--tools", "--strict-mcp-config", "--setting-sources"] {
        options.must_have(needed, client)?;
    }
    let mut command = plain(client);
    command.current_dir(ask.directory);
    command.args(["--print", "--output-format", "stream-json", "--verbose", "--strict-mcp-config"]);
    // A directory's own settings start programs (`apiKeyHelper`), set variables and allow tools, in safe mode too and where
    // nobody trusted it (seen with 2.1.197): only the person's own count.
    command.args(["--setting-sources", "user"]);
    let mut with = |option: &str, value: Option<&OsStr>| {
        if options.has(option) {
            command.arg(option);
            command.args(value);
        }
    };
    // Safe mode leaves out every tool server, those it is given as well (seen with 2.1.197); without it the user's hooks,
    // which could hold a run up or act on it, are left out by themselves.
    if ask.tool_servers.is_none() {
        with("--safe-mode", None);
    } else {
        with("--settings", Some(WITHOUT_HOOKS.as_ref()));
    }
    with("--no-chrome", None);
    // The user's settings may say otherwise; nobody is there to be asked.
    with("--permission-mode", Some("default".as_ref()));
    if let Some(usd) = ask.most_usd {
        with("--max-budget-usd", Some(format!("{usd:.4}").as_ref()));
    }
    if let Some(model) = ask.model {
        with("--model", Some(model.as_ref()));
    }
    if let Some(effort) = ask.effort {
        with("--effort", Some(effort.as_ref()));
    }
    match &ask.session {
        SessionUse::None => {
            options.must_have("--no-session-persistence", client)?;
            command.arg("--no-session-persistence");
        }
        SessionUse::New(id) => {
            options.must_have("--session-id", client)?;
            command.args(["--session-id", id.as_str()]);
        }
        SessionUse::Resume(id) => {
            options.must_have("--resume", client)?;
            command.args(["--resume", id.as_str()]);
        }
    }
    if let Some(schema) = ask.schema {
        options.must_have("--json-schema", client)?;
        // On Windows npm's client is a batch file, and such a file takes no argument with a line break. In JSON a blank is as good.
        command.args(["--json-schema", &schema.replace(['\r', '\n'], " ")]);
    }
    if let Some(file) = ask.tool_servers {
        options.must_have("--mcp-config", client)?;
        command.arg("--mcp-config").arg(file);
    }
    command.args(["--tools", &tool_names(ask.allowed_tools)]);
    if !ask.allowed_tools.is_empty() {
        options.must_have("--allowedTools", client)?;
        command.arg("--allowedTools").args(ask.allowed_tools);
    }
    Ok(command)
}

/// Tells the client its instructions: in a file, which is gone once it is dropped, or before the prompt. Other users of the machine
/// see a process's arguments.
pub(super) fn pass_instructions<'a>(
    command: &mut Command,
    ask: &Ask<'a>,
    options: &Options,
) -> Result<(Option<NamedTempFile>, Cow<'a, str>), ClientError> {
    let Some(instructions) = ask.instructions else { return Ok((None, ask.prompt.into())) };
    if !options.has("--system-prompt-file") {
        return Ok((None, format!("{instructions}\n\n{}", ask.prompt).into()));
    }
    let written = NamedTempFile::new_in(ask.directory).and_then(|mut file| {
        file.write_all(instructions.as_bytes())?;
        Ok(file)
    });
    let file = written.map_err(|error| ClientError::Failed {
        problem: format!("{}: its instructions cannot be written: {error}", ask.directory.display()),
        cost: Cost::default(),
    })?;
    command.arg("--system-prompt-file").arg(file.path());
    Ok((Some(file), ask.prompt.into()))
}

/// The names of the client's own tools among those allowed: `Bash(git log:*)` is of `Bash`.
fn tool_names(allowed: &[String]) -> String {
    let own = allowed.iter().filter(|tool| !tool.starts_with("mcp__"));
    let names: BTreeSet<&str> =
        own.map(|tool| tool.split_once('(').map_or(tool.as_str(), |(name, _)| name)).collect();
    names.into_iter().collect::<Vec<_>>().join(",")
}

/// The client in the environment it is given.
fn plain(client: &Client) -> Command {
    let mut command = background_command(&client.binary);
    match &client.environment {
        RunEnvironment::Inherited(more) => {
            for name in OF_A_PARENT {
                command.env_remove(name);
            }
            command.envs(more.iter().map(|(name, value)| (name, value)));
        }
        RunEnvironment::Exactly(variables) => {
            command.env_clear();
            command.envs(variables.iter().map(|(name, value)| (name, value)));
        }
    }
    command.env(OWN_RUN_VARIABLE, "1");
    command
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn options_are_read_from_help() {
        let help = "Options:\n  --allowedTools, --allowed-tools <tools...>\n  -p, --print   Print (only works with\n     --output-format=stream-json) -- --- --bare: via --system-prompt[-file]";
        let options = Options::read(help);
        assert!(options.has("--allowedTools") && options.has("--print") && options.has("--output-format"));
        assert!(options.has("--system-prompt") && options.has("--system-prompt-file"));
        assert!(!options.has("--safe-mode") && !options.has("--"));
    }

    #[test]
    fn no_argument_has_a_line_break() {
        let client = Client::new("claude".into());
        let options = Options::read(
            "--print --output-format --tools --strict-mcp-config --setting-sources --json-schema --session-id",
        );
        let ask = Ask {
            instructions: None,
            prompt: "what\nis new?",
            directory: Path::new("."),
            session: SessionUse::New(
                afterword_core::SessionId::parse("23eee9ae-9dc5-4bae-a960-31e473eef233").unwrap(),
            ),
            schema: Some("{\"type\":\"object\",\r\n\"properties\":\n{}}"),
            allowed_tools: &[],
            tool_servers: None,
            model: None,
            effort: None,
            most_usd: None,
            limit: Duration::from_secs(1),
        };
        let command = for_ask(&client, &ask, &options).unwrap();
        let arguments: Vec<&str> = command.get_args().map(|argument| argument.to_str().unwrap()).collect();
        assert!(arguments.iter().all(|argument| !argument.contains(['\r', '\n'])), "{arguments:?}");
        assert!(arguments.contains(&"{\"type\":\"object\",  \"properties\": {}}"), "{arguments:?}");
    }

    #[test]
    fn tools_are_offered_by_name() {
        let allowed =
            ["Bash(git log:*)", "Read", "Bash(ls)", "mcp__mail", "mcp__mail__send"].map(str::to_owned);
        assert_eq!(tool_names(&allowed), "Bash,Read");
        assert_eq!(tool_names(&[]), "");
    }
}
