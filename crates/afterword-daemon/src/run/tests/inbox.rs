//! The inbox empties itself of what nobody answered, and of nothing else.

use std::fs;

use afterword_core::{JobStatus, JobType, LessonKind, ProjectKey};
use jiff::Zoned;
use jiff::tz::TimeZone;

use super::test_agent::{TestAgent, at};
use afterword_app::review::QueueFilter;
use afterword_app::saving::SaveRequest;
use afterword_app::{review, saving, usefulness};

fn zoned(time: &str) -> Zoned {
    at(time).to_zoned(TimeZone::UTC)
}

/// Lays a lesson into the inbox; gives its note, below the vault's root.
fn observed(stage: &TestAgent, title: &str, time: &str) -> String {
    let request = SaveRequest {
        kind: LessonKind::Preference,
        title: title.to_owned(),
        body: String::new(),
        project: Some(ProjectKey::from_cwd("/home/ada/shop")),
        session: None,
    };
    saving::observe(&stage.app(), &request, &zoned(time)).unwrap().path.unwrap()
}

fn text(stage: &TestAgent, path: &str) -> String {
    fs::read_to_string(stage.path("vault").join(path)).unwrap()
}

fn archived(path: &str) -> String {
    path.replace("_inbox", "_archive")
}

fn waits(stage: &TestAgent, path: &str) -> bool {
    stage.path("vault").join(path).is_file()
}

/// The results of the jobs that emptied the inbox.
fn jobs(stage: &TestAgent) -> Vec<String> {
    let jobs = stage.store().jobs().recent(20).unwrap().into_iter();
    let jobs = jobs.filter(|job| job.job_type == JobType::Maintenance && job.status == JobStatus::Completed);
    jobs.filter_map(|job| job.result).collect()
}

#[test]
fn lesson_nobody_answered_for_ninety_days_goes_to_the_archive() {
    let mut stage = TestAgent::new();
    let old = observed(&stage, "Tabs in makefiles", "2026-03-01T10:00:00Z");
    let new = observed(&stage, "Spaces in yaml", "2026-03-20T10:00:00Z");
    stage.turn("2026-05-30T09:59:00Z");
    assert!(waits(&stage, &old) && jobs(&stage).is_empty(), "a minute before its ninety days are over");
    stage.turn("2026-05-31T10:00:00Z");
    assert!(!waits(&stage, &old) && waits(&stage, &new));
    let note = text(&stage, &archived(&old));
    assert!(note.contains("\nstatus: archived\n") && note.contains("\narchived: 2026-05-31\n"), "{note}");
    assert!(note.contains("nobody answered it for 90 days") && !note.contains("review: reject"), "{note}");
    let results = jobs(&stage);
    assert_eq!(results.len(), 1, "{results:?}");
    assert!(
        results[0].contains("1 lesson that nobody answered for 90 days went to the archive."),
        "{results:?}"
    );
    assert!(results[0].contains("Tabs in makefiles") && results[0].contains("_archive/"), "{results:?}");

    let lessons = usefulness::usefulness(&stage.app(), 90, &zoned("2026-06-01T10:00:00Z")).unwrap().lessons;
    assert_eq!((lessons.active, lessons.to_review + lessons.inbox, lessons.expired), (0, 1, 1));

    // The person wants it after all, and takes that back.
    let app = stage.app();
    let now = zoned("2026-06-01T10:00:00Z");
    let decision = review::approve(&app, &archived(&old), &now).unwrap();
    assert!(decision.path.starts_with("Afterword/Preferences/"), "{}", decision.path);
    assert!(!text(&stage, &decision.path).contains("2026-05-31"));
    review::undo_decision(&app, None, &now).unwrap();
    assert_eq!(text(&stage, &archived(&old)), note);
    fs::write(stage.path("vault").join(archived(&old)), note.replace("\nreview:\n", "\nreview: approve\n"))
        .unwrap();
    assert_eq!(review::take_up_reviews(&app, &now).unwrap().decisions.len(), 1, "its note says so, too");
}

#[test]
fn what_a_person_touched_stays() {
    let mut stage = TestAgent::new();
    let begun = "2026-03-01T10:00:00Z";
    let titles = ["Edited", "Moved", "Linked to", "Put off", "Answered"];
    let [edited, moved, linked, put_off, answered] = titles.map(|title| observed(&stage, title, begun));
    let file = |path: &str| stage.path("vault").join(path);
    fs::write(file(&edited), text(&stage, &edited) + "\nMy words.\n").unwrap();
    let elsewhere = moved.replace("_inbox/", "_inbox/mine-");
    fs::rename(file(&moved), file(&elsewhere)).unwrap();
    let name = linked.rsplit('/').next().unwrap().trim_end_matches(".md");
    fs::write(file("Afterword/mine.md"), format!("See [[{name}]].\n")).unwrap();
    let app = stage.app();
    review::skip(&app, &put_off, &zoned("2026-04-20T10:00:00Z")).unwrap();
    let note = text(&stage, &answered).replace("\nreview:\n", "\nreview: approve\n");
    fs::write(file(&answered), note).unwrap();
    stage.turn("2026-06-15T10:00:00Z");
    for path in [&edited, &elsewhere, &linked, &put_off, &answered] {
        assert!(waits(&stage, path), "{path}");
    }
    assert_eq!(jobs(&stage), [""; 0], "nothing was due, so nothing was done");
    stage.turn("2026-07-20T10:00:00Z");
    assert!(!waits(&stage, &put_off), "ninety days after it was put off");
    assert!(waits(&stage, &edited));
}

#[test]
fn setting_says_how_long_and_nought_keeps_everything() {
    let mut stage = TestAgent::new();
    stage.set("review.inbox_days", &["0"]);
    let path = observed(&stage, "Tabs in makefiles", "2026-03-01T10:00:00Z");
    stage.turn("2029-03-01T10:00:00Z");
    assert!(waits(&stage, &path));
    stage.set("review.inbox_days", &["1000"]);
    stage.turn("2029-03-01T10:00:02Z");
    assert!(!waits(&stage, &path));
}

#[test]
fn lesson_waits_since_its_note_was_written_whatever_its_session_says() {
    let stage = TestAgent::new();
    let path = observed(&stage, "Tabs in makefiles", "2026-03-01T10:00:00Z");
    let note = text(&stage, &path).replace("\ncreated: 2026-03-01\n", "\ncreated: 2024-01-01\n");
    fs::write(stage.path("vault").join(&path), note).unwrap();
    let now = zoned("2026-03-04T09:00:00Z");
    let waiting = review::review_queue(&stage.app(), &QueueFilter::default(), &now).unwrap();
    assert_eq!(waiting[0].waiting_days, Some(3));
    assert!(waiting[0].age_days > 700);
    let listed = review::review_list(&stage.app(), &QueueFilter::default(), &now).unwrap();
    let shown = review::review_item(&stage.app(), &path, &now).unwrap();
    assert_eq!((listed[0].waiting_days, shown.waiting_days), (Some(3), Some(3)));
}

/// What is strong comes first, whatever was said first: a rule before what was only seen, what several sessions say before what
/// one says, and what is new before what is old.
#[test]
fn the_strongest_of_what_waits_is_offered_first() {
    let stage = TestAgent::new();
    let titles = [
        "Always run the linter before each commit",
        "Always use tabs in makefiles",
        "Always sort the imports of a module",
        "Always write dates as year, month and day",
    ];
    let [seen, old, often, new] = titles.map(|title| {
        let year = if title.contains("tabs") { 2024 } else { 2026 };
        observed(&stage, title, &format!("{year}-03-01T10:00:00Z"))
    });
    let change = |path: &str, from: &str, to: &str| {
        let before = text(&stage, path);
        assert!(before.contains(from), "{before}");
        fs::write(stage.path("vault").join(path), before.replacen(from, to, 1)).unwrap();
    };
    change(&seen, "\nsignal: saved\n", "\nsignal: follow-up\n");
    let sessions: String =
        (1..=3).map(|n| format!("  - 5f0a0000-0000-4000-8000-00000000000{n}/a{n}\n")).collect();
    change(&often, "\nevidence: []\n", &format!("\nevidence:\n{sessions}"));
    let now = zoned("2026-03-21T10:00:00Z");
    let queue = review::review_queue(&stage.app(), &QueueFilter::default(), &now).unwrap();
    let paths: Vec<&str> = queue.iter().map(|item| item.path.as_str()).collect();
    assert_eq!(paths, [&often, &new, &old, &seen]);
}
