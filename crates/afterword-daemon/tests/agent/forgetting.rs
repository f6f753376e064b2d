//! What forgetting removes, and what it leaves.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use afterword_app::pause::NoPause;
use afterword_app::searching::{SearchRequest, search};
use afterword_app::sessions::{ListRequest, ReflectionState};
use afterword_app::{Error, ProjectError, Target, archive, forget, indexing, reading, sessions};

use crate::finding::{in_state, sessions_found};
use afterword_testkit::transcript::{answered, typed, with_a_rule};
use afterword_testkit::{Sandbox, now};

const ONE: &str = "5f0a0000-0000-4000-8000-000000000001";
const OTHER: &str = "5f0a0000-0000-4000-8000-000000000002";

/// A session with another rule than [`with_a_rule`] has.
pub(crate) fn other_rule(id: &str) -> Vec<String> {
    vec![
        typed(id, 11, "show the totals on the invoice"),
        answered(id, 12, "I printed them with one decimal."),
        typed(id, 13, "No. From now on always print amounts with two decimals, on every page."),
        answered(id, 14, "Understood, two decimals everywhere."),
    ]
}

#[test]
fn notes_of_a_forgotten_session_go_and_those_a_person_changed_stay() {
    let host = Sandbox::new();
    host.session(ONE, &with_a_rule(ONE));
    host.session(OTHER, &other_rule(OTHER));
    host.reflect();
    let before = host.names();
    assert_eq!(before.len(), 2, "{before:?}");
    let forgotten = forget::forget_session(&host.app(), &ONE[..36], now().timestamp()).unwrap();
    assert_eq!((forgotten.removed.len(), forgotten.kept.len()), (1, 0), "{forgotten:?}");
    assert!(forgotten.rows >= 3, "{forgotten:?}");
    assert_eq!(host.names().len(), 1);

    let (name, text) = host.lessons().remove(0);
    fs::write(host.path("vault/Afterword").join(&name), format!("{text}\nMy own words.\n")).unwrap();
    let forgotten = forget::forget_session(&host.app(), OTHER, now().timestamp()).unwrap();
    assert_eq!((forgotten.removed.len(), forgotten.kept), (0, vec![format!("Afterword/{name}")]));
    assert_eq!(host.names(), [name]);
}

#[test]
fn forgotten_session_is_not_read_again_until_somebody_asks_for_it() {
    let host = Sandbox::new();
    host.session(ONE, &with_a_rule(ONE));
    host.reflect();
    forget::forget_session(&host.app(), ONE, now().timestamp()).unwrap();
    assert!(host.reflect().sessions.is_empty());
    let listed = sessions::sessions(&host.app(), &ListRequest::default()).unwrap();
    assert_eq!(listed[0].state, ReflectionState::Forgotten);
    let asked = host.reflect_with(Target::One(ONE.to_owned()), false);
    assert_eq!((asked.sessions.len(), host.names().len()), (1, 1));
    let listed = sessions::sessions(&host.app(), &ListRequest::default()).unwrap();
    assert_eq!(listed[0].state, ReflectionState::Reflected);
}

#[test]
fn project_is_forgotten_with_all_its_sessions() {
    let host = Sandbox::new();
    let gone = host.session(ONE, &with_a_rule(ONE));
    host.session(OTHER, &other_rule(OTHER));
    host.reflect();
    // Claude Code has deleted one of the transcripts.
    fs::remove_file(gone).unwrap();
    let forgotten = forget::forget_project(&host.app(), "shop", now().timestamp()).unwrap();
    assert_eq!((forgotten.sessions.len(), forgotten.removed.len()), (2, 2), "{forgotten:?}");
    assert_eq!(host.names(), Vec::<String>::new());
    let nothing = forget::forget_project(&host.app(), "/nowhere/at/all", now().timestamp());
    assert!(matches!(nothing, Err(Error::Project(ProjectError::NoSession { .. }))), "{nothing:?}");
}

/// Deleted rows stay in a database's free pages, in its log and in the segments of a full-text index unless somebody sees to it.
#[test]
fn nothing_of_a_forgotten_session_is_left_in_the_files_of_the_state() {
    let host = Sandbox::new();
    let words = "aardvarkisation";
    host.session(ONE, &[typed(ONE, 1, &format!("From now on never use {words} in this repository."))]);
    host.session(OTHER, &other_rule(OTHER));
    host.reflect();
    indexing::refresh_index(&host.app()).unwrap();
    let index = host.paths().search_index().parent().unwrap().to_owned();
    let of_index =
        |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("index.db"));
    let has = |text: &str| files(&index).iter().any(|(path, bytes)| of_index(path) && holds(bytes, text));
    assert!(has(words), "the note is in the index of notes");
    assert_eq!(sessions_found(&host, words).len(), 1);
    forget::forget_session(&host.app(), ONE, now().timestamp()).unwrap();
    assert_eq!(sessions_found(&host, words), []);
    let left: Vec<_> =
        ["afterword.db", "sessions.db"].into_iter().filter(|name| in_state(&host, name, words)).collect();
    assert_eq!(left, Vec::<&str>::new());
    // Its stem, as the full-text index keeps it.
    assert!(!has("aardvarkis"), "the index of notes has it still");
    let other = SearchRequest { query: "decimals".to_owned(), limit: 5, ..SearchRequest::default() };
    assert!(!search(&host.app(), &other).unwrap().hits.is_empty(), "other notes are found still");
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window.eq_ignore_ascii_case(text.as_bytes()))
}

/// Every file below a folder, with its bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        match entry.path() {
            path if path.is_dir() => found.extend(files(&path)),
            path => {
                found.insert(path.clone(), fs::read(path).unwrap());
            }
        }
    }
    found
}

#[test]
fn transcripts_are_as_they_were_whatever_is_done() {
    let host = Sandbox::new();
    host.set("archive.sessions", &["true"]);
    host.session(ONE, &with_a_rule(ONE));
    host.session(OTHER, &other_rule(OTHER));
    let projects = host.app().claude_directory().join("projects");
    let before = files(&projects);
    assert_eq!(before.len(), 2);
    host.reflect();
    let app = host.app();
    assert_eq!(sessions_found(&host, "decimals").len(), 1);
    reading::read_session(&app, ONE).unwrap();
    archive::archive_sessions(&app, &mut NoPause).unwrap();
    archive::restore_session(&app, ONE, None).unwrap();
    forget::forget_session(&app, ONE, now().timestamp()).unwrap();
    forget::forget_project(&app, "shop", now().timestamp()).unwrap();
    assert_eq!(files(&projects), before);
}
