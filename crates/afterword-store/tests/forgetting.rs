//! What is forgotten is gone from every table that had it, and what is not stays; how many rows went is said.

#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use afterword_core::{ContentKey, JobType, Kind, NoteId, ProjectKey, SessionId, SessionState, UserId};
use afterword_store::{
    Decision, DuplicatePolicy, FeedbackKind, FeedbackRow, FollowedSession, Metric, NewJob, Observation,
    Scope, Store, TimelineEntry, TimelineEvent, Verdict,
};
use jiff::Timestamp;

fn now() -> Timestamp {
    "2026-03-01T10:00:00Z".parse().unwrap()
}

fn open() -> (tempfile::TempDir, Store) {
    let home = tempfile::tempdir().unwrap();
    let store = Store::open(&home.path().join("afterword.db")).unwrap();
    (home, store)
}

fn observation(session: &SessionId, project: &ProjectKey, line: u64) -> Observation {
    Observation {
        project: project.clone(),
        session: session.clone(),
        kind: Kind::Preference,
        topic: "tabs".into(),
        quote: "use tabs".into(),
        uuid: format!("{session}-{line}"),
        line,
        seen_at: now(),
    }
}

fn decision(session: &SessionId, scope: Scope) -> Decision {
    Decision {
        user: UserId::default(),
        candidate: ContentKey("k".into()),
        verdict: Verdict::Reject,
        kind: Kind::Preference,
        title: "Uses tabs".into(),
        reason: String::new(),
        scope,
        session: Some(session.clone()),
        note: None,
        superseded: None,
        words: vec!["tabs".into()],
        decided_at: now(),
    }
}

/// Two rows about the session, but one of where it stands and one of an early end: ten.
fn fill(store: &Store, session: &SessionId, project: &ProjectKey) {
    store
        .observations()
        .replace(session, &[observation(session, project, 1), observation(session, project, 2)])
        .unwrap();
    let followed = FollowedSession {
        transcript: format!("/t/{session}.jsonl").into(),
        session: session.clone(),
        project: Some(project.clone()),
        state: SessionState::Reflected,
        since: now(),
        last_activity: now(),
        ended_at: None,
        failed_at: None,
        failures: 0,
    };
    store.followed_sessions().put(&followed).unwrap();
    store.early_ends().put(session, now()).unwrap();
    for what in [TimelineEvent::Began, TimelineEvent::Compacted] {
        let entry = TimelineEntry { session: session.clone(), at: now(), what, detail: None };
        store.timeline().add(&entry).unwrap();
        let row = FeedbackRow {
            note: NoteId::new(now()),
            session: Some(session.clone()),
            worth: FeedbackKind::Helped,
            source: "person".into(),
            reason: String::new(),
            at: now(),
        };
        store.feedback().add(&row).unwrap();
        store.decisions().add(&decision(session, Scope::Global)).unwrap();
    }
}

#[test]
fn every_row_about_a_forgotten_session_goes_and_is_counted_and_other_sessions_keep_theirs() {
    let (_home, store) = open();
    let (gone, stays) = (SessionId::parse("5f0a").unwrap(), SessionId::parse("5f0b").unwrap());
    let project = ProjectKey::from_cwd("/home/ada/shop");
    fill(&store, &gone, &project);
    fill(&store, &stays, &project);
    assert_eq!(store.forgotten_sessions().forget(&gone, now()).unwrap(), 10);
    assert_eq!(store.timeline().of_session(&gone).unwrap(), []);
    let followed = store.followed_sessions().all().unwrap();
    assert_eq!(followed.iter().map(|one| &one.session).collect::<Vec<_>>(), [&stays]);
    assert_eq!(
        store.early_ends().all().unwrap().into_keys().collect::<Vec<_>>(),
        std::slice::from_ref(&stays)
    );
    let seen = store.observations().of_project(&project).unwrap();
    assert!(seen.len() == 2 && seen.iter().all(|one| one.session == stays), "{seen:?}");
    assert_eq!((store.feedback().all().unwrap().len(), store.decisions().all(None).unwrap().len()), (2, 2));
    assert_eq!(store.forgotten_sessions().forget(&gone, now()).unwrap(), 0, "there was nothing left");
}

#[test]
fn every_row_about_a_forgotten_project_goes_and_is_counted_and_other_projects_keep_theirs() {
    let (_home, store) = open();
    let session = SessionId::parse("5f0a").unwrap();
    let [gone, stays] = ["/home/ada/shop", "/home/ada/engine"].map(ProjectKey::from_cwd);
    let seen =
        [observation(&session, &gone, 1), observation(&session, &gone, 2), observation(&session, &stays, 3)];
    store.observations().replace(&session, &seen).unwrap();
    for project in [&gone, &stays] {
        store.projects().add(project, project.as_str()).unwrap();
        store.decisions().add(&decision(&session, Scope::Project(project.clone()))).unwrap();
        store.metrics().add(Metric("things"), "2026-03-01".parse().unwrap(), Some(project), 7).unwrap();
    }
    assert_eq!(store.forgotten_sessions().forget_project(&gone).unwrap(), 5);
    assert_eq!(store.observations().projects().unwrap(), std::slice::from_ref(&stays));
    assert_eq!(
        store.projects().names().unwrap().into_keys().collect::<Vec<_>>(),
        std::slice::from_ref(&stays)
    );
    let decided = store.decisions().all(None).unwrap();
    assert_eq!(
        decided.into_iter().map(|one| one.decision.scope).collect::<Vec<_>>(),
        [Scope::Project(stays)]
    );
    assert_eq!(store.forgotten_sessions().forget_project(&gone).unwrap(), 0, "there was nothing left");
}

#[test]
fn last_job_about_a_subject_is_the_one_queued_last() {
    let (_home, store) = open();
    let jobs = store.jobs();
    let last = |subject| jobs.last_job_about(JobType::Reflection, subject).unwrap().map(|job| job.id);
    assert_eq!(last("one"), None);
    let order = |subject| NewJob::about(JobType::Reflection, subject, DuplicatePolicy::QueueBehind, now());
    let mut queued = Vec::new();
    for subject in ["one", "two"] {
        jobs.enqueue(&order(subject), now()).unwrap();
        queued.push(jobs.recent(1).unwrap()[0].id);
    }
    assert_eq!((last("one"), last("two")), (Some(queued[0]), Some(queued[1])));
    assert_eq!(jobs.last_job_about(JobType::Heartbeat, "one").unwrap().map(|job| job.id), None);
}
