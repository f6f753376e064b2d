//! What the shell remembers while it runs: the environment it was started in, and where the window should go.

use std::sync::Mutex;

use afterword_agent::{Agent, Environment, Error};

/// The shell's own state.
#[derive(Debug)]
pub(crate) struct Desk {
    pub(crate) environment: Environment,
    /// The page the next window begins with.
    pub(crate) route: Mutex<String>,
}

impl Desk {
    /// Takes the environment of this process.
    pub(crate) fn of_process() -> Self {
        Self { environment: Environment::of_process(), route: Mutex::default() }
    }

    /// The use cases under the settings as they are now: the file may have changed since.
    pub(crate) fn agent(&self) -> Result<Agent, Error> {
        Agent::new(self.environment.clone())
    }
}
