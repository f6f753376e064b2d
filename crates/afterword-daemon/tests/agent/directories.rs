//! What is asked of sessions holds for each directory of Claude Code that is followed.

use std::fs;

use afterword_app::pause::NoPause;
use afterword_app::sessions::{self, ListRequest};
use afterword_app::{Error, SessionError, Target, archive, forget, reading, session_search, settings};

use crate::finding::{self, in_state, sessions_found};
use crate::forgetting::other_rule;
use afterword_testkit::transcript::with_a_rule;
use afterword_testkit::{Sandbox, now};

const ONE: &str = "5f0a0000-0000-4000-8000-0000000000d1";
const TWO: &str = "5f0a0000-0000-4000-8000-0000000000d2";

/// A machine with a session in each of two directories, both followed.
fn with_both() -> Sandbox {
    let host = Sandbox::new();
    host.set("claude.other_dirs", &[host.path("claude-work").to_str().unwrap()]);
    host.session(ONE, &with_a_rule(ONE));
    host.session_of("claude-work", TWO, &other_rule(TWO));
    host
}

#[test]
fn sessions_of_each_are_listed_read_reflected_and_found() {
    let host = with_both();
    let listed = sessions::sessions(&host.app(), &ListRequest::default()).unwrap();
    assert_eq!(listed.len(), 2);
    assert_eq!(host.reflect().sessions.len(), 2);
    assert_eq!(host.names().len(), 2);
    assert_eq!(sessions_found(&host, "decimals").len(), 1);
    let read = reading::read_session(&host.app(), TWO).unwrap();
    assert!(read.transcript.starts_with(host.path("claude-work").to_str().unwrap()), "{}", read.transcript);
}

#[test]
fn session_of_another_directory_goes_on_in_its_own() {
    let host = with_both();
    let resume = |id: &str| reading::read_session(&host.app(), id).unwrap().resume.unwrap();
    let (one, two) = (resume(ONE), resume(TWO));
    let named = |line: &str, directory: &str| {
        line.contains("CLAUDE_CONFIG_DIR") && line.contains(host.path(directory).to_str().unwrap())
    };
    assert!(named(&two, "claude-work") && two.ends_with(&format!("claude --resume {TWO}")), "{two}");
    assert!(named(&one, "claude") && !named(&one, "claude-work"), "{one}");
}

#[test]
fn path_below_neither_is_foreign() {
    let host = with_both();
    let elsewhere = host.session_of("claude-strange", ONE, &with_a_rule(ONE));
    let find = |path: &std::path::Path| sessions::find_session(&host.app(), path.to_str().unwrap());
    let own = host.path(&format!("claude-work/projects/-home-ada-shop/{TWO}.jsonl"));
    assert_eq!(find(&own).unwrap().session.as_str(), TWO);
    assert!(matches!(find(&elsewhere), Err(Error::Session(SessionError::Foreign { .. }))));
    // Of the directory itself only `projects` counts.
    let beside = host.path(&format!("claude-work/{TWO}.jsonl"));
    fs::copy(&own, &beside).unwrap();
    assert!(matches!(find(&beside), Err(Error::Session(SessionError::Foreign { .. }))));
}

#[test]
fn directory_that_is_added_takes_no_other_out_though_it_is_missing() {
    let host = with_both();
    let paths = ["claude-work", "claude-play"].map(|name| host.path(name).to_str().unwrap().to_owned());
    fs::rename(host.path("claude-work"), host.path("unplugged")).unwrap();
    fs::create_dir(host.path("claude-play")).unwrap();
    let follow =
        |directory: &str| settings::add_to_setting(&host.app(), "claude.other_dirs", &[directory.to_owned()]);
    follow(&paths[1]).unwrap();
    follow(&paths[1]).unwrap();
    let set =
        || settings::settings(&host.app()).unwrap().into_iter().find(|one| one.key == "claude.other_dirs");
    assert_eq!(set().unwrap().values, paths);
    assert!(follow(host.path("nowhere").to_str().unwrap()).is_err());
    assert_eq!(set().unwrap().values, paths, "what is refused changes nothing");
}

#[test]
fn every_process_follows_the_same_ones_whichever_it_was_started_with() {
    let host = with_both();
    // The one whose variable names neither.
    let mut environment = host.environment();
    environment.claude_config_dir = Some(host.path("claude-work"));
    host.set("claude.config_dir", &[host.path("claude").to_str().unwrap()]);
    let app = afterword_app::App::new(environment).unwrap();
    assert_eq!(sessions::sessions(&app, &ListRequest::default()).unwrap().len(), 2);
    assert_eq!(app.claude_directory(), host.path("claude-work"));
}

#[test]
fn copies_are_kept_and_restored_apart() {
    let host = with_both();
    host.set("archive.sessions", &["true"]);
    let done = archive::archive_sessions(&host.app(), &mut NoPause).unwrap().unwrap();
    assert_eq!((done.copied, done.problems), (2, Vec::<String>::new()));
    let again = archive::archive_sessions(&host.app(), &mut NoPause).unwrap().unwrap();
    assert_eq!((again.copied, again.removed), (0, 0));
    let path = host.path(&format!("claude-work/projects/-home-ada-shop/{TWO}.jsonl"));
    let before = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(sessions_found(&host, "decimals").len(), 1);
    assert!(reading::read_session(&host.app(), TWO).unwrap().is_copy);
    let restored = archive::restore_session(&host.app(), TWO, None).unwrap();
    assert_eq!(restored.files[0].path, path);
    assert_eq!(fs::read(&path).unwrap(), before);
    let aside = archive::restore_session(&host.app(), TWO, Some(&host.path("aside"))).unwrap();
    assert_eq!(aside.files[0].path, host.path(&format!("aside/-home-ada-shop/{TWO}.jsonl")));
}

fn listed(host: &Sandbox) -> Vec<String> {
    let lines = session_search::session_lines(&host.app(), None).unwrap();
    lines.into_iter().map(|line| line.session).collect()
}

#[test]
fn directory_that_is_taken_out_is_neither_listed_nor_found_and_comes_back_whole() {
    let host = with_both();
    let work = host.path("claude-work").to_str().unwrap().to_owned();
    host.set("archive.sessions", &["true"]);
    host.reflect();
    archive::archive_sessions(&host.app(), &mut NoPause).unwrap();
    assert_eq!(sessions_found(&host, "decimals").len(), 1);
    assert_eq!(listed(&host).len(), 2);

    host.set("claude.other_dirs", &[]);
    assert_eq!(listed(&host), [ONE], "before the index was made anew");
    let before_indexing =
        session_search::find(&host.app(), &finding::request("decimals"), now().timestamp()).unwrap();
    assert!(before_indexing.sessions.is_empty());
    assert_eq!(sessions_found(&host, "decimals"), []);
    assert_eq!(listed(&host), [ONE], "its copy is not listed either");
    assert_eq!(archive::archive_sessions(&host.app(), &mut NoPause).unwrap().unwrap().removed, 0);
    assert_eq!(host.names().len(), 2, "what was learned stays");

    host.set("claude.other_dirs", &[&work]);
    assert_eq!(sessions_found(&host, "decimals").len(), 1);
    assert_eq!(listed(&host).len(), 2);
    let again = host.reflect();
    assert_eq!((again.sessions.len(), again.unchanged), (0, 2), "nothing is read twice");
    assert_eq!(archive::archive_sessions(&host.app(), &mut NoPause).unwrap().unwrap().copied, 0);

    // What is left of a session that is gone is the copy: it is no other's business where it was.
    host.set("claude.other_dirs", &[]);
    fs::remove_dir_all(&work).unwrap();
    assert_eq!(sessions_found(&host, "decimals").len(), 1);
    assert_eq!(listed(&host).len(), 2);
}

#[test]
fn forgotten_session_is_forgotten_in_each() {
    let host = with_both();
    host.set("archive.sessions", &["true"]);
    for claude in ["claude", "claude-work"] {
        let line = format!(
            "{{\"display\":\"two decimals, {claude}\",\"timestamp\":1790000000000,\"project\":\"/home/ada/shop\",\"sessionId\":\"{TWO}\"}}\n"
        );
        fs::write(host.path(claude).join("history.jsonl"), line).unwrap();
    }
    host.reflect();
    archive::archive_sessions(&host.app(), &mut NoPause).unwrap();
    assert_eq!(sessions_found(&host, "decimals").len(), 1);
    assert!(in_state(&host, "sessions.db", TWO));
    forget::forget_session(&host.app(), TWO, now().timestamp()).unwrap();
    assert_eq!(sessions_found(&host, "decimals"), []);
    assert!(!in_state(&host, "sessions.db", TWO));
    assert_eq!(host.names().len(), 1);
    assert!(archive::restore_session(&host.app(), TWO, None).is_err(), "its copy is gone");
    assert!(host.reflect().sessions.is_empty());
}

#[test]
fn prompts_of_each_outlast_their_sessions() {
    let host = with_both();
    for (claude, id, said) in [("claude", ONE, "walrus"), ("claude-work", TWO, "narwhal")] {
        let gone = id.replace("-0000000000d", "-0000000000e");
        let line = format!(
            "{{\"display\":\"draw a {said}\",\"timestamp\":1790000000000,\"project\":\"/home/ada/shop\",\"sessionId\":\"{gone}\"}}\n"
        );
        fs::write(host.path(claude).join("history.jsonl"), line).unwrap();
    }
    assert_eq!(sessions_found(&host, "walrus").len(), 1);
    assert_eq!(sessions_found(&host, "narwhal").len(), 1);
}

#[test]
fn session_that_was_copied_is_listed_and_found_once() {
    let host = with_both();
    host.set("archive.sessions", &["true"]);
    host.session_of("claude-work", ONE, &with_a_rule(ONE));
    assert_eq!(sessions::sessions(&host.app(), &ListRequest::default()).unwrap().len(), 2);
    assert_eq!(host.reflect().sessions.len(), 2);
    assert_eq!(archive::archive_sessions(&host.app(), &mut NoPause).unwrap().unwrap().copied, 2);
    assert_eq!(sessions_found(&host, "migration").len(), 1);
    let dry = host.reflect_with(Target::One(ONE[..36].to_owned()), true);
    assert_eq!(dry.sessions.len(), 1, "its id is not ambiguous");
}
