//! A vault in a temporary folder, with a ledger that remembers, and lessons to put into it.
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use afterword_core::{
    Candidate, Confidence, ContentKey, Evidence, Kind, ProjectKey, ReviewMode, Role, SessionId, Signal, route,
};
use afterword_testkit::Sandbox;
use afterword_vault::{ApplyReport, LastWrite, Lesson, Plan, Project, Vault, VaultIndex, VaultPath, plan};
use jiff::Zoned;

/// A path below a vault.
pub(crate) fn at(path: &str) -> VaultPath {
    VaultPath::parse(path).unwrap()
}

pub(crate) struct TestVault {
    sandbox: Sandbox,
    pub(crate) vault: Vault,
    pub(crate) ledger: HashMap<ContentKey, LastWrite>,
}

impl TestVault {
    pub(crate) fn new() -> Self {
        let sandbox = Sandbox::empty();
        let root = sandbox.path("vault");
        Self::in_folder(sandbox, &root)
    }

    /// The vault in `root`, which is or lies in the sandbox's `vault`, perhaps under another name.
    pub(crate) fn in_folder(sandbox: Sandbox, root: &Path) -> Self {
        fs::create_dir_all(sandbox.path("vault")).unwrap();
        let (vault, _) = Vault::create(root).unwrap();
        Self { sandbox, vault, ledger: HashMap::new() }
    }

    /// The folder the vault is in.
    pub(crate) fn folder(&self) -> PathBuf {
        self.sandbox.path("vault")
    }

    pub(crate) fn scan(&self) -> VaultIndex {
        self.vault.scan().unwrap()
    }

    pub(crate) fn plan(&self, lessons: &[Lesson]) -> Plan {
        plan(&self.scan(), lessons, &self.ledger, &now())
    }

    /// Scan, plan, apply, remember: what a reflection does.
    pub(crate) fn reflect(&mut self, lessons: &[Lesson]) -> (Plan, ApplyReport) {
        let plan = self.plan(lessons);
        let applied = self.vault.apply(&plan);
        for record in &applied.records {
            self.ledger.insert(record.key.clone(), record.written.clone());
        }
        (plan, applied)
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.folder().join(relative)
    }

    pub(crate) fn read(&self, relative: &str) -> String {
        fs::read_to_string(self.path(relative)).unwrap_or_else(|error| panic!("{relative}: {error}"))
    }

    pub(crate) fn write(&self, relative: &str, text: &str) {
        fs::create_dir_all(self.path(relative).parent().unwrap()).unwrap();
        fs::write(self.path(relative), text).unwrap();
    }

    /// Every file and folder with its bytes and the time it was changed.
    pub(crate) fn snapshot(&self) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
        let mut found = BTreeMap::new();
        walk(&self.folder(), &mut found);
        found
    }

    /// The paths of all files, relative to the vault.
    pub(crate) fn files(&self) -> Vec<String> {
        let root = self.folder();
        let files = self.snapshot().into_keys().filter(|path| path.is_file());
        files.map(|path| path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/")).collect()
    }
}

fn walk(folder: &Path, found: &mut BTreeMap<PathBuf, (Vec<u8>, SystemTime)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let metadata = fs::symlink_metadata(&path).unwrap();
        let bytes = if metadata.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
        found.insert(path.clone(), (bytes, metadata.modified().unwrap()));
        if metadata.is_dir() {
            walk(&path, found);
        }
    }
}

pub(crate) fn now() -> Zoned {
    "2026-03-20T09:00:00+01:00[Europe/Berlin]".parse().unwrap()
}

pub(crate) fn user_evidence(uuid: &str, line: u64, quote: &str) -> Evidence {
    Evidence { uuid: uuid.to_owned(), line, role: Role::User, quote: quote.to_owned() }
}

pub(crate) fn candidate(
    kind: Kind,
    confidence: Confidence,
    title: &str,
    evidence: Vec<Evidence>,
) -> Candidate {
    Candidate {
        kind,
        confidence,
        signal: if kind == Kind::Idea { Signal::FollowUp } else { Signal::StandingRule },
        title: title.to_owned(),
        body: format!("{title} This holds whenever packages are installed."),
        rationale: "the user gave a standing rule".to_owned(),
        evidence,
    }
}

pub(crate) fn lesson_of(candidate: Candidate, session: &str) -> Lesson {
    let destination = route(candidate.kind, candidate.confidence, ReviewMode::Interactive);
    Lesson::new(
        candidate,
        SessionId::parse(session).unwrap(),
        Some(Project::named_by_folder(ProjectKey::from_cwd("/home/ana/shop"))),
        destination,
        "2026-03-14T23:30:00Z".parse().unwrap(),
        format!("/home/ana/.claude/projects/-home-ana-shop/{session}.jsonl"),
    )
}

pub(crate) const SESSION: &str = "6f3a91c2-1111-4222-8333-444455556666";
pub(crate) const LATER: &str = "a0b1c2d3-1111-4222-8333-444455556666";

/// A certain preference: saved.
pub(crate) fn pnpm() -> Lesson {
    let words = "always use pnpm here, npm breaks the lockfile";
    let evidence = vec![user_evidence("11111111-aaaa-4bbb-8ccc-000000000001", 12, words)];
    lesson_of(candidate(Kind::Preference, Confidence::High, "Use pnpm, never npm.", evidence), SESSION)
}

/// A likely fix: waits for the user's answer.
pub(crate) fn fix() -> Lesson {
    let evidence = vec![user_evidence(
        "11111111-aaaa-4bbb-8ccc-000000000002",
        40,
        "that was the stale cache, clearing it helped",
    )];
    lesson_of(
        candidate(Kind::Fix, Confidence::Medium, "Clear the cache when the build hangs.", evidence),
        SESSION,
    )
}

/// A weak workflow: goes to the inbox.
pub(crate) fn weak() -> Lesson {
    let evidence = vec![user_evidence("11111111-aaaa-4bbb-8ccc-000000000003", 51, "ok run the tests first")];
    lesson_of(candidate(Kind::Workflow, Confidence::Low, "Run the tests before a commit.", evidence), SESSION)
}

/// An idea.
pub(crate) fn idea() -> Lesson {
    let evidence =
        vec![user_evidence("11111111-aaaa-4bbb-8ccc-000000000004", 77, "we should also add dark mode later")];
    lesson_of(candidate(Kind::Idea, Confidence::Medium, "Add a dark mode.", evidence), SESSION)
}

pub(crate) fn all() -> Vec<Lesson> {
    vec![pnpm(), fix(), weak(), idea()]
}
