//! Nothing is lost and nothing is doubled.

use std::fs;
use std::time::SystemTime;

use afterword_app::note_change::NoteChangeKind;
use afterword_app::{
    Error, ErrorKind, NoProgress, Progress, ReflectRequest, SessionError, Step, Target, reflect, sessions,
};

use afterword_testkit::transcript::{typed, with_a_rule, with_rule};
use afterword_testkit::{Sandbox, all_changed, now};

const ID: &str = "0f0e0d0c-1111-4222-8333-444455556666";

#[test]
fn death_between_writing_notes_and_remembering_them_doubles_nothing() {
    let host = Sandbox::new();
    host.samples();
    // What the database was before is what it still is after a kill at that point.
    drop(reflect::reflect(
        &host.app(),
        &ReflectRequest::new(Target::One("none".into())),
        &now(),
        &mut NoProgress,
    ));
    let database = host.paths().database();
    let before = fs::read(&database).unwrap();
    host.reflect();
    let written = host.lessons();
    assert!(written.len() > 5, "the samples hold lessons");

    for beside in ["-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{beside}", database.display()));
    }
    fs::write(&database, before).unwrap();
    let again = host.reflect();
    assert_eq!(again.unchanged, 0);
    assert_eq!(host.lessons(), written);
    assert_eq!(host.reflect().sessions.len(), 0);
}

#[test]
fn lost_database_costs_no_note() {
    let host = Sandbox::new();
    host.samples();
    host.reflect();
    let written = host.lessons();
    fs::remove_dir_all(host.paths().state).unwrap();
    host.reflect();
    assert_eq!(host.lessons(), written);
}

#[test]
fn order_of_reading_does_not_matter_for_what_is_kept() {
    let (one, other) = (Sandbox::new(), Sandbox::new());
    one.samples();
    one.reflect();
    other.samples();
    let sessions = sessions::sessions(&other.app(), &Default::default()).unwrap();
    for session in sessions {
        other.reflect_with(Target::One(session.session.to_string()), false);
    }
    let keys = |host: &Sandbox| {
        let lessons = host.lessons();
        let key = |text: &str| text.lines().find(|line| line.starts_with("key: ")).unwrap().to_owned();
        let mut keys: Vec<_> = lessons.iter().map(|(_, text)| key(text)).collect();
        keys.sort();
        keys
    };
    assert_eq!(keys(&one), keys(&other));
}

#[test]
fn dry_run_leaves_everything_as_it_is() {
    let host = Sandbox::new();
    host.session(ID, &with_a_rule(ID));
    let dry = host.reflect_with(Target::Changed { since: None }, true);
    assert_eq!((dry.sessions.len(), dry.notes.len()), (1, 0));
    assert!(!host.paths().state.exists());
    assert_eq!(host.names(), Vec::<String>::new());

    host.reflect();
    let path = host.session(ID, &[with_a_rule(ID), vec![typed(ID, 5, "go on")]].concat());
    host.reflect_with(Target::Changed { since: None }, true);
    host.reflect_with(Target::One(path.to_string_lossy().into_owned()), true);
    assert_eq!(host.reflect().sessions.len(), 1, "the dry runs were not remembered");
}

#[test]
fn unchanged_files_are_not_opened() {
    let host = Sandbox::new();
    let path = host.session(ID, &with_a_rule(ID));
    host.reflect();
    // Whoever opened it now would find no session in it.
    let metadata = fs::metadata(&path).unwrap();
    fs::write(&path, "x".repeat(metadata.len() as usize - 1) + "\n").unwrap();
    let file = fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.set_modified(metadata.modified().unwrap()).unwrap();
    let again = host.reflect();
    assert_eq!((again.unchanged, again.failures.len()), (1, 0));
    file.set_modified(SystemTime::now()).unwrap();
    assert_eq!(host.reflect().failures.len(), 1);
}

#[test]
fn session_whose_notes_cannot_be_written_is_tried_again() {
    let host = Sandbox::new();
    host.session(ID, &with_a_rule(ID));
    let folders = ["Preferences", "Workflows", "Fixes", "_review", "_inbox"];
    for folder in folders {
        let folder = host.path("vault/Afterword").join(folder);
        fs::remove_dir_all(&folder).unwrap();
        fs::write(&folder, "in the way").unwrap();
    }
    let failed = host.reflect();
    assert_eq!((failed.sessions.len(), failed.failures.len()), (1, 1));
    assert_eq!(failed.failures[0].error.kind(), ErrorKind::External);
    assert!(failed.notes.iter().any(|note| note.refused.is_some()));
    assert_eq!(host.names(), Vec::<String>::new());

    for folder in folders {
        fs::remove_file(host.path("vault/Afterword").join(folder)).unwrap();
    }
    let mended = host.reflect();
    assert!(
        mended
            .notes
            .iter()
            .any(|note| matches!(note.what, NoteChangeKind::Lesson { .. }) && note.refused.is_none())
    );
    assert_ne!(host.names(), Vec::<String>::new());
    assert_eq!(host.reflect().unchanged, 1);
}

#[test]
fn own_sessions_are_passed_over() {
    let host = Sandbox::new();
    let workplace = host.paths().engine_workplace();
    let cwd = serde_json::to_string(&workplace.join("run-1")).unwrap();
    let lines: Vec<_> = with_a_rule(ID).iter().map(|line| line.replace("\"/home/ada/shop\"", &cwd)).collect();
    let path = host.session(ID, &lines);
    for _ in 0..2 {
        let reflection = host.reflect();
        assert_eq!((reflection.own, reflection.sessions.len()), (1, 0));
    }
    let request = ReflectRequest {
        dry_run: true,
        ..ReflectRequest::new(Target::One(path.to_string_lossy().into_owned()))
    };
    let error = reflect::reflect(&host.app(), &request, &now(), &mut NoProgress).unwrap_err();
    assert!(matches!(error, Error::Session(SessionError::Own { .. })), "{error}");
}

#[test]
fn since_leaves_out_what_is_older() {
    let host = Sandbox::new();
    let path = host.session(ID, &with_a_rule(ID));
    let file = fs::OpenOptions::new().append(true).open(path).unwrap();
    file.set_modified(SystemTime::from(now().timestamp())).unwrap();
    let since = |time: &str| Target::Changed { since: Some(time.parse().unwrap()) };
    assert_eq!(host.reflect_with(since("2026-03-10T12:00:01Z"), true).sessions.len(), 0);
    assert_eq!(host.reflect_with(since("2026-03-10T12:00:00Z"), true).sessions.len(), 1);
}

#[test]
fn oldest_session_is_read_first_and_every_step_is_told() {
    struct StepLog(Vec<String>);
    impl Progress for StepLog {
        fn step(&mut self, step: &Step<'_>) {
            self.0.push(match step {
                Step::Planned { sessions, .. } => format!("{sessions} planned"),
                Step::Reading { transcript, .. } => {
                    format!("reading {}", transcript.file_stem().unwrap().to_string_lossy())
                }
                Step::Mined { session, .. } => format!("mined {}", session.session),
                Step::Failed { .. } => "failed".to_owned(),
                Step::Writing { .. } => "writing".to_owned(),
            });
        }
    }
    let host = Sandbox::new();
    for (id, age) in [("aa", 1), ("bb", 3), ("cc", 2)] {
        let path = host.session(id, &with_a_rule(id));
        let file = fs::OpenOptions::new().append(true).open(path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000 - age)).unwrap();
    }
    let mut told = StepLog(Vec::new());
    reflect::reflect(&host.app(), &all_changed(None), &now(), &mut told).unwrap();
    let expected = [
        "3 planned",
        "reading bb",
        "mined bb",
        "reading cc",
        "mined cc",
        "reading aa",
        "mined aa",
        "writing",
    ];
    assert_eq!(told.0, expected);
}

#[test]
fn path_of_a_subagent_stands_for_its_session() {
    let host = Sandbox::new();
    host.session(ID, &with_a_rule(ID));
    let folder = host.path("claude/projects/-home-ada-shop").join(ID).join("subagents");
    fs::create_dir_all(&folder).unwrap();
    let subagent = folder.join("agent-a1.jsonl");
    fs::write(&subagent, typed(ID, 1, "You are to never say no.")).unwrap();
    let reflection = host.reflect_with(Target::One(subagent.to_string_lossy().into_owned()), true);
    assert_eq!(reflection.sessions[0].transcript.file_stem().unwrap(), ID);
    assert_eq!(host.reflect().sessions.len(), 1, "a sub-agent's transcript is no session");
}

#[test]
fn what_is_said_beside_a_rule_is_no_rule_of_its_own() {
    let said = [
        ("No, you have mixed them! In all my jars you paint only the lid, never the label", 1),
        // Two rules, of which one bears no mark.
        (
            "Fire at 900 then, always, for anything that leaves the kiln. and no gas out there, it spoils the glaze",
            2,
        ),
        ("we only use oak in here. Never put pine in a barrel, no exceptions", 2),
    ];
    for (words, notes) in said {
        let host = Sandbox::new();
        host.session(ID, &with_rule(ID, 1, words));
        host.reflect();
        assert_eq!(host.names().len(), notes, "{words}: {:#?}", host.lessons());
    }
}
