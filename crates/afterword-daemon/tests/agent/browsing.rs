//! Lessons as a person browses them: all of them, those that are found, and one of them wherever its note is.

use std::fs;
use std::path::PathBuf;

use afterword_app::lessons::{LessonsRequest, lesson, list_lessons};
use afterword_app::{Error, NoteError, indexing, stats};
use afterword_core::LessonKind;

use afterword_testkit::Sandbox;
use afterword_vault::Status;

fn id(number: u32) -> String {
    format!("0197d2a0-0000-7000-8000-{number:012}")
}

fn write(host: &Sandbox, folder: &str, name: &str, number: u32, front: &str) -> PathBuf {
    let folder = host.path("vault/Afterword").join(folder);
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{name}.md"));
    let text = format!(
        "---\ntitle: \"{name}\"\nkind: fix\nid: {}\ncreated: 2026-03-0{number}\n{front}\n---\n\nRaise the limit of {name} for uploads.\n",
        id(number)
    );
    fs::write(&path, text).unwrap();
    path
}

fn shelf() -> Sandbox {
    let host = Sandbox::new();
    write(&host, "Fixes", "Proxy", 1, "status: active\nproject: shop");
    write(&host, "Fixes", "Queue", 2, "status: active\nproject: shop");
    write(&host, "Fixes", "Kettle", 3, "status: active\nproject: garden");
    write(&host, "Fixes", "Pump", 4, "status: active");
    write(&host, "_archive", "Spade", 5, "status: archived\nproject: garden");
    host
}

fn titles(host: &Sandbox, request: &LessonsRequest) -> Vec<String> {
    let list = list_lessons(&host.app(), request).unwrap();
    list.lessons.into_iter().map(|line| line.title).collect()
}

#[test]
fn lessons_are_listed_by_their_day_and_found_by_their_words() {
    let host = shelf();
    let all = LessonsRequest::default();
    assert_eq!(titles(&host, &all), ["Pump", "Kettle", "Queue", "Proxy"]);
    let of_shop = LessonsRequest { project: Some("shop".to_owned()), ..LessonsRequest::default() };
    assert_eq!(titles(&host, &of_shop), ["Queue", "Proxy"]);

    let asked = |query: &str| LessonsRequest { query: query.to_owned(), ..LessonsRequest::default() };
    let found = list_lessons(&host.app(), &asked("limit of the kettle")).unwrap();
    assert_eq!(found.lessons[0].title, "Kettle");
    assert!(found.lessons[0].snippet.as_ref().unwrap().contains("limit"), "{found:?}");
    let counts = |list: afterword_app::lessons::LessonList| list.projects.into_iter().collect::<Vec<_>>();
    let expected = [("garden".to_owned(), 1), ("shop".to_owned(), 2)];
    assert_eq!(counts(found), expected, "what else there is to choose from stays");
    assert_eq!(counts(list_lessons(&host.app(), &all).unwrap()), expected);
    let of_shop = LessonsRequest { project: Some("shop".to_owned()), ..asked("uploads") };
    assert_eq!(titles(&host, &of_shop).len(), 2);
    let put_away = LessonsRequest { status: Some(Status::Archived), ..asked("uploads") };
    assert_eq!(titles(&host, &put_away), ["Spade"]);
    assert_eq!(titles(&host, &asked("zzzqqq xyzzy")), Vec::<String>::new());
    let other_kind = LessonsRequest { kind: Some(LessonKind::Preference), ..asked("uploads") };
    assert_eq!(titles(&host, &other_kind), Vec::<String>::new());
}

#[test]
fn lesson_is_shown_wherever_its_note_is_now() {
    let host = shelf();
    let shown = |number: u32| lesson(&host.app(), &id(number)).map(|lesson| lesson.line.path);
    assert_eq!(shown(1).unwrap(), "Afterword/Fixes/Proxy.md", "before anything was indexed");
    indexing::refresh_index(&host.app()).unwrap();
    assert_eq!(shown(1).unwrap(), "Afterword/Fixes/Proxy.md");
    let fixes = host.path("vault/Afterword/Fixes");
    fs::rename(fixes.join("Proxy.md"), fixes.join("Moved.md")).unwrap();
    assert_eq!(shown(1).unwrap(), "Afterword/Fixes/Moved.md", "the index does not know of it yet");
    // Another note took the place of one, with an id of its own.
    let taken = fs::read_to_string(fixes.join("Queue.md")).unwrap();
    fs::write(fixes.join("Queue.md"), taken.replace(&id(2), &id(9))).unwrap();
    assert!(matches!(shown(2), Err(Error::Note(NoteError::NoSuch { .. }))));
    assert_eq!(shown(9).unwrap(), "Afterword/Fixes/Queue.md");
    // Of two with one id the active one counts.
    write(&host, "_archive", "Kettle of old", 3, "status: archived");
    indexing::refresh_index(&host.app()).unwrap();
    assert_eq!(shown(3).unwrap(), "Afterword/Fixes/Kettle.md");
    assert!(matches!(lesson(&host.app(), "no id"), Err(Error::Note(NoteError::NoSuch { .. }))));
}

#[test]
fn figures_are_those_of_the_notes_however_far_back_they_go() {
    let host = shelf();
    let evidence = "evidence: [\"first/1\", \"second/4\"]";
    write(&host, "Fixes", "Rake", 6, &format!("status: active\nproject: garden\n{evidence}"));
    write(&host, "Fixes", "Twice in one", 7, "status: active\nevidence: [\"first/1\", \"first/9\"]");
    write(&host, "_inbox", "Hose", 8, "status: inbox\nconfidence: low");
    let day = "2027-06-18T12:00:00[UTC]".parse().unwrap();
    let stats = stats::stats(&host.app(), &day).unwrap();
    assert_eq!(stats.confirmed, 1, "two sessions speak for it, not two lines of one");
    let statuses: Vec<_> = stats.statuses.into_iter().collect();
    assert_eq!(statuses, [("active", 6), ("archived", 1), ("inbox", 1)]);
    let first = &stats.weeks[0];
    assert_eq!(first.monday.to_string(), "2026-02-23", "the week of the oldest");
    assert_eq!(first.learned.get("fix"), Some(&1));
    let drawn: usize = stats.weeks.iter().flat_map(|week| week.learned.values()).sum();
    assert_eq!(drawn, 8);
}
