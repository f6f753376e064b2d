//! Copies of sessions outlast Claude Code's own deletion: byte for byte, within their limit, and only where they are wanted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use afterword_app::pause::NoPause;
use afterword_app::session_search::{FindRequest, SessionSource};
use afterword_app::{AgentState, Error, Paths, SessionError, archive, forget, reading, session_search};
use afterword_daemon::run;

use afterword_testkit::transcript::{answered, typed, with_a_rule};
use afterword_testkit::{Sandbox, now};

const ONE: &str = "5f0a0000-0000-4000-8000-0000000000b1";
const TWO: &str = "5f0a0000-0000-4000-8000-0000000000b2";
/// Where the child finds the home it is to work in.
const HOME: &str = "AFTERWORD_TEST_ARCHIVE";

fn archive(host: &Sandbox) -> afterword_app::archive::ArchiveReport {
    let done = archive::archive_sessions(&host.app(), &mut NoPause).unwrap().unwrap();
    assert_eq!(done.problems, Vec::<String>::new());
    done
}

fn find(host: &Sandbox, query: &str) -> Vec<(String, SessionSource)> {
    let app = host.app();
    session_search::index_sessions(&app, &mut NoPause).unwrap().unwrap();
    let request = FindRequest { query: query.to_owned(), limit: 10, lines: 3, ..FindRequest::default() };
    let found = session_search::find(&app, &request, now().timestamp()).unwrap();
    found.sessions.into_iter().map(|session| (session.session, session.place)).collect()
}

fn copies(paths: &Paths) -> Vec<PathBuf> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "zst") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(&paths.state.join("archive"), &mut found);
    found
}

fn set_age(path: &Path, seconds: u64) {
    let file = fs::File::options().append(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
}

#[test]
fn nothing_is_copied_unless_it_is_wanted() {
    let host = Sandbox::new();
    host.session(ONE, &with_a_rule(ONE));
    assert_eq!(archive(&host).copied, 0);
    assert!(!host.paths().state.join("archive").exists());
}

#[test]
fn session_that_claude_code_deleted_is_found_read_and_restored() {
    let host = Sandbox::new();
    host.set("archive.sessions", &["true"]);
    let path = host.session(ONE, &with_a_rule(ONE));
    let agents = host.path(&format!("claude/projects/-home-ada-shop/{ONE}/subagents"));
    fs::create_dir_all(&agents).unwrap();
    // Nothing that a transcript holds is lost, also where it is no text.
    let strange = [typed(ONE, 1, "dig").as_bytes(), b"\xff\xfe broken\r\n\0", b"{\"unended\":"].concat();
    fs::write(agents.join("agent-a1.jsonl"), &strange).unwrap();
    let before = fs::read(&path).unwrap();
    assert_eq!(archive(&host).copied, 2);
    assert_eq!(archive(&host).copied, 0, "nothing changed");
    assert_eq!(find(&host, "merged migration"), [(ONE.to_owned(), SessionSource::Transcript)]);
    fs::remove_dir_all(host.path("claude/projects/-home-ada-shop")).unwrap();
    assert_eq!(archive(&host).copied, 0);
    assert_eq!(find(&host, "merged migration"), [(ONE.to_owned(), SessionSource::Archive)]);
    let read = reading::read_session(&host.app(), "5f0a0000-0000-4000-8000-0000000000b1").unwrap();
    assert!(read.is_copy && read.rows.len() == 4 && read.subagents.len() == 1);
    // Also where the index is made anew.
    fs::remove_file(session_search::session_index_path(&host.app())).unwrap();
    assert_eq!(find(&host, "merged migration"), [(ONE.to_owned(), SessionSource::Archive)]);

    let elsewhere = archive::restore_session(&host.app(), ONE, Some(&host.path("out"))).unwrap();
    assert_eq!(fs::read(&elsewhere.files[0].path).unwrap(), before);
    let restored = archive::restore_session(&host.app(), "5f0a0000", None).unwrap();
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(fs::read(agents.join("agent-a1.jsonl")).unwrap(), strange);
    assert!(restored.files.iter().all(|file| !file.was_there));
    assert!(
        archive::restore_session(&host.app(), ONE, None).unwrap().files.iter().all(|file| file.was_there)
    );
    // What is restored is of today, so that Claude Code does not delete it at once.
    assert_eq!(archive(&host).copied, 2);
    fs::write(&path, "something else").unwrap();
    let refused = archive::restore_session(&host.app(), ONE, None).unwrap_err();
    assert!(matches!(refused, Error::Session(SessionError::OtherTranscript { .. })), "{refused}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "something else");
    assert_eq!(archive(&host).copied, 0, "what became shorter is not what was copied");
    assert!(matches!(
        archive::restore_session(&host.app(), "nobody", None),
        Err(Error::Session(SessionError::NotArchived { .. }))
    ));
}

/// Whoever relies on copies has to know that none is made: Claude Code deletes its own.
#[test]
fn running_agent_says_that_a_session_could_not_be_copied() {
    let host = Sandbox::new();
    host.set("archive.sessions", &["true"]);
    host.session(ONE, &with_a_rule(ONE));
    let archive = host.paths().state.join("archive");
    fs::create_dir_all(&archive).unwrap();
    // Something is where the folder of its copy would be.
    fs::write(archive.join("-home-ada-shop"), "a file").unwrap();
    let running = run::start(&host.app(), |_| ()).unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        match running.state() {
            AgentState::Error { message } if message.contains("copy the session") => break,
            state => assert!(Instant::now() < deadline, "{state}"),
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    running.stop();
    let find =
        FindRequest { query: "merged migration".to_owned(), limit: 1, lines: 1, ..FindRequest::default() };
    let found = session_search::find(&host.app(), &find, now().timestamp()).unwrap();
    assert_eq!(found.sessions.len(), 1, "it is found all the same");
}

#[test]
fn copy_follows_its_session() {
    let host = Sandbox::new();
    host.set("archive.sessions", &["true"]);
    let mut lines = with_a_rule(ONE);
    host.session(ONE, &lines);
    archive(&host);
    lines.push(typed(ONE, 5, "and one more thing"));
    let path = host.session(ONE, &lines);
    assert_eq!(archive(&host).copied, 1);
    let restored = archive::restore_session(&host.app(), ONE, Some(&host.path("out"))).unwrap();
    assert_eq!(fs::read(&restored.files[0].path).unwrap(), fs::read(path).unwrap());
    assert_eq!(copies(&host.paths()).len(), 1);
}

#[test]
fn forgotten_and_excluded_sessions_have_no_copy() {
    let host = Sandbox::new();
    host.set("archive.sessions", &["true"]);
    host.session(ONE, &with_a_rule(ONE));
    let wandering = [
        typed(TWO, 1, "open"),
        typed(TWO, 2, "deal").replace("/home/ada/shop", "/home/ada/secret"),
        typed(TWO, 3, "close"),
    ];
    host.session(TWO, &wandering);
    assert_eq!(archive(&host).copied, 2);
    forget::forget_session(&host.app(), ONE, now().timestamp()).unwrap();
    assert_eq!(copies(&host.paths()).len(), 1, "at once");
    assert_eq!(archive(&host).copied, 0);
    fs::remove_file(&copies(&host.paths())[0]).unwrap();
    host.set("privacy.exclude", &["/home/ada/secret"]);
    assert_eq!(archive(&host).copied, 0, "a part of it is excluded, and a copy would have all");
    host.set("privacy.exclude", &[]);
    assert_eq!(archive(&host).copied, 1);
    host.set("privacy.exclude", &["/home/ada/shop"]);
    assert_eq!(archive(&host).removed, 1);
    assert_eq!(copies(&host.paths()).len(), 0);
}

/// Text that hardly gets smaller.
fn noise(seed: u64, length: usize) -> String {
    let mut state = seed;
    let mut text = String::new();
    while text.len() < length {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        text.push_str(&format!("{:016x}", state ^ (state >> 29)));
    }
    text
}

#[test]
fn oldest_copies_make_room() {
    let host = Sandbox::new();
    host.set("archive.sessions", &["true"]);
    host.set("archive.limit_mb", &["1"]);
    for number in 1..=4_u64 {
        let id = format!("5f0a0000-0000-4000-8000-0000000000c{number}");
        let path = host.session(&id, &[typed(&id, 1, &noise(number, 700_000)), answered(&id, 2, "noted")]);
        set_age(&path, 1000 * number);
    }
    archive(&host);
    let status = archive::archive_status(&host.app()).unwrap();
    assert!(status.compressed <= 1_000_000 && status.copies == 2, "{status:?}");
    assert!(
        archive::restore_session(
            &host.app(),
            "5f0a0000-0000-4000-8000-0000000000c1",
            Some(&host.path("out"))
        )
        .is_ok()
    );
    assert!(archive::restore_session(&host.app(), "5f0a0000-0000-4000-8000-0000000000c4", None).is_err());
    let new = "5f0a0000-0000-4000-8000-0000000000c9";
    host.session(new, &[typed(new, 1, &noise(9, 700_000))]);
    assert_eq!(archive(&host).removed, 1);
    let status = archive::archive_status(&host.app()).unwrap();
    assert!(status.compressed <= 1_000_000 && status.copies == 2, "{status:?}");
    host.set("archive.limit_mb", &["0"]);
    archive(&host);
    assert_eq!(archive::archive_status(&host.app()).unwrap().copies, 5);
}

#[test]
#[ignore = "the process that the test below kills"]
fn child() {
    let root = PathBuf::from(std::env::var(HOME).unwrap());
    let environment = afterword_app::Environment {
        afterword_home: Some(root.join("afterword")),
        claude_config_dir: Some(root.join("claude")),
        home: Some(root.join("home")),
        working_directory: root.join("home"),
    };
    let app = afterword_app::App::new(environment).unwrap();
    let path = root.join("claude/projects/-home-ada-shop").join(format!("{ONE}.jsonl"));
    loop {
        let mut text = fs::read(&path).unwrap();
        text.extend(answered(ONE, text.len(), &noise(text.len() as u64, 40_000)).as_bytes());
        fs::write(root.join("next"), &text).unwrap();
        fs::rename(root.join("next"), &path).unwrap();
        archive::archive_sessions(&app, &mut NoPause).unwrap();
        session_search::index_sessions(&app, &mut NoPause).unwrap();
    }
}

/// Kills the process that copies, again and again; `AFTERWORD_KILLS` says how often (25).
#[test]
fn killed_at_any_point_there_is_a_whole_copy() {
    let kills: u64 = std::env::var("AFTERWORD_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(25);
    let host = Sandbox::new();
    host.set("archive.sessions", &["true"]);
    let path = host.session(ONE, &with_a_rule(ONE));
    archive(&host);
    let begins = fs::read(&path).unwrap();
    let mut last = 0;
    for kill in 0..kills {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "archiving::child", "--ignored"])
            .env(HOME, host.path(""))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let until = Instant::now() + Duration::from_micros(20_000 + kill * 7919 % 60_000);
        while Instant::now() < until {
            std::thread::yield_now();
        }
        process.kill().unwrap();
        process.wait().unwrap();
        // Large transcripts take long, and the kills shall fall everywhere.
        let whole = fs::read(&path).unwrap();
        let out = host.path(&format!("out-{kill}"));
        let restored = archive::restore_session(&host.app(), ONE, Some(&out)).unwrap();
        let bytes = fs::read(&restored.files[0].path).unwrap();
        assert!(whole.starts_with(&bytes) && bytes.starts_with(&begins), "kill {kill}");
        assert!(bytes.len() >= last, "kill {kill}: the copy became older");
        last = bytes.len();
        fs::remove_dir_all(&out).unwrap();
        if whole.len() > 2_000_000 {
            fs::remove_file(&path).unwrap();
            for copy in copies(&host.paths()) {
                fs::remove_file(copy).unwrap();
            }
            host.session(ONE, &with_a_rule(ONE));
            archive(&host);
            last = 0;
        }
    }
    archive(&host);
    assert_eq!(find(&host, "merged migration").len(), 1);
    let unfinished = host.paths().state.join("archive/.unfinished");
    assert_eq!(fs::read_dir(unfinished).unwrap().count(), 0);
    let restored = archive::restore_session(&host.app(), ONE, Some(&host.path("out"))).unwrap();
    assert_eq!(fs::read(&restored.files[0].path).unwrap(), fs::read(&path).unwrap());
}
