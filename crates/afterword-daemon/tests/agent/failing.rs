//! Engines that fail in every way that was seen, at the level of a job: it is put off or tried again with a reason, and no
//! failure costs a lesson, or money that was not spent. `client` is Claude Code's part, played by a script;
//! `completions` is that of servers for chat completions.

#[cfg(unix)]
mod client;
mod completions;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use afterword_app::queue::ReflectionOrder;
use afterword_app::{App, EngineName, Trigger, model_calls, queue};
use afterword_core::Secret;
use afterword_core::{SessionId, UserId, WorkerId};
use afterword_daemon::work::{WorkEnd, Worker};
use afterword_store::{CallLimits, NewCall, Purpose, Store};
use jiff::Timestamp;
use serde_json::{Value, json};

use afterword_testkit::provider::{Provider, Response, lessons, message, preference};
use afterword_testkit::transcript::with_a_rule;
use afterword_testkit::{Sandbox, now};

const ID: &str = "0f0f0d0c-1111-4222-8333-444455556666";

/// What is to come of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Nothing is wrong with the job: it waits, and this does not count as a try.
    Postponed,
    /// As a try that failed; there is another.
    Again,
}

fn good() -> Value {
    let lesson =
        preference("Add a migration, never edit a merged one", 3, "never edit a migration that is merged");
    lessons(&[], &[lesson])
}

fn order(app: &App) {
    let order = ReflectionOrder::new(SessionId::parse(ID).unwrap(), Trigger::SessionEnd);
    queue::queue(app).unwrap().reflect(&order, &UserId::default(), now().timestamp()).unwrap();
}

/// Works once; gives the reason and when it is tried again, as it is wanted to end.
fn end(name: &str, app: &App, wanted: Wanted) -> (String, Timestamp) {
    match (Worker::new(app).unwrap().work_once(&now()).unwrap().unwrap().end, wanted) {
        (WorkEnd::Postponed { obstacle, again_at }, Wanted::Postponed) => (obstacle, again_at),
        (WorkEnd::Failed { reason, again_at: Some(at) }, Wanted::Again) => (reason, at),
        (other, _) => panic!("{name}: wanted {wanted:?}, not {other:?}"),
    }
}

/// After the failure there is what the built-in engine found; once the engine is well again the job gets through, and its words
/// take the place.
fn mends(name: &str, host: &Sandbox, app: &App, again_at: Timestamp) {
    let before = host.lessons();
    assert_eq!(before.len(), 1, "{name}: {before:?}");
    assert!(
        before[0].1.contains("status: active") && !before[0].1.contains("Add a migration"),
        "{name}: {before:?}"
    );
    let later = again_at.to_zoned(jiff::tz::TimeZone::UTC);
    let worked = Worker::new(app).unwrap().work_once(&later).unwrap().unwrap();
    assert!(matches!(worked.end, WorkEnd::Completed(_)), "{name}: {:?}", worked.end);
    let lessons = host.lessons();
    let is_reworded = |(_, text): &(String, String)| text.contains("title: \"Add a migration");
    assert!(lessons.len() == 1 && is_reworded(&lessons[0]), "{name}: {lessons:?}");
    assert_eq!(model_calls::engine_fault(app), None, "{name}: it is well again");
}

/// What went wrong is what `doctor`, `status` and the tray say of the engine; of an answer that cannot be used they say what is wrong with it.
fn is_said(name: &str, app: &App, words: &str) {
    let words = if words == "cannot be used" { "when it was last asked" } else { words };
    let fault = model_calls::engine_fault(app).map(|fault| fault.sentence()).unwrap_or_default();
    assert!(fault.contains(words) && fault.contains("the built-in engine goes on"), "{name}: {fault}");
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
    let cases: Vec<(&str, Response, Wanted, &str)> = vec![
        ("429", (429, busy, error("rate_limit_error")), Wanted::Postponed, "busy (429)"),
        ("529", (529, busy, error("overloaded_error")), Wanted::Postponed, "busy (529)"),
        ("500", (500, busy, error("api_error")), Wanted::Postponed, "busy (500)"),
        ("key", (401, "", error("authentication_error")), Wanted::Postponed, "the key was refused"),
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
        let host = Sandbox::new();
        host.set("engine.name", &["anthropic"]);
        host.set("engine.anthropic_address", &[&provider.address]);
        // Three seconds for the one that never answers.
        host.set("engine.limit_minutes", &[if name == "silence" { "0.05" } else { "5" }]);
        host.session(ID, &with_a_rule(ID));
        let app = host.app().with_key(EngineName::Anthropic, Secret::new("sk-made-up"));
        order(&app);
        let (reason, again_at) = end(name, &app, wanted);
        assert!(reason.contains(words) && !reason.contains("sk-made-up"), "{name}: {reason}");
        is_said(name, &app, words);
        let waits = again_at.duration_since(now().timestamp()).as_secs();
        // What was paid for in vain is not paid for again at once.
        let was_paid_for = model_calls::spend(&app, 1, &now()).unwrap().output_tokens > 0;
        if ["429", "529", "500"].contains(&name) || was_paid_for {
            assert!(waits >= 3_600, "{name}: {waits}");
        }
        assert!(provider.received().len() <= 2, "{name}: it is asked once more at most");
        let spend = model_calls::spend(&app, 1, &now()).unwrap();
        assert_eq!(spend.calls as usize, provider.received().len(), "{name}: every call is in the ledger");
        assert!(spend.latest.iter().all(|call| call.problem.is_some()), "{name}: {:?}", spend.latest);
        well.store(true, Ordering::SeqCst);
        host.set("engine.limit_minutes", &["5"]);
        let app = host.app().with_key(EngineName::Anthropic, Secret::new("sk-made-up"));
        mends(name, &host, &app, again_at);
    }
}

/// What a process that was killed had reserved is not spent, and is given back as soon as its job is another's.
#[test]
fn money_of_a_killed_process_comes_back() {
    let host = Sandbox::new();
    host.session(ID, &with_a_rule(ID));
    let app = host.app();
    order(&app);
    let store = Store::open(&host.paths().database()).unwrap();
    let killed = WorkerId { process: 4_000_000, started_ms: 0 };
    let claim = store.jobs().claims().claim(killed, now().timestamp()).unwrap().unwrap();
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
    let spend = model_calls::spend(&app, 1, &now()).unwrap();
    assert!(spend.usd == 0.0 && spend.today_usd == 0.0, "{spend:?}");
    assert!((spend.set_aside_usd - 0.25).abs() < 1e-9 && spend.latest[0].under_way, "{spend:?}");
    store.jobs().claims().fail(&claim, "its worker died", now().timestamp()).unwrap();
    let spend = model_calls::spend(&app, 1, &now()).unwrap();
    assert!(spend.set_aside_usd == 0.0 && spend.today_usd == 0.0, "{spend:?}");
    assert!(spend.latest[0].problem.as_deref().unwrap().contains("cut off"), "{spend:?}");
}
