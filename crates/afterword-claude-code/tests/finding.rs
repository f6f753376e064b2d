//! Finding transcripts: the client's layout, and everything else a folder may hold.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::path::Path;

use afterword_claude_code::discover::{ProblemKind, Role};
use afterword_claude_code::{FoundTranscripts, discover};
use tempfile::TempDir;

fn file(root: &Path, path: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "{}\n").unwrap();
}

fn names(root: &Path, found: &FoundTranscripts) -> Vec<String> {
    found
        .transcripts
        .iter()
        .map(|file| file.path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/"))
        .collect()
}

#[test]
fn sessions_and_sub_agents_are_found_and_nothing_else() {
    let root = TempDir::new().unwrap();
    let root = root.path();
    for path in [
        "-home-ada-app/s1.jsonl",
        "-home-ada-app/agent-a7.jsonl",
        "-home-ada-app/s1/subagents/agent-a1.jsonl",
        "-home-ada-app/s1/subagents/deep/agent-a2.jsonl",
        "-home-ada-app/s1/tool-results/x.jsonl",
        "-home-ada-app/memory/notes.jsonl",
        "-home-ada-app/memory/MEMORY.md",
        "-home-ada-app/s1.jsonl.bak",
        "-empty/readme.txt",
        "stray.jsonl",
    ] {
        file(root, path);
    }
    let found = discover(root);
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    assert_eq!(
        names(root, &found),
        [
            "-home-ada-app/agent-a7.jsonl",
            "-home-ada-app/s1/subagents/agent-a1.jsonl",
            "-home-ada-app/s1/subagents/deep/agent-a2.jsonl",
            "-home-ada-app/s1.jsonl",
        ]
    );
    let roles: Vec<_> = found.transcripts.iter().map(|file| file.role.clone()).collect();
    let agent = |agent: &str, session: Option<&str>| Role::Subagent {
        agent: agent.to_owned(),
        session: session.map(str::to_owned),
    };
    assert_eq!(
        roles,
        [
            agent("a7", None),
            agent("a1", Some("s1")),
            agent("a2", Some("s1")),
            Role::Session { id: "s1".to_owned() }
        ]
    );
    assert!(found.transcripts.iter().all(|file| file.size == 3 && file.modified.is_some()));
}

#[test]
fn no_folder_has_no_transcripts() {
    let root = TempDir::new().unwrap();
    let found = discover(&root.path().join("projects"));
    assert!(found.transcripts.is_empty() && found.problems.is_empty());
}

#[test]
fn a_directory_named_like_a_transcript_is_a_problem_and_nothing_else_is_lost() {
    let root = TempDir::new().unwrap();
    file(root.path(), "p/s1.jsonl");
    fs::create_dir(root.path().join("p/s2.jsonl")).unwrap();
    let found = discover(root.path());
    assert_eq!(names(root.path(), &found), ["p/s1.jsonl"]);
    assert!(matches!(&found.problems[..], [problem] if matches!(problem.kind, ProblemKind::NotAFile)));
    assert!(found.problems[0].to_string().contains("s2.jsonl"));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn links_are_followed_once_and_loops_are_named() {
        let (root, elsewhere) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let root = root.path();
        file(root, "p/s1.jsonl");
        file(root, "p/s1/subagents/agent-a1.jsonl");
        file(elsewhere.path(), "moved/s2.jsonl");
        symlink(elsewhere.path().join("moved"), root.join("linked")).unwrap();
        symlink(root.join("p"), root.join("q")).unwrap();
        symlink(root, root.join("loop")).unwrap();
        symlink(root.join("p/s1/subagents"), root.join("p/s1/subagents/again")).unwrap();
        symlink(root.join("self"), root.join("self")).unwrap();
        symlink(root.join("gone"), root.join("p/dangling.jsonl")).unwrap();
        symlink(root.join("p/s1.jsonl"), root.join("p/s3.jsonl")).unwrap();
        let found = discover(root);
        assert_eq!(
            names(root, &found),
            ["linked/s2.jsonl", "p/s1/subagents/agent-a1.jsonl", "p/s1.jsonl", "p/s3.jsonl"]
        );
        let mut problems: Vec<_> = found
            .problems
            .iter()
            .map(|problem| {
                (
                    problem.path.file_name().unwrap().to_str().unwrap(),
                    matches!(problem.kind, ProblemKind::Again),
                )
            })
            .collect();
        problems.sort_unstable();
        assert_eq!(
            problems,
            [("again", true), ("dangling.jsonl", false), ("loop", true), ("q", true), ("self", false)]
        );
    }

    // macOS has no such names.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_name_that_is_no_unicode_is_a_problem_and_nothing_else_is_lost() {
        use std::os::unix::ffi::OsStrExt;
        let root = TempDir::new().unwrap();
        let below = |name: &[u8]| root.path().join(std::ffi::OsStr::from_bytes(name));
        file(root.path(), "p/s1.jsonl");
        for folder in [&b"caf\xe9"[..], b"p/s1/subagents/caf\xe9"] {
            fs::create_dir_all(below(folder)).unwrap();
            fs::write(below(folder).join("s2.jsonl"), "{}\n").unwrap();
        }
        let found = discover(root.path());
        assert_eq!(names(root.path(), &found), ["p/s1.jsonl"]);
        assert_eq!(found.problems.len(), 2);
        assert!(found.problems.iter().all(|problem| matches!(problem.kind, ProblemKind::NotUnicode)));
        let found = discover(&below(b"caf\xe9"));
        assert!(found.transcripts.is_empty());
        assert!(matches!(&found.problems[..], [problem] if matches!(problem.kind, ProblemKind::NotUnicode)));
    }

    #[test]
    fn a_socket_is_a_problem() {
        let root = TempDir::new().unwrap();
        file(root.path(), "p/s1.jsonl");
        let _socket = std::os::unix::net::UnixListener::bind(root.path().join("p/s2.jsonl")).unwrap();
        let found = discover(root.path());
        assert_eq!(found.transcripts.len(), 1);
        assert!(matches!(&found.problems[..], [problem] if matches!(problem.kind, ProblemKind::NotAFile)));
    }

    #[test]
    fn a_folder_that_cannot_be_listed_is_a_problem() {
        let root = TempDir::new().unwrap();
        file(root.path(), "locked/s1.jsonl");
        file(root.path(), "open/s2.jsonl");
        let locked = root.path().join("locked");
        fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
        let as_root = fs::read_dir(&locked).is_ok();
        let found = discover(root.path());
        fs::set_permissions(&locked, fs::Permissions::from_mode(0o700)).unwrap();
        if as_root {
            return;
        }
        assert_eq!(names(root.path(), &found), ["open/s2.jsonl"]);
        assert!(
            matches!(&found.problems[..], [problem] if matches!(problem.kind, ProblemKind::Unlistable(_)))
        );
    }
}
