//! What talking may change, what it may not, and that it can be taken back.

use serde_json::json;

use super::*;
use crate::conversation::{ConversationState, schedule::words};

const NOW: &str = "2026-03-02T08:30:00Z";

fn now() -> Timestamp {
    NOW.parse().unwrap()
}

fn daily() -> Conversation {
    let limits = RunLimits { allowed_tools: vec!["Read".into(), "WebFetch".into()], ..RunLimits::default() };
    let state = ConversationState::of_task("watch the build");
    let mut one = Conversation { limits, ..Conversation::new("watch", state, now()) };
    one.start(Schedule::cron("0 9 * * *", "UTC", now()).unwrap(), now()).unwrap();
    one
}

fn understand(text: &str) -> Result<Schedule, String> {
    words::parse(text, "UTC", now()).map_err(|error| error.to_string())
}

fn steer(one: &mut Conversation, change: Value) -> Result<String, String> {
    let reply = ChatReply::parse(&json!({"reply": "Done.", "changes": [change]})).unwrap();
    one.steer(&reply.changes[0], understand, &jiff::tz::TimeZone::UTC, now())
}

#[test]
fn every_change_is_made_and_taken_back() {
    for change in [
        json!({"do": "reschedule", "when": "every hour"}),
        json!({"do": "run_now"}),
        json!({"do": "pause"}),
        json!({"do": "archive"}),
        json!({"do": "limit", "allowed_tools": ["Read"], "usd": 0.1, "minutes": 2}),
        json!({"do": "state", "state_update": {"seen": 3}, "next_step": "look at the tests"}),
    ] {
        let before = daily();
        let mut one = before.clone();
        steer(&mut one, change.clone()).unwrap();
        assert_ne!(one, before, "{change}");
        one.remember_changes_since(&before);
        let stored = serde_json::to_string(&one.state).unwrap();
        one.state = serde_json::from_str(&stored).unwrap();
        one.undo(now()).unwrap();
        assert_eq!(one, before, "{change}");
        assert!(one.undo(now()).is_err(), "once");
    }
}

#[test]
fn check_every_hour_instead_changes_the_schedule_or_says_that_it_cannot() {
    let mut one = daily();
    let told = steer(&mut one, json!({"do": "reschedule", "when": "every hour"})).unwrap();
    assert!(told.contains("cron 0 * * * *"), "{told}");
    assert_eq!(one.next_run_at, Some("2026-03-02T09:00:00Z".parse().unwrap()));
    let refused =
        steer(&mut one, json!({"do": "reschedule", "when": "every 7 minutes on weekdays"})).unwrap_err();
    assert!(refused.contains("not regular"), "{refused}");
}

#[test]
fn limits_go_down_and_never_up() {
    for wider in [
        json!({"do": "limit", "allowed_tools": ["Read", "Bash"]}),
        json!({"do": "limit", "connections": ["mail"]}),
        json!({"do": "limit", "usd": 5.0}),
        json!({"do": "limit", "minutes": 600}),
        json!({"do": "limit", "usd": -1.0}),
    ] {
        let before = daily();
        let mut one = before.clone();
        let refused = steer(&mut one, wider.clone()).unwrap_err();
        assert!(refused.contains("only you") || refused.contains("at least"), "{refused}");
        assert_eq!(one, before, "{wider}");
    }
    let mut one = daily();
    steer(&mut one, json!({"do": "limit", "allowed_tools": []})).unwrap();
    assert!(one.limits.allowed_tools.is_empty());
}

#[test]
fn answer_is_taken_as_the_question_wants_it_and_can_be_taken_back() {
    let mut waiting = daily();
    let question = PendingQuestion {
        kind: crate::conversation::QuestionKind::Confirmation,
        prompt: "Send it?".into(),
        options: Vec::new(),
        concern: None,
    };
    let reply = crate::conversation::WorkerReply::NeedsInput { message: "Ready.".into(), question };
    waiting.finish_run(crate::conversation::RunEnd::Replied(reply), now()).unwrap();
    let mut one = waiting.clone();
    assert!(steer(&mut one, json!({"do": "answer", "answer": "after lunch"})).is_err());
    steer(&mut one, json!({"do": "answer", "answer": "go ahead"})).unwrap();
    assert!(one.is_due(now()));
    one.remember_changes_since(&waiting);
    one.undo(now()).unwrap();
    assert_eq!(one, waiting);
    assert!(steer(&mut daily(), json!({"do": "answer", "answer": "yes"})).is_err(), "nothing was asked");
}

#[test]
fn what_is_no_reply_is_refused() {
    for bad in [
        json!({}),
        json!({"reply": "x", "changes": [{"do": "delete"}]}),
        json!({"reply": "x", "changes": [{"do": "reschedule"}]}),
        json!({"reply": "x", "changes": vec![json!({"do": "pause"}); 11]}),
    ] {
        assert!(ChatReply::parse(&bad).is_err(), "{bad}");
    }
    assert_eq!(ChatReply::parse(&json!({"reply": " x "})).unwrap().reply, "x");
    let schema: Value = serde_json::from_str(CHAT_REPLY_SCHEMA).unwrap();
    assert_eq!(
        schema["properties"]["changes"]["items"]["properties"]["do"]["enum"].as_array().unwrap().len(),
        9
    );
}
