//! Sessions read again: what an earlier engine made of them is put right where nobody touched it, and only when asked.
//!
//! The earlier engine is today's on other words of the person in the same entry.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use afterword_app::reflect::again::{Reread, RereadRequest};
use afterword_app::{NoProgress, Target, reflect, review};
use afterword_core::Confidence;
use afterword_core::LessonScope;
use afterword_store::{Fingerprint, Store};

use afterword_testkit::transcript::{typed, with_a_rule};
use afterword_testkit::{Sandbox, now};

const ID: &str = "0f0e0d0c-1111-4222-8333-444455556666";
const OTHER: &str = "0f0e0d0c-1111-4222-8333-444455557777";
const LONGER: &str = "No. From now on never edit a migration that is merged, always add a new migration file with a date in its name.";
/// What is likely, but not certain enough to be saved without asking.
const UNSURE: &str = "actually, put it into a new migration file, the old one is merged";

/// The session with other words of the person in its third entry.
fn saying(id: &str, words: &str) -> Vec<String> {
    let mut lines = with_a_rule(id);
    lines[2] = typed(id, 3, words);
    lines
}

fn no_lesson(id: &str) -> Vec<String> {
    saying(id, "thanks, that looks fine")
}

/// Reflects a session as `earlier` was; then `today` stands in its file and nothing counts as changed.
fn reflected_earlier(host: &Sandbox, id: &str, earlier: &[String], today: &[String]) {
    host.session(id, earlier);
    host.reflect();
    read_today_as(host, id, today);
}

fn read_today_as(host: &Sandbox, id: &str, today: &[String]) {
    let path = host.session(id, today);
    let store = Store::open(&host.paths().database()).unwrap();
    let mut row = store.sessions().get(&path).unwrap().unwrap();
    row.fingerprint = fingerprint(&path);
    store.sessions().put(&row).unwrap();
}

fn fingerprint(path: &Path) -> Fingerprint {
    let metadata = fs::metadata(path).unwrap();
    let since = metadata.modified().unwrap().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    Fingerprint { size: metadata.len(), mtime_ns: i64::try_from(since.as_nanos()).unwrap() }
}

fn reread(host: &Sandbox, target: Target, apply: bool) -> Reread {
    reflect::reread(&host.app(), &RereadRequest { target, apply }, &now(), &mut NoProgress).unwrap()
}

fn all(host: &Sandbox, apply: bool) -> Reread {
    reread(host, Target::Changed { since: None }, apply)
}

fn sizes(plan: &Reread) -> (usize, usize, usize) {
    (plan.add.len(), plan.improve.len(), plan.withdraw.len())
}

fn only_note(host: &Sandbox) -> (String, String) {
    let mut lessons = host.lessons();
    assert_eq!(lessons.len(), 1, "{lessons:?}");
    lessons.remove(0)
}

#[test]
fn lesson_an_earlier_engine_did_not_find_is_added_when_asked() {
    let host = Sandbox::new();
    reflected_earlier(&host, ID, &no_lesson(ID), &with_a_rule(ID));
    assert_eq!(host.names(), Vec::<String>::new());
    let before = fs::read(host.paths().database()).unwrap();

    let plan = all(&host, false);
    assert_eq!((plan.applied, plan.sessions, sizes(&plan)), (false, 1, (1, 0, 0)), "{plan:?}");
    assert_eq!(host.names(), Vec::<String>::new(), "a plan writes nothing");
    assert_eq!(fs::read(host.paths().database()).unwrap(), before);

    let done = all(&host, true);
    assert_eq!((done.applied, &done.add), (true, &plan.add));
    let (name, text) = only_note(&host);
    assert_eq!(format!("Afterword/{name}"), done.add[0].path);
    assert!(
        text.contains("status: active")
            && text.contains(&format!("{ID}/00000000-0000-4000-8000-000000000003"))
    );

    assert_eq!(sizes(&all(&host, true)), (0, 0, 0), "once is enough");
    assert_eq!(host.reflect().unchanged, 1);
}

#[test]
fn untouched_note_takes_on_what_the_engine_says_of_the_same_entry_today() {
    let host = Sandbox::new();
    reflected_earlier(&host, ID, &with_a_rule(ID), &saying(ID, LONGER));
    let (name, text) = only_note(&host);
    let id = text.lines().find(|line| line.starts_with("id: ")).unwrap().to_owned();
    assert!(!text.contains("date in its name"));

    let plan = all(&host, false);
    assert_eq!(sizes(&plan), (0, 1, 0), "{plan:?}");
    let improvement = &plan.improve[0];
    assert!(improvement.after.title.contains("date in its name"), "{improvement:?}");
    assert_eq!(only_note(&host), (name.clone(), text));

    let done = all(&host, true);
    assert_eq!(done.improve[0].refused, None);
    let (same, improved) = only_note(&host);
    assert_eq!(same, name, "links to it still lead there");
    assert!(improved.contains(&id), "{improved}");
    assert_eq!(
        improved.matches("date in its name").count(),
        improved.matches("migration file with a date").count()
    );
    assert_eq!(improved.matches("· session `0f0e0d0c` · line 3").count(), 1, "{improved}");

    // The lesson is this note's under both keys.
    assert_eq!(sizes(&all(&host, true)), (0, 0, 0));
    host.reflect_with(Target::One(ID.into()), false);
    assert_eq!(only_note(&host), (name, improved));
}

#[test]
fn improved_note_keeps_what_other_sessions_said() {
    let host = Sandbox::new();
    host.session(ID, &with_a_rule(ID));
    let again =
        saying(OTHER, "No. From now on never edit a merged migration, always add a new migration file.");
    let again: Vec<_> = again.iter().map(|line| line.replace("-4000-8000-", "-4000-9000-")).collect();
    host.session(OTHER, &again);
    host.reflect();
    let (name, text) = only_note(&host);
    assert!(text.contains(&format!("{OTHER}/")), "{text}");
    read_today_as(&host, ID, &saying(ID, LONGER));

    assert_eq!(sizes(&reread(&host, Target::One(ID.into()), true)), (0, 1, 0));
    let (same, improved) = only_note(&host);
    assert_eq!(same, name);
    assert!(
        improved.contains("date in its name") && improved.contains("edit a merged migration"),
        "{improved}"
    );
    assert_eq!(improved.matches("\nWhy: ").count(), 1, "{improved}");
    let evidence = |text: &str| text.lines().filter(|line| line.starts_with("  - \"0f0e")).count();
    assert_eq!(evidence(&improved), evidence(&text));
    assert_eq!(sizes(&all(&host, true)), (0, 0, 0));
}

#[test]
fn less_certain_lesson_that_counted_waits_for_an_answer() {
    let host = Sandbox::new();
    let unsure = saying(ID, UNSURE);
    reflected_earlier(&host, ID, &with_a_rule(ID), &unsure);
    let (name, _) = only_note(&host);
    let done = all(&host, true);
    assert_eq!(sizes(&done), (0, 1, 0), "{done:?}");
    let improvement = &done.improve[0];
    assert_eq!(improvement.before.confidence, Some(Confidence::High));
    assert!(improvement.after.confidence > Some(Confidence::High), "{improvement:?}");
    let (waiting, text) = only_note(&host);
    assert_ne!(waiting, name);
    assert!(waiting.starts_with("_review/") || waiting.starts_with("_inbox/"), "{waiting}");
    assert!(text.contains("status: inbox"), "{text}");
}

#[test]
fn note_nothing_supports_any_more_goes_to_the_archive_and_can_come_back() {
    let host = Sandbox::new();
    reflected_earlier(&host, ID, &with_a_rule(ID), &no_lesson(ID));
    let (name, text) = only_note(&host);
    let plan = all(&host, false);
    assert_eq!(sizes(&plan), (0, 0, 1), "{plan:?}");
    assert_eq!(only_note(&host), (name.clone(), text.clone()));

    let done = all(&host, true);
    assert_eq!(done.withdraw[0].refused, None);
    let (archived, retired) = only_note(&host);
    assert!(archived.starts_with("_archive/"), "{archived}");
    assert_eq!(retired, text.replace("status: active", "status: archived"), "nothing of it is lost");
    assert_eq!(review::rejections(&host.app()).unwrap(), []);
    assert_eq!(sizes(&all(&host, true)), (0, 0, 0));

    review::archive_lesson(&host.app(), &format!("Afterword/{archived}"), false, &now()).unwrap();
    assert_eq!(only_note(&host), (name, text));
}

/// What a person does to a note.
type Touch = fn(&Sandbox, &Path);

#[test]
fn what_a_person_touched_is_never_in_the_plan() {
    let touches: [(&str, Touch); 6] = [
        ("edited", |_, note| {
            fs::write(note, fs::read_to_string(note).unwrap() + "\nMy own words.\n").unwrap();
        }),
        ("moved", |host, note| fs::rename(note, host.path("vault/mine.md")).unwrap()),
        ("linked", |host, note| {
            let name = note.file_stem().unwrap().to_string_lossy();
            fs::write(host.path("vault/Mine.md"), format!("As [[{name}|we said]].\n")).unwrap();
        }),
        ("tagged", |_, note| {
            let text =
                fs::read_to_string(note).unwrap().replace("  - afterword\n", "  - afterword\n  - db\n");
            fs::write(note, text).unwrap();
        }),
        ("archived", |host, note| {
            let path = format!("Afterword/Preferences/{}", note.file_name().unwrap().to_string_lossy());
            let path = if note.exists() && note.to_string_lossy().contains("Workflows") {
                path.replace("Preferences", "Workflows")
            } else {
                path
            };
            review::archive_lesson(&host.app(), &path, true, &now()).unwrap();
        }),
        ("rejected", |host, note| {
            let name = note.file_stem().unwrap().to_string_lossy();
            review::reject(&host.app(), &name, "no", LessonScope::Project, &now()).unwrap();
        }),
    ];
    for (how, touch) in touches {
        for today in [no_lesson(ID), saying(ID, LONGER)] {
            let host = Sandbox::new();
            reflected_earlier(&host, ID, &with_a_rule(ID), &today);
            let (name, _) = only_note(&host);
            touch(&host, &host.path("vault/Afterword").join(name));
            let notes = host.lessons();
            let plan = all(&host, true);
            assert_eq!(sizes(&plan), (0, 0, 0), "{how}: {plan:?}");
            assert_eq!(host.lessons(), notes, "{how}");
        }
    }
}

#[test]
fn approved_note_is_never_in_the_plan() {
    let host = Sandbox::new();
    host.set("review.mode", &["interactive"]);
    let unsure = saying(ID, UNSURE);
    reflected_earlier(&host, ID, &unsure, &no_lesson(ID));
    let (name, _) = only_note(&host);
    let name = Path::new(&name).file_stem().unwrap().to_string_lossy().into_owned();
    assert_eq!(sizes(&all(&host, false)), (0, 0, 1), "while it waits it is");
    review::approve(&host.app(), &name, &now()).unwrap();
    let plan = all(&host, true);
    assert_eq!(sizes(&plan), (0, 0, 0), "{plan:?}");
}

#[test]
fn deleted_lesson_stays_deleted_however_much_of_it_is_quoted_today() {
    let host = Sandbox::new();
    reflected_earlier(&host, ID, &with_a_rule(ID), &saying(ID, LONGER));
    let (name, _) = only_note(&host);
    fs::remove_file(host.path("vault/Afterword").join(name)).unwrap();
    let plan = all(&host, true);
    assert_eq!((sizes(&plan), plan.deleted), ((0, 0, 0), 1), "{plan:?}");
    assert_eq!(host.names(), Vec::<String>::new());
}

#[test]
fn note_that_rests_on_a_session_not_read_again_stays() {
    let host = Sandbox::new();
    host.session(ID, &with_a_rule(ID));
    // The same rule again in other entries: it is known by the one note.
    let again: Vec<_> =
        with_a_rule(OTHER).iter().map(|line| line.replace("-4000-8000-", "-4000-9000-")).collect();
    host.session(OTHER, &again);
    host.reflect();
    only_note(&host);
    read_today_as(&host, ID, &no_lesson(ID));
    read_today_as(&host, OTHER, &no_lesson(OTHER));

    assert_eq!(sizes(&reread(&host, Target::One(ID.into()), true)), (0, 0, 0));
    assert_eq!(sizes(&all(&host, true)), (0, 0, 1));
}

#[test]
fn only_what_was_reflected_here_without_asking_anybody_is_read_again() {
    let host = Sandbox::new();
    reflected_earlier(&host, ID, &with_a_rule(ID), &no_lesson(ID));
    host.session(OTHER, &with_a_rule(OTHER));
    let plan = all(&host, false);
    assert_eq!((plan.sessions, plan.passed.new), (1, 1));

    let path = host.session(ID, &[no_lesson(ID), vec![typed(ID, 5, "go on")]].concat());
    let plan = all(&host, false);
    assert_eq!((plan.sessions, plan.passed.changed, sizes(&plan)), (0, 1, (0, 0, 0)));

    let store = Store::open(&host.paths().database()).unwrap();
    let mut row = store.sessions().get(&path).unwrap().unwrap();
    row.fingerprint = fingerprint(&path);
    row.engine = "claude-code".to_owned();
    store.sessions().put(&row).unwrap();
    drop(store);
    let plan = all(&host, true);
    assert_eq!((plan.sessions, plan.passed.other_engine, sizes(&plan)), (0, 1, (0, 0, 0)));
    assert_eq!(host.names().len(), 1);
}

#[test]
fn engine_that_did_not_change_has_nothing_to_put_right() {
    let host = Sandbox::new();
    host.samples();
    host.reflect();
    let notes = host.lessons();
    let plan = all(&host, true);
    assert!(plan.sessions > 5, "{plan:?}");
    assert_eq!(sizes(&plan), (0, 0, 0), "{plan:#?}");
    assert_eq!(host.lessons(), notes);
}
