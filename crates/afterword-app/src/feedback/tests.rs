//! What came of lessons adds up, fades, and lets them sink.

use afterword_core::NoteId;
use afterword_store::{InjectedLesson, Injection};

use super::*;
use crate::feedback::bonus;
use crate::test_app::TestApp;

fn note(test: &TestApp) -> NoteId {
    NoteId::new(test.now.timestamp())
}

fn give_feedback_ago(test: &TestApp, note: NoteId, worth: FeedbackKind, days: i64) {
    let at = test.now.timestamp().checked_sub(jiff::SignedDuration::from_hours(24 * days)).unwrap();
    let (source, reason) = ("person".to_owned(), String::new());
    let row = FeedbackRow { note, session: None, worth, source, reason, at };
    test.app.store().unwrap().feedback().add(&row).unwrap();
}

/// A session that was given the note.
fn record_injection(test: &TestApp, note: NoteId, session: &str) {
    let lesson = InjectedLesson {
        note: note.to_string(),
        path: "Afterword/Fixes/a.md".to_owned(),
        title: "A".to_owned(),
        shown: true,
        reason: String::new(),
    };
    let injection = Injection {
        session: SessionId::parse(session).unwrap(),
        project: "shop".to_owned(),
        moment: "startup".to_owned(),
        at: test.now.timestamp(),
        tokens: 9,
        bytes: Some(36),
        silence: String::new(),
        lessons: vec![lesson],
    };
    test.app.store().unwrap().injections().add(&injection).unwrap();
}

fn worth(test: &TestApp, note: NoteId) -> LessonUsefulness {
    let now = test.now.timestamp();
    bonus::usefulness_by_lesson(&test.app, now).unwrap().get(&note).copied().unwrap_or_default()
}

#[test]
fn what_helped_rises_what_was_wrong_sinks_and_time_heals() {
    let test = TestApp::new();
    let [good, bad, old] = [note(&test), note(&test), note(&test)];
    give_feedback_ago(&test, good, FeedbackKind::Helped, 0);
    give_feedback_ago(&test, bad, FeedbackKind::Contradicted, 0);
    give_feedback_ago(&test, old, FeedbackKind::Contradicted, 90);
    assert_eq!((worth(&test, good).bonus, worth(&test, bad).bonus), (0.3, -0.6));
    assert!((worth(&test, old).bonus + 0.3).abs() < 1e-9, "half after ninety days");
    assert!(worth(&test, bad).is_worthless() && !worth(&test, old).is_worthless());
    for _ in 0..50 {
        give_feedback_ago(&test, good, FeedbackKind::Helped, 0);
    }
    assert_eq!((worth(&test, good).bonus, worth(&test, good).helped), (1.0, 51));
}

#[test]
fn lesson_that_is_given_again_and_again_and_never_helps_sinks() {
    let test = TestApp::new();
    let [useless, used] = [note(&test), note(&test)];
    for number in 0..10 {
        assert_eq!(worth(&test, useless).bonus, 0.0, "given {number} times: being given says nothing");
        record_injection(&test, useless, &format!("session-{number}"));
        record_injection(&test, used, &format!("other-{number}"));
    }
    give_feedback_ago(&test, used, FeedbackKind::Applied, 0);
    assert_eq!((worth(&test, useless).bonus, worth(&test, useless).shown), (-0.5, 10));
    assert!(worth(&test, useless).is_worthless() && worth(&test, used).bonus > 0.0);
}

/// An index of notes with these weights; gives it, and the notes.
fn indexed(test: &TestApp, weights: &[f64]) -> (SearchIndex, Vec<NoteId>) {
    let index = SearchIndex::open(&test.app.paths.search_index()).unwrap();
    index.writer().clear(&afterword_recall::index_model(None)).unwrap();
    let notes: Vec<NoteId> = weights.iter().map(|_| note(test)).collect();
    let rows = weights.iter().zip(&notes).map(|(weight, note)| afterword_store::IndexedNote {
        path: format!("Afterword/Preferences/{note}.md"),
        id: note.to_string(),
        status: "active".to_owned(),
        project: "shop".to_owned(),
        weight: *weight,
        ..afterword_store::IndexedNote::default()
    });
    index.writer().update(&rows.collect::<Vec<_>>(), &[]).unwrap();
    (index, notes)
}

#[test]
fn lesson_that_was_given_and_said_again_comes_first_for_ninety_days() {
    let test = TestApp::new();
    // The worst there is, and a preference that was approved and said in many sessions.
    let (index, notes) = indexed(&test, &[2.0, 8.0]);
    let first = || index.top_lessons("shop", 10).unwrap()[0].id.clone();
    weigh_lessons(&test.app, Some(test.now.timestamp())).unwrap();
    assert_eq!(first(), notes[1].to_string());
    let row = FeedbackRow {
        note: notes[0],
        session: SessionId::parse("session-1"),
        worth: FeedbackKind::Ignored,
        source: "session".to_owned(),
        reason: String::new(),
        at: test.now.timestamp(),
    };
    test.app.store().unwrap().feedback().add(&row).unwrap();
    weigh_lessons(&test.app, Some(test.now.timestamp())).unwrap();
    assert_eq!(first(), notes[0].to_string());
    let later = test.now.timestamp().checked_add(jiff::SignedDuration::from_hours(24 * 91)).unwrap();
    weigh_lessons(&test.app, Some(later)).unwrap();
    assert_eq!(first(), notes[1].to_string(), "it is long ago");
    // That a person finds a lesson of no use is no wish to have it first.
    let by_person = FeedbackRow { source: "person".to_owned(), note: notes[0], at: later, ..row };
    test.app.store().unwrap().feedback().add(&by_person).unwrap();
    weigh_lessons(&test.app, Some(later)).unwrap();
    assert_eq!(first(), notes[1].to_string());
}
