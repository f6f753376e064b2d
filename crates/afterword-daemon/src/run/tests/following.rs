//! States, idle windows, and what is never read.

use std::fs;
use std::net::TcpListener;

use afterword_core::SessionState;

use super::test_agent::{TestAgent, answered, at, session, typed, with_a_rule};
use crate::AgentEvent;
use afterword_app::{AgentState, queue};
use afterword_claude_code::spool::HookEvent;

const ID: &str = "5f0a0000-0000-4000-8000-000000000001";
const OTHER: &str = "5f0a0000-0000-4000-8000-000000000002";

#[test]
fn engine_that_cannot_be_asked_is_an_error_at_once_and_the_built_in_one_goes_on() {
    let mut stage = TestAgent::new();
    stage.set("engine.name", &["openai-compatible"]);
    stage.turn("09:30:00");
    let state = |stage: &TestAgent| stage.shared().state.lock().unwrap().clone();
    let AgentState::Error { message } = state(&stage) else { panic!("{:?}", state(&stage)) };
    assert!(message.contains("no model is set") && message.contains("built-in engine goes on"), "{message}");
    stage.set("engine.model", &["qwen3:8b"]);
    stage.set("engine.address", &["http://models.example.org/v1"]);
    stage.turn("09:31:00");
    let AgentState::Error { message } = state(&stage) else { panic!("{:?}", state(&stage)) };
    assert!(message.contains("only https"), "{message}");
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    stage.set("engine.address", &[&format!("http://{free}/v1")]);
    stage.turn("09:32:00");
    let AgentState::Error { message } = state(&stage) else { panic!("{:?}", state(&stage)) };
    assert!(message.contains("not reached") && message.contains(&free.to_string()), "{message}");
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    stage.set("engine.address", &[&format!("http://{}/v1", server.local_addr().unwrap())]);
    stage.turn("09:33:00");
    assert_eq!(state(&stage), AgentState::Watching);
}

#[test]
fn idle_session_is_reflected_once_and_again_only_after_new_messages() {
    let mut stage = TestAgent::new();
    let path = stage.session(ID, &with_a_rule(ID), "10:00:00");
    assert_eq!(stage.turn("10:00:01"), at("10:04:00"), "the next turn is when it idles");
    assert_eq!(stage.state(ID), Some(SessionState::Active));
    stage.turn("10:04:00");
    assert_eq!((stage.state(ID), stage.reflected(ID)), (Some(SessionState::Reflected), 1));
    assert_eq!(stage.timeline(ID), ["active", "idle", "reflecting", "reflected"]);
    for later in ["10:05:00", "10:30:00", "23:00:00"] {
        stage.turn(later);
    }
    assert_eq!(stage.reflected(ID), 1);
    stage.append(&path, &[typed(ID, 5, "now the tests"), answered(ID, 6, "done")], "23:10:00");
    stage.turn("23:10:01");
    assert_eq!(stage.state(ID), Some(SessionState::Active));
    stage.turn("23:14:00");
    assert_eq!((stage.state(ID), stage.reflected(ID)), (Some(SessionState::Reflected), 2));
    assert_eq!(stage.notes("Preferences").len(), 1, "the same rule is one note");
}

#[test]
fn session_that_is_compacted_goes_on_and_says_so() {
    let mut stage = TestAgent::new();
    let path = stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.begin(ID, &path, None, "10:00:00");
    stage.turn("10:00:01");
    stage.compact(ID, &path, "10:03:00");
    stage.turn("10:03:01");
    assert_eq!(stage.timeline(ID), ["began", "active", "compacted"]);
    assert_eq!(stage.happened(ID, "compacted"), (at("10:03:00"), None));
    stage.turn("10:06:00");
    assert_eq!(stage.state(ID), Some(SessionState::Active), "it did not idle since");
}

#[test]
fn what_the_client_notes_for_itself_is_no_new_message() {
    let mut stage = TestAgent::new();
    let path = stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.turn("10:10:00");
    let note = format!("{{\"type\":\"last-prompt\",\"lastPrompt\":\"x\",\"sessionId\":\"{ID}\"}}\n");
    stage.append(&path, &[note], "11:00:00");
    stage.turn("11:00:01");
    assert_eq!(stage.state(ID), Some(SessionState::Active));
    stage.turn("11:10:00");
    assert_eq!((stage.state(ID), stage.reflected(ID)), (Some(SessionState::Reflected), 1));
    stage.kill();
    stage.turn("11:20:00");
    assert_eq!(stage.reflected(ID), 1, "also not after a restart");
}

#[test]
fn idle_time_is_a_setting_and_counts_as_soon_as_it_is_changed() {
    let mut stage = TestAgent::new();
    stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.set("reflection.idle_minutes", &["30"]);
    stage.turn("10:29:59");
    assert_eq!(stage.reflected(ID), 0);
    stage.set("reflection.idle_minutes", &["0.5"]);
    stage.turn("10:29:59");
    assert_eq!(stage.reflected(ID), 1);
}

#[test]
fn session_whose_sub_agent_works_is_active() {
    let mut stage = TestAgent::new();
    let path = stage.session(ID, &with_a_rule(ID), "10:00:00");
    let agents = path.with_extension("").join("subagents");
    fs::create_dir_all(&agents).unwrap();
    fs::write(agents.join("agent-a1.jsonl"), typed(ID, 9, "look for the bug")).unwrap();
    let file = fs::File::options().write(true).open(agents.join("agent-a1.jsonl")).unwrap();
    file.set_modified(at("10:03:00").into()).unwrap();
    stage.turn("10:05:00");
    assert_eq!((stage.state(ID), stage.reflected(ID)), (Some(SessionState::Active), 0));
    stage.turn("10:07:00");
    assert_eq!((stage.state(ID), stage.reflected(ID)), (Some(SessionState::Reflected), 1));
    assert_eq!(stage.store().followed_sessions().all().unwrap().len(), 1, "a sub-agent is no session");
}

#[test]
fn excluded_and_own_sessions_are_not_followed() {
    let mut stage = TestAgent::new();
    stage.set("privacy.exclude", &["[\"/home/ada/shop\"]"]);
    let path = stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.begin(ID, &path, None, "10:00:00");
    let own = stage.paths().engine_workplace();
    let lines: Vec<_> = with_a_rule(OTHER)
        .iter()
        .map(|line| line.replace("/home/ada/shop", &own.to_string_lossy().replace('\\', "\\\\")))
        .collect();
    for number in 10..60 {
        stage.session(&format!("{}{number:02}", &OTHER[..34]), &lines, "10:00:00");
    }
    stage.turn("10:30:00");
    stage.turn("12:30:00");
    assert_eq!(
        stage.store().followed_sessions().all().unwrap(),
        [],
        "fifty own sessions and an excluded one"
    );
    assert_eq!((stage.timeline(ID).len(), stage.triggers().len()), (0, 0));
    assert_eq!(stage.markers().open().unwrap(), [], "its marker is not looked for for ever");
    stage.set("privacy.exclude", &["[]"]);
    stage.turn("12:40:00");
    eprintln!(
        "{:?} {:?} {:?}",
        stage.shared().state(),
        stage.store().jobs().recent(9),
        stage.store().sessions().get(&path)
    );
    assert_eq!(stage.reflected(ID), 1);
}

#[test]
fn excluded_project_is_read_no_further_than_its_working_directory() {
    use std::io::Write;
    let mut stage = TestAgent::new();
    stage.set("privacy.exclude", &["[\"/home/ada/shop\"]"]);
    let path = stage.session(ID, &with_a_rule(ID)[..1], "10:00:00");
    // What stands behind it would be a lesson.
    let mut file = fs::File::options().append(true).open(&path).unwrap();
    file.write_all(with_a_rule(ID)[2].as_bytes()).unwrap();
    stage.turn("10:30:00");
    assert_eq!((stage.notes("Preferences").len(), stage.store().jobs().recent(9).unwrap().len()), (0, 0));
}

#[test]
fn directory_that_appears_later_is_followed() {
    let mut stage = TestAgent::new();
    fs::remove_dir_all(stage.path("claude")).unwrap();
    stage.turn("10:00:00");
    stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.turn("10:10:00");
    assert_eq!(stage.reflected(ID), 1);
    let jobs = stage.store().jobs().recent(9).unwrap();
    assert_eq!(jobs.iter().map(|job| job.subject.as_deref()).collect::<Vec<_>>(), [Some(ID)]);
}

#[test]
fn other_claude_directory_is_followed_as_soon_as_it_is_set() {
    let mut stage = TestAgent::new();
    stage.turn("10:00:00");
    let moved = stage.path("elsewhere/projects/-home-ada-shop");
    fs::create_dir_all(&moved).unwrap();
    let path = stage.session(ID, &with_a_rule(ID), "10:00:00");
    fs::rename(&path, moved.join(format!("{ID}.jsonl"))).unwrap();
    // A session of a client that runs with another CLAUDE_CONFIG_DIR: its hook tells where it is, which follows nothing.
    stage.hook(HookEvent::Stop, ID, Some(&moved.join(format!("{ID}.jsonl"))), "10:00:01");
    stage.turn("10:10:00");
    assert_eq!(stage.reflected(ID), 0);
    stage.set("claude.other_dirs", &[stage.path("elsewhere").to_str().unwrap()]);
    stage.turn("10:20:00");
    assert_eq!(stage.reflected(ID), 1);
}

#[test]
fn deleted_transcript_is_forgotten_and_its_notes_stay() {
    let mut stage = TestAgent::new();
    let path = stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.turn("10:10:00");
    fs::remove_file(path).unwrap();
    stage.turn("10:11:00");
    assert_eq!((stage.state(ID), stage.notes("Preferences").len()), (None, 1));
}

#[test]
fn transcripts_about_to_vanish_are_reflected_first() {
    let mut stage = TestAgent::new();
    stage.session(OTHER, &with_a_rule(OTHER), "2026-02-27T10:00:00Z");
    stage.session(ID, &with_a_rule(ID), "2026-02-01T10:00:00Z");
    stage.turn("10:00:00");
    let jobs = stage.store().jobs().recent(9).unwrap();
    let order: Vec<_> = jobs.iter().rev().filter_map(|job| job.subject.as_deref()).collect();
    assert_eq!(order, [ID, OTHER]);
    assert_eq!(stage.triggers(), ["expiring", "idle"]);
}

#[test]
fn when_a_transcript_vanishes_is_read_from_the_client_s_own_settings() {
    let mut stage = TestAgent::new();
    fs::write(stage.path("claude/settings.json"), "{\"cleanupPeriodDays\": 2}").unwrap();
    stage.session(OTHER, &with_a_rule(OTHER), "2026-03-01T09:00:00Z");
    stage.session(ID, &with_a_rule(ID), "2026-02-27T21:00:00Z");
    stage.turn("10:00:00");
    assert_eq!(stage.triggers(), ["expiring", "idle"]);
}

#[test]
fn paused_agent_follows_and_reflects_nothing_until_it_goes_on() {
    let mut stage = TestAgent::new();
    stage.shared().paused.store(true, std::sync::atomic::Ordering::Relaxed);
    stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.turn("10:10:00");
    assert_eq!((stage.state(ID), stage.reflected(ID)), (Some(SessionState::Idle), 0));
    assert_eq!(stage.shared().state(), AgentState::Paused);
    stage.shared().paused.store(false, std::sync::atomic::Ordering::Relaxed);
    stage.turn("10:10:01");
    assert_eq!(stage.reflected(ID), 1);
}

#[test]
fn everything_that_happens_is_told() {
    let mut stage = TestAgent::new();
    stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.turn("10:00:01");
    stage.turn("10:10:00");
    let states: Vec<_> = stage
        .events
        .iter()
        .filter_map(|event| match event {
            AgentEvent::SessionChanged { session: of, state } if *of == session(ID) => Some(*state),
            _ => None,
        })
        .collect();
    assert_eq!(states, [SessionState::Idle, SessionState::Reflecting, SessionState::Reflected]);
    let completed = stage.events.iter().find_map(|event| match event {
        AgentEvent::JobCompleted { session: Some(of), notes, .. } if *of == session(ID) => Some(notes.len()),
        _ => None,
    });
    assert!(completed.is_some_and(|notes| notes > 0));
    let agent: Vec<_> = stage
        .events
        .iter()
        .filter_map(|event| match event {
            AgentEvent::StateChanged { state } => Some(state.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(agent, [AgentState::Reflecting, AgentState::Watching]);
}

#[test]
fn job_that_was_cancelled_is_not_begun_again_by_itself() {
    let mut stage = TestAgent::new();
    let path = stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.shared().paused.store(true, std::sync::atomic::Ordering::Relaxed);
    stage.turn("10:00:01");
    let queue = queue::queue(&stage.app()).unwrap();
    let order = afterword_app::queue::ReflectionOrder::new(session(ID), afterword_app::Trigger::Idle);
    let afterword_app::queue::EnqueueOutcome::Queued(job) =
        queue.reflect(&order, &afterword_core::UserId::default(), at("10:04:30")).unwrap()
    else {
        panic!("not queued")
    };
    queue.cancel(job.id, at("10:05:00")).unwrap();
    stage.shared().paused.store(false, std::sync::atomic::Ordering::Relaxed);
    stage.turn("10:06:00");
    stage.turn("12:00:00");
    assert_eq!(stage.reflected(ID), 0);
    stage.append(&path, &[typed(ID, 5, "go on"), answered(ID, 6, "yes")], "12:10:00");
    stage.turn("12:30:00");
    assert_eq!(stage.reflected(ID), 1);
}

#[test]
fn end_that_is_noticed_late_stands_at_its_own_time_and_says_so() {
    let mut stage = TestAgent::new();
    let path = stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.begin(ID, &path, None, "10:00:00");
    stage.turn("10:00:01");
    stage.hook(HookEvent::SessionEnd, ID, Some(&path), "10:00:40");
    stage.turn("10:00:56");
    assert_eq!(stage.timeline(ID), ["began", "active", "ended", "reflecting", "reflected"]);
    assert_eq!(stage.happened(ID, "ended"), (at("10:00:40"), Some("noticed 16 s later".to_owned())));
    assert_eq!(stage.happened(ID, "reflecting").1.as_deref(), Some("the session ended"));
}

#[test]
fn session_goes_on_when_it_is_spoken_to_and_not_when_another_is_forked_from_it() {
    let mut stage = TestAgent::new();
    let path = stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.begin(ID, &path, None, "10:00:00");
    stage.hook(HookEvent::SessionEnd, ID, Some(&path), "10:00:40");
    stage.turn("10:00:41");
    stage.turn("10:00:42");
    let before = stage.timeline(ID);
    assert_eq!(before.last().map(String::as_str), Some("reflected"), "{before:?}");
    let alive = afterword_platform::process::ProcessIdentity::of_this();
    stage.resume(ID, &path, alive, "10:20:00");
    stage.turn("10:20:01");
    stage.turn("10:25:00");
    assert_eq!(stage.timeline(ID), before, "a fork of it began");
    stage.hook(HookEvent::UserPromptSubmit, ID, Some(&path), "10:26:00");
    stage.turn("10:26:01");
    assert_eq!(stage.timeline(ID)[before.len()..], ["began", "active"]);
    assert_eq!(stage.state(ID), Some(SessionState::Active));
}
