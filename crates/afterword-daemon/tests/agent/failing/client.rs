//! Claude Code failing, or ended with the agent.

use std::fs;
use std::time::{Duration, Instant};

use afterword_app::{model_calls, queue};
use afterword_claude_code::client::Client;
use afterword_core::{Job, JobStatus, JobType};
use afterword_daemon::run;
use jiff::Zoned;
use serde_json::{Value, json};

use super::{ID, Wanted, end, good, is_said, mends, order};
use afterword_testkit::stand_in::{self, answering, printing};
use afterword_testkit::transcript::with_a_rule;
use afterword_testkit::{Sandbox, now};

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
            Wanted::Postponed,
            signed_out,
        ),
        ("429", failed("rate_limit", json!(429), "Request rejected (429)"), Wanted::Postponed, "(429)"),
        ("529", failed("server_error", Value::Null, "Repeated 529"), Wanted::Postponed, "Repeated 529"),
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
        let host = Sandbox::new();
        host.set("engine.name", &["claude-code"]);
        // Long enough for it to start and say which processes it has.
        host.set("engine.limit_minutes", &[if name == "hangs" { "0.1" } else { "5" }]);
        host.session(ID, &with_a_rule(ID));
        let app = host.app().with_client(stand_in::client(&host, &body));
        order(&app);
        let (reason, again_at) = end(name, &app, wanted);
        assert!(reason.contains(words), "{name}: {reason}");
        is_said(name, &app, words);
        if name == "hangs" {
            let processes = fs::read_to_string(host.path("hung")).unwrap();
            assert_eq!(processes.lines().count(), 2);
            processes.lines().for_each(is_gone);
        }
        assert!(model_calls::spend(&app, 1, &now()).unwrap().calls >= 1, "{name}: it is in the ledger");
        host.set("engine.limit_minutes", &["5"]);
        // A client that was updated has another time, and is asked for its options anew.
        let well = host.app().with_client(stand_in::client(&host, &answering(&good())));
        mends(name, &host, &well, again_at);
    }
    let host = Sandbox::new();
    host.set("engine.name", &["claude-code"]);
    host.session(ID, &with_a_rule(ID));
    let app = host.app().with_client(Client::new(host.path("nowhere/claude")));
    order(&app);
    let (reason, again_at) = end("not installed", &app, Wanted::Postponed);
    assert!(reason.contains("cannot be started"), "{reason}");
    mends(
        "not installed",
        &host,
        &host.app().with_client(stand_in::client(&host, &answering(&good()))),
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
    let host = Sandbox::new();
    host.set("engine.name", &["claude-code"]);
    host.session(ID, &with_a_rule(ID));
    // It says what its first message took, and goes on.
    let message = json!({"type": "assistant", "message": {"id": "m", "model": "claude-sonnet-4-5",
        "usage": {"input_tokens": 1000, "output_tokens": 100}}});
    let body = format!("{}\ntouch \"$here/printed\"; sleep 600", printing(&message));
    let app = host.app().with_client(stand_in::client(&host, &body));
    order(&app);
    let running = run::start(&app, |_| {}).unwrap();
    let clock = Instant::now();
    while !host.path("printed").exists() {
        assert!(clock.elapsed() < Duration::from_secs(120), "it is never asked");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(model_calls::spend(&app, 1, &Zoned::now()).unwrap().set_aside_usd > 0.0);
    running.stop();
    let spend = model_calls::spend(&app, 1, &Zoned::now()).unwrap();
    // 1000 tokens at $3 and 100 at $15 for a million.
    assert!((spend.usd - 0.0045).abs() < 1e-9 && spend.set_aside_usd == 0.0, "{spend:?}");
    assert_eq!((spend.input_tokens, spend.output_tokens), (1_000, 100));
    let jobs = queue::queue(&app).unwrap().recent(10).unwrap();
    let waits = |job: &Job| job.job_type == JobType::Reflection && job.status == JobStatus::Queued;
    assert!(jobs.iter().any(waits), "the session is read when there is an agent again: {jobs:?}");
}
