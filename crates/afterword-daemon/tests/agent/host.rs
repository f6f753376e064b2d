//! A machine of its own for each test, and the agent on it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use afterword_app::injection::{Asking, Given, lessons_for_session};
use afterword_app::{
    App, ConfigFile, EngineName, Environment, NoProgress, Paths, ReflectRequest, Reflection, Target, Trigger,
    init, reflect,
};
use afterword_core::SessionId;
use jiff::Zoned;
use tempfile::TempDir;

use crate::provider::Provider;

pub(crate) struct TestHost {
    root: TempDir,
}

impl TestHost {
    /// A home with a vault set up.
    pub(crate) fn new() -> Self {
        let host = Self { root: tempfile::tempdir().unwrap() };
        init::init(&host.environment(), Some(&host.path("vault"))).unwrap();
        host
    }

    /// A home whose engine is a provider's small model.
    pub(crate) fn asking(provider: &Provider) -> Self {
        let host = Self::new();
        host.set("engine.name", &["openai-compatible"]);
        host.set("engine.address", &[&format!("{}/v1", provider.address)]);
        host.set("engine.model", &["small"]);
        host
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.root.path().join(below)
    }

    pub(crate) fn environment(&self) -> Environment {
        Environment {
            afterword_home: Some(self.path("afterword")),
            claude_config_dir: Some(self.path("claude")),
            home: Some(self.path("home")),
            working_directory: self.path("home"),
        }
    }

    pub(crate) fn paths(&self) -> Paths {
        Paths::new(&self.environment()).unwrap()
    }

    pub(crate) fn set(&self, key: &str, values: &[&str]) {
        let values: Vec<_> = values.iter().map(|value| (*value).to_owned()).collect();
        ConfigFile::new(&self.paths().config_file, None).set(key, &values).unwrap();
    }

    pub(crate) fn app(&self) -> App {
        App::new(self.environment()).unwrap()
    }

    pub(crate) fn reflect_with(&self, target: Target, dry_run: bool) -> Reflection {
        let request =
            ReflectRequest { target, engine: None, dry_run, foreign: false, trigger: Trigger::Manual };
        reflect::reflect(&self.app(), &request, &now(), &mut NoProgress).unwrap()
    }

    /// What a job's first attempt left in its log.
    pub(crate) fn job_log(&self, job: afterword_core::JobId) -> String {
        let store = afterword_store::Store::open(&self.paths().database()).unwrap();
        store.job_logs().of_job(job).unwrap().remove(0).transcript
    }

    /// Reflects what changed.
    pub(crate) fn reflect(&self) -> Reflection {
        self.reflect_with(Target::Changed { since: None }, false)
    }

    /// Puts a transcript where Claude Code keeps a session's; gives its path.
    pub(crate) fn session(&self, id: &str, lines: &[String]) -> PathBuf {
        let folder = self.path("claude/projects/-home-ada-shop");
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("{id}.jsonl"));
        fs::write(&path, lines.concat()).unwrap();
        path
    }

    /// Puts the sample sessions, made with the real client, where Claude Code keeps them.
    pub(crate) fn samples(&self) {
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/sessions/transcripts");
        let mut paths: Vec<_> = fs::read_dir(samples).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let first = SystemTime::now() - Duration::from_secs(paths.len() as u64);
        for (seconds, path) in (0..).zip(paths.iter().filter(|path| path.is_file())) {
            let text = fs::read_to_string(path).unwrap();
            let after = text.rsplit_once("\"sessionId\":\"").unwrap().1;
            let id = after.split_once('"').unwrap().0;
            let transcript = self.session(id, std::slice::from_ref(&text));
            // Sessions are read in the order of their files' times, which is the same on every machine.
            let file = fs::File::options().append(true).open(transcript).unwrap();
            file.set_modified(first + Duration::from_secs(seconds)).unwrap();
        }
    }

    /// What a new session in `cwd` is given as it starts.
    pub(crate) fn given_at_start(&self, session: &str, cwd: &str) -> Given {
        let asking = Asking {
            session: SessionId::parse(session).unwrap(),
            cwd: Some(cwd.to_owned()),
            moment: "startup".to_owned(),
            transcript: None,
        };
        lessons_for_session(&self.app(), &asking, now().timestamp())
    }

    /// The vault's notes that carry a lesson or an idea, with their text, by path below `Afterword`.
    pub(crate) fn lessons(&self) -> Vec<(String, String)> {
        fn walk(folder: &Path, root: &Path, found: &mut Vec<(String, String)>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    walk(&path, root, found);
                    continue;
                }
                let text = fs::read_to_string(&path).unwrap();
                if text.contains("\nkey: ") && !text.contains("\nkind: project\n") {
                    let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                    found.push((name, text));
                }
            }
        }
        let (root, mut found) = (self.path("vault/Afterword"), Vec::new());
        walk(&root, &root, &mut found);
        found.sort();
        found
    }

    /// Their paths.
    pub(crate) fn names(&self) -> Vec<String> {
        self.lessons().into_iter().map(|(name, _)| name).collect()
    }
}

/// The request for all that changed, as a person makes it; without an engine, by the one of the settings.
pub(crate) fn all_changed(engine: Option<EngineName>) -> ReflectRequest {
    ReflectRequest {
        target: Target::Changed { since: None },
        engine,
        dry_run: false,
        foreign: false,
        trigger: Trigger::Manual,
    }
}

pub(crate) fn now() -> Zoned {
    "2026-03-10T12:00:00+00:00[UTC]".parse().unwrap()
}
