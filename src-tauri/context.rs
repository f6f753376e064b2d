//! What both programs know: the environment they were started in.

use std::sync::Arc;

use afterword_app::{App, Environment, Error, ScanCache, environment_of_process};

/// The environment of this process.
#[derive(Debug)]
pub(crate) struct RequestContext {
    environment: Environment,
    scan_cache: Option<Arc<ScanCache>>,
}

impl RequestContext {
    /// Takes the environment of this process.
    pub(crate) fn of_process() -> Self {
        Self { environment: environment_of_process(), scan_cache: None }
    }

    /// Keeps in memory what it reads of the vault: for the window, which is looked at while it reads.
    pub(crate) fn with_scan_cache(self) -> Self {
        Self { scan_cache: Some(Arc::default()), ..self }
    }

    /// The use cases under the settings as they are now: the file may have changed since.
    pub(crate) fn app(&self) -> Result<App, Error> {
        let agent = App::new(self.environment.clone())?;
        Ok(match &self.scan_cache {
            Some(scan_cache) => agent.with_scan_cache(Arc::clone(scan_cache)),
            None => agent,
        })
    }
}
