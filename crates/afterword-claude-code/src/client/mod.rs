//! The user's own Claude Code, run without a terminal: the one place that starts it.
//!
//! It owns finding the client, asking it which options it has, its environment, its process group and its limits, and
//! reading what it prints. It does not know what is asked, nor what becomes of the answer. No shell is involved, prompts go
//! through standard input, and no secret is ever an argument. Start reading at [`Client::ask`].

mod command;
mod error;
mod find;
mod group;
mod stream;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use afterword_core::SessionId;
use serde_json::Value;

pub use command::is_in_a_session;
pub use error::ClientError;
pub use group::kill_group;

/// An installed client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    binary: PathBuf,
    environment: RunEnvironment,
}

/// The environment a run gets.
#[derive(Debug, Clone, PartialEq, Eq)]
enum RunEnvironment {
    /// This process's, without what a session that started it left there.
    Inherited(Vec<(OsString, OsString)>),
    /// Exactly these variables.
    Exactly(Vec<(OsString, OsString)>),
}

/// The session a run belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionUse {
    /// None: no transcript is kept.
    None,
    /// A new one with this id, a UUID.
    New(SessionId),
    /// This one goes on.
    Resume(SessionId),
}

/// What is asked of the client.
#[derive(Debug, Clone)]
pub struct Ask<'a> {
    /// What the system role says, in place of Claude Code's own words. A client that takes none is told it before the prompt.
    pub instructions: Option<&'a str>,
    /// What the user role says.
    pub prompt: &'a str,
    /// Where it runs. A session is found again only from the directory it was begun in.
    pub directory: &'a Path,
    /// The session.
    pub session: SessionUse,
    /// The JSON schema of the answer.
    pub schema: Option<&'a str>,
    /// Tools it may use, as Claude Code names them, connections' included (`mcp__mail`). No others are offered.
    pub allowed_tools: &'a [String],
    /// A file that describes the tool servers it may use; no others are.
    pub tool_servers: Option<&'a Path>,
    /// The model, where not the user's own choice.
    pub model: Option<&'a str>,
    /// How much it is to think (`low`, `medium`, `high`), where not as the user has it; left out where the client cannot be told.
    pub effort: Option<&'a str>,
    /// US dollars it may cost.
    pub most_usd: Option<f64>,
    /// How long it may take, all in all.
    pub limit: Duration,
}

/// What the client answered.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reply {
    /// The last text.
    pub text: String,
    /// The answer that fits the schema, where one was asked for.
    pub structured: Option<Value>,
    /// The session, as the client named it.
    pub session: Option<SessionId>,
    /// The model that answered last; empty where it did not say.
    pub model: String,
    /// What it cost.
    pub cost: Cost,
    /// Tool servers, and how each fared: `connected`, `failed`, `needs-auth`, `pending`.
    pub tool_servers: Vec<(String, String)>,
    /// Tools that were called and not allowed.
    pub denied: Vec<String>,
}

/// What a run cost.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Cost {
    /// US dollars, as the client reckons.
    pub usd: f64,
    /// Tokens read, from caches or not.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Requests made.
    pub turns: u64,
}

/// Who follows a run.
pub trait Follower {
    /// The client runs as the process with this number, which leads its group.
    fn on_start(&mut self, _process: u32) {}

    /// Whether to stop it.
    fn stop(&mut self) -> bool {
        false
    }
}

/// Follows nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoObserver;

impl Follower for NoObserver {}

impl Client {
    /// The client at `binary`, in this process's environment.
    pub fn new(binary: PathBuf) -> Self {
        Self { binary, environment: RunEnvironment::Inherited(Vec::new()) }
    }

    /// The client that the environment's `PATH` leads to, or one of the places its installers use.
    pub fn find(path: Option<&std::ffi::OsStr>, home: Option<&Path>) -> Option<Self> {
        find::find(path, home).map(Self::new)
    }

    /// The client that is installed: in this process's `PATH`, or where its installers put it below `home`.
    pub fn installed(home: Option<&Path>) -> Option<Self> {
        Self::find(std::env::var_os("PATH").as_deref(), home)
    }

    /// Adds a variable to its environment.
    #[must_use]
    pub fn with_variable(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        let (RunEnvironment::Inherited(variables) | RunEnvironment::Exactly(variables)) =
            &mut self.environment;
        variables.push((name.into(), value.into()));
        self
    }

    /// Gives it exactly these variables and nothing of this process's.
    #[must_use]
    pub fn with_environment(self, variables: Vec<(OsString, OsString)>) -> Self {
        Self { environment: RunEnvironment::Exactly(variables), ..self }
    }

    /// Whether there is such a program. One that is only named is looked for when it is started.
    pub fn exists(&self) -> bool {
        self.binary.components().count() == 1 || self.binary.is_file()
    }

    /// Where it is.
    pub fn binary(&self) -> &Path {
        &self.binary
    }

    /// Asks, and waits for the answer. Its whole process group is gone when this returns.
    ///
    /// # Errors
    /// [`ClientError`]: it cannot be started, is too old, took too long, was stopped, the session is gone, or it failed
    /// and said why.
    pub fn ask(&self, ask: &Ask<'_>, follower: &mut dyn Follower) -> Result<Reply, ClientError> {
        let options = command::Options::of(self)?;
        let mut command = command::for_ask(self, ask, &options)?;
        // The file goes once the run has ended.
        let (_instructions, prompt) = command::pass_instructions(&mut command, ask, &options)?;
        let (clock, mut reading) = (Instant::now(), stream::ReplyReader::default());
        tracing::debug!(directory = %ask.directory.display(), "Claude Code starts");
        let ended = group::run(command, &prompt, ask.limit, follower, &mut |line| reading.line(line), self);
        let reply = ended
            .map_err(|error| error.having_cost(reading.total_cost()))
            .and_then(|ended| reading.finish(ended, &ask.session));
        let seconds = clock.elapsed().as_secs();
        match &reply {
            Ok(reply) => tracing::info!(seconds, usd = reply.cost.usd, "Claude Code answered"),
            Err(error) => {
                tracing::warn!(seconds, usd = error.cost().usd, "Claude Code did not answer: {error}");
            }
        }
        reply
    }
}

#[cfg(test)]
mod tests;
