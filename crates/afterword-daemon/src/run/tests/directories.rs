//! Several directories of Claude Code, followed at once.

use std::fs;
use std::path::PathBuf;

#[cfg(unix)]
use afterword_app::sessions::{ListRequest, ReflectionState, sessions};
use afterword_claude_code::spool::HookEvent;
use afterword_core::SessionState;

use super::test_agent::{TestAgent, answered, at, typed, with_a_rule};

const ID: &str = "5f0a0000-0000-4000-8000-000000000001";
const OTHER: &str = "5f0a0000-0000-4000-8000-000000000002";

/// A second rule, so that each session has a note of its own.
fn other_rule() -> Vec<String> {
    vec![
        typed(OTHER, 11, "show the totals on the invoice"),
        answered(OTHER, 12, "I printed them with one decimal."),
        typed(OTHER, 13, "No. From now on always print amounts with two decimals, on every page."),
        answered(OTHER, 14, "Understood, two decimals everywhere."),
    ]
}

#[cfg(unix)]
fn transcript_of(id: &str) -> Vec<String> {
    vec![typed(id, 11, "rename the report"), answered(id, 12, "It is renamed.")]
}

fn set_time(path: &PathBuf, time: &str) {
    fs::File::options().append(true).open(path).unwrap().set_modified(at(time).into()).unwrap();
}

/// An agent that follows `claude-work` as well.
fn following_both() -> TestAgent {
    let stage = TestAgent::new();
    let other = stage.path("claude-work");
    stage.set("claude.other_dirs", &[other.to_str().unwrap()]);
    stage
}

#[test]
fn session_of_each_directory_is_reflected_when_it_idles() {
    let mut stage = following_both();
    stage.session(ID, &with_a_rule(ID), "10:00:00");
    let path = stage.session_of("claude-work", OTHER, &other_rule());
    set_time(&path, "10:00:00");
    stage.turn("10:00:01");
    assert_eq!(
        (stage.state(ID), stage.state(OTHER)),
        (Some(SessionState::Active), Some(SessionState::Active))
    );
    stage.turn("10:04:00");
    assert_eq!((stage.reflected(ID), stage.reflected(OTHER)), (1, 1));
    assert_eq!(stage.names().len(), 2);
    stage.append(&path, &[typed(OTHER, 15, "now the tests"), answered(OTHER, 16, "done")], "11:00:00");
    stage.turn("11:10:00");
    assert_eq!((stage.reflected(ID), stage.reflected(OTHER)), (1, 2));
}

#[test]
fn directory_counts_as_soon_as_it_is_named_and_no_more_when_it_is_taken_out() {
    let mut stage = TestAgent::new();
    let path = stage.session_of("claude-work", OTHER, &other_rule());
    set_time(&path, "10:00:00");
    stage.turn("10:30:00");
    assert_eq!(stage.state(OTHER), None);
    let other = stage.path("claude-work");
    stage.set("claude.other_dirs", &[other.to_str().unwrap()]);
    set_time(&path, "10:30:00");
    stage.turn("10:31:00");
    assert_eq!(stage.state(OTHER), Some(SessionState::Active));
    stage.set("claude.other_dirs", &[]);
    stage.turn("10:50:00");
    assert_eq!((stage.reflected(OTHER), stage.state(OTHER)), (0, None), "nothing of it is kept");
    stage.kill();
    stage.turn("11:50:00");
    assert_eq!((stage.reflected(OTHER), stage.state(OTHER)), (0, None), "also not after a restart");
}

#[test]
fn directory_that_is_named_again_is_known_still() {
    let mut stage = following_both();
    let path = stage.session_of("claude-work", OTHER, &other_rule());
    set_time(&path, "10:00:00");
    stage.turn("10:10:00");
    assert_eq!((stage.reflected(OTHER), stage.state(OTHER)), (1, Some(SessionState::Reflected)));
    stage.set("claude.other_dirs", &[]);
    stage.turn("10:20:00");
    assert_eq!(stage.state(OTHER), None);
    stage.set("claude.other_dirs", &[stage.path("claude-work").to_str().unwrap()]);
    stage.turn("10:30:00");
    assert_eq!((stage.reflected(OTHER), stage.state(OTHER)), (1, Some(SessionState::Reflected)));
    let more = [typed(OTHER, 15, "now the tests"), answered(OTHER, 16, "done")];
    stage.append(&path, &more, "11:00:00");
    stage.turn("11:10:00");
    assert_eq!((stage.reflected(OTHER), stage.names().len()), (2, 1), "it is read on from where it was");
}

#[test]
fn hooks_of_a_directory_that_was_taken_out_are_set_aside_until_it_is_named_again() {
    let mut stage = following_both();
    let path = stage.session_of("claude-work", OTHER, &other_rule()[..2]);
    set_time(&path, "10:00:00");
    stage.turn("10:01:00");
    assert_eq!(stage.state(OTHER), Some(SessionState::Active));
    stage.set("claude.other_dirs", &[]);
    stage.turn("10:02:00");
    let before = stage.timeline(OTHER);
    // Its client has our hooks still, and tells of all that goes on.
    stage.begin(OTHER, &path, None, "10:03:00");
    stage.append(&path, &other_rule()[2..], "10:04:00");
    stage.hook(HookEvent::UserPromptSubmit, OTHER, Some(&path), "10:04:00");
    stage.hook(HookEvent::Stop, OTHER, Some(&path), "10:04:00");
    let begun = path.with_file_name("5f0a0000-0000-4000-8000-000000000003.jsonl");
    stage.begin("5f0a0000-0000-4000-8000-000000000003", &begun, None, "10:04:00");
    stage.hook(HookEvent::SessionEnd, OTHER, Some(&path), "10:05:00");
    stage.turn("10:30:00");
    assert_eq!((stage.reflected(OTHER), stage.state(OTHER)), (0, None));
    assert_eq!(stage.timeline(OTHER), before);
    assert_eq!(stage.timeline("5f0a0000-0000-4000-8000-000000000003"), Vec::<String>::new());
    stage.kill();
    stage.turn("11:00:00");
    assert_eq!((stage.reflected(OTHER), stage.state(OTHER)), (0, None), "nor after a restart");
    stage.set("claude.other_dirs", &[stage.path("claude-work").to_str().unwrap()]);
    stage.turn("11:10:00");
    assert_eq!((stage.reflected(OTHER), stage.names().len()), (1, 1));
    assert!(stage.timeline(OTHER).contains(&"reflected".to_owned()));
}

#[cfg(unix)]
#[test]
fn directory_that_hooks_name_through_a_link_is_followed() {
    let mut stage = following_both();
    let path = stage.session_of("claude-work", OTHER, &other_rule());
    set_time(&path, "10:00:00");
    std::os::unix::fs::symlink(stage.path("claude-work"), stage.path("linked")).unwrap();
    stage.set("claude.other_dirs", &[stage.path("linked").to_str().unwrap()]);
    stage.begin(OTHER, &path, None, "10:00:00");
    stage.turn("10:00:01");
    assert!(stage.timeline(OTHER).contains(&"began".to_owned()), "{:?}", stage.timeline(OTHER));
    // One whose transcript is still to be written.
    let new = stage.path("claude-work/projects/-home-ada-new/5f0a0000-0000-4000-8000-000000000003.jsonl");
    stage.begin("5f0a0000-0000-4000-8000-000000000003", &new, None, "10:00:02");
    stage.turn("10:00:03");
    assert_eq!(stage.timeline("5f0a0000-0000-4000-8000-000000000003"), ["began"]);
}

#[cfg(unix)]
#[test]
fn directory_that_is_named_in_another_spelling_is_known_still() {
    const THIRD: &str = "5f0a0000-0000-4000-8000-000000000003";
    let mut stage = following_both();
    let path = stage.session_of("claude-work", OTHER, &other_rule());
    set_time(&path, "10:00:00");
    stage.turn("10:10:00");
    let ended = stage.session_of("claude-work", THIRD, &transcript_of(THIRD));
    set_time(&ended, "10:11:00");
    stage.turn("10:11:30");
    assert_eq!((stage.reflected(OTHER), stage.state(THIRD)), (1, Some(SessionState::Active)));
    std::os::unix::fs::symlink(stage.path("claude-work"), stage.path("linked")).unwrap();
    stage.set("claude.other_dirs", &[stage.path("linked").to_str().unwrap()]);
    let listed = sessions(&stage.app(), &ListRequest::default()).unwrap();
    let state = |id: &str| listed.iter().find(|one| one.session.as_str() == id).map(|one| one.state);
    assert_eq!((state(OTHER), state(THIRD)), (Some(ReflectionState::Reflected), Some(ReflectionState::New)));
    stage.turn("10:11:40");
    assert_eq!((stage.reflected(OTHER), stage.state(OTHER)), (1, Some(SessionState::Reflected)));
    let second =
        |path: &PathBuf| stage.path("linked").join(path.strip_prefix(stage.path("claude-work")).unwrap());
    let (path, ended) = (second(&path), second(&ended));
    let known: Vec<_> = stage.store().sessions().all_by_path().unwrap().into_keys().collect();
    assert_eq!(known, [path.as_path()]);
    let followed = stage.store().followed_sessions().all().unwrap();
    assert_eq!(followed.iter().map(|row| &row.transcript).collect::<Vec<_>>(), [&path, &ended]);
    assert_eq!(followed[1].since, at("10:11:30"), "it is where it was");
    stage.append(&path, &[typed(OTHER, 15, "now the tests"), answered(OTHER, 16, "done")], "11:00:00");
    stage.turn("11:10:00");
    assert_eq!((stage.reflected(OTHER), stage.reflected(THIRD)), (2, 1));
}

#[test]
fn directory_that_was_moved_is_known_still() {
    let mut stage = following_both();
    let path = stage.session_of("claude-work", OTHER, &other_rule());
    set_time(&path, "10:00:00");
    stage.turn("10:10:00");
    fs::rename(stage.path("claude-work"), stage.path("moved")).unwrap();
    stage.set("claude.other_dirs", &[stage.path("moved").to_str().unwrap()]);
    stage.turn("10:20:00");
    stage.turn("10:40:00");
    assert_eq!((stage.reflected(OTHER), stage.state(OTHER)), (1, Some(SessionState::Reflected)));
}

#[cfg(unix)]
#[test]
fn session_of_a_directory_in_two_spellings_is_one() {
    let mut stage = following_both();
    let path = stage.session_of("claude-work", OTHER, &other_rule());
    set_time(&path, "10:00:00");
    std::os::unix::fs::symlink(stage.path("claude-work"), stage.path("linked")).unwrap();
    let second =
        |spelled: &str| stage.path(spelled).join(path.strip_prefix(stage.path("claude-work")).unwrap());
    let (linked, led_up) = (second("linked"), second("claude/../claude-work"));
    fs::create_dir_all(stage.path("claude")).unwrap();
    stage.set(
        "claude.other_dirs",
        &["claude-work", "linked"].map(|name| stage.path(name)).each_ref().map(|path| path.to_str().unwrap()),
    );
    stage.begin(OTHER, &linked, None, "10:00:00");
    stage.turn("10:00:01");
    stage.hook(HookEvent::Stop, OTHER, Some(&led_up), "10:00:02");
    stage.turn("10:10:00");
    let rows = |stage: &TestAgent| {
        let of_session = |path: &PathBuf| path.file_stem().is_some_and(|name| name == OTHER);
        let known = stage.store().sessions().all_by_path().unwrap().into_keys().filter(of_session);
        let followed = stage.store().followed_sessions().all().unwrap().into_iter().map(|row| row.transcript);
        (known.collect::<Vec<_>>(), followed.filter(of_session).collect::<Vec<_>>())
    };
    assert_eq!(rows(&stage), (vec![path.clone()], vec![path.clone()]));
    assert_eq!((stage.reflected(OTHER), stage.names().len()), (1, 1));
    stage.append(&linked, &[typed(OTHER, 15, "now the tests"), answered(OTHER, 16, "done")], "11:00:00");
    stage.hook(HookEvent::SessionEnd, OTHER, Some(&linked), "11:00:00");
    stage.turn("11:10:00");
    assert_eq!(rows(&stage), (vec![path.clone()], vec![path.clone()]));
    assert_eq!((stage.reflected(OTHER), stage.names().len()), (2, 1));
}

#[cfg(unix)]
#[test]
fn what_the_system_tells_of_shared_projects_is_named_as_a_rescan_names_it() {
    let mut stage = following_both();
    fs::create_dir_all(stage.path("claude-work/projects")).unwrap();
    fs::remove_dir(stage.path("claude/projects")).unwrap();
    std::os::unix::fs::symlink(stage.path("claude-work/projects"), stage.path("claude/projects")).unwrap();
    stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.turn("10:00:01");
    let path = stage.session(OTHER, &other_rule(), "10:00:02");
    stage.turns_when_told("10:00:03", |stage| stage.state(OTHER).is_some());
    let followed = |stage: &TestAgent| {
        let rows = stage.store().followed_sessions().all().unwrap().into_iter();
        rows.filter(|row| row.session.as_str() == OTHER).map(|row| row.transcript).collect::<Vec<_>>()
    };
    assert_eq!(followed(&stage), [path.as_path()]);
    stage.turn("10:10:00");
    assert_eq!(followed(&stage), [path.as_path()]);
    assert_eq!((stage.reflected(OTHER), stage.names().len()), (1, 2));
}

// macOS has no such names.
#[cfg(target_os = "linux")]
#[test]
fn name_that_is_no_unicode_holds_nobody_up() {
    use std::os::unix::ffi::OsStrExt;
    let mut stage = TestAgent::new();
    let path = stage.session(ID, &with_a_rule(ID), "10:00:00");
    let folder = stage.path("claude/projects").join(std::ffi::OsStr::from_bytes(b"caf\xe9"));
    fs::create_dir(&folder).unwrap();
    let unnamed = folder.join(format!("{OTHER}.jsonl"));
    fs::copy(&path, &unnamed).unwrap();
    set_time(&unnamed, "10:00:00");
    stage.turn("10:10:00");
    assert_eq!((stage.reflected(ID), stage.state(OTHER)), (1, None));
    stage.append(&unnamed, &other_rule(), "10:11:00");
    stage.session("5f0a0000-0000-4000-8000-000000000003", &with_a_rule(ID), "10:11:00");
    stage.turns_when_told("10:11:01", |stage| stage.state("5f0a0000-0000-4000-8000-000000000003").is_some());
    assert_eq!(stage.state(OTHER), None);
    // A session that is deleted while nobody looks is followed no longer.
    stage.kill();
    fs::remove_file(&path).unwrap();
    stage.turn("10:40:00");
    assert_eq!(stage.state(ID), None);
}

#[test]
fn directory_that_is_not_there_holds_nobody_up_and_is_found_when_it_comes() {
    let mut stage = following_both();
    stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.turn("10:04:00");
    assert_eq!(stage.reflected(ID), 1);
    let path = stage.session_of("claude-work", OTHER, &other_rule());
    set_time(&path, "10:05:00");
    stage.turn("10:10:00");
    assert_eq!(stage.reflected(OTHER), 1);
    fs::rename(stage.path("claude-work"), stage.path("unplugged")).unwrap();
    stage.turn("10:20:00");
    fs::rename(stage.path("unplugged"), stage.path("claude-work")).unwrap();
    stage.turn("10:30:00");
    assert_eq!((stage.reflected(ID), stage.reflected(OTHER)), (1, 1), "what came back is known");
}

#[test]
fn session_that_was_copied_is_reflected_once_and_goes_on_where_it_goes_on() {
    let mut stage = following_both();
    stage.session(ID, &with_a_rule(ID), "10:00:00");
    let copy = stage.session_of("claude-work", ID, &with_a_rule(ID));
    set_time(&copy, "10:01:00");
    stage.turn("10:10:00");
    assert_eq!((stage.reflected(ID), stage.names().len()), (1, 1));
    assert_eq!(stage.store().followed_sessions().all().unwrap().len(), 1);
    let more = [
        typed(ID, 15, "show the totals"),
        answered(ID, 16, "I printed them with one decimal."),
        typed(ID, 17, "No. From now on always print amounts with two decimals, on every page."),
        answered(ID, 18, "Understood, two decimals everywhere."),
    ];
    stage.append(&copy, &more, "11:00:00");
    stage.hook(HookEvent::Stop, ID, Some(&copy), "11:00:00");
    stage.turn("11:10:00");
    let followed = stage.store().followed_sessions().all().unwrap();
    assert_eq!((followed.len(), &followed[0].transcript), (1, &copy));
    assert_eq!(stage.names().len(), 2, "what was said before the copy is one note still");
    stage.turn("12:00:00");
    assert_eq!(stage.reflected(ID), 2);
}

#[test]
fn excluded_project_is_excluded_in_each() {
    let mut stage = following_both();
    stage.set("privacy.exclude", &["[\"/home/ada/shop\"]"]);
    let path = stage.session_of("claude-work", OTHER, &other_rule());
    set_time(&path, "10:00:00");
    stage.hook(HookEvent::Stop, OTHER, Some(&path), "10:00:00");
    stage.turn("10:30:00");
    assert_eq!((stage.state(OTHER), stage.reflected(OTHER)), (None, 0));
}
