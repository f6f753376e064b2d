//! The use cases on a sandbox.

use afterword_app::injection::{InjectionRecord, InjectionRequest, lessons_for_session};
use afterword_app::{App, ConfigFile, NoProgress, ReflectRequest, Reflection, Target, init, reflect};
use afterword_core::{JobId, SessionId};

use super::Sandbox;
use crate::now;
use crate::provider::Provider;

impl Sandbox {
    /// A home with a vault set up, at `vault`.
    pub fn new() -> Self {
        let sandbox = Self::empty();
        init::init(&sandbox.environment(), Some(&sandbox.path("vault"))).unwrap();
        sandbox
    }

    /// A home with a vault, whose engine is a provider's small model.
    pub fn asking(provider: &Provider) -> Self {
        let sandbox = Self::new();
        sandbox.set("engine.name", &["openai-compatible"]);
        sandbox.set("engine.address", &[&format!("{}/v1", provider.address)]);
        sandbox.set("engine.model", &["small"]);
        sandbox
    }

    /// Changes a setting.
    pub fn set(&self, key: &str, values: &[&str]) {
        let values: Vec<_> = values.iter().map(|value| (*value).to_owned()).collect();
        ConfigFile::new(&self.paths().config_file, None).set(key, &values).unwrap();
    }

    /// What every use case takes first, under the settings as they are now.
    pub fn app(&self) -> App {
        App::new(self.environment()).unwrap()
    }

    /// Reflects sessions as a person orders it.
    pub fn reflect_with(&self, target: Target, dry_run: bool) -> Reflection {
        let request = ReflectRequest { dry_run, ..ReflectRequest::new(target) };
        reflect::reflect(&self.app(), &request, &now(), &mut NoProgress).unwrap()
    }

    /// Reflects what changed.
    pub fn reflect(&self) -> Reflection {
        self.reflect_with(Target::Changed { since: None }, false)
    }

    /// What a job's first attempt left in its log.
    pub fn job_log(&self, job: JobId) -> String {
        self.app().store().unwrap().job_logs().of_job(job).unwrap().remove(0).transcript
    }

    /// What a new session in `cwd` is given as it starts.
    pub fn given_at_start(&self, session: &str, cwd: &str) -> InjectionRecord {
        let asking = InjectionRequest {
            session: SessionId::parse(session).unwrap(),
            cwd: Some(cwd.to_owned()),
            moment: "startup".to_owned(),
            transcript: None,
        };
        lessons_for_session(&self.app(), &asking, now().timestamp())
    }
}

impl Default for Sandbox {
    fn default() -> Self {
        Self::new()
    }
}
