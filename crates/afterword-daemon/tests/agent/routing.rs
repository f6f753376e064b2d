//! Where candidates go, and what is said of failures.

use afterword_app::note_change::WaitingPlace;
use afterword_app::{App, Environment, ErrorKind, NoProgress, ReflectRequest, Target, reflect};

use afterword_testkit::{Sandbox, now};

#[test]
fn silent_mode_saves_what_interactive_mode_asks_about() {
    let (asking, silent) = (Sandbox::new(), Sandbox::new());
    asking.samples();
    silent.samples();
    silent.set("review.mode", &["silent"]);
    let waiting = |host: &Sandbox| {
        let notes = host.reflect().notes;
        notes.iter().filter(|note| note.waits == Some(WaitingPlace::Review)).count()
    };
    assert!(waiting(&asking) > 0);
    assert_eq!(waiting(&silent), 0);
    assert_eq!(asking.names().len(), silent.names().len());
    assert!(asking.names().iter().any(|name| name.starts_with("_review/")));
    assert!(!silent.names().iter().any(|name| name.starts_with("_review/")));
}

#[test]
fn few_are_asked_about_and_the_others_are_in_the_inbox() {
    let in_folder =
        |host: &Sandbox, folder: &str| host.names().iter().filter(|name| name.starts_with(folder)).count();
    let reflected = |per_week: &str| {
        let host = Sandbox::new();
        host.samples();
        host.set("review.per_week", &[per_week]);
        host.reflect();
        host
    };
    let (all, none) = (reflected("1000"), reflected("0"));
    let asked = in_folder(&all, "_review/");
    assert!(asked > 0);
    assert_eq!(in_folder(&none, "_review/"), 0);
    assert_eq!(in_folder(&none, "_inbox/"), in_folder(&all, "_inbox/") + asked, "nothing is lost");
    assert_eq!(in_folder(&none, "Preferences/"), in_folder(&all, "Preferences/"), "what is certain is saved");

    // What was put by stays where it is, however often it is read again.
    let names = none.names();
    none.set("review.per_week", &["5"]);
    none.reflect();
    assert_eq!(none.names(), names);
}

#[test]
fn extra_pattern_is_taken_out_of_everything() {
    let host = Sandbox::new();
    host.set("privacy.redact_extra", &["migration [a-z]+"]);
    let id = "0f0e0d0c-1111-4222-8333-444455556666";
    host.session(id, &afterword_testkit::transcript::with_a_rule(id));
    let reflection = host.reflect();
    assert!(reflection.sessions[0].redacted > 0);
    let text = format!("{:?}", reflection.sessions[0].candidates);
    assert!(!text.contains("migration file"), "{text}");
    assert!(host.lessons().iter().all(|(_, text)| !text.contains("migration file")));
    let database = std::fs::read(host.paths().database()).unwrap();
    assert!(!database.windows(14).any(|bytes| bytes == b"migration file"));
}

#[test]
fn failures_have_a_kind_and_say_what_to_do() {
    let home = tempfile::tempdir().unwrap();
    let environment = Environment {
        afterword_home: Some(home.path().join("afterword")),
        claude_config_dir: Some(home.path().join("claude")),
        home: None,
        working_directory: home.path().to_owned(),
    };
    let app = App::new(environment).unwrap();
    let error = |target: Target, dry_run| {
        reflect::reflect(
            &app,
            &ReflectRequest { dry_run, ..ReflectRequest::new(target) },
            &now(),
            &mut NoProgress,
        )
        .unwrap_err()
    };
    let no_vault = error(Target::Changed { since: None }, false);
    assert_eq!(no_vault.kind(), ErrorKind::Precondition);
    assert!(no_vault.hints()[0].contains("afterword init --vault DIR"));
    assert_eq!(error(Target::One("nobody".into()), true).kind(), ErrorKind::NotFound);
    assert_eq!(error(Target::One("./nothing.jsonl".into()), true).kind(), ErrorKind::Invalid);
    assert!(!home.path().join("afterword").exists());
}
