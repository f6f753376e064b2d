//! What came of lessons adds up, fades, and lets them sink.

use afterword_core::NoteId;
use afterword_store::{Injected, Injection};
use afterword_testkit::Sandbox;

use super::*;
use crate::feedback::bonus;

struct Desk {
    _sandbox: Sandbox,
    app: App,
    now: Timestamp,
}

impl Desk {
    fn new() -> Self {
        let sandbox = Sandbox::empty();
        let app = App::new(sandbox.environment()).unwrap();
        Self { _sandbox: sandbox, app, now: "2026-03-01T10:00:00Z".parse().unwrap() }
    }

    fn note(&self) -> NoteId {
        NoteId::new(self.now)
    }

    fn says(&self, note: NoteId, worth: FeedbackKind, days_ago: i64) {
        let at = self.now.checked_sub(jiff::SignedDuration::from_hours(24 * days_ago)).unwrap();
        let (source, reason) = ("person".to_owned(), String::new());
        let row = FeedbackRow { note, session: None, worth, source, reason, at };
        self.app.store().unwrap().feedback().add(&row).unwrap();
    }

    /// A session that was given the note.
    fn given(&self, note: NoteId, session: &str) {
        let lesson = Injected {
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
            at: self.now,
            tokens: 9,
            bytes: Some(36),
            silence: String::new(),
            lessons: vec![lesson],
        };
        self.app.store().unwrap().injections().add(&injection).unwrap();
    }

    fn worth(&self, note: NoteId) -> LessonUsefulness {
        bonus::lesson_worths(&self.app, self.now).unwrap().get(&note).copied().unwrap_or_default()
    }
}

#[test]
fn what_helped_rises_what_was_wrong_sinks_and_time_heals() {
    let desk = Desk::new();
    let [good, bad, old] = [desk.note(), desk.note(), desk.note()];
    desk.says(good, FeedbackKind::Helped, 0);
    desk.says(bad, FeedbackKind::Contradicted, 0);
    desk.says(old, FeedbackKind::Contradicted, 90);
    assert_eq!((desk.worth(good).bonus, desk.worth(bad).bonus), (0.3, -0.6));
    assert!((desk.worth(old).bonus + 0.3).abs() < 1e-9, "half after ninety days");
    assert!(desk.worth(bad).is_worthless() && !desk.worth(old).is_worthless());
    for _ in 0..50 {
        desk.says(good, FeedbackKind::Helped, 0);
    }
    assert_eq!((desk.worth(good).bonus, desk.worth(good).helped), (1.0, 51));
}

#[test]
fn lesson_that_is_given_again_and_again_and_never_helps_sinks() {
    let desk = Desk::new();
    let [useless, used] = [desk.note(), desk.note()];
    for number in 0..10 {
        assert_eq!(desk.worth(useless).bonus, 0.0, "given {number} times: being given says nothing");
        desk.given(useless, &format!("session-{number}"));
        desk.given(used, &format!("other-{number}"));
    }
    desk.says(used, FeedbackKind::Applied, 0);
    assert_eq!((desk.worth(useless).bonus, desk.worth(useless).shown), (-0.5, 10));
    assert!(desk.worth(useless).is_worthless() && desk.worth(used).bonus > 0.0);
}

/// An index of notes with these weights; gives it, and the notes.
fn indexed(desk: &Desk, weights: &[f64]) -> (SearchIndex, Vec<NoteId>) {
    let index = SearchIndex::open(&desk.app.paths.search_index()).unwrap();
    index.writer().clear(&afterword_recall::index_make(None)).unwrap();
    let notes: Vec<NoteId> = weights.iter().map(|_| desk.note()).collect();
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
    let desk = Desk::new();
    // The worst there is, and a preference that was approved and said in many sessions.
    let (index, notes) = indexed(&desk, &[2.0, 8.0]);
    let first = || index.weightiest("shop", 10).unwrap()[0].id.clone();
    weigh_lessons(&desk.app, Some(desk.now)).unwrap();
    assert_eq!(first(), notes[1].to_string());
    let row = FeedbackRow {
        note: notes[0],
        session: SessionId::parse("session-1"),
        worth: FeedbackKind::Ignored,
        source: "session".to_owned(),
        reason: String::new(),
        at: desk.now,
    };
    desk.app.store().unwrap().feedback().add(&row).unwrap();
    weigh_lessons(&desk.app, Some(desk.now)).unwrap();
    assert_eq!(first(), notes[0].to_string());
    let later = desk.now.checked_add(jiff::SignedDuration::from_hours(24 * 91)).unwrap();
    weigh_lessons(&desk.app, Some(later)).unwrap();
    assert_eq!(first(), notes[1].to_string(), "it is long ago");
    // That a person finds a lesson of no use is no wish to have it first.
    let by_person = FeedbackRow { source: "person".to_owned(), note: notes[0], at: later, ..row };
    desk.app.store().unwrap().feedback().add(&by_person).unwrap();
    weigh_lessons(&desk.app, Some(later)).unwrap();
    assert_eq!(first(), notes[1].to_string());
}
