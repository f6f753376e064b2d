//! Tests of the queue in one process; several processes are in `tests/queue/`.

use std::time::Duration;

use afterword_core::{Job, JobId, JobStatus, JobType, QueueRules, UserId, WorkerId};
use jiff::Timestamp;

use super::{
    CancelOutcome, Claim, ClaimStatus, DuplicatePolicy, EnqueueOutcome, Jobs, NewJob, QueueError,
    RetryDecision,
};
use crate::Store;

const ONE: WorkerId = WorkerId { process: 1, started_ms: 0 };
const TWO: WorkerId = WorkerId { process: 2, started_ms: 0 };

fn at(time: &str) -> Timestamp {
    format!("2026-03-01T{time}Z").parse().unwrap()
}

fn open() -> (tempfile::TempDir, Store) {
    let home = tempfile::tempdir().unwrap();
    let store = Store::open(&home.path().join("afterword.db")).unwrap();
    (home, store)
}

fn reflection(session: &str) -> NewJob {
    NewJob {
        user: UserId::default(),
        job_type: JobType::Reflection,
        subject: Some(session.into()),
        payload: r#"{"trigger":"end"}"#.into(),
        forced: false,
        not_before: at("10:00:00"),
        on_duplicate: DuplicatePolicy::QueueBehind,
    }
}

fn heartbeat(session: &str) -> NewJob {
    NewJob { job_type: JobType::Heartbeat, ..reflection(session) }
}

fn queued(jobs: &Jobs<'_>, job: &NewJob) -> Job {
    match jobs.enqueue(job, at("10:00:00")).unwrap() {
        EnqueueOutcome::Queued(job) => job,
        other => panic!("{other:?}"),
    }
}

fn claimed(jobs: &Jobs<'_>, now: Timestamp) -> Claim {
    jobs.claims().claim(ONE, now).unwrap().unwrap()
}

fn now_is(jobs: &Jobs<'_>, id: JobId) -> Job {
    jobs.get(id).unwrap().unwrap()
}

#[test]
fn job_from_queue_to_result() {
    let (_home, store) = open();
    let jobs = store.jobs();
    let job = queued(&jobs, &reflection("s1"));
    assert_eq!((job.status, job.attempts, job.user.as_str()), (JobStatus::Queued, 0, "local"));
    let claim = claimed(&jobs, at("10:00:01"));
    assert_eq!(claim.job.id, job.id);
    assert_eq!(claim.job.payload, r#"{"trigger":"end"}"#);
    assert_eq!(jobs.claims().claim(TWO, at("10:00:02")).unwrap(), None);
    assert_eq!(jobs.claims().report(&claim, 0.5, at("10:00:10")).unwrap(), ClaimStatus::Keeps);
    assert_eq!(jobs.claims().report(&claim, f64::NAN, at("10:00:10")).unwrap(), ClaimStatus::Keeps);
    let running = now_is(&jobs, job.id);
    assert_eq!((running.status, running.progress), (JobStatus::Running, 0.5));
    assert_eq!(running.lease.unwrap().until, at("10:01:10"), "renewed for a minute");
    jobs.claims().complete(&claim, r#"{"insights_created":4}"#, at("10:00:20")).unwrap();
    let ended = now_is(&jobs, job.id);
    assert_eq!((ended.status, ended.progress, ended.lease), (JobStatus::Completed, 1.0, None));
    assert_eq!(ended.result.as_deref(), Some(r#"{"insights_created":4}"#));
    assert_eq!((ended.started_at, ended.completed_at), (Some(at("10:00:01")), Some(at("10:00:20"))));
    assert!(matches!(
        jobs.claims().complete(&claim, "{}", at("10:00:21")),
        Err(QueueError::LeaseLost { .. })
    ));
}

#[test]
fn first_in_first_out_and_a_waiting_reflection_holds_nobody_up() {
    let (_home, store) = open();
    let jobs = store.jobs();
    let [first, second, beat] =
        [reflection("s1"), reflection("s2"), heartbeat("s3")].map(|job| queued(&jobs, &job).id);
    let ada = NewJob { user: UserId::parse("ada").unwrap(), ..reflection("s4") };
    let of_ada = queued(&jobs, &ada).id;
    let now = at("10:00:00");
    let one = claimed(&jobs, now);
    let taken = [claimed(&jobs, now).job.id, claimed(&jobs, now).job.id];
    assert_eq!((one.job.id, taken), (first, [beat, of_ada]), "one reflection a user");
    assert_eq!(jobs.claims().claim(ONE, now).unwrap(), None);
    jobs.claims().complete(&one, "{}", now).unwrap();
    assert_eq!(claimed(&jobs, now).job.id, second);
}

#[test]
fn the_database_itself_refuses_a_second_reflection() {
    let (_home, store) = open();
    let jobs = store.jobs();
    queued(&jobs, &reflection("s1"));
    let second = queued(&jobs, &reflection("s2"));
    claimed(&jobs, at("10:00:00"));
    let sql = "UPDATE jobs SET status = 'running', lease_worker = '2@0', lease_until = 1 WHERE id = ?1";
    assert!(store.connection.execute(sql, [second.id.to_string()]).is_err());
}

#[test]
fn five_at_once() {
    let (_home, store) = open();
    let jobs = store.jobs();
    for n in 0..7 {
        queued(&jobs, &heartbeat(&format!("s{n}")));
    }
    let now = at("10:00:00");
    let claims: Vec<_> = std::iter::from_fn(|| jobs.claims().claim(ONE, now).unwrap()).collect();
    assert_eq!(claims.len(), 5);
    jobs.claims().complete(&claims[3], "{}", now).unwrap();
    assert!(jobs.claims().claim(TWO, now).unwrap().is_some());
    assert_eq!(jobs.claims().claim(TWO, now).unwrap(), None);
}

#[test]
fn failing_job_is_tried_three_times_further_and_further_apart() {
    let (_home, store) = open();
    let jobs = store.jobs();
    let id = queued(&jobs, &reflection("s1")).id;
    let other = queued(&jobs, &reflection("s2")).id;
    let claim = claimed(&jobs, at("10:00:00"));
    let again = jobs.claims().fail(&claim, "engine is busy", at("10:00:05")).unwrap();
    assert_eq!(again, RetryDecision::Again(at("10:01:05")));
    let claim = claimed(&jobs, at("10:01:04"));
    assert_eq!(claim.job.id, other, "a job that waits for its time holds nobody up");
    jobs.claims().complete(&claim, "{}", at("10:01:04")).unwrap();
    assert_eq!(jobs.claims().claim(ONE, at("10:01:04")).unwrap(), None);
    assert_eq!(jobs.next_due().unwrap(), Some(at("10:01:05")));
    let claim = claimed(&jobs, at("10:01:05"));
    assert_eq!(
        jobs.claims().fail(&claim, "engine is busy", at("10:02:00")).unwrap(),
        RetryDecision::Again(at("10:06:00"))
    );
    let claim = claimed(&jobs, at("10:06:00"));
    assert_eq!(claim.job.attempts, 3);
    assert_eq!(jobs.claims().fail(&claim, "engine is gone", at("10:06:01")).unwrap(), RetryDecision::GaveUp);
    let failed = now_is(&jobs, id);
    assert_eq!((failed.status, failed.reason.as_deref()), (JobStatus::Failed, Some("engine is gone")));
    assert_eq!(jobs.next_due().unwrap(), None);
}

#[test]
fn hopeless_job_is_not_tried_again() {
    let (_home, store) = open();
    let jobs = store.jobs();
    let id = queued(&jobs, &reflection("s1")).id;
    jobs.claims().give_up(&claimed(&jobs, at("10:00:00")), "no such session", at("10:00:01")).unwrap();
    assert_eq!(now_is(&jobs, id).status, JobStatus::Failed);
}

#[test]
fn lease_that_ran_out_is_taken_back_and_counts() {
    let (_home, store) = open();
    let jobs = store.jobs();
    let id = queued(&jobs, &reflection("s1")).id;
    let stale = claimed(&jobs, at("10:00:00"));
    assert_eq!(jobs.claims().reclaim_expired(at("10:00:59")).unwrap(), []);
    jobs.claims().renew(&stale, at("10:00:59")).unwrap();
    assert_eq!(jobs.claims().reclaim_expired(at("10:01:58")).unwrap(), [], "a renewed lease holds");
    let taken = jobs.claims().reclaim_expired(at("10:01:59")).unwrap();
    assert_eq!((taken.len(), taken[0].worker), (1, ONE));
    assert_eq!(taken[0].setback, RetryDecision::Again(at("10:02:59")));

    let fresh = jobs.claims().claim(ONE, at("10:02:59")).unwrap().unwrap();
    for lost in [
        jobs.claims().renew(&stale, at("10:03:00")).map(drop),
        jobs.claims().complete(&stale, "{}", at("10:03:00")),
        jobs.claims().fail(&stale, "late", at("10:03:00")).map(drop),
        jobs.claims().release(&stale, at("10:03:00")),
    ] {
        assert!(
            matches!(lost, Err(QueueError::LeaseLost { .. })),
            "the same worker's earlier hold: {lost:?}"
        );
    }
    assert_eq!(jobs.claims().reclaim_from(TWO, at("10:03:00")).unwrap(), []);
    jobs.claims().reclaim_from(ONE, at("10:03:00")).unwrap();
    let last = jobs.claims().claim(TWO, at("10:10:00")).unwrap().unwrap();
    assert_eq!((fresh.job.attempts, last.job.attempts), (2, 3));
    let taken = jobs.claims().reclaim_expired(at("10:11:00")).unwrap();
    assert_eq!(taken[0].setback, RetryDecision::GaveUp);
    let failed = now_is(&jobs, id);
    assert_eq!(failed.status, JobStatus::Failed);
    assert_eq!(failed.reason.as_deref(), Some("its worker did not renew its claim in time"));
}

#[test]
fn job_given_back_unharmed_is_next_and_the_attempt_does_not_count() {
    let (_home, store) = open();
    let jobs = store.jobs();
    let id = queued(&jobs, &reflection("s1")).id;
    queued(&jobs, &reflection("s2"));
    for _ in 0..5 {
        jobs.claims().release(&claimed(&jobs, at("10:00:00")), at("10:00:01")).unwrap();
    }
    let claim = claimed(&jobs, at("10:00:01"));
    assert_eq!((claim.job.id, claim.job.attempts, claim.number), (id, 1, 6));
}

#[test]
fn job_that_is_put_off_waits_says_why_and_the_attempt_does_not_count() {
    let (_home, store) = open();
    let jobs = store.jobs();
    let id = queued(&jobs, &reflection("s1")).id;
    for minute in 0..5 {
        let (now, next) = (at(&format!("10:0{minute}:00")), at(&format!("10:0{}:00", minute + 1)));
        let claim = claimed(&jobs, now);
        assert_eq!((claim.job.id, claim.job.attempts), (id, 1));
        jobs.claims().postpone(&claim, "the disk is full", next, now).unwrap();
        assert_eq!(jobs.claims().claim(ONE, now).unwrap(), None);
    }
    let job = now_is(&jobs, id);
    assert_eq!((job.status, job.reason.as_deref()), (JobStatus::Queued, Some("the disk is full")));
    let claim = claimed(&jobs, at("10:05:00"));
    jobs.cancel(id, "too long", at("10:05:01")).unwrap();
    jobs.claims().postpone(&claim, "the disk is full", at("10:06:00"), at("10:05:02")).unwrap();
    assert_eq!(now_is(&jobs, id).status, JobStatus::Cancelled);
}

#[test]
fn waiting_job_is_cancelled_at_once_a_running_one_when_its_worker_stops() {
    let (_home, store) = open();
    let jobs = store.jobs();
    let [running, waiting] = [reflection("s1"), reflection("s2")].map(|job| queued(&jobs, &job).id);
    let (claim, now) = (claimed(&jobs, at("10:00:00")), at("10:00:05"));
    assert_eq!(jobs.cancel(waiting, "not now", now).unwrap(), Some(CancelOutcome::Now));
    assert_eq!(now_is(&jobs, waiting).status, JobStatus::Cancelled);
    let had_ended = Some(CancelOutcome::HadEnded(JobStatus::Cancelled));
    assert_eq!(jobs.cancel(waiting, "again", now).unwrap(), had_ended);
    assert_eq!(now_is(&jobs, waiting).reason.as_deref(), Some("not now"));

    assert_eq!(jobs.cancel(running, "too long", now).unwrap(), Some(CancelOutcome::Requested));
    assert_eq!(now_is(&jobs, running).status, JobStatus::Running);
    assert_eq!(jobs.claims().renew(&claim, now).unwrap(), ClaimStatus::Cancel);
    jobs.claims().finish_cancelled(&claim, now).unwrap();
    let job = now_is(&jobs, running);
    assert_eq!((job.status, job.reason.as_deref()), (JobStatus::Cancelled, Some("too long")));
    assert_eq!(jobs.cancel(JobId::new(now), "", now).unwrap(), None);
    assert_eq!(jobs.claims().claim(ONE, now).unwrap(), None);
}

#[test]
fn cancelled_job_that_fails_or_loses_its_worker_is_not_tried_again() {
    let (_home, store) = open();
    let jobs = store.jobs();
    for end in 0..3 {
        let id = queued(&jobs, &reflection("s1")).id;
        let claim = claimed(&jobs, at("10:00:00"));
        jobs.cancel(id, "no", at("10:00:01")).unwrap();
        match end {
            0 => assert_eq!(
                jobs.claims().fail(&claim, "broke", at("10:00:02")).unwrap(),
                RetryDecision::Cancelled
            ),
            1 => assert_eq!(
                jobs.claims().reclaim_expired(at("11:00:00")).unwrap()[0].setback,
                RetryDecision::Cancelled
            ),
            _ => jobs.claims().release(&claim, at("10:00:02")).unwrap(),
        }
        assert_eq!(now_is(&jobs, id).status, JobStatus::Cancelled, "{end}");
    }
}

#[test]
fn who_asks_hears_of_the_reflection_under_way() {
    let (_home, store) = open();
    let jobs = store.jobs();
    let ask = |session: &str| {
        let asked = NewJob { on_duplicate: DuplicatePolicy::ReportExisting, ..reflection(session) };
        jobs.enqueue(&asked, at("10:00:00")).unwrap()
    };
    let first = queued(&jobs, &reflection("s1"));
    assert_eq!(ask("s1"), EnqueueOutcome::AlreadyRunning(first.clone()), "it waits");
    let EnqueueOutcome::Queued(second) = ask("s2") else { panic!("none runs") };
    let claim = claimed(&jobs, at("10:00:00"));
    let EnqueueOutcome::AlreadyRunning(other) = ask("s3") else { panic!("one runs") };
    assert_eq!(other.id, first.id);
    let EnqueueOutcome::AlreadyRunning(own) = ask("s2") else { panic!("it waits") };
    assert_eq!(own.id, second.id, "the one about the same session");
    jobs.claims().complete(&claim, "{}", at("10:00:01")).unwrap();
    assert!(matches!(ask("s1"), EnqueueOutcome::Queued(_)), "it has ended");
    let ada = NewJob {
        user: UserId::parse("ada").unwrap(),
        on_duplicate: DuplicatePolicy::ReportExisting,
        ..reflection("s2")
    };
    assert!(
        matches!(jobs.enqueue(&ada, at("10:00:00")).unwrap(), EnqueueOutcome::Queued(_)),
        "another's queue"
    );
}

#[test]
fn trigger_follows_the_running_job_and_waits_once() {
    let (_home, store) = open();
    let jobs = store.jobs();
    queued(&jobs, &reflection("s1"));
    claimed(&jobs, at("10:00:00"));
    let follower = queued(&jobs, &reflection("s1"));
    queued(&jobs, &reflection("s2"));
    let again = jobs.enqueue(&reflection("s1"), at("10:00:01")).unwrap();
    assert_eq!(again, EnqueueOutcome::AlreadyRunning(follower));
    let all = NewJob { subject: None, ..reflection("") };
    let of_all = queued(&jobs, &all);
    assert_eq!(jobs.enqueue(&all, at("10:00:01")).unwrap(), EnqueueOutcome::AlreadyRunning(of_all));
}

#[test]
fn forced_reflections_are_limited() {
    let (_home, store) = open();
    let jobs = store.jobs();
    let force =
        |session: &str, now| jobs.enqueue(&NewJob { forced: true, ..reflection(session) }, now).unwrap();
    let EnqueueOutcome::Queued(regretted) = force("s0", at("10:00:00")) else { panic!("the first") };
    jobs.cancel(regretted.id, "", at("10:00:00")).unwrap();
    for n in 1..=5 {
        assert!(matches!(force(&format!("s{n}"), at("10:10:00")), EnqueueOutcome::Queued(_)), "{n}");
    }
    let EnqueueOutcome::Refused(refused) = force("s6", at("10:30:00")) else {
        panic!("the sixth in an hour")
    };
    assert_eq!(refused.next_at, at("11:10:00"));
    assert!(matches!(force("s6", at("11:10:00")), EnqueueOutcome::Queued(_)));
    assert!(
        matches!(jobs.enqueue(&reflection("s7"), at("10:30:00")).unwrap(), EnqueueOutcome::Queued(_)),
        "unforced"
    );
}

#[test]
fn two_runs_about_one_conversation_never_overlap() {
    let (_home, store) = open();
    let jobs = store.jobs();
    let run = |id: &str| NewJob { job_type: JobType::ConversationRun, ..reflection(id) };
    let now = at("10:00:00");
    queued(&jobs, &run("c1"));
    let first = claimed(&jobs, now);
    queued(&jobs, &run("c1"));
    let other = queued(&jobs, &run("c2"));
    assert_eq!(claimed(&jobs, now).job.id, other.id);
    assert_eq!(jobs.claims().claim(ONE, now).unwrap(), None);
    jobs.claims().complete(&first, "{}", now).unwrap();
    assert!(jobs.claims().claim(ONE, now).unwrap().is_some());
}

#[test]
fn what_is_no_json_is_refused_and_changes_nothing() {
    let (_home, store) = open();
    let jobs = store.jobs();
    let broken = NewJob { payload: "{".into(), ..reflection("s1") };
    assert!(matches!(jobs.enqueue(&broken, at("10:00:00")), Err(QueueError::NotJson { .. })));
    let id = queued(&jobs, &reflection("s1")).id;
    let claim = claimed(&jobs, at("10:00:00"));
    assert!(matches!(
        jobs.claims().complete(&claim, "done!", at("10:00:01")),
        Err(QueueError::NotJson { .. })
    ));
    assert_eq!(now_is(&jobs, id).status, JobStatus::Running);
}

#[test]
fn completion_is_kept_with_the_work_or_not_at_all() {
    let (_home, store) = open();
    let jobs = store.jobs();
    let id = queued(&jobs, &reflection("s1")).id;
    let claim = claimed(&jobs, at("10:00:00"));
    let undone: Result<(), QueueError> = store.in_transaction(|store| {
        store.jobs().claims().complete(&claim, "{}", at("10:00:01"))?;
        Err(QueueError::NotJson { job: id })
    });
    assert!(undone.is_err());
    assert_eq!(now_is(&jobs, id).status, JobStatus::Running);
}

#[test]
fn figures_and_guesses() {
    let (_home, store) = open();
    let (jobs, user) = (store.jobs(), UserId::default());
    let seconds = Duration::from_secs;
    let unknown = queued(&jobs, &reflection("s0"));
    assert_eq!(jobs.eta(&unknown, at("10:00:00")).unwrap(), seconds(30), "as long as none was done");
    for (session, duration) in [("s0", "10:00:10"), ("s1", "10:00:20"), ("s2", "10:09:00")] {
        let _ = jobs.enqueue(&reflection(session), at("10:00:00")).unwrap();
        jobs.claims().complete(&claimed(&jobs, at("10:00:00")), "{}", at(duration)).unwrap();
    }
    let [running, waiting, last] = ["s3", "s4", "s5"].map(|session| queued(&jobs, &reflection(session)));
    claimed(&jobs, at("10:10:00"));
    let now = at("10:10:05");
    assert_eq!(jobs.eta(&now_is(&jobs, running.id), now).unwrap(), seconds(15));
    assert_eq!(jobs.eta(&waiting, now).unwrap(), seconds(35), "what is left of one, then its own");
    assert_eq!(jobs.eta(&last, now).unwrap(), seconds(55));
    let figures = jobs.figures(&user, JobType::Reflection).unwrap();
    assert_eq!((figures.pending, figures.running), (2, 1));
    assert_eq!(figures.oldest_pending, Some(at("10:00:00")));
    assert_eq!(figures.last_completed.unwrap().subject.as_deref(), Some("s2"));
    assert_eq!(figures.last_failed, None);
    let listed: Vec<_> = jobs.active_jobs().unwrap().into_iter().map(|job| job.id).collect();
    assert_eq!(listed, [running.id, waiting.id, last.id]);
    assert_eq!(jobs.recent(1).unwrap()[0].id, last.id);
}

#[test]
fn pruning_keeps_what_goes_on_and_the_last_success() {
    let (_home, store) = open();
    let (jobs, user) = (store.jobs(), UserId::default());
    for n in 0..4 {
        queued(&jobs, &reflection(&format!("s{n}")));
    }
    for minute in ["10:01:00", "10:02:00"] {
        jobs.claims().complete(&claimed(&jobs, at("10:00:00")), "{}", at(minute)).unwrap();
    }
    claimed(&jobs, at("10:03:00"));
    assert_eq!(jobs.prune(at("10:01:00")).unwrap(), 0);
    assert_eq!(jobs.prune(at("20:00:00")).unwrap(), 1);
    let figures = jobs.figures(&user, JobType::Reflection).unwrap();
    assert_eq!((figures.pending, figures.running), (1, 1));
    assert_eq!(figures.last_completed.unwrap().subject.as_deref(), Some("s1"));
}

#[test]
fn rules_can_be_changed() {
    let (_home, store) = open();
    let jobs = store.jobs().with_rules(QueueRules { at_once: 1, ..QueueRules::default() });
    queued(&jobs, &heartbeat("s1"));
    queued(&jobs, &heartbeat("s2"));
    claimed(&jobs, at("10:00:00"));
    assert_eq!(jobs.claims().claim(ONE, at("10:00:00")).unwrap(), None);
}

#[test]
fn worker_that_dies_costs_the_job_no_attempt_but_one_that_kills_workers_has_to_wait() {
    let (_home, store) = open();
    let jobs = store.jobs();
    let job = queued(&jobs, &reflection("s1"));
    let now = at("10:00:00");
    for _ in 0..5 {
        claimed(&jobs, now);
        assert_eq!(jobs.claims().requeue_jobs_of(TWO, now).unwrap(), 0);
        assert_eq!(jobs.claims().requeue_jobs_of(ONE, now).unwrap(), 1);
    }
    let put_back = now_is(&jobs, job.id);
    assert_eq!((put_back.status, put_back.attempts, put_back.lease), (JobStatus::Queued, 0, None));
    assert_eq!(put_back.not_before, at("10:00:01"));
    assert_eq!(jobs.claims().claim(TWO, now).unwrap(), None);
    claimed(&jobs, at("10:00:01"));
    jobs.claims().requeue_jobs_of(ONE, at("10:00:01")).unwrap();
    assert_eq!(now_is(&jobs, job.id).not_before, at("10:00:03"));
    claimed(&jobs, at("10:00:03"));
    jobs.cancel(job.id, "cancelled", at("10:00:03")).unwrap();
    jobs.claims().requeue_jobs_of(ONE, at("10:00:04")).unwrap();
    assert_eq!(now_is(&jobs, job.id).status, JobStatus::Cancelled);
}
