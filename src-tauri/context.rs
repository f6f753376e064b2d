//! What both programs know: the environment they were started in.

use std::sync::Arc;

use afterword_app::{App, Environment, Error, ScanCache};

/// The environment of this process.
#[derive(Debug)]
pub(crate) struct RequestContext {
    environment: Environment,
    readings: Option<Arc<ScanCache>>,
}

impl RequestContext {
    /// Takes the environment of this process.
    pub(crate) fn of_process() -> Self {
        Self { environment: Environment::of_process(), readings: None }
    }

    /// Keeps in memory what it reads of the vault: for the window, which is looked at while it reads.
    pub(crate) fn remembering(self) -> Self {
        Self { readings: Some(Arc::default()), ..self }
    }

    /// The use cases under the settings as they are now: the file may have changed since.
    pub(crate) fn app(&self) -> Result<App, Error> {
        let agent = App::new(self.environment.clone())?;
        Ok(match &self.readings {
            Some(readings) => agent.remembering(Arc::clone(readings)),
            None => agent,
        })
    }
}
