//! Engines that fail in every way that was seen, at the level of a job: it is put off or tried again with a reason, and no
//! failure costs a lesson, or money that was not spent.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use afterword_agent::keyring::Secret;
use afterword_agent::queue::ReflectionOrder;
use afterword_agent::work::{WorkEnd, Worker};
use afterword_agent::{Agent, EngineName, Trigger};
use afterword_core::{Job, JobStatus, JobType, SessionId, UserId, WorkerId};
use afterword_reflect::client::Client;
use afterword_store::{CallLimits, NewCall, Purpose, Store};
use jiff::{Timestamp, Zoned};
use serde_json::{Value, json};

use crate::host::{TestHost, now};
use crate::provider::{Provider, Said, lessons, message, preference};
use crate::stand_in::{self, answering, printing};
use crate::transcript::with_a_rule;

const ID: &str = "0f0f0d0c-1111-4222-8333-444455556666";

/// What is to come of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Nothing is wrong with the job: it waits, and this does not count as a try.
    PutOff,
    /// As a try that failed; there is another.
    Again,
}

fn good() -> Value {
    let lesson =
        preference("Add a migration, never edit a merged one", 3, "never edit a migration that is merged");
    lessons(&[], &[lesson])
}

fn order(agent: &Agent) {
    let order = ReflectionOrder::new(SessionId::parse(ID).unwrap(), Trigger::SessionEnd);
    agent.queue().unwrap().reflect(&order, &UserId::default(), now().timestamp()).unwrap();
}

/// Works once; gives the reason and when it is tried again, as it is wanted to end.
fn end(name: &str, agent: &Agent, wanted: Wanted) -> (String, Timestamp) {
    match (Worker::new(agent).unwrap().work_once(&now()).unwrap().unwrap().end, wanted) {
        (WorkEnd::PutOff { obstacle, again_at }, Wanted::PutOff) => (obstacle, again_at),
        (WorkEnd::Failed { reason, again_at: Some(at) }, Wanted::Again) => (reason, at),
        (other, _) => panic!("{name}: wanted {wanted:?}, not {other:?}"),
    }
}

/// After the failure there is what the built-in engine found; once the engine is well again the job gets through, and its words
/// take the place.
fn mends(name: &str, host: &TestHost, agent: &Agent, again_at: Timestamp) {
    let before = host.lessons();
    assert_eq!(before.len(), 1, "{name}: {before:?}");
    assert!(
        before[0].1.contains("status: active") && !before[0].1.contains("Add a migration"),
        "{name}: {before:?}"
    );
    let later = again_at.to_zoned(jiff::tz::TimeZone::UTC);
    let worked = Worker::new(agent).unwrap().work_once(&later).unwrap().unwrap();
    assert!(matches!(worked.end, WorkEnd::Completed(_)), "{name}: {:?}", worked.end);
    let lessons = host.lessons();
    let is_reworded = |(_, text): &(String, String)| text.contains("title: \"Add a migration");
    assert!(lessons.len() == 1 && is_reworded(&lessons[0]), "{name}: {lessons:?}");
}

#[test]
fn the_messages_api_failing_puts_work_off_or_is_tried_again() {
    let busy = "retry-after: 3600\r\n";
    let error =
        |kind: &str| json!({"type": "error", "error": {"type": kind, "message": "made up"}}).to_string();
    let said = |stop: &str, content: Value| {
        json!({"type": "message", "model": "m", "content": content, "stop_reason": stop,
            "usage": {"input_tokens": 900, "output_tokens": 100}})
        .to_string()
    };
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    let other_tool =
        json!([{"type": "tool_use", "id": "t", "name": "bash", "input": {"command": "touch /tmp/x"}}]);
    let half = json!({"candidates": [], "lessons": [{"title": "x"}]});
    let cases: Vec<(&str, Said, Wanted, &str)> = vec![
        ("429", (429, busy, error("rate_limit_error")), Wanted::PutOff, "busy (429)"),
        ("529", (529, busy, error("overloaded_error")), Wanted::PutOff, "busy (529)"),
        ("500", (500, busy, error("api_error")), Wanted::PutOff, "busy (500)"),
        ("key", (401, "", error("authentication_error")), Wanted::PutOff, "the key was refused"),
        ("request", (400, "", error("invalid_request_error")), Wanted::Again, "refused with 400: made up"),
        ("redirect", (302, "location: http://127.0.0.1:9/\r\n", String::new()), Wanted::Again, "302"),
        ("silence", (0, "", String::new()), Wanted::Again, "no answer within"),
        ("no json", (200, "", "<html>".to_owned()), Wanted::Again, "cannot be used"),
        ("an error with 200", (200, "", error("overloaded_error")), Wanted::Again, "cannot be used"),
        ("malformed", (200, "", message("tool_use", &half)), Wanted::Again, "cannot be used"),
        ("talk", (200, "", said("end_turn", text("I would rather not."))), Wanted::Again, "cannot be used"),
        ("another tool", (200, "", said("tool_use", other_tool)), Wanted::Again, "cannot be used"),
        ("cut off", (200, "", message("max_tokens", &json!({}))), Wanted::Again, "cut off after 200 tokens"),
        ("too long", (200, "", said("model_context_window_exceeded", json!([]))), Wanted::Again, "cut off"),
        ("refused", (200, "", said("refusal", text("I will not."))), Wanted::Again, "declined"),
    ];
    for (name, failure, wanted, words) in cases {
        let well = Arc::new(AtomicBool::new(false));
        let is_well = Arc::clone(&well);
        let provider = Provider::answering(move |_, _| {
            if is_well.load(Ordering::SeqCst) {
                (200, "", message("tool_use", &good()))
            } else {
                failure.clone()
            }
        });
        let host = TestHost::new();
        host.set("engine.name", &["anthropic"]);
        host.set("engine.anthropic_address", &[&provider.address]);
        // Three seconds for the one that never answers.
        host.set("engine.limit_minutes", &[if name == "silence" { "0.05" } else { "5" }]);
        host.session(ID, &with_a_rule(ID));
        let agent = host.agent().with_key(EngineName::Anthropic, Secret::new("sk-made-up"));
        order(&agent);
        let (reason, again_at) = end(name, &agent, wanted);
        assert!(reason.contains(words) && !reason.contains("sk-made-up"), "{name}: {reason}");
        let waits = again_at.duration_since(now().timestamp()).as_secs();
        // What was paid for in vain is not paid for again at once.
        let was_paid_for = agent.spend(1, &now()).unwrap().output_tokens > 0;
        if ["429", "529", "500"].contains(&name) || was_paid_for {
            assert!(waits >= 3_600, "{name}: {waits}");
        }
        assert!(provider.received().len() <= 2, "{name}: it is asked once more at most");
        let spend = agent.spend(1, &now()).unwrap();
        assert_eq!(spend.calls as usize, provider.received().len(), "{name}: every call is in the ledger");
        assert!(spend.latest.iter().all(|call| call.problem.is_some()), "{name}: {:?}", spend.latest);
        well.store(true, Ordering::SeqCst);
        host.set("engine.limit_minutes", &["5"]);
        let agent = host.agent().with_key(EngineName::Anthropic, Secret::new("sk-made-up"));
        mends(name, &host, &agent, again_at);
    }
}

#[test]
fn claude_code_failing_puts_work_off_or_is_tried_again() {
    let failed = |error: &str, status: Value, result: &str| {
        let message = printing(&json!({"type": "assistant", "error": error, "message": {}}));
        let end = json!({"type": "result", "subtype": "success", "is_error": true, "api_error_status": status,
            "result": result, "total_cost_usd": 0, "usage": {}});
        format!("{message}\n{}\nexit 1", printing(&end))
    };
    let ended = |subtype: &str, result: &str| {
        printing(
            &json!({"type": "result", "subtype": subtype, "is_error": subtype != "success", "result": result,
            "total_cost_usd": 0.01, "usage": {"input_tokens": 900, "output_tokens": 100}}),
        )
    };
    let signed_out = "Not logged in · Please run /login";
    let cases: Vec<(&str, String, Wanted, &str)> = vec![
        (
            "not logged in",
            failed("authentication_failed", Value::Null, signed_out),
            Wanted::PutOff,
            signed_out,
        ),
        ("429", failed("rate_limit", json!(429), "Request rejected (429)"), Wanted::PutOff, "(429)"),
        ("529", failed("server_error", Value::Null, "Repeated 529"), Wanted::PutOff, "Repeated 529"),
        ("400", failed("unknown", json!(400), "API Error: 400"), Wanted::Again, "API Error: 400"),
        ("exits", "echo 'something broke' >&2; exit 3".to_owned(), Wanted::Again, "something broke"),
        ("dies", "kill -9 $$".to_owned(), Wanted::Again, "without an answer"),
        (
            "hangs",
            "echo $$ > \"$here/hung\"; sleep 600 & echo $! >> \"$here/hung\"; wait".to_owned(),
            Wanted::Again,
            "longer than",
        ),
        (
            "rubbish",
            "head -c 100000 /dev/urandom; echo; echo '{\"type\":\"result\"'".to_owned(),
            Wanted::Again,
            "without an answer",
        ),
        ("talk", ended("success", "I would rather not use JSON."), Wanted::Again, "cannot be used"),
        ("cut off", ended("success", "{\"lessons\": [\"a"), Wanted::Again, "cannot be used"),
        (
            "no answer in shape",
            ended("error_max_structured_output_retries", ""),
            Wanted::Again,
            "structured_output",
        ),
        ("too dear", ended("error_max_budget_usd", ""), Wanted::Again, "its limit of money"),
    ];
    for (name, body, wanted, words) in cases {
        let host = TestHost::new();
        host.set("engine.name", &["claude-code"]);
        // Long enough for it to start and say which processes it has.
        host.set("engine.limit_minutes", &[if name == "hangs" { "0.1" } else { "5" }]);
        host.session(ID, &with_a_rule(ID));
        let agent = host.agent().with_client(stand_in::client(&host, &body));
        order(&agent);
        let (reason, again_at) = end(name, &agent, wanted);
        assert!(reason.contains(words), "{name}: {reason}");
        if name == "hangs" {
            let processes = fs::read_to_string(host.path("hung")).unwrap();
            assert_eq!(processes.lines().count(), 2);
            processes.lines().for_each(is_gone);
        }
        assert!(agent.spend(1, &now()).unwrap().calls >= 1, "{name}: it is in the ledger");
        host.set("engine.limit_minutes", &["5"]);
        // A client that was updated has another time, and is asked for its options anew.
        let well = host.agent().with_client(stand_in::client(&host, &answering(&good())));
        mends(name, &host, &well, again_at);
    }
    let host = TestHost::new();
    host.set("engine.name", &["claude-code"]);
    host.session(ID, &with_a_rule(ID));
    let agent = host.agent().with_client(Client::new(host.path("nowhere/claude")));
    order(&agent);
    let (reason, again_at) = end("not installed", &agent, Wanted::PutOff);
    assert!(reason.contains("cannot be started"), "{reason}");
    mends(
        "not installed",
        &host,
        &host.agent().with_client(stand_in::client(&host, &answering(&good()))),
        again_at,
    );
}

/// Waits until a process is gone: the system takes a moment to carry a signal out.
fn is_gone(number: &str) {
    let clock = Instant::now();
    let is_there = || {
        let stat = fs::read_to_string(format!("/proc/{}/stat", number.trim())).unwrap_or_default();
        !stat.is_empty() && !stat.contains(") Z ")
    };
    while cfg!(target_os = "linux") && is_there() {
        assert!(clock.elapsed() < Duration::from_secs(60), "{number} is still there");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A call that is ended with the process is booked for what it took, and what it would have been about is not lost.
#[test]
fn an_agent_that_ends_leaves_no_money_set_aside() {
    let host = TestHost::new();
    host.set("engine.name", &["claude-code"]);
    host.session(ID, &with_a_rule(ID));
    // It says what its first message took, and goes on.
    let message = json!({"type": "assistant", "message": {"id": "m", "model": "claude-sonnet-4-5",
        "usage": {"input_tokens": 1000, "output_tokens": 100}}});
    let body = format!("{}\ntouch \"$here/printed\"; sleep 600", printing(&message));
    let agent = host.agent().with_client(stand_in::client(&host, &body));
    order(&agent);
    let running = agent.start(|_| {}).unwrap();
    let clock = Instant::now();
    while !host.path("printed").exists() {
        assert!(clock.elapsed() < Duration::from_secs(120), "it is never asked");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(agent.spend(1, &Zoned::now()).unwrap().set_aside_usd > 0.0);
    running.stop();
    let spend = agent.spend(1, &Zoned::now()).unwrap();
    // 1000 tokens at $3 and 100 at $15 for a million.
    assert!((spend.usd - 0.0045).abs() < 1e-9 && spend.set_aside_usd == 0.0, "{spend:?}");
    assert_eq!((spend.input_tokens, spend.output_tokens), (1_000, 100));
    let jobs = agent.queue().unwrap().recent(10).unwrap();
    let waits = |job: &Job| job.job_type == JobType::Reflection && job.status == JobStatus::Queued;
    assert!(jobs.iter().any(waits), "the session is read when there is an agent again: {jobs:?}");
}

/// What a process that was killed had set aside is not spent, and is given back as soon as its job is another's.
#[test]
fn money_of_a_killed_process_comes_back() {
    let host = TestHost::new();
    host.session(ID, &with_a_rule(ID));
    let agent = host.agent();
    order(&agent);
    let store = Store::open(&host.paths().database()).unwrap();
    let killed = WorkerId { process: 4_000_000, started_ms: 0 };
    let claim = store.jobs().claim(killed, now().timestamp()).unwrap().unwrap();
    let call = NewCall {
        asked_at: now().timestamp(),
        purpose: Purpose::Reflection,
        job: Some(claim.job.id),
        engine: "anthropic",
        model: "m",
        session: ID,
        project: "",
        most_usd: 0.25,
    };
    store.engine_calls().reserve(&call, now().timestamp(), CallLimits::default()).unwrap().unwrap();
    let spend = agent.spend(1, &now()).unwrap();
    assert!(spend.usd == 0.0 && spend.today_usd == 0.0, "{spend:?}");
    assert!((spend.set_aside_usd - 0.25).abs() < 1e-9 && spend.latest[0].under_way, "{spend:?}");
    store.jobs().fail(&claim, "its worker died", now().timestamp()).unwrap();
    let spend = agent.spend(1, &now()).unwrap();
    assert!(spend.set_aside_usd == 0.0 && spend.today_usd == 0.0, "{spend:?}");
    assert!(spend.latest[0].problem.as_deref().unwrap().contains("cut off"), "{spend:?}");
}
