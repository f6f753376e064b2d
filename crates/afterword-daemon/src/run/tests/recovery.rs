//! What goes wrong: clients that die, agents that die, vaults that vanish.

use std::fs;
use std::process::{Child, Command, Stdio};

use afterword_core::{JobStatus, SessionState};
use afterword_platform::process::find_process;

use super::test_agent::{TestAgent, answered, at, with_a_rule};
use afterword_app::{AgentState, queue, reflect, sessions, status};
use afterword_claude_code::markers::Marker;
use afterword_claude_code::spool::HookEvent;

const ID: &str = "5f0a0000-0000-4000-8000-000000000001";

/// A process that waits until it is killed.
fn client() -> Child {
    let waits = ["--ignored", "--exact", "run::tests::recovery::waits", "--test-threads=1"];
    let program = std::env::current_exe().unwrap();
    let command = &mut Command::new(program);
    command.args(waits).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap()
}

#[test]
#[ignore = "what stands in for a client, and is killed"]
fn waits() {
    let _ = std::io::stdin().read_line(&mut String::new());
}

#[test]
fn crash_is_found_within_a_minute_where_the_process_is_known() {
    let mut stage = TestAgent::new();
    stage.set("reflection.idle_minutes", &["600"]);
    let mut client = client();
    let path = stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.begin(ID, &path, find_process(client.id()).map(|running| running.identity), "10:00:00");
    let next = stage.turn("10:00:01");
    assert_eq!(stage.state(ID), Some(SessionState::Active));
    assert!(next <= at("10:00:31"), "the next look is within half a minute: {next}");
    client.kill().unwrap();
    client.wait().unwrap();
    stage.turn(&next.to_string());
    assert_eq!((stage.reflected(ID), stage.triggers()), (1, vec!["recovery".to_owned()]));
    assert_eq!(stage.timeline(ID), ["began", "active", "crashed", "reflecting", "reflected"]);
    let (_, detail) = stage.happened(ID, "reflecting");
    assert!(detail.unwrap().starts_with("recovered: "));
    assert_eq!(stage.markers().open().unwrap(), []);
}

#[test]
fn crash_is_found_within_an_hour_where_the_process_is_not_known() {
    let mut stage = TestAgent::new();
    stage.set("reflection.idle_minutes", &["600"]);
    let path = stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.begin(ID, &path, None, "10:00:00");
    stage.turn("10:59:59");
    assert_eq!(stage.reflected(ID), 0);
    assert_eq!(stage.turn("10:59:59"), at("11:00:00"));
    stage.turn("11:00:00");
    assert_eq!((stage.reflected(ID), stage.triggers()), (1, vec!["recovery".to_owned()]));
    assert_eq!(stage.markers().open().unwrap(), []);
}

#[test]
fn crash_that_a_hook_of_the_session_saw_is_found_at_once() {
    let mut stage = TestAgent::new();
    stage.set("reflection.idle_minutes", &["600"]);
    let path = stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.hook(HookEvent::SessionStart, ID, Some(&path), "10:00:00");
    let gone = Marker { is_client_gone: true, ..Marker::new(at("10:00:00"), Some(path)) };
    stage.markers().write(&super::test_agent::session(ID), &gone).unwrap();
    stage.turn("10:00:02");
    assert_eq!((stage.reflected(ID), stage.triggers()), (1, vec!["recovery".to_owned()]));
    assert_eq!(stage.markers().open().unwrap(), []);
}

#[test]
fn crash_while_no_agent_ran_is_found_at_the_start() {
    let mut stage = TestAgent::new();
    stage.set("reflection.idle_minutes", &["600"]);
    let mut client = client();
    let identity = find_process(client.id()).map(|running| running.identity);
    client.kill().unwrap();
    client.wait().unwrap();
    let path = stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.begin(ID, &path, identity, "10:00:00");
    stage.turn("10:00:02");
    assert_eq!((stage.reflected(ID), stage.triggers()), (1, vec!["recovery".to_owned()]));
}

#[test]
fn end_told_before_its_transcript_came_is_known_after_a_restart() {
    let mut stage = TestAgent::new();
    stage.set("reflection.idle_minutes", &["600"]);
    let transcript = stage.path("claude/projects/-home-ada-shop").join(format!("{ID}.jsonl"));
    stage.hook(HookEvent::SessionEnd, ID, Some(&transcript), "10:00:00");
    stage.turn("10:00:01");
    assert_eq!(fs::read_dir(stage.paths().spool()).unwrap().count(), 0, "what the hook told was taken in");
    stage.kill();
    stage.session(ID, &with_a_rule(ID), "10:00:05");
    stage.turn("10:00:06");
    assert_eq!((stage.reflected(ID), stage.triggers()), (1, vec!["session-end".to_owned()]));
    assert!(stage.store().early_ends().all().unwrap().is_empty());
    stage.kill();
    stage.turn("10:30:00");
    assert_eq!(stage.reflected(ID), 1);
}

#[test]
fn end_of_a_session_that_never_wrote_is_forgotten_after_a_day() {
    let mut stage = TestAgent::new();
    stage.hook(HookEvent::SessionEnd, ID, None, "10:00:00");
    stage.turn("10:00:01");
    stage.turn("2026-03-02T09:59:59Z");
    assert_eq!(stage.store().early_ends().all().unwrap().len(), 1);
    stage.turn("2026-03-02T10:00:01Z");
    assert!(stage.store().early_ends().all().unwrap().is_empty());
}

#[test]
fn session_that_began_and_never_wrote_leaves_no_marker() {
    let mut stage = TestAgent::new();
    stage.begin(ID, &stage.path("claude/projects/-home-ada-shop/none.jsonl"), None, "10:00:00");
    stage.turn("10:30:00");
    assert_eq!(stage.markers().open().unwrap().len(), 1);
    stage.turn("11:00:01");
    assert_eq!(stage.markers().open().unwrap(), []);
}

#[test]
fn vault_that_vanished_is_said_and_the_work_waits_for_it() {
    let mut stage = TestAgent::new();
    stage.session(ID, &with_a_rule(ID), "10:00:00");
    fs::rename(stage.path("vault"), stage.path("unplugged")).unwrap();
    stage.turn("10:10:00");
    stage.turn("12:10:00");
    let AgentState::Error { message } = stage.shared().state() else {
        panic!("{:?}", stage.shared().state())
    };
    assert!(message.contains("vault") && message.contains("bring back the disk"), "{message}");
    let jobs = stage.store().jobs().recent(9).unwrap();
    assert_eq!((jobs.len(), jobs[0].status, jobs[0].attempts), (1, JobStatus::Queued, 0));
    fs::rename(stage.path("unplugged"), stage.path("vault")).unwrap();
    stage.turn("12:10:30");
    assert_eq!((stage.reflected(ID), stage.notes("Preferences").len()), (1, 1));
    assert!(!matches!(stage.shared().state(), AgentState::Error { .. }));
}

#[test]
fn damaged_database_is_said_and_the_work_goes_on_with_another() {
    let mut stage = TestAgent::new();
    stage.session(ID, &with_a_rule(ID), "10:00:00");
    let database = stage.paths().database();
    fs::create_dir_all(database.parent().unwrap()).unwrap();
    fs::write(&database, "this is no database at all, and long enough to have a header ".repeat(40)).unwrap();
    let next = stage.turn("10:10:00");
    let AgentState::Error { message } = stage.shared().state() else {
        panic!("{:?}", stage.shared().state())
    };
    assert!(message.contains("damaged") && message.contains("move"), "{message}");
    assert!(next > at("10:10:00") && next <= at("10:11:10"), "{next}");
    fs::remove_file(&database).unwrap();
    stage.turn("10:12:00");
    assert_eq!((stage.reflected(ID), stage.notes("Preferences").len()), (1, 1));
}

#[cfg(unix)]
#[test]
fn job_that_cannot_write_its_notes_says_so_and_waits_until_it_can() {
    use std::os::unix::fs::PermissionsExt;
    let mut stage = TestAgent::new();
    stage.session(ID, &with_a_rule(ID), "10:00:00");
    let folder = stage.path("vault/Afterword/Preferences");
    let mode = |mode| fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
    mode(0o500);
    // The user that owns everything is held up by no permission.
    if fs::write(folder.join("probe"), "").is_ok() {
        println!("skipped: this user may write everywhere");
        return;
    }
    for time in ["10:10:00", "10:11:00", "10:12:00", "10:13:00", "10:14:00"] {
        let next = stage.turn(time);
        assert!(next <= at("10:15:00"), "{next}");
    }
    let AgentState::Error { message } = stage.shared().state() else {
        panic!("{:?}", stage.shared().state())
    };
    assert!(message.contains("give yourself the right to read and write"), "{message}");
    assert_eq!(stage.store().jobs().recent(9).unwrap().len(), 1, "the same job waits");
    mode(0o700);
    stage.turn("10:15:00");
    assert_eq!((stage.state(ID), stage.reflected(ID)), (Some(SessionState::Reflected), 1));
    assert_eq!(stage.notes("Preferences").len(), 1);
    assert_eq!(stage.shared().state(), AgentState::Watching);
}

#[test]
fn agent_that_died_between_the_notes_and_the_end_of_the_job_does_nothing_twice() {
    let mut stage = TestAgent::new();
    let path = stage.session(ID, &with_a_rule(ID), "10:00:00");
    let store = stage.store();
    let queue = queue::queue(&stage.app()).unwrap();
    let order = afterword_app::queue::ReflectionOrder::new(
        super::test_agent::session(ID),
        afterword_app::Trigger::Idle,
    );
    queue.reflect(&order, &afterword_core::UserId::default(), at("10:09:00")).unwrap();
    // A worker of a process that is gone has claimed the job and done all of it but its end.
    let dead = afterword_core::WorkerId { process: u32::MAX - 7, started_ms: 1 };
    store.jobs().claims().claim(dead, at("10:09:01")).unwrap().unwrap();
    let request = afterword_app::ReflectRequest {
        trigger: afterword_app::Trigger::Idle,
        ..afterword_app::ReflectRequest::new(afterword_app::Target::One(path.to_string_lossy().into_owned()))
    };
    let now = at("10:09:02").to_zoned(jiff::tz::TimeZone::UTC);
    reflect::reflect(&stage.app(), &request, &now, &mut afterword_app::NoProgress).unwrap();
    stage.turn("10:10:00");
    let jobs = store.jobs().recent(9).unwrap();
    assert_eq!(jobs.iter().map(|job| job.status).collect::<Vec<_>>(), [JobStatus::Completed]);
    assert!(jobs[0].result.as_deref().is_some_and(|result| result.contains("\"unchanged\":true")));
    assert_eq!((stage.reflected(ID), stage.notes("Preferences").len()), (1, 1));
}

#[test]
fn reflection_of_a_long_session_that_is_cancelled_stops_in_its_middle() {
    let stage = TestAgent::new();
    stage.shared().paused.store(true, std::sync::atomic::Ordering::Relaxed);
    let mut lines = with_a_rule(ID);
    let words =
        "Then it reads the table again and writes the rows one by one into the other file. ".repeat(40);
    lines.extend((5..40_000).map(|number| answered(ID, number, &words)));
    let path = stage.session(ID, &lines, "10:00:00");
    let order = afterword_app::queue::ReflectionOrder {
        transcript: Some(path.clone()),
        ..afterword_app::queue::ReflectionOrder::new(
            super::test_agent::session(ID),
            afterword_app::Trigger::Manual,
        )
    };
    let (app, now) = (stage.app(), at("10:10:00"));
    let queue = queue::queue(&app).unwrap();
    let job = match queue.reflect(&order, &afterword_core::UserId::default(), now).unwrap() {
        afterword_app::queue::EnqueueOutcome::Queued(job) => job.id,
        other => panic!("{other:?}"),
    };
    let begun = std::time::Instant::now();
    let worker = std::thread::spawn(move || {
        let now = now.to_zoned(jiff::tz::TimeZone::UTC);
        crate::work::Worker::new(&app).unwrap().work_once(&now).unwrap().unwrap()
    });
    // It is at the transcript.
    while queue.job(job).unwrap().progress < 0.1 {
        assert!(begun.elapsed().as_secs() < 180 && !worker.is_finished());
        std::thread::yield_now();
    }
    // Its to-do list is written as the work goes.
    let is_reading = || queue.logs(job).unwrap().iter().any(|log| log.todo.contains("\"doing\""));
    while !is_reading() {
        assert!(begun.elapsed().as_secs() < 180 && !worker.is_finished());
        std::thread::yield_now();
    }
    queue.cancel(job, now).unwrap();
    let cancelled = std::time::Instant::now();
    let worked = worker.join().unwrap();
    let stopped_after = cancelled.elapsed();
    assert!(matches!(worked.end, crate::work::WorkEnd::Cancelled), "{:?}", worked.end);
    assert_eq!(queue.job(job).unwrap().status, JobStatus::Cancelled);
    assert_eq!((stage.reflected(ID), stage.notes("Preferences").len()), (0, 0));
    let logs = queue.logs(job).unwrap();
    assert_eq!((logs.len(), logs[0].transcript.as_str()), (1, "cancelled"));
    assert!(
        logs[0].todo.contains("\"doing\"") && logs[0].todo.contains("write what is found"),
        "{}",
        logs[0].todo
    );
    let whole = std::time::Instant::now();
    afterword_transcript::read_session(&path).unwrap();
    println!("stopped {stopped_after:?} after it was cancelled; only reading it takes {:?}", whole.elapsed());
}

/// What the timeline says of a session whose client crashed and whose reflection failed, and that the failure is no news any more
/// once it went well.
#[test]
fn timeline_and_status_tell_of_a_crash_a_failure_and_what_came_after() {
    let mut stage = TestAgent::new();
    stage.set("reflection.idle_minutes", &["600"]);
    let path = stage.session(ID, &with_a_rule(ID), "10:00:00");
    let gone = afterword_platform::process::ProcessIdentity::of_this()
        .map(|this| afterword_platform::process::ProcessIdentity { pid: u32::MAX - 7, ..this });
    stage.begin(ID, &path, gone, "09:59:00");
    // Something of the machine that does not go away by waiting.
    let in_the_way = stage.path("vault/Afterword/Preferences");
    let aside = stage.path("aside");
    fs::rename(&in_the_way, &aside).unwrap();
    fs::write(&in_the_way, "no folder").unwrap();
    for time in ["10:00:05", "10:01:30", "10:06:30"] {
        stage.turn(time);
    }
    let tries = ["crashed", "reflecting"].repeat(3);
    let failed = [&["began"][..], &tries, &["failed"]].concat();
    assert_eq!(stage.timeline(ID), failed, "three tries, and then it is given up for now");
    let (_, reason) = stage.happened(ID, "failed");
    assert!(reason.as_ref().unwrap().contains("Afterword/Preferences"), "{reason:?}");
    let last_failed = |time: &str| status::status(&stage.app(), at(time)).unwrap().queue.last_failed;
    assert_eq!(last_failed("10:07:00").unwrap().reason, reason);

    fs::remove_file(&in_the_way).unwrap();
    fs::rename(&aside, &in_the_way).unwrap();
    stage.turn("11:06:31");
    assert_eq!(stage.timeline(ID), [&failed[..], &["reflecting", "reflected"]].concat());
    let last_failed = |time: &str| status::status(&stage.app(), at(time)).unwrap().queue.last_failed;
    assert_eq!(last_failed("11:07:00"), None, "what went well since is no failure");
    let (_, entries) = sessions::timeline(&stage.app(), ID).unwrap();
    let told: Vec<String> = entries.iter().map(|entry| entry.what.as_str().to_owned()).collect();
    assert_eq!(told, stage.timeline(ID), "and so does the command");
}
