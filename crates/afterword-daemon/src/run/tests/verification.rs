//! The verification criteria of the design that the agent came from, each by its number; 12 is on the CI workflow, and where
//! that is read.

use std::fs::File;
use std::path::{Path, PathBuf};

use afterword_core::{Confidence, Kind, LessonScope, SessionState};

use super::test_agent::{TestAgent, answered, at, session, typed, with_a_rule};
use afterword_app::note_change::WaitingPlace;
use afterword_app::review::{Answer, EditedWords, QueueFilter};
use afterword_app::{NoProgress, ReflectRequest, Target, install, reflect, review};
use afterword_claude_code::install::{Direction, Scope};
use afterword_claude_code::spool::HookEvent;

const ID: &str = "5f0a0000-0000-4000-8000-000000000001";

fn mined(stage: &TestAgent, lines: &[String]) -> Vec<(Kind, String)> {
    let path = stage.session(ID, lines, "10:00:00");
    let request = ReflectRequest {
        dry_run: true,
        ..ReflectRequest::new(Target::One(path.to_string_lossy().into_owned()))
    };
    let now = at("10:10:00").to_zoned(jiff::tz::TimeZone::UTC);
    let reflection = reflect::reflect(&stage.app(), &request, &now, &mut NoProgress).unwrap();
    let session = &reflection.sessions[0];
    session
        .candidates
        .iter()
        .map(|one| (one.kind, format!("{} {}", one.title, one.body).to_lowercase()))
        .collect()
}

#[track_caller]
fn assert_found(candidates: &[(Kind, String)], kind: Kind, word: &str) {
    assert!(
        candidates.iter().any(|(k, text)| *k == kind && text.contains(word)),
        "{kind:?} {word}: {candidates:#?}"
    );
}

#[test]
fn criterion_01_the_end_of_a_session_reflects_it() {
    let mut stage = TestAgent::new();
    let path = stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.begin(ID, &path, None, "09:59:00");
    stage.turn("10:00:01");
    assert_eq!(stage.reflected(ID), 0);
    stage.hook(HookEvent::SessionEnd, ID, Some(&path), "10:00:02");
    stage.turn("10:00:02");
    assert_eq!(stage.state(ID), Some(SessionState::Ended));
    stage.turn("10:00:04");
    assert_eq!((stage.reflected(ID), stage.triggers()), (1, vec!["session-end".to_owned()]));
    assert_eq!(stage.markers().reflected_sessions().unwrap(), [session(ID)], "its marker says so");
}

#[test]
fn criterion_02_idling_for_the_set_minutes_reflects_it() {
    let mut stage = TestAgent::new();
    stage.set("reflection.idle_minutes", &["30"]);
    stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.turn("10:29:59");
    assert_eq!(stage.reflected(ID), 0);
    stage.turn("10:30:00");
    assert_eq!((stage.reflected(ID), stage.triggers()), (1, vec!["idle".to_owned()]));
}

#[test]
fn criterion_03_lessons_of_three_categories_are_found() {
    let stage = TestAgent::new();
    let mut lines = with_a_rule(ID);
    let asked = "run the linter, then the tests, then build the container image";
    for number in [10, 20, 30] {
        lines.push(typed(ID, number, asked));
        lines.push(answered(ID, number + 1, "All three are done."));
    }
    let candidates = mined(&stage, &lines);
    assert_found(&candidates, Kind::Preference, "migration");
    assert_found(&candidates, Kind::Workflow, "linter");
    // An error and what resolved it, recorded with the real client: a path with a blank in it, not quoted.
    let recorded = std::fs::read_to_string(recorded().join("homelab-backup.jsonl")).unwrap();
    assert_found(&mined(&stage, &[recorded]), Kind::Fix, "quoted");
}

#[test]
fn criterion_03_what_the_user_corrected_is_found() {
    let stage = TestAgent::new();
    let lines = [
        typed(ID, 0, "write the loader of the settings"),
        answered(ID, 1, "Done. The paths are joined with os.path.join."),
        typed(ID, 10, "no, that's wrong, we use pathlib for paths here, not os.path"),
        answered(ID, 11, "You are right. I changed the loader to pathlib."),
    ];
    assert_found(&mined(&stage, &lines), Kind::Preference, "pathlib");
}

#[test]
fn criterion_04_ideas_are_found() {
    let stage = TestAgent::new();
    let ideas = [
        ("we should also add a dark mode to the invoice page later, not now", "dark mode"),
        ("this importer could be its own project later", "importer"),
        // The seed's own words: what "this" is, the agent had said.
        ("this could be its own project", "i added the column and edited the old migration"),
        ("we should also read the old invoices", "read the old invoices"),
    ];
    for (said, word) in ideas {
        let mut lines = with_a_rule(ID)[..2].to_vec();
        lines.push(typed(ID, 10, said));
        lines.push(answered(ID, 11, "Agreed."));
        assert_found(&mined(&stage, &lines), Kind::Idea, word);
    }
}

/// What the idea is stands in its title; where it came up, in two sentences.
#[test]
fn criterion_04_an_idea_says_in_two_sentences_where_it_came_up() {
    let stage = TestAgent::new();
    let mut lines = with_a_rule(ID)[..2].to_vec();
    lines.push(typed(ID, 10, "this importer could be its own project later"));
    lines.push(answered(ID, 11, "Agreed."));
    let candidates = mined(&stage, &lines);
    assert_found(
        &candidates,
        Kind::Idea,
        "it came up after the agent said “i added the column and edited the old migration",
    );
    assert_found(&candidates, Kind::Idea, "the agent answered “agreed.”");
}

#[test]
fn criterion_05_each_confidence_has_its_place() {
    let mut stage = TestAgent::new();
    samples(&stage);
    stage.turn("10:10:00");
    assert!(!stage.notes("Preferences").is_empty(), "certain ones are saved");
    assert!(!stage.notes("_review").is_empty(), "likely ones wait for review");
    assert!(!stage.notes("_inbox").is_empty(), "those seen once are in the inbox");
}

/// Each lesson of medium confidence asks, and each answer does what it says.
#[test]
fn criterion_06_each_answer_to_what_is_asked_is_carried_out() {
    let mut stage = TestAgent::new();
    stage.set("review.per_week", &["100"]);
    samples(&stage);
    stage.turn("10:10:00");
    let now = at("10:20:00").to_zoned(jiff::tz::TimeZone::UTC);
    let queue = || review::review_queue(&stage.app(), &QueueFilter::default(), &now).unwrap();
    let asked = queue();
    let medium = asked.iter().take_while(|one| one.waits == WaitingPlace::Review).count();
    assert!(medium > 0 && asked.len() >= 5, "{asked:#?}");
    assert!(asked[..medium].iter().all(|one| one.confidence == Some(Confidence::Medium)), "{asked:#?}");
    let text = |path: &str| std::fs::read_to_string(stage.path("vault").join(path)).unwrap();
    assert!(
        asked.iter().all(|one| text(&one.path).contains("\nreview:\n")),
        "each has a place for the answer"
    );
    let answer = |at: usize, answer: &Answer| {
        let id = asked[at].id.to_string();
        review::answer_all(&stage.app(), &[id], answer, &now).unwrap().remove(0).unwrap()
    };
    let kept = answer(0, &Answer::approve());
    assert!(
        !kept.path.contains("_review") && text(&kept.path).contains("\nstatus: active\n"),
        "{}",
        kept.path
    );
    let title = Some("Say what the person would say".to_owned());
    let edited = answer(1, &Answer::Approve(EditedWords { title, body: None }));
    assert!(
        text(&edited.path).contains("title: \"Say what the person would say\"\n"),
        "{}",
        text(&edited.path)
    );
    let reject = Answer::Reject { reason: "only that once".to_owned(), scope: LessonScope::default() };
    let rejected = answer(2, &reject);
    assert!(text(&rejected.path).contains("\nstatus: archived\n"), "{}", text(&rejected.path));
    answer(3, &Answer::Skip);
    assert_eq!(queue().last().unwrap().id, asked[3].id, "what is put off comes last");
    let supersede = Answer::Supersede { old: kept.path.clone(), words: EditedWords::default() };
    let newer = answer(4, &supersede);
    assert!(text(&newer.path).contains("\nstatus: active\n"), "{}", text(&newer.path));
    assert!(text(&kept.path).contains("\nstatus: superseded\n"), "{}", text(&kept.path));
    assert_eq!(queue().len(), asked.len() - 4, "all but what was put off are answered");
}

#[test]
fn criterion_07_silent_mode_asks_nothing() {
    let mut stage = TestAgent::new();
    stage.set("review.mode", &["silent"]);
    samples(&stage);
    stage.turn("10:10:00");
    assert_eq!(stage.notes("_review").len(), 0);
    assert!(!stage.notes("Preferences").is_empty());
}

#[test]
fn criterion_08_a_crashed_session_is_reflected_after_the_fact() {
    let mut stage = TestAgent::new();
    let path = stage.session(ID, &with_a_rule(ID), "10:00:00");
    let gone = afterword_platform::process::ProcessIdentity::of_this()
        .map(|this| afterword_platform::process::ProcessIdentity { pid: u32::MAX - 7, ..this });
    stage.begin(ID, &path, gone, "09:59:00");
    assert_eq!(stage.markers().open().unwrap().len(), 1, "the marker stays in place");
    stage.turn("10:00:05");
    assert_eq!((stage.reflected(ID), stage.triggers()), (1, vec!["recovery".to_owned()]));
    assert_eq!(
        (stage.markers().open().unwrap().len(), stage.markers().reflected_sessions().unwrap().len()),
        (0, 1)
    );
}

#[test]
fn criterion_09_markers_are_collected_after_thirty_days() {
    let mut stage = TestAgent::new();
    let path = stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.begin(ID, &path, None, "09:59:00");
    stage.hook(HookEvent::SessionEnd, ID, Some(&path), "10:00:00");
    stage.turn("10:10:00");
    let markers = stage.paths().markers();
    for (name, day) in [("old", "2026-01-29T09:00:00Z"), ("young", "2026-02-01T09:00:00Z")] {
        let file = File::create(markers.join(format!("session-id-{name}.reflected"))).unwrap();
        file.set_modified(at(day).into()).unwrap();
    }
    stage.turn("11:10:00");
    assert_eq!(stage.markers().reflected_sessions().unwrap().len(), 2, "this session's and the young one");
    stage.turn("2026-03-31T10:10:00Z");
    assert_eq!(stage.markers().reflected_sessions().unwrap().len(), 0);
}

#[test]
fn criterion_10_any_transcript_can_be_reflected_by_hand() {
    let stage = TestAgent::new();
    let elsewhere = stage.path("copy.jsonl");
    std::fs::write(&elsewhere, with_a_rule(ID).concat()).unwrap();
    let request = ReflectRequest {
        foreign: true,
        ..ReflectRequest::new(Target::One(elsewhere.to_string_lossy().into_owned()))
    };
    let now = at("10:10:00").to_zoned(jiff::tz::TimeZone::UTC);
    reflect::reflect(&stage.app(), &request, &now, &mut NoProgress).unwrap();
    assert_eq!((stage.notes("Preferences").len(), stage.triggers()), (1, vec!["manual".to_owned()]));
}

/// The hooks are at both places, the user's settings and the project's, and no byte is left of them.
#[test]
fn criterion_11_hooks_land_at_both_places() {
    let stage = TestAgent::new();
    let project = stage.path("shop");
    std::fs::create_dir_all(&project).unwrap();
    let user = stage.path("claude/settings.json");
    let own = "{\n  \"model\": \"opus\"\n}\n";
    std::fs::write(&user, own).unwrap();
    let program = std::env::current_exe().unwrap();
    let places = [
        (Scope::User, user.clone()),
        (Scope::Project(project.clone()), project.join(".claude/settings.local.json")),
    ];
    for (scope, settings) in &places {
        install::plan(&stage.app(), Direction::Install, scope, &program).unwrap().apply().unwrap();
        let text = std::fs::read_to_string(settings).unwrap();
        let hooks: serde_json::Value = serde_json::from_str(&text).unwrap();
        for event in ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"] {
            let ours = hooks["hooks"][event].to_string();
            assert!(
                ours.contains(" hook ") || ours.contains("\"hook\""),
                "{event} in {}: {text}",
                settings.display()
            );
        }
    }
    for (scope, _) in &places {
        install::plan(&stage.app(), Direction::Uninstall, scope, &program).unwrap().apply().unwrap();
    }
    assert_eq!(std::fs::read_to_string(&user).unwrap(), own, "to the byte");
    assert!(!project.join(".claude").exists(), "and nothing is left in the project");
}

/// Sessions recorded with the real client.
fn recorded() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/sessions/transcripts")
}

fn samples(stage: &TestAgent) {
    for entry in std::fs::read_dir(recorded()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let text = std::fs::read_to_string(&path).unwrap();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            stage.session(&name, &[text], "09:00:00");
        }
    }
}
